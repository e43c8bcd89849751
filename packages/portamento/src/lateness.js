// How late do ticks arrive, by the measure that the margin follows?
import { ARRIVAL, LATE } from "./clock.js";
import { max, min } from "./math.js";

// Pieces that the margin's memory is divided into; the oldest is forgotten at a time.
const PIECES = 8;
// Arrivals that the median looks at.
const RECENT = 31;
// Lateness expected of a writer nobody has watched yet, seconds; half a tick if that is less.
const AT_FIRST = 0.008;

export class LatenessLog {
  // The worst of each piece of the memory, a ring; the current one began at `began`.
  #worst = new Float64Array(PIECES);
  #piece = 0;
  #began = new Float64Array(1);
  // The last arrivals, a ring.
  #recent = new Float64Array(RECENT);
  #next = 0;
  #filled = 0;
  #sorted = new Float64Array(RECENT);

  begin(/** @type {number} */ now, /** @type {number} */ tick) {
    this.#worst.fill(0);
    this.#worst[0] = min(AT_FIRST, 0.5 * tick);
    this.#piece = 0;
    this.#began[0] = now;
    this.#recent.fill(0);
    this.#next = 0;
    this.#filled = 0;
  }

  // Only arrivals turn the memory on: silence says nothing about lateness.
  add(/** @type {Float64Array} */ io, /** @type {number} */ memory) {
    const arrival = io[ARRIVAL];
    const late = io[LATE];
    const piece = memory / PIECES;
    let passed = arrival - this.#began[0];
    if (!(passed >= 0 && passed < 2 * memory)) {
      this.#began[0] = arrival;
      passed = 0;
    }
    while (passed >= piece) {
      passed -= piece;
      this.#began[0] += piece;
      this.#piece = (this.#piece + 1) % PIECES;
      this.#worst[this.#piece] = 0;
    }
    this.#worst[this.#piece] = max(this.#worst[this.#piece], late);
    this.#recent[this.#next] = late;
    this.#next = (this.#next + 1) % RECENT;
    this.#filled = Math.min(this.#filled + 1, RECENT);
  }

  // The line that lateness is measured from moved by `later` seconds.
  shift(/** @type {number} */ later) {
    for (let i = 0; i < PIECES; i++) this.#worst[i] = max(this.#worst[i] - later, 0);
    for (let i = 0; i < RECENT; i++) this.#recent[i] = max(this.#recent[i] - later, 0);
  }

  // Into `out[at]`.
  measure(/** @type {boolean} */ worst, /** @type {Float64Array} */ out, /** @type {number} */ at) {
    if (!worst) return this.#median(out, at);
    let found = 0;
    for (let i = 0; i < PIECES; i++) {
      const late = this.#worst[i];
      if (late > found) found = late;
    }
    out[at] = found;
  }

  #median(/** @type {Float64Array} */ out, /** @type {number} */ at) {
    const sorted = this.#sorted;
    const n = this.#filled;
    for (let i = 0; i < n; i++) {
      const late = this.#recent[i];
      let j = i;
      for (; j > 0 && sorted[j - 1] > late; j--) sorted[j] = sorted[j - 1];
      sorted[j] = late;
    }
    out[at] = n > 0 ? sorted[n >> 1] : 0;
  }
}
