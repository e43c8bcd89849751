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
