import { clamp } from "./math.js";

/** @import { Numbers } from "./values.js" */

/**
 * One frame's picture of a flat world: what to draw with, and what to ask where the mouse is. A camera has one of these and
 * changes it with every frame.
 *
 * It holds the drawn centre, shake and bounds included, so what is under the pointer is what the player sees there. Screen
 * pixels count from the window's upper left corner, also in a split screen.
 */
export class Framing {
  /** The place in the world at the middle of the screen. @readonly */
  centre = new Float64Array(2);
  /** Screen pixels per unit of the world. */
  zoom = 1;
  /** The viewport's upper left corner in the window, in pixels. @readonly */
  origin = new Float64Array(2);
  /** Width and height of the viewport in pixels. @readonly */
  viewport = new Float64Array(2);
  /** Whether the world's y runs up on the screen. */
  yUp = false;

  // The sign of a world's axis on the screen.
  #sign(/** @type {number} */ n) {
    return n === 1 && this.yUp ? -1 : 1;
  }

  /**
   * Writes the place in the world at the viewport's upper left corner.
   *
   * @param {number[] | Float64Array} [out]
   */
  offset(out = [0, 0]) {
    for (let n = 0; n < 2; n++) out[n] = this.centre[n] - this.#sign(n) * (this.viewport[n] / (2 * this.zoom));
    return out;
  }

  /**
   * Writes where on the screen a place in the world is; outside the viewport when it is not visible.
   *
   * @param {Numbers} world @param {number[] | Float64Array} [out]
   */
  toScreen(world, out = [0, 0]) {
    for (let n = 0; n < 2; n++) {
      const middle = this.origin[n] + this.viewport[n] / 2;
      out[n] = (world[n] - this.centre[n]) * this.zoom * this.#sign(n) + middle;
    }
    return out;
  }

  /**
   * Writes the whole pixel to draw a place in the world at, for pixel art. Rounded once, after the zoom: a followed sprite
   * stays on its pixel. Draw everything through it.
   *
   * @param {Numbers} world @param {number[] | Float64Array} [out]
   */
  toPixel(world, out = [0, 0]) {
    for (let n = 0; n < 2; n++) {
      const fromMiddle = (world[n] - this.centre[n]) * this.zoom * this.#sign(n);
      // Halves are common, and rounding errors must not decide them: the border is a little above.
      out[n] = Math.floor(fromMiddle + (0.5 - 1 / 256)) + Math.floor(this.origin[n] + this.viewport[n] / 2);
    }
    return out;
  }

  /**
   * Writes the place in the world that is drawn at this place on the screen.
   *
   * @param {Numbers} screen @param {number[] | Float64Array} [out]
   */
  toWorld(screen, out = [0, 0]) {
    for (let n = 0; n < 2; n++) {
      const middle = this.origin[n] + this.viewport[n] / 2;
      out[n] = this.centre[n] + ((screen[n] - middle) / this.zoom) * this.#sign(n);
    }
    return out;
  }

  /**
   * Returns whether any of the rectangle from `min` to `max` is visible, or would be with `margin` more of the world.
   *
   * @param {Numbers} min @param {Numbers} max @param {number} [margin]
   */
  sees(min, max, margin = 0) {
    for (let n = 0; n < 2; n++) {
      const half = this.viewport[n] / (2 * this.zoom);
      if (!(this.centre[n] - half - margin <= max[n] && min[n] <= this.centre[n] + half + margin)) return false;
    }
    return true;
  }
}

/** A place moved as little as possible so that nothing outside the bounds shows around it, along one axis.
 * @param {number} centre @param {number} half @param {number} min @param {number} max */
export function confine(centre, half, min, max) {
  const least = min + half;
  const most = max - half;
  // Halves first: the sum of two far ends could overflow.
  return least <= most ? clamp(centre, least, most) : min / 2 + max / 2;
}
