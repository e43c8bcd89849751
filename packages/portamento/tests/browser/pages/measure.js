// The page: starts both workers and passes on what the test says.
const workers = {};

window.start = async (bodies, options = {}) => {
  workers.physics = new Worker("physics.worker.js", { type: "module" });
  workers.render = new Worker("render.worker.js", { type: "module" });
  const answer = new Promise((resolve) => (workers.physics.onmessage = ({ data }) => resolve(data)));
  workers.physics.postMessage({ make: { bodies, options } });
  const { buffer, isolated } = await answer;
  window.shared = { buffer, bodies };
  return { isolated, shared: typeof SharedArrayBuffer !== "undefined" && buffer instanceof SharedArrayBuffer };
};
window.physics = (message) => workers.physics.postMessage(message);
window.render = (message) => workers.render.postMessage(message);
window.begin = (display) => window.render({ start: { ...window.shared, hz: 60, display } });
window.ask = () =>
  new Promise((resolve) => {
    workers.render.onmessage = ({ data }) => resolve(data);
    workers.render.postMessage({ ask: true });
  });
window.lateness = () =>
  new Promise((resolve) => {
    workers.physics.onmessage = ({ data }) => resolve(data);
    workers.physics.postMessage({ lateness: true });
  });
window.crash = () => workers.physics.terminate();
window.replace = async () => {
  workers.physics = new Worker("physics.worker.js", { type: "module" });
  const answer = new Promise((resolve) => (workers.physics.onmessage = ({ data }) => resolve(data)));
  workers.physics.postMessage({ takeOver: window.shared });
  return answer;
};
window.stop = () => {
  workers.physics.terminate();
  workers.render.terminate();
};
