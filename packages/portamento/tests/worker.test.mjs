// What a writer and a reader promise, one sentence each.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Worker } from "node:worker_threads";
import { Reader, Writer } from "../src/worker.js";
import { Dice } from "./support/dice.mjs";

/** A writer and a reader with a clock that only moves when it is told to. */
function pair(shape = {}, options = {}) {
  const time = { now: 1000 };
  const clock = { timeOrigin: 0, now: () => time.now };
  const writer = new Writer({ entities: 10, clock, ...shape });
  const reader = new Reader(writer.buffer, { hz: 10, clock, ...options });
  return { time, clock, writer, reader };
}

/** Publishes tick `n` of a simulation at 10 Hz. */
function tick({ time, writer }, n, options) {
  time.now = 1000 + 100 * n;
  writer.publish(n / 10, options);
}

const xOf = (reader, id) => {
  const pose = reader.pose(reader.row(id), []);
  return pose && pose[0];
};

test("before the first tick there is nothing to draw", () => {
  const { writer, reader } = pair();
  writer.set(1, 0, 0, 0);
  assert.equal(reader.frame(), false);
  assert.equal(reader.at(0), false);
  assert.equal(reader.rows, 0);
  assert.equal(reader.row(1), -1);
  assert.equal(reader.draw(1), null);
  reader.matrices(new Float32Array(0));
});

test("a moment between two ticks is interpolated", () => {
  const p = pair();
  for (let n = 0; n < 4; n++) {
    p.writer.set(1, n, 0, 0);
    tick(p, n);
  }
  for (const [moment, x] of [[0, 0], [0.05, 0.5], [0.1, 1], [0.275, 2.75], [0.3, 3], [9, 3]]) {
    assert.ok(p.reader.at(moment));
    assert.equal(xOf(p.reader, 1), Math.fround(x));
  }
  assert.equal(p.reader.at(NaN), false);
});

test("a cut never shows a place between", () => {
  const p = pair();
  p.writer.set(1, 0, 0, 0);
  tick(p, 0);
  p.writer.cut(1, 1000, 0, 0);
  tick(p, 1);
  const seen = new Set();
  for (let moment = 0; moment < 0.2; moment += 0.001) {
    p.reader.at(moment);
    const drawn = p.reader.draw(1);
    assert.equal(drawn.cut, !seen.has(drawn.now[0]), `at ${moment}`);
    seen.add(drawn.now[0]);
  }
  assert.deepEqual([...seen], [0, 1000]);
});

test("an entity is first seen at its first pose and last at its last", () => {
  const lives = [];
  const options = { onBirth: (id, row) => lives.push(`+${id}@${row}`), onDeath: (id, row) => lives.push(`-${id}@${row}`) };
  const p = pair({}, options);
  p.writer.set(1, 5, 0, 0);
  tick(p, 0);
  p.writer.set(2, 7, 0, 0);
  tick(p, 1);
  p.writer.remove(1);
  p.writer.set(3, 9, 0, 0); // in the row of 1
  tick(p, 2);
  tick(p, 3);
  p.reader.at(0.05);
  assert.deepEqual(lives, ["+1@0"]);
  assert.equal(p.reader.row(2), -1);
  p.reader.at(0.1);
  assert.deepEqual(lives, ["+1@0", "+2@1"]);
  assert.equal(xOf(p.reader, 2), 7);
  p.reader.at(0.15);
  assert.equal(xOf(p.reader, 1), 5);
  p.reader.at(0.2);
  assert.deepEqual(lives, ["+1@0", "+2@1", "-1@0", "+3@0"]);
  assert.equal(xOf(p.reader, 3), 9);
  assert.equal(p.reader.row(1), -1);
});

test("moved-only fills write each change once", () => {
  const p = pair({ ticks: 16 });
  const array = new Float32Array(160);
  const places = [0, 1, 2, 2, 2, 2];
  places.forEach((x, n) => {
    p.writer.set(1, x, 0, 0);
    p.writer.set(2, -1, 0, 0);
    if (n === 4) p.writer.remove(2);
    tick(p, n);
    if (n === 4) p.writer.set(2, -1, 0, 0);
  });
  const moved = (moment) => {
    p.reader.at(moment);
    const count = p.reader.movedMatrices(array);
    return [...p.reader.moved.subarray(0, count)];
  };
  assert.deepEqual(moved(0), [0, 1], "everything at first");
  assert.deepEqual(moved(0.05), [0]);
  assert.deepEqual(moved(0.15), [0]);
  assert.deepEqual(moved(0.2), [0], "arrives at its exact pose");
  assert.equal(array[12], 2);
  assert.deepEqual(moved(0.25), [], "rests");
  assert.deepEqual(moved(0.35), []);
  assert.deepEqual(moved(0.4), [1], "gone");
  assert.ok(array.subarray(16, 32).every((number) => number === 0));
  assert.deepEqual(moved(0.45), []);
  assert.deepEqual(moved(0.5), [1], "and another one there");
  assert.equal(array[16 + 12], -1);
});

test("columns, flags and ids travel", () => {
  const p = pair({ f32Columns: 2, u32Columns: 1 });
  const id = Number.MAX_SAFE_INTEGER;
  p.writer.set(id, 0, 0, 0);
  p.writer.setFlags(id, 0xf000000f);
  p.writer.setF32(id, 1, 0);
  p.writer.setU32(id, 0, 4e9);
  tick(p, 0);
  p.writer.setF32(id, 1, 1);
  p.writer.setU32(id, 0, 5);
  tick(p, 1);
  p.reader.at(0.025);
  const row = p.reader.row(id);
  assert.equal(p.reader.id(row), id);
  assert.equal(p.reader.flags[row], 0xf000000f);
  assert.equal(p.reader.f32(row, 1), 0.25);
  assert.equal(p.reader.u32(row, 0), 4e9);
  const all = new Float32Array(10);
  p.reader.f32s(1, all);
  assert.equal(all[row], 0.25);
  assert.throws(() => p.reader.u32(row, 1), /column 1 of 1/);
  assert.throws(() => p.writer.setF32(id, 2, 0), /column 2 of 2/);
});

test("what cannot work is refused with its number", () => {
  const { writer } = pair({ entities: 1 });
  writer.set(1, 0, 0, 0);
  assert.throws(() => writer.set(2, 0, 0, 0), /all 1 rows are taken/);
  assert.throws(() => writer.set(1, NaN, 0, 0), /the pose of entity 1 is NaN/);
  assert.throws(() => writer.set(1, 1e39, 0, 0), /give seven finite numbers/);
  assert.throws(() => writer.set(-1, 0, 0, 0), /the id is -1/);
  assert.throws(() => writer.set(2 ** 53, 0, 0, 0), /the id is/);
  assert.throws(() => writer.remove(7), /there is no entity 7/);
  writer.publish(1);
  assert.throws(() => writer.publish(0.5), /before that of the newest tick/);
  assert.throws(() => writer.publish(NaN), /give a finite number/);
  assert.throws(() => writer.publish(2, { scale: -1 }), /time scale -1/);
  assert.throws(() => new Writer({ entities: 0 }), /entities is 0/);
  assert.throws(() => new Writer({ entities: 5, ticks: 5 }), /give 4, 8, 16 or 32/);
  assert.throws(() => new Writer({ buffer: writer.buffer }), /the block has a writer/);
  assert.throws(() => new Reader(new ArrayBuffer(64), { hz: 60 }), /64 bytes are not a block/);
  assert.throws(() => new Reader(new ArrayBuffer(4096), { hz: 60 }), /PORTMNTO/);
  assert.throws(() => new Reader(writer.buffer, {}), /give hz/);
  assert.throws(() => new Reader(writer.buffer, { hz: 0 }), /hz\) is 0/);
});

test("seats are limited and come back", () => {
  const { writer, reader } = pair({ readers: 1 });
  assert.throws(() => new Reader(writer.buffer, { hz: 60 }), /all 1 seats are taken/);
  reader.close();
  new Reader(writer.buffer, { hz: 60 }).close();
});

test("a writer that lost its place does not publish", () => {
  const { writer } = pair();
  writer.publish(0);
  Atomics.store(new Int32Array(writer.buffer), 16, 12345);
  assert.throws(() => writer.publish(1), /taken over/);
});

test("a second life of the writer is not blended with the first", () => {
  const p = pair();
  const runs = [];
  for (let n = 0; n < 5; n++) {
    p.writer.set(1, n, 0, 0);
    tick(p, n);
    p.reader.frame();
  }
  p.writer.close();
  assert.equal(p.reader.writer, "closed");
  const next = { ...p, writer: new Writer({ buffer: p.writer.buffer, clock: p.clock }) };
  assert.equal(next.writer.run, p.writer.run + 1);
  for (let n = 5; n < 12; n++) {
    next.writer.set(1, 100 + n, 0, 0);
    p.time.now = 1000 + 100 * n;
    next.writer.publish(n / 10 - 0.5);
    p.reader.frame();
    runs.push(xOf(p.reader, 1));
  }
  assert.ok(runs.every((x) => x >= 105), runs.join());
  assert.equal(p.reader.counts.restarts, 1);
});

test("a pause freezes the picture, and edits during it are seen", () => {
  const p = pair();
  let x = 0;
  for (let n = 0; n < 10; n++) {
    p.writer.set(1, (x = n), 0, 0);
    tick(p, n);
    p.reader.frame();
  }
  p.time.now += 50;
  p.writer.publish(0.9, { scale: 0 });
  p.reader.frame();
  const held = xOf(p.reader, 1);
  for (let n = 0; n < 20; n++) {
    p.time.now += 16;
    p.reader.frame();
    assert.equal(xOf(p.reader, 1), held);
  }
  assert.equal(p.writer.publish(0.9, { scale: 0 }), false, "nothing changed");
  p.writer.set(1, x, 5, 0);
  assert.equal(p.writer.publish(0.9, { scale: 0 }), true);
});

test("a hidden tab comes back to the present within a frame", () => {
  const p = pair();
  let n = 0;
  const run = (ticks, look) => {
    for (const end = n + ticks; n < end; n++) {
      p.writer.set(1, n, 0, 0);
      tick(p, n);
      for (let k = 0; k < 6; k++) {
        p.time.now = 1000 + 100 * n + k * 16;
        if (look) p.reader.frame(p.time.now);
      }
    }
  };
  run(30, true);
  run(100, false);
  run(1, true);
  assert.ok(n - xOf(p.reader, 1) < 3, `${n} and ${xOf(p.reader, 1)}`);
  assert.ok(p.reader.counts.missed > 80);
});

for (const stands of [0.06, 0.2, 0.24, 3]) {
  test(`a simulation that stood still for ${stands} s is drawn evenly half a second later`, () => {
    const time = { now: 1000 };
    const clock = { timeOrigin: 0, now: () => time.now };
    const writer = new Writer({ entities: 1, clock });
    const reader = new Reader(writer.buffer, { hz: 60, clock });
    let [tick, last, uneven, behind] = [0, 0, 0, 0];
    for (let f = 0; f < 144 * (8 + stands); f++) {
      time.now = 1000 + (f * 1000) / 144;
      // After the hitch a few of its ticks are made up for; the others are lost.
      const due = f / 144 < 3 + stands ? Math.min(f / 144, 3) : f / 144 - Math.max(stands - 0.25, 0);
      const before = tick;
      while (tick / 60 <= due) tick++;
      if (tick > before) {
        writer.set(1, tick / 60, 0, 0);
        writer.publish(tick / 60);
      }
      reader.frame(time.now);
      const x = xOf(reader, 1);
      if (f / 144 < 3.5 + stands) behind = reader.counts.behind;
      else if (Math.abs((x - last) * 144 - 1) > 0.1) uneven++;
      last = x;
    }
    assert.equal(uneven, 0, "frames that are too fast or too slow");
    assert.equal(reader.counts.behind - behind, 0, "frames without their tick");
  });
}

test("a renderer that stood still is not farther behind afterwards", () => {
  const time = { now: 1000 };
  const clock = { timeOrigin: 0, now: () => time.now };
  const writer = new Writer({ entities: 1, ticks: 4, clock });
  const reader = new Reader(writer.buffer, { hz: 60, clock });
  const run = { tick: 0, frame: 0 };
  const oldest = (from, to) => {
    let age = 0;
    for (run.frame = Math.ceil(from * 144); run.frame < to * 144; run.frame++) {
      const now = run.frame / 144;
      while (run.tick / 60 <= now) {
        time.now = 1000 + (run.tick * 1000) / 60;
        writer.set(1, run.tick, 0, 0);
        writer.publish(run.tick++ / 60);
      }
      time.now = 1000 + now * 1000;
      if (reader.frame(time.now) && now > to - 1) age = Math.max(age, now - reader.shown.at);
    }
    return age;
  };
  const before = oldest(0, 3);
  const after = oldest(3.1, 5);
  assert.ok(after < before + 0.002, `${before} became ${after}`);
});

test("a frame's time of another worker's clock is noticed", () => {
  const p = pair();
  p.writer.set(1, 0, 0, 0);
  tick(p, 0);
  assert.ok(p.reader.frame(p.time.now + 60_000));
  assert.ok(p.reader.frame(NaN));
  assert.equal(p.reader.counts.oddTimes, 2);
});

for (const error of [-3, -0.2, 0.2, 5]) {
  test(`time origins that disagree by ${error} s are brought together`, () => {
    const time = { now: 1000 };
    const writer = new Writer({ entities: 1, clock: { timeOrigin: 0, now: () => time.now } });
    const reader = new Reader(writer.buffer, { hz: 60, clock: { timeOrigin: 1000 * error, now: () => time.now } });
    let late = 0;
    for (let n = 0; n < 600; n++) {
      time.now = 1000 + (n * 1000) / 60;
      writer.set(1, n / 60, 0, 0);
      writer.publish(n / 60);
      time.now += 3;
      reader.frame(time.now);
      late = n / 60 - xOf(reader, 1);
    }
    assert.ok(late > 0 && late < 0.05, `${late} s behind`);
    assert.ok(reader.counts.skews >= 1 && reader.counts.skews <= 3, `${reader.counts.skews} skews`);
  });
}

test("clocks that agree are left alone, also at low and uneven rates", () => {
  for (const [hz, fps] of [[60, 60], [5, 60], [60, 5], [5, 5], [20, 144]]) {
    const time = { now: 1000 };
    const clock = { timeOrigin: 0, now: () => time.now };
    const writer = new Writer({ entities: 1, clock });
    const reader = new Reader(writer.buffer, { hz, clock });
    let next = 0;
    for (let f = 0; f < 20 * fps; f++) {
      const frame = 1000 + (f * 1000) / fps + 900 / fps;
      while (1000 + (next * 1000) / hz <= frame) {
        time.now = 1000 + (next * 1000) / hz;
        writer.publish(next++ / hz);
      }
      time.now = frame;
      reader.frame(frame);
    }
    assert.equal(reader.counts.skews, 0, `${hz} Hz at ${fps} frames/s`);
  }
});

test("a tick that comes while a frame begins says nothing about the clocks", () => {
  const time = { now: 1000 };
  let tick = 0;
  const writer = new Writer({ entities: 1, clock: { timeOrigin: 0, now: () => time.now } });
  const publish = () => writer.publish(++tick / 60);
  // Whoever reads the clock is interrupted right after it.
  const now = () => {
    const read = time.now;
    time.now += 3;
    publish();
    return read;
  };
  const reader = new Reader(writer.buffer, { hz: 60, clock: { timeOrigin: 0, now } });
  for (let f = 0; f < 200; f++) {
    reader.frame();
    time.now += 1000 / 60 - 3;
  }
  assert.equal(reader.counts.skews, 0);
});

for (const [step, jitter] of [[1, 0], [1, 1], [16.7, 0]]) {
  test(`a clock in steps of ${step} ms that jitters by ${jitter} ms is drawn evenly`, () => {
    const dice = new Dice(7);
    const time = { now: 1000, read: 0 };
    const read = () => Math.floor(time.now / step) * step + jitter * dice.next();
    const clock = { timeOrigin: 0, now: () => (time.read = Math.max(time.read, read())) };
    const writer = new Writer({ entities: 1, clock });
    const reader = new Reader(writer.buffer, { hz: 60, clock });
    let [next, late, last, sum, frames] = [0, 0, NaN, 0, 0];
    for (let f = 0; f < 60 * 20; f++) {
      const frame = 1000 + (f * 1000) / 60 + 0.3;
      for (; 1000 + (next * 1000) / 60 + late <= frame; next++, late = 6 * dice.next()) {
        time.now = 1000 + (next * 1000) / 60 + late;
        writer.set(1, next / 60, 0, 0);
        writer.publish(next / 60);
      }
      time.now = frame;
      reader.frame(clock.now());
      const x = xOf(reader, 1);
      assert.ok(!(x < last), "backwards");
      if (f > 600) {
        sum += ((x - last) * 60 - 1) ** 2;
        frames++;
      }
      last = x;
    }
    const judder = Math.sqrt(sum / frames);
    assert.ok(judder < 0.05, `judder ${judder}`);
    assert.equal(reader.counts.skews + reader.counts.oddTimes, 0);
  });
}

test("without shared memory ticks travel as messages", async () => {
  const said = [];
  const info = console.info;
  console.info = (text) => said.push(text);
  const writer = new Writer({ entities: 100, messages: true, f32Columns: 1 });
  console.info = info;
  assert.deepEqual(said, [], "it was asked for");
  const channel = structuredClone(writer.buffer);
  writer.set(1, 1, 2, 3);
  writer.set(2, 4, 5, 6);
  writer.setF32(2, 0, 0.5);
  writer.publish(0);
  // Late: the newest tick is asked for.
  const reader = new Reader(channel, { hz: 60 });
  assert.ok(reader.messages);
  assert.equal(await reader.waitAsync(2000), true);
  assert.ok(reader.frame());
  assert.deepEqual(reader.pose(reader.row(2), []), [4, 5, 6, 0, 0, 0, 1]);
  assert.equal(reader.f32(reader.row(2), 0), 0.5);
  writer.remove(1);
  writer.publish(1 / 60);
  assert.equal(await reader.waitAsync(2000), true);
  reader.at(1);
  assert.equal(reader.row(1), -1);
  assert.throws(() => reader.wait(), /waitAsync/);
  writer.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(reader.writer, "closed");
  // Another writer on the same channel goes on.
  const second = new Writer({ buffer: channel });
  second.set(9, 9, 9, 9);
  second.publish(0);
  assert.equal(await reader.waitAsync(2000), true);
  reader.frame();
  assert.equal(reader.row(9), 0);
  assert.equal(reader.counts.restarts, 1);
  second.close();
  reader.close();
});

test("of two writers on one channel the first is told to end", async () => {
  const first = new Writer({ entities: 1, messages: true });
  first.publish(0);
  await new Promise((resolve) => setTimeout(resolve, 5)); // runs are told apart by when they began
  const second = new Writer({ buffer: first.buffer });
  second.publish(0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.throws(() => first.publish(1), /this writer's place was taken over: only one writer may publish, end this one/);
  second.publish(1);
  first.close();
  second.close();
});

test("a reader in another thread is woken, and never sees a torn tick", async () => {
  const code = `
    import { parentPort, workerData } from "node:worker_threads";
    const { Reader } = await import(workerData.url);
    const reader = new Reader(workerData.buffer, { hz: 60 });
    const pose = new Float64Array(7);
    let [ticks, torn, frames] = [0, 0, 0];
    while (reader.wait(3000)) {
      ticks++;
      reader.frame();
      for (let n = 0; n < 3; n++) {
        reader.at(reader.playhead.newest - n * 0.01);
        frames++;
        reader.pose(0, pose);
        const first = pose[0];
        for (let row = 1; row < reader.rows; row++) torn += reader.pose(row, pose)[0] !== first;
      }
      if (reader.writer === "closed") break;
    }
    parentPort.postMessage({ ticks, torn, frames });
    reader.close();
  `;
  const writer = new Writer({ entities: 300, ticks: 4 });
  const url = new URL("../src/worker.js", import.meta.url).href;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: { buffer: writer.buffer, url },
  });
  const answer = new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
  let n = 0;
  const end = performance.now() + 1500;
  while (performance.now() < end) {
    for (let burst = 0; burst < 20; burst++, n++) {
      for (let id = 0; id < 300; id++) writer.set(id, n, n, n);
      writer.publish(n / 60);
    }
    await new Promise((resolve) => setTimeout(resolve, n % 60 ? 0 : 5));
  }
  writer.close();
  Atomics.notify(new Int32Array(writer.buffer), 20);
  const { ticks, torn, frames } = await answer;
  await worker.terminate();
  assert.equal(torn, 0);
  assert.ok(ticks > 20 && frames > 60, `${ticks} ticks, ${frames} frames`);
});

test("what cannot be a writer's buffer is refused with what to give", () => {
  for (const wrong of [undefined, null, 5, "x", { data: 1 }, new Uint8Array(4096), new Writer({ entities: 1 })]) {
    assert.throws(() => new Reader(wrong, { hz: 60 }), /give the `buffer` of a Writer as it was posted/);
    if (wrong !== undefined) assert.throws(() => new Writer({ buffer: wrong }), /give the `buffer` of a Writer/);
  }
  assert.throws(() => new Reader(new SharedArrayBuffer(4096), { hz: 60 }), /this is not a block/);
});

test("an option that is missing or unknown is named", () => {
  const { writer } = pair();
  assert.throws(() => new Writer(), /entities is undefined: give a whole number/);
  assert.throws(() => new Writer({ entites: 5 }), /there is no option entites: give one of entities, ticks/);
  assert.throws(() => new Reader(writer.buffer), /give hz/);
  assert.throws(() => new Reader(writer.buffer, { hz: 60, onbirth() {} }), /no option onbirth: give one of hz, .*onBirth/);
});

test("an id that is no number says what to keep instead", () => {
  const { writer } = pair();
  assert.throws(() => writer.set("player-7", 0, 0, 0), /the id is a string: give a whole number.*keep a Map/);
  assert.throws(() => writer.set(7n, 0, 0, 0), /the id is a bigint/);
  assert.throws(() => writer.set(2 ** 53, 0, 0, 0), /the id is 9007199254740992/);
  assert.throws(() => writer.set(1, { x: 0, y: 0, z: 0 }), /seven finite numbers/);
  assert.throws(() => writer.set(1, 0, NaN, 0), /the pose of entity 1 is 0 NaN 0 .*seven finite numbers/);
});

test("milliseconds or ticks where seconds belong are reported, once", () => {
  const warn = mock.method(console, "warn", () => {});
  const { time, writer } = pair();
  for (let n = 0; n < 40; n++) {
    time.now += 1000 / 60;
    writer.publish(n);
  }
  for (let n = 0; n < 40; n++) {
    time.now += 1000 / 60;
    writer.publish(time.now);
  }
  assert.equal(warn.mock.callCount(), 1);
  assert.match(warn.mock.calls[0].arguments[0], /give publish seconds, not milliseconds or ticks/);
  warn.mock.restore();
});

test("a fast world is no mistake", () => {
  const warn = mock.method(console, "warn", () => {});
  const { time, writer } = pair();
  for (let n = 0; n < 40; n++) {
    time.now += 1000 / 60;
    writer.publish(60 * n, { scale: 3600 });
    time.now += n % 5 ? 0 : 1000; // catches up in bursts
  }
  assert.equal(warn.mock.callCount(), 0);
  warn.mock.restore();
});

test("frames with another clock's time are reported, once", () => {
  const warn = mock.method(console, "warn", () => {});
  const p = pair();
  p.writer.set(1, 0, 0, 0);
  for (let n = 0; n < 30; n++) {
    tick(p, n);
    p.time.now += 2000;
    p.reader.frame(p.time.now / 1000);
  }
  assert.equal(p.reader.counts.oddTimes, 30);
  assert.equal(warn.mock.callCount(), 1);
  assert.match(warn.mock.calls[0].arguments[0], /the time that requestAnimationFrame gives/);
  warn.mock.restore();
});

test("a closed writer and a closed reader say so", async () => {
  const p = pair({}, {});
  p.writer.set(1, 0, 0, 0);
  tick(p, 0);
  assert.ok(p.reader.frame());
  const waiting = p.reader.waitAsync();
  p.reader.close();
  assert.equal(await waiting, false);
  assert.equal(p.reader.frame(), false);
  assert.equal(p.reader.at(0), false);
  p.writer.close();
  assert.throws(() => p.writer.publish(1), /this writer is closed: make another one on the same buffer/);
});

test("a page that mounts twice gives its seats back, or is told to", () => {
  const { writer } = pair({ readers: 2 });
  for (let mounts = 0; mounts < 20; mounts++) new Reader(writer.buffer, { hz: 60 }).close();
  new Reader(writer.buffer, { hz: 60 });
  assert.throws(() => new Reader(writer.buffer, { hz: 60 }), /all 2 seats are taken: close readers that are no longer used/);
});

test("a writer that is terminated at any point leaves a block that another takes over", async () => {
  const code = `
    import { workerData, parentPort } from "node:worker_threads";
    const { Writer } = await import(workerData.url);
    const writer = new Writer({ buffer: workerData.buffer, locks: false });
    for (let n = 1; ; n++) {
      for (let id = 0; id < 50; id++) writer.set(id, n, n, n);
      writer.publish(n / 60);
      if (n === 1) parentPort.postMessage("on");
    }
  `;
  const first = new Writer({ entities: 50, ticks: 4 });
  first.close();
  const { buffer } = first;
  const url = new URL("../src/worker.js", import.meta.url).href;
  const reader = new Reader(buffer, { hz: 60 });
  const words = new Int32Array(buffer);
  let [torn, frames] = [0, 0];
  for (let life = 0; life < 12; life++) {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData: { buffer, url } });
    await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
    for (let look = 0; look < 20; look++) {
      if (!reader.frame()) continue; // this writer never rests: it may be ahead of every attempt
      frames++;
      const xs = new Set(Array.from({ length: reader.rows }, (_, row) => reader.pose(row, [])?.[0]));
      torn += xs.size > 1;
      await new Promise((resolve) => setTimeout(resolve, life % 3));
    }
    await worker.terminate();
    Atomics.store(words, 16, 0); // as takeOver does where there are Web Locks
  }
  assert.equal(torn, 0);
  assert.ok(frames > 20, `${frames} frames`);
  assert.equal(reader.counts.nonsense, 0);
  assert.ok(reader.counts.restarts >= 6, `${reader.counts.restarts} restarts`);
});
