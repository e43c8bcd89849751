/**
 * Smooth motion between the ticks of a simulation and the frames of a screen.
 *
 * Everything has its own entry point, so that a page loads what it uses:
 *
 * | entry point | for |
 * |---|---|
 * | `portamento/step` | a simulation in the same loop as the picture: stepper, tracks |
 * | `portamento/worker` | physics in a worker, over shared memory |
 * | `portamento/camera` | cameras that follow what was drawn |
 * | `portamento/remote` | other players over a network: snapshots, prediction |
 * | `portamento/waypoints` | remote bodies that walk from report to report |
 *
 * @module portamento
 */
export * from "./step.js";
export * from "./camera.js";
export * from "./worker.js";
export * from "./remote.js";
export * from "./waypoints.js";
