// A writer and a reader in one page, so that one heap profile sees both. What the page itself allocates is not counted.
import { Reader, Writer } from "../package/src/worker.js";

const options = { scale: 1 };

/** Runs frames of so many bodies, with a clock that the page moves: 60 ticks and frames per second of it. */
function world(bodies) {
  // Beside something else an array keeps numbers as objects: the clock hands on what the page allocated.
  const time = [null, 0];
  const clock = { timeOrigin: 0, now: () => time[1] };
  const writer = new Writer({ entities: bodies, f32Columns: 1, clock });
  const reader = new Reader(writer.buffer, { hz: 60, clock });
  const array = new Float32Array(16 * bodies);
  const positions = new Float32Array(3 * bodies);
  const rotations = new Float32Array(4 * bodies);
  const numbers = new Float32Array(bodies);
  let tick = 0;
  return (count, bodies) => {
    for (let id = writer.entities; id < bodies; id++) writer.set(id, 0, 0, 0);
    for (let n = 0; n < count; n++) {
      tick++;
      time[1] = 1000 + (tick * 1000) / 60 + (tick % 5);
      for (let id = 0; id < bodies; id++) writer.setRow(id, id, tick, 1, 0, 0.6, 0, 0.8);
      writer.publish(tick / 60, options);
      time[1] += 4;
      reader.frame();
      reader.matrices(array);
      reader.movedMatrices(array);
      reader.positions(positions);
      reader.rotations(rotations);
      reader.f32s(0, numbers);
      reader.draw(7);
    }
  };
}

// Few bodies first, until the browser has compiled what runs once per frame; then many.
const frames = world(5000);
frames(30_000, 10);
frames(800, 5000);
window.frames = (count) => frames(count, 5000);
window.ready = true;
