//! What did the last tick change?
//!
//! The first system of a tick remembers where everything is, the last one where it has got to. Both look only at what was
//! written since they last looked: what rests costs a comparison.

use crate::between::Ends;
use crate::curve::{Bend, SmoothVelocity};
use crate::smooth::Smooth;
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

type Written = Or<(Changed<Transform>, Changed<Smooth>)>;

/// Whatever was written before a tick, it begins there.
pub(crate) fn begin(mut things: Query<(&Transform, &mut Smooth, &mut Ends), Written>) {
    for (transform, mut smooth, mut ends) in &mut things {
        ends.bypass_change_detection().from = *transform;
        smooth.bypass_change_detection().begin_tick();
    }
}

/// Whatever was written in the tick, it ends there.
pub(crate) fn end(mut things: Query<(&Transform, &mut Smooth, &mut Ends), Written>) {
    for (transform, mut smooth, mut ends) in &mut things {
        let ends = ends.bypass_change_detection();
        ends.to = *transform;
        smooth.bypass_change_detection().end_tick(ends);
    }
}

/// The velocities that a tick begins with.
pub(crate) fn begin_curves(mut things: Query<(&SmoothVelocity, &mut Bend)>) {
    for (velocity, mut bend) in &mut things {
        bend.leave(velocity);
    }
}

/// The velocities that it ends with, and the curve that follows from all four.
pub(crate) fn end_curves(
    clock: Res<Time<Fixed>>,
    mut things: Query<(&SmoothVelocity, &mut Bend, &Ends, &Smooth)>,
) {
    for (velocity, mut bend, ends, smooth) in &mut things {
        if smooth.is_moving() {
            bend.arrive(velocity, ends, clock.delta_secs_f64());
        }
    }
}
