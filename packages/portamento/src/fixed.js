// The fixed step: every tick that is due runs. And from the time a frame took to the time that is simulated for it.
import { checkRate, refuse, within } from "./errors.js";
import { clamp, max, min } from "./math.js";

// Tolerance for rounding in a sum of frame times: sixty frames of a sixtieth are sixty ticks.
const NANOSECOND = 1e-9;
// The watch of the display begins anew after so many seconds.
const WATCH = 60;
// Seconds by which snapping may lead or lag within a watch, and within which it starts again.
const MOST = 0.115;
const MOST_TO_RESUME = 0.08;
// So many more frames that fit nothing than frames that do: the frames do not wait for this display.
const MISFITS = 30;
// The share of a frame by which drift is paid back, and of a debt of more than a tick.
const PAY = 0.02;
const PAY_DEBT = 0.02;

/**
 * @typedef {object} FixedSettings
 * @property {number} [maxFrame] The most that one frame takes in, seconds. The rest is dropped and reported. Default 0.25.
 * @property {number | null} [maxTicks] The most ticks in one frame; null is no limit. Default null.
 * @property {number} [extrapolate] Draws the present instead of one tick behind it, by continuing the last tick's motion
 *   for at most this many ticks. Default 0.
 * @property {boolean | number} [snapping] Whether frame times are evened before they are added up: `true` to multiples of the
 *   step, or the display's frames per second. Default false.
 * @property {boolean} [carryDrift] Pays back what snapping adds or takes away. Default false.
 * @property {boolean} [watchDisplay] Stops snapping while the display turns out to be another one. Default true.
 */

/** @type {Required<FixedSettings>} */
export const FIXED = {
  maxFrame: 0.25,
  maxTicks: null,
  extrapolate: 0,
  snapping: false,
  carryDrift: false,
  watchDisplay: true,
};

/** @param {boolean | number} snapping */
function checkSnapping(snapping) {
  if (typeof snapping === "boolean") return;
  checkRate("the display's rate", snapping);
}

export class FixedStep {
  // What the watch of the display has seen.
  off = 0;
  watched = 0;
  misfits = 0;
  stopped = false;

  /** @param {number} hz @param {Required<FixedSettings>} settings */
  constructor(hz, settings) {
    checkRate("ticks per second (hz)", hz);
    within("maxFrame", settings.maxFrame, Number.MIN_VALUE, 1e9);
    const { maxTicks } = settings;
    if (maxTicks !== null && !(Number.isInteger(maxTicks) && maxTicks >= 1)) {
      refuse("maxTicks", maxTicks, "1 or more: a limit of 0 would never run a tick; null for no limit");
    }
    within("extrapolate", settings.extrapolate, 0, Number.MAX_VALUE);
    checkSnapping(settings.snapping);
    this.hz = hz;
    this.settings = settings;
    // Time taken in since `base`, and what rounding took from it so far. Ticks are counted from it.
    this.total = 0;
    this.remainder = 0;
    // Ticks run since `base`, and simulated seconds before the tick rate was last changed.
    this.run = 0;
    this.base = 0;
    // Length of the last tick, if it ran at another rate; else NaN.
    this.oldStep = NaN;
    // Seconds that snapping added, and those that are being paid back.
    this.drift = 0;
    this.owed = 0;
    // What a frame is to do.
    this.ticks = 0;
    this.firstRun = 0;
    this.presented = 0;
    this.lost = 0;
    this.overLimit = 0;
  }

  forget() {
    this.off = 0;
    this.watched = 0;
    this.misfits = 0;
    this.stopped = false;
  }

  /** @param {number} tick */
  since(tick) {
    return this.total - tick / this.hz + this.remainder;
  }

  /** @param {number} tick */
  isDue(tick) {
    return this.total + this.remainder >= tick / this.hz - NANOSECOND;
  }

  /** Adds without losing what does not fit (Knuth's two-sum). @param {number} seconds */
  add(seconds) {
    const sum = this.total + seconds;
    const added = sum - this.total;
    this.remainder += this.total - (sum - added) + (seconds - added);
    this.total = sum;
  }

  /** @param {number} dt @param {number} scale */
  frame(dt, scale) {
    const { settings } = this;
    const bounded = dt > settings.maxFrame ? settings.maxFrame : dt;
    const taken = settings.snapping === false ? bounded : this.evened(bounded);
    const scaled = taken * scale;
    // A frame that was taken in at scale 1 is never cut again, though snapping may have made it a little longer.
    const longest = max(settings.maxFrame, taken);
    const seconds = scaled > longest ? longest : scaled;
    const dropped = (dt - bounded) * scale + (scaled - seconds);
    const drawn = this.drawn();
    this.firstRun = this.run;
    this.takeIn(seconds);
    this.lost = dropped + this.overLimit;
    this.presented = this.extrapolates
      ? max(this.ticks / this.hz + (this.drawn() - drawn), 0)
      : seconds - this.overLimit;
  }

  /** @param {number} seconds */
  takeIn(seconds) {
    this.add(seconds);
    // An estimate, then the definition: the tick's own time decides, not the product's rounding.
    let last = max(Math.floor((this.total + NANOSECOND) * this.hz), this.run);
    while (last > this.run && !this.isDue(last)) last--;
    while (this.isDue(last + 1)) last++;
    const due = last - this.run;
    this.ticks = Math.min(due, this.settings.maxTicks ?? Infinity);
    this.overLimit = (due - this.ticks) / this.hz;
    this.add(-this.overLimit);
    this.run += this.ticks;
    if (this.ticks > 0) this.oldStep = NaN;
  }

  stepOnce() {
    const dt = 1 / this.hz;
    const behind = this.behind();
    this.firstRun = this.run;
    this.add(dt);
    this.run++;
    const since = this.since(this.run);
    if (since >= 0 && since <= dt) this.oldStep = NaN;
    this.ticks = 1;
    this.lost = this.overLimit = 0;
    this.presented = max(dt + behind - this.behind(), 0);
  }

  get simulated() {
    return this.base + this.run / this.hz;
  }

  get isSnapping() {
    return this.settings.snapping !== false && !this.stopped && this.misfits <= MISFITS;
  }

  /** @param {boolean | number} snapping */
  setSnapping(snapping) {
    checkSnapping(snapping);
    this.settings.snapping = snapping;
    this.forget();
  }

  get extrapolates() {
    return this.settings.extrapolate > 0;
  }

  drawnStep() {
    return this.oldStep === this.oldStep ? this.oldStep : 1 / this.hz;
  }

  fraction() {
    const old = this.oldStep;
    const fraction =
      old !== old
        ? this.since(this.run) * this.hz
        : this.extrapolates
          ? this.since(this.run) / old
          : 1 + this.since(this.run + 1) / old;
    return clamp(fraction, 0, 1);
  }

  /** Ticks that the drawn moment lies past the last tick's own. */
  progress() {
    const fraction = this.fraction();
    return this.extrapolates ? min(fraction, this.settings.extrapolate) : fraction;
  }

  drawn() {
    return this.progress() * this.drawnStep();
  }

  behind() {
    return this.extrapolates ? -this.drawn() : this.drawnStep() - this.drawn();
  }

  /** @param {import("./moment.js").Moment} moment */
  place(moment) {
    const progress = this.progress();
    if (this.extrapolates) moment.set(1, 0, progress);
    else moment.set(progress, 0, 0);
  }

  /** @param {number} hz */
  setHz(hz) {
    checkRate("ticks per second (hz)", hz);
    const step = this.drawnStep();
    const left = (1 - this.fraction()) * step;
    const since = clamp(this.since(this.run), 0, max(step, this.settings.maxFrame));
    this.base += this.run / this.hz;
    this.run = 0;
    this.total = this.extrapolates ? since : 1 / hz - left;
    this.remainder = 0;
    this.oldStep = step;
    this.hz = hz;
  }

  /** What to simulate for a frame whose measured time is evened. @param {number} dt */
  evened(dt) {
    const { settings } = this;
    const fits = this.fitting(dt);
    const evened = settings.watchDisplay ? this.watch(dt, fits) : fits === fits ? fits : dt;
    this.drift += evened - dt;
    return settings.carryDrift ? this.pay(evened, 1 / this.hz) : evened;
  }

  /** The time near `dt` that the display or the step could mean; NaN for none. @param {number} dt */
  fitting(dt) {
    const { snapping, watchDisplay } = this.settings;
    if (typeof snapping === "number") {
      for (let n = 1; n <= 8; n++) {
        const interval = n / snapping;
        if (Math.abs(dt - interval) <= 0.2 / snapping) return interval;
      }
      // The display cannot show a fraction of its interval: what looks like one is noise.
      if (watchDisplay) return NaN;
    }
    for (let parts = 1; parts <= 4; parts++) {
      const partHz = parts * this.hz;
      const nearest = Math.floor(dt * partHz + 0.5);
      const multiple = (nearest < 1 ? 1 : nearest) / partHz;
      if (Math.abs(dt - multiple) < 0.1 / partHz) return multiple;
    }
    return NaN;
  }

  /** What to take for a frame as long as snapped and real time agree. @param {number} dt @param {number} fits */
  watch(dt, fits) {
    const fitted = fits === fits;
    this.misfits = fitted ? Math.max(this.misfits - 1, 0) : Math.min(this.misfits + 1, 2 * MISFITS);
    if (this.watched >= WATCH) {
      this.off = this.watched = 0;
      this.stopped = false;
    }
    const wanted = this.misfits > MISFITS ? dt : fitted ? fits : this.nearer(dt);
    this.off += wanted - dt;
    this.watched += dt;
    if (Math.abs(this.off) > (this.stopped ? MOST_TO_RESUME : MOST)) {
      this.off = this.watched = 0;
      this.stopped = true;
    }
    return this.stopped ? dt : wanted;
  }

  /** A time between `dt`, which fits nothing, and a whole number of intervals. @param {number} dt */
  nearer(dt) {
    const { snapping } = this.settings;
    if (typeof snapping !== "number") return dt;
    // Rounded down: whether a frame of 1.7 intervals was late or was shown twice, nobody knows.
    const whole = clamp(Math.floor(dt * snapping), 1, 8) / snapping;
    return dt - whole > 1 / snapping ? dt : clamp(dt - this.off, min(dt, whole), max(dt, whole));
  }

  /** Pays whole ticks of drift back, a little in each frame. @param {number} snapped @param {number} step */
  pay(snapped, step) {
    const unpaid = this.drift + this.owed;
    if (Math.abs(unpaid) >= step) {
      const ticks = Math.floor(Math.abs(unpaid) / step);
      this.owed -= unpaid > 0 ? ticks * step : -ticks * step;
    }
    const most = max(PAY * snapped, PAY_DEBT * (Math.abs(this.owed) - step));
    const piece = max(clamp(this.owed, -most, most), -snapped);
    this.owed -= piece;
    this.drift += piece;
    return snapped + piece;
  }
}
