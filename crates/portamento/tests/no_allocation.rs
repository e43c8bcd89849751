//! Law 8: no module allocates in its per-frame path. An allocator that counts is the judge.

mod counting;

use counting::allocations;
use portamento::batch::{
    Batch, BatchSettings, OutputForm,
    internals::{Tile, WIDTH},
};
use portamento::blend::{Pose, Pose64, Rotation};
use portamento::camera::{ChaseCamera, ChaseRule, ChaseSettings, FollowCamera, FollowSettings};
use portamento::exchange::{self, Shape};
use portamento::remote::waypoints::{RemoteBody, WaypointReport, WaypointRules, WaypointTick};
use portamento::step::{
    FixedSettings, Frame, GateRule, GateSettings, GatedStepper, LostReason, Snapping, Stepper,
};
use portamento::{Moment, Track};

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(Box::new(1)))) > 0);
}

fn steppers() -> [GatedStepper; 5] {
    let snapping = FixedSettings {
        snapping: Snapping::ToDisplay { hz: 144.0 },
        carry_drift: true,
        max_ticks: Some(4),
        ..FixedSettings::at_hz(60.0)
    };
    let gate = |rule| GatedStepper::with_gate(GateSettings::from(rule)).unwrap();
    [
        Stepper::fixed(60.0).unwrap().into(),
        Stepper::new(snapping).unwrap().into(),
        Stepper::gated(),
        gate(GateRule::AllAtOnce),
        gate(GateRule::OneAtATime),
    ]
}

#[test]
fn a_frame_of_a_stepper_and_its_tracks_allocates_nothing() {
    for mut stepper in steppers() {
        let mut pose = Track::<Pose>::new(Pose::default());
        let mut point = Track::<[f64; 3], 12>::with_ends([0.0; 3]);
        let count = allocations(|| {
            for i in 0..5000 {
                let dt = [0.007, 0.016, f64::NAN, 0.3, 2.5, 0.001][i % 6];
                let Frame { ticks, moment, lost } = stepper.frame(dt);
                for tick in ticks {
                    let turn = Rotation::from_axis_angle([0.0, 0.0, 1.0], tick.time as f32);
                    pose.push(Pose::new([tick.time as f32, 0.0, 0.0], turn));
                    point.push([tick.time, 0.0, 0.0]);
                }
                if lost.reason == Some(LostReason::Stale) {
                    pose.cut(Pose::default());
                    point.rebase(|p| p[0] -= 1.0);
                }
                let _ = std::hint::black_box((
                    pose.draw(moment),
                    point.view(moment),
                    pose.ends().at_rest(moment),
                ));
            }
        });
        assert_eq!(count, 0);
    }
    assert_eq!(Moment::newest(0.0).alpha(), 1.0);
}

#[test]
fn a_tick_and_a_frame_of_a_batch_allocate_nothing() {
    let mut crowd =
        Batch::<Pose>::with_settings(BatchSettings { remember_views: true, ..BatchSettings::default() })
            .unwrap();
    let handles: Vec<_> = (0..1000).map(|i| crowd.insert(Pose::at([i as f32, 0.0, 0.0]))).collect();
    let mut buffer = vec![0.0; 16 * crowd.rows()];
    let mut tiles = vec![Tile::BLANK; crowd.handles().len().div_ceil(WIDTH)];
    let count = allocations(|| {
        for round in 0..50 {
            crowd.tick();
            for &handle in handles[..900].iter().skip(round).step_by(3) {
                let mut pose = crowd.truth(handle).unwrap();
                pose.position[1] += 1.0;
                crowd.push(handle, pose).unwrap();
            }
            crowd.correct(handles[round], Pose::default()).unwrap();
            crowd.cut(handles[round + 1], Pose::default()).unwrap();
            crowd.remove(handles[900 + round]).unwrap();
            crowd.insert(Pose::default());
            if round % 10 == 0 {
                crowd.rebase(|pose| pose.position[0] += 1.0);
                crowd.tick();
                crowd.push_all(|_, pose| pose).unwrap();
            }
            for alpha in [0.1, 0.6] {
                let frame = crowd.frame(Moment::at(alpha, 0.0));
                for form in [
                    OutputForm::Poses,
                    OutputForm::Positions,
                    OutputForm::Matrices3x4,
                    OutputForm::Matrices4x4,
                ] {
                    frame.write(form, &mut buffer).unwrap();
                    frame.write_rows(form, &mut buffer).unwrap();
                }
                frame.tiles(&mut tiles).unwrap();
                std::hint::black_box(frame.drawn(handles[0]).unwrap());
            }
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn a_frame_of_a_camera_allocates_nothing() {
    for rule in [ChaseRule::PerFrame, ChaseRule::Smooth] {
        let mut chase = ChaseCamera::new(ChaseSettings { rule, ..ChaseSettings::y_up() }).unwrap();
        let mut follow = FollowCamera::new(FollowSettings::new([640.0, 360.0])).unwrap();
        let mut body = Track::<Pose>::new(Pose::default());
        let count = allocations(|| {
            for i in 0..2000 {
                let moment = Moment::at(0.5, [0.007, 0.016, 0.0, f64::INFINITY][i % 4]);
                if i % 100 == 0 {
                    body.cut(Pose::at([i as f32, 0.0, 0.0]));
                    follow.shake(0.5);
                    follow.zoom_by(1.1, Some([10.0, 10.0]));
                } else {
                    body.push(Pose::at([0.0, i as f32, f32::NAN * (i % 7 / 6) as f32]));
                }
                let drawn = body.draw(moment);
                let [x, y, _] = drawn.now.position;
                follow.pan([1.0, -1.0]);
                let framing = match i % 3 {
                    0 => follow.update(moment, [x, y]),
                    1 => follow.update_all(moment, [[x, y], [0.0, 9.0]]),
                    _ => follow.update_free(moment),
                };
                let shot = chase.update_with(moment, drawn, |_, eye| [eye[0], eye[1].max(0.0), eye[2]]);
                std::hint::black_box((shot, framing.to_world([0.0; 2]), chase.counts()));
            }
        });
        assert_eq!(count, 0);
    }
}

#[test]
fn no_report_and_no_quantum_of_a_remote_body_allocates() {
    let mut bodies: Vec<RemoteBody> = (0..100).map(|_| RemoteBody::new()).collect();
    let rules = WaypointRules::y_up();
    let walking = WaypointTick::new(1.0 / 30.0, 4.0);
    let count = allocations(|| {
        for tick in 0..300u32 {
            for (i, body) in bodies.iter_mut().enumerate() {
                // Queues that run full, teleports, blips, bad numbers, velocities, stops: all of it.
                let x = f64::from(tick) * if i % 7 == 0 { 200.0 } else { 0.2 };
                let lost = i % 11 == 0 && tick % 5 == 0;
                let pose = Pose64::at([if lost { f64::NAN } else { x }, i as f64, 0.0]);
                let report = WaypointReport {
                    keep_heading: i % 2 == 0,
                    ..WaypointReport::new((tick / 50) as u16, pose)
                };
                if tick as usize % 3 == i % 3 || i % 5 == 0 {
                    let _ = body.report(&rules, &report, 50.0);
                }
                if i % 13 == 0 {
                    let _ = body.enqueue_velocity([1.0, 0.0, 0.0]);
                    body.enqueue_stop();
                    let _ = body.stick_to(&rules, [x, 1.0, 0.0], 1.0);
                }
                body.frame(&rules, walking.dt, if tick % 90 < 80 { 50.0 } else { 100.0 });
                let _ = body.walk(&rules, &walking);
                let _ = std::hint::black_box(body.draw(Moment::at(0.5, 0.0)));
            }
        }
    });
    assert_eq!(count, 0);
    let counts = bodies.iter().map(|body| body.state(&rules).counts);
    let sum = counts.fold([0; 3], |n, c| [n[0] + c.evicted, n[1] + c.placed, n[2] + c.unusable]);
    assert!(sum.iter().all(|&n| n > 100), "evictions, placements and refusals were among them: {sum:?}");
}

#[test]
fn a_tick_and_a_frame_of_the_exchange_allocate_nothing() {
    let (mut writer, mut reader) = exchange::pair(Shape::entities(100), 10.0).unwrap();
    let mut camera = ChaseCamera::new(ChaseSettings::y_up()).unwrap();
    let count = allocations(|| {
        for tick in 0..50 {
            writer.set(tick, Pose::default()).unwrap();
            writer.cut(tick, Pose::default()).unwrap();
            if tick % 3 == 0 {
                writer.remove(tick).unwrap();
            }
            writer.publish(tick as f64 / 10.0, tick as f64 / 10.0).unwrap();
            let world = reader.frame(tick as f64 / 10.0).unwrap();
            assert!(world.entities().count() <= 100);
            if let Some(body) = world.draw(1) {
                std::hint::black_box(camera.update(&world, body));
            }
            assert!(reader.latest().is_some());
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn snapshots_neither_on_arrival_nor_on_drawing_nor_on_rewinding() {
    use portamento::remote::{History, Peer, Report, Snapshots};
    let mut sender = Peer::at_hz(20.0).unwrap();
    let mut thing = Snapshots::<Pose>::new();
    let mut history = History::<Pose>::at_hz(20.0).unwrap();
    let mut camera = ChaseCamera::new(ChaseSettings::y_up()).unwrap();
    let count = allocations(|| {
        for k in 0..400 {
            let sent = f64::from(k) * 0.05;
            let report = Report::new(Pose::at([sent as f32, 0.0, 0.0])).with_epoch(k / 50);
            history.record(sent, report);
            // Bursts: three at once, every third time.
            thing.insert(sender.receive(sent, 0.03 + f64::from(k / 3) * 0.15), report);
            for part in 0..3 {
                if let Some(frame) = sender.frame(sent + f64::from(part) / 60.0)
                    && let Some(body) = thing.draw(&frame).here()
                    && let Some(claim) = thing.claim(&frame)
                {
                    std::hint::black_box(camera.update(&frame, body));
                    let _ = history.rewind(claim, sent + 0.05);
                }
            }
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn a_playhead_its_timelines_and_cues_allocate_nothing() {
    use portamento::playhead::{Cues, Playhead, Timeline};
    let mut playhead = Playhead::at_hz(60.0).unwrap();
    let mut timeline = Timeline::<Pose>::new();
    let mut cues = Cues::<u32, 8>::default();
    let count = allocations(|| {
        for tick in 0..5000 {
            let sim = f64::from(tick) / 60.0;
            // Late, in bunches, after pauses, and now and then nonsense.
            let arrival =
                sim + [0.0, 0.003, 0.012, 0.0, f64::NAN][tick as usize % 5] + f64::from(tick / 1000);
            playhead.observe(arrival, sim);
            timeline.push(sim, Pose::new([tick as f32, 0.0, 0.0], Rotation::IDENTITY));
            let refused = cues.add(sim, tick).is_err();
            for part in 0..3 {
                let Some(shown) = playhead.advance(arrival + f64::from(part) / 180.0) else { continue };
                let _ = std::hint::black_box((timeline.view(shown), timeline.draw(shown), refused));
                while let Some(cue) = cues.next(shown) {
                    std::hint::black_box(cue);
                }
            }
        }
    });
    assert_eq!(count, 0);
}

#[cfg(feature = "alloc")]
#[test]
fn a_rollback_of_a_batch_and_its_corrections_allocate_nothing() {
    use portamento::Moment;
    use portamento::batch::{Batch, BatchSettings, BatchTruth, OutputForm};
    rollback_of(Batch::new());
    // Every correction glides, and whatever came out otherwise.
    let settings = BatchSettings { glide_after_restore: true, ..BatchSettings::default() };
    rollback_of(Batch::with_settings(settings).unwrap());

    fn rollback_of(mut crowd: Batch<Pose>) {
        let walkers: Vec<_> = (0..100).map(|k| crowd.insert(Pose::at([k as f32, 0.0, 0.0]))).collect();
        let mut save = BatchTruth::default();
        crowd.save(&mut save);
        let mut tick = 0u32;
        let mut frame = |crowd: &mut Batch<Pose>, save: &mut _| {
            // Back by four ticks, simulated again, and one more; some rest, some are cut.
            let simulate = |crowd: &mut Batch<Pose>, tick: u32| {
                crowd.tick();
                for (k, walker) in walkers.iter().enumerate() {
                    let at = Pose::at([k as f32, (tick as usize % (k + 1)) as f32, 0.0]);
                    if tick % 50 == 7 {
                        crowd.cut(*walker, at).unwrap();
                    } else {
                        crowd.push(*walker, at).unwrap();
                    }
                }
            };
            crowd.save(save);
            for again in 0..2 {
                if again == 1 {
                    crowd.restore(save);
                }
                (tick..tick + 4).for_each(|tick| simulate(crowd, tick));
            }
            for walker in walkers.iter().skip(tick as usize % 3).step_by(3) {
                let mut pose = crowd.truth(*walker).unwrap();
                pose.position[2] += 0.1;
                crowd.reconcile(*walker, pose).unwrap();
            }
            tick += 4;
            let drawn = crowd.frame(Moment::newest(0.016));
            let mut matrices = [0.0; 16 * 100];
            drawn.write_rows(OutputForm::Matrices4x4, &mut matrices).unwrap();
            std::hint::black_box((drawn.view(walkers[3]).unwrap(), &matrices));
        };
        (0..20).for_each(|_| frame(&mut crowd, &mut save));
        let count = allocations(|| (0..50).for_each(|_| frame(&mut crowd, &mut save)));
        assert_eq!(count, 0);
    }
}
