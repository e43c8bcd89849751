// Without cross-origin isolation ticks travel as messages, and the console says so once.
export default async function fallback({ open, check, say, sleep }) {
  const page = await open("plain/pages/measure.html");
  const made = await page.evaluate(() => window.start(500));
  check(!made.isolated && !made.shared, "memory cannot be shared");
  await page.evaluate(() => window.physics({ run: "steady" }));
  await page.evaluate(() => window.begin());
  await sleep(3000);
  const answer = await page.evaluate(() => window.ask());
  const moved = answer.log.at(-1)[1] - answer.log[0][1];
  say(`     ${answer.reads} frames, ${moved.toFixed(2)} simulated seconds in ${((answer.log.at(-1)[0] - answer.log[0][0]) / 1000).toFixed(2)}`);
  check(answer.messages && answer.reads > 20 && answer.torn === 0 && moved > 1.5, "it works over messages");
  const said = page.said.filter((text) => text.includes("portamento"));
  check(said.length === 1 && said[0].includes("Cross-Origin-Opener-Policy"), "the console says so once");
  await page.evaluate(() => window.crash());
  let after;
  for (let waited = 0; waited < 5000 && !after?.ended; waited += 100) {
    await sleep(100);
    after = await page.evaluate(() => window.ask());
  }
  check(after.ended === "gone", "the end of the worker was noticed");
  const took = await page.evaluate(() => window.replace());
  await page.evaluate(() => window.physics({ run: "steady" }));
  await sleep(1500);
  const again = await page.evaluate(() => window.ask());
  check(took.took && again.counts.restarts === 1 && again.log.length > 10, "and another one went on");
  await page.close();
}
