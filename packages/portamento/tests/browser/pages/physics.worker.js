// A physics worker as people have them: a timer, a tick, some work. Every body of tick n has z = n, so that a torn read
// shows; body 0 goes along x at one unit per simulated second, so that x is the moment drawn.
import { Writer } from "../package/src/worker.js";

const HZ = 60;
let writer;
let mode = "stopped";
let bodies = 0;
let tick = 0;
let due = 0;
let load = 0;
let timer;
// When each tick was published, and how much later than this worker meant to, both in milliseconds: the machine's part of
// being late. What publishing itself takes is not.
let expected = 0;
let lateness = [];
let usual = Infinity;

/** Random numbers that are the same in every run. */
let state = 12345;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;

function busy(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function publish() {
  tick++;
  const time = tick / HZ;
  for (let id = 0; id < bodies; id++) {
    const turn = 0.5 * time + id;
    const angle = (0.3 * time + id) / 2;
    writer.set(id, id === 0 ? time : Math.cos(turn) * id, Math.sin(turn), tick, 0, Math.sin(angle), 0, Math.cos(angle));
  }
  writer.publish(time);
}

/** Publishes a tick that should have been begun at `meant`. */
function publishAt(meant) {
  const begun = performance.now();
  publish();
  const done = performance.now();
  usual = Math.min(usual, done - begun);
  lateness.push([performance.timeOrigin + done, Math.max(0, done - meant - 2 * usual)]);
}

function wait(until) {
  expected = until;
  timer = setTimeout(loop, Math.max(0, until - performance.now()));
}

function loop() {
  if (mode === "stopped") return;
  const now = performance.now();
  if (mode === "steady") {
    // A fixed step from an absolute schedule.
    while (due <= now) {
      publishAt(due);
      due += 1000 / HZ;
    }
    wait(due);
  } else if (mode === "throttled") {
    // The same, where the browser lets a timer fire once per second.
    while (due <= now) {
      publish();
      due += 1000 / HZ;
    }
    wait(now + 1000);
  } else if (mode === "jittery") {
    // On average at the right rate, but each tick up to most of a tick late: work of changing length before it.
    publishAt(expected);
    due += 1000 / HZ;
    wait(due + random() * 14);
  } else {
    // A timer that waits a tick after the work: with four times the load the simulation runs slow.
    const work = 4 * load * (0.6 + 0.8 * random());
    busy(work);
    publishAt(expected + work);
    wait(performance.now() + 1000 / HZ);
  }
}

self.onmessage = async ({ data }) => {
  if (data.make) {
    writer = new Writer({ entities: data.make.bodies, ...data.make.options });
    bodies = data.make.bodies;
    await writer.ready;
    postMessage({ buffer: writer.buffer, isolated: self.crossOriginIsolated });
  }
  if (data.takeOver) {
    writer = await Writer.takeOver({ buffer: data.takeOver.buffer });
    bodies = data.takeOver.bodies;
    postMessage({ took: true });
  }
  if (data.run) {
    mode = data.run;
    load = data.load ?? 3;
    due = expected = performance.now();
    clearTimeout(timer);
    loop();
  }
  if (data.lateness) {
    postMessage(lateness);
    lateness = [];
  }
  if (data.close) writer.close();
};
