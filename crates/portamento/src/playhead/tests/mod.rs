//! The contract of the playhead, sentence by sentence. Re-locking has its own file, `tests/playhead_relock.rs`.

mod cues;
mod timeline;

use super::*;
use proptest::prelude::*;

const TICK: f64 = 1.0 / 60.0;

/// A playhead that has watched a punctual writer for two seconds, and the time of its last frame.
fn running(settings: PlayheadSettings) -> (Playhead, f64) {
    let mut playhead = Playhead::new(settings).unwrap();
    let mut now = 0.0;
    for tick in 0..120 {
        playhead.observe(f64::from(tick) * TICK, f64::from(tick) * TICK);
        for part in 0..3 {
            now = (f64::from(tick) + f64::from(part) / 3.0) * TICK;
            playhead.advance(now);
        }
    }
    (playhead, now)
}

#[test]
fn before_the_first_tick_nothing_is_shown() {
    let mut playhead = Playhead::at_hz(1.0 / TICK).unwrap();
    assert_eq!(playhead.advance(0.0), None);
    assert_eq!(playhead.advance(f64::NAN), None);
    assert_eq!(
        (playhead.newest(), playhead.statistics().rate, playhead.writer_reads(1.0)),
        (None, None, None)
    );
}

#[test]
fn the_first_tick_is_shown_at_once() {
    for rule in [PlayheadRule::SinceArrival, PlayheadRule::Locked] {
        let mut playhead =
            Playhead::new(PlayheadSettings { rule, ..PlayheadSettings::at_hz(1.0 / TICK) }).unwrap();
        playhead.observe(100.0, 7.0);
        let shown = playhead.advance(100.001).unwrap();
        assert_eq!(shown, Shown { at: 7.0, presented: 0.0, beyond: 0.0, skipped: 0.0 });
    }
}

#[test]
fn seed_plays_each_tick_from_its_arrival_on() {
    let mut playhead =
        Playhead::new(PlayheadSettings { rule: PlayheadRule::SinceArrival, ..PlayheadSettings::at_hz(10.0) })
            .unwrap();
    playhead.observe(1.0, 5.0);
    playhead.observe(1.1, 5.1);
    for (now, at) in [(1.1, 5.0), (1.15, 5.05), (1.2, 5.1), (9.0, 5.1)] {
        let shown = playhead.advance(now).unwrap().at;
        assert!((shown - at).abs() < 1e-12, "{shown} at {now}");
    }
    playhead.observe_cut(9.0, 6.0);
    assert_eq!(playhead.advance(9.0).unwrap().at, 6.0, "a cut is both ticks at once");
}

#[test]
fn seed_stands_still_when_our_clock_is_set_back() {
    let mut playhead =
        Playhead::new(PlayheadSettings { rule: PlayheadRule::SinceArrival, ..PlayheadSettings::at_hz(8.0) })
            .unwrap();
    playhead.observe(10.0, 0.0);
    playhead.observe(10.125, 0.125);
    assert_eq!(playhead.advance(10.25).unwrap().at, 0.125);
    // For a frame as for good, and with a tick of the clock's new time.
    for now in [10.2, 9.0, 9.0625, 3.0] {
        let shown = playhead.advance(now).unwrap();
        assert_eq!(
            (shown.at, shown.presented, playhead.alpha_since_arrival()),
            (0.125, 0.0, Some(1.0)),
            "at {now}"
        );
    }
    playhead.observe(3.125, 0.25);
    assert_eq!((playhead.advance(3.125).unwrap().at, playhead.alpha_since_arrival()), (0.125, Some(0.0)));
    assert_eq!(playhead.advance(3.1875).unwrap().at, 0.1875);
    // A tick for the same moment again has its own way to go, though nothing is seen of it.
    playhead.observe(3.25, 0.25);
    assert_eq!((playhead.advance(3.25).unwrap().at, playhead.alpha_since_arrival()), (0.25, Some(0.0)));
}

#[test]
fn a_steady_writer_is_followed_one_tick_and_the_least_margin_behind() {
    let mut playhead = Playhead::at_hz(1.0 / TICK).unwrap();
    let mut last = None;
    for frame in 0..2880 {
        let now = f64::from(frame) / 144.0;
        if frame % 2 == 0 {
            // Half of 144 ticks a second, so that no rounding comes between.
            playhead.observe(now, now);
        }
        last = playhead.advance(now);
    }
    let behind = 2879.0 / 144.0 - last.unwrap().at;
    assert!((behind - (1.0 / 72.0 + 0.003)).abs() < 1e-4, "{behind}");
    assert!((playhead.statistics().rate.unwrap() - 1.0).abs() < 1e-6);
    assert_eq!(playhead.statistics().relocks, 0);
}

#[test]
fn the_margin_grows_with_the_worst_lateness_and_shrinks_when_it_is_forgotten() {
    let mut playhead = Playhead::at_hz(1.0 / TICK).unwrap();
    let mut behind = Vec::new();
    let mut tick = 0;
    for frame in 0..144 * 40 {
        let now = f64::from(frame) / 144.0;
        loop {
            // For ten seconds every 25th tick is 12 ms late.
            let late = if (900..1500).contains(&tick) && tick % 25 == 0 { 0.012 } else { 0.0 };
            let due = f64::from(tick) * TICK;
            if due + late > now {
                break;
            }
            playhead.observe(due + late, due);
            tick += 1;
        }
        let shown = playhead.advance(now).unwrap();
        behind.push(now - shown.at - TICK);
    }
    let after = |seconds: usize| behind[144 * seconds];
    assert!((after(14) - 0.003).abs() < 0.0005, "{}", after(14));
    assert!((0.011..0.014).contains(&after(24)), "{}", after(24));
    assert!((after(39) - 0.003).abs() < 0.0005, "{}", after(39));
}

#[test]
fn ticks_that_come_in_bunches_are_drawn_evenly() {
    for size in [2, 3, 5, 10] {
        let mut playhead = Playhead::at_hz(1.0 / TICK).unwrap();
        let mut tick = 0;
        let mut steps = Vec::new();
        for frame in 0..144 * 12 {
            let now = f64::from(frame) / 144.0 + 1e-4;
            // All ticks of a bunch come when its last is made.
            while f64::from(tick / size * size + size - 1) * TICK <= now {
                playhead.observe(f64::from(tick / size * size + size - 1) * TICK, f64::from(tick) * TICK);
                tick += 1;
            }
            if let Some(shown) = playhead.advance(now)
                && now > 6.0
            {
                steps.push(shown.presented * 144.0);
            }
        }
        assert!(steps.iter().all(|step| (step - 1.0).abs() < 0.001), "bunches of {size}: {steps:?}");
        assert_eq!(playhead.statistics().relocks, 0);
    }
}

#[test]
fn a_lost_tick_now_and_then_widens_the_margin() {
    let mut playhead = Playhead::at_hz(1.0 / TICK).unwrap();
    let mut tick = 0;
    for frame in 0..144 * 12 {
        let now = f64::from(frame) / 144.0 + 1e-4;
        while f64::from(tick) * TICK <= now {
            if tick % 10 != 0 {
                playhead.observe(f64::from(tick) * TICK, f64::from(tick) * TICK);
            }
            tick += 1;
        }
        if let Some(shown) = playhead.advance(now)
            && now > 9.0
        {
            let (behind, speed) = (now - shown.at, shown.presented * 144.0);
            assert!((behind - 2.0 * TICK).abs() < 0.002, "at {now}: {behind} behind");
            assert!((speed - 1.0).abs() < 0.01, "at {now}: {speed} times as fast");
        }
    }
}

#[test]
fn after_a_wait_it_goes_on_from_the_tick_that_came_and_does_not_run_out_again() {
    // Twenty frames a second; the writer pauses for half a second.
    let (mut playhead, mut now) = running(PlayheadSettings::at_hz(1.0 / TICK));
    let newest = playhead.newest().unwrap();
    for _ in 0..10 {
        now += 0.05;
        playhead.advance(now);
    }
    assert_eq!(playhead.advance(now).unwrap().at, newest, "it waits");
    let held = playhead.statistics().held;
    playhead.observe(now + 0.049, newest + TICK);
    let shown = playhead.advance(now + 0.05).unwrap();
    assert!(shown.presented > 0.0 && shown.presented <= RUN_AHEAD, "{shown:?}");
    assert_eq!(playhead.statistics().held, held, "{shown:?}");
}

#[test]
fn ticks_that_never_stop_following_each_other_are_a_faster_writer_and_no_bunch() {
    // Every two milliseconds, eight times as fast as its ticks are long.
    let mut playhead = Playhead::at_hz(1.0 / TICK).unwrap();
    for tick in 0..2500 {
        let now = f64::from(tick) * 0.002;
        playhead.observe(now, f64::from(tick) * TICK);
        playhead.advance(now);
    }
    let rate = playhead.statistics().rate.unwrap();
    assert!((rate * 0.002 / TICK - 1.0).abs() < 0.01, "{rate}");
}

#[test]
fn out_of_ticks_it_holds_the_newest_exactly() {
    let (mut playhead, now) = running(PlayheadSettings::at_hz(1.0 / TICK));
    let newest = playhead.newest().unwrap();
    for frame in 1..100 {
        let shown = playhead.advance(now + f64::from(frame) / 144.0).unwrap();
        assert!(shown.at <= newest && shown.beyond == 0.0);
    }
    assert_eq!(playhead.advance(now + 1.0).unwrap().at, newest);
    assert!(playhead.statistics().held > 90);
    playhead.observe(now + 1.0, newest + TICK);
    assert_eq!(playhead.statistics().late, 2, "the first tick of all, and this one, were waited for");
}

#[test]
fn extrapolation_fades_out_and_ends_at_its_limit() {
    let limit = 0.05;
    let (mut playhead, now) =
        running(PlayheadSettings { extrapolate: limit, ..PlayheadSettings::at_hz(1.0 / TICK) });
    let newest = playhead.newest().unwrap();
    let mut steps = Vec::new();
    for frame in 1..200 {
        let shown = playhead.advance(now + f64::from(frame) / 500.0).unwrap();
        assert!(shown.at <= newest + limit);
        assert_eq!(shown.beyond, (shown.at - newest).max(0.0));
        if shown.beyond > 0.0 {
            steps.push(shown.presented);
        }
    }
    let last = playhead.advance(now + 1.0).unwrap().beyond;
    assert!(last > 0.99 * limit && last <= limit, "it comes to its limit: {last}");
    assert!(steps.len() > 40, "it runs on");
    let slower = steps[1..].windows(2).all(|pair| pair[1] <= pair[0] + 1e-12);
    assert!(slower, "and never faster again: {steps:?}");
    assert!(steps[1] > 0.9 / 500.0, "from nearly full speed: {}", steps[1]);
}

#[test]
fn how_far_it_fades_does_not_depend_on_the_frame_rate() {
    let gone = |rate: f64| {
        let settings = PlayheadSettings { extrapolate: 0.1, ..PlayheadSettings::at_hz(1.0 / TICK) };
        let (mut playhead, now) = running(settings);
        let mut last = 0.0;
        for frame in 1..=(0.12 * rate) as u32 {
            last = playhead.advance(now + f64::from(frame) / rate).unwrap().beyond;
        }
        last
    };
    let (coarse, fine) = (gone(100.0), gone(1000.0));
    assert!(coarse > 0.05 && (coarse - fine).abs() < 0.002, "{coarse} {fine}");
}

#[test]
fn unusable_and_backward_times_are_counted_and_harmless() {
    let (mut playhead, now) = running(PlayheadSettings::at_hz(1.0 / TICK));
    let before = playhead.clone();
    let shown = playhead.advance(now).unwrap();
    for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(playhead.advance(time).unwrap().at, shown.at);
        assert!(!playhead.observe(time, 99.0));
        assert!(!playhead.observe(now, time));
    }
    assert_eq!(playhead.statistics().unusable, 9);
    assert_eq!(playhead.advance(now - 0.1).unwrap().at, shown.at, "counts as the newest time");
    assert_eq!(playhead.statistics().backward, before.statistics().backward + 1);
    assert!(!playhead.observe(now, 0.5));
    assert!(!playhead.observe(now, playhead.newest().unwrap()));
    assert_eq!((playhead.statistics().old, playhead.newest()), (2, before.newest()));
}

#[test]
fn settings_that_can_never_work_are_refused_by_name() {
    let good = PlayheadSettings::at_hz(1.0 / TICK);
    for (settings, name) in [
        (PlayheadSettings { interval: 0.0, ..good }, "interval"),
        (PlayheadSettings { interval: -1.0, ..good }, "interval"),
        (PlayheadSettings { interval: f64::NAN, ..good }, "interval"),
        (PlayheadSettings { bend: 2.0, ..good }, "bend"),
        (PlayheadSettings { relock: 0.0, ..good }, "relock"),
        (PlayheadSettings { margin_floor: -0.001, ..good }, "margin_floor"),
        (PlayheadSettings { extrapolate: f64::INFINITY, ..good }, "extrapolate"),
        (PlayheadSettings { late_scale: 1e-300, ..good }, "late_scale"),
    ] {
        let error = Playhead::new(settings).unwrap_err();
        assert_eq!(error.what, name);
        assert!(std::format!("{error}").contains(name));
    }
    let least = PlayheadSettings { late_scale: 1e-3, ..good };
    let (playhead, _) = running(least);
    assert!((playhead.statistics().rate.unwrap() - 1.0).abs() < 1e-6);
}

#[test]
fn a_rate_that_cannot_be_is_refused_and_a_slow_one_is_not() {
    for hz in [0.0, -20.0, f64::NAN, f64::INFINITY, 1e-9] {
        assert!(Playhead::at_hz(hz).is_err(), "{hz}");
    }
    assert_eq!(Playhead::at_hz(-20.0).unwrap_err().what, "ticks per second (hz)");
    assert!(Playhead::at_hz(0.05).is_ok(), "a tick every twenty seconds");
}

#[test]
fn the_median_margin_ignores_the_few_that_are_very_late() {
    let behind = |lateness| {
        let mut playhead =
            Playhead::new(PlayheadSettings { lateness, ..PlayheadSettings::network(1.0 / TICK) }).unwrap();
        let mut behind = 0.0;
        for tick in 0..600 {
            let due = f64::from(tick) * TICK;
            playhead.observe(due + if tick % 10 == 0 { 0.012 } else { 0.0 }, due);
            let now = due + 0.012;
            behind = now - playhead.advance(now).unwrap().at - TICK;
        }
        behind
    };
    let (worst, median) = (behind(Lateness::Worst), behind(Lateness::Median));
    assert!((0.011..0.013).contains(&worst) && (0.002..0.004).contains(&median), "{worst} {median}");
}

#[cfg(feature = "serde")]
#[test]
fn a_saved_playhead_goes_on_bit_for_bit_and_nonsense_is_refused() {
    let (mut playhead, now) = running(PlayheadSettings::at_hz(1.0 / TICK));
    let text = serde_json::to_string(&playhead).unwrap();
    let mut restored: Playhead = serde_json::from_str(&text).unwrap();
    for frame in 1..50 {
        let now = now + f64::from(frame) / 100.0;
        playhead.observe(now, now + 0.001);
        restored.observe(now, now + 0.001);
        assert_eq!(playhead.advance(now), restored.advance(now));
    }
    for (from, to) in
        [("\"filled\":13", "\"filled\":14"), ("\"piece\":", "\"piece\":9"), ("\"interval\":0", "\"tick\":-0")]
    {
        let nonsense = text.replacen(from, to, 1);
        assert_ne!(nonsense, text, "{from}");
        assert!(serde_json::from_str::<Playhead>(&nonsense).is_err(), "{from}");
    }
    // Finite, and still more than any stream of ticks leads to.
    let saved = serde_json::to_value(&playhead).unwrap();
    for (path, number) in [
        ("/life/clock/line/spread", 1e308),
        ("/life/clock/before/spread", 4000.0),
        ("/life/clock/line/lean", -1e308),
        ("/life/clock/line/rate", 1e-308),
        ("/life/clock/before/rate", 1e3),
        ("/life/lateness/worst/0", 1e308),
        ("/life/lateness/recent/0", -1e308),
    ] {
        let mut nonsense = saved.clone();
        *nonsense.pointer_mut(path).expect(path) = number.into();
        assert!(serde_json::from_value::<Playhead>(nonsense).is_err(), "{path}");
    }
}

fn any_time() -> impl Strategy<Value = f64> {
    let extreme = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 1e15, -1e15];
    prop_oneof![
        8 => -1.0..100.0f64,
        1 => any::<f64>(),
        1 => proptest::sample::select(extreme.to_vec()),
    ]
}

#[derive(Clone, Debug)]
enum Event {
    Tick(f64, f64),
    Frame(f64),
    Restart,
}

fn any_events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        20 => (any_time(), any_time()).prop_map(|(arrival, sim)| Event::Tick(arrival, sim)),
        20 => any_time().prop_map(Event::Frame),
        1 => Just(Event::Restart),
    ];
    proptest::collection::vec(event, 0..200)
}

/// A stream as real life gives it: mostly regular, with bursts, losses, pauses and clocks that jump.
fn likely_events() -> impl Strategy<Value = Vec<Event>> {
    let step = prop_oneof![
        20 => (Just(0.0), Just(1.0)),
        4 => (0.0..0.02f64, Just(1.0)),
        2 => (Just(0.0), 0.0..4.0f64),
        1 => (-0.3..3.0f64, 0.0..2.0f64),
        1 => (Just(-9.0), Just(1.0)),
    ];
    proptest::collection::vec((step, 0..4u32), 1..300).prop_map(|steps| {
        let (mut now, mut sim) = (0.0, 0.0);
        let mut events = Vec::new();
        for ((late, ticks), frames) in steps {
            now += TICK + late;
            sim += ticks * TICK;
            events.push(Event::Tick(now, sim));
            events.extend((0..frames).map(|part| Event::Frame(now + f64::from(part) * TICK / 4.0)));
        }
        events
    })
}

fn check(events: Vec<Event>, rule: PlayheadRule, limit: f64) -> Result<(), TestCaseError> {
    let settings = PlayheadSettings { rule, extrapolate: limit, ..PlayheadSettings::at_hz(1.0 / TICK) };
    let mut playhead = Playhead::new(settings).unwrap();
    let (mut last, mut last_now) = (f64::NEG_INFINITY, None);
    for event in events {
        match event {
            Event::Tick(arrival, sim) => {
                playhead.observe(arrival, sim);
            }
            Event::Restart => {
                playhead.restart();
                last = f64::NEG_INFINITY;
                last_now = None;
            }
            Event::Frame(now) => {
                let Some(shown) = playhead.advance(now) else { continue };
                prop_assert!(shown.at.is_finite());
                prop_assert!(shown.at >= last, "{} after {}", shown.at, last);
                let newest = playhead.newest().unwrap();
                prop_assert!(shown.at <= newest + limit, "{} past {}", shown.at, newest);
                // Farther from zero, rounding alone moves in leaps.
                let fine = [newest, now, last].iter().all(|time| time.abs() < 1e6);
                if let Some(last_now) = last_now
                    && now > last_now
                    && fine
                    && rule == PlayheadRule::Locked
                {
                    let fastest =
                        playhead.statistics().rate.unwrap() * (1.0 + settings.bend) * (now - last_now);
                    let played = shown.presented - shown.skipped;
                    prop_assert!(played <= fastest * (1.0 + 1e-9) + 1e-9, "{} in {}", played, now - last_now);
                }
                last = shown.at;
                last_now = Some(now).filter(|now| now.is_finite());
            }
        }
    }
    prop_assert!(playhead.statistics().rate.is_none_or(|rate| rate.is_finite() && rate > 0.0));
    Ok(())
}

proptest! {
    #[test]
    fn whatever_the_times_drawn_time_never_goes_back_nor_past_its_limit_nor_sprints(
        events in any_events(),
        limit in prop_oneof![Just(0.0), 0.001..0.5f64],
    ) {
        check(events, PlayheadRule::Locked, limit)?;
    }

    #[test]
    fn likely_trouble_neither(events in likely_events(), limit in prop_oneof![Just(0.0), 0.001..0.5f64]) {
        check(events, PlayheadRule::Locked, limit)?;
    }

    #[test]
    fn under_seed_drawn_time_never_goes_back_nor_past_the_newest_tick(
        events in prop_oneof![any_events(), likely_events()],
    ) {
        check(events, PlayheadRule::SinceArrival, 0.0)?;
    }
}

#[test]
fn extrapolation_sets_out_at_full_speed_and_never_passes_its_limit() {
    let limit = 0.155;
    assert!((fading_out(0.0, 1e-4, limit) - 1e-4).abs() < 1e-9);
    // A second and simpler way: the speed falls with the square of the way, in small steps.
    let (mut beyond, step) = (0.0, 1e-5);
    for k in 1..=100_000 {
        let middle = beyond + 0.5 * step * (1.0 - (beyond / limit) * (beyond / limit));
        beyond += step * (1.0 - (middle / limit) * (middle / limit));
        if k % 1000 == 0 {
            let at_once = fading_out(0.0, f64::from(k) * step, limit);
            assert!((beyond - at_once).abs() < 1e-7, "{k}: {beyond} {at_once}");
        }
    }
    // The same in frames of any length.
    for (first, second) in [(0.01, 0.3), (0.05, 0.05), (0.2, 0.001), (0.007, 0.0)] {
        let frames = fading_out(fading_out(0.0, first, limit), second, limit);
        assert!((frames - fading_out(0.0, first + second, limit)).abs() < 1e-12);
    }
    for seconds in [1.0, 10.0, 1e9, f64::MAX] {
        assert!(
            (fading_out(0.1, seconds, limit) - limit).abs() < 1e-6
                && fading_out(0.1, seconds, limit) <= limit
        );
    }
}
