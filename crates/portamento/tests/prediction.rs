//! Client-side prediction: what a correction or a rollback does to the picture.

use portamento::blend::{Blend, Displace, Hermite, OffsetSize, Pose};
use portamento::playhead::{Playhead, Shown, Timeline};
use portamento::step::{Frame, GateRule, GateSettings, GatedStepper, MomentParts, Stepper, Tick};
use portamento::track::{PredictedTrack, ReconcileSettings, TrackEnds};
use portamento::{Drawn, Moment, Track};
use std::collections::VecDeque;

/// Metres per second, ticks per second, frames per second.
const SPEED: f64 = 5.0;
const HZ: f64 = 60.0;
const FPS: f64 = 144.0;
const USUAL: f64 = SPEED / FPS;

/// One entity on its way along x, with what the simulation was told by the server: `correct(tick)` is by how much the truth
/// moves after that tick.
fn run<const ENDS: usize>(
    settings: ReconcileSettings,
    seconds: f64,
    correct: impl Fn(u64) -> Option<[f64; 3]>,
) -> Vec<(Drawn<[f64; 3]>, [f64; 3])> {
    let mut stepper = Stepper::fixed(HZ).unwrap();
    let mut body = PredictedTrack::<_, ENDS>::with_settings([0.0f64; 3], settings);
    let mut out = Vec::new();
    for _ in 0..(seconds * FPS) as usize {
        let frame = stepper.frame(1.0 / FPS);
        for tick in frame.ticks {
            let [x, y, z] = *body.truth();
            body.push([x + SPEED * tick.dt, y, z]);
            if let Some(by) = correct(tick.number) {
                let truth = *body.truth();
                body.reconcile(std::array::from_fn(|i| truth[i] + by[i]));
            }
        }
        let drawn = body.draw(frame.moment);
        assert_eq!(body.draw(frame.moment), drawn, "the offset fades once in a frame");
        // What is drawn of the truth now, without an offset.
        out.push((drawn, body.ends().view(frame.moment)));
    }
    out
}

fn length(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

/// The largest step of the picture in a frame, after the first few.
fn largest_step(frames: &[(Drawn<[f64; 3]>, [f64; 3])]) -> f64 {
    for pair in frames.windows(2) {
        assert_eq!(pair[1].0.before, pair[0].0.now, "motion vectors are the picture's own");
    }
    frames[10..].iter().map(|(drawn, _)| length(drawn.before, drawn.now)).fold(0.0, f64::max)
}

/// Evenly within -1..1, the same each time.
fn noise(n: u64) -> f64 {
    let mut x = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1;
    x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((x ^ (x >> 32)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[test]
fn one_correction_is_spread_over_many_frames_whatever_its_size_and_direction() {
    one_correction_is_spread::<8>();
    // With two ends the truth of the last frame is forgotten when the correction comes.
    one_correction_is_spread::<2>();
}

fn one_correction_is_spread<const ENDS: usize>() {
    for metres in [0.1, 0.5, 3.0] {
        let mut most = 0.0f64;
        for way in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
            // After each of four consecutive ticks, and so at four different places between two frames.
            for at in 90..94 {
                let by = way.map(|c: f64| c * metres);
                let frames =
                    run::<ENDS>(ReconcileSettings::default(), 6.0, |tick| (tick == at).then_some(by));
                let largest = largest_step(&frames);
                most = most.max(largest);
                assert!(largest < 3.0 * USUAL, "{metres} m {way:?}: {largest} m in a frame, usually {USUAL}");
                assert!(frames[1..].iter().all(|(drawn, _)| !drawn.cut));
                let (last, truth) = frames.last().unwrap();
                assert_eq!(last.now, *truth, "and at the end it stands on the truth's bits");
            }
        }
        println!("{metres} m, {ENDS} ends: the largest step is {:.2} of the usual", most / USUAL);
    }
}

#[test]
fn noise_of_10_cm_at_20_hz_hardly_shows() {
    let settings = ReconcileSettings::default();
    for kind in 0..3 {
        // The truth is where it should be, and up to 10 cm beside it: along the way, across, and both.
        let beside = |tick: u64| {
            let n = tick / 3;
            let [x, y] = [noise(2 * n) * 0.1, noise(2 * n + 1) * 0.1];
            [[x, 0.0, 0.0], [0.0, y, 0.0], [x * 0.7, y * 0.7, 0.0]][kind]
        };
        let correct = |tick: u64| {
            let (now, before) = (beside(tick), if tick < 3 { [0.0; 3] } else { beside(tick - 3) });
            tick.is_multiple_of(3).then(|| std::array::from_fn(|i| now[i] - before[i]))
        };
        for (ends, frames) in [(8, run::<8>(settings, 20.0, correct)), (2, run::<2>(settings, 20.0, correct))]
        {
            let largest = largest_step(&frames);
            println!("kind {kind}, {ends} ends: the largest step is {:.3} of the usual", largest / USUAL);
            assert!(largest < 1.2 * USUAL, "kind {kind}: {}", largest / USUAL);
        }
    }
}

#[test]
fn a_correction_in_every_tick_glides_too() {
    let frames = run::<8>(ReconcileSettings::default(), 10.0, |tick| Some([0.0, 0.02 * noise(tick), 0.0]));
    let largest = largest_step(&frames);
    assert!(largest < 1.2 * USUAL, "{}", largest / USUAL);
}

#[test]
fn beyond_the_limit_a_correction_is_a_cut_and_exactly_at_the_truth() {
    let settings = ReconcileSettings { limit: OffsetSize { length: 2.0, angle: 9.0 }, ..Default::default() };
    let correct = |tick| (tick == 90).then_some([0.0, 2.5, 0.0]);
    for frames in [run::<8>(settings, 3.0, correct), run::<2>(settings, 3.0, correct)] {
        let cuts: Vec<_> = frames[1..].iter().filter(|(drawn, _)| drawn.cut).collect();
        assert_eq!(cuts.len(), 1);
        let (drawn, truth) = cuts[0];
        assert_eq!(drawn.now, *truth);
        assert!(frames[1..].iter().all(|(drawn, truth)| drawn.now == *truth), "nothing is left of it");
    }
}

#[test]
fn what_rests_is_corrected_to_the_exact_bits_and_then_rests() {
    let mut stepper = Stepper::fixed(HZ).unwrap();
    let start = Pose::at([0.1, 0.2, 0.3]);
    let mut body = PredictedTrack::new(start);
    let place = Pose::at([0.1, 0.7, 0.3]);
    for i in 0..1500 {
        let frame = stepper.frame(1.0 / FPS);
        for tick in frame.ticks {
            body.push(*body.truth());
            if tick.number == 100 {
                body.reconcile(place);
                assert!(body.ends().at_rest(frame.moment), "the truth rests, wherever it is");
            }
        }
        let _ = body.draw(frame.moment);
        assert!(body.ends().at_rest(frame.moment), "frame {i}");
    }
    let moment = stepper.frame(1.0 / FPS).moment;
    assert!(body.ends().at_rest(moment) && body.offset() == OffsetSize::default());
    assert_eq!(body.draw(moment).now, place);
}

#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
struct Player {
    position: [f32; 2],
    #[blend(angle)]
    heading: f32,
    #[blend(snap)]
    weapon: u8,
}

#[test]
fn a_type_of_your_own_glides_in_what_moves() {
    let at = |x: f32, heading: f32, weapon| Player { position: [x, 0.0], heading, weapon };
    let mut player = PredictedTrack::new(at(0.0, 3.0, 1));
    let mut stepper = Stepper::fixed(HZ).unwrap();
    for i in 0..300 {
        let frame = stepper.frame(1.0 / FPS);
        for _ in frame.ticks {
            player.push(player.truth().clone());
        }
        if i == 100 {
            player.reconcile(at(0.5, -3.0, 2));
        }
        let drawn = player.draw(frame.moment);
        if (100..180).contains(&i) {
            assert_eq!(drawn.now.weapon, 2);
            assert!(i > 100 || drawn.now.position[0] < 0.02, "it starts where it was drawn");
            assert!(drawn.now.position[0] > drawn.before.position[0] && drawn.now.position[0] < 0.5);
            assert!(drawn.now.heading.abs() >= 3.0, "the short way around: {}", drawn.now.heading);
        }
    }
}

/// Simulates the tick: a step along x, a teleport now and then, and from tick `wrong` on a wrong speed.
fn simulate(x: f64, tick: u64, wrong: Option<u64>) -> (f64, bool) {
    let speed = if wrong.is_some_and(|wrong| tick >= wrong) { 2.0 * SPEED } else { SPEED };
    let teleports = tick % 37 == 36;
    (x + speed / HZ + if teleports { 20.0 } else { 0.0 }, teleports)
}

/// What all kinds of tracks have.
trait Rolled: Clone {
    fn at(start: f64) -> Self;
    fn tick(&mut self, tick: u64, wrong: Option<u64>);
    fn save(&self) -> TrackEnds<f64, 8>;
    fn put_back(&mut self, ends: TrackEnds<f64, 8>);
    fn drawn(&mut self, moment: Moment) -> Drawn<f64>;
}

macro_rules! rolled {
    ($track:ty) => {
        impl Rolled for $track {
            fn at(start: f64) -> Self {
                Self::new(start)
            }
            fn tick(&mut self, tick: u64, wrong: Option<u64>) {
                let (x, teleports) = simulate(*self.truth(), tick, wrong);
                if teleports { self.cut(x) } else { self.push(x) }
            }
            fn save(&self) -> TrackEnds<f64, 8> {
                self.ends().clone()
            }
            fn put_back(&mut self, ends: TrackEnds<f64, 8>) {
                self.restore(ends);
            }
            fn drawn(&mut self, moment: Moment) -> Drawn<f64> {
                self.draw(moment)
            }
        }
    };
}

rolled!(Track<f64>);
rolled!(PredictedTrack<f64>);

/// Ten seconds in which every frame restores the truth of eight ticks ago and simulates them again.
fn rolls_back_unseen<R: Rolled>() {
    for fps in [144.0, 61.0, 30.0] {
        let mut stepper = Stepper::fixed(HZ).unwrap();
        let (mut straight, mut rolled) = (R::at(0.0), R::at(0.0));
        let mut saves = VecDeque::from([(0, rolled.save())]);
        let mut cuts = 0;
        for i in 0..(10.0 * fps) as usize {
            let frame = stepper.frame(1.0 / fps);
            for tick in frame.ticks {
                straight.tick(tick.number, None);
                rolled.tick(tick.number, None);
                saves.push_back((tick.number + 1, rolled.save()));
                if saves.len() > 9 {
                    saves.pop_front();
                }
            }
            let (from, oldest) = saves[0].clone();
            rolled.put_back(oldest);
            (from..stepper.counts().ticks).for_each(|tick| rolled.tick(tick, None));
            let drawn = straight.drawn(frame.moment);
            assert_eq!(rolled.drawn(frame.moment), drawn, "{fps} frames/s, frame {i}");
            assert_eq!(rolled.drawn(frame.moment), drawn, "{fps} frames/s, frame {i}, again");
            cuts += u32::from(drawn.cut);
        }
        assert_eq!(cuts, 17, "one when it appeared, and a teleport in 37 ticks");
    }
}

#[test]
fn eight_ticks_simulated_again_in_every_frame_draw_as_if_simulated_once() {
    rolls_back_unseen::<Track<f64>>();
    rolls_back_unseen::<PredictedTrack<f64>>();
}

#[test]
fn a_real_misprediction_glides_after_a_rollback() {
    let mut stepper = Stepper::fixed(HZ).unwrap();
    let mut body = PredictedTrack::new(0.0f64);
    let mut saves = VecDeque::new();
    let mut largest: f64 = 0.0;
    for i in 0..700 {
        let frame = stepper.frame(1.0 / FPS);
        for tick in frame.ticks {
            // Eight ticks too fast, until the server's answer comes.
            let wrong = (100..108).contains(&tick.number).then_some(100);
            let (x, _) = simulate(*body.truth(), tick.number % 36, wrong.map(|_| 0));
            body.push(x);
            saves.push_back(body.ends().clone());
            if saves.len() > 9 {
                saves.pop_front();
            }
        }
        if stepper.counts().ticks == 109 && saves.len() == 9 {
            body.restore(saves[0].clone()); // as after tick 99
            for tick in 101..109 {
                body.push(simulate(*body.truth(), tick % 36, None).0);
            }
            saves.clear();
        }
        let drawn = body.draw(frame.moment);
        if i > 10 {
            assert!(!drawn.cut);
            largest = largest.max((drawn.now - drawn.before).abs());
        }
    }
    assert!(largest < 2.2 * USUAL, "{}: twice is what it was mispredicted by", largest / USUAL);
    assert!(body.offset() == OffsetSize::default());
}

#[test]
fn a_track_of_two_ends_glides_as_one_of_eight() {
    let step =
        |frames: &mut Vec<f64>, body: &mut dyn FnMut(Moment, u64, bool) -> f64, stepper: &mut Stepper| {
            let frame = stepper.frame(1.0 / 20.0); // three ticks in a frame
            let ticks = frame.ticks.len() as u64;
            let correct = frames.len() == 20;
            frames.push(body(frame.moment, ticks, correct));
        };
    let mut lean = PredictedTrack::<f64, 2>::with_settings(0.0, ReconcileSettings::default());
    let mut full = PredictedTrack::<f64>::new(0.0);
    let (mut lean_frames, mut full_frames) = (Vec::new(), Vec::new());
    macro_rules! drive {
        ($track:ident, $frames:ident) => {
            let mut stepper = Stepper::fixed(HZ).unwrap();
            let mut body = |moment: Moment, ticks: u64, correct: bool| {
                for _ in 0..ticks {
                    $track.push($track.truth() + SPEED / HZ);
                }
                if correct {
                    $track.reconcile($track.truth() + 0.5);
                }
                $track.draw(moment).now
            };
            for _ in 0..100 {
                step(&mut $frames, &mut body, &mut stepper);
            }
        };
    }
    drive!(lean, lean_frames);
    drive!(full, full_frames);
    for (i, (lean, full)) in lean_frames.iter().zip(&full_frames).enumerate() {
        assert!((lean - full).abs() < 1e-9, "frame {i}: {lean} {full}");
    }
}

/// Ten seconds of a timeline whose writer restores the truth of eight ticks ago in every frame and sends them again.
fn a_timeline_rolls_back_unseen<const K: usize>() {
    for fps in [144.0, 61.0, 30.0] {
        let mut stepper = Stepper::fixed(HZ).unwrap();
        let mut playhead = Playhead::at_hz(HZ).unwrap();
        let (mut straight, mut rolled) = (Timeline::<f64, K>::default(), Timeline::<f64, K>::default());
        let send = |timeline: &mut Timeline<f64, K>, tick: &Tick| {
            let (x, teleports) = timeline.truth().map_or((0.0, false), |&x| simulate(x, tick.number, None));
            assert!(if teleports { timeline.cut(tick.time, x) } else { timeline.push(tick.time, x) });
        };
        let mut saves = VecDeque::new();
        let (mut cuts, mut drawn_frames) = (0, 0);
        for i in 0..(10.0 * fps) as usize {
            let now = (i + 1) as f64 / fps;
            for tick in stepper.frame(1.0 / fps).ticks {
                saves.push_back((tick, rolled.clone()));
                if saves.len() > 8 {
                    saves.pop_front();
                }
                // Ticks come unevenly, as they do from another thread.
                playhead.observe(now + 0.002 * (noise(tick.number) + 1.0), tick.time);
                send(&mut straight, &tick);
                send(&mut rolled, &tick);
            }
            if let Some((_, oldest)) = saves.front() {
                rolled.restore(oldest.clone());
                saves.iter().for_each(|(tick, _)| send(&mut rolled, tick));
            }
            let Some(shown) = playhead.advance(now + 0.005) else { continue };
            let drawn = straight.draw(shown);
            assert_eq!(rolled.draw(shown), drawn, "{K} kept, {fps} frames/s, frame {i}");
            assert_eq!(rolled.place(shown), straight.place(shown));
            cuts += u32::from(drawn.is_some_and(|drawn| drawn.cut));
            drawn_frames += u32::from(drawn.is_some());
        }
        assert_eq!(cuts, 17, "one when it appeared, and a teleport in 37 ticks");
        assert!(f64::from(drawn_frames) > 9.5 * fps);
    }
}

#[test]
fn a_timeline_whose_ticks_are_simulated_again_draws_as_if_simulated_once() {
    a_timeline_rolls_back_unseen::<16>();
    a_timeline_rolls_back_unseen::<6>(); // of the eight ticks, it holds six
}

#[test]
fn a_timeline_shows_at_once_what_comes_out_otherwise_and_a_teleport_that_was_none_is_a_cut_back() {
    let mut body = Timeline::<f64>::new();
    assert!(body.push(0.0, 0.0) && body.push(1.0, 1.0));
    let save = body.clone();
    assert!(body.cut(2.0, 50.0));
    let drawn = body.draw(Shown::still(2.0)).unwrap();
    assert!(drawn.cut && drawn.now == 50.0);
    body.restore(save.clone());
    assert!(body.push(2.0, 3.0));
    let drawn = body.draw(Shown::still(2.0)).unwrap();
    assert_eq!((drawn.now, drawn.before, drawn.cut), (3.0, 50.0, true));
    body.restore(save);
    assert!(body.push(2.0, 2.0));
    let drawn = body.draw(Shown::still(2.0)).unwrap();
    assert_eq!((drawn.now, drawn.before, drawn.cut), (2.0, 3.0, false));
}

#[test]
fn a_stepper_put_back_to_a_clone_runs_the_same_ticks_and_draws_the_same_moments() {
    let gate = |rule| GatedStepper::with_gate(GateSettings::from(rule)).unwrap();
    for stepper in [
        GatedStepper::from(Stepper::fixed(HZ).unwrap()),
        GatedStepper::gated(),
        gate(GateRule::AllAtOnce),
        gate(GateRule::OneAtATime),
    ] {
        let (mut straight, mut rolled) = (stepper.clone(), stepper);
        let (mut body, mut rolled_body) =
            (Track::<f64, 64>::with_ends(0.0), Track::<f64, 64>::with_ends(0.0));
        let run = |body: &mut Track<f64, 64>, tick: Tick| {
            let (x, teleports) = simulate(*body.truth(), tick.number, None);
            if teleports { body.cut(x) } else { body.push(x) }
        };
        let mut saves: VecDeque<(GatedStepper, TrackEnds<f64, 64>, f64)> = VecDeque::new();
        let mut cuts = 0;
        for i in 0..(10.0 * FPS) as u64 {
            let dt = (1.0 + 0.3 * noise(i)) / FPS;
            let Frame { ticks, moment, lost } = straight.frame(dt);
            ticks.for_each(|tick| run(&mut body, tick));
            // Back by eight ticks at least, and all of the frames since then again.
            saves.push_back((rolled.clone(), rolled_body.ends().clone(), dt));
            while saves.get(1).is_some_and(|(older, ..)| straight.counts().ticks - older.counts().ticks >= 8)
            {
                saves.pop_front();
            }
            rolled = saves[0].0.clone();
            rolled_body.restore(saves[0].1.clone());
            let mut again = None;
            for (_, _, dt) in &saves {
                let frame = rolled.frame(*dt);
                frame.ticks.clone().for_each(|tick| run(&mut rolled_body, tick));
                again = Some(frame);
            }
            let again = again.unwrap();
            assert_eq!((again.moment, again.lost), (moment, lost), "frame {i}");
            assert_eq!(MomentParts::from(again.moment), MomentParts::from(moment), "frame {i}");
            assert_eq!(rolled, straight, "frame {i}");
            let drawn = body.draw(moment);
            for _ in 0..2 {
                assert_eq!(rolled_body.draw(again.moment), drawn, "frame {i}");
            }
            cuts += u32::from(drawn.cut);
        }
        assert!(cuts > 5, "{cuts}");
    }
}
