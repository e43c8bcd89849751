//! When an entity is there, how often its peer sends, and what counts as a message.

use portamento::remote::{Inserted, Peer, PeerSettings, Report, Seen, Snapshots};

const FRAME: f64 = 1.0 / 144.0;

#[test]
fn a_spawn_is_drawn_from_its_own_moment_on() {
    let mut peer = Peer::at_hz(20.0).unwrap();
    let mut other = Snapshots::<f64>::new();
    let mut bullet = Snapshots::<f64>::new();
    let mut tick = 0;
    let mut first = None;
    for frame in 0..144 * 4 {
        let now = f64::from(frame) * FRAME;
        while f64::from(tick) / 20.0 + 0.1 <= now {
            let sent = f64::from(tick) / 20.0;
            let stamp = peer.receive(sent, sent + 0.1);
            assert_eq!(other.insert(stamp, Report::new(sent)), Inserted::In);
            if tick >= 40 {
                assert_eq!(bullet.insert(stamp, Report::new(sent)), Inserted::In);
            }
            tick += 1;
        }
        let Some(frame) = peer.frame(now) else { continue };
        assert!(other.draw(&frame).here().is_some(), "what is in the first message is there at once");
        match bullet.draw(&frame) {
            Seen::Here(drawn) => {
                first.get_or_insert((frame.shown, drawn.now, drawn.cut));
                assert!(
                    frame.shown >= 2.0 && (drawn.now - frame.shown).abs() < 1e-3,
                    "{drawn:?} at {frame:?}"
                );
            }
            seen => assert!(frame.shown < 2.0 && seen == Seen::NotYet, "{seen:?} at {}", frame.shown),
        }
    }
    let (shown, at, cut) = first.unwrap();
    assert!(cut && (2.0..2.01).contains(&shown) && (at - 2.0).abs() < 0.01, "{first:?}");
}

#[test]
fn an_entity_that_its_peer_no_longer_mentions_is_gone_after_a_while() {
    for (forget, rests, expected) in [(3.0, false, 2.0 + 3.0), (3.0, true, 99.0), (f64::MAX, false, 99.0)] {
        let mut peer = Peer::new(PeerSettings { forget, ..PeerSettings::at_hz(20.0) }).unwrap();
        let mut ghost = Snapshots::<f64>::new();
        let mut gone: f64 = 99.0;
        for tick in 0..400 {
            let sent = f64::from(tick) / 20.0;
            // From 8 s to 11 s the link is down: a silent peer loses no one.
            if (160..220).contains(&tick) && expected > 50.0 {
                let _ = peer.frame(sent).map(|frame| ghost.draw(&frame));
                continue;
            }
            let stamp = peer.receive(sent, sent);
            // It vanishes at 2 s, and the message with that is lost.
            if tick <= 40 {
                let report = Report::new(sent);
                ghost.insert(stamp, if rests && tick == 40 { report.at_rest() } else { report });
            }
            let frame = peer.frame(sent).unwrap();
            match ghost.draw(&frame) {
                Seen::Gone => gone = gone.min(sent),
                Seen::Here(_) => assert!(gone > sent, "once gone it stays so"),
                Seen::NotYet => panic!("at {sent}"),
            }
        }
        assert!((gone - expected).abs() < 0.06, "forget {forget}, rests {rests}: gone at {gone}");
        assert_eq!(ghost.statistics().unheard, u32::from(expected < 50.0));
        // It is mentioned again: it appears where it is.
        let stamp = peer.receive(20.0, 20.0);
        ghost.insert(stamp, Report::new(77.0));
        let again = (0..60).find_map(|k| ghost.draw(&peer.frame(20.0 + f64::from(k) * FRAME)?).here());
        let again = again.unwrap();
        assert!(expected > 50.0 || (again.cut && again.now == 77.0), "{again:?}");
    }
}

#[test]
fn an_entity_of_a_peers_former_life_is_gone_after_a_while() {
    let mut peer = Peer::new(PeerSettings { forget: 10.0, ..PeerSettings::at_hz(20.0) }).unwrap();
    let mut ghost = Snapshots::<f64>::new();
    let mut gone = None;
    for tick in 0..600 {
        let now = f64::from(tick) / 20.0;
        if tick == 100 {
            peer.restart(); // and of the ghost it never speaks again
        }
        let stamp = peer.receive(if tick < 100 { now } else { now - 4.0 }, now);
        if tick < 100 {
            ghost.insert(stamp, Report::new(now).at_rest());
        }
        let seen = ghost.draw(&peer.frame(now).unwrap());
        if seen == Seen::Gone {
            gone.get_or_insert(now);
        }
    }
    assert!(gone.is_some_and(|gone| (15.0..15.2).contains(&gone)), "{gone:?}");
}

#[test]
fn drawn_twice_in_a_frame_it_is_the_same_twice() {
    let mut peer = Peer::at_hz(20.0).unwrap();
    let (mut once, mut twice) = (Snapshots::<f64>::new(), Snapshots::<f64>::new());
    let (mut tick, mut cuts, mut beside) = (0, 0, 0);
    for frame in 0..144 * 20 {
        let now = f64::from(frame) * FRAME;
        while f64::from(tick) / 20.0 + 0.03 <= now {
            let sent = f64::from(tick) / 20.0;
            // Losses, so that there is an offset, and a teleport every two seconds.
            if tick % 7 != 3 {
                let stamp = peer.receive(sent, now);
                for entity in [&mut once, &mut twice] {
                    entity.insert(stamp, Report::new((3.0 * sent).sin()).with_epoch(tick / 40));
                }
            }
            tick += 1;
        }
        let Some(frame) = peer.frame(now) else { continue };
        let (a, b) = (once.draw(&frame), twice.draw(&frame));
        assert_eq!(a, b);
        // A second camera, after another message came in.
        twice.insert(peer.receive(-9.0, now), Report::new(0.0));
        assert_eq!(twice.draw(&frame), b, "at {now}");
        assert_eq!(
            (once.blended(), once.statistics().offset, once.statistics().moved),
            (twice.blended(), twice.statistics().offset, twice.statistics().moved)
        );
        cuts += u32::from(a.here().is_some_and(|drawn| drawn.cut));
        beside += u32::from(once.statistics().offset.length > 0.0);
    }
    assert!(cuts >= 9 && beside > 500, "{cuts} {beside}");
}

#[test]
fn a_message_in_several_packets_is_one_message() {
    let play = |parts: u32| {
        let mut peer = Peer::at_hz(20.0).unwrap();
        let mut crowd: Vec<Snapshots<f64>> = vec![Snapshots::new(); 3];
        let mut drawn = Vec::new();
        for tick in 0..600u32 {
            // After 20 s the server begins anew, without a word. Every ninth message is lost, every seventh overtaken.
            let time = f64::from(tick) / 20.0;
            let sent = if tick < 400 { time } else { time - 20.0 };
            if tick % 9 == 4 {
                continue;
            }
            let late = if tick % 7 == 5 { 0.07 } else { 0.0 };
            for part in 0..parts {
                let stamp = peer.receive(sent, time + late + 0.001 * f64::from(part));
                let entities = crowd.chunks_mut(3 / parts as usize).nth(part as usize).unwrap();
                for entity in entities {
                    entity.insert(stamp, Report::new(sent));
                }
            }
            let frame = peer.frame(time + 0.01).unwrap();
            drawn.push(crowd.iter_mut().map(|entity| entity.draw(&frame)).collect::<Vec<_>>());
        }
        (peer.statistics(), drawn.len())
    };
    let (one, three) = (play(1), play(3));
    assert_eq!(one.1, three.1);
    let (one, three) = (one.0, three.0);
    assert_eq!(
        (one.received, one.lost, one.late),
        (three.received, three.lost, three.late),
        "{one:?} {three:?}"
    );
    assert_eq!((one.restarts, three.restarts), (1, 1), "{one:?} {three:?}");
    assert_eq!(three.duplicates, one.duplicates + 2 * one.received);
    assert!((one.loss - 1.0 / 9.0).abs() < 0.01 && one.loss == three.loss, "{} {}", one.loss, three.loss);
}

/// The largest and the smallest speed drawn in the last seconds of each rate, and what was lost at the end.
fn rates(word: bool) -> (Vec<(f64, f64)>, u64, f64) {
    let mut peer = Peer::at_hz(60.0).unwrap();
    let mut runner = Snapshots::<f64, 32>::default();
    let (mut sent, mut hz, mut last, mut delay) = (0.0, 0.0, None, 0.0);
    let mut speeds = Vec::new();
    for frame in 0..144 * 60 {
        let now = f64::from(frame) * FRAME;
        while sent + 0.03 <= now {
            let rate = [60.0, 20.0, 10.0, 60.0][(sent / 15.0) as usize];
            if rate != hz {
                hz = rate;
                speeds.push((0.0f64, f64::MAX));
                if word {
                    peer.set_hz(hz).unwrap();
                }
            }
            runner.insert(peer.receive(sent, sent + 0.03), Report::new(5.0 * sent));
            sent += 1.0 / hz;
        }
        let Some(frame) = peer.frame(now) else { continue };
        let Some(drawn) = runner.draw(&frame).here() else { continue };
        if let Some(before) = last.replace(drawn.now)
            && now % 15.0 > 1.5
        {
            let speed: f64 = (drawn.now - before) / FRAME / 5.0;
            let (most, least) = speeds.last_mut().unwrap();
            (*most, *least) = (most.max(speed), least.min(speed));
        }
        delay = frame.delay;
    }
    assert!((peer.statistics().interval * hz - 1.0).abs() < 1e-9, "{}", peer.statistics().interval);
    (speeds, peer.statistics().lost, delay)
}

#[test]
fn a_peer_may_change_its_rate_with_a_word_or_without() {
    for word in [true, false] {
        let (speeds, lost, delay) = rates(word);
        assert_eq!(speeds.len(), 4);
        for (k, (most, least)) in speeds.into_iter().enumerate() {
            assert!(most < 1.05 && least > 0.95, "word {word}, rate {k}: {least} to {most}");
        }
        assert_eq!(lost, 0, "word {word}");
        assert!(delay < 0.08, "word {word}: {delay} at 60 again");
    }
    let mut peer = Peer::at_hz(60.0).unwrap();
    assert!(peer.set_hz(0.0).is_err() && peer.set_hz(f64::NAN).is_err());
    assert_eq!(peer.statistics().interval, 1.0 / 60.0);
}

#[test]
fn losses_are_no_other_rate() {
    let mut seed = 4u64;
    let mut peer = Peer::at_hz(20.0).unwrap();
    let mut lost = 0;
    for tick in 0..20_000 {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        if seed >> 61 < 3 {
            lost += 1; // three in eight
            continue;
        }
        let sent = f64::from(tick) / 20.0;
        peer.receive(sent, sent);
    }
    assert_eq!(peer.statistics().interval, 0.05);
    assert!(peer.statistics().lost.abs_diff(lost) < 10, "{} {lost}", peer.statistics().lost);
}
