// Shaking the picture without touching what it follows.
import { max, min } from "./math.js";

/**
 * @typedef {object} ShakeSettings
 * @property {number} [reach] Screen pixels at full strength, along each axis. Default 16.
 * @property {number} [seconds] Seconds in which full strength dies away. Default 0.6.
 * @property {number} [hz] Changes of direction per second, about. Default 20.
 * @property {number} [seed] Another number, another shake. Default 1.
 * @property {boolean} [ownTime] The shake does not advance with presented time but by `advanceShake`, so that it goes on
 *   while the game is paused. Default false.
 */

export class Shaking {
  // 0..=1. Falls in a straight line, so that a frame in two parts leaves the same.
  strength = 0;
  // Seconds of shaking so far: every shake continues the curve where the last one left it.
  #clock = 0;
  #x = new Noise();
  #y = new Noise();

  /** @param {number} strength */
  add(strength) {
    this.strength = min(this.strength + strength, 1);
  }

  /** @param {number} seconds @param {Required<ShakeSettings>} shake */
  advance(seconds, shake) {
    if (!(this.strength > 0)) return;
    this.strength = max(this.strength - seconds / shake.seconds, 0);
    // No frame shakes for longer than a whole shake: a huge one must not wear out the clock.
    this.#clock += min(seconds, shake.seconds);
  }

  /** Screen pixels that the picture is off by. @param {number} axis @param {Required<ShakeSettings>} shake */
  pixels(axis, shake) {
    const size = shake.reach * this.strength * this.strength;
    const at = this.#clock * shake.hz;
    // Axes far apart on one curve are as good as two curves.
    return (axis === 0 ? this.#x.at(shake.seed, 0n, at) : this.#y.at(shake.seed, 0x5851f42d4c957f2dn, at)) * size;
  }
}

/** A smooth random curve through one random value at each whole number, within -1..=1. */
class Noise {
  #whole = NaN;
  #seed = NaN;
  #a = 0.5;
  #b = 0.5;

  /** @param {number} seed @param {bigint} mixed @param {number} at */
  at(seed, mixed, at) {
    // Beyond this a number has no fraction left.
    if (!(Math.abs(at) < 1e15)) at = 0;
    const whole = Math.floor(at);
    if (whole !== this.#whole || seed !== this.#seed) {
      this.#whole = whole;
      this.#seed = seed;
      this.#a = value(BigInt(seed) ^ mixed, BigInt(whole));
      this.#b = value(BigInt(seed) ^ mixed, BigInt(whole) + 1n);
    }
    const t = at - whole;
    return this.#a + (this.#b - this.#a) * (t * t * (3 - 2 * t));
  }
}

const ALL = 2n ** 64n - 1n;

/** -1..=1 from a hash (the finaliser of splitmix64). @param {bigint} seed @param {bigint} index */
function value(seed, index) {
  let z = (seed + index * 0x9e3779b97f4a7c15n) & ALL;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & ALL;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & ALL;
  z ^= z >> 31n;
  // 53 bits fill a number exactly.
  return Number(z >> 11n) / 2 ** 52 - 1;
}
