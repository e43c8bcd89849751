// The WebSocket guide, as it stands, against a server whose messages are late, lost and bunched.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { listen } from "../support/websocket.mjs";

const TICK = 1 / 20;
const at = (time) => [10 * Math.cos(time), 0, 10 * Math.sin(time)];

export default async function websocket({ open, check, say, sleep, project }) {
  mkdirSync(join(project, "dist"), { recursive: true });
  const entry = join(project, "guides/websocket-test.js");
  writeFileSync(
    entry,
    `import { showOthers } from "./websocket/others.js";
     window.frames = [];
     window.begin = (url) => { window.shown = showOthers(url, (id, seen) => window.frames.push([id, ...seen.now, seen.cut, performance.now() / 1000])); };`,
  );
  await build({ entryPoints: [entry], bundle: true, minify: true, format: "esm", outfile: join(project, "dist/websocket.js"), logLevel: "warning" });
  writeFileSync(join(project, "dist/websocket.html"), '<!doctype html><title>WebSocket</title><script type="module" src="websocket.js"></script>');

  const server = await listen();
  const page = await open("plain/dist/websocket.html");
  await page.waitForFunction(() => typeof window.begin === "function");
  await page.evaluate((url) => window.begin(url), server.url);

  // 1 walks in a circle, 2 teleports after three seconds, 3 vanishes after two. Every seventh message is lost, others are up
  // to 60 ms late; the server starts anew in the middle.
  let [run, began, n] = [1, performance.now() / 1000, 0];
  const timers = [];
  const sender = setInterval(() => {
    const now = performance.now() / 1000;
    if (run === 1 && now - began > 5) [run, began] = [2, now];
    const time = now - began;
    const jumped = run === 1 && time > 3;
    const entities = [{ id: 1, position: at(now), teleports: 0 }, { id: 2, position: [jumped ? 500 : 0, 0, 0], teleports: jumped ? 1 : 0 }];
    const gone = [];
    if (run === 1) (time > 2 ? gone : entities).push(time > 2 ? 3 : { id: 3, position: [0, 5, 0], teleports: 0 });
    const message = { run, time, entities, gone };
    if (++n % 7 !== 0) timers.push(setTimeout(() => server.send(message), (n * 37) % 60));
  }, 1000 * TICK);
  await sleep(8000);
  clearInterval(sender);
  timers.forEach(clearTimeout);
  const { frames, statistics } = await page.evaluate(() => ({ frames: window.frames, statistics: { ...window.shown.server.statistics } }));
  server.close();
  await page.close();

  const of = (id) => frames.filter((frame) => frame[0] === id);
  const walker = of(1);
  // How far the picture moved, beside how far the walker goes in that time: 10 units per second.
  const late = walker.filter((frame) => frame[5] > walker[0][5] + 1);
  const way = late.slice(1).reduce((sum, frame, k) => sum + Math.hypot(frame[1] - late[k][1], frame[3] - late[k][3]), 0);
  const off = Math.max(...late.map((frame) => Math.abs(Math.hypot(frame[1], frame[3]) - 10)));
  const mean = way / (late.at(-1)[5] - late[0][5]);
  say(`     ${walker.length} frames, ${mean.toFixed(2)} units/s drawn of 10, at most ${off.toFixed(3)} beside the circle, delay ${(1000 * statistics.delay).toFixed(0)} ms, ${statistics.lost} messages lost`);
  check(walker.length > 80 && Math.abs(mean - 10) < 1 && off < 0.5, "the walker keeps to its way");
  check(of(2).every((frame) => frame[1] === 0 || frame[1] === 500) && of(2).some((frame) => frame[1] === 500), "no frame shows a place between the sides of a teleport");
  check(of(2).filter((frame) => frame[4]).length >= 2, "the teleport is a cut");
  check(of(3).length > 20 && of(3).at(-1)[5] < walker[0][5] + 4, "what vanished is gone");
  check(statistics.restarts >= 1 && walker.at(-1)[5] - walker[0][5] > 6, "after a restart of the server it goes on");
}
