// How do values move? Velocities, curves that leave and arrive at the right speed, and distances. Plain numbers have a
// velocity of as many numbers in double precision; a pose has six in single precision: units and radians per second.
import { atan2, circle, length, lerp, sinCos } from "./math.js";
import { POSE, blendRotation } from "./values.js";

/** @import { Value } from "./values.js" */

const fround = Math.fround;
const TURN = 2 * Math.PI;
/** Where between two snapshots a picture lies, and how far past the newest in seconds, comes in steps of this. */
export const STEP = 1 / 65535;

/** @param {number} numbers */
export function velocityNumbers(numbers) {
  return numbers === POSE ? 6 : numbers;
}

const TERMS = 8;

/** @param {number} term @param {number} a @param {number} b */
function series(term, a, b) {
  return Array.from({ length: TERMS }, (_, n) => {
    const now = term;
    term /= -(2 * n + a) * (2 * n + b);
    return now;
  });
}

const COSINE = series(1, 1, 2);
const HALF_SINC = series(0.5, 2, 3);
const TWICE_ARC = Array.from({ length: TERMS }, (_, n) => (n % 2 === 0 ? 2 : -2) / (2 * n + 1));

/** @param {number[]} c @param {number} x */
function polynomial(c, x) {
  const x2 = x * x;
  const low = c[0] + c[1] * x + (c[2] + c[3] * x) * x2;
  const high = c[4] + c[5] * x + (c[6] + c[7] * x) * x2;
  return low + high * (x2 * x2);
}

/** The short way from one rotation to another as axis times angle, into `turn`.
 * @param {Value} from @param {Value} to */
function shortTurn(from, to) {
  const ax = to[3];
  const ay = to[4];
  const az = to[5];
  const aw = to[6];
  const bx = from[3];
  const by = from[4];
  const bz = from[5];
  const bw = from[6];
  const x = ax * bw - aw * bx + (az * by - ay * bz);
  const y = ay * bw - aw * by + (ax * bz - az * bx);
  const z = az * bw - aw * bz + (ay * bx - ax * by);
  const w = ax * bx + ay * by + (az * bz + aw * bw);
  const s2 = x * x + y * y + z * z;
  const w2 = w * w;
  // The sign of w makes it the short way.
  let k = 0;
  if (14 * s2 <= w2) {
    if (w !== 0) k = polynomial(TWICE_ARC, s2 / w2) / w;
  } else {
    const s = Math.sqrt(s2);
    const angle = 2 * atan2(s, Math.abs(w));
    k = w < 0 ? -angle / s : angle / s;
  }
  turn[0] = x * k;
  turn[1] = y * k;
  turn[2] = z * k;
}

const turn = new Float64Array(3);

/** `first`, then the turn, into `out`; false if that is no rotation.
 * @param {Value} out @param {Value} first @param {number} x @param {number} y @param {number} z */
function turned(out, first, x, y, z) {
  const half2 = 0.25 * (x * x + y * y + z * z);
  let k = 0;
  let aw = 0;
  if (half2 <= 2.5) {
    k = polynomial(HALF_SINC, half2);
    aw = polynomial(COSINE, half2);
  } else {
    const angle = 2 * Math.sqrt(half2);
    sinCos(0.5 * angle);
    k = circle.sin / angle;
    aw = circle.cos;
  }
  const ax = x * k;
  const ay = y * k;
  const az = z * k;
  const bx = first[3];
  const by = first[4];
  const bz = first[5];
  const bw = first[6];
  const qx = aw * bx + ax * bw + (ay * bz - az * by);
  const qy = aw * by + ay * bw + (az * bx - ax * bz);
  const qz = aw * bz + az * bw + (ax * by - ay * bx);
  const qw = aw * bw - ax * bx - (ay * by + az * bz);
  const length2 = qx * qx + qy * qy + (qz * qz + qw * qw);
  const off = length2 - 1;
  let unit = 0;
  if (Math.abs(off) < 1e-4) unit = 1 - 0.5 * off;
  else if (length2 > 0 && length2 < Infinity) unit = 1 / Math.sqrt(length2);
  else return false;
  out[3] = fround(qx * unit);
  out[4] = fround(qy * unit);
  out[5] = fround(qz * unit);
  out[6] = fround(qw * unit);
  return true;
}

/** @param {Value} a @param {Value} b */
function sameRotation(a, b) {
  return a[3] === b[3] && a[4] === b[4] && a[5] === b[5] && a[6] === b[6];
}

/** The velocity that leads from one value to another in `span` seconds.
 * @param {Value} out @param {Value} from @param {Value} to @param {number} span */
export function velocityTo(out, from, to, span) {
  const pose = from.length === POSE;
  const plain = pose ? 3 : from.length;
  const rate = 1 / span;
  for (let n = 0; n < plain; n++) {
    const v = (to[n] - from[n]) * rate;
    const good = span > 0 && v - v === 0 ? v : 0;
    out[n] = pose ? fround(good) : good;
  }
  if (!pose) return;
  out[3] = out[4] = out[5] = 0;
  if (sameRotation(from, to)) return; // to the bit
  shortTurn(from, to);
  const x = fround(turn[0] * rate);
  const y = fround(turn[1] * rate);
  const z = fround(turn[2] * rate);
  if (!(span > 0 && x - x === 0 && y - y === 0 && z - z === 0)) return;
  out[3] = x;
  out[4] = y;
  out[5] = z;
}

/** `value` moved on by `velocity` for `seconds`. `out` may be `value`.
 * @param {Value} out @param {Value} value @param {Value} velocity @param {number} seconds */
export function advance(out, value, velocity, seconds) {
  const pose = value.length === POSE;
  const plain = pose ? 3 : value.length;
  for (let n = 0; n < plain; n++) {
    const way = velocity[n] * seconds;
    const moved = value[n] + way;
    // No way at all keeps the sign of a zero too.
    out[n] = moved - moved === 0 && way !== 0 ? moved : value[n];
  }
  if (!pose) return;
  const x = velocity[3];
  const y = velocity[4];
  const z = velocity[5];
  if ((x === 0 && y === 0 && z === 0) || !turned(out, value, x * seconds, y * seconds, z * seconds)) {
    for (let n = 3; n < POSE; n++) out[n] = value[n];
  }
}

/** What `squares` and `sizes` measured last: how far moved, and how far turned. (An array: its numbers need no memory.) */
export const size = new Float64Array(2);

/** The square of an offset's size, into `size`. @param {Value} by @param {number} numbers */
export function squares(by, numbers) {
  inner(by, by, numbers);
}

/** The inner products of two offsets, ways and turns apart, into `size`.
 * @param {Value} a @param {Value} b @param {number} numbers */
export function inner(a, b, numbers) {
  const plain = numbers === POSE ? 3 : numbers;
  let sum = 0;
  for (let n = 0; n < plain; n++) sum += a[n] * b[n];
  size[0] = sum;
  size[1] = numbers === POSE ? a[3] * b[3] + a[4] * b[4] + a[5] * b[5] : 0;
}

/** An offset's size, into `size`. @param {Value} by @param {number} numbers */
export function sizes(by, numbers) {
  squares(by, numbers);
  size[0] = Math.sqrt(size[0]);
  size[1] = Math.sqrt(size[1]);
}

/** @param {Value} by @param {number} numbers @param {number} length @param {number} angle */
export function scale(by, numbers, length, angle) {
  if (numbers !== POSE) {
    for (let n = 0; n < numbers; n++) by[n] *= length;
    return;
  }
  for (let n = 0; n < 6; n++) by[n] = fround(by[n] * (n < 3 ? length : angle));
}

/** The cubic between two values with velocities at its ends. */
export class Curve {
  /** @param {number} numbers */
  constructor(numbers) {
    this.from = new Float64Array(numbers);
    this.to = new Float64Array(numbers);
    this.leaving = new Float64Array(velocityNumbers(numbers));
    this.arriving = new Float64Array(velocityNumbers(numbers));
    this.turn = new Float64Array(3);
  }

  /** @param {Value} from @param {Value} leaving @param {Value} to @param {Value} arriving @param {number} span */
  set(from, leaving, to, arriving, span) {
    this.from.set(from);
    this.to.set(to);
    const pose = from.length === POSE;
    for (let n = 0; n < leaving.length; n++) {
      const out = leaving[n] * span;
      const back = arriving[n] * span;
      this.leaving[n] = pose && n >= 3 ? fround(out) : out;
      this.arriving[n] = pose && n >= 3 ? fround(back) : back;
    }
    if (pose) this.#setTurn();
  }

  // How far it turns between the ends: the way that the velocities expect, whole turns included.
  #setTurn() {
    const { from, to, leaving: a, arriving: b, turn: whole } = this;
    whole.fill(0);
    const still = a[3] === 0 && a[4] === 0 && a[5] === 0 && b[3] === 0 && b[4] === 0 && b[5] === 0;
    if (still && sameRotation(from, to)) return;
    shortTurn(from, to);
    whole.set(turn);
    const x = (a[3] + b[3]) * 0.5;
    const y = (a[4] + b[4]) * 0.5;
    const z = (a[5] + b[5]) * 0.5;
    const expected = length(x, y, z);
    // Half a turn is the most that the short way can be; below it no velocity is needed to decide.
    if (!(expected < Infinity) || expected < Math.PI / 2) return;
    const angle = length(whole[0], whole[1], whole[2]);
    if (angle > 1e-6) {
      for (let n = 0; n < 3; n++) whole[n] /= angle;
      const along = whole[0] * x + whole[1] * y + whole[2] * z;
      const turns = Math.floor((along - angle) / TURN + 0.5);
      for (let n = 0; n < 3; n++) whole[n] *= angle + turns * TURN;
    } else {
      // Whole turns exactly: only the velocity knows the axis.
      const turns = Math.floor(expected / TURN + 0.5);
      whole[0] += (x / expected) * turns * TURN;
      whole[1] += (y / expected) * turns * TURN;
      whole[2] += (z / expected) * turns * TURN;
    }
  }

  /** The value at so many 65535ths of the way. (A whole number is handed over without memory.) @param {Value} out
   * @param {number} fraction */
  on(out, fraction) {
    const alpha = fraction * STEP;
    const { from, to, leaving, arriving, turn: whole } = this;
    if (!(alpha > 0)) return out.set(from);
    if (alpha >= 1) return out.set(to);
    const t2 = alpha * alpha;
    const t3 = t2 * alpha;
    const w1 = 3 * t2 - 2 * t3;
    const w2 = t3 - 2 * t2 + alpha;
    const w3 = t3 - t2;
    const pose = from.length === POSE;
    const plain = pose ? 3 : from.length;
    for (let n = 0; n < plain; n++) {
      // Taken off, not added: so a zero that stays keeps its sign.
      const back = (from[n] - to[n]) * w1 - (leaving[n] * w2 + arriving[n] * w3);
      const moved = from[n] - back;
      // A velocity that is off the scale must not carry the value there.
      out[n] = moved - moved === 0 ? moved : lerp(from[n], to[n], alpha);
    }
    if (!pose) return;
    const x = whole[0] * w1 + (leaving[3] * w2 + arriving[3] * w3);
    const y = whole[1] * w1 + (leaving[4] * w2 + arriving[4] * w3);
    const z = whole[2] * w1 + (leaving[5] * w2 + arriving[5] * w3);
    if (x === 0 && y === 0 && z === 0) for (let n = 3; n < POSE; n++) out[n] = from[n];
    else if (!turned(out, from, x, y, z)) blendRotation(out, from, to, alpha);
  }
}
