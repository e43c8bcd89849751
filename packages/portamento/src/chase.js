import { CameraCounts, Glide, drawnOf, isPlace, secondsOf } from "./camera-common.js";
import { check, refuse, settled, within } from "./errors.js";
import { atan2, circle, clamp, length, lerp, max, min, sinCos, wrapAngle } from "./math.js";
import { POSE } from "./values.js";

/** @import { Presented } from "./camera-common.js" */
/** @import { Drawn } from "./drawn.js" */
/** @import { Numbers, Value } from "./values.js" */

const fround = Math.fround;
// No length in the settings is above this, so that none can lead out of the numbers.
const LONGEST = 1e9;

/**
 * @typedef {object} ChaseSettings
 * @property {"smooth" | "per-frame"} [rule] `smooth`: damping solved exactly, equal lag at every frame rate. `per-frame`: an
 *   older rule, `rate * dt` of the way in each frame. Default `smooth`.
 * @property {number} [rate] How fast the camera's position closes its distance, per second: behind a body of speed v it lags
 *   by `v / rate`. Infinity is rigid. Default 4.5.
 * @property {number} [lookRate] The same for heading and pitch; Infinity for mouse look. Default 4.5.
 * @property {Numbers} [up] Which way is up. Default [0, 1, 0].
 * @property {Numbers} [ahead] Which way a body (and the camera itself) faces before any rotation. Default [0, 0, -1].
 * @property {number} [lift] Height of the look-at point above the body's position. Default 1.5.
 * @property {number} [distance] From that point to the eye; 0 for first person. Default 2.61.
 * @property {number} [pitch] Radians that the camera looks down. Default 0.291.
 * @property {number} [orbit] Angle in radians from straight behind, counterclockwise seen from above. Default 0.
 * @property {Numbers} [fade] Distances from the eye: up to the first the body is invisible, from the second on fully visible.
 *   Default [0.2, 0.45].
 * @property {number | null} [heightHold] While the body rises, the camera keeps its height until the body is this much
 *   higher; null: it follows both ways. Default null.
 * @property {number} [settle] The last of the way is taken in one step when the target stands still and no more than this is
 *   left. Default 0.0001.
 */

/** @type {Required<ChaseSettings>} */
const Y_UP = {
  rule: "smooth",
  rate: 4.5,
  lookRate: 4.5,
  up: [0, 1, 0],
  ahead: [0, 0, -1],
  lift: 1.5,
  distance: 2.61,
  pitch: 0.291,
  orbit: 0,
  fade: [0.2, 0.45],
  heightHold: null,
  settle: 1e-4,
};

/** Where a chase camera is in one frame. A camera has one of these and changes it with every frame. */
export class Shot {
  /** Where the eye is, after collision. @readonly */
  eye = new Float64Array(3);
  /** The direction it looks in, a unit vector. @readonly */
  forward = new Float64Array(3);
  /** The same as a rotation x y z w: it turns `ahead` into `forward` and keeps the horizon level. @readonly */
  rotation = new Float64Array(4);
  /** The point of the body that it follows. @readonly */
  pivot = new Float64Array(3);
  /** How much of the body to show: 0 (the eye is in it) to 1. */
  bodyOpacity = 1;
}

/** Divides a vector by its length. @param {Value} v @param {number} long */
function normalise(v, long) {
  // A length among the last few numbers above 0 is rounded to one of them.
  if (long < 1e-290) {
    for (let n = 0; n < 3; n++) v[n] *= 1e300;
    long = length(v[0], v[1], v[2]);
  }
  for (let n = 0; n < 3; n++) v[n] /= long;
}

/** What the camera is mounted on: an eye at `length` from an end that follows the body's pivot. */
class Boom {
  end = new Float64Array(3);
  length = 0.5;
  heading = 0.5;
  pitch = 0.5;

  /** @param {Boom} other */
  set(other) {
    this.end.set(other.end);
    this.length = other.length;
    this.heading = other.heading;
    this.pitch = other.pitch;
  }
}

class State {
  shot = new Shot();
  // Where the eye looks: along the boom, or at the body while the height is held.
  gazeHeading = NaN;
  gazePitch = NaN;
  boom = new Boom();
  // From the eye along the boom, a unit vector.
  along = new Float64Array(3);
  goal = new Boom();
  // What collision moved the eye by and is not yet made up for, along the boom's own right, forward and up.
  push = new Float64Array(3);
  // The height of the body that the goal was built on; NaN when released.
  height = NaN;
}

/** The world's directions: right, up and ahead of a body that is not turned. */
class Axes {
  right = new Float64Array(3);
  up = new Float64Array(3);
  ahead = new Float64Array(3);

  /** @param {Numbers} up @param {Numbers} ahead */
  constructor(up, ahead) {
    const long = length(up[0], up[1], up[2]);
    check(long > 0 && long < Infinity, "the length of up", long, "a finite vector that is not zero");
    for (let n = 0; n < 3; n++) this.up[n] = up[n];
    normalise(this.up, long);
    // Only what is across up: a body's nose may point a little down.
    const rise = dot(ahead, this.up);
    for (let n = 0; n < 3; n++) this.ahead[n] = ahead[n] + this.up[n] * -rise;
    const across = length(this.ahead[0], this.ahead[1], this.ahead[2]);
    const good = across > 0 && across < Infinity && across > 1e-6 * length(ahead[0], ahead[1], ahead[2]);
    check(good, "ahead (its part across up)", across, "a finite vector that is not along up");
    normalise(this.ahead, across);
    cross(this.right, this.ahead, this.up);
  }

  /** @param {Value} out @param {number} heading @param {number} pitch */
  direction(out, heading, pitch) {
    sinCos(heading);
    const { sin: turn, cos: straight } = circle;
    sinCos(pitch);
    const { sin: down, cos: level } = circle;
    for (let n = 0; n < 3; n++) {
      out[n] = (this.ahead[n] * straight + this.right[n] * -turn) * level + this.up[n] * -down;
    }
  }

  /** The turn about up after the tilt about right. @param {Value} out @param {number} heading @param {number} pitch */
  rotation(out, heading, pitch) {
    sinCos(heading / 2);
    const { sin: sy, cos: cy } = circle;
    sinCos(-pitch / 2);
    const { sin: sp, cos: cp } = circle;
    for (let n = 0; n < 3; n++) {
      out[n] = fround(this.right[n] * (cy * sp) + this.up[n] * (sy * cp) + this.ahead[n] * (sy * sp));
    }
    out[3] = fround(cy * cp);
  }

  /** Right and up of a camera with this heading that looks along `along`, into `viewRight` and `viewUp`.
   * @param {number} heading @param {Value} along */
  view(heading, along) {
    sinCos(heading);
    const { sin: turn, cos: straight } = circle;
    for (let n = 0; n < 3; n++) viewRight[n] = this.right[n] * straight + this.ahead[n] * turn;
    cross(viewUp, viewRight, along);
  }
}

const viewRight = new Float64Array(3);
const viewUp = new Float64Array(3);
const perFrameEye = new Float64Array(3);
const perFrameForward = new Float64Array(3);

/**
 * A camera behind and above a body, at a constant distance once it has caught up; with a distance of 0, in its head.
 *
 * ```js
 * const camera = new ChaseCamera({ distance: 4 });
 * const body = player.draw(stepper.moment);
 * const { eye, rotation } = camera.update(stepper.moment, body);
 * threeCamera.position.set(eye[0], eye[1], eye[2]);
 * threeCamera.quaternion.set(rotation[0], rotation[1], rotation[2], rotation[3]);
 * ```
 *
 * Give it the body as drawn, never its truth: the truth stands still between ticks. The first update puts the camera in
 * place at once, and so does a cut.
 */
export class ChaseCamera {
  /** What could not be used so far. @readonly */
  counts = new CameraCounts();
  #settings;
  #axes;
  #begun = false;
  #shot = new Shot();
  #state = new State();
  #next = new State();
  #cut = false;
  #glide = new Glide();
  #turn = new Glide();
  #target = new Float64Array(POSE);
  #wanted = new Float64Array(3);
  #pivot = new Float64Array(3);
  #goal = new Boom();
  #height = 0.5;

  /** @param {ChaseSettings} [settings] Over the defaults of a world where y is up and bodies face -z. */
  constructor(settings) {
    this.#settings = checked(settled("a chase camera", Y_UP, settings));
    this.#axes = new Axes(this.#settings.up, this.#settings.ahead);
  }

  /** Returns a camera for a world where z is up and bodies face +y. @param {ChaseSettings} [settings] */
  static zUp(settings) {
    return new ChaseCamera({ up: [0, 0, 1], ahead: [0, 1, 0], ...settings });
  }

  /**
   * Follows `body` through this frame.
   *
   * @param {Presented} frame The stepper's moment, the playhead's shown, or the peer's frame.
   * @param {Drawn | Numbers} body What was drawn, best what `draw` returned, because that reports cuts: a pose of seven
   *   numbers, or a position of three.
   * @param {(pivot: Float64Array, eye: Float64Array) => void} [collide] Keeps the eye out of walls: `eye` is where the camera
   *   wants to be; change it to the place allowed. The next frame starts from there.
   * @returns {Shot} The same object every time.
   */
  update(frame, body, collide) {
    const seconds = secondsOf(frame);
    const drawn = drawnOf(body);
    const pose = drawn ? drawn.now : /** @type {Numbers} */ (body);
    const target = this.#target;
    for (let n = 0; n < 3; n++) target[n] = pose[n];
    for (let n = 3; n < POSE; n++) target[n] = pose.length === 3 ? (n === 6 ? 1 : 0) : fround(pose[n]);
    if (drawn?.cut) this.#cut = true;
    this.#aim(target);
    const pivot = this.#pivot;
    const goal = this.#goal;
    if (!(isPlace(goal.end, 3) && isPlace(pivot, 3) && isPlace(target, POSE))) {
      this.counts.targets++;
      return this.shot;
    }
    const moves = this.#begun && !this.#cut;
    if (!(seconds < Infinity) && moves) {
      this.counts.times++;
      return this.shot;
    }
    const next = this.#next;
    if (moves && this.#settings.rule === "smooth") this.#moveSmooth(seconds);
    else if (moves) this.#movePerFrame(seconds);
    else this.#place();
    const { eye } = next.shot;
    if (collide) {
      const wanted = this.#wanted;
      wanted.set(eye);
      collide(pivot, wanted);
      if (!isPlace(wanted, 3)) {
        this.counts.places++;
      } else if (wanted[0] !== eye[0] || wanted[1] !== eye[1] || wanted[2] !== eye[2]) {
        eye.set(wanted);
        this.#setPush(next, wanted, next.boom);
      }
    }
    next.shot.pivot.set(pivot);
    next.shot.bodyOpacity = this.#opacity(eye, pivot);
    next.goal.set(goal);
    next.height = this.#height;
    this.#cut = false;
    this.#begun = true;
    this.#next = this.#state;
    this.#state = next;
    return this.shot;
  }

  // Where the boom would be if nothing lagged or blocked.
  #aim(/** @type {Value} */ target) {
    const settings = this.#settings;
    const { up } = this.#axes;
    const real = dot(target, up);
    const held = this.#cut || !this.#begun ? NaN : this.#state.height;
    const slack = settings.heightHold;
    const height = slack !== null && held === held ? max(min(held, real), real - slack) : real;
    const along = dot3(target, 3, up);
    const w = target[6];
    let heading = this.#begun ? this.#state.goal.heading : 0;
    // One that is turned upside down has no heading.
    if (along * along + w * w > 1e-12) heading = wrapAngle(2 * atan2(along, w) + settings.orbit);
    const { end } = this.#goal;
    for (let n = 0; n < 3; n++) {
      this.#pivot[n] = target[n] + up[n] * settings.lift;
      end[n] = height === real ? this.#pivot[n] : this.#pivot[n] + up[n] * (height - real);
    }
    this.#goal.length = settings.distance;
    this.#goal.heading = heading;
    this.#goal.pitch = settings.pitch;
    this.#height = height;
  }

  // Puts the boom exactly at its goal; under `per-frame`, a cut puts the eye into the body, from where it draws back.
  #place() {
    const next = this.#next;
    const { boom, along, shot } = next;
    boom.set(this.#goal);
    this.#axes.direction(along, boom.heading, boom.pitch);
    next.push.fill(0);
    if (this.#begun && this.#settings.rule === "per-frame") {
      shot.eye.set(this.#pivot);
      this.#mount(boom.heading, boom.pitch);
      this.#setPush(next, this.#pivot, boom);
      return;
    }
    eyeOf(shot.eye, boom, along);
    this.#mount(boom.heading, this.#gazePitch(boom));
  }

  // Looks along this direction.
  #mount(/** @type {number} */ heading, /** @type {number} */ pitch) {
    const next = this.#next;
    const before = this.#state;
    const { shot } = next;
    next.gazeHeading = heading;
    next.gazePitch = pitch;
    if (this.#begun && before.gazeHeading === heading && before.gazePitch === pitch) {
      shot.forward.set(before.shot.forward);
      shot.rotation.set(before.shot.rotation);
      return;
    }
    if (heading === next.boom.heading && pitch === next.boom.pitch) shot.forward.set(next.along);
    else this.#axes.direction(shot.forward, heading, pitch);
    this.#axes.rotation(shot.rotation, heading, pitch);
  }

  // What brings the eye of `boom` to `eye`, in the boom's own directions.
  #setPush(/** @type {State} */ next, /** @type {Value} */ eye, /** @type {Boom} */ boom) {
    const { push, along } = next;
    const x = eye[0] + (boom.end[0] + along[0] * -boom.length) * -1;
    const y = eye[1] + (boom.end[1] + along[1] * -boom.length) * -1;
    const z = eye[2] + (boom.end[2] + along[2] * -boom.length) * -1;
    push[0] = x;
    push[1] = y;
    push[2] = z;
    if (x === 0 && y === 0 && z === 0) return;
    this.#axes.view(boom.heading, along);
    push[0] = viewRight[0] * x + viewRight[1] * y + viewRight[2] * z;
    push[1] = along[0] * x + along[1] * y + along[2] * z;
    push[2] = viewUp[0] * x + viewUp[1] * y + viewUp[2] * z;
  }

  #moveSmooth(/** @type {number} */ seconds) {
    const settings = this.#settings;
    const { boom, goal: before } = this.#state;
    const goal = this.#goal;
    const next = this.#next;
    const { end } = next.boom;
    const glide = this.#glide.over(seconds, settings.rate);
    const turn = settings.lookRate === settings.rate ? glide : this.#turn.over(seconds, settings.lookRate);
    for (let n = 0; n < 3; n++) end[n] = glide.follow(boom.end[n], before.end[n], goal.end[n]);
    let long = glide.follow(boom.length, before.length, goal.length);
    const { push } = next;
    push.set(this.#state.push);
    if (!isZero(push)) for (let n = 0; n < 3; n++) push[n] = glide.follow(push[n], 0, 0);
    const stands = sameVector(goal.end, before.end) && goal.length === before.length && seconds > 0;
    if (stands) {
      const left = distance(end, goal.end) + Math.abs(long - goal.length) + length(push[0], push[1], push[2]);
      if (left <= settings.settle) {
        end.set(goal.end);
        long = goal.length;
        push.fill(0);
      }
    }
    let heading = turn.followAngle(boom.heading, before.heading, goal.heading);
    let pitch = turn.follow(boom.pitch, before.pitch, goal.pitch);
    // An angle that moves the body on the screen no farther than `settle` moves the eye.
    const close = settings.settle / max(settings.distance, 1);
    if (
      goal.heading === before.heading &&
      goal.pitch === before.pitch &&
      seconds > 0 &&
      !(Math.abs(wrapAngle(heading - goal.heading)) > close) &&
      !(Math.abs(wrapAngle(pitch - goal.pitch)) > close)
    ) {
      heading = goal.heading;
      pitch = goal.pitch;
    }
    if (heading === boom.heading && pitch === boom.pitch) next.along.set(this.#state.along);
    else this.#axes.direction(next.along, heading, pitch);
    next.boom.length = long;
    next.boom.heading = heading;
    next.boom.pitch = pitch;
    const { eye } = next.shot;
    eyeOf(eye, next.boom, next.along);
    if (!isZero(push)) {
      this.#axes.view(heading, next.along);
      for (let n = 0; n < 3; n++) {
        const out = viewRight[n] * push[0] + next.along[n] * push[1] + viewUp[n] * push[2];
        eye[n] += out * 1;
      }
    }
    this.#mount(heading, this.#gazePitch(next.boom));
  }

  #movePerFrame(/** @type {number} */ seconds) {
    const state = this.#state;
    const next = this.#next;
    const axes = this.#axes;
    const goal = this.#goal;
    const share = clamp(this.#settings.rate * seconds, 0, 1);
    const { eye: from, forward: looking } = state.shot;
    const to = perFrameEye;
    const wanted = perFrameForward;
    axes.direction(wanted, goal.heading, goal.pitch);
    eyeOf(to, goal, wanted);
    // While the height is held, the body is not where the boom points.
    if (!sameVector(goal.end, this.#pivot)) axes.direction(wanted, goal.heading, this.#gazePitch(goal));
    if (share * distance(from, to) < 0.0004 && share * distance(looking, wanted) < 0.0002) {
      copyState(next, state);
      return;
    }
    const { eye } = next.shot;
    const forward = next.along;
    for (let n = 0; n < 3; n++) {
      eye[n] = lerp(from[n], to[n], share);
      forward[n] = lerp(looking[n], wanted[n], share);
    }
    const long = length(forward[0], forward[1], forward[2]);
    if (long > 0 && long < Infinity) normalise(forward, long);
    else for (let n = 0; n < 3; n++) forward[n] = wanted[n];
    const right = dot(forward, axes.right);
    const up = dot(forward, axes.up);
    const ahead = dot(forward, axes.ahead);
    const level = length(right, ahead, 0);
    const heading = level > 1e-9 ? atan2(-right, ahead) : state.boom.heading;
    const pitch = atan2(-up, level);
    const { boom } = next;
    for (let n = 0; n < 3; n++) boom.end[n] = eye[n] + forward[n] * goal.length;
    boom.length = goal.length;
    boom.heading = heading;
    boom.pitch = pitch;
    next.push.fill(0);
    this.#mount(heading, pitch);
  }

  // Where the eye on `boom` looks: along it, but at the height of the body while that differs.
  #gazePitch(/** @type {Boom} */ boom) {
    const { up } = this.#axes;
    const rise =
      (this.#pivot[0] + boom.end[0] * -1) * up[0] +
      (this.#pivot[1] + boom.end[1] * -1) * up[1] +
      (this.#pivot[2] + boom.end[2] * -1) * up[2];
    if (this.#settings.heightHold === null || rise === 0 || boom.length === 0) return boom.pitch;
    sinCos(boom.pitch);
    return atan2(boom.length * circle.sin - rise, boom.length * circle.cos);
  }

  #opacity(/** @type {Value} */ eye, /** @type {Value} */ pivot) {
    const gone = this.#settings.fade[0];
    const full = this.#settings.fade[1];
    return fround(clamp((distance(eye, pivot) - gone) / (full - gone), 0, 1));
  }

  /** The last frame's shot; before the first usable target, the shot of a body at the origin. The same object every time. */
  get shot() {
    const shot = this.#shot;
    if (this.#begun) {
      copyShot(shot, this.#state.shot);
      return shot;
    }
    this.#target.fill(0);
    this.#target[6] = 1;
    this.#aim(this.#target);
    this.#place();
    copyShot(shot, this.#next.shot);
    shot.pivot.set(this.#pivot);
    shot.bodyOpacity = this.#opacity(shot.eye, this.#pivot);
    return shot;
  }

  /** The body jumped: the next update starts at it. Not needed with what `draw` returns. */
  cut() {
    this.#cut = true;
  }

  /** The body stands on something: with `heightHold`, the camera may come up to it now. */
  releaseHeight() {
    this.#state.height = NaN;
  }

  /**
   * Sets orbit and pitch, for a mouse or stick that turns the camera in every frame.
   *
   * @param {number} orbit @param {number} pitch
   */
  setLook(orbit, pitch) {
    if (!(Number.isFinite(orbit) && Number.isFinite(pitch))) {
      this.counts.requests++;
      return;
    }
    const steepest = Math.PI / 2 - 1e-3;
    this.#settings.orbit = orbit;
    this.#settings.pitch = clamp(pitch, -steepest, steepest);
  }

  /** Moves everything with the world's origin: give the same shift as to every track. @param {Numbers} by */
  rebase(by) {
    if (!this.#begun) return;
    const { shot, boom, goal } = this.#state;
    const places = [shot.eye, shot.pivot, boom.end, goal.end];
    const moved = places.map((place) => place.map((c, n) => c + by[n]));
    if (!moved.every((place) => isPlace(place, 3))) {
      this.counts.requests++;
      return;
    }
    const { up } = this.#axes;
    const rise = [0, 1, 2].reduce((sum, n) => sum + (moved[1][n] + shot.pivot[n] * -1) * up[n], 0);
    this.#state.height += rise;
    places.forEach((place, n) => place.set(moved[n]));
  }

  /** Uses other settings from the next frame on, over those in force; the camera glides there.
   * @param {ChaseSettings} settings */
  setSettings(settings) {
    const all = checked(settled("a chase camera", this.#settings, settings));
    this.#axes = new Axes(all.up, all.ahead);
    this.#settings = all;
  }
}

/** @param {Required<ChaseSettings>} settings */
function checked(settings) {
  const { rule, rate, lookRate, lift, distance, pitch, orbit, fade, heightHold, settle } = settings;
  if (rule !== "smooth" && rule !== "per-frame") {
    throw new RangeError(`rule is ${JSON.stringify(rule)}: give "smooth" or "per-frame"`);
  }
  const rigid = "a number above 0, infinity for a rigid camera";
  check(rate > 0, "rate", rate, rigid);
  check(lookRate > 0, "lookRate", lookRate, rigid);
  within("lift", lift, -LONGEST, LONGEST);
  within("distance", distance, 0, LONGEST);
  check(Math.abs(pitch) < Math.PI / 2, "pitch", pitch, "an angle within a quarter turn, in radians");
  check(orbit - orbit === 0, "orbit", orbit, "a finite angle in radians");
  check(fade[0] >= 0, "fade[0]", fade[0], "a distance of 0 or more");
  check(fade[1] > fade[0] && fade[1] <= LONGEST, "fade[1]", fade[1], "a distance above fade[0]");
  if (heightHold !== null && !(heightHold >= 0)) {
    refuse("heightHold", heightHold, "a height of 0 or more, infinity for any height, null for none");
  }
  within("settle", settle, 0, LONGEST);
  return settings;
}

/** @param {Shot} to @param {Shot} from */
function copyShot(to, from) {
  to.eye.set(from.eye);
  to.forward.set(from.forward);
  to.rotation.set(from.rotation);
  to.pivot.set(from.pivot);
  to.bodyOpacity = from.bodyOpacity;
}

/** @param {State} to @param {State} from */
function copyState(to, from) {
  copyShot(to.shot, from.shot);
  to.gazeHeading = from.gazeHeading;
  to.gazePitch = from.gazePitch;
  to.boom.set(from.boom);
  to.along.set(from.along);
  to.push.set(from.push);
}

/** @param {Value} out @param {Boom} boom @param {Value} along */
function eyeOf(out, boom, along) {
  for (let n = 0; n < 3; n++) out[n] = boom.end[n] + along[n] * -boom.length;
}

/** @param {Numbers} a @param {Numbers} b */
function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** @param {Numbers} a @param {number} i @param {Numbers} b */
function dot3(a, i, b) {
  return a[i] * b[0] + a[i + 1] * b[1] + a[i + 2] * b[2];
}

/** @param {Value} out @param {Value} a @param {Value} b */
function cross(out, a, b) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/** @param {Value} a @param {Value} b */
function distance(a, b) {
  return length(a[0] + b[0] * -1, a[1] + b[1] * -1, a[2] + b[2] * -1);
}

/** @param {Value} v */
function isZero(v) {
  return v[0] === 0 && v[1] === 0 && v[2] === 0;
}

/** @param {Value} a @param {Value} b */
function sameVector(a, b) {
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2];
}
