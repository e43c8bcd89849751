import { clamp, exp, lerp, max, min } from "./math.js";
import { ONE_AN_HOUR, checkRate } from "./errors.js";
import { LatenessLog } from "./lateness.js";
import { ARRIVAL, BY, FOLLOWED, LATE, SHIFTED, STANDS_FOR, TICK, TURNED, WriterClock } from "./clock.js";

// A clock reading farther behind the newest one than this is a clock that was set back.
const CLOCK_SET_BACK = 0.5;
// Clock readings farther from zero than this, in seconds, count as this far: whatever is worked out from two of them stays
// finite.
const FARTHEST = 1e200;
// Ticks farther apart than this, in the writer's seconds, count as this far.
const LONGEST_TICK = 1e6;
// A clock that runs slower than this stands.
const MIN_SCALE = 1e-9;
// A game that keeps to another's clock changes its own speed by so much with each tick. That is no slow motion or fast forward
// to prepare for.
const TRIM = 0.025;
// No writer announces that its clock runs faster than this.
const MAX_SCALE = 1e6;
// How far ahead of its target the playhead may go on after it ran out of ticks, seconds of our clock.
const RUN_AHEAD = 0.008;
// How far behind its target a playhead that extrapolated may stay when ticks come again, seconds of our clock.
const STAYS_BEHIND = 0.01;
const LONGEST_SECONDS = 3600;

// The playhead's numbers. They stand in a typed array, which takes a number without allocating one.
const LAST_NOW = 0;
// The last three distances between ticks, oldest first, in the writer's seconds.
const SPACING_A = 1;
const SPACING_B = 2;
const SPACING_C = 3;
const PREVIOUS = 4;
const NEWEST = 5;
const ARRIVED = 6;
const INTO_TICK = 7;
const FRAME = 8;
const RESUMED_AT = 9;
const USUAL_TICK = 10;
const TURNED_AT = 11;
const TURNED_FROM = 12;
const PAUSED_AT = 13;
const LATENESS = 14;
const AT = 15;
const PRESENTED = 16;
const BEYOND = 17;
const SKIPPED = 18;
const USUAL = 19;
// Which ticks can still be read of a writer that overwrites the oldest: that one, and the one after it.
const OLDEST = 20;
const NEXT = 21;
// After a change of speed: the speed until then, for how many seconds it may go on, and how far behind the picture may be
// because of it.
const EASE_RATE = 22;
const EASE_LEFT = 23;
const EASE_BEHIND = 24;
// The announced speed (while it is about the usual one, what that was first), and how many ticks came since, up to three.
const SETTLED = 25;
const TICKS_SINCE = 26;

/** Where numbers are passed to `observeInbox`, `advanceInbox` and `setTimeScaleInbox`: as arguments they would be allocated. */
export const inbox = new Float64Array(2);

/**
 * Settings of a {@link Playhead}. Only `hz` or `interval` is required. The defaults are right for a simulation on the
 * same machine.
 *
 * @typedef {object} PlayheadSettings
 * @property {number} [hz] Ticks per second of the simulation's clock.
 * @property {number} [interval] Instead of `hz`: seconds from tick to tick.
 * @property {"locked" | "since-arrival"} [rule] `locked` (default) estimates the writer's clock and stays a margin behind
 *   it. `since-arrival` starts a blend of one nominal tick whenever a tick arrives: it shakes when ticks arrive unevenly,
 *   and is here for comparison.
 * @property {"worst" | "median"} [lateness] Which lateness the margin covers. Default `worst`.
 * @property {number} [marginMemory] For how many seconds the worst lateness is remembered. Default 7.
 * @property {number} [marginFloor] The least lateness assumed, seconds. Default 0.003.
 * @property {number} [marginTicks] Tick lengths kept besides. Default 1.
 * @property {number} [extrapolate] How many seconds past the newest tick may be drawn while ticks are late. Default 0.
 * @property {number} [pull] How fast an error of the playhead is corrected, per second: it shrinks with the time constant
 *   1 / pull, as far as `bend` allows. Default 1.
 * @property {number} [brake] The same for a playhead that is ahead by the whole margin; less in proportion when it is ahead
 *   by less. Default 8.
 * @property {number} [bend] The most that the drawn speed is changed, as a share of it. Default 0.06.
 * @property {number} [relock] An error beyond this many seconds is taken at once. Default 0.25.
 * @property {number} [rateWithin] How far the rate may lie from 1, as a factor less 1. Default 99.
 * @property {number} [offsetGain] What share of a surprise moves the estimated offset. Default 0.4.
 * @property {number} [rateGain] What share of a surprise moves the estimated rate. Default 0.001.
 * @property {number} [lateScale] Arrivals later than this many times the usual spread count for less than half. Default 12.
 */

/** A clock reading that is near enough to calculate with. @param {number} time */
export function bounded(time) {
  return clamp(time, -FARTHEST, FARTHEST);
}

/** @param {string} name @param {number} value @param {number} least @param {number} most */
function within(name, value, least, most) {
  if (!(value >= least && value <= most)) {
    throw new RangeError(`${name} is ${value}: give a number from ${least} to ${most}`);
  }
}

/** @param {PlayheadSettings} given */
function complete(given) {
  const interval = given.interval ?? 1 / (given.hz ?? NaN);
  if (given.interval === undefined) {
    if (given.hz === undefined) throw new TypeError("a playhead needs the simulation's tick rate: give hz, such as 60");
    checkRate("ticks per second (hz)", given.hz, ONE_AN_HOUR);
  }
  const rule = given.rule ?? "locked";
  if (rule !== "locked" && rule !== "since-arrival") {
    throw new RangeError(`rule is ${JSON.stringify(rule)}: give "locked" or "since-arrival"`);
  }
  const lateness = given.lateness ?? "worst";
  if (lateness !== "worst" && lateness !== "median") {
    throw new RangeError(`lateness is ${JSON.stringify(lateness)}: give "worst" or "median"`);
  }
  const settings = {
    interval,
    locked: rule === "locked",
    worst: lateness === "worst",
    marginMemory: given.marginMemory ?? 7,
    marginFloor: given.marginFloor ?? 0.003,
    marginTicks: given.marginTicks ?? 1,
    extrapolate: given.extrapolate ?? 0,
    pull: given.pull ?? 1,
    brake: given.brake ?? 8,
    bend: given.bend ?? 0.06,
    relock: given.relock ?? 0.25,
    rateWithin: given.rateWithin ?? 99,
    offsetGain: given.offsetGain ?? 0.4,
    rateGain: given.rateGain ?? 0.001,
    lateScale: given.lateScale ?? 12,
  };
  const least = 2.2250738585072014e-308;
  within("interval", settings.interval, least, LONGEST_SECONDS);
  within("marginFloor", settings.marginFloor, 0, LONGEST_SECONDS);
  within("marginMemory", settings.marginMemory, least, LONGEST_SECONDS);
  within("marginTicks", settings.marginTicks, 0, 1000);
  within("extrapolate", settings.extrapolate, 0, LONGEST_SECONDS);
  within("brake", settings.brake, 0, 1000);
  within("pull", settings.pull, 0, 1000);
  within("bend", settings.bend, 0, 1);
  within("relock", settings.relock, least, LONGEST_SECONDS);
  within("rateWithin", settings.rateWithin, 0, 1e6);
  within("offsetGain", settings.offsetGain, 0, 1);
  within("rateGain", settings.rateGain, 0, 1);
  within("lateScale", settings.lateScale, 1e-3, 1e6);
  return settings;
}

/**
 * What a frame draws. A playhead keeps one of these and changes it with every frame.
 *
 * @typedef {object} Shown
 * @property {number} at The moment of the writer's clock, seconds.
 * @property {number} presented How far the moment moved since the frame before: what a camera advances by.
 * @property {number} beyond How far `at` lies past the newest tick; 0 without extrapolation.
 * @property {number} skipped How much of `presented` was skipped by a re-lock rather than played.
 */

/** The numbers of a frame, as {@link Shown} names them. */
class Picture {
  #n;

  constructor(/** @type {Float64Array} */ n) {
    this.#n = n;
  }

  get at() {
    return this.#n[AT];
  }

  get presented() {
    return this.#n[PRESENTED];
  }

  get beyond() {
    return this.#n[BEYOND];
  }

  get skipped() {
    return this.#n[SKIPPED];
  }
}

/** Counters of everything that went other than planned. They never shrink. */
export class PlayheadCounts {
  /** Ticks observed with a new simulation time. */
  ticks = 0;
  /** Ticks that stood for the newest moment seen, or an earlier one. */
  old = 0;
  /** Ticks that arrived after the playhead had run out of them. */
  late = 0;
  /** Frames that were held at the newest tick, or slowed down past it, for want of a newer one. */
  held = 0;
  /** Times that were NaN or infinite. */
  unusable = 0;
  /** Clock readings before the newest one; they counted as that one. */
  backward = 0;
  /** Times that the estimate started anew: a pause, a suspended machine, a clock that was set, another rate. */
  relocks = 0;
  /** Jumps of the drawn moment. */
  jumps = 0;
  /** Seconds of the writer's clock that those jumps left out. */
  skipped = 0;
  /** New lives of the writer. */
  restarts = 0;
}

/**
 * Chooses the moment of another clock that is drawn: that of a physics worker, a process or a server.
 *
 * It learns of each tick's arrival and answers, once a frame, which moment of the writer's clock to draw. That moment only
 * moves forward, at the writer's rate changed by a few percent at most, and stays just far enough behind the newest tick
 * that late ticks are not seen. A {@link Reader} has one inside; use it alone for ticks that reach you in another way.
 *
 * ```js
 * const playhead = new Playhead({ hz: 60 });
 * playhead.observe(now, simulationTime);      // a tick came in
 * const shown = playhead.advance(now);        // every frame; null before the first tick
 * ```
 *
 * All times are seconds.
 */
export class Playhead {
  /** What went other than planned so far. @readonly */
  counts = new PlayheadCounts();
  #settings;
  #clock;
  #lateness;
  #n = new Float64Array(27);
  #alive = false;
  #hasNow = false;
  #fresh = true;
  // It stands at the first tick until that is as old as the margin: to set off at once, slower and slower, would run out of
  // ticks with each of the first ones.
  #waits = true;
  #silent = false;
  #resumed = false;
  #starved = true;
  #turned = false;
  // Ticks get longer with the time scale instead of more frequent: assumed until the contrary is measured.
  #stretches = true;
  // The old speed goes on, until the picture is as far behind as the new one wants.
  #eases = false;
  #overwritten = false;
  #shown = new Picture(this.#n);

  /** @param {PlayheadSettings} settings */
  constructor(settings) {
    this.#settings = complete(settings);
    this.#clock = new WriterClock(this.#settings);
    this.#lateness = new LatenessLog();
  }

  #begin(/** @type {number} */ arrival, /** @type {number} */ sim) {
    const interval = this.#settings.interval;
    this.#alive = true;
    this.#clock.begin(arrival, bounded(sim));
    this.#lateness.begin(arrival, interval);
    this.#n[SPACING_A] = this.#n[SPACING_B] = this.#n[SPACING_C] = interval;
    this.#n[PREVIOUS] = this.#n[NEWEST] = sim;
    this.#n[ARRIVED] = arrival;
    this.#n[AT] = sim;
    this.#n[INTO_TICK] = 0;
    this.#n[FRAME] = 0;
    this.#fresh = true;
    this.#waits = true;
    this.#silent = false;
    this.#resumed = false;
    this.#starved = true;
    this.#n[USUAL_TICK] = interval;
    this.#turned = false;
    this.#stretches = true;
    this.#eases = false;
    this.#n[PAUSED_AT] = 0;
    this.#n[SETTLED] = 1;
    this.#n[TICKS_SINCE] = 3;
  }

  /**
   * A tick that stands for `sim` on the writer's clock arrived at `arrival` on ours.
   *
   * @param {number} arrival
   * @param {number} sim
   * @returns {"newest" | "old" | "unusable"} `newest`: it is the newest now. `old`: it stands for the newest moment seen
   *   or an earlier one, and nothing was learned from it. `unusable`: a time was NaN or infinite.
   */
  observe(arrival, sim) {
    inbox[0] = arrival;
    inbox[1] = sim;
    return this.observeInbox();
  }

  /** `missed`: others before it were published in time, and overwritten before anyone looked.
   * @internal @param {boolean} missed @returns {"newest" | "old" | "unusable"} */
  observeInbox(missed = false) {
    let arrival = inbox[0];
    let sim = inbox[1];
    if (!Number.isFinite(arrival) || !Number.isFinite(sim)) {
      this.counts.unusable++;
      return "unusable";
    }
    arrival = bounded(arrival);
    // The other rule only blends it, which any number stands.
    if (this.#settings.locked) sim = bounded(sim);
    if (!this.#alive) {
      this.#begin(arrival, sim);
      this.counts.ticks++;
      return "newest";
    }
    if (sim <= this.#n[NEWEST]) {
      this.counts.old++;
      if (!this.#settings.locked) {
        this.#n[PREVIOUS] = this.#n[NEWEST];
        this.#n[ARRIVED] = max(arrival, this.#n[ARRIVED]);
        this.#silent = false;
      }
      return "old";
    }
    if (arrival < this.#n[ARRIVED]) {
      this.counts.backward++;
      if (this.#n[ARRIVED] - arrival <= CLOCK_SET_BACK) arrival = this.#n[ARRIVED];
    }
    this.counts.ticks++;
    if (this.#starved) this.counts.late++;
    const io = this.#clock.io;
    io[ARRIVAL] = arrival;
    io[STANDS_FOR] = sim;
    if (this.#follow(missed)) this.counts.relocks++;
    return "newest";
  }

  /**
   * The same for a tick that is a teleport. The rule `since-arrival` shows it at once; under `locked` its moment comes
   * like any other.
   *
   * @param {number} arrival
   * @param {number} sim
   * @returns {"newest" | "old" | "unusable"}
   */
  observeCut(arrival, sim) {
    const observed = this.observe(arrival, sim);
    if (observed !== "unusable") this.#n[PREVIOUS] = this.#n[NEWEST];
    return observed;
  }

  /**
   * Chooses the moment to draw in a frame at `now` on our clock. A time that is NaN or infinite repeats the last frame;
   * one beyond 1e200 seconds counts as 1e200.
   *
   * @param {number} now
   * @returns {Shown | null} Always the same object, with new numbers; null before the first tick.
   */
  advance(now) {
    inbox[0] = now;
    return this.advanceInbox();
  }

  /**
   * Chooses the moment of the frame in the inbox, for ticks of which only the last ones can still be read: from `oldest`
   * on, which goes when the next one comes.
   *
   * @internal @param {Float64Array} simulated @param {number} oldest @param {number} next Places in `simulated`.
   * @returns {Shown | null}
   */
  advanceWithin(simulated, oldest, next) {
    this.#overwritten = true;
    this.#n[OLDEST] = simulated[oldest];
    this.#n[NEXT] = simulated[next];
    const shown = this.advanceInbox();
    this.#overwritten = false;
    return shown;
  }

  /** @internal @returns {Shown | null} */
  advanceInbox() {
    if (!this.#alive) return null;
    let now = inbox[0];
    if (!Number.isFinite(now)) {
      this.counts.unusable++;
      now = this.#hasNow ? this.#n[LAST_NOW] : this.#n[ARRIVED];
    } else {
      now = bounded(now);
    }
    const last = this.#hasNow ? this.#n[LAST_NOW] : now;
    if (now < last) {
      this.counts.backward++;
      if (last - now <= CLOCK_SET_BACK) now = last;
    }
    this.#n[LAST_NOW] = now;
    this.#hasNow = true;
    const elapsed = max(now - last, 0);
    const n = this.#n;
    const usual = n[FRAME];
    n[FRAME] = elapsed;
    const before = n[AT];
    n[SKIPPED] = 0;
    if (this.#settings.locked) {
      n[USUAL] = usual;
      this.#move();
      if (this.#overwritten) this.#keepTo();
    } else {
      const into = clamp((now - this.#n[ARRIVED]) / this.#settings.interval, 0, 1);
      // A clock that was set back takes nothing back of what was shown.
      this.#n[INTO_TICK] = this.#silent ? max(into, this.#n[INTO_TICK]) : into;
      n[AT] = max(lerp(n[PREVIOUS], n[NEWEST], n[INTO_TICK]), n[AT]);
    }
    if (n[SKIPPED] > 0) {
      this.counts.jumps++;
      this.counts.skipped += n[SKIPPED];
    }
    if (this.#starved) this.counts.held++;
    this.#silent = true;
    n[PRESENTED] = min(n[AT] - before, Number.MAX_VALUE);
    n[BEYOND] = max(n[AT] - this.#n[NEWEST], 0);
    return this.#shown;
  }

  /**
   * The writer announces how fast its clock runs from `at` (by our clock) on: `scale` of its seconds per second of ours,
   * 1 at first, 0 for a pause. Give it after the tick that reports it, with that tick's arrival. A scale that is negative,
   * NaN or above a million is ignored and counted; `since-arrival` ignores all.
   *
   * @param {number} at
   * @param {number} scale
   */
  setTimeScale(at, scale) {
    inbox[0] = at;
    inbox[1] = scale;
    this.setTimeScaleInbox();
  }

  /** @internal */
  setTimeScaleInbox() {
    if (!Number.isFinite(inbox[0]) || !(inbox[1] >= 0 && inbox[1] <= MAX_SCALE)) {
      this.counts.unusable++;
      return;
    }
    if (inbox[1] < MIN_SCALE) inbox[1] = 0;
    // Called with every tick, so what a change takes is not in it: its numbers would be garbage until this is compiled.
    if (this.#settings.locked && this.#alive && this.#clock.scale !== inbox[1]) this.#changeSpeed();
  }

  // The writer's clock runs at another speed, the inbox says from when on and which.
  #changeSpeed() {
    const n = this.#n;
    const settings = this.#settings;
    const clock = this.#clock;
    const at = max(bounded(inbox[0]), n[ARRIVED]);
    const scale = inbox[1];
    const drift = clock.rate / clock.scale;
    const rate = clock.rate;
    if (!this.#turned) {
      this.#turned = true;
      n[TURNED_AT] = at;
      n[TURNED_FROM] = rate;
    }
    clock.setScale(at, scale);
    const old = n[SETTLED];
    if (Math.abs(scale - 1) <= TRIM && Math.abs(old - 1) <= TRIM) return;
    n[SETTLED] = scale;
    const measured = n[TICKS_SINCE] >= 3;
    n[TICKS_SINCE] = 0;
    const tick = this.#tick();
    const late = this.#late();
    let behind = 0;
    if (old >= 1) behind = settings.marginTicks * tick + rate * late;
    else if (old > 0) behind = settings.marginTicks * max(tick, n[USUAL_TICK]) + (rate / old) * late;
    if (Math.abs(old - 1) <= TRIM) {
      if (measured) n[USUAL_TICK] = tick;
    } else if (old > 1) {
      this.#stretches = tick * tick > n[USUAL_TICK] * n[USUAL_TICK] * old;
    }
    if (scale >= 1 || old > 1) {
      // Some simulations make their ticks shorter in slow motion, others make fewer; now they are as before. Which of the two
      // it is in fast forward shows only after the first ticks.
      const longer = this.#stretches ? max(scale, 1) : 1;
      n[SPACING_A] = n[SPACING_B] = n[SPACING_C] = min(n[USUAL_TICK] * longer, LONGEST_TICK);
    }
    if (scale === 0) {
      n[PAUSED_AT] = n[AT] - n[NEWEST];
      if (old > 1) {
        // It comes to rest where it can go on at normal speed.
        n[PAUSED_AT] = max(n[PAUSED_AT], -settings.marginTicks * this.#tick() - drift * late);
      }
    }
    if (max(old, scale) > 1) {
      const goesOn = scale > 0 ? clock.rate / scale : drift;
      n[EASE_BEHIND] = this.#eases ? max(behind, n[EASE_BEHIND]) : behind;
      n[EASE_LEFT] = settings.relock + n[USUAL_TICK] / goesOn;
      n[EASE_RATE] = goesOn * max(old, 1);
      this.#eases = true;
    }
  }

  /**
   * The writer ticks at another rate from now on; `told` if it said so.
   *
   * @internal @param {number} interval @param {boolean} told
   */
  setInterval(interval, told) {
    this.#settings.interval = interval;
    if (told && this.#alive) {
      const n = this.#n;
      n[SPACING_A] = n[SPACING_B] = n[SPACING_C] = n[USUAL_TICK] = interval;
    }
  }

  /** The writer began a new life: forget its clock. The drawn moment may go back, once. */
  restart() {
    this.#alive = false;
    this.counts.restarts++;
  }

  /** Whether the tick in the inbox stands for the newest moment. @internal @param {Float64Array} tick */
  isNewest(tick) {
    return this.#alive && this.#n[NEWEST] === tick[1];
  }

  /** Writes the moment drawn, and how far it lies beyond the newest tick. @internal @param {Float64Array} out */
  showInto(out) {
    out[0] = this.#n[AT];
    out[1] = this.#n[BEYOND];
  }

  /** Returns the newest simulation time observed; null before the first tick. @returns {number | null} */
  get newest() {
    return this.#alive ? this.#n[NEWEST] : null;
  }

  /** Returns what the last frame drew; null before the first tick. @returns {Shown | null} */
  get shown() {
    return this.#alive ? this.#shown : null;
  }

  /**
   * Returns the alpha of the rule `since-arrival` in the last frame; null before the first tick, and under `locked`,
   * where it depends on the ticks that you kept.
   *
   * @returns {number | null}
   */
  get alphaSinceArrival() {
    return this.#alive && !this.#settings.locked ? this.#n[INTO_TICK] : null;
  }

  /** Returns the estimated reading of the writer's clock at `now`; null before the first tick.
   * @param {number} now @returns {number | null} */
  writerReads(now) {
    return this.#alive ? this.#clock.reads(now !== now ? this.#n[ARRIVED] : bounded(now)) : null;
  }

  /** Returns the estimated speed of the writer's clock, its seconds per second of ours. @returns {number | null} */
  get rate() {
    return this.#alive ? this.#clock.rate : null;
  }

  /** Returns the time from tick to tick as measured, in the writer's seconds. @returns {number | null} */
  get spacing() {
    return this.#alive ? this.#tick() : null;
  }

  // Follows the tick in the clock's `io`; true if the one before it had begun a new line.
  #follow(/** @type {boolean} */ missed) {
    const n = this.#n;
    const clock = this.#clock;
    const io = clock.io;
    const sim = io[STANDS_FOR];
    if (!missed) {
      n[SPACING_A] = n[SPACING_B];
      n[SPACING_B] = n[SPACING_C];
      n[SPACING_C] = min(sim - n[NEWEST], LONGEST_TICK);
    }
    n[TICKS_SINCE] = min(n[TICKS_SINCE] + 1, 3);
    const tick = this.#tick();
    n[PREVIOUS] = n[NEWEST];
    n[NEWEST] = sim;
    n[ARRIVED] = io[ARRIVAL];
    this.#silent = false;
    io[STANDS_FOR] = bounded(sim);
    if (clock.scale === 0) {
      clock.step(io[ARRIVAL], io[STANDS_FOR]);
      return false;
    }
    if (this.#starved && !this.#resumed) {
      this.#resumed = true;
      n[RESUMED_AT] = io[ARRIVAL];
    }
    io[TICK] = tick;
    const relocked = clock.observe();
    if (clock.fitted === FOLLOWED) {
      this.#cover();
    } else if (clock.fitted === SHIFTED) {
      this.#lateness.shift(io[BY]);
      this.#cover();
    } else if (clock.fitted === TURNED) {
      this.#lateness.begin(io[ARRIVAL], this.#settings.interval);
    }
    if (!missed && n[SPACING_B] > 1.5 * tick) {
      // A tick was lost before the last one: to somebody who waited for it, the next was late by so much.
      io[LATE] = (n[SPACING_B] - tick) / clock.rate;
      this.#cover();
    }
    return relocked;
  }

  // Lets the margin cover a lateness, unless it is one that is skipped instead.
  #cover() {
    const io = this.#clock.io;
    if (io[LATE] <= this.#settings.relock) this.#lateness.add(io, this.#settings.marginMemory);
  }

  // The tick length that a single lost tick does not change: the middle one of the last three.
  #tick() {
    const a = this.#n[SPACING_A];
    const b = this.#n[SPACING_B];
    const c = this.#n[SPACING_C];
    return max(min(a, b), min(max(a, b), c));
  }

  // The lateness to stay behind by, in seconds of our clock.
  #late() {
    this.#lateness.measure(this.#settings.worst, this.#n, LATENESS);
    return max(this.#n[LATENESS], this.#settings.marginFloor);
  }

  // What is older than the oldest tick cannot be drawn; two ticks are left in any case, so that there is something to play.
  #keepTo() {
    const n = this.#n;
    const first = min(n[OLDEST], n[NEWEST] - 2 * this.#tick());
    n[SKIPPED] += max(first - n[AT], 0);
    n[AT] = max(n[AT], first);
  }

  // Moves the picture to the frame at LAST_NOW, which took FRAME; the one before took USUAL.
  #move() {
    const settings = this.#settings;
    const n = this.#n;
    const now = this.#n[LAST_NOW];
    const frame = n[FRAME];
    const usual = n[USUAL];
    // In the middle of a stream nothing arrives for far longer than a frame ever takes: our clock was set, or the machine
    // slept. Running on to the newest tick would be a jump; one usual frame is none.
    const slept = this.#silent && !this.#starved && frame > settings.relock && frame > 4 * usual;
    const elapsed = slept ? usual : frame;
    const rate = this.#clock.rate;
    const scale = this.#clock.scale;
    const turned = this.#turned;
    this.#turned = false;
    if (scale === 0) {
      // The writer announced a pause. Single steps are played at normal speed, what is left of fast forward at that.
      const end = n[NEWEST] + n[PAUSED_AT];
      const speed = this.#eases ? n[EASE_RATE] : 1;
      // Rounding must not lead past the end.
      if (end > n[AT]) n[AT] = min(n[AT] + min(end - n[AT], speed * elapsed), end);
      if (n[AT] >= end) this.#eases = false;
      this.#starved = false;
      this.#resumed = false;
      return;
    }
    const late = this.#late();
    // In slow motion the margin stays what it was, in the writer's seconds.
    const settled = n[SETTLED];
    const tick = settled < 1 ? max(this.#tick(), n[USUAL_TICK]) : this.#tick();
    const cover = settled < 1 ? (rate / settled) * late : rate * late;
    let target = this.#clock.reads(now) - settings.marginTicks * tick - cover;
    if (this.#overwritten) {
      // The oldest tick is the next to be overwritten. Two ticks are left in any case.
      target = max(target, min(n[NEXT], n[NEWEST] - 2 * tick));
    }
    let played = rate * elapsed;
    if (turned) {
      const since = clamp(now - this.#n[TURNED_AT], 0, elapsed);
      played = this.#n[TURNED_FROM] * (elapsed - since) + rate * since;
    }
    const error = target - (n[AT] + played);
    const fresh = this.#fresh;
    this.#fresh = false;
    if (fresh && error > 0) {
      // Ticks came before anybody looked (a loading screen): the first frame shows the present.
      n[AT] = max(min(target, n[NEWEST]), n[AT]);
      this.#starved = target >= this.#n[NEWEST];
      this.#waits = false;
      return;
    }
    if (this.#waits) {
      if (target < n[AT]) return;
      this.#waits = this.#resumed = false;
      if (target - n[AT] <= played && target <= n[NEWEST]) {
        n[AT] = target;
        this.#starved = false;
        return;
      }
    }
    // After a wait, a playhead whose jumps are hidden takes even a small one at once.
    const behind = settings.extrapolate > 0 && this.#resumed ? STAYS_BEHIND : settings.relock;
    const eased = this.#eases ? n[EASE_BEHIND] : 0;
    // If the target lies past the newest tick, ticks are overdue and there is nothing to jump to.
    if (error > min(behind, settings.relock) * max(rate, 1) + eased && target <= n[NEWEST]) {
      n[SKIPPED] = target - n[AT];
      n[AT] = target;
      this.#starved = false;
      this.#resumed = false;
      return;
    }
    const bend = settings.bend * played;
    // How much of the margin a playhead that is ahead has used up.
    const used = error < 0 ? min(-error / cover, 1) : 0;
    const pull = settings.pull + (settings.brake - settings.pull) * used;
    let step = played + clamp(error * min(pull * elapsed, 1), -bend, bend);
    if (this.#eases) {
      const wanted = target - n[AT];
      const slower = min(rate, n[EASE_RATE]) * elapsed * (1 - settings.bend);
      const faster = max(rate, n[EASE_RATE]) * elapsed * (1 + settings.bend);
      step = clamp(wanted, slower, faster);
      n[EASE_LEFT] -= elapsed;
      if (step === wanted || n[EASE_LEFT] <= 0) this.#eases = false;
    }
    if (this.#resumed) {
      this.#resumed = false;
      // It stood still until a tick came, however long the frame. A little of that time may still be played, so that a
      // short wait is hardly seen; more would only run out of ticks again.
      const since = rate * clamp(now - this.#n[RESUMED_AT], 0, elapsed);
      step = min(step, max(target + rate * RUN_AHEAD - n[AT], since));
    }
    this.#starved = n[AT] + step >= this.#n[NEWEST];
    n[AT] = runOn(n[AT], step, n[NEWEST], settings.extrapolate);
  }
}

/** `shown` moved on by `step`: freely up to the newest tick, then fading out over `limit` past it.
 * @param {number} shown @param {number} step @param {number} newest @param {number} limit */
function runOn(shown, step, newest, limit) {
  const free = shown + step;
  if (free <= newest) return free;
  if (limit <= 0) return max(newest, shown);
  const beyond = clamp(shown - newest, 0, limit);
  return max(newest + fadingOut(beyond, free - max(shown, newest), limit), shown);
}

/** How far past the newest tick one gets that is `beyond` past it and goes on for `seconds`, slower and slower.
 * @param {number} beyond @param {number} seconds @param {number} limit */
export function fadingOut(beyond, seconds, limit) {
  const left = exp((-2 * seconds) / limit);
  const there = beyond / limit;
  const on = (1 - left) / (1 + left);
  return limit * min((there + on) / (1 + there * on), 1);
}
