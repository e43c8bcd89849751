//! A cut of a remote entity is seen as one, whatever happens around it.

use portamento::remote::{Peer, Report, Snapshots};

const HZ: f64 = 60.0;
/// The message that cuts.
const CUT: u32 = 120;

/// A runner at 5 m/s that stands 3 m farther after the cut, drawn only with every sixth message: where each picture
/// stands, and whether it is cut from the one before. `cut` enters the message of the cut.
fn drawn(cut: impl Fn(&mut Peer, &mut Snapshots<f64>, f64)) -> Vec<(f64, bool)> {
    let (mut sender, mut runner) = (Peer::at_hz(HZ).unwrap(), Snapshots::new());
    let mut seen = Vec::new();
    for message in 0..2 * CUT {
        let now = f64::from(message) / HZ;
        if message == CUT {
            cut(&mut sender, &mut runner, now);
        } else {
            let x = 5.0 * now + if message < CUT { 0.0 } else { 3.0 };
            let _ = runner.insert(sender.receive(now, now), Report::new(x));
        }
        if message % 6 == 0 {
            let drawn = runner.draw(&sender.frame(now).unwrap()).here().unwrap();
            seen.push((drawn.now, drawn.cut));
        }
    }
    seen
}

/// It jumps in exactly one frame, which reports it.
fn is_cut_once(seen: &[(f64, bool)]) {
    for pair in seen.windows(2) {
        let [(before, _), (now, cut)] = [pair[0], pair[1]];
        assert_eq!(now - before > 2.0, cut, "{before} {now}");
    }
    assert_eq!(seen.iter().filter(|(_, cut)| *cut).count(), 2, "it appeared, it jumped: {seen:?}");
}

#[test]
fn what_vanishes_and_comes_back_between_two_frames_is_cut() {
    is_cut_once(&drawn(|sender, runner, now| {
        let _ = runner.vanish(sender.receive(now, now));
    }));
}

#[test]
fn two_cuts_between_two_frames_are_a_cut_though_the_epoch_is_as_before() {
    is_cut_once(&drawn(|sender, runner, now| {
        let _ = runner.insert(sender.receive(now, now), Report::new(500.0).with_epoch(1));
    }));
}

#[test]
fn cuts_that_come_in_after_their_moments_were_foreseen_are_a_cut() {
    let (mut sender, mut runner) = (Peer::at_hz(HZ).unwrap(), Snapshots::new());
    let insert = |sender: &mut Peer, runner: &mut Snapshots<f64>, sent: f64, at: f64, x: f64, epoch| {
        let _ = runner.insert(sender.receive(sent, at), Report::new(x).with_epoch(epoch));
    };
    let tick = 1.0 / HZ;
    let mut now = 0.0;
    for message in 0..CUT {
        now = f64::from(message) * tick;
        insert(&mut sender, &mut runner, now, now, 5.0 * now, 0);
        let _ = runner.draw(&sender.frame(now).unwrap());
    }
    let newest = now;
    let mut last = runner.draw(&sender.frame(now).unwrap()).here().unwrap();
    for _ in 0..5 {
        now += tick;
        last = runner.draw(&sender.frame(now).unwrap()).here().unwrap();
    }
    assert!(last.now > 5.0 * (newest + tick), "ahead of the two that come now: {last:?}");
    insert(&mut sender, &mut runner, newest + 0.5 * tick, now, 500.0, 1);
    insert(&mut sender, &mut runner, newest + tick, now, 5.0 * now + 3.0, 0);
    let cut = runner.draw(&sender.frame(now).unwrap()).here().unwrap();
    assert!(cut.cut && cut.now > last.now + 2.0, "{last:?} {cut:?}");
}

/// It was in every message, and from the teleport on it is in every fourth: drawn so much later, it would be back where it
/// was before.
#[test]
fn what_becomes_rarer_at_a_teleport_is_never_seen_on_the_old_side_again() {
    for (hz, before, after) in [(10, 1, 4), (20, 1, 2), (20, 1, 4), (20, 2, 8), (60, 1, 4), (60, 2, 8)] {
        for (frames, phase) in (0..12).flat_map(|phase| [(60, phase), (144, phase)]) {
            for declared in [true, false] {
                let (mut peer, mut runner) =
                    (Peer::at_hz(f64::from(hz)).unwrap(), Snapshots::<[f64; 2]>::new());
                let teleport = 2 * hz + phase;
                let (mut message, mut sides) = (0, Vec::new());
                for frame in 0..5 * frames {
                    let now = f64::from(frame) / f64::from(frames);
                    while f64::from(message) / f64::from(hz) + 0.03 <= now {
                        let sent = f64::from(message) / f64::from(hz);
                        let stamp = peer.receive(sent, sent + 0.03);
                        let jumped = message >= teleport;
                        let speaks =
                            if jumped { (message - teleport) % after == 0 } else { message % before == 0 };
                        if speaks {
                            let report = Report::new([6.0 * sent, if jumped { 1000.0 } else { 0.0 }]);
                            let epoch = u32::from(jumped && declared);
                            let _ = runner.insert(stamp, report.with_epoch(epoch));
                        }
                        message += 1;
                    }
                    let Some(frame) = peer.frame(now) else { continue };
                    sides.extend(runner.draw(&frame).here().map(|drawn| drawn.now[1]));
                }
                let what =
                    format!("{hz} Hz, every {before} and {after}, {frames} frames/s, declared {declared}");
                assert!(sides.iter().all(|&side| side == 0.0 || side == 1000.0), "{what}: between");
                assert!(sides.is_sorted() && sides.ends_with(&[1000.0]), "{what}: back");
            }
        }
    }
}
