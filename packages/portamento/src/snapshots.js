// Where is a remote entity drawn?
//
//                     moment                 sender's clock ->
//   o-------o-----------|---o-------o......
//        before   from  ^   to    after          the last snapshots
//                       |-- blended, and on top of it the visual offset:
//                           whatever moved the curve under the picture since the frame before
import { BLENDED, EXTRAPOLATED, HELD, claimOf } from "./claim.js";
import { Drawn } from "./drawn.js";
import { lerp, max, min } from "./math.js";
import { Curve, STEP, advance, inner, scale, size, sizes, velocityNumbers, velocityTo } from "./motion.js";
import { Fading, Offset, SNAPPED } from "./offset.js";
import { plainFading } from "./peer.js";
import { fadingOut } from "./playhead.js";
import { POSE, same, shift, take } from "./values.js";

/** @import { MessageStamp, PeerFrame } from "./peer.js" */
/** @import { Numbers, Value } from "./values.js" */

const fround = Math.fround;
// Stamps closer than this share of the time from message to message are one.
const CROWDED = 0.25;
// So many times longer than usual, and it was a rest, unless it happens twice in a row.
const RESTED = 4;
// Longer than this it was a rest, whatever is usual, if it happens for the first time. Seconds.
const FIRST_REST = 0.5;
// What share of a shorter time is believed with each snapshot.
const SHRINKS = 0.05;
// So many of its own intervals without a word of it, and it is taken to rest where it was.
const SELDOM = 2.5;
// A gap so many times longer than its neighbours says little about the way between its ends.
const LONG_GAP = 4;
// Snapshots closer than this share of the send interval say nothing about the speed.
const CLOSE = 0.125;
// How much a turn counts where motion is extrapolated.
const BENDS = 0.85;
// How fast an entity's highest speed is forgotten, with each snapshot, and how far it may lie above the usual one.
const TOP_FADES = 0.002;
const TOP_OF_USUAL = 2;
// An offset of less than this many seconds of an entity's way is gone.
const GONE = 1e-5;
const LEAST = 2 ** -1022;

/** One snapshot. */
class Node {
  sent = 0.5;
  epoch = 0;
  hasVelocity = false;
  // It stays like this until it moves again.
  rests = false;
  // From here on the entity is not there.
  gone = false;
  // The step that leads here is an undeclared teleport.
  jumped = false;

  /** @param {number} numbers */
  constructor(numbers) {
    /** @type {Value} */
    this.value = new Float64Array(numbers);
    /** @type {Value} */
    this.velocity = new Float64Array(velocityNumbers(numbers));
  }

  /** Whether the picture may move from `before` to this one. @param {Node} before */
  joins(before) {
    return this.epoch === before.epoch && !this.gone && !before.gone && !this.jumped;
  }
}

/** The usual speed of an entity, learned from its snapshots. */
class Pace {
  length = 0;
  angle = 0;
  top = 0;

  /** Another speed was seen. @param {number} length @param {number} angle */
  learn(length, angle) {
    this.length = usual(this.length, length);
    this.angle = usual(this.angle, angle);
    const { length: speed } = this;
    this.top = max(max(this.top - TOP_FADES * (this.top - speed), min(length, TOP_OF_USUAL * speed)), speed);
  }
}

/** Standing still says little about the pace, and so does one outlier. @param {number} usual @param {number} speed */
function usual(usual, speed) {
  const square = usual * usual;
  const now = speed * speed;
  if (!(now < Infinity) || now !== now) return usual;
  if (square === 0) return speed;
  if (now === 0) return usual;
  if (now < 0.02 * square) return usual * 0.999;
  return Math.sqrt(square + 0.05 * (min(now, 16 * square) - square));
}

/**
 * What is drawn of a remote entity. Its own object, with new numbers in every frame.
 *
 * `status` says what there is to draw: `here`; `not-yet`: it has not appeared, or it vanished and will appear again; `gone`:
 * it vanished, and nothing newer was reported. `now`, `before` and `cut` mean something only if it is `here`.
 */
export class Seen extends Drawn {
  /** @type {"here" | "not-yet" | "gone"} */
  status = "not-yet";
  /** What it was drawn from: a place between two snapshots, past the newest one, or a snapshot itself.
   * @type {"blending" | "extrapolating" | "holding"} */
  from = "holding";
  /** Whether the view has other bits than in the frame before: nothing to upload otherwise. @type {boolean} */
  moved = false;
  /** How much later than the rest of its peer's entities this one is drawn, in seconds: 0 for one that is in every
   * message. @type {number} */
  extraDelay = 0;
}

/** What went other than planned with one entity. */
export class SnapshotCounts {
  /** Snapshots that were there already. */
  duplicates = 0;
  /** Snapshots whose time had passed on the screen, or whose life of the sender was over. */
  late = 0;
  /** Snapshots with a NaN or infinite number. */
  unusable = 0;
  /** Snapshots that went for want of room before the picture had passed them. */
  evicted = 0;
  /** Snapshots that took the place of one stamped at almost the same time. */
  crowded = 0;
  /** Cuts that nobody declared. */
  snaps = 0;
  /** Times that it was drawn no longer because its peer had not mentioned it for long. */
  unheard = 0;
}

/**
 * What a message says of an entity besides its place.
 *
 * @typedef {object} ReportDetails
 * @property {Numbers} [velocity] How it moves: as many numbers as the value has, for a pose six (units and radians per
 *   second about each axis). Without it, it is estimated from the neighbours.
 * @property {number} [epoch] Counts its teleports: any other number than in the snapshot before is a cut. Default 0.
 * @property {boolean} [rests] It stays like this, and nothing more is sent of it, until it moves again. Default false.
 */

/**
 * @typedef {object} SnapshotSettings
 * @property {number} [numbers] How many numbers a value has: 7 is a pose `[x, y, z, qx, qy, qz, qw]`, every other count is
 *   plain numbers, such as 2 or 3 for a position. Default 7.
 * @property {number} [keep] How many snapshots are kept, 4 or more. Default 32.
 */

/**
 * The snapshots of one remote entity, drawn a little in the past (snapshot interpolation). {@link Peer} shows it at work.
 */
export class Snapshots {
  /** What went other than planned. @readonly */
  counts = new SnapshotCounts();
  #numbers;
  #keep;
  /** @type {Node[]} In sending order. */
  #nodes = [];
  /** @type {Node[]} */
  #spare = [];
  #life = 0;
  #handedOver = false;
  // The sender said that the entity vanished, and nothing else of it.
  #ended = false;
  // How long the sender has been in another life and has not spoken of the entity, seconds.
  #silence = 0;
  #changed = false;
  #rebased = false;
  #pace = new Pace();
  #offset;
  #fading = new Fading();
  // How much older than the peer's last message the entity's last snapshot usually is when the next one comes.
  #extra = 0;
  #rested = 0;
  // How long the peer had been silent in all when it last spoke of the entity.
  #silent = 0;
  #extraKnown = false;
  // The last frame.
  #hasLast = false;
  #lastNumber = -1;
  #lastAt = 0.5;
  #lastLife = 0;
  #lastShown = 0.5;
  #lastExtra = 0.5;
  #lastSkipped = 0.5;
  #lastEpoch = 0;
  #lastSince = 0.5;
  #lastOnTruth = false;
  #blended;
  #seen;
  // The way that the last frame lay on, if it was a blend: the next one mostly does too.
  #hasWay = false;
  #wayFrom = 0.5;
  #wayTo = 0.5;
  #wayStart = 0.5;
  #wayRate = 0.5;
  #curve;
  #otherCurve;
  // What `look` found.
  #value;
  #epoch = 0;
  /** @type {"blending" | "extrapolating" | "holding"} */
  #from = "holding";
  #since = 0.5;
  // What the last frame was made of.
  #made = { kind: HELD, before: NaN, from: NaN, to: NaN, after: NaN, fraction: 0, interval: NaN };
  #a;
  #b;
  #c;
  #there;

  /** @param {SnapshotSettings} [settings] */
  constructor({ numbers = POSE, keep = 32 } = {}) {
    if (!(Number.isInteger(numbers) && numbers >= 1)) throw new RangeError(`numbers is ${numbers}: give 1 or more`);
    if (!(Number.isInteger(keep) && keep >= 4)) {
      throw new RangeError(`keep is ${keep}: a blend is made of four snapshots, give 4 or more`);
    }
    this.#numbers = numbers;
    this.#keep = keep;
    this.#offset = new Offset(numbers);
    this.#seen = new Seen(numbers);
    this.#blended = new Float64Array(numbers);
    this.#value = new Float64Array(numbers);
    this.#there = new Float64Array(numbers);
    this.#curve = new Curve(numbers);
    this.#otherCurve = new Curve(numbers);
    const speeds = velocityNumbers(numbers);
    this.#a = new Float64Array(speeds);
    this.#b = new Float64Array(speeds);
    this.#c = new Float64Array(speeds);
  }

  /**
   * Adds what the message with this stamp reports of the entity. Messages may come in any order.
   *
   * @param {MessageStamp} stamp What `peer.receive` returned.
   * @param {Numbers} value
   * @param {ReportDetails} [details]
   * @returns {"in" | "duplicate" | "too-late" | "unusable"} What became of it. `too-late`: its time has passed on the
   *   screen. `unusable`: a number is NaN or infinite.
   */
  insert(stamp, value, details) {
    const node = this.#spare.pop() ?? new Node(this.#numbers);
    node.epoch = details?.epoch ?? 0;
    node.rests = details?.rests ?? false;
    const velocity = details?.velocity;
    node.hasVelocity = velocity !== undefined && velocity !== null;
    if (node.hasVelocity) this.#takeVelocity(node, /** @type {Numbers} */ (velocity));
    if (!isFinite(value, this.#numbers) || !isSound(node)) {
      this.#spare.push(node);
      this.counts.unusable++;
      return "unusable";
    }
    take(node.value, value, "value");
    return this.#put(stamp, node, false);
  }

  #takeVelocity(/** @type {Node} */ node, /** @type {Numbers} */ velocity) {
    const { length } = node.velocity;
    if (velocity.length !== length) {
      throw new RangeError(`velocity has ${velocity.length} numbers: give ${length}`);
    }
    const pose = this.#numbers === POSE;
    for (let n = 0; n < length; n++) node.velocity[n] = pose ? fround(velocity[n]) : velocity[n];
  }

  /**
   * The entity is not there from the moment of this message on. Snapshots from before it are still played; one from after
   * it makes the entity appear again, which is a cut.
   *
   * @param {MessageStamp} stamp
   * @returns {"in" | "duplicate" | "too-late" | "unusable"}
   */
  vanish(stamp) {
    const node = this.#spare.pop() ?? new Node(this.#numbers);
    const newest = this.#nodes.at(-1);
    if (!stamp.usable || !newest) {
      this.#spare.push(node);
      if (stamp.usable) this.#ended = true;
      else this.counts.unusable++;
      return stamp.usable ? "in" : "unusable";
    }
    // An entity that vanishes keeps the value it had.
    node.value.set(newest.value);
    node.velocity.set(newest.velocity);
    node.hasVelocity = newest.hasVelocity;
    node.epoch = newest.epoch;
    node.rests = newest.rests;
    return this.#put(stamp, node, true);
  }

  /** @returns {"in" | "duplicate" | "too-late" | "unusable"} */
  #put(/** @type {MessageStamp} */ stamp, /** @type {Node} */ node, /** @type {boolean} */ gone) {
    const { counts } = this;
    if (!stamp.usable) {
      this.#spare.push(node);
      counts.unusable++;
      return "unusable";
    }
    node.sent = stamp.sent;
    node.gone = gone;
    node.jumped = false;
    if (this.#handedOver) {
      this.#handedOver = false;
      this.#life = stamp.life;
      this.#empty();
      this.#extra = this.#rested = this.#silent = 0;
      this.#extraKnown = false;
      // Its moment belongs to another clock.
      this.#lastLife = (stamp.life - 1) >>> 0;
    } else if (stamp.life !== this.#life) {
      if (this.#nodes.length > 0 && (this.#life - stamp.life) >>> 0 < 2 ** 31) {
        this.#spare.push(node);
        counts.late++;
        return "too-late";
      }
      this.#life = stamp.life;
      this.#empty();
    }
    this.#silence = 0;
    const nodes = this.#nodes;
    if (nodes.length === 0) {
      this.#takeInterval(stamp, node.sent, false);
      nodes.push(node);
      this.#changed = true;
      return "in";
    }
    const isDrawn = this.#hasLast && this.#lastLife === this.#life;
    if (isDrawn) {
      const at = this.#atOrBefore(this.#lastShown);
      if ((at >= 0 && node.sent < nodes[at].sent) || node.sent < this.#lastSince) {
        this.#spare.push(node);
        counts.late++;
        return "too-late";
      }
    }
    const before = nodes[nodes.length - 1];
    const span = node.sent - before.sent;
    if (span > 0) this.#takeInterval(stamp, before.sent, !before.rests && !before.gone);
    const steps = span > 0 && before.epoch === node.epoch && !gone && !before.gone;
    let length = 0;
    let angle = 0;
    if (steps) {
      velocityTo(this.#a, before.value, node.value, 1);
      sizes(this.#a, this.#numbers);
      length = size[0];
      angle = size[1];
    }
    // Two ticks that were flushed at once, stamped by a wall clock: the later one is where it is.
    if (steps && span < CROWDED * stamp.spacing && !(isDrawn && this.#lastShown >= before.sent)) {
      this.#spare.push(before);
      nodes[nodes.length - 1] = node;
      counts.crowded++;
      this.#changed = true;
      this.#hasWay = false;
      return "in";
    }
    const { sent } = node;
    const full = nodes.length === this.#keep;
    const unseen = full && !this.#passed(isDrawn);
    let place = nodes.length;
    while (place > 0 && nodes[place - 1].sent > sent) place--;
    if (place > 0 && nodes[place - 1].sent === sent) {
      this.#spare.push(node);
      counts.duplicates++;
      return "duplicate";
    }
    if (full) {
      if (place === 0) {
        this.#spare.push(node);
        counts.late++;
        return "too-late";
      }
      // The two that the picture stands on stay, and the one after them goes instead.
      this.#spare.push(...nodes.splice(unseen && isDrawn && place > 2 ? 2 : 0, 1));
      place--;
      if (unseen) counts.evicted++;
    }
    nodes.splice(place, 0, node);
    this.#changed = true;
    for (let n = Math.max(place, 1); n < Math.min(place + 2, nodes.length); n++) {
      nodes[n].jumped = this.#isJump(nodes[n - 1], nodes[n], stamp);
    }
    const usualSpan = RESTED * (this.#extra + max(stamp.spacing, stamp.interval));
    if (steps && span >= CROWDED * stamp.spacing && span < usualSpan) {
      this.#pace.learn(length / span, angle / span);
    }
    return "in";
  }

  #empty() {
    this.#spare.push(...this.#nodes);
    this.#nodes.length = 0;
  }

  // When the life of the entity began that a snapshot at or before this moment is of: right after the last cut, or as far
  // back as is known.
  #beginning(/** @type {number} */ moment) {
    const nodes = this.#nodes;
    let at = this.#atOrBefore(moment);
    if (at < 0) return -Infinity;
    while (at > 0 && nodes[at].joins(nodes[at - 1])) at--;
    return nodes[at].sent;
  }

  // Whether the picture needs nothing from before the second oldest snapshot any more.
  #passed(/** @type {boolean} */ isDrawn) {
    if (isDrawn) return this.#lastShown >= this.#nodes[1].sent;
    // Not on the screen: what was before it vanished has been seen.
    return this.#nodes.some((node) => node.gone);
  }

  // Whether the step from one snapshot to the next is a teleport that nobody declared.
  #isJump(/** @type {Node} */ older, /** @type {Node} */ newer, /** @type {MessageStamp} */ stamp) {
    if (older.epoch !== newer.epoch || older.gone || newer.gone) return false;
    velocityTo(this.#a, older.value, newer.value, 1);
    sizes(this.#a, this.#numbers);
    const step = size[0];
    // Stamps may be closer than what was stamped.
    const seconds = max(max(newer.sent - older.sent, stamp.spacing), stamp.interval);
    const speed = max(this.#pace.length, max(this.#speed(older), this.#speed(newer)));
    return speed > 0 && step > stamp.jump * speed * seconds;
  }

  #speed(/** @type {Node} */ node) {
    if (!node.hasVelocity) return 0;
    sizes(node.velocity, this.#numbers);
    return size[0];
  }

  // A snapshot came that is newer than the one `before`; `skips` where both are of one motion.
  #takeInterval(/** @type {MessageStamp} */ stamp, /** @type {number} */ before, /** @type {boolean} */ skips) {
    // A peer that said nothing at all may have left out a mention of this entity, or several: what came before and what came
    // after says nothing of a longer interval.
    const wasSilent = stamp.silentBefore > this.#silent;
    this.#silent = stamp.silent;
    if (stamp.before === stamp.before && skips && !(wasSilent && this.#extraKnown)) {
      this.#learnInterval(stamp.before - before, stamp.spacing);
    }
  }

  #learnInterval(/** @type {number} */ skipped, /** @type {number} */ spacing) {
    skipped = max(skipped, 0);
    const usual = this.#extraKnown ? RESTED * (this.#extra + spacing) : max(FIRST_REST, RESTED * spacing);
    if (skipped > usual) {
      const rested = this.#rested;
      const again = rested > 0 && rested < RESTED * skipped && skipped < RESTED * rested;
      this.#rested = again ? 0 : skipped;
      if (again) {
        this.#extra = min(skipped, rested);
        this.#extraKnown = true;
      }
      return;
    }
    this.#rested = 0;
    if (skipped >= this.#extra || !this.#extraKnown) {
      this.#extra = skipped;
    } else {
      this.#extra += SHRINKS * (skipped - this.#extra);
      if (this.#extra < 0.02 * spacing) this.#extra = 0;
    }
    this.#extraKnown = true;
  }

  #atOrBefore(/** @type {number} */ moment) {
    let n = this.#nodes.length - 1;
    while (n >= 0 && !(this.#nodes[n].sent <= moment)) n--;
    return n;
  }

  /**
   * Returns what to draw in this frame. Asked again for the same frame, it returns the same.
   *
   * @param {PeerFrame} frame What `peer.frame` returned.
   * @returns {Seen} The same object every time.
   */
  draw(frame) {
    const seen = this.#seen;
    seen.extraDelay = this.#extra;
    if (this.#nodes.length === 0) return this.#absent();
    if (this.#hasLast && this.#lastNumber === frame.number && this.#lastAt === frame.shown) return seen;
    if (frame.life !== this.#life || this.#handedOver) return this.#hold(frame);
    let parted = false;
    const extra = this.#extra;
    let moment = frame.shown - extra;
    // A longer delay leads back, but not to the other side of a cut: what was seen of it is over.
    const leadsBack = this.#hasLast && this.#lastLife === frame.life && moment < this.#lastShown;
    const began = leadsBack ? this.#beginning(max(this.#lastSince, this.#lastShown)) : -Infinity;
    moment = max(moment, began);
    const value = this.#value;
    if (this.#hasLast && this.#hasWay && !this.#changed && this.#covers(moment)) {
      const fraction = fractionOf((moment - this.#wayStart) * this.#wayRate);
      this.#curve.on(value, fraction);
      this.#made.fraction = fraction;
      this.#epoch = this.#lastEpoch;
      this.#from = "blending";
      this.#since = this.#lastSince;
    } else {
      if (!this.#hasLast && moment < this.#nodes[0].sent) {
        seen.status = "not-yet"; // it appears at its own moment
        return seen;
      }
      if (this.#isUnheard(frame)) return this.#unheard();
      this.#hasWay = false;
      if (!this.#look(value, moment, frame, true)) return this.#absent();
      // Two cuts in one frame may end with the number that was drawn before them.
      if (this.#hasLast && this.#lastLife === frame.life && this.#lastSince !== this.#since) {
        parted = this.#parts(this.#lastSince, max(moment, this.#since));
      }
    }
    const epoch = this.#epoch;
    const from = this.#from;
    const since = this.#since;
    const declared = !this.#hasLast || this.#lastEpoch !== epoch;
    const offset = this.#offset;
    let cut = parted || declared;
    if (cut) {
      offset.clear();
    } else {
      if (!offset.isGone) offset.pass(frame.passing, this.#fadingOf(frame));
      // Did the curve move under the picture? New snapshots bend it, a skip of the playhead leads elsewhere on it, and an
      // extrapolation ends when the sender speaks.
      const skipped = frame.skipped - this.#lastSkipped;
      const shifted = this.#changed || skipped !== 0 || seen.from === "extrapolating";
      // A moment of another life's clock means nothing on this one.
      const then =
        this.#lastLife === frame.life ? max(this.#lastShown + skipped - (extra - this.#lastExtra), began) : moment;
      if (shifted && this.#at(this.#there, then, frame)) {
        const absorbed = offset.absorb(this.#blended, this.#there, Infinity, Infinity);
        offset.measure();
        const pace = this.#pace;
        if (absorbed === SNAPPED || size[0] > (pace.length > 0 ? frame.settings.glide * pace.top : Infinity)) {
          offset.clear();
          cut = true;
          parted = true;
        }
      }
    }
    if (parted && !declared) this.counts.snaps++;
    const onTruth = offset.isGone;
    const moved =
      cut || this.#rebased || !onTruth || !this.#hasLast || !this.#lastOnTruth || !same(this.#blended, value);
    if (!cut) this.#rebased = false;
    this.#changed = false;
    if (this.#hasLast) seen.before.set(seen.now);
    offset.drawn(seen.now, value);
    if (!this.#hasLast) seen.before.set(seen.now);
    seen.status = "here";
    seen.cut = cut;
    seen.from = from;
    seen.moved = moved;
    this.#hasLast = true;
    this.#lastNumber = frame.number;
    this.#lastAt = frame.shown;
    this.#lastLife = frame.life;
    this.#lastShown = moment;
    this.#lastExtra = extra;
    this.#lastSkipped = frame.skipped;
    this.#blended.set(value);
    this.#lastEpoch = epoch;
    this.#lastSince = since;
    this.#lastOnTruth = onTruth;
    return seen;
  }

  #fadingOf(/** @type {PeerFrame} */ frame) {
    const { fade } = frame.settings;
    const pace = this.#pace.length;
    plainFading(this.#fading.lengths, fade, max(pace, LEAST), max(GONE * pace, LEAST));
    plainFading(this.#fading.angles, fade, 1, 1e-4);
    return this.#fading;
  }

  // The sender is in another life than the snapshots: until it speaks of the entity, the picture stays where it is.
  #hold(/** @type {PeerFrame} */ frame) {
    this.#hasWay = false;
    const seen = this.#seen;
    const newest = this.#nodes[this.#nodes.length - 1];
    if (newest.gone) return this.#absent();
    this.#silence += frame.elapsed;
    if (this.#silence > frame.settings.forget) return this.#unheard();
    const cut = !this.#hasLast;
    this.#lastNumber = frame.number;
    this.#lastAt = frame.shown;
    if (cut) {
      this.#hasLast = true;
      this.#lastLife = this.#life;
      this.#lastShown = newest.sent;
      this.#lastExtra = 0;
      this.#lastSkipped = frame.skipped;
      this.#blended.set(newest.value);
      seen.now.set(newest.value);
      this.#lastEpoch = newest.epoch;
      this.#lastSince = newest.sent;
      this.#lastOnTruth = true;
      this.#note(HELD, null, null, newest, null, 0, frame.settings.interval);
    }
    if (!this.#offset.isGone) this.#offset.pass(frame.passing, this.#fadingOf(frame));
    seen.moved = cut || this.#rebased || !this.#lastOnTruth;
    if (!cut) this.#rebased = false;
    this.#lastOnTruth = this.#offset.isGone;
    seen.before.set(seen.now);
    this.#offset.drawn(seen.now, this.#blended);
    seen.status = "here";
    seen.from = "holding";
    seen.cut = cut;
    return seen;
  }

  // Whether the peer has spoken for long, and not of the entity.
  #isUnheard(/** @type {PeerFrame} */ frame) {
    const newest = this.#nodes[this.#nodes.length - 1];
    const silent = frame.newest - newest.sent;
    const seldom = RESTED * (this.#extra + frame.spacing);
    return silent > frame.settings.forget && !newest.rests && !newest.gone && silent > seldom;
  }

  // Nothing is drawn: the peer speaks, but not of this entity. What comes later has nothing to do with what was.
  #unheard() {
    this.counts.unheard++;
    this.#nodes[this.#nodes.length - 1].gone = true;
    return this.#absent();
  }

  // Nothing is drawn: the entity vanished, for good if nothing newer is known of it.
  #absent() {
    const seen = this.#seen;
    this.#offset.clear();
    this.#hasLast = false;
    seen.status = (this.#nodes.at(-1)?.gone ?? this.#ended) ? "gone" : "not-yet";
    return seen;
  }

  #note(
    /** @type {number} */ kind,
    /** @type {Node | null} */ before,
    /** @type {Node | null} */ from,
    /** @type {Node} */ to,
    /** @type {Node | null} */ after,
    /** @type {number} */ fraction,
    /** @type {number} */ interval,
  ) {
    const made = this.#made;
    made.kind = kind;
    made.before = before ? before.sent : NaN;
    made.from = from ? from.sent : NaN;
    made.to = to.sent;
    made.after = after ? after.sent : NaN;
    made.fraction = fraction;
    made.interval = interval;
  }

  #covers(/** @type {number} */ moment) {
    return this.#wayFrom <= moment && moment < this.#wayTo;
  }

  // What the snapshots say of a moment other than the one that is drawn.
  #at(/** @type {Value} */ out, /** @type {number} */ moment, /** @type {PeerFrame} */ frame) {
    if (this.#hasWay && this.#covers(moment)) {
      this.#curve.on(out, fractionOf((moment - this.#wayStart) * this.#wayRate));
      return true;
    }
    return this.#look(out, moment, frame, false);
  }

  // Whether something parts the picture at `from` from the one at `moment`.
  #parts(/** @type {number} */ from, /** @type {number} */ moment) {
    const nodes = this.#nodes;
    let n = nodes.length - 1;
    while (n >= 1 && nodes[n].sent > moment) n--;
    for (; n >= 1 && nodes[n].sent > from; n--) if (!nodes[n].joins(nodes[n - 1])) return true;
    return false;
  }

  // What the snapshots say of a moment; false where the entity is gone. With `keep`, the way that it lies on is kept.
  #look(
    /** @type {Value} */ out,
    /** @type {number} */ moment,
    /** @type {PeerFrame} */ frame,
    /** @type {boolean} */ keep,
  ) {
    const nodes = this.#nodes;
    const extra = this.#extra;
    const { interval, extrapolate } = frame.settings;
    let at = this.#atOrBefore(moment);
    let early = false;
    // Before a cut the old side stands for one send interval, however many messages are missing there.
    if (at >= 0 && at + 1 < nodes.length) {
      const old = nodes[at];
      const next = nodes[at + 1];
      if (!next.gone && !old.gone && moment > old.sent + interval && !next.joins(old)) {
        at++;
        early = true;
      }
    }
    const node = nodes[Math.max(at, 0)];
    if (node.gone) return false;
    this.#epoch = node.epoch;
    this.#from = "holding";
    this.#since = node.sent;
    if (keep) this.#note(HELD, null, null, node, null, 0, interval);
    if (at >= 0 && !early) {
      if (at + 1 < nodes.length && nodes[at + 1].joins(node)) {
        this.#from = "blending";
        this.#blend(out, at, moment, interval, keep);
        return true;
      }
      // Past the newest: onward only while everything from this peer is silent, or what rests would drift. What is seldom
      // in a message is given more time.
      const silent = frame.extrapolates && node.sent >= frame.newest;
      const seldom = extra > 0 && frame.newest - node.sent < SELDOM * (extra + frame.spacing);
      const before = at > 0 && node.joins(nodes[at - 1]) ? nodes[at - 1] : null;
      const goesOn = at + 1 === nodes.length && (silent || seldom) && moment > node.sent && !node.rests;
      // The first of its life, or after a cut, has no motion yet to go on with.
      if (goesOn && (before || node.hasVelocity)) {
        let seconds = moment - node.sent;
        // The playhead slows down past the peer's newest message, not past this entity's.
        if (!silent) seconds = extrapolate > 0 ? fadingOut(0, seconds, extrapolate) : 0;
        // Who turns does not go on as it went.
        seconds /= 1 + this.#bends() * seconds;
        this.#from = "extrapolating";
        const fraction = fractionOf(min(seconds, 1));
        this.#beyond(out, before, node, fraction, interval);
        if (keep) this.#note(EXTRAPOLATED, before, null, node, null, fraction, interval);
        return true;
      }
    }
    out.set(node.value);
    return true;
  }

  // How fast the motion turns or changes its pace at the newest snapshot, per second.
  #bends() {
    const nodes = this.#nodes;
    const at = nodes.length - 1;
    if (at < 2) return 0;
    const node = nodes[at];
    const middle = nodes[at - 1];
    const first = nodes[at - 2];
    if (node.hasVelocity || !node.joins(middle) || !middle.joins(first)) return 0;
    const h0 = middle.sent - first.sent;
    const h1 = node.sent - middle.sent;
    // Of stamps at about the same time nothing can be told.
    if (h0 < CLOSE * h1 || h1 < CLOSE * h0) return 0;
    const was = this.#a;
    const is = this.#b;
    slope(was, first, middle);
    slope(is, middle, node);
    inner(was, was, this.#numbers);
    const wasLength = size[0];
    const wasAngle = size[1];
    inner(is, is, this.#numbers);
    const isLength = size[0];
    const isAngle = size[1];
    inner(was, is, this.#numbers);
    // What moves is judged by its way, what only turns by its turn.
    const moves = wasLength > 0 || isLength > 0;
    const share = moves ? size[0] / max(wasLength, isLength) : size[1] / max(wasAngle, isAngle);
    const alike = share < 1 ? max(share, 0) : 1; // alike for NaN too
    return min((BENDS * Math.sqrt(1 - alike)) / h1, Number.MAX_VALUE);
  }

  #beyond(
    /** @type {Value} */ out,
    /** @type {Node | null} */ before,
    /** @type {Node} */ node,
    /** @type {number} */ fraction,
    /** @type {number} */ interval,
  ) {
    if (fraction === 0) {
      out.set(node.value);
      return;
    }
    const far = before && node.sent - before.sent >= CLOSE * interval ? before : null;
    this.#velocity(this.#a, far, node, null, interval);
    advance(out, node.value, this.#a, fraction * STEP);
  }

  // Blends between the snapshots `at` and the next.
  #blend(
    /** @type {Value} */ out,
    /** @type {number} */ at,
    /** @type {number} */ moment,
    /** @type {number} */ interval,
    /** @type {boolean} */ keep,
  ) {
    const nodes = this.#nodes;
    const from = nodes[at];
    const to = nodes[at + 1];
    const before = at > 0 && from.joins(nodes[at - 1]) ? nodes[at - 1] : null;
    const after = at + 2 < nodes.length && nodes[at + 2].joins(to) ? nodes[at + 2] : null;
    // What rested began to move an interval before the next snapshot.
    const start = from.rests ? max(from.sent, to.sent - interval) : from.sent;
    const span = to.sent - start;
    const leaving = this.#a;
    const arriving = this.#b;
    this.#velocity(leaving, before, from, to, interval);
    this.#velocity(arriving, from, to, after, interval);
    // Over a gap that is long beside its neighbours the velocities at its ends say little about the way between.
    const longest = max(max(interval, before ? from.sent - before.sent : 0), after ? after.sent - to.sent : 0);
    const known = (LONG_GAP * longest) / span;
    if (known < 1) {
      scale(leaving, this.#numbers, known, known);
      scale(arriving, this.#numbers, known, known);
    }
    const curve = keep ? this.#curve : this.#otherCurve;
    curve.set(from.value, leaving, to.value, arriving, span);
    const rate = 1 / span;
    const fraction = fractionOf((moment - start) * rate);
    curve.on(out, fraction);
    if (!keep) return;
    this.#note(BLENDED, before, from, to, after, fraction, interval);
    this.#hasWay = true;
    this.#wayFrom = from.sent;
    this.#wayTo = to.sent;
    this.#wayStart = start;
    this.#wayRate = rate;
  }

  // How an entity moves at a snapshot, by its own word or by the neighbours'.
  #velocity(
    /** @type {Value} */ out,
    /** @type {Node | null} */ before,
    /** @type {Node} */ node,
    /** @type {Node | null} */ after,
    /** @type {number} */ interval,
  ) {
    if (node.hasVelocity) {
      out.set(node.velocity);
      return;
    }
    const stays = (before && same(before.value, node.value)) || (after && same(after.value, node.value));
    out.fill(0);
    if (node.rests || stays) return;
    if (before && after) {
      const h0 = node.sent - before.sent;
      const h1 = after.sent - node.sent;
      const near0 = h0 < CLOSE * interval;
      const near1 = h1 < CLOSE * interval;
      if (near0 !== near1) {
        if (near0) slope(out, node, after);
        else slope(out, before, node);
        return;
      }
      slope(out, before, node);
      slope(this.#c, node, after);
      const alpha = h0 / (h0 + h1);
      const pose = this.#numbers === POSE;
      for (let n = 0; n < out.length; n++) {
        out[n] = pose ? lerp32(out[n], this.#c[n], alpha) : lerp(out[n], this.#c[n], alpha);
      }
    } else if (before) {
      slope(out, before, node);
    } else if (after) {
      slope(out, node, after);
    }
  }

  /**
   * Returns what the last frame drew, in twelve bytes for the server: send them with a shot, and a server in Rust that keeps
   * a `History` of the entity rewinds to exactly what this player saw (lag compensation).
   *
   * @param {PeerFrame} frame The frame that it was drawn with.
   * @returns {Uint8Array | null} Null when nothing is drawn, or what is drawn is of a life of the peer that is over.
   */
  claim(frame) {
    if (!this.#hasLast || this.#lastLife !== frame.life || this.#handedOver) return null;
    this.#offset.measure();
    return claimOf(this.#made, this.#lastShown, this.#lastOnTruth ? NaN : size[0], this.#blended, this.#lastEpoch);
  }

  /**
   * Another {@link Peer} speaks of the entity from now on: call it before its first message is entered, and draw with frames
   * of the new one. The picture glides to where the new one has it.
   */
  handOver() {
    this.#handedOver = true;
  }

  /** Moves the world's origin: `by` is added to every position remembered, so that nothing is seen. @param {Numbers} by */
  rebase(by) {
    for (const node of this.#nodes) shift(node.value, by);
    shift(this.#blended, by);
    shift(this.#seen.now, by);
    shift(this.#seen.before, by);
    this.#hasWay = false;
    this.#rebased = true;
  }

  /** How far the picture stands from what the snapshots say, in units. */
  get offset() {
    this.#offset.measure();
    return size[0];
  }
}

/** @param {Value} out @param {Node} a @param {Node} b */
function slope(out, a, b) {
  velocityTo(out, a.value, b.value, b.sent - a.sent);
}

/** A share in 65535 steps. @param {number} share */
function fractionOf(share) {
  const clamped = share < 0 ? 0 : share > 1 ? 1 : share;
  const steps = Math.trunc(clamped * 65535 + 0.5);
  return steps === steps ? steps : 0;
}

/** @param {Numbers} value @param {number} numbers */
function isFinite(value, numbers) {
  if (value?.length !== numbers) return true; // `take` has the words
  for (let n = 0; n < numbers; n++) if (typeof value[n] === "number" && !(value[n] - value[n] === 0)) return false;
  return true;
}

/** Whether a velocity, if there is one, is finite. @param {Node} node */
function isSound(node) {
  if (!node.hasVelocity) return true;
  sizes(node.velocity, node.value.length);
  return size[0] < Infinity && size[1] < Infinity;
}

/** A straight line in single precision. @param {number} a @param {number} b @param {number} alpha */
function lerp32(a, b, alpha) {
  const t = fround(alpha);
  if (!(t > 0)) return a;
  if (t >= 1 - 2 ** -24) return b;
  const way = fround(a - b);
  return way - way === 0 ? fround(a - fround(way * t)) : fround(fround(a * fround(1 - t)) + fround(b * t));
}
