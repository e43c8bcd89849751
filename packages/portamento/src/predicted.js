import { KEPT, Offset, Passing, Fading, reconciling } from "./offset.js";
import { max, min } from "./math.js";
import { advance, size, sizes, velocityNumbers, velocityTo } from "./motion.js";
import { Moment } from "./moment.js";
import { Ends, Picture } from "./track.js";
import { same, shift, take } from "./values.js";

/** @import { Drawn } from "./drawn.js" */
/** @import { ReconcileSettings } from "./offset.js" */
/** @import { TrackEnds, TrackSettings } from "./track.js" */
/** @import { Numbers, Value } from "./values.js" */

/**
 * A track for what is predicted and then corrected: client-side prediction, server reconciliation, rollback. The truth
 * jumps, the picture glides.
 *
 * ```js
 * const player = new PredictedTrack(start);
 * player.push(simulated);          // in every tick, as with a Track
 * player.reconcile(corrected);     // the server's answer, simulated to the newest tick
 * const { now } = player.draw(stepper.moment);
 * ```
 */
export class PredictedTrack {
  #ends;
  #picture;
  #offset;
  #settings;
  #fading = new Fading();
  #passing = new Passing();
  // The last frame without its offset, and the ticks since then (below 0 if the truth was taken back to before it).
  #hasLast = false;
  #last;
  #moment = new Moment();
  #ticks = 0;
  #there;
  #now;
  #by;
  #again = new Moment();

  /** @param {Numbers} start @param {ReconcileSettings & TrackSettings} [settings] */
  constructor(start, { ends = 8, ...settings } = {}) {
    this.#settings = reconciling(settings);
    this.#ends = new Ends(start, ends);
    const { truth } = this.#ends;
    this.#picture = new Picture(truth);
    this.#offset = new Offset(truth.length);
    this.#last = truth.slice();
    this.#there = truth.slice();
    this.#now = truth.slice();
    this.#by = new Float64Array(velocityNumbers(truth.length));
    const { lengths, angles } = this.#settings.fading;
    Object.assign(this.#fading.lengths, lengths);
    Object.assign(this.#fading.angles, angles);
  }

  /** What the simulation says now. Do not write to it. @returns {Readonly<Value>} */
  get truth() {
    return this.#ends.truth;
  }

  // For how many ticks the ends hold the values that the last frame lies between.
  get #reach() {
    return this.#ends.values.length - 2 - this.#moment.back;
  }

  /** Takes the result of a tick, after collision. Call it once in every tick. @param {Numbers} value */
  push(value) {
    // After this push the last frame's values would be gone.
    if (this.#hasLast && this.#ticks === this.#reach) this.#settle();
    this.#ends.push(value);
    this.#picture.pushed();
    this.#ticks++;
  }

  /** Corrects the newest value during its tick (a collision after the move). @param {Numbers} value */
  correct(value) {
    this.#ends.correct(value);
    this.#picture.changed();
  }

  /** Jumps to `value`: spawn, teleport, respawn. No offset is left. @param {Numbers} value */
  cut(value) {
    this.#ends.cut(value);
    this.#picture.cut(this.#ends.cuts);
  }

  /**
   * Replaces the newest value by a corrected one: the truth jumps, the picture glides. The values before the newest shift
   * along, so that the entity keeps its speed.
   *
   * @param {Numbers} corrected
   */
  reconcile(corrected) {
    const newest = this.#now;
    take(newest, corrected, "corrected");
    const ends = this.#ends;
    const old = this.#there;
    old.set(ends.truth);
    velocityTo(this.#by, old, newest, 1);
    if (this.#hasLast && this.#ticks > this.#reach && !this.#picture.isCut(ends.cuts)) {
      // Too many ticks ago to be looked at again. All of the past shifts alike: the newest serves as well.
      advance(this.#last, this.#last, this.#by, 1);
      if (!this.#absorb(old, newest)) this.#picture.cuts = true;
    }
    for (const value of ends.values) {
      // What rests goes on resting, on the new bits.
      if (same(value, old)) value.set(newest);
      else advance(value, value, this.#by, 1);
    }
    ends.truth.set(newest);
    this.#picture.changed();
  }

  /** Moves the world's origin: `by` is added to every position remembered. @param {Numbers} by */
  rebase(by) {
    this.#ends.rebase(by);
    this.#picture.rebase(by);
    shift(this.#last, by);
  }

  /** Returns the truth without what was drawn of it: a save for rollback. @returns {TrackEnds} */
  ends() {
    return this.#ends.save();
  }

  /**
   * Puts the truth back, for the ticks since then to be simulated again before the next frame. What comes out as before is
   * drawn as if nothing had happened; what comes out otherwise glides.
   *
   * @param {TrackEnds} saved
   */
  restore(saved) {
    this.#ticks -= this.#ends.serial - saved.serial;
    this.#ends.restore(saved);
    this.#picture.restored(this.#ends.cuts);
  }

  /** Returns what to draw at `moment`, without remembering it. The same array every time. @param {Moment} moment */
  view(moment) {
    this.#ends.view(this.#now, moment);
    this.#offset.drawn(this.#now, this.#now);
    return this.#now;
  }

  /**
   * Returns what to draw at `moment`, with the frame before it. The same object every time.
   *
   * @param {Moment} moment
   * @returns {Drawn}
   */
  draw(moment) {
    const picture = this.#picture;
    if (picture.isAgain(moment)) return picture.drawn;
    const ends = this.#ends;
    picture.watch(moment, ends, this.#hasLast ? this.#last : picture.drawn.now);
    const now = this.#now;
    ends.view(now, moment);
    let cut = picture.isCut(ends.cuts);
    if (cut) {
      this.#offset.clear();
    } else if (this.#hasLast) {
      const there = this.#there;
      // The past in which the last frame lies may not have been simulated again; then the picture stays.
      if (!this.#look(there)) there.set(this.#ticks < 0 ? now : this.#last);
      cut = !this.#absorb(this.#last, there);
      if (!this.#offset.isGone) this.#fade(there, now, moment.presented);
    }
    this.#hasLast = true;
    this.#last.set(now);
    this.#moment.set(moment.alpha, moment.back, moment.beyond);
    this.#ticks = 0;
    picture.turn(ends.cuts, cut, moment);
    this.#offset.drawn(picture.drawn.now, now);
    return picture.finish();
  }

  // The offset fades at most so fast that the picture moves at a multiple of the entity's own speed.
  #fade(/** @type {Value} */ there, /** @type {Value} */ now, /** @type {number} */ seconds) {
    velocityTo(this.#by, there, now, 1);
    sizes(this.#by, now.length);
    const { lengths, angles } = this.#fading;
    const { fading, pace } = this.#settings;
    lengths.topSpeed = min(max((pace * size[0]) / seconds, lengths.slow * lengths.large), fading.lengths.topSpeed);
    angles.topSpeed = min(max((pace * size[1]) / seconds, angles.slow * angles.large), fading.angles.topSpeed);
    this.#passing.set(seconds, this.#fading);
    this.#offset.pass(this.#passing, this.#fading);
  }

  /** Whether the view at `moment` is the truth's own bits and stays so until the next change. @param {Moment} moment */
  atRest(moment) {
    return this.#offset.isGone && this.#ends.atRest(moment);
  }

  /** How far the picture stands from the truth, in units. */
  get offset() {
    this.#offset.measure();
    return size[0];
  }

  // What has changed so far is put into the offset.
  #settle() {
    if (this.#picture.isCut(this.#ends.cuts) || !this.#hasLast || !this.#look(this.#there)) return;
    const kept = this.#absorb(this.#last, this.#there);
    this.#last.set(this.#there);
    if (!kept) this.#picture.cuts = true;
  }

  // The past moved. False where that is too far to glide.
  #absorb(/** @type {Value} */ from, /** @type {Value} */ to) {
    const kept = this.#offset.absorb(from, to, this.#settings.limit, Number.MAX_VALUE) === KEPT;
    if (!kept) this.#offset.clear();
    return kept;
  }

  // The last frame's moment in the truth as it is now; false where that does not hold it.
  #look(/** @type {Value} */ out) {
    const ticks = this.#ticks;
    if (ticks < 0) return false;
    const { alpha, back, beyond } = this.#moment;
    const again = this.#again;
    again.set(alpha, back + ticks, 0);
    if (ticks === 0) {
      again.set(alpha, back, beyond);
    } else if (beyond > 0) {
      // As many ticks later it lies that far before the newest.
      const before = ticks - beyond;
      const whole = Math.floor(before);
      if (before < 0) again.set(1, 0, -before);
      else if (whole > this.#ends.values.length - 2) return false;
      else again.set(1 - (before - whole), whole, 0);
    } else if (ticks > this.#reach) {
      return false;
    }
    this.#ends.view(out, again);
    return true;
  }
}
