// The same scripts natively and through the package in this browser, and every part beside the Rust library in WebAssembly,
// with and without SIMD: equal to the bit.
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { natively } from "../support/native.mjs";
import { difference } from "../support/same.mjs";
import { SYSTEMS, damaged, script } from "../support/scripts.mjs";
import { serve } from "./server.mjs";

const SCRIPTS = 8;
const LIVES = 5;
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

export default async function replay({ browser, check, say }) {
  const builds = (process.env.ORACLES ?? "").split(":").filter((path) => path !== "");
  const folders = Object.fromEntries(builds.map((path, n) => [`oracle${n}`, dirname(path)]));
  const server = await serve({ ...folders, src: join(root, "src"), bin: join(root, "bin"), tests: join(root, "tests"), pages: join(root, "tests/browser/pages") });
  const page = await browser.newPage();
  await page.goto(`${server.base}/plain/pages/empty.html`);
  let events = 0;
  const different = [];
  for (const system of SYSTEMS) {
    for (let seed = 0; seed < SCRIPTS; seed++) {
      for (const make of [script, damaged]) {
        const text = make(system, 5000 + seed);
        const ours = await page.evaluate(async (text) => (await import("/plain/tests/support/same.mjs")).replayed(text), text);
        const found = difference(natively(text), ours);
        if (found) different.push(`${system} ${make.name} ${seed}: ${found}`);
        events += ours.output.length;
      }
    }
  }
  say(`     ${SYSTEMS.length * SCRIPTS * 2} scripts, ${events} events`);
  check(different.length === 0 && events > 10000, `replays are equal to the Rust program's ${different[0] ?? ""}`);

  for (const [n, path] of builds.entries()) {
    const answer = await page.evaluate(compare, { url: `/plain/oracle${n}/${basename(path)}`, lives: LIVES });
    const name = path.includes("simd128") ? "with SIMD" : "without SIMD";
    check(answer.wrong === null, `${answer.compared} comparisons with the library in WebAssembly ${name} ${answer.wrong ?? ""}`);
  }
  check(builds.length === 2, "both builds of the library were there");
  await page.close();
  server.close();
}

/** Runs in the page. */
async function compare({ url, lives }) {
  const [{ Oracle }, { CHECKS }, { Dice }] = await Promise.all(
    ["oracle", "parity", "dice"].map((name) => import(`/plain/tests/support/${name}.mjs`)),
  );
  const bytes = await (await fetch(url)).arrayBuffer();
  const module = await WebAssembly.compile(bytes);
  let compared = 0;
  for (const [name, check] of Object.entries(CHECKS)) {
    for (let seed = 0; seed < lives; seed++) {
      let wrong = null;
      check(new Oracle(module), new Dice(seed * 7 + 3), (what, theirs, ours) => {
        compared++;
        const equal = theirs.length === ours.length && theirs.every((number, n) => Object.is(number, ours[n]));
        if (!equal) wrong ??= `${name}, life ${seed}: ${what}: ${theirs} in Rust, ${ours} here`;
      });
      if (wrong) return { compared, wrong };
    }
  }
  return { compared, wrong: null };
}
