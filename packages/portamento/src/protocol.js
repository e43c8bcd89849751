// The writer's half of the protocol: which slot is free, and how does a tick become readable?
import { LATEST, OWNER, RUN, SEAT_WAITS, SEQUENCE, STATE } from "./block.js";

/** @import { Memory } from "./block.js" */

export class WriteSide {
  #used;
  // Our own copy of the directory (slot + 1, or 0): nobody can make us overwrite a kept tick.
  #ring;
  #latest = 0;
  /** Claims that no reader that keeps to the protocol can have made. */
  foreignClaims = 0;

  /** @param {Memory} memory */
  constructor(memory) {
    const layout = (this.layout = memory.layout);
    this.memory = memory;
    this.words = memory.words;
    this.owner = ownNumber();
    this.#used = new Uint8Array(layout.slots);
    this.#ring = new Int32Array(layout.ticks);
  }

  /** Takes the place if it is free; with `anyway` whoever the block says has it. @param {boolean} anyway */
  take(anyway) {
    const { words, owner } = this;
    if (anyway) {
      Atomics.store(words, OWNER, owner);
    } else if (Atomics.compareExchange(words, OWNER, 0, owner) !== 0) {
      throw new Error(
        "the block has a writer: end it with close(), or wait until its worker has ended with Writer.takeOver",
      );
    }
    try {
      this.#checkDirectory();
    } catch (error) {
      Atomics.store(words, OWNER, 0);
      throw error;
    }
    Atomics.store(words, LATEST, this.#latest);
    Atomics.store(words, STATE, 1);
  }

  /** Begins a run and returns its number. */
  beginRun() {
    const { words } = this;
    const run = (Atomics.load(words, RUN) >>> 0) + (Atomics.load(words, RUN + 1) >>> 0) * 2 ** 32 + 1;
    Atomics.store(words, RUN, run | 0);
    Atomics.store(words, RUN + 1, Math.floor(run / 2 ** 32) | 0);
    return run;
  }

  // Finds the newest complete tick of the writer before.
  #checkDirectory() {
    const { words, layout } = this;
    const load = (/** @type {number} */ q) => Atomics.load(words, layout.entry(q)) >>> 0;
    let latest = Atomics.load(words, LATEST);
    const next = (latest + 1) | 0;
    // It died just before it would have stored it.
    if (load(next) !== 0 && load(next) >>> 8 === (next & 0xffffff)) latest = next;
    const seen = this.#used.fill(0);
    this.#ring.fill(0);
    for (let age = 0; age < layout.ticks; age++) {
      const q = (latest - age) | 0;
      const word = load(q);
      if (word === 0) continue;
      const slot = (word & 0xff) - 1;
      if (slot < 0 || slot >= layout.slots || seen[slot] || word >>> 8 !== (q & 0xffffff)) {
        throw new RangeError(`the block's directory is damaged (${word}): make a new block`);
      }
      seen[slot] = 1;
      this.#ring[q & (layout.ticks - 1)] = slot + 1;
    }
    this.#latest = latest;
  }

  /** Returns whether the place is still ours. */
  get isOurs() {
    return Atomics.load(this.words, OWNER) === this.owner;
  }

  /** Returns a slot that nobody reads and nobody may begin to read. */
  vacant() {
    const { words, layout } = this;
    const used = this.#used;
    const ring = this.#ring;
    used.fill(0);
    for (let i = 0; i < ring.length; i++) if (ring[i] > 0) used[ring[i] - 1] = 1;
    for (let seat = 0; seat < layout.readers; seat++) {
      for (let which = 0; which < 2; which++) {
        const claim = Atomics.load(words, layout.seat(seat) + which) >>> 0;
        if (claim > layout.slots) this.foreignClaims++;
        else if (claim > 0) used[claim - 1] = 1;
      }
    }
    // K kept and at most 2 S claimed of K + 2 S + 1: there always is one.
    let slot = 0;
    while (used[slot]) slot++;
    return slot;
  }

  /** Makes the tick in this slot, whose stamp and columns are filled, the newest one. @param {number} slot */
  commit(slot) {
    const { words, layout } = this;
    const q = (this.#latest + 1) | 0;
    Atomics.store(words, layout.slotAt(slot) + SEQUENCE, q);
    Atomics.store(words, layout.entry(q), (q << 8) | (slot + 1));
    Atomics.store(words, LATEST, q);
    this.#ring[q & (layout.ticks - 1)] = slot + 1;
    this.#latest = q;
    for (let seat = 0; seat < layout.readers; seat++) {
      if (Atomics.load(words, layout.seat(seat) + SEAT_WAITS) !== 0) {
        Atomics.notify(words, LATEST);
        return;
      }
    }
  }

  /** Ends properly. The last ticks stay readable. */
  end() {
    if (!this.isOurs) return;
    Atomics.store(this.words, STATE, 2);
    Atomics.store(this.words, OWNER, 0);
  }
}

/** A number of one's own, not 0, and small enough that browsers do not allocate it. */
export function ownNumber() {
  return 1 + Math.floor(Math.random() * (2 ** 30 - 2));
}
