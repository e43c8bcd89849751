// The library's own mathematics in JavaScript: only + - * / and the square root, in the same order as the Rust library,
// so that both give the same bits. (Math.sin, Math.exp and the like differ from browser to browser.)

/** The larger one; the other if one is NaN. @param {number} a @param {number} b @returns {number} */
export function max(a, b) {
  return b > a || a !== a ? b : a;
}

/** The smaller one; the other if one is NaN. @param {number} a @param {number} b @returns {number} */
export function min(a, b) {
  return b < a || a !== a ? b : a;
}

/** `x` kept within `low..=high`. @param {number} x @param {number} low @param {number} high @returns {number} */
export function clamp(x, low, high) {
  return x < low ? low : x > high ? high : x;
}

const LN_2 = 0.6931471805599453;
const LN_2_HIGH = 6.931471803691238e-1;
const LN_2_LOW = 1.9082149292705877e-10;

/** e to the x. @param {number} x @returns {number} */
export function exp(x) {
  if (x !== x) return x;
  if (x > 710) return Infinity;
  if (x < -745) return 0;
  const k = Math.floor(x / LN_2 + 0.5);
  const r = x - k * LN_2_HIGH - k * LN_2_LOW;
  let sum = 1;
  for (let n = 13; n > 0; n--) sum = 1 + (r * sum) / n;
  // In two halves, because 2^k alone leaves the range of normal numbers before e^x does.
  const half = Math.trunc(k / 2);
  return sum * powerOfTwo(half) * powerOfTwo(k - half);
}

const power = new Float64Array(1);
const powerWords = new Uint32Array(power.buffer);

/** 2 to the `k` for `k` within -1022..=1023: exact, which `**` need not be. @param {number} k */
function powerOfTwo(k) {
  powerWords[1] = (k + 1023) << 20;
  return power[0];
}

const P1 = 1.5707963267341256;
const P2 = 6.077100506303966e-11;
const P3 = 2.0222662487959507e-21;

/** The sine and the cosine that `sinCos` computed last. */
export const circle = { sin: 0, cos: 1 };

/** Computes sine and cosine of `x` into `circle`. @param {number} x */
export function sinCos(x) {
  if (!(Math.abs(x) < 1e15)) {
    circle.sin = 0;
    circle.cos = 1;
    return;
  }
  const quarter = Math.floor(x / (Math.PI / 2) + 0.5);
  const r = x - quarter * P1 - quarter * P2 - quarter * P3;
  const r2 = r * r;
  let s = 1;
  let c = 1;
  for (let n = 16; n > 1; n -= 2) {
    c = 1 - (r2 * c) / (n * (n - 1));
    s = 1 - (r2 * s) / (n * (n + 1));
  }
  s = r * s;
  const turn = ((quarter % 4) + 4) % 4;
  circle.sin = turn === 0 ? s : turn === 1 ? c : turn === 2 ? -s : -c;
  circle.cos = turn === 0 ? c : turn === 1 ? -s : turn === 2 ? -c : s;
}

/** The angle of the point (x, y), within -pi..=pi. @param {number} y @param {number} x @returns {number} */
export function atan2(y, x) {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  if (ax === 0 && ay === 0) return 0;
  const small = ax > ay ? ay : ax;
  const large = ax > ay ? ax : ay;
  let z = large === Infinity ? (small === Infinity ? 1 : 0) : small / large;
  z = z / (1 + Math.sqrt(1 + z * z));
  z = z / (1 + Math.sqrt(1 + z * z));
  const z2 = z * z;
  let sum = 0;
  for (let n = 23; n > 0; n -= 2) sum = 1 / n - z2 * sum;
  const octant = 4 * z * sum;
  const quadrant = ax > ay ? octant : Math.PI / 2 - octant;
  const half = x < 0 ? Math.PI - quadrant : quadrant;
  return y < 0 ? -half : half;
}

/** Length of (a, b, c, d), without overflow on the way.
 * @param {number} a @param {number} b @param {number} c @param {number} [d] @returns {number} */
export function length(a, b, c, d = 0) {
  const sum = a * a + b * b + c * c + d * d;
  if (sum >= 1e-280 && sum < 1e280) return Math.sqrt(sum);
  const largest = Math.max(Math.abs(a), Math.abs(b), Math.abs(c), Math.abs(d));
  if (!(largest > 0 && largest < Infinity)) return sum !== sum ? sum : largest;
  a /= largest;
  b /= largest;
  c /= largest;
  d /= largest;
  return largest * Math.sqrt(a * a + b * b + c * c + d * d);
}

/** Straight line from `a` to `b` in double precision: exact at both ends, never infinite between finite values.
 * @param {number} a @param {number} b @param {number} alpha @returns {number} */
export function lerp(a, b, alpha) {
  if (!(alpha > 0)) return a;
  if (alpha >= 1 - 2 ** -53) return b;
  const way = a - b;
  return way - way === 0 ? a - way * alpha : a * (1 - alpha) + b * alpha;
}

const bits = new Float64Array(1);
const bitWords = new Uint32Array(bits.buffer);

/** Natural logarithm. @param {number} x @returns {number} */
export function ln(x) {
  if (x === 0) return -Infinity;
  if (!(x > 0)) return NaN;
  if (x === Infinity) return x;
  // x = m 2^k with m within 1/sqrt(2)..sqrt(2). Subnormals are scaled into the normal range first.
  const tiny = x < 2 ** -1022;
  bits[0] = tiny ? x * 2 ** 64 : x;
  let k = (bitWords[1] >>> 20) - 1023 - (tiny ? 64 : 0);
  bitWords[1] = (bitWords[1] & 0xfffff) | 0x3ff00000;
  let m = bits[0];
  if (m > Math.SQRT2) {
    m /= 2;
    k += 1;
  }
  const s = (m - 1) / (m + 1);
  const s2 = s * s;
  let sum = 0;
  for (let n = 23; n > 0; n -= 2) sum = 1 / n + s2 * sum;
  return k * LN_2 + 2 * s * sum;
}

/** `1 - exp(-x)` for `x >= 0`, without losing digits when `x` is small. @param {number} x @returns {number} */
export function oneMinusExpNeg(x) {
  if (!(x < 0.05)) return 1 - exp(-x);
  let sum = 1;
  for (let n = 11; n > 1; n--) sum = 1 - (x * sum) / n;
  return x * sum;
}

const TURN = 2 * Math.PI;

/** `angle` brought within -pi..=pi. @param {number} angle @returns {number} */
export function wrapAngle(angle) {
  if (Math.abs(angle) <= Math.PI) return angle;
  const wrapped = angle - Math.floor(angle / TURN + 0.5) * TURN;
  return wrapped - wrapped === 0 ? clamp(wrapped, -Math.PI, Math.PI) : 0;
}
