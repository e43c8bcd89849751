/** Random numbers that are the same in every run. */
export class Dice {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** 0 to 1, 1 excluded (mulberry32). */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low, high) {
    return low + (high - low) * this.next();
  }

  below(limit) {
    return Math.floor(limit * this.next());
  }

  one(of) {
    return of[this.below(of.length)];
  }

  rotation() {
    const q = [0, 0, 0, 0].map(() => this.between(-1, 1));
    const length = Math.hypot(...q);
    return q.map((c) => Math.fround(c / length));
  }
}
