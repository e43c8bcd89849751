// The Rust library in WebAssembly, behind plain functions of numbers (tests/web of the repository).

const MEMBERS = 512;

/** One build of it. */
export class Oracle {
  #exports;
  #at;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#exports = new WebAssembly.Instance(module).exports;
    this.#at = this.#exports.row();
  }

  // Anew for each call: the memory grows.
  get #row() {
    return new Float64Array(this.#exports.memory.buffer, this.#at, MEMBERS);
  }

  /** Writes `numbers` to the row, calls, and returns what it returns. */
  call(name, numbers, ...given) {
    this.#row.set(numbers.flat(Infinity).map(Number));
    return this.#exports[name](...given);
  }

  /** Reads the first numbers of the row. */
  read(count) {
    return [...this.#row.subarray(0, count)];
  }

  /** Calls, and reads `count` numbers. */
  ask(count, name, numbers, ...given) {
    this.call(name, numbers, ...given);
    return this.read(count);
  }
}
