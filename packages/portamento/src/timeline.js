import { lerp } from "./math.js";
import { ARRIVED, extrapolateRotation, nlerp, nlerpWeights, slerp } from "./blend.js";

/** @import { Shown } from "./playhead.js" */

/**
 * @typedef {object} TimelineSettings
 * @property {3 | 7} [numbers] What a value is: a position (3), or a position and a rotation x y z w (7). Default 7.
 * @property {number} [keep] How many values are kept. Default 16.
 * @property {boolean} [slerp] Use true slerp for rotations instead of its fast approximation. Default false.
 */

/**
 * The last poses of one entity, each with its simulation time, drawn where a {@link Playhead} says.
 *
 * ```js
 * const ball = new Timeline();
 * ball.push(simulationTime, [x, y, z, qx, qy, qz, qw]);   // with every tick
 * const shown = playhead.advance(now);                    // every frame
 * if (shown) ball.view(shown, pose);
 * ```
 *
 * A cut is drawn from its own time on, the value before it until then; nothing between is ever drawn. Positions are kept
 * in double precision, rotations in single precision.
 */
export class Timeline {
  /** How many times `view` showed the oldest value in place of one that was no longer kept: `keep` is too small. */
  forgotten = 0;
  #keep;
  #numbers;
  #slerp;
  #sims;
  #cuts;
  #positions;
  #rotations;
  #isCutOff = false;
  #first = 0;
  #length = 0;
  #weights = new Float32Array(4);

  /** @param {TimelineSettings} [settings] */
  constructor({ numbers = 7, keep = 16, slerp = false } = {}) {
    if (numbers !== 3 && numbers !== 7) throw new RangeError(`numbers is ${numbers}: give 3 or 7`);
    if (!(Number.isInteger(keep) && keep >= 2)) {
      throw new RangeError(`keep is ${keep}: a timeline draws between two values, give 2 or more`);
    }
    this.#keep = keep;
    this.#numbers = numbers;
    this.#slerp = slerp;
    this.#sims = new Float64Array(keep);
    this.#cuts = new Uint8Array(keep);
    this.#positions = new Float64Array(3 * keep);
    this.#rotations = new Float32Array(4 * keep);
  }

  #at(/** @type {number} */ i) {
    return (this.#first + i) % this.#keep;
  }

  /**
   * Adds a tick's value. A time before the newest counts as the newest, whose value it then replaces.
   *
   * @param {number} sim Simulation time, seconds.
   * @param {ArrayLike<number>} value
   * @returns {boolean} False if the time is NaN or infinite: nothing was added.
   */
  push(sim, value) {
    return this.#add(sim, value, 0);
  }

  /**
   * Adds a tick's value that is a teleport.
   *
   * @param {number} sim
   * @param {ArrayLike<number>} value
   * @returns {boolean}
   */
  cut(sim, value) {
    return this.#add(sim, value, 1);
  }

  #add(/** @type {number} */ sim, /** @type {ArrayLike<number>} */ value, /** @type {number} */ cut) {
    if (!Number.isFinite(sim)) return false;
    if (this.#length > 0) {
      const newest = this.#at(this.#length - 1);
      if (sim <= this.#sims[newest]) {
        if (this.#cuts[newest] || !cut) {
          this.#store(newest, value);
          return true;
        }
        // What is being drawn now may already be on its way to the newest value: that stays, up to the cut.
        sim = this.#sims[newest];
      }
    }
    if (this.#length === this.#keep) {
      this.#first = this.#at(1);
      this.#length--;
      this.#isCutOff = true;
    }
    const at = this.#at(this.#length++);
    this.#sims[at] = sim;
    this.#cuts[at] = cut;
    this.#store(at, value);
    return true;
  }

  #store(/** @type {number} */ at, /** @type {ArrayLike<number>} */ value) {
    for (let n = 0; n < 3; n++) this.#positions[3 * at + n] = value[n];
    for (let n = 3; n < this.#numbers; n++) this.#rotations[4 * at + n - 3] = value[n];
  }

  /** Forgets everything: the writer began a new life. */
  clear() {
    this.#length = 0;
    this.#isCutOff = false;
  }

  // The value at or before `at`, else the oldest.
  #around(/** @type {number} */ at) {
    let i = this.#length - 1;
    while (i > 0 && this.#sims[this.#at(i)] > at) i--;
    return i;
  }

  #alphaFrom(/** @type {number} */ i, /** @type {number} */ at) {
    const from = this.#sims[this.#at(i)];
    if (i === this.#length - 1) return at >= from ? 1 : 0;
    if (at < from) return 0;
    const to = this.#sims[this.#at(i + 1)];
    const span = to - from;
    if (Number.isFinite(span)) return (at - from) / span;
    // Halves, because the whole of a huge span overflows.
    return (0.5 * at - 0.5 * from) / (0.5 * to - 0.5 * from);
  }

  /**
   * Returns where between the two ticks around it the moment lies: 0..=1, 1 at the newest and beyond; null before the
   * first tick.
   *
   * @param {Shown} shown
   * @returns {number | null}
   */
  alpha(shown) {
    return this.#length > 0 ? this.#alphaFrom(this.#around(shown.at), shown.at) : null;
  }

  /**
   * Writes what to draw at `shown`.
   *
   * @template {number[] | Float32Array | Float64Array} T
   * @param {Shown} shown
   * @param {T} out
   * @returns {T | null} `out`; null before the first tick.
   */
  view(shown, out) {
    if (this.#length === 0) return null;
    const i = this.#around(shown.at);
    const alpha = this.#alphaFrom(i, shown.at);
    const newest = i === this.#length - 1;
    const a = this.#at(i);
    if (this.#isCutOff && shown.at < this.#sims[a]) this.forgotten++;
    if (newest) {
      this.#beyond(i, shown.at - this.#sims[a], out);
    } else {
      const b = this.#at(i + 1);
      this.#between(a, b, this.#cuts[b] ? 0 : alpha, out);
    }
    return out;
  }

  #between(
    /** @type {number} */ a,
    /** @type {number} */ b,
    /** @type {number} */ alpha,
    /** @type {number[] | Float32Array | Float64Array} */ out,
  ) {
    const positions = this.#positions;
    for (let n = 0; n < 3; n++) out[n] = lerp(positions[3 * a + n], positions[3 * b + n], alpha);
    if (this.#numbers === 3) return;
    const t = Math.fround(alpha);
    if (this.#slerp) {
      slerp(this.#rotations, 4 * a, this.#rotations, 4 * b, alpha, out, 3);
    } else if (t > 0 && t < ARRIVED) {
      nlerpWeights(alpha, this.#weights);
      nlerp(this.#rotations, 4 * a, this.#rotations, 4 * b, this.#weights, out, 3);
    } else {
      const end = t > 0 ? b : a;
      for (let n = 0; n < 4; n++) out[3 + n] = this.#rotations[4 * end + n];
    }
  }

  #beyond(
    /** @type {number} */ i,
    /** @type {number} */ seconds,
    /** @type {number[] | Float32Array | Float64Array} */ out,
  ) {
    const b = this.#at(i);
    const a = this.#at(i > 0 ? i - 1 : i);
    const span = this.#sims[b] - this.#sims[a];
    // Of a teleport only the far side is known.
    if (!(seconds > 0 && span > 0) || this.#cuts[b]) return this.#between(b, b, 0, out);
    const ticks = seconds / span;
    const positions = this.#positions;
    for (let n = 0; n < 3; n++) {
      const to = positions[3 * b + n];
      const further = to - (positions[3 * a + n] - to) * ticks;
      out[n] = further - further === 0 ? further : to;
    }
    if (this.#numbers === 7) {
      extrapolateRotation(this.#rotations, 4 * a, this.#rotations, 4 * b, ticks, out, 3);
    }
  }
}
