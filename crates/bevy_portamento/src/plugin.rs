//! When does what run?

use crate::moment::{self, FrameMoment};
use crate::tree::{self, Passengers};
use crate::view::{self, Picture};
use crate::{smooth, tick};
use bevy_app::prelude::*;
use bevy_ecs::entity_disabling::DefaultQueryFilters;
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use bevy_transform::TransformSystems;
use bevy_transform::systems::sync_simple_transforms;

extern crate alloc;
use alloc::vec::Vec;

/// Draws every entity with [`Smooth`](crate::Smooth) between its ticks.
///
/// It needs Bevy's time and transform plugins, which `DefaultPlugins` have.
#[derive(Clone, Copy, Debug, Default)]
pub struct PortamentoPlugin;

/// When the plugin does what, to order your own systems by.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PortamentoSystems {
    /// `GlobalTransform` becomes the truth again: at the very beginning of `RunFixedMainLoop`, and of a tick or a
    /// propagation that somebody runs at another time.
    Restore,
    /// A tick begins: in `FixedFirst`.
    Begin,
    /// A tick ends: in `FixedLast`. What is written later is not drawn smoothly, but at once.
    End,
    /// [`FrameMoment`] is renewed: in `RunFixedMainLoop`, right after the ticks.
    Moment,
    /// `GlobalTransform` becomes the view: in `PostUpdate`, at the end of `TransformSystems::Propagate`.
    Draw,
}

impl Plugin for PortamentoPlugin {
    fn build(&self, app: &mut App) {
        use PortamentoSystems::{Begin, Draw, End, Moment, Restore};
        #[cfg(feature = "bevy_reflect")]
        app.register_type::<crate::Smooth>().register_type::<crate::SmoothVelocity>();
        app.init_resource::<FrameMoment>()
            .init_resource::<Picture>()
            .init_resource::<Passengers>()
            .configure_sets(
                RunFixedMainLoop,
                (
                    Restore.before(RunFixedMainLoopSystems::BeforeFixedMainLoop),
                    Moment
                        .after(RunFixedMainLoopSystems::FixedMainLoop)
                        .before(RunFixedMainLoopSystems::AfterFixedMainLoop),
                ),
            )
            .configure_sets(FixedFirst, (Restore, Begin).chain())
            .configure_sets(
                PostUpdate,
                (
                    Restore.before(TransformSystems::Propagate),
                    Draw.in_set(TransformSystems::Propagate).after(sync_simple_transforms),
                ),
            )
            .add_systems(RunFixedMainLoop, (view::restore.in_set(Restore), moment::renew.in_set(Moment)))
            .add_systems(
                FixedFirst,
                (view::restore.in_set(Restore), (tick::begin, tick::begin_curves).in_set(Begin)),
            )
            .add_systems(FixedLast, (tick::end, tick::end_curves).chain().in_set(End))
            .add_systems(
                PostUpdate,
                (view::restore.in_set(Restore), (tree::draw_trees, view::draw_flat).chain().in_set(Draw)),
            );
        // `Disabled`, and whatever else has been said to hide entities from queries.
        let world = app.world_mut();
        let hiding: Vec<_> = world.resource::<DefaultQueryFilters>().disabling_ids().collect();
        world.spawn(Observer::new(smooth::hide).with_components(hiding.clone()));
        world.spawn(Observer::new(smooth::cut_what_comes_back).with_components(hiding));
    }

    fn finish(&self, app: &mut App) {
        assert!(
            app.world().contains_resource::<Time<Fixed>>(),
            "PortamentoPlugin needs Bevy's TimePlugin: add DefaultPlugins, or MinimalPlugins and TransformPlugin"
        );
    }
}
