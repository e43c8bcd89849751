//! How are all rigid bodies of avian drawn smoothly?

use crate::played::Played;
use crate::smooth::Smooth;
use avian3d::math::AsF32;
use avian3d::prelude::{LinearVelocity, PhysicsLengthUnit, PhysicsSystems, Position, RigidBody};
use avian3d::schedule::LastPhysicsTick;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemChangeTick;
use bevy_time::Time;
use bevy_transform::components::GlobalTransform;

extern crate alloc;
use alloc::vec::Vec;

/// Gives [`Smooth`] to all rigid bodies of avian 0.7 that are not static, present and future ones, and draws jumps of
/// [`Position`] as cuts.
///
/// ```no_run
/// use avian3d::prelude::*;
/// use bevy_app::prelude::*;
/// use bevy_portamento::prelude::*;
///
/// App::new()
///     // .add_plugins(DefaultPlugins)
///     .add_plugins((PhysicsPlugins::default(), PortamentoPlugin, PortamentoAvianPlugin))
///     .run();
/// ```
///
/// Do not add avian's own interpolation to the same bodies. A `Smooth` that you add yourself is kept; to leave a body
/// out, remove `Smooth` from it.
///
/// # Jumps
///
/// You teleport a body by writing its `Position` in any schedule. That is drawn as a cut if you also [cut](crate::Cut)
/// the body, or if the new place is far enough: farther than [`AVIAN_JUMP`] times avian's length unit plus twice the way of
/// its velocity in one tick. Anything nearer is motion, as of a platform that is moved by its `Position`, and drawn
/// smoothly.
#[derive(Clone, Copy, Debug, Default)]
pub struct PortamentoAvianPlugin;

/// The way in one tick, in avian's length units, from which on a written [`Position`] is a jump: 60 m/s at 60 Hz.
pub const AVIAN_JUMP: f32 = 1.0;

impl Plugin for PortamentoAvianPlugin {
    fn build(&self, app: &mut App) {
        app.add_observer(smooth_new_body)
            .add_systems(FixedPostUpdate, cut_jumps.in_set(PhysicsSystems::First));
        let world = app.world_mut();
        let mut bodies = world.query_filtered::<(Entity, &RigidBody), Without<Smooth>>();
        let there: Vec<_> =
            bodies.iter(world).filter(|(_, body)| !body.is_static()).map(|(e, _)| e).collect();
        for body in there {
            world.entity_mut(body).insert(Smooth::default());
        }
    }
}

fn smooth_new_body(
    body: On<Insert, RigidBody>,
    bodies: Query<(&RigidBody, Has<Smooth>)>,
    mut commands: Commands,
) {
    if let Ok((rigid_body, false)) = bodies.get(body.entity)
        && !rigid_body.is_static()
        && let Ok(mut entity) = commands.get_entity(body.entity)
    {
        entity.try_insert(Smooth::default());
    }
}

fn cut_jumps(
    ticks: SystemChangeTick,
    last_physics: Res<LastPhysicsTick>,
    unit: Res<PhysicsLengthUnit>,
    time: Res<Time>,
    mut bodies: Query<(Ref<Position>, &GlobalTransform, Option<&LinearVelocity>, &mut Played)>,
) {
    for (position, global, velocity, mut played) in &mut bodies {
        if !position.last_changed().is_newer_than(last_physics.0, ticks.this_run()) {
            continue;
        }
        let way = position.f32().distance(global.translation());
        let pace = velocity.map_or(0.0, |velocity| velocity.f32().length() * time.delta_secs());
        #[allow(clippy::unnecessary_cast)] // f64 where avian's is
        let limit = AVIAN_JUMP * unit.0 as f32 + 2.0 * pace;
        if way > limit || played.was_cut_before_tick() {
            played.cut();
        }
    }
}
