// System `timed`: poses with timestamps, drawn by another clock.
import { Playhead, Timeline } from "../src/worker.js";

/** @import { Fields } from "./fields.js" */

// More ticks than a playhead can lie behind, up to a kilohertz.
const KEPT = 1024;

export class Timed {
  /** @type {3 | 7 | undefined} */
  #numbers;
  #count = 0;
  #newest = -Infinity;
  /** @type {Timeline | undefined} */
  #timeline;
  /** The last two ticks under `seed`. @type {{ sim: number, pose: number[] }[]} */
  #ends = [];
  /** @type {{ alpha: number | null, shown: number | null, view: number[] | null }} */
  #last = { alpha: null, shown: null, view: null };

  /** @param {Fields} header */
  constructor(header) {
    const rule = header.text("rule") ?? "locked";
    if (rule !== "locked" && rule !== "seed") {
      throw new Error(`unknown rule ${JSON.stringify(rule)}: give locked or seed`);
    }
    const interval = header.positive("interval");
    if (interval === undefined) throw new Error('the header has no "interval": give seconds a tick');
    this.interval = interval;
    this.locked = rule === "locked";
    this.playhead = new Playhead({ interval, rule: this.locked ? "locked" : "since-arrival" });
  }

  /** @param {Fields} event */
  event(event) {
    const kind = event.kind(/** @type {const} */ (["tick", "cut", "frame"]));
    const time = /** @type {number} */ (event.time(kind));
    if (kind === "frame") {
      event.finish();
      this.#frame(time);
      return this.#last;
    }
    const sim = event.time("sim");
    const scale = event.positive("scale") ?? 1;
    const pose = event.pose("pose");
    if (pose === undefined) throw new Error(`a ${kind} has no "pose"`);
    event.finish();
    const numbers = pose.length === 3 ? 3 : 7;
    this.#numbers ??= numbers;
    if (numbers !== this.#numbers) throw new Error(`a pose of ${numbers} numbers after poses of ${this.#numbers}`);
    this.#tick(time, sim ?? this.#count * this.interval, scale, pose, kind === "cut");
    return {};
  }

  /** @param {number} time @param {number} sim @param {number} scale @param {number[]} pose @param {boolean} cut */
  #tick(time, sim, scale, pose, cut) {
    if (!Number.isFinite(time) || !Number.isFinite(sim)) return;
    this.#count++;
    this.#newest = Math.max(this.#newest, time);
    if (cut) this.playhead.observeCut(this.#newest, sim);
    else this.playhead.observe(this.#newest, sim);
    this.playhead.setTimeScale(this.#newest, scale);
    if (!this.locked) {
      const end = { sim, pose };
      this.#ends = [cut ? end : (this.#ends[1] ?? end), end];
      return;
    }
    this.#timeline ??= new Timeline({ numbers: this.#numbers, keep: KEPT, slerp: true });
    if (cut) this.#timeline.cut(sim, pose);
    else this.#timeline.push(sim, pose);
  }

  /** @param {number} time */
  #frame(time) {
    if (!Number.isFinite(time)) return;
    this.#newest = Math.max(this.#newest, time);
    const shown = this.playhead.advance(this.#newest);
    if (!shown) return;
    /** @type {number[]} */
    const view = [];
    if (this.#timeline) {
      this.#timeline.view(shown, view);
      this.#last = { alpha: this.#timeline.alpha(shown), shown: shown.at, view };
      return;
    }
    // Between the last two, whatever moments they stand for: a timeline of two with made-up times.
    const alpha = this.playhead.alphaSinceArrival ?? 0;
    const between = new Timeline({ numbers: this.#numbers, keep: 2, slerp: true });
    const sims = new Timeline({ numbers: 3, keep: 2 });
    this.#ends.forEach(({ sim, pose }, at) => {
      between.push(at, pose);
      sims.push(at, [sim, 0, 0]);
    });
    const at = { ...shown, at: alpha };
    between.view(at, view);
    this.#last = { alpha, shown: sims.view(at, [0, 0, 0])?.[0] ?? 0, view };
  }
}
