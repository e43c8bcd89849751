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

/// What happens to the hierarchy in one schedule of one frame, the same with the plugin and without it.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// The first below the second; the second may not be below the first.
    Below(u32, u32),
    Alone(u32),
    Spawn(u32, u32),
    Despawn(u32),
    Smooth(u32, bool),
}

#[derive(Resource)]
struct Changes {
    dice: u32,
    next: u32,
}

impl Changes {
    fn below(&mut self, limit: u32) -> u32 {
        self.dice = self.dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.dice >> 8) % limit
    }
}

/// One change in a few of the frames, in whichever schedules have this system.
fn change(world: &mut World) {
    let mut things: Vec<_> = world.query::<(&Number, Entity)>().iter(world).map(|(n, e)| (n.0, e)).collect();
    things.sort();
    let change = world.resource_scope(|_, mut changes: Mut<Changes>| {
        let (one, other) = (changes.below(things.len() as u32), changes.below(things.len() as u32));
        let (one, other) = (things[one as usize].0, things[other as usize].0);
        Some(match changes.below(40) {
            0..3 => Change::Below(one, other),
            3 => Change::Alone(one),
            4 if things.len() < 20 => {
                changes.next += 1;
                Change::Spawn(changes.next, one)
            }
            5 if things.len() > 8 => Change::Despawn(one),
            6 => Change::Smooth(one, true),
            7 => Change::Smooth(one, false),
            _ => return None,
        })
    });
    let entity = |n: u32| things.iter().find(|thing| thing.0 == n).unwrap().1;
    let is_below = |world: &World, mut low: Entity, high: Entity| loop {
        if low == high {
            return true;
        }
        let Some(parent) = world.get::<ChildOf>(low) else { return false };
        low = parent.parent();
    };
    let has_plugin = world.contains_resource::<bevy_portamento::FrameMoment>();
    match change {
        Some(Change::Below(one, other)) if !is_below(world, entity(other), entity(one)) => {
            world.entity_mut(entity(one)).insert(ChildOf(entity(other)));
        }
        Some(Change::Alone(one)) => _ = world.entity_mut(entity(one)).remove::<ChildOf>(),
        Some(Change::Spawn(n, below)) => {
            let goes = stage::Goes((n % 3) as f32);
            world.spawn((Number(n), stage::at(n as f32), goes, ChildOf(entity(below))));
        }
        Some(Change::Despawn(one)) if world.get::<Children>(entity(one)).is_none() => {
            world.entity_mut(entity(one)).despawn();
        }
        Some(Change::Smooth(one, true)) if has_plugin => {
            world.entity_mut(entity(one)).insert(Smooth::default());
        }
        Some(Change::Smooth(one, false)) if has_plugin => {
            _ = world.entity_mut(entity(one)).remove::<Smooth>()
        }
        _ => {}
    }
}

#[test]
fn whatever_is_regrouped_in_whichever_schedule_ticks_see_the_same_bits() {
    let seeds = std::env::var("SEEDS").map_or(60, |seeds| seeds.parse().unwrap());
    let mut seen = 0;
    for seed in 0..seeds {
        let play = |plugin: bool| {
            let mut stage = Stage::bare(60.0)
                .with(First, change)
                .with(PreUpdate, change)
                .with(RunFixedMainLoop, change.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop))
                .with(FixedUpdate, (see_in::<1>, stage::go, change).chain())
                .with(Update, change);
            stage.app.init_resource::<Diary>().insert_resource(Changes { dice: seed, next: 100 });
            if plugin {
                stage.app.add_plugins(PortamentoPlugin);
            }
            for n in 0..10 {
                let thing = stage.spawn((Number(n), stage::at(n as f32), stage::Goes((n % 3) as f32)));
                if plugin && n % 2 == 0 {
                    stage.app.world_mut().entity_mut(thing).insert(Smooth::default());
                }
            }
            for seconds in stage::uneven(100.0, seed).take(150) {
                stage.frame(seconds);
            }
            std::mem::take(&mut stage.app.world_mut().resource_mut::<Diary>().0)
        };
        let (with, without) = (play(true), play(false));
        assert_eq!(with.len(), without.len(), "seed {seed}");
        for (k, (with, without)) in with.iter().zip(&without).enumerate() {
            assert_eq!(with, without, "seed {seed}, row {k}");
        }
        seen += with.len();
    }
    assert!(seen > 900 * seeds as usize, "only {seen} rows were compared");
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
