/**
 * Physics in one worker, rendering in another (or on the page), one block of shared memory between them.
 *
 * @module portamento/worker
 */
export { Writer } from "./writer.js";
export { Reader, ReaderCounts } from "./reader.js";
export { Playhead, PlayheadCounts } from "./playhead.js";
export { Timeline } from "./timeline.js";
export { Drawn } from "./drawn.js";
/** @typedef {import("./block.js").Shape} Shape */
/** @typedef {import("./messages.js").Channel} Channel */
/** @typedef {import("./playhead.js").PlayheadSettings} PlayheadSettings */
/** @typedef {import("./playhead.js").Shown} Shown */
/** @typedef {import("./reader.js").MatrixArray} MatrixArray */
/** @typedef {import("./reader.js").ReaderOptions} ReaderOptions */
/** @typedef {import("./timeline.js").TimelineSettings} TimelineSettings */
/** @typedef {import("./writer.js").Clock} Clock */
/** @typedef {import("./writer.js").PublishOptions} PublishOptions */
/** @typedef {import("./writer.js").WriterOptions} WriterOptions */
