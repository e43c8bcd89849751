// Your own player: it moves at once, and glides when the server says otherwise (client-side prediction, reconciliation).
import { ChaseCamera } from "portamento/camera";
import { PredictedTrack } from "portamento/remote";
import { Stepper } from "portamento/step";

/** @typedef {{ tick: number, x: number, z: number }} Input */

const SPEED = 5;

/** The game's own rule, the same on the server. @param {ArrayLike<number>} from @param {Input} input @param {number} dt */
function walk(from, input, dt) {
  return [from[0] + input.x * SPEED * dt, from[1], from[2] + input.z * SPEED * dt];
}

/**
 * @param {WebSocket} socket
 * @param {() => { x: number, z: number }} stick What the player wants.
 * @param {(now: Float64Array, shot: import("portamento/camera").Shot) => void} show
 */
export function playMyself(socket, stick, show) {
  const stepper = Stepper.fixed(60);
  const player = new PredictedTrack([0, 0, 0]);
  const camera = new ChaseCamera();
  /** Inputs that the server has not confirmed yet. @type {Input[]} */
  let sent = [];

  socket.addEventListener("message", ({ data }) => {
    const { you } = JSON.parse(data); // { tick, position }: where the server has you after that tick
    if (!you) return;
    sent = sent.filter((input) => input.tick > you.tick);
    // The server's place, with your inputs since then simulated again.
    let position = you.position;
    for (const input of sent) position = walk(position, input, 1 / 60);
    const { truth } = player;
    if (position.some((/** @type {number} */ c, /** @type {number} */ n) => c !== truth[n])) player.reconcile(position);
  });

  requestAnimationFrame(function frame(time) {
    for (const tick of stepper.frameAt(time / 1000)) {
      const input = { tick: tick.number, ...stick() };
      sent.push(input);
      socket.send(JSON.stringify(input));
      player.push(walk(player.truth, input, tick.dt));
    }
    const body = player.draw(stepper.moment);
    show(body.now, camera.update(stepper.moment, body));
    requestAnimationFrame(frame);
  });
}
