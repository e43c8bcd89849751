// One line of a script, read exactly: JSON.parse forgets how a number was written, and takes texts that are none.

/** @typedef {null | boolean | number | string | Json[] | Map<string, Json>} Json */

const DEEPEST = 127;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

export class Parser {
  /** How the number of each key of the outermost object was written. @type {Map<string, string>} */
  sources = new Map();
  /** A key that the outermost object has twice. @type {string | undefined} */
  twice;
  #text;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @returns {Json} */
  parse() {
    const value = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) this.#wrong("trailing characters");
    return value;
  }

  /** @returns {never} */
  #wrong(/** @type {string} */ what) {
    throw new Error(`not JSON: ${what} at column ${this.#at + 1}`);
  }

  #skip() {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at++;
  }

  // Whether the next character is this one, which is taken then.
  #next(/** @type {string} */ character) {
    this.#skip();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #take(/** @type {RegExp} */ pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return found;
  }

  /** @returns {Json} */
  #value(/** @type {number} */ depth, /** @type {string | null} */ key = null) {
    this.#skip();
    const first = this.#text[this.#at];
    if (first === "{" || first === "[") {
      if (depth >= DEEPEST) this.#wrong("recursion limit exceeded");
      this.#at++;
      return first === "{" ? this.#object(depth + 1) : this.#array(depth + 1);
    }
    if (first === '"') return this.#string();
    for (const [word, value] of /** @type {const} */ ([["true", true], ["false", false], ["null", null]])) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    const number = this.#take(NUMBER) ?? this.#wrong("expected value");
    const value = Number(number);
    if (!Number.isFinite(value)) this.#wrong("number out of range");
    if (depth === 1 && key !== null) this.sources.set(key, number);
    return value;
  }

  #string() {
    const text = JSON.parse(this.#take(STRING) ?? this.#wrong("a string that is none"));
    if (!text.isWellFormed()) this.#wrong("lone surrogate in a string");
    return text;
  }

  #object(/** @type {number} */ depth) {
    /** @type {Map<string, Json>} */
    const map = new Map();
    if (this.#next("}")) return map;
    do {
      this.#skip();
      const key = this.#string();
      if (!this.#next(":")) this.#wrong("expected `:`");
      if (depth === 1 && map.has(key)) this.twice ??= key;
      map.set(key, this.#value(depth, key));
    } while (this.#next(","));
    if (!this.#next("}")) this.#wrong("expected `,` or `}`");
    return map;
  }

  #array(/** @type {number} */ depth) {
    /** @type {Json[]} */
    const all = [];
    if (this.#next("]")) return all;
    do all.push(this.#value(depth));
    while (this.#next(","));
    if (!this.#next("]")) this.#wrong("expected `,` or `]`");
    return all;
  }
}

/** The text of a value, every number so that it reads back exactly, the sign of zero included. @param {unknown} value
 * @returns {string} */
export function line(value) {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? String(value) : "null";
  if (Array.isArray(value)) return `[${value.map(line).join(",")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}:${line(part)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}
