//! When does what run?

use crate::moment::{self, FrameMoment};
use crate::parents::{self, Moves};
use crate::truth::{self, Picture};
use crate::{ChaseTarget, SmoothVelocity};
use crate::{chase, draw, report, tick};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleCleanupPolicy;
#[cfg(feature = "bevy_reflect")]
use bevy_reflect::std_traits::ReflectDefault;
use bevy_time::{Fixed, Time};
use bevy_transform::systems::{mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms};
use bevy_transform::{TransformPlugin, TransformSystems};

/// Draws every entity with [`Smooth`](crate::Smooth) between its ticks.
///
/// It needs Bevy's time and transform plugins, which `DefaultPlugins` have. It runs Bevy's transform propagation itself, in
/// the same place ([`TransformSystems::Propagate`] in `PostUpdate`).
#[derive(Clone, Copy, Debug, Default)]
pub struct PortamentoPlugin;

/// Settings of the plugin. Insert it as a resource, at any time.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), reflect(Resource, Default))]
pub struct PortamentoSettings {
    /// Whether descendants of smooth entities have the truth in `GlobalTransform` during ticks. Default: true.
    ///
    /// That costs one more propagation of the moving trees in every frame that ticks. Switch it off if nothing in your
    /// fixed schedules reads the `GlobalTransform` of a child: a muzzle, a hand, a child collider. Children then have the
    /// picture, also where they get another parent in place in a tick or lose [`Smooth`](crate::Smooth) there; entities
    /// without a parent have the truth in any case.
    pub truth_for_descendants: bool,
}

impl Default for PortamentoSettings {
    fn default() -> Self {
        Self { truth_for_descendants: true }
    }
}

/// The plugin's system sets, to order your own systems by.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PortamentoSystems {
    /// `GlobalTransform` becomes the truth: at the very beginning of `RunFixedMainLoop` in frames that tick, and of a tick
    /// that is run at another time.
    Truth,
    /// A tick begins: in `FixedFirst`.
    Begin,
    /// A tick ends: in `FixedLast`. What is written later is not interpolated, but drawn at once.
    End,
    /// `GlobalTransform` becomes the picture again: in `RunFixedMainLoop`, right after the ticks.
    Picture,
    /// [`FrameMoment`] is renewed: in `RunFixedMainLoop`, right after the ticks.
    Moment,
    /// [`ChaseTarget`] cameras are placed: in `PostUpdate`, before propagation.
    Cameras,
    /// Transforms are propagated and the next picture is drawn: in `PostUpdate`, in `TransformSystems::Propagate`.
    Draw,
}

impl Plugin for PortamentoPlugin {
    fn build(&self, app: &mut App) {
        use PortamentoSystems::{Begin, Cameras, Draw, End, Moment, Truth};
        #[cfg(feature = "bevy_reflect")]
        app.register_type::<crate::Smooth>()
            .register_type::<crate::SmoothVelocity>()
            .register_type::<crate::Cut>()
            .register_type::<crate::ChaseTarget>()
            .register_type::<PortamentoSettings>();
        // Conditions are asked where the schedule runs. A system is handed to another thread first, which takes longer than
        // most of these.
        app.init_resource::<FrameMoment>()
            .init_resource::<Moves>()
            .init_resource::<PortamentoSettings>()
            .init_resource::<Picture>()
            .configure_sets(
                RunFixedMainLoop,
                (
                    Truth.before(RunFixedMainLoopSystems::BeforeFixedMainLoop),
                    (PortamentoSystems::Picture, Moment)
                        .chain()
                        .after(RunFixedMainLoopSystems::FixedMainLoop)
                        .before(RunFixedMainLoopSystems::AfterFixedMainLoop),
                ),
            )
            .configure_sets(FixedFirst, (Truth, Begin).chain())
            .configure_sets(
                PostUpdate,
                (
                    Draw.in_set(TransformSystems::Propagate).after(sync_simple_transforms),
                    Cameras.before(TransformSystems::Propagate),
                ),
            )
            .add_systems(
                RunFixedMainLoop,
                (
                    truth::show_truth.run_if(truth::ticks_are_due).in_set(Truth),
                    truth::show_picture.run_if(truth::is_up).in_set(PortamentoSystems::Picture),
                    moment::renew.in_set(Moment),
                ),
            )
            .add_systems(
                FixedFirst,
                (
                    truth::show_truth.run_if(not(truth::is_up)).in_set(Truth),
                    (tick::begin, tick::begin_curves.run_if(any_with_component::<SmoothVelocity>))
                        .in_set(Begin),
                ),
            )
            .add_systems(
                FixedLast,
                (
                    parents::convert.run_if(parents::are_due),
                    tick::end,
                    tick::end_curves.run_if(any_with_component::<SmoothVelocity>),
                )
                    .chain()
                    .in_set(End),
            )
            .add_systems(First, truth::watch_disabling.run_if(truth::is_disabling_new))
            .add_systems(
                PostUpdate,
                (
                    chase::place.run_if(any_with_component::<ChaseTarget>).in_set(Cameras),
                    draw::draw.in_set(Draw).ambiguous_with_all(),
                ),
            )
            .add_observer(parents::leave)
            .add_observer(parents::arrive);
        #[cfg(feature = "bevy_reflect")]
        app.add_systems(First, report::second_plugin.run_if(report::are_kinds_new));
        let steps = draw::Steps::new(app.world_mut());
        app.insert_resource(steps);
        truth::watch_disabling(app.world_mut());
        if app.is_plugin_added::<TransformPlugin>() {
            take_over(app);
        }
    }

    fn finish(&self, app: &mut App) {
        assert!(
            app.world().contains_resource::<Time<Fixed>>(),
            "PortamentoPlugin needs Bevy's TimePlugin: add DefaultPlugins, or MinimalPlugins and TransformPlugin"
        );
        if app.is_plugin_added::<TransformPlugin>() {
            take_over(app);
        } else {
            report::no_transform_plugin();
        }
    }
}

/// Removes Bevy's systems of transform propagation from `PostUpdate`; ours runs them.
///
/// An error means that they are not there (any more), which is as well.
fn take_over(app: &mut App) {
    let policy = || ScheduleCleanupPolicy::RemoveSystemsOnly;
    let _ = app.remove_systems_in_set(PostUpdate, mark_dirty_trees, policy());
    let _ = app.remove_systems_in_set(PostUpdate, propagate_parent_transforms, policy());
    let _ = app.remove_systems_in_set(PostUpdate, sync_simple_transforms, policy());
}
