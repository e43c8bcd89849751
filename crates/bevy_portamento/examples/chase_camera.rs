//! The library's chase camera behind a smooth runner. What does the player see of the runner: does it stand still on the
//! screen, although runner and camera go at full speed and frames are uneven?
//!
//! `cargo run --example chase_camera`

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_portamento::portamento::camera::{ChaseCamera, ChaseSettings};
use bevy_portamento::{FrameMoment, PortamentoPlugin, Smooth, Views};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use std::time::Duration;

#[derive(Component)]
struct Runner;

/// A camera that follows; in a game it stands beside `Camera3d`.
#[derive(Component)]
struct Chase {
    camera: ChaseCamera,
    target: Entity,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("A runner at 10 units/s, 30 ticks and about 144 uneven frames a second.");
    println!("How far it moves on the screen, from the camera's distance to it in ten seconds:\n");
    let camera = ChaseCamera::new(ChaseSettings::y_up())?;
    for (name, smooth, follow) in [
        ("camera follows the truth, nothing smoothed", false, Follow::Truth),
        ("camera follows the truth, runner smoothed", true, Follow::Truth),
        ("camera follows the view, runner smoothed", true, Follow::View),
    ] {
        let (shake, lag) = run(camera.clone(), smooth, follow);
        println!("  {name:<44} {shake:>9.4} units, {lag:.2} behind");
    }
    Ok(())
}

#[derive(Clone, Copy, Resource, PartialEq)]
enum Follow {
    Truth,
    View,
}

fn run(camera: ChaseCamera, smooth: bool, follow: Follow) -> (f32, f32) {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, PortamentoPlugin))
        .insert_resource(Time::<Fixed>::from_hz(30.0))
        .insert_resource(follow)
        .add_systems(FixedUpdate, go)
        .add_systems(Update, chase);
    let world = app.world_mut();
    let target = world.spawn((Transform::default(), Runner)).id();
    if smooth {
        world.entity_mut(target).insert(Smooth::default());
    }
    let eye = world.spawn((Transform::default(), Chase { camera, target })).id();
    let (mut least, mut most, mut random) = (f32::MAX, f32::MIN, 1u32);
    for frame in 0..1440 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let uneven = 1.0 + 0.3 * (f64::from(random) / f64::from(u32::MAX) - 0.5);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(uneven / 144.0)));
        app.update();
        let place =
            |entity| app.world().get::<GlobalTransform>(entity).map_or(Vec3::ZERO, |g| g.translation());
        let distance = (place(eye) - place(target)).length();
        if frame > 700 {
            (least, most) = (least.min(distance), most.max(distance));
        }
    }
    (most - least, most)
}

fn go(time: Res<Time>, mut runners: Query<&mut Transform, With<Runner>>) {
    for mut transform in &mut runners {
        transform.translation.z -= 10.0 * time.delta_secs();
    }
}

/// The camera's own transform is written in `Update`, so it is drawn unchanged.
fn chase(
    views: Views<Without<Chase>>,
    moment: Res<FrameMoment>,
    follow: Res<Follow>,
    mut cameras: Query<(&mut Transform, &mut Chase)>,
    truth: Query<&Transform, Without<Chase>>,
) -> Result {
    for (mut transform, mut chase) in &mut cameras {
        let mut subject = views.subject(chase.target)?;
        if *follow == Follow::Truth {
            subject.now.position = truth.get(chase.target)?.translation.as_dvec3().to_array();
        }
        let (translation, rotation) = chase.camera.update(**moment, subject).pose().into();
        *transform = Transform { translation, rotation, ..*transform };
    }
    Ok(())
}
