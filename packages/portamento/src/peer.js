import { ONE_AN_HOUR, checkRate, settled, within } from "./errors.js";
import { clamp, max } from "./math.js";
import { Fading, Passing } from "./offset.js";
import { Playhead } from "./playhead.js";
import { UnitWatch } from "./units.js";

// A sender that began anew counts from an earlier time. This much earlier (seconds), it is hardly a message that was
// overtaken, and so many in a row at a real pace are believed.
const LONG_AGO = 1;
const BELIEVED = 3;
// Less than that, and it may be: each must be so many send intervals late (within these bounds, seconds), more than so many
// times as late as messages that were overtaken, and one more is asked for. If stamps repeat it is one more again.
const LATE = 0.1;
const VERY_LATE = 0.3;
const LATE_INTERVALS = 3;
const LATE_FOR_OVERTAKEN = 1.25;
const BELIEVED_WHEN_LATE = 4;
const BELIEVED_WHEN_REPEATED = 5;
// Fewer are enough if they come over so many seconds: a slow sender would be unknown for long.
const BELIEVED_SLOW = 2;
const SLOW_SECONDS = 0.15;
const BELIEVED_SLOW_WHEN_REPEATED = 3;
const SLOW_SECONDS_WHEN_REPEATED = 0.3;
// After so many, stamps that pass the newest just as late are believed too.
const BELIEVED_WHEN_PASSING = 2;
// What a message leaves of the memory of those that were overtaken.
const OVERTAKEN_KEPT = 0.999;
// Stamps that are remembered, to know a repeated message from a new life.
const STAMPS = 32;
// So many times longer than usual from one message to the next, and the sender was silent meanwhile.
const SILENCE = 2.5;
// After so many messages in a row at another rate than the usual one, that is the rate. Each must come within this share of
// the time that the one before took; a rate this near to the usual one is the usual one.
const ANOTHER_RATE = 8;
const STEADY = 0.15;
const SAME_RATE = 0.25;
// Clock readings beyond this count as this: whatever is worked out from two of them stays finite.
const FARTHEST = 1e200;
// Small offsets, of which there are many, fade this much quicker than large ones.
const QUICKER = 12 / 7;

/**
 * @typedef {object} PeerSettings
 * @property {"action" | "racing" | "strategy"} [preset] `action`: for people who run and shoot, who turn at will.
 *   `racing`: for vehicles, which go on as they went. `strategy`: for units seen from above, later and smoother.
 * @property {number} [interval] The nominal send interval, seconds. Default 1 / hz.
 * @property {number} [extrapolate] How many seconds past the newest message may be drawn while messages are late. Default
 *   0.155 (action 0.07, racing 0.2, strategy 0).
 * @property {number} [marginTicks] How many send intervals the picture stays behind, besides the usual lateness. Default 1
 *   (strategy 3).
 * @property {number} [fade] How fast a large visual offset fades, per second. Default 7 (action 9, racing and strategy 4).
 * @property {number} [glide] The farthest that a picture glides, in seconds of the entity's own way at its top speed.
 *   Beyond it the picture is cut. Default 1.5.
 * @property {number} [jump] A step that is this many times longer than the entity's pace explains is an undeclared
 *   teleport. Default 20.
 * @property {number} [forget] An entity that does not rest, and that the peer has not mentioned for this many seconds while
 *   it reported others, is gone. Without it, the loss of the message that an entity vanished leaves a ghost forever.
 *   Set it, to 5 or 10 seconds, if your server mentions every entity now and then, or marks what rests. Default never.
 */

const PRESETS = {
  action: { extrapolate: 0.07, fade: 9 },
  racing: { extrapolate: 0.2, fade: 4 },
  strategy: { extrapolate: 0, fade: 4, marginTicks: 3 },
};

/** For a network graph. Counters never shrink. */
export class PeerStatistics {
  /** The sender's clock minus the drawn moment in the last frame, seconds. */
  delay = 0;
  /** How much the way through the network varies from message to message, seconds. */
  jitter = 0;
  /** Messages received, each once, however many packets it came in. */
  received = 0;
  /** Messages that should have come between others and did not. */
  lost = 0;
  /** Messages older than what was drawn already. */
  late = 0;
  /** Packets with a stamp that was there already: further parts of a message, or copies. */
  duplicates = 0;
  /** Times that were NaN or infinite. */
  unusable = 0;
  /** Seconds in which the picture was ahead of everything received. */
  extrapolated = 0;
  /** Times that the drawn moment had to be taken elsewhere. */
  relocks = 0;
  /** Lives of the sender that ended. */
  restarts = 0;

  /** Share of messages lost, 0 to 1. */
  get loss() {
    return this.lost > 0 ? this.lost / (this.received + this.lost) : 0;
  }
}

/**
 * The time stamp of a received message. Pass it to `insert` with each snapshot of that message. It is valid until the next
 * `receive`.
 */
export class MessageStamp {
  /** @internal */ sent = 0.5;
  /** @internal */ life = 0;
  /** @internal */ usable = false;
  /** @internal The newest stamp before this one, if this is the newest now; else NaN. */ before = NaN;
  /** @internal How long the sender was silent in all, up to this message and up to the one before it. */ silent = 0.5;
  /** @internal */ silentBefore = 0.5;
  /** @internal */ spacing = 0.5;
  /** @internal */ interval = 0.5;
  /** @internal */ jump = 0.5;
}

/** What a frame shows of one peer: hand it to each of its entities, and to cameras that follow one. */
export class PeerFrame {
  /** The moment of the peer's clock that is drawn, seconds. @type {number} */
  shown = 0.5;
  /** The peer's clock now, as estimated, minus `shown`. @type {number} */
  delay = 0.5;
  /** How many seconds the picture advanced in this frame: a camera's dt. @type {number} */
  presented = 0.5;
  /** Real seconds since the frame before. @type {number} */
  elapsed = 0.5;
  /** Which of the peer's lives it shows; moments of two lives cannot be compared. @type {number} */
  life = 0;
  /** @internal */ skipped = 0.5;
  /** @internal */ passing = new Passing();
  /** @internal */ newest = 0.5;
  /** @internal */ extrapolates = false;
  /** @internal */ spacing = 0.5;
  /** @internal Which of the peer's frames it is. */ number = 0;
  /** @internal */ settings;

  /** @internal @param {Required<Omit<PeerSettings, "preset">>} settings */
  constructor(settings) {
    this.settings = settings;
  }
}

/**
 * One sender: a server, or another player. It learns the sender's clock from its messages, and chooses the moment that all
 * of its entities are drawn at.
 *
 * ```js
 * const server = new Peer(20);                            // messages per second
 * const others = new Map();
 *
 * socket.onmessage = ({ data }) => {
 *   const message = JSON.parse(data);
 *   const stamp = server.receive(message.time, performance.now() / 1000);
 *   for (const { id, pose, teleports } of message.entities) {
 *     if (!others.has(id)) others.set(id, new Snapshots());
 *     others.get(id).insert(stamp, pose, { epoch: teleports });
 *   }
 * };
 *
 * function draw(time) {
 *   const frame = server.frame(time / 1000);
 *   if (frame) for (const [id, other] of others) {
 *     const seen = other.draw(frame);
 *     if (seen.status === "here") place(id, seen.now);
 *     else if (seen.status === "gone") others.delete(id);
 *   }
 *   requestAnimationFrame(draw);
 * }
 * ```
 */
export class Peer {
  /** For a network graph. @readonly */
  statistics = new PeerStatistics();
  #settings;
  #playhead;
  #fading = new Fading();
  #life = 0;
  // Messages that might come from a new life of the sender.
  #rumours = 0;
  #rumourSent = 0.5;
  #rumourLast = 0.5;
  #rumourArrived = 0.5;
  #rumourLate = 0.5;
  #hasRumour = false;
  #overtaken = 0;
  #stamps = new Float64Array(STAMPS);
  #stamped = 0;
  // The last stamps that were not the newest when they came.
  #late = new Float64Array(4).fill(NaN);
  // Messages that may be sent at another rate than the usual one.
  #rateCount = 0;
  #rateSince = 0.5;
  #rateSpacing = 0.5;
  #rateLost = 0;
  // The sender announced a rate, and the time to its first message at it is of neither.
  #rateTold = false;
  #frames = 0;
  #heard = false;
  #way = 0.5;
  #lastFrame = NaN;
  #skipped = 0;
  // For how long nothing came in all, by the stamps.
  #silent = 0;
  #drawn = false;
  #frame;
  #stamp = new MessageStamp();
  #units;

  /** @param {number} hz Messages per second. @param {PeerSettings} [settings] */
  constructor(hz, { preset, ...settings } = {}) {
    checkRate("messages per second (hz)", hz, ONE_AN_HOUR);
    if (preset !== undefined && !Object.hasOwn(PRESETS, preset)) {
      throw new RangeError(`preset is ${JSON.stringify(preset)}: give ${Object.keys(PRESETS).join(", ")}`);
    }
    const plain = { interval: 1 / hz, extrapolate: 0.155, marginTicks: 1, fade: 7, glide: 1.5, jump: 20, forget: Number.MAX_VALUE };
    const usual = preset === undefined ? plain : { ...plain, ...PRESETS[preset] };
    this.#settings = settled("a peer", usual, settings);
    const { interval, extrapolate, marginTicks, fade, glide, jump, forget } = this.#settings;
    within("fade", fade, Number.MIN_VALUE, 1e6);
    within("glide", glide, 0, 1e9);
    within("jump", jump, 1, Number.MAX_VALUE);
    within("forget", forget, Number.MIN_VALUE, Number.MAX_VALUE);
    this.#playhead = new Playhead({
      interval,
      extrapolate,
      marginTicks,
      lateness: "median",
      relock: 0.12,
      rateWithin: 0.01,
      offsetGain: 0.1,
      rateGain: 0.002,
      lateScale: 2,
      pull: 2,
      brake: 2,
    });
    for (const curve of [this.#fading.lengths, this.#fading.angles]) plainFading(curve, fade, 1, 1e-4);
    this.#frame = new PeerFrame(this.#settings);
    this.#units = new UnitWatch(interval);
  }

  /**
   * A message stamped `sent` by the peer's clock arrived at `arrived` by ours, in seconds. Call it once per message, then
   * enter what the message says of each entity with the stamp that it returns.
   *
   * @param {number} sent
   * @param {number} arrived
   * @returns {MessageStamp} The same object every time.
   */
  receive(sent, arrived) {
    if (!Number.isFinite(sent) || !Number.isFinite(arrived)) {
      this.statistics.unusable++;
      return this.#stampOf(sent, false, NaN, this.#silent);
    }
    sent = bounded(sent);
    arrived = bounded(arrived);
    this.#units.receive(sent, arrived, this.#lastFrame);
    if (this.#passesAsLate(sent, arrived)) this.restart();
    const { statistics } = this;
    const before = this.#playhead.newest;
    const silentBefore = this.#silent;
    let follows = NaN;
    const repeated = this.#remembers(sent);
    if (repeated) statistics.duplicates++;
    else statistics.received++;
    if (this.#playhead.observe(arrived, sent) === "newest") {
      follows = before ?? NaN;
      // The old life goes on, so those were only overtaken.
      const late = this.#hasRumour ? this.#rumourLate : 0;
      this.#hasRumour = false;
      this.#overtaken = max(late, OVERTAKEN_KEPT * this.#overtaken);
      this.#remember(sent);
      if (before !== null) this.#countNewest(sent, arrived, before);
    } else if (before !== sent) {
      if (!repeated) {
        this.#late.copyWithin(1, 0);
        this.#late[0] = sent;
        // It had been taken for lost.
        if (statistics.lost > 0) statistics.lost--;
        if (this.#drawn && sent < this.#frame.shown) statistics.late++;
      }
      if (this.#beganAnew(sent, arrived, repeated)) {
        this.restart();
        this.#playhead.observe(arrived, sent);
        this.#remember(sent);
      }
    }
    this.#heard = true;
    this.#way = arrived - sent;
    return this.#stampOf(sent, true, follows, silentBefore);
  }

  #stampOf(
    /** @type {number} */ sent,
    /** @type {boolean} */ usable,
    /** @type {number} */ before,
    /** @type {number} */ silentBefore,
  ) {
    const stamp = this.#stamp;
    const { interval, jump } = this.#settings;
    stamp.sent = sent;
    stamp.life = this.#life;
    stamp.usable = usable;
    stamp.before = before;
    stamp.silent = this.#silent;
    stamp.silentBefore = silentBefore;
    stamp.spacing = this.#playhead.spacing ?? interval;
    stamp.interval = interval;
    stamp.jump = jump;
    return stamp;
  }

  #countNewest(/** @type {number} */ sent, /** @type {number} */ arrived, /** @type {number} */ before) {
    const { statistics } = this;
    const { interval } = this.#settings;
    const spacing = this.#playhead.spacing ?? interval;
    if (sent - before > SILENCE * spacing) this.#silent = bounded(this.#silent + (sent - before) - spacing);
    if (this.#rateTold) {
      this.#rateTold = false;
      return;
    }
    const missing = Math.floor((sent - before) / interval + 0.5) - 1;
    // Beyond ten seconds it was a break, not a loss.
    const lost = missing > 0 && missing * interval < 10 ? missing : 0;
    statistics.lost += lost;
    this.#watchRate(sent, before, lost);
    if (this.#heard) {
      const change = Math.min(Math.abs(arrived - sent - this.#way), 1);
      statistics.jitter += (change - statistics.jitter) / 16;
    }
  }

  // Whether the sender has changed its rate without a word.
  #watchRate(/** @type {number} */ sent, /** @type {number} */ before, /** @type {number} */ lost) {
    const spacing = sent - before;
    if (isWithin(spacing, this.#settings.interval, SAME_RATE)) {
      this.#rateCount = this.#rateLost = 0;
      return;
    }
    if (this.#rateCount === 0 || !isWithin(spacing, this.#rateSpacing, STEADY)) {
      this.#rateSince = before;
      this.#rateSpacing = spacing;
      this.#rateCount = this.#rateLost = 0;
    }
    this.#rateLost += lost;
    if (++this.#rateCount === ANOTHER_RATE) {
      this.#setInterval(namedInterval((sent - this.#rateSince) / ANOTHER_RATE), false);
      this.statistics.lost = Math.max(this.statistics.lost - this.#rateLost, 0);
      this.#rateCount = this.#rateLost = 0;
    }
  }

  #setInterval(/** @type {number} */ interval, /** @type {boolean} */ told) {
    this.#settings.interval = interval;
    this.#playhead.setInterval(interval, told);
  }

  /**
   * The peer sends `hz` times per second from now on: call it before the first message at the new rate is entered. A rate
   * that changes without a word is noticed after eight messages.
   *
   * @param {number} hz
   */
  setHz(hz) {
    checkRate("messages per second (hz)", hz, ONE_AN_HOUR);
    this.#setInterval(1 / hz, true);
    this.#rateCount = this.#rateLost = 0;
    this.#rateTold = true;
  }

  #remember(/** @type {number} */ sent) {
    this.#stamps[this.#stamped++ % STAMPS] = sent;
  }

  #remembers(/** @type {number} */ sent) {
    const known = Math.min(this.#stamped, STAMPS);
    for (let n = 0; n < known; n++) if (this.#stamps[n] === sent) return true;
    return this.#late.includes(sent);
  }

  // How late a message must be to be no overtaken one.
  #usualLateness() {
    const intervals = clamp(LATE_INTERVALS * this.#settings.interval, LATE, VERY_LATE);
    return max(intervals, LATE_FOR_OVERTAKEN * this.#overtaken);
  }

  #lateness(/** @type {number} */ sent, /** @type {number} */ arrived) {
    const reads = this.#playhead.writerReads(arrived);
    return reads === null ? 0 : reads - sent;
  }

  // Whether a message continues the rumour at a real pace.
  #follows(/** @type {number} */ sent, /** @type {number} */ arrived, /** @type {number} */ slack) {
    const on = sent - this.#rumourSent;
    const passed = arrived - this.#rumourArrived;
    return this.#rumours > 0 && on > 0 && Math.abs(on - passed) <= 0.5 * max(on, passed) + slack;
  }

  // Messages from before the newest that follow each other at a real pace, with none of the old life between them.
  #beganAnew(/** @type {number} */ sent, /** @type {number} */ arrived, /** @type {boolean} */ repeated) {
    if (this.#hasRumour && this.#rumourLast === sent) return false; // another part of the same message
    const newest = this.#playhead.newest ?? sent;
    const longAgo = sent <= newest - LONG_AGO;
    let late = 0;
    if (!longAgo) {
      // What was overtaken on the way is as late as others were.
      late = this.#lateness(sent, arrived);
      if (late < this.#usualLateness()) return false;
    }
    if (!this.#hasRumour) {
      this.#rumourSent = sent;
      this.#rumourArrived = arrived;
      this.#rumours = 0;
    }
    const passed = arrived - this.#rumourArrived;
    if (this.#follows(sent, arrived, longAgo ? 0.1 : 0)) {
      this.#rumours++;
    } else {
      this.#rumourSent = sent;
      this.#rumourArrived = arrived;
      this.#rumours = 1;
    }
    this.#rumourLast = sent;
    this.#rumourLate = late;
    this.#hasRumour = true;
    const lateEnough = LATE_INTERVALS * this.#settings.interval;
    const rumours = this.#rumours;
    if (repeated && !longAgo) {
      const slow = rumours >= BELIEVED_SLOW_WHEN_REPEATED && passed >= SLOW_SECONDS_WHEN_REPEATED;
      return slow || (rumours >= BELIEVED_WHEN_REPEATED && passed >= max(lateEnough, LATE));
    }
    if (rumours >= BELIEVED_SLOW && passed >= SLOW_SECONDS) return true;
    if (longAgo) return rumours >= BELIEVED && passed > 0;
    return rumours >= BELIEVED_WHEN_LATE && passed >= 0.5 * lateEnough;
  }

  // The clock was set back by so little that its stamps pass the newest before they are believed.
  #passesAsLate(/** @type {number} */ sent, /** @type {number} */ arrived) {
    const newest = this.#playhead.newest;
    if (!this.#hasRumour || newest === null) return false;
    const late = this.#lateness(sent, arrived);
    return (
      sent > newest &&
      this.#rumours >= BELIEVED_WHEN_PASSING &&
      this.#follows(sent, arrived, 0) &&
      late >= this.#usualLateness() &&
      Math.abs(late - this.#rumourLate) <= 0.5 * this.#settings.interval
    );
  }

  /**
   * The peer began a new life: its clock starts over, its entities appear anew. Call it when the run number in its messages
   * grows, before the message is entered, and drop messages with a smaller one, which were overtaken. Without run numbers a
   * new life is recognised by itself after a few messages.
   */
  restart() {
    if (this.statistics.received > 0) this.statistics.restarts++;
    this.#playhead.restart();
    this.#life = (this.#life + 1) >>> 0;
    this.#hasRumour = false;
    this.#stamped = 0;
    this.#late.fill(NaN);
  }

  /**
   * A frame is drawn at `now` by our clock, in seconds. NaN and infinities repeat the last frame.
   *
   * @param {number} now
   * @returns {PeerFrame | null} Always the same object, with new numbers; null before the first message.
   */
  frame(now) {
    const frame = this.#frame;
    const { statistics } = this;
    if (!Number.isFinite(now)) {
      statistics.unusable++;
      frame.presented = frame.elapsed = 0;
      frame.passing.set(0, this.#fading);
      return this.#drawn ? frame : null;
    }
    now = bounded(now);
    const at = this.#playhead.advance(now);
    if (at === null) return null;
    const last = this.#lastFrame;
    const elapsed = last === last ? max(now - last, 0) : 0;
    this.#lastFrame = now;
    // The frame itself is played, not skipped.
    const skipped = at.skipped > 0 ? max(at.skipped - elapsed, 0) : 0;
    this.#skipped += skipped;
    const ahead = at.beyond > 0;
    if (ahead) statistics.extrapolated += elapsed;
    frame.shown = at.at;
    frame.delay = /** @type {number} */ (this.#playhead.writerReads(now)) - at.at;
    frame.presented = at.presented - skipped;
    frame.elapsed = elapsed;
    frame.life = this.#life;
    frame.skipped = this.#skipped;
    frame.passing.set(elapsed, this.#fading);
    frame.newest = /** @type {number} */ (this.#playhead.newest);
    frame.extrapolates = ahead;
    frame.spacing = /** @type {number} */ (this.#playhead.spacing);
    frame.number = ++this.#frames;
    statistics.delay = frame.delay;
    statistics.relocks = this.#playhead.counts.jumps;
    this.#drawn = true;
    return frame;
  }
}

/** @param {number} a @param {number} b @param {number} share */
function isWithin(a, b, share) {
  return Math.abs(a - b) <= share * max(a, b);
}

const words = new DataView(new ArrayBuffer(8));

/** The send interval nearest to a measured one whose rate has seven binary digits, as claims name it.
 * @param {number} interval */
function namedInterval(interval) {
  words.setFloat64(0, 1 / interval);
  const code = clamp(((words.getUint32(0) + 2 ** 13) >>> 14) - (1011 << 6), 0, 2047);
  words.setUint32(0, (code + (1011 << 6)) << 14);
  words.setUint32(4, 0);
  return 1 / words.getFloat64(0);
}

/** @param {number} time */
function bounded(time) {
  return clamp(time, -FARTHEST, FARTHEST);
}

/** How offsets of a peer's entities fade; lengths in so many units. @param {import("./offset.js").FadeCurve} curve
 * @param {number} fade @param {number} unit @param {number} gone */
export function plainFading(curve, fade, unit, gone) {
  curve.slow = fade * QUICKER;
  curve.fast = fade;
  curve.small = 0.2 * unit;
  curve.large = 0.8 * unit;
  // With the entity's own pace less than eight times that.
  curve.topSpeed = 6.8 * unit;
  curve.gone = gone;
}
