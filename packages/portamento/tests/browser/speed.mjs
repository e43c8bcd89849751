// What a frame costs with 5 000 bodies, beside what else one would do.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

export default async function speed({ open, check, say, project }) {
  await build({
    entryPoints: [join(here, "../support/speed.mjs")],
    outfile: join(project, "dist/speed.js"),
    bundle: true,
    format: "esm",
    alias: { "portamento/worker": join(project, "node_modules/portamento/src/worker.js") },
    logLevel: "warning",
  });
  const page = await open("isolated/pages/empty.html");
  const race = () => page.evaluate(async (url) => (await import(url)).speed(), "/isolated/dist/speed.js");
  let times = await race();
  // Other work on the machine disturbs a race now and then.
  for (let again = 0; again < 2 && times.plain < 3 * times.ours; again++) times = await race();
  for (const [name, time] of Object.entries(times)) {
    say(`     ${time.toFixed(3)} ms a frame: ${name} (${(time / times.ours).toFixed(1)} of ours)`);
  }
  check(times.plain >= 3 * times.ours, "at least three times faster than plain JavaScript");
  check(times.geckos >= 3 * times.ours, "and than @geckos.io/snapshot-interpolation");
  await page.close();
}
