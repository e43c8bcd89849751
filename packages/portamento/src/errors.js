// What is wrong with what was given? The same words as the Rust library's: what was given, what is allowed.

/** A number without needless digits: plain where that is no longer than with an exponent. @param {number} x */
export function shown(x) {
  if (!Number.isFinite(x)) return x > 0 ? "inf" : x < 0 ? "-inf" : "NaN";
  const size = Math.abs(x);
  if (size === 0) return Object.is(x, -0) ? "-0" : "0";
  if (size >= 1e-6 && size < 1e9) return String(x);
  const power = x.toExponential().replace("e+", "e");
  return size < 1e15 && String(x).length <= power.length ? String(x) : power;
}

/**
 * Refuses a setting. `cure` completes the sentence "give ...".
 *
 * @param {string} what @param {number} value @param {string} cure @returns {never}
 */
export function refuse(what, value, cure) {
  throw new RangeError(`${what} is ${typeof value === "number" ? shown(value) : JSON.stringify(value)}: give ${cure}`);
}

/** @param {boolean} good @param {string} what @param {number} value @param {string} cure */
export function check(good, what, value, cure) {
  if (!good) refuse(what, value, cure);
}

/** One an hour: a playhead waits no longer for a tick. */
export const ONE_AN_HOUR = 1 / 3600;

/** Refuses what is no rate. @param {string} what @param {number} hz @param {number} [least] A millionth, or one an hour. */
export function checkRate(what, hz, least = 1e-6) {
  if (hz >= least && hz <= 1e6) return;
  refuse(what, hz, `a rate from ${least === ONE_AN_HOUR ? "1/3600 (one an hour)" : "0.000001"} to 1000000, such as 60`);
}

/** A least of `Number.MIN_VALUE` means above 0. @param {string} what @param {number} value @param {number} least
 * @param {number} most */
export function within(what, value, least, most) {
  if (value >= least && value <= most) return;
  if (least === Number.MIN_VALUE) refuse(what, value, `a number above 0, at most ${shown(most)}`);
  if (most === Infinity) refuse(what, value, `a number from ${shown(least)} on`);
  refuse(what, value, `a number from ${shown(least)} to ${shown(most)}`);
}

/**
 * Returns `given` over `defaults`, and refuses a key that is not there.
 *
 * @template {object} T
 * @param {string} what @param {T} defaults @param {Partial<T> | undefined} given @returns {T}
 */
export function settled(what, defaults, given) {
  for (const key in given) {
    if (!(key in defaults)) throw new TypeError(`${what} has no ${key}: give one of ${Object.keys(defaults).join(", ")}`);
  }
  const all = { ...defaults, ...given };
  for (const key in all) if (all[key] === undefined) all[key] = defaults[key];
  return all;
}
