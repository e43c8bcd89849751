/**
 * Cameras that follow what was drawn, so that it does not shake on the screen.
 *
 * ```js
 * import { ChaseCamera, FollowCamera } from "portamento/camera";
 * ```
 *
 * @module portamento/camera
 */
export { CameraCounts } from "./camera-common.js";
export { ChaseCamera, Shot } from "./chase.js";
export { FollowCamera } from "./follow.js";
export { Framing } from "./framing.js";
/** @typedef {import("./camera-common.js").Presented} Presented */
/** @typedef {import("./chase.js").ChaseSettings} ChaseSettings */
/** @typedef {import("./follow.js").FollowSettings} FollowSettings */
/** @typedef {import("./shake.js").ShakeSettings} ShakeSettings */
