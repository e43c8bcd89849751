//! Corrected poses against the obvious program: a `PredictedTrack` for each.

use super::*;
use crate::blend::{OffsetSize, Rotation};
use crate::step::{Moment, Stepper};
use crate::track::{PredictedTrack, ReconcileSettings, TrackEnds};
use std::collections::VecDeque;

struct Body<P: Sample, const ENDS: usize> {
    handle: BatchHandle,
    track: PredictedTrack<P, ENDS>,
    drawn: bool,
}

/// A pose up to `share` of the world away.
fn beside<P: Sample>(random: &mut Random, from: &P, share: f64) -> P {
    let by = P::velocity(&P::any(random), &P::any(random), 1.0);
    from.advance(&P::scaled(&by, OffsetSize::both(share * random.unit())), 1.0)
}

type Save<P, const ENDS: usize> = (BatchTruth<P>, Vec<TrackEnds<P, ENDS>>, usize);

/// Counts of what happened: frames that glide, cuts that were corrections, restores.
#[derive(Default, Debug)]
struct Seen {
    glided: usize,
    cuts: usize,
    restores: usize,
    rests: usize,
}

fn run<P: Sample, const ENDS: usize>(
    seed: u64,
    kernel: Kernel,
    frames: usize,
    remembers: bool,
    seen: &mut Seen,
) {
    let mut random = Random(seed);
    let rolls_back = remembers && seed.is_multiple_of(2);
    let limit = OffsetSize { length: 3.0, angle: if seed.is_multiple_of(3) { 0.5 } else { 9.0 } };
    let reconcile = ReconcileSettings { limit, ..ReconcileSettings::default() };
    let settings = BatchSettings {
        ends: ENDS,
        remember_views: remembers,
        reconcile,
        glide_after_restore: rolls_back,
        kernel,
    };
    let mut batch = Batch::<P>::with_settings(settings).unwrap();
    let mut bodies: Vec<Body<P, ENDS>> = Vec::new();
    let mut save: Option<Save<P, ENDS>> = None;
    for frame in 0..frames {
        let at = format!("{} seed {seed} frame {frame}, {ENDS} ends", kernel.name());
        if bodies.len() < 5 || bodies.len() < 40 && random.chance(4) {
            let pose = P::any(&mut random);
            let track = PredictedTrack::with_settings(pose, reconcile);
            bodies.push(Body { handle: batch.insert(pose), track, drawn: false });
            save = None;
        } else if random.chance(20) {
            let gone = random.below(bodies.len());
            let body = bodies.swap_remove(gone);
            assert_eq!(batch.remove(body.handle).unwrap().bits(), body.track.truth().bits(), "{at}");
            save = None;
        }
        let correct = |random: &mut Random, batch: &mut Batch<P>, body: &mut Body<P, ENDS>| {
            let share = [0.0005, 0.003, 0.1][random.below(3)];
            let corrected = beside(random, body.track.truth(), share);
            batch.reconcile(body.handle, corrected).unwrap();
            body.track.reconcile(corrected);
            assert_eq!(batch.truth(body.handle).unwrap().bits(), body.track.truth().bits());
        };
        let tick = |random: &mut Random, batch: &mut Batch<P>, bodies: &mut [Body<P, ENDS>]| {
            batch.tick();
            for (i, body) in bodies.iter_mut().enumerate() {
                let truth = *body.track.truth();
                match random.below(40) {
                    0 => {
                        let pose = P::any(random);
                        batch.cut(body.handle, pose).unwrap();
                        // A batch that is cut in a tick has had its tick.
                        body.track.push(truth);
                        body.track.cut(pose);
                    }
                    // Some rest for long.
                    _ if (frame / 60 + i) % 3 == 0 => body.track.push(truth),
                    _ => {
                        let pose = beside(random, &truth, 0.002);
                        batch.push(body.handle, pose).unwrap();
                        body.track.push(pose);
                        if random.chance(10) {
                            let pose = beside(random, &pose, 0.0001);
                            batch.correct(body.handle, pose).unwrap();
                            body.track.correct(pose);
                        }
                        if random.chance(10) {
                            correct(random, batch, body);
                        }
                    }
                }
            }
        };
        for _ in 0..[0, 1, 1, 2, 5][random.below(5)] {
            tick(&mut random, &mut batch, &mut bodies);
            if let Some((.., ticks)) = &mut save {
                *ticks += 1;
            }
        }
        if rolls_back {
            if let Some((truth, ends, ticks)) = &save
                && random.chance(3)
            {
                batch.restore(truth);
                for (body, ends) in bodies.iter_mut().zip(ends) {
                    body.track.restore(ends.clone());
                }
                // Now and then not all of them are simulated again.
                for _ in 0..ticks.saturating_sub(random.below(12) / 11) {
                    tick(&mut random, &mut batch, &mut bodies);
                }
                seen.restores += 1;
                save = None;
            } else if save.is_none() {
                let ends = bodies.iter().map(|body| body.track.ends().clone()).collect();
                save = Some((saved(&batch), ends, 0));
            }
        }
        for body in &mut bodies {
            for _ in 0..2 {
                // Closed ticks alone: in an open one, what was not pushed has not had its tick yet.
                if random.chance(12) && !batch.open {
                    correct(&mut random, &mut batch, body);
                }
            }
        }
        if random.chance(30) {
            // Not far: a predicted track lets what a shift rounds glide as well, once that is a tenth of a millimetre.
            let shift = P::any_shift(&mut random).map(|by| by * 0.001);
            batch.rebase(|pose| pose.shifted(&shift));
            bodies.iter_mut().for_each(|body| body.track.rebase(|pose| pose.shifted(&shift)));
            save = None;
        }
        if random.chance(9) {
            batch = batch.clone();
        }
        let reaches = random.below(ENDS.min(4) - 1) as u32;
        // No extrapolation: where it goes wrong, a predicted track glides in any case, and a batch only what glides already.
        let moment = match random.below(12) {
            0 => Moment::newest(0.01),
            1 => Moment::at(random.unit(), 0.0),
            _ => Moment::at(random.unit(), random.unit() * 0.05).ticks_back(reaches),
        };
        let moment = if random.chance(2) { moment.in_frame(frame as u64) } else { moment };
        let gliding = batch.glides.is_empty();
        check(&mut batch, &mut bodies, moment, seen, &at);
        seen.glided += usize::from(!gliding);
    }
}

fn check<P: Sample, const ENDS: usize>(
    batch: &mut Batch<P>,
    bodies: &mut [Body<P, ENDS>],
    moment: Moment,
    seen: &mut Seen,
    at: &str,
) {
    let rows = batch.rows();
    let numbers = P::FLOATS;
    for again in 0..1 + usize::from(moment.frame().is_some()) {
        let frame = batch.frame(moment);
        let mut out = vec![f32::NAN; rows * numbers];
        frame.write_rows(OutputForm::Poses, &mut out).unwrap();
        for Body { handle, track, drawn: was_drawn } in bodies.iter_mut() {
            let at = format!("{at}, {handle:?}, time {again}");
            let drawn = track.draw(moment);
            let view = frame.view(*handle).unwrap();
            assert_eq!(view.bits(), drawn.now.bits(), "{at}");
            let moved = frame.moved().contains(handle);
            if moved {
                let row: Vec<_> =
                    out[handle.index() * numbers..][..numbers].iter().map(|x| x.to_bits()).collect();
                assert_eq!(row, view.bits(), "{at}: as it is written");
            } else {
                assert_eq!(drawn.now.bits(), drawn.before.bits(), "{at}: what did not move");
                assert!(!drawn.cut);
                seen.rests += 1;
            }
            if let Some(other) = frame.drawn(*handle).unwrap() {
                // A batch has the place where it was inserted before its first frame, a track has none.
                if core::mem::replace(was_drawn, true) && (again == 0 || !drawn.cut) {
                    assert_eq!(other.before.bits(), drawn.before.bits(), "{at}: before");
                }
                assert_eq!(other.cut, drawn.cut, "{at}: cut");
                seen.cuts += usize::from(drawn.cut);
            }
        }
    }
    for handle in batch.glides.all_handles() {
        assert!(
            batch.directory.slot(handle).is_ok_and(|slot| slot < batch.moving),
            "{at}: what glides is drawn"
        );
    }
}

#[test]
fn corrected_poses_glide_as_predicted_tracks_do_to_the_bit() {
    let mut seen = Seen::default();
    for (seed, kernel) in (0..4).flat_map(|seed| Kernel::available().map(move |kernel| (seed, kernel))) {
        // Where views are remembered, or as many ticks as lie between two frames.
        run::<Pose, 2>(seed, kernel, 300, true, &mut seen);
        run::<Pose, 5>(seed + 100, kernel, 300, true, &mut seen);
        run::<Pose, 16>(seed + 200, kernel, 300, false, &mut seen);
        run::<Pose2, 2>(seed + 300, kernel, 300, true, &mut seen);
        run::<Scaled<Pose>, 3>(seed + 400, kernel, 300, true, &mut seen);
    }
    assert!(seen.glided > 2000 && seen.cuts > 1000 && seen.restores > 300 && seen.rests > 1000, "{seen:?}");
}

const SPEED: f64 = 5.0;
const HZ: f64 = 60.0;
const FPS: f64 = 144.0;
const USUAL: f64 = SPEED / FPS;

/// Twenty poses on their way along x, of which every second is corrected: `correct(tick)` is by how much. Returns the
/// largest step of a picture in a frame, of those that are corrected and of the others, and the cuts.
fn walk(
    settings: BatchSettings,
    seconds: f64,
    correct: impl Fn(u64) -> Option<[f32; 3]>,
) -> ([f64; 2], Vec<(Pose, Pose)>) {
    let mut stepper = Stepper::fixed(HZ).unwrap();
    let mut batch = Batch::<Pose>::with_settings(settings).unwrap();
    let handles: Vec<_> = (0..20).map(|i| batch.insert(Pose::at([0.0, i as f32, 0.0]))).collect();
    let mut last: Vec<Option<Pose>> = vec![None; handles.len()];
    let (mut largest, mut cuts) = ([0.0f64; 2], Vec::new());
    for i in 0..(seconds * FPS) as usize {
        let frame = stepper.frame(1.0 / FPS);
        for tick in frame.ticks {
            batch.tick();
            let walked = |_, mut pose: Pose| {
                pose.position[0] += (SPEED * tick.dt) as f32;
                pose
            };
            batch.push_all(walked).unwrap();
            if let Some(by) = correct(tick.number) {
                for &handle in handles.iter().step_by(2) {
                    let mut pose = batch.truth(handle).unwrap();
                    pose.position.iter_mut().zip(by).for_each(|(x, by)| *x += by);
                    batch.reconcile(handle, pose).unwrap();
                }
            }
        }
        let drawn = batch.frame(frame.moment);
        for (n, (&handle, last)) in handles.iter().zip(&mut last).enumerate() {
            let view = drawn.view(handle).unwrap();
            if let Some(seen) = drawn.drawn(handle).unwrap() {
                assert_eq!(
                    (seen.now, seen.before),
                    (view, last.unwrap_or(view)),
                    "motion vectors are the picture's own"
                );
                if seen.cut && i > 0 {
                    cuts.push((seen.now, seen.before));
                }
            }
            if let Some(last) = last.filter(|_| i > 10) {
                let way = (0..3)
                    .map(|k| f64::from(view.position[k] - last.position[k]).powi(2))
                    .sum::<f64>()
                    .sqrt();
                largest[n % 2] = largest[n % 2].max(way);
            }
            *last = Some(view);
        }
    }
    for &handle in &handles {
        assert!(
            batch.glides.get(handle).is_none() || seconds > 19.0,
            "and at the end it stands on the truth's bits"
        );
    }
    (largest, cuts)
}

fn kinds() -> [BatchSettings; 3] {
    let plain = BatchSettings::default();
    [plain, BatchSettings { ends: 8, ..plain }, BatchSettings { remember_views: true, ..plain }]
}

#[test]
fn one_correction_of_a_batch_is_spread_over_many_frames() {
    for settings in kinds() {
        for metres in [0.1, 0.5, 3.0] {
            let mut most = 0.0f64;
            for way in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
                for at in 90..94 {
                    let by = way.map(|c: f32| c * metres);
                    let ([largest, others], cuts) = walk(settings, 6.0, |tick| (tick == at).then_some(by));
                    most = most.max(largest);
                    assert!(largest < 3.0 * USUAL, "{metres} m {way:?}: {} of the usual", largest / USUAL);
                    assert!(others < 1.01 * USUAL, "{others}");
                    assert!(cuts.is_empty());
                }
            }
            println!(
                "{metres} m, {} ends: the largest step is {:.2} of the usual",
                settings.ends,
                most / USUAL
            );
        }
    }
}

#[test]
fn noise_of_10_cm_at_20_hz_hardly_shows_in_a_batch() {
    let noise = |n: u64| Random(n).within(0.1);
    for settings in kinds() {
        for kind in 0..3 {
            let beside = |tick: u64| {
                let [x, y] = [noise(tick / 3 * 2), noise(tick / 3 * 2 + 1)];
                [[x, 0.0, 0.0], [0.0, y, 0.0], [x * 0.7, y * 0.7, 0.0]][kind]
            };
            let ([largest, others], cuts) = walk(settings, 20.0, |tick| {
                let (now, before) = (beside(tick), if tick < 3 { [0.0; 3] } else { beside(tick - 3) });
                tick.is_multiple_of(3).then(|| core::array::from_fn(|i| now[i] - before[i]))
            });
            println!(
                "kind {kind}, {} ends: the largest step is {:.3} of the usual",
                settings.ends,
                largest / USUAL
            );
            assert!(largest < 1.2 * USUAL && others < 1.01 * USUAL, "kind {kind}: {}", largest / USUAL);
            assert!(cuts.is_empty());
        }
    }
}

#[test]
fn beyond_the_limit_a_correction_of_a_batch_is_a_cut_exactly_to_the_truth() {
    let [_, full, lean] = kinds();
    for settings in [BatchSettings { remember_views: true, ..full }, lean] {
        let limit = OffsetSize { length: 2.0, angle: 9.0 };
        let reconcile = ReconcileSettings { limit, ..ReconcileSettings::default() };
        let settings = BatchSettings { reconcile, ..settings };
        let (_, cuts) = walk(settings, 3.0, |tick| (tick == 90).then_some([0.0, 0.0, 2.5]));
        assert_eq!(cuts.len(), 10);
        for (now, before) in cuts {
            assert_eq!((now.position[2], before.position[2]), (2.5, 0.0));
        }
    }
}

#[test]
fn what_rests_and_is_corrected_is_drawn_until_it_has_arrived_and_then_costs_nothing() {
    let mut batch = Batch::<Pose>::new();
    let handles: Vec<_> = (0..50).map(|i| batch.insert(Pose::at([i as f32, 0.3, 0.0]))).collect();
    let moment = Moment::newest(1.0 / 144.0);
    let _ = batch.frame(moment);
    let turned = Rotation::from_axis_angle([0.0, 1.0, 0.0], 0.4);
    let place = Pose::new([20.1, 0.7, 0.0], turned);
    batch.reconcile(handles[20], place).unwrap();
    let mut frames = 0;
    loop {
        if frames % 2 == 0 {
            batch.tick();
        }
        let frame = batch.frame(moment);
        if frame.moved().is_empty() {
            break;
        }
        assert_eq!(frame.moved(), [handles[20]], "frame {frames}");
        frames += 1;
        assert!(frames < 1000);
    }
    assert!(frames > 100, "{frames}");
    assert_eq!(size_of::<super::super::glide::Glide<Pose>>(), 64, "what the documentation says");
    assert_eq!(batch.frame(moment).view(handles[20]), Ok(place));
    assert_eq!((batch.moving, batch.drawn), (0, 0));
    // In the middle of a tick, before its own push.
    batch.tick();
    batch.push(handles[20], Pose::at([20.2, 0.7, 0.0])).unwrap();
    let _ = batch.frame(moment);
    batch.tick();
    batch.reconcile(handles[20], Pose::at([20.4, 0.7, 0.0])).unwrap();
    assert_eq!(batch.truth(handles[20]), Ok(Pose::at([20.4, 0.7, 0.0])));
    batch.push(handles[20], Pose::at([20.5, 0.7, 0.0])).unwrap();
    let x = batch.frame(moment).view(handles[20]).unwrap().position[0];
    assert!(
        (20.29..20.32).contains(&x),
        "a tenth on, and a little of the two tenths that it was corrected by: {x}"
    );
    batch.remove(handles[20]).unwrap();
    assert_eq!(batch.reconcile(handles[20], place), Err(BatchError::StaleHandle(handles[20])));
}

#[test]
fn a_misprediction_of_a_batch_glides_after_a_rollback_and_nothing_else_does() {
    let settings = BatchSettings { glide_after_restore: true, ..BatchSettings::default() };
    let mut batch = Batch::<Pose>::with_settings(settings).unwrap();
    assert!(batch.settings.remember_views);
    let [wrong, right, still] = [0.0, 1.0, 2.0].map(|y| batch.insert(Pose::at([0.0, y, 0.0])));
    let mut stepper = Stepper::fixed(HZ).unwrap();
    let mut saves = VecDeque::new();
    let step = |batch: &mut Batch<Pose>, mispredicted: bool| {
        batch.tick();
        for (handle, speed) in [(wrong, if mispredicted { 2.0 } else { 1.0 }), (right, 1.0)] {
            let mut pose = batch.truth(handle).unwrap();
            pose.position[0] += (speed * SPEED / HZ) as f32;
            batch.push(handle, pose).unwrap();
        }
    };
    let (mut largest, mut glided) = (0.0f64, 0);
    for i in 0..700 {
        let frame = stepper.frame(1.0 / FPS);
        for tick in frame.ticks {
            saves.push_back(saved(&batch));
            if saves.len() > 8 {
                saves.pop_front();
            }
            step(&mut batch, (100..108).contains(&tick.number));
        }
        if let Some(oldest) = saves.front() {
            // The server's answer comes eight ticks later; every frame simulates again what it does not know.
            let (mut tick, now) = (stepper.counts().ticks - saves.len() as u64, stepper.counts().ticks);
            batch.restore(oldest);
            while tick < now {
                step(&mut batch, now < 108 && (100..108).contains(&tick));
                tick += 1;
            }
        }
        let drawn = batch.frame(frame.moment);
        assert_eq!(drawn.moved().contains(&still), i == 0, "frame {i}");
        let [a, b] = [wrong, right].map(|handle| drawn.drawn(handle).unwrap().unwrap());
        assert!(i == 0 || !a.cut && !b.cut);
        if i > 10 {
            let step =
                |drawn: &crate::Drawn<Pose>| f64::from(drawn.now.position[0] - drawn.before.position[0]);
            assert!((step(&b) - USUAL).abs() < 1e-4, "frame {i}: {}", step(&b));
            largest = largest.max(step(&a).abs());
        }
        glided += usize::from(batch.glides.get(wrong).is_some());
        assert!(batch.glides.get(right).is_none());
    }
    assert!(largest < 2.2 * USUAL, "{}: twice is what it was mispredicted by", largest / USUAL);
    assert!((100..690).contains(&glided), "{glided}");
}

#[test]
fn a_cut_that_is_taken_back_is_reported_where_the_pose_stands_as_it_stood() {
    let settings = BatchSettings { remember_views: true, ..BatchSettings::default() };
    let mut batch = Batch::<Pose>::with_settings(settings).unwrap();
    let handle = batch.insert(Pose::default());
    let drawn = |batch: &mut Batch<Pose>| batch.frame(Moment::newest(0.01)).drawn(handle).unwrap().unwrap();
    for _ in 0..4 {
        batch.tick();
        batch.push(handle, Pose::default()).unwrap();
        let _ = drawn(&mut batch);
    }
    let save = saved(&batch);
    batch.cut(handle, Pose::default()).unwrap();
    assert!(drawn(&mut batch).cut);
    let _ = (drawn(&mut batch), drawn(&mut batch));
    batch.restore(&save);
    assert!(drawn(&mut batch).cut, "the cut did not happen");
    assert!(!drawn(&mut batch).cut, "once");
}
