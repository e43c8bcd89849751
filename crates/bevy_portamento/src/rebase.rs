//! What if the world's origin moves?

use crate::between::Ends;
use crate::curve::Bend;
use crate::parents::Moves;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;

/// A command that moves the world by an offset, and everything remembered with it, so that nothing moves on the screen.
///
/// For worlds too large for f32, which keep the player near the origin. It moves the [`Transform`] of every entity without
/// a parent, whatever it is, and may be queued in any schedule. What has coordinates of its own (a physics engine, a
/// camera with a memory) has to be moved beside it.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_portamento::Rebase;
/// use bevy_transform::prelude::*;
///
/// #[derive(Component)]
/// struct Ship;
///
/// fn stay_near_the_origin(mut commands: Commands, ship: Single<&Transform, With<Ship>>) {
///     if ship.translation.length() > 10_000.0 {
///         commands.queue(Rebase(-ship.translation));
///     }
/// }
/// # let mut world = World::new();
/// # let ship = world.spawn((Ship, Transform::from_xyz(0.0, 0.0, 12_000.0))).id();
/// # let moon = world.spawn(Transform::from_xyz(0.0, 0.0, 13_000.0)).id();
/// # world.run_system_cached(stay_near_the_origin).unwrap();
/// # assert_eq!(world.get::<Transform>(ship).unwrap().translation.z, 0.0);
/// # assert_eq!(world.get::<Transform>(moon).unwrap().translation.z, 1_000.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rebase(
    /// The offset that is added to every place.
    pub Vec3,
);

impl Command for Rebase {
    type Out = ();

    fn apply(self, world: &mut World) {
        if world.contains_resource::<Moves>() {
            world.resource_scope(|world, mut moves: Mut<Moves>| {
                moves.rebase(self.0, |entity| world.get::<ChildOf>(entity).is_none());
            });
        }
        let mut roots = world.query_filtered::<
            (&mut Transform, Option<&mut Ends>, Option<&mut Bend>),
            (Without<ChildOf>, Allow<Disabled>),
        >();
        for (mut transform, ends, bend) in roots.iter_mut(world) {
            transform.translation += self.0;
            if let Some(mut ends) = ends {
                ends.from.translation += self.0;
                ends.to.translation += self.0;
            }
            if let Some(mut bend) = bend {
                bend.rebase(self.0);
            }
        }
    }
}
