//! Who is drawn smoothly?

use crate::between::Ends;
use crate::view::Shown;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
#[cfg(feature = "bevy_reflect")]
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::{GlobalTransform, Transform};
use core::mem;

/// Draws what the fixed schedules do to this entity's [`Transform`] smoothly.
///
/// `Transform` stays as it is, everywhere: it is the truth. [`GlobalTransform`] becomes the view, for this entity and for
/// what hangs on it, from transform propagation to the next frame's fixed loop.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_portamento::Smooth;
/// use bevy_transform::prelude::*;
///
/// fn setup(mut commands: Commands) {
///     commands.spawn((Transform::from_xyz(0.0, 1.0, 0.0), Smooth::default()));
///     // A sprite that turns in steps, and glides:
///     commands.spawn((Transform::default(), Smooth::default().without_rotation()));
/// }
/// # let mut world = World::new();
/// # world.run_system_cached(setup).unwrap();
/// ```
///
/// Putting it on an entity, by a spawn or later, is never seen: the first tick after it is the first that is eased.
/// Removing it ends the smoothing at once.
#[derive(Component, Debug)]
#[require(Transform, Ends, Shown)]
#[component(on_discard = show_the_truth, on_remove = clean_up)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), reflect(Component, Default, Clone))]
pub struct Smooth {
    parts: u8,
    #[cfg_attr(feature = "bevy_reflect", reflect(ignore))]
    state: u8,
}

const TRANSLATION: u8 = 1;
const ROTATION: u8 = 2;
const SCALE: u8 = 4;

/// The last tick changed it: there is something between.
const MOVING: u8 = 1;
/// `GlobalTransform` is the view now; `Shown` keeps the truth.
const SHOWN: u8 = 2;
/// `Shown` keeps the view of the frame before, which is what the screen shows.
const STALE: u8 = 4;
/// It was cut since the frame before.
const CUT: u8 = 8;
/// It was cut since the tick began.
const CUT_IN_TICK: u8 = 16;
/// A tick has begun with it.
const KNOWN: u8 = 32;
/// What lies between is nothing special.
const PLAIN: u8 = 64;

impl Default for Smooth {
    /// Translation, rotation and scale.
    fn default() -> Self {
        Self { parts: TRANSLATION | ROTATION | SCALE, state: CUT }
    }
}

impl Clone for Smooth {
    /// The same choice, for another entity: what has been drawn of this one stays behind.
    fn clone(&self) -> Self {
        Self { parts: self.parts, ..Self::default() }
    }
}

impl PartialEq for Smooth {
    /// Whether the same parts are smoothed.
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl Smooth {
    /// The same, with translation drawn as ticks leave it.
    #[must_use]
    pub fn without_translation(mut self) -> Self {
        self.parts &= !TRANSLATION;
        self
    }

    /// The same, with rotation drawn as ticks leave it.
    #[must_use]
    pub fn without_rotation(mut self) -> Self {
        self.parts &= !ROTATION;
        self
    }

    /// The same, with scale drawn as ticks leave it.
    #[must_use]
    pub fn without_scale(mut self) -> Self {
        self.parts &= !SCALE;
        self
    }

    /// An intended jump: a teleport, a respawn. No frame shows a place between.
    ///
    /// Call it in the tick that writes the new place, before or after writing, or from `Update`; where there is no
    /// `&mut Smooth` at hand, [`commands.entity(e).cut()`](CutCommand::cut) does the same.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_portamento::Smooth;
    /// use bevy_transform::prelude::*;
    ///
    /// fn respawn(mut fallen: Query<(&mut Transform, &mut Smooth)>) {
    ///     for (mut transform, mut smooth) in &mut fallen {
    ///         if transform.translation.y < -100.0 {
    ///             transform.translation = [0.0, 5.0, 0.0].into();
    ///             smooth.cut();
    ///         }
    ///     }
    /// }
    /// # let mut world = World::new();
    /// # let fallen = world.spawn((Transform::from_xyz(0.0, -101.0, 0.0), Smooth::default())).id();
    /// # world.run_system_cached(respawn).unwrap();
    /// # assert_eq!(world.get::<Transform>(fallen).unwrap().translation.y, 5.0);
    /// ```
    pub fn cut(&mut self) {
        self.state = (self.state & !MOVING) | CUT | CUT_IN_TICK;
    }

    /// Whether the last tick left something to be played.
    #[inline]
    pub(crate) fn is_moving(&self) -> bool {
        self.state & MOVING != 0
    }

    /// Whether what is between its ends is nothing special.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.state & PLAIN != 0
    }

    /// Whether `GlobalTransform` is the view now.
    #[inline]
    pub(crate) fn is_shown(&self) -> bool {
        self.state & SHOWN != 0
    }

    /// Whether the screen shows the view that `Shown` keeps.
    #[inline]
    pub(crate) fn is_stale(&self) -> bool {
        self.state & STALE != 0
    }

    /// Whether a cut lies between this frame and the one before.
    pub(crate) fn was_cut(&self) -> bool {
        self.state & CUT != 0
    }

    /// Whether a frame has anything to do with it.
    #[inline]
    pub(crate) fn concerns_a_frame(&self) -> bool {
        self.state & (MOVING | STALE | CUT) != 0
    }

    /// A tick begins where the entity is.
    pub(crate) fn begin_tick(&mut self) {
        self.state = (self.state & !(MOVING | CUT_IN_TICK)) | KNOWN;
    }

    /// A tick ends. What is not to be smoothed, or has no place that it came from, leaves nothing to be played.
    pub(crate) fn end_tick(&mut self, ends: &mut Ends) {
        let Ends { from, to } = ends;
        if self.state & KNOWN == 0 || self.state & CUT_IN_TICK != 0 {
            *from = *to;
        }
        if self.parts & TRANSLATION == 0 {
            from.translation = to.translation;
        }
        if self.parts & ROTATION == 0 {
            from.rotation = to.rotation;
        }
        if self.parts & SCALE == 0 {
            from.scale = to.scale;
        }
        let moving = if from == to { 0 } else { MOVING };
        let plain = if ends.are_plain() { PLAIN } else { 0 };
        self.state = (self.state & !(MOVING | PLAIN)) | KNOWN | moving | plain;
    }

    /// The view was put into `GlobalTransform`.
    #[inline]
    pub(crate) fn show(&mut self) {
        self.state = (self.state & !(STALE | CUT)) | SHOWN;
    }

    /// The truth was put back, and the view kept.
    #[inline]
    pub(crate) fn restore(&mut self) {
        self.state = (self.state & !SHOWN) | STALE;
    }

    /// A frame draws the truth itself.
    #[inline]
    pub(crate) fn settle(&mut self) {
        self.state &= !(STALE | CUT);
    }
}

/// Without the component nothing would put the truth back, and nobody tell the renderer.
fn show_the_truth(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(smooth) = world.get::<Smooth>(entity) else { return };
    let (shown, stale) = (smooth.is_shown(), smooth.is_stale());
    let truth = world.get::<Shown>(entity).map(|kept| kept.0);
    if let Some(mut global) = world.get_mut::<GlobalTransform>(entity) {
        match truth {
            Some(truth) if shown => *global = truth,
            _ if stale => global.set_changed(),
            _ => {}
        }
    }
}

/// What was brought along goes along; unless the component is there again, because it was only replaced.
fn clean_up(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    world.commands().queue(move |world: &mut World| {
        if let Ok(mut entity) = world.get_entity_mut(entity)
            && !entity.contains::<Smooth>()
        {
            entity.remove::<(Ends, Shown)>();
        }
    });
}

/// Nobody restores what is hidden: it goes with the truth.
pub(crate) fn hide(hidden: On<Add>, mut world: DeferredWorld) {
    let Ok(mut entity) = world.get_entity_mut(hidden.entity) else { return };
    if let Ok((mut smooth, mut shown, mut global)) =
        entity.get_components_mut::<(&mut Smooth, &mut Shown, &mut GlobalTransform)>()
        && smooth.is_shown()
    {
        mem::swap(&mut shown.0, global.bypass_change_detection());
        smooth.restore();
    }
}

/// Ticks went by unseen: whoever comes back has jumped.
pub(crate) fn cut_what_comes_back(back: On<Remove>, mut world: DeferredWorld) {
    if let Some(mut smooth) = world.get_mut::<Smooth>(back.entity) {
        smooth.cut();
    }
}

/// [`Smooth::cut`] where only commands are at hand.
pub trait CutCommand {
    /// An intended jump of this entity. Nothing happens to one without [`Smooth`].
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_portamento::{CutCommand, Smooth};
    /// use bevy_transform::prelude::*;
    ///
    /// fn beam_up(mut commands: Commands, crew: Query<Entity, With<Smooth>>) {
    ///     for entity in &crew {
    ///         commands.entity(entity).insert(Transform::from_xyz(0.0, 400.0, 0.0)).cut();
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
            if let Some(mut smooth) = entity.get_mut::<Smooth>() {
                smooth.cut();
            }
        })
    }
}
