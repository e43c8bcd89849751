// The guides as production builds by esbuild, from the installed package, on a plain static server under a strict content
// security policy. (Without a bundler: every other page of these tests.)
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { serve } from "./server.mjs";

export default async function bundles({ open, check, say, sleep, project }) {
  rmSync(join(project, "dist"), { recursive: true, force: true });
  const guides = readdirSync(join(project, "guides")).filter((name) => existsSync(join(project, "guides", name, "index.html")));
  for (const guide of guides) {
    const [from, to] = [join(project, "guides", guide), join(project, "dist", guide)];
    mkdirSync(to, { recursive: true });
    cpSync(join(from, "index.html"), join(to, "index.html"));
    const entryPoints = readdirSync(from).filter((name) => /\.js$/.test(name)).map((name) => join(from, name));
    await build({ entryPoints, outdir: to, bundle: true, minify: true, format: "esm", target: "es2022", logLevel: "warning" });
    const sizes = readdirSync(to).map((name) => `${name} ${statSync(join(to, name)).size}`);
    say(`     ${guide}: ${sizes.join(", ")} bytes`);

    const page = await open(`isolated/dist/${guide}/index.html`);
    await page.waitForSelector("canvas");
    await sleep(2500);
    check((await picturesThatDiffer(page)) >= 3, `${guide}: a production build under a strict policy draws motion`);
    await page.close();

    const plain = await open(`plain/dist/${guide}/index.html`);
    await plain.waitForSelector("canvas");
    await sleep(2000);
    check((await picturesThatDiffer(plain)) >= 3, `${guide}: so it does without cross-origin isolation`);
    check(plain.said.filter((text) => text.includes("not cross-origin isolated")).length === 1, `${guide}: which is said once`);
    await plain.close();
  }

  // A policy that forbids WebAssembly: asked to do without, the reader is silent; else the browser complains, and it works.
  for (const wasm of [false, true]) {
    const page = await open("strict/pages/empty.html", /wasm-unsafe-eval/);
    const x = await page.evaluate(
      async ([url, wasm]) => {
        const { Reader, Writer } = await import(url);
        const writer = new Writer({ entities: 2 });
        const reader = new Reader(writer.buffer, { hz: 60, wasm });
        for (let tick = 0; tick < 3; tick++) {
          writer.set(7, tick, 0, 0);
          writer.publish(tick);
        }
        reader.at(1.5);
        const matrices = new Float32Array(32);
        reader.matrices(matrices);
        return matrices[12];
      },
      ["/strict/package/src/worker.js", wasm],
    );
    check(x === 1.5, `it works without WebAssembly (wasm: ${wasm})`);
    if (!wasm) check(page.said.length === 0, "and the browser does not complain");
    await page.close();
  }

  // From another origin, by a path with a version, without a bundler: on the page, and in a worker of the page's own.
  const network = await serve({ npm: join(project, "node_modules") });
  for (const [mode, shared] of [["open", true], ["plain", false]]) {
    const page = await open(`${mode}/pages/empty.html`);
    const drawn = await page.evaluate(async (url) => {
      const script = `import { Writer } from "${url}";
        const writer = new Writer({ entities: 2 });
        postMessage(writer.buffer);
        let n = 0;
        setInterval(() => (writer.set(7, ++n, 0, 0), writer.publish(n / 60)), 1000 / 60);`;
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
      const buffer = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
      const { Reader } = await import(url);
      const reader = new Reader(buffer, { hz: 60 });
      const places = new Set();
      for (let n = 0; n < 60; n++) {
        const time = await new Promise(requestAnimationFrame);
        if (reader.frame(time)) places.add(reader.pose(reader.row(7), [])[0]);
      }
      worker.terminate();
      return { places: places.size, messages: reader.messages };
    }, `${network.base}/cdn/npm/portamento/src/worker.js?v=0.1.0`);
    check(drawn.places > 10 && drawn.messages !== shared, `from another origin it works ${shared ? "with" : "without"} shared memory`);
    await page.close();
  }
  network.close();

  /** Of four pictures a third of a second apart, how many are new. */
  async function picturesThatDiffer(page) {
    const seen = new Set();
    for (let n = 0; n < 4; n++) {
      seen.add((await page.screenshot()).toString("base64"));
      await sleep(300);
    }
    return seen.size;
  }
}
