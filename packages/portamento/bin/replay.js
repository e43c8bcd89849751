// A script drives one part of the package, and every event prints what it did: the format of `portamento replay`.
import { Fields } from "./fields.js";
import { line } from "./json.js";
import { Gate, Steps } from "./steps.js";
import { SnapshotBuffer } from "./snapshots.js";
import { Timed } from "./timed.js";
import { Walker } from "./waypoints.js";

const SYSTEMS = { steps: Steps, gate: Gate, timed: Timed, waypoints: Walker, snapshots: SnapshotBuffer };

// Control characters, line and paragraph separators, and marks that turn the direction of writing.
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A line of a script is wrong. */
export class BadLine extends Error {
  /** @param {number} number @param {string} what */
  constructor(number, what) {
    // What is wrong may hold a piece of the script, and that may hold what a terminal obeys.
    const safe = what.replace(UNSAFE, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
    super(`line ${number}: ${safe}`);
  }
}

/** Builds the system that a header names. @param {Fields} header */
function system(header) {
  const version = header.take("replay");
  if (version === undefined) throw new Error('not a header: the first line must have "replay":1');
  if (version !== 1) throw new Error('this replay format is not known here: give "replay":1');
  const name = header.text("system");
  if (name === undefined) throw new Error('the header names no "system"');
  if (!Object.hasOwn(SYSTEMS, name)) {
    throw new Error(`unknown system ${JSON.stringify(name)}: give ${Object.keys(SYSTEMS).join(", ")}`);
  }
  const made = new SYSTEMS[/** @type {keyof typeof SYSTEMS} */ (name)](header);
  header.finish();
  return made;
}

/** Replays a script, one line after the other. */
export class Replay {
  #number = 0;
  /** @type {{ event(event: Fields): object } | undefined} */
  #system;
  #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  /**
   * Takes the next line, without its end. Returns the output line of an event, null for the header and blank lines.
   *
   * @param {Uint8Array} bytes
   * @returns {string | null}
   */
  line(bytes) {
    this.#number++;
    if (bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13 && byte !== 11))) return null;
    try {
      const fields = new Fields(this.#decoder.decode(bytes));
      if (this.#system) return line(this.#system.event(fields));
      this.#system = system(fields);
      return null;
    } catch (error) {
      throw new BadLine(this.#number, error instanceof Error ? error.message : String(error));
    }
  }

  /** The script ends here. */
  end() {
    if (!this.#system) throw new BadLine(1, "the script is empty: it must begin with a header");
  }
}
