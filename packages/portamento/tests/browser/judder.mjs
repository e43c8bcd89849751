// How smooth was it? The figures of METRICS for a body in uniform motion, from what two readers drew in the same frames.

/** Judder, rate and offset of the drawn moments `c` at display times `t`, both in seconds, in the steps that are `judged`:
 * step `i` is the one from `i - 1`. */
export function judder(t, c, judged) {
  // Where the simulation itself runs slow, its rate is taken from what is judged: that is not the view's fault.
  let [passed, drawn, backward] = [0, 0, 0];
  for (let i = 1; i < t.length; i++) {
    backward += c[i] < c[i - 1];
    if (!judged[i]) continue;
    passed += t[i] - t[i - 1];
    drawn += c[i] - c[i - 1];
  }
  const rate = drawn / passed;
  let [sum, freezes, steps] = [0, 0, 0];
  for (let i = 1; i < t.length; i++) {
    if (!judged[i]) continue;
    const [dt, dc] = [t[i] - t[i - 1], c[i] - c[i - 1]];
    sum += ((dc - rate * dt) / dt) ** 2;
    freezes += dc < 0.1 * rate * dt;
    steps++;
  }
  return { judder: Math.sqrt(sum / steps) / rate, rate, freezes: freezes / steps, backward };
}

/** How much a body shakes on the screen of a camera that follows it: its steps there, as a share of its speed. */
function shake(t, offsets, judged, rate) {
  let [sum, steps] = [0, 0];
  for (let i = 1; i < t.length; i++) {
    if (!judged[i]) continue;
    sum += ((offsets[i] - offsets[i - 1]) / (t[i] - t[i - 1])) ** 2;
    steps++;
  }
  return Math.sqrt(sum / steps) / rate;
}

/**
 * Both rules, compared.
 *
 * @param {number[][]} log [display time in ms, moment drawn by locked, by the other, newest tick, where the body is on the
 *   screen of a camera that follows it, by both, and how late the frame was computed, in ms]
 * @param {number} hz
 * @param {(from: number, to: number) => boolean} isQuiet Whether the machine did not disturb what was drawn between these
 *   times, in ms: only this is judged.
 */
export function compare(log, hz, isQuiet) {
  const usable = log.filter(([, a, b], i) => Number.isFinite(a) && Number.isFinite(b) && (i === 0 || log[i][0] > log[i - 1][0]));
  const t = usable.map(([time]) => (time - usable[0][0]) / 1000);
  const judged = usable.map(([time], i) => i > 0 && isQuiet(usable[i - 1][0], time));
  const locked = judder(t, usable.map(([, a]) => a), judged);
  const seed = judder(t, usable.map(([, , b]) => b), judged);
  const quiet = usable.filter((_, i) => judged[i]);
  const apart = quiet.reduce((sum, [, a, b]) => sum + (b - a), 0) / quiet.length / locked.rate;
  const spacing = 1 / hz / locked.rate;
  return {
    frames: usable.length,
    fps: (usable.length - 1) / t.at(-1),
    judgedSeconds: t.reduce((sum, time, i) => sum + (judged[i] ? time - t[i - 1] : 0), 0),
    rate: locked.rate,
    locked,
    seed,
    camera: [4, 5].map((k) => shake(t, usable.map((row) => row[k]), judged, locked.rate)),
    ratio: locked.judder / seed.judder,
    latencyTicks: apart / spacing,
  };
}
