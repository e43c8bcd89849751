// What a frame costs with 5 000 bodies: read the newest tick, interpolate, fill an instance buffer. A new tick comes in
// before every frame; making it is not counted.
import { SnapshotInterpolation } from "@geckos.io/snapshot-interpolation";
import { Reader, Writer } from "portamento/worker";

const HZ = 60;

/** Body `id` of tick `n`. */
function body(id, n, moving = true) {
  const time = moving ? n / HZ : 0;
  const angle = (0.3 * time + id) / 2;
  return [Math.cos(0.5 * time + id) * id, Math.sin(time + id), id % 7, 0, Math.sin(angle), 0, Math.cos(angle)];
}

/** Ours. `moving` is the share of bodies that move. */
export function ours(bodies, { moving = 1, movedOnly = false } = {}) {
  const time = { now: 1000 };
  const clock = { timeOrigin: 0, now: () => time.now };
  const writer = new Writer({ entities: bodies, clock });
  const reader = new Reader(writer.buffer, { hz: HZ, clock });
  const array = new Float32Array(16 * bodies);
  let n = 0;
  return {
    array,
    tick() {
      n++;
      time.now = 1000 + (1000 / HZ) * n;
      for (let id = 0; id < bodies; id++) writer.set(id, ...body(id, n, id < moving * bodies));
      writer.publish(n / HZ);
      time.now += 5;
    },
    frame() {
      if (!reader.frame(time.now)) return;
      if (movedOnly) reader.movedMatrices(array);
      else reader.matrices(array);
    },
  };
}

/** Plain JavaScript as one would write it: objects by id, a slerp for each. */
export function plain(bodies) {
  let previous = new Map();
  let current = new Map();
  let received = [];
  let n = 0;
  const array = new Float32Array(16 * bodies);

  const lerp = (a, b, t) => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, z: a.z + (b.z - a.z) * t });
  const slerp = (a, b, t) => {
    let cos = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    if (cos < 0) {
      b = { x: -b.x, y: -b.y, z: -b.z, w: -b.w };
      cos = -cos;
    }
    if (cos > 0.9995) {
      const q = { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, z: a.z + (b.z - a.z) * t, w: a.w + (b.w - a.w) * t };
      const length = Math.hypot(q.x, q.y, q.z, q.w);
      return { x: q.x / length, y: q.y / length, z: q.z / length, w: q.w / length };
    }
    const angle = Math.acos(cos);
    const sin = Math.sin(angle);
    const [u, v] = [Math.sin((1 - t) * angle) / sin, Math.sin(t * angle) / sin];
    return { x: a.x * u + b.x * v, y: a.y * u + b.y * v, z: a.z * u + b.z * v, w: a.w * u + b.w * v };
  };
  const compose = (p, q, out, k) => {
    const [x, y, z, w] = [q.x, q.y, q.z, q.w];
    const [x2, y2, z2] = [x + x, y + y, z + z];
    const [xx, xy, xz, yy, yz, zz] = [x * x2, x * y2, x * z2, y * y2, y * z2, z * z2];
    const [wx, wy, wz] = [w * x2, w * y2, w * z2];
    out.set([1 - (yy + zz), xy + wz, xz - wy, 0, xy - wz, 1 - (xx + zz), yz + wx, 0, xz + wy, yz - wx, 1 - (xx + yy), 0], k);
    out.set([p.x, p.y, p.z, 1], k + 12);
  };
  return {
    array,
    tick() {
      n++;
      received = [];
      for (let id = 0; id < bodies; id++) {
        const [x, y, z, qx, qy, qz, qw] = body(id, n);
        received.push({ id, position: { x, y, z }, rotation: { x: qx, y: qy, z: qz, w: qw } });
      }
    },
    frame() {
      // What a message handler does with the tick that came in.
      previous = current;
      current = new Map(received.map((body) => [body.id, body]));
      let k = 0;
      for (const [id, to] of current) {
        const from = previous.get(id) ?? to;
        compose(lerp(from.position, to.position, 0.4), slerp(from.rotation, to.rotation, 0.4), array, k);
        k += 16;
      }
    },
  };
}

/** The same without garbage: what someone writes who has measured. Two arrays by row, nlerp, no objects. */
export function careful(bodies) {
  let from = new Float32Array(7 * bodies);
  let to = new Float32Array(7 * bodies);
  const received = new Float32Array(7 * bodies);
  const array = new Float32Array(16 * bodies);
  let n = 0;
  return {
    array,
    tick() {
      n++;
      for (let id = 0; id < bodies; id++) received.set(body(id, n), 7 * id);
    },
    frame() {
      [from, to] = [to, from];
      to.set(received);
      for (let i = 0, k = 0; k < array.length; i += 7, k += 16) {
        const t = 0.4;
        let [bx, by, bz, bw] = [to[i + 3], to[i + 4], to[i + 5], to[i + 6]];
        if (from[i + 3] * bx + from[i + 4] * by + from[i + 5] * bz + from[i + 6] * bw < 0) {
          bx = -bx;
          by = -by;
          bz = -bz;
          bw = -bw;
        }
        let x = from[i + 3] + (bx - from[i + 3]) * t;
        let y = from[i + 4] + (by - from[i + 4]) * t;
        let z = from[i + 5] + (bz - from[i + 5]) * t;
        let w = from[i + 6] + (bw - from[i + 6]) * t;
        const s = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
        x *= s;
        y *= s;
        z *= s;
        w *= s;
        const x2 = x + x;
        const y2 = y + y;
        const z2 = z + z;
        array[k] = 1 - (y * y2 + z * z2);
        array[k + 1] = x * y2 + w * z2;
        array[k + 2] = x * z2 - w * y2;
        array[k + 3] = 0;
        array[k + 4] = x * y2 - w * z2;
        array[k + 5] = 1 - (x * x2 + z * z2);
        array[k + 6] = y * z2 + w * x2;
        array[k + 7] = 0;
        array[k + 8] = x * z2 + w * y2;
        array[k + 9] = y * z2 - w * x2;
        array[k + 10] = 1 - (x * x2 + y * y2);
        array[k + 11] = 0;
        array[k + 12] = from[i] + (to[i] - from[i]) * t;
        array[k + 13] = from[i + 1] + (to[i + 1] - from[i + 1]) * t;
        array[k + 14] = from[i + 2] + (to[i + 2] - from[i + 2]) * t;
        array[k + 15] = 1;
      }
    },
  };
}

/** @geckos.io/snapshot-interpolation: interpolates, but fills no buffer (it returns objects). */
export function geckos(bodies) {
  const library = new SnapshotInterpolation(HZ);
  let [previous, current, n] = [null, null, 0];
  return {
    array: null,
    tick() {
      n++;
      const state = [];
      for (let id = 0; id < bodies; id++) {
        const [x, y, z, qx, qy, qz, qw] = body(id, n);
        state.push({ id: String(id), x, y, z, q: { x: qx, y: qy, z: qz, w: qw } });
      }
      previous = current;
      current = { id: String(n), time: n * (1000 / HZ), state };
    },
    frame() {
      if (previous) library.interpolate(previous, current, 0.4, "x y z q(quat)");
    },
  };
}

/** Median milliseconds of a frame, all contestants in turns. */
export function race(contestants, frames) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let f = 0; f < frames; f++) {
    for (const [name, contestant] of Object.entries(contestants)) {
      if (name === "geckos" && f % 20 !== 0) continue; // hundreds of milliseconds each
      contestant.tick();
      const start = performance.now();
      contestant.frame();
      times[name].push(performance.now() - start);
    }
  }
  const median = (list) => list.slice(Math.floor(list.length / 4)).sort((a, b) => a - b)[Math.floor((3 * list.length) / 8)];
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

/** The race with this many bodies. */
export function speed(bodies = 5000, frames = 160) {
  return race(
    {
      ours: ours(bodies),
      "ours, a tenth moves, moved only": ours(bodies, { moving: 0.1, movedOnly: true }),
      plain: plain(bodies),
      careful: careful(bodies),
      geckos: geckos(bodies),
    },
    frames,
  );
}
