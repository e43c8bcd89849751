// What a reader keeps: copies of ticks, and where between two of them a frame lies.
import { extrapolateRotation, nlerp, nlerpWeights } from "./blend.js";

/** @import { Layout } from "./block.js" */
/** @import { Numbers } from "./blend.js" */

const fround = Math.fround;
/** The largest alpha below 1 in single precision, which poses are blended in: the newer tick is not reached yet. */
const ALMOST = 1 - 2 ** -23;

// Numbers of a copy: whose tick it is, and whose table it holds.
export const RUN = 0;
export const TICK = 1;
export const SIMULATED = 2;
export const TABLE = 3;
export const TABLE_RUN = 4;
export const TABLE_VERSION = 5;

/** A tick that is ours. */
export class TickCopy {
  numbers = new Float64Array([0, 0, 0, 0, -1, -1]);
  rows = 0;
  // Whether it holds a tick.
  valid = false;

  /** @param {Layout} layout @param {ArrayBuffer} image @param {number} at Where in it, in bytes. */
  constructor(layout, image, at) {
    this.at = at;
    this.words = new Uint32Array(image, at, layout.slot);
    this.floats = new Float32Array(image, at, layout.slot);
    this.doubles = new Float64Array(image, at, layout.slot / 2);
    const column = (/** @type {number} */ word) => new Uint32Array(image, at + 4 * word, layout.entities);
    this.idsLow = column(layout.idsLow);
    this.idsHigh = column(layout.idsHigh);
    this.generations = column(layout.generations);
    this.epochs = column(layout.epochs);
    this.flags = column(layout.flags);
  }
}

/** The older tick is drawn as it is, or the newer one. */
export const NEITHER = 0;
/** On the way from the shown tick to the other. */
export const BLEND = 1;
/** Beyond the shown tick, coming from the other. */
export const EXTRAPOLATE = 2;

/** Two ticks, or twice the same, and the moment between them that is drawn. */
export class Place {
  mode = NEITHER;
  // Alpha, and how many ticks it lies beyond.
  numbers = new Float64Array(2);
  arrived = false;
  valid = false;
  // Every entity of one is the same in the other, without a cut between.
  sameTable = false;
  weights = new Float32Array(4);

  /** @param {Layout} layout @param {TickCopy} any */
  constructor(layout, any) {
    this.layout = layout;
    this.from = any;
    this.to = any;
    /** The tick whose entities are there, and the other one. */
    this.shown = any;
    this.other = any;
  }

  get alpha() {
    return this.numbers[0];
  }

  get ticks() {
    return this.numbers[1];
  }

  /** The moment, and how far it lies beyond the newest tick. @param {TickCopy} from @param {TickCopy} to
   * @param {Float64Array} moment */
  set(from, to, moment) {
    const at = moment[0];
    const beyond = moment[1];
    this.valid = true;
    this.from = from;
    this.to = to;
    const start = from.numbers[SIMULATED];
    const end = to.numbers[SIMULATED];
    this.arrived = from === to || at >= end;
    // Halves, so that no difference of two finite times is infinite.
    const alpha = (at / 2 - start / 2) / (end / 2 - start / 2);
    this.numbers[0] = this.arrived ? 1 : alpha > 0 ? Math.min(alpha, ALMOST) : 0;
    const ticks = beyond / (end - start);
    this.numbers[1] = this.arrived && ticks > 0 && ticks < Infinity ? ticks : 0;
    this.shown = this.arrived ? to : from;
    this.other = this.arrived ? from : to;
    this.sameTable =
      from.numbers[RUN] === to.numbers[RUN] && from.numbers[TABLE] === to.numbers[TABLE];
    if (!this.arrived && fround(this.alpha) > 0) {
      this.mode = BLEND;
      nlerpWeights(this.numbers[0], this.weights);
    } else {
      this.mode = this.ticks > 0 ? EXTRAPOLATE : NEITHER;
    }
  }

  /** Whether an entity lives in this row. @param {number} row */
  lives(row) {
    return row < this.shown.rows && (this.shown.generations[row] & 1) === 1;
  }

  // Another generation is another entity, another epoch lies across a cut.
  #isSame(/** @type {number} */ row) {
    if (this.sameTable) return true;
    const { shown, other } = this;
    return (
      row < shown.rows &&
      row < other.rows &&
      shown.generations[row] === other.generations[row] &&
      shown.epochs[row] === other.epochs[row]
    );
  }

  /** What to do in this row. @param {number} row */
  modeOf(row) {
    return this.mode !== NEITHER && this.#isSame(row) ? this.mode : NEITHER;
  }

  /** Writes a position. @param {number} row @param {Numbers} out @param {number} k */
  position(row, out, k) {
    const layout = this.layout;
    const mode = this.modeOf(row);
    const at = layout.poses + layout.pose * row;
    for (let n = 0; n < 3; n++) {
      if (layout.f64Positions) {
        const a = this.shown.doubles[at / 2 + n];
        const b = this.other.doubles[at / 2 + n];
        out[k + n] = mode === BLEND ? mix64(a, b, this.alpha) : mode === EXTRAPOLATE ? further64(b, a, this.ticks) : a;
      } else {
        const a = this.shown.floats[at + n];
        const b = this.other.floats[at + n];
        out[k + n] = mode === BLEND ? mix32(a, b, this.alpha) : mode === EXTRAPOLATE ? further32(b, a, this.ticks) : a;
      }
    }
  }

  /** Writes a rotation. @param {number} row @param {Numbers} out @param {number} k */
  rotation(row, out, k) {
    const layout = this.layout;
    const mode = this.modeOf(row);
    const at = layout.poses + layout.pose * row + layout.pose - 4;
    const a = this.shown.floats;
    const b = this.other.floats;
    if (mode === BLEND) {
      nlerp(a, at, b, at, this.weights, out, k);
    } else if (mode === EXTRAPOLATE) {
      extrapolateRotation(b, at, a, at, this.ticks, out, k);
    } else {
      out[k] = a[at];
      out[k + 1] = a[at + 1];
      out[k + 2] = a[at + 2];
      out[k + 3] = a[at + 3];
    }
  }

  /** Returns a number of a column. @param {number} row @param {number} column @returns {number} */
  f32(row, column) {
    const layout = this.layout;
    const at = layout.f32s + column * layout.column + row;
    const a = this.shown.floats[at];
    return this.modeOf(row) === BLEND ? mix32(a, this.other.floats[at], this.alpha) : a;
  }

  /** Writes a column. @param {number} column @param {Float32Array} out */
  f32s(column, out) {
    const { layout, shown, other, alpha } = this;
    const at = layout.f32s + column * layout.column;
    for (let row = 0; row < shown.rows; row++) {
      const a = shown.floats[at + row];
      out[row] = this.modeOf(row) === BLEND ? mix32(a, other.floats[at + row], alpha) : a;
    }
  }
}

/** From `a` to `b` in single precision; alpha lies between the ends. @param {number} a @param {number} b
 * @param {number} alpha */
export function mix32(a, b, alpha) {
  const t = fround(alpha);
  const way = fround(a - b);
  const mixed = fround(a - fround(way * t));
  if (mixed - mixed === 0) return mixed;
  return way - way === 0 ? mixed : fround(fround(a * fround(1 - t)) + fround(b * t));
}

/** @param {number} a @param {number} b @param {number} t */
function mix64(a, b, t) {
  const way = a - b;
  return way - way === 0 ? a - way * t : a * (1 - t) + b * t;
}

/** @param {number} a @param {number} b @param {number} beyond */
function further32(a, b, beyond) {
  const out = fround(b - fround(fround(a - b) * fround(beyond)));
  return out - out === 0 ? out : b;
}

/** @param {number} a @param {number} b @param {number} beyond */
function further64(a, b, beyond) {
  const out = b - (a - b) * beyond;
  return out - out === 0 ? out : b;
}
