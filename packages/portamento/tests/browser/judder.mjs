// How smooth was it? The figures of METRICS for a body in uniform motion, from what two readers drew in the same frames.

/** Judder, rate and offset of the drawn moments `c` at display times `t`, both in seconds. */
export function judder(t, c) {
  const n = t.length;
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
  // Where the simulation itself runs slow, its rate is fitted first: that is not the view's fault.
  const [mt, mc] = [mean(t), mean(c)];
  let [tt, tc] = [0, 0];
  for (let i = 0; i < n; i++) {
    tt += (t[i] - mt) ** 2;
    tc += (t[i] - mt) * (c[i] - mc);
  }
  const rate = tc / tt;
  let sum = 0;
  let freezes = 0;
  let backward = 0;
  for (let i = 1; i < n; i++) {
    const [dt, dc] = [t[i] - t[i - 1], c[i] - c[i - 1]];
    sum += ((dc - rate * dt) / dt) ** 2;
    freezes += dc < 0.1 * rate * dt;
    backward += dc < 0;
  }
  return { judder: Math.sqrt(sum / (n - 1)) / rate, rate, freezes: freezes / (n - 1), backward, behind: rate * mt - mc };
}

/** How much a body shakes on the screen of a camera that follows it: its steps there, as a share of its speed. */
function shake(t, offsets, rate) {
  let sum = 0;
  for (let i = 1; i < t.length; i++) sum += ((offsets[i] - offsets[i - 1]) / (t[i] - t[i - 1])) ** 2;
  return Math.sqrt(sum / (t.length - 1)) / rate;
}

/** Both rules, compared: `log` holds [display time in ms, moment drawn by locked, by the other, newest tick, and where the
 * body is on the screen of a camera that follows it, by both]. */
export function compare(log, hz) {
  const usable = log.filter(([, a, b], i) => Number.isFinite(a) && Number.isFinite(b) && (i === 0 || log[i][0] > log[i - 1][0]));
  const t = usable.map(([time]) => (time - usable[0][0]) / 1000);
  const locked = judder(t, usable.map(([, a]) => a));
  const seed = judder(t, usable.map(([, , b]) => b));
  const apart = usable.reduce((sum, [, a, b]) => sum + (b - a), 0) / usable.length / locked.rate;
  const spacing = 1 / hz / locked.rate;
  return {
    frames: usable.length,
    fps: (usable.length - 1) / t.at(-1),
    rate: locked.rate,
    locked,
    seed,
    camera: [4, 5].map((k) => shake(t, usable.map((row) => row[k]), locked.rate)),
    ratio: locked.judder / seed.judder,
    latencyTicks: apart / spacing,
  };
}
