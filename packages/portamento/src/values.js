// What is a value, and what lies between two of them? A value is a row of numbers in double precision. Seven are a pose:
// a position and a rotation x y z w, whose four numbers are rounded to single precision. Every other count is plain numbers
// (a position, a height), each drawn on a straight line.
import { ARRIVED, extrapolateRotation, nlerp, nlerpWeights } from "./blend.js";
import { shown } from "./errors.js";
import { length, lerp } from "./math.js";

const weights = new Float32Array(4);

const fround = Math.fround;

/** How many numbers a pose has. */
export const POSE = 7;

/** @typedef {Float64Array<ArrayBuffer>} Value */
/** @typedef {ArrayLike<number>} Numbers */

/** A pose at the origin, not turned. @returns {Value} */
export function origin() {
  const pose = new Float64Array(POSE);
  pose[6] = 1;
  return pose;
}

/** @param {Numbers} value @param {number} count @param {string} what @returns {never} */
function unusable(value, count, what) {
  if (value === null || typeof value !== "object" || typeof value.length !== "number") {
    throw new TypeError(`${what} is ${value}: give an array of ${count} numbers`);
  }
  if (value.length !== count) throw new RangeError(`${what} has ${value.length} numbers: give ${count}`);
  const all = Array.from(value, (c) => (typeof c === "number" ? shown(c) : String(c))).join(", ");
  for (let n = 0; n < count; n++) {
    if (Number.isNaN(Number(value[n]))) throw new RangeError(`${what} is [${all}]: give ${count} numbers`);
  }
  throw new RangeError(`${what} is [${all}]: its last four numbers are not a unit quaternion, normalise them first`);
}

/**
 * Copies what the user gave. A quaternion within 1e-3 of unit length is normalised; one at unit length keeps its bits.
 *
 * @param {Value} out @param {Numbers} value @param {string} what
 */
export function take(out, value, what) {
  const count = out.length;
  if (value === null || typeof value !== "object" || value.length !== count) unusable(value, count, what);
  const plain = count === POSE ? 3 : count;
  for (let n = 0; n < plain; n++) {
    const number = Number(value[n]);
    if (number !== number) unusable(value, count, what);
    out[n] = number;
  }
  if (plain === count) return;
  const x = fround(value[3]);
  const y = fround(value[4]);
  const z = fround(value[5]);
  const w = fround(value[6]);
  const length2 = fround(fround(fround(x * x) + fround(y * y)) + fround(fround(z * z) + fround(w * w)));
  const off = Math.abs(length2 - 1);
  if (!(off <= 2.001e-3)) unusable(value, count, what);
  out[3] = x;
  out[4] = y;
  out[5] = z;
  out[6] = w;
  if (off > 1e-6) normalise(out, 3);
}

/** Brings four numbers to unit length; false, and nothing changes, if they are no rotation.
 * @param {Value} q @param {number} i */
export function normalise(q, i) {
  const all = length(q[i], q[i + 1], q[i + 2], q[i + 3]);
  if (!(all > 0 && all < Infinity)) return false;
  for (let n = i; n < i + 4; n++) q[n] = fround(q[n] / all);
  return true;
}

/** @param {Value} out @param {Value} a @param {Value} b @param {number} alpha */
export function blend(out, a, b, alpha) {
  const plain = out.length === POSE ? 3 : out.length;
  for (let n = 0; n < plain; n++) out[n] = lerp(a[n], b[n], alpha);
  if (plain < out.length) blendRotation(out, a, b, alpha);
}

/** @param {Value} out @param {Value} a @param {Value} b @param {number} alpha */
export function blendRotation(out, a, b, alpha) {
  const t = fround(alpha);
  if (t > 0 && t < ARRIVED) {
    nlerpWeights(alpha, weights);
    nlerp(a, 3, b, 3, weights, out, 3);
  } else {
    const end = t > 0 ? b : a;
    for (let n = 3; n < POSE; n++) out[n] = end[n];
  }
}

/** The value `beyond` ticks after `b`, going on as from `a` to `b`.
 * @param {Value} out @param {Value} a @param {Value} b @param {number} beyond */
export function extrapolate(out, a, b, beyond) {
  const plain = out.length === POSE ? 3 : out.length;
  for (let n = 0; n < plain; n++) {
    const further = b[n] - (a[n] - b[n]) * beyond;
    out[n] = further - further === 0 ? further : b[n];
  }
  if (plain < out.length) extrapolateRotation(a, 3, b, 3, beyond, out, 3);
}

/** Whether two values are equal. @param {Value} a @param {Value} b */
export function same(a, b) {
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false;
  return true;
}

/** Whether they are equal to the bit, so that nothing is to be seen between them. @param {Value} a @param {Value} b */
export function rests(a, b) {
  for (let n = 0; n < a.length; n++) if (!Object.is(a[n], b[n])) return false;
  return true;
}

/** Adds `by` to a position. @param {Value} value @param {Numbers} by */
export function shift(value, by) {
  const plain = value.length === POSE ? 3 : value.length;
  for (let n = 0; n < plain; n++) value[n] += by[n];
}
