// Where does everything lie in the block that a writer and its readers share?
//
// The tables of the page "The exchange's memory layout and protocol, version 2" as code. All offsets are in words of 32
// bits.

/**
 * How much a block holds. Fixed when it is made.
 *
 * @typedef {object} Shape
 * @property {number} entities How many entities can live at the same time.
 * @property {4 | 8 | 16 | 32} [ticks] How many ticks stay readable. Default 8, which cover a writer of 60 Hz that is up
 *   to 80 ms late; a tick that is later than that is a short wait.
 * @property {number} [readers] How many readers there can be at the same time, 1 to 16. Default 4.
 * @property {number} [f32Columns] How many numbers of single precision each entity has besides its pose, 0 to 64. Readers
 *   interpolate them. Default 0.
 * @property {number} [u32Columns] How many whole numbers each entity has besides its flags, 0 to 64. Default 0.
 * @property {boolean} [f64Positions] Positions in double precision, for large worlds. Default false.
 */

/** @import { Channel } from "./messages.js" */

const PORT = 0x54524f50;
const MNTO = 0x4f544e4d;
const VERSION = 2;
const F64_POSITIONS = 1;

// Words of the header.
export const OWNER = 16;
export const STATE = 17;
export const RUN = 18;
export const LATEST = 20;
/** By what the locks of a page call this block: two words. */
export const NAME = 22;
const DIRECTORY = 32;

// Words of a seat.
export const SEAT_OWNER = 2;
export const SEAT_WAITS = 3;

// Words of a stamp.
export const SEQUENCE = 0;
export const ROWS = 1;
export const STAMP_RUN = 2;
export const TICK = 4;
export const PUBLISHED = 6;
export const SIMULATED = 8;
export const SCALE = 10;
export const TABLE = 12;

/** Simulated seconds per second, at most. */
export const MAX_SCALE = 1e6;

/** Up to a multiple of 64 bytes. @param {number} words */
const pad = (words) => Math.ceil(words / 16) * 16;

/**
 * Returns what a writer and its readers share, as it is: memory, or the name of a channel.
 *
 * @param {unknown} given
 * @returns {SharedArrayBuffer | ArrayBuffer | Channel}
 */
export function shareable(given) {
  if (typeof given === "object" && given !== null) {
    if ("portamento" in given) return /** @type {Channel} */ (given);
    if ("byteLength" in given && !("buffer" in given)) return /** @type {ArrayBuffer} */ (given);
  }
  const name = given?.constructor?.name ?? String(given);
  throw new TypeError(`the buffer is ${name}: give the \`buffer\` of a Writer as it was posted (event.data in a message handler)`);
}

/** Refuses options that are not there. @param {object} given @param {string} known Names with spaces between. */
export function checkOptions(given, known) {
  for (const key in given) {
    if (!known.split(" ").includes(key)) throw new TypeError(`there is no option ${key}: give one of ${known.replaceAll(" ", ", ")}`);
  }
}

/** @param {string} name @param {number} value @param {number} least @param {number} most */
function whole(name, value, least, most) {
  if (!(Number.isInteger(value) && value >= least && value <= most)) {
    throw new RangeError(`${name} is ${value}: give a whole number from ${least} to ${most}`);
  }
}

/** All offsets of a block of one shape. */
export class Layout {
  /** @param {Shape} shape */
  constructor({ entities, ticks = 8, readers = 4, f32Columns = 0, u32Columns = 0, f64Positions = false }) {
    whole("entities", entities, 1, 1 << 24);
    if (![4, 8, 16, 32].includes(ticks)) throw new RangeError(`ticks is ${ticks}: give 4, 8, 16 or 32`);
    whole("readers", readers, 1, 16);
    whole("f32Columns", f32Columns, 0, 64);
    whole("u32Columns", u32Columns, 0, 64);
    this.entities = entities;
    this.ticks = ticks;
    this.readers = readers;
    this.f32Columns = f32Columns;
    this.u32Columns = u32Columns;
    this.f64Positions = f64Positions;
    this.slots = ticks + 2 * readers + 1;
    this.directory = DIRECTORY;
    this.seats = this.directory + pad(ticks);
    this.firstSlot = this.seats + 16 * readers;
    /** Words from one column to the next. */
    this.column = pad(entities);
    /** Words of a pose. */
    this.pose = f64Positions ? 10 : 7;
    // Columns, from the start of a slot.
    this.idsLow = 16;
    this.idsHigh = this.idsLow + this.column;
    this.generations = this.idsHigh + this.column;
    this.epochs = this.generations + this.column;
    this.flags = this.epochs + this.column;
    this.poses = this.flags + this.column;
    this.f32s = this.poses + pad(this.pose * entities);
    this.u32s = this.f32s + f32Columns * this.column;
    this.slot = this.u32s + u32Columns * this.column;
    this.words = this.firstSlot + this.slots * this.slot;
    if (this.words > 2 ** 31) {
      throw new RangeError(`the block would have ${4 * this.words} bytes: give fewer entities, columns or ticks`);
    }
  }

  /** The header's words that follow from the shape, with their places. */
  numbers() {
    return [
      [1, MNTO],
      [2, VERSION],
      [3, this.words / 16],
      [4, this.entities],
      [5, this.ticks],
      [6, this.readers],
      [7, this.slots],
      [8, this.slot / 16],
      [9, this.f64Positions ? F64_POSITIONS : 0],
      [10, this.f32Columns],
      [11, this.u32Columns],
      [12, 0],
      [13, 0],
      [14, 0],
      [15, 0],
    ];
  }

  /** The directory's word for the tick with this sequence number. @param {number} sequence */
  entry(sequence) {
    return this.directory + (sequence & (this.ticks - 1));
  }

  /** @param {number} seat */
  seat(seat) {
    return this.seats + 16 * seat;
  }

  /** @param {number} slot */
  slotAt(slot) {
    return this.firstSlot + this.slot * slot;
  }
}

/** Makes a block in zeroed memory. @param {Int32Array} words @param {Layout} layout */
export function makeBlock(words, layout) {
  for (const [place, number] of layout.numbers()) Atomics.store(words, place, number);
  const name = Math.random() * 2 ** 32;
  Atomics.store(words, NAME, name | 0);
  Atomics.store(words, NAME + 1, (Math.random() * 2 ** 32) | 0);
  Atomics.store(words, 0, PORT);
}

/**
 * Returns the layout of a block that another part of the program made.
 *
 * @param {ArrayBufferLike} buffer
 */
export function openBlock(buffer) {
  const bytes = buffer.byteLength;
  if (bytes < 128) throw new RangeError(`${bytes} bytes are not a block: the header alone has 128`);
  const words = new Int32Array(buffer, 0, bytes >> 2);
  const load = (/** @type {number} */ place) => Atomics.load(words, place) >>> 0;
  if (load(0) !== PORT || load(1) !== MNTO) throw new RangeError('this is not a block: it does not begin with "PORTMNTO"');
  if (load(2) !== VERSION) {
    throw new RangeError(`the block has layout version ${load(2)}, this library reads ${VERSION}: update the older side`);
  }
  if (load(9) & ~F64_POSITIONS) {
    throw new RangeError(`the block has features this library does not know (${load(9)}): update this side`);
  }
  const ticks = /** @type {8} */ (load(5));
  const layout = new Layout({
    entities: load(4),
    ticks,
    readers: load(6),
    f32Columns: load(10),
    u32Columns: load(11),
    f64Positions: load(9) === F64_POSITIONS,
  });
  for (const [place, number] of layout.numbers()) {
    if (load(place) !== number) {
      throw new RangeError(
        `the block's header is damaged: the word at ${4 * place} is ${load(place)}, the others need ${number}`,
      );
    }
  }
  if (bytes !== 4 * layout.words) {
    throw new RangeError(`the block has ${bytes} bytes, its header says ${4 * layout.words}: it was cut short or padded`);
  }
  return layout;
}

/**
 * The memory of a block. Words that both sides use are accessed by `Atomics` on `words`. What is in a slot is plain data to
 * whoever holds it: the writer that fills it, the reader that claimed it.
 */
export class Memory {
  /** @param {SharedArrayBuffer | ArrayBuffer} buffer @param {Layout} layout */
  constructor(buffer, layout) {
    this.buffer = buffer;
    this.layout = layout;
    this.words = new Int32Array(buffer);
    this.unsigned = new Uint32Array(buffer);
    this.doubles = new Float64Array(buffer);
  }

  /** Stores a whole number up to 2^53. @param {number} at @param {number} number */
  setWide(at, number) {
    this.unsigned[at] = number;
    this.unsigned[at + 1] = Math.floor(number / 2 ** 32);
  }

  /** @param {number} at @returns {number} */
  wide(at) {
    return this.unsigned[at] + this.unsigned[at + 1] * 2 ** 32;
  }
}

/** How the locks of a page call this block. @param {SharedArrayBuffer | ArrayBuffer} buffer */
export function nameOf(buffer) {
  const words = new Int32Array(buffer);
  const hex = (/** @type {number} */ place) => (Atomics.load(words, place) >>> 0).toString(16).padStart(8, "0");
  return `portamento-${hex(NAME + 1)}${hex(NAME)}`;
}

/** Whether memory can be shared between workers here. */
export function canShare() {
  return typeof SharedArrayBuffer !== "undefined" && globalThis.crossOriginIsolated !== false;
}
