//! What went wrong once, row by row.

use super::shooting::{Client, Dice, Shot, Verdict, Word, judge, runner};
use portamento::blend::{Displace, Hermite, Pose};
use portamento::remote::{Claim, History, Report, RewindRefused, SnapshotState, TickClock};

const FRAME: f64 = 1.0 / 144.0;

#[test]
fn a_target_that_rests_and_sets_off_is_judged_in_every_frame() {
    let mut history = History::<Pose>::at_hz(20.0).unwrap();
    let mut client = Client::at_hz(20.0);
    let mut tick = 0;
    let (mut rest, mut start) = (0, 0);
    for frame in 0..144 * 20 {
        let now = f64::from(frame) * FRAME;
        while f64::from(tick) / 20.0 <= now {
            let sent = f64::from(tick) / 20.0;
            // It stands still from 5 s to 15 s, and nothing is sent of it but that it rests.
            let word = match tick {
                100 => Word::Here(Report::new(runner(5.0)).at_rest()),
                101..300 => Word::Nothing,
                _ => Word::Here(Report::new(runner(sent.min(5.0) + (sent - 15.0).max(0.0)))),
            };
            if let Word::Here(report) = word {
                assert!(history.record(sent, report));
            }
            client.send(sent + 0.03, sent, word);
            tick += 1;
        }
        let Some(shot) = client.shoot(now) else { continue };
        let shot = shot.unwrap_or_else(|e| panic!("at {now}: {e}"));
        assert_eq!(judge(&history, &shot, now + 0.04), Verdict::Same, "at {now}");
        let rewound = history.rewind(Claim::from_bytes(shot.bytes).unwrap(), now + 0.04).unwrap();
        // What it stands for is now, not when it came to rest: a door is asked for its place at this moment.
        assert!((rewound.moment - shot.shown).abs() < 0.05, "at {now}: {rewound:?}, drawn {}", shot.shown);
        rest += u32::from(rewound.seen == SnapshotState::Holding);
        start += u32::from((15.0..15.3).contains(&now));
    }
    assert!(rest > 1300 && start > 40, "{rest} {start}");
}

#[test]
fn an_hour_old_claim_of_something_that_vanished_is_refused() {
    let mut history = History::<Pose>::at_hz(20.0).unwrap();
    let mut client = Client::at_hz(20.0);
    let mut last = None;
    for tick in 0..40 {
        let sent = f64::from(tick) / 20.0;
        let report = Report::new(runner(sent));
        assert!(history.record(sent, report));
        client.send(sent + 0.03, sent, Word::Here(report));
        last = client.shoot(sent + 0.03).map(Result::unwrap);
    }
    let shot = last.unwrap();
    assert!(history.vanish(2.0));
    assert_eq!(judge(&history, &shot, 2.05), Verdict::Same, "it vanished while the shot was on its way");
    let verdict = judge(&history, &shot, 3602.0);
    let Verdict::Refused(RewindRefused::TooOld { back, .. }) = verdict else { panic!("{verdict:?}") };
    assert!(back > 3600.0, "{back}");
}

#[test]
fn clients_with_different_send_rates_are_judged_by_one_history() {
    let mut history = History::<Pose>::at_hz(60.0).unwrap();
    let mut dice = Dice(7);
    let mut clients = [60, 30, 20, 15, 12, 10].map(|hz| (60 / hz, Client::at_hz(f64::from(hz))));
    let (mut tick, mut judged) = (0, 0);
    for frame in 0..144 * 60 {
        let now = f64::from(frame) * FRAME;
        while f64::from(tick) / 60.0 <= now {
            let sent = f64::from(tick) / 60.0;
            // It stops now and then, and reports it: where it sets off depends on the client's interval.
            let phase: u32 = tick % 600;
            let moving = sent - f64::from(phase.saturating_sub(300).min(150)) / 60.0;
            let report = Report::new(runner(moving)).with_epoch(tick / 1000);
            let report = if (300..450).contains(&phase) { report.at_rest() } else { report };
            if phase <= 300 || phase >= 450 {
                assert!(history.record(sent, report));
            }
            for (every, client) in &mut clients {
                // That it rests is sent until it has arrived.
                if tick % *every != 0 || (phase != 300 && dice.one_in(20.0)) {
                    continue;
                }
                let word = if phase > 300 && phase < 450 { Word::Nothing } else { Word::Here(report) };
                client.send(sent + 0.03 + 0.02 * dice.roll(), sent, word);
            }
            tick += 1;
        }
        for (every, client) in &mut clients {
            let Some(shot) = client.shoot(now) else { continue };
            let shot = shot.unwrap_or_else(|e| panic!("at {now}: {e}"));
            assert_eq!(judge(&history, &shot, now + 0.05), Verdict::Same, "every {every}, at {now}");
            judged += 1;
        }
    }
    assert!(judged > 50_000, "{judged}");
}

/// How many shots of someone who joins an hour late are judged, and how many are refused.
fn late_joiner(bits: u32, welcome: bool) -> (u32, u32) {
    let mut history = History::<Pose>::at_hz(60.0).unwrap();
    let mut client = Client::at_hz(60.0);
    let mut stamps = TickClock::at_hz(60.0, bits).unwrap();
    let (mut judged, mut refused) = (0, 0);
    for tick in 216_000..217_200u64 {
        let sent = tick as f64 / 60.0;
        let report = Report::new(runner(sent));
        assert!(history.record(sent, report));
        if tick < 216_100 {
            continue;
        }
        // By our clock, which is not the server's.
        let now = sent - 3500.0;
        if welcome && tick == 216_100 {
            stamps.set_tick(tick, now);
        }
        let decoded = stamps.seconds((tick % (1 << bits)) as u32, now).unwrap();
        client.send(now, decoded, Word::Here(report));
        for part in 0..2 {
            let Some(shot) = client.shoot(now + 0.5 * f64::from(part) / 60.0) else { continue };
            match judge(&history, &shot.unwrap(), sent + 0.05) {
                Verdict::Same => judged += 1,
                Verdict::Wrong => panic!("{bits} bits, tick {tick}: another picture"),
                Verdict::Refused(_) => refused += 1,
            }
        }
    }
    (judged, refused)
}

#[test]
fn a_late_joiner_with_a_tick_counter_of_a_few_bits_is_judged_or_refused_and_never_confused() {
    for bits in [8, 10, 12, 14, 16] {
        let (judged, refused) = late_joiner(bits, true);
        assert!(judged > 2000 && refused == 0, "{bits} bits: {judged} judged, {refused} refused");
        let (judged, refused) = late_joiner(bits, false);
        assert!(judged + refused > 2000, "{bits} bits: {judged} judged, {refused} refused");
    }
}

#[test]
fn stamps_that_lie_close_together_are_told_apart() {
    // Stamped by a wall clock: some ticks are flushed together, from 10 us to 4 ms apart.
    let mut dice = Dice(3);
    for close in [1e-5, 1e-4, 1e-3, 2e-3, 4e-3] {
        let mut history = History::<Pose>::at_hz(20.0).unwrap();
        let mut client = Client::at_hz(20.0);
        let mut due = 0.0;
        let (mut last, mut judged) = (-1.0, 0);
        for frame in 0..144 * 30 {
            let now = f64::from(frame) * FRAME;
            while due <= now {
                let late = if dice.one_in(4.0) { 0.05 - close } else { 0.0 };
                let sent: f64 = due + late;
                let sent = sent.max(last + close);
                let report = Report::new(runner(due));
                assert!(history.record(sent, report), "{sent} {last}");
                client.send(sent + 0.03 + 0.01 * dice.roll(), sent, Word::Here(report));
                (last, due) = (sent, due + 0.05);
            }
            let Some(shot) = client.shoot(now) else { continue };
            assert_eq!(judge(&history, &shot.unwrap(), now + 0.04), Verdict::Same, "{close} apart, at {now}");
            judged += 1;
        }
        assert!(judged > 4000, "{judged}");
        assert_eq!(history.counts().evicted, 0);
    }
}

#[test]
fn what_the_limits_promise_is_remembered_at_any_rate() {
    for hz in [5.0, 20.0, 60.0, 128.0, 240.0] {
        let mut history = History::<Pose>::at_hz(hz).unwrap();
        let mut client = Client::at_hz(hz);
        let mut shots: Vec<(f64, Shot)> = Vec::new();
        let mut judged = 0;
        for tick in 0..(5.0 * hz) as u32 {
            let sent = f64::from(tick) / hz;
            let report = Report::new(runner(sent));
            assert!(history.record(sent, report));
            client.send(sent, sent, Word::Here(report));
            shots.extend(client.shoot(sent).map(|shot| (sent, shot.unwrap())));
            // Each shot is judged when it is just not too old.
            while let Some((_, shot)) = shots.first().filter(|(_, shot)| sent >= shot.shown + 0.98) {
                assert_eq!(judge(&history, shot, shot.shown + 0.99), Verdict::Same, "{hz} Hz");
                shots.remove(0);
                judged += 1;
            }
        }
        assert!(f64::from(judged) > 3.0 * hz, "{hz} Hz: {judged}");
        assert_eq!(history.counts().evicted, 0, "{hz} Hz");
    }
    let mut busy = History::<Pose>::at_hz(10.0).unwrap();
    for tick in 0..300 {
        assert!(busy.record(f64::from(tick) / 60.0, Report::new(runner(0.0))));
    }
    assert!(busy.counts().evicted > 0, "recorded six times as often as was said");
}

#[test]
fn a_restart_that_nobody_declared_never_gives_another_picture() {
    let (mut wrong, mut judged, mut refused) = (0, 0, 0);
    for back in [0.06, 0.11, 0.17, 0.25, 0.4, 0.6, 1.1, 1.5, 3.0, 10.0, 29.9] {
        for keep in [true, false] {
            let mut history = History::<Pose>::at_hz(20.0).unwrap();
            let mut client = Client::at_hz(20.0);
            let mut tick = 0;
            for frame in 0..144 * 75 {
                let now = f64::from(frame) * FRAME;
                while f64::from(tick) / 20.0 <= now {
                    let time = f64::from(tick) / 20.0;
                    // After 30 s its clock is set back, and the world is another one.
                    let new = tick >= 600;
                    if tick == 600 && !keep {
                        history = History::at_hz(20.0).unwrap();
                    }
                    let sent = if new { time - back } else { time };
                    let report = Report::new(runner(if new { time + 100.0 } else { time }));
                    history.record(sent, report);
                    client.send(time + 0.03, sent, Word::Here(report));
                    tick += 1;
                }
                // Our clock runs on; the server's is what it is now.
                let server = if tick >= 600 { now - back } else { now };
                match client.shoot(now).transpose() {
                    Ok(Some(shot)) => match judge(&history, &shot, server + 0.04) {
                        Verdict::Same => judged += 1,
                        Verdict::Wrong => wrong += 1,
                        Verdict::Refused(_) => refused += 1,
                    },
                    _ => continue,
                }
            }
            assert_eq!(history.counts().restarts, u32::from(keep), "{back} back");
        }
    }
    assert_eq!(wrong, 0, "{judged} judged, {refused} refused");
    assert!(judged > 100 * refused && refused > 0, "{judged} judged, {refused} refused");
}

#[test]
fn how_far_beside_it_was_drawn_is_in_the_claim() {
    let mut history = History::<Pose>::at_hz(20.0).unwrap();
    let mut client = Client::at_hz(20.0);
    let mut dice = Dice(5);
    let (mut tick, mut beside) = (0, Vec::new());
    for frame in 0..144 * 120 {
        let now = f64::from(frame) * FRAME;
        while f64::from(tick) / 20.0 <= now {
            let sent = f64::from(tick) / 20.0;
            let report = Report::new(runner(sent));
            assert!(history.record(sent, report));
            if !dice.one_in(3.3) {
                client.send(sent + 0.03 + 0.06 * dice.roll(), sent, Word::Here(report));
            }
            tick += 1;
        }
        let Some(shot) = client.shoot(now) else { continue };
        let shot = shot.unwrap();
        let rewound = history.rewind(Claim::from_bytes(shot.bytes).unwrap(), now + 0.05).unwrap();
        let size = Pose::size(&Pose::velocity(&rewound.value, &shot.view, 1.0)).length;
        // Up to the rounding of the view.
        assert!(rewound.offset + 1e-5 >= size && rewound.offset <= 1.26 * size + 4e-5, "{size} {rewound:?}");
        beside.push(size);
    }
    beside.sort_by(f64::total_cmp);
    assert!(beside[beside.len() * 99 / 100] > 0.3, "30 % of loss are seen");
}

#[test]
fn cover_is_where_it_was_at_the_moment_of_the_shot() {
    let mut history = History::<Pose>::at_hz(20.0).unwrap();
    let mut client = Client::at_hz(20.0);
    for tick in 0..60u32 {
        let sent = f64::from(tick) / 20.0;
        let report = Report::new(runner(sent)).with_epoch(tick / 30);
        let taken = if tick == 20 { history.vanish(sent) } else { history.record(sent, report) };
        assert!(taken);
        client.send(sent + 0.03, sent, if tick == 20 { Word::Gone } else { Word::Here(report) });
        for part in 0..3 {
            let now = sent + 0.03 + f64::from(part) / 60.0;
            let Some(shot) = client.shoot(now) else { continue };
            let shot = shot.unwrap();
            let rewound = history.rewind(Claim::from_bytes(shot.bytes).unwrap(), now + 0.04).unwrap();
            // At its start and its cuts there is nothing to blend with.
            let steady = matches!(tick, 4..20 | 23..30 | 33..);
            if let Some(there) = history.at(rewound.moment).filter(|_| steady) {
                let near = |other: &Pose, by: f64| {
                    let off = Pose::size(&Pose::velocity(&there, other, 1.0));
                    assert!(off.length < by && off.angle < by, "at {now}: {off:?}");
                };
                near(&runner(rewound.moment), 0.03);
                near(&shot.value, 0.2); // which knew less of its neighbours
            }
        }
    }
    assert_eq!(history.at(1.02), None, "it was gone");
    assert!(history.at(0.97).is_some() && history.at(1.06).is_some());
    assert_eq!(history.at(-0.01), None, "not yet there");
    assert_eq!(history.at(9.0), Some(runner(59.0 / 20.0)), "it stays where it was last");
    assert_eq!(history.at(f64::NAN), None);
    assert_eq!(history.at(1.49), Some(runner(29.0 / 20.0)), "nothing in between is seen of a cut");
}
