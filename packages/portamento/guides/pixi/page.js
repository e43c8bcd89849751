// The picture: PixiJS, one sprite per entity.
import "pixi.js/unsafe-eval"; // for pages whose content security policy forbids eval
import { Application, Sprite, Texture } from "pixi.js";
import { Reader } from "portamento/worker";

const app = new Application();
await app.init({ width: 640, height: 360, background: "white", preference: "webgl" });
document.body.append(app.canvas);

const worker = new Worker(new URL("./physics.worker.js", import.meta.url), { type: "module" });
worker.onmessage = ({ data: buffer }) => {
  /** @type {(Sprite | undefined)[]} By row: an entity keeps its row while it lives. */
  const sprites = [];
  const positions = new Float32Array(3 * 64);
  const reader = new Reader(buffer, {
    hz: 60,
    onBirth(_id, row) {
      const sprite = new Sprite({ texture: Texture.WHITE, anchor: 0.5 });
      sprite.tint = `hsl(${reader.u32(row, 0)} 70% 50%)`;
      sprites[row] = app.stage.addChild(sprite);
    },
    onDeath(_id, row) {
      sprites[row]?.destroy();
      sprites[row] = undefined;
    },
  });
  app.ticker.add((ticker) => {
    if (!reader.frame(ticker.lastTime)) return; // the animation frame's own time
    reader.positions(positions);
    sprites.forEach((sprite, row) => {
      sprite?.position.set(positions[3 * row], positions[3 * row + 1]);
      sprite?.setSize(2 * reader.f32(row, 0));
    });
  });
};
