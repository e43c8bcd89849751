// Runs each build of the program and compares: node run.mjs NAME FILE [NAME FILE]...
// NAME begins with the kernel that the build must have.
import { readFileSync } from "node:fs";

const hex = (number) => BigInt.asUintN(64, number).toString(16).padStart(16, "0");
const builds = [];
const wrong = [];

for (let i = 2; i + 1 < process.argv.length; i += 2) {
  const [name, file] = process.argv.slice(i, i + 2);
  const bytes = readFileSync(file);
  const module = new WebAssembly.Module(bytes);
  let kernel = "";
  let checked = 0;
  const text = (at, length) => new TextDecoder().decode(new Uint8Array(program.memory.buffer, at, length));
  const host = {
    kernel: (at, length) => (kernel = text(at, length)),
    note: (at, length) => console.log(text(at, length)),
    golden(at, length, golden, now) {
      checked += 1;
      const what = `${name}, kernel ${kernel}: ${text(at, length)}`;
      if (golden === now) return console.log(`${what}: ${hex(now)}`);
      wrong.push(`${what}: ${hex(now)} instead of ${hex(golden)}`);
      console.log(wrong.at(-1));
    },
  };
  const program = new WebAssembly.Instance(module, { host }).exports;
  program.check();
  if (checked === 0) wrong.push(`${name}: nothing was checked`);
  if (!name.startsWith(kernel)) wrong.push(`${name}: runs on the kernel ${kernel}`);
  vectors(name, kernel, module, bytes);
  builds.push({ name, program });
}
if (builds.length === 0) wrong.push("no build was given");
time();
if (wrong.length > 0) {
  console.error(`\nNot the same bits, or not the instructions:\n  ${wrong.join("\n  ")}`);
  process.exit(1);
}

/** Whether the batch's kernels, one function for each kind of pose, compute four numbers at once where they should. */
function vectors(name, kernel, module, bytes) {
  // The second byte of f32x4.sqrt and so on; the first is 0xfd, the third 0x01. Other bytes that look alike are as
  // rare as one in sixteen million, and a build without SIMD, which must have none, would tell.
  const instructions = { sqrt: 0xe3, add: 0xe4, sub: 0xe5, mul: 0xe6, div: 0xe7 };
  const kernels = functions(module, bytes).filter(([name]) => name.includes("write_tiles"));
  if (kernels.length !== 3) wrong.push(`${name}: ${kernels.length} functions write_tiles instead of 3`);
  for (const [, body] of kernels) {
    const counts = Object.entries(instructions).map(([what, byte]) => [what, count(body, [0xfd, byte, 0x01])]);
    const found = counts.map(([what, times]) => `${what} ${times}`).join(", ");
    console.log(`${name}: f32x4 in a kernel: ${found}`);
    // Three of the four forms have rotations, and so square roots.
    const right = kernel === "simd128" ? ([, times]) => times >= 3 : ([, times]) => times === 0;
    if (!counts.every(right)) wrong.push(`${name}: f32x4 in a kernel of ${kernel}: ${found}`);
  }
}

function count(bytes, pattern) {
  let times = 0;
  for (let at = bytes.indexOf(Buffer.from(pattern)); at >= 0; times += 1) {
    at = bytes.indexOf(Buffer.from(pattern), at + pattern.length);
  }
  return times;
}

/** The name and the code of every function in a module. */
function functions(module, bytes) {
  let at = 0;
  const take = (from, length) => from.subarray(at, (at += length));
  const number = (from) => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = from[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };

  const bodies = [];
  at = 8; // after the magic number and the version
  while (at < bytes.length) {
    const CODE = 10;
    const section = bytes[at++];
    const end = number(bytes) + at;
    if (section === CODE) for (let left = number(bytes); left > 0; left--) bodies.push(take(bytes, number(bytes)));
    at = end;
  }

  const names = new Map();
  const section = Buffer.from(WebAssembly.Module.customSections(module, "name")[0] ?? []);
  at = 0;
  while (at < section.length) {
    const FUNCTIONS = 1;
    const part = section[at++];
    const end = number(section) + at;
    if (part === FUNCTIONS) {
      for (let left = number(section); left > 0; left--) {
        names.set(number(section), take(section, number(section)).toString());
      }
    }
    at = end;
  }
  const imported = WebAssembly.Module.imports(module).filter(({ kind }) => kind === "function").length;
  return bodies.map((body, i) => [names.get(imported + i) ?? "", body]);
}

/** For information: the fastest of many frames, the builds in turns. */
function time() {
  for (const build of builds) Object.assign(build, { show: build.program.prepare(), best: Infinity });
  for (let round = 0; round < 500; round++) {
    for (const build of builds) {
      const start = performance.now();
      const poses = build.program.draw(build.show);
      build.best = Math.min(build.best, ((performance.now() - start) * 1e6) / poses);
    }
  }
  for (const { name, best } of builds) {
    const faster = (builds[0].best / best).toFixed(1);
    console.log(`${name}: ${best.toFixed(1)} ns a matrix, ${faster} times as fast as ${builds[0].name}`);
  }
}
