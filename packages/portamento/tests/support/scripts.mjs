// Random scripts of the replay format: for every system, from tame to absurd, and with lines that are wrong.
import { Dice } from "./dice.mjs";

export const SYSTEMS = ["steps", "gate", "timed", "waypoints", "snapshots"];

const FRAMES = [1 / 60, 1 / 144, 1 / 30, 1 / 240, 1 / 59.94, 0.001];

/** A frame time as real and as broken loops produce it. */
function frameTime(dice, usual, jitter) {
  const roll = dice.next();
  if (roll < 0.004) return dice.one(["NaN", "inf", "-inf", 0, -0.01, 1e300, 1e-9, 5e-324]);
  if (roll < 0.02) return dice.between(0, 3);
  if (roll < 0.05) return dice.between(0, 0.3);
  if (roll < 0.08) return dice.one([0.25, 0.2, 1 / 30, 1 / 60, 2, 0.1, 0.0002, 0.000199999995]);
  return usual * (1 + jitter * dice.between(-1, 1));
}

const vector = (dice, size) => [0, 1, 2].map(() => (dice.next() < 0.1 ? dice.one([0, -0, 1e-300, 1e6]) : dice.between(-size, size)));

function pose(dice, numbers, size) {
  const position = vector(dice, size);
  return numbers === 3 ? position : [...position, ...(dice.next() < 0.1 ? dice.one([[0, 0, 0, 1], [0, 0, 0, -1], [0.6, 0, 0, -0.8], [0, 0, 1, 0]]) : dice.rotation())];
}

function bodyEvent(dice) {
  return { [dice.one(["velocity", "velocity", "cut", "correct", "rebase"])]: vector(dice, dice.one([1, 100, 1e6])) };
}

function steps(dice) {
  const header = { replay: 1, system: "steps" };
  const hz = dice.one([60, 30, 50, 20, 128, 1000, 0.5, dice.between(1, 500)]);
  if (dice.next() < 0.3) header.step = 1 / hz;
  else if (dice.next() < 0.9) header.hz = hz;
  if (dice.next() < 0.3) header.max_frame = dice.one([0.1, 0.5, 1, dice.between(0.01, 2)]);
  if (dice.next() < 0.6) header.snap = dice.next() < 0.8;
  if (dice.next() < 0.5) header.display_hz = dice.one([null, 60, 144, 59.94, 120, dice.between(20, 300)]);
  if (dice.next() < 0.5) header.watch = dice.next() < 0.7;
  if (dice.next() < 0.5) header.start = vector(dice, 100);
  header.velocity = vector(dice, dice.one([1, 60, 1e5]));
  const [usual, jitter] = [dice.one([...FRAMES, 1 / (header.display_hz ?? 75)]), dice.one([0, 0.01, 0.1, 0.5])];
  const events = [];
  for (let n = dice.one([50, 200, 600]); n > 0; n--) {
    events.push(dice.next() < 0.04 ? bodyEvent(dice) : { frame: frameTime(dice, usual, jitter) });
  }
  return [header, ...events];
}

function gate(dice) {
  const header = { replay: 1, system: "gate" };
  if (dice.next() < 0.9) header.rule = dice.one(["even", "even", "client", "seed"]);
  if (dice.next() < 0.3) header.min = dice.one([1 / 30, 0.05, 0.001, 0.0002, dice.between(0.001, 0.1)]);
  if (dice.next() < 0.3) header.max = dice.one([0.2, 0.5, 0.1, dice.between(0.1, 1)]);
  if (dice.next() < 0.2) header.huge = dice.one([2, 1, 10, dice.between(1, 5)]);
  if (dice.next() < 0.5) header.start = vector(dice, 100);
  header.velocity = vector(dice, dice.one([1, 60, 1e5]));
  const [usual, jitter] = [dice.one(FRAMES), dice.one([0, 0.001, 0.1, 0.5])];
  const events = [];
  for (let n = dice.one([50, 200, 600]); n > 0; n--) {
    events.push(dice.next() < 0.04 ? bodyEvent(dice) : { frame: frameTime(dice, usual, jitter) });
  }
  return [header, ...events];
}

function timed(dice) {
  const numbers = dice.one([3, 7]);
  const interval = dice.one([1 / 60, 1 / 30, 0.05, 1 / 144, dice.between(0.005, 0.2)]);
  const lines = [{ replay: 1, system: "timed", rule: dice.one(["locked", "locked", "seed"]), interval }];
  const jitter = dice.one([0, 0.1, 0.5, 2, 6]) * interval;
  const startsAt = dice.one([0, 1, 1e5, -3]);
  let [time, frame, sim, scale] = [startsAt, startsAt, dice.one([0, 100, -5]), 1];
  const given = dice.next() < 0.6;
  for (let tick = 0; tick < 80; tick++) {
    const event = dice.next();
    if (event < 0.02) time += dice.between(0, 1.5);
    else if (event < 0.03) time -= dice.between(0, 1);
    else if (event < 0.04) sim += dice.one([0, -1, 3, 10]) * interval;
    else if (event < 0.06) scale = dice.one([1, 1, 0.2, 0.5, 3]);
    time += interval;
    sim += interval * scale;
    const arrival = dice.next() < 0.05 ? time + dice.between(0, 8) * interval : time + dice.next() * jitter;
    while (frame < arrival) {
      lines.push({ frame: dice.next() < 0.005 ? dice.one(["NaN", "inf", frame - 0.3]) : frame });
      frame += dice.one([1 / 60, 1 / 144, dice.between(0.001, 0.05)]) + (dice.next() < 0.003 ? dice.between(0, 2) : 0);
    }
    const line = { [dice.next() < 0.03 ? "cut" : "tick"]: dice.next() < 0.004 ? "NaN" : arrival, pose: pose(dice, numbers, 100) };
    if (given || scale !== 1) line.sim = sim;
    if (scale !== 1 || dice.next() < 0.3) line.scale = scale;
    lines.push(line);
  }
  return lines;
}

function waypoints(dice) {
  const numbers = dice.one([3, 7]);
  const header = { replay: 1, system: "waypoints", rule: dice.one(["client", "seed"]) };
  if (dice.next() < 0.6) header.start = pose(dice, numbers, 5);
  if (dice.next() < 0.4) header.max_speed = dice.one([0, 0.00005, 1, 4, dice.between(0, 20)]);
  if (dice.next() < 0.3) header.blip = dice.one([0, 5, 20, 100, dice.between(0, 50)]);
  const size = dice.one([0.1, 2, 10, 60]);
  const lines = [header];
  let [at, dt] = [(header.start ?? [0, 0, 0]).slice(0, 3), dice.one([1 / 30, 0.05, 0.1, 1 / 60])];
  const wall = dice.next() < 0.4;
  for (let n = dice.one([40, 120, 300]); n > 0; n--) {
    const roll = dice.next();
    if (roll < 0.22) {
      // Mostly a walk, in steps around the bounds that the rules compare with.
      at = dice.next() < 0.1 ? vector(dice, size) : at.map((c) => c + dice.one([0, 0.05, 0.049, -0.2, 0.3, dice.between(-1, 1)]) * Math.min(size, 2));
      const line = { enqueue: numbers === 3 ? at : [...at, ...dice.rotation()] };
      if (dice.next() < 0.3) line.keep_heading = dice.next() < 0.5;
      if (dice.next() < 0.1) line.blip = dice.between(0, 5);
      lines.push(line);
    } else if (roll < 0.25) {
      lines.push({ enqueue_velocity: vector(dice, 5) });
    } else if (roll < 0.28) {
      lines.push({ enqueue_stop: true });
    } else if (roll < 0.29) {
      lines.push({ stop: true });
    } else {
      const line = { tick: dice.next() < 0.01 ? dice.one(["NaN", "inf", 0, -1]) : dt };
      if (dice.next() < 0.05) line.max_speed = dice.between(0, 10);
      if (dice.next() < 0.05) line.contact = dice.next() < 0.5;
      if (dice.next() < 0.05) line.sticky = dice.next() < 0.5;
      if (wall ? dice.next() < 0.7 : dice.next() < 0.03) line.moved = dice.one([[0, 0, 0], [0.001, 0, 0], vector(dice, 0.05)]);
      if (dice.next() < 0.05) line.place = dice.next() < 0.5;
      lines.push(line);
    }
  }
  return lines;
}

function snapshots(dice) {
  const numbers = dice.one([3, 7]);
  const interval = dice.one([0.05, 0.1, 1 / 30, 1 / 60, dice.between(0.01, 0.3)]);
  const header = { replay: 1, system: "snapshots", interval };
  if (dice.next() < 0.4) header.preset = dice.one(["action", "racing", "strategy"]);
  if (dice.next() < 0.3) header.extrapolate = dice.one([0, 0.05, 0.2, dice.between(0, 0.5)]);
  if (dice.next() < 0.1) header.metre = 1;
  const [lines, arrivals] = [[header], []];
  const [jitter, loss, seldom] = [dice.one([0, 0.2, 1, 3]) * interval, dice.one([0, 0.05, 0.3]), dice.one([1, 1, 4])];
  const speaks = dice.one([0, 1, 2]);
  let [sent, now, epoch] = [dice.one([0, 500, 1e6]), dice.one([0, 10, -2]), dice.one([0, 7, -1, 2 ** 40])];
  let [place, velocity] = [vector(dice, 10), vector(dice, 5)];
  for (let n = 0; n < 100; n++) {
    const roll = dice.next();
    if (roll < 0.02) now += dice.between(0, 2);
    else if (roll < 0.03) sent = dice.one([0, sent - 2, sent - 0.3, sent + 5]);
    else if (roll < 0.05) [place, epoch] = [vector(dice, 50), dice.next() < 0.7 ? epoch + 1 : epoch];
    else if (roll < 0.1) velocity = dice.next() < 0.3 ? [0, 0, 0] : vector(dice, dice.one([1, 10]));
    sent += interval;
    now += interval;
    place = place.map((c, k) => c + velocity[k] * interval);
    if (dice.next() < loss) continue;
    const line = { receive: dice.next() < 0.004 ? "NaN" : sent, at: now + dice.next() * jitter };
    if (n % seldom === 0) {
      line.pose = numbers === 3 ? place : [...place, ...dice.rotation()];
      if (speaks > 0 && dice.next() < 0.9) line.velocity = numbers === 7 && speaks > 1 ? [...velocity, ...vector(dice, 3)] : velocity;
      if (dice.next() < 0.8) line.epoch = epoch;
    }
    arrivals.push(line);
    if (dice.next() < 0.03) arrivals.push(line);
  }
  arrivals.sort((a, b) => a.at - b.at);
  let frame = arrivals[0].at - 0.1;
  for (const line of arrivals) {
    while (frame < line.at) {
      lines.push({ frame: dice.next() < 0.004 ? dice.one(["NaN", "inf", frame - 0.1]) : frame });
      frame += dice.one([1 / 60, 1 / 60, 1 / 144, dice.between(0.001, 0.05)]) + (dice.next() < 0.003 ? dice.between(0, 1) : 0);
    }
    lines.push(line);
  }
  return lines;
}

const MAKERS = { steps, gate, timed, waypoints, snapshots };

/** Numbers keep their bits, the sign of zero included. */
export function text(value) {
  if (typeof value === "number") return Object.is(value, -0) ? "-0.0" : String(value);
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}:${text(part)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** A script for a system, as text. */
export function script(system, seed) {
  const dice = new Dice(seed * 7919 + SYSTEMS.indexOf(system));
  return MAKERS[system](dice).map(text).join("\n") + "\n";
}

const ODD = [
  "null", "true", '"x"', "[]", "{}", "-1", "0", '"NaN"', '"inf"', "1e999", "[1,2]", "[1,2,3,4]", "[0,0,0,1,1,1,1]", "1e30",
  "[1,2,3]", "0.5", "1.5", "18446744073709551616", "9007199254740993", '"even"', "01", "+1", ".5", "NaN", "\\u0041",
  "[0,0,0,0,0,0,1.0009]", '"\\ud800"', "-0", "1e-400",
];
const KEYS = ["frame", "tick", "cut", "pose", "hz", "step", "rule", "interval", "epoch", "at", "receive", "sim", "scale", "x", "__proto__", "start"];

/** The same script with something wrong, or odd, in one of its lines. Often it is still right. */
export function damaged(system, seed) {
  const dice = new Dice(seed * 104729 + 17 + SYSTEMS.indexOf(system));
  const lines = script(system, seed).trimEnd().split("\n").slice(0, 30);
  const at = dice.next() < 0.3 ? 0 : dice.below(lines.length);
  const line = lines[at];
  const cutAt = dice.below(line.length + 1);
  const values = [...line.matchAll(/:(\[[^\]]*\]|[^,}]*)/g)];
  const one = values.length > 0 ? dice.one(values) : { index: 0, 0: "" };
  const replaced = () => line.slice(0, one.index + 1) + dice.one(ODD) + line.slice(one.index + one[0].length);
  lines[at] = dice.one([
    replaced, replaced, replaced, replaced,
    () => line.slice(0, cutAt),
    () => line.slice(0, cutAt) + dice.one(["{", "}", ",", '"', " ", "\t", "\r", "\u000b", "\u00a0", "x", "\ufeff", "\\"]) + line.slice(cutAt),
    () => line.replace("{", `{${JSON.stringify(dice.one(KEYS))}:${dice.one(ODD)},`),
    () => line.replace(/}$/, `,${JSON.stringify(dice.one(KEYS))}:${dice.one(ODD)}}`),
    () => "",
    () => dice.one(["\u000c", "\u000b", "\ufeff", "[]", "{}", "null", "1", `${line}\r`, `\ufeff${line}`, line + line]),
    () => "[".repeat(dice.one([126, 127, 128, 200])) + "]".repeat(128),
  ])();
  return lines.join("\n") + dice.one(["\n", ""]);
}
