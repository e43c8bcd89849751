// The reader's loop in WebAssembly, where that is allowed: it has single precision, which JavaScript must round for after
// every operation.
import { KERNEL } from "./kernel.js";

/** @import { Layout } from "./block.js" */
/** @import { Place, TickCopy } from "./copies.js" */

/** @type {WebAssembly.Module | null | undefined} */
let compiled;

function compile() {
  if (compiled === undefined) {
    try {
      compiled = new WebAssembly.Module(Uint8Array.from(atob(KERNEL), (letter) => letter.charCodeAt(0)));
    } catch {
      // No WebAssembly or no SIMD here, or the page's content security policy forbids it.
      compiled = null;
    }
  }
  return compiled;
}

/** What a tick looks like to the loop: four words. Two of them follow each other, then alpha. */
const TICK = 4;
const ALPHA = 32;

export class Kernel {
  #layout;
  #exports;
  #words;
  #alpha;
  #ticks;
  #out;
  #all;
  /** @type {Float32Array} */
  #used;

  /** Returns a loop with memory for so many copies of ticks; null where there can be none.
   * @param {Layout} layout @param {number} copies */
  static make(layout, copies) {
    const module = layout.f64Positions ? null : compile();
    return module ? new Kernel(module, layout, copies) : null;
  }

  /** @param {WebAssembly.Module} module @param {Layout} layout @param {number} copies */
  constructor(module, layout, copies) {
    this.#layout = layout;
    /** @type {any} */
    const exports = new WebAssembly.Instance(module).exports;
    this.#exports = exports;
    /** @type {WebAssembly.Memory} */
    const memory = exports.memory;
    const bytes = 4 * layout.slot * copies + 64 * layout.entities + ALPHA + 8;
    // Never again: that would detach every view.
    const start = 65536 * memory.grow(Math.ceil(bytes / 65536));
    this.buffer = memory.buffer;
    /** Where the copies of ticks begin, in bytes. */
    this.start = start;
    this.#out = start + 4 * layout.slot * copies;
    this.#all = new Float32Array(memory.buffer, this.#out, 16 * layout.entities);
    this.#used = this.#all;
    this.#ticks = this.#out + 64 * layout.entities;
    this.#words = new Int32Array(memory.buffer, this.#ticks, 2 * TICK);
    this.#alpha = new Float64Array(memory.buffer, this.#ticks + ALPHA, 1);
  }

  #describe(/** @type {number} */ at, /** @type {TickCopy} */ copy) {
    const layout = this.#layout;
    const words = this.#words;
    words[at] = copy.at + 4 * layout.poses;
    words[at + 1] = copy.at + 4 * layout.generations;
    words[at + 2] = copy.at + 4 * layout.epochs;
    words[at + 3] = copy.rows;
  }

  /** Writes the matrices of a frame between two ticks. @param {Place} place @param {Float32Array} out @param {number} k */
  matrices(place, out, k) {
    const { rows } = place.shown;
    this.#describe(0, place.shown);
    this.#describe(TICK, place.other);
    const ticks = this.#ticks;
    this.#alpha[0] = place.numbers[0];
    this.#exports.matrices(ticks, ticks + 4 * TICK, place.sameTable ? 1 : 0, ticks + ALPHA, this.#out);
    if (this.#used.length !== 16 * rows) this.#used = this.#all.subarray(0, 16 * rows);
    out.set(this.#used, k);
  }
}
