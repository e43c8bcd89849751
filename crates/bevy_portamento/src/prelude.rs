//! What most games need: `use bevy_portamento::prelude::*`.

pub use crate::{
    ChaseTarget, Cut, CutCommand, FrameMoment, PortamentoPlugin, PortamentoSettings, PortamentoSystems,
    Rebase, SimulatingSchedule, Smooth, SmoothVelocity, Views,
};

#[cfg(feature = "avian")]
pub use crate::PortamentoAvianPlugin;
