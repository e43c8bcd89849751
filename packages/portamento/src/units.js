// Are times given in seconds? Milliseconds, or numbers of ticks, are drawn without an error, but jerk. Nothing here changes
// what is drawn.
import { warnOnce } from "./warn.js";

// Judged over so many messages and seconds, so many times in a row: a sleep ends with many messages at once.
const MESSAGES = 30;
const SECONDS = 0.5;
const IN_A_ROW = 3;
// No sender's clock runs so fast or slow, no sender sends so seldom, no message arrives so long before the frame in which it
// is seen first.
const FAST = 8;
const SLOW = 0.01;
const SELDOM = 400;
const ASIDE = 60;

const SENT = 0;
const ARRIVED = 1;

export class UnitWatch {
  #interval;
  #since = new Float64Array(2);
  #count = -1;
  #odd = 0;
  #aside = 0;

  /** @param {number} interval Seconds from message to message, as announced. */
  constructor(interval) {
    this.#interval = interval;
  }

  /** A message came. @param {number} sent @param {number} arrived @param {number} frame When the last frame was; NaN for none. */
  receive(sent, arrived, frame) {
    this.#aside = frame > arrived + ASIDE ? this.#aside + 1 : 0;
    if (this.#aside === MESSAGES) {
      warnOnce(
        "peer clocks",
        `a peer's frame is at ${frame} and its messages arrive at ${arrived}: give frame and receive readings of one clock, in seconds`,
      );
    }
    const since = this.#since;
    const advance = sent - since[SENT];
    const passed = arrived - since[ARRIVED];
    if (this.#count >= 0 && ++this.#count < MESSAGES) return;
    if (this.#count >= 0 && passed >= 0 && passed < SECONDS) return;
    const pace = advance / passed;
    const apart = advance / this.#count;
    const odd = this.#count > 0 && advance > 0 && (pace > FAST || pace < SLOW || apart > SELDOM * this.#interval);
    this.#odd = odd ? this.#odd + 1 : 0;
    if (this.#odd === IN_A_ROW) {
      warnOnce(
        "peer times",
        `a peer's messages are ${apart} s apart by its times and ${passed / this.#count} s by their arrivals, ` +
          `${this.#interval} s were announced: give receive both times in seconds, not milliseconds or ticks`,
      );
    }
    since[SENT] = sent;
    since[ARRIVED] = arrived;
    this.#count = 0;
  }
}
