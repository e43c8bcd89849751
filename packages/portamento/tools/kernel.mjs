// Makes src/kernel.js from kernel/: the loop that fills matrices, compiled to WebAssembly and written as text. Needs the
// target wasm32-unknown-unknown. With a path as argument only that: the module goes there, src/kernel.js stays.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = process.env.CARGO_TARGET_DIR ?? join(here, "../../target/kernel");
// The loop needs hardly any stack. With -Ctarget-feature=+simd128 it is not faster (docs/notes/web-worker.md).
const flags = ["-Clink-arg=-zstack-size=4096", ...(process.env.KERNEL_FLAGS ?? "").split(" ").filter(Boolean)];
execFileSync("cargo", ["build", "--quiet", "--release", "--locked", "--target", "wasm32-unknown-unknown"], {
  cwd: join(here, "kernel"),
  stdio: "inherit",
  env: { ...process.env, CARGO_TARGET_DIR: target, CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") },
});
const wasm = readFileSync(join(target, "wasm32-unknown-unknown/release/portamento_kernel.wasm"));
if (process.argv[2]) {
  writeFileSync(resolve(process.argv[2]), wasm);
} else {
  const lines = wasm.toString("base64").match(/.{1,116}/g).map((line) => `  "${line}"`);
  writeFileSync(
    join(here, "src/kernel.js"),
    `// Made by tools/kernel.mjs from kernel/src/lib.rs.\nexport const KERNEL =\n${lines.join(" +\n")};\n`,
  );
}
console.log(`${wasm.length} bytes`);
