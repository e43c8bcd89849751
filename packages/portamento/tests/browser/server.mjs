// A plain static server. Below /isolated/ pages are cross-origin isolated and under a strict content security policy that
// allows WebAssembly, below /strict/ under one that does not, below /open/ under none; below /plain/ they are not isolated.
// What is below /cdn/ any other origin may load, as from a content delivery network.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".jsonl": "text/plain; charset=utf-8",
};
const policy = (scripts) =>
  `default-src 'none'; script-src ${scripts}; worker-src 'self'; connect-src 'self'; img-src 'self'`;
const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": policy("'self' 'wasm-unsafe-eval'"),
};

const { "Content-Security-Policy": _, ...OPEN } = ISOLATED;
const HEADERS = {
  isolated: ISOLATED,
  strict: { ...ISOLATED, "Content-Security-Policy": policy("'self'") },
  open: OPEN,
  plain: {},
  cdn: { "Access-Control-Allow-Origin": "*" },
};

/** Serves these folders by their names, each below the paths above. */
export async function serve(folders) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const [, mode, folder, ...rest] = path.split("/");
    const root = folders[folder];
    if (path === "/favicon.ico") return response.writeHead(204).end();
    if (!root || !(mode in HEADERS) || path.includes("..")) return response.writeHead(404).end("not here");
    try {
      const body = await readFile(join(root, ...rest));
      const type = TYPES[extname(path)] ?? "application/octet-stream";
      response.writeHead(200, { "Content-Type": type, ...HEADERS[mode] }).end(body);
    } catch {
      response.writeHead(404).end("not here");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { base: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
