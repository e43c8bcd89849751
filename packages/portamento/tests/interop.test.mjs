// JavaScript and Rust on the same bytes: a thousand random ticks of each shape, written by one and read by the other, and
// every number equal to the bit. EXCHANGE_BYTES names the Rust side (cargo build -p portamento-lab --example
// exchange_bytes).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Reader, Writer } from "../src/worker.js";
import { Dice } from "./support/dice.mjs";

const usual = fileURLToPath(new URL("../../../target/debug/examples/exchange_bytes", import.meta.url));
const rust = process.env.EXCHANGE_BYTES ?? usual;
const skip = process.env.EXCHANGE_BYTES || existsSync(rust) ? false : "needs the example exchange_bytes";

const SHAPES = [
  { entities: 20, ticks: 4, readers: 2, f32Columns: 1, u32Columns: 2, f64Positions: false },
  { entities: 15, ticks: 8, readers: 3, f32Columns: 2, u32Columns: 0, f64Positions: true },
];
const TICKS = 1000;

const double = new Float64Array(1);
const single = new Float32Array(double.buffer);
const bits64 = (x) => ((double[0] = x), new BigUint64Array(double.buffer)[0].toString(16));
const bits32 = (x) => ((single[0] = x), new Uint32Array(double.buffer)[0].toString(16));

/** What a frame shows, as the Rust side writes it. */
function text(reader, shape, chosen) {
  const shown = chosen === undefined ? reader.shown : { at: chosen, presented: 0 };
  const lines = [`${bits64(reader.alpha)} ${bits64(shown.at)} ${bits64(shown.presented)} ${reader.rows}`];
  const pose = new Float64Array(7);
  const positions = new Float64Array(3 * reader.rows);
  const rotations = new Float32Array(4 * reader.rows);
  const matrices = new Float32Array(16 * reader.rows);
  reader.matrices(matrices);
  reader.positions(positions);
  reader.rotations(rotations);
  for (let row = 0; row < reader.rows; row++) {
    if (!reader.lives(row)) continue;
    reader.pose(row, pose);
    assert.deepEqual([...positions.subarray(3 * row, 3 * row + 3)], [...pose.subarray(0, 3)]);
    assert.deepEqual([...rotations.subarray(4 * row, 4 * row + 4)], [...pose.subarray(3)]);
    const id = reader.id(row);
    assert.equal(reader.row(id), row);
    const numbers = [row, id, reader.generations[row], reader.cutEpochs[row], reader.flags[row]];
    for (let n = 0; n < 7; n++) numbers.push(shape.f64Positions && n < 3 ? bits64(pose[n]) : bits32(pose[n]));
    for (let n = 0; n < shape.f32Columns; n++) numbers.push(bits32(reader.f32(row, n)));
    for (let n = 0; n < shape.u32Columns; n++) numbers.push(reader.u32(row, n));
    for (let n = 0; n < 16; n++) numbers.push(bits32(matrices[16 * row + n]));
    numbers.push(Number(reader.draw(id).cut));
    lines.push(numbers.join(" "));
  }
  return lines.join(" | ");
}

/** The moved-only matrices agree with all of them; rows that hold nobody are zeros. */
function checkMatrices(reader, shape, moved) {
  const all = new Float32Array(16 * shape.entities);
  reader.matrices(all);
  reader.movedMatrices(moved);
  const rows = 16 * reader.rows;
  assert.deepEqual(moved.subarray(0, rows), all.subarray(0, rows));
  for (let row = 0; row < reader.rows; row++) {
    if (!reader.lives(row)) assert.ok(all.subarray(16 * row, 16 * row + 16).every((number) => number === 0));
  }
}

/** A world that changes at random; the same commands for both languages. */
function* commands(dice, shape) {
  const living = new Map();
  let next = 1;
  const pose = () => {
    const far = shape.f64Positions ? 1e7 : 100;
    const position = [0, 1, 2].map(() => dice.between(-far, far));
    // Rarely what is no rotation, or a number so large that differences overflow.
    if (dice.next() < 0.01) return [...position, 0, 0, 0, 0];
    if (dice.next() < 0.01 && !shape.f64Positions) return [3e38 * dice.one([1, -1]), 0, 0, ...dice.rotation()];
    return [...position.map((n) => (shape.f64Positions ? n : Math.fround(n))), ...dice.rotation()];
  };
  for (;;) {
    const kind = dice.next();
    const id = dice.one([...living.keys()]);
    if (id === undefined || kind < 0.1) {
      if (living.size === shape.entities) continue;
      const id = dice.next() < 0.3 ? next++ * 2 ** 32 + dice.below(1000) : next++;
      living.set(id, pose());
      yield ["set", id, ...living.get(id)];
    } else if (kind < 0.15) {
      living.delete(id);
      yield ["remove", id];
    } else if (kind < 0.2) {
      living.set(id, pose());
      yield ["cut", id, ...living.get(id)];
    } else if (kind < 0.25) {
      yield ["flags", id, dice.below(2 ** 32)];
    } else if (kind < 0.3 && shape.f32Columns) {
      yield ["f32", id, dice.below(shape.f32Columns), Math.fround(dice.between(-9, 9))];
    } else if (kind < 0.35 && shape.u32Columns) {
      yield ["u32", id, dice.below(shape.u32Columns), dice.below(2 ** 32)];
    } else if (kind < 0.4) {
      // At rest, perhaps as the opposite quaternion.
      const old = living.get(id);
      living.set(id, dice.next() < 0.5 ? old : [...old.slice(0, 3), ...old.slice(3).map((n) => -n)]);
      yield ["set", id, ...living.get(id)];
    } else {
      living.set(id, pose());
      yield ["set", id, ...living.get(id)];
    }
    if (dice.next() < 0.2) yield ["publish"];
    if (dice.next() < 0.001) {
      living.clear();
      yield ["restart"];
    }
  }
}

function hex(buffer) {
  return Buffer.from(new Uint8Array(buffer)).toString("hex");
}

/** The bytes that mean something: without who owns a place, how locks are called, and rows that are not in use. */
function comparable(digits, shape) {
  const bytes = Buffer.from(digits, "hex");
  bytes.fill(0, 64, 68);
  bytes.fill(0, 88, 96);
  const seats = 128 + 64;
  bytes.fill(0, seats, seats + 64 * shape.readers);
  const pad = (n) => Math.ceil(n / 64) * 64;
  const pose = shape.f64Positions ? 40 : 28;
  const own = shape.f32Columns + shape.u32Columns;
  const sizes = [4, 4, 4, 4, 4, pose, ...Array(own).fill(4)];
  for (let at = seats + 64 * shape.readers; at < bytes.length; ) {
    const rows = bytes.readUInt32LE(at + 4);
    at += 64;
    for (const size of sizes) {
      bytes.fill(0, at + size * rows, at + pad(size * shape.entities));
      at += pad(size * shape.entities);
    }
  }
  return bytes;
}

for (const shape of SHAPES) {
  const kind = shape.f64Positions ? "f64" : "f32";
  test(`${TICKS} ticks of ${shape.entities} entities with ${kind} positions agree with Rust`, { skip }, () => {
    const dice = new Dice(shape.entities);
    const clock = { timeOrigin: 0, now: () => now };
    let [now, simulated, scale, ticks, frames] = [5000, -2, 1, 0, 0];
    const limit = shape.readers === 3 ? 0.05 : 0;
    const hz = 60;
    let writer = new Writer({ ...shape, clock });
    const buffer = writer.buffer;
    const reader = new Reader(buffer, { hz, extrapolate: limit, clock });
    // The same without WebAssembly.
    const second = new Reader(buffer, { hz, extrapolate: limit, clock, wasm: false });
    const moved = new Float32Array(16 * shape.entities);
    const numbers = Object.values(shape).map(Number).join(" ");

    // First JavaScript alone; what it did becomes a script for Rust.
    const own = [`shape ${numbers}`, `reader ${hz} ${limit}`];
    const loaded = [`shape ${numbers}`, `reader ${hz} ${limit}`];
    const dumps = []; // [line, bytes here]
    const shows = []; // [line, text, line of the other script]
    const questions = [];
    for (const [command, ...rest] of commands(dice, shape)) {
      const line = [command, ...rest.map((n) => (Object.is(n, -0) ? "-0" : n))].join(" ");
      if (command === "set") writer.set(...rest);
      else if (command === "cut") writer.cut(...rest);
      else if (command === "remove") writer.remove(...rest);
      else if (command === "flags") writer.setFlags(...rest);
      else if (command === "f32") writer.setF32(...rest);
      else if (command === "u32") writer.setU32(...rest);
      else if (command === "restart") {
        writer.close();
        writer = new Writer({ buffer, clock });
        simulated = dice.between(-1, 1);
      }
      if (command !== "publish") {
        own.push(line);
        continue;
      }
      if (ticks === TICKS) break;
      ticks++;
      if (dice.next() < 0.02) scale = dice.one([1, 1, 0.2, 2, 0]);
      now += (1000 / hz) * dice.between(0.6, 1.4) + (dice.next() < 0.01 ? dice.between(0, 400) : 0);
      if (dice.next() < 0.95) simulated += scale / hz;
      writer.publish(simulated, { scale });
      own.push(`publish ${now / 1000} ${simulated} ${scale}`, "dump");
      loaded.push(`load ${hex(buffer)}`);
      dumps.push([own.length - 1, hex(buffer)]);
      for (let frame = dice.below(3); frame > 0; frame--) {
        now += dice.between(0, 8);
        const chosen = dice.next() < 0.1 ? simulated + dice.between(-0.1, 0.02) : undefined;
        const there = chosen === undefined ? reader.frame() : reader.at(chosen);
        assert.equal(chosen === undefined ? second.frame() : second.at(chosen), there);
        const question = chosen === undefined ? `frame ${now / 1000}` : `at ${chosen}`;
        own.push(question);
        loaded.push(question);
        shows.push([own.length - 1, there ? text(reader, shape, chosen) : "null", loaded.length - 1]);
        questions.push({ dump: dumps.length - 1, now, chosen });
        if (there) checkMatrices(reader, shape, moved);
        if (there) assert.equal(text(second, shape, chosen), shows.at(-1)[1]);
        frames++;
      }
    }
    assert.ok(frames > 800, `${frames} frames`);
    assert.equal(reader.counts.nonsense, 0);
    assert.equal(reader.counts.skews, 0);

    const ask = (script) => {
      const answer = spawnSync(rust, { input: script.join("\n"), encoding: "utf8", maxBuffer: 1 << 30 });
      assert.equal(answer.status, 0, answer.stderr);
      return answer.stdout.trim().split("\n");
    };
    // Rust did the same with a block of its own: the same bytes, the same picture.
    const answers = ask(own);
    assert.equal(answers.length, own.length);
    for (const [line, bytes] of dumps) {
      const [a, b] = [comparable(bytes, shape), comparable(answers[line], shape)];
      assert.ok(a.equals(b), `the blocks differ at ${a.findIndex((byte, i) => byte !== b[i])}`);
    }
    for (const [line, shown] of shows) assert.equal(shown, answers[line], own[line]);
    // JavaScript wrote, Rust read.
    const read = ask(loaded);
    for (const [, shown, line] of shows) assert.equal(shown, read[line], loaded[line]);
    // Rust wrote, JavaScript reads.
    const theirs = new SharedArrayBuffer(buffer.byteLength);
    const load = (n) => new Uint8Array(theirs).set(Buffer.from(answers[dumps[n][0]], "hex"));
    load(0);
    const third = new Reader(theirs, { hz, extrapolate: limit, clock });
    let at = 0;
    for (const [n, question] of questions.entries()) {
      while (at < question.dump) load(++at);
      now = question.now;
      const there = question.chosen === undefined ? third.frame() : third.at(question.chosen);
      assert.equal(there ? text(third, shape, question.chosen) : "null", shows[n][1]);
    }
  });
}
