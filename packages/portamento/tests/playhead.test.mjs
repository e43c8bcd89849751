// The playhead in JavaScript against the Rust library's, on random scripts of the replay system `timed`: equal as parsed
// numbers, bit for bit. PORTAMENTO names the program (cargo build --release -p portamento-lab).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { Playhead, Timeline } from "../src/worker.js";
import { Dice } from "./support/dice.mjs";
import { program } from "./support/program.mjs";

/** A tick stream as bad as real ones: jitter, bunches, stalls, pauses, other rates, slow motion, clocks that are set. */
function script(seed) {
  const dice = new Dice(seed);
  const numbers = dice.one([3, 7]);
  const interval = dice.one([1 / 60, 1 / 30, 0.05, 1 / 144, dice.between(0.005, 0.2)]);
  const rule = dice.one(["locked", "locked", "locked", "seed"]);
  const lines = [{ replay: 1, system: "timed", rule, interval }];
  const pose = () => {
    const position = [0, 1, 2].map(() => dice.between(-100, 100));
    return numbers === 3 ? position : [...position, ...dice.rotation()];
  };
  const jitter = dice.one([0, 0.1, 0.5, 2, 6]) * interval;
  const startsAt = dice.one([0, 1, 1e5, -3, -1e290]);
  let [time, frame, sim, scale, rate] = [startsAt, startsAt, dice.one([0, 100, -5]), 1, 1];
  const given = dice.next() < 0.6;
  // A simulation that keeps to another's clock changes its speed by a little with each tick.
  const trim = dice.one([0, 0, 0.001, 0.02, 0.05]);
  let speed = 1;
  for (let tick = 0; tick < 300; tick++) {
    const event = dice.next();
    if (event < 0.02) rate = dice.one([1, 1.05, 0.8, 2, 0.5]);
    else if (event < 0.03) time += dice.between(0, 1.5);
    else if (event < 0.04) time -= dice.between(0, 1);
    else if (event < 0.05) sim += dice.one([0, -1, 3, 10]) * interval;
    else if (event < 0.06) speed = dice.one([1, 1, 0.2, 0.5, 1.1, 3, 5, 10]);
    scale = speed * (1 + trim * dice.between(-1, 1));
    time += interval / rate;
    sim += interval * scale;
    const arrival = dice.next() < 0.05 ? time + dice.between(0, 8) * interval : time + dice.next() * jitter;
    while (frame < arrival) {
      lines.push({ frame: dice.next() < 0.005 ? dice.one(["NaN", "inf", "-inf", frame - 0.3, seed % 9 ? frame : 1e300]) : frame });
      frame += dice.one([1 / 60, 1 / 144, dice.between(0.001, 0.05)]) + (dice.next() < 0.003 ? dice.between(0, 2) : 0);
    }
    const line = { [dice.next() < 0.03 ? "cut" : "tick"]: dice.next() < 0.004 ? "NaN" : arrival, pose: pose() };
    if (given || scale !== 1) line.sim = sim;
    if (scale !== 1 || dice.next() < 0.3) line.scale = scale;
    lines.push(line);
  }
  return lines;
}

/** A script's pose; the format brings quaternions to unit length. */
function normalised([x, y, z, ...q]) {
  const length = Math.sqrt(q.reduce((sum, c) => sum + c * c, 0));
  return [x, y, z, ...q.map((c) => c / length)];
}

/** The system `timed` of the replay format through the package's public API. */
function replay([header, ...events]) {
  const locked = (header.rule ?? "locked") === "locked";
  const numbers = events.find((event) => event.pose).pose.length;
  const playhead = new Playhead({ interval: header.interval, rule: locked ? "locked" : "since-arrival" });
  const timeline = new Timeline({ numbers, keep: 1024, slerp: true });
  const between = new Timeline({ numbers, keep: 2, slerp: true });
  const read = (time) => ({ NaN: NaN, inf: Infinity, "-inf": -Infinity })[time] ?? time;
  let [count, newest, ends] = [0, -Infinity, null];
  let last = { alpha: null, shown: null, view: null };
  return events.map((event) => {
    if ("frame" in event) {
      const time = read(event.frame);
      if (!Number.isFinite(time)) return last;
      newest = Math.max(newest, time);
      const shown = playhead.advance(newest);
      if (shown === null) return last;
      const view = new Array(numbers);
      if (locked) {
        timeline.view(shown, view);
        last = { alpha: timeline.alpha(shown), shown: shown.at, view };
      } else {
        const alpha = playhead.alphaSinceArrival;
        // Between the last two, whatever moments they stand for: a timeline of two with made-up times.
        between.clear();
        between.push(0, ends[0].pose);
        between.push(1, ends[1].pose);
        between.view({ ...shown, at: alpha }, view);
        const sims = new Timeline({ numbers: 3, keep: 2 });
        sims.push(0, [ends[0].sim, 0, 0]);
        sims.push(1, [ends[1].sim, 0, 0]);
        last = { alpha, shown: sims.view({ ...shown, at: alpha }, [0, 0, 0])[0], view };
      }
      return last;
    }
    const cut = "cut" in event;
    const time = read(cut ? event.cut : event.tick);
    const sim = event.sim ?? count * header.interval;
    if (!Number.isFinite(time)) return {};
    count++;
    newest = Math.max(newest, time);
    if (cut) playhead.observeCut(newest, sim);
    else playhead.observe(newest, sim);
    playhead.setTimeScale(newest, event.scale ?? 1);
    const pose = normalised(event.pose);
    if (cut) timeline.cut(sim, pose);
    else timeline.push(sim, pose);
    const end = { sim, pose };
    ends = [cut || ends === null ? end : ends[1], end];
    return {};
  });
}

test("random scripts give the same bits as the Rust library", { skip: program.missing }, () => {
  const seeds = Number(process.env.SEEDS ?? 60);
  let frames = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const lines = script(seed);
    const input = lines.map((line) => JSON.stringify(line)).join("\n");
    const native = spawnSync(program.path, ["replay", "-"], { input, encoding: "utf8", maxBuffer: 1 << 28 });
    assert.equal(native.status, 0, native.stderr);
    const expected = native.stdout.trim().split("\n").map((line) => JSON.parse(line));
    const found = replay(lines);
    assert.equal(found.length, expected.length);
    for (let i = 0; i < found.length; i++) {
      for (const key of Object.keys(expected[i])) {
        const [a, b] = [found[i][key], expected[i][key]].map((value) => [value].flat());
        assert.ok(
          a.length === b.length && a.every((number, k) => Object.is(number, b[k])),
          `seed ${seed}, line ${i + 2}, ${key}: ${a} instead of ${b}\n${JSON.stringify(lines[i + 1])}`,
        );
        frames += key === "shown";
      }
    }
  }
  assert.ok(frames > 100 * seeds, `only ${frames} frames were compared`);
});
