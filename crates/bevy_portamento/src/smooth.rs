//! Which entities are drawn smoothly, and how do you say that one jumped?

use crate::between::Ends;
use crate::played::{Played, Shown};
use crate::report;
use crate::truth::{self, Picture};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
#[cfg(feature = "bevy_reflect")]
use bevy_reflect::std_traits::ReflectDefault;
use bevy_time::{Fixed, Time};
use bevy_transform::components::{GlobalTransform, Transform};

/// Draws what the fixed schedules do to this entity's [`Transform`] smoothly.
///
/// `Transform` stays the truth everywhere. [`GlobalTransform`] is the picture
/// outside of ticks, for this entity and its descendants, and the truth in ticks.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_portamento::prelude::*;
/// use bevy_transform::prelude::*;
///
/// fn setup(mut commands: Commands) {
///     commands.spawn((Transform::from_xyz(0.0, 1.0, 0.0), Smooth::default()));
///     // A sprite that turns in steps, and glides:
///     commands.spawn((Transform::default(), Smooth { rotation: false, ..Smooth::default() }));
/// }
/// # let mut world = World::new();
/// # world.run_system_cached(setup).unwrap();
/// ```
///
/// Adding it to an entity, by a spawn or later, is never seen: the first tick after that is the first that is
/// interpolated. Removing it ends the smoothing at once. Writing its fields, in any schedule, takes effect with the next
/// tick.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[require(Transform, Ends, Shown, Played)]
#[component(on_add = ask_for_the_plugin, on_remove = stop)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default, Clone, PartialEq)
)]
pub struct Smooth {
    /// Whether translation is interpolated; otherwise it is drawn as ticks leave it.
    pub translation: bool,
    /// Whether rotation is interpolated.
    pub rotation: bool,
    /// Whether scale is interpolated.
    pub scale: bool,
}

impl Default for Smooth {
    /// Translation, rotation and scale.
    fn default() -> Self {
        Self { translation: true, rotation: true, scale: true }
    }
}

/// A world with time and without the plugin is one where it was forgotten; scenes have worlds without either.
fn ask_for_the_plugin(mut world: DeferredWorld, _: HookContext) {
    #[derive(Resource)]
    struct IsReported;

    if !world.contains_resource::<Picture>() && world.contains_resource::<Time<Fixed>>() {
        world.commands().queue(|world: &mut World| {
            if !world.contains_resource::<IsReported>() {
                world.insert_resource(IsReported);
                report::no_plugin("Smooth");
            }
        });
    }
}

/// Nothing draws it any more: it and its descendants stand where the truth is, and renderers are informed.
fn stop(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if world.get::<Played>(entity).is_some_and(Played::is_displaced) {
        truth::leave_the_picture(&mut world, entity);
        // Something above it may still be moving.
        if let Some(&truth) = world.get::<GlobalTransform>(entity) {
            truth::disturb(&mut world, entity, truth);
        }
    }
    world.commands().queue(move |world: &mut World| {
        if let Ok(mut entity) = world.get_entity_mut(entity)
            && !entity.contains::<Smooth>()
        {
            entity.remove::<(Ends, Shown, Played)>();
        }
    });
}

/// An intended jump: a teleport, a respawn. No frame shows a place between.
///
/// Insert it together with the new place, in a tick or outside. It is gone again at once.
/// [`commands.entity(e).cut()`](CutCommand::cut) does the same.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_math::Vec3;
/// use bevy_portamento::prelude::*;
/// use bevy_transform::prelude::*;
///
/// fn respawn(mut commands: Commands, fallen: Query<(Entity, &Transform), With<Smooth>>) {
///     for (entity, transform) in &fallen {
///         if transform.translation.y < -100.0 {
///             commands.entity(entity).insert((Transform::from_xyz(0.0, 5.0, 0.0), Cut));
///         }
///     }
/// }
/// # let mut world = World::new();
/// # let fallen = world.spawn((Transform::from_xyz(0.0, -101.0, 0.0), Smooth::default())).id();
/// # world.run_system_cached(respawn).unwrap();
/// # assert_eq!(world.get::<Transform>(fallen).unwrap().translation.y, 5.0);
/// # assert!(world.get::<Cut>(fallen).is_none());
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[component(on_insert = cut_once)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), reflect(Component, Default, Clone))]
pub struct Cut;

fn cut_once(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut played) = world.get_mut::<Played>(entity) {
        played.cut();
    }
    world.commands().queue(move |world: &mut World| {
        if let Ok(mut entity) = world.get_entity_mut(entity) {
            entity.remove::<Cut>();
        }
    });
}

/// [`Cut`] as a command.
pub trait CutCommand {
    /// An intended jump of this entity. Nothing happens to one without [`Smooth`].
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_portamento::prelude::*;
    /// use bevy_transform::prelude::*;
    ///
    /// fn beam_up(mut commands: Commands, mut crew: Query<(Entity, &mut Transform), With<Smooth>>) {
    ///     for (entity, mut transform) in &mut crew {
    ///         transform.translation.y = 400.0;
    ///         commands.entity(entity).cut();
    ///     }
    /// }
    /// # let mut world = World::new();
    /// # world.spawn(Smooth::default());
    /// # world.run_system_cached(beam_up).unwrap();
    /// ```
    fn cut(&mut self) -> &mut Self;
}

impl CutCommand for EntityCommands<'_> {
    fn cut(&mut self) -> &mut Self {
        self.queue_silenced(|mut entity: EntityWorldMut| {
            entity.cut();
        })
    }
}

impl CutCommand for EntityWorldMut<'_> {
    fn cut(&mut self) -> &mut Self {
        if let Some(mut played) = self.get_mut::<Played>() {
            played.cut();
        }
        self
    }
}
