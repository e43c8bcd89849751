// A frame makes no objects. What heap sampling still finds are numbers that the engine boxes where it does not inline a call.
import assert from "node:assert/strict";
import { Session } from "node:inspector/promises";
import { test } from "node:test";
import { ChaseCamera, FollowCamera } from "../src/camera.js";
import { Peer, PredictedTrack, Snapshots } from "../src/remote.js";
import { Stepper, Track } from "../src/step.js";
import { RemoteBody, WaypointRules } from "../src/waypoints.js";

/** Bytes that functions of the package allocated while `run` ran. */
async function allocated(run) {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 64,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  run();
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  const found = new Map();
  const visit = ({ callFrame, selfSize, children }) => {
    if (callFrame.url.includes("/portamento/src/") && selfSize > 0) {
      const name = `${callFrame.functionName} ${callFrame.url.split("/").at(-1)}:${callFrame.lineNumber + 1}`;
      found.set(name, (found.get(name) ?? 0) + selfSize);
    }
    children.forEach(visit);
  };
  visit(profile.head);
  return found;
}

/** Everything that a page with one player, forty others and two cameras does. */
function page() {
  const stepper = Stepper.fixed(60);
  const gate = Stepper.gated();
  const player = new PredictedTrack([0, 0, 0, 0, 0, 0, 1]);
  const ball = new Track([0, 0, 0]);
  const chase = new ChaseCamera();
  const follow = new FollowCamera([640, 360], { lookAhead: [0.2, 0.2], deadZone: [20, 20] });
  const server = new Peer(20);
  const others = Array.from({ length: 40 }, () => new Snapshots());
  const walker = new RemoteBody(new WaypointRules());
  walker.report({ pose: [0, 0, 0] }, 1);
  const [pose, place, tick] = [new Float64Array([0, 0, 0, 0, 0, 0, 1]), new Float64Array(3), { dt: 1 / 60, maxSpeed: 4 }];
  const details = { epoch: 0, rests: false };
  let n = 0;
  return (frames) => {
    for (const end = n + frames; n < end; n++) {
      const now = n / 144;
      for (const { dt } of stepper.frame(1 / 144 + (n % 7) * 1e-4)) {
        pose[0] += 3 * dt;
        place[1] += dt;
        player.push(pose);
        ball.push(place);
        walker.walk(tick);
      }
      for (const _ of gate.frame(1 / 144));
      const { moment } = stepper;
      chase.update(moment, player.draw(moment));
      follow.update(moment, ball.draw(moment));
      walker.draw(moment);
      if (n % 7 === 0) {
        const stamp = server.receive(500 + now, now + 0.03);
        for (let k = 0; k < others.length; k++) {
          pose[2] = k + Math.abs((n % 200) - 100) / 30;
          others[k].insert(stamp, pose, details);
        }
      }
      const shown = server.frame(now + 0.03);
      if (shown) for (let k = 0; k < others.length; k++) others[k].draw(shown);
    }
  };
}

test("600 frames make no objects", async () => {
  const run = page();
  run(6000); // until the compiler has seen it
  const found = await allocated(() => run(600));
  const bytes = [...found.values()].reduce((sum, size) => sum + size, 0);
  console.log(`${Math.round(bytes / 600 / 42)} bytes per entity and frame, in 600 frames of 42 entities`);
  // An object of one number is 40 bytes, an array 100 and more.
  assert.ok(bytes <= 600 * 42 * 200, `${bytes} bytes: ${JSON.stringify(Object.fromEntries(found))}`);
});
