// The simulation: balls in a box, 60 ticks per second.
import { Writer } from "portamento/worker";

const HZ = 60;
const [WIDTH, HEIGHT] = [640, 360];
const writer = new Writer({ entities: 64, f32Columns: 1, u32Columns: 1 });
postMessage(writer.buffer);

/** @type {{ id: number, x: number, y: number, vx: number, vy: number, age: number }[]} */
let balls = [];
let next = 0;
let ticks = 0;

function tick() {
  ticks++;
  if (ticks % 10 === 1) {
    const id = next++;
    balls.push({ id, x: WIDTH / 2, y: 40, vx: 200 * Math.sin(id), vy: 0, age: 0 });
    writer.set(id, WIDTH / 2, 40, 0); // a new id is a new entity: first seen here
    writer.setU32(id, 0, (id * 47) % 360); // its colour
  }
  for (const ball of balls) {
    ball.age += 1 / HZ;
    ball.vy += 400 / HZ;
    ball.x += ball.vx / HZ;
    ball.y += ball.vy / HZ;
    if (ball.y > HEIGHT - 10) ball.vy = -Math.abs(ball.vy) * 0.9;
    if (ball.x < 0 || ball.x > WIDTH) {
      ball.x = (ball.x + WIDTH) % WIDTH;
      writer.cut(ball.id, ball.x, ball.y, 0); // out at one side, in at the other: nothing between is drawn
    } else {
      writer.set(ball.id, ball.x, ball.y, 0);
    }
    writer.setF32(ball.id, 0, 12 - ball.age); // its radius, interpolated
  }
  for (const ball of balls) if (ball.age > 8) writer.remove(ball.id);
  balls = balls.filter((ball) => ball.age <= 8);
}

const start = performance.now();
setInterval(() => {
  const due = Math.floor(((performance.now() - start) / 1000) * HZ);
  if (due - ticks > HZ / 4) ticks = due - 1;
  while (ticks < due) tick();
  if (ticks > 0) writer.publish(ticks / HZ); // all ticks of a turn as one: nothing is sent if none ran
}, 4);
