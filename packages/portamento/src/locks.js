// Who lives? A worker holds a Web Lock for as long as it lives; the browser releases it when the worker ends, however it
// ends. Whoever gets the lock owns the place that it stands for.

/** @returns {LockManager | undefined} */
function manager() {
  return globalThis.navigator?.locks;
}

export function hasLocks() {
  return manager() !== undefined;
}

/**
 * Takes the lock of that name and holds it until the returned function is called.
 *
 * @param {string} name
 * @param {LockOptions} [options]
 * @returns {Promise<(() => void) | null>} Null if it was asked for at once and is taken.
 */
export function holdLock(name, options = {}) {
  return new Promise((resolve, reject) => {
    const locks = manager();
    if (!locks) return reject(new Error("there are no Web Locks here"));
    locks
      .request(name, options, (lock) => {
        if (lock === null) return resolve(null);
        return new Promise((release) => resolve(() => release(undefined)));
      })
      .catch(reject);
  });
}

/** Whether nobody holds the lock of that name. @param {string} name */
export async function isFree(name) {
  const release = await holdLock(name, { mode: "shared", ifAvailable: true });
  release?.();
  return release !== null;
}

/**
 * Calls back once the lock of that name is free: its owner ended.
 *
 * @param {string} name
 * @param {() => void} ended
 * @param {AbortSignal} signal
 */
export function whenFree(name, ended, signal) {
  manager()
    ?.request(name, { mode: "shared", signal }, ended)
    .catch(() => {}); // stopped, or the page is going away
}
