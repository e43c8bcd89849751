//! A sender that begins anew, or another that takes over: how it is noticed, and what entities look like until it speaks
//! of each.

use portamento::remote::{Inserted, Peer, Report, Seen, Snapshots};

const INTERVAL: f64 = 0.05;
const FRAME: f64 = 1.0 / 60.0;
const PACE: f64 = 5.0;

/// A runner at a steady pace, drawn for three seconds of a sender's first life.
struct Scene {
    sender: Peer,
    runner: Snapshots<f64>,
    now: f64,
    view: f64,
}

impl Scene {
    fn new() -> Self {
        Scene::in_life(0)
    }

    fn in_life(life: u32) -> Self {
        let (mut sender, runner) = (Peer::at_hz(1.0 / INTERVAL).unwrap(), Snapshots::new());
        (0..life).for_each(|_| sender.restart());
        let mut scene = Scene { sender, runner, now: 0.0, view: 0.0 };
        for k in 0..60 {
            let sent = 500.0 + f64::from(k) * INTERVAL;
            let stamp = scene.sender.receive(sent, scene.now);
            assert_eq!(scene.runner.insert(stamp, Report::new(scene.now * PACE)), Inserted::In);
            for _ in 0..3 {
                scene.view = scene.draw().now;
            }
        }
        scene
    }

    fn draw(&mut self) -> portamento::Drawn<f64> {
        self.now += FRAME;
        let frame = self.sender.frame(self.now).unwrap();
        self.runner.draw(&frame).here().expect("it is there")
    }
}

#[test]
fn what_a_new_life_has_not_named_yet_stays_where_it_was_drawn() {
    // Its clock starts over behind the old one, among the old stamps, or ahead of them.
    for start in [0.0, 502.5, 9000.0] {
        let mut scene = Scene::new();
        let before = scene.view;
        scene.sender.restart();
        for k in 0..40 {
            let _of_another = scene.sender.receive(start + f64::from(k) * INTERVAL, scene.now);
            for _ in 0..3 {
                let drawn = scene.draw();
                assert!((drawn.now - before).abs() < 0.1 && !drawn.cut, "from {start}: {before} {drawn:?}");
                scene.view = drawn.now;
            }
        }
        let drawn = scene.draw();
        assert!(!scene.runner.statistics().moved && drawn.now == scene.view, "and then it rests: {drawn:?}");
        let frame = scene.sender.frame(scene.now).unwrap();
        assert_eq!(scene.runner.claim(&frame), None, "no server knows stamps of a life that is over");
    }
}

#[test]
fn from_where_it_was_held_a_thing_glides_to_where_the_new_life_has_it() {
    let mut scene = Scene::new();
    scene.sender.restart();
    let mut largest = 0.0f64;
    for k in 0..60 {
        let stamp = scene.sender.receive(f64::from(k) * INTERVAL, scene.now);
        if k >= 2 {
            assert_eq!(scene.runner.insert(stamp, Report::new(15.0)), Inserted::In, "message {k}");
        }
        for _ in 0..3 {
            let drawn = scene.draw();
            assert!(!drawn.cut);
            largest = largest.max((drawn.now - scene.view).abs());
            scene.view = drawn.now;
        }
    }
    assert!(largest < 3.0 * PACE * FRAME, "{largest} in a frame");
    assert_eq!(scene.view, 15.0);
    assert_eq!((scene.runner.statistics().late, scene.runner.statistics().snaps), (0, 0));
}

/// A client that starts with run number 0 learns the server's with the first message.
#[test]
fn before_the_first_message_no_life_ends() {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    sender.restart();
    let _ = sender.receive(500.0, 0.0);
    assert_eq!(sender.statistics().restarts, 0);
    sender.restart();
    assert_eq!(sender.statistics().restarts, 1);
}

#[test]
fn a_life_may_begin_with_messages_in_any_order() {
    let mut scene = Scene::new();
    scene.sender.restart();
    // No frame between them: nothing of this life has been drawn that they could be late for.
    for sent in [0.1, 0.0, 0.05] {
        let stamp = scene.sender.receive(sent, scene.now);
        assert_eq!(scene.runner.insert(stamp, Report::new(scene.view)), Inserted::In, "{sent}");
    }
}

#[test]
fn a_stamp_of_a_life_that_is_over_is_refused_and_counted() {
    let mut scene = Scene::new();
    let old = scene.sender.receive(503.0, scene.now);
    scene.sender.restart();
    let new = scene.sender.receive(0.0, scene.now);
    assert_eq!(scene.runner.insert(new, Report::new(scene.view)), Inserted::In);
    assert_eq!(scene.runner.insert(old, Report::new(99.0)), Inserted::TooLate);
    assert_eq!(scene.runner.vanish(old), Inserted::TooLate);
    assert_eq!(scene.runner.statistics().late, 2);
    let drawn = scene.draw();
    assert!((drawn.now - scene.view).abs() < 0.1, "{} {drawn:?}", scene.view);
}

#[test]
fn what_was_about_to_vanish_when_its_sender_began_anew_is_gone() {
    let mut scene = Scene::new();
    let stamp = scene.sender.receive(503.0, scene.now);
    assert_eq!(scene.runner.vanish(stamp), Inserted::In);
    scene.sender.restart();
    let _of_another = scene.sender.receive(0.0, scene.now);
    let frame = scene.sender.frame(scene.now + FRAME).unwrap();
    assert_eq!(scene.runner.draw(&frame), Seen::Gone);
}

#[test]
fn a_thing_never_drawn_appears_where_the_old_life_left_it() {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let mut thing = Snapshots::<f64>::new();
    for k in 0..5 {
        let stamp = sender.receive(500.0 + f64::from(k) * INTERVAL, f64::from(k) * INTERVAL);
        assert_eq!(thing.insert(stamp, Report::new(f64::from(k))), Inserted::In);
    }
    sender.restart();
    let _of_another = sender.receive(0.0, 0.25);
    for k in 0..3 {
        let drawn = thing.draw(&sender.frame(0.25 + f64::from(k) * FRAME).unwrap()).here().unwrap();
        assert_eq!((drawn.now, drawn.cut, thing.statistics().moved), (4.0, k == 0, k == 0));
    }
}

/// Another sender, in its `life`-th life, that has been heard for three seconds and reads 40 s now.
fn another(life: u32, now: f64) -> Peer {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    (0..life).for_each(|_| sender.restart());
    for k in -60..=0 {
        let _of_another = sender.receive(40.0 + f64::from(k) * INTERVAL, now + f64::from(k) * INTERVAL);
        let _ = sender.frame(now + f64::from(k) * INTERVAL);
    }
    sender
}

#[test]
fn what_is_handed_over_walks_on_whatever_lives_its_senders_are_in() {
    for (old, new) in [(0, 0), (0, 3), (3, 0), (3, 3)] {
        let mut scene = Scene::in_life(old);
        let mut sender = another(new, scene.now);
        std::mem::swap(&mut scene.sender, &mut sender);
        scene.runner.hand_over();
        for k in 1..60 {
            let stamp = scene.sender.receive(40.0 + f64::from(k) * INTERVAL, scene.now);
            let taken = scene.runner.insert(stamp, Report::new(scene.now * PACE));
            assert_eq!(taken, Inserted::In, "from life {old} to {new}");
            for _ in 0..3 {
                let drawn = scene.draw();
                let step = (drawn.now - scene.view) / (PACE * FRAME);
                assert!(!drawn.cut && (0.0..2.0).contains(&step), "from life {old} to {new}: {step} steps");
                scene.view = drawn.now;
            }
        }
        assert!(scene.now * PACE - scene.view < 0.1 * PACE, "from life {old} to {new}");
    }
}

#[test]
fn what_is_handed_over_stays_where_it_is_until_its_new_sender_speaks_of_it() {
    let mut scene = Scene::in_life(2);
    let mut sender = another(0, scene.now);
    scene.runner.hand_over();
    for _ in 0..60 {
        scene.now += FRAME;
        // Whichever of the two is asked.
        for frame in [&mut scene.sender, &mut sender].map(|sender| sender.frame(scene.now).unwrap()) {
            let drawn = scene.runner.draw(&frame).here().unwrap();
            assert!((drawn.now - scene.view).abs() < 0.1 && !drawn.cut, "{} {drawn:?}", scene.view);
            assert_eq!(scene.runner.claim(&frame), None, "no server answers for it now");
        }
    }
    let stamp = sender.receive(41.0, scene.now);
    assert_eq!(scene.runner.vanish(stamp), Inserted::In);
    assert_eq!(scene.runner.draw(&sender.frame(scene.now).unwrap()), Seen::Gone);
}

#[test]
fn what_is_handed_over_far_away_or_with_another_epoch_is_cut_there() {
    for (there, epoch) in [(900.0, 0), (15.1, 1)] {
        let mut scene = Scene::in_life(0);
        scene.sender = another(0, scene.now);
        scene.runner.hand_over();
        let stamp = scene.sender.receive(40.05, scene.now);
        assert_eq!(scene.runner.insert(stamp, Report::new(there).with_epoch(epoch)), Inserted::In);
        let drawn = scene.draw();
        assert!(drawn.cut && drawn.now == there, "{drawn:?}");
        assert!(!scene.draw().cut);
    }
}

#[test]
fn a_restarted_sender_is_recognised_and_a_forged_stamp_outlived() {
    for (first_life, strange) in [(500.0, None), (0.0, Some(1e9))] {
        let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
        let mut thing = Snapshots::<f64>::new();
        for k in 0..200 {
            let now = f64::from(k) * INTERVAL;
            let old_life = k < 100;
            let sent =
                if old_life { first_life + now } else { now - 100.0 * INTERVAL + 0.01 * first_life.min(0.0) };
            let sent = if strange.is_some() { now } else { sent };
            thing.insert(sender.receive(sent, now + 0.03), Report::new(now));
            if k == 100
                && let Some(strange) = strange
            {
                thing.insert(sender.receive(strange, now + 0.031), Report::new(now));
            }
            let frame = sender.frame(now + 0.04).unwrap();
            let drawn = thing.draw(&frame).here().unwrap();
            if k > 130 {
                assert!((now - drawn.now) < 0.25, "at {now} it shows {}", drawn.now);
            }
        }
        assert_eq!(sender.statistics().restarts, 1);
    }
}

/// A sender that begins anew after five seconds, its clock set back by `back`; how many messages of the new life are
/// not taken, how long the picture stands still, and what the statistics say.
fn restarted(back: f64, told: bool) -> (u32, f64, u64) {
    let mut sender = Peer::at_hz(1.0 / INTERVAL).unwrap();
    let mut thing = Snapshots::<f64>::new();
    let (mut refused, mut still, mut last) = (0, 0.0, f64::NAN);
    for k in 0..200 {
        let now = f64::from(k) * INTERVAL;
        let new_life = k >= 100;
        // Not on the old grid of stamps: a new life rarely is.
        let sent = if new_life { 50.0 + now - back + 0.0123 } else { 50.0 + now };
        if told && k == 100 {
            sender.restart();
        }
        let report = Report::new(now).with_epoch(u32::from(new_life));
        let taken = thing.insert(sender.receive(sent, now + 0.03), report);
        refused += u32::from(taken != Inserted::In);
        for part in 0..3 {
            let frame = sender.frame(now + 0.03 + f64::from(part) * FRAME).unwrap();
            let view = thing.draw(&frame).here().unwrap().now;
            still += if k >= 100 && view == last { FRAME } else { 0.0 };
            last = view;
        }
        if k > 130 {
            assert!(now - last < 0.15, "back {back}: at {now} it shows {last}");
        }
    }
    (refused, still, sender.statistics().restarts)
}

#[test]
fn a_sender_that_restarts_a_little_earlier_is_noticed_within_four_messages() {
    for back in [0.3, 0.5, 0.9, 1.1, 3.0, 50.0] {
        let (refused, still, restarts) = restarted(back, false);
        assert_eq!(restarts, 1, "back {back}");
        assert!(refused <= 3 && still < 0.35, "back {back}: {refused} refused, {still} s still");
    }
    // Over before it could be noticed: the picture waits until the old stamps are passed.
    for back in [0.05, 0.1] {
        let (_, still, restarts) = restarted(back, false);
        assert!(restarts == 0 && still < 0.25, "{still}");
    }
    // Noticed as they pass: the old life's next would have been on time.
    let (_, still, restarts) = restarted(0.2, false);
    assert!(restarts == 1 && still < 0.25, "{still}");
}

#[test]
fn a_sender_that_says_so_restarts_at_once() {
    for back in [-0.5, 0.0, 0.1, 0.5, 3.0] {
        let (refused, still, restarts) = restarted(back, true);
        assert_eq!((refused, restarts), (0, 1), "back {back}");
        assert!(still < 0.15, "back {back}: {still} s still");
    }
}
