import { Parser, line } from "./json.js";

/** @import { Json } from "./json.js" */

/** One line of a script, taken apart key by key, so that nothing in it goes unread. */
export class Fields {
  #map;
  #sources;

  /** @param {string} text */
  constructor(text) {
    if (text.startsWith("\ufeff")) throw new Error("not JSON: it begins with a byte order mark, which must be removed");
    const parser = new Parser(text);
    const value = parser.parse();
    if (!(value instanceof Map)) throw new Error(`not a JSON object: ${text.trim()}`);
    if (parser.twice !== undefined) throw new Error(`key ${short(parser.twice)} is given twice`);
    this.#map = value;
    this.#sources = parser.sources;
  }

  /** Returns the first of `kinds` that is a key. @template {string} K @param {readonly K[]} kinds @returns {K} */
  kind(kinds) {
    const found = kinds.find((kind) => this.#map.has(kind));
    if (found !== undefined) return found;
    const keys = [...this.#map.keys()].slice(0, 8).map(short).join(", ");
    throw new Error(`unknown event with keys [${keys}]: give one of ${kinds.join(", ")}`);
  }

  /** @param {string} key @returns {Json | undefined} */
  take(key) {
    const value = this.#map.get(key);
    this.#map.delete(key);
    return value;
  }

  /** @param {string} key */
  number(key) {
    const value = this.take(key);
    return value === undefined ? undefined : finite(key, value);
  }

  /** @param {string} key */
  positive(key) {
    const value = this.number(key);
    if (value !== undefined && value <= 0) throw new Error(`${key} is ${value}: it must be above 0`);
    return value;
  }

  /** @param {string} key */
  notNegative(key) {
    const value = this.number(key);
    if (value !== undefined && value < 0) throw new Error(`${key} is ${value}: it must be 0 or more`);
    return value;
  }

  /** A time as a real loop can produce it. @param {string} key */
  time(key) {
    const value = this.take(key);
    if (value === undefined || typeof value !== "string") return value === undefined ? value : finite(key, value);
    if (value === "NaN") return NaN;
    if (value === "inf") return Infinity;
    if (value === "-inf") return -Infinity;
    throw new Error(`${key} is ${JSON.stringify(value)}: a time is a number, "NaN", "inf" or "-inf"`);
  }

  /** @param {string} key */
  flag(key) {
    const value = this.take(key);
    if (value === undefined || typeof value === "boolean") return value;
    throw new Error(`${key} is ${said(value)}: it must be true or false`);
  }

  /** @param {string} key */
  text(key) {
    const value = this.take(key);
    if (value === undefined || typeof value === "string") return value;
    throw new Error(`${key} is ${said(value)}: it must be a string`);
  }

  /** @param {string} key */
  vector(key) {
    const value = this.take(key);
    if (value === undefined) return undefined;
    const all = numbers(key, value);
    if (all.length !== 3) throw new Error(`${key} has ${all.length} numbers: it must have 3`);
    return all;
  }

  /** A pose of three or seven numbers, its quaternion at unit length. @param {string} key */
  pose(key) {
    const value = this.take(key);
    if (value === undefined) return undefined;
    const all = numbers(key, value);
    if (all.length === 3) return all;
    if (all.length !== 7) throw new Error(`${key} has ${all.length} numbers: a pose has 3 or 7`);
    const [, , , x, y, z, w] = all;
    const length = Math.sqrt(x * x + y * y + z * z + w * w);
    if (!(Math.abs(length - 1) <= 1e-3)) {
      throw new Error(`${key} has a quaternion of length ${length}: it must be 1 within 1e-3`);
    }
    for (let n = 3; n < 7; n++) all[n] /= length;
    return all;
  }

  /** A whole number of any size. @param {string} key */
  whole(key) {
    const source = this.#sources.get(key) ?? "";
    const value = this.take(key);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isInteger(value)) {
      throw new Error(`${key} is ${said(value)}: it must be a whole number`);
    }
    const exact = /^-?[0-9]+$/.test(source) ? BigInt(source) : undefined;
    const fits = exact !== undefined && exact >= -(2n ** 63n) && exact < 2n ** 64n;
    const clamped = BigInt(value);
    const [least, most] = [-(2n ** 127n), 2n ** 127n - 1n];
    return fits ? exact : clamped < least ? least : clamped > most ? most : clamped;
  }

  /** Complains of keys that are not read. @param {string} [where] */
  finish(where = "") {
    for (const key of this.#map.keys()) throw new Error(`unknown key ${short(key)}${where}`);
  }
}

/** A quoted key, cut where no one would read on. @param {string} key */
function short(key) {
  return key.length > 40 ? `${JSON.stringify(key.slice(0, 40))}...` : JSON.stringify(key);
}

/** @param {Json} value */
export function said(value) {
  return value instanceof Map ? line(Object.fromEntries(value)) : line(value);
}

/** @param {string} key @param {Json} value */
function finite(key, value) {
  if (typeof value === "number") return value;
  throw new Error(`${key} is ${said(value)}: it must be a finite number`);
}

/** @param {string} key @param {Json} value */
export function numbers(key, value) {
  if (!Array.isArray(value)) throw new Error(`${key} is ${said(value)}: it must be an array of numbers`);
  return value.map((part) => finite(key, part));
}
