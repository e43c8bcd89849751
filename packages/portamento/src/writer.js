import {
  Layout,
  MAX_SCALE,
  Memory,
  PUBLISHED,
  ROWS,
  SCALE,
  SIMULATED,
  STAMP_RUN,
  TABLE,
  TICK,
  canShare,
  checkOptions,
  makeBlock,
  nameOf,
  openBlock,
  shareable,
} from "./block.js";
import { Sender } from "./messages.js";
import { WriteSide } from "./protocol.js";
import { hasLocks, holdLock } from "./locks.js";
import { warnOnce } from "./warn.js";

/** @import { Shape } from "./block.js" */
/** @import { Channel } from "./messages.js" */

/**
 * A clock as `performance` is one.
 *
 * @typedef {object} Clock
 * @property {number} timeOrigin Milliseconds.
 * @property {() => number} now Returns milliseconds since `timeOrigin`.
 */

/**
 * @typedef {object} WriterOptions
 * @property {SharedArrayBuffer | ArrayBuffer | Channel} [buffer] The `buffer` of a writer that has ended, instead of a new
 *   one: see {@link Writer.takeOver}.
 * @property {boolean} [messages] Send ticks as messages although memory could be shared. Default: only where it cannot.
 * @property {Clock} [clock] Default `performance`. The readers' clock must be the same.
 * @property {boolean} [locks] Hold a Web Lock, so that readers notice when this worker dies. A browser may keep a page that
 *   holds locks out of its back-forward cache. Default true.
 */

/**
 * @typedef {object} PublishOptions
 * @property {number} [scale] Simulated seconds per real second from this tick on: 1 normally, below 1 in slow motion, 0
 *   while paused. Default 1.
 * @property {number} [now] When the tick leaves, milliseconds of the clock since its `timeOrigin`. Default: now.
 */

/** @type {PublishOptions} */
const NOTHING = {};
const OPTIONS = "entities ticks readers f32Columns u32Columns f64Positions buffer messages clock locks";
// So many ticks in a row that are a second long, and many times as long as they took: milliseconds, or numbers of ticks.
const HASTY = 10;
const HASTY_RATIO = 15;
const SINGLE = 3.4028235677973366e38;

/**
 * The side that simulates. It lives in a worker; {@link Reader}s in other workers or on the page draw what it publishes.
 *
 * ```js
 * const writer = new Writer({ entities: 500 });
 * renderWorker.postMessage(writer.buffer);       // once
 *
 * // after every tick
 * for (const body of bodies) {
 *   const { x, y, z } = body.position, q = body.rotation;
 *   writer.set(body.id, x, y, z, q.x, q.y, q.z, q.w);
 * }
 * writer.publish(simulationTime);                // seconds
 * ```
 *
 * An id is any whole number from 0 to 2^53 - 1. Publishing never waits for a reader, and allocates nothing unless entities
 * come.
 */
export class Writer {
  /**
   * What readers need, to be posted to them once: a `SharedArrayBuffer`, or, where memory cannot be shared, the name of a
   * channel.
   *
   * @readonly
   * @type {SharedArrayBuffer | ArrayBuffer | Channel}
   */
  buffer;
  /** Settles once this writer's Web Lock is held, or at once without one. @readonly @type {Promise<void>} */
  ready = Promise.resolve();
  #side;
  #layout;
  #clock;
  /** @type {Sender | null} */
  #sender = null;
  #run;
  #tick = 0;
  #hasNewest = false;
  // Of the newest tick: its moment, its scale, and when it left, twice: of the next one the first is known earlier. In a
  // typed array, which takes a number without allocating one.
  #newest = new Float64Array(4);
  // Ticks in a row that were much too long.
  #hasty = 0;
  #changed = false;
  // Number of the table's state; goes up when ids, generations, epochs or flags change.
  #table = 1;
  // The state as it will be published: one slot without its stamp.
  #words;
  #floats;
  #doubles;
  /** @type {Map<number, number>} */
  #rowOf = new Map();
  #rows = 0;
  /** @type {number[]} */
  #free = [];
  // The table's version in each slot: an unchanged table is not copied again.
  #versions;
  /** @type {Copying[]} */
  #copying = [];
  #copiedRows = 0;
  /** @type {(() => void) | null} */
  #release = null;
  #closed = false;

  /**
   * Makes a block and becomes its writer, or becomes the writer of a block that exists.
   *
   * @param {(Shape & WriterOptions) | (WriterOptions & { buffer: SharedArrayBuffer | ArrayBuffer | Channel })} options
   */
  constructor(options) {
    checkOptions(options, OPTIONS);
    const { buffer, clock = globalThis.performance, messages = false, locks = true } = options ?? {};
    this.#clock = clock;
    const given = buffer === undefined ? undefined : shareable(buffer);
    const channel = given && "portamento" in given ? given : null;
    let block = channel ? undefined : /** @type {SharedArrayBuffer | ArrayBuffer | undefined} */ (given);
    const sends = !block && (channel !== null || messages || !canShare());
    if (block) {
      this.#layout = openBlock(block);
    } else {
      const layout = (this.#layout = new Layout(channel?.shape ?? /** @type {Shape} */ (options ?? {})));
      block = sends ? new ArrayBuffer(4 * layout.words) : new SharedArrayBuffer(4 * layout.words);
      makeBlock(new Int32Array(block), layout);
    }
    const layout = this.#layout;
    this.#side = new WriteSide(new Memory(block, layout));
    this.#side.take(takesOver);
    this.#run = this.#side.beginRun();
    // The writer before may have counted elsewhere.
    if (sends) this.#run = Math.max(this.#run, Date.now());
    const image = new ArrayBuffer(4 * layout.slot);
    this.#words = new Uint32Array(image);
    this.#floats = new Float32Array(image);
    this.#doubles = new Float64Array(image);
    this.#versions = new Float64Array(layout.slots);
    const name = channel?.portamento ?? nameOf(block);
    if (sends) {
      this.#sender = new Sender(name, layout, this.#run);
      this.buffer = this.#sender.channel;
      if (!messages && !canShare()) sayOnce();
    } else {
      this.buffer = block;
    }
    if (locks && hasLocks()) {
      this.ready = holdLock(`${name}-writer`).then((release) => {
        this.#release = release;
        if (this.#closed) release?.();
      });
      this.ready.catch(() => {}); // without a lock nobody notices a death; nothing else changes
    }
  }

  /**
   * Becomes the writer of a block whose writer's worker has ended, however it ended; waits until it has. This begins a new
   * run: set all entities again. Readers go on by themselves.
   *
   * ```js
   * const writer = await Writer.takeOver({ buffer });   // in the worker that was started instead
   * ```
   *
   * @param {WriterOptions & { buffer: SharedArrayBuffer | ArrayBuffer | Channel, signal?: AbortSignal }} options
   * @returns {Promise<Writer>}
   */
  static async takeOver(options) {
    const { signal, ...others } = options;
    const buffer = shareable(others.buffer);
    if (!("portamento" in buffer)) openBlock(buffer);
    const name = "portamento" in buffer ? buffer.portamento : nameOf(buffer);
    const release = await holdLock(`${name}-writer`, signal ? { signal } : {});
    takesOver = true;
    try {
      const writer = new Writer({ ...others, locks: false });
      writer.#release = release;
      return writer;
    } catch (error) {
      release?.();
      throw error;
    } finally {
      takesOver = false;
    }
  }

  /** Returns how many entities live now. */
  get entities() {
    return this.#rows - this.#free.length;
  }

  /** Returns the number of this life of the writer: every later one on the same block has a greater one. */
  get run() {
    return this.#run;
  }

  /**
   * Moves an entity; readers interpolate. An id that is not in use yet is a new entity, first seen at this pose.
   *
   * @param {number} id
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} [qx]
   * @param {number} [qy]
   * @param {number} [qz]
   * @param {number} [qw]
   * @returns {number} The entity's row, for {@link setRow}.
   */
  set(id, x, y, z, qx = 0, qy = 0, qz = 0, qw = 1) {
    this.#checkPose(id, x, y, z, qx, qy, qz, qw);
    const row = this.#rowOf.get(id) ?? this.#spawn(id);
    this.#place(row, x, y, z, qx, qy, qz, qw);
    return row;
  }

  /**
   * Moves an entity there at once, as a teleport does: no reader draws anything between its last pose and this one.
   *
   * @param {number} id
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} [qx]
   * @param {number} [qy]
   * @param {number} [qz]
   * @param {number} [qw]
   */
  cut(id, x, y, z, qx = 0, qy = 0, qz = 0, qw = 1) {
    const known = this.#rowOf.get(id);
    this.set(id, x, y, z, qx, qy, qz, qw);
    if (known !== undefined) {
      this.#words[this.#layout.epochs + known]++;
      this.#table++;
    }
  }

  /**
   * Moves the entity in this row, which {@link set} or {@link row} returned. Faster than by id; nothing is checked.
   *
   * @param {number} row
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} [qx]
   * @param {number} [qy]
   * @param {number} [qz]
   * @param {number} [qw]
   */
  setRow(row, x, y, z, qx = 0, qy = 0, qz = 0, qw = 1) {
    this.#place(row, x, y, z, qx, qy, qz, qw);
  }

  #place(
    /** @type {number} */ row,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ z,
    /** @type {number} */ qx,
    /** @type {number} */ qy,
    /** @type {number} */ qz,
    /** @type {number} */ qw,
  ) {
    this.#changed = true;
    const layout = this.#layout;
    const floats = this.#floats;
    let at = layout.poses + layout.pose * row;
    if (layout.f64Positions) {
      const half = at / 2;
      this.#doubles[half] = x;
      this.#doubles[half + 1] = y;
      this.#doubles[half + 2] = z;
      at += 6;
    } else {
      floats[at] = x;
      floats[at + 1] = y;
      floats[at + 2] = z;
      at += 3;
    }
    floats[at] = qx;
    floats[at + 1] = qy;
    floats[at + 2] = qz;
    floats[at + 3] = qw;
  }

  #checkPose(
    /** @type {number} */ id,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ z,
    /** @type {number} */ qx,
    /** @type {number} */ qy,
    /** @type {number} */ qz,
    /** @type {number} */ qw,
  ) {
    const sum = Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(qx) + Math.abs(qy) + Math.abs(qz) + Math.abs(qw);
    if (sum < SINGLE) return;
    const most = this.#layout.f64Positions ? Number.MAX_VALUE : SINGLE;
    const fits = (/** @type {number} */ n, /** @type {number} */ bound) => Math.abs(n) <= bound;
    if (![x, y, z].every((n) => fits(n, most)) || ![qx, qy, qz, qw].every((n) => fits(n, SINGLE))) {
      throw new RangeError(
        `the pose of entity ${id} is ${[x, y, z, qx, qy, qz, qw].join(" ")}: give seven finite numbers`,
      );
    }
  }

  #spawn(/** @type {number} */ id) {
    if (!(Number.isSafeInteger(id) && id >= 0)) {
      throw new RangeError(
        `the id is ${typeof id === "number" ? id : `a ${typeof id}`}: give a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, ` +
          "and keep a Map to it from names of your own",
      );
    }
    const layout = this.#layout;
    const words = this.#words;
    let row = this.#free.pop();
    if (row === undefined) {
      if (this.#rows === layout.entities) {
        throw new RangeError(`all ${this.#rows} rows are taken: remove an entity or create a larger block`);
      }
      row = this.#rows++;
    }
    this.#table++;
    this.#rowOf.set(id, row);
    words[layout.idsLow + row] = id;
    words[layout.idsHigh + row] = Math.floor(id / 2 ** 32);
    words[layout.generations + row]++;
    words[layout.epochs + row] = 0;
    words[layout.flags + row] = 0;
    for (let column = layout.f32s + row; column < layout.slot; column += layout.column) words[column] = 0;
    return row;
  }

  /** Returns whether there is such an entity. @param {number} id */
  has(id) {
    return this.#rowOf.has(id);
  }

  /**
   * Returns the entity's row, which stays the same while it lives.
   *
   * @param {number} id
   * @returns {number}
   */
  row(id) {
    const row = this.#rowOf.get(id);
    if (row === undefined) throw new RangeError(`there is no entity ${id}: give it a pose first, with set`);
    return row;
  }

  /** Removes an entity: it is not in the next tick, and its row is free for another. @param {number} id */
  remove(id) {
    const row = this.row(id);
    this.#rowOf.delete(id);
    this.#words[this.#layout.generations + row]++;
    this.#table++;
    this.#changed = true;
    this.#free.push(row);
  }

  /** Sets the 32 bits that travel with the entity; their meaning is yours. @param {number} id @param {number} flags */
  setFlags(id, flags) {
    const at = this.#layout.flags + this.row(id);
    if (this.#words[at] === flags >>> 0) return;
    this.#words[at] = flags;
    this.#table++;
    this.#changed = true;
  }

  /**
   * Sets one of the entity's numbers of single precision. Readers interpolate it.
   *
   * @param {number} id
   * @param {number} column
   * @param {number} value
   */
  setF32(id, column, value) {
    const layout = this.#layout;
    const row = this.row(id);
    checkColumn(column, layout.f32Columns);
    this.#floats[layout.f32s + column * layout.column + row] = value;
    this.#changed = true;
  }

  /**
   * Sets one of the entity's whole numbers. Readers do not interpolate it.
   *
   * @param {number} id
   * @param {number} column
   * @param {number} value
   */
  setU32(id, column, value) {
    const layout = this.#layout;
    const row = this.row(id);
    checkColumn(column, layout.u32Columns);
    this.#words[layout.u32s + column * layout.column + row] = value;
    this.#changed = true;
  }

  /**
   * Publishes the present state as one tick that stands for the moment `simulationTime` of the simulation, in seconds.
   *
   * Call it after every tick, or after all ticks of a turn of your loop. If no simulated time has passed since the last
   * call and the speed is the same, nothing is published. (Changes made while the simulation is paused are.)
   *
   * @param {number} simulationTime Must not go back within the life of this writer.
   * @param {PublishOptions} [options]
   * @returns {boolean} Whether a tick was published.
   */
  publish(simulationTime, options) {
    const newest = this.#newest;
    const { scale = 1, now: given } = options ?? NOTHING;
    if (given === undefined) newest[2] = this.#clock.now();
    else newest[2] = given;
    newest[2] = (this.#clock.timeOrigin + newest[2]) / 1000;
    if (!Number.isFinite(simulationTime)) {
      throw new RangeError(`simulation time ${simulationTime} s: give a finite number of seconds`);
    }
    if (!Number.isFinite(newest[2])) {
      throw new RangeError(`published at ${newest[2]} s: give a finite reading of the clock`);
    }
    if (!(scale >= 0 && scale <= MAX_SCALE)) {
      throw new RangeError(`time scale ${scale}: give a number from 0 to ${MAX_SCALE}`);
    }
    if (this.#hasNewest) {
      if (simulationTime < this.#newest[0]) {
        throw new RangeError(
          `simulation time ${simulationTime} s is before that of the newest tick (${this.#newest[0]} s): ` +
            "to go back, close this writer and make another on the same buffer",
        );
      }
      const edited = scale === 0 && this.#changed;
      if (simulationTime === this.#newest[0] && scale === this.#newest[1] && !edited) return false;
    }
    const side = this.#side;
    if (!side.isOurs || this.#sender?.isOvertaken) {
      throw new Error(
        this.#closed
          ? "this writer is closed: make another one on the same buffer"
          : "this writer's place was taken over: only one writer may publish, end this one",
      );
    }
    const simulated = simulationTime - newest[0];
    const hasty = this.#hasNewest && simulated > 0.99 && simulated > HASTY_RATIO * Math.max(scale, 1) * (newest[2] - newest[3]);
    this.#hasty = hasty ? this.#hasty + 1 : 0;
    if (this.#hasty === HASTY) {
      warnOnce(
        "publish",
        `ticks are ${simulated} s apart in simulation time and come much faster: give publish seconds, not milliseconds or ` +
          "ticks (if the world runs that fast, say so by { scale })",
      );
    }
    newest[3] = newest[2];
    this.#hasNewest = true;
    this.#newest[0] = simulationTime;
    this.#newest[1] = scale;
    this.#writeSlot(side.vacant());
    this.#tick++;
    this.#changed = false;
    return true;
  }

  #writeSlot(/** @type {number} */ slot) {
    const { memory } = this.#side;
    const at = this.#layout.slotAt(slot);
    memory.unsigned[at + ROWS] = this.#rows;
    memory.setWide(at + STAMP_RUN, this.#run);
    memory.setWide(at + TICK, this.#tick);
    memory.doubles[(at + PUBLISHED) / 2] = this.#newest[2];
    memory.doubles[(at + SIMULATED) / 2] = this.#newest[0];
    memory.doubles[(at + SCALE) / 2] = this.#newest[1];
    memory.setWide(at + TABLE, this.#table);
    const copying = this.#copyingOf(slot);
    if (this.#versions[slot] !== this.#table) copying.table.set(copying.tableFrom);
    this.#versions[slot] = this.#table;
    copying.poses.set(copying.posesFrom);
    if (copying.columns && copying.columnsFrom) copying.columns.set(copying.columnsFrom);
    this.#side.commit(slot);
    this.#sender?.send(memory.words, at, this.#rows);
  }

  // What is copied to this slot: as many rows as there are, in steps, so that new entities seldom make new views.
  #copyingOf(/** @type {number} */ slot) {
    const layout = this.#layout;
    if (this.#rows > this.#copiedRows) {
      this.#copiedRows = Math.min(layout.entities, Math.max(64, 2 * this.#copiedRows, this.#rows));
      this.#copying = [];
      for (let slot = 0; slot < layout.slots; slot++) {
        this.#copying.push(new Copying(this.#side.words, layout.slotAt(slot), this.#words, layout, this.#copiedRows));
      }
      this.#versions.fill(0);
    } else if (this.#copying.length === 0) {
      // A tick without entities.
      for (let slot = 0; slot < layout.slots; slot++) {
        this.#copying.push(new Copying(this.#side.words, layout.slotAt(slot), this.#words, layout, 0));
      }
    }
    return this.#copying[slot];
  }

  /** Ends properly: the last ticks stay readable, and another writer may begin. */
  close() {
    this.#closed = true;
    this.#side.end();
    this.#sender?.close();
    this.#release?.();
    this.#release = null;
  }
}

/** Whether the writer that is being made has the lock of its place, whatever the block says. */
let takesOver = false;

let said = false;

function sayOnce() {
  if (said) return;
  said = true;
  console.info(
    "portamento: this page is not cross-origin isolated, so ticks travel as messages instead of shared memory. That works, " +
      "but copies every tick. To share memory, serve the page with the headers Cross-Origin-Opener-Policy: same-origin " +
      "and Cross-Origin-Embedder-Policy: require-corp.",
  );
}

/** @param {number} column @param {number} columns */
function checkColumn(column, columns) {
  if (!(Number.isInteger(column) && column >= 0 && column < columns)) {
    throw new RangeError(`column ${column} of ${columns}: ask for more columns when you make the writer`);
  }
}

/** The views that a tick is copied through: table, poses, and columns of the user's, each in one piece. */
class Copying {
  /**
   * @param {Int32Array} block @param {number} at @param {Uint32Array} image @param {Layout} layout @param {number} rows
   */
  constructor(block, at, image, layout, rows) {
    const to = new Uint32Array(block.buffer, 4 * at, layout.slot);
    const table = [layout.idsLow, rows === 0 ? layout.idsLow : layout.flags + rows];
    const poses = [layout.poses, layout.poses + layout.pose * rows];
    this.table = to.subarray(...table);
    this.tableFrom = image.subarray(...table);
    this.poses = to.subarray(...poses);
    this.posesFrom = image.subarray(...poses);
    const any = layout.slot > layout.f32s && rows > 0;
    this.columns = any ? to.subarray(layout.f32s) : null;
    this.columnsFrom = any ? image.subarray(layout.f32s) : null;
  }
}
