// Makes what a package has besides its sources: the types, from the comments in src, and the licenses.
import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
rmSync(join(here, "types"), { recursive: true, force: true });
const tsc = join(here, "node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.json"], { cwd: here, stdio: "inherit" });
for (const license of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  copyFileSync(join(here, "../..", license), join(here, license));
}
