import { max } from "./math.js";
import { length } from "./math.js";
import { WaypointCounts, Waypoints, apart } from "./queue.js";
import {
  WaypointStep, along, checkDistance, checkOffset, checkPosition, checkSpeed, checkTime, face, level, noStep, rebasePlace,
  sum, takePose,
} from "./rules.js";
import { Track } from "./track.js";
import { origin } from "./values.js";

/** @import { Drawn } from "./drawn.js" */
/** @import { Moment } from "./moment.js" */
/** @import { Placement, WaypointOutcome, WaypointReport, WaypointTick } from "./queue.js" */
/** @import { WaypointRules } from "./rules.js" */
/** @import { Numbers, Value } from "./values.js" */

/** How a stamp of 16 bits that wraps around compares with the newest one known: below 0 is older. Exactly half the circle
 * counts as newer, because missing a teleport is worse than seeing one twice. @param {number} stamp @param {number} known */
function age(stamp, known) {
  const ahead = (stamp - known) & 0xffff;
  return ahead === 0 ? 0 : ahead <= 0x8000 ? 1 : -1;
}

/** The stamps of the newest report of a body in the world. */
class Known {
  teleport = 0;
  forced = 0;
  sequence = -1;

  /** @param {WaypointReport} report @param {boolean} anew */
  set(report, anew) {
    this.teleport = (report.teleport ?? 0) & 0xffff;
    this.forced = (report.forced ?? 0) & 0xffff;
    // One without a number leaves the newest number known.
    if (report.sequence !== undefined) this.sequence = report.sequence & 0xffff;
    else if (anew) this.sequence = -1;
  }

  /** Whether a report of the same teleport was sent before the newest, or is the same once more.
   * @param {WaypointReport} report */
  overtaken(report) {
    return report.sequence !== undefined && this.sequence >= 0 && age(report.sequence, this.sequence) <= 0;
  }
}

/** A leash: from its start on it slows a body down, at its end it holds it. It counts the way travelled. */
class Leash {
  anchor = new Float64Array(3);
  indoors = false;
  // NaN: the distance is to be measured before the next step that counts.
  way = NaN;

  /** @param {Value} pose @param {boolean} indoors */
  set(pose, indoors) {
    for (let n = 0; n < 3; n++) this.anchor[n] = pose[n];
    this.indoors = indoors;
    this.way = NaN;
  }

  /** @param {WaypointRules} rules @returns {Numbers} */
  lengths({ settings }) {
    return this.indoors ? settings.leashIndoors : settings.leashOutdoors;
  }

  /** @param {Value} body */
  travelled(body) {
    // What is infinitely far away is held.
    return this.way === this.way ? this.way : Math.min(apart(this.anchor, body), Number.MAX_VALUE);
  }

  /** Shortens a step to what is left of it, which counts as travelled. In the air nothing holds a body.
   * @param {WaypointRules} rules @param {Value} body @param {Value} offset @param {boolean} contact */
  hold(rules, body, offset, contact) {
    const [start, end] = Array.from(this.lengths(rules));
    const travelled = this.travelled(body);
    const share = !contact || travelled <= start ? 1 : travelled < end ? (end - travelled) / (end - start) : 0;
    this.way = sum(travelled, length(offset[0], offset[1], offset[2]) * share);
    for (let n = 0; n < 3; n++) offset[n] *= share;
  }
}

const NEW = 0;
const ASLEEP = 1;
const WOKEN = 2;
const AWAKE = 3;

/**
 * Another player's body, which walks from report to report: queue, routing of reports, leash and drawing in one.
 *
 * ```js
 * const rules = new WaypointRules();
 * const other = new RemoteBody(rules);
 * other.report({ pose, teleport: message.teleports }, distanceFromViewer);
 * // in every tick
 * const step = other.step({ dt, maxSpeed: 4 });
 * if (step) {
 *   const { place } = other.moved(moveAndCollide(other.truth, step));
 *   if (place) other.accept(place);
 * }
 * // every frame
 * const drawn = other.draw(stepper.moment);
 * ```
 */
export class RemoteBody {
  #rules;
  #queue;
  #track = new Track(origin());
  #inWorld = false;
  #known = new Known();
  #leashed = false;
  #leash = new Leash();
  // What the body sticks to.
  #sticks = false;
  #target = new Float64Array(3);
  #radii = 0.5;
  #lease = 0.5;
  #state = NEW;
  #woken = 0.5;
  #skipped = 0;
  // The length of the tick that has begun with `step` and not ended with `moved`; else NaN.
  #ticking = NaN;
  #pose = origin();
  #step = new WaypointStep();
  #beside = new WaypointStep();
  #way = new Float64Array(3);

  /** @param {WaypointRules} rules */
  constructor(rules) {
    this.#rules = rules;
    this.#queue = new Waypoints(rules);
  }

  /** @template T @param {() => T} checks @returns {T} */
  #counted(checks) {
    try {
      return checks();
    } catch (error) {
      this.#queue.counts.unusable++;
      throw error;
    }
  }

  /**
   * Takes in a report of the body, which it puts `fromViewer` units from the viewer.
   *
   * @param {WaypointReport} report
   * @param {number} fromViewer
   * @returns {"stale" | "cut" | "ignore" | "place" | "enqueue"} What was done with it. `stale`: it is older than what is
   *   known. `cut`: the body teleported, or appears. `ignore`: it is in the air. `place`: too far away to be seen walking.
   *   `enqueue`: it walks there.
   */
  report(report, fromViewer) {
    const pose = this.#pose;
    const route = this.#counted(() => {
      takePose(pose, report.pose);
      return this.#route(report, fromViewer);
    });
    if (route === "stale") {
      this.#queue.counts.stale++;
      return route;
    }
    const cut = route === "cut";
    if (cut || route === "place") {
      this.#queue.stop();
      this.#cut(pose);
    } else if (route === "enqueue") {
      const { truth } = this.#track;
      const enqueued = this.#queue.enqueue(truth, report);
      if (enqueued instanceof Float64Array) {
        const turned = this.#step.apply(truth, this.#pose.slice());
        turned.set(truth);
        turned.set(enqueued, 3);
        this.#track.correct(turned);
      }
    }
    this.#known.set(report, cut || !this.#inWorld);
    this.#inWorld = true;
    takePose(pose, report.pose);
    this.#leash.set(pose, report.indoors ?? false);
    this.#leashed = true;
    return route;
  }

  #route(/** @type {WaypointReport} */ report, /** @type {number} */ fromViewer) {
    const newer = this.#inWorld ? age((report.teleport ?? 0) & 0xffff, this.#known.teleport) : 0;
    if (newer > 0) return "cut"; // wherever the viewer is
    checkDistance(fromViewer);
    if (!this.#inWorld) return "cut";
    if (newer < 0 || this.#known.overtaken(report)) return "stale";
    if (report.contact === false) return "ignore";
    return fromViewer >= this.#rules.settings.activeRadius ? "place" : "enqueue";
  }

  /** Adds a velocity that the body is to have when it has reached everything reported. @param {Numbers} velocity */
  enqueueVelocity(velocity) {
    this.#queue.enqueueVelocity(velocity);
  }

  /** Adds a stop: the body is to stand when it has reached everything reported. */
  enqueueStop() {
    this.#queue.enqueueStop();
  }

  /** Forgets all waypoints: the body stays where it is. */
  stop() {
    this.#queue.stop();
  }

  /**
   * Keeps the body beside `target`, facing it. It ends by itself after a second; call it again in time to renew it.
   *
   * @param {Numbers} target
   * @param {number} radii The sum of both bodies' radii.
   */
  stickTo(target, radii) {
    this.#counted(() => {
      checkPosition(target);
      checkDistance(radii);
    });
    for (let n = 0; n < 3; n++) this.#target[n] = target[n];
    this.#radii = radii;
    this.#lease = this.#rules.settings.stickyLease;
    this.#sticks = true;
  }

  /** Moves the target that the body sticks to, if there is one. This does not renew it. @param {Numbers} target */
  follow(target) {
    if (!this.#sticks) return;
    this.#counted(() => checkPosition(target));
    for (let n = 0; n < 3; n++) this.#target[n] = target[n];
  }

  /** Releases the body from its target. */
  release() {
    this.#sticks = false;
  }

  /** Whether the body sticks to a target. */
  get isSticking() {
    return this.#sticks && this.#lease >= 0;
  }

  #spend(/** @type {number} */ dt) {
    this.#lease = max(this.#lease - dt, -Number.MAX_VALUE);
  }

  /**
   * Begins a frame of `dt` seconds, with the body `fromViewer` units from the viewer. Call it before the frame's ticks, or
   * never. A body beyond the settings' `activeRadius` is not simulated, and its time is lost.
   *
   * @param {number} dt @param {number} fromViewer
   */
  frame(dt, fromViewer) {
    const was = this.isSimulated;
    const seconds = dt > 0 && dt < Infinity ? dt : 0;
    if (fromViewer <= this.#rules.settings.activeRadius) {
      if (this.#state === WOKEN) {
        this.#woken = sum(this.#woken, seconds);
      } else if (this.#state !== AWAKE) {
        this.#state = WOKEN;
        this.#woken = seconds;
      }
    } else {
      this.#state = ASLEEP;
      this.#skipped = sum(this.#skipped, seconds);
    }
    // What it did before is not what it does next: no glide from one to the other.
    if (was !== this.isSimulated) this.#track.cut(this.#track.truth);
  }

  /**
   * Runs one tick of a world without obstacles: the whole step, and every placement accepted.
   *
   * @param {WaypointTick} tick
   * @returns {WaypointOutcome | null} The same object every time; null if the body is not simulated.
   */
  walk(tick) {
    const step = this.step(tick);
    if (!step) return null;
    const outcome = this.moved(step.apply(this.#track.truth, this.#pose));
    if (outcome.place) this.accept(outcome.place);
    return outcome;
  }

  /**
   * Begins a tick, and returns the step for your physics to take and to collide; then call `moved` in the same tick.
   *
   * @param {WaypointTick} tick
   * @param {WaypointStep} [root] The animation's own motion in this tick: waypoints and targets replace it, the leash
   *   shortens it.
   * @returns {WaypointStep | null} The same object every time; null: the body is not in the world, or too far away.
   */
  step(tick, root) {
    const { dt, maxSpeed, contact = true, sticky = false } = tick;
    this.#counted(() => {
      checkTime(dt);
      checkSpeed(maxSpeed);
      if (root) checkOffset(root.offset);
    });
    if (!this.#inWorld) return null;
    const { truth } = this.#track;
    const lived = this.#lived(dt);
    if (!(lived === lived)) {
      if (this.#state === WOKEN) this.#state = AWAKE;
      if (this.#sticks) this.#spend(dt);
      this.#ticking = NaN;
      this.#track.push(truth);
      return null;
    }
    const sticks = this.isSticking;
    // First the one that may refuse and changes nothing.
    const beside = this.#beside;
    if (sticks) this.#counted(() => this.#stepBeside(truth, lived, maxSpeed));
    const walked = this.#queue.step(truth, { dt: lived, maxSpeed, contact, sticky: sticky || sticks });
    if (this.#state === WOKEN) this.#state = AWAKE;
    this.#ticking = lived;
    const step = this.#step;
    if (!sticks && walked) {
      if (this.#leashed) this.#leash.way = NaN;
      return walked;
    }
    step.clear();
    if (sticks) {
      step.offset.set(beside.offset);
      step.turn.set(beside.turn);
    } else if (root) {
      for (let n = 0; n < 3; n++) step.offset[n] = lived < dt ? root.offset[n] * (lived / dt) : root.offset[n];
      step.turn.set(root.turn);
    }
    if (this.#leashed) this.#leash.hold(this.#rules, truth, step.offset, contact);
    return step;
  }

  // How much of a tick of `dt` seconds the body lives; NaN: nothing.
  #lived(/** @type {number} */ dt) {
    if (this.#state === ASLEEP) return NaN;
    if (this.#state !== WOKEN) return dt;
    return this.#woken > 0 ? (dt < this.#woken ? dt : this.#woken) : NaN;
  }

  #stepBeside(/** @type {Value} */ body, /** @type {number} */ dt, /** @type {number} */ maxSpeed) {
    const rules = this.#rules;
    const k = rules.settings;
    const step = this.#beside;
    const way = this.#way;
    const target = this.#target;
    level(way, target[0] - body[0], target[1] - body[1], target[2] - body[2], k.up);
    const centres = length(way[0], way[1], way[2]);
    checkDistance(centres);
    step.clear();
    // One inside the other: no direction to face or to back off in.
    if (centres < k.leastProgress) return;
    const gap = centres - this.#radii - k.stickyGap;
    const speed = rules.speed(k.stickySpeed, maxSpeed, k.stickyFallbackSpeed);
    const long = Math.min(Math.min(speed * dt, Math.abs(gap)), Number.MAX_VALUE);
    along(step.offset, way[0], way[1], way[2], centres, gap < 0 ? -long : long);
    face(step.turn, body, k.ahead, way, k.up);
  }

  /**
   * Ends a tick with the body at `truth`, after collision. A `truth` that cannot be used is refused, and the body stands
   * still in this tick.
   *
   * @param {Numbers} truth
   * @returns {WaypointOutcome} The same object every time.
   */
  moved(truth) {
    const pose = this.#pose;
    const dt = this.#ticking;
    this.#ticking = NaN;
    try {
      takePose(pose, truth);
      if (!(dt === dt)) throw noStep(pose);
    } catch (error) {
      this.#queue.counts.unusable++;
      if (dt === dt) this.#track.push(this.#track.truth); // a track has a value of every tick
      throw error;
    }
    this.#track.push(pose);
    const outcome = this.#queue.endTick(this.#track.truth, dt);
    if (this.#sticks) this.#spend(dt);
    outcome.released = this.#sticks && !(this.#lease >= 0);
    if (outcome.released) this.#sticks = false;
    return outcome;
  }

  /**
   * Confirms that the body was put where `placement` says, now or any number of ticks later. The picture cuts.
   *
   * @param {Placement} placement
   * @returns {boolean} False, and nothing changes, if something newer has replaced the request.
   */
  accept(placement) {
    if (!this.#queue.accept(placement)) return false;
    this.#cut(placement.pose);
    this.#leash.way = NaN;
    return true;
  }

  /**
   * Declines `placement`, for example because another body stands there. It is repeated in the next tick.
   *
   * @param {Placement} placement
   */
  refuse(placement) {
    return this.#queue.refuse(placement);
  }

  #cut(/** @type {Value} */ pose) {
    this.#ticking = NaN;
    this.#track.cut(pose);
  }

  /** Where the body is in the simulation; null before its first report. Do not write to it.
   * @returns {Readonly<Value> | null} */
  get truth() {
    return this.#inWorld ? this.#track.truth : null;
  }

  /** Returns where to draw the body, without remembering it; null before its first report. @param {Moment} moment
   * @returns {Value | null} The same array every time. */
  view(moment) {
    return this.#inWorld ? this.#track.view(moment) : null;
  }

  /** Draws the body, once a frame; null before its first report. @param {Moment} moment
   * @returns {Drawn | null} The same object every time. */
  draw(moment) {
    return this.#inWorld ? this.#track.draw(moment) : null;
  }

  /** The body's queue: its waypoints, failures and counts. */
  get waypoints() {
    return this.#queue;
  }

  /** How much of its leash the body has used, in units; null before its first report. */
  get strayed() {
    return this.#leashed ? this.#leash.travelled(this.#track.truth) : null;
  }

  /** Whether the body is near enough to the viewer to be simulated. */
  get isSimulated() {
    return this.#state !== ASLEEP;
  }

  /** How many seconds passed without the body because it was too far away. */
  get secondsSkipped() {
    return this.#skipped;
  }

  /** Moves everything remembered with the world's origin, so that nothing is seen. @param {Numbers} by */
  rebase(by) {
    this.#queue.rebase(by);
    rebasePlace(this.#target, by);
    rebasePlace(this.#leash.anchor, by);
    this.#track.rebase(by);
  }
}

/**
 * The player at this machine, and what the server's reports of it (its echoes) do. An echo says where the player was, so
 * nothing walks toward it: it only puts the player on a leash. Teleports and forced positions cut.
 */
export class OwnPlayer {
  /** What was refused: `stale` echoes, and calls with `unusable` numbers. @readonly */
  counts = new WaypointCounts();
  #rules;
  #inWorld = false;
  #known = new Known();
  #leashed = false;
  #leash = new Leash();
  #pose = origin();

  /** @param {WaypointRules} rules */
  constructor(rules) {
    this.#rules = rules;
  }

  /**
   * Takes in an echo of your own movement.
   *
   * @param {WaypointReport} report
   * @returns {"stale" | "cut" | "forced" | "leashed"} `cut` and `forced`: put the body at the report's pose, and cut its
   *   track. `leashed`: the player walks on, on a new leash.
   */
  echo(report) {
    try {
      takePose(this.#pose, report.pose);
    } catch (error) {
      this.counts.unusable++;
      throw error;
    }
    const known = this.#known;
    const teleport = age((report.teleport ?? 0) & 0xffff, known.teleport);
    if (!this.#inWorld || teleport > 0) {
      known.set(report, true);
      this.#inWorld = true;
      this.#leashed = false;
      return "cut";
    }
    const forced = age((report.forced ?? 0) & 0xffff, known.forced);
    if (teleport < 0 || forced < 0 || (forced === 0 && known.overtaken(report))) {
      this.counts.stale++;
      return "stale";
    }
    known.set(report, false);
    this.#leash.set(this.#pose, report.indoors ?? false);
    this.#leashed = true;
    return forced > 0 ? "forced" : "leashed";
  }

  /**
   * Shortens the player's own step from `body` to what the leash leaves of it.
   *
   * @param {Numbers} body
   * @param {Float64Array<ArrayBuffer>} offset The step's translation, which is changed.
   * @param {boolean} contact
   */
  limit(body, offset, contact) {
    try {
      checkPosition(body);
      checkOffset(offset);
    } catch (error) {
      this.counts.unusable++;
      throw error;
    }
    if (!this.#leashed) return;
    for (let n = 0; n < 3; n++) this.#pose[n] = body[n];
    this.#leash.hold(this.#rules, this.#pose, offset, contact);
  }

  /** Returns how much of the leash the player at `body` has used, in units; null without a leash. @param {Numbers} body */
  strayed(body) {
    for (let n = 0; n < 3; n++) this.#pose[n] = body[n];
    return this.#leashed ? this.#leash.travelled(this.#pose) : null;
  }

  /** Returns whether the leash is nearly or wholly used up: wait for the next echo. @param {Numbers} body */
  isHeld(body) {
    const used = this.strayed(body);
    return used !== null && used > this.#rules.settings.leashFull * this.#leash.lengths(this.#rules)[1];
  }

  /** Moves everything remembered with the world's origin. @param {Numbers} by */
  rebase(by) {
    rebasePlace(this.#leash.anchor, by);
  }
}
