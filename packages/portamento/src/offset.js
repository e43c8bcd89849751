// How does a picture get over a jump of the truth that was not meant to be seen? The truth snaps, the picture stays where it
// was, and the distance between the two, the visual offset, fades away.
import { settled, within } from "./errors.js";
import { exp, ln, max, min } from "./math.js";
import { advance, scale, size, sizes, squares, velocityNumbers, velocityTo } from "./motion.js";
import { POSE, same, take } from "./values.js";

/** @import { Numbers, Value } from "./values.js" */

/** `de/dt = -min(rate(e) e, topSpeed)`: slowly while small, fast from `large` on. Two frames of half the length give what
 * one frame gives. */
export class FadeCurve {
  slow = 0.5;
  fast = 0.5;
  small = 0.5;
  large = 0.5;
  topSpeed = 0.5;
  gone = 0.5;

  /** The rate between small and large is `a + b e`. */
  get b() {
    return this.small === this.large ? 0 : (this.fast - this.slow) / (this.large - this.small);
  }

  get a() {
    return this.small === this.large ? this.slow : this.slow - this.b * this.small;
  }

  /** What share of an offset, given by its square, is left.
   * @param {number} square @param {Passing} passing @param {number} between */
  share(square, passing, between) {
    if (square <= this.small * this.small && this.slow * this.small <= this.topSpeed) {
      const left = square * (passing.slow * passing.slow);
      return left >= this.gone * this.gone ? passing.slow : 0;
    }
    const whole = Math.sqrt(square);
    const left = this.left(whole, passing, between);
    return left >= this.gone && whole > 0 ? left / whole : 0;
  }

  /** @param {number} whole @param {Passing} passing @param {number} between */
  left(whole, passing, between) {
    if (!(whole > 0)) return 0;
    let e = whole;
    let t = passing.seconds;
    const boundedTo = this.#boundedTo();
    if (e > boundedTo) {
      const reached = (e - boundedTo) / this.topSpeed;
      if (t <= reached) return e - this.topSpeed * t;
      e = boundedTo;
      t -= reached;
    }
    if (e > this.large) {
      const left = e * faded(this.fast, passing.fast, t, passing);
      if (left >= this.large) return left;
      t -= ln(e / this.large) / this.fast;
      e = this.large;
    }
    if (e > this.small) {
      const { a, b } = this;
      let left = e / (1 + b * e * t);
      if (a !== 0) {
        const part = faded(a, between, t, passing);
        left = (a * e * part) / (a + b * e * (1 - part));
      }
      if (left >= this.small) return left;
      const reached =
        a === 0
          ? (e / this.small - 1) / (b * e)
          : -ln((this.small * (a + b * e)) / (e * (a + b * this.small))) / a;
      e = this.small;
      t -= reached;
    }
    return e * faded(this.slow, passing.slow, max(t, 0), passing);
  }

  // The size below which the top speed does not bind.
  #boundedTo() {
    if (this.topSpeed >= this.fast * this.large) return this.topSpeed / this.fast;
    if (this.topSpeed <= this.slow * this.small) return this.topSpeed / this.slow;
    const { a, b } = this;
    return min((2 * this.topSpeed) / (a + Math.sqrt(a * a + 4 * b * this.topSpeed)), this.large);
  }
}

/** The time that is left to pass is the whole of it until the curve changes.
 * @param {number} rate @param {number} whole @param {number} t @param {Passing} passing */
function faded(rate, whole, t, passing) {
  return t === passing.seconds ? whole : exp(-rate * t);
}

/** How lengths and how angles fade. */
export class Fading {
  lengths = new FadeCurve();
  angles = new FadeCurve();
}

/** Some time that passes, with the exponentials that do not depend on an offset's size. */
export class Passing {
  seconds = 0.5;
  slow = 0.5;
  fast = 0.5;
  length = 0.5;
  angle = 0.5;

  /** @param {number} seconds @param {Fading} fading */
  set(seconds, { lengths, angles }) {
    seconds = seconds > 0 ? seconds : 0;
    this.seconds = seconds;
    this.slow = exp(-lengths.slow * seconds);
    this.fast = exp(-lengths.fast * seconds);
    this.length = exp(-lengths.a * seconds);
    this.angle = exp(-angles.a * seconds);
  }
}

export const KEPT = 0;
export const PARTLY = 1;
export const SNAPPED = 2;

/** Whether a way between two values is longer than a number can say; its velocity is then 0.
 * @param {Value} from @param {Value} to */
function overflows(from, to) {
  const plain = from.length === POSE ? 3 : from.length;
  for (let n = 0; n < plain; n++) if (Math.abs(to[n] - from[n]) === Infinity) return true;
  return false;
}

/** The offset itself; {@link VisualOffset} is the user's. */
export class Offset {
  #numbers;
  #by;
  #whole;
  #place;
  /** Whether the picture stands on the truth exactly. */
  isGone = true;

  /** @param {number} numbers */
  constructor(numbers) {
    this.#numbers = numbers;
    this.#by = new Float64Array(velocityNumbers(numbers));
    this.#whole = new Float64Array(velocityNumbers(numbers));
    this.#place = new Float64Array(numbers);
  }

  clear() {
    this.isGone = true;
  }

  /** The truth jumped without anybody being meant to see it.
   * @param {Value} from @param {Value} to @param {number} limitLength @param {number} limitAngle */
  absorb(from, to, limitLength, limitAngle) {
    if (same(from, to)) return KEPT; // and no rounding is kept either
    this.measure();
    const thereLength = size[0];
    const thereAngle = size[1];
    const whole = this.#whole;
    this.drawn(this.#place, from);
    velocityTo(whole, to, this.#place, 1);
    sizes(whole, this.#numbers);
    const wholeLength = size[0];
    const wholeAngle = size[1];
    if (!(wholeLength < Infinity && wholeAngle < Infinity) || overflows(to, this.#place)) {
      // From one end of the numbers to the other: no length, so nothing to glide along.
      this.isGone = true;
      return SNAPPED;
    }
    // A jump is no longer than the offsets before and after it together: mostly that is enough to know.
    if (!(wholeLength + thereLength <= 4 * limitLength && wholeAngle + thereAngle <= 4 * limitAngle)) {
      velocityTo(whole, to, from, 1);
      sizes(whole, this.#numbers);
      if (!(size[0] <= 4 * limitLength && size[1] <= 4 * limitAngle)) {
        this.isGone = true;
        return SNAPPED;
      }
      velocityTo(whole, to, this.#place, 1);
    }
    // What is there already may stay: a limit that shrinks must not make a jump of its own.
    limitLength = max(limitLength, thereLength);
    limitAngle = max(limitAngle, thereAngle);
    const kept = wholeLength <= limitLength && wholeAngle <= limitAngle;
    if (!kept) {
      const length = wholeLength > limitLength ? limitLength / wholeLength : 1;
      const angle = wholeAngle > limitAngle ? limitAngle / wholeAngle : 1;
      scale(whole, this.#numbers, length, angle);
    }
    this.isGone = kept && wholeLength === 0 && wholeAngle === 0;
    this.#by.set(whole);
    return kept ? KEPT : PARTLY;
  }

  /** @param {Passing} passing @param {Fading} fading */
  pass(passing, { lengths, angles }) {
    if (this.isGone) return;
    squares(this.#by, this.#numbers);
    const squareAngle = size[1];
    // Of a fading whose numbers make no sense nothing is left.
    const length = min(max(lengths.share(size[0], passing, passing.length), 0), 1);
    const angle = min(max(angles.share(squareAngle, passing, passing.angle), 0), 1);
    this.isGone = length === 0 && angle === 0;
    scale(this.#by, this.#numbers, length, angle);
  }

  /** What is drawn for this truth. `out` may be `truth`. @param {Value} out @param {Value} truth */
  drawn(out, truth) {
    if (!this.isGone) advance(out, truth, this.#by, 1);
    else if (out !== truth) out.set(truth);
  }

  /** How far the picture stands from the truth, into `size`. */
  measure() {
    if (this.isGone) size[0] = size[1] = 0;
    else sizes(this.#by, this.#numbers);
  }
}

/**
 * How a correction is hidden. Lengths are in metres; for another unit give `unit`.
 *
 * @typedef {object} ReconcileSettings
 * @property {number} [limit] The farthest that the picture may stand from the truth: beyond it, a correction is a cut.
 *   Default 5.
 * @property {number} [pace] How fast the picture may catch up, as a multiple of the entity's own speed. Default 1.9.
 * @property {number} [slow] How fast a small offset fades, per second. Default 3.1.
 * @property {number} [fast] How fast a large one fades, per second. Default 9.8.
 * @property {number} [small] Up to here `slow` holds: metres and radians. Default 0.25.
 * @property {number} [large] From here on `fast` holds. Default 1.
 * @property {number} [unit] How many units a metre has: 100 for centimetres. Default 1.
 */

/** @type {Required<ReconcileSettings>} */
const CORRECTION = { limit: 5, pace: 1.9, slow: 3.1, fast: 9.8, small: 0.25, large: 1, unit: 1 };

/** @param {ReconcileSettings | undefined} given */
export function reconciling(given) {
  const settings = settled("a correction", CORRECTION, given);
  for (const key of /** @type {const} */ (["slow", "fast", "small", "large", "unit"])) {
    within(key, settings[key], Number.MIN_VALUE, 1e9);
  }
  within("large", settings.large, settings.small, 1e9);
  within("limit", settings.limit, 0, Infinity);
  within("pace", settings.pace, 0, Infinity);
  const fading = new Fading();
  for (const [curve, unit] of /** @type {const} */ ([[fading.lengths, settings.unit], [fading.angles, 1]])) {
    curve.slow = settings.slow;
    curve.fast = settings.fast;
    curve.small = settings.small * unit;
    curve.large = settings.large * unit;
    curve.topSpeed = Number.MAX_VALUE * unit;
    curve.gone = 1e-4 * unit;
  }
  return { ...settings, limit: settings.limit * settings.unit, fading };
}

/**
 * The distance from the truth to its picture, drawn only, fading. For a jump of the truth that should not be seen;
 * {@link PredictedTrack} has one inside.
 *
 * ```js
 * const offset = new VisualOffset();
 * offset.absorb(predicted, corrected);      // the truth jumped; the picture stays
 * offset.fade(secondsOfThisFrame);          // every frame
 * offset.drawn(truth, pose);                // what to draw
 * ```
 */
export class VisualOffset {
  #numbers;
  #settings;
  #offset;
  #passing = new Passing();
  #from;
  #to;

  /** @param {ReconcileSettings & { numbers?: number }} [settings] `numbers`: of a value; 7 is a pose, the default. */
  constructor({ numbers = POSE, ...settings } = {}) {
    this.#numbers = numbers;
    this.#settings = reconciling(settings);
    this.#offset = new Offset(numbers);
    this.#from = new Float64Array(numbers);
    this.#to = new Float64Array(numbers);
  }

  /**
   * The truth jumped from `from` to `to`: the picture stays where it is, but never farther from the truth than the limit.
   * A jump of more than four limits is taken for an undeclared cut.
   *
   * @param {Numbers} from @param {Numbers} to
   * @returns {"kept" | "partly" | "snapped"}
   */
  absorb(from, to) {
    take(this.#from, from, "from");
    take(this.#to, to, "to");
    const absorbed = this.#offset.absorb(this.#from, this.#to, this.#settings.limit, Number.MAX_VALUE);
    return absorbed === KEPT ? "kept" : absorbed === PARTLY ? "partly" : "snapped";
  }

  /** Lets `seconds` pass. Anything but a positive time changes nothing. @param {number} seconds */
  fade(seconds) {
    this.#passing.set(seconds, this.#settings.fading);
    this.#offset.pass(this.#passing, this.#settings.fading);
  }

  /**
   * Writes what to draw for this truth to `out`.
   *
   * @template {number[] | Float32Array | Float64Array} T
   * @param {Numbers} truth @param {T} out @returns {T}
   */
  drawn(truth, out) {
    take(this.#from, truth, "truth");
    this.#offset.drawn(this.#to, this.#from);
    for (let n = 0; n < this.#numbers; n++) out[n] = this.#to[n];
    return out;
  }

  /** The picture stands on the truth at once: after a cut. */
  clear() {
    this.#offset.clear();
  }

  /** Whether the picture stands on the truth exactly. */
  get isGone() {
    return this.#offset.isGone;
  }

  /** How far the picture stands from the truth, in units. */
  get length() {
    this.#offset.measure();
    return size[0];
  }

  /** How far it is turned from the truth, in radians. */
  get angle() {
    this.#offset.measure();
    return size[1];
  }
}
