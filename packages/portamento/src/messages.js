// How do ticks travel where memory cannot be shared? As messages on a channel; every reader keeps a block of its own, into
// which it puts them.
import { Layout, Memory, ROWS, STAMP_RUN, makeBlock } from "./block.js";
import { WriteSide } from "./protocol.js";

/** @import { Shape } from "./block.js" */

/**
 * What a reader needs where memory cannot be shared. It can be posted to a worker.
 *
 * @typedef {object} Channel
 * @property {string} portamento The channel's name.
 * @property {Required<Shape>} shape
 */

/** Words of a stamp. */
const STAMP = 16;

/** The parts of a slot that a message holds, each as [from, words], for so many rows.
 * @param {Layout} layout @param {number} rows */
function parts(layout, rows) {
  /** @type {[number, number][]} */
  const all = [[0, STAMP]];
  for (let column = layout.idsLow; column < layout.poses; column += layout.column) all.push([column, rows]);
  all.push([layout.poses, layout.pose * rows]);
  for (let column = layout.f32s; column < layout.slot; column += layout.column) all.push([column, rows]);
  return all;
}

export class Sender {
  /** Whether another writer, whose run is a later one, sends on the channel. */
  isOvertaken = false;
  #layout;
  #port;
  #packet = new Int32Array(STAMP);
  #closed = false;

  /** @param {string} name @param {Layout} layout @param {number} run */
  constructor(name, layout, run) {
    this.#layout = layout;
    const { entities, ticks, readers, f32Columns, u32Columns, f64Positions } = layout;
    const shape = { entities, ticks, readers, f32Columns, u32Columns, f64Positions };
    /** @type {Channel} */
    this.channel = { portamento: name, shape };
    this.#port = new BroadcastChannel(name);
    // A reader that came late wants the newest tick now, not with the next one: the simulation may be paused.
    this.#port.onmessage = ({ data }) => {
      if (data instanceof Int32Array) this.isOvertaken ||= runOf(data) > run;
      if (data === "hello" && this.#packet.length > STAMP) this.#port.postMessage(this.#packet);
      if (data === "hello" && this.#closed) this.#port.postMessage("closed");
    };
  }

  /** Sends the tick in the slot at `at`. @param {Int32Array} words @param {number} at @param {number} rows */
  send(words, at, rows) {
    const all = parts(this.#layout, rows);
    const length = all.reduce((sum, [, words]) => sum + words, 0);
    if (this.#packet.length !== length) this.#packet = new Int32Array(length);
    let to = 0;
    for (const [from, count] of all) {
      this.#packet.set(words.subarray(at + from, at + from + count), to);
      to += count;
    }
    this.#port.postMessage(this.#packet);
  }

  close() {
    this.#closed = true;
    this.#port.postMessage("closed");
    this.#port.close();
  }
}

/** @param {Int32Array} packet */
function runOf(packet) {
  return (packet[STAMP_RUN] >>> 0) + (packet[STAMP_RUN + 1] >>> 0) * 2 ** 32;
}

export class Receiver {
  #side;
  #port;
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /** @param {Channel} channel */
  constructor(channel) {
    const layout = (this.layout = new Layout(channel.shape));
    const memory = (this.memory = new Memory(new ArrayBuffer(4 * layout.words), layout));
    makeBlock(memory.words, layout);
    const side = (this.#side = new WriteSide(memory));
    this.name = channel.portamento;
    this.#port = new BroadcastChannel(channel.portamento);
    let begun = false;
    this.#port.onmessage = ({ data }) => {
      if (data === "closed") side.end();
      else if (data instanceof Int32Array) {
        if (!begun || !side.isOurs) side.take(true);
        begun = true;
        this.#receive(data);
      }
    };
    this.#port.postMessage("hello");
  }

  /** @param {Int32Array} packet */
  #receive(packet) {
    const side = this.#side;
    const { words, layout } = side;
    const rows = packet[ROWS];
    const all = parts(layout, rows);
    if (packet.length !== all.reduce((sum, [, words]) => sum + words, 0) || rows > layout.entities) return;
    const slot = side.vacant();
    const at = layout.slotAt(slot);
    let from = 0;
    for (const [to, count] of all) {
      words.set(packet.subarray(from, from + count), at + to);
      from += count;
    }
    side.commit(slot);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Settles with the next tick. @returns {Promise<void>} */
  next() {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  close() {
    this.#port.close();
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
