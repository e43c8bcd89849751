//! What if a straight line is not good enough?

use crate::between::{Ends, Share, scaled, transform};
use crate::smooth::Smooth;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec3;
#[cfg(feature = "bevy_reflect")]
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use portamento::blend::{Hermite, Pose, Scaled, Velocity};

/// Velocities for [`Smooth`]: with them, ticks are joined by cubics instead of straight lines, so that what bounces,
/// orbits or brakes has no corners, and a wheel may turn by more than half a turn in a tick.
///
/// Update it in the fixed schedules: it is the entity's velocity at the end of each tick, in the space of its
/// [`Transform`]. Which physics you use does not matter: one system copies its numbers.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_math::Vec3;
/// use bevy_portamento::{Smooth, SmoothVelocity};
/// use bevy_transform::prelude::*;
///
/// #[derive(Component)]
/// struct Body { linear: Vec3, angular: Vec3 } // of your physics
///
/// fn copy(mut bodies: Query<(&Body, &mut SmoothVelocity)>) { // in FixedPostUpdate
///     for (body, mut velocity) in &mut bodies {
///         *velocity = SmoothVelocity { linear: body.linear, angular: body.angular };
///     }
/// }
/// # let mut world = World::new();
/// # world.spawn((Body { linear: Vec3::X, angular: Vec3::ZERO }, SmoothVelocity::default()));
/// # world.run_system_cached(copy).unwrap();
/// # assert_eq!(world.query::<&SmoothVelocity>().single(&world).unwrap().linear, Vec3::X);
/// ```
///
/// What a tick does not move rests, whatever its velocity: a body that runs against a wall does not swing. Scale has no
/// velocity and goes straight.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[require(Smooth, Bend)]
#[component(on_remove = straighten)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), reflect(Component, Default, Clone))]
pub struct SmoothVelocity {
    /// Units per second.
    pub linear: Vec3,
    /// Axis times radians per second.
    pub angular: Vec3,
}

impl SmoothVelocity {
    fn of_pose(&self) -> Velocity {
        Velocity { linear: self.linear.to_array(), angular: self.angular.to_array() }
    }
}

/// Without velocities the next tick is a straight line, and so is what is left of this one.
fn straighten(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    world.commands().queue(move |world: &mut World| {
        if let Ok(mut entity) = world.get_entity_mut(entity)
            && !entity.contains::<SmoothVelocity>()
        {
            entity.remove::<Bend>();
        }
    });
}

/// How the last tick is bent.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct Bend {
    /// Not known of a tick that began without velocities, which goes straight.
    leaving: Option<Velocity>,
    curve: Option<<Scaled<Pose> as Hermite>::Curve>,
    /// By how much the world was moved since the curve was made.
    moved: Vec3,
}

impl Bend {
    pub(crate) fn leave(&mut self, velocity: &SmoothVelocity) {
        *self = Self { leaving: Some(velocity.of_pose()), ..Self::default() };
    }

    /// The origin moves in the middle of a tick.
    pub(crate) fn rebase(&mut self, offset: Vec3) {
        self.moved += offset;
    }

    pub(crate) fn arrive(&mut self, velocity: &SmoothVelocity, ends: &Ends, seconds: f64) {
        let Some(mut leaving) = self.leaving else { return };
        let mut arriving = velocity.of_pose();
        for velocity in [&mut leaving, &mut arriving] {
            if ends.from.translation == ends.to.translation {
                velocity.linear = [0.0; 3];
            }
            if ends.from.rotation == ends.to.rotation {
                velocity.angular = [0.0; 3];
            }
        }
        let (from, to) = (scaled(&ends.from), scaled(&ends.to));
        self.curve = Some(Scaled::curve(&from, &leaving, &to, &arriving, seconds));
        self.moved = Vec3::ZERO;
    }

    /// Where the curve is, if there is one.
    pub(crate) fn between(&self, share: &Share) -> Option<Transform> {
        let place = transform(&Scaled::on(self.curve.as_ref()?, share.alpha()));
        Some(Transform { translation: place.translation + self.moved, ..place })
    }
}
