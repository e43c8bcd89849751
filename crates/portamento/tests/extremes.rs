//! Numbers that no clock should give, and that some clock gives all the same: every answer stays finite, counters stop at
//! their ends, and what was saved comes back.

use portamento::blend::OffsetSize;
use portamento::playhead::{Playhead, PlayheadRule, PlayheadSettings, Shown, Timeline};
use portamento::remote::{Peer, PeerSettings, Report, Snapshots, TickClock};
use portamento::step::{GateRule, GateSettings, GatedStepper};
use portamento::track::{Absorbed, OffsetFading, VisualOffset};

const EXTREME: [f64; 8] = [f64::MAX, f64::MIN, 1e300, -1e300, 1e200, 1e15, -1e15, 0.0];

fn finite(shown: Shown) -> bool {
    [shown.at, shown.presented, shown.beyond, shown.skipped].iter().all(|number| number.is_finite())
}

#[test]
fn a_frame_at_the_end_of_time_moves_a_playhead_that_may_not_bend() {
    for limit in [0.0, 0.13] {
        let settings = PlayheadSettings { bend: 0.0, extrapolate: limit, ..PlayheadSettings::at_hz(60.0) };
        let mut playhead = Playhead::new(settings).unwrap();
        for tick in 0..30 {
            let now = f64::from(tick) / 60.0;
            playhead.observe(now, 1.1 * now);
            playhead.advance(now);
        }
        assert!(playhead.statistics().rate.unwrap() > 1.0);
        // The ticks stop.
        for frame in 30..90 {
            playhead.advance(f64::from(frame) / 60.0);
        }
        assert!(finite(playhead.advance(f64::MAX).unwrap()));
    }
}

#[test]
fn clock_readings_at_the_ends_of_what_a_number_holds_are_harmless() {
    for rule in [PlayheadRule::Locked, PlayheadRule::SinceArrival] {
        for (i, a) in EXTREME.into_iter().enumerate() {
            for b in EXTREME {
                let settings = PlayheadSettings { rule, ..PlayheadSettings::at_hz(60.0) };
                let mut playhead = Playhead::new(settings).unwrap();
                let mut last = f64::NEG_INFINITY;
                for (arrival, sim, now) in
                    [(0.0, 0.0, 0.01), (a, b, b), (b, a, a), (1.0, f64::MAX, b), (b, f64::MAX, 3.0)]
                {
                    playhead.observe(arrival, sim);
                    playhead.set_time_scale(arrival, [1.0, 0.0, 1e6, 0.3][i % 4]);
                    let shown = playhead.advance(now).unwrap();
                    assert!(finite(shown), "{rule:?} {a} {b}: {shown:?}");
                    assert!(shown.at >= last, "{rule:?} {a} {b}: {shown:?} after {last}");
                    assert!(playhead.writer_reads(now).unwrap().is_finite(), "{rule:?} {a} {b}");
                    assert!(
                        playhead.statistics().rate.unwrap().is_finite()
                            && playhead.statistics().spacing.unwrap().is_finite()
                    );
                    assert!(playhead.statistics().skipped.is_finite());
                    last = shown.at;
                }
            }
        }
    }
}

#[test]
fn a_peer_and_its_snapshots_stay_finite_whatever_the_clocks_read() {
    for a in EXTREME {
        for b in EXTREME {
            let mut peer = Peer::at_hz(20.0).unwrap();
            let mut other = Snapshots::<[f64; 3]>::new();
            for (sent, arrived, now) in [
                (0.0, 0.0, 0.01),
                (0.05, 0.05, 0.06),
                (a, b, b),
                (b, a, a),
                (f64::MAX, b, 3.0),
                (1.0, 1.0, b),
            ] {
                let stamp = peer.receive(sent, arrived);
                other.insert(stamp, Report::new([1.0, 2.0, 3.0]));
                let frame = peer.frame(now).unwrap();
                let numbers = [frame.shown, frame.delay, frame.presented, frame.elapsed];
                assert!(numbers.iter().all(|number| number.is_finite()), "{a} {b}: {numbers:?}");
                if let Some(drawn) = other.draw(&frame).here() {
                    assert!(drawn.now.iter().all(|number| number.is_finite()), "{a} {b}: {drawn:?}");
                }
                let about = peer.statistics();
                assert!(
                    [about.delay, about.jitter, about.extrapolated].iter().all(|number| number.is_finite()),
                    "{a} {b} {about:?}"
                );
            }
        }
    }
}

#[test]
fn counters_of_a_peer_that_sends_all_the_time_stop_at_their_ends() {
    let mut settings = PeerSettings::at_hz(20.0);
    settings.playhead.interval = 1e-300;
    let mut peer = Peer::new(settings).unwrap();
    for message in 0..30 {
        let sent = f64::from(message);
        peer.receive(sent, f64::from(message));
        peer.frame(f64::from(message));
    }
    let about = peer.statistics();
    assert!((0.0..=1.0).contains(&about.loss), "{about:?}");
}

#[test]
fn a_tick_counter_goes_on_after_a_message_from_the_end_of_time() {
    let mut stamps = TickClock::at_hz(64.0, 8).unwrap();
    assert_eq!(stamps.seconds(254, 10.0), Some(254.0 / 64.0));
    for extreme in [f64::MAX, f64::MIN, 1e300, 1e18] {
        assert!(stamps.seconds(3, extreme).is_none_or(f64::is_finite), "{extreme}");
    }
    assert_eq!(stamps.seconds(2, 10.063), Some(258.0 / 64.0), "what no clock reads was not learned from");
    assert!(stamps.seconds(4, -f64::MAX).is_none_or(f64::is_finite));
    let mut young = TickClock::at_hz(64.0, 32).unwrap();
    let _ = young.seconds(1, f64::MIN);
    assert!(young.seconds(2, f64::MAX).is_none_or(f64::is_finite));
}

#[test]
fn a_gate_that_would_work_for_seconds_inside_one_frame_is_refused() {
    let settings = GateSettings { huge: 1e9, ..GateSettings::default() };
    let error = GatedStepper::with_gate(settings).unwrap_err().to_string();
    assert_eq!(error, "the stale limit (huge) is 1e9: give at most a million times max");
    let most = GateSettings { huge: 2e5, ..GateSettings::default() };
    assert_eq!(GatedStepper::with_gate(most).unwrap().frame(2e5).ticks.len(), 1_000_000);
}

#[test]
fn a_gate_that_has_simulated_for_ages_goes_on() {
    let settings = GateSettings { min: 1.0, max: 1e9, huge: 1e9, rule: GateRule::AllAtOnce };
    let mut gate = GatedStepper::with_gate(settings).unwrap();
    for _ in 0..20_000 {
        assert_eq!(gate.frame(9e8).ticks.len(), 1);
    }
    assert_eq!((gate.counts().simulated, gate.counts().ticks), (1e13, 20_000));
}

#[test]
fn a_pause_after_the_end_of_time_leads_no_farther_than_the_newest_tick() {
    let mut playhead = Playhead::at_hz(60.0).unwrap();
    playhead.observe(0.0, -1e300);
    playhead.advance(0.0);
    playhead.set_time_scale(0.0, 0.0);
    playhead.observe(0.1, -0.25);
    let shown = playhead.advance(f64::MAX).unwrap();
    assert!(shown.at <= -0.25 && shown.beyond == 0.0, "{shown:?}");
}

#[test]
fn between_two_ticks_that_hardly_differ_there_is_a_place() {
    let mut timeline = Timeline::<f64>::new();
    timeline.push(0.0, 1.0);
    timeline.push(5e-324, 2.0);
    let place = timeline.place(Shown::still(0.0)).unwrap();
    assert_eq!((place.alpha(), timeline.view(Shown::still(0.0))), (0.0, Some(1.0)));
}

#[test]
fn a_clock_that_hardly_runs_stands() {
    let mut playhead = Playhead::at_hz(60.0).unwrap();
    for tick in 0..30 {
        let now = f64::from(tick) / 60.0;
        playhead.observe(now, now);
        playhead.advance(now);
    }
    for scale in [5e-324, 1e-300, 1e-10] {
        playhead.set_time_scale(0.5, 1.0);
        playhead.set_time_scale(0.5, scale);
        assert_eq!(playhead.statistics().rate, Some(0.0), "{scale}");
        assert!(finite(playhead.advance(0.6).unwrap()));
    }
    assert_eq!(playhead.statistics().unusable, 0);
}

#[test]
fn an_offset_from_one_end_of_the_numbers_to_the_other_is_a_jump() {
    let mut offset = VisualOffset::<[f64; 2]>::default();
    let absorbed = offset.absorb(
        &[1e300, 0.0],
        &[-1e300, 0.0],
        OffsetSize { length: f64::INFINITY, angle: f64::INFINITY },
    );
    assert_eq!((absorbed, offset.size()), (Absorbed::Snapped, OffsetSize::default()));
    // A fading that makes no sense leaves nothing, rather than something that is no number.
    for broken in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        let _ = offset.absorb(&[1.0, 0.0], &[0.0, 0.0], OffsetSize { length: 9.0, angle: 9.0 });
        let fading = OffsetFading {
            top_speed: OffsetSize { length: broken, angle: broken },
            slow: broken,
            ..OffsetFading::CORRECTION
        };
        offset.fade(0.1, &fading);
        assert!(offset.drawn(&[0.0, 0.0]).iter().all(|number| number.is_finite()), "{broken}");
    }
}

#[test]
fn a_picture_goes_from_one_end_of_the_numbers_to_the_other() {
    let mut peer = Peer::at_hz(20.0).unwrap();
    let mut entity = Snapshots::<[f64; 3]>::new();
    for message in 0..40 {
        let now = f64::from(message) * 0.05;
        let x = if message < 20 { 1e300 } else { -1e300 };
        entity.insert(peer.receive(now, now), Report::new([x, 0.0, 0.0]));
        let drawn = entity.draw(&peer.frame(now).unwrap()).here().unwrap();
        assert!(drawn.now.iter().all(|number| number.is_finite()), "{drawn:?}");
    }
    assert!(entity.blended().is_some_and(|value| value[0] == -1e300));
}

#[test]
fn a_tick_counter_whose_clock_jumps_to_and_fro_ends_before_its_ticks_do() {
    let mut stamps = TickClock::at_hz(0.25, 2).unwrap();
    for message in 0..200 {
        let arrived = if message % 2 == 0 { 3e16 } else { -3e16 };
        assert!(stamps.seconds(message, arrived).is_none_or(|seconds| seconds.abs() <= 4.0 * 9e15));
    }
}

#[cfg(feature = "serde")]
mod saves {
    use super::*;
    use portamento::batch::Batch;
    use portamento::blend::{Pose, Pose64};
    use portamento::camera::{ChaseCamera, ChaseSettings, FollowCamera, FollowSettings};
    use portamento::playhead::Cues;
    use portamento::{Moment, Track};
    use serde::{Serialize, de::DeserializeOwned};
    use serde_json::{Value, json};

    /// What is read back from the save, which is the same as what was saved.
    #[track_caller]
    fn comes_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(saved: &T) -> T {
        let text = serde_json::to_string(saved).unwrap();
        let again: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(&again, saved);
        again
    }

    fn broken<T: Serialize + DeserializeOwned>(
        sound: &T,
        path: &str,
        number: Value,
    ) -> Result<T, serde_json::Error> {
        let mut saved = serde_json::to_value(sound).unwrap();
        *saved.pointer_mut(path).expect(path) = number;
        serde_json::from_value(saved)
    }

    #[test]
    fn a_save_comes_back_after_an_infinite_moment() {
        for presented in [f64::INFINITY, f64::MAX] {
            for moment in [Moment::at(0.5, presented), Moment::past_newest(presented, presented)] {
                let mut crowd = Batch::<Pose>::new();
                crowd.insert(Pose::default());
                let _ = crowd.frame(moment);
                let text = serde_json::to_string(&crowd).unwrap();
                serde_json::from_str::<Batch<Pose>>(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
                let mut track = Track::<f64>::new(1.0);
                let _ = track.draw(moment);
                comes_back(&track);
                comes_back(&moment);
            }
        }
    }

    #[test]
    fn saves_of_a_playhead_a_peer_and_its_snapshots_come_back_after_any_time() {
        for a in EXTREME.into_iter().chain([f64::INFINITY, f64::NAN]) {
            for b in EXTREME {
                let mut playing = (Playhead::at_hz(60.0).unwrap(), Timeline::<f64>::new(), Cues::<u8>::new());
                let mut network = (Peer::at_hz(20.0).unwrap(), Snapshots::<[f64; 3]>::new());
                for (at, sim, now) in
                    [(0.0, 0.0, 0.01), (a, b, a), (b, a, a), (1.0, f64::MAX, a), (b, f64::MAX, b)]
                {
                    playing.0.observe(at, sim);
                    playing.1.push(sim, 1.0);
                    let _ = playing.2.add(sim, 1);
                    if let Some(shown) = playing.0.advance(now) {
                        let _ = playing.1.draw(shown);
                    }
                    comes_back(&playing.0);
                    comes_back(&playing.1);
                    comes_back(&playing.2);
                    let stamp = network.0.receive(sim, at);
                    network.1.insert(stamp, Report::new([1.0; 3]));
                    if let Some(frame) = network.0.frame(now) {
                        let _ = network.1.draw(&frame);
                        comes_back(&frame);
                    }
                    comes_back(&network.0);
                    comes_back(&network.1);
                }
            }
        }
    }

    #[test]
    fn a_saved_pace_that_no_snapshot_teaches_is_refused() {
        let mut peer = Peer::at_hz(20.0).unwrap();
        let mut entity = Snapshots::<[f64; 3]>::new();
        for message in 0..8 {
            let now = f64::from(message) / 20.0;
            entity.insert(peer.receive(now, now + 0.05), Report::new([now, 0.0, 0.0]));
        }
        comes_back(&entity);
        for path in ["/pace/speed/length", "/pace/speed/angle", "/pace/top"] {
            for number in [-1.0, 1e307] {
                assert!(broken(&entity, path, json!(number)).is_err(), "{path} {number}");
            }
        }
    }

    fn running() -> Playhead {
        let mut playhead = Playhead::at_hz(60.0).unwrap();
        for tick in 0..60 {
            let now = f64::from(tick) / 60.0;
            playhead.observe(now, now);
            playhead.advance(now + 0.004);
        }
        playhead
    }

    #[test]
    fn a_saved_playhead_that_is_ahead_of_everything_is_refused() {
        for (path, number) in [
            ("/life/shown", 3.0),
            ("/life/previous", 3.0),
            ("/life/paused_at", 1.0),
            ("/life/frame", -1.0),
            ("/life/into_tick", 2.0),
            ("/life/spacings/0", 0.0),
            ("/life/usual_tick", -1.0),
            ("/life/clock/line/at", 1e300),
            ("/life/clock/line/scale", 1e-12),
            ("/last_now", 1e300),
        ] {
            assert!(broken(&running(), path, json!(number)).is_err(), "{path}");
        }
    }

    #[test]
    fn a_saved_camera_shows_nothing_that_no_camera_drew() {
        let mut follow = FollowCamera::new(FollowSettings::new([640.0, 360.0])).unwrap();
        let mut chase = ChaseCamera::new(ChaseSettings::y_up()).unwrap();
        follow.update(Moment::newest(0.01), [5.0, 5.0]);
        chase.update(Moment::newest(0.01), Pose::default());
        for (path, number) in [
            ("/drawn/zoom", 5e-324),
            ("/drawn/viewport/0", -1.0),
            ("/drawn/centre/0", 1e300),
            ("/drawn/origin/1", 1e300),
            ("/shaking/strength", 9.0),
            ("/shaking/clock", -1.0),
        ] {
            assert!(broken(&follow, path, json!(number)).is_err(), "{path}");
        }
        for (path, number) in [
            ("/state/shot/rotation/z", 1e17),
            ("/state/shot/body_opacity", 7.0),
            ("/state/shot/forward/2", -1.0005),
        ] {
            assert!(broken(&chase, path, json!(number)).is_err(), "{path}");
        }
        // A wall at the end of the world pushes the eye far, and that comes back.
        chase.update_with(Moment::newest(0.01), Pose64::at([-9e149; 3]), |_, _| [1e150; 3]);
        comes_back(&chase);
    }

    #[test]
    fn a_saved_tick_counter_beyond_all_ticks_is_refused() {
        let mut stamps = TickClock::at_hz(64.0, 8).unwrap();
        stamps.seconds(3, 1.0);
        assert!(broken(&stamps, "/newest/0", json!(1e300)).is_err());
        assert!(broken(&stamps, "/hz", json!(1e-300)).is_err());
        assert!(TickClock::at_hz(1e-300, 32).unwrap_err().to_string().contains("from 0.000001"));
    }

    #[test]
    fn a_save_with_a_spread_that_is_almost_nothing_is_refused_or_goes_on() {
        for path in ["/life/clock/line/spread", "/life/clock/before/spread"] {
            for spread in [5e-324, 1e-300, 1e-160, 1e-9] {
                let Ok(mut playhead) = broken(&running(), path, json!(spread)) else { continue };
                for tick in 60..90 {
                    let now = f64::from(tick) / 60.0;
                    playhead.observe(now, now + 0.0001);
                    assert!(finite(playhead.advance(now + 0.004).unwrap()), "{path} {spread}");
                    assert!(playhead.statistics().rate.unwrap().is_finite(), "{path} {spread}");
                }
            }
        }
    }

    #[test]
    fn counters_at_the_end_of_what_they_hold_stay_there() {
        let counters =
            ["ticks", "old", "late", "held", "unusable", "backward", "relocks", "jumps", "restarts"];
        let mut playhead = running();
        for counter in counters {
            playhead = broken(&playhead, &format!("/statistics/{counter}"), json!(u64::MAX)).unwrap();
        }
        let mut peer = Peer::at_hz(60.0).unwrap();
        for message in 0..3 {
            peer.receive(f64::from(message), f64::from(message));
        }
        for counter in ["received", "lost", "late", "duplicates", "unusable", "relocks", "restarts"] {
            peer = broken(&peer, &format!("/statistics/{counter}"), json!(u64::MAX)).unwrap();
        }
        let mut cues = broken(&Cues::<u8>::new(), "/refused", json!(u64::MAX)).unwrap();
        let mut timeline = broken(&Timeline::<f64>::new(), "/refused", json!(u64::MAX)).unwrap();
        for event in 0..200 {
            let now = 1.0 + f64::from(event) / 30.0 + if event == 100 { 90.0 } else { 0.0 };
            let sim = if event % 7 == 0 { f64::NAN } else { now - f64::from(event % 5) };
            playhead.observe(now, sim);
            playhead.set_time_scale(sim, 1.0);
            playhead.advance(if event % 11 == 0 { sim } else { now });
            peer.receive(sim, now);
            peer.frame(if event % 11 == 0 { sim } else { now });
            if event == 150 {
                playhead.restart();
                peer.restart();
            }
            let _ = cues.add(sim, 1);
            timeline.push(sim, 1.0);
        }
        assert_eq!(playhead.statistics().ticks, u64::MAX);
        assert_eq!((cues.refused, timeline.refused), (u64::MAX, u64::MAX));
        assert!((0.0..=1.0).contains(&peer.statistics().loss));
    }
}
