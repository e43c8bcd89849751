import { CameraCounts, Glide, drawnOf, isPlace, secondsOf } from "./camera-common.js";
import { check, settled, within } from "./errors.js";
import { Framing, confine } from "./framing.js";
import { clamp, ln, max, min } from "./math.js";
import { Shaking } from "./shake.js";

/** @import { Presented } from "./camera-common.js" */
/** @import { Drawn } from "./drawn.js" */
/** @import { ShakeSettings } from "./shake.js" */
/** @import { Numbers, Value } from "./values.js" */

// More pixels than any screen has.
const MOST = 1e9;

/**
 * @typedef {object} FollowSettings
 * @property {number | Numbers} [rate] How fast the centre closes its distance, per second, along each axis: behind a target of
 *   speed v it lags by `v / rate`. Infinity is rigid. Default 8.
 * @property {{ smoothing: number, speed: number } | null} [exponential] An older rule instead of `rate`: in each frame
 *   `1 - smoothing^(60 speed dt)` of the way. Default null.
 * @property {Numbers} [viewport] Width and height of the viewport in pixels.
 * @property {Numbers} [origin] The viewport's upper left corner in the window, for a split screen. Default [0, 0].
 * @property {number} [zoom] Screen pixels per unit of the world; while several targets are framed, the most. Default 1.
 * @property {Numbers} [zoomWithin] The least and the most that zooming reaches. Default [1/64, 64].
 * @property {{ min: Numbers, max: Numbers } | null} [bounds] The world's edges: nothing beyond them shows. Default null.
 * @property {Numbers} [deadZone] Width and height, in screen pixels around the centre, in which the target moves without
 *   moving the picture. Default [0, 0].
 * @property {Numbers} [lookAhead] Seconds of its motion to look ahead of a moving target, along each axis. Default [0, 0].
 * @property {number} [fitMargin] Screen pixels kept free around several targets. Default 48.
 * @property {number} [easeRate] How fast the picture zooms in, scrolls to new bounds and looks ahead, per second. Default 3.
 * @property {boolean} [yUp] Whether the world's y runs up on the screen. Default false.
 * @property {ShakeSettings} [shake] How the picture shakes when it does.
 * @property {number} [settle] The last of the way is taken in one step when the target stands still and no more pixels than
 *   this are left. Default 1/64.
 */

const SHAKE = { reach: 16, seconds: 0.6, hz: 20, seed: 1, ownTime: false };

/** @type {Required<Omit<FollowSettings, "viewport">>} */
const DEFAULTS = {
  rate: 8,
  exponential: null,
  origin: [0, 0],
  zoom: 1,
  zoomWithin: [1 / 64, 64],
  bounds: null,
  deadZone: [0, 0],
  lookAhead: [0, 0],
  fitMargin: 48,
  easeRate: 3,
  yUp: false,
  shake: SHAKE,
  settle: 1 / 64,
};

/**
 * A camera over a flat world that follows a target as drawn.
 *
 * ```js
 * const camera = new FollowCamera([canvas.width, canvas.height], { bounds: { min: [0, 0], max: [4000, 1000] } });
 * const framing = camera.update(stepper.moment, player.draw(stepper.moment));
 * const [left, top] = framing.offset();
 * context.setTransform(framing.zoom, 0, 0, framing.zoom, -left * framing.zoom, -top * framing.zoom);
 * ```
 *
 * The first update, and one after a cut, puts it there at once.
 */
export class FollowCamera {
  /** What could not be used so far. @readonly */
  counts = new CameraCounts();
  #settings;
  #begun = false;
  // The middle of the picture, within the bounds, before scrolling and shaking.
  #centre = new Float64Array(2);
  // How far the drawn middle still is from there, since the bounds changed.
  #scroll = new Float64Array(2);
  // The target in the last frame, and how many targets that was the middle of.
  #hasTarget = false;
  #target = new Float64Array(2);
  #targets = 0;
  // How far ahead of the target the picture looks, and how far beside it the user has put the picture.
  #ahead = new Float64Array(2);
  #beside = new Float64Array(2);
  // How many times as much of the world is visible as the settings' zoom says; and as the last frame's targets ask for.
  #span = 1;
  #spanWanted = 1;
  #shaking = new Shaking();
  #drawn = new Framing();
  #cut = false;
  #glides = [new Glide(), new Glide()];
  #ease = new Glide();
  // What one frame's targets ask for.
  #place = new Float64Array(2);
  #least = new Float64Array(2);
  #most = new Float64Array(2);
  #found = 0;
  #jumps = 0;
  #wantedSpan = 1;
  #from = new Float64Array(2);
  #old = new Float64Array(2);
  #goal = new Float64Array(2);
  #nextAhead = new Float64Array(2);

  /** @param {Numbers} viewport Width and height in pixels. @param {FollowSettings} [settings] */
  constructor(viewport, settings) {
    this.#settings = checked(complete({ ...DEFAULTS, viewport }, settings));
    this.#setFraming(0, 0, this.#settings.zoom);
    this.#setFraming(this.#confined(0, 0, this.#settings.zoom), this.#confined(1, 0, this.#settings.zoom), this.#settings.zoom);
  }

  /**
   * Follows `target` through this frame.
   *
   * @param {Presented} frame The stepper's moment, the playhead's shown, or the peer's frame.
   * @param {Drawn | Numbers} target What was drawn, best what `draw` returned, because that reports cuts: x and y are its
   *   first two numbers.
   * @returns {Framing} The same object every time.
   */
  update(frame, target) {
    const seconds = secondsOf(frame);
    this.#beginTargets();
    this.#addTarget(target);
    return this.#endTargets() ? this.#advance(seconds, true) : this.#drawn;
  }

  /**
   * Follows the middle of all `targets`, and zooms out as far as needed to show them all.
   *
   * @param {Presented} frame @param {Iterable<Drawn | Numbers>} targets
   * @returns {Framing} The same object every time.
   */
  updateAll(frame, targets) {
    const seconds = secondsOf(frame);
    this.#beginTargets();
    for (const target of targets) this.#addTarget(target);
    return this.#advance(seconds, this.#endTargets());
  }

  /**
   * Follows nothing in this frame: the picture stays where it is, or where `pan` and `setCentre` move it.
   *
   * @param {Presented} frame
   * @returns {Framing} The same object every time.
   */
  updateFree(frame) {
    return this.#advance(secondsOf(frame), false);
  }

  #beginTargets() {
    this.#least.fill(Number.MAX_VALUE);
    this.#most.fill(-Number.MAX_VALUE);
    this.#found = this.#jumps = 0;
  }

  #addTarget(/** @type {Drawn | Numbers} */ target) {
    const drawn = drawnOf(target);
    const place = drawn ? drawn.now : /** @type {Numbers} */ (target);
    const cut = drawn?.cut ?? false;
    if (!isPlace(place, 2)) {
      this.counts.targets++;
      // Its cut must not be lost, where it is the only one.
      if (cut) this.#cut = true;
      return;
    }
    this.#found++;
    if (cut) this.#jumps++;
    for (let n = 0; n < 2; n++) {
      this.#least[n] = min(this.#least[n], place[n]);
      this.#most[n] = max(this.#most[n], place[n]);
    }
  }

  // The middle of all targets and the span that shows them; false without a usable one.
  #endTargets() {
    if (this.#found === 0) return false;
    const { viewport, zoom, zoomWithin, fitMargin } = this.#settings;
    const least = this.#least;
    const most = this.#most;
    const place = this.#place;
    let span = 1;
    for (let n = 0; n < 2; n++) {
      place[n] = least[n];
      if (this.#found === 1) continue;
      // Halves first: the sum of two far ends could overflow.
      place[n] = least[n] / 2 + most[n] / 2;
      const room = max(viewport[n] - 2 * fitMargin, viewport[n] / 4);
      span = max(span, ((most[n] - least[n]) * zoom) / room);
    }
    this.#wantedSpan = this.#found === 1 ? 1 : min(span, zoom / zoomWithin[0]);
    return true;
  }

  #advance(/** @type {number} */ seconds, /** @type {boolean} */ wanted) {
    const usable = seconds < Infinity;
    if (!usable) this.counts.times++;
    if (wanted && this.#jumps === this.#found) this.#cut = true;
    if (this.#begun && (!this.#cut || !wanted)) {
      if (!usable) return this.#drawn;
      this.#follow(wanted, seconds);
    } else {
      this.#cut = false;
      const span = wanted ? this.#wantedSpan : 1;
      const place = wanted ? this.#place : this.#drawn.centre;
      const zoom = this.#zoomAt(span);
      for (let n = 0; n < 2; n++) this.#centre[n] = this.#confined(n, place[n], zoom);
      this.#rest(span);
      this.#hasTarget = wanted;
      if (wanted) this.#target.set(this.#place);
      this.#targets = wanted ? this.#found : 0;
    }
    const { shake } = this.#settings;
    if (usable && !shake.ownTime) this.#shaking.advance(seconds, shake);
    return this.#draw();
  }

  // Forgets all motion.
  #rest(/** @type {number} */ span) {
    this.#begun = true;
    this.#scroll.fill(0);
    this.#hasTarget = false;
    this.#targets = 0;
    this.#ahead.fill(0);
    this.#beside.fill(0);
    this.#span = this.#spanWanted = span;
  }

  #follow(/** @type {boolean} */ wanted, /** @type {number} */ seconds) {
    const { lookAhead, easeRate, settle, viewport, exponential, rate } = this.#settings;
    const ease = this.#ease.over(seconds, easeRate);
    const glides = this.#glides;
    for (let n = 0; n < 2; n++) {
      const glide = glides[n];
      if (exponential) {
        glide.over(seconds, -ln(exponential.smoothing) * 60 * exponential.speed);
        glide.lead = 1;
      } else {
        glide.over(seconds, typeof rate === "number" ? rate : rate[n]);
      }
    }
    const moves = seconds > 0;

    const spanWanted = wanted ? this.#wantedSpan : this.#spanWanted;
    const wasWanted = this.#spanWanted;
    if (this.#span !== spanWanted || wasWanted !== spanWanted) {
      // Out as fast as it follows, lest a target gets out of the picture; in gently.
      const glide = spanWanted > this.#span ? glides[0] : ease;
      this.#span = glide.follow(this.#span, wasWanted, spanWanted);
      const pixels = (Math.abs(this.#span - spanWanted) / spanWanted) * max(viewport[0], viewport[1]);
      if (wasWanted === spanWanted && moves && pixels <= settle) this.#span = spanWanted;
    }
    this.#spanWanted = spanWanted;
    const zoom = this.#zoomAt(this.#span);

    const scroll = this.#scroll;
    if (scroll[0] !== 0 || scroll[1] !== 0) {
      for (let n = 0; n < 2; n++) scroll[n] = ease.follow(scroll[n], 0, 0);
      if (moves && Math.abs(scroll[0]) * zoom <= settle && Math.abs(scroll[1]) * zoom <= settle) scroll.fill(0);
    }
    const from = this.#from;
    // The zoom or the viewport may have changed since.
    for (let n = 0; n < 2; n++) this.#centre[n] = from[n] = this.#confined(n, this.#centre[n], zoom);
    if (!wanted) {
      this.#hasTarget = false;
      this.#targets = 0;
      return;
    }

    // A target that was not followed before, or not alone, has no motion yet.
    const known = this.#jumps === 0 && this.#found === this.#targets && this.#hasTarget;
    const place = this.#place;
    const ahead = this.#ahead;
    const beside = this.#beside;
    const target = this.#target;
    if (!known) target.set(place);
    const old = this.#old;
    const goal = this.#goal;
    const next = this.#nextAhead;
    for (let n = 0; n < 2; n++) {
      next[n] = 0;
      if (lookAhead[0] !== 0 || lookAhead[1] !== 0) {
        next[n] = ahead[n];
        if (moves) {
          const way = place[n] - target[n];
          const most = viewport[n] / (4 * zoom);
          const to = way === 0 ? 0 : clamp((way * lookAhead[n]) / seconds, -most, most);
          next[n] = ease.follow(ahead[n], to, to);
          if (to === 0 && Math.abs(next[n]) * zoom <= settle) next[n] = 0;
        }
      }
      old[n] = this.#goalOf(n, from[n], target[n] + (beside[n] + ahead[n]), zoom);
      goal[n] = this.#goalOf(n, from[n], place[n] + (beside[n] + next[n]), zoom);
      const centre = glides[n].follow(from[n], old[n], goal[n]);
      const arrived = goal[n] === old[n] && Math.abs(centre - goal[n]) * zoom <= settle;
      this.#centre[n] = arrived && moves ? goal[n] : centre;
    }
    ahead.set(next);
    target.set(place);
    this.#hasTarget = true;
    this.#targets = this.#found;
  }

  // The nearest place to `from` that has the target in the dead zone and the picture in the world, along one axis.
  #goalOf(/** @type {number} */ n, /** @type {number} */ from, /** @type {number} */ target, /** @type {number} */ zoom) {
    const slack = this.#slack(n, zoom);
    return this.#confined(n, clamp(from, target - slack, target + slack), zoom);
  }

  #slack(/** @type {number} */ n, /** @type {number} */ zoom) {
    return this.#settings.deadZone[n] / (2 * zoom);
  }

  #confined(/** @type {number} */ n, /** @type {number} */ centre, /** @type {number} */ zoom) {
    const { bounds, viewport } = this.#settings;
    return bounds ? confine(centre, viewport[n] / (2 * zoom), bounds.min[n], bounds.max[n]) : centre;
  }

  #setFraming(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ zoom, framing = this.#drawn) {
    const { origin, viewport, yUp } = this.#settings;
    framing.centre[0] = x;
    framing.centre[1] = y;
    framing.zoom = zoom;
    framing.yUp = yUp;
    for (let n = 0; n < 2; n++) {
      framing.origin[n] = origin[n];
      framing.viewport[n] = viewport[n];
    }
    return framing;
  }

  // The picture around a centre, shaken.
  #frame(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ zoom, framing = this.#drawn) {
    const { shake } = this.#settings;
    if (this.#shaking.strength === 0 || shake.reach === 0) return this.#setFraming(x, y, zoom, framing);
    const shaken = this.#shaking;
    return this.#setFraming(x + shaken.pixels(0, shake) / zoom, y + shaken.pixels(1, shake) / zoom, zoom, framing);
  }

  #draw() {
    return this.#frame(this.#middle(0), this.#middle(1), this.#zoom);
  }

  #middle(/** @type {number} */ n) {
    return this.#begun ? this.#centre[n] + this.#scroll[n] : this.#drawn.centre[n];
  }

  // The zoom in force: that of the settings, or less for several targets.
  get #zoom() {
    return this.#zoomAt(this.#begun ? this.#span : 1);
  }

  #zoomAt(/** @type {number} */ span) {
    return max(this.#settings.zoom / span, this.#settings.zoomWithin[0]);
  }

  /** The picture last drawn: what the player sees, and so what a click means. The same object every time. */
  get framing() {
    return this.#drawn;
  }

  /** The settings' zoom, where zooming has brought it. */
  get zoom() {
    return this.#settings.zoom;
  }

  /** Moves the picture at once, and forgets the motion before. @param {Numbers} centre */
  setCentre(centre) {
    if (!isPlace(centre, 2)) {
      this.counts.requests++;
      return;
    }
    const span = this.#begun ? this.#span : 1;
    const zoom = this.#zoom;
    for (let n = 0; n < 2; n++) this.#centre[n] = this.#confined(n, centre[n], zoom);
    this.#rest(span);
    this.#cut = false;
  }

  /**
   * Moves the picture at once by this many screen pixels, as a mouse drags it. While a target is followed, the picture stays
   * that far beside it until `recentre`.
   *
   * @param {Numbers} pixels
   */
  pan(pixels) {
    if (!this.#begun) return;
    const zoom = this.#zoom;
    const from = this.#frame(this.#centre[0], this.#centre[1], zoom, new Framing());
    const here = from.toWorld(from.origin);
    const there = from.toWorld([from.origin[0] + pixels[0], from.origin[1] + pixels[1]]);
    this.#put([0, 1].map((n) => this.#centre[n] - (there[n] - here[n])), zoom, zoom);
  }

  // Puts the middle of the picture where the bounds let; the target stays where it is on the screen in relation to where it
  // should be, so that following does not pull the picture back.
  #put(/** @type {number[]} */ centre, /** @type {number} */ oldZoom, /** @type {number} */ zoom) {
    const next = centre.map((c, n) => this.#confined(n, c, zoom));
    const beside = [...this.#beside];
    if (this.#hasTarget) {
      for (let n = 0; n < 2; n++) {
        const target = this.#target[n];
        const ahead = this.#ahead[n];
        const from = this.#centre[n];
        const aim = target + (beside[n] + ahead);
        const oldGoal = this.#goalOf(n, from, aim, oldZoom);
        const slack = this.#slack(n, zoom);
        // Where in the dead zone it was, and how far the picture still had to go.
        const off = clamp((from - aim) * (oldZoom / zoom), -slack, slack);
        beside[n] = next[n] - off + (oldGoal - from) - target - ahead;
      }
    }
    // Far off the screen, numbers end.
    if (!isPlace(next, 2) || !isPlace(beside, 2)) {
      this.counts.requests++;
      return;
    }
    this.#centre.set(next);
    this.#beside.set(beside);
  }

  /** Lets the picture glide back over its target after `pan` and zooming about a point. */
  recentre() {
    this.#beside.fill(0);
  }

  /** The target jumped: so will the picture at the next update. Not needed with what `draw` returns. */
  cut() {
    this.#cut = true;
  }

  /** Moves everything with the world's origin, the bounds too: give the same shift as to every track. @param {Numbers} by */
  rebase(by) {
    const shifted = (/** @type {Numbers} */ place) => [place[0] + by[0], place[1] + by[1]];
    const { bounds } = this.#settings;
    const moved = bounds ? { min: shifted(bounds.min), max: shifted(bounds.max) } : null;
    const drawn = shifted(this.#drawn.centre);
    const centre = shifted(this.#centre);
    const target = shifted(this.#target);
    const places = [drawn, ...(this.#begun ? [centre] : []), ...(this.#hasTarget ? [target] : [])];
    if (moved) places.push(moved.min, moved.max);
    if (!places.every((place) => isPlace(place, 2))) {
      this.counts.requests++;
      return;
    }
    this.#settings.bounds = moved;
    this.#drawn.centre.set(drawn);
    this.#centre.set(centre);
    this.#target.set(target);
  }

  /** Shakes the picture: 1 is full strength, and shakes add up to it. @param {number} strength */
  shake(strength) {
    if (strength > 0 && strength < Infinity) this.#shaking.add(strength);
    else this.counts.requests++;
  }

  /**
   * Advances the shake by `seconds` of another clock than the presented time, and returns the picture: once per frame, with
   * `shake: { ownTime: true }`.
   *
   * @param {number} seconds
   * @returns {Framing} The same object every time.
   */
  advanceShake(seconds) {
    const { shake } = this.#settings;
    if (seconds >= 0 && seconds < Infinity && shake.ownTime) {
      this.#shaking.advance(seconds, shake);
      return this.#draw();
    }
    this.counts.requests++;
    return this.#drawn;
  }

  /**
   * Zooms to `zoom` screen pixels per unit of the world, or as near as `zoomWithin` lets.
   *
   * @param {number} zoom
   * @param {Numbers} [about] The place under this point of the screen stays under it. While a target is followed, the picture
   *   then stays beside it until `recentre`. Without it, zooms about the middle.
   */
  zoomTo(zoom, about) {
    if (!(zoom > 0 && zoom < Infinity && (!about || isPlace(about, 2)))) {
      this.counts.requests++;
      return;
    }
    const settings = this.#settings;
    const oldZoom = this.#zoom;
    const middle = [this.#middle(0), this.#middle(1)];
    const place = about && this.#frame(middle[0], middle[1], oldZoom, new Framing()).toWorld(about);
    settings.zoom = clamp(zoom, settings.zoomWithin[0], settings.zoomWithin[1]);
    if (!this.#begun) return;
    const now = this.#zoom;
    if (about && place) {
      // How far the place would be off, taken back.
      const off = this.#frame(middle[0], middle[1], now, new Framing()).toWorld(about);
      this.#put([0, 1].map((n) => this.#centre[n] + (place[n] - off[n])), oldZoom, now);
    } else {
      for (let n = 0; n < 2; n++) this.#centre[n] = this.#confined(n, this.#centre[n], now);
    }
  }

  /** Zooms in by `factor` (below 1: out), like `zoomTo`. @param {number} factor @param {Numbers} [about] */
  zoomBy(factor, about) {
    this.zoomTo(this.#settings.zoom * factor, about);
  }

  /**
   * Uses other settings from the next frame on, over those in force. The picture scrolls to new bounds; call `cut` as well to
   * jump.
   *
   * @param {FollowSettings} settings
   */
  setSettings(settings) {
    const all = checked(complete(this.#settings, settings));
    const scrolls = !sameBounds(all.bounds, this.#settings.bounds);
    this.#settings = all;
    if (!this.#begun || !scrolls) return;
    const zoom = this.#zoom;
    for (let n = 0; n < 2; n++) {
      const drawn = this.#middle(n);
      this.#centre[n] = this.#confined(n, this.#centre[n], zoom);
      this.#scroll[n] = drawn - this.#centre[n];
    }
  }
}

/** @typedef {Required<FollowSettings> & { shake: Required<ShakeSettings> }} AllSettings */

/** @param {Required<FollowSettings>} defaults @param {FollowSettings | undefined} given @returns {AllSettings} */
function complete(defaults, given) {
  const all = settled("a follow camera", defaults, given);
  const shake = settled("shake", { ...SHAKE, ...defaults.shake }, given?.shake);
  return { ...all, shake };
}

/** @param {AllSettings} settings */
function checked(settings) {
  const { rate, exponential, viewport, origin, zoom, zoomWithin, bounds, deadZone, lookAhead, shake } = settings;
  const rigid = "a number above 0, infinity for a rigid camera";
  for (const one of typeof rate === "number" ? [rate] : [rate[0], rate[1]]) check(one > 0, "rate", one, rigid);
  if (exponential) {
    const { smoothing, speed } = exponential;
    check(smoothing >= 0 && smoothing < 1, "smoothing", smoothing, "a number from 0 to below 1");
    check(speed > 0 && speed < Infinity, "speed", speed, "a number above 0");
  }
  within("least zoom", zoomWithin[0], 1e-9, MOST);
  within("most zoom", zoomWithin[1], zoomWithin[0], MOST);
  within("zoom", zoom, zoomWithin[0], zoomWithin[1]);
  for (let n = 0; n < 2; n++) {
    within("viewport", viewport[n], Number.MIN_VALUE, MOST);
    within("origin", origin[n], -MOST, MOST);
    within("deadZone", deadZone[n], 0, MOST);
    within("lookAhead", lookAhead[n], 0, MOST);
    if (!bounds) continue;
    const least = bounds.min[n];
    const most = bounds.max[n];
    check(Math.abs(least) <= 1e150, `bounds.min[${n}]`, least, "a finite number");
    check(most >= least && Math.abs(most) <= 1e150, `bounds.max[${n}]`, most, "a finite number, not below min");
  }
  within("fitMargin", settings.fitMargin, 0, MOST);
  check(settings.easeRate > 0, "easeRate", settings.easeRate, "a number above 0, infinity for at once");
  within("shake.reach", shake.reach, 0, 1e9);
  within("shake.seconds", shake.seconds, Number.MIN_VALUE, 1e9);
  within("shake.hz", shake.hz, Number.MIN_VALUE, 1e6);
  check(Number.isSafeInteger(shake.seed) && shake.seed >= 0, "shake.seed", shake.seed, "a whole number, 0 or more");
  within("settle", settings.settle, 0, MOST);
  return settings;
}

/** @param {FollowSettings["bounds"]} a @param {FollowSettings["bounds"]} b */
function sameBounds(a, b) {
  if (!a || !b) return !a === !b;
  return [0, 1].every((n) => a.min[n] === b.min[n] && a.max[n] === b.max[n]);
}
