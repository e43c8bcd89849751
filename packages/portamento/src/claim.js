// How does a client say what it drew, in a few bytes? Its server repeats it from them, bit for bit, to judge a shot.
import { POSE } from "./values.js";

/** @import { Value } from "./values.js" */

export const BLENDED = 0;
export const EXTRAPOLATED = 1;
export const HELD = 2;

const ALL = 2n ** 64n - 1n;
const number = new DataView(new ArrayBuffer(8));

/** @param {number} x */
function bits(x) {
  number.setFloat64(0, x);
  return number.getBigUint64(0);
}

/** Spreads the bits of a number over 64. @param {bigint} of */
function mixed(of) {
  const first = ((of ^ 0x9e3779b97f4a7c15n) * 0xbf58476d1ce4e5b9n) & ALL;
  return (((first ^ (first >> 29n)) * 0x94d049bb133111ebn) & ALL) ^ (first >> 32n);
}

/** @param {bigint} a @param {bigint} by */
function rotated(a, by) {
  return ((a << by) | (a >> (64n - by))) & ALL;
}

/** @param {bigint} a @param {bigint} b */
function joined(a, b) {
  return (rotated(a, 23n) + b) & ALL;
}

/** @param {Value} value */
function checksum(value) {
  const plain = value.length === POSE ? 3 : value.length;
  let sum = BigInt(plain);
  for (let n = 0; n < plain; n++) sum = joined(sum, mixed(bits(value[n])));
  if (plain === value.length) return sum;
  let turn = 4n;
  for (let n = 3; n < POSE; n++) {
    number.setFloat32(0, value[n]);
    turn = joined(turn, mixed(BigInt(number.getUint32(0))));
  }
  return joined(sum, turn);
}

/** 1 up to `2^least`, then `2^digits` steps an octave. @param {number} value @param {number} digits @param {number} least
 * @param {number} most */
function stepCode(value, digits, least, most) {
  const step = Number(bits(value) >> BigInt(52 - digits)) - ((1023 + least) << digits);
  return Math.min(Math.max(step + 1, 1), most);
}

/** The code of a send rate: its first seven binary digits. @param {number} interval */
export function rateCode(interval) {
  const rounded = Number((bits(1 / interval) + (1n << 45n)) >> 46n);
  return Math.min(Math.max(rounded - ((1023 - 12) << 6), 0), 2047);
}

/** How far apart two stamps are, one of 255 steps; 0 if there is no such pair. @param {number} older @param {number} newer */
function distance(older, newer) {
  return older === older && newer === newer ? stepCode(newer - older, 3, -14, 255) : 0;
}

/**
 * What a view was made of, by the stamps of the snapshots; NaN for one that is not there.
 *
 * @typedef {object} Made
 * @property {number} kind @property {number} before @property {number} from @property {number} to @property {number} after
 * @property {number} fraction @property {number} interval
 */

/** @param {Made} made @param {number} moment @param {number} offset NaN for none @param {Value} value @param {number} epoch */
export function claimOf({ kind, before, from, to, after, fraction, interval }, moment, offset, value, epoch) {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Number(BigInt.asUintN(16, BigInt(Math.floor(to * 256)))), true);
  if (kind === HELD) {
    // One that holds a snapshot has no neighbours: the moment is in their place.
    view.setUint32(3, Number(BigInt.asUintN(32, BigInt(Math.floor(moment * 65536)))), true);
  } else {
    bytes[2] = distance(from, to);
    bytes[3] = distance(before, from === from ? from : to);
    bytes[4] = distance(to, after);
    view.setUint16(5, fraction, true);
  }
  const check = ((rotated(checksum(value), 17n) ^ ((BigInt(epoch >>> 0) * 0x9e3779b97f4a7c15n) & ALL)) * 0xd6e8feb86659fd93n) & ALL;
  const off = offset === offset ? stepCode(offset, 2, -16, 127) : 0;
  let rest = BigInt(kind | (off << 2) | (rateCode(interval) << 9)) | ((check >> 44n) << 20n);
  for (let n = 7; n < 12; n++, rest >>= 8n) bytes[n] = Number(rest & 255n);
  return bytes;
}
