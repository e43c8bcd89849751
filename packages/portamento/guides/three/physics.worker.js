// The simulation: 500 bodies on a timer, as worker games have it.
import { Writer } from "portamento/worker";

const HZ = 60;
const bodies = Array.from({ length: 500 }, (_, id) => ({ id, angle: id * 0.4, radius: 2 + 0.03 * id, speed: 0.4 + (id % 7) / 10 }));

const writer = new Writer({ entities: bodies.length });
postMessage(writer.buffer); // once: the page makes a reader of it

let ticks = 0;
function tick() {
  ticks++;
  for (const body of bodies) {
    body.angle += body.speed / HZ; // your physics engine's step
    const { id, angle, radius } = body;
    const [x, y, z] = [radius * Math.cos(angle), Math.sin(3 * angle), radius * Math.sin(angle)];
    writer.set(id, x, y, z, 0, Math.sin(-angle / 2), 0, Math.cos(-angle / 2));
  }
  writer.publish(ticks / HZ); // what the simulation's clock says, in seconds
}

// Ticks that are due by now, however late the timer is.
const start = performance.now();
setInterval(() => {
  const due = Math.floor(((performance.now() - start) / 1000) * HZ);
  if (due - ticks > HZ / 4) ticks = due - 1; // after a sleep, do not catch up
  while (ticks < due) tick();
}, 4);
