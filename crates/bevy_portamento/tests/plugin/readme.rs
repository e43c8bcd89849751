//! The READMEs' Bevy code compiles and runs: what stands here is compared with what stands there.
//!
//! The whole of Bevy takes minutes to build, so its prelude is put together from the crates that are there.

mod bevy {
    pub mod prelude {
        pub use bevy_app::prelude::*;
        pub use bevy_ecs::prelude::*;
        pub use bevy_math::prelude::*;
        pub use bevy_transform::prelude::*;

        /// With a field, as Bevy's own has.
        #[derive(Component, Default)]
        pub struct Camera3d {
            _depth: f32,
        }

        pub struct DefaultPlugins;

        impl Plugin for DefaultPlugins {
            fn build(&self, app: &mut App) {
                app.add_plugins((
                    bevy_app::TaskPoolPlugin::default(),
                    bevy_time::TimePlugin,
                    TransformPlugin,
                ));
            }
        }
    }
}

#[rustfmt::skip]
mod of_the_crate {
use super::bevy;

// From here
use bevy::prelude::*;
use bevy_portamento::prelude::*;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PortamentoPlugin))
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, (walk, respawn).chain())
        .run();
}

fn setup(mut commands: Commands) {
    let player = commands.spawn((Transform::default(), Smooth::default())).id();
    commands.spawn((Camera3d::default(), ChaseTarget(player))); // follows without shaking
}

fn walk(mut players: Query<&mut Transform, With<Smooth>>) {
    for mut transform in &mut players {
        transform.translation.x += 0.1; // drawn evenly, at any frame rate
    }
}

fn respawn(mut commands: Commands, players: Query<(Entity, &Transform), With<Smooth>>) {
    for (player, transform) in &players {
        if transform.translation.x > 100.0 {
            commands.entity(player).insert((Transform::default(), Cut)); // a teleport: no frame shows a place between
        }
    }
}
// To here

pub fn run() {
    main();
}
}

#[rustfmt::skip]
mod of_the_library {
use super::bevy::prelude::*;
use bevy_portamento::prelude::*;

pub fn sketch(app: &mut App, commands: &mut Commands, spawn: Vec3) {
// From here
app.add_plugins((DefaultPlugins, PortamentoPlugin));
let player = commands.spawn((Transform::default(), Smooth::default())).id(); // moved in FixedUpdate
commands.spawn((Camera3d::default(), ChaseTarget(player)));                  // cannot shake
commands.entity(player).insert((Transform::from_translation(spawn), Cut));   // a teleport
// To here
}
}

#[rustfmt::skip]
mod camera {
use super::bevy::prelude::*;
use bevy_portamento::prelude::*;

#[derive(Component)]
pub struct Camera;

#[derive(Component)]
pub struct Player;

// From here
fn follow(
    views: Views<Without<Camera>>,
    player: Single<Entity, With<Player>>,
    mut camera: Single<&mut Transform, With<Camera>>,
) -> Result {
    camera.translation = views.global(*player)?.translation() + Vec3::new(0.0, 4.0, 10.0);
    Ok(())
}
// To here

pub fn run(app: &mut App) {
    app.add_systems(Update, follow);
    let camera = app.world_mut().spawn((Camera, Transform::default())).id();
    app.world_mut().spawn((Player, Transform::from_xyz(1.0, 2.0, 3.0), Smooth::default()));
    app.update();
    assert_eq!(app.world().get::<Transform>(camera).unwrap().translation, Vec3::new(1.0, 6.0, 13.0));
}
}

/// The `which`th part of this file between the marks.
fn part(which: usize) -> &'static str {
    let parts = include_str!("readme.rs").split("// From here\n").nth(which + 1).unwrap();
    parts.split("// To here").next().unwrap()
}

#[test]
fn the_readmes_say_what_is_compiled_here() {
    let block = |part: &str| format!("```rust,ignore\n{part}```");
    assert!(include_str!("../../README.md").contains(&block(part(0))), "the crate's README differs");
    assert!(include_str!("../../../../README.md").contains(&block(part(1))), "the library's README differs");
    assert!(
        include_str!("../../README.md").contains(&block(part(2))),
        "the camera in the crate's README differs"
    );
}

#[test]
fn and_it_runs() {
    use bevy::prelude::*;
    of_the_crate::run();
    let (mut app, mut other) = (App::new(), App::new());
    let world = app.world_mut();
    of_the_library::sketch(&mut other, &mut world.commands(), Vec3::X);
    camera::run(App::new().add_plugins((DefaultPlugins, bevy_portamento::PortamentoPlugin)));
    world.flush();
    let mut places = world.query_filtered::<&Transform, With<bevy_portamento::Smooth>>();
    assert_eq!(places.single(world).unwrap().translation, Vec3::X);
    other.update();
}
