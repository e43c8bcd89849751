import { length, min } from "./math.js";
import {
  WaypointStep, along, checkDistance, checkPosition, checkSpeed, checkTime, checkVelocity, rebasePlace, sum, takePose,
  turnBetween,
} from "./rules.js";
import { POSE, origin } from "./values.js";

/** @import { WaypointRules } from "./rules.js" */
/** @import { Numbers, Value } from "./values.js" */

// The most waypoints, whatever their kind.
const MOST = 32;
const POSITION = 0;
const VELOCITY = 1;
const STOP = 2;

/**
 * A report of where a body is, as it came from the network.
 *
 * @typedef {object} WaypointReport
 * @property {Numbers} pose Where the body is: `[x, y, z]` or `[x, y, z, qx, qy, qz, qw]`.
 * @property {number} [teleport] The server's count of the body's teleports, 16 bits that wrap around. Default 0.
 * @property {number} [sequence] The server's count of the body's reports, 16 bits, if your transport can reorder them.
 * @property {number} [forced] The count of positions forced upon the receiver's own player; see {@link OwnPlayer}.
 * @property {boolean} [contact] Whether it stood on something there. Default true.
 * @property {boolean} [keepHeading] Whether to walk there without turning. Default false.
 * @property {boolean} [indoors] Whether it is indoors, where distances and leashes are shorter. Default false.
 * @property {number} [blip] The farthest distance to walk; beyond it the body is placed. By the settings without it.
 * @property {unknown} [payload] What comes back with the placement if the body is placed here, such as a cell id.
 */

/**
 * One tick of the simulation, as a body meets it.
 *
 * @typedef {object} WaypointTick
 * @property {number} dt Seconds.
 * @property {number} maxSpeed The body's own top speed; 0 for a body that has none.
 * @property {boolean} [contact] Whether the body stands on something. In the air it does not walk. Default true.
 * @property {boolean} [sticky] Whether your own code holds the body, so that standing still does not count as stuck.
 *   Default false.
 */

/** A request to put a body somewhere, because it cannot walk there. It is repeated in every tick until you answer. */
export class Placement {
  /** Where to put the body. @type {Value} */
  pose = origin();
  /** The velocity to have from then on; null: leave it as it is. @type {number[] | null} */
  velocity = null;
  /** The payload of the report that the body is placed at. @type {unknown} */
  payload = undefined;
  /** @internal */ version = 0;
}

/** What the end of a tick brought. A queue has one of these and changes it with every tick. */
export class WaypointOutcome {
  /** The body asks to be placed: put it there and accept, or refuse. @type {Placement | null} */
  place = null;
  /** The velocity to have from now on: that of a velocity node whose turn came. @type {number[] | null} */
  velocity = null;
  /** A stop node's turn came. @type {boolean} */
  stopped = false;
  /** The body's target was not renewed in time: it no longer sticks to it. @type {boolean} */
  released = false;

  /** @internal */
  clear() {
    this.place = null;
    this.velocity = null;
    this.stopped = this.released = false;
  }
}

/** What was dropped, given up or refused, counted over a whole life. */
export class WaypointCounts {
  /** Oldest nodes dropped because there were too many. */ evicted = 0;
  /** Newest nodes replaced by a report of the same place. */ replaced = 0;
  /** Waypoints given up after a window without progress. */ failed = 0;
  /** Placements accepted. */ placed = 0;
  /** Placements refused. */ refused = 0;
  /** Answers to placements that something newer had replaced. */ late = 0;
  /** Calls refused for an input that cannot be used. */ unusable = 0;
  /** Reports refused because a newer one had overtaken them. */ stale = 0;
}

class Node {
  kind = POSITION;
  pose = new Float64Array(POSE);
  /** @type {unknown} */
  payload = undefined;
}

/**
 * The catch-up queue alone: the reports a body still has to walk to. The body itself is yours, and every call is given its
 * pose. {@link RemoteBody} adds routing, drawing and the leash.
 *
 * ```js
 * const queue = new Waypoints(new WaypointRules());
 * queue.enqueue(body, { pose: report });
 * // in every tick
 * const step = queue.step(body, { dt, maxSpeed: 4 });
 * if (step) step.apply(body, body);                       // your physics: move, collide
 * const { place } = queue.endTick(body, dt);
 * if (place && queue.accept(place)) body = [...place.pose];
 * ```
 */
export class Waypoints {
  /** What was dropped, given up or refused. @readonly */
  counts = new WaypointCounts();
  #rules;
  /** @type {Node[]} */
  #nodes = [];
  /** @type {Node[]} */
  #spare = [];
  #sumDt = 0;
  #baseline = NaN;
  #frames = 0;
  #failures = 0;
  #version = 0;
  #keepHeading = false;
  #hasBlip = false;
  #blipTo = new Node();
  #step = new WaypointStep();
  #outcome = new WaypointOutcome();
  #placement = new Placement();
  #body = origin();
  #target = origin();
  #heading = new Float64Array(4);

  /** @param {WaypointRules} rules */
  constructor(rules) {
    this.#rules = rules;
  }

  // Runs what may refuse its input, and counts that.
  #counted(/** @type {() => void} */ check) {
    try {
      check();
    } catch (error) {
      this.counts.unusable++;
      throw error;
    }
  }

  /**
   * Takes in a report of the body, which is at `body` now.
   *
   * @param {Numbers} body
   * @param {WaypointReport} report
   * @returns {"queued" | "far" | Float64Array | null} `queued`: the body walks there. `far`: it is too far to walk, and the
   *   body will be placed there. Otherwise the body is there already: turn it to this heading (x y z w), or null if it
   *   keeps its own.
   */
  enqueue(body, report) {
    const k = this.#rules.settings;
    const blip = report.blip ?? (report.indoors ? k.blipIndoors : k.blipOutdoors);
    const target = this.#target;
    let [fromBody, fromReference] = [0, 0];
    this.#counted(() => {
      takePose(target, report.pose);
      takePose(this.#body, body);
      checkDistance(blip);
      fromBody = apart(this.#body, target);
      checkDistance(fromBody);
      const newest = this.#nodes.at(-1);
      fromReference = newest?.kind === POSITION ? apart(newest.pose, target) : fromBody;
      checkDistance(fromReference);
    });
    const keep = report.keepHeading ?? false;
    const rules = this.#rules;
    if (fromReference > blip) {
      if (rules.bySpeed ? this.#keepHeading : keep) rules.heading(target, 3, this.#body);
      this.#append(POSITION, target, report.payload);
      this.#failures = k.patience + 1;
      return "far";
    }
    if (fromBody <= k.there) {
      this.stop();
      if (keep) return null;
      rules.heading(this.#heading, 0, target);
      return this.#heading;
    }
    const nodes = this.#nodes;
    for (let newest = nodes.at(-1); newest?.kind === POSITION; newest = nodes.at(-1)) {
      const distance = apart(newest.pose, target);
      if (!(rules.bySpeed ? distance < k.there : distance <= k.there)) break;
      this.#spare.push(/** @type {Node} */ (nodes.pop()));
      this.counts.replaced++;
    }
    while (nodes.length >= k.crowd) {
      this.#removeFirst();
      this.counts.evicted++;
      if (!rules.bySpeed) break;
    }
    this.#keepHeading = keep;
    this.#append(POSITION, target, report.payload);
    return "queued";
  }

  /**
   * Adds a velocity that the body is to have when it has reached everything before it.
   *
   * @param {Numbers} velocity Units per second.
   */
  enqueueVelocity(velocity) {
    this.#counted(() => checkVelocity(velocity));
    this.#append(VELOCITY, velocity, undefined);
  }

  /** Adds a stop: the body is to stand when it has reached everything before it. */
  enqueueStop() {
    this.#append(STOP, null, undefined);
  }

  #append(/** @type {number} */ kind, /** @type {Numbers | null} */ pose, /** @type {unknown} */ payload) {
    if (this.#nodes.length === MOST) {
      this.#removeFirst();
      this.counts.evicted++;
    }
    const node = this.#spare.pop() ?? new Node();
    node.kind = kind;
    node.payload = payload;
    if (pose) for (let n = 0; n < pose.length; n++) node.pose[n] = pose[n];
    this.#nodes.push(node);
    this.#version++;
  }

  #removeFirst() {
    const first = this.#nodes.shift();
    if (first) this.#spare.push(first);
    return first;
  }

  /**
   * Returns the step for this tick, before collision; null: the queue has no say, and the animation's own root motion
   * stands.
   *
   * @param {Numbers} body
   * @param {WaypointTick} tick
   * @returns {WaypointStep | null} The same object every time.
   */
  step(body, { dt, maxSpeed, contact = true, sticky = false }) {
    try {
      checkTime(dt);
      checkSpeed(maxSpeed);
    } catch (error) {
      this.counts.unusable++;
      throw error;
    }
    const node = this.#nodes[0];
    if (node?.kind !== POSITION || !contact) return null;
    const here = this.#body;
    let d = 0;
    try {
      takePose(here, body);
      d = apart(here, node.pose);
      checkDistance(d);
    } catch (error) {
      this.counts.unusable++;
      throw error;
    }
    const rules = this.#rules;
    const k = rules.settings;
    if (rules.bySpeed ? d < k.there : d <= k.there) {
      this.#complete(here, true);
      return null;
    }
    const speed = rules.speed(k.catchUp, maxSpeed, k.fallbackSpeed);
    this.#sumDt = sum(this.#sumDt, dt);
    this.#frames++;
    if (this.#frames >= k.window) {
      if (sticky || this.#progressed(d, speed, dt)) {
        this.#frames = 0;
        this.#sumDt = 0;
        this.#baseline = d;
      } else {
        const close = rules.bySpeed && d < k.close;
        if (!close) {
          this.#failures++;
          this.counts.failed++;
        }
        this.#complete(here, close);
        return null;
      }
    }
    const step = this.#step;
    step.clear();
    if (!this.#keepHeading) turnBetween(step.turn, here, 3, node.pose, 3);
    const x = node.pose[0] - here[0];
    const y = node.pose[1] - here[1];
    const z = node.pose[2] - here[2];
    // Only `by-speed` comes here at exactly this distance: it completes the node and still takes the step.
    if (d <= k.there) this.#complete(here, true);
    along(step.offset, x, y, z, d, min(speed * dt, d));
    return step;
  }

  // Whether the window that ends now saw the body come nearer.
  #progressed(/** @type {number} */ d, /** @type {number} */ speed, /** @type {number} */ dt) {
    const k = this.#rules.settings;
    const progress = (this.#baseline === this.#baseline ? this.#baseline : k.unmeasured) - d;
    if (this.#rules.bySpeed) return progress >= k.leastProgress && progress / this.#sumDt / speed >= k.share;
    return progress >= k.ampleProgress || (progress > k.leastProgress && progress / this.#sumDt / dt >= k.share);
  }

  // The first node is done with.
  #complete(/** @type {Value} */ body, /** @type {boolean} */ success) {
    const removed = this.#removeFirst();
    this.#frames = 0;
    this.#sumDt = 0;
    const next = this.#nodes[0];
    if (next?.kind === POSITION) {
      const d = apart(body, next.pose);
      this.#baseline = d < Infinity ? d : NaN;
      return;
    }
    if (!success && removed?.kind === POSITION) {
      this.#hasBlip = true;
      this.#blipTo.pose.set(removed.pose);
      this.#blipTo.payload = removed.payload;
    }
    if (!next) {
      this.#baseline = NaN;
      if (success) this.stop();
    }
  }

  /** Forgets all waypoints: the body stays where it is. */
  stop() {
    while (this.#nodes.length > 0) this.#removeFirst();
    this.#frames = 0;
    this.#sumDt = 0;
    this.#failures = 0;
    this.#hasBlip = false;
    this.#baseline = NaN;
    this.#version++;
  }

  /**
   * Ends a tick of `dt` seconds, after the body moved.
   *
   * @param {Numbers} body
   * @param {number} dt
   * @returns {WaypointOutcome} The same object every time.
   */
  endTick(body, dt) {
    const outcome = this.#outcome;
    outcome.clear();
    try {
      checkTime(dt);
      takePose(this.#body, body);
    } catch (error) {
      this.counts.unusable++;
      throw error;
    }
    const first = this.#nodes[0];
    if (this.#failures > this.#rules.settings.patience || (!first && this.#failures > 0)) {
      outcome.place = this.#asked();
      if (!outcome.place) this.#failures = 0;
      return outcome;
    }
    if (first?.kind === VELOCITY) outcome.velocity = [first.pose[0], first.pose[1], first.pose[2]];
    else if (first?.kind === STOP) outcome.stopped = true;
    else return outcome;
    this.#complete(this.#body, true);
    return outcome;
  }

  // Where to place a body that cannot walk there, and the velocity to give it. The same request until something changes.
  #asked() {
    const newest = this.#nodes.at(-1);
    /** @type {Node | null} */
    let place = this.#hasBlip ? this.#blipTo : null;
    /** @type {number[] | null} */
    let velocity = null;
    if (newest?.kind === POSITION) {
      place = newest;
    } else if (newest) {
      const last = this.#nodes.findLast((node) => node.kind === POSITION);
      if (last) {
        place = last;
        velocity = newest.kind === STOP ? [0, 0, 0] : [newest.pose[0], newest.pose[1], newest.pose[2]];
      }
    }
    if (!place) return null;
    let asked = this.#placement;
    if (asked.version !== this.#version || !samePlace(asked.pose, place.pose)) {
      // Another request is another object: an answer to the old one must not be taken for one to this.
      asked = this.#placement = new Placement();
      asked.version = this.#version;
      asked.pose.set(place.pose);
    }
    asked.velocity = velocity;
    asked.payload = place.payload;
    return asked;
  }

  #isCurrent(/** @type {Placement} */ placement) {
    let current = placement.version === this.#version;
    if (current) {
      const asked = this.#asked();
      current = asked !== null && samePlace(asked.pose, placement.pose);
    }
    if (!current) this.counts.late++;
    return current;
  }

  /**
   * Confirms that the body was put where `placement` says, now or any number of ticks later. Everything before it is
   * forgotten.
   *
   * @param {Placement} placement
   * @returns {boolean} False, and nothing changes, if something newer has replaced the request: leave the body where it is.
   */
  accept(placement) {
    if (!this.#isCurrent(placement)) return false;
    this.counts.placed++;
    this.stop();
    return true;
  }

  /**
   * Declines `placement`, for example because another body stands there. Everything is kept, and the request
   * repeated in the next tick.
   *
   * @param {Placement} placement
   * @returns {boolean} False if something newer has replaced the request.
   */
  refuse(placement) {
    if (!this.#isCurrent(placement)) return false;
    this.counts.refused++;
    return true;
  }

  /** Moves everything remembered with the world's origin. Placements asked for before are void. @param {Numbers} by */
  rebase(by) {
    checkPosition(by);
    for (const node of this.#nodes) if (node.kind === POSITION) rebasePlace(node.pose, by);
    if (this.#hasBlip) rebasePlace(this.#blipTo.pose, by);
    this.#version++;
  }

  /** The number of waypoints. */
  get length() {
    return this.#nodes.length;
  }

  /** The number of waypoints given up since the queue was last empty. */
  get failures() {
    return this.#failures;
  }

  /** The number of ticks in the present window. */
  get frames() {
    return this.#frames;
  }

  /** The distance that the present window measures progress from, once it has one; else null. */
  get baseline() {
    return this.#baseline === this.#baseline ? this.#baseline : null;
  }

  /** Whether the body walks without turning. */
  get keepsHeading() {
    return this.#keepHeading;
  }
}

/** @param {Value} a @param {Value} b */
export function apart(a, b) {
  return length(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
}

/** @param {Value} a @param {Value} b */
function samePlace(a, b) {
  for (let n = 0; n < POSE; n++) if (a[n] !== b[n]) return false;
  return true;
}
