// The quantum gate: simulation time is accepted in portions, and the picture is blended between their ends.
import { check } from "./errors.js";
import { max, min } from "./math.js";

// Pending time up to this is consumed, never saved up (all-at-once).
const TINY = 0.000199999995;
// Simulated time stops here, seconds.
const AGES = 1e13;
// How far back `even` looks for the longest quantum, in simulated seconds.
const WINDOW = 2;
// How fast its distance may shrink, seconds per second.
const SHRINK = 0.02;
// Numbers that `even` remembers: enough for quanta that differ by a factor of four thousand.
const MEMORY = 4096;

/**
 * @typedef {object} GateSettings
 * @property {"even" | "all-at-once" | "one-at-a-time"} [rule] Which rule accepts time and places the picture. `even` is the
 *   one to use; the others keep worlds as they are that were built on them. Default `even`.
 * @property {number} [min] The shortest quantum, seconds. Default 1/30.
 * @property {number} [max] The longest quantum, seconds. Default 0.2 (0.1 for `one-at-a-time`).
 * @property {number} [huge] More pending time than this is stale and thrown away, seconds. Default 2.
 */

export const RULES = /** @type {const} */ (["even", "all-at-once", "one-at-a-time"]);

export class Gate {
  // The rule `even` draws a constant distance behind the accumulated time. What it remembers: a ring of the times at which
  // quanta ended, and a ring of those that may be the longest of the window, oldest and longest first.
  drawn = 0.5;
  distance = 0.5;
  ends = new Float64Array();
  newest = 1;
  known = 2;
  room = 0;
  ended = new Float64Array();
  lengths = new Float64Array();
  first = 0;
  count = 0;

  /** @param {Required<GateSettings>} settings */
  constructor(settings) {
    const { rule, min, max, huge } = settings;
    const seconds = "a number of seconds above 0, at most 1e9";
    check(min > 0 && min <= 1e9, "the shortest quantum (min)", min, seconds);
    check(max > 0 && max <= 1e9, "the longest quantum (max)", max, seconds);
    check(huge > 0 && huge <= 1e9, "the stale limit (huge)", huge, seconds);
    check(min <= max, "the shortest quantum (min)", min, "a length of at most max");
    check(max <= huge, "the longest quantum (max)", max, "a length of at most huge");
    check(huge / max <= 1e6, "the stale limit (huge)", huge, "at most a million times max");
    this.isEven = rule === "even";
    this.oneAtATime = rule === "one-at-a-time";
    this.min = min;
    this.max = max;
    this.huge = huge;
    // How many values a track must keep: quanta are longer than `min`, and the picture is at most `max` behind.
    this.endsNeeded = this.isEven ? Math.floor(max / min) + 2 : 2;
    const enough = this.endsNeeded + 32 <= MEMORY;
    check(!this.isEven || enough, "the longest quantum (max)", max, "at most 4062 times min");
    this.pending = 0;
    this.simulated = 0;
    this.last = min;
    this.stale = false;
    // What a frame did: quanta of the full length, one more (or NaN), seconds lost and why, how far the picture advanced.
    this.full = 0;
    this.rest = NaN;
    this.lost = 0;
    /** @type {"stale" | "tiny" | null} */
    this.reason = null;
    this.presented = 0;
    if (this.isEven) this.begin();
  }

  lag() {
    return min(this.pending, this.measure) - this.measure;
  }

  /** What alpha is measured in. */
  get measure() {
    return this.oneAtATime ? this.min : this.last;
  }

  /** @param {number} dt */
  accept(dt) {
    const before = this.lag();
    const total = this.pending + dt;
    this.full = this.lost = 0;
    this.rest = NaN;
    this.reason = null;
    if (total > this.huge) {
      this.pending = 0;
      this.last = this.min;
      this.stale = true;
      if (this.isEven) this.forget(this.simulated);
      this.lost = total;
      this.reason = "stale";
      this.presented = dt;
      return;
    }
    if (this.oneAtATime) {
      if (total >= this.min) this.rest = min(total, this.max);
      this.pending = this.rest === this.rest ? total - this.rest : total;
    } else if (!this.isEven && total <= TINY) {
      this.pending = 0;
      this.lost = total;
      this.reason = total > 0 ? "tiny" : null;
    } else {
      let left = total;
      while (left > this.max) {
        left -= this.max;
        this.full++;
      }
      if (left > this.min) this.rest = left;
      this.pending = this.rest === this.rest ? 0 : left;
    }
    this.presented = this.run(before, dt);
  }

  stepOnce() {
    const before = this.lag();
    this.full = this.lost = 0;
    this.reason = null;
    this.rest = this.min;
    this.presented = this.run(before, this.min);
  }

  /** Runs the quanta; how far the picture advanced. @param {number} before @param {number} dt */
  run(before, dt) {
    let ran = 0;
    const count = this.full + (this.rest === this.rest ? 1 : 0);
    for (let n = 0; n < count; n++) {
      const quantum = n < this.full ? this.max : this.rest;
      ran += quantum;
      this.simulated = min(this.simulated + quantum, AGES);
      this.last = quantum;
      this.stale = false;
      if (this.isEven) this.quantum(this.simulated, quantum);
    }
    return this.isEven
      ? this.advance(this.simulated + this.pending, this.simulated, dt)
      : max(ran + this.lag() - before, 0);
  }

  cut() {
    this.pending = 0;
    this.last = this.min;
    this.stale = false;
    if (this.isEven) {
      this.forget(this.simulated - this.min);
      this.push(this.simulated);
    }
  }

  /** @param {import("./moment.js").Moment} moment */
  place(moment) {
    if (this.stale) moment.set(1, 0, 0);
    else if (this.isEven) this.placeEven(moment);
    else moment.set(this.pending / this.measure, 0, 0);
  }

  begin() {
    this.drawn = -this.min;
    this.distance = this.min;
    this.ends = new Float64Array(this.endsNeeded);
    this.ends[0] = -this.min;
    this.room = (MEMORY - this.endsNeeded) >> 1;
    this.ended = new Float64Array(this.room);
    this.lengths = new Float64Array(this.room);
  }

  /** @param {number} back */
  end(back) {
    const sum = this.newest + this.endsNeeded - back;
    return this.ends[sum >= this.endsNeeded ? sum - this.endsNeeded : sum];
  }

  /** @param {number} end */
  push(end) {
    this.newest = this.newest + 1 >= this.endsNeeded ? 0 : this.newest + 1;
    this.ends[this.newest] = end;
    this.known = Math.min(this.known + 1, this.endsNeeded);
  }

  /** @param {number} i */
  candidate(i) {
    return (this.first + i) % this.room;
  }

  /** @param {number} ended @param {number} length */
  quantum(ended, length) {
    this.push(ended);
    while (this.count > 0 && this.lengths[this.candidate(this.count - 1)] <= length) this.count--;
    if (this.count === this.room) {
      // The last candidate then stands for this one too: its length is a bound for both.
      this.ended[this.candidate(this.count - 1)] = ended;
    } else {
      const at = this.candidate(this.count++);
      this.ended[at] = ended;
      this.lengths[at] = length;
    }
  }

  /** @param {number} now */
  forget(now) {
    this.ends[this.newest] = now;
    this.known = 1;
  }

  /** @param {number} accumulated @param {number} simulated @param {number} dt */
  advance(accumulated, simulated, dt) {
    let longest = this.min;
    while (this.count > 0) {
      if (simulated - this.ended[this.first] <= WINDOW) {
        longest = this.lengths[this.first];
        break;
      }
      this.first = this.candidate(1);
      this.count--;
    }
    this.distance = max(longest, this.distance - SHRINK * dt);
    const before = this.drawn;
    this.drawn = max(before, accumulated - this.distance);
    return this.drawn - before;
  }

  /** @param {import("./moment.js").Moment} moment */
  placeEven(moment) {
    // Rounding must not show an end as the last bit of the interval before it.
    const drawn = this.drawn + 1e-9;
    if (this.known < 2 || drawn >= this.end(0)) {
      moment.set(1, 0, 0);
      return;
    }
    const oldest = this.known - 2;
    let back = 0;
    while (back < oldest && !(this.end(back + 1) <= drawn)) back++;
    const from = this.end(back + 1);
    moment.set((this.drawn - from) / (this.end(back) - from), back, 0);
  }
}
