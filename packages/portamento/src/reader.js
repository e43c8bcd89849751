import {
  LATEST,
  MAX_SCALE,
  Memory,
  PUBLISHED,
  ROWS,
  SCALE,
  SEAT_OWNER,
  SEAT_WAITS,
  SEQUENCE,
  SIMULATED,
  STAMP_RUN,
  STATE,
  TABLE,
  TICK,
  checkOptions,
  nameOf,
  openBlock,
  shareable,
} from "./block.js";
import * as copied from "./copies.js";
import { Place, TickCopy } from "./copies.js";
import { Drawn } from "./drawn.js";
import { fillMatrices, fillMoved } from "./fill.js";
import { hasLocks, holdLock, isFree, whenFree } from "./locks.js";
import { Receiver } from "./messages.js";
import { Playhead, inbox } from "./playhead.js";
import { ownNumber } from "./protocol.js";
import { warnOnce } from "./warn.js";
import { Kernel } from "./wasm.js";

/** @import { PlayheadSettings, Shown } from "./playhead.js" */
/** @import { Layout } from "./block.js" */
/** @import { Channel } from "./messages.js" */
/** @import { Clock } from "./writer.js" */

// A reader's numbers, in a typed array, which takes a number without allocating one.
const TOLD_RUN = 0;
const TOLD_TICK = 1;
// By how much the writer's clock is ahead of ours, seconds; and the least age of the ticks seen lately.
const SKEW_NOW = 2;
const LEAST_AGE = 3;
const LAST_FRAME = 4;
const FRAME_SECONDS = 5;
// Run and version of the table that the last frame showed.
const SEEN_RUN = 6;
const SEEN_TABLE = 7;

/** The moment to show, and how far it lies beyond the newest tick. */
const moment = new Float64Array(2);
/** What a function returns that would allocate it. */
const now = new Float64Array(1);

// How often a reader looks again when the writer overtook it between looking and claiming.
const ATTEMPTS = 8;
// The two ticks of this frame, the two of the frame before, and one that is being read.
const COPIES = 5;
// A frame's time farther from the clock than this, in milliseconds, is not of this clock.
const NOT_OURS = 1000;
// Ticks after which it is judged whether the two clocks agree.
const SKEW_TICKS = 30;
// Two clocks that disagree by less than this, in seconds, count as one.
const SKEW = 0.05;
// How often it is looked for a writer's lock while it publishes without one, and how many milliseconds apart.
const LOCK_LOOKS = 5;
const LOCK_MS = 500;
// So many frames in a row with a time of another clock are a mistake.
const ODD = 10;
const OPTIONS =
  "hz interval onBirth onDeath onWriterEnd clock wasm locks rule lateness marginMemory marginFloor marginTicks extrapolate " +
  "pull brake bend relock rateWithin offsetGain rateGain lateScale";
/** @type {Shown} */
const NOTHING_SHOWN = { at: NaN, presented: 0, beyond: 0, skipped: 0 };

/**
 * Options of a {@link Reader}: its playhead's settings, of which `hz` is required, and these.
 *
 * @typedef {object} ReaderOnly
 * @property {(id: number, row: number) => void} [onBirth] Called within {@link Reader.frame} for every entity that is
 *   there now and was not in the frame before.
 * @property {(id: number, row: number) => void} [onDeath] The same for every entity that is gone.
 * @property {(state: "closed" | "gone") => void} [onWriterEnd] Called when the writer's worker ended: properly, or because
 *   it crashed or was terminated (needs Web Locks).
 * @property {Clock} [clock] Default `performance`.
 * @property {boolean} [wasm] Fill matrices by WebAssembly where the page's content security policy allows it
 *   (`'wasm-unsafe-eval'`); the numbers are the same. A policy that forbids it makes the browser complain in the console:
 *   then give false. Default true.
 * @property {boolean} [locks] Hold a Web Lock, so that another reader can have this one's seat when this worker dies.
 *   Default true.
 */

/** @typedef {PlayheadSettings & ReaderOnly} ReaderOptions */

/**
 * Where matrices go: a Float32Array. The type is wider, so that three.js' `instanceMatrix.array` needs no cast.
 *
 * @typedef {object} MatrixArray
 * @property {number} length
 * @property {(from: ArrayLike<number>, at?: number) => void} set
 */

/** What did not go as planned, since the reader was made. The numbers never shrink. */
export class ReaderCounts {
  /** Ticks that were overwritten before this reader saw them. */
  missed = 0;
  /** New runs of the writer after the first one. */
  restarts = 0;
  /** Frames for a moment before the oldest tick that is kept; they show the oldest. */
  behind = 0;
  /** Frames that show the ticks of the frame before because the writer overtook every attempt to read newer ones. */
  overtaken = 0;
  /** Words in the block that no writer that keeps to the protocol can have written. */
  nonsense = 0;
  /** Frames whose time was not of this clock; they were drawn at the present. */
  oddTimes = 0;
  /** Times that the writer's clock and this one were found to disagree, and were brought together. */
  skews = 0;
}

/**
 * The side that draws: in a render worker, or on the page.
 *
 * ```js
 * const reader = new Reader(buffer, { hz: 60 });           // buffer: what the writer posted
 *
 * function frame(time) {                                   // the animation frame's own time
 *   if (reader.frame(time)) {
 *     reader.matrices(mesh.instanceMatrix.array);          // one matrix per row
 *     mesh.count = reader.rows;
 *     mesh.instanceMatrix.needsUpdate = true;
 *   }
 *   renderer.render(scene, camera);
 *   requestAnimationFrame(frame);
 * }
 * ```
 *
 * An entity keeps its row for as long as it lives. Rows without an entity get a matrix of zeros, which draws nothing.
 * Nothing is allocated per frame.
 */
export class Reader {
  /** Chooses the moment that is drawn. @readonly */
  playhead;
  /** What did not go as planned so far. @readonly */
  counts = new ReaderCounts();
  /** Whether ticks come as messages, because memory cannot be shared. @readonly */
  messages;
  #n = new Float64Array(8);
  #memory;
  #layout;
  #words;
  #seat = -1;
  #owner = ownNumber();
  #clock;
  #name;
  /** @type {Receiver | null} */
  #receiver = null;
  /** @type {(() => void) | null} */
  #release = null;
  #closed = false;
  #stop = new AbortController();

  // The stamps of the kept ticks that were read, by place in the directory.
  #known;
  #sequences;
  #slots;
  #rowsOf;
  #runs;
  #ticks;
  #published;
  #simulated;
  #scales;
  #tables;
  // The last tick that the playhead was told of.
  #told = false;
  #toldSequence = 0;
  #overtaken = false;
  // The newest tick when the block was last read.
  #latest = 0;
  // Where the pair to draw was found: places in the directory.
  #pairFrom = 0;
  #pairTo = 0;

  /** @type {TickCopy[]} */
  #copies = [];
  /** @type {Uint32Array[][]} */
  #views = [];
  #kernel;
  #viewedRows = 0;
  #place;
  #before;
  #fetchedFrom;
  #fetchedTo;

  // What the last frame's table held, for births and deaths.
  #seenRows = 0;
  #seenGenerations;
  #seenLow;
  #seenHigh;
  /** @type {Map<number, number>} */
  #rowOf = new Map();
  #onBirth;
  #onDeath;
  #onWriterEnd;
  #gone = false;
  #goneAt = 0;

  #ages = 0;
  #interval;
  #hasFrame = false;
  #oddInARow = 0;

  #origin = new Float64Array(3);
  // For moved-only fills: whether a row was last written at exactly a tick's pose (1) or as empty (2), and that pose.
  #settled;
  #settledPoses;
  #moved;
  #drawn = new Drawn(7);

  /**
   * Takes a seat at a writer's block.
   *
   * @param {SharedArrayBuffer | ArrayBuffer | Channel} buffer What the writer's `buffer` is.
   * @param {ReaderOptions} options
   */
  constructor(buffer, options) {
    checkOptions(options, OPTIONS);
    const { clock = globalThis.performance, locks = true, wasm = true, onBirth, onDeath, onWriterEnd } = options ?? {};
    this.playhead = new Playhead(options ?? {});
    this.#interval = options.interval ?? 1 / /** @type {number} */ (options.hz);
    this.#clock = clock;
    this.#onBirth = onBirth;
    this.#onDeath = onDeath;
    this.#onWriterEnd = onWriterEnd;
    const shared = shareable(buffer);
    this.messages = "portamento" in shared;
    if ("portamento" in shared) {
      this.#receiver = new Receiver(shared);
      this.#memory = this.#receiver.memory;
      this.#name = shared.portamento;
    } else {
      this.#memory = new Memory(shared, openBlock(shared));
      this.#name = nameOf(shared);
    }
    const layout = (this.#layout = this.#memory.layout);
    this.#words = this.#memory.words;
    const kept = layout.ticks;
    this.#known = new Uint8Array(kept);
    this.#sequences = new Int32Array(kept);
    this.#slots = new Int32Array(kept);
    this.#rowsOf = new Int32Array(kept);
    this.#runs = new Float64Array(kept);
    this.#ticks = new Float64Array(kept);
    this.#published = new Float64Array(kept);
    this.#simulated = new Float64Array(kept);
    this.#scales = new Float64Array(kept);
    this.#tables = new Float64Array(kept);
    this.#kernel = wasm ? Kernel.make(layout, COPIES) : null;
    const { buffer: image, start } = this.#kernel ?? { buffer: new ArrayBuffer(4 * layout.slot * COPIES), start: 0 };
    for (let i = 0; i < COPIES; i++) this.#copies.push(new TickCopy(layout, image, start + 4 * layout.slot * i));
    this.#place = new Place(layout, this.#copies[0]);
    this.#before = new Place(layout, this.#copies[0]);
    this.#fetchedFrom = this.#copies[0];
    this.#fetchedTo = this.#copies[0];
    this.#seenGenerations = new Uint32Array(layout.entities);
    this.#seenLow = new Uint32Array(layout.entities);
    this.#seenHigh = new Uint32Array(layout.entities);
    this.#moved = new Uint32Array(layout.entities);
    this.#settled = new Uint8Array(layout.entities);
    this.#settledPoses = new Uint32Array(layout.pose * layout.entities);
    this.#n.set([0, 0, 0, Infinity, 0, 0, -1, -1]);
    this.#takeSeat();
    if (locks && hasLocks()) {
      if (!this.messages) this.#holdSeat();
      this.#watchWriter();
    }
  }

  /**
   * Takes a seat as the constructor does, and that of a reader whose worker has ended if there is no other.
   *
   * @param {SharedArrayBuffer | ArrayBuffer | Channel} buffer
   * @param {ReaderOptions} options
   * @returns {Promise<Reader>}
   */
  static async attach(buffer, options) {
    try {
      return new Reader(buffer, options);
    } catch (error) {
      if (!(error instanceof SeatError) || !hasLocks() || "portamento" in buffer) throw error;
      const layout = openBlock(buffer);
      const words = new Int32Array(buffer);
      for (let seat = 0; seat < layout.readers; seat++) {
        const release = await holdLock(`${nameOf(buffer)}-seat-${seat}`, { ifAvailable: true });
        if (release) {
          // Whoever held it before is gone: its claims are void.
          freeSeat(words, layout.seat(seat));
          release();
          return new Reader(buffer, options);
        }
      }
      throw error;
    }
  }

  #takeSeat() {
    const { readers } = this.#layout;
    for (let seat = 0; seat < readers; seat++) {
      const at = this.#layout.seat(seat);
      if (Atomics.compareExchange(this.#words, at + SEAT_OWNER, 0, this.#owner) === 0) {
        Atomics.store(this.#words, at, 0);
        Atomics.store(this.#words, at + 1, 0);
        Atomics.store(this.#words, at + SEAT_WAITS, 0);
        this.#seat = at;
        return;
      }
    }
    throw new SeatError(
      `all ${readers} seats are taken: close readers that are no longer used, make the writer with more readers (at most ` +
        "16), or take the seat of a worker that has ended with Reader.attach",
    );
  }

  #holdSeat() {
    const number = (this.#seat - this.#layout.seats) / 16;
    holdLock(`${this.#name}-seat-${number}`).then(
      (release) => {
        this.#release = release;
        if (this.#closed) release?.();
      },
      () => {}, // without a lock nobody notices a death; nothing else changes
    );
  }

  async #watchWriter() {
    const lock = `${this.#name}-writer`;
    // A writer that has no lock and publishes has not taken it yet, or does without.
    for (let looks = 1; await isFree(lock).catch(() => false); looks++) {
      const latest = Atomics.load(this.#words, LATEST);
      await later(LOCK_MS);
      if (this.#closed) return;
      if (Atomics.load(this.#words, LATEST) === latest) break;
      if (looks === LOCK_LOOKS) return;
    }
    whenFree(
      lock,
      () => {
        if (this.#closed) return;
        this.#gone = true;
        this.#goneAt = Atomics.load(this.#words, LATEST);
        this.#onWriterEnd?.(this.writer === "closed" ? "closed" : "gone");
      },
      this.#stop.signal,
    );
  }

  /**
   * What became of the writer: `none` yet, `publishing`, `closed` (it ended properly), or `gone` (its worker ended
   * otherwise; needs Web Locks).
   *
   * @returns {"none" | "publishing" | "closed" | "gone"}
   */
  get writer() {
    const state = Atomics.load(this.#words, STATE);
    if (state === 2) return "closed";
    if (state !== 1) return "none";
    return this.#gone ? "gone" : "publishing";
  }

  /**
   * Reads what is new and chooses what this frame shows. Call it once per frame, before the fills.
   *
   * @param {number} [time] The time that `requestAnimationFrame` gives, in milliseconds. Default: now. A time of another
   *   clock (another worker's) is noticed, counted, and replaced by now.
   * @returns {boolean} Whether there is something to draw: false before the first tick, and once the reader is closed.
   */
  frame(time) {
    if (this.#closed) return false;
    const clock = this.#clock;
    const n = this.#n;
    // First: no tick of it is newer than the clock then says.
    this.#survey();
    const present = clock.now();
    const origin = clock.timeOrigin;
    moment[0] = present;
    if (time !== undefined) {
      if (Math.abs(time - present) <= NOT_OURS) {
        moment[0] = time;
        this.#oddInARow = 0;
      } else {
        this.counts.oddTimes++;
        if (++this.#oddInARow === ODD) {
          warnOnce(
            "frame",
            `reader.frame got ${time} while the clock reads ${present}: give it the time that requestAnimationFrame gives to ` +
              "this worker or page, in milliseconds",
          );
        }
      }
    }
    n[FRAME_SECONDS] = this.#hasFrame ? (present - n[LAST_FRAME]) / 1000 : 0;
    n[LAST_FRAME] = present;
    this.#hasFrame = true;
    now[0] = (origin + present) / 1000;
    this.#tell();
    inbox[0] = (origin + moment[0]) / 1000 + n[SKEW_NOW];
    if (this.#advance() === null) return false;
    this.playhead.showInto(moment);
    return this.#show();
  }

  /**
   * Shows the world at a moment of the simulation that you chose yourself, in seconds.
   *
   * @param {number} simulationTime
   * @returns {boolean} Whether there is something to draw.
   */
  at(simulationTime) {
    if (this.#closed || Number.isNaN(simulationTime)) return false;
    this.#survey();
    moment[0] = simulationTime;
    moment[1] = 0;
    return this.#show();
  }

  // Reads the stamps of ticks that are new. What is published meanwhile is left for the next time.
  #survey() {
    const words = this.#words;
    const layout = this.#layout;
    const latest = Atomics.load(words, LATEST);
    this.#latest = latest;
    this.#overtaken = false;
    if (this.#gone && latest !== this.#goneAt) {
      // A new writer, or the old one lived after all.
      this.#gone = false;
      this.#watchWriter();
    }
    let claimed = false;
    for (let age = 0; age < layout.ticks; age++) {
      const q = (latest - age) | 0;
      const i = q & (layout.ticks - 1);
      // It was read before, and so were all that are older.
      if (this.#known[i] === 1 && this.#sequences[i] === q) break;
      this.#known[i] = 0;
      claimed = true;
      const found = this.#claim(0, q);
      if (found >= 0) {
        this.#remember(i, q, found);
      } else if (found === EMPTY) {
        break;
      } else if (found === OVERTAKEN) {
        // So will be all that are older.
        for (let older = age + 1; older < layout.ticks; older++) this.#known[(latest - older) & (layout.ticks - 1)] = 0;
        this.#overtaken = true;
        break;
      } else {
        this.counts.nonsense++;
      }
    }
    if (claimed) Atomics.store(words, this.#seat, 0);
  }

  // Holds the slot of this tick in our claim `which`; returns the slot.
  #claim(/** @type {number} */ which, /** @type {number} */ q) {
    const words = this.#words;
    const layout = this.#layout;
    const entry = layout.entry(q);
    const word = Atomics.load(words, entry);
    if (word === 0) return EMPTY;
    const slot = (word & 0xff) - 1;
    if (slot < 0 || slot >= layout.slots) return NONSENSE;
    if (word >>> 8 !== (q & 0xffffff)) {
      // Every tick in this place has a number that is the same modulo the ticks kept.
      return ((word >>> 8) & (layout.ticks - 1)) === (q & (layout.ticks - 1)) ? OVERTAKEN : NONSENSE;
    }
    const claim = this.#seat + which;
    Atomics.store(words, claim, slot + 1);
    if (Atomics.load(words, entry) !== word) {
      Atomics.store(words, claim, 0);
      return OVERTAKEN;
    }
    const at = layout.slotAt(slot);
    if (Atomics.load(words, at + SEQUENCE) !== q) {
      Atomics.store(words, claim, 0);
      return (Atomics.load(words, at + SEQUENCE) & 0xffffff) === (q & 0xffffff) ? OVERTAKEN : NONSENSE;
    }
    const { unsigned, doubles } = this.#memory;
    const rows = unsigned[at + ROWS];
    const scale = doubles[(at + SCALE) / 2];
    const times = doubles[(at + PUBLISHED) / 2] + doubles[(at + SIMULATED) / 2];
    if (rows > layout.entities || !(scale >= 0 && scale <= MAX_SCALE) || !(times - times === 0)) {
      Atomics.store(words, claim, 0);
      return NONSENSE;
    }
    return slot;
  }

  // Reads the stamp of a slot that we hold.
  #remember(/** @type {number} */ i, /** @type {number} */ q, /** @type {number} */ slot) {
    const memory = this.#memory;
    const at = this.#layout.slotAt(slot);
    this.#sequences[i] = q;
    this.#slots[i] = slot;
    this.#rowsOf[i] = memory.unsigned[at + ROWS];
    this.#runs[i] = memory.wide(at + STAMP_RUN);
    this.#ticks[i] = memory.wide(at + TICK);
    this.#published[i] = memory.doubles[(at + PUBLISHED) / 2];
    this.#simulated[i] = memory.doubles[(at + SIMULATED) / 2];
    this.#scales[i] = memory.doubles[(at + SCALE) / 2];
    this.#tables[i] = memory.wide(at + TABLE);
    this.#known[i] = 1;
  }

  // Informs the playhead of ticks that are new, oldest first.
  #tell() {
    const kept = this.#layout.ticks;
    const latest = this.#latest;
    if (this.#told && latest === this.#toldSequence) return;
    for (let age = kept - 1; age >= 0; age--) {
      const q = (latest - age) | 0;
      const i = q & (kept - 1);
      if (this.#known[i] === 0 || this.#sequences[i] !== q) continue;
      const run = this.#runs[i];
      const tick = this.#ticks[i];
      let missed = 0;
      if (this.#told) {
        // Runs follow each other with growing numbers, and so do the ticks of a run.
        if (run < this.#n[TOLD_RUN] || (run === this.#n[TOLD_RUN] && tick <= this.#n[TOLD_TICK])) continue;
        missed = (q - this.#toldSequence - 1) >>> 0;
        this.counts.missed += missed;
        if (run !== this.#n[TOLD_RUN]) {
          this.counts.restarts++;
          this.playhead.restart();
        }
      }
      this.#told = true;
      this.#toldSequence = q;
      this.#n[TOLD_RUN] = run;
      this.#n[TOLD_TICK] = tick;
      const published = this.#published[i];
      this.#watchClocks(i);
      // A tick without simulated time only reports another speed, or what was edited during a pause.
      inbox[0] = published;
      inbox[1] = this.#simulated[i];
      if (!this.playhead.isNewest(inbox)) this.playhead.observeInbox(missed > 0);
      inbox[0] = published;
      inbox[1] = this.#scales[i];
      this.playhead.setTimeScaleInbox();
    }
  }

  // Moves the playhead, within what can still be read. Where many ticks stand for the oldest moment (edits during a pause),
  // that is not about to go.
  #advance() {
    const kept = this.#layout.ticks;
    for (let age = 0; age < kept; age++) {
      const q = (this.#latest - age) | 0;
      const i = q & (kept - 1);
      if (this.#known[i] === 0 || this.#sequences[i] !== q) return this.playhead.advanceInbox();
    }
    const next = (this.#latest - kept + 2) & (kept - 1);
    const oldest = (next - 1) & (kept - 1);
    if (this.#runs[oldest] !== this.#n[TOLD_RUN] || !(this.#simulated[oldest] < this.#simulated[next])) {
      return this.playhead.advanceInbox();
    }
    return this.playhead.advanceWithin(this.#simulated, oldest, next);
  }

  // Do the two clocks agree? (Workers have their own time origins, and some browsers compute them from a clock that may be
  // set.) No tick is seen before it was published, and the youngest of many is seen soon after.
  #watchClocks(/** @type {number} */ i) {
    const age = now[0] - this.#published[i];
    this.#n[LEAST_AGE] = Math.min(this.#n[LEAST_AGE], age);
    if (++this.#ages < SKEW_TICKS && age + this.#n[SKEW_NOW] > -SKEW) return;
    const wrong = this.#n[LEAST_AGE] + this.#n[SKEW_NOW];
    if (wrong < -0.001 || wrong > SKEW + 2 * this.#interval + this.#n[FRAME_SECONDS]) {
      this.#n[SKEW_NOW] = -this.#n[LEAST_AGE];
      this.counts.skews++;
    }
    this.#n[LEAST_AGE] = Infinity;
    this.#ages = 0;
  }

  // Finds the last two ticks of which the older is not after `at`. Of several ticks for the same moment the last counts.
  #findPair() {
    const at = moment[0];
    const kept = this.#layout.ticks;
    let run = -1;
    for (let age = 0; age < kept; age++) {
      const i = (this.#latest - age) & (kept - 1);
      if (this.#known[i] === 0 || this.#sequences[i] !== ((this.#latest - age) | 0)) continue;
      if (run < 0) run = this.#runs[i];
      // A playhead that has not heard of a restart does not meet its ticks.
      if (this.#told && this.#runs[i] === this.#n[TOLD_RUN]) run = this.#n[TOLD_RUN];
    }
    if (run < 0) return false;
    let from = -1;
    let to = -1;
    for (let age = kept - 1; age >= 0; age--) {
      const q = (this.#latest - age) | 0;
      const i = q & (kept - 1);
      if (this.#known[i] === 0 || this.#sequences[i] !== q || this.#runs[i] !== run) continue;
      if (to < 0) {
        // The oldest is drawn as it is until the playhead has come that far.
        from = to = i;
      } else if (this.#simulated[i] <= this.#simulated[to]) {
        if (from === to) from = i;
        to = i;
      } else if (this.#simulated[to] <= at) {
        from = to;
        to = i;
      }
    }
    this.#pairFrom = from;
    this.#pairTo = to;
    return true;
  }

  #show() {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (this.#findPair()) {
        if (this.#fetch()) {
          if (this.#simulated[this.#pairFrom] > moment[0]) this.counts.behind++;
          return this.#draw(this.#fetchedFrom, this.#fetchedTo);
        }
      } else if (!this.#overtaken) {
        return false;
      }
      this.#survey();
    }
    // The ticks of the frame before are ours still.
    this.counts.overtaken++;
    if (!this.#place.valid) return false;
    return this.#draw(this.#place.from, this.#place.to);
  }

  #draw(/** @type {TickCopy} */ from, /** @type {TickCopy} */ to) {
    const place = this.#before;
    this.#before = this.#place;
    this.#place = place;
    place.set(from, to, moment);
    const { numbers } = place.shown;
    const same = numbers[copied.RUN] === this.#n[SEEN_RUN] && numbers[copied.TABLE] === this.#n[SEEN_TABLE];
    if (!same) this.#noticeLives();
    return true;
  }

  // Makes the ticks of the pair ours.
  #fetch() {
    const a = this.#pairFrom;
    const b = this.#pairTo;
    let from = this.#copyOf(a);
    let to = a === b ? from : this.#copyOf(b);
    const readsFrom = from === null;
    const readsTo = a !== b && to === null;
    // At most four of the five are taken: two by the frame before, two by this one.
    if (from === null) from = this.#spare(to);
    if (to === null) to = a === b ? from : this.#spare(from);
    if (readsFrom || readsTo) {
      const held = this.#hold(0, a) && (a === b || this.#hold(1, b));
      if (held) {
        if (readsFrom) this.#copy(a, from);
        if (readsTo) this.#copy(b, to);
      }
      Atomics.store(this.#words, this.#seat, 0);
      Atomics.store(this.#words, this.#seat + 1, 0);
      if (!held) return false;
    }
    this.#fetchedFrom = from;
    this.#fetchedTo = to;
    return true;
  }

  #copyOf(/** @type {number} */ i) {
    for (let n = 0; n < COPIES; n++) {
      const copy = this.#copies[n];
      const numbers = copy.numbers;
      const same = numbers[copied.RUN] === this.#runs[i] && numbers[copied.TICK] === this.#ticks[i];
      if (copy.valid && same) return copy;
    }
    return null;
  }

  #spare(/** @type {TickCopy | null} */ taken) {
    const { valid, from, to } = this.#place;
    let n = 0;
    while (this.#copies[n] === taken || (valid && (this.#copies[n] === from || this.#copies[n] === to))) n++;
    return this.#copies[n];
  }

  // Holds a tick that was surveyed. Run and number in the run never repeat.
  #hold(/** @type {number} */ which, /** @type {number} */ i) {
    const slot = this.#claim(which, this.#sequences[i]);
    if (slot < 0) {
      this.#known[i] = 0;
      return false;
    }
    const at = this.#layout.slotAt(slot);
    return (
      slot === this.#slots[i] &&
      this.#memory.wide(at + STAMP_RUN) === this.#runs[i] &&
      this.#memory.wide(at + TICK) === this.#ticks[i]
    );
  }

  #copy(/** @type {number} */ i, /** @type {TickCopy} */ copy) {
    const layout = this.#layout;
    const rows = this.#rowsOf[i];
    if (rows > this.#viewedRows || this.#views.length === 0) this.#makeViews(rows);
    const views = this.#views[this.#slots[i]];
    const run = this.#runs[i];
    const table = this.#tables[i];
    const numbers = copy.numbers;
    if (numbers[copied.TABLE_RUN] !== run || numbers[copied.TABLE_VERSION] !== table) {
      copy.words.set(views[0], layout.idsLow);
      numbers[copied.TABLE_RUN] = run;
      numbers[copied.TABLE_VERSION] = table;
    }
    copy.words.set(views[1], layout.poses);
    if (views.length > 2) copy.words.set(views[2], layout.f32s);
    copy.valid = true;
    numbers[copied.RUN] = run;
    numbers[copied.TICK] = this.#ticks[i];
    numbers[copied.SIMULATED] = this.#simulated[i];
    numbers[copied.TABLE] = table;
    copy.rows = rows;
  }

  // The views that ticks are copied through: as many rows as there are, in steps, so that new entities seldom make new ones.
  #makeViews(/** @type {number} */ rows) {
    const layout = this.#layout;
    this.#viewedRows = Math.min(layout.entities, Math.max(64, 2 * this.#viewedRows, rows));
    this.#views = [];
    for (let slot = 0; slot < layout.slots; slot++) {
      const all = new Uint32Array(this.#words.buffer, 4 * layout.slotAt(slot), layout.slot);
      const views = [
        all.subarray(layout.idsLow, layout.flags + this.#viewedRows),
        all.subarray(layout.poses, layout.poses + layout.pose * this.#viewedRows),
      ];
      if (layout.slot > layout.f32s) views.push(all.subarray(layout.f32s));
      this.#views.push(views);
    }
  }

  // Another table than in the frame before: who came, who went?
  #noticeLives() {
    const { numbers, rows, generations, idsLow, idsHigh } = this.#place.shown;
    const run = numbers[copied.RUN];
    const newRun = run !== this.#n[SEEN_RUN];
    const seenRows = this.#seenRows;
    for (let row = 0; row < seenRows; row++) {
      const old = this.#seenGenerations[row];
      if ((old & 1) === 1 && (newRun || row >= rows || generations[row] !== old)) {
        const id = this.#seenLow[row] + this.#seenHigh[row] * 2 ** 32;
        this.#rowOf.delete(id);
        this.#onDeath?.(id, row);
      }
    }
    for (let row = 0; row < rows; row++) {
      const old = row < seenRows && !newRun ? this.#seenGenerations[row] : 0;
      if ((generations[row] & 1) === 1 && generations[row] !== old) {
        const id = idsLow[row] + idsHigh[row] * 2 ** 32;
        this.#rowOf.set(id, row);
        this.#onBirth?.(id, row);
      }
    }
    for (let row = 0; row < rows; row++) {
      this.#seenGenerations[row] = generations[row];
      this.#seenLow[row] = idsLow[row];
      this.#seenHigh[row] = idsHigh[row];
    }
    this.#n[SEEN_RUN] = run;
    this.#n[SEEN_TABLE] = numbers[copied.TABLE];
    this.#seenRows = rows;
  }

  /** Returns how many rows this frame has, empty ones included: how many instances to draw. */
  get rows() {
    return this.#place.valid ? this.#place.shown.rows : 0;
  }

  /** Returns what the playhead chose for this frame: the moment, and `presented`, by which cameras advance. Before the first
   * tick, the moment is NaN. @returns {Shown} */
  get shown() {
    return this.playhead.shown ?? NOTHING_SHOWN;
  }

  /** Returns where between its two ticks this frame lies, 0..=1; 1 if it has reached the newer one. */
  get alpha() {
    return this.#place.alpha;
  }

  /** Returns whether an entity lives in this row. @param {number} row */
  lives(row) {
    return this.#place.valid && this.#place.lives(row);
  }

  /** Returns the row of an entity that this frame shows, or -1. @param {number} id @returns {number} */
  row(id) {
    return this.#rowOf.get(id) ?? -1;
  }

  /** Returns the id of the entity in this row. Ids above 2^53, which other languages can write, are rounded.
   * @param {number} row @returns {number} */
  id(row) {
    const { idsLow, idsHigh } = this.#place.shown;
    return idsLow[row] + idsHigh[row] * 2 ** 32;
  }

  /** Returns the flags of all rows. Valid until the next frame; so are the two below. @returns {Uint32Array} */
  get flags() {
    return this.#place.shown.flags;
  }

  /** Returns the generations of all rows: odd while an entity lives there. @returns {Uint32Array} */
  get generations() {
    return this.#place.shown.generations;
  }

  /** Returns the cut epochs of all rows: each teleport of an entity adds one. @returns {Uint32Array} */
  get cutEpochs() {
    return this.#place.shown.epochs;
  }

  /** Returns one of the whole numbers of the entity in this row. @param {number} row @param {number} column */
  u32(row, column) {
    const layout = this.#layout;
    this.#checkColumn(column, layout.u32Columns);
    return this.#place.shown.words[layout.u32s + column * layout.column + row];
  }

  /** Returns one of the numbers of single precision of the entity in this row, interpolated as its pose is.
   * @param {number} row @param {number} column @returns {number} */
  f32(row, column) {
    this.#checkColumn(column, this.#layout.f32Columns);
    return this.#place.f32(row, column);
  }

  #checkColumn(/** @type {number} */ column, /** @type {number} */ columns) {
    if (!(column >= 0 && column < columns)) throw new RangeError(`column ${column} of ${columns}: the writer has no such`);
  }

  #room(/** @type {{ length: number }} */ array, /** @type {number} */ offset, /** @type {number} */ stride) {
    const needs = offset + stride * this.rows;
    if (array.length < needs) {
      throw new RangeError(`the array has ${array.length} numbers, ${this.rows} rows need ${needs}: make it larger`);
    }
  }

  /**
   * Fills `array` with a matrix per row: four columns of four numbers, as three.js, Babylon and WebGL have them.
   *
   * @param {MatrixArray} array
   * @param {number} [offset] Where in the array the first one begins.
   */
  matrices(array, offset = 0) {
    this.#room(array, offset, 16);
    const place = this.#place;
    if (!place.valid) return;
    const floats = /** @type {Float32Array} */ (array);
    if (this.#kernel !== null && place.mode === copied.BLEND) this.#kernel.matrices(place, floats, offset);
    else fillMatrices(place, floats, offset, this.#origin);
  }

  /**
   * Writes the matrices of those rows that have changed since the last call, each at its place, and returns how many. It
   * takes about as long as {@link matrices}; what it saves is uploading the rest. Use it with one array only; {@link moved}
   * says which rows were written.
   *
   * @param {MatrixArray} array
   * @returns {number}
   */
  movedMatrices(array) {
    this.#room(array, 0, 16);
    if (!this.#place.valid) return 0;
    return fillMoved(this.#place, /** @type {Float32Array} */ (array), this.#origin, this.#settled, this.#settledPoses, this.#moved);
  }

  /** The rows that {@link movedMatrices} wrote last; as many are valid as it returned. @returns {Uint32Array} */
  get moved() {
    return this.#moved;
  }

  /**
   * Fills `array` with the positions of all rows, x y z. Rows without an entity are left unchanged.
   *
   * @param {Float32Array | Float64Array} array
   * @param {number} [offset] Where in the array the first one begins.
   * @param {number} [stride] From one to the next.
   */
  positions(array, offset = 0, stride = 3) {
    this.#room(array, offset, stride);
    const place = this.#place;
    const origin = this.#origin;
    for (let row = 0, k = offset; row < this.rows; row++, k += stride) {
      if (!place.lives(row)) continue;
      if (this.#layout.f64Positions) {
        place.position(row, this.#drawn.now, 0);
        for (let n = 0; n < 3; n++) array[k + n] = this.#drawn.now[n] - origin[n];
      } else {
        place.position(row, array, k);
      }
    }
  }

  /**
   * Fills `array` with the rotations of all rows, x y z w. Rows without an entity are left unchanged.
   *
   * @param {Float32Array | Float64Array} array
   * @param {number} [offset]
   * @param {number} [stride]
   */
  rotations(array, offset = 0, stride = 4) {
    this.#room(array, offset, stride);
    for (let row = 0, k = offset; row < this.rows; row++, k += stride) {
      if (this.#place.lives(row)) this.#place.rotation(row, array, k);
    }
  }

  /**
   * Fills `array` with one of the entities' numbers of single precision, interpolated.
   *
   * @param {number} column
   * @param {Float32Array} array
   */
  f32s(column, array) {
    this.#checkColumn(column, this.#layout.f32Columns);
    this.#room(array, 0, 1);
    this.#place.f32s(column, array);
  }

  /**
   * Writes the pose of one row, x y z and rotation x y z w.
   *
   * @template {number[] | Float32Array | Float64Array} T
   * @param {number} row
   * @param {T} out
   * @returns {T | null} `out`; null if the row has no entity.
   */
  pose(row, out) {
    if (!this.lives(row)) return null;
    this.#place.position(row, out, 0);
    this.#place.rotation(row, out, 3);
    return out;
  }

  /**
   * Returns one entity in this frame and in the one before: what a camera follows. Always the same object.
   *
   * @param {number} id
   * @returns {Drawn | null} Null while it is not there.
   */
  draw(id) {
    const row = this.row(id);
    const drawn = this.#drawn;
    if (row < 0 || this.pose(row, drawn.now) === null) return null;
    const current = this.#place.shown;
    const before = this.#before.shown;
    // While an entity lives, its row stays.
    const same =
      this.#before.valid &&
      this.#before.lives(row) &&
      before.numbers[copied.RUN] === current.numbers[copied.RUN] &&
      before.generations[row] === current.generations[row];
    drawn.cut = !same || before.epochs[row] !== current.epochs[row];
    if (same) {
      this.#before.position(row, drawn.before, 0);
      this.#before.rotation(row, drawn.before, 3);
    } else {
      drawn.before.set(drawn.now);
    }
    return drawn;
  }

  /**
   * Sets what is subtracted from positions in double precision before they are rounded for the renderer: the camera's
   * place, in a large world. Only for blocks with `f64Positions`.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  setOrigin(x, y, z) {
    if (!this.#layout.f64Positions) throw new Error("positions are in single precision: make the writer with f64Positions");
    this.#origin[0] = x;
    this.#origin[1] = y;
    this.#origin[2] = z;
    this.#settled.fill(0);
  }

  #hasNews() {
    const latest = Atomics.load(this.#words, LATEST);
    const i = latest & (this.#layout.ticks - 1);
    const seen = this.#known[i] === 1 && this.#sequences[i] === latest;
    return !seen && Atomics.load(this.#words, this.#layout.entry(latest)) !== 0;
  }

  /**
   * Sleeps until there is a tick that this reader has not seen, or the time is over. Only in workers: a page must not
   * sleep. A renderer need not wait; this is for programs that have nothing to do between ticks.
   *
   * @param {number} [timeout] Milliseconds.
   * @returns {boolean} Whether there is such a tick.
   */
  wait(timeout = Infinity) {
    if (this.messages) throw new Error("ticks come as messages here, which a sleeping worker does not get: use waitAsync");
    if (typeof document !== "undefined") throw new Error("a page must not sleep: use waitAsync");
    const until = this.#clock.now() + timeout;
    for (;;) {
      if (this.#hasNews()) return true;
      const left = until - this.#clock.now();
      if (!(left > 0)) return false;
      const latest = Atomics.load(this.#words, LATEST);
      Atomics.store(this.#words, this.#seat + SEAT_WAITS, 1);
      if (!this.#hasNews()) Atomics.wait(this.#words, LATEST, latest, left);
      Atomics.store(this.#words, this.#seat + SEAT_WAITS, 0);
    }
  }

  /**
   * Waits as {@link wait} does, without sleeping: also on a page.
   *
   * @param {number} [timeout] Milliseconds.
   * @returns {Promise<boolean>}
   */
  async waitAsync(timeout = Infinity) {
    const until = this.#clock.now() + timeout;
    for (;;) {
      if (this.#hasNews() || this.#closed) return !this.#closed;
      const left = until - this.#clock.now();
      if (!(left > 0)) return false;
      const latest = Atomics.load(this.#words, LATEST);
      if (this.#receiver) {
        await Promise.race([this.#receiver.next(), later(left)]);
      } else if (typeof Atomics.waitAsync === "function") {
        Atomics.store(this.#words, this.#seat + SEAT_WAITS, 1);
        if (!this.#hasNews()) await Atomics.waitAsync(this.#words, LATEST, latest, left).value;
        Atomics.store(this.#words, this.#seat + SEAT_WAITS, 0);
      } else {
        await later(Math.min(left, 4));
      }
    }
  }

  /** Gives the seat back. */
  close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#stop.abort();
    this.#receiver?.close();
    freeSeat(this.#words, this.#seat);
    Atomics.notify(this.#words, LATEST); // who waits here is told
    this.#release?.();
    this.#release = null;
  }
}

/** @param {number} milliseconds @returns {Promise<void>} */
function later(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1)));
}

const EMPTY = -1;
const OVERTAKEN = -2;
const NONSENSE = -3;

/** All seats are taken. */
class SeatError extends Error {}

/** @param {Int32Array} words @param {number} at */
function freeSeat(words, at) {
  Atomics.store(words, at, 0);
  Atomics.store(words, at + 1, 0);
  Atomics.store(words, at + SEAT_WAITS, 0);
  Atomics.store(words, at + SEAT_OWNER, 0);
}
