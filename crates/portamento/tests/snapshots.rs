//! The contract of the snapshot buffer and its clock.

use portamento::blend::Displace;
use portamento::blend::{Pose, Rotation};
use portamento::remote::{
    History, Inserted, Peer, PeerSettings, Report, Seen, SnapshotState, Snapshots, TickClock,
};
use proptest::prelude::*;

const INTERVAL: f64 = 0.05;
const FRAME: f64 = 1.0 / 60.0;

/// A small generator, so that a failing test fails again.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }
}

/// Messages `(sent, arrived)` every interval, with some jitter; `lost` and `held_until` by sending time.
fn messages(
    seconds: f64,
    dice: &mut Dice,
    lost: impl Fn(f64, f64) -> bool,
    held_until: impl Fn(f64) -> f64,
) -> Vec<(f64, f64)> {
    let mut all: Vec<(f64, f64)> = (0..(seconds / INTERVAL) as u32)
        .map(|k| (f64::from(k) * INTERVAL, dice.roll(), dice.roll()))
        .filter(|&(sent, luck, _)| !lost(sent, luck))
        .map(|(sent, _, way)| (sent, (sent + 0.03 + 0.01 * way).max(held_until(sent))))
        .collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all
}

/// Plays one entity and hands every frame to `look`.
fn play<T: Displace>(
    messages: &[(f64, f64)],
    seconds: f64,
    report: impl Fn(f64) -> Report<T>,
    mut look: impl FnMut(f64, &portamento::remote::PeerFrame, portamento::Drawn<T>, &Snapshots<T>),
) -> Peer {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let mut thing = Snapshots::<T>::new();
    let mut next = messages.iter().peekable();
    for k in 0..(seconds / FRAME) as u32 {
        let now = f64::from(k) * FRAME;
        while let Some(&(sent, arrived)) = next.next_if(|m| m.1 <= now) {
            let stamp = sender.receive(sent, arrived);
            thing.insert(stamp, report(sent));
        }
        if let Some(frame) = sender.frame(now)
            && let Some(drawn) = thing.draw(&frame).here()
        {
            look(now, &frame, drawn, &thing);
        }
    }
    sender
}

#[test]
fn a_cut_never_shows_a_place_between_even_if_its_message_is_lost() {
    // The y coordinate shows the epoch: anything but a multiple of 1000 lies between two sides.
    let messages = messages(60.0, &mut Dice(1), |_, luck| luck < 0.1, |_| 0.0);
    let mut sides = 0;
    let mut last = f32::NAN;
    play(
        &messages,
        61.0,
        |sent| {
            let epoch = (sent / 0.7) as u32;
            Report::new([(sent * 5.0).sin() as f32 * 3.0, epoch as f32 * 1000.0, 0.0]).with_epoch(epoch)
        },
        |now, _, drawn, _| {
            assert_eq!(drawn.now[1] % 1000.0, 0.0, "at {now}: {:?}", drawn.now);
            assert_eq!(drawn.cut, drawn.now[1] != last, "at {now}");
            sides += u32::from(drawn.cut);
            last = drawn.now[1];
        },
    );
    assert!(sides > 70, "{sides}");
}

#[test]
fn drawn_time_never_runs_backwards_and_loss_and_lateness_are_counted() {
    let stalls = |sent: f64| if sent % 3.0 < 0.4 { sent - sent % 3.0 + 0.45 } else { 0.0 };
    let messages = messages(60.0, &mut Dice(2), |_, luck| luck < 0.05, stalls);
    let mut last = f64::NEG_INFINITY;
    let sender = play(
        &messages,
        60.0,
        |sent| Report::new([sent as f32 * 4.0, 0.0, 0.0]),
        |_, frame, _, _| {
            assert!(frame.shown >= last);
            last = frame.shown;
        },
    );
    let statistics = sender.statistics();
    assert!((statistics.loss - 0.05).abs() < 0.02, "{statistics:?}");
    assert!(statistics.extrapolated > 0.5 && statistics.jitter > 0.001, "{statistics:?}");
    assert!((0.03..0.2).contains(&statistics.delay), "{statistics:?}");
}

#[test]
fn what_stops_settles_on_the_exact_bits_and_reports_no_change() {
    let messages = messages(20.0, &mut Dice(3), |_, luck| luck < 0.05, |_| 0.0);
    let place = |sent: f64| {
        let on = sent.min(10.0);
        let turn = Rotation::from_axis_angle([0.3, 1.0, 0.2], on as f32);
        Report::new(Pose::new([(on * 1.3).sin() as f32 * 5.0, on as f32 * 0.1, -0.0], turn))
    };
    let rest = place(10.0).value;
    play(&messages, 19.0, place, |now, _, drawn, thing| {
        if now > 13.0 {
            assert_eq!(drawn.now, rest, "at {now}");
            assert!(!thing.statistics().moved, "at {now}");
        }
    });
}

#[test]
fn when_the_sender_falls_silent_its_things_slow_down_and_stand() {
    let messages = messages(5.0, &mut Dice(4), |_, _| false, |_| 0.0);
    let mut farthest = 0.0f32;
    let last = messages.iter().map(|m| m.0).fold(0.0, f64::max) as f32;
    play(
        &messages,
        20.0,
        |sent| Report::new([sent as f32 * 4.0, 0.0, 0.0]),
        |now, _, drawn, thing| {
            farthest = farthest.max(drawn.now[0]);
            if now > 8.0 {
                assert_eq!(drawn.now[0].to_bits(), farthest.to_bits(), "at {now}");
                assert!(!thing.statistics().moved);
            }
        },
    );
    assert!(farthest > last * 4.0 + 0.1, "it was extrapolated at first: {farthest}");
    assert!(farthest <= last * 4.0 + 4.0 * 0.156, "by 0.155 s of its way at most: {farthest}");
}

#[test]
fn things_do_not_drift_while_their_sender_speaks_of_others() {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let mut silent = Snapshots::<f64>::new();
    for k in 0..250 {
        let sent = f64::from(k) * INTERVAL;
        let stamp = sender.receive(sent, sent + 0.03);
        if k < 100 {
            silent.insert(stamp, Report::new(sent * 4.0));
        }
        for part in 0..3 {
            let frame = sender.frame(sent + 0.03 + f64::from(part) * FRAME).unwrap();
            let drawn = silent.draw(&frame).here().unwrap();
            assert!(drawn.now <= 99.0 * INTERVAL * 4.0, "{drawn:?}");
            if k > 150 {
                assert_eq!((drawn.now, silent.statistics().moved), (99.0 * INTERVAL * 4.0, false));
            }
        }
    }
}

#[test]
fn what_rests_sets_off_when_it_moves_and_not_before() {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let mut crate_ = Snapshots::<f64>::new();
    for k in 0..200 {
        let sent = f64::from(k) * INTERVAL;
        let stamp = sender.receive(sent, sent + 0.03);
        if k == 0 {
            crate_.insert(stamp, Report::new(7.0).at_rest());
        } else if k >= 100 {
            crate_.insert(stamp, Report::new(7.0 + (sent - 99.0 * INTERVAL)));
        }
        let frame = sender.frame(sent + 0.031).unwrap();
        let drawn = crate_.draw(&frame).here().unwrap();
        if frame.shown <= 99.0 * INTERVAL {
            assert_eq!(drawn.now, 7.0, "shown {}", frame.shown);
        } else {
            assert!((drawn.now - 7.0 - (frame.shown - 99.0 * INTERVAL)).abs() < 0.02, "{drawn:?}");
        }
    }
}

#[test]
fn what_rests_is_held_and_not_foreseen_when_its_sender_falls_silent() {
    let (mut sender, mut thing) = (Peer::at_hz(1.0 / INTERVAL).unwrap(), Snapshots::<f64>::new());
    for k in 0..20 {
        let sent = f64::from(k) * INTERVAL;
        let report = Report::new(sent * 4.0);
        thing.insert(sender.receive(sent, sent), if k == 19 { report.at_rest() } else { report });
        let _ = thing.draw(&sender.frame(sent).unwrap());
    }
    let mut foreseen = 0;
    for k in 1..60 {
        let frame = sender.frame(19.0 * INTERVAL + f64::from(k) * FRAME).unwrap();
        let _ = thing.draw(&frame);
        if frame.shown > 19.0 * INTERVAL {
            foreseen += 1;
            assert_eq!(
                (thing.statistics().state, thing.blended()),
                (Some(SnapshotState::Holding), Some(&(19.0 * INTERVAL * 4.0))),
                "frame {k}"
            );
            let seen = thing.claim(&frame).unwrap().to_bytes()[7] & 0x7f;
            assert_eq!(seen, 2, "and claimed as held");
        }
    }
    assert!(foreseen > 20, "the moment lay past the newest message {foreseen} times");
}

#[test]
fn the_jitter_is_a_mean_over_some_sixteen_messages() {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let mut jitter = Vec::new();
    for k in 0..120 {
        let sent = f64::from(k) * INTERVAL;
        // One of them 32 ms late: its way changes by that, and so does the next one's.
        let _ = sender.receive(sent, sent + if k == 50 { 0.032 } else { 0.0 });
        jitter.push(sender.statistics().jitter);
    }
    let expected = [(49, 0.0), (50, 0.002), (51, 0.002 * (15.0 / 16.0) + 0.002)];
    for (k, expected) in expected {
        assert!((jitter[k] - expected).abs() < 1e-9, "after message {k}: {} not {expected}", jitter[k]);
    }
    assert!(jitter[119] < 0.0001, "and it is forgotten: {}", jitter[119]);
}

/// The steps of an entity that goes round at 8 m/s, through an outage from 10 s to 12 s.
fn steps_through_an_outage(lost: bool) -> Vec<(f64, f64)> {
    let messages = messages(
        20.0,
        &mut Dice(5),
        |sent, _| lost && (10.0..12.0).contains(&sent),
        |sent| if (10.0..12.0).contains(&sent) { 12.03 } else { 0.0 },
    );
    let mut last: Option<[f64; 2]> = None;
    let mut steps = Vec::new();
    let place = |sent: f64| Report::new([(sent * 0.8).cos() * 10.0, (sent * 0.8).sin() * 10.0]);
    play(&messages, 19.0, place, |now, _, drawn, _| {
        if let Some(last) = last {
            let (x, y) = (drawn.now[0] - last[0], drawn.now[1] - last[1]);
            steps.push((now, (x * x + y * y).sqrt()));
        }
        last = Some(drawn.now);
    });
    steps
}

#[test]
fn after_an_outage_no_two_frames_in_a_row_take_more_than_eight_usual_steps() {
    for lost in [true, false] {
        let steps = steps_through_an_outage(lost);
        let usual = 8.0 * FRAME;
        let hasty = |s: &(f64, f64)| s.1 > 8.0 * usual;
        for pair in steps.windows(2) {
            assert!(!(hasty(&pair[0]) && hasty(&pair[1])), "lost {lost}: {pair:?}");
        }
        let settled = steps.iter().filter(|s| s.0 > 14.0);
        settled.for_each(|s| assert!((s.1 - usual).abs() < 0.1 * usual, "lost {lost}: {s:?}"));
    }
}

#[test]
fn any_order_will_do_duplicates_and_the_too_late_are_dropped_and_counted() {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let mut thing = Snapshots::<f64>::new();
    let insert = |sender: &mut Peer, thing: &mut Snapshots<f64>, sent: f64, at: f64| {
        thing.insert(sender.receive(sent, at), Report::new(sent))
    };
    assert_eq!(insert(&mut sender, &mut thing, 0.10, 0.13), Inserted::In);
    assert_eq!(insert(&mut sender, &mut thing, 0.00, 0.13), Inserted::In);
    assert_eq!(insert(&mut sender, &mut thing, 0.05, 0.13), Inserted::In);
    assert_eq!(insert(&mut sender, &mut thing, 0.05, 0.13), Inserted::Duplicate);
    for k in 0..60 {
        let sent = 0.15 + f64::from(k) * INTERVAL;
        assert_eq!(insert(&mut sender, &mut thing, sent, sent + 0.03), Inserted::In);
        let frame = sender.frame(sent + 0.04).unwrap();
        assert!((thing.draw(&frame).here().unwrap().now - frame.shown).abs() < 0.02);
    }
    assert_eq!(insert(&mut sender, &mut thing, 1.01, 3.2), Inserted::TooLate);
    assert_eq!(insert(&mut sender, &mut thing, f64::NAN, 3.2), Inserted::Unusable);
    assert_eq!(insert(&mut sender, &mut thing, 3.3, f64::INFINITY), Inserted::Unusable);
    assert_eq!(thing.insert(sender.receive(3.31, 3.33), Report::new(f64::NAN)), Inserted::Unusable);
    let counts = thing.statistics();
    assert_eq!((counts.duplicates, counts.late, counts.unusable), (1, 1, 3));
}

#[test]
fn only_what_goes_before_it_was_drawn_is_counted_as_evicted() {
    fn evicted<const N: usize>(draws: impl Fn(u32) -> bool) -> u32 {
        let mut sender = Peer::at_hz(60.0).unwrap();
        let mut thing = Snapshots::<f64, N>::default();
        for k in 0..600 {
            let sent = f64::from(k) / 60.0;
            // Some come late, so that the picture stays a few messages behind.
            let arrived = sent + if k % 2 == 0 { 0.02 } else { 0.12 };
            thing.insert(sender.receive(sent, arrived), Report::new(sent));
            if draws(k) {
                let _ = thing.draw(&sender.frame(arrived).unwrap()).here().unwrap();
            }
        }
        thing.statistics().evicted
    }
    assert_eq!(evicted::<16>(|_| true), 0, "584 were played and then made room");
    assert!(evicted::<4>(|_| true) > 100, "four are fewer than the delay needs");
    assert_eq!(evicted::<16>(|_| false), 584, "nobody looked");
}

#[test]
fn a_rate_that_cannot_be_is_refused_and_a_slow_one_is_not() {
    for hz in [0.0, -20.0, f64::NAN, f64::INFINITY, 1e-9] {
        assert!(Peer::at_hz(hz).is_err(), "{hz}");
    }
    assert!(Peer::at_hz(0.05).is_ok(), "a message every twenty seconds");
}

#[test]
fn it_appears_at_its_first_snapshot_and_vanishes_when_told() {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let mut thing = Snapshots::<f64>::new();
    let (mut shown, mut back) = (Vec::new(), Vec::new());
    for k in 0..120 {
        let sent = f64::from(k) * INTERVAL;
        let stamp = sender.receive(sent, sent + 0.03);
        match k {
            20..40 => assert_eq!(thing.insert(stamp, Report::new(5.0)), Inserted::In),
            40 => assert_eq!(thing.vanish(stamp), Inserted::In),
            80.. => assert_eq!(thing.insert(stamp, Report::new(9.0)), Inserted::In),
            _ => {}
        }
        let frame = sender.frame(sent + 0.035).unwrap();
        match thing.draw(&frame).here() {
            Some(drawn) if drawn.now == 5.0 => shown.push(frame.shown),
            Some(drawn) => back.push((frame.shown, drawn.now)),
            None => {}
        }
    }
    assert!((20.0 * INTERVAL..21.0 * INTERVAL).contains(&shown[0]), "{shown:?}");
    assert!(shown.iter().all(|&at| at < 40.0 * INTERVAL) && *shown.last().unwrap() > 38.0 * INTERVAL);
    assert!(back.iter().all(|&(at, view)| view == 9.0 && at >= 80.0 * INTERVAL), "{back:?}");
    assert!(back.len() > 30);
    assert_eq!(thing.statistics().evicted, 0, "what was seen before it vanished");
}

/// A server repeats that an entity left, so that one loss does not matter. A client that drops what is gone and looks it up
/// again in every message must not keep it forever.
#[test]
fn an_entity_of_which_only_its_end_is_known_is_gone() {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let mut things = std::collections::BTreeMap::<u32, Snapshots<f64>>::new();
    let mut drawn = 0;
    for k in 0..60 {
        let sent = f64::from(k) * INTERVAL;
        let stamp = sender.receive(sent, sent + 0.03);
        let thing = things.entry(7).or_default();
        let inserted = if k < 20 { thing.insert(stamp, Report::new(5.0)) } else { thing.vanish(stamp) };
        assert_eq!(inserted, Inserted::In);
        let frame = sender.frame(sent + 0.035).unwrap();
        things.retain(|_, thing| match thing.draw(&frame) {
            Seen::Here(_) => {
                drawn += 1;
                true
            }
            Seen::NotYet => true,
            Seen::Gone => false,
        });
        assert!(k < 25 || things.is_empty(), "message {k}");
    }
    assert!((18..25).contains(&drawn), "{drawn}");

    // One that comes back appears at its own moment, as if it had never been.
    let thing = things.entry(7).or_default();
    for k in 60..80 {
        let sent = f64::from(k) * INTERVAL;
        let stamp = sender.receive(sent, sent + 0.03);
        if k == 60 {
            thing.vanish(stamp)
        } else {
            thing.insert(stamp, Report::new(9.0))
        };
        let seen = thing.draw(&sender.frame(sent + 0.035).unwrap());
        assert!(k != 60 || seen == Seen::Gone);
        assert!(k < 65 || seen.here().is_some_and(|drawn| drawn.now == 9.0));
    }
}

#[test]
fn a_second_copy_of_a_message_is_a_duplicate_and_makes_up_for_no_loss() {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let lost = |k: i32| k % 4 == 3;
    for k in 0..100 {
        // Each message, and a copy of the one before: what was lost is lost in both.
        for k in [k, k - 1].into_iter().filter(|&k| k >= 0 && !lost(k)) {
            let sent = f64::from(k) * INTERVAL;
            sender.receive(sent, sent + 0.03);
        }
    }
    let statistics = sender.statistics();
    // The last one lost has none after it to reveal it, and the copy of a message before a lost one is of the newest.
    assert_eq!((statistics.received, statistics.duplicates, statistics.lost), (75, 75, 24));
    assert_eq!((statistics.late, statistics.restarts), (0, 0));
}

#[test]
fn one_snapshot_alone_is_held_and_claimed_as_such() {
    let mut history = History::<f64>::at_hz(1.0 / INTERVAL).unwrap();
    let (mut sender, mut thing) = (Peer::at_hz(1.0 / INTERVAL).unwrap(), Snapshots::<f64>::new());
    let report = Report::new(-0.0);
    assert!(history.record(1.0, report));
    thing.insert(sender.receive(1.0, 1.03), report);
    for k in 0..30 {
        let frame = sender.frame(1.03 + f64::from(k) * FRAME).unwrap();
        let drawn = thing.draw(&frame).here().unwrap();
        assert_eq!(
            (thing.statistics().state, drawn.now.to_bits()),
            (Some(SnapshotState::Holding), (-0.0f64).to_bits()),
            "frame {k}"
        );
        let rewound = history.rewind(thing.claim(&frame).unwrap(), 1.1 + f64::from(k) * FRAME).unwrap();
        assert_eq!(rewound.seen, SnapshotState::Holding, "frame {k}");
        assert!((rewound.moment - frame.shown).abs() < 2e-5, "frame {k}: {rewound:?}");
    }
}

#[test]
fn neither_repeated_nor_overtaken_messages_are_a_restart() {
    // A minute over two ways: of every message a second copy comes half a second later, one way is 200 ms longer, and
    // now and then the sender says nothing for a second, so that only the old ones arrive.
    let two_ways = (0..1200).filter(|k| k % 100 < 80).flat_map(|k| {
        let sent = f64::from(k) * INTERVAL;
        let way = if k % 3 == 0 { 0.24 } else { 0.04 };
        [(sent, sent + way), (sent, sent + 0.5)]
    });
    // A minute at a faster rate: one message in fifty overtakes five others, which then come at their own pace.
    let overtaken = (0..3600).map(|k| {
        let sent = f64::from(k) / 60.0;
        (sent, sent + if k % 50 == 0 { 0.04 } else { 0.13 })
    });
    let mut feeds: Vec<(f64, Vec<(f64, f64)>)> =
        vec![(INTERVAL, two_ways.collect()), (1.0 / 60.0, overtaken.collect())];
    // In turns over two links, one much longer than the other; whenever the sender falls silent, the last ones come
    // over the longer link alone.
    for (rate, longer) in [(60.0, 0.15), (60.0, 0.3), (60.0, 0.8), (30.0, 0.3), (20.0, 0.5)] {
        let mut dice = Dice(5);
        let sent = (0..(60.0 * rate) as u32).map(|k| f64::from(k) / rate).filter(|sent| sent % 5.0 < 4.0);
        let arrival = |(k, sent): (usize, f64)| {
            let way = if k % 2 == 0 { 0.04 } else { 0.04 + longer };
            (sent, sent + way + 0.02 * dice.roll())
        };
        feeds.push((1.0 / rate, sent.enumerate().map(arrival).collect()));
    }
    for (interval, mut arrivals) in feeds {
        arrivals.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut sender = Peer::at_hz(1.0 / interval).unwrap();
        for (sent, arrived) in arrivals {
            sender.receive(sent, arrived);
            sender.frame(arrived);
        }
        assert_eq!(sender.statistics().restarts, 0, "every {interval} s");
    }
}

#[test]
fn the_clock_follows_a_drifting_sender_through_wrapping_counters() {
    // 64 ticks a second in 8 bits: round every four seconds; 500 ppm fast; one in ten overtaken, a silence of 11 s.
    let mut stamps = TickClock::at_hz(64.0, 8).unwrap();
    let mut sender = Peer::at_hz(16.0).unwrap();
    let mut dice = Dice(6);
    let mut sent: Vec<(u32, f64)> = (0..64 * 15)
        .map(|k| k * 4)
        .filter(|k| !(1000..1704).contains(k))
        .map(|tick| {
            let overtaken = if dice.roll() < 0.1 { 0.08 } else { 0.0 };
            (tick, f64::from(tick) / 64.0 / 1.0005 + 0.03 + 0.005 * dice.roll() + overtaken)
        })
        .collect();
    sent.sort_by(|a, b| a.1.total_cmp(&b.1));
    for &(tick, arrived) in &sent {
        let seconds = stamps.seconds(tick % 256, arrived).unwrap();
        assert_eq!(seconds, f64::from(tick) / 64.0, "tick {tick}");
        sender.receive(seconds, arrived);
        sender.frame(arrived);
    }
    let end = sent.last().unwrap().1;
    let frame = sender.frame(end).unwrap();
    let reads = frame.shown + frame.delay;
    assert!((reads - (end - 0.035) * 1.0005).abs() < 0.01, "{reads} at {end}");
    for (refused, number) in [
        (TickClock::at_hz(10.0, 0), "is 0:"),
        (TickClock::at_hz(10.0, 33), "is 33:"),
        (TickClock::at_hz(f64::NAN, 8), "NaN"),
    ] {
        let text = refused.unwrap_err().to_string();
        assert!(text.contains(number), "{text}");
    }
}

#[test]
fn settings_that_can_never_work_are_refused_with_the_number() {
    for (settings, text) in [
        (PeerSettings::at_hz(f64::INFINITY), "interval is 0: give a number above 0, at most 3600"),
        (PeerSettings::at_hz(f64::NAN), "interval is NaN: give a number above 0, at most 3600"),
        (PeerSettings::at_hz(0.0), "interval is inf: give a number above 0, at most 3600"),
        (
            PeerSettings { fade: -1.0, ..PeerSettings::at_hz(20.0) },
            "fade is -1: give a number above 0, at most 1000000",
        ),
        (PeerSettings { glide: f64::NAN, ..PeerSettings::at_hz(20.0) }, "glide is NaN: give a number from 0"),
        (PeerSettings { jump: 0.5, ..PeerSettings::at_hz(20.0) }, "jump is 0.5: give a number from 1"),
    ] {
        let error = Peer::new(settings).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    let mut peer = Peer::at_hz(20.0).unwrap();
    for hz in [0.0, 1e-5, -20.0, f64::NAN, 2e6] {
        let (refused, changed) = (Peer::at_hz(hz).unwrap_err(), peer.set_hz(hz).unwrap_err());
        for error in [refused, changed] {
            assert!(error.value == hz || hz.is_nan());
            let error = error.to_string();
            assert!(error.starts_with("messages per second (hz) is "), "{error}");
            assert!(
                error.ends_with(": give a rate from 1/3600 (one an hour) to 1000000, such as 60"),
                "{error}"
            );
        }
    }
    assert_eq!(peer, Peer::at_hz(20.0).unwrap());
    peer.set_hz(1.0 / 3600.0).unwrap();
    for preset in [PeerSettings::at_hz, PeerSettings::action, PeerSettings::racing, PeerSettings::strategy] {
        assert!(Peer::new(preset(30.0)).is_ok());
    }
}

fn any_time() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => 0.0..20.0f64,
        2 => (0u32..400).prop_map(|k| f64::from(k) * INTERVAL),
        1 => any::<f64>(),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::MAX), Just(f64::MIN), Just(1e9)],
    ]
}

#[derive(Clone, Debug)]
enum Event {
    Message { sent: f64, arrived: f64, value: [f32; 2], epoch: u32, velocity: Option<[f32; 2]>, rests: bool },
    Vanish { sent: f64, arrived: f64 },
    Frame(f64),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let message =
        (any_time(), any_time(), any::<[f32; 2]>(), 0u32..3, any::<Option<[f32; 2]>>(), any::<bool>());
    let event = prop_oneof![
        6 => message.prop_map(|(sent, arrived, value, epoch, velocity, rests)| {
            Event::Message { sent, arrived, value, epoch, velocity, rests }
        }),
        1 => (any_time(), any_time()).prop_map(|(sent, arrived)| Event::Vanish { sent, arrived }),
        6 => any_time().prop_map(Event::Frame),
    ];
    proptest::collection::vec(event, 0..120)
}

proptest! {
    #[test]
    fn whatever_comes_time_goes_forward_within_a_life_and_every_view_is_finite(events in events()) {
        let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
        let mut thing = Snapshots::<[f32; 2], 4>::default();
        let (mut last, mut life) = (f64::NEG_INFINITY, 0);
        for event in events {
            match event {
                Event::Message { sent, arrived, value, epoch, velocity, rests } => {
                    let stamp = sender.receive(sent, arrived);
                    let taken = thing.insert(stamp, Report { value, velocity, epoch, rests });
                    let usable = sent.is_finite() && arrived.is_finite() && value.iter().all(|c| c.is_finite());
                    prop_assert!(usable || taken == Inserted::Unusable);
                }
                Event::Vanish { sent, arrived } => {
                    let stamp = sender.receive(sent, arrived);
                    thing.vanish(stamp);
                }
                Event::Frame(now) => if let Some(frame) = sender.frame(now) {
                    if now.is_finite() {
                        if sender.statistics().restarts == life {
                            prop_assert!(frame.shown >= last, "{} after {last}", frame.shown);
                        }
                        (last, life) = (frame.shown, sender.statistics().restarts);
                    }
                    if let Some(drawn) = thing.draw(&frame).here() {
                        prop_assert!(drawn.now.iter().all(|c| c.is_finite()), "{drawn:?}");
                        let _ = thing.claim(&frame);
                    }
                }
            }
        }
    }

    #[test]
    fn counters_of_any_width_unwrap_in_any_order(bits in 4u32..=32, start in 0u64..1 << 33, jumps in proptest::collection::vec(1u64..7, 1..200)) {
        // Never more than a quarter turn apart, neighbours swapped.
        let mut stamps = TickClock::at_hz(100.0, bits).unwrap();
        let quarter = (1u64 << bits) / 4;
        let mut tick = start;
        let mut ticks: Vec<u64> = jumps.iter().map(|j| { tick += 1 + j % quarter.min(2); tick }).collect();
        for pair in ticks.chunks_exact_mut(2) {
            pair.swap(0, 1);
        }
        let mask = (1u64 << bits) - 1;
        let first = stamps.seconds((ticks[0] & mask) as u32, 0.01 * ticks[0] as f64).unwrap();
        for &tick in &ticks[1..] {
            let seconds = stamps.seconds((tick & mask) as u32, 0.01 * tick as f64).unwrap();
            let expected = first + (tick as f64 - ticks[0] as f64) * 0.01;
            prop_assert!((seconds - expected).abs() < 1e-6 * expected.max(1.0), "{seconds} {expected}");
        }
    }
}

#[test]
fn a_new_origin_of_the_world_is_not_seen() {
    // By a power of two, so that no number is rounded otherwise than before.
    const SHIFT: f64 = 4096.0;
    let mut dice = Dice(17);
    // Losses and a silence: blends, extrapolations, holds and offsets; and a cut.
    let messages = messages(12.0, &mut dice, |_, luck| luck < 0.2, |sent| if sent > 6.0 { 6.5 } else { 0.0 });
    let at = |sent: f64| if sent < 9.0 { 40.0 + 3.0 * (2.0 * sent).sin() } else { 90.0 };
    let mut server = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let (mut here, mut there) = (Snapshots::<f64>::new(), Snapshots::<f64>::new());
    let (mut shift, mut waiting) = (0.0, messages.iter().peekable());
    let mut seen = [0; 3];
    for frame in 0..720 {
        let now = f64::from(frame) * FRAME;
        while let Some(&(sent, arrived)) = waiting.next_if(|(_, arrived)| *arrived <= now) {
            let stamp = server.receive(sent, arrived);
            let epoch = u32::from(sent >= 9.0);
            let _ = here.insert(stamp, Report { epoch, ..Report::new(at(sent)) });
            let _ = there.insert(stamp, Report { epoch, ..Report::new(at(sent) + shift) });
        }
        let rebases = frame % 7 == 3;
        if rebases {
            let by = if shift == 0.0 { SHIFT } else { -SHIFT };
            shift += by;
            there.rebase(|x| *x += by);
        }
        let Some(frame) = server.frame(now) else { continue };
        let (Some(old), Some(new)) = (here.draw(&frame).here(), there.draw(&frame).here()) else { continue };
        assert!((new.now - shift - old.now).abs() < 1e-9, "{now}: {old:?} {new:?}");
        assert_eq!((there.statistics().state, new.cut), (here.statistics().state, old.cut), "{now}");
        assert!(
            there.statistics().moved || !(here.statistics().moved || rebases),
            "{now}: the numbers are others"
        );
        seen[here.statistics().state.unwrap() as usize] += 1;
    }
    assert!(seen.iter().all(|&frames| frames > 5), "{seen:?}");
    assert_eq!(here.statistics(), there.statistics());
}
