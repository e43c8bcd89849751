// The loop in src/kernel.js does what its source does: KERNEL names a module that was just made from kernel/.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { KERNEL } from "../src/kernel.js";
import { Dice } from "./support/dice.mjs";

const ROWS = 1000;

/** Random ticks through a module: the same for every module. */
function matrices(bytes, alpha) {
  const dice = new Dice(7);
  const { memory, matrices } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  const start = 65536 * memory.grow(4);
  const [floats, words] = [new Float32Array(memory.buffer, start), new Uint32Array(memory.buffer, start)];
  const [out, ticks] = [18 * ROWS, 34 * ROWS];
  [0, 9 * ROWS].forEach((at, which) => {
    for (let row = 0; row < ROWS; row++) {
      floats.set([dice.between(-9, 9), dice.between(-9, 9), 3e38 * (row % 99 ? 0 : 1 - 2 * which), ...dice.rotation()], at + 7 * row);
      words[at + 7 * ROWS + row] = dice.below(3);
      words[at + 8 * ROWS + row] = dice.below(2);
    }
    const pointers = [at, at + 7 * ROWS, at + 8 * ROWS].map((word) => start + 4 * word);
    words.set([...pointers, which ? ROWS - 100 : ROWS], ticks + 4 * which);
  });
  new Float64Array(memory.buffer, start + 4 * (ticks + 8), 1)[0] = alpha;
  const at = start + 4 * ticks;
  matrices(at, at + 16, 0, at + 32, start + 4 * out);
  return Buffer.from(memory.buffer, start + 4 * out, 64 * ROWS).toString("hex");
}

test("the module in the package is the one that its source makes", { skip: !process.env.KERNEL && "needs KERNEL" }, () => {
  const fresh = readFileSync(process.env.KERNEL);
  const ours = Buffer.from(KERNEL, "base64");
  const seen = new Set();
  for (const alpha of [1e-9, 0.25, 0.5, 0.999]) {
    const expected = matrices(fresh, alpha);
    assert.equal(matrices(ours, alpha), expected);
    seen.add(expected);
  }
  assert.equal(seen.size, 4);
});
