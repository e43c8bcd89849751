// With which numbers does a body follow its reports? And what is a report, a step, an input that cannot be used?
import { multiply } from "./blend.js";
import { refuse, settled } from "./errors.js";
import { atan2, circle, length, min, sinCos } from "./math.js";
import { POSE, normalise } from "./values.js";

/** @import { Numbers, Value } from "./values.js" */

const fround = Math.fround;
const MAX = Number.MAX_VALUE;

/**
 * All numbers of the rule. Lengths are in world units (metres in the defaults), times in seconds.
 *
 * @typedef {object} WaypointSettings
 * @property {"by-speed" | "by-time"} [rule] How a stuck body is recognised: progress is compared with the body's expected
 *   speed, or (an older rule) with the length of a tick. Default `by-speed`.
 * @property {Numbers} [up] Up, a unit vector. @property {Numbers} [ahead] The body's own forward axis, a unit vector.
 * @property {number} [there] A body this near to a waypoint has reached it. Default 0.05.
 * @property {number} [close] A stuck body this near to its waypoint counts as arrived. Default 0.2.
 * @property {number} [window] The number of ticks after which progress is checked. Default 5.
 * @property {number} [leastProgress] Less progress than this in a window counts as none. Default 0.0002.
 * @property {number} [ampleProgress] `by-time`: this much progress is always enough. Default 0.2.
 * @property {number} [share] The smallest share of progress. Default 0.3.
 * @property {number} [unmeasured] The distance that the first window measures progress from. Default 999999.
 * @property {number} [patience] The number of tolerated failures; after one more the body is placed. Default 3.
 * @property {number} [catchUp] The body walks at this many times its own top speed. Default 2.
 * @property {number} [leastSpeed] A speed below this counts as none. Default 0.0002.
 * @property {number} [fallbackSpeed] The walking speed of a body without a top speed. Default 7.5.
 * @property {number} [crowd] With this many waypoints or more, a new position drops the oldest. Default 20.
 * @property {number} [blipOutdoors] A report farther than this is not walked to. Default 100.
 * @property {number} [blipIndoors] The same indoors. Default 20.
 * @property {number} [stickyLease] How long a body sticks to a target that is not renewed. Default 1.
 * @property {number} [stickyGap] The distance that a sticking body keeps between the two hulls. Default 0.3.
 * @property {number} [stickySpeed] A sticking body moves at this many times its own top speed. Default 5.
 * @property {number} [stickyFallbackSpeed] The speed of a sticking body without a top speed. Default 15.
 * @property {Numbers} [leashOutdoors] How far from its last report a body begins to slow down, and where it stops. Default
 *   [10, 50].
 * @property {Numbers} [leashIndoors] The same indoors. Default [5, 20].
 * @property {number} [leashFull] Beyond this share of its leash a body counts as held. Default 0.9.
 * @property {number} [activeRadius] Reports this far from the viewer or farther are placed, not walked to; bodies farther
 *   away are not simulated. Default 96.
 */

/** @type {Required<WaypointSettings>} */
const Y_UP = {
  rule: "by-speed",
  up: [0, 1, 0],
  ahead: [0, 0, -1],
  there: 0.05,
  close: 0.2,
  window: 5,
  leastProgress: 0.0002,
  ampleProgress: 0.2,
  share: 0.3,
  unmeasured: 999999,
  patience: 3,
  catchUp: 2,
  leastSpeed: 0.0002,
  fallbackSpeed: 7.5,
  crowd: 20,
  blipOutdoors: 100,
  blipIndoors: 20,
  stickyLease: 1,
  stickyGap: 0.3,
  stickySpeed: 5,
  stickyFallbackSpeed: 15,
  leashOutdoors: [10, 50],
  leashIndoors: [5, 20],
  leashFull: 0.9,
  activeRadius: 96,
};

const ABOVE_ZERO = /** @type {const} */ ([
  "there", "close", "leastProgress", "ampleProgress", "share", "unmeasured", "catchUp", "leastSpeed", "fallbackSpeed",
  "stickyLease", "stickySpeed", "stickyFallbackSpeed", "leashFull", "activeRadius",
]);
const NOT_NEGATIVE = /** @type {const} */ (["blipOutdoors", "blipIndoors", "stickyGap"]);

/** The rules of a world: share them between all bodies. */
export class WaypointRules {
  /** @readonly */
  settings;

  /** @param {WaypointSettings} [settings] Over the defaults of a world where y is up and bodies face -z. */
  constructor(settings) {
    const all = settled("waypoint rules", Y_UP, settings);
    if (all.rule !== "by-speed" && all.rule !== "by-time") {
      throw new RangeError(`rule is ${JSON.stringify(all.rule)}: give "by-speed" or "by-time"`);
    }
    for (const key of ABOVE_ZERO) if (!(all[key] > 0 && all[key] < Infinity)) refuse(key, all[key], "a finite number above 0");
    for (const key of NOT_NEGATIVE) {
      if (!(all[key] >= 0 && all[key] < Infinity)) refuse(key, all[key], "a finite number, 0 or more");
    }
    for (const key of /** @type {const} */ (["leashOutdoors", "leashIndoors"])) {
      const [start, end] = Array.from(all[key]);
      if (!(start >= 0 && start < Infinity)) refuse(`${key}[0]`, start, "a finite number, 0 or more");
      if (!(end > start && end < Infinity)) refuse(`${key}[1]`, end, "a finite length above its start");
    }
    for (const key of /** @type {const} */ (["window", "crowd"])) {
      if (!(Number.isInteger(all[key]) && all[key] >= 1)) refuse(key, all[key], "1 or more");
    }
    if (!(Number.isInteger(all.patience) && all.patience >= 0)) refuse("patience", all.patience, "0 or more");
    const up = all.up;
    const ahead = all.ahead;
    for (const [name, axis] of /** @type {const} */ ([["up", up], ["ahead", ahead]])) {
      const long = length(axis[0], axis[1], axis[2]);
      if (!(Math.abs(long - 1) < 1e-3)) refuse(`${name} (its length)`, long, "a unit vector");
    }
    const rise = up[0] * ahead[0] + up[1] * ahead[1] + up[2] * ahead[2];
    if (!(Math.abs(rise) < 0.999)) refuse("ahead (its part along up)", rise, "a unit vector across up");
    this.settings = all;
    /** @internal */
    this.bySpeed = all.rule === "by-speed";
  }

  /** Returns the rules of a world where z is up and bodies face +y. @param {WaypointSettings} [settings] */
  static zUp(settings) {
    return new WaypointRules({ up: [0, 0, 1], ahead: [0, 1, 0], ...settings });
  }

  /** @internal A body's top speed times `factor`, or `fallback` for a body that has none.
   * @param {number} factor @param {number} maxSpeed @param {number} fallback */
  speed(factor, maxSpeed, fallback) {
    const speed = factor * maxSpeed;
    return speed < this.settings.leastSpeed ? fallback : speed;
  }

  /** @internal The turn about up alone, into four numbers of `out`. @param {Value} out @param {number} k @param {Value} pose */
  heading(out, k, pose) {
    const ux = fround(this.settings.up[0]);
    const uy = fround(this.settings.up[1]);
    const uz = fround(this.settings.up[2]);
    const along = fround(fround(fround(pose[3] * ux) + fround(pose[4] * uy)) + fround(pose[5] * uz));
    out[k] = fround(ux * along);
    out[k + 1] = fround(uy * along);
    out[k + 2] = fround(uz * along);
    out[k + 3] = pose[6];
    let sum = 0;
    for (let n = k; n < k + 4; n++) sum = fround(sum + fround(out[n] * out[n]));
    if (sum > fround(1e-12) && normalise(out, k)) return;
    out[k] = out[k + 1] = out[k + 2] = 0;
    out[k + 3] = 1;
  }
}

/** An input that cannot be used. The whole call was refused and counted, and nothing changed. */
export class WaypointError extends RangeError {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "WaypointError";
  }
}

/** @param {number} number */
const debug = (number) =>
  Number.isInteger(number) && Math.abs(number) < 1e16 ? `${Object.is(number, -0) ? "-0" : number}.0` : plain(number);
/** @param {number} number */
const plain = (number) => String(number).replace("Infinity", "inf");
/** @param {Numbers} numbers @param {number} count */
const list = (numbers, count) => `[${Array.from(numbers).slice(0, count).map(debug).join(", ")}]`;

/** @param {Numbers} v */
const finite = (v) => v[0] - v[0] === 0 && v[1] - v[1] === 0 && v[2] - v[2] === 0;

/** @param {Numbers} v */
export function checkPosition(v) {
  if (!finite(v)) throw new WaypointError(`position ${list(v, 3)} is not finite: check the report before decoding it`);
}

/** @param {Numbers} v */
export function checkVelocity(v) {
  if (!finite(v)) throw new WaypointError(`velocity ${list(v, 3)} is not finite: check the report before decoding it`);
}

/** @param {Numbers} v */
export function checkOffset(v) {
  if (!finite(v)) throw new WaypointError(`step ${list(v, 3)} is not finite: check the animation's root motion`);
}

/** @param {number} d */
export function checkDistance(d) {
  if (!(d >= 0 && d < Infinity)) throw new WaypointError(`distance ${plain(d)} must be finite and not negative`);
}

/** @param {number} dt */
export function checkTime(dt) {
  if (!(dt > 0 && dt < Infinity)) {
    throw new WaypointError(`a tick of ${plain(dt)} s must be finite and above 0; nothing was advanced`);
  }
}

/** @param {number} s */
export function checkSpeed(s) {
  if (!(s - s === 0)) {
    throw new WaypointError(`top speed ${plain(s)} must be finite; 0 asks for the settings' own speed`);
  }
}

/** @param {Numbers} place */
export function noStep(place) {
  return new WaypointError(
    `moved to ${list(place, 3)} without a step: call \`step\` first, once in each tick; a teleport or a placement in ` +
      "between ends the tick",
  );
}

/** Copies a pose of seven numbers, or a position of three, with its rotation at unit length.
 * @param {Value} out @param {Numbers} pose */
export function takePose(out, pose) {
  const count = pose?.length;
  if (count !== 3 && count !== POSE) throw new TypeError(`a pose has ${count} numbers: give 3, or 7 with a quaternion`);
  checkPosition(pose);
  out[0] = pose[0];
  out[1] = pose[1];
  out[2] = pose[2];
  for (let n = 3; n < POSE; n++) out[n] = count === 3 ? (n === 6 ? 1 : 0) : fround(pose[n]);
  const length2 = fround(
    fround(fround(out[3] * out[3]) + fround(out[4] * out[4])) + fround(fround(out[5] * out[5]) + fround(out[6] * out[6])),
  );
  // A rotation at unit length keeps its bits.
  if (Math.abs(length2 - 1) <= 1e-6) return;
  if (!(length2 > 0.25 && length2 < 4 && normalise(out, 3))) {
    throw new WaypointError(`rotation ${list(Array.from(pose).slice(3), 4)} is not a unit quaternion: normalise it first`);
  }
}

/** Moves a place with the world's origin. A place beyond all numbers stays at the last one.
 * @param {Value} place @param {Numbers} by */
export function rebasePlace(place, by) {
  for (let n = 0; n < 3; n++) {
    const now = place[n] + by[n];
    if (now === now) place[n] = now < -MAX ? -MAX : now > MAX ? MAX : now;
  }
}

/** A sum of lengths or times, which never becomes infinite. @param {number} a @param {number} b */
export function sum(a, b) {
  return min(a + b, MAX);
}

/** A vector along the way (x, y, z), whose length is `d`, of another length.
 * @param {Value} out @param {number} x @param {number} y @param {number} z @param {number} d @param {number} long */
export function along(out, x, y, z, d, long) {
  const share = long / d;
  const size = Math.abs(share);
  if (size < 2 ** -1022) {
    // Below the normal numbers a share has hardly any digits left, and the vector could come out too long.
    out[0] = out[1] = out[2] = 0;
  } else if (size > 1e100) {
    // The share alone may be infinite where the vector is not.
    out[0] = unit(x / d) * long;
    out[1] = unit(y / d) * long;
    out[2] = unit(z / d) * long;
  } else {
    out[0] = x * share;
    out[1] = y * share;
    out[2] = z * share;
  }
}

/** @param {number} c */
const unit = (c) => (c < -1 ? -1 : c > 1 ? 1 : c);

const inverse = new Float64Array(4);

/** The whole turn from one rotation to another, relative to the first. Rotations that differ only by rounding are equal.
 * @param {Value} out @param {Value} from @param {number} i @param {Value} to @param {number} j */
export function turnBetween(out, from, i, to, j) {
  const dot = fround(
    fround(fround(from[i] * to[j]) + fround(from[i + 1] * to[j + 1])) +
      fround(fround(from[i + 2] * to[j + 2]) + fround(from[i + 3] * to[j + 3])),
  );
  const sign = dot < 0 ? -1 : 1;
  let equal = true;
  for (let n = 0; n < 4; n++) if (!(Math.abs(fround(from[i + n] - sign * to[j + n])) <= fround(1e-6))) equal = false;
  if (!equal) {
    inverse[0] = -from[i];
    inverse[1] = -from[i + 1];
    inverse[2] = -from[i + 2];
    inverse[3] = from[i + 3];
    multiply(inverse, 0, to, j, out, 0);
    if (normalise(out, 0)) return;
  }
  out[0] = out[1] = out[2] = 0;
  out[3] = 1;
}

/** How a body is to move in a tick. It replaces the animation's own root motion. */
export class WaypointStep {
  /** The translation in world axes. @readonly */
  offset = new Float64Array(3);
  /** The turn relative to the body, x y z w: rotation after = rotation before x turn. @readonly */
  turn = new Float64Array([0, 0, 0, 1]);

  /** @internal No motion. */
  clear() {
    this.offset.fill(0);
    this.turn.fill(0);
    this.turn[3] = 1;
  }

  /**
   * Writes where `body` is after the step, if nothing is in its way, to `out` (which may be `body`).
   *
   * @template {number[] | Float64Array} T
   * @param {Numbers} body @param {T} out @returns {T}
   */
  apply(body, out) {
    for (let n = 0; n < 3; n++) {
      const place = body[n] + this.offset[n];
      out[n] = place < -MAX ? -MAX : place > MAX ? MAX : place;
    }
    if (body.length === 3) return out;
    const { turn } = this;
    for (let n = 3; n < POSE; n++) after[n - 3] = out[n] = body[n];
    if (turn[0] === 0 && turn[1] === 0 && turn[2] === 0 && turn[3] === 1) return out;
    multiply(after, 0, turn, 0, after, 0);
    if (normalise(after, 0)) for (let n = 3; n < POSE; n++) out[n] = after[n - 3];
    return out;
  }
}

const after = new Float64Array(4);

/** The part of (x, y, z) at right angles to up, into `out`. @param {Value} out @param {number} x @param {number} y
 * @param {number} z @param {Numbers} up */
export function level(out, x, y, z, up) {
  const rise = x * up[0] + y * up[1] + z * up[2];
  out[0] = x - rise * up[0];
  out[1] = y - rise * up[1];
  out[2] = z - rise * up[2];
}

const looking = new Float64Array(3);
const facing = new Float64Array(4);

/** The turn with which a body faces along `way`. @param {Value} out @param {Value} body @param {Numbers} ahead
 * @param {Value} way @param {Numbers} up */
export function face(out, body, ahead, way, up) {
  const x = body[3];
  const y = body[4];
  const z = body[5];
  const w = body[6];
  const vx = fround(ahead[0]);
  const vy = fround(ahead[1]);
  const vz = fround(ahead[2]);
  const tx = fround(2 * fround(fround(y * vz) - fround(z * vy)));
  const ty = fround(2 * fround(fround(z * vx) - fround(x * vz)));
  const tz = fround(2 * fround(fround(x * vy) - fround(y * vx)));
  level(
    looking,
    fround(fround(vx + fround(w * tx)) + fround(fround(y * tz) - fround(z * ty))),
    fround(fround(vy + fround(w * ty)) + fround(fround(z * tx) - fround(x * tz))),
    fround(fround(vz + fround(w * tz)) + fround(fround(x * ty) - fround(y * tx))),
    up,
  );
  const [ax, ay, az] = looking;
  const sine =
    (ay * way[2] - az * way[1]) * up[0] + (az * way[0] - ax * way[2]) * up[1] + (ax * way[1] - ay * way[0]) * up[2];
  const cosine = ax * way[0] + ay * way[1] + az * way[2];
  const angle = atan2(sine, cosine);
  out[0] = out[1] = out[2] = 0;
  out[3] = 1;
  if (angle === 0) return; // facing it already, or looking straight up
  axisAngle(facing, fround(up[0]), fround(up[1]), fround(up[2]), fround(angle));
  multiply(facing, 0, body, 3, facing, 0);
  turnBetween(out, body, 3, facing, 0);
}

/** @param {Value} out @param {number} x @param {number} y @param {number} z @param {number} angle */
function axisAngle(out, x, y, z, angle) {
  out[0] = out[1] = out[2] = 0;
  out[3] = 1;
  const long = length(x, y, z);
  if (!(long > 0 && long < Infinity)) return;
  x = (x / long) * angle;
  y = (y / long) * angle;
  z = (z / long) * angle;
  const whole = length(x, y, z);
  if (!(whole < Infinity)) return;
  sinCos(whole / 2);
  const k = whole > 1e-12 ? circle.sin / whole : 0.5;
  out[0] = fround(x * k);
  out[1] = fround(y * k);
  out[2] = fround(z * k);
  out[3] = fround(circle.cos);
}
