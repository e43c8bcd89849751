import { spawnSync } from "node:child_process";
import { program } from "./program.mjs";

/** What the Rust program makes of a script: its lines, its exit status, and its words. */
export function natively(text) {
  const options = { input: text, encoding: "utf8", maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync(program.path, ["replay", "-"], options);
  return { status, why: stderr, output: stdout.split("\n").filter((line) => line !== "") };
}
