// A pause, a hidden tab, throttled timers, a crash, a reload, a visit elsewhere: the picture comes back.

const TICK = 1 / 60;
// A picture is looked at again, so many times at most, if the physics worker was later than this (in ms) meanwhile: what it
// then catches up was the machine's doing.
const LOOKS = 4;
const STALL_MS = 30;

export default async function recovery({ open, check, say, sleep, server }) {
  const page = await open("isolated/pages/measure.html");
  const run = (f, argument) => page.evaluate(f, argument);
  /** How far behind the newest tick the picture is, at worst in the last frames, and whether it moves. */
  const look = async (milliseconds = 400) => {
    await run(() => window.ask());
    await sleep(milliseconds);
    const answer = await run(() => window.ask());
    const log = answer.log.slice(-10);
    const behind = Math.max(...log.map(([, x, , newest]) => newest - x));
    return { ...answer, behind, moves: log.length > 2 && log.at(-1)[1] > log[0][1] };
  };
  /** Half a second after what happened, the picture is where it belongs. */
  const fine = async (name, most, milliseconds = 500) => {
    await run(() => window.lateness());
    for (let looks = 1; ; looks++) {
      const seen = await look(milliseconds);
      const stalls = (await run(() => window.lateness())).filter(([, late]) => late > STALL_MS);
      const good = seen.moves && seen.behind < most;
      say(`     ${name}: ${(seen.behind / TICK).toFixed(1)} ticks behind`);
      if (!good && stalls.length > 0 && looks < LOOKS) continue;
      check(good, `${name}: drawn where it belongs`);
      return seen;
    }
  };

  const start = async () => {
    await run(() => window.start(200));
    await run(() => window.physics({ run: "steady" }));
    await run(() => window.begin());
    await sleep(1500);
  };
  await start();
  const usual = await look();
  // What else the machine does may cost some ticks; a picture that does not recover is seconds behind.
  const most = usual.behind + 8 * TICK;
  await fine("before", most);

  await run(() => window.render({ pause: 2500 })); // as a hidden tab: no animation frames
  await sleep(2500);
  await fine("after 2.5 s without frames", most);

  await run(() => window.physics({ run: "stopped" }));
  await sleep(1500);
  await run(() => window.physics({ run: "steady" }));
  await fine("after the simulation paused for 1.5 s", most);

  await run(() => window.physics({ run: "throttled" })); // as a hidden page's timers: all ticks of a second at once
  await sleep(3200);
  await run(() => window.physics({ run: "steady" }));
  await fine("after timers that fired once per second", most);

  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" }).catch(() => say("     no lifecycle states here"));
  await sleep(1500);
  await devtools.send("Page.setWebLifecycleState", { state: "active" }).catch(() => {});
  await fine("after the page was frozen", most);

  await run(() => window.crash());
  let answer;
  for (let waited = 0; waited < 5000 && !answer?.ended; waited += 100) {
    await sleep(100);
    answer = await run(() => window.ask());
  }
  check(answer.ended === "gone" && answer.writer === "gone", "the end of the worker was noticed");
  const took = await run(() => window.replace());
  check(took.took, "its place was taken over");
  await run(() => window.physics({ run: "steady" }));
  const after = await fine("after the crash", most, 600);
  check(after.counts.restarts === 1 && after.writer === "publishing", "one restart was counted");
  check(after.torn === 0, "no torn read");

  await page.reload();
  await start();
  await fine("after a reload", most);

  await page.goto(`${server.base}/isolated/pages/empty.html`);
  await sleep(500);
  // From the cache there is no load event.
  await page.goBack({ waitUntil: "commit" });
  await sleep(500);
  const kept = await run(() => window.shared !== undefined);
  say(`     the page was ${kept ? "kept in" : "not kept in"} the back-forward cache`);
  if (!kept) await start();
  await fine("after a visit elsewhere", most, 600);
  await page.close();

  // A writer without a lock is not taken for dead while it publishes.
  const other = await open("isolated/pages/measure.html");
  await other.evaluate(() => window.start(200, { locks: false }));
  await other.evaluate(() => window.physics({ run: "steady" }));
  await other.evaluate(() => window.begin());
  await sleep(3000);
  const { ended, writer } = await other.evaluate(() => window.ask());
  check(ended === null && writer === "publishing", "a writer without a lock is not taken for dead");

  // A page waits for a tick without sleeping, also where the browser has no way to.
  for (const native of [true, false]) {
    const waited = await other.evaluate(async (native) => {
      if (!native) delete Atomics.waitAsync;
      const { Reader } = await import("../package/src/worker.js");
      const reader = new Reader(window.shared.buffer, { hz: 60 });
      while (reader.frame() === false) await new Promise(requestAnimationFrame);
      let ticks = 0;
      for (const end = performance.now() + 500; performance.now() < end; ) {
        ticks += await reader.waitAsync(400);
        reader.frame();
      }
      const sleeps = (() => { try { reader.wait(1); } catch (error) { return error.message; } })();
      reader.close();
      return { ticks, sleeps };
    }, native);
    check(waited.ticks > 5 && waited.ticks < 60, `waitAsync woke a page ${waited.ticks} times in half a second`);
    check(waited.sleeps === "a page must not sleep: use waitAsync", "and wait refuses to put it to sleep");
  }
  await other.close();
}
