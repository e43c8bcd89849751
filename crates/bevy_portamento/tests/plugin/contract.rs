//! What does a system see? `Transform` is the truth everywhere. `GlobalTransform` is the picture outside of ticks, and the
//! truth in them, for smooth entities and their descendants.

use crate::stage::{self, Goes, Stage, at, go};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_portamento::{Cut, PortamentoPlugin, PortamentoSettings, Smooth};
use bevy_time::{Time, Virtual};
use bevy_transform::TransformSystems;
use bevy_transform::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the last frame showed of everything.
#[derive(Resource, Default)]
struct Screen(Vec<(Entity, GlobalTransform)>);

fn photograph(mut screen: ResMut<Screen>, all: Query<(Entity, &GlobalTransform)>) {
    screen.0 = all.iter().map(|(entity, global)| (entity, *global)).collect();
}

static LOOKS: AtomicUsize = AtomicUsize::new(0);

fn compare(screen: Res<Screen>, all: Query<&GlobalTransform>) {
    for (entity, shown) in &screen.0 {
        if let Ok(global) = all.get(*entity) {
            assert_eq!(global, shown, "{entity}");
            LOOKS.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn forest(stage: &mut Stage) {
    for k in 0..5 {
        stage.spawn((at(k as f32), Smooth::default(), Goes(1.0)));
        let root = stage.spawn((at(k as f32), Smooth::default(), Goes(0.5)));
        let middle = stage.spawn((at(1.0).with_rotation(Quat::from_rotation_y(0.3)), ChildOf(root)));
        let leaf = stage.spawn((at(1.0), Smooth::default(), Goes(0.25), ChildOf(middle)));
        stage.spawn((at(2.0), ChildOf(leaf)));
        let plain = stage.spawn(at(9.0));
        stage.spawn((at(0.0), Smooth::default(), Goes(0.1), ChildOf(plain)));
    }
}

#[test]
fn outside_of_ticks_global_transform_is_what_was_drawn_last() {
    let mut stage = Stage::new(30.0)
        .with(FixedUpdate, go)
        .with(First, compare)
        .with(PreUpdate, compare)
        .with(RunFixedMainLoop, compare.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop))
        .with(Update, compare)
        .with(PostUpdate, compare.before(TransformSystems::Propagate))
        .with(PostUpdate, photograph.after(TransformSystems::Propagate))
        .with(Last, compare);
    stage.app.init_resource::<Screen>();
    forest(&mut stage);
    for seconds in stage::uneven(100.0, 4).take(300) {
        stage.frame(seconds);
    }
    assert!(LOOKS.load(Ordering::Relaxed) > 10_000);
}

/// As avian does it in its schedule.
fn propagation() -> bevy_ecs::schedule::ScheduleConfigs<bevy_ecs::system::ScheduleSystem> {
    use bevy_transform::systems::{mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms};
    (mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms).chain()
}

#[test]
fn that_holds_where_the_simulation_propagates_transforms_itself() {
    fn go_and_rest(mut tick: Local<u32>, mut all: Query<(&mut Transform, &Goes)>) {
        *tick += 1;
        for (k, (mut transform, goes)) in all.iter_mut().enumerate() {
            if (*tick as usize + k).is_multiple_of(3) {
                transform.translation.x += goes.0;
            }
        }
    }
    let mut stage = Stage::new(30.0)
        .with(FixedUpdate, go_and_rest)
        .with(FixedPostUpdate, propagation())
        .with(Update, compare)
        .with(PostUpdate, photograph.after(TransformSystems::Propagate));
    stage.app.init_resource::<Screen>();
    forest(&mut stage);
    for seconds in stage::uneven(60.0, 4).take(300) {
        stage.frame(seconds);
    }
    stage.frames(10, 0.1); // several ticks in a frame
}

/// What a gun in `FixedUpdate` sees of its muzzle.
#[derive(Resource, Default)]
struct Seen(Vec<[u32; 13]>);

#[derive(Component)]
struct Muzzle(u32);

fn aim(mut seen: ResMut<Seen>, muzzles: Query<(&Muzzle, &GlobalTransform)>) {
    let mut all: Vec<_> = muzzles
        .iter()
        .map(|(Muzzle(number), global)| {
            let mut row = [*number; 13];
            row[1..].copy_from_slice(&global.affine().to_cols_array().map(f32::to_bits));
            row
        })
        .collect();
    all.sort();
    seen.0.extend(all);
}

fn fly(time: Res<Time>, mut all: Query<&mut Transform, With<Goes>>) {
    for mut transform in &mut all {
        transform.translation += Vec3::new(3.0, 0.2, -1.0) * time.delta_secs();
        transform.rotate_y(2.0 * time.delta_secs());
    }
}

fn shots(plugin: bool, fps: f64) -> Vec<[u32; 13]> {
    fn sway(mut heads: Query<&mut Transform, (Without<Goes>, Without<Muzzle>)>, mut frame: Local<f32>) {
        *frame += 1.0;
        for mut transform in &mut heads {
            transform.rotation = Quat::from_rotation_x(*frame * 0.01);
        }
    }
    /// The smooth ones are also written between the picture and the ticks.
    fn nudge(mut all: Query<&mut Transform, With<Goes>>, mut frame: Local<u32>) {
        *frame += 1;
        if frame.is_multiple_of(4) {
            for mut transform in &mut all {
                transform.translation.y += 0.125;
            }
        }
    }
    let mut stage = Stage::bare(30.0)
        .with(FixedUpdate, (aim, fly).chain())
        .with(FixedPostUpdate, aim)
        .with(PreUpdate, nudge)
        .with(Update, sway);
    if plugin {
        stage.app.add_plugins(PortamentoPlugin);
    }
    stage.app.init_resource::<Seen>();
    for k in 0..4 {
        let tank = stage.spawn((at(k as f32), Smooth::default(), Goes(1.0)));
        let turret = stage.spawn((at(0.5), ChildOf(tank)));
        stage.spawn((at(0.25), Muzzle(k), ChildOf(turret)));
        stage.spawn((at(7.0), Muzzle(10 + k), Smooth::default(), Goes(1.0)));
    }
    for seconds in stage::uneven(fps, 11).take((3.0 * fps) as usize) {
        stage.frame(seconds);
    }
    std::mem::take(&mut stage.app.world_mut().resource_mut::<Seen>().0)
}

#[test]
fn a_muzzle_in_fixed_update_is_where_it_is_without_the_plugin_to_the_bit() {
    for fps in [20.0, 30.0, 60.0, 144.0, 240.0] {
        let (with, without) = (shots(true, fps), shots(false, fps));
        assert!(with.len() > 100);
        for (k, (with, without)) in with.iter().zip(&without).enumerate() {
            assert_eq!(with, without, "{fps} frames/s, look {k}");
        }
        assert_eq!(with.len(), without.len());
    }
}

#[test]
fn the_truth_of_descendants_can_be_switched_off() {
    fn look(all: Query<(&Transform, &GlobalTransform, Option<&ChildOf>)>, mut seen: ResMut<Seen>) {
        for (transform, global, child_of) in &all {
            let is_truth = u32::from(*global == GlobalTransform::from(*transform));
            if child_of.is_none() {
                assert_eq!(is_truth, 1, "without a parent it is the truth in any case");
            } else {
                seen.0.push([global.translation().x.to_bits(); 13]);
            }
        }
    }
    let mut stage = Stage::new(10.0).with(FixedUpdate, (look, go).chain());
    stage.app.init_resource::<Seen>();
    stage.app.insert_resource(PortamentoSettings { truth_for_descendants: false });
    let root = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.spawn((at(0.0), ChildOf(root)));
    stage.frame(0.1);
    stage.frame(0.05);
    stage.app.world_mut().resource_mut::<Seen>().0.clear();
    stage.frame(0.05);
    let seen = stage.app.world().resource::<Seen>().0[0][0];
    assert!(stage::near(f32::from_bits(seen), 0.5), "the picture: {}", f32::from_bits(seen));
}

#[test]
fn nobody_ever_sees_the_view_in_transform() {
    /// It may run before, after and beside everything in `PostUpdate`.
    fn look(all: Query<(&Transform, &Goes)>) {
        for (transform, _) in &all {
            // Truths are whole numbers here, views hardly ever.
            let x = transform.translation.x;
            assert_eq!(x, x.round(), "the view was seen in Transform");
            LOOKS_AT_TRUTH.fetch_add(1, Ordering::Relaxed);
        }
    }
    static LOOKS_AT_TRUTH: AtomicUsize = AtomicUsize::new(0);
    let frames = if cfg!(feature = "multi_threaded") { 100_000 } else { 2_000 };
    let mut stage = Stage::new(30.0).with(FixedUpdate, |mut all: Query<(&mut Transform, &Goes)>| {
        for (mut transform, goes) in &mut all {
            transform.translation.x = (transform.translation.x + goes.0) % 4096.0;
        }
    });
    stage.app.add_systems(PostUpdate, (look, look, look));
    let root = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.spawn((at(1.0), Smooth::default(), Goes(1.0), ChildOf(root)));
    stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let frame = std::time::Duration::from_micros(8_300);
    stage.app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(frame));
    let mut between = 0;
    for _ in 0..frames {
        stage.app.update();
        between += usize::from(stage.x(root) != stage.x(root).round());
    }
    assert_eq!(LOOKS_AT_TRUTH.load(Ordering::Relaxed), frames * 9);
    assert!(between > frames / 2, "and it was drawn between: {between}");
}

#[test]
fn change_ticks_of_transform_are_those_of_whoever_wrote_it() {
    fn look(changed: Query<Entity, Changed<Transform>>, mut seen: ResMut<Changes>) {
        seen.0.push(changed.iter().count());
    }
    #[derive(Resource, Default)]
    struct Changes(Vec<usize>);
    let counts = [false, true].map(|plugin| {
        let mut stage = Stage::bare(20.0).with(FixedUpdate, go).with(Last, look).with(FixedLast, look);
        if plugin {
            stage.app.add_plugins(PortamentoPlugin);
        }
        stage.app.init_resource::<Changes>();
        forest(&mut stage);
        stage.frames(60, 1.0 / 60.0);
        std::mem::take(&mut stage.app.world_mut().resource_mut::<Changes>().0)
    });
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn a_clone_made_outside_of_a_tick_is_the_truth_in_the_next_one() {
    #[derive(Resource, Default)]
    struct Wrong(usize);
    fn look(all: Query<(&Transform, &GlobalTransform), Without<ChildOf>>, mut wrong: ResMut<Wrong>) {
        wrong.0 += all.iter().filter(|(local, global)| **global != GlobalTransform::from(**local)).count();
    }
    fn copy(world: &mut World) {
        let mut roots = world.query_filtered::<Entity, (With<Goes>, Without<ChildOf>)>();
        let roots: Vec<_> = roots.iter(world).take(2).collect();
        for root in roots {
            world.entity_mut(root).clone_and_spawn();
        }
    }
    let mut stage = Stage::new(30.0).with(FixedFirst, look.after(bevy_portamento::PortamentoSystems::Begin));
    stage.app.init_resource::<Wrong>();
    let mut stage = stage.with(FixedUpdate, go).with(PreUpdate, copy);
    stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let root = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.spawn((at(0.0), ChildOf(root)));
    stage.frames(30, 0.011);
    assert_eq!(stage.app.world().resource::<Wrong>().0, 0);
}

#[test]
fn assigning_the_component_is_harmless_in_every_schedule() {
    fn assign(mut all: Query<&mut Smooth>) {
        for mut smooth in &mut all {
            *smooth = Smooth::default();
        }
    }
    macro_rules! run {
        ($($schedule:expr),*) => {[$({
            let mut stage = Stage::new(20.0).with(FixedUpdate, go).with($schedule, assign);
            let flat = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
            let root = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
            let child = stage.spawn((at(0.0), ChildOf(root)));
            let mut drawn = Vec::new();
            for _ in 0..40 {
                stage.frame(1.0 / 60.0);
                drawn.push([stage.x(flat), stage.x(root), stage.x(child)]);
            }
            for e in [flat, root] {
                stage.app.world_mut().entity_mut(e).remove::<Goes>();
            }
            stage.frames(10, 1.0 / 60.0);
            let truth = stage.truth(flat).translation.x;
            assert_eq!([stage.x(flat), stage.x(root), stage.x(child)], [truth; 3], "{:?}", $schedule);
            drawn
        }),*]};
    }
    let runs = run![First, PreUpdate, FixedFirst, FixedUpdate, FixedLast, Update, PostUpdate, Last];
    assert!(runs.iter().all(|drawn| *drawn == runs[0]));
    assert!(runs[0].windows(2).skip(6).all(|pair| stage::near(pair[1][0] - pair[0][0], 1.0 / 3.0)));
}

#[test]
fn a_number_that_is_written_while_time_stands_still_is_drawn_as_written() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let flat = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let root = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let child = stage.spawn((at(1.0), ChildOf(root)));
    stage.frame(0.1);
    stage.frame(0.081);
    stage.app.world_mut().resource_mut::<Time<Virtual>>().pause();
    stage.frame(0.01);
    assert!(stage::near(stage.x(flat), 0.81));
    for e in [flat, root] {
        stage.get_mut::<Transform>(e).translation.x = 50.0; // an inspector
    }
    for _ in 0..3 {
        stage.frame(0.01);
        assert_eq!((stage.x(flat), stage.x(root), stage.x(child)), (50.0, 50.0, 51.0));
    }
    stage.app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    stage.frame(0.019 + 0.05);
    assert!(stage::near(stage.x(flat), 50.5), "and on from there: {}", stage.x(flat));
}

#[test]
fn a_cut_is_gone_at_once_and_does_nothing_to_others() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let plain = stage.spawn(at(0.0));
    stage.frame(0.125);
    stage.app.world_mut().entity_mut(thing).insert((at(500.0), Cut));
    stage.app.world_mut().entity_mut(plain).insert((at(7.0), Cut));
    stage.frame(0.01);
    assert_eq!((stage.x(thing), stage.x(plain)), (500.0, 7.0));
    assert!(stage.app.world().get::<Cut>(thing).is_none() && stage.app.world().get::<Cut>(plain).is_none());
}

#[test]
fn no_system_of_the_plugin_is_ambiguous_with_another() {
    use bevy_ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel};
    let mut stage = Stage::new(30.0);
    let settings = || ScheduleBuildSettings { ambiguity_detection: LogLevel::Error, ..Default::default() };
    for schedule in [FixedFirst.intern(), FixedLast.intern(), RunFixedMainLoop.intern(), PostUpdate.intern()]
    {
        stage.app.edit_schedule(schedule, |schedule| {
            schedule.set_build_settings(settings());
        });
    }
    stage.frames(3, 0.05);
}
