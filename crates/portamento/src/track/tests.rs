//! What a track promises, one sentence each.

use super::*;
use crate::blend::Moving;

#[test]
fn a_cut_never_shows_a_place_between() {
    let mut track = Track::<f32>::new(0.0);
    for x in [1.0, 2.0, 3.0] {
        track.push(x);
    }
    track.cut(100.0);
    for back in 0..10 {
        for k in 0..=10 {
            assert_eq!(track.view(Moment::at(k as f64 / 10.0, 0.0).ticks_back(back)), 100.0);
        }
    }
    track.push(101.0);
    for back in 0..10 {
        for k in 0..=10 {
            let v = track.view(Moment::at(k as f64 / 10.0, 0.0).ticks_back(back));
            assert!((100.0..=101.0).contains(&v), "{v}");
        }
    }
}

#[test]
fn a_cut_stands_instead_of_a_push_or_after_it() {
    let (mut instead, mut after) = (Track::<f32>::new(0.0), Track::<f32>::new(0.0));
    after.push(1.0);
    for x in [50.0, 51.0, 52.0] {
        for track in [&mut instead, &mut after] {
            if x == 50.0 { track.cut(x) } else { track.push(x) }
        }
        for back in 0..10 {
            for k in 0..=10 {
                let moment = Moment::at(k as f64 / 10.0, 0.0).ticks_back(back);
                assert_eq!(instead.view(moment), after.view(moment));
                assert_eq!(instead.ends().at_rest(moment), after.ends().at_rest(moment));
            }
        }
    }
}

#[test]
fn a_nan_is_drawn_while_it_is_an_end_and_leaves_nothing_behind() {
    let half = Moment::at(0.5, 0.0);
    let mut track = Track::<f32>::new(0.0);
    track.push(1.0);
    track.push(f32::NAN);
    assert!(track.view(half).is_nan() && track.truth().is_nan() && !track.ends().at_rest(half));
    track.push(f32::NAN);
    assert!(!track.ends().at_rest(half), "equal to nothing, not even itself");
    track.push(3.0);
    assert!(track.view(half).is_nan());
    track.push(4.0);
    assert_eq!(track.view(half), 3.5);
    track.push(f32::NAN);
    track.cut(9.0);
    assert_eq!(track.view(half), 9.0);
}

#[test]
fn a_correction_glides_and_keeps_the_older_end() {
    let mut track = Track::<f32, 2>::with_ends(0.0);
    track.push(10.0);
    track.correct(6.0);
    assert_eq!(track.truth(), &6.0);
    assert_eq!(track.view(Moment::at(0.5, 0.0)), 3.0);
}

#[test]
fn a_correction_after_a_cut_glides_from_the_cut() {
    let mut track = Track::<f32>::new(0.0);
    track.push(1.0);
    track.cut(10.0);
    track.correct(12.0);
    assert_eq!(track.view(Moment::at(0.5, 0.0)), 11.0);
}

#[test]
fn a_moment_further_back_draws_older_ticks() {
    let mut track = Track::<f32, 4>::with_ends(0.0);
    for x in [10.0, 20.0, 30.0] {
        track.push(x);
    }
    for (back, want) in [(0, 25.0), (1, 15.0), (2, 5.0)] {
        assert_eq!(track.view(Moment::at(0.5, 0.0).ticks_back(back)), want, "{back}");
    }
    assert_eq!(track.view(Moment::newest(0.0).ticks_back(3)), 0.0, "the oldest end itself");
    let mut young = Track::<f32, 4>::with_ends(0.0);
    young.push(10.0);
    for (back, want) in [(0, 5.0), (1, 0.0), (3, 0.0), (100, 0.0), (u32::MAX, 0.0)] {
        assert_eq!(young.view(Moment::at(0.5, 0.0).ticks_back(back)), want, "{back}: nothing is missing");
    }
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "needs 3: use a `Track::<_, N>::with_ends`"))]
fn too_few_ends_for_a_gate_are_noticed_or_show_the_oldest() {
    let mut track = Track::<f32, 2>::with_ends(0.0);
    for x in [10.0, 20.0, 30.0] {
        track.push(x);
    }
    assert_eq!(track.view(Moment::at(0.5, 0.0).ticks_back(1)), 20.0);
}

#[test]
fn a_lean_track_is_lean() {
    type Point = [f32; 2];
    assert_eq!(size_of::<TrackEnds<Point, 2>>(), 20);
    // A debug build also counts pushes.
    if cfg!(not(debug_assertions)) {
        assert_eq!(size_of::<Track<Point, 2>>(), 40);
    }
}

/// What a stepper of 60 Hz at 144 frames/s does, with `pushes` values pushed in the tick of each number.
fn run_at_144(pushes: impl Fn(u64) -> u32) {
    let mut stepper = crate::step::Stepper::fixed(60.0).unwrap();
    let mut track = Track::<f32>::new(0.0);
    for _ in 0..144 {
        let frame = stepper.frame(1.0 / 144.0);
        for tick in frame.ticks {
            for _ in 0..pushes(tick.number) {
                track.push(track.truth() + 1.0);
            }
        }
        let _ = track.draw(frame.moment);
    }
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "call `push` (or `cut`) in every tick"))]
fn a_missed_tick_is_noticed() {
    run_at_144(|tick| u32::from(tick != 17));
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "got 2 values in 1 ticks: call `push` in the loop"))]
fn two_values_in_one_tick_are_noticed() {
    run_at_144(|tick| 1 + u32::from(tick == 17));
}

/// Most frames at 144 Hz have no tick: pushed again, the newest value is drawn at once.
#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "got 1 values in 0 ticks: call `push` in the loop"))]
fn a_push_after_the_loop_over_the_ticks_is_noticed() {
    let mut stepper = crate::step::Stepper::fixed(60.0).unwrap();
    let (mut track, mut x) = (Track::<f32>::new(0.0), 0.0);
    for _ in 0..144 {
        let frame = stepper.frame(1.0 / 144.0);
        for _ in frame.ticks {
            x += 1.0;
        }
        track.push(x);
        let _ = track.draw(frame.moment);
    }
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "got 1 values in 0 ticks: call `push` in the loop"))]
fn a_push_after_the_loop_over_the_ticks_of_a_predicted_track_is_noticed() {
    let mut stepper = crate::step::Stepper::fixed(60.0).unwrap();
    let (mut track, mut x) = (PredictedTrack::<f32>::new(0.0), 0.0);
    for _ in 0..144 {
        let frame = stepper.frame(1.0 / 144.0);
        for _ in frame.ticks {
            x += 1.0;
        }
        track.push(x);
        let _ = track.draw(frame.moment);
    }
}

#[test]
fn nothing_is_noticed_where_nothing_is_wrong() {
    run_at_144(|_| 1);
    let mut stepper = crate::step::Stepper::fixed(60.0).unwrap();
    let mut hidden = Track::<f32>::new(0.0);
    let mut late: Option<Track<f32>> = None;
    let (mut asleep, mut sent) = (Track::<f32>::new(0.0), Track::<f32>::new(0.0));
    for i in 0..1440 {
        if i == 700 {
            stepper = crate::step::Stepper::fixed(60.0).unwrap(); // another level
        }
        let frame = stepper.frame(if i % 100 == 7 { 0.2 } else { 1.0 / 144.0 });
        for tick in frame.ticks {
            hidden.push(hidden.truth() + 1.0);
            if let Some(late) = &mut late {
                late.push(late.truth() + 1.0);
            }
            if i % 500 < 100 || i % 500 == 200 {
                asleep.push(i as f32);
                asleep.push(i as f32); // as long as it rests, nobody sees how often
                asleep.correct(i as f32);
                asleep.cut(i as f32); // and is put to sleep by a cut
            }
            if tick.number % 9 == 0 { sent.cut(9.0) } else { sent.push(sent.truth() + 1.0) }
        }
        if i == 333 {
            late = Some(Track::new(5.0));
        }
        if i % 50 > 20 {
            let _ = hidden.draw(frame.moment);
        }
        for track in [Some(&mut asleep), Some(&mut sent), late.as_mut()].into_iter().flatten() {
            let _ = track.draw(frame.moment);
            let _ = track.draw(Moment::at(0.5, 0.01)); // somebody else's, without numbers
        }
    }
}

#[test]
fn drawn_twice_in_a_frame_it_is_drawn_once() {
    let mut stepper = crate::step::Stepper::fixed(60.0).unwrap();
    let (mut once, mut twice) = (Track::<f32>::new(0.0), Track::<f32>::new(0.0));
    let mut cuts = 0;
    for i in 0..600 {
        if i == 300 {
            stepper.pause()
        } else if i == 320 {
            stepper.resume()
        }
        let frame = stepper.frame(1.0 / 144.0);
        for tick in frame.ticks {
            for track in [&mut once, &mut twice] {
                let next = track.truth() + 1.0;
                if tick.number % 10 == 9 { track.cut(next + 50.0) } else { track.push(next) }
            }
        }
        let drawn = once.draw(frame.moment);
        for _ in 0..3 {
            assert_eq!(twice.draw(frame.moment), drawn, "frame {i}");
        }
        if (301..320).contains(&i) {
            assert_eq!((drawn.before, drawn.cut), (drawn.now, false), "a pause stands, frame after frame");
        }
        cuts += u32::from(drawn.cut);
    }
    assert_eq!(cuts, 25, "one when it appeared, and one in ten ticks");
    // Without a number no one knows which frame it is.
    let mut unknown = Track::<f32>::new(0.0);
    assert!(unknown.draw(Moment::newest(0.0)).cut && !unknown.draw(Moment::newest(0.0)).cut);
}

#[test]
fn restored_and_simulated_again_in_every_frame_it_draws_as_if_simulated_once() {
    // A teleport in every eleventh tick, so that the eight ticks which are run again hold one in most frames.
    let run = |track: &mut Track<f32>, tick: u64| {
        let next = track.truth() + 1.0;
        if tick % 11 == 10 { track.cut(next + 50.0) } else { track.push(next) }
    };
    let mut stepper = crate::step::Stepper::fixed(60.0).unwrap();
    let (mut straight, mut rolled) = (Track::<f32>::new(0.0), Track::<f32>::new(0.0));
    let mut saves = std::collections::VecDeque::from([(0, rolled.ends().clone())]);
    let mut cuts = 0;
    for i in 0..1440 {
        let frame = stepper.frame(1.0 / 144.0);
        for tick in frame.ticks {
            run(&mut straight, tick.number);
            run(&mut rolled, tick.number);
            saves.push_back((tick.number + 1, rolled.ends().clone()));
            if saves.len() > 9 {
                saves.pop_front();
            }
        }
        let (from, oldest) = saves[0].clone();
        rolled.restore(oldest);
        (from..stepper.counts().ticks).for_each(|tick| run(&mut rolled, tick));
        let drawn = straight.draw(frame.moment);
        assert_eq!(rolled.draw(frame.moment), drawn, "frame {i}");
        cuts += u32::from(drawn.cut);
    }
    assert!(cuts > 50, "{cuts}");
}

#[test]
fn a_teleport_that_did_not_happen_after_all_is_a_cut_back() {
    let mut track = Track::<f32>::new(0.0);
    let before = track.ends().clone();
    track.cut(50.0);
    let _ = track.draw(Moment::newest(0.0));
    track.restore(before);
    track.push(1.0);
    let drawn = track.draw(Moment::newest(0.0));
    assert_eq!((drawn.now, drawn.before, drawn.cut), (1.0, 50.0, true));
    assert!(!track.draw(Moment::newest(0.0)).cut);
}

#[test]
fn what_stops_rests_on_the_truths_bits() {
    let odd = [0.1f32, 0.2, 0.3];
    let mut track = Track::<[f32; 3]>::new([0.0; 3]);
    let moment = Moment::at(0.3, 0.0);
    assert!(track.ends().at_rest(moment), "what never moved rests");
    track.push(odd);
    assert!(!track.ends().at_rest(moment));
    track.push(odd);
    assert!(track.ends().at_rest(moment));
    assert!(!track.ends().at_rest(moment.ticks_back(1)), "an older moment still shows the motion");
    assert_eq!(track.view(moment).map(f32::to_bits), odd.map(f32::to_bits));
    track.push(odd);
    assert!(track.ends().at_rest(moment.ticks_back(1)));
    track.correct([0.0; 3]);
    assert!(!track.ends().at_rest(moment));
}

#[test]
fn rest_is_the_truths_bits_also_where_equal_is_not_the_same() {
    let moments =
        [Moment::at(0.0, 0.0), Moment::at(0.3, 0.0), Moment::at(1.0, 0.0), Moment::past_newest(0.5, 0.0)];
    let mut zero = Track::<[f32; 2]>::new([0.0; 2]);
    zero.push([0.0, -0.0]);
    assert!(!zero.ends().at_rest(moments[1]), "0 and -0 are equal, their bits are not");
    zero.push([0.0, -0.0]);
    assert!(zero.ends().at_rest(moments[1]));
    for moment in moments {
        assert_eq!(zero.view(moment).map(f32::to_bits), [0, 1 << 31]);
    }

    let swinging = Moving { value: 1.0f32, velocity: 5.0, step: 0.1 };
    let mut track = Track::<(Moving<f32>, f32)>::new((swinging, 7.0));
    for _ in 0..3 {
        assert!(moments.into_iter().all(|moment| !track.ends().at_rest(moment)), "it has a velocity");
        track.push((swinging, 7.0));
    }
    assert_ne!(track.view(moments[1]).0, swinging);
    let standing = Moving { value: -0.0, velocity: 0.0, step: 0.1 };
    track.push((standing, 7.0));
    track.push((standing, 7.0));
    for moment in moments {
        assert!(track.ends().at_rest(moment));
        assert_eq!(track.view(moment).0.value.to_bits(), (-0.0f32).to_bits());
    }
}

#[test]
fn what_appears_with_a_velocity_does_not_swing_before_it_moves() {
    let thrown = |value: f32| Moving { value, velocity: 5.0, step: 0.1 };
    let mut track = Track::<Moving<f32>>::new(thrown(1.0));
    for value in [1.0, 80.0] {
        for back in 0..3 {
            for k in 0..=10 {
                let view = track.view(Moment::at(k as f64 / 10.0, 0.0).ticks_back(back));
                assert_eq!(view, thrown(value), "{back} {k}");
            }
        }
        track.cut(thrown(80.0));
    }
    track.push(thrown(80.5));
    assert_eq!(track.view(Moment::at(0.3, 0.0).ticks_back(1)), thrown(80.0));
    assert!((track.view(Moment::at(0.3, 0.0)).value - 80.15).abs() < 1e-4);
}

#[test]
fn motion_vectors_see_the_frame_before_and_the_cut() {
    let mut track = Track::<f32>::new(0.0);
    let first = track.draw(Moment::newest(0.0));
    assert_eq!((first.now, first.before, first.cut), (0.0, 0.0, true));
    track.push(1.0);
    let second = track.draw(Moment::at(0.5, 0.0));
    assert_eq!((second.now, second.before, second.cut), (0.5, 0.0, false));
    track.cut(50.0);
    track.rebase(|x| *x += 1000.0);
    let third = track.draw(Moment::at(0.5, 0.0));
    assert_eq!((third.now, third.before, third.cut), (1050.0, 1000.5, true));
    assert!(!track.draw(Moment::at(0.5, 0.0)).cut);
}

#[test]
fn extrapolation_only_where_it_was_asked_for_and_never_over_a_cut() {
    let mut track = Track::<f32>::new(0.0);
    track.push(2.0);
    assert_eq!(track.view(Moment::newest(0.0)), 2.0);
    assert_eq!(track.view(Moment::past_newest(0.5, 0.0)), 3.0);
    track.cut(50.0);
    assert_eq!(track.view(Moment::past_newest(0.5, 0.0)), 50.0);
}

#[test]
fn a_clone_is_a_save() {
    let mut track = Track::<f32>::new(0.0);
    track.push(1.0);
    let saved = track.clone();
    track.cut(9.0);
    assert_eq!(saved.view(Moment::at(0.5, 0.0)), 0.5);
}

#[test]
fn the_age_of_a_save_is_known_up_to_half_of_what_its_counter_holds() {
    fn oldest<const ENDS: usize>() -> i16 {
        let save = TrackEnds::<f64, ENDS>::new(0.0);
        let mut now = save.clone();
        let mut age = 0;
        while now.ticks_since(&save) == age {
            now.push(f64::from(age));
            age += 1;
        }
        age - 1
    }
    assert_eq!([oldest::<2>(), oldest::<8>(), oldest::<52>(), oldest::<64>()], [128, 128, 104, 128]);
}
