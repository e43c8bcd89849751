//! The laws, for the modules `step`, `blend` and `track`. Each test here turns red when its law is broken:
//! `cargo xtask mutants` breaks them one by one to show it.

#[path = "golden/input.rs"]
mod input;

use input::{jittery_frames, steppers};
use portamento::blend::{Pose, Rotation};
use portamento::step::{Frame, MomentParts, Stepper};
use portamento::{Moment, Track};

const FRAME_RATES: [f64; 11] = [24.0, 30.0, 59.94, 60.0, 75.0, 90.0, 120.0, 144.0, 165.0, 240.0, 1000.0];

/// A physics with memory, so that one tick too many or of another length changes every bit after it.
fn physics(state: &mut [f64; 2], tick: u64, dt: f64) {
    let push = if tick.is_multiple_of(97) { 3.0 } else { 0.0 };
    state[1] += (push - 0.3 * state[1] - 4.0 * (state[0] - 5.0)) * dt;
    state[0] += state[1] * dt;
}

#[test]
fn law_1_the_truth_does_not_know_that_it_is_drawn() {
    for rate in FRAME_RATES {
        for (name, fresh) in steppers() {
            let mut bits = Vec::new();
            for drawn in [false, true] {
                let mut stepper = fresh.clone();
                let mut state = [0.0, 0.0];
                let mut track = Track::<f64>::new(0.0);
                let mut log = Vec::new();
                for frame in jittery_frames(rate, 7) {
                    let Frame { ticks, moment, .. } = stepper.frame(frame);
                    for tick in ticks {
                        if drawn {
                            state[0] = *track.truth();
                        }
                        physics(&mut state, tick.number, tick.dt);
                        if drawn {
                            track.push(state[0]);
                        }
                        log.push([tick.number, tick.time.to_bits(), tick.dt.to_bits(), state[0].to_bits()]);
                    }
                    if drawn {
                        // Drawn twice, at this moment and at another: neither may be felt.
                        let _ = track.draw(moment);
                        let _ = track.view(Moment::at(0.123, 0.0));
                    }
                }
                bits.push(log);
            }
            assert_eq!(bits[0], bits[1], "{name} at {rate} frames/s");
        }
    }
}

#[test]
fn law_1_a_fixed_step_gives_the_same_truth_at_every_frame_rate() {
    let truth = |frames: Vec<f64>| {
        let mut stepper = Stepper::fixed(60.0).unwrap();
        let mut state = [0.0, 0.0];
        for frame in frames {
            for tick in stepper.frame(frame).ticks {
                physics(&mut state, tick.number, tick.dt);
            }
        }
        (stepper.counts().ticks, state.map(f64::to_bits))
    };
    let expected = truth(vec![1.0 / 60.0; 600]);
    assert_eq!(expected.0, 600);
    for rate in FRAME_RATES {
        assert_eq!(truth(jittery_frames(rate, 11)), expected, "{rate} frames/s");
    }
}

#[test]
fn law_2_no_view_is_ahead_of_the_truth_and_law_6_none_runs_backwards() {
    for rate in FRAME_RATES {
        for (name, mut stepper) in steppers() {
            let mut track = Track::<f64>::new(0.0);
            let mut single = Track::<f32>::new(0.0);
            let (mut last, mut last_single) = (0.0f64, 0.0f32);
            for frame in jittery_frames(rate, 3) {
                let Frame { ticks, moment, .. } = stepper.frame(frame);
                for tick in ticks {
                    track.push(track.truth() + tick.dt);
                    single.push(*track.truth() as f32);
                }
                let view = track.view(moment);
                assert!(view <= *track.truth(), "{name} at {rate}: {view} is ahead of {}", track.truth());
                // The client's one oddity, tiny pending time that is dropped, cannot happen here: no frame is
                // that short.
                assert!(view >= last, "{name} at {rate}: {view} after {last}");
                assert!(single.view(moment) >= last_single, "{name} at {rate} in f32");
                assert_eq!(MomentParts::from(moment).beyond, 0.0);
                (last, last_single) = (view, single.view(moment));
            }
            assert!(last > 9.7, "{name} at {rate} stopped at {last}");
        }
    }
}

#[test]
fn law_3_a_cut_is_a_cut() {
    for rate in [30.0, 60.0, 144.0, 240.0] {
        for (name, mut stepper) in steppers() {
            let mut track = Track::<f64>::new(0.0);
            let mut cut_done = false;
            for (i, frame) in jittery_frames(rate, 5).into_iter().enumerate() {
                let Frame { ticks, moment, .. } = stepper.frame(frame);
                for (k, tick) in ticks.enumerate() {
                    // A teleport in the middle of ordinary ticks, by an entity: the stepper is not told.
                    if !cut_done && i > 50 && k == 0 {
                        track.cut(1000.0);
                        cut_done = true;
                    } else {
                        track.push(track.truth() + 0.001 * tick.dt);
                    }
                }
                let view = track.view(moment);
                assert!(!(1.0..999.0).contains(&view), "{name} at {rate}: {view}");
            }
            assert!(cut_done);
        }
    }
}

#[test]
fn law_4_what_stops_settles_on_the_truths_exact_bits() {
    // Many rotations: bringing one to unit length again changes the bits of some and not of others.
    let places = (0..20).map(|k| {
        Pose::new([0.1, -3.3e7, 1e-30], Rotation::from_axis_angle([1.0, 2.0, 3.0], 0.7 + 0.1 * k as f32))
    });
    for (odd, (name, mut stepper)) in places.flat_map(|odd| steppers().into_iter().map(move |s| (odd, s))) {
        let mut track = Track::<Pose>::new(Pose::default());
        let mut ticks_at_rest = 0;
        for (i, frame) in jittery_frames(144.0, 9).into_iter().enumerate() {
            let Frame { ticks, moment, .. } = stepper.frame(frame);
            for _ in ticks {
                let moving = Pose::at([i as f32, 0.0, 0.0]);
                track.push(if i < 400 { moving } else { odd });
                ticks_at_rest += u32::from(i >= 400);
            }
            // One more tick than the picture reaches back, and everything drawn is the same bits.
            if ticks_at_rest > MomentParts::from(moment).back + 1 {
                assert!(track.ends().at_rest(moment), "{name}");
                assert_eq!(bits(track.view(moment)), bits(odd), "{name}");
                let drawn = track.draw(moment);
                assert_eq!(bits(drawn.now), bits(odd));
            }
        }
        assert!(ticks_at_rest > 10);
    }
}

fn bits(pose: Pose) -> ([u32; 3], [u32; 4]) {
    (pose.position.map(f32::to_bits), pose.rotation.to_array().map(f32::to_bits))
}

#[test]
fn law_5_everything_in_a_frame_uses_one_moment() {
    // Two bodies glued together, one pushed before the other: their distance is never drawn differently.
    for (name, mut stepper) in steppers() {
        let mut body = Track::<f64>::new(0.0);
        let mut rider = Track::<f64>::new(2.0);
        for frame in jittery_frames(90.0, 21) {
            let Frame { ticks, moment, .. } = stepper.frame(frame);
            for tick in ticks {
                body.push(body.truth() + 8.0 * tick.dt);
                rider.push(body.truth() + 2.0);
            }
            assert!((rider.view(moment) - body.view(moment) - 2.0).abs() < 1e-12, "{name}");
            let again = stepper.moment();
            let place = |m: Moment| {
                let MomentParts { alpha, back, beyond, ticks, .. } = m.into();
                (alpha, back, beyond, ticks)
            };
            assert_eq!(place(moment), place(again), "asking again gives the same");
        }
    }
}

#[test]
fn law_6_times_that_make_no_sense_are_harmless_and_counted() {
    for (name, mut stepper) in steppers() {
        let mut track = Track::<f64>::new(0.0);
        let mut last = 0.0;
        let weird = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, -1e300, 1e-9, 1e9, 1e300];
        for i in 0..5000 {
            let dt = if i % 7 == 0 { weird[i / 7 % weird.len()] } else { 0.004 };
            let Frame { ticks, moment, .. } = stepper.frame(dt);
            for tick in ticks {
                track.push(track.truth() + tick.dt);
            }
            assert!((0.0..=1.0).contains(&moment.alpha()) && moment.presented() >= 0.0);
            let view = track.view(moment);
            // `client` and `seed` may step back by the tiny time that they drop.
            let tolerance = if name == "client" { 2e-4 } else { 1e-12 };
            assert!(view >= last - tolerance, "{name}: {view} after {last}");
            last = view;
        }
        assert!(stepper.counts().unusable > 400, "{name}: {}", stepper.counts().unusable);
        assert!(stepper.counts().lost > 1e8, "{name} lost {}", stepper.counts().lost);
    }
}

#[test]
fn law_9_nothing_is_lost_silently() {
    for (name, mut stepper) in steppers() {
        let (mut given, mut run, mut lost) = (0.0, 0.0, 0.0);
        for i in 0..2000 {
            let dt = if i % 100 == 99 { 0.15 * (i / 100) as f64 + 0.01 } else { 0.007 };
            let frame = stepper.frame(dt);
            given += dt;
            lost += frame.lost.seconds;
            run += frame.ticks.map(|tick| tick.dt).sum::<f64>();
            assert_eq!(frame.lost.seconds > 0.0, frame.lost.reason.is_some());
        }
        // What was given was simulated, was lost, or is pending.
        let pending = given - run - lost;
        let most = if name == "seed" { 2.0 } else { 0.2 };
        assert!((-1e-6..=most).contains(&pending), "{name}: {given} {run} {lost}");
        assert_eq!(stepper.counts().lost, lost, "{name}");
        assert!(lost > 0.5, "{name}");
    }
}
