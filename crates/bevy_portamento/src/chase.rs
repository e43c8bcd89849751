//! How does a camera follow an entity without shaking?

use crate::moment::FrameMoment;
use crate::views::Views;
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use portamento::camera::{ChaseCamera, ChaseSettings};

/// Follows an entity with the library's chase camera.
///
/// Put it on the camera's entity. The camera is placed in `PostUpdate`, from where the target will be drawn in this
/// frame and by presented time, so the target does not shake on the screen. No other system may write the camera's
/// `Transform`. It needs no [`Smooth`](crate::Smooth), and must not have a parent: it is placed in the world.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_portamento::prelude::*;
/// use bevy_transform::prelude::*;
///
/// fn setup(mut commands: Commands) {
///     let player = commands.spawn((Transform::default(), Smooth::default())).id();
///     commands.spawn(ChaseTarget(player)); // beside Camera3d
/// }
/// # let mut world = World::new();
/// # world.run_system_cached(setup).unwrap();
/// ```
///
/// For other settings add a [`ChaseRig`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[require(Transform, ChaseRig)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), reflect(Component, Clone))]
pub struct ChaseTarget(
    /// The entity to follow.
    pub Entity,
);

/// The camera behind a [`ChaseTarget`].
#[derive(Component, Clone, Debug)]
pub struct ChaseRig(
    /// The library's camera; its methods set the distance, the view angles and what it avoids.
    pub ChaseCamera,
);

impl Default for ChaseRig {
    /// Bevy's axes: y is up.
    fn default() -> Self {
        Self(ChaseCamera::new(ChaseSettings::y_up()).expect("the preset is valid"))
    }
}

/// Without its target a camera stays where it is.
pub(crate) fn place(
    views: Views<Without<ChaseTarget>>,
    moment: Res<FrameMoment>,
    mut cameras: Query<(&mut Transform, &mut ChaseRig, &ChaseTarget)>,
) {
    for (mut transform, mut rig, target) in &mut cameras {
        let Ok(subject) = views.subject(target.0) else { continue };
        let (translation, rotation) = rig.0.update(**moment, subject).pose().into();
        let scale = transform.scale;
        transform.set_if_neq(Transform { translation, rotation, scale });
    }
}
