//! Law 5: one moment per frame. It follows Bevy's clocks, whatever is done to them.

use crate::stage;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_portamento::{FrameMoment, Smooth, Views};
use bevy_time::{Fixed, Time, Virtual};
use bevy_transform::prelude::*;
use stage::{Goes, Stage, at, go, near};
use std::time::Duration;

/// The moments that the schedules of one frame see.
#[derive(Resource, Default)]
struct Seen(Vec<(f64, f64)>);

fn see(moment: Res<FrameMoment>, mut seen: ResMut<Seen>) {
    seen.0.push((moment.alpha(), moment.presented()));
}

#[test]
fn a_frame_has_one_moment_and_it_is_the_clocks_overstep() {
    let mut stage = Stage::new(60.0)
        .with(RunFixedMainLoop, see.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop))
        .with(Update, see)
        .with(PostUpdate, see)
        .with(Last, see);
    stage.app.init_resource::<Seen>();
    for seconds in stage::uneven(144.0, 3).take(300) {
        stage.frame(seconds);
        let seen = std::mem::take(&mut stage.app.world_mut().resource_mut::<Seen>().0);
        let clock = stage.app.world().resource::<Time<Fixed>>();
        assert_eq!(seen.len(), 4);
        assert!(seen.iter().all(|moment| *moment == seen[0]));
        assert_eq!(seen[0].0, clock.overstep_fraction_f64());
        let frame = stage.app.world().resource::<Time<Virtual>>().delta_secs_f64();
        assert!((seen[0].1 - frame).abs() < 1e-9, "it presents the frame's time: {} {frame}", seen[0].1);
    }
}

#[test]
fn several_ticks_in_a_frame_and_frames_without_one_are_drawn_alike() {
    let mut stage = Stage::new(60.0).with(FixedUpdate, go);
    let ball = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let mut ticks = 0.0;
    for frame in [0.2f64, 0.3, 0.1, 3.7, 0.05, 5.0, 0.9, 0.05, 12.25, 0.5] {
        stage.frame(frame / 60.0);
        ticks += frame;
        let place = (ticks - 1.0).max(0.0) as f32;
        assert!(near(stage.x(ball), place), "{} is not {place}", stage.x(ball));
    }
}

#[test]
fn time_that_bevy_drops_is_not_drawn() {
    let mut stage = Stage::new(60.0).with(FixedUpdate, go);
    let ball = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frame(30.0); // a debugger; Bevy takes in a quarter of a second
    assert!(near(stage.x(ball), 14.0), "{}", stage.x(ball));
    assert!((stage.moment().presented() - 0.25).abs() < 1e-6);
}

#[test]
fn slow_motion_is_slow_and_stays_even() {
    let mut stage = Stage::new(60.0).with(FixedUpdate, go);
    let ball = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frames(20, 1.0 / 60.0);
    stage.app.world_mut().resource_mut::<Time<Virtual>>().set_relative_speed(0.1);
    for _ in 0..100 {
        let before = stage.x(ball);
        stage.frame(1.0 / 60.0);
        assert!((stage.x(ball) - before - 0.1).abs() < 1e-3, "{before} {}", stage.x(ball));
        assert!((stage.moment().presented() - 0.1 / 60.0).abs() < 1e-8);
    }
}

#[test]
fn a_changed_tick_rate_never_turns_the_picture_back() {
    let mut stage = Stage::new(20.0).with(
        FixedUpdate,
        |time: Res<Time>, mut things: Query<&mut Transform, With<Goes>>| {
            for mut transform in &mut things {
                transform.translation.x += 10.0 * time.delta_secs();
            }
        },
    );
    let ball = stage.spawn((at(0.0), Smooth::default(), Goes(0.0)));
    stage.frames(60, 1.0 / 144.0);
    for [old, hz] in [[20.0f64, 60.0], [60.0, 10.0], [10.0, 20.0], [20.0, 100.0], [100.0, 11.0]] {
        // The picture is one tick behind: with shorter ticks, by that much less.
        let skipped = (1.0 / old - 1.0 / hz).max(0.0) as f32;
        stage.app.world_mut().resource_mut::<Time<Fixed>>().set_timestep_hz(hz);
        let mut presented = 0.0;
        for frame in 0..200 {
            let before = stage.x(ball);
            stage.frame(1.0 / 144.0);
            presented += stage.moment().presented();
            let step = stage.x(ball) - before;
            // While the last tick of the old rate is played in the time of a new one, it goes at another pace.
            let usual = 10.0 / 144.0;
            if frame < 30 {
                assert!((0.0..usual * 6.0 + 10.0 * skipped).contains(&step), "{hz} Hz: a step of {step}");
            } else {
                assert!((step - usual).abs() < 1e-3, "{hz} Hz: a step of {step}");
            }
            let drawn = step / 10.0;
            assert!(
                (stage.moment().presented() as f32 - drawn).abs() < 1e-4,
                "what is presented is what is seen"
            );
        }
        assert!((presented - 200.0 / 144.0).abs() < 0.11);
    }
}

#[test]
fn overstep_that_is_taken_away_is_waited_for() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let ball = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frame(0.18);
    assert!(near(stage.x(ball), 0.8));
    stage.app.world_mut().resource_mut::<Time<Fixed>>().discard_overstep(Duration::from_millis(50));
    let mut last = 0.8;
    for _ in 0..8 {
        stage.frame(0.01);
        assert!(stage.x(ball) >= last - 1e-5, "{} after {last}", stage.x(ball));
        last = stage.x(ball);
    }
    assert!(near(last, 1.1), "{last}");
}

#[derive(Resource, Default)]
struct Foreseen(Option<Transform>, Option<GlobalTransform>, bool);

#[derive(Resource)]
struct Target(Entity);

fn foresee(views: Views, target: Res<Target>, mut foreseen: ResMut<Foreseen>) -> Result {
    let subject = views.subject(target.0)?;
    *foreseen = Foreseen(Some(views.local(target.0)?), Some(views.global(target.0)?), subject.cut);
    Ok(())
}

#[test]
fn update_can_know_where_something_will_be_drawn() {
    let mut stage = Stage::new(20.0).with(FixedUpdate, go).with(Update, foresee);
    stage.app.init_resource::<Foreseen>();
    let ship = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let deck = stage.spawn((at(2.0), ChildOf(ship)));
    let sailor = stage.spawn((at(0.0), Smooth::default(), Goes(0.5), ChildOf(deck)));
    stage.app.insert_resource(Target(sailor));
    for (k, seconds) in stage::uneven(60.0, 9).take(200).enumerate() {
        if k == 100 {
            stage.cut(ship);
        }
        stage.frame(seconds);
        let &Foreseen(local, global, cut) = stage.app.world().resource::<Foreseen>();
        assert!(global.unwrap().translation().abs_diff_eq(stage.drawn(sailor).translation(), 1e-4));
        assert!(near(local.unwrap().translation.x, stage.x(sailor) - stage.x(deck)));
        assert_eq!(cut, k == 0 || k == 100, "frame {k}: its ship jumped, and so did it");
    }
}

#[test]
#[should_panic(expected = "PortamentoPlugin needs Bevy's TimePlugin")]
fn without_a_clock_it_says_what_is_missing() {
    App::new().add_plugins(bevy_portamento::PortamentoPlugin).finish();
}

#[test]
fn a_clock_that_is_replaced_goes_on_from_the_same_picture() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frames(5, 0.035);
    let before = stage.x(thing);
    assert!(near(before, 0.75), "{before}");
    stage.app.insert_resource(Time::<Fixed>::from_hz(20.0));
    stage.frame(0.01);
    let x = stage.x(thing);
    assert!(x > before && x < 1.0, "a fifth of what is left is played: {x}");
    assert!(stage.moment().presented() > 0.0);
    let mut last = x;
    for _ in 0..40 {
        stage.frame(0.01);
        let step = stage.x(thing) - last;
        assert!((0.0..0.21).contains(&step), "{step}");
        last += step;
    }
    assert!(last > 5.0);
}
