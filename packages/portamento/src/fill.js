// The loops that fill a renderer's arrays.
import { BLEND, NEITHER } from "./copies.js";

/** @import { Place } from "./copies.js" */

const fround = Math.fround;
const pose = new Float64Array(7);

/** One row, whatever is to be done there. @param {Place} place @param {number} row @param {Float32Array} out
 * @param {number} k @param {Float64Array} origin */
export function matrixOf(place, row, out, k, origin) {
  if (!place.lives(row)) {
    for (let n = 0; n < 16; n++) out[k + n] = 0;
    return;
  }
  place.position(row, pose, 0);
  place.rotation(row, pose, 3);
  pose[0] -= origin[0];
  pose[1] -= origin[1];
  pose[2] -= origin[2];
  compose(out, k);
}

/** Writes the matrix of `pose`, four columns of four. @param {Float32Array} out @param {number} k */
function compose(out, k) {
  const px = pose[0];
  const py = pose[1];
  const pz = pose[2];
  const x = pose[3];
  const y = pose[4];
  const z = pose[5];
  const w = pose[6];
  const x2 = fround(x + x);
  const y2 = fround(y + y);
  const z2 = fround(z + z);
  const xx = fround(x * x2);
  const yy = fround(y * y2);
  const zz = fround(z * z2);
  const xy = fround(x * y2);
  const xz = fround(x * z2);
  const yz = fround(y * z2);
  const wx = fround(w * x2);
  const wy = fround(w * y2);
  const wz = fround(w * z2);
  out[k] = 1 - fround(yy + zz);
  out[k + 1] = xy + wz;
  out[k + 2] = xz - wy;
  out[k + 3] = 0;
  out[k + 4] = xy - wz;
  out[k + 5] = 1 - fround(xx + zz);
  out[k + 6] = yz + wx;
  out[k + 7] = 0;
  out[k + 8] = xz + wy;
  out[k + 9] = yz - wx;
  out[k + 10] = 1 - fround(xx + yy);
  out[k + 11] = 0;
  out[k + 12] = px;
  out[k + 13] = py;
  out[k + 14] = pz;
  out[k + 15] = 1;
}

/**
 * Writes the matrices of all rows. Rows without an entity become zeros, which draw nothing.
 *
 * @param {Place} place @param {Float32Array} out @param {number} k @param {Float64Array} origin
 */
export function fillMatrices(place, out, k, origin) {
  const { layout, shown, other, sameTable, weights } = place;
  const rows = shown.rows;
  const atOrigin = origin[0] === 0 && origin[1] === 0 && origin[2] === 0;
  if (place.mode !== BLEND || layout.f64Positions || !atOrigin) {
    for (let row = 0; row < rows; row++, k += 16) matrixOf(place, row, out, k, origin);
    return;
  }
  // The blend of `place.position` and `place.rotation` written out: without it this takes 1.4 times as long
  // (docs/notes/web-worker.md).
  const a = shown.floats;
  const b = other.floats;
  const alive = shown.generations;
  const t = fround(place.alpha);
  const w0 = weights[0];
  const w1 = weights[1];
  const w2 = weights[2];
  const w3 = weights[3];
  let i = layout.poses;
  for (let row = 0; row < rows; row++, k += 16, i += 7) {
    if ((alive[row] & 1) === 0 || !(sameTable || place.modeOf(row) === BLEND)) {
      matrixOf(place, row, out, k, origin);
      continue;
    }
    const ax = a[i + 3];
    const ay = a[i + 4];
    const az = a[i + 5];
    const aw = a[i + 6];
    let bx = b[i + 3];
    let by = b[i + 4];
    let bz = b[i + 5];
    let bw = b[i + 6];
    let d = fround(fround(fround(ax * bx) + fround(ay * by)) + fround(fround(az * bz) + fround(aw * bw)));
    if (d < 0) {
      bx = -bx;
      by = -by;
      bz = -bz;
      bw = -bw;
      d = -d;
    }
    const u = fround(w0 + fround(d * fround(w1 + fround(d * fround(w2 + fround(d * w3))))));
    const wx = fround(ax - bx);
    const wy = fround(ay - by);
    const wz = fround(az - bz);
    const ww = fround(aw - bw);
    let x = fround(ax - fround(wx * u));
    let y = fround(ay - fround(wy * u));
    let z = fround(az - fround(wz * u));
    let w = fround(aw - fround(ww * u));
    const length2 = fround(fround(fround(x * x) + fround(y * y)) + fround(fround(z * z) + fround(w * w)));
    const still = wx === 0 && wy === 0 && wz === 0 && ww === 0;
    const px = fround(a[i] - fround(fround(a[i] - b[i]) * t));
    const py = fround(a[i + 1] - fround(fround(a[i + 1] - b[i + 1]) * t));
    const pz = fround(a[i + 2] - fround(fround(a[i + 2] - b[i + 2]) * t));
    const sum = px + py + pz;
    if (d === 0 || !(length2 > 0.25 && length2 < 4) || !(sum - sum === 0)) {
      // Half a turn, where the sign of zero decides; what is no rotation; what leaves the range of single precision.
      matrixOf(place, row, out, k, origin);
      continue;
    }
    if (!still) {
      const s = fround(1 / fround(Math.sqrt(length2)));
      x = fround(x * s);
      y = fround(y * s);
      z = fround(z * s);
      w = fround(w * s);
    }
    pose[0] = px;
    pose[1] = py;
    pose[2] = pz;
    pose[3] = x;
    pose[4] = y;
    pose[5] = z;
    pose[6] = w;
    compose(out, k);
  }
}

/**
 * Writes the matrices of rows that are not settled where they were written last, and lists them.
 *
 * @param {Place} place @param {Float32Array} out @param {Float64Array} origin
 * @param {Uint8Array} settled Of each row: 1 if it was last written at exactly a tick's pose, 2 if as empty.
 * @param {Uint32Array} poses Those poses.
 * @param {Uint32Array} moved Where the rows go that were written.
 * @returns {number} How many.
 */
export function fillMoved(place, out, origin, settled, poses, moved) {
  const { layout, shown, other, mode, sameTable } = place;
  const { rows, generations } = shown;
  const a = shown.words;
  const b = other.words;
  const size = layout.pose;
  let count = 0;
  for (let row = 0, i = layout.poses, k = 0; row < rows; row++, i += size, k += size) {
    // 1 if what is drawn is exactly the shown tick's pose, 2 if the row has no entity.
    let state = 2;
    if ((generations[row] & 1) === 1) {
      state = 1;
      if (mode !== NEITHER && (sameTable || place.modeOf(row) !== NEITHER)) {
        for (let n = 0; n < size; n++) if (a[i + n] !== b[i + n]) state = 0;
      }
    }
    let same = state !== 0 && state === settled[row];
    if (same && state === 1) for (let n = 0; n < size; n++) if (poses[k + n] !== a[i + n]) same = false;
    if (same) continue;
    matrixOf(place, row, out, 16 * row, origin);
    settled[row] = state;
    if (state === 1) for (let n = 0; n < size; n++) poses[k + n] = a[i + n];
    moved[count++] = row;
  }
  return count;
}
