// The picture: a plain canvas.
import { Reader } from "portamento/worker";

const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector("canvas"));
const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
const positions = new Float32Array(3 * 64);

const worker = new Worker(new URL("./physics.worker.js", import.meta.url), { type: "module" });
worker.onmessage = ({ data: buffer }) => {
  const reader = new Reader(buffer, { hz: 60 });

  /** @param {number} time */
  function frame(time) {
    requestAnimationFrame(frame);
    if (!reader.frame(time)) return;
    context.clearRect(0, 0, canvas.width, canvas.height);
    reader.positions(positions);
    for (let row = 0; row < reader.rows; row++) {
      if (!reader.lives(row)) continue;
      context.fillStyle = `hsl(${reader.u32(row, 0)} 70% 50%)`;
      context.beginPath();
      context.arc(positions[3 * row], positions[3 * row + 1], reader.f32(row, 0), 0, 2 * Math.PI);
      context.fill();
    }
  }
  requestAnimationFrame(frame);
};
