import { Drawn } from "./drawn.js";
import { within } from "./errors.js";
import { blend, extrapolate, rests, same, shift, take } from "./values.js";
import { warnOnce } from "./warn.js";

/** @import { Moment } from "./moment.js" */
/** @import { Numbers, Value } from "./values.js" */


/**
 * The truth of a track without what was drawn of it: a save for rollback.
 *
 * @typedef {object} TrackEnds
 * @property {Float64Array[]} values @property {number} serial @property {number} known @property {number} still
 * @property {number} cuts
 */

/** The last values of one entity, and what lies between them. For {@link Track} and {@link PredictedTrack}. */
export class Ends {
  /** @param {Numbers} start @param {number} count */
  constructor(start, count) {
    within("ends", count, 2, 64);
    if (!Number.isInteger(count)) within("ends", NaN, 2, 64);
    const first = new Float64Array(start?.length ?? 3);
    take(first, start, "start");
    /** @type {Value[]} A ring; `serial` tells where the newest lies. */
    this.values = Array.from({ length: count }, () => first.slice());
    this.serial = 0;
    // How many of `values` are this entity's own history since its last cut.
    this.known = 1;
    // How many pushes in a row have repeated the newest value, at most the count.
    this.still = count;
    this.cuts = 0;
    this.given = first.slice();
  }

  /** @param {number} back */
  at(back) {
    const count = this.values.length;
    return this.values[(((this.serial - back) % count) + count) % count];
  }

  /** The value `back` ticks before the newest; the oldest known where history ends. @param {number} back */
  end(back) {
    return this.at(Math.min(back, Math.max(this.known, 1) - 1));
  }

  get truth() {
    return this.at(0);
  }

  /** @param {Numbers} value */
  push(value) {
    take(this.given, value, "value");
    const newest = this.truth;
    const count = this.values.length;
    const stays = same(this.given, newest) && rests(newest, this.given);
    this.still = stays ? Math.min(this.still + 1, count) : 0;
    this.serial++;
    this.truth.set(this.given);
    this.known = Math.min(this.known + 1, count);
  }

  /** @param {Numbers} value */
  correct(value) {
    take(this.truth, value, "value");
    // From the cut, if that was the last: it left its value in both ends.
    this.known = Math.max(this.known, 2);
    this.still = 0;
  }

  /** @param {Numbers} value */
  cut(value) {
    take(this.truth, value, "value");
    this.at(1).set(this.truth);
    this.still = this.values.length;
    this.known = 1;
    this.cuts++;
  }

  /** @param {Numbers} by */
  rebase(by) {
    for (const value of this.values) shift(value, by);
  }

  /** @param {Value} out @param {Moment} moment */
  view(out, moment) {
    const { back, beyond } = moment;
    if (this.atRest(moment)) {
      out.set(this.truth);
    } else if (beyond > 0) {
      extrapolate(out, this.end(1), this.end(0), beyond);
    } else if (back + 1 >= this.known) {
      out.set(this.end(back)); // where history ends nothing lies between
    } else {
      blend(out, this.end(back + 1), this.end(back), moment.alpha);
    }
  }

  /** @param {Moment} moment */
  atRest(moment) {
    return this.still > Math.min(moment.back, this.values.length - 1);
  }

  /** @returns {TrackEnds} */
  save() {
    const { serial, known, still, cuts } = this;
    return { values: this.values.map((value) => value.slice()), serial, known, still, cuts };
  }

  /** @param {TrackEnds} saved */
  restore(saved) {
    saved.values.forEach((value, n) => this.values[n].set(value));
    this.serial = saved.serial;
    this.known = saved.known;
    this.still = saved.still;
    this.cuts = saved.cuts;
  }
}

// What has been said once need not be said again.
/** What was drawn of one entity, for the frame after. The truth may be rolled back under it. */
export class Picture {
  /** @param {Value} start */
  constructor(start) {
    this.drawn = new Drawn(start.length);
    this.drawn.now.set(start);
    this.drawn.before.set(start);
    this.frame = -1;
    this.begun = false;
    this.reported = 0;
    // There is a cut beyond all that were reported.
    this.cuts = false;
    // The stepper's ticks at the last frame, and pushes since then; -1 if unknown.
    this.tick = -1;
    this.pushes = 0;
  }

  changed() {
    this.frame = -1;
  }

  pushed() {
    this.changed();
    this.pushes++;
  }

  /** Notices ticks without a push, pushes without a tick, and too few ends: the picture jumps. @param {Moment} moment
   * @param {Ends} ends @param {Value} last Where the last frame had it. */
  watch(moment, ends, last) {
    const ticks = this.tick >= 0 && moment.tick >= 0 ? moment.tick - this.tick : this.pushes;
    const { pushes } = this;
    this.tick = moment.tick;
    this.pushes = 0;
    const rests = ends.atRest(moment);
    // A value too many that is equal to the one before it takes the picture to it at once.
    if (rests && !(pushes > ticks && last.some((number, i) => number !== ends.truth[i]))) return;
    // Another stepper has another count; nobody draws on for long with ticks missing.
    if (ticks !== pushes && ticks >= 0 && Math.abs(ticks - pushes) <= 64) {
      warnOnce(
        pushes < ticks ? "ticks without a push" : "pushes without a tick",
        pushes < ticks
          ? `a track was drawn after ${ticks} ticks of which it got ${pushes}: call push (or cut) in every tick, also when ` +
              "nothing moved, or its picture jumps back and forth"
          : `a track got ${pushes} values in ${ticks} ticks: call push in the loop over the ticks, once in each, and correct ` +
              "to change the newest value, or its picture jumps",
      );
    }
    const count = ends.values.length;
    if (ends.known === count && moment.back + (moment.alpha < 1 ? 1 : 0) >= count) {
      warnOnce(
        "too few ends",
        `a track of ${count} ends was asked for a moment ${moment.back} ticks back, which needs ${moment.back + 2}: give ` +
          "new Track(start, { ends }) at least the stepper's endsNeeded",
      );
    }
  }

  /** The truth was cut, for the `cuts`th time. @param {number} cuts */
  cut(cuts) {
    this.changed();
    this.tick = -1;
    if (cuts > this.reported) this.cuts = true;
  }

  /** @param {number} cuts */
  restored(cuts) {
    this.cuts = false;
    this.cut(cuts);
  }

  /** @param {Numbers} by */
  rebase(by) {
    shift(this.drawn.now, by);
    shift(this.drawn.before, by);
  }

  /** Whether `moment` is of the frame that was drawn last. @param {Moment} moment */
  isAgain(moment) {
    return this.frame >= 0 && this.frame === moment.frame;
  }

  /** Whether the next frame is a cut, with `cuts` cuts behind the truth. @param {number} cuts */
  isCut(cuts) {
    return !this.begun || this.cuts || cuts !== this.reported;
  }

  /** Makes room for a new frame, whose view the caller writes to `drawn.now`.
   * @param {number} cuts @param {boolean} cut @param {Moment} moment */
  turn(cuts, cut, moment) {
    this.frame = moment.frame;
    this.drawn.before.set(this.drawn.now);
    this.drawn.cut = cut;
    this.cuts = false;
    this.reported = cuts;
  }

  /** The view is written. */
  finish() {
    if (!this.begun) this.drawn.before.set(this.drawn.now);
    this.begun = true;
    return this.drawn;
  }
}

/**
 * @typedef {object} TrackSettings
 * @property {number} [ends] How many values are kept, 2 to 64. Two are enough for a fixed step, eight for a gate with its
 *   default lengths; `stepper.endsNeeded` is the number that yours needs. Default 8.
 */

/**
 * The last values of one entity, and what is drawn of them.
 *
 * A value is an array: `[x, y, z, qx, qy, qz, qw]` is a pose, any other length is plain numbers (a position, a height).
 * The first one decides. Positions are kept in double precision, rotations in single precision.
 *
 * ```js
 * const stepper = Stepper.fixed(60);
 * const ball = new Track([0, 0, 0]);
 *
 * for (const tick of stepper.frame(seconds)) {
 *   ball.push(simulate(ball.truth, tick.dt));           // in every tick
 * }
 * const { now } = ball.draw(stepper.moment);            // every frame
 * mesh.position.set(now[0], now[1], now[2]);
 * ```
 */
export class Track {
  #ends;
  #picture;
  #view;

  /** @param {Numbers} start Its first frame shows exactly this. @param {TrackSettings} [settings] */
  constructor(start, { ends = 8 } = {}) {
    this.#ends = new Ends(start, ends);
    this.#picture = new Picture(this.#ends.truth);
    this.#view = this.#ends.truth.slice();
  }

  /**
   * The truth: the newest value that the simulation computed. Physics, game logic and the network see only this. Do not
   * write to it. The array stays valid until `ends` more values were pushed.
   *
   * @returns {Readonly<Value>}
   */
  get truth() {
    return this.#ends.truth;
  }

  /**
   * Takes the result of a tick, after collision. Call it once in every tick, also when nothing moved: that is how the
   * view comes to rest.
   *
   * @param {Numbers} value
   */
  push(value) {
    this.#ends.push(value);
    this.#picture.pushed();
  }

  /**
   * Corrects the newest value during its tick (a collision after the move): the view glides there. Between ticks use a
   * `PredictedTrack`.
   *
   * @param {Numbers} value
   */
  correct(value) {
    this.#ends.correct(value);
    this.#picture.changed();
  }

  /**
   * Jumps to `value`: spawn, teleport, respawn. Nothing between is ever drawn. In its tick it stands instead of `push` or
   * after it.
   *
   * @param {Numbers} value
   */
  cut(value) {
    this.#ends.cut(value);
    this.#picture.cut(this.#ends.cuts);
  }

  /** Moves the world's origin: `by` is added to every position remembered, so that nothing is seen. @param {Numbers} by */
  rebase(by) {
    this.#ends.rebase(by);
    this.#picture.rebase(by);
  }

  /**
   * Returns what to draw at `moment`, without remembering it. The same array every time.
   *
   * @param {Moment} moment
   * @returns {Value}
   */
  view(moment) {
    this.#ends.view(this.#view, moment);
    return this.#view;
  }

  /**
   * Returns what to draw at `moment`, with the frame before it for cameras and motion vectors. The same object every time.
   * Asked twice in a frame, it returns the same.
   *
   * @param {Moment} moment
   * @returns {Drawn}
   */
  draw(moment) {
    const picture = this.#picture;
    if (picture.isAgain(moment)) return picture.drawn;
    picture.watch(moment, this.#ends, picture.drawn.now);
    picture.turn(this.#ends.cuts, picture.isCut(this.#ends.cuts), moment);
    this.#ends.view(picture.drawn.now, moment);
    return picture.finish();
  }

  /** Whether the view at `moment` is the truth's own bits and stays so until the next change. @param {Moment} moment */
  atRest(moment) {
    return this.#ends.atRest(moment);
  }

  /** Returns the truth without what was drawn of it: a save for rollback. @returns {TrackEnds} */
  ends() {
    return this.#ends.save();
  }

  /**
   * Puts the truth back, and lets the picture go on. Simulate the ticks since then before the next frame.
   *
   * @param {TrackEnds} saved
   */
  restore(saved) {
    this.#ends.restore(saved);
    this.#picture.restored(this.#ends.cuts);
  }
}
