// What the documentation says, one sentence at a time.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ChaseCamera, FollowCamera } from "../src/camera.js";
import { Peer, PredictedTrack, Snapshots, TickClock, VisualOffset } from "../src/remote.js";
import { Timeline } from "../src/timeline.js";
import { Moment, Stepper, Track } from "../src/step.js";
import { RemoteBody, WaypointError, WaypointRules, Waypoints } from "../src/waypoints.js";

test("an error says what was given, what is allowed, and names a setting that is not there", () => {
  const says = (call, words) => assert.throws(call, { message: words });
  says(() => Stepper.fixed(-60), "ticks per second (hz) is -60: give a rate from 0.000001 to 1000000, such as 60");
  says(() => Stepper.fixed(60, { maxFrame: NaN }), "maxFrame is NaN: give a number above 0, at most 1e9");
  says(() => Stepper.fixed(60, { maxTicks: 4294967295.5 }), /^maxTicks is 4294967295.5: give 1 or more/);
  says(() => Stepper.fixed(60, { snapping: 0 }), "the display's rate is 0: give a rate from 0.000001 to 1000000, such as 60");
  says(() => Stepper.fixed(60, { maxFrames: 1 }), /^a fixed step has no maxFrames: give one of maxFrame, maxTicks/);
  says(() => Stepper.gated({ min: 0.3 }), "the shortest quantum (min) is 0.3: give a length of at most max");
  says(() => Stepper.gated({ rule: "client" }), 'rule is "client": give even, all-at-once, one-at-a-time');
  says(() => new Track(), "start is undefined: give an array of 3 numbers");
  says(() => new Track([0, 0, 0]).push([1, 2]), "value has 2 numbers: give 3");
  says(() => new Track([0, 0, 0]).push([1, NaN, 2]), "value is [1, NaN, 2]: give 3 numbers");
  says(() => new Track([0, 0, 0, 0, 0, 0, 2]), /its last four numbers are not a unit quaternion, normalise them first/);
  says(() => new Peer(0), "messages per second (hz) is 0: give a rate from 1/3600 (one an hour) to 1000000, such as 60");
  says(() => new ChaseCamera({ rate: 0 }), "rate is 0: give a number above 0, infinity for a rigid camera");
  says(() => new FollowCamera([0, 100]), "viewport is 0: give a number above 0, at most 1e9");
  says(() => new ChaseCamera().update(0.016, [0, 0, 0]), /^a camera needs the frame's time: give the stepper's moment/);
  says(() => new TickClock(60, 40), "bits of the tick counter is 40: give a number from 1 to 32");
  const queue = new Waypoints(new WaypointRules());
  assert.throws(() => queue.enqueueVelocity([0, Infinity, 0]), WaypointError);
  says(() => queue.enqueueVelocity([0, Infinity, 0]), "velocity [0.0, inf, 0.0] is not finite: check the report before decoding it");
  assert.equal(queue.counts.unusable, 2);
});

test("a timeline counts the frames that wanted an older value than it keeps", () => {
  const timeline = new Timeline({ numbers: 3, keep: 4 });
  const view = (at) => timeline.view({ at, presented: 0.1, beyond: 0, skipped: 0 }, [0, 0, 0])[0];
  for (let tick = 0; tick < 4; tick++) timeline.push(tick, [tick, 0, 0]);
  assert.equal(view(-1), 0);
  assert.equal(timeline.forgotten, 0, "before the first tick of all nothing was dropped");
  for (let tick = 4; tick < 6; tick++) timeline.push(tick, [tick, 0, 0]);
  assert.equal(view(0.5), 2);
  assert.equal(view(2.5), 2.5);
  assert.equal(timeline.forgotten, 1);
});

test("a loop runs its ticks and draws between them", () => {
  const stepper = Stepper.fixed(60);
  const ball = new Track([0, 0, 0]);
  for (const frame of Array(10).fill(0.0069)) {
    for (const tick of stepper.frame(frame)) ball.push([ball.truth[0] + 5 * tick.dt, 0, 0]);
    const { now } = ball.draw(stepper.moment);
    assert.ok(now[0] <= ball.truth[0] && ball.truth[0] - now[0] <= 5 / 60);
  }
  assert.equal(stepper.ticks, 4);
  assert.equal(stepper.frame(1).lost, 0.75);
  assert.equal(stepper.frame(0.25).ticks, 15);
  assert.deepEqual([...Stepper.gated({ max: 0.15 }).frame(0.4)].length, 3);
});

test("a teleport is never drawn in between, and what stops is at rest", () => {
  const door = new Track([0]);
  door.push([1]);
  assert.deepEqual([...door.view(Moment.at(0.5, 0))], [0.5]);
  door.cut([9]);
  assert.deepEqual([...door.view(Moment.at(0.5, 0))], [9]);
  assert.ok(door.atRest(Moment.at(0.5, 0)));
  assert.ok(door.draw(Moment.at(0.5, 0)).cut);
});

test("results are the same objects in every frame", () => {
  const stepper = Stepper.fixed(60);
  const track = new Track([0, 0, 0]);
  assert.equal(stepper.frame(0.02), stepper.frame(0.02));
  track.push([1, 0, 0]);
  const drawn = track.draw(stepper.moment);
  stepper.frame(0.001);
  assert.equal(track.draw(stepper.moment), drawn);
  const camera = new ChaseCamera();
  assert.equal(camera.update(stepper.moment, drawn), camera.update(stepper.moment, drawn));
});

test("a track that missed a tick says so, once", () => {
  const warn = mock.method(console, "warn", () => {});
  const stepper = Stepper.fixed(60);
  const track = new Track([0, 0, 0]);
  track.draw(stepper.moment);
  for (let n = 1; n < 4; n++) {
    stepper.frame(2 / 60);
    track.push([n, 0, 0]); // two ticks ran
    track.draw(stepper.moment);
  }
  assert.equal(warn.mock.callCount(), 1);
  assert.match(warn.mock.calls[0].arguments[0], /after 2 ticks of which it got 1: call push \(or cut\) in every tick/);
  warn.mock.restore();
});

test("a push after the loop over the ticks is noticed", () => {
  const warn = mock.method(console, "warn", () => {});
  const stepper = Stepper.fixed(60);
  const track = new Track([0, 0, 0]);
  let x = 0;
  for (let n = 0; n < 20; n++) {
    for (const _ of stepper.frame(1 / 144)) x++;
    track.push([x, 0, 0]);
    track.draw(stepper.moment);
  }
  assert.match(warn.mock.calls[0].arguments[0], /got 1 values in 0 ticks: call push in the loop over the ticks, once in each/);
  warn.mock.restore();
});

test("a track with too few ends for a gate says how many it needs", () => {
  const warn = mock.method(console, "warn", () => {});
  const gate = Stepper.gated({ min: 0.01, max: 0.2 });
  const track = new Track([0], { ends: 3 });
  let x = 0;
  for (const seconds of [0.2, 0.2, ...Array(40).fill(0.011)]) {
    for (const _ of gate.frame(seconds)) track.push([x++]);
    track.draw(gate.moment);
  }
  assert.equal(warn.mock.callCount(), 1);
  assert.match(warn.mock.calls[0].arguments[0], /^portamento: a track of 3 ends was asked for a moment \d+ ticks back, which needs/);
  assert.equal(gate.endsNeeded, 22);
  warn.mock.restore();
});

test("a gate has no rate and does not snap", () => {
  const gate = Stepper.gated();
  assert.throws(() => gate.setHz(30), /a gate has no tick rate \(30 was given\).*: give it min and max instead/);
  assert.throws(() => gate.setSnapping(true), /snapping is true: a gate takes frames of any length and does not snap, give false/);
  gate.setSnapping(false);
  assert.equal(gate.isSnapping, false);
});

test("frames in milliseconds are reported, once", () => {
  const warn = mock.method(console, "warn", () => {});
  const stepper = Stepper.fixed(60);
  for (let n = 0; n < 100; n++) stepper.frameAt((n * 1000) / 60);
  for (let n = 0; n < 100; n++) stepper.frame(1);
  assert.equal(warn.mock.callCount(), 1);
  assert.match(warn.mock.calls[0].arguments[0], /give frame and frameAt seconds, not milliseconds/);
  warn.mock.restore();
});

test("a peer's times in milliseconds or ticks are reported", () => {
  const warn = mock.method(console, "warn", () => {});
  /** Twenty messages per second for twenty seconds, with times in these units: the sender's, ours, a frame's. */
  const run = (sent, arrived, drawn, hidden = 0) => {
    const peer = new Peer(20);
    for (let n = 0; n < 400; n++) {
      peer.receive(sent * (100 + n / 20), arrived * (50 + (n < hidden ? hidden : n) / 20));
      if (n >= hidden) peer.frame(drawn * (50 + n / 20));
    }
  };
  run(1, 1, 1);
  run(1, 1, 1, 300); // three hundred messages at once, after a sleep
  assert.equal(warn.mock.callCount(), 0);
  run(1000, 1, 1);
  assert.match(warn.mock.calls[0].arguments[0], /messages are 50 s apart by its times .*: give receive both times in seconds/);
  run(1, 1, 1000);
  assert.match(warn.mock.calls[1].arguments[0], /give frame and receive readings of one clock, in seconds/);
  assert.equal(warn.mock.callCount(), 2);
  warn.mock.restore();
});

test("a camera without a body says what to do", () => {
  for (const camera of [new ChaseCamera(), new FollowCamera([640, 360])]) {
    assert.throws(() => camera.update({ presented: 0.1 }, null), /a camera needs what it follows, not null: give what draw returned/);
  }
});

test("a rate is a rate", () => {
  const stepper = Stepper.fixed(60, { snapping: 144 });
  assert.equal(stepper.isSnapping, true);
  stepper.setHz(30);
  assert.throws(() => stepper.setHz(0), /ticks per second \(hz\) is 0/);
  const server = new Peer(20);
  assert.throws(() => server.setHz(2e6), /messages per second \(hz\) is 2000000: give a rate from 1\/3600/);
  server.setHz(30);
});

test("an entity of which only its end is known is gone", () => {
  const [server, other] = [new Peer(20), new Snapshots({ numbers: 2 })];
  const stamp = server.receive(100, 5);
  assert.equal(other.draw(server.frame(5)).status, "not-yet");
  assert.equal(other.vanish(stamp), "in");
  assert.equal(other.draw(server.frame(5.01)).status, "gone");
});

test("an entity that its peer no longer mentions is gone, if so chosen", () => {
  for (const [forget, end] of [[1, "gone"], [Number.MAX_VALUE, "here"]]) {
    const [server, other] = [new Peer(20, { forget }), new Snapshots({ numbers: 2 })];
    let seen;
    for (let n = 0; n < 300; n++) {
      const stamp = n % 3 === 0 ? server.receive(100 + n / 60, n / 60) : null;
      if (stamp && n < 100) other.insert(stamp, [n, 0]);
      seen = other.draw(server.frame(n / 60));
      if (n === 99) assert.equal(seen.status, "here");
    }
    assert.equal(seen.status, end);
  }
});

test("a correction glides, and a far one is a cut", () => {
  const player = new PredictedTrack([0, 0, 0]);
  const at = (frame) => Moment.at(1, 1 / 144, frame);
  player.draw(at(0));
  player.reconcile([0.5, 0, 0]);
  assert.equal(player.truth[0], 0.5);
  const { now, cut } = player.draw(at(1));
  assert.ok(now[0] > 0 && now[0] < 0.02 && !cut);
  player.reconcile([50, 0, 0]);
  assert.ok(player.draw(at(2)).cut && player.draw(at(3)).now[0] === 50);
  const offset = new VisualOffset({ numbers: 3 });
  assert.equal(offset.absorb([1, 0, 0], [1.5, 0, 0]), "kept");
  assert.deepEqual(offset.drawn([1.5, 0, 0], []), [1, 0, 0]);
  for (let n = 0; n < 600; n++) offset.fade(1 / 144);
  assert.ok(offset.isGone);
  assert.equal(offset.absorb([Number.MAX_VALUE, 0, 0], [-Number.MAX_VALUE, 1, 0]), "snapped");
});

test("a track of two ends glides and cuts too, when ticks have run since the last frame", () => {
  for (const [far, cuts] of [[3, false], [6, true]]) {
    const player = new PredictedTrack([0, 0, 0], { ends: 2 });
    player.draw(Moment.at(1, 1 / 144, 0));
    player.push([0.08, 0, 0]);
    player.reconcile([0.08 + far, 0, 0]);
    const { now, cut } = player.draw(Moment.at(0.4, 1 / 144, 1));
    assert.equal(cut, cuts);
    // At most 1.9 times its own way on top, of which there are 0.032 in this frame.
    assert.ok(cuts ? now[0] > 6 : now[0] > 0.03 && now[0] < 0.1, `${now[0]}`);
  }
});

/** Others at 20 messages per second, until `end`; frames only where `seen` says so. */
function network(end, seen) {
  const [server, other] = [new Peer(20), new Snapshots({ numbers: 3 })];
  const frames = [];
  for (let n = 0; n < end * 60; n++) {
    const now = n / 60;
    if (n % 3 === 0) other.insert(server.receive(500 + now - 0.03, now), [5 * now, 0, 0]);
    if (!seen(now)) continue;
    const frame = server.frame(now);
    if (frame) frames.push({ now, shown: frame.shown - 500, drawn: other.draw(frame).now[0] });
  }
  return frames;
}

test("others are drawn where they were, a little in the past", () => {
  for (const { now, shown, drawn } of network(10, () => true)) {
    if (now > 1) assert.ok(Math.abs(drawn - 5 * (shown + 0.03)) < 0.1 && now - shown < 0.2, `${now}`);
  }
});

test("after a hidden tab the first frame shows the present", () => {
  const frames = network(40, (now) => now < 5 || now > 35);
  const back = frames.find(({ now }) => now > 35);
  assert.ok(35 - back.shown < 0.3 && Math.abs(back.drawn - 5 * back.shown) < 1, JSON.stringify(back));
});

test("a body walks to its report, and is placed where it cannot walk", () => {
  const other = new RemoteBody(new WaypointRules());
  assert.equal(other.report({ pose: [0, 0, 0] }, 5), "cut");
  assert.equal(other.report({ pose: [1, 0, 0] }, 5), "enqueue");
  for (let n = 0; n < 10; n++) other.walk({ dt: 1 / 30, maxSpeed: 4 });
  assert.equal(other.truth[0], 1);
  assert.equal(other.report({ pose: [300, 0, 0] }, 5), "enqueue");
  other.walk({ dt: 1 / 30, maxSpeed: 4 });
  assert.equal(other.truth[0], 300, "too far to walk");
  assert.equal(other.waypoints.counts.placed, 1);
});

test("a follow camera stays in the world, and the mouse points at what is drawn", () => {
  const bounds = { min: [0, 0], max: [4000, 1000] };
  const camera = new FollowCamera([640, 360], { bounds, deadZone: [80, 40] });
  const moment = Moment.at(0.5, 1 / 60);
  const framing = camera.update(moment, [100, 500]);
  assert.deepEqual(framing.offset(), [0, 320]);
  const under = framing.toWorld([10, 20]);
  camera.zoomTo(2, [10, 20]);
  assert.deepEqual(camera.update(moment, [100, 500]).toWorld([10, 20]), under);
  assert.deepEqual(framing.toScreen(framing.centre), [320, 180]);
  assert.ok(framing.sees([100, 400], [120, 420]) && !framing.sees([3000, 0], [3001, 1]));
});
