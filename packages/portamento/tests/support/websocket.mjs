// The smallest WebSocket server that tests need: text messages to everybody, on this machine only.
import { createHash } from "node:crypto";
import { createServer } from "node:http";

const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A text as a WebSocket frame, unmasked as servers send it. */
function framed(text) {
  const body = Buffer.from(text);
  const head = body.length < 126 ? Buffer.from([0x81, body.length]) : Buffer.from([0x81, 126, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, body]);
}

export async function listen() {
  const sockets = new Set();
  const server = createServer();
  server.on("upgrade", (request, socket) => {
    const key = createHash("sha1").update(request.headers["sec-websocket-key"] + MAGIC).digest("base64");
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => sockets.delete(socket));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `ws://127.0.0.1:${server.address().port}`,
    send: (message) => sockets.forEach((socket) => socket.write(framed(JSON.stringify(message)))),
    close: () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}
