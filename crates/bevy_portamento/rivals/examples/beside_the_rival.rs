//! Beside bevy_transform_interpolation, in one program: how much motion is lost when `Update` writes as well? How much
//! does the picture shake, for the ways in which games place cameras and labels?
//!
//! `cargo run --release -p bevy-rivals --example beside_the_rival`

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_portamento::{ChaseTarget, PortamentoPlugin};
use bevy_rivals::{By, app, spawn};
use bevy_time::Time;
use bevy_transform::TransformSystems;
use bevy_transform::prelude::*;
use std::time::Duration;

const SPEED: f32 = 10.0;

#[derive(Component)]
struct Runner;

/// The camera, a label or the hit of a ray.
#[derive(Component)]
struct Eye;

fn run(time: Res<Time>, mut runners: Query<&mut Transform, With<Runner>>) {
    for mut transform in &mut runners {
        transform.translation.x += SPEED * time.delta_secs();
    }
}

fn turn(mut runners: Query<&mut Transform, With<Runner>>) {
    for mut transform in &mut runners {
        transform.rotate_y(0.02);
    }
}

fn layer(mut runners: Query<&mut Transform, With<Runner>>, mut frame: Local<f32>) {
    *frame += 1.0;
    for mut transform in &mut runners {
        transform.translation.z = *frame * 0.001;
    }
}

fn frame_of(fps: f64) -> Duration {
    Duration::from_secs_f64(1.0 / fps)
}

/// How much of ten seconds' motion is missing.
fn loss<M>(by: By, hz: f64, fps: f64, write: impl IntoSystem<(), (), M> + 'static) -> f32 {
    let mut app = app(by, hz, frame_of(fps));
    app.add_systems(FixedUpdate, run).add_systems(Update, IntoSystem::into_system(write));
    let runner = spawn(&mut app, by, (Transform::default(), Runner));
    let frames = (10.0 * fps) as usize;
    for _ in 0..frames {
        app.update();
    }
    let ticks = app.world().resource::<Time<bevy_time::Fixed>>().elapsed_secs();
    let x = app.world().get::<Transform>(runner).expect("spawned").translation.x;
    // The rival leaves the eased value in Transform: up to a tick behind is no loss.
    let missing = SPEED * ticks - x - SPEED / hz as f32;
    (missing / (SPEED * ticks)).max(0.0) * 100.0
}

/// Whether someone eases there at all.
fn assert_eases(by: By) {
    let mut app = app(by, 30.0, frame_of(144.0));
    app.add_systems(FixedUpdate, run);
    let runner = spawn(&mut app, by, (Transform::default(), Runner));
    let mut steps = Vec::new();
    let mut last = 0.0;
    for _ in 0..300 {
        app.update();
        let x = app.world().get::<GlobalTransform>(runner).expect("spawned").translation().x;
        steps.push(x - last);
        last = x;
    }
    let even = steps[20..].iter().filter(|step| (**step - SPEED / 144.0).abs() < 1e-3).count();
    assert!(even > 270, "{by:?} does not ease here: {even} of 280 steps are even");
}

type Setup = fn(&mut App, Entity);

fn camera_by_transform(
    eyes: Query<&mut Transform, (With<Eye>, Without<Runner>)>,
    runner: Single<&Transform, With<Runner>>,
) {
    for mut eye in eyes {
        eye.translation = runner.translation + Vec3::Y;
    }
}

fn camera_by_global(eyes: Query<&mut Transform, With<Eye>>, runner: Single<&GlobalTransform, With<Runner>>) {
    for mut eye in eyes {
        eye.translation = runner.translation() + Vec3::Y;
    }
}

fn exponential(
    time: Res<Time>,
    eyes: Query<&mut Transform, With<Eye>>,
    runner: Single<&GlobalTransform, With<Runner>>,
) {
    for mut eye in eyes {
        let share = 1.0 - (-8.0 * time.delta_secs()).exp();
        eye.translation = eye.translation.lerp(runner.translation() + Vec3::Y, share);
    }
}

fn by_helper(
    mut set: ParamSet<(TransformHelper, Query<&mut Transform, With<Eye>>)>,
    runner: Single<Entity, With<Runner>>,
) {
    let place = set.p0().compute_global_transform(*runner);
    let place = place.map(|global| global.translation()).unwrap_or_default();
    for mut eye in &mut set.p1() {
        eye.translation = place + Vec3::Y;
    }
}

/// After propagation, so that nothing is a frame late.
fn label(
    eyes: Query<&mut GlobalTransform, (With<Eye>, Without<Runner>)>,
    runner: Single<&GlobalTransform, With<Runner>>,
) {
    for mut eye in eyes {
        *eye = GlobalTransform::from_translation(runner.translation() + Vec3::Y);
    }
}

#[derive(Component)]
struct Head;

/// From a camera that is the runner's child, straight ahead: where the cursor's mark is put.
fn ray(eyes: Query<&mut Transform, With<Eye>>, head: Single<&GlobalTransform, With<Head>>) {
    for mut eye in eyes {
        eye.translation = head.translation() + head.forward() * 3.0;
    }
}

fn in_update<M>(app: &mut App, system: impl IntoScheduleConfigs<bevy_ecs::system::ScheduleSystem, M>) {
    app.world_mut().spawn((Transform::default(), Eye));
    app.add_systems(Update, system);
}

const KINDS: [(&str, Setup); 7] = [
    ("camera by Transform", |app, _| in_update(app, camera_by_transform)),
    ("camera by GlobalTransform", |app, _| in_update(app, camera_by_global)),
    ("label after propagation", |app, _| {
        app.world_mut().spawn((Transform::default(), Eye));
        app.add_systems(PostUpdate, label.after(TransformSystems::Propagate));
    }),
    ("cursor ray, camera as a child", |app, runner| {
        app.world_mut().spawn((Transform::from_xyz(0.0, 1.0, 0.0), Head, ChildOf(runner)));
        in_update(app, ray);
    }),
    ("exponential camera", |app, _| in_update(app, exponential)),
    ("TransformHelper", |app, _| in_update(app, by_helper)),
    ("the library's camera", |app, runner| {
        if app.is_plugin_added::<PortamentoPlugin>() {
            app.world_mut().spawn((Eye, ChaseTarget(runner)));
        } else {
            in_update(app, exponential);
        }
    }),
];

/// The root mean square by which the distance between the two on the screen changes from frame to frame, in units.
fn jitter(by: By, setup: Setup) -> f64 {
    let mut app = app(by, 30.0, frame_of(144.0));
    app.add_systems(FixedUpdate, run);
    let place = Transform::from_rotation(Quat::from_rotation_y(-1.0));
    let runner = spawn(&mut app, by, (place, Runner));
    setup(&mut app, runner);
    let mut eyes = app.world_mut().query_filtered::<&GlobalTransform, With<Eye>>();
    let (mut sum, mut count, mut last) = (0.0, 0, Vec3::ZERO);
    let mut random = 1u32;
    for frame in 0..1_440 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let uneven = 1.0 + 0.3 * (f64::from(random) / f64::from(u32::MAX) - 0.5);
        app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(
            uneven / 144.0,
        )));
        app.update();
        let at = app.world().get::<GlobalTransform>(runner).expect("spawned").translation();
        let eye = eyes.single(app.world()).expect("one eye").translation();
        let between = eye - at;
        if frame > 700 {
            sum += f64::from((between - last).length_squared());
            count += 1;
        }
        last = between;
    }
    (sum / f64::from(count)).sqrt()
}

fn main() {
    assert_eases(By::Rival);
    assert_eases(By::Us);
    println!("Motion lost in 10 s, in percent, when Update writes the same Transform:\n");
    println!(
        "| ticks/frames | what Update writes | bevy_transform_interpolation | bevy_portamento |\n|---|---|---|---|"
    );
    for (hz, fps) in [(60.0, 144.0), (30.0, 144.0), (20.0, 60.0), (60.0, 60.0)] {
        for (name, which) in [("rotation", true), ("z", false)] {
            let [rival, us] = [By::Rival, By::Us].map(|by| match which {
                true => loss(by, hz, fps, turn),
                false => loss(by, hz, fps, layer),
            });
            println!("| {hz}/{fps} | {name} | {rival:.1} | {us:.1} |");
            assert!(us < 0.1, "we lose motion");
        }
    }
    println!(
        "\nShake at 30/144, uneven frames: change of the distance on the screen from frame to frame (RMS, units):\n"
    );
    println!("| what follows the runner | bevy_transform_interpolation | bevy_portamento |\n|---|---|---|");
    for (name, setup) in KINDS {
        let [rival, us] = [By::Rival, By::Us].map(|by| jitter(by, setup));
        println!("| {name} | {rival:.4} | {us:.4} |");
        // Code that copies `Transform` copies the truth; the documentation gives the line for it (`Views`).
        let copies_transform = ["camera by Transform", "TransformHelper"].contains(&name);
        assert!(copies_transform || us <= rival * 1.02 + 1e-4, "{name}: {us} is worse than {rival}");
    }
}
