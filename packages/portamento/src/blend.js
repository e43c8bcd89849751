// What lies between two rotations? The same arithmetic as the Rust library's, in single precision: `Math.fround` after every
// operation gives the same bits.
import { atan2, circle, length, sinCos } from "./math.js";

const fround = Math.fround;

/** From this share of the way on, a blend in single precision is its far end. */
export const ARRIVED = 1 - 2 ** -24;

/**
 * Computes what every rotation of a frame shares, into four `weights`. A straight line between two quaternions, brought back to
 * unit length, moves faster in the middle; going `w0 + d (w1 + d (w2 + d w3))` of the way instead of `alpha`, with `d` the
 * cosine between the two, evens that out.
 *
 * @param {number} alpha
 * @param {Float32Array} weights
 */
export function nlerpWeights(alpha, weights) {
  const fromMiddle = alpha - 0.5;
  const base = alpha * fromMiddle * (alpha - 1);
  const square = fromMiddle * fromMiddle;
  weights[0] = alpha + base * (1.050481 * square + 0.8510712);
  weights[1] = base * (-2.781018 * square + -1.111016);
  weights[2] = base * (2.447797 * square + 0.344087);
  weights[3] = base * (-0.7190943 * square + -0.08476509);
}

/** @typedef {Float32Array | Float64Array | number[]} Numbers */

/**
 * Writes the rotation between `a` and `b` to `out`, four numbers each from the given places on: the fast approximation of
 * slerp, with the weights that `nlerpWeights` computed. For alpha 0 and 1 the caller copies the ends.
 *
 * @param {Numbers} a @param {number} i @param {Numbers} b @param {number} j @param {Float32Array} weights
 * @param {Numbers} out @param {number} k
 */
export function nlerp(a, i, b, j, weights, out, k) {
  const ax = fround(a[i]);
  const ay = fround(a[i + 1]);
  const az = fround(a[i + 2]);
  const aw = fround(a[i + 3]);
  let bx = fround(b[j]);
  let by = fround(b[j + 1]);
  let bz = fround(b[j + 2]);
  let bw = fround(b[j + 3]);
  let d = fround(fround(fround(ax * bx) + fround(ay * by)) + fround(fround(az * bz) + fround(aw * bw)));
  // By the sign bit: at exactly half a turn both ways are as short.
  if (d < 0 || (d === 0 && 1 / d < 0)) {
    bx = -bx;
    by = -by;
    bz = -bz;
    bw = -bw;
    d = -d;
  }
  const u = fround(
    weights[0] + fround(d * fround(weights[1] + fround(d * fround(weights[2] + fround(d * weights[3]))))),
  );
  const wx = fround(ax - bx);
  const wy = fround(ay - by);
  const wz = fround(az - bz);
  const ww = fround(aw - bw);
  const x = fround(ax - fround(wx * u));
  const y = fround(ay - fround(wy * u));
  const z = fround(az - fround(wz * u));
  const w = fround(aw - fround(ww * u));
  let s = 1;
  if (wx === 0 && wy === 0 && wz === 0 && ww === 0) {
    // The same rotation, perhaps as the opposite quaternion: it keeps its bits, whatever its length.
    if (!(u - u === 0)) return copy4(a, i, out, k);
  } else {
    const length2 = fround(fround(fround(x * x) + fround(y * y)) + fround(fround(z * z) + fround(w * w)));
    // Outside this range the input was no rotation: the newer value, as it is, does least harm.
    if (!(length2 > 0.25 && length2 < 4)) return copy4(b, j, out, k);
    s = fround(1 / fround(Math.sqrt(length2)));
  }
  out[k] = fround(x * s);
  out[k + 1] = fround(y * s);
  out[k + 2] = fround(z * s);
  out[k + 3] = fround(w * s);
}

/** @param {Numbers} from @param {number} i @param {Numbers} out @param {number} k */
function copy4(from, i, out, k) {
  for (let n = 0; n < 4; n++) out[k + n] = fround(from[i + n]);
}

/**
 * True slerp, for comparison with other implementations: constant angular speed. As `nlerp` without preparation.
 *
 * @param {Numbers} a @param {number} i @param {Numbers} b @param {number} j @param {number} alpha @param {Numbers} out
 * @param {number} k
 */
export function slerp(a, i, b, j, alpha, out, k) {
  const same = a[i] === b[j] && a[i + 1] === b[j + 1] && a[i + 2] === b[j + 2] && a[i + 3] === b[j + 3];
  if (!(alpha > 0) || same) return copy4(a, i, out, k);
  if (alpha >= 1) return copy4(b, j, out, k);
  const [ax, ay, az, aw] = [a[i], a[i + 1], a[i + 2], a[i + 3]];
  const d = fround(
    fround(fround(ax * b[j]) + fround(ay * b[j + 1])) + fround(fround(az * b[j + 2]) + fround(aw * b[j + 3])),
  );
  const sign = d < 0 || (d === 0 && 1 / d < 0) ? -1 : 1;
  const [bx, by, bz, bw] = [sign * b[j], sign * b[j + 1], sign * b[j + 2], sign * b[j + 3]];
  // Twice the arc sine of half the chord, through atan2: the arc cosine loses small angles.
  const chord = length(bx - ax, by - ay, bz - az, bw - aw);
  const sum = length(bx + ax, by + ay, bz + az, bw + aw);
  const angle = 2 * atan2(chord, sum);
  let u = 1 - alpha;
  let v = alpha;
  if (angle > 1e-9) {
    sinCos(angle * (1 - alpha));
    u = circle.sin;
    sinCos(angle * alpha);
    v = circle.sin;
  }
  const mixed = [ax * u + bx * v, ay * u + by * v, az * u + bz * v, aw * u + bw * v];
  const all = length(mixed[0], mixed[1], mixed[2], mixed[3]);
  if (!(all > 0 && all < Infinity)) return copy4(b, j, out, k);
  for (let n = 0; n < 4; n++) out[k + n] = fround(mixed[n] / all);
}

const turn = new Float32Array(8);

/**
 * Writes the rotation `beyond` ticks after `b`, going on as from `a` to `b`.
 *
 * @param {Numbers} a @param {number} i @param {Numbers} b @param {number} j @param {number} beyond @param {Numbers} out
 * @param {number} k
 */
export function extrapolateRotation(a, i, b, j, beyond, out, k) {
  if (a[i] === b[j] && a[i + 1] === b[j + 1] && a[i + 2] === b[j + 2] && a[i + 3] === b[j + 3]) {
    return copy4(b, j, out, k);
  }
  // b times the inverse of a: the turn of the last tick.
  turn[0] = -a[i];
  turn[1] = -a[i + 1];
  turn[2] = -a[i + 2];
  turn[3] = a[i + 3];
  multiply(b, j, turn, 0, turn, 4);
  const sign = turn[7] < 0 ? -1 : 1;
  let x = turn[4] * sign;
  let y = turn[5] * sign;
  let z = turn[6] * sign;
  const s = length(x, y, z);
  const angle = 2 * atan2(s, turn[7] * sign);
  const scale = s > 1e-12 ? angle / s : 2;
  x = x * scale * beyond;
  y = y * scale * beyond;
  z = z * scale * beyond;
  const further = length(x, y, z);
  turn[0] = turn[1] = turn[2] = 0;
  turn[3] = 1;
  if (further < Infinity) {
    sinCos(further / 2);
    const part = further > 1e-12 ? circle.sin / further : 0.5;
    turn[0] = x * part;
    turn[1] = y * part;
    turn[2] = z * part;
    turn[3] = circle.cos;
  }
  multiply(turn, 0, b, j, turn, 4);
  const all = length(turn[4], turn[5], turn[6], turn[7]);
  if (!(all > 0 && all < Infinity)) return copy4(b, j, out, k);
  for (let n = 0; n < 4; n++) out[k + n] = fround(turn[4 + n] / all);
}

/** First `b`, then `a`. `out` may be one of them. @param {Numbers} a @param {number} i @param {Numbers} b @param {number} j
 * @param {Numbers} out @param {number} k */
export function multiply(a, i, b, j, out, k) {
  const ax = a[i];
  const ay = a[i + 1];
  const az = a[i + 2];
  const aw = a[i + 3];
  const bx = b[j];
  const by = b[j + 1];
  const bz = b[j + 2];
  const bw = b[j + 3];
  out[k] = fround(fround(fround(fround(aw * bx) + fround(ax * bw)) + fround(ay * bz)) - fround(az * by));
  out[k + 1] = fround(fround(fround(fround(aw * by) - fround(ax * bz)) + fround(ay * bw)) + fround(az * bx));
  out[k + 2] = fround(fround(fround(fround(aw * bz) + fround(ax * by)) - fround(ay * bx)) + fround(az * bw));
  out[k + 3] = fround(fround(fround(fround(aw * bw) - fround(ax * bx)) - fround(ay * by)) - fround(az * bz));
}
