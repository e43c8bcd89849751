// System `waypoints`: one remote body, z up, that catches up with its reports.
import { WaypointRules, WaypointStep, Waypoints } from "../src/waypoints.js";
import { unit } from "./snapshots.js";

/** @import { Fields } from "./fields.js" */

const EVENTS = /** @type {const} */ (["enqueue", "enqueue_velocity", "enqueue_stop", "tick", "stop"]);
const NOTHING = { offset: null, turn: null, placed: null, velocity: null };

export class Walker {
  /** How many numbers this script's poses have. @type {number | undefined} */
  #numbers;
  /** @type {number[]} */
  #body = [0, 0, 0, 0, 0, 0, 1];

  /** @param {Fields} header */
  constructor(header) {
    const rule = header.text("rule") ?? "client";
    if (rule !== "client" && rule !== "seed") {
      throw new Error(`unknown rule ${JSON.stringify(rule)}: give client or seed`);
    }
    this.rules = WaypointRules.zUp({ rule: rule === "client" ? "by-speed" : "by-time" });
    this.queue = new Waypoints(this.rules);
    this.maxSpeed = header.notNegative("max_speed") ?? 4;
    this.blip = header.notNegative("blip") ?? 100;
    const start = header.pose("start");
    if (start) this.#body = this.#pose("start", start);
  }

  /** A pose of the script, which must have as many numbers as the poses before it.
   * @param {string} key @param {number[]} pose */
  #pose(key, pose) {
    this.#numbers ??= pose.length;
    if (this.#numbers !== pose.length) {
      throw new Error(`${key} mixes pose lengths: a script uses 3 or 7 numbers throughout`);
    }
    return pose.length === 3 ? [...pose, 0, 0, 0, 1] : unit(pose);
  }

  /** @param {Fields} event */
  event(event) {
    const kind = event.kind(EVENTS);
    /** @type {{ offset: number[] | null, turn: number[] | null, placed: number[] | null, velocity: number[] | null }} */
    let happened = NOTHING;
    if (kind === "enqueue") {
      const given = /** @type {number[]} */ (event.pose(kind));
      const keepHeading = event.flag("keep_heading") ?? false;
      const blip = event.notNegative("blip") ?? this.blip;
      event.finish();
      const pose = this.#pose(kind, given);
      const enqueued = this.queue.enqueue(this.#body, { pose, keepHeading, blip });
      if (enqueued instanceof Float64Array) this.#body = [...this.#body.slice(0, 3), ...enqueued];
    } else if (kind === "enqueue_velocity") {
      const velocity = /** @type {number[]} */ (event.vector(kind));
      event.finish();
      this.queue.enqueueVelocity(velocity);
    } else if (kind === "tick") {
      happened = this.#tick(event);
    } else {
      if (event.flag(kind) !== true) throw new Error(`${kind} must be true`);
      event.finish();
      if (kind === "stop") this.queue.stop();
      else this.queue.enqueueStop();
    }
    // What has been printed without rotations cannot grow them later.
    this.#numbers ??= 3;
    const { queue } = this;
    return {
      offset: happened.offset,
      turn: this.#numbers === 7 ? (happened.turn?.map(single) ?? null) : null,
      position: this.#body.slice(0, this.#numbers),
      depth: queue.length,
      failures: queue.failures,
      frames: queue.frames,
      baseline: queue.baseline ?? this.rules.settings.unmeasured,
      placed: happened.placed?.slice(0, this.#numbers) ?? null,
      velocity: happened.velocity,
    };
  }

  /** @param {Fields} event */
  #tick(event) {
    const dt = /** @type {number} */ (event.time("tick"));
    const maxSpeed = event.notNegative("max_speed") ?? this.maxSpeed;
    const contact = event.flag("contact") ?? true;
    const sticky = event.flag("sticky") ?? false;
    const moved = event.vector("moved");
    const accepts = event.flag("place") ?? true;
    event.finish();
    if (!(dt > 0 && dt < Infinity)) return NOTHING; // a time that a real loop can produce: a pure read
    const step = this.queue.step(this.#body, { dt, maxSpeed, contact, sticky });
    const offset = step && [...step.offset];
    const turn = step && [...step.turn];
    const taken = new WaypointStep();
    if (turn) taken.turn.set(turn);
    taken.offset.set(moved ?? offset ?? [0, 0, 0]);
    this.#body = taken.apply(this.#body, [0, 0, 0, 0, 0, 0, 0]);
    const outcome = this.queue.endTick(this.#body, dt);
    let { velocity } = outcome;
    let placed = null;
    if (outcome.place && !accepts) {
      this.queue.refuse(outcome.place);
    } else if (outcome.place && this.queue.accept(outcome.place)) {
      this.#body = placed = [...outcome.place.pose];
      velocity = outcome.place.velocity;
    }
    return { offset, turn, placed, velocity };
  }
}

/** The shortest number that reads back as this one in single precision. @param {number} x */
function single(x) {
  for (let digits = 1; x !== 0 && digits < 9; digits++) {
    const short = Number(x.toPrecision(digits));
    if (Math.fround(short) === x) return short;
  }
  return x === 0 ? x : Number(x.toPrecision(9));
}
