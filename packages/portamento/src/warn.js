// What draws wrong without being an error is reported on the console, each kind once.

/** @type {Set<string>} */
const said = new Set();

/** @param {string} kind @param {string} words */
export function warnOnce(kind, words) {
  if (!said.has(kind)) console.warn(`portamento: ${words}`);
  said.add(kind);
}
