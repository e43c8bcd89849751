// The package's own JavaScript against the Rust library in WebAssembly, where the replay format does not reach. ORACLES names
// the builds, separated by colons: with and without SIMD. `cargo xtask web` makes them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Dice } from "./support/dice.mjs";
import { Oracle } from "./support/oracle.mjs";
import { CHECKS } from "./support/parity.mjs";

const builds = (process.env.ORACLES ?? "").split(":").filter((path) => path !== "");
const COUNT = Number(process.env.PARITIES ?? 30);

for (const [name, check] of Object.entries(CHECKS)) {
  const skip = builds.length === 0 && "needs the oracles that `cargo xtask web` builds";
  test(`${name}: ${COUNT} random lives, equal to the bit`, { skip }, () => {
    for (const build of builds) {
      const module = new WebAssembly.Module(readFileSync(build));
      for (let seed = 0; seed < COUNT; seed++) {
        const oracle = new Oracle(module);
        let compared = 0;
        check(oracle, new Dice(seed * 65537 + 11), (what, theirs, ours) => {
          compared++;
          const equal = theirs.length === ours.length && theirs.every((number, n) => Object.is(number, ours[n]));
          if (!equal) assert.fail(`${build}, life ${seed}, comparison ${compared}: ${what}\n  Rust ${theirs}\n  here ${ours}`);
        });
        assert.ok(compared > 100, "something was compared");
      }
    }
  });
}
