// Other players over a WebSocket, drawn smoothly: snapshot interpolation.
import { Peer, Snapshots } from "portamento/remote";

/**
 * What the server sends, 20 times per second.
 *
 * @typedef {object} Message
 * @property {number} run Another number each time the server starts.
 * @property {number} time The server's clock, seconds.
 * @property {{ id: number, position: number[], teleports: number }[]} entities
 * @property {number[]} gone Entities that are no longer there.
 */

/**
 * @param {string} url
 * @param {(id: number, seen: import("portamento/remote").Seen) => void} place Draws one entity.
 */
export function showOthers(url, place) {
  const server = new Peer(20); // messages per second
  /** @type {Map<number, Snapshots>} */
  const others = new Map();
  let run = NaN;

  const socket = new WebSocket(url);
  socket.onmessage = ({ data }) => {
    const now = performance.now() / 1000;
    /** @type {Message} */
    const message = JSON.parse(data);
    if (message.run !== run) server.restart();
    run = message.run;
    const stamp = server.receive(message.time, now);
    for (const { id, position, teleports } of message.entities) {
      let other = others.get(id);
      if (!other) others.set(id, (other = new Snapshots({ numbers: 3 })));
      other.insert(stamp, position, { epoch: teleports });
    }
    for (const id of message.gone) others.get(id)?.vanish(stamp);
  };

  requestAnimationFrame(function draw(time) {
    const frame = server.frame(time / 1000);
    if (frame) {
      for (const [id, other] of others) {
        const seen = other.draw(frame);
        if (seen.status === "here") place(id, seen);
        else if (seen.status === "gone") others.delete(id);
      }
    }
    requestAnimationFrame(draw);
  });
  return { socket, server };
}
