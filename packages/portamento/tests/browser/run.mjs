// The package in a real browser: node tests/browser/run.mjs PROJECT [REPORT], after tests/package.mjs made PROJECT.
// SECONDS sets how long each measurement runs (20), ONLY which parts run (a regular expression).
//
// Exit: 0 good, 1 something is wrong, 2 it cannot run here.
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const project = resolve(process.argv[2] ?? join(here, "../../../../target/web-package"));
const report = process.argv[3];
const seconds = Number(process.env.SECONDS ?? 20);
const only = new RegExp(process.env.ONLY ?? "");
const path = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  (path) => path && existsSync(path),
);
if (!path) {
  console.error("no Chromium found: install it (Debian: apt-get install chromium fonts-dejavu-core) or set CHROMIUM");
  process.exit(2);
}
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
];

const lines = [];
const problems = [];
const say = (line) => {
  lines.push(line);
  console.log(line);
};
const check = (good, what) => {
  say(`${good ? "ok  " : "BAD "} ${what}`);
  if (!good) problems.push(what);
};

// Playwright switches the back-forward cache off.
const browser = await chromium.launch({ executablePath: path, args: FLAGS, ignoreDefaultArgs: ["--disable-back-forward-cache"] });
const server = await serve({
  pages: join(here, "pages"),
  package: join(project, "node_modules/portamento"),
  dist: join(project, "dist"),
});

/** A page whose console must stay clean; what it says is kept. */
async function open(url, allowed = /^$/) {
  const page = await browser.newPage();
  page.said = [];
  page.on("console", (message) => {
    page.said.push(message.text());
    if (message.type() === "error" && !allowed.test(message.text())) problems.push(`console of ${url}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`script of ${url}: ${error.message}`));
  await page.goto(`${server.base}/${url}`);
  return page;
}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const tools = { open, check, say, sleep, seconds, server, project, browser };

const PARTS = ["smooth", "recovery", "fallback", "bundles", "websocket", "replay", "garbage", "speed"];
const started = Date.now();
try {
  for (const name of PARTS) {
    if (!only.test(name) || !existsSync(join(here, `${name}.mjs`))) continue;
    say(`\n${name}`);
    const { default: part } = await import(`./${name}.mjs`);
    await part(tools);
  }
} catch (error) {
  problems.push(error.stack);
} finally {
  await browser.close();
  server.close();
}
say(`\n${((Date.now() - started) / 1000).toFixed(0)} s, ${problems.length} problems`);
for (const problem of problems) say(`  ${problem}`);
if (report) writeFileSync(report, `${lines.join("\n")}\n`);
process.exit(problems.length ? 1 : 0);
