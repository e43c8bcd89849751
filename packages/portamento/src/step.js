/**
 * When does the simulation run, and what is drawn between its ticks? For a simulation in the same loop as the picture.
 *
 * ```js
 * import { Stepper, Track } from "portamento/step";
 * ```
 *
 * @module portamento/step
 */
export { Frame, Stepper } from "./stepper.js";
export { Moment } from "./moment.js";
export { Track } from "./track.js";
export { Drawn } from "./drawn.js";
/** @typedef {import("./fixed.js").FixedSettings} FixedSettings */
/** @typedef {import("./gate.js").GateSettings} GateSettings */
/** @typedef {import("./stepper.js").Tick} Tick */
/** @typedef {import("./track.js").TrackEnds} TrackEnds */
/** @typedef {import("./track.js").TrackSettings} TrackSettings */
