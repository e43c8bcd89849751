// The Rust program `portamento`, as PORTAMENTO names it or where cargo puts it.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const found = [process.env.PORTAMENTO, fileURLToPath(new URL("../../../../target/release/portamento", import.meta.url))];
const path = found.find((path) => path && existsSync(path));

/** Where it is. CI must not skip what needs it: xtask sets PORTAMENTO, and then it must be there. */
export const program = {
  path,
  missing: path || process.env.PORTAMENTO ? false : "needs cargo build --release -p portamento-lab",
};
