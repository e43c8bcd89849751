/**
 * Remote bodies that walk from report to report, with collision, and are placed when they cannot get there.
 *
 * ```js
 * import { RemoteBody, WaypointRules } from "portamento/waypoints";
 * ```
 *
 * @module portamento/waypoints
 */
export { OwnPlayer, RemoteBody } from "./body.js";
export { Placement, WaypointCounts, WaypointOutcome, Waypoints } from "./queue.js";
export { WaypointError, WaypointRules, WaypointStep } from "./rules.js";
/** @typedef {import("./queue.js").WaypointReport} WaypointReport */
/** @typedef {import("./queue.js").WaypointTick} WaypointTick */
/** @typedef {import("./rules.js").WaypointSettings} WaypointSettings */
