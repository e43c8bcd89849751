// The package as a user gets it: packed, installed in an empty project, its guides compiled by `tsc --strict` and bundled by
// esbuild. `node tests/package.mjs FOLDER` leaves the project in FOLDER, for the tests in a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { figures, replays } from "./support/installed.mjs";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const project = resolve(process.argv[2] ?? join(here, "../../target/web-package"));
const run = (program, ...words) => execFileSync(program, words, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", 2] });

rmSync(project, { recursive: true, force: true });
mkdirSync(project, { recursive: true });
const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", project], { cwd: here, encoding: "utf8" });
const tarball = packed.trim().split("\n").at(-1);
writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
run("npm", "install", "--silent", "--no-audit", "--no-fund", `./${tarball}`);
const installed = join(project, "node_modules/portamento");
assert.deepEqual(readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith(".")), ["portamento"]);
for (const file of ["src/worker.js", "types/worker.d.ts", "README.md", "LICENSE-MIT", "LICENSE-APACHE"]) {
  assert.ok(existsSync(join(installed, file)), `${file} is not in the package`);
}
assert.ok(!existsSync(join(installed, "tests")), "tests are not for users");

// Every entry point can be imported, and has types.
const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
const entries = Object.keys(manifest.exports).filter((entry) => entry !== "./package.json");
for (const entry of entries) {
  const name = entry.replace(/^\./, "portamento");
  run("node", "--input-type=module", "-e", `const all = await import("${name}"); if (!Object.keys(all).length) process.exit(1)`);
  assert.ok(existsSync(join(installed, manifest.exports[entry].types)), `${name} has no types`);
}

// The guides compile strictly against the installed package and the real libraries they are for.
const lock = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));
for (const folder of Object.keys(lock.packages).filter((folder) => folder.startsWith("node_modules/"))) {
  if (existsSync(join(here, folder))) cpSync(join(here, folder), join(project, folder), { recursive: true });
}
cpSync(join(here, "guides"), join(project, "guides"), { recursive: true });
const tsc = join(project, "node_modules/typescript/bin/tsc");
for (const library of ["dom", "webworker"]) {
  const files = readdirSync(join(project, "guides"), { recursive: true }).filter((name) => /\.m?[jt]s$/.test(name));
  const mine = files.filter((name) => /worker/.test(name) === (library === "webworker"));
  const config = {
    compilerOptions: {
      strict: true, noEmit: true, allowJs: true, checkJs: true, skipLibCheck: true, types: [],
      target: "es2022", module: "nodenext", lib: ["es2024", library],
    },
    files: mine.map((name) => `guides/${name}`),
  };
  writeFileSync(join(project, `tsconfig.${library}.json`), JSON.stringify(config));
  if (mine.length) run("node", tsc, "-p", `tsconfig.${library}.json`);
}

// What each entry point costs a page, and that a bundler leaves out what is not used.
const bytes = async (code, logLevel = "warning") => {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: project }, bundle: true, minify: true, format: "esm", write: false,
    logLevel, loader: { ".wasm": "binary" }, platform: "browser",
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
};
const sizes = {};
for (const entry of entries) sizes[entry] = await bytes(`export * from "${entry.replace(/^\./, "portamento")}"`);
sizes["./worker, Writer only"] = await bytes(`export { Writer } from "portamento/worker"`);
sizes["./worker, Reader only"] = await bytes(`export { Reader } from "portamento/worker"`);
for (const [entry, size] of Object.entries(sizes)) console.log(`${size} bytes minified and compressed: ${entry}`);
writeFileSync(join(project, "sizes.json"), JSON.stringify(sizes, null, 2));
figures(installed, sizes);
replays(project);
assert.equal(await bytes(`import "portamento"; import "portamento/worker";`, "error"), gzipSync("").length, "importing has side effects");
// The writer is for one worker, the reader for another. (The aim was 12 kB: docs/notes/web-worker.md says what the reader's
// are.)
assert.ok(sizes["./worker, Writer only"] <= 5_500 && sizes["./worker, Reader only"] <= 18_500, "a side costs more than it did");
const all = await bytes(entries.map((entry) => `export * from "${entry.replace(/^\./, "portamento")}";`).join(""));
console.log(`${all} bytes minified and compressed: everything`);
assert.ok(all <= 60_000, "everything costs more than 60 kB");
