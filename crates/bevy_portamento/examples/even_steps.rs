//! One ball at 20 ticks and 60 frames a second: what is drawn without the plugin, with it, and when `Update` turns the ball
//! as well?
//!
//! `cargo run --example even_steps`

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_portamento::{Cut, PortamentoPlugin, Smooth};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use std::time::Duration;

fn main() {
    println!("Three units a tick, 20 ticks and 60 frames a second. What a frame shows:\n");
    println!("frame  truth   without    with   turned in Update, too");
    let [mut without, mut plain, mut turned] = [app(false, false), app(true, false), app(true, true)];
    let mut last = [0.0; 3];
    for frame in 0..16 {
        let apps = [&mut without, &mut plain, &mut turned];
        let shown = apps.map(|app| {
            app.update();
            let world = app.world_mut();
            world.query::<&GlobalTransform>().single(world).expect("one ball").translation().x
        });
        let world = plain.world_mut();
        let truth = world.query::<&Transform>().single(world).expect("one ball").translation.x;
        if frame == 10 {
            println!("       (a teleport to 500 in this tick, with a cut)");
        }
        println!("{frame:>5} {truth:>6.1} {:>9.2} {:>7.2} {:>10.2}", shown[0], shown[1], shown[2]);
        last = shown;
    }
    assert_eq!(last[1], last[2], "who looks around loses no motion");
    println!("\nThe truth is the same in all three. The picture is one tick behind, and even.");
}

#[derive(Component)]
struct Turned;

fn app(smooth: bool, turned: bool) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin))
        .insert_resource(Time::<Fixed>::from_hz(20.0))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60))
        .add_systems(FixedUpdate, roll)
        .add_systems(Update, turn);
    let ball = app.world_mut().spawn(Transform::default()).id();
    if smooth {
        app.add_plugins(PortamentoPlugin);
        app.world_mut().entity_mut(ball).insert(Smooth::default());
    }
    if turned {
        app.world_mut().entity_mut(ball).insert(Turned);
    }
    app
}

fn roll(mut commands: Commands, mut balls: Query<(Entity, &mut Transform)>, mut tick: Local<u32>) {
    *tick += 1;
    for (ball, mut transform) in &mut balls {
        transform.translation.x += 3.0;
        if *tick == 3 {
            transform.translation.x = 500.0;
            commands.entity(ball).insert(Cut);
        }
    }
}

fn turn(mut balls: Query<&mut Transform, With<Turned>>) {
    for mut transform in &mut balls {
        transform.rotate_y(0.1);
    }
}
