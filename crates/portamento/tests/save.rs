//! State can be saved and restored: what goes on from a save is the same, bit for bit.
#![cfg(feature = "serde")]

use portamento::batch::{Batch, Form, Order, Settings};
use portamento::blend::{Pose, Pose2, Pose64, Rotation, Scaled, Turn};
use portamento::camera::{ChaseCamera, ChaseSettings, FollowCamera, FollowRule, FollowSettings};
use portamento::remote::waypoints::{Constraint, Quantum, Rules, Sticky, Surroundings, Waypoints};
use portamento::remote::{
    Claim, Displace, Fading, History, Report, RewindLimits, Sender, Size, Snapshots, TickStamps, VisualOffset,
};
use portamento::step::{Fixed, Frame, FrameClock, Gate, GateRule, Stepper};
use portamento::{Moment, Track};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

fn play(stepper: &mut Stepper, track: &mut Track<Pose>, frames: std::ops::Range<u32>) -> Vec<[u32; 7]> {
    let mut views = Vec::new();
    for i in frames {
        let dt = f64::from(i.wrapping_mul(2_654_435_761) >> 8) / 16_777_216.0 * 0.03;
        let Frame { ticks, moment, .. } = stepper.frame(dt);
        for tick in ticks {
            let turn = Rotation::from_axis_angle([0.0, 1.0, 0.0], tick.time as f32);
            track.push(Pose::new([tick.time as f32, 0.0, 1.0 / 3.0], turn));
        }
        let Pose { position: [x, y, z], rotation } = track.view(&moment);
        let [qx, qy, qz, qw] = rotation.to_array();
        views.push([x, y, z, qx, qy, qz, qw].map(f32::to_bits));
    }
    views
}

#[test]
fn a_restored_game_goes_on_as_if_nothing_had_happened() {
    let clock = FrameClock::new().snapping_to_display(75.0).unwrap().carrying_drift();
    for mut stepper in [
        Stepper::fixed(60.0).unwrap(),
        Fixed::new(30.0).unwrap().clock(clock).max_ticks(2).unwrap().stepper(),
        Stepper::gated(GateRule::Even),
        Stepper::gated(GateRule::Client),
        Stepper::gated(GateRule::Seed),
    ] {
        let mut track = Track::<Pose>::new(Pose::default());
        let _ = play(&mut stepper, &mut track, 0..500);

        let saved = serde_json::to_string(&(&stepper, &track)).unwrap();
        let (mut stepper_again, mut track_again): (Stepper, Track<Pose>) =
            serde_json::from_str(&saved).unwrap();
        assert_eq!((&stepper, &track), (&stepper_again, &track_again));

        let going_on = play(&mut stepper, &mut track, 500..1000);
        assert_eq!(going_on, play(&mut stepper_again, &mut track_again, 500..1000));
    }
}

#[test]
fn a_save_with_too_few_values_is_refused() {
    let saved = serde_json::to_string(&Track::<f32, 4>::with_ends(0.5)).unwrap();
    let error = serde_json::from_str::<Track<f32, 8>>(&saved).unwrap_err();
    assert!(error.to_string().contains('8'), "{error}");
}

#[test]
fn a_save_with_nonsense_in_it_harms_nobody() {
    let saved = serde_json::to_string(&Track::<f32, 4>::with_ends(0.5)).unwrap();
    let nonsense =
        saved.replace("\"newest\":0", "\"newest\":4000000000").replace("\"known\":1", "\"known\":77");
    assert_ne!(saved, nonsense);
    let mut track: Track<f32, 4> = serde_json::from_str(&nonsense).unwrap();
    track.push(1.0);
    track.cut(2.0);
    track.correct(3.0);
    assert_eq!(track.truth(), &3.0);
}

#[test]
fn a_saved_walk_with_its_frames_at_the_end_of_their_counter_goes_on() {
    let mut saved = serde_json::to_value(Waypoints::<8>::default()).unwrap();
    *saved.pointer_mut("/frames").unwrap() = u32::MAX.into();
    let mut walk: Waypoints<8> = serde_json::from_value(saved).unwrap();
    let (rules, body) = (Rules::client(), Pose64::at([0.0; 3]));
    let _ = walk.enqueue(&rules, &body, &Pose64::at([1.0, 0.0, 0.0]), false, 100.0).unwrap();
    let quantum = Quantum { dt: 0.03, max_speed: 4.0, contact: true, sticky: false };
    assert!(walk.adjust(&rules, &body, &quantum).unwrap().is_some());
}

/// Some come, some go, some rest, some jump.
fn play_crowd(crowd: &mut Batch<Pose>, ticks: std::ops::Range<u32>) -> Vec<Vec<u32>> {
    let mut drawn = Vec::new();
    for tick in ticks {
        crowd.insert(Pose::at([tick as f32, 0.0, 0.0]));
        if let Some(&handle) = crowd.handles().get(tick as usize % 7) {
            match tick % 5 {
                0 => drop(crowd.remove(handle).unwrap()),
                1 => crowd.cut(handle, Pose::at([9.0, tick as f32, 0.0])).unwrap(),
                _ => {}
            }
        }
        crowd.tick();
        crowd
            .push_all(|handle, mut pose| {
                pose.position[1] += if handle.index() as u32 % 3 == tick % 3 { 0.1 } else { 0.0 };
                pose
            })
            .unwrap();
        for alpha in [0.3, 0.9] {
            let frame = crowd.frame(&Moment::at(alpha));
            let mut rows = vec![0.0; frame.moved().len() * 7];
            let _ = frame.write(Form::Poses, Order::Moved, &mut rows).unwrap();
            let befores = frame.moved().iter().flat_map(|&handle| {
                let seen = frame.seen(handle).unwrap().expect("views are remembered");
                [seen.before.position[1].to_bits(), u32::from(seen.cut)]
            });
            drawn.push(rows.iter().map(|x| x.to_bits()).chain(befores).collect());
        }
    }
    drawn
}

#[test]
fn a_restored_crowd_goes_on_as_if_nothing_had_happened() {
    let settings = Settings { ends: 3, remember_views: true, ..Settings::default() };
    let mut crowd = Batch::<Pose>::with(settings).unwrap();
    let _ = play_crowd(&mut crowd, 0..100);
    crowd.tick(); // in the middle of a tick, too
    let saved = serde_json::to_string(&crowd).unwrap();
    let mut again: Batch<Pose> = serde_json::from_str(&saved).unwrap();
    // The restored one cannot know what is on the screen, so it draws everything once.
    crowd.redraw();
    assert_eq!(play_crowd(&mut crowd, 100..200), play_crowd(&mut again, 100..200));
}

#[test]
fn a_saved_crowd_whose_parts_do_not_fit_is_refused() {
    let mut crowd = Batch::<Pose>::new();
    let handles: Vec<_> = (0..40).map(|i| crowd.insert(Pose::at([i as f32, 0.0, 0.0]))).collect();
    crowd.remove(handles[3]).unwrap();
    crowd.remove(handles[5]).unwrap();
    crowd.tick();
    crowd.push(handles[7], Pose::at([1.0; 3])).unwrap();
    let saved = serde_json::to_value(&crowd).unwrap();
    assert!(serde_json::from_value::<Batch<Pose>>(saved.clone()).is_ok());

    let nonsense = |path: &str, value: serde_json::Value| {
        let mut broken = saved.clone();
        *broken.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
        let error = serde_json::from_value::<Batch<Pose>>(broken).err();
        error.unwrap_or_else(|| panic!("{path} was believed")).to_string()
    };
    for (path, value) in [
        ("/newest", 2),
        ("/moving", 39),
        ("/drawn", 39),
        ("/still/0", 200),
        ("/owners/0/index", 39),
        ("/owners/1/generation", 1),
        ("/directory/entries/0/slot", 38),
        ("/directory/free", 0),
        ("/directory/free", 40),
        ("/directory/entries/5/slot", 5),
    ] {
        assert!(nonsense(path, value.into()).contains("do not fit"), "{path}");
    }
    for path in ["/ends/0", "/flags", "/still", "/owners", "/directory/entries", "/ends"] {
        assert!(nonsense(path, serde_json::json!([])).contains("do not fit"), "{path}");
    }
    assert!(nonsense("/settings/ends", 1.into()).contains("cannot keep 1 ends"));
}

#[test]
fn a_saved_crowd_with_a_mark_that_no_pose_can_have_is_refused() {
    let settings = Settings { remember_views: true, ..Settings::default() };
    let mut crowd = Batch::<Pose>::with(settings).unwrap();
    let handles: Vec<_> = (0..40).map(|i| crowd.insert(Pose::at([i as f32, 0.0, 0.0]))).collect();
    let _ = crowd.frame(&Moment::at(0.1));
    crowd.tick();
    crowd.push(handles[3], Pose::at([9.0; 3])).unwrap();
    let in_a_tick = crowd.clone();
    let _ = crowd.frame(&Moment::at(0.2));
    // Forty poses: the third tile is half empty. One moves, and lies in front.
    for (crowd, path, mark, why) in [
        (&in_a_tick, "/flags/2/fresh", 1 << 8, "slot 40 is marked as pushed or cut, and nobody lives in it"),
        (&in_a_tick, "/flags/2/cut", 1 << 15, "slot 47 is marked as pushed or cut, and nobody lives in it"),
        (&in_a_tick, "/flags/0/fresh", 1 << 1, "slot 1 is marked as pushed, and it rests"),
        (&crowd, "/flags/0/fresh", 1, "slot 0 is marked as pushed, and no tick is open"),
        (&crowd, "/flags/1/cut", 1, "slot 16 is marked as cut, and is not to be drawn"),
        (&crowd, "/flags/0/cut_shown", 1 << 3, "slot 3 is marked as cut in the last frame"),
    ] {
        refused(crowd, path, mark, why);
    }
    let forgetful = Batch::<Pose>::new();
    let mut saved = serde_json::to_value(&in_a_tick).unwrap();
    saved["settings"] = serde_json::to_value(&forgetful).unwrap()["settings"].clone();
    saved["views"] = serde_json::json!([[], []]);
    saved["flags"][0]["cut_shown"] = 1.into();
    let error = serde_json::from_value::<Batch<Pose>>(saved).unwrap_err().to_string();
    assert!(error.contains("its view is not remembered"), "{error}");
}

#[test]
fn a_crowd_can_be_saved_after_whatever_was_done_with_it() {
    for (ends, remember_views) in [(2, false), (2, true), (5, true)] {
        let mut crowd =
            Batch::<Pose>::with(Settings { ends, remember_views, ..Settings::default() }).unwrap();
        let mut state = 1u32;
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        for step in 0..3000 {
            let handle = crowd.handles().get(next(70)).copied();
            let pose = Pose::at([next(4) as f32, 0.0, 0.0]);
            match (next(10), handle) {
                (0 | 1, _) => drop(crowd.insert(pose)),
                (2, Some(handle)) => drop(crowd.remove(handle).unwrap()),
                (3, Some(handle)) => crowd.cut(handle, pose).unwrap(),
                (4, Some(handle)) => crowd.correct(handle, pose).unwrap(),
                (5 | 6, Some(handle)) => drop(crowd.push(handle, pose)),
                (7, _) => crowd.tick(),
                (8, _) => drop(crowd.push_all(|handle, pose| {
                    if handle.index() % 3 == 0 { Pose::at([pose.position[0] + 1.0; 3]) } else { pose }
                })),
                _ => drop(crowd.frame(&Moment::at(next(9) as f64 / 8.0))),
            }
            if step % 8 == 0 {
                let saved = serde_json::to_string(&crowd).unwrap();
                if let Err(error) = serde_json::from_str::<Batch<Pose>>(&saved) {
                    panic!("{ends} ends, step {step}: {error}\n{saved}");
                }
            }
        }
    }
}

/// A sender, one of its things, what the server remembers, and what comes out of all three.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Remote {
    sender: Sender,
    thing: Snapshots<Pose>,
    history: History<Pose, 40>,
    sent: u32,
}

impl Remote {
    const INTERVAL: f64 = 0.04;

    /// What is drawn and claimed in some frames of a bad link: losses, bursts, an outage, a cut, a rest.
    fn play(&mut self, frames: std::ops::Range<u32>) -> Vec<[u64; 10]> {
        let mut seen = Vec::new();
        for k in frames {
            let now = f64::from(k) / 144.0;
            let due = |sent: u32| {
                let late = f64::from(sent.wrapping_mul(2_654_435_761) >> 24) / 256.0 * 0.05;
                let held = if sent % 90 > 70 { f64::from(90 - sent % 90) * Self::INTERVAL } else { 0.0 };
                f64::from(sent) * Self::INTERVAL + 0.03 + late + held
            };
            while due(self.sent) <= now {
                let sent = f64::from(self.sent) * Self::INTERVAL;
                let moving = if self.sent % 50 > 40 { sent - sent % (50.0 * Self::INTERVAL) } else { sent };
                let turn = Rotation::from_axis_angle([0.2, 1.0, 0.1], moving.sin() as f32 * 2.0);
                let pose = Pose::new([moving.cos() as f32 * 9.0, moving as f32, 0.1], turn);
                let report = Report::new(pose).with_epoch(self.sent / 123);
                self.history.record(sent, report);
                if !self.sent.is_multiple_of(7) {
                    let _ = self.thing.insert(self.sender.receive(sent, now), report);
                }
                self.sent += 1;
            }
            let Some(frame) = self.sender.frame(now) else { continue };
            let claim = self.thing.claim(&frame);
            let Some(drawn) = self.thing.draw(&frame) else { continue };
            let rewound = claim.and_then(|claim| self.history.rewind(claim).ok());
            let claimed = claim.map_or([0; 8], |claim| claim.to_bytes());
            let at = rewound.map_or(0.0, |rewound| f64::from(rewound.value.position[0]));
            let [x, y, z] = drawn.view.position.map(f32::to_bits);
            let turned = drawn.view.rotation.to_array().map(f32::to_bits);
            let state = drawn.state as u32 + 10 * u32::from(drawn.cut) + 100 * u32::from(drawn.moved);
            let numbers = [x, y, z, state, turned[0], turned[1], turned[2], turned[3]].map(u64::from);
            let mut row = [0; 10];
            row[..8].copy_from_slice(&numbers);
            (row[8], row[9]) = (u64::from_le_bytes(claimed), at.to_bits());
            seen.push(row);
        }
        seen
    }
}

#[test]
fn a_restored_stream_is_drawn_and_judged_as_if_nothing_had_happened() {
    let mut remote = Remote {
        sender: Sender::new(Remote::INTERVAL).unwrap(),
        thing: Snapshots::new(),
        history: History::with_room(Remote::INTERVAL).unwrap(),
        sent: 0,
    };
    // Wherever it is saved: before anything came, while it blends, extrapolates, rests, and between a message and its
    // frame.
    for save in 0..60 {
        let saved = serde_json::to_string(&remote).unwrap();
        let mut again: Remote = serde_json::from_str(&saved).unwrap();
        assert_eq!(again, remote, "save {save}");
        let frames = save * 47..(save + 1) * 47;
        assert_eq!(again.play(frames.clone()), remote.play(frames), "after save {save}");
        assert_eq!(again, remote, "after save {save}");
    }
    let (counts, statistics) = (remote.thing.counts(), remote.sender.statistics());
    assert!(
        counts.snaps > 0 && statistics.extrapolated > 1.0 && statistics.relocks > 0,
        "{counts:?} {statistics:?}"
    );
}

#[test]
fn restored_flat_and_scaled_streams_are_drawn_on() {
    fn play<T>(at: impl Fn(f32) -> T)
    where
        T: Displace<Velocity: Serialize + DeserializeOwned> + Debug + Serialize + DeserializeOwned,
    {
        let mut stream = (Sender::at_hz(20.0).unwrap(), Snapshots::<T>::new());
        for k in 0..120 {
            let now = f64::from(k) / 60.0;
            let mut again: (Sender, Snapshots<T>) =
                serde_json::from_str(&serde_json::to_string(&stream).unwrap()).unwrap();
            let draw = |(sender, thing): &mut (Sender, Snapshots<T>)| {
                // Four messages on, two off: it is extrapolated, and the offset takes back what was wrong.
                if k % 3 == 0 && k % 18 < 12 {
                    thing.insert(sender.receive(now, now + 0.02), Report::new(at(now as f32)));
                }
                sender.frame(now + 0.02).and_then(|frame| thing.draw(&frame))
            };
            assert_eq!(draw(&mut again), draw(&mut stream), "frame {k}");
            assert_eq!(again, stream, "frame {k}");
        }
        assert!(stream.0.statistics().extrapolated > 0.0);
    }
    let flat = |t: f32| Pose2::new([t, t * t], Turn::from_angle(3.0 * t * t));
    play(flat);
    play(|t| flat(t).turn);
    let pose = |t: f32| Pose::new([t, t * t, 0.1], Rotation::from_axis_angle([0.2, 1.0, 0.1], 3.0 * t));
    play(|t| Scaled { pose: pose(t), scale: [1.0, t, 0.5 - t] });
}

#[test]
fn a_saved_offset_fades_on() {
    let mut offset = VisualOffset::<Pose>::default();
    let (predicted, corrected) = (Pose::at([1.0, 0.0, 0.0]), Pose::at([1.5, 0.3, 0.0]));
    let _ = offset.absorb(&predicted, &corrected, Size::both(4.0));
    offset.fade(0.01, &Fading::CORRECTION);
    let saved = serde_json::to_string(&offset).unwrap();
    let mut again: VisualOffset<Pose> = serde_json::from_str(&saved).unwrap();
    for _ in 0..50 {
        offset.fade(0.01, &Fading::CORRECTION);
        again.fade(0.01, &Fading::CORRECTION);
        assert_eq!(again.drawn(&corrected), offset.drawn(&corrected));
    }
}

#[test]
fn a_saved_sender_is_refused_with_the_settings_that_a_new_one_refuses() {
    let saved = serde_json::to_value(Sender::new(0.05).unwrap()).unwrap();
    assert!(serde_json::from_value::<Sender>(saved.clone()).is_ok());
    for (path, name) in [("/settings/catch_up", "catch_up"), ("/settings/playhead/tick", "tick")] {
        let mut broken = saved.clone();
        *broken.pointer_mut(path).unwrap() = (-1.0).into();
        let error = serde_json::from_value::<Sender>(broken).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("-1.0"), "{error}");
    }
}

#[test]
fn saved_snapshots_that_do_not_fit_together_are_refused() {
    let mut history = History::<f64, 4>::with_room(0.05).unwrap();
    for k in 0..3 {
        history.record(f64::from(k) * 0.05, Report::new(f64::from(k)));
    }
    let saved = serde_json::to_string(&history).unwrap();
    assert_eq!(serde_json::from_str::<History<f64, 4>>(&saved).unwrap(), history);
    for (was, is) in [
        ("\"first\":0", "\"first\":4"),
        ("\"len\":3", "\"len\":5"),
        ("\"len\":3", "\"len\":0"),
        ("\"sent\":0.05", "\"sent\":7.0"),
        ("\"interval\":0.05", "\"interval\":0.0"),
        ("\"gap\":0.5", "\"gap\":-0.5"),
    ] {
        let broken = saved.replace(was, is);
        assert_ne!(saved, broken, "{was} is not in {saved}");
        assert!(serde_json::from_str::<History<f64, 4>>(&broken).is_err(), "{is}");
    }
}

/// `sound` with `broken` at `path` is refused, with a word of why.
#[track_caller]
fn refused<T: serde::Serialize + serde::de::DeserializeOwned>(
    sound: &T,
    path: &str,
    broken: impl Into<serde_json::Value>,
    why: &str,
) {
    let mut saved = serde_json::to_value(sound).unwrap();
    assert!(serde_json::from_value::<T>(saved.clone()).is_ok());
    *saved.pointer_mut(path).expect(path) = broken.into();
    match serde_json::from_value::<T>(saved) {
        Ok(_) => panic!("{path} was taken"),
        Err(error) => assert!(error.to_string().contains(why), "{path}: {error}"),
    }
}

#[test]
fn a_save_is_refused_where_a_constructor_would_refuse() {
    let clock = FrameClock::new().snapping_to_display(75.0).unwrap();
    refused(&clock, "/max_frame", -1.5, "max_frame is -1.5 s");
    refused(&clock, "/display_hz", 0.0, "a display of 0 Hz");
    let fixed = Fixed::new(60.0).unwrap().extrapolating(0.5).unwrap();
    refused(&fixed, "/hz", 0.0, "0 ticks per second");
    refused(&fixed, "/max_ticks", 0, "a limit of 0 ticks");
    refused(&fixed, "/extrapolate", -2.5, "-2.5 ticks of extrapolation");
    refused(&fixed.stepper(), "/scale", -3.0, "a time scale of -3");
    let gate = Gate::new(GateRule::Even);
    refused(&gate, "/min", 0.0, "the shortest quantum (min) is 0 s");
    refused(&gate, "/max", 7.0, "above huge");

    let stamps = TickStamps::new(16, 1.0 / 60.0).unwrap();
    refused(&stamps, "/turn", 0.0, "1 to 32 bits");
    refused(&stamps, "/tick", 0.0, "above 0");
    let claim = Claim::from_bytes([7, 0, 1, 0, 0, 9, 0, 0]).unwrap();
    refused(&claim, "/from", 0, "no client");

    let rules = Rules::client();
    let sticky = Sticky::to(&rules, [0.0; 3], 1.0, 0.0).unwrap();
    refused(&sticky, "/radii", -1.0, "distance -1");
    let leash = Constraint::new(&rules, [0.0; 3], [1.0; 3], Surroundings::Outdoors).unwrap();
    refused(&leash, "/travelled", -1.0, "distance -1");
    let no_rotation = Pose64 { rotation: Rotation { x: 0.0, y: 0.0, z: 0.0, w: 9.0 }, ..Pose64::default() };
    let placed = serde_json::to_value(no_rotation).unwrap();
    refused(&Waypoints::<8>::default(), "/blip_to", placed, "no unit quaternion");
    refused(&Waypoints::<8>::default(), "/baseline", -1.0, "distance -1");

    refused(&ChaseCamera::new(ChaseSettings::default()).unwrap(), "/settings/distance", -2.0, "-2");
    let follow = FollowCamera::new(FollowSettings::new([640.0, 360.0])).unwrap();
    refused(&follow, "/settings/zoom", 0.0, "0");
    refused(&follow, "/settings/rule/Smooth/rate", -1.0, "-1");
}

#[test]
fn a_camera_of_any_settings_can_be_saved_and_goes_on_the_same() {
    let rules = [
        FollowRule::default(),
        FollowRule::Smooth { rate: f64::INFINITY },
        FollowRule::Exponential { smoothing: 0.0, speed: 1.0 },
        FollowRule::Exponential { smoothing: 0.9, speed: 2.0 },
    ];
    let moment = Moment::NEWEST.presenting(1.0 / 60.0);
    for rule in rules {
        let settings = FollowSettings { rule, ..FollowSettings::new([640.0, 360.0]) };
        let mut camera = FollowCamera::new(settings).unwrap();
        let _ = camera.update(&moment, [0.0, 0.0]);
        let saved = serde_json::to_value(&camera).unwrap();
        assert_eq!(saved.get("rate"), None, "what follows from the settings is not saved");
        let mut again: FollowCamera = serde_json::from_value(saved).unwrap();
        assert_eq!(camera, again);
        assert_eq!(camera.update(&moment, [9.0, 5.0]), again.update(&moment, [9.0, 5.0]));
    }
    for (rate, height_hold) in [(4.5, None), (f64::INFINITY, Some(f64::INFINITY)), (2.0, Some(0.5))] {
        let settings = ChaseSettings { rate, height_hold, up: [0.0, 2.0, 1.0], ..ChaseSettings::default() };
        let mut camera = ChaseCamera::new(settings).unwrap();
        let _ = camera.update(&moment, Pose::at([0.0; 3]));
        let saved = serde_json::to_value(&camera).unwrap();
        assert_eq!(saved.get("axes"), None, "what follows from the settings is not saved");
        let mut again: ChaseCamera = serde_json::from_value(saved).unwrap();
        assert_eq!(camera, again);
        let there = Pose::at([1.0, 2.0, 3.0]);
        assert_eq!(camera.update(&moment, there), again.update(&moment, there));
    }
}

#[test]
fn a_saved_stepper_whose_times_do_not_fit_together_is_refused() {
    const WHY: &str = "do not fit together";
    let mut fixed = Stepper::fixed(60.0).unwrap();
    let mut gated = Stepper::gated(GateRule::Even);
    for _ in 0..100 {
        let _ = (fixed.frame(0.0123), gated.frame(0.0123));
    }
    // Ticks for years, in one frame; and no tick for years.
    refused(&fixed, "/policy/Drained/total", 1e12, WHY);
    refused(&fixed, "/policy/Drained/total", -1e12, WHY);
    refused(&fixed, "/policy/Drained/run", 0, WHY);
    let carrying = Fixed::new(60.0).unwrap().clock(FrameClock::new().snapping().carrying_drift()).stepper();
    refused(&carrying, "/policy/Drained/fixed/clock/drift", -1e4, WHY);
    refused(&carrying, "/policy/Drained/fixed/clock/drift", 1e9, WHY);
    for (field, broken) in [
        ("pending", -1.0),
        ("pending", 1e9),
        ("last", 0.0),
        ("last", 1e9),
        ("even/distance", 1e9),
        ("even/drawn", 1e9),
        ("even/drawn", -1e9),
    ] {
        refused(&gated, &format!("/policy/Gated/{field}"), broken, WHY);
    }
    for (ring, broken) in
        [("newest", 256), ("known", 0), ("known", 257), ("longest/first", 256), ("longest/count", 257)]
    {
        refused(&gated, &format!("/policy/Gated/even/{ring}"), broken, WHY);
    }
    refused(&gated, "/policy/Gated/even/ends/1", 1e9, WHY);
    for candidate in 0..8 {
        let longest = format!("/policy/Gated/even/longest/candidates/{candidate}/1");
        let in_use = serde_json::to_value(&gated).unwrap().pointer(&longest).unwrap().as_f64().unwrap() > 0.0;
        if in_use {
            return refused(&gated, &longest, 1e9, WHY);
        }
    }
    panic!("no quantum is remembered");
}

#[test]
fn a_stepper_that_has_counted_all_the_numbers_there_are_goes_on() {
    let mut saved = serde_json::to_value(Stepper::fixed(60.0).unwrap()).unwrap();
    saved["ticks"] = u64::MAX.into();
    let mut stepper: Stepper = serde_json::from_value(saved).unwrap();
    assert_eq!(stepper.frame(0.1).ticks.count(), 6);
    assert_eq!(stepper.ticks(), u64::MAX);
}

#[test]
fn a_stepper_can_be_saved_after_whatever_its_frames_were() {
    let frame_times = [1.0 / 60.0, 1e-9, 0.25, 3.0, 0.1, 1e-3, 0.016, 1.9];
    for mut stepper in [
        Stepper::fixed(60.0).unwrap(),
        Stepper::fixed(0.01).unwrap(),
        Stepper::fixed(1e6).unwrap(),
        Fixed::new(30.3).unwrap().max_ticks(1).unwrap().stepper(),
        Fixed::new(30.0).unwrap().extrapolating(1.5).unwrap().stepper(),
        Fixed::new(50.0).unwrap().clock(FrameClock::new().snapping().carrying_drift()).stepper(),
        Stepper::gated(GateRule::Even),
        Stepper::gated(GateRule::Client),
        Stepper::gated(GateRule::Seed),
    ] {
        for i in 0..2000usize {
            let _ = stepper.frame(frame_times[(i * i / 7) % frame_times.len()]);
            match i % 300 {
                50 => drop(stepper.set_rate(0.3 * i as f64)),
                51 => drop(stepper.set_rate(0.2)),
                100 => stepper.cut(),
                150 => stepper.set_time_scale(1e-3 * i as f64).unwrap(),
                _ => {}
            }
            if i % 10 < 3 {
                let saved = serde_json::to_string(&stepper).unwrap();
                let again: Stepper =
                    serde_json::from_str(&saved).unwrap_or_else(|e| panic!("{i}: {e} {saved}"));
                assert_eq!(again, stepper);
            }
        }
    }
}

#[test]
fn a_saved_moment_is_what_its_makers_would_have_made() {
    let saved = r#"{"back":0,"alpha":7.5,"beyond":-1.0,"presented":-2.0}"#;
    assert_eq!(serde_json::from_str::<Moment>(saved).unwrap(), Moment::NEWEST);
}

#[test]
fn what_is_not_finite_comes_back_from_a_text() {
    let awkward = f32::from_bits(0x15ae_43fd); // read as an f64 it lies between two of them
    let numbers = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e-45, f32::MAX, 0.1, awkward, -awkward];
    let pose =
        Pose::new([numbers[0], numbers[1], numbers[2]], Rotation { w: f32::NAN, ..Rotation::IDENTITY });
    let mut track = Track::<Pose, 2>::with_ends(Pose::default());
    track.push(pose);
    let saved = serde_json::to_string(&track).unwrap();
    assert!(saved.contains(r#""position":["NaN","inf","-inf"]"#), "{saved}");
    let again: Track<Pose, 2> = serde_json::from_str(&saved).unwrap();
    let bits = |track: &Track<Pose, 2>| track.truth().position.map(f32::to_bits);
    assert_eq!(bits(&again), bits(&track));
    assert!(again.truth().rotation.w.is_nan());

    let mut crowd = Batch::<Pose>::new();
    for at in numbers {
        crowd.insert(Pose::at([at; 3]));
    }
    let saved = serde_json::to_string(&crowd).unwrap();
    let again: Batch<Pose> = serde_json::from_str(&saved).unwrap();
    for handle in crowd.handles() {
        let [was, is] =
            [&crowd, &again].map(|crowd| crowd.truth(*handle).unwrap().position.map(f32::to_bits));
        assert_eq!(was, is);
    }

    let limits = RewindLimits { back: f64::INFINITY, ..RewindLimits::default() };
    let history = History::<f64>::new(0.05).unwrap().with_limits(limits).unwrap();
    let saved = serde_json::to_string(&history).unwrap();
    assert_eq!(serde_json::from_str::<History<f64>>(&saved).unwrap(), history);
}

#[test]
fn a_text_that_is_no_number_is_refused_with_the_words_that_are() {
    let words = r#"a number, "NaN", "inf" or "-inf""#;
    for nonsense in ["null", "\"nan\"", "true"] {
        let saved = format!(r#"{{"position":[0.0,{nonsense},2],"rotation":{{"x":0,"y":0,"z":0,"w":1}}}}"#);
        let error = serde_json::from_str::<Pose>(&saved).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    // A number of the user's own is the format's business.
    let saved = serde_json::to_string(&Track::<f32, 2>::with_ends(f32::NAN)).unwrap();
    assert!(saved.contains("null") && serde_json::from_str::<Track<f32, 2>>(&saved).is_err());
}
