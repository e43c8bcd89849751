// Systems `steps` and `gate`: one body that moves at a steady velocity.
import { Moment, Stepper, Track } from "../src/step.js";

/** @import { Fields } from "./fields.js" */

const EVENTS = /** @type {const} */ (["frame", "velocity", "cut", "correct", "rebase"]);
// What a track keeps, and what `past` does: for quanta that differ by a factor of four thousand.
const ENDS = 64;
const PAST = 4096;
// A script from elsewhere must not keep the program busy for years.
const MOST_TICKS = 10_000_000;

class Body {
  /** @param {Fields} header */
  constructor(header) {
    const start = header.vector("start") ?? [0, 0, 0];
    this.velocity = header.vector("velocity") ?? [0, 0, 0];
    this.track = new Track(start, { ends: ENDS });
    this.between = new Track(start);
    /** The same places, newest last, for gates whose picture lies farther back than a track can hold. */
    this.past = [start, start];
  }

  /** @param {(velocity: number) => number} way */
  tick(way) {
    const to = this.position.map((c, n) => c + way(this.velocity[n]));
    this.track.push(to);
    this.past.push(to);
    if (this.past.length > 2 * PAST) this.past = this.past.slice(-PAST);
  }

  /** @param {number[]} to */
  cut(to) {
    this.track.cut(to);
    this.past = [to, to];
  }

  get position() {
    return [...this.track.truth];
  }

  /** The position, unless it has left all numbers: JSON has none for where it is then. */
  get place() {
    const { position } = this;
    if (position.every(Number.isFinite)) return position;
    throw new Error(`the body's position becomes [${position.join(", ")}]: give smaller places and velocities`);
  }

  /** @param {Moment} moment */
  view(moment) {
    const { back } = moment;
    if (back + 2 <= ENDS) return [...this.track.view(moment)];
    const known = Math.min(this.past.length, PAST);
    const end = (/** @type {number} */ back) => this.past[this.past.length - 1 - Math.min(back, known - 1)];
    this.between.cut(end(back + 1));
    this.between.push(end(back));
    return [...this.between.view(Moment.at(moment.alpha, 0))];
  }

  /** @param {Exclude<(typeof EVENTS)[number], "frame">} kind @param {Fields} event */
  event(kind, event) {
    const value = /** @type {number[]} */ (event.vector(kind));
    event.finish();
    if (kind === "velocity") {
      this.velocity = value;
    } else if (kind === "cut") {
      this.cut(value);
    } else if (kind === "correct") {
      this.track.correct(value);
      this.past[this.past.length - 1] = value;
    } else {
      this.track.rebase(value);
      this.past = this.past.map((place) => place.map((c, n) => c + value[n]));
    }
  }
}

export class Steps {
  /** @param {Fields} header */
  constructor(header) {
    const [hz, step] = [header.number("hz"), header.number("step")];
    if (hz !== undefined && step !== undefined) throw new Error("give hz or step, not both");
    if (step !== undefined && !(step > 0)) throw new Error(`step is ${step}: it must be above 0`);
    this.hz = hz ?? (step === undefined ? 60 : 1 / step);
    const maxFrame = header.number("max_frame");
    const display = header.take("display_hz") ?? true;
    if (display !== true && typeof display !== "number") {
      throw new Error("display_hz must be a number above 0, or null");
    }
    const snap = header.flag("snap") ?? false;
    const watchDisplay = header.flag("watch") ?? false;
    this.stepper = Stepper.fixed(this.hz, { maxFrame, snapping: display, watchDisplay });
    // A display rate that makes no sense is a bad line also where nothing is snapped to it.
    if (!snap) this.stepper.setSnapping(false);
    this.body = new Body(header);
  }

  /** @param {Fields} event */
  event(event) {
    const kind = event.kind(EVENTS);
    let [ticks, dropped] = [0, 0];
    if (kind === "frame") {
      const dt = event.time(kind) ?? NaN;
      event.finish();
      const frame = this.stepper.frame(dt);
      [ticks, dropped] = [frame.ticks, frame.lost];
      if (ticks > MOST_TICKS) {
        throw new Error(`${ticks} ticks are due in this frame, more than ${MOST_TICKS}: give a smaller hz or max_frame`);
      }
      for (const _ of frame) this.body.tick((v) => v / this.hz);
    } else {
      this.body.event(kind, event);
    }
    const { moment } = this.stepper;
    return { ticks, alpha: moment.alpha, dropped, position: this.body.place, view: this.body.view(moment) };
  }
}

const RULES = /** @type {const} */ ({ even: "even", client: "all-at-once", seed: "one-at-a-time" });

export class Gate {
  /** @param {Fields} header */
  constructor(header) {
    const name = header.text("rule") ?? "even";
    if (!Object.hasOwn(RULES, name)) throw new Error(`unknown rule ${JSON.stringify(name)}: give even, client or seed`);
    const rule = RULES[/** @type {keyof typeof RULES} */ (name)];
    this.stepper = Stepper.gated({
      rule,
      min: header.number("min"),
      max: header.number("max"),
      huge: header.number("huge"),
    });
    this.body = new Body(header);
  }

  /** @param {Fields} event */
  event(event) {
    const kind = event.kind(EVENTS);
    /** @type {number[]} */
    const quanta = [];
    let [stale, presented] = [false, 0];
    if (kind === "frame") {
      const dt = event.time(kind) ?? NaN;
      event.finish();
      const frame = this.stepper.frame(dt);
      for (const tick of frame) {
        quanta.push(tick.dt);
        this.body.tick((v) => v * tick.dt);
      }
      presented = frame.moment.presented;
      stale = frame.reason === "stale";
      if (stale) {
        // A script may correct its body before the next quantum and see it glide, so both ends are set.
        this.body.cut(this.body.position);
        this.stepper.cut();
      }
    } else {
      this.body.event(kind, event);
      if (kind === "cut") this.stepper.cut();
    }
    const { moment } = this.stepper;
    return {
      quanta,
      stale,
      alpha: moment.alpha,
      presented,
      position: this.body.place,
      view: this.body.view(moment),
    };
  }
}
