// What users find in the installed package: a program that runs, and a README whose figures are right.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `npx portamento-replay FILE` and `-`, with the exit status of the Rust program. */
export function replays(project) {
  const script = '{"replay":1,"system":"steps","velocity":[60,0,0]}\n{"frame":0.02}\n';
  writeFileSync(join(project, "script.jsonl"), script);
  const words = ["--no-install", "portamento-replay"];
  const line = '{"ticks":1,"alpha":0.20000000000000004,"dropped":0,"position":[1,0,0],"view":[0.20000000000000004,0,0]}\n';
  const file = execFileSync("npx", [...words, "script.jsonl"], { cwd: project, encoding: "utf8" });
  assert.deepEqual(JSON.parse(file), JSON.parse(line));
  const piped = spawnSync("npx", [...words, "-"], { cwd: project, encoding: "utf8", input: `${script}{"frame":"x"}\n` });
  assert.equal(piped.stdout, file);
  assert.equal(piped.status, 2);
  assert.match(piped.stderr, /^line 3: frame is "x"/m);
}

/** The README's table of bytes against what was measured: never less, and at most 5 % more. */
export function figures(installed, sizes) {
  const readme = readFileSync(join(installed, "README.md"), "utf8");
  const rows = [...readme.matchAll(/^\| `portamento(\/\w+)?`[^|]*\| ([0-9.]+) kB \|$/gm)];
  assert.ok(rows.length >= 6, "the README has no table of bytes");
  for (const [row, entry, stated] of rows) {
    const measured = sizes[entry === undefined ? "." : `.${entry}`] / 1000;
    assert.ok(measured <= stated && stated <= 1.05 * measured + 0.1, `${row}: ${measured} kB were measured`);
  }
}
