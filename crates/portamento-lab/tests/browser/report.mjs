// Opens a lab report in a real browser and uses it as a reader would.
//
//   node report.mjs REPORT.html [SCREENSHOT_DIR]
//
// Needs Chromium (CHROMIUM names it; otherwise the usual places are tried). Exit: 0 good, 1 something is
// wrong with the report, 2 the test cannot run here.

import { existsSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [report, shots] = process.argv.slice(2);
if (!report || !existsSync(report)) {
  console.error(`usage: node report.mjs REPORT.html [SCREENSHOT_DIR] (no file at ${report})`);
  process.exit(2);
}
const browserPath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find((path) => path && existsSync(path));
if (!browserPath) {
  console.error("no Chromium found: install it (Debian: apt-get install chromium fonts-dejavu-core) or set CHROMIUM");
  process.exit(2);
}
let chromium;
try {
  ({ chromium } = await import("playwright-core"));
} catch {
  console.error("playwright-core is not installed: run `npm ci` beside this script");
  process.exit(2);
}

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const problems = [];
const check = (good, what) => { console.log(`${good ? "ok  " : "BAD "} ${what}`); if (!good) problems.push(what); };

const browser = await chromium.launch({ executablePath: browserPath, args: FLAGS });
const url = pathToFileURL(resolve(report)).href;

async function openPage(width, height, colorScheme) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  page.on("console", (m) => { if (m.type() === "error") problems.push(`console: ${m.text()}`); });
  page.on("pageerror", (e) => problems.push(`script: ${e.message}`));
  page.on("request", (r) => { if (!r.url().startsWith("file:") && !r.url().startsWith("data:")) problems.push(`asks the network for ${r.url()}`); });
  await page.goto(url);
  return page;
}

async function shoot(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

// What a reader does: looks at the plots, plays, pauses, steps, slows down, scrubs, changes the case and the theme.
async function use(page) {
  const panels = await page.locator(".case").count();
  const plots = await page.locator("svg.plot").count();
  check(panels > 0 && plots === 4 * panels, `${plots} plots in ${panels} cases`);
  const empty = await page.$$eval("svg.plot", (all) => all.filter((s) => {
    const drawn = [...s.querySelectorAll(".curve")].some((c) => (c.getAttribute("d") || "").length > 30);
    return !drawn && !s.querySelector(".dot");
  }).length);
  check(empty === 0, `${empty} empty plots`);

  const player = page.locator(".player").first();
  await player.scrollIntoViewIfNeeded();
  const time = () => player.locator(".clock").textContent().then(parseFloat);
  const picture = () => player.locator("canvas").first().evaluate((c) => c.toDataURL().length + c.toDataURL().slice(-400));
  await page.waitForTimeout(600);
  const [t0, p0] = [await time(), await picture()];
  await page.waitForTimeout(700);
  const [t1, p1] = [await time(), await picture()];
  check(t1 > t0 && p1 !== p0, `the animation advances by itself (${t0} s to ${t1} s)`);

  await player.locator(".play").click();
  const t2 = await time();
  await page.waitForTimeout(300);
  check((await time()) === t2, "pause holds it");
  await player.locator(".next").click();
  const t3 = await time();
  check(t3 > t2 - 0.001 && t3 - t2 < 0.06, `one frame on (${t2} s to ${t3} s)`);
  await player.locator(".back").click();
  check((await time()) <= t3, "one frame back");
  await player.locator(".scrub").evaluate((s) => { s.value = 500; s.dispatchEvent(new Event("input")); });
  const middle = await time();
  check(middle > 2, `scrubbing goes there (${middle} s)`);

  const run = async (label) => {
    await player.locator(`[data-speed="${label}"]`).click();
    await player.locator(".scrub").evaluate((s) => { s.value = 100; s.dispatchEvent(new Event("input")); });
    const from = await time();
    await player.locator(".play").click();
    await page.waitForTimeout(900);
    const to = await time();
    await player.locator(".play").click();
    return to - from;
  };
  const [full, slow] = [await run("1"), await run("0.25")];
  check(slow > 0 && slow < full * 0.6, `slow motion is slower (${full.toFixed(2)} s and ${slow.toFixed(2)} s)`);
  await player.locator(".follow input").click();
  check((await picture()).length > 0, "the camera can stand still");
  await player.locator(".follow input").click();

  const section = page.locator(".scenario").first();
  const tabs = section.locator(".tabs button");
  if ((await tabs.count()) > 1) {
    const titles = () => section.locator(".screen h3").allTextContents().then((all) => all.join());
    const before = await titles();
    await tabs.nth(1).click();
    const panel = await tabs.nth(1).getAttribute("aria-controls");
    check(await page.locator(`#${panel}`).isVisible(), "a tab opens its case");
    check((await titles()) !== before, "and its animation");
    await tabs.nth(0).click();
  }
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const was = await background();
  await page.locator("#theme").click();
  check((await background()) !== was, "the theme button changes the theme");
  await page.locator("#theme").click();
  check((await background()) === was, "and back");
}

// A player that is off the screen has nothing drawn: visit each before taking a picture.
async function visit(page) {
  for (const player of await page.locator(".player").all()) {
    await player.scrollIntoViewIfNeeded();
    await page.waitForTimeout(250);
  }
  await page.evaluate(() => scrollTo(0, 0));
}

try {
  for (const [name, width, height] of [["wide", 1280, 900], ["phone", 390, 844]]) {
    for (const theme of ["light", "dark"]) {
      const page = await openPage(width, height, theme);
      if (theme === "light") await use(page);
      const spills = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(spills <= 0, `${name}, ${theme}: nothing is wider than the screen (${spills} px)`);
      await visit(page);
      await shoot(page, `${name}-${theme}`);
      await page.close();
    }
  }
} finally {
  await browser.close();
}
for (const problem of problems) console.error(`problem: ${problem}`);
process.exit(problems.length ? 1 : 0);
