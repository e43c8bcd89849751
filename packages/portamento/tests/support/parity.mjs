// Each part of the package beside the same part of the Rust library, through random calls: all numbers that come out must have
// the same bits. A check is given an oracle and dice, and calls `same(what, theirs, ours)`.
import { ChaseCamera, FollowCamera } from "../../src/camera.js";
import { Peer, PredictedTrack, Snapshots, TickClock, VisualOffset } from "../../src/remote.js";
import { Moment, Stepper, Track } from "../../src/step.js";
import { RemoteBody, WaypointRules } from "../../src/waypoints.js";

const vector = (dice, size) => [0, 1, 2].map(() => (dice.next() < 0.1 ? dice.one([0, -0, 1, 1e6]) : dice.between(-size, size)));
const pose = (dice, size) => [...vector(dice, size), ...(dice.next() < 0.2 ? [0, 0, 0, 1] : dice.rotation())];

/** A pose that a body could have a moment after `from`. */
function moved(dice, from, size) {
  if (dice.next() < 0.2) return [...from];
  if (dice.next() < 0.03) return pose(dice, 100);
  const turned = from.slice(3).map((c) => c + dice.between(-0.2, 0.2));
  const length = Math.hypot(...turned);
  return [...from.slice(0, 3).map((c) => c + dice.between(-size, size)), ...turned.map((c) => Math.fround(c / length))];
}

function moment(dice, frame) {
  const roll = dice.next();
  const made =
    roll < 0.1 ? Moment.pastNewest(dice.between(0, 2), 0.016)
    : roll < 0.2 ? Moment.newest(0)
    : Moment.at(dice.one([0, 1, 0.5, dice.next()]), dice.one([0, 0.016, dice.between(0, 0.1)]));
  const back = roll >= 0.2 && dice.next() < 0.3 ? dice.below(6) : 0;
  const out = back > 0 ? made.ticksBack(back) : made;
  out.frame = frame;
  return out;
}

const row = (m) => [m.alpha, m.beyond, m.presented, m.back, m.tick + 1, m.frame + 1];
const drawnRow = (d) => [...d.now, ...d.before, d.cut ? 1 : 0];

export const CHECKS = {
  stepper(oracle, dice, same) {
    const hz = dice.one([60, 30, 128, dice.between(1, 300)]);
    const gated = dice.next() < 0.3;
    const settings = {
      maxFrame: dice.one([0.25, 0.1, 1]),
      maxTicks: dice.one([null, null, 1, 4]),
      extrapolate: dice.one([0, 0, 1, 0.5, 3]),
      snapping: dice.one([false, true, 60, 144]),
      carryDrift: dice.next() < 0.5,
      watchDisplay: dice.next() < 0.5,
    };
    const snapRow = (snap) => (snap === false ? [0, 0] : snap === true ? [1, 0] : [2, snap]);
    const gate = { rule: dice.one(["even", "all-at-once", "one-at-a-time"]), min: 1 / 30, max: 0.2, huge: 2 };
    const rule = ["even", "all-at-once", "one-at-a-time"].indexOf(gate.rule);
    const ours = gated ? Stepper.gated(gate) : Stepper.fixed(hz, settings);
    const theirs = gated
      ? oracle.call("stepper_gated", [gate.min, gate.max, gate.huge], rule)
      : oracle.call("stepper_fixed", [settings.maxFrame, settings.maxTicks ?? -1, settings.extrapolate, snapRow(settings.snapping), settings.carryDrift, settings.watchDisplay], hz);
    // A display of another rate than the one that was named makes a debt of many ticks.
    const usual = dice.one([1 / 60, 1 / 144, 1 / 59.9, 0.02, 1 / 65, 1 / 56]);
    const scatter = dice.one([0.2, 0.01]);
    let now = 0;
    for (let n = 0; n < 300; n++) {
      const roll = dice.next();
      if (roll < 0.02) { ours.pause(); oracle.call("stepper_pause", [], theirs, 1); }
      else if (roll < 0.05) { ours.resume(); oracle.call("stepper_pause", [], theirs, 0); }
      else if (roll < 0.07) { const scale = dice.one([1, 0.2, 3, 0]); ours.timeScale = scale; oracle.call("stepper_set_time_scale", [], theirs, scale); }
      else if (roll < 0.08 && !gated) { const rate = dice.between(10, 200); ours.setHz(rate); oracle.call("stepper_set_rate", [], theirs, rate); }
      else if (roll < 0.09 && !gated) { const snap = dice.one([true, 75]); ours.setSnapping(snap); oracle.call("stepper_set_snapping", [snapRow(snap)], theirs); }
      else if (roll < 0.1) { ours.cut(); oracle.call("stepper_cut", [], theirs); }
      const kind = dice.next();
      const seconds = dice.next() < 0.03 ? dice.one([NaN, Infinity, -1, 0, 1.5]) : usual * dice.between(1 - scatter, 1 + scatter);
      now += seconds > 0 && seconds < 9 ? seconds : 0;
      const frame = kind < 0.05 ? ours.stepOnce() : kind < 0.5 ? ours.frame(seconds) : ours.frameAt(now);
      const got = kind < 0.05 ? oracle.ask(9, "stepper_step_once", [], theirs) : kind < 0.5 ? oracle.ask(9, "stepper_frame", [], theirs, seconds) : oracle.ask(9, "stepper_frame_at", [], theirs, now);
      const reason = [null, "long-frame", "tick-limit", "stale", "tiny"].indexOf(frame.reason);
      same("frame", got.slice(0, 8), [frame.ticks, frame.lost, reason, ...row(frame.moment).slice(0, 5)]);
      for (const tick of frame) {
        oracle.call("stepper_tick", [], theirs);
        same("tick", oracle.read(3), [tick.number, tick.dt, tick.time]);
      }
      const counts = [ours.ticks, ours.unusable, ours.lost, ours.drift, ours.endsNeeded, ours.simulated, ours.timeScale, ours.isSnapping, ours.isPaused];
      same("counts", oracle.ask(9, "stepper_counts", [], theirs), counts.map(Number));
    }
  },

  track(oracle, dice, same) {
    let at = pose(dice, 10);
    const ours = new Track(at);
    const theirs = oracle.call("track_new", [at]);
    for (let n = 0; n < 200; n++) {
      const roll = dice.next();
      if (roll < 0.5) { at = moved(dice, at, 1); ours.push(at); oracle.call("track_put", [at], theirs, 0); }
      else if (roll < 0.55) { at = moved(dice, at, 1); ours.correct(at); oracle.call("track_put", [at], theirs, 1); }
      else if (roll < 0.58) { at = pose(dice, 100); ours.cut(at); oracle.call("track_put", [at], theirs, 2); }
      else if (roll < 0.6) { const by = vector(dice, 5); ours.rebase(by); oracle.call("track_rebase", [by], theirs); at = [...ours.truth]; }
      same("truth", oracle.ask(7, "track_truth", [], theirs), [...ours.truth]);
      const drawnAt = moment(dice, dice.next() < 0.5 ? n : -1);
      same("view", oracle.ask(7, "track_view", [row(drawnAt)], theirs), [...ours.view(drawnAt)]);
      same("draw", oracle.ask(15, "track_draw", [row(drawnAt)], theirs), drawnRow(ours.draw(drawnAt)));
      if (dice.next() < 0.2) same("again", oracle.ask(15, "track_draw", [row(drawnAt)], theirs), drawnRow(ours.draw(drawnAt)));
      same("at rest", [oracle.call("track_at_rest", [row(drawnAt)], theirs)], [Number(ours.atRest(drawnAt))]);
    }
  },

  predicted(oracle, dice, same) {
    let at = pose(dice, 10);
    const settings = dice.next() < 0.5 ? {} : { limit: dice.between(0.1, 8), pace: dice.between(0.5, 3), slow: 2, fast: dice.between(3, 20), small: 0.1, large: dice.between(0.2, 2) };
    const defaults = oracle.ask(11, "predicted_defaults", []);
    const [limit, pace, slow, fast] = [settings.limit ?? defaults[0], settings.pace ?? defaults[2], settings.slow ?? defaults[3], settings.fast ?? defaults[4]];
    const [small, large] = [settings.small ?? defaults[5], settings.large ?? defaults[7]];
    const theirs = oracle.call("predicted_new", [at, limit, defaults[1], pace, slow, fast, small, small, large, large, defaults[9], defaults[10]]);
    const ours = new PredictedTrack(at, settings);
    for (let n = 0; n < 200; n++) {
      const stands = n % 100 >= 50;
      for (let ticks = dice.one([0, 1, 1, 2, 9]); ticks > 0; ticks--) {
        if (!stands) at = moved(dice, at, 0.3);
        ours.push(at);
        oracle.call("predicted_put", [at], theirs, 0);
      }
      const roll = stands ? 1 : dice.next();
      if (roll < 0.15) { at = moved(dice, at, dice.one([0.2, 1, 20])); ours.reconcile(at); oracle.call("predicted_put", [at], theirs, 3); }
      else if (roll < 0.17) { at = pose(dice, 50); ours.cut(at); oracle.call("predicted_put", [at], theirs, 2); }
      else if (roll < 0.2) { at = moved(dice, at, 0.2); ours.correct(at); oracle.call("predicted_put", [at], theirs, 1); }
      else if (roll < 0.21) { const by = vector(dice, 5); ours.rebase(by); oracle.call("predicted_rebase", [by], theirs); at = [...ours.truth]; }
      const drawnAt = moment(dice, n);
      same("truth", oracle.ask(7, "predicted_truth", [], theirs), [...ours.truth]);
      same("draw", oracle.ask(15, "predicted_draw", [row(drawnAt)], theirs), drawnRow(ours.draw(drawnAt)));
      same("view", oracle.ask(7, "predicted_view", [row(drawnAt)], theirs), [...ours.view(drawnAt)]);
      same("offset", oracle.ask(1, "predicted_offset", [], theirs), [ours.offset]);
      same("at rest", [oracle.call("predicted_at_rest", [row(drawnAt)], theirs)], [Number(ours.atRest(drawnAt))]);
    }
  },

  offset(oracle, dice, same) {
    const defaults = oracle.ask(11, "predicted_defaults", []);
    const theirs = oracle.call("offset_new", defaults);
    const ours = new VisualOffset();
    let at = pose(dice, 10);
    for (let n = 0; n < 200; n++) {
      if (dice.next() < 0.2) {
        const to = moved(dice, at, dice.one([0.1, 1, 10]));
        const absorbed = ["kept", "partly", "snapped"].indexOf(ours.absorb(at, to));
        same("absorbed", [oracle.call("offset_absorb", [at, to], theirs)], [absorbed]);
        at = to;
      }
      const seconds = dice.one([0.016, dice.between(0, 0.3), 0]);
      ours.fade(seconds);
      oracle.call("offset_fade", [], theirs, seconds);
      if (dice.next() < 0.02) { ours.clear(); oracle.call("offset_clear", [], theirs); }
      same("drawn", oracle.ask(7, "offset_drawn", [at], theirs), ours.drawn(at, []));
      same("size", oracle.ask(2, "offset_size", [], theirs), [ours.length, ours.angle]);
    }
  },

  snapshots(oracle, dice, same) {
    let [hz, preset, silent] = [dice.one([10, 20, 30]), dice.below(4), 0];
    const presets = [undefined, "action", "racing", "strategy"];
    const settings = oracle.ask(7, "peer_defaults", [], preset, hz);
    const forget = dice.next() < 0.3 ? dice.between(0.5, 2) : settings[6];
    settings[6] = forget;
    const their = [0, 1].map(() => oracle.call("peer_new", settings, preset, hz, 1));
    const our = [0, 1].map(() => new Peer(hz, { preset: presets[preset], forget }));
    const rotations = dice.next() < 0.6;
    const theirs = oracle.call("snapshots_new", [], Number(rotations));
    const ours = new Snapshots({ numbers: rotations ? 7 : 3 });
    const words = ["in", "duplicate", "too-late", "unusable"];
    let [at, now, peer, sent] = [pose(dice, 10), 5, 0, [100, 7000]];
    let [epoch, rests] = [0, false];
    for (let n = 0; n < 300; n++) {
      now += 1 / 60;
      sent = sent.map((s) => s + 1 / 60);
      if (dice.next() < 0.01) now += dice.between(0, 1);
      if (dice.next() < 0.005) {
        hz = dice.one([10, 20, 30]);
        if (dice.next() < 0.5) {
          our.forEach((one) => one.setHz(hz));
          their.forEach((one) => oracle.call("peer_set_hz", [], one, hz));
        }
      }
      if (dice.next() < 0.01) silent = silent > 0 ? 0 : 60;
      silent = Math.max(silent - 1, 0);
      if (n % Math.round(60 / hz) === 0 && dice.next() < 0.9) {
        const stamps = our.map((one, p) => one.receive(sent[p], now));
        their.forEach((one, p) => oracle.call("peer_receive", [], one, sent[p], now));
        if (dice.next() < 0.02) { peer = 1 - peer; ours.handOver(); oracle.call("snapshots_hand_over", [], theirs); }
        rests = rests ? dice.next() < 0.8 : dice.next() < 0.05;
        if (!rests) at = moved(dice, at, 0.5);
        if (dice.next() < 0.02) [epoch, at] = [epoch + 1, pose(dice, 100)];
        if (dice.next() < 0.03) {
          same("vanish", [oracle.call("snapshots_vanish", [], theirs, their[peer])], [words.indexOf(ours.vanish(stamps[peer]))]);
        } else if (silent === 0 && dice.next() < 0.8) {
          const velocity = dice.next() < 0.3 ? [...vector(dice, 3), ...vector(dice, 2)] : null;
          const value = rotations ? at : at.slice(0, 3);
          const given = { epoch, rests, velocity: velocity ? velocity.slice(0, rotations ? 6 : 3) : undefined };
          const pose7 = rotations ? at : [...at.slice(0, 3), 0, 0, 0, 1];
          const code = oracle.call("snapshots_insert", [pose7, velocity !== null, velocity ?? [0, 0, 0, 0, 0, 0], epoch, rests], theirs, their[peer]);
          same("insert", [code], [words.indexOf(ours.insert(stamps[peer], value, given))]);
        }
      }
      if (dice.next() < 0.005) { const by = vector(dice, 5); ours.rebase(by); oracle.call("snapshots_rebase", [by], theirs); at = at.map((c, k) => (k < 3 ? c + by[k] : c)); }
      if (dice.next() < 0.003) { our.forEach((one) => one.restart()); their.forEach((one) => oracle.call("peer_restart", [], one)); sent = [dice.between(0, 10), 9000]; }
      const frames = our.map((one) => one.frame(now));
      their.forEach((one, p) => {
        const there = oracle.call("peer_frame", [], one, now);
        const frame = frames[p];
        same("frame", there ? oracle.read(5) : [], frame ? [frame.shown, frame.delay, frame.presented, frame.elapsed, frame.life] : []);
      });
      their.forEach((one, p) => {
        const s = our[p].statistics;
        same("statistics", oracle.ask(11, "peer_statistics", [], one), [s.delay, s.jitter, s.received, s.lost, s.late, s.duplicates, s.unusable, s.extrapolated, s.relocks, s.restarts, s.loss]);
      });
      const frame = frames[peer];
      if (!frame) continue;
      const code = oracle.call("snapshots_draw", [], theirs, their[peer]);
      const read = oracle.read(17);
      const seen = ours.draw(frame);
      const wanted = seen.status === "not-yet" ? 0 : seen.status === "gone" ? 1 : 2 + ["blending", "extrapolating", "holding"].indexOf(seen.from);
      same("seen", [code], [wanted]);
      if (code >= 2) {
        const count = rotations ? 7 : 3;
        const numbers = [...read.slice(0, count), ...read.slice(7, 7 + count), ...read.slice(14)];
        same("drawn", numbers, [...seen.now, ...seen.before, Number(seen.cut), Number(seen.moved), seen.extraDelay]);
      }
      const claimed = oracle.call("snapshots_claim", [], theirs, their[peer]);
      same("claim", claimed ? oracle.read(12) : [], [...(ours.claim(frame) ?? [])]);
      if (code >= 2 && dice.next() < 0.1) {
        const by = vector(dice, 5);
        ours.rebase(by);
        oracle.call("snapshots_rebase", [by], theirs);
        at = at.map((c, k) => (k < 3 ? c + by[k] : c));
        oracle.call("snapshots_draw", [], theirs, their[peer]);
        const count = rotations ? 7 : 3;
        const again = oracle.read(17);
        const drawn = ours.draw(frame);
        same("again", [...again.slice(0, count), ...again.slice(7, 7 + count), again[14]], [...drawn.now, ...drawn.before, Number(drawn.cut)]);
      }
      const c = ours.counts;
      same("counts", oracle.ask(7, "snapshots_counts", [], theirs), [c.duplicates, c.late, c.unusable, c.evicted, c.crowded, c.snaps, c.unheard]);
    }
  },

  stamps(oracle, dice, same) {
    const [hz, bits] = [dice.one([64, 60, 20]), dice.one([8, 16, 10])];
    const theirs = oracle.call("stamps_new", [], hz, bits);
    const ours = new TickClock(hz, bits);
    let [tick, now] = [dice.below(5000), dice.between(0, 100)];
    for (let n = 0; n < 200; n++) {
      const step = dice.next() < 0.05 ? dice.below(2000) : dice.below(4);
      tick += step;
      now += step / hz + dice.between(-0.01, 0.02);
      if (dice.next() < 0.01) { ours.restart(); oracle.call("stamps_restart", [], theirs); }
      const [counter, at] = [(tick - (dice.next() < 0.1 ? 3 : 0)) % 2 ** bits, dice.next() < 0.01 ? NaN : now];
      same("seconds", [oracle.call("stamps_seconds", [], theirs, counter >>> 0, at)], [ours.seconds(counter >>> 0, at)]);
    }
  },

  body(oracle, dice, same) {
    const z = dice.next() < 0.5;
    const rule = dice.one(["by-speed", "by-time"]);
    const rules = z ? WaypointRules.zUp({ rule }) : new WaypointRules({ rule });
    const settings = oracle.ask(33, "rules_defaults", [], Number(z));
    settings[0] = Number(rule === "by-time");
    const theirRules = oracle.call("rules_new", settings);
    const theirs = oracle.call("body_new", []);
    const ours = new RemoteBody(rules);
    const routes = ["stale", "cut", "ignore", "place", "enqueue"];
    let [at, teleport, sequence, placements] = [pose(dice, 5), 65530, 65500, [0]];
    const attempt = (call) => { try { return call(); } catch (error) { return error; } };
    const outcomeRow = (o) => {
      const p = o.place;
      const velocity = (v) => (v ? [1, ...v] : [0, 0, 0, 0]);
      return [p ? 1 : 0, ...(p ? p.pose : [0, 0, 0, 0, 0, 0, 1]), ...velocity(p?.velocity ?? null), ...velocity(o.velocity), Number(o.stopped), Number(o.released)];
    };
    const outcome = () => { const read = oracle.read(18); placements = [read[0]]; return [Math.min(read[0], 1), ...read.slice(1)]; };
    for (let n = 0; n < 300; n++) {
      const roll = dice.next();
      if (roll < 0.25) {
        at = moved(dice, at, dice.one([0.3, 1]));
        if (dice.next() < 0.03) teleport++;
        sequence += dice.one([1, 1, 1, 0, -2]);
        const report = { pose: at, teleport: teleport & 0xffff, contact: dice.next() < 0.95, keepHeading: dice.next() < 0.2, indoors: dice.next() < 0.2 };
        if (dice.next() < 0.5) report.sequence = sequence & 0xffff;
        if (dice.next() < 0.1) report.blip = dice.between(0, 10);
        const away = dice.one([5, 5, 5, 95.9, 96, 120]);
        const numbers = [at, report.teleport, report.sequence ?? -1, 0, report.contact, report.keepHeading, report.indoors, report.blip ?? NaN, 0];
        same("route", [oracle.call("body_report", numbers, theirs, theirRules, away)], [routes.indexOf(ours.report(report, away))]);
      } else if (roll < 0.28) {
        const v = vector(dice, 3);
        ours.enqueueVelocity(v);
        oracle.call("body_enqueue_velocity", v, theirs);
      } else if (roll < 0.3) {
        ours.enqueueStop();
        oracle.call("body_tell", [], theirs, 0);
      } else if (roll < 0.32) {
        const target = vector(dice, 4);
        ours.stickTo(target, 1);
        oracle.call("body_stick_to", target, theirs, theirRules, 0, 1);
      } else if (roll < 0.34) {
        const target = vector(dice, 4);
        ours.follow(target);
        oracle.call("body_stick_to", target, theirs, theirRules, 1, 0);
      } else if (roll < 0.35) {
        const by = vector(dice, 3);
        ours.rebase(by);
        oracle.call("body_tell", by, theirs, 3);
        at = at.map((c, k) => (k < 3 ? c + by[k] : c));
      } else if (roll < 0.4) {
        const [dt, away] = [dice.one([0.016, 0.1]), dice.one([5, 50, 97])];
        ours.frame(dt, away);
        oracle.call("body_frame", [], theirs, theirRules, dt, away);
      }
      const tick = { dt: dice.one([1 / 30, 0.1]), maxSpeed: dice.one([4, 0, 10]), contact: dice.next() < 0.95 };
      const tickRow = [tick.dt, tick.maxSpeed, tick.contact, 0];
      if (dice.next() < 0.5) {
        const answered = oracle.call("body_walk", tickRow, theirs, theirRules);
        const theirOutcome = outcome();
        const got = attempt(() => ours.walk(tick));
        if (got instanceof Error || answered >= 99) same("walk refused", [answered >= 99], [got instanceof Error]);
        else if (got) same("walked", theirOutcome, outcomeRow(got));
      } else {
        const root = vector(dice, 0.1);
        const there = oracle.call("body_step", [tickRow, root, 0, 0, 0, 1], theirs, theirRules);
        const step = attempt(() => ours.step(tick, { offset: new Float64Array(root), turn: new Float64Array([0, 0, 0, 1]), clear() {}, apply: (_, out) => out }));
        if (there >= 99) { same("step refused", [1], [Number(step instanceof Error)]); continue; }
        same("step", there ? oracle.read(7) : [], step ? [...step.offset, ...step.turn] : []);
        if (step) {
          const to = step.apply(ours.truth, [0, 0, 0, 0, 0, 0, 0]);
          if (dice.next() < 0.4) to.splice(0, 3, ...ours.truth.slice(0, 3)); // a wall
          const answered = oracle.call("body_moved", to, theirs, theirRules);
          const theirOutcome = answered === 0 ? outcome() : null;
          const got = attempt(() => ours.moved(to));
          if (!theirOutcome) { same("moved refused", [1], [Number(got instanceof Error)]); continue; }
          same("moved", theirOutcome, outcomeRow(got));
          if (got.place) {
            const accept = dice.next() < 0.6;
            const answer = oracle.call("body_answer", [], theirs, placements[0], Number(accept));
            same("answer", [answer], [Number(accept ? ours.accept(got.place) : ours.refuse(got.place))]);
          }
        }
      }
      const drawnAt = moment(dice, n);
      const drawn = ours.draw(drawnAt);
      same("draw", oracle.call("body_draw", [row(drawnAt)], theirs) ? oracle.read(15) : [], drawn ? drawnRow(drawn) : []);
      const q = ours.waypoints;
      const c = q.counts;
      const state = [q.length, q.failures, q.frames, q.baseline ?? NaN, Number(q.keepsHeading), c.evicted, c.replaced, c.failed, c.placed, c.refused, c.late, c.unusable, c.stale, ours.strayed ?? NaN, ours.secondsSkipped, Number(ours.isSimulated), Number(ours.isSticking)];
      same("state", oracle.ask(17, "body_state", [], theirs, theirRules), state);
    }
  },

  chase(oracle, dice, same) {
    const z = dice.next() < 0.5;
    const settings = { rule: dice.one(["smooth", "smooth", "per-frame"]), rate: dice.one([4.5, 10, Infinity]), lookRate: dice.one([4.5, 8, Infinity]), distance: dice.one([2.61, 0, 5]), heightHold: dice.one([null, null, 2, Infinity, 0]), pitch: dice.between(-1, 1), orbit: dice.between(-3, 3), settle: dice.one([1e-4, 0.05]) };
    const all = oracle.ask(18, "chase_defaults", [], Number(z));
    const numbers = (s) => [s.rule === "per-frame", s.rate, s.lookRate, all.slice(3, 9), all[9], s.distance, s.pitch, s.orbit, all[13], all[14], s.heightHold ?? -1, s.settle];
    const theirs = oracle.call("chase_new", numbers(settings));
    const ours = z ? ChaseCamera.zUp(settings) : new ChaseCamera(settings);
    const shotRow = (s) => [...s.eye, ...s.forward, ...s.rotation, ...s.pivot, s.bodyOpacity];
    same("first shot", oracle.ask(14, "chase_shot", [], theirs), shotRow(ours.shot));
    let [at, before, still] = [pose(dice, 10), null, 0];
    for (let n = 0; n < 250; n++) {
      still = still > 0 ? still - 1 : dice.next() < 0.03 ? 60 : 0;
      before = at;
      const cut = dice.next() < 0.02;
      if (still === 0) at = cut ? pose(dice, 50) : moved(dice, at, 0.3);
      const roll = dice.next();
      if (roll < 0.05) { const look = [dice.between(-3, 3), dice.between(-2, 2)]; ours.setLook(...look); oracle.call("chase_look", [], theirs, ...look); }
      else if (roll < 0.06) { ours.cut(); oracle.call("chase_tell", [], theirs, 0); }
      else if (roll < 0.09) { ours.releaseHeight(); oracle.call("chase_tell", [], theirs, 1); }
      else if (roll < 0.1) { const by = vector(dice, 20); ours.rebase(by); oracle.call("chase_tell", by, theirs, 2); at = at.map((c, k) => (k < 3 ? c + by[k] : c)); }
      const seconds = dice.next() < 0.01 ? Infinity : dice.one([1 / 60, 1 / 144, 0, dice.between(0, 0.2)]);
      const body = [at, before, cut];
      const drawn = { now: new Float64Array(at), before: new Float64Array(before), cut };
      const wall = dice.next() < 0.3 ? dice.between(-2, 2) : null;
      let answer;
      if (wall === null) {
        answer = oracle.ask(14, "chase_update", [body, 0, 0, 0], theirs, seconds, 0);
      } else {
        const wanted = oracle.ask(6, "chase_update", [body, 0, 0, 0], theirs, seconds, 1);
        const allowed = [Math.max(wanted[3], wall), wanted[4], wanted[5]];
        answer = oracle.ask(14, "chase_update", [body, allowed], theirs, seconds, 2);
      }
      const shot = ours.update({ presented: seconds }, drawn, wall === null ? undefined : (_, eye) => { eye[0] = Math.max(eye[0], wall); });
      same("shot", answer, shotRow(shot));
    }
  },

  follow(oracle, dice, same) {
    const viewport = [640, 360];
    const settings = {
      zoom: dice.one([1, 2, 0.5]), deadZone: dice.one([[0, 0], [80, 40]]), lookAhead: dice.one([[0, 0], [0.3, 0.1]]), yUp: dice.next() < 0.5, origin: dice.one([[0, 0], [320, 10]]),
      bounds: dice.one([null, null, { min: [-1000, -300], max: [2000, 900] }, { min: [0, 0], max: [100, 100] }]),
    };
    if (dice.next() < 0.3) settings.exponential = { smoothing: dice.between(0.5, 0.95), speed: dice.between(0.5, 2) };
    else settings.rate = dice.one([8, 4, Infinity, [6, 12]]);
    const all = oracle.ask(29, "follow_defaults", [], ...viewport);
    const numbers = (s) => {
      const rate = s.exponential ? [1, s.exponential.smoothing, s.exponential.speed] : [0, ...(typeof s.rate === "number" ? [s.rate, s.rate] : s.rate)];
      const bounds = s.bounds ? [1, s.bounds.min, s.bounds.max] : [0, 0, 0, 0, 0];
      return [rate, viewport, s.origin, s.zoom, all.slice(8, 10), bounds, s.deadZone, s.lookAhead, all.slice(19, 21), s.yUp, all.slice(22, 27), all[27]].flat(9);
    };
    const theirs = oracle.call("follow_new", numbers(settings));
    const ours = new FollowCamera(viewport, settings);
    const framingRow = (f) => [...f.centre, f.zoom];
    same("first framing", oracle.ask(3, "follow_framing", [], theirs), framingRow(ours.framing));
    let players = [0, 1, 2].map(() => [dice.between(-500, 500), dice.between(-500, 500)]);
    let still = 0;
    for (let n = 0; n < 300; n++) {
      still = still > 0 ? still - 1 : dice.next() < 0.03 ? 60 : 0;
      const before = players;
      const cuts = players.map(() => dice.next() < 0.02);
      if (still === 0) players = players.map((p, k) => p.map((c) => c + dice.between(-10, 10) * (cuts[k] ? 100 : 1)));
      let drawn = players.map((p, k) => ({ now: new Float64Array(p), before: new Float64Array(before[k]), cut: cuts[k] }));
      const seconds = dice.next() < 0.01 ? Infinity : dice.one([1 / 60, 1 / 144, 0, dice.between(0, 0.2)]);
      const roll = dice.next();
      const about = dice.next() < 0.5 ? [dice.between(0, 640), dice.between(0, 360)] : undefined;
      if (roll < 0.03) { const s = dice.between(0, 1.5); ours.shake(s); oracle.call("follow_shake", [], theirs, s); }
      else if (roll < 0.06) { const zoom = dice.between(0.2, 4); ours.zoomTo(zoom, about); oracle.call("follow_zoom", [], theirs, 0, zoom, Number(Boolean(about)), ...(about ?? [0, 0])); }
      else if (roll < 0.08) { const by = dice.between(0.5, 2); ours.zoomBy(by, about); oracle.call("follow_zoom", [], theirs, 1, by, Number(Boolean(about)), ...(about ?? [0, 0])); }
      else if (roll < 0.11) { const by = [dice.between(-50, 50), dice.between(-50, 50)]; ours.pan(by); oracle.call("follow_tell", [], theirs, 4, ...by); }
      else if (roll < 0.13) { ours.recentre(); oracle.call("follow_tell", [], theirs, 1, 0, 0); }
      else if (roll < 0.14) { const to = players[0]; ours.setCentre(to); oracle.call("follow_tell", [], theirs, 3, ...to); }
      else if (roll < 0.15) { ours.cut(); oracle.call("follow_tell", [], theirs, 0, 0, 0); }
      else if (roll < 0.16) {
        const by = [dice.between(-50, 50), dice.between(-50, 50)];
        ours.rebase(by);
        oracle.call("follow_tell", [], theirs, 2, ...by);
        players = players.map((p) => p.map((c, k) => c + by[k]));
        if (settings.bounds) settings.bounds = { min: settings.bounds.min.map((c, k) => c + by[k]), max: settings.bounds.max.map((c, k) => c + by[k]) };
      } else if (roll < 0.18) {
        settings.bounds = dice.one([null, { min: [-700, -300], max: [900, 900] }]);
        settings.zoom = ours.zoom;
        ours.setSettings({ bounds: settings.bounds });
        oracle.call("follow_set", numbers(settings), theirs);
      }
      const count = dice.one([1, 1, 1, 3, 2, 0]);
      const targets = drawn.slice(0, count);
      const all = count > 1 || dice.next() < 0.2;
      const rows = targets.map((t) => [...t.now, ...t.before, t.cut]);
      const answer = oracle.ask(3, "follow_update", rows, theirs, seconds, count, Number(all));
      const frame = { presented: seconds };
      const framing = count === 0 ? ours.updateFree(frame) : all ? ours.updateAll(frame, targets) : ours.update(frame, targets[0]);
      same("framing", answer, framingRow(framing));
    }
  },
};
