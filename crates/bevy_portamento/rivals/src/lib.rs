//! Apps that differ in nothing but who smooths.

use bevy_app::{TaskPoolPlugin, prelude::*};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_portamento::{PortamentoPlugin, PortamentoSettings, Smooth};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::prelude::*;
use bevy_transform_interpolation::prelude::{TransformInterpolation, TransformInterpolationPlugin};
use std::time::Duration;

/// The library that smooths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// No one: what Bevy itself takes.
    Nobody,
    /// bevy_transform_interpolation.
    Rival,
    /// bevy_portamento.
    Us,
    /// The same, with the truth of descendants in ticks switched off.
    UsWithoutDescendants,
}

/// An app without a window, that ticks at `hz` and takes `frame` for every update.
#[must_use]
pub fn app(by: By, hz: f64, frame: Duration) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin))
        .insert_resource(Time::<Fixed>::from_hz(hz))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    match by {
        By::Nobody => {}
        By::Rival => {
            app.add_plugins(TransformInterpolationPlugin::default());
        }
        By::Us => {
            app.add_plugins(PortamentoPlugin);
        }
        By::UsWithoutDescendants => {
            app.add_plugins(PortamentoPlugin)
                .insert_resource(PortamentoSettings { truth_for_descendants: false });
        }
    }
    app.finish();
    app.cleanup();
    app
}

/// One more entity, smoothed by whoever smooths here.
pub fn spawn(app: &mut App, by: By, bundle: impl Bundle) -> Entity {
    let mut entity = app.world_mut().spawn(bundle);
    match by {
        By::Nobody => &mut entity,
        By::Rival => entity.insert(TransformInterpolation),
        By::Us | By::UsWithoutDescendants => entity.insert(Smooth::default()),
    };
    entity.id()
}

/// Moves and turns in every tick, unless it is zero.
#[derive(Component)]
pub struct Moves(pub Vec3);

/// What [`Moves`] does.
pub fn simulate(mut things: Query<(&mut Transform, &Moves)>) {
    for (mut transform, moves) in things.iter_mut().filter(|(_, moves)| moves.0 != Vec3::ZERO) {
        transform.translation += moves.0;
        transform.rotate_local_y(0.1);
    }
}
