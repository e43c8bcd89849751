import { checkRate, within } from "./errors.js";
import { max } from "./math.js";

// From here on ticks cannot be told apart.
const LAST_TICK = 9e15;

/**
 * Turns the wrapping tick counter of a sender into seconds of its clock, for messages that carry a counter of a few bits.
 *
 * ```js
 * const clock = new TickClock(64, 8);               // ticks per second, bits
 * const sent = clock.seconds(message.tick, now);     // for peer.receive(sent, now)
 * ```
 */
export class TickClock {
  #turn;
  #hz;
  #known = false;
  #newest = 0.5;
  #at = 0.5;

  /** @param {number} hz @param {number} bits 1 to 32. */
  constructor(hz, bits) {
    checkRate("ticks per second (hz)", hz);
    within("bits of the tick counter", Number.isInteger(bits) ? bits : NaN, 1, 32);
    this.#turn = 2 ** bits;
    this.#hz = hz;
  }

  /**
   * Tells which tick it is, for a sender whose counter has gone round before you came: a whole tick number, as its first
   * message may carry it.
   *
   * @param {number} tick @param {number} arrived
   */
  setTick(tick, arrived) {
    if (!(tick >= 0 && tick <= LAST_TICK && Math.abs(arrived * this.#hz) <= LAST_TICK)) return;
    this.#known = true;
    this.#newest = tick;
    this.#at = arrived;
  }

  /**
   * Returns the sender's time that `counter` stands for in a message that arrived at `arrived` on our clock; NaN when that
   * is NaN, infinite, or so large that an f64 does not hold every tick.
   *
   * @param {number} counter @param {number} arrived @returns {number}
   */
  seconds(counter, arrived) {
    if (!(Math.abs(arrived * this.#hz) <= LAST_TICK)) return NaN;
    const turn = this.#turn;
    counter = (counter >>> 0) % turn;
    if (!this.#known) {
      this.#known = true;
      this.#newest = counter;
      this.#at = arrived;
      return counter / this.#hz;
    }
    // What the counter should read by now; within a quarter turn the last reading alone decides, because a message may
    // have waited.
    const passed = max((arrived - this.#at) * this.#hz, 0);
    const expected = passed > turn / 4 ? this.#newest + passed : this.#newest;
    const reading = counter + Math.floor((expected - counter) / turn + 0.5) * turn;
    if (!(Math.abs(reading) <= LAST_TICK)) return NaN;
    if (reading > this.#newest) {
      this.#newest = reading;
      this.#at = arrived;
    }
    return reading / this.#hz;
  }

  /** The sender started anew, and its counter with it. */
  restart() {
    this.#known = false;
  }
}
