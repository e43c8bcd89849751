//! The fixed step: its facts, its settings, and what changes while it runs.

use portamento::step::{FixedSettings, Frame, LostReason, MomentParts, Snapping, Stepper};
use portamento::{Moment, Track};
use proptest::prelude::*;

fn at_hz(hz: f64) -> FixedSettings {
    FixedSettings::at_hz(hz)
}

fn ticks(stepper: &mut Stepper, dt: f64) -> usize {
    stepper.frame(dt).ticks.len()
}

#[test]
fn ticks_are_counted_exactly() {
    let mut stepper = Stepper::fixed(60.0).unwrap();
    assert_eq!(ticks(&mut stepper, 1.0 / 60.0), 1, "a frame of exactly one step");
    assert_eq!(ticks(&mut Stepper::fixed(60.0).unwrap(), 0.25), 15);
    for hz in [20.0, 30.0, 50.0, 60.0, 64.0, 100.0, 120.0, 128.0, 144.0, 1000.0] {
        let mut stepper = Stepper::fixed(hz).unwrap();
        for frame in 0..100_000 {
            assert_eq!(ticks(&mut stepper, 1.0 / hz), 1, "{hz} Hz, frame {frame}");
        }
    }
}

#[test]
fn a_frame_early_by_a_nanosecond_is_a_tick_and_by_two_is_none() {
    for hz in
        [10.0, 20.0, 30.0, 50.0, 60.0, 64.0, 72.0, 75.0, 90.0, 100.0, 120.0, 144.0, 165.0, 240.0, 1000.0]
    {
        for (early, expected) in [(0.5e-9, 1), (1e-9, 1), (2e-9, 0)] {
            let mut stepper = Stepper::fixed(hz).unwrap();
            assert_eq!(ticks(&mut stepper, 1.0 / hz - early), expected, "{hz} Hz, {early} s early");
            // What was early or late is not lost: the second tick comes at twice the step.
            assert_eq!(ticks(&mut stepper, 1.0 / hz + early), 2 - expected, "{hz} Hz, {early} s late");
        }
    }
}

#[test]
fn a_long_run_keeps_its_count() {
    // Eight hours at 144 frames/s: the total is shortened again and again, and no tick is lost or doubled.
    let mut stepper = Stepper::fixed(60.0).unwrap();
    let frames = 144 * 3600 * 8;
    for _ in 0..frames {
        let _ = stepper.frame(1.0 / 144.0);
    }
    assert_eq!(stepper.counts().ticks, 60 * 3600 * 8);
}

#[test]
fn tick_times_do_not_depend_on_frames() {
    let two_hours = 7200.0;
    for hz in [30.0, 60.0, 62.5] {
        let ticks = (two_hours * hz) as usize - 20;
        let times = |frame: f64| {
            let mut stepper = Stepper::fixed(hz).unwrap();
            core::iter::repeat_with(move || stepper.frame(frame).ticks)
                .flatten()
                .take(ticks)
                .map(|tick| tick.time)
        };
        for (a, b) in times(1.0 / 240.0).zip(times(0.23)) {
            assert_eq!(a.to_bits(), b.to_bits(), "{hz} Hz: {a} {b}");
        }
    }
}

#[test]
fn a_picture_ahead_of_its_ticks_survives_a_change_of_rate() {
    for (from, to) in [(10.0, 100.0), (100.0, 10.0), (30.0, 31.0)] {
        let mut stepper = Stepper::new(FixedSettings { extrapolate: 1.0, ..at_hz(from) }).unwrap();
        let mut body = Track::<f64>::new(0.0);
        let (mut presented, mut before) = (0.0, 0.0);
        for frame in 0..400 {
            if frame == 139 {
                stepper.set_hz(to).unwrap();
            }
            let Frame { ticks, moment, .. } = stepper.frame(0.01);
            for tick in ticks {
                body.push(body.truth() + tick.dt); // one unit a second
            }
            let view: f64 = body.view(moment);
            assert!(view >= before - 1e-9, "{from} to {to} Hz, frame {frame}: from {before} back to {view}");
            presented += moment.presented();
            if frame > 20 {
                let now = f64::from(frame + 1) * 0.01;
                // A tick that got longer is waited for: the picture is at the limit of the short one before it.
                let waits = if to < from { 1.0 / to } else { 1e-6 };
                assert!(
                    (view - now).abs() <= waits,
                    "{from} to {to} Hz, frame {frame}: drawn {view} at {now}"
                );
                assert!(
                    (presented - view).abs() < 1e-6,
                    "{from} to {to} Hz: presented {presented} of {view}"
                );
            }
            before = view;
        }
    }
}

#[test]
fn a_very_long_frame_is_cut_off_and_said_so() {
    let mut stepper = Stepper::fixed(60.0).unwrap();
    let Frame { ticks, lost, moment } = stepper.frame(1.0);
    assert_eq!(ticks.len(), 15);
    assert_eq!((lost.seconds, lost.reason), (0.75, Some(LostReason::LongFrame)));
    assert_eq!(moment.presented(), 0.25);
    assert_eq!(stepper.counts().lost, 0.75);
}

#[test]
fn a_limit_of_ticks_drops_the_others_and_keeps_the_phase() {
    let mut stepper = Stepper::new(FixedSettings { max_ticks: Some(3), ..at_hz(60.0) }).unwrap();
    let Frame { ticks, lost, moment } = stepper.frame(5.5 / 60.0);
    assert_eq!(ticks.len(), 3);
    assert!((lost.seconds - 2.0 / 60.0).abs() < 1e-12 && lost.reason == Some(LostReason::TickLimit));
    assert!((moment.alpha() - 0.5).abs() < 1e-9);
    assert!((moment.presented() - 3.5 / 60.0).abs() < 1e-12);
    let error = Stepper::new(FixedSettings { max_ticks: Some(0), ..at_hz(60.0) }).unwrap_err();
    assert!(error.to_string().contains("max_ticks is 0"), "{error}");
}

#[test]
fn frame_times_that_no_clock_should_give_are_pure_reads() {
    let mut stepper = Stepper::fixed(60.0).unwrap();
    let _ = stepper.frame(0.02);
    let before = stepper.moment();
    for dt in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -1.0] {
        let Frame { ticks, moment, lost } = stepper.frame(dt);
        assert_eq!((ticks.len(), lost.seconds, moment), (0, 0.0, before), "{dt}");
    }
    assert_eq!(stepper.counts().unusable, 6);
}

#[test]
fn a_moment_reports_how_many_ticks_had_run() {
    for mut stepper in [Stepper::fixed(60.0).unwrap().into(), Stepper::gated()] {
        assert_eq!(MomentParts::from(stepper.moment()).ticks, Some(0));
        let mut ran = 0;
        for i in 0..200 {
            let Frame { ticks, moment, .. } = stepper.frame(0.004 * f64::from(i % 11));
            ran += ticks.count() as u64;
            for moment in [moment, stepper.moment()] {
                assert_eq!(MomentParts::from(moment).ticks, Some(ran));
            }
        }
        assert!(ran > 50);
    }
    assert_eq!(MomentParts::from(Moment::at(0.5, 0.01)).ticks, None, "an engine's own");
    assert!(size_of::<Moment>() <= 40);
}

#[test]
fn timestamps_start_the_clock_with_the_first_one() {
    let mut stepper = Stepper::fixed(60.0).unwrap();
    assert_eq!(stepper.frame_at(1_000_000.0).ticks.len(), 0);
    assert_eq!(stepper.frame_at(1_000_000.1).ticks.len(), 6);
    assert_eq!(stepper.frame_at(999_999.0).ticks.len(), 0, "a clock that jumped back");
    assert_eq!(stepper.frame_at(999_999.1).ticks.len(), 6, "and goes on from there");
    assert_eq!(stepper.frame_at(f64::NAN).ticks.len(), 0);
    assert_eq!(stepper.counts().unusable, 2);
}

#[test]
fn a_pause_freezes_alpha_and_a_scale_scales_it() {
    let mut stepper = Stepper::fixed(10.0).unwrap();
    let _ = stepper.frame(0.03);
    stepper.pause();
    let Frame { ticks, moment, .. } = stepper.frame(0.2);
    assert_eq!((ticks.len(), moment.presented()), (0, 0.0));
    assert!((moment.alpha() - 0.3).abs() < 1e-12);
    stepper.resume();
    stepper.set_time_scale(0.5).unwrap();
    let moment = stepper.frame(0.04).moment;
    assert!((moment.alpha() - 0.5).abs() < 1e-12 && (moment.presented() - 0.02).abs() < 1e-12);
    stepper.set_time_scale(0.0).unwrap();
    assert!((stepper.frame(0.04).moment.alpha() - 0.5).abs() < 1e-12);
    assert!(stepper.set_time_scale(-2.5).unwrap_err().to_string().contains("-2.5"));
    assert!(stepper.set_time_scale(f64::NAN).is_err());
}

#[test]
fn a_paused_game_is_stepped_by_exactly_one_tick() {
    for extrapolate in [0.0, 1.0] {
        let mut stepper = Stepper::new(FixedSettings { extrapolate, ..at_hz(50.0) }).unwrap();
        let _ = stepper.frame(0.107);
        stepper.pause();
        assert!(stepper.counts().paused);
        let before = stepper.moment();
        for i in 0..1000 {
            assert_eq!(stepper.frame(0.1).ticks.len(), 0);
            let Frame { ticks, moment, lost } = stepper.step_once();
            let ticks: Vec<_> = ticks.collect();
            assert_eq!((ticks.len(), ticks[0].number, ticks[0].dt), (1, 5 + i, 0.02));
            assert_eq!(ticks[0].time, (6 + i) as f64 / 50.0);
            assert!((moment.alpha() - before.alpha()).abs() < 1e-9 && lost.seconds == 0.0);
            assert!((MomentParts::from(moment).beyond - MomentParts::from(before).beyond).abs() < 1e-9);
            assert!((moment.presented() - 0.02).abs() < 1e-9);
        }
        stepper.resume();
        assert_eq!(stepper.frame(0.0129).ticks.len(), 0, "the phase is as it was");
        assert_eq!(stepper.frame(0.0002).ticks.len(), 1);
        assert_eq!(stepper.counts().ticks, 1006);
    }
}

#[test]
fn a_game_is_stepped_forwards_also_after_a_change_of_rate() {
    for (from, to) in [(10.0, 100.0), (100.0, 10.0), (60.0, 60.0)] {
        let mut stepper = Stepper::fixed(from).unwrap();
        let mut track = Track::<f64, 2>::with_ends(0.0);
        let mut view = 0.0;
        for i in 0..100 {
            if i == 33 {
                stepper.set_hz(to).unwrap();
            }
            let step = (33..40).contains(&i);
            let Frame { ticks, moment, .. } = if step { stepper.step_once() } else { stepper.frame(0.0071) };
            assert!(!step || ticks.len() == 1);
            for tick in ticks {
                track.push(track.truth() + tick.dt);
            }
            let now = track.view(moment);
            assert!(now >= view - 1e-12, "{from} to {to}, frame {i}: {view} to {now}");
            view = now;
        }
    }
}

#[test]
fn a_frame_simulates_no_more_than_max_frame_whatever_the_scale() {
    for (scale, ticks) in [(1.0, 15), (10.0, 15), (1e6, 15), (0.5, 7)] {
        let mut stepper = Stepper::fixed(60.0).unwrap();
        stepper.set_time_scale(scale).unwrap();
        for dt in [0.25, 1.0] {
            let Frame { ticks: due, moment, lost } = stepper.clone().frame(dt);
            // It was 150 ticks at scale 10.
            assert_eq!(due.len(), ticks, "scale {scale}");
            assert!((moment.presented() + lost.seconds - scale * dt).abs() <= 1e-9 * scale);
            assert!(moment.presented() <= 0.25);
        }
    }
    // Ten times real time at 60 frames/s loses nothing.
    let mut fast = Stepper::fixed(60.0).unwrap();
    fast.set_time_scale(10.0).unwrap();
    let ran: usize = (0..600).map(|_| fast.frame(1.0 / 60.0).ticks.len()).sum();
    assert_eq!((ran, fast.counts().lost), (6000, 0.0));
}

#[test]
fn a_new_tick_rate_does_not_move_the_picture() {
    let mut stepper = Stepper::fixed(60.0).unwrap();
    let mut track = Track::<f64, 2>::with_ends(0.0);
    let mut last = 0.0;
    for (i, hz) in [60.0, 20.0, 128.0, 30.0].into_iter().cycle().take(40).enumerate() {
        stepper.set_hz(hz).unwrap();
        let moment = stepper.moment();
        assert!((track.view(moment) - last).abs() < 1e-12, "change {i}");
        for _ in 0..7 {
            let Frame { ticks, moment, .. } = stepper.frame(0.0041);
            for tick in ticks {
                track.push(track.truth() + tick.dt);
            }
            let view = track.view(moment);
            assert!(view >= last);
            last = view;
        }
    }
    assert!(stepper.set_hz(0.0).is_err());
}

#[test]
fn a_new_tick_rate_does_not_change_the_drawn_speed() {
    for rates in [&[60.0, 20.0, 128.0, 30.0][..], &[20.0, 128.0], &[50.0, 50.0], &[1.0, 1000.0, 1.0]] {
        let mut stepper = Stepper::fixed(60.0).unwrap();
        let mut time = Track::<f64, 2>::with_ends(0.0);
        let mut last = None;
        for i in 0..2000 {
            // Also twice within one tick.
            if i % 13 == 0 || i % 39 == 1 {
                stepper.set_hz(rates[i % rates.len()]).unwrap();
            }
            let Frame { ticks, moment, .. } = stepper.frame(0.0041);
            for tick in ticks {
                time.push(tick.time);
            }
            let view = time.view(moment);
            if let Some(last) = last.replace(view).filter(|last| *last > 0.0) {
                assert!((view - last - 0.0041).abs() < 1e-9, "frame {i}: {}", view - last);
                assert!((moment.presented() - 0.0041).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn extrapolation_draws_the_present_and_never_farther_than_its_limit() {
    let mut stepper = Stepper::new(FixedSettings { extrapolate: 0.5, ..at_hz(10.0) }).unwrap();
    let mut track = Track::<f64, 2>::with_ends(0.0);
    for _ in 0..500 {
        let Frame { ticks, moment, .. } = stepper.frame(0.013);
        for tick in ticks {
            track.push(track.truth() + tick.dt);
        }
        assert!(MomentParts::from(moment).beyond <= 0.5);
        let ahead = track.view(moment) - track.truth();
        assert!((0.0..=0.05 + 1e-12).contains(&ahead), "{ahead}");
    }
    assert!(Stepper::new(FixedSettings { extrapolate: f64::NAN, ..at_hz(10.0) }).is_err());
}

#[test]
fn presented_time_is_what_the_picture_advanced_by_also_where_extrapolation_waits() {
    for limit in [0.0, 0.25, 0.5, 2.0] {
        let mut stepper = Stepper::new(FixedSettings { extrapolate: limit, ..at_hz(10.0) }).unwrap();
        let mut time = Track::<f64, 2>::with_ends(0.0);
        let mut last = None;
        for i in 0..500 {
            let Frame { ticks, moment, .. } = stepper.frame(0.013);
            for tick in ticks {
                time.push(tick.time);
            }
            let view = time.view(moment);
            if let Some(last) = last.replace(view).filter(|_| i > 20) {
                let advanced: f64 = view - last;
                assert!((advanced - moment.presented()).abs() < 1e-9, "{limit}: {advanced} {moment:?}");
            }
        }
    }
}

#[test]
fn a_time_that_its_scale_makes_infinite_is_a_pure_read() {
    for mut stepper in [Stepper::fixed(60.0).unwrap().into(), Stepper::gated()] {
        stepper.set_time_scale(1e6).unwrap();
        let Frame { moment, lost, .. } = stepper.frame(1e308);
        assert!(moment.presented() == 0.0 && lost.seconds == 0.0 && stepper.counts().lost == 0.0);
        assert_eq!(stepper.counts().unusable, 1);
    }
}

#[test]
fn snapping_evens_the_ticks_and_the_drift_is_readable() {
    // A 60 Hz display measured with half a millisecond of noise: one tick in every frame, no beat.
    let snapping = Snapping::ToDisplay { hz: 60.0 };
    let mut snapped = Stepper::new(FixedSettings { snapping, ..at_hz(60.0) }).unwrap();
    let mut raw = Stepper::fixed(60.0).unwrap();
    let noise = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 16) / 65_536.0 - 0.5;
    let mut uneven = 0;
    for i in 0..1000 {
        let dt = 1.0 / 60.0 + 0.001 * noise(i);
        assert_eq!(ticks(&mut snapped, dt), 1);
        uneven += usize::from(ticks(&mut raw, dt) != 1);
    }
    assert!(uneven > 50, "raw times beat against the step: {uneven}");
    assert!(snapped.counts().drift.abs() < 0.05);
}

#[test]
fn a_rate_that_can_never_run_is_refused_with_its_number() {
    for (hz, number) in [(0.0, "0"), (-60.0, "-60"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        assert!(Stepper::fixed(hz).unwrap_err().to_string().contains(number));
    }
    assert!(Stepper::fixed(5e-324).is_err(), "its period is not a number");
    assert!(Stepper::fixed(2e6).is_err(), "a frame could not run its ticks");
}

proptest! {
    #[test]
    fn ticks_follow_the_total_whatever_the_frames(
        hz in prop_oneof![Just(60.0), Just(30.0), Just(59.94), 1.0f64..500.0],
        frames in proptest::collection::vec(
            prop_oneof![
                20 => 1e-4f64..0.3,
                1 => prop_oneof![
                    Just(f64::NAN), Just(f64::INFINITY), Just(0.0), Just(-3.0), Just(1e-9), Just(1e9)
                ],
            ],
            1..200,
        ),
    ) {
        // The definition itself: tick k is due when the total reaches k / hz, less a nanosecond.
        let (mut total, mut run) = (0.0f64, 0u64);
        let mut stepper = Stepper::fixed(hz).unwrap();
        let mut lost = 0.0;
        for dt in frames {
            let Frame { ticks, moment, lost: here } = stepper.frame(dt);
            if dt.is_finite() && dt > 0.0 {
                total += dt.min(0.25);
                lost += dt - dt.min(0.25);
            }
            let mut due = 0;
            while total >= (run + 1) as f64 / hz - 1e-9 {
                run += 1;
                due += 1;
            }
            prop_assert_eq!(ticks.len(), due);
            prop_assert!(here.seconds >= 0.0);
            prop_assert!(moment.alpha() >= 0.0 && moment.alpha() <= 1.0);
            prop_assert!((moment.alpha() - ((total - run as f64 / hz) * hz).clamp(0.0, 1.0)).abs() < 1e-9);
        }
        prop_assert!((stepper.counts().lost - lost).abs() <= lost * 1e-12);
        prop_assert_eq!(MomentParts::from(stepper.moment()).back, 0);
    }
}

#[test]
fn the_time_scale_and_the_time_of_the_newest_tick_are_readable() {
    for mut stepper in [Stepper::fixed(60.0).unwrap().into(), Stepper::gated()] {
        stepper.set_time_scale(0.5).unwrap();
        let mut newest = 0.0;
        for _ in 0..100 {
            newest = stepper.frame(0.017).ticks.last().map_or(newest, |tick| tick.time);
            assert_eq!((stepper.counts().simulated, stepper.counts().time_scale), (newest, 0.5));
        }
        assert!(newest > 0.8);
        stepper.pause();
        assert_eq!(stepper.counts().time_scale, 0.0, "paused");
        stepper.resume();
        assert_eq!(stepper.counts().time_scale, 0.5);
    }
}
