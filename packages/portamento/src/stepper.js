import { settled, within } from "./errors.js";
import { FIXED, FixedStep } from "./fixed.js";
import { Gate, RULES } from "./gate.js";
import { Moment } from "./moment.js";
import { warnOnce } from "./warn.js";

/** @import { FixedSettings } from "./fixed.js" */
/** @import { GateSettings } from "./gate.js" */

// So many frames longer than so many seconds, one after the other, are no frames: browsers throttle timers to one per second.
const LONG = 2;
const LONG_IN_A_ROW = 30;

/**
 * One step of the simulation.
 *
 * @typedef {object} Tick
 * @property {number} number The tick's number, counted from 0.
 * @property {number} dt Length in seconds.
 * @property {number} time Simulated seconds at its end.
 */

/**
 * What a frame is to do: run its ticks, then draw its moment. Iterate over it once. A stepper has one of these, with one
 * tick in it, and changes both with every frame.
 *
 * @implements {Iterable<Tick>}
 * @implements {Iterator<Tick>}
 */
export class Frame {
  /** How many ticks are due. @type {number} */
  ticks = 0;
  /** Seconds of this frame that will never be simulated. @type {number} */
  lost = 0.5;
  /**
   * Why time was lost: the frame was longer than the longest taken in, more ticks were due than a frame may run, more was
   * pending than a gate simulates at all (`stale`), or so little that it consumes it (`tiny`); null if nothing was lost.
   *
   * @type {"long-frame" | "tick-limit" | "stale" | "tiny" | null}
   */
  reason = null;
  /** What to draw once the ticks have run. */
  moment = new Moment();
  #tick = { number: 0, dt: 0.5, time: 0.5 };
  #step = /** @type {IteratorYieldResult<Tick>} */ ({ done: false, value: this.#tick });
  #end = /** @type {IteratorReturnResult<undefined>} */ ({ done: true, value: undefined });
  #left = 0;
  #last = NaN;
  // For a fixed step: the time of each tick from its number, so that it does not depend on the frames.
  #base = 0.5;
  #run = 0;
  #hz = NaN;

  /** @internal @param {number} count @param {number} dt @param {number} number @param {FixedStep} fixed
   * @param {number} base @param {number} hz */
  begin(count, dt, number, fixed, base, hz) {
    this.ticks = this.#left = count;
    this.#last = NaN;
    this.#tick.dt = dt;
    this.#tick.number = number - 1;
    this.#base = base;
    this.#run = fixed.firstRun;
    this.#hz = hz;
  }

  /** @internal @param {Gate} gate @param {number} number @param {number} time */
  beginQuanta(gate, number, time) {
    this.#left = gate.full;
    this.#last = gate.rest;
    this.ticks = gate.full + (gate.rest === gate.rest ? 1 : 0);
    this.#tick.dt = gate.max;
    this.#tick.number = number - 1;
    this.#tick.time = time;
    this.#hz = NaN;
  }

  /** @internal */
  none() {
    this.ticks = this.#left = 0;
    this.#last = NaN;
    this.lost = 0;
    this.reason = null;
  }

  /** @internal @param {number} seconds @param {Frame["reason"]} reason */
  lose(seconds, reason) {
    this.lost = seconds;
    this.reason = reason;
  }

  [Symbol.iterator]() {
    return this;
  }

  /** @returns {IteratorResult<Tick, undefined>} */
  next() {
    const tick = this.#tick;
    if (this.#left > 0) {
      this.#left--;
    } else if (this.#last === this.#last) {
      tick.dt = this.#last;
      this.#last = NaN;
    } else {
      return this.#end;
    }
    tick.number++;
    if (this.#hz === this.#hz) tick.time = this.#base + ++this.#run / this.#hz;
    else tick.time += tick.dt;
    return this.#step;
  }
}

/**
 * Decides when ticks run and which moment is drawn.
 *
 * ```js
 * const stepper = Stepper.fixed(60);
 *
 * function frame(now) {
 *   for (const tick of stepper.frameAt(now / 1000)) simulate(tick.dt);
 *   draw(stepper.moment);
 *   requestAnimationFrame(frame);
 * }
 * ```
 */
export class Stepper {
  #fixed;
  #gate;
  #frame = new Frame();
  #scale = 1;
  #paused = false;
  #frames = 0;
  #ticks = 0;
  #lost = 0;
  #unusable = 0;
  #stamp = NaN;
  // Long frames in a row.
  #long = 0;

  /** @private @param {FixedStep | null} fixed @param {Gate | null} gate */
  constructor(fixed, gate) {
    this.#fixed = fixed;
    this.#gate = gate;
    this.#moment(0);
  }

  /**
   * Returns a stepper that runs `hz` ticks per second, every one that is due.
   *
   * @param {number} hz
   * @param {FixedSettings} [settings]
   */
  static fixed(hz, settings) {
    return new Stepper(new FixedStep(hz, settled("a fixed step", FIXED, settings)), null);
  }

  /**
   * Returns a quantum gate: ticks follow the frames, and are neither shorter than `min` nor longer than `max`.
   *
   * @param {GateSettings} [settings]
   */
  static gated(settings) {
    const rule = settings?.rule ?? "even";
    if (!RULES.includes(rule)) throw new RangeError(`rule is ${JSON.stringify(rule)}: give ${RULES.join(", ")}`);
    const longest = rule === "one-at-a-time" ? 0.1 : 0.2;
    return new Stepper(null, new Gate(settled("a gate", { rule, min: 1 / 30, max: longest, huge: 2 }, settings)));
  }

  /** What to draw: the moment of the last frame. The same object every time. */
  get moment() {
    return this.#frame.moment;
  }

  /**
   * Takes in a frame of `seconds` seconds. Run its ticks, then draw `stepper.moment`. A time that makes no sense (NaN,
   * negative, 0) changes nothing and is counted.
   *
   * @param {number} seconds
   * @returns {Frame} The same object every time.
   */
  frame(seconds) {
    this.#frames++;
    this.#long = seconds > LONG ? this.#long + 1 : 0;
    if (this.#long === LONG_IN_A_ROW) {
      warnOnce(
        "stepper",
        `${LONG_IN_A_ROW} frames in a row were longer than ${LONG} s: give frame and frameAt seconds, not milliseconds`,
      );
    }
    const scaled = seconds * this.#scale;
    if (!(seconds > 0 && scaled < Infinity)) {
      this.#unusable++;
      return this.#still();
    }
    if (this.#paused || scaled === 0) return this.#still();
    const frame = this.#frame;
    const fixed = this.#fixed;
    if (fixed) {
      fixed.frame(seconds, this.#scale);
      frame.begin(fixed.ticks, 1 / fixed.hz, this.#ticks, fixed, fixed.base, fixed.hz);
      const reason = fixed.overLimit > 0 ? "tick-limit" : fixed.lost > 0 ? "long-frame" : null;
      frame.lose(reason ? fixed.lost : 0, reason);
      return this.#counted(fixed.presented);
    }
    const gate = /** @type {Gate} */ (this.#gate);
    const time = gate.simulated;
    gate.accept(scaled);
    frame.beginQuanta(gate, this.#ticks, time);
    frame.lose(gate.lost, gate.reason);
    return this.#counted(gate.presented);
  }

  /**
   * Takes in a frame that is drawn at `now` by your clock, in seconds. The first call only starts the clock. For
   * `requestAnimationFrame`, give its own timestamp divided by 1000, not `performance.now()`.
   *
   * @param {number} now
   * @returns {Frame} The same object every time.
   */
  frameAt(now) {
    const before = this.#stamp;
    if (Number.isFinite(now)) this.#stamp = now;
    if (before !== before && Number.isFinite(now)) return this.#still();
    return this.frame(now - (before === before ? before : now));
  }

  /**
   * Runs exactly one tick, also while paused: to step through a game that stands still.
   *
   * @returns {Frame} The same object every time.
   */
  stepOnce() {
    this.#frames++;
    const frame = this.#frame;
    const fixed = this.#fixed;
    if (fixed) {
      fixed.stepOnce();
      frame.begin(1, 1 / fixed.hz, this.#ticks, fixed, fixed.base, fixed.hz);
      frame.lose(0, null);
      return this.#counted(fixed.presented);
    }
    const gate = /** @type {Gate} */ (this.#gate);
    const time = gate.simulated;
    gate.stepOnce();
    frame.beginQuanta(gate, this.#ticks, time);
    frame.lose(0, null);
    return this.#counted(gate.presented);
  }

  #counted(/** @type {number} */ presented) {
    const frame = this.#frame;
    this.#ticks += frame.ticks;
    this.#lost = Math.min(this.#lost + frame.lost, Number.MAX_VALUE);
    this.#moment(presented);
    return frame;
  }

  #still() {
    this.#frame.none();
    this.#moment(0);
    return this.#frame;
  }

  #moment(/** @type {number} */ presented) {
    const { moment } = this.#frame;
    (this.#fixed ?? /** @type {Gate} */ (this.#gate)).place(moment);
    moment.present(presented);
    moment.tick = this.#ticks;
    moment.frame = this.#frames;
  }

  /**
   * Drops a gate's pending time: call it when the whole world jumps, for example after loading a level. Cut every track too.
   */
  cut() {
    this.#gate?.cut();
    this.#moment(0);
  }

  /** Stops time. The picture keeps its place between two ticks. */
  pause() {
    this.#paused = true;
  }

  /** Lets time go on after `pause`. */
  resume() {
    this.#paused = false;
  }

  /** Whether time is stopped. */
  get isPaused() {
    return this.#paused;
  }

  /** Simulated seconds per real one: 0.5 is slow motion, 0 stands still, at most 1000000. */
  get timeScale() {
    return this.#paused ? 0 : this.#scale;
  }

  set timeScale(scale) {
    within("time scale", scale, 0, 1e6);
    this.#scale = scale;
  }

  /**
   * Sets another tick rate from the next tick on. The picture keeps its place and its speed. An error for a gate, which has
   * no rate.
   *
   * @param {number} hz
   */
  setHz(hz) {
    if (!this.#fixed) {
      throw new RangeError(`a gate has no tick rate (${hz} was given), its ticks follow the frames: give it min and max instead`);
    }
    this.#fixed.setHz(hz);
    this.#moment(0);
  }

  /**
   * Sets how frame times are evened, for example when the window moves to another display: true, false, or the display's
   * frames per second. If snapping had stopped by itself, it starts again. A gate does not snap: anything but false is an
   * error.
   *
   * @param {boolean | number} snapping
   */
  setSnapping(snapping) {
    if (this.#fixed) this.#fixed.setSnapping(snapping);
    else if (snapping !== false) {
      throw new RangeError(`snapping is ${snapping}: a gate takes frames of any length and does not snap, give false`);
    }
  }

  /** Whether frame times are being snapped: false while the display seems to be another one than you said. */
  get isSnapping() {
    return this.#fixed?.isSnapping ?? false;
  }

  /** Seconds that snapping has added (negative: taken away) so far and that were not paid back. */
  get drift() {
    return this.#fixed?.drift ?? 0;
  }

  /** How many values a track must keep to draw every moment of this stepper. */
  get endsNeeded() {
    return this.#gate?.endsNeeded ?? 2;
  }

  /** Simulated seconds at the end of the newest tick. */
  get simulated() {
    return (this.#fixed ?? /** @type {Gate} */ (this.#gate)).simulated;
  }

  /** Ticks so far. */
  get ticks() {
    return this.#ticks;
  }

  /** Seconds lost so far, for whatever reason. */
  get lost() {
    return this.#lost;
  }

  /** Frame times so far that no clock should give (NaN, infinite, zero, negative). */
  get unusable() {
    return this.#unusable;
  }
}
