// Comparing what two replays printed: parsed, bit for bit, the sign of zero included.
import { BadLine, Replay } from "../../bin/replay.js";

/** Numbers as texts that tell 0 from -0. */
function bits(value) {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (Array.isArray(value)) return value.map(bits);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, bits(part)]));
}

/** What the package makes of a script: its lines, and the exit status that the program would have. */
export function replayed(text) {
  const replay = new Replay();
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const output = [];
  try {
    for (const line of lines) {
      const answer = replay.line(new TextEncoder().encode(line));
      if (answer !== null) output.push(answer);
    }
    replay.end();
  } catch (error) {
    if (!(error instanceof BadLine)) throw error;
    return { output, status: 2, why: error.message };
  }
  return { output, status: 0, why: "" };
}

/** The first difference, in words; null if there is none. */
export function difference(theirs, ours) {
  if (theirs.status !== ours.status) return `exit status ${theirs.status} natively, ${ours.status} here: ${ours.why}`;
  if (theirs.output.length !== ours.output.length) {
    return `${theirs.output.length} lines natively, ${ours.output.length} here`;
  }
  for (const [at, line] of theirs.output.entries()) {
    const [wanted, got] = [line, ours.output[at]].map((text) => JSON.stringify(bits(JSON.parse(text))));
    if (wanted !== got) return `event ${at + 1}: ${line} natively, ${ours.output[at]} here`;
  }
  return null;
}
