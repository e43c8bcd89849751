// What cameras share: how far one frame carries something that follows, and what they can be given.
import { lerp, oneMinusExpNeg, wrapAngle } from "./math.js";

/** @import { Drawn } from "./drawn.js" */
/** @import { Numbers } from "./values.js" */

/**
 * A frame's time, as cameras take it: a `Moment`, a `Shown`, a `PeerFrame`, or `{ presented: seconds }` for pictures that this
 * library did not draw. A camera must advance by as much as the entity's picture does, not by the wall time, or the entity
 * shakes on the screen.
 *
 * @typedef {object} Presented
 * @property {number} presented How many seconds the picture advanced in this frame.
 */

/** @param {Presented} frame */
export function secondsOf(frame) {
  const seconds = frame?.presented;
  if (typeof seconds !== "number") {
    throw new TypeError(
      "a camera needs the frame's time: give the stepper's moment, the playhead's shown, the peer's frame, or " +
        "{ presented: seconds }",
    );
  }
  return seconds > 0 ? seconds : 0;
}

/** What `target` was drawn as; null for bare numbers. @param {Drawn | Numbers} target @returns {Drawn | null} */
export function drawnOf(target) {
  if (typeof target !== "object" || target === null) {
    throw new TypeError(
      `a camera needs what it follows, not ${target}: give what draw returned, and do not update it while the entity is not there`,
    );
  }
  return "now" in target ? target : null;
}

/** What a camera was given and could not use. The counts never shrink. */
export class CameraCounts {
  /** Targets with a number that is not finite, or farther out than 1e150: the camera stayed as it was. */
  targets = 0;
  /** Frames whose presented time was infinite: nothing moved. */
  times = 0;
  /** Places from the collision hook that were not finite, or farther out: the camera went where it wanted to. */
  places = 0;
  /** Requests (a shake, a zoom, a rebase) with a number that is not finite, or that lead farther out. */
  requests = 0;
}

/** Damping in closed form, against a target that moves linearly within the frame. */
export class Glide {
  share = 0.5;
  lead = 0.5;

  /** @param {number} seconds @param {number} rate */
  over(seconds, rate) {
    this.share = this.lead = 1;
    if (rate === Infinity && seconds >= 0 && seconds < Infinity) return this;
    if (!(seconds > 0 && seconds < Infinity && rate > 0)) {
      this.share = 0;
      return this;
    }
    const x = seconds * rate;
    this.share = oneMinusExpNeg(x);
    // 1/share - 1/x loses every digit as x shrinks; there its series is exact to the last place.
    const x2 = x * x;
    this.lead =
      x < 0.1 ? 0.5 + x * (1 / 12 - x2 * (1 / 720 - x2 * (1 / 30240 - x2 / 1209600))) : 1 / this.share - 1 / x;
    return this;
  }

  /** @param {number} follower @param {number} before @param {number} now */
  follow(follower, before, now) {
    return lerp(follower, lerp(before, now, this.lead), this.share);
  }

  /** @param {number} follower @param {number} before @param {number} now */
  followAngle(follower, before, now) {
    return angleBetween(follower, angleBetween(before, now, this.lead), this.share);
  }
}

/** @param {number} a @param {number} b @param {number} alpha */
function angleBetween(a, b, alpha) {
  if (alpha >= 1) return b;
  if (!(alpha > 0) || a === b) return a;
  return wrapAngle(a + wrapAngle(b - a) * alpha);
}

/** Whether a camera can be there: finite, and near enough. @param {Numbers} place @param {number} count */
export function isPlace(place, count) {
  for (let n = 0; n < count; n++) if (!(Math.abs(place[n]) <= 1e150)) return false;
  return true;
}
