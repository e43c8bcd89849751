// The whole package against the Rust library: random scripts of every system of the replay format give equal numbers, bit for
// bit, and scripts with wrong lines end alike. PORTAMENTO names the Rust program; REPLAYS is how many scripts per system.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { natively } from "./support/native.mjs";
import { program } from "./support/program.mjs";
import { difference, replayed } from "./support/same.mjs";
import { SYSTEMS, damaged, script } from "./support/scripts.mjs";

const COUNT = Number(process.env.REPLAYS ?? 20);
const here = fileURLToPath(new URL("../bin/portamento-replay.js", import.meta.url));

for (const system of SYSTEMS) {
  test(`${system}: ${COUNT} random scripts, equal to the bit`, { skip: program.missing }, () => {
    let events = 0;
    for (let seed = 0; seed < COUNT; seed++) {
      const text = script(system, seed);
      const ours = replayed(text);
      assert.equal(difference(natively(text), ours), null, `script ${seed}:\n${text}`);
      events += ours.output.length;
    }
    assert.ok(events > 10 * COUNT, "the scripts do something");
  });

  test(`${system}: ${COUNT} scripts with something wrong in them end alike`, { skip: program.missing }, () => {
    let wrong = 0;
    for (let seed = 0; seed < COUNT; seed++) {
      const text = damaged(system, seed);
      const ours = replayed(text);
      assert.equal(difference(natively(text), ours), null, `script ${seed}:\n${text}`);
      wrong += ours.status === 2 ? 1 : 0;
    }
    assert.ok(wrong > 0.4 * COUNT, `${wrong} of ${COUNT} were refused`);
  });
}

test("the program prints the same, from a pipe, and says which line is wrong", () => {
  const run = (...given) => spawnSync(process.execPath, [here, ...given]);
  const text = script("steps", 1);
  const ran = spawnSync(process.execPath, [here, "-"], { input: text, encoding: "utf8" });
  assert.equal(ran.status, 0);
  assert.deepEqual(ran.stdout.trimEnd().split("\n"), replayed(text).output);
  const bad = spawnSync(process.execPath, [here, "-"], { input: '{"replay":1,"system":"steps"}\n{"frame":0.1}\n{"frame":}\n' });
  assert.equal(bad.status, 2);
  assert.match(String(bad.stderr), /^line 3: not JSON/);
  assert.equal(String(bad.stdout).trim().split("\n").length, 1, "the line before it was printed");
  assert.equal(run("/no/such/file").status, 2);
  assert.equal(run().status, 2);
  assert.equal(run("--help").status, 0);
  assert.equal(spawnSync(process.execPath, [here, "-"], { input: "\n \n" }).status, 2, "an empty script");
});

test("a pipe can be driven step by step", { timeout: 10000 }, async () => {
  const child = spawn(process.execPath, [here, "-"], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = child.stdout[Symbol.asyncIterator]();
  child.stdin.write('{"replay":1,"system":"steps","velocity":[60,0,0]}\n');
  for (const frame of [0.02, 0.02]) {
    child.stdin.write(`{"frame":${frame}}\n`);
    const { value } = await answers.next();
    assert.match(String(value), /^\{"ticks":1,/);
  }
  child.stdin.end();
});
