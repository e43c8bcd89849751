/**
 * What are others doing, over a network? Snapshot interpolation for others, prediction and reconciliation for yourself.
 *
 * ```js
 * import { Peer, Snapshots, PredictedTrack } from "portamento/remote";
 * ```
 *
 * @module portamento/remote
 */
export { MessageStamp, Peer, PeerFrame, PeerStatistics } from "./peer.js";
export { Seen, SnapshotCounts, Snapshots } from "./snapshots.js";
export { PredictedTrack } from "./predicted.js";
export { VisualOffset } from "./offset.js";
export { TickClock } from "./tick-clock.js";
export { Drawn } from "./drawn.js";
/** @typedef {import("./peer.js").PeerSettings} PeerSettings */
/** @typedef {import("./snapshots.js").ReportDetails} ReportDetails */
/** @typedef {import("./snapshots.js").SnapshotSettings} SnapshotSettings */
/** @typedef {import("./offset.js").ReconcileSettings} ReconcileSettings */
