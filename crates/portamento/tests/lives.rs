//! A sender that begins anew: what its things look like until it speaks of each of them again.

use portamento::remote::{Report, Sender, Snapshots, Taken};

const INTERVAL: f64 = 0.05;
const FRAME: f64 = 1.0 / 60.0;
const PACE: f64 = 5.0;

/// A runner at a steady pace, drawn for three seconds of a sender's first life.
struct Scene {
    sender: Sender,
    runner: Snapshots<f64>,
    now: f64,
    view: f64,
}

impl Scene {
    fn new() -> Self {
        let (sender, runner) = (Sender::new(INTERVAL).unwrap(), Snapshots::new());
        let mut scene = Scene { sender, runner, now: 0.0, view: 0.0 };
        for k in 0..60 {
            let sent = 500.0 + f64::from(k) * INTERVAL;
            let stamp = scene.sender.receive(sent, scene.now);
            assert_eq!(scene.runner.insert(stamp, Report::new(scene.now * PACE)), Taken::In);
            for _ in 0..3 {
                scene.view = scene.draw().view;
            }
        }
        scene
    }

    fn draw(&mut self) -> portamento::remote::Drawn<f64> {
        self.now += FRAME;
        let frame = self.sender.frame(self.now).unwrap();
        self.runner.draw(&frame).expect("it is there")
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
                assert!((drawn.view - before).abs() < 0.1 && !drawn.cut, "from {start}: {before} {drawn:?}");
                scene.view = drawn.view;
            }
        }
        let drawn = scene.draw();
        assert!(!drawn.moved && drawn.view == scene.view, "and then it rests: {drawn:?}");
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
            assert_eq!(scene.runner.insert(stamp, Report::new(15.0)), Taken::In, "message {k}");
        }
        for _ in 0..3 {
            let drawn = scene.draw();
            assert!(!drawn.cut);
            largest = largest.max((drawn.view - scene.view).abs());
            scene.view = drawn.view;
        }
    }
    assert!(largest < 3.0 * PACE * FRAME, "{largest} in a frame");
    assert_eq!(scene.view, 15.0);
    assert_eq!((scene.runner.counts().late, scene.runner.counts().snaps), (0, 0));
}

#[test]
fn a_life_may_begin_with_messages_in_any_order() {
    let mut scene = Scene::new();
    scene.sender.restart();
    // No frame between them: nothing of this life has been drawn that they could be late for.
    for sent in [0.1, 0.0, 0.05] {
        let stamp = scene.sender.receive(sent, scene.now);
        assert_eq!(scene.runner.insert(stamp, Report::new(scene.view)), Taken::In, "{sent}");
    }
}

#[test]
fn a_stamp_of_a_life_that_is_over_is_refused_and_counted() {
    let mut scene = Scene::new();
    let old = scene.sender.receive(503.0, scene.now);
    scene.sender.restart();
    let new = scene.sender.receive(0.0, scene.now);
    assert_eq!(scene.runner.insert(new, Report::new(scene.view)), Taken::In);
    assert_eq!(scene.runner.insert(old, Report::new(99.0)), Taken::TooLate);
    assert_eq!(scene.runner.vanish(old), Taken::TooLate);
    assert_eq!(scene.runner.counts().late, 2);
    let drawn = scene.draw();
    assert!((drawn.view - scene.view).abs() < 0.1, "{} {drawn:?}", scene.view);
}

#[test]
fn what_was_about_to_vanish_when_its_sender_began_anew_is_gone() {
    let mut scene = Scene::new();
    let stamp = scene.sender.receive(503.0, scene.now);
    assert_eq!(scene.runner.vanish(stamp), Taken::In);
    scene.sender.restart();
    let _of_another = scene.sender.receive(0.0, scene.now);
    let frame = scene.sender.frame(scene.now + FRAME).unwrap();
    assert_eq!(scene.runner.draw(&frame), None);
}

#[test]
fn a_thing_never_drawn_appears_where_the_old_life_left_it() {
    let mut sender = Sender::new(INTERVAL).unwrap();
    let mut thing = Snapshots::<f64>::new();
    for k in 0..5 {
        let stamp = sender.receive(500.0 + f64::from(k) * INTERVAL, f64::from(k) * INTERVAL);
        assert_eq!(thing.insert(stamp, Report::new(f64::from(k))), Taken::In);
    }
    sender.restart();
    let _of_another = sender.receive(0.0, 0.25);
    for k in 0..3 {
        let drawn = thing.draw(&sender.frame(0.25 + f64::from(k) * FRAME).unwrap()).unwrap();
        assert_eq!((drawn.view, drawn.cut, drawn.moved), (4.0, k == 0, k == 0));
    }
}
