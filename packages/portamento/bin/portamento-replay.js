#!/usr/bin/env node
import { createReadStream, writeSync } from "node:fs";
import { BadLine, Replay } from "./replay.js";

const USAGE = `Drive one part of the package from a script and print what it did.

Usage: portamento-replay FILE      (- is standard input)

A script is JSON Lines: first a header such as {"replay":1,"system":"steps","hz":60}, then one event a line such as
{"frame":0.0069}. Exactly one line of JSON comes out for each event, at once.
Systems: steps, gate, timed, waypoints, snapshots.

Exit status: 0 fine, 2 a bad line (standard error has its number and why).
`;

const given = process.argv.slice(2);
if (given.includes("--help") || given.includes("-h")) {
  print(1, USAGE);
  process.exit(0);
}
if (given.length !== 1) end(USAGE);
const [file] = given;

try {
  const replay = new Replay();
  const input = file === "-" ? createReadStream("", { fd: 0, autoClose: false }) : createReadStream(file);
  let rest = Buffer.alloc(0);
  for await (const chunk of input) {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10)) {
      take(bytes.subarray(0, end));
      bytes = bytes.subarray(end + 1);
    }
    rest = bytes;
  }
  if (rest.length > 0) take(rest);
  replay.end();

  /** @param {Uint8Array} bytes */
  function take(bytes) {
    const answer = replay.line(bytes);
    if (answer !== null) print(1, `${answer}\n`);
  }
} catch (error) {
  if (error instanceof BadLine) end(`${error.message}\n`);
  const why = error instanceof Error ? error.message : String(error);
  end(`error: ${file}: cannot be read: ${why} (name a script, or - for standard input)\n`);
}

/** Prints all of it before going on. @param {number} to @param {string} text */
function print(to, text) {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(to, bytes));
    } catch (error) {
      const code = /** @type {NodeJS.ErrnoException} */ (error).code;
      if (code === "EPIPE") process.exit(0); // the reader of our output has closed it
      if (code !== "EAGAIN") throw error;
    }
  }
}

/** @param {string} why @returns {never} */
function end(why) {
  print(2, why);
  process.exit(2);
}
