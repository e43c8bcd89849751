// A render worker: two readers of the same block, one with each rule, in the same frames.
import { FollowCamera } from "../package/src/camera.js";
import { Reader } from "../package/src/worker.js";

let locked;
let seed;
let bodies = 0;
let pauseUntil = 0;
let running = false;
let ended = null;
let log = [];
let torn = 0;
let reads = 0;
let empty = 0;
const pose = new Float64Array(7);
let matrices = new Float32Array(0);
// One for each rule.
let cameras = [];

function xOf(reader) {
  const row = reader.row(0);
  return row >= 0 && reader.pose(row, pose) ? pose[0] : NaN;
}

/** Where the body is on the screen of a camera that follows it. */
function beside(camera, reader) {
  const body = reader.draw(0);
  return body ? body.now[0] - camera.update(reader.shown, body).centre[0] : NaN;
}

function frame(time) {
  if (!running) return;
  if (performance.now() > pauseUntil) {
    const there = locked.frame(time);
    seed.frame(time);
    if (there) {
      locked.matrices(matrices);
      const rows = locked.rows;
      const first = matrices[14];
      for (let row = 1; row < rows; row++) torn += matrices[16 * row + 14] !== first;
      reads++;
      const onScreen = [beside(cameras[0], locked), beside(cameras[1], seed)];
      log.push([performance.timeOrigin + time, xOf(locked), xOf(seed), locked.playhead.newest, ...onScreen, performance.now() - time]);
    } else {
      empty++;
    }
  }
}

function animate(time) {
  frame(time);
  if (running) requestAnimationFrame(animate);
}

/** Frames of a display of this rate, on an absolute schedule; the time given is when the display would show them. */
function emulate(hz) {
  let next = performance.now();
  const step = () => {
    if (!running) return;
    while (performance.now() < next);
    frame(next);
    next = Math.max(next + 1000 / hz, performance.now() - 100);
    setTimeout(step, Math.max(0, next - performance.now() - 2));
  };
  step();
}

self.onmessage = ({ data }) => {
  if (data.start) {
    const { buffer, hz, display } = data.start;
    bodies = data.start.bodies;
    matrices = new Float32Array(16 * bodies);
    if (!locked) {
      locked = new Reader(buffer, { hz, onWriterEnd: (state) => (ended = state) });
      seed = new Reader(buffer, { hz, rule: "since-arrival" });
      cameras = [0, 1].map(() => new FollowCamera([1280, 720], { zoom: 50 }));
    }
    log = [];
    torn = reads = empty = 0;
    running = true;
    if (display) emulate(display);
    else requestAnimationFrame(animate);
  }
  if (data.pause) pauseUntil = performance.now() + data.pause;
  if (data.ask) {
    postMessage({
      log, torn, reads, empty, ended, writer: locked.writer, messages: locked.messages,
      counts: { ...locked.counts }, playhead: { ...locked.playhead.counts },
    });
    log = [];
  }
  if (data.stop) running = false;
};
