//! Law 1: the truth does not know that it is drawn. A world with the plugin and one without it go through the same, frame
//! by frame, and everything that a simulation can see is compared to the bit.

use crate::stage;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_portamento::{Cut, PortamentoPlugin, Smooth};
use bevy_time::{Fixed, Time};
use bevy_transform::prelude::*;
use stage::Stage;

/// Everything that systems saw, in the order in which they saw it.
#[derive(Resource, Default)]
struct Diary(Vec<(&'static str, u32, [u32; 22])>);

/// Entities have other numbers where a plugin brings some of its own.
#[derive(Component, Clone, Copy)]
struct Number(u32);

fn bits(transform: &Transform, global: &GlobalTransform) -> [u32; 22] {
    let Transform { translation, rotation, scale } = transform;
    let mut all = [0; 22];
    let numbers = translation.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array());
    for (place, number) in all.iter_mut().zip(numbers.chain(global.affine().to_cols_array())) {
        *place = number.to_bits();
    }
    all
}

fn see_in<const SCHEDULE: usize>(
    mut diary: ResMut<Diary>,
    things: Query<(&Number, &Transform, &GlobalTransform)>,
) {
    let mut seen: Vec<_> = things.iter().map(|(n, t, g)| (SEEING[SCHEDULE], n.0, bits(t, g))).collect();
    seen.sort();
    diary.0.extend(seen);
}

/// Systems that watch for changes see the same ones, also those that physics engines watch for.
fn see_changes_in<const SCHEDULE: usize>(
    mut diary: ResMut<Diary>,
    things: Query<(&Number, Ref<Transform>, Ref<GlobalTransform>)>,
    mut last: Local<std::collections::HashMap<u32, GlobalTransform>>,
) {
    let mut seen: Vec<_> = things
        .iter()
        .map(|(n, transform, global)| {
            let moved = last.insert(n.0, *global) != Some(*global);
            assert!(!moved || global.is_changed(), "{}: it changed without being marked", SEEING[SCHEDULE]);
            (SEEING[SCHEDULE], n.0, [u32::from(transform.is_changed()); 22])
        })
        .collect();
    seen.sort();
    diary.0.extend(seen);
}

const SEEING: [&str; 4] = ["FixedFirst", "FixedUpdate", "FixedLast", "Update"];

/// The transform alone, where the picture may be up.
fn see_transforms(mut diary: ResMut<Diary>, things: Query<(&Number, &Transform)>) {
    let mut seen: Vec<_> =
        things.iter().map(|(n, t)| ("picture", n.0, bits(t, &GlobalTransform::IDENTITY))).collect();
    seen.sort();
    diary.0.extend(seen);
}

/// Physics that reads what propagation wrote, so that a view left in it would be felt.
fn simulate(
    time: Res<Time>,
    mut things: Query<(&Number, &mut Transform, &GlobalTransform)>,
    mut tick: Local<u32>,
) {
    *tick += 1;
    for (&Number(n), mut transform, global) in &mut things {
        let (n, t, dt) = (n as f32, *tick as f32 * 0.1, time.delta_secs());
        match n as u32 % 5 {
            0 => transform.translation += Vec3::new((t + n).sin(), 2.0, -global.translation().x * 0.1) * dt,
            1 => transform.rotate(Quat::from_rotation_y(3.0 * dt)),
            2 if *tick % 40 < 20 => {
                transform.translation = transform.translation * 0.9 + global.forward() * dt
            }
            3 if tick.is_multiple_of(7) => transform.scale *= 1.0 + dt,
            _ => {}
        }
    }
}

fn write_in_update(mut things: Query<(&Number, &mut Transform)>, mut frame: Local<u32>) {
    *frame += 1;
    for (&Number(n), mut transform) in &mut things {
        if n.is_multiple_of(3) {
            transform.rotation = Quat::from_rotation_z(*frame as f32 * 0.01);
        }
        if n.is_multiple_of(11) && frame.is_multiple_of(5) {
            transform.translation.y += 0.25;
        }
    }
}

/// Spawns, despawns, new parents and jumps, in ticks.
fn live(mut commands: Commands, things: Query<(Entity, &Number, Has<Smooth>)>, mut tick: Local<u32>) {
    *tick += 1;
    if tick.is_multiple_of(10) {
        commands.spawn((
            Number(1000 + *tick),
            Transform::from_xyz(*tick as f32, 0.0, 0.0),
            Smooth::default(),
        ));
    }
    let find = |wanted: u32| things.iter().find(|(_, n, _)| n.0 == wanted).map(|(entity, ..)| entity);
    if tick.is_multiple_of(25)
        && let Some(old) = find(1000 + *tick - 15)
    {
        commands.entity(old).despawn();
    }
    if let (Some(one), Some(other)) = (find(5), find(6 + *tick / 30 % 3)) {
        commands.entity(one).insert(ChildOf(other));
    }
    for (entity, n, is_smooth) in &things {
        if is_smooth && *tick % 13 == n.0 % 13 {
            commands.entity(entity).insert(Cut);
        }
    }
}

fn world(plugin: bool, hz: f64, times: &[f64]) -> Vec<(&'static str, u32, [u32; 22])> {
    let mut stage = Stage::bare(hz)
        .with(FixedFirst, see_in::<0>)
        .with(FixedUpdate, (see_in::<1>, see_changes_in::<1>, simulate, live).chain())
        .with(FixedLast, (see_in::<2>, see_changes_in::<2>))
        .with(Update, (see_transforms, see_changes_in::<3>, write_in_update).chain())
        .with(PostUpdate, see_transforms.before(bevy_transform::TransformSystems::Propagate))
        .with(First, see_transforms)
        .with(PreUpdate, see_transforms)
        .with(PostUpdate, see_transforms.after(bevy_transform::TransformSystems::Propagate))
        .with(Last, see_transforms);
    stage.app.init_resource::<Diary>();
    if plugin {
        stage.app.add_plugins(PortamentoPlugin);
    }
    for n in 0..60 {
        let start = Transform::from_xyz(n as f32, 1.0, 0.5);
        let thing = stage.spawn((Number(n), start));
        if n % 4 != 0 {
            stage.app.world_mut().entity_mut(thing).insert(Smooth::default());
        }
        let child = stage.spawn((Number(100 + n), start));
        if n % 2 == 0 {
            stage.app.world_mut().entity_mut(child).insert(ChildOf(thing));
        }
        if n % 6 == 0 {
            stage.app.world_mut().entity_mut(child).insert(Smooth::default());
            stage.spawn((Number(200 + n), start, Smooth::default(), ChildOf(child)));
        }
    }
    for &seconds in times {
        stage.frame(seconds);
    }
    assert!(stage.app.world().resource::<Time<Fixed>>().elapsed_secs() > 1.0);
    std::mem::take(&mut stage.app.world_mut().resource_mut::<Diary>().0)
}

#[test]
fn everything_a_simulation_sees_is_the_same_bits_with_and_without_the_plugin() {
    for hz in [20.0, 60.0] {
        for fps in [30.0, 60.0, 144.0, 240.0] {
            let times: Vec<f64> = stage::uneven(fps, (hz + fps) as u32).take((2.0 * fps) as usize).collect();
            let (with, without) = (world(true, hz, &times), world(false, hz, &times));
            assert_eq!(with.len(), without.len());
            for (with, without) in with.iter().zip(&without) {
                assert_eq!(with, without, "{hz} Hz, {fps} frames/s");
            }
        }
    }
}

#[test]
fn a_tick_that_is_run_at_another_time_sees_the_truth_too() {
    fn see(things: Query<(&Transform, &GlobalTransform)>) {
        for (transform, global) in &things {
            assert_eq!(*global, GlobalTransform::from(*transform));
        }
    }
    let mut stage = Stage::new(10.0).with(FixedPreUpdate, see).with(FixedUpdate, stage::go);
    let thing = stage.spawn((stage::at(0.0), Smooth::default(), stage::Goes(1.0)));
    stage.frame(0.15);
    assert!(stage::near(stage.x(thing), 0.5));
    // As rollback does it, between the picture and the next frame. Its result is propagated at the next frame's end.
    stage.app.world_mut().run_schedule(FixedFirst);
    stage.app.world_mut().run_schedule(FixedPreUpdate);
}

/// The moving trees are walked along a list that is kept from tick to tick. Whatever changes about them between a picture and
/// a tick, a simulation sees what it would see without the plugin.
#[test]
fn trees_that_change_between_a_picture_and_a_tick_are_the_same_bits_too() {
    #[derive(Component)]
    struct Hides;

    let play = |plugin: bool| {
        let mut stage = Stage::bare(60.0).with(FixedUpdate, (see_in::<1>, stage::go).chain());
        stage.app.init_resource::<Diary>();
        stage.app.world_mut().register_disabling_component::<Hides>();
        if plugin {
            stage.app.add_plugins(PortamentoPlugin);
        }
        let tree = |stage: &mut Stage, n: u32| {
            let top = stage.spawn((Number(n), stage::at(n as f32), Smooth::default(), stage::Goes(1.0)));
            let hand = stage.spawn((Number(n + 1), stage::at(0.5), ChildOf(top)));
            let muzzle = stage.spawn((Number(n + 2), stage::at(0.25), ChildOf(hand)));
            [top, hand, muzzle]
        };
        let [one, hand, muzzle] = tree(&mut stage, 10);
        let [other, ..] = tree(&mut stage, 20);
        let loose = stage.spawn((Number(1), stage::at(7.0)));
        stage.frames(5, 0.012);
        // After the picture was drawn, before the next tick.
        for step in 0..12 {
            let mut world = stage.app.world_mut().entity_mut(loose);
            match step {
                0 => _ = world.insert(ChildOf(one)),
                2 => _ = world.insert(ChildOf(other)),
                4 => _ = world.remove::<ChildOf>(),
                _ => {}
            }
            let world = stage.app.world_mut();
            match step {
                1 => _ = world.entity_mut(hand).insert(Hides),
                3 => _ = world.entity_mut(hand).remove::<Hides>(),
                5 => _ = world.entity_mut(hand).insert(ChildOf(other)),
                6 => _ = world.entity_mut(one).remove::<Smooth>(),
                7 => _ = world.entity_mut(one).insert(Smooth::default()),
                8 => _ = world.spawn((Number(30), stage::at(1.0), ChildOf(muzzle))),
                9 => world.entity_mut(muzzle).despawn(),
                10 => world.get_mut::<Transform>(hand).unwrap().translation.y = 3.0,
                _ => {}
            }
            stage.frames(3, 0.012);
        }
        std::mem::take(&mut stage.app.world_mut().resource_mut::<Diary>().0)
    };
    let (with, without) = (play(true), play(false));
    assert_eq!(with.len(), without.len());
    for (with, without) in with.iter().zip(&without) {
        assert_eq!(with, without);
    }
}

/// Bevy propagates nothing below a parent without a transform. A tick sees that, and not a place that nobody has made.
#[test]
fn what_is_below_a_parent_without_a_transform_is_left_alone() {
    let play = |plugin: bool| {
        let mut stage = Stage::bare(60.0).with(FixedUpdate, (see_in::<1>, stage::go).chain());
        stage.app.init_resource::<Diary>();
        if plugin {
            stage.app.add_plugins(PortamentoPlugin);
        }
        let group = stage.spawn(());
        for (n, parent) in [(10, None), (20, Some(group)), (30, None)] {
            let place = stage::at(n as f32);
            let top = stage.spawn((Number(n), place, Smooth::default(), stage::Goes(1.0)));
            stage.spawn((Number(n + 1), stage::at(0.5), ChildOf(top)));
            if let Some(parent) = parent {
                stage.app.world_mut().entity_mut(top).insert(ChildOf(parent));
            }
        }
        stage.frames(20, 0.012);
        std::mem::take(&mut stage.app.world_mut().resource_mut::<Diary>().0)
    };
    assert_eq!(play(true), play(false));
}

/// Whoever leaves the picture takes what is below it along, with the places that Bevy propagated, not with what was written
/// since.
#[test]
fn a_child_that_is_written_before_its_parent_is_not_smooth_any_more_waits_for_propagation() {
    for seconds in [0.004, 0.0075, 0.013] {
        let mut stage = Stage::new(100.0).with(FixedUpdate, (see_in::<1>, stage::go).chain());
        stage.app.init_resource::<Diary>();
        let top = stage.spawn((Number(1), stage::at(0.0), Smooth::default(), stage::Goes(1.0)));
        let hand = stage.spawn((Number(2), stage::at(0.5), ChildOf(top)));
        stage.frames(9, seconds);
        let truth = stage.truth(top).translation.x;
        stage.get_mut::<Transform>(hand).translation.x = 100.0;
        stage.app.world_mut().entity_mut(top).remove::<Smooth>();
        let wanted = GlobalTransform::from_xyz(truth + 0.5, 0.0, 0.0);
        assert_eq!(stage.drawn(hand), wanted, "{seconds}");
        stage.frame(0.02);
        assert_eq!(stage.x(hand), stage.truth(top).translation.x + 100.0);
    }
}
