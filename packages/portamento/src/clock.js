// What does the writer's clock read at a moment of ours?
//
// A straight line through (arrival, simulation time), followed by an alpha-beta filter. What it must tell apart, because
// all of it moves arrivals away from the line:
//
// - a bunch: ticks that come together. The last of them was made last and says what the clock reads; how late the first
//   came, the margin must cover.
// - jitter: this tick was late, the next will not be. It moves the line a little, and the margin covers it.
// - a pause: this tick and all that follow are much later. The line goes there at once.
// - a stall: it looked like a pause, but then the missing ticks come faster than they are made. The line goes back.
// - a longer way: several ticks in a row are later by more than jitter. The line goes there.
// - another rate: each tick is later (or earlier) than the one before by the same amount. The line turns.
//
// The same arithmetic as the Rust library's, step for step.
import { clamp, max, min } from "./math.js";

// Points in each half of the window that longer ways and other rates are judged by.
const HALF = 6;
const WINDOW = 2 * HALF + 1;
// Both halves of the window must disagree with the line by more than this share of the rate.
const RATE_DISAGREES = 0.15;
// Ticks that come within this many seconds are a bunch; so are those that follow each other within this share of a tick
// (and this many seconds), up to so many ticks' time.
const BUNCH_SECONDS = 0.004;
const BUNCH_GAP = 0.25;
const BUNCH_TICKS = 8;
// Later than this many ticks and seconds is a pause, until the contrary is seen.
const PAUSE_TICKS = 3;
const PAUSE_SECONDS = 0.03;
// After a silence of so many ticks and seconds, this much of it may be the error of the rate: a few seconds of jittery arrivals
// teach it no better.
const SILENCE_TICKS = 8;
const SILENCE_SECONDS = 2;
const RATE_DOUBT = 0.002;
// How many points' worth of trust the rate has after a re-lock.
const PRIOR_POINTS = 6;
// The rate's gain is at least so many offset gains divided by the points seen.
const RATE_LISTENS = 2;
// More points than this teach the rate nothing.
const MOST_POINTS = 2000;
// Share of a surprise in the mean of the last ones, and in their spread.
const LEAN_GAIN = 0.05;
const SPREAD_GAIN = 0.02;
// The spread of a writer nobody has watched yet, and the least that is ever assumed; seconds of our clock.
const FIRST_SPREAD = 0.0015;
const LEAST_SPREAD = 0.0005;

// What an arrival was taken for.
/** Punctual, jitter, or a stall that is over: the margin must cover its lateness. */
export const FOLLOWED = 0;
/** A longer way: the line is later by so much. */
export const SHIFTED = 1;
/** A pause, or a jump ahead: the line starts anew here. */
export const RELOCKED = 2;
/** Another rate: the line starts anew here, and lateness measured from the old one means nothing. */
export const TURNED = 3;

/** @typedef {{ interval: number, relock: number, rateWithin: number, offsetGain: number, rateGain: number,
 *   lateScale: number }} ClockSettings */

// A line is eleven numbers. They stand in typed arrays, here and in the playhead, because those take a number without
// allocating one; so do numbers that larger functions pass on.
const AT = 0;
const SIM = 1;
const RATE = 2;
// How much of the rate the writer has announced; the rest is drift.
const SCALE = 3;
// Points since it began.
const POINTS = 4;
// Typical size of a surprise, seconds of our clock.
const SPREAD = 5;
// The mean of the last surprises (early is positive): far from zero while the rate is wrong.
const LEAN = 6;
// A pause that may yet turn out to be a stall: whether there is one (0 or 1), seconds by which the line was moved and is
// still, seconds that have been taken back, points since then that took nothing back.
const PAUSES = 7;
const PAUSE = 8;
const CAUGHT_UP = 9;
const KEPT = 10;

/** @typedef {Float64Array} Line */

/** @param {Line} line @param {number} now */
function reads(line, now) {
  return line[SIM] + line[RATE] * (now - line[AT]);
}

/** @param {Line} line @param {number} arrival @param {number} sim */
function restartAt(line, arrival, sim) {
  line[AT] = arrival;
  line[SIM] = sim;
  line[POINTS] = 1;
  line[LEAN] = 0;
}

// The announced part may be any, the rest only what the settings allow.
/** @param {Line} line @param {number} rate @param {ClockSettings} settings */
function setRate(line, rate, settings) {
  const most = 1 + settings.rateWithin;
  line[RATE] = clamp(rate / line[SCALE], 1 / most, most) * line[SCALE];
}

// The writer's clock runs at another speed from `at` on, of which it reads `sim` there.
/** @param {Line} line @param {number} at @param {number} sim @param {number} scale */
function turn(line, at, sim, scale) {
  line[RATE] = (line[RATE] / line[SCALE]) * scale;
  line[SCALE] = scale;
  line[AT] = at;
  line[SIM] = sim;
  line[LEAN] = 0;
  line[PAUSES] = 0;
}

// More than this is no jitter, seconds of our clock.
/** @param {Line} line @param {number} tick */
function jitter(line, tick) {
  return max((0.5 * tick) / line[RATE], 4 * line[SPREAD]);
}

/** What a tick is: when it arrived, what it stands for, the tick length; then what it was taken for: how late it was and
 * by how much the line was shifted, where that means something. */
export const ARRIVAL = 0;
export const STANDS_FOR = 1;
export const TICK = 2;
export const LATE = 3;
export const BY = 4;
const SURPRISE = 5;
const EARLY = 6;

// The alpha-beta filter.
/** @param {Line} line @param {Float64Array} io @param {ClockSettings} settings */
function follow(line, io, settings) {
  const arrival = io[ARRIVAL];
  const surprise = io[SURPRISE];
  const early = surprise / line[RATE];
  const late = max(-early, 0);
  const scale = settings.lateScale * line[SPREAD];
  const trust = (scale * scale) / (scale * scale + late * late);
  line[POINTS] = Math.min(line[POINTS] + 1, MOST_POINTS);
  line[LEAN] += LEAN_GAIN * (clamp(early, -4 * line[SPREAD], 4 * line[SPREAD]) - line[LEAN]);
  if (Math.abs(line[LEAN]) > line[SPREAD]) {
    // While surprises lean to one side by their whole spread, a fifth of the points is forgotten with each.
    line[POINTS] = Math.max(Math.floor((line[POINTS] * 4) / 5), HALF);
  }
  // The gains of a straight-line fit through all points so far, until the filter's own are larger.
  const n = line[POINTS];
  const m = n + PRIOR_POINTS;
  const offsetGain = max(min((2 * (2 * n - 1)) / (n * (n + 1)), 1), settings.offsetGain);
  const listens = (RATE_LISTENS * settings.offsetGain) / m;
  const rateGain = max(max(6 / (m * (m + 1)), listens), settings.rateGain);
  const passed = line[RATE] * (arrival - line[AT]);
  line[SIM] = reads(line, arrival) + offsetGain * trust * surprise;
  line[AT] = arrival;
  // Two ticks at about the same time say nothing about the rate.
  if (passed > 0.5 * io[TICK]) {
    const share = clamp(surprise / passed, -1, 1);
    setRate(line, line[RATE] * (1 + rateGain * trust * share), settings);
  }
  line[SPREAD] += SPREAD_GAIN * (min(Math.abs(early), 4 * line[SPREAD]) - line[SPREAD]);
  line[SPREAD] = max(line[SPREAD], LEAST_SPREAD);
}

export class WriterClock {
  /** What the last tick was taken for. */
  fitted = FOLLOWED;
  /** What goes in and out: see ARRIVAL and those below it. */
  io = new Float64Array(7);
  #settings;
  #line = new Float64Array(11);
  // The line as it was before the bunch that is arriving: every tick of the bunch is fitted to it afresh.
  #before = new Float64Array(11);
  // Arrival and simulation time of the first tick of a bunch, and the arrival of its last.
  #bunch = new Float64Array(3);
  // The last tick of each of the last bunches, oldest first.
  #arrivals = new Float64Array(WINDOW);
  #sims = new Float64Array(WINDOW);
  #lates = new Float64Array(WINDOW);
  #filled = 1;
  // The bunch that is arriving, as far as it is known, begins a new line.
  #relocked = false;
  // The writer announced a pause: its clock stands at the line's `sim`.
  #paused = false;
  // The slopes of a half, sorted; the last is the middle one.
  #slopes = new Float64Array(HALF + 1);

  constructor(/** @type {ClockSettings} */ settings) {
    this.#settings = settings;
  }

  begin(/** @type {number} */ arrival, /** @type {number} */ sim) {
    this.#line.set([arrival, sim, 1, 1, 1, FIRST_SPREAD, 0, 0, 0, 0, 0]);
    this.#before.set(this.#line);
    this.#bunch.set([arrival, sim, arrival]);
    this.#arrivals.fill(arrival);
    this.#sims.fill(sim);
    this.#lates.fill(0);
    this.#filled = 1;
    this.#relocked = false;
    this.#paused = false;
  }

  // The writer's clock at `now`, as far as known.
  reads(/** @type {number} */ now) {
    return this.#paused ? this.#line[SIM] : reads(this.#line, now);
  }

  // The writer's seconds per second of ours.
  get rate() {
    return this.#paused ? 0 : this.#line[RATE];
  }

  // The speed that the writer announced.
  get scale() {
    return this.#paused ? 0 : this.#line[SCALE];
  }

  // The writer announces that its clock runs at another speed from `at` on, 0 for a pause.
  setScale(/** @type {number} */ at, /** @type {number} */ scale) {
    const sim = clamp(this.reads(at), -1e200, 1e200);
    this.#paused = scale === 0;
    const kept = this.#paused ? this.#line[SCALE] : scale;
    turn(this.#line, at, sim, kept);
    turn(this.#before, at, sim, kept);
    // What was measured at another speed says nothing of this one.
    this.#onePoint(at, sim);
  }

  #onePoint(/** @type {number} */ at, /** @type {number} */ sim) {
    this.#arrivals[0] = at;
    this.#sims[0] = sim;
    this.#lates[0] = 0;
    this.#filled = 1;
  }

  // A tick in a pause: a single step, or the first one after it. The clock stands there.
  step(/** @type {number} */ arrival, /** @type {number} */ sim) {
    this.#line[AT] = this.#before[AT] = arrival;
    this.#line[SIM] = this.#before[SIM] = sim;
  }

  // Follows the tick in `io`, into `fitted` and `io`. Returns whether the bunch before this tick's began a new line.
  observe() {
    const io = this.io;
    const bunch = this.#bunch;
    let relocked = false;
    if (this.#isOfTheBunch()) {
      this.#line.set(this.#before);
      bunch[2] = io[ARRIVAL];
    } else {
      this.#before.set(this.#line);
      bunch[0] = bunch[2] = io[ARRIVAL];
      bunch[1] = io[STANDS_FOR];
      this.#makeRoom();
      relocked = this.#relocked;
    }
    this.#fit();
    this.#relocked = this.fitted === RELOCKED || this.fitted === TURNED;
    if (this.fitted === FOLLOWED) {
      const first = (reads(this.#line, bunch[0]) - bunch[1]) / this.#line[RATE];
      io[LATE] = max(io[LATE], first);
    } else if (this.fitted === SHIFTED || this.fitted === TURNED) {
      // These look at several bunches, and a further tick of this one changes nothing about that.
      this.#before.set(this.#line);
    }
    return relocked;
  }

  #isOfTheBunch() {
    const tick = this.io[TICK] / this.#before[RATE];
    const gap = this.io[ARRIVAL] - this.#bunch[2];
    const length = this.io[ARRIVAL] - this.#bunch[0];
    const close = gap < min(BUNCH_SECONDS, BUNCH_GAP * tick) && length < BUNCH_TICKS * tick;
    return gap >= 0 && (length < BUNCH_SECONDS || close);
  }

  // For the point of a new bunch, behind the others.
  #makeRoom() {
    if (this.#filled === WINDOW) {
      this.#arrivals.copyWithin(0, 1);
      this.#sims.copyWithin(0, 1);
      this.#lates.copyWithin(0, 1);
      this.#filled--;
    }
    this.#filled++;
  }

  #fit() {
    const settings = this.#settings;
    const line = this.#line;
    const io = this.io;
    const arrival = io[ARRIVAL];
    const sim = io[STANDS_FOR];
    const tick = io[TICK];
    const surprise = (io[SURPRISE] = sim - reads(line, arrival));
    const early = (io[EARLY] = surprise / line[RATE]);
    const late = early < 0 ? -early : 0;
    const at = this.#filled - 1;
    this.#arrivals[at] = arrival;
    this.#sims[at] = sim;
    this.#lates[at] = min(late, Number.MAX_VALUE);
    this.fitted = RELOCKED;
    if (!(early - early === 0)) return restartAt(line, arrival, sim);
    if (this.#isAnotherRate()) {
      const old = line[RATE];
      setRate(line, this.#slopes[HALF], settings);
      if (line[RATE] !== old) {
        restartAt(line, arrival, sim);
        line[PAUSES] = 0;
        this.#onePoint(arrival, sim);
        this.fitted = TURNED;
        return;
      }
    }
    const silence = arrival - line[AT];
    const isSilence = silence > max(SILENCE_SECONDS, (SILENCE_TICKS * tick) / line[RATE]);
    if (isSilence && Math.abs(early) < RATE_DOUBT * silence) {
      restartAt(line, arrival, sim);
      line[PAUSES] = 0;
      this.#onePoint(arrival, sim);
      this.fitted = FOLLOWED;
      io[LATE] = 0;
      return;
    }
    if (line[PAUSES] === 1 && this.#catchUp()) return;
    const pause = max(max((PAUSE_TICKS * tick) / line[RATE], PAUSE_SECONDS), jitter(line, tick));
    if (late > min(pause, settings.relock)) {
      line[PAUSE] = min(late + (line[PAUSES] === 1 ? line[PAUSE] : 0), Number.MAX_VALUE);
      line[CAUGHT_UP] = 0;
      line[KEPT] = 0;
      line[PAUSES] = 1;
      this.fitted = RELOCKED;
      return restartAt(line, arrival, sim);
    }
    if (early > settings.relock) {
      this.fitted = RELOCKED;
      return restartAt(line, arrival, sim);
    }
    this.#allLateBy();
    const by = io[BY];
    if (by > jitter(line, tick)) {
      line[SIM] = sim + (late - by) * line[RATE];
      line[AT] = arrival;
      for (let i = 0; i < WINDOW; i++) this.#lates[i] = max(this.#lates[i] - by, 0);
      this.fitted = SHIFTED;
      io[LATE] = late - by;
      return;
    }
    follow(line, io, settings);
    this.fitted = FOLLOWED;
    io[LATE] = late;
  }

  // After a supposed pause: are the ticks that it left out coming after all? Nothing can arrive before it was made, so the
  // line goes back through each at once. True if that says what the tick was.
  #catchUp() {
    const line = this.#line;
    const io = this.io;
    const early = io[EARLY];
    const most = jitter(line, io[TICK]);
    const caughtUp = early > min(most, max((0.5 * io[TICK]) / line[RATE], 0.25 * line[PAUSE]));
    if (caughtUp) {
      line[PAUSE] -= early;
      line[CAUGHT_UP] += early;
      line[KEPT] = 0;
      restartAt(line, io[ARRIVAL], io[STANDS_FOR]);
    } else {
      line[KEPT]++;
    }
    const decided = line[PAUSE] < most || line[KEPT] >= HALF;
    line[PAUSES] = decided ? 0 : 1;
    this.fitted = FOLLOWED;
    io[LATE] = decided ? line[CAUGHT_UP] : 0;
    return caughtUp || (decided && line[CAUGHT_UP] > 0);
  }

  // Whether the newest points plainly have another rate. A late tick makes one half of the window slow and the other fast, a
  // pause makes one half slow as a whole but not point by point; only a real change makes both halves differ the same way by
  // both measures. The older half may still hold ticks from before the change, so the newer half's middle slope counts.
  #isAnotherRate() {
    if (this.#filled < WINDOW) return false;
    const slow = this.#line[RATE] * (1 - RATE_DISAGREES);
    const fast = this.#line[RATE] * (1 + RATE_DISAGREES);
    const older = this.#slope(0, HALF);
    const newer = this.#slope(HALF, 2 * HALF);
    const slower = older < slow && newer < slow;
    if (!slower && !(older > fast && newer > fast)) return false;
    const middle = this.#slopes;
    this.#sortSlopes(0);
    if (!(slower ? middle[HALF] < slow : middle[HALF] > fast)) return false;
    this.#sortSlopes(HALF);
    return slower ? middle[HALF] < slow : middle[HALF] > fast;
  }

  #slope(/** @type {number} */ from, /** @type {number} */ to) {
    return (this.#sims[to] - this.#sims[from]) / (this.#arrivals[to] - this.#arrivals[from]);
  }

  // Sorts the slopes from point to point of a half, NaN last, and works out the middle one.
  #sortSlopes(/** @type {number} */ from) {
    const slopes = this.#slopes;
    for (let i = 0; i < HALF; i++) {
      const slope = this.#slope(from + i, from + i + 1);
      let j = i;
      for (; j > 0 && (slopes[j - 1] > slope || (slopes[j - 1] !== slopes[j - 1] && slope === slope)); j--) {
        slopes[j] = slopes[j - 1];
      }
      slopes[j] = slope;
    }
    slopes[HALF] = 0.5 * (slopes[(HALF - 1) >> 1] + slopes[HALF >> 1]);
  }

  // How much later the last points all were, into `io`.
  #allLateBy() {
    let least = this.#filled < HALF ? -1 : Infinity;
    for (let i = Math.max(this.#filled - HALF, 0); i < this.#filled; i++) least = min(this.#lates[i], least);
    this.io[BY] = least;
  }
}
