/** @import { Value } from "./values.js" */

/**
 * One entity as drawn in this frame, with the frame before for motion vectors.
 *
 * Everything that draws returns its own one of these and changes it with every frame: copy what you want to keep. Hand it
 * to every camera that follows the entity.
 */
export class Drawn {
  /** @param {number} numbers */
  constructor(numbers) {
    /** The view of this frame: x y z, and for a pose the rotation x y z w. @type {Value} @readonly */
    this.now = new Float64Array(numbers);
    /** The view of the frame before; equal to `now` when there was none. @type {Value} @readonly */
    this.before = new Float64Array(numbers);
    /** A cut lies between the two, or there was no frame before. Motion blur and camera damping must not span it. */
    this.cut = false;
  }
}
