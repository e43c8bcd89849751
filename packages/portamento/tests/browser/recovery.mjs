// A pause, a hidden tab, a crash, a reload, a visit elsewhere: the picture comes back.

const TICK = 1 / 60;

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
  const fine = (name, { behind, moves }, most) => {
    say(`     ${name}: ${(behind / TICK).toFixed(1)} ticks behind`);
    check(moves && behind < most, `${name}: drawn where it belongs`);
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
  fine("before", usual, most);

  await run(() => window.render({ pause: 2500 })); // as a hidden tab: no animation frames
  await sleep(2500);
  fine("after 2.5 s without frames", await look(500), most);

  await run(() => window.physics({ run: "stopped" }));
  await sleep(1500);
  await run(() => window.physics({ run: "steady" }));
  fine("after the simulation paused for 1.5 s", await look(500), most);

  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" }).catch(() => say("     no lifecycle states here"));
  await sleep(1500);
  await devtools.send("Page.setWebLifecycleState", { state: "active" }).catch(() => {});
  fine("after the page was frozen", await look(500), most);

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
  const after = await look(600);
  fine("after the crash", after, most);
  check(after.counts.restarts === 1 && after.writer === "publishing", "one restart was counted");
  check(after.torn === 0, "no torn read");

  await page.reload();
  await start();
  fine("after a reload", await look(), most);

  await page.goto(`${server.base}/isolated/pages/empty.html`);
  await sleep(500);
  await page.goBack();
  await sleep(300);
  const kept = await run(() => window.shared !== undefined);
  say(`     the page was ${kept ? "kept in" : "not kept in"} the back-forward cache`);
  if (!kept) await start();
  fine("after a visit elsewhere", await look(600), most);
  await page.close();
}
