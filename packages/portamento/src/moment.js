import { clamp } from "./math.js";

/**
 * The moment of your own ticks that a frame draws: one per frame, for every track.
 *
 * A {@link Stepper} has one and changes it with every frame. If your engine runs the ticks itself, make one from its alpha
 * and its frame time: `Moment.at(alpha, seconds)`.
 */
export class Moment {
  constructor() {
    /** Where between two ticks, 0 to 1. @type {number} */
    this.alpha = 0.5;
    /** Which two ticks: 0 is the previous and the newest, 1 the pair before them. @type {number} */
    this.back = 0;
    /** How far past the newest tick, in ticks; 0 without extrapolation. @type {number} */
    this.beyond = 0.5;
    /** How many seconds the picture advanced in this frame: a camera's dt. @type {number} */
    this.presented = 0.5;
    /** How many ticks the stepper has run; -1 if unknown. @type {number} */
    this.tick = -1;
    /** Which frame; -1 if unknown. A track that is drawn twice in a frame returns the same. @type {number} */
    this.frame = -1;
    this.set(1, 0, 0);
  }

  /** @internal @param {number} alpha @param {number} back @param {number} beyond */
  set(alpha, back, beyond) {
    this.alpha = alpha !== alpha ? 1 : clamp(alpha, 0, 1);
    this.back = back;
    this.beyond = beyond > 0 ? beyond : 0;
  }

  /** @internal @param {number} seconds */
  present(seconds) {
    this.presented = seconds > 0 ? seconds : 0;
    return this;
  }

  /**
   * Returns the moment `alpha` of the way from the tick before the newest to the newest, in a frame in which the picture
   * advanced by `presented` seconds. An alpha outside 0..1 counts as the nearer end, NaN as 1.
   *
   * @param {number} alpha @param {number} presented @param {number} [frame] Your engine's frame number.
   */
  static at(alpha, presented, frame = -1) {
    const moment = new Moment().present(presented);
    moment.set(alpha, 0, 0);
    moment.frame = frame;
    return moment;
  }

  /** Returns the newest tick itself: interpolation switched off. @param {number} presented */
  static newest(presented) {
    return new Moment().present(presented);
  }

  /** Returns the moment `ticks` ticks past the newest, for extrapolation. @param {number} ticks @param {number} presented */
  static pastNewest(ticks, presented) {
    const moment = new Moment().present(presented);
    moment.set(1, 0, ticks);
    return moment;
  }

  /** Returns the same place between two ticks, `ticks` ticks earlier. @param {number} ticks */
  ticksBack(ticks) {
    const moment = Object.assign(new Moment(), this);
    moment.back = ticks;
    return moment;
  }
}
