// System `snapshots`: a remote entity drawn a little in the past.
import { Peer, Snapshots } from "../src/remote.js";
import { numbers, said } from "./fields.js";

/** @import { Fields } from "./fields.js" */
/** @import { PeerFrame } from "../src/remote.js" */

const PRESETS = /** @type {const} */ (["action", "racing", "strategy"]);
// Faster than this makes no sense, and could not be measured: squares of it still have room in 32 bits.
const FASTEST = 1e18;
const WAITING = { view: null, shown: null, delay: null, state: "waiting" };

export class SnapshotBuffer {
  /** @type {Snapshots | undefined} */
  #body;
  #numbers = 0;
  /** The script's epochs, each with the one that stands for it. @type {Map<bigint, number>} */
  #epochs = new Map();
  /** @type {{ view: number[] | null, shown: number | null, delay: number | null, state: string }} */
  #last = WAITING;
  #life = -1;
  /** The earliest pose, while nothing was drawn. @type {{ sent: number, pose: number[] } | undefined} */
  #first;

  /** @param {Fields} header */
  constructor(header) {
    const interval = header.positive("interval");
    if (interval === undefined) throw new Error('the header gives no "interval"');
    const preset = /** @type {(typeof PRESETS)[number] | undefined} */ (header.text("preset"));
    if (preset !== undefined && !PRESETS.includes(preset)) {
      throw new Error(`preset is ${JSON.stringify(preset)}: give "action", "racing" or "strategy"`);
    }
    const extrapolate = header.notNegative("extrapolate");
    // Lengths are measured by the entity's own pace: the key is allowed and means nothing any more.
    header.positive("metre");
    // The rate only names the interval, which is given.
    this.sender = new Peer(1, { preset, interval, extrapolate });
  }

  /** @param {Fields} event */
  event(event) {
    if (event.kind(/** @type {const} */ (["receive", "frame"])) === "receive") return this.#receive(event);
    const now = /** @type {number} */ (event.time("frame"));
    event.finish();
    if (Number.isFinite(now)) {
      const frame = this.sender.frame(now);
      this.#last = frame ? this.#draw(frame) : WAITING;
    }
    return this.#last;
  }

  /** @param {Fields} event */
  #receive(event) {
    const sent = /** @type {number} */ (event.time("receive"));
    const arrived = event.time("at");
    if (arrived === undefined) throw new Error('a receive needs "at"');
    const pose = event.pose("pose");
    if (pose === undefined) {
      event.finish(" in a message without a pose");
      // The message speaks of others: only the clock learns from it.
      this.sender.receive(sent, arrived);
      return { accepted: Number.isFinite(sent) && Number.isFinite(arrived) };
    }
    const velocity = takeVelocity(event);
    const script = event.whole("epoch") ?? 0n;
    event.finish();
    this.#body ??= new Snapshots({ numbers: pose.length });
    this.#numbers ||= pose.length;
    if (pose.length !== this.#numbers) {
      throw new Error(`pose has ${pose.length} numbers, the ones before it had ${this.#numbers}`);
    }
    if (!this.#epochs.has(script)) this.#epochs.set(script, this.#epochs.size);
    const stamp = this.sender.receive(sent, arrived);
    // Half a velocity is none: with how it turns unknown, both are estimated.
    const whole = velocity && (pose.length === 3 ? velocity.slice(0, 3) : velocity.length === 6 ? velocity : undefined);
    const details = { epoch: this.#epochs.get(script), velocity: whole };
    const accepted = this.#body.insert(stamp, unit(pose), details) === "in";
    if (accepted && this.#last.view === null && !(this.#first && sent >= this.#first.sent)) this.#first = { sent, pose };
    return { accepted };
  }

  /** @param {PeerFrame} frame */
  #draw(frame) {
    const seen = this.#body?.draw(frame);
    if (!seen) return WAITING;
    // While the entity's own delay grows, its moment waits.
    const before = this.#life === frame.life && this.#last.shown !== null ? this.#last.shown : -Infinity;
    this.#life = frame.life;
    const shown = Math.max(frame.shown - seen.extraDelay, before);
    const delay = frame.delay + (frame.shown - shown);
    // The contract wants a pose even before the entity's own moment.
    const here = seen.status === "here";
    const view = here ? [...seen.now] : (this.#last.view ?? this.#first?.pose);
    // Before the first pose that was taken there is nothing to show.
    if (view === undefined) return WAITING;
    return { view, shown, delay, state: here ? seen.from : "holding" };
  }
}

/** A pose whose quaternion was rounded to single precision and normalised again, as the library's own is.
 * @param {number[]} pose */
export function unit(pose) {
  if (pose.length === 3) return pose;
  const q = pose.slice(3).map(Math.fround);
  const length = Math.sqrt(q.reduce((sum, c) => sum + c * c, 0));
  return [...pose.slice(0, 3), ...q.map((c) => Math.fround(c / length))];
}

/** Three numbers, units per second; or six, with radians per second after them. @param {Fields} event */
function takeVelocity(event) {
  const value = event.take("velocity");
  if (value === undefined) return undefined;
  const all = Array.isArray(value) ? numbers("velocity", value) : [];
  if (all.some((number) => Math.abs(number) > FASTEST)) {
    throw new Error(`velocity is ${said(value)}: nothing is faster than 1e18 per second`);
  }
  if (all.length === 3 || all.length === 6) return all;
  throw new Error(`velocity is ${said(value)}: it must be an array of 3 or 6 finite numbers`);
}
