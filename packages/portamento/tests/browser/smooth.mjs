// Two workers, real timers: no torn reads, and how smooth the locked playhead is beside the older rule in the same frames.
import { compare } from "./judder.mjs";

const HZ = 60;
const BODIES = [500, 5000];
// With a worker that is late by up to most of a tick, and one that falls behind.
const BOUNDS = { jittery: 1 / 5, behind: 1 / 3 };
// A camera moves with the time that the picture shows, so that the body stands still on its screen whatever the picture does.
const SHAKE = 0.01;
// A machine that is busy with other things stalls the workers in ways that no picture can hide: a measurement that fails is
// made again, this many times at most.
const ATTEMPTS = 3;
// When timers without any work were late by more than this in one of 20 ticks, in every attempt, judder is printed but not
// judged: it would be the machine's.
const BUSY_MS = 4;

export default async function smooth({ open, check, say, sleep, seconds }) {
  for (const bodies of BODIES) {
    for (const mode of ["jittery", "behind"]) await measure(`${bodies} bodies, ${mode}`, bodies, mode, {});
  }
  // The list of the first worker game that nobody ever ticked off: a display of 120 Hz (emulated: the render worker draws on
  // an absolute schedule of 120 per second, and gives the time at which such a display would show the frame), and a
  // processor four times slower (the DevTools' throttling, besides four times the load in the worker).
  const half = Math.max(3, seconds / 2);
  await measure("500 bodies, jittery, 120 Hz", 500, "jittery", { display: 120, seconds: half });
  await measure("500 bodies, behind, processor 4x slower", 500, "behind", { throttle: 4, seconds: half });

  async function measure(name, bodies, mode, options) {
    let quiet = false;
    for (let attempt = 1; ; attempt++) {
      const { answer, result, stalls } = await once(bodies, mode, { seconds, ...options });
      const { locked, seed } = result;
      say(
        `     ${name}: ${result.frames} frames at ${result.fps.toFixed(1)}/s, simulation at ${result.rate.toFixed(3)} of real ` +
          `time; judder ${locked.judder.toFixed(4)} locked, ${seed.judder.toFixed(4)} since arrival ` +
          `(${result.ratio.toFixed(3)}); latency ${result.latencyTicks.toFixed(2)} ticks more; freezes ` +
          `${(100 * locked.freezes).toFixed(1)} and ${(100 * seed.freezes).toFixed(1)} %; the machine was late by ` +
          `${stalls.often.toFixed(1)} ms in one of 20 ticks, ${stalls.worst.toFixed(1)} at worst`,
      );
      const shakes = result.camera.map((shake) => shake.toFixed(4)).join(" and ");
      say(`     ${name}: on the screen of a camera that follows it shakes by ${shakes} of its speed`);
      // The margin covers the worst lateness of the last seconds: what the machine adds to the worker's own comes on top.
      const allowed = 1 + (stalls.worst / 1000) * HZ * result.rate;
      const steady = result.camera.every((shake) => shake <= SHAKE);
      const good = result.ratio <= BOUNDS[mode] && steady && result.latencyTicks <= allowed;
      quiet ||= stalls.often <= BUSY_MS;
      if (!good && attempt < ATTEMPTS) continue;
      check(answer.torn === 0 && answer.reads > 300, `${name}: no torn read in ${answer.reads} frames`);
      if (!good && !quiet) {
        say(`     ${name}: judder is not judged, the machine was too busy`);
      } else {
        check(result.ratio <= BOUNDS[mode], `${name}: judder at most ${BOUNDS[mode].toFixed(2)} of the older rule's`);
        check(steady, `${name}: a camera that follows shakes by at most ${SHAKE} of its speed`);
      }
      check(result.latencyTicks <= allowed, `${name}: latency at most a tick and the machine's own lateness more`);
      check(locked.backward === 0, `${name}: never backwards`);
      check(answer.counts.skews === 0 && answer.counts.oddTimes === 0, `${name}: one clock for all workers`);
      return;
    }
  }

  async function once(bodies, mode, { display, throttle, seconds }) {
    const page = await open("isolated/pages/measure.html");
    if (throttle) {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: throttle });
    }
    const made = await page.evaluate((bodies) => window.start(bodies), bodies);
    if (!made.isolated || !made.shared) throw new Error("memory is not shared");
    await page.evaluate((mode) => window.physics({ run: mode }), mode);
    await page.evaluate((display) => window.begin(display), display);
    // The first second is the playhead's to learn in.
    await sleep(1500);
    await page.evaluate(() => window.ask());
    await page.evaluate(() => window.stalls());
    await sleep(1000 * seconds);
    const answer = await page.evaluate(() => window.ask());
    const stalls = await page.evaluate(() => window.stalls());
    await page.evaluate(() => window.stop());
    await page.close();
    return { answer, stalls, result: compare(answer.log, HZ) };
  }
}
