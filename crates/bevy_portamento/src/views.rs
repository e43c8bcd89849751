//! Where will it be drawn in this frame?

use crate::between::Ends;
use crate::between::Share;
use crate::curve::Bend;
use crate::draw::view;
use crate::moment::FrameMoment;
use crate::parents::Moves;
use crate::played::Played;
use bevy_ecs::prelude::*;
use bevy_ecs::query::{QueryEntityError, QueryFilter};
use bevy_ecs::system::SystemParam;
use bevy_transform::components::{GlobalTransform, Transform};
use portamento::blend::{Pose64, Rotation};
use portamento::{Drawn, Moment};

/// Where entities will be drawn in this frame, for cameras and whatever else must be placed beside the picture.
///
/// For systems between the fixed loop and transform propagation, such as those in `Update`, where `GlobalTransform`
/// still is the picture of the frame before. Not for the fixed schedules: the simulation must not depend on what is
/// drawn.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_math::Vec3;
/// use bevy_portamento::Views;
/// use bevy_transform::prelude::*;
///
/// #[derive(Component)]
/// struct Camera {
///     target: Entity,
/// }
///
/// // It reads transforms, the cameras are written: the filter tells Bevy that they are not the same.
/// fn look_from_above(views: Views<Without<Camera>>, mut cameras: Query<(&mut Transform, &Camera)>) -> Result {
///     for (mut transform, camera) in &mut cameras {
///         transform.translation = views.global(camera.target)?.translation() + Vec3::new(0.0, 30.0, 0.0);
///     }
///     Ok(())
/// }
/// # let mut world = World::new();
/// # world.init_resource::<bevy_portamento::FrameMoment>();
/// # let target = world.spawn(Transform::from_xyz(1.0, 2.0, 3.0)).id();
/// # let camera = world.spawn((Transform::default(), Camera { target })).id();
/// # world.run_system_cached::<(), _, _>(look_from_above).unwrap();
/// # assert_eq!(world.get::<Transform>(camera).unwrap().translation.y, 32.0);
/// ```
#[derive(SystemParam)]
pub struct Views<'w, 's, F: QueryFilter + 'static = ()> {
    #[system_param(validation_message = "Views needs PortamentoPlugin: add it to the app")]
    moment: Res<'w, FrameMoment>,
    moves: Option<Res<'w, Moves>>,
    nodes: Query<'w, 's, Node, F>,
}

type Node = (
    &'static Transform,
    Option<&'static ChildOf>,
    Option<(&'static Played, &'static Ends, Option<&'static Bend>)>,
);

impl<F: QueryFilter> Views<'_, '_, F> {
    /// Returns the moment that is drawn.
    #[must_use]
    pub fn moment(&self) -> Moment {
        **self.moment
    }

    fn node(
        &self,
        entity: Entity,
        share: &Share,
    ) -> Result<(Transform, Option<Entity>, bool), QueryEntityError> {
        let (transform, parent, played) = self.nodes.get(entity)?;
        let parent = parent.map(ChildOf::parent);
        let Some((played, ends, bend)) = played else { return Ok((*transform, parent, false)) };
        let moves = self.moves.as_ref().filter(|_| played.is_known() && !played.was_cut());
        let local = match moves.and_then(|moves| moves.ends_of(entity, transform)) {
            Some(ends) => view(share, &ends, None, transform),
            None if played.is_moving() => view(share, ends, bend, transform),
            None => *transform,
        };
        Ok((local, parent, played.was_cut()))
    }

    /// Returns the view of an entity in its parent's space: what its `Transform` would be if the picture were the
    /// truth.
    ///
    /// # Errors
    ///
    /// There is no such entity, or it has no `Transform`.
    pub fn local(&self, entity: Entity) -> Result<Transform, QueryEntityError> {
        Ok(self.node(entity, &Share::of(self.moment()))?.0)
    }

    /// Returns the view of an entity in the world: what its `GlobalTransform` will be when it is drawn.
    ///
    /// # Errors
    ///
    /// There is no such entity, or it or one of its ancestors has no `Transform`.
    pub fn global(&self, entity: Entity) -> Result<GlobalTransform, QueryEntityError> {
        Ok(self.placed(entity)?.0)
    }

    /// Returns an entity as the library's cameras follow it: its view in the world, and whether it or one of its
    /// ancestors jumped since the frame before. `before` is the same view: cameras do not read it.
    ///
    /// # Errors
    ///
    /// There is no such entity, or it or one of its ancestors has no `Transform`.
    pub fn subject(&self, entity: Entity) -> Result<Drawn<Pose64>, QueryEntityError> {
        let (global, cut) = self.placed(entity)?;
        let (_, rotation, translation) = global.to_scale_rotation_translation();
        let pose = Pose64::new(translation.as_dvec3().to_array(), Rotation::from(rotation));
        Ok(Drawn { now: pose, before: pose, cut })
    }

    fn placed(&self, entity: Entity) -> Result<(GlobalTransform, bool), QueryEntityError> {
        let share = Share::of(self.moment());
        let (local, mut above, mut cut) = self.node(entity, &share)?;
        let mut global = GlobalTransform::from(local);
        while let Some(parent) = above {
            let (local, next, was_cut) = self.node(parent, &share)?;
            global = GlobalTransform::from(local) * global;
            cut |= was_cut;
            above = next;
        }
        Ok((global, cut))
    }
}
