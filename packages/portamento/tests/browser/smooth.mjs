// Two workers, real timers: no torn reads, and how smooth the locked playhead is beside the older rule in the same frames.
import { compare } from "./judder.mjs";

const HZ = 60;
const BODIES = [500, 5000];
// With a worker that is late by up to most of a tick, and one that falls behind.
const BOUNDS = { jittery: 1 / 5, behind: 1 / 3 };
// A camera moves with the time that the picture shows, so that the body stands still on its screen whatever the picture does.
const SHAKE = 0.01;
// A machine that is busy with other things stalls the workers in ways that no picture can hide. The physics worker knows when
// it wanted to publish each tick; later than this (in ms) was the machine, and so was a frame that took so long, or was
// computed so long after its time. From then on so much is not judged, for either rule: what was missed is caught up within
// half a second, with some to spare.
const STALL_MS = 8;
const LONG_FRAME_MS = 60;
const LATE_FRAME_MS = 25;
const DISTURBS_MS = 1000;
// A measurement needs so many undisturbed seconds. One that has less, or fails, is made again: three times in all, twice once
// all measurements together have taken this long (in ms). Where there was too little every time, judder is printed and not
// judged.
const LEAST_SECONDS = 2;
const LONG_MS = 150_000;

export default async function smooth({ open, check, say, sleep, seconds }) {
  const began = Date.now();
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
    for (let attempt = 1; ; attempt++) {
      const length = options.seconds ?? seconds;
      const { answer, result, all, late } = await once(bodies, mode, length, options);
      const { locked, seed } = result;
      say(
        `     ${name}: ${result.frames} frames at ${result.fps.toFixed(1)}/s, simulation at ${result.rate.toFixed(3)} of real ` +
          `time; judder ${locked.judder.toFixed(4)} locked, ${seed.judder.toFixed(4)} since arrival ` +
          `(${result.ratio.toFixed(3)}, or ${all.ratio.toFixed(3)} with what the machine disturbed); latency ${result.latencyTicks.toFixed(2)} ticks more; freezes ` +
          `${(100 * locked.freezes).toFixed(1)} and ${(100 * seed.freezes).toFixed(1)} %; the machine was late by ` +
          `${late.often.toFixed(1)} ms in one of 20 ticks, ${late.worst.toFixed(1)} at worst; judged ` +
          `${result.judgedSeconds.toFixed(1)} s of ${length}`,
      );
      const shakes = result.camera.map((shake) => shake.toFixed(4)).join(" and ");
      say(`     ${name}: on the screen of a camera that follows it shakes by ${shakes} of its speed`);
      // The margin covers the worst lateness of the last seconds: what the machine adds to the worker's own comes on top.
      const allowed = 1 + (late.worst / 1000) * HZ * result.rate;
      const enough = result.judgedSeconds >= LEAST_SECONDS;
      const even = result.ratio <= BOUNDS[mode];
      const steady = result.camera.every((shake) => shake <= SHAKE);
      const soon = result.latencyTicks <= allowed;
      const attempts = Date.now() - began < LONG_MS ? 3 : 2;
      if (!(enough && even && steady && soon) && attempt < attempts) continue;
      check(answer.torn === 0 && answer.reads > 5 * length, `${name}: no torn read in ${answer.reads} frames`);
      check(locked.backward === 0, `${name}: never backwards`);
      check(answer.counts.oddTimes === 0, `${name}: the frames' times are of one clock`);
      if (!enough) return say(`     ${name}: not judged, the machine was too busy`);
      check(even, `${name}: judder at most ${BOUNDS[mode].toFixed(2)} of the older rule's`);
      check(steady, `${name}: a camera that follows shakes by at most ${SHAKE} of its speed`);
      check(soon, `${name}: latency at most a tick and the machine's own lateness more (${allowed.toFixed(2)})`);
      check(answer.counts.skews === 0, `${name}: one clock for all workers`);
      return;
    }
  }

  async function once(bodies, mode, seconds, { display, throttle }) {
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
    await sleep(1000 * seconds);
    const answer = await page.evaluate(() => window.ask());
    // Of the time before, too: the margin remembers it.
    const ticks = await page.evaluate(() => window.lateness());
    await page.evaluate(() => window.stop());
    await page.close();

    const sorted = ticks.map(([, late]) => late).sort((a, b) => b - a);
    const late = { worst: sorted[0] ?? 0, often: sorted[Math.floor(sorted.length / 20)] ?? 0 };
    /** From when to when the machine disturbed what was drawn. */
    const disturbed = ticks.filter(([, late]) => late > STALL_MS).map(([at, late]) => [at - late, at + DISTURBS_MS]);
    answer.log.forEach(([time, , , , , , frameLate], i) => {
      const before = answer.log[i - 1]?.[0] ?? time;
      if (time - before > LONG_FRAME_MS || frameLate > LATE_FRAME_MS) disturbed.push([before, time + DISTURBS_MS]);
    });
    const isQuiet = (from, to) => !disturbed.some(([begin, end]) => from < end && to > begin);
    return { answer, late, result: compare(answer.log, HZ, isQuiet), all: compare(answer.log, HZ, () => true) };
  }
}
