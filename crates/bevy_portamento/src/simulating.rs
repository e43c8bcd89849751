//! Which schedules simulate, besides the fixed ones?

use crate::report;
use crate::truth::{Picture, show_picture, show_truth};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{
    FlattenedDependencies, NodeId, ScheduleBuildError, ScheduleBuildPass, ScheduleGraph, ScheduleLabel,
    SystemKey, SystemSetKey,
};
use bevy_platform::hash::FixedHasher;
use core::any::TypeId;
use indexmap::IndexSet;

extern crate alloc;
use alloc::vec::Vec;

/// Declares a schedule as simulating: `GlobalTransform` is the truth in it, as in the fixed schedules, and the picture
/// again after it.
///
/// For simulations that do not run in the fixed schedules, such as rollback in `PreUpdate` (bevy_ggrs). Add it for each
/// such schedule, before or after the schedule gets its systems:
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bevy_ecs::schedule::ScheduleLabel;
/// use bevy_portamento::prelude::*;
/// use bevy_transform::prelude::*;
///
/// #[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
/// struct Rollback; // say, bevy_ggrs's GgrsSchedule
///
/// fn shoot(muzzles: Query<&GlobalTransform>) { /* sees the truth */ }
///
/// # let mut app = App::new();
/// # app.add_plugins((bevy_time::TimePlugin, TransformPlugin));
/// app.add_plugins((PortamentoPlugin, SimulatingSchedule(Rollback)))
///     .add_systems(Rollback, shoot);
/// # app.update();
/// # app.world_mut().run_schedule(Rollback);
/// ```
///
/// All its systems run between the change to the truth and the change back, whatever their order. It may run any number
/// of times in a frame, also inside a tick. What it writes is drawn at once, like everything outside of ticks: to be
/// interpolated, motion must be written in the fixed schedules, whose clock says where a frame lies between two ticks.
#[derive(Clone, Debug)]
pub struct SimulatingSchedule<L>(
    /// The schedule.
    pub L,
);

impl<L: ScheduleLabel + Clone> Plugin for SimulatingSchedule<L> {
    fn build(&self, app: &mut App) {
        let pass = Brackets { first: type_of(enter), last: type_of(leave) };
        app.init_schedule(self.0.clone()).add_systems(self.0.clone(), (enter, leave)).edit_schedule(
            self.0.clone(),
            |schedule| {
                schedule.add_build_pass(pass);
            },
        );
    }

    fn finish(&self, app: &mut App) {
        if !app.world().contains_resource::<Picture>() {
            report::no_plugin("SimulatingSchedule");
        }
    }

    /// Labels of one type may be several schedules.
    fn is_unique(&self) -> bool {
        false
    }
}

/// Counts the declared schedules that run inside each other; the outermost one puts the truth up.
fn enter(world: &mut World) {
    let Some(mut picture) = world.get_resource_mut::<Picture>() else { return };
    if picture.simulating > 0 {
        picture.simulating += 1;
    } else if !picture.truth_is_up {
        picture.simulating = 1;
        let _ = world.run_system_cached(show_truth);
    }
}

fn leave(world: &mut World) {
    let Some(mut picture) = world.get_resource_mut::<Picture>() else { return };
    match picture.simulating {
        0 => {} // inside a tick, which has the truth anyway
        1 => {
            picture.simulating = 0;
            let _ = world.run_system_cached(show_picture);
        }
        _ => picture.simulating -= 1,
    }
}

fn type_of<M>(system: impl IntoSystem<(), (), M>) -> TypeId {
    IntoSystem::into_system(system).system_type()
}

/// Puts one system before and another after all the others of a schedule.
#[derive(Clone, Copy, Debug)]
struct Brackets {
    first: TypeId,
    last: TypeId,
}

impl ScheduleBuildPass for Brackets {
    type EdgeOptions = ();

    fn add_dependency(&mut self, _: NodeId, _: NodeId, _: Option<&()>) {}

    fn collapse_set(
        &mut self,
        _: SystemSetKey,
        _: &IndexSet<SystemKey, FixedHasher>,
        _: &bevy_ecs::schedule::graph::DiGraph<NodeId>,
    ) -> impl Iterator<Item = (NodeId, NodeId)> {
        core::iter::empty()
    }

    fn build(
        &mut self,
        _: &mut World,
        graph: &mut ScheduleGraph,
        mut dependencies: FlattenedDependencies<'_>,
    ) -> Result<(), ScheduleBuildError> {
        let all: Vec<_> = graph.systems.iter().map(|(key, system, _)| (key, system.system_type())).collect();
        let find = |wanted: TypeId| all.iter().find(|(_, system)| *system == wanted).map(|(key, _)| *key);
        let (Some(first), Some(last)) = (find(self.first), find(self.last)) else { return Ok(()) };
        for (key, _) in all.iter().filter(|(key, _)| ![first, last].contains(key)) {
            dependencies.add_edge(first, *key);
            dependencies.add_edge(*key, last);
        }
        dependencies.add_edge(first, last);
        Ok(())
    }
}
