//! What did the last tick change?
//!
//! The first system of a tick remembers where everything is, the last one where it has got to. Both visit only what was
//! written since they ran last: what rests costs a comparison.

use crate::between::Ends;
use crate::curve::{Bend, SmoothVelocity};
use crate::parents::Moves;
use crate::played::Played;
use crate::smooth::Smooth;
use crate::truth::{Picture, notice_waking};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemChangeTick;
use bevy_time::{Fixed, Time};
use bevy_transform::components::{GlobalTransform, Transform};

type Written = Or<(Changed<Transform>, Changed<Played>)>;

/// Whatever was written before a tick, it begins there.
pub(crate) fn begin(
    mut picture: ResMut<Picture>,
    mut moves: ResMut<Moves>,
    mut entities: Query<(&Transform, &mut Played, &mut Ends), Written>,
) {
    picture.in_tick = true;
    moves.forget();
    for (transform, mut played, mut ends) in &mut entities {
        ends.bypass_change_detection().from = *transform;
        played.bypass_change_detection().begin_tick();
    }
}

/// Whatever was written in the tick, it ends there.
pub(crate) fn end(
    mut picture: ResMut<Picture>,
    ticks: SystemChangeTick,
    mut entities: Query<(Entity, &Transform, &Smooth, &mut Played, &mut Ends, Ref<GlobalTransform>), Written>,
) {
    picture.in_tick = false;
    for (entity, transform, smooth, mut played, mut ends, global) in &mut entities {
        let ends = ends.bypass_change_detection();
        ends.to = *transform;
        let played = played.bypass_change_detection();
        played.end_tick(smooth, ends);
        notice_waking(&mut picture, entity, ends, played, global.last_changed(), ticks.this_run());
    }
}

/// The velocities that a tick begins with.
pub(crate) fn begin_curves(mut entities: Query<(&SmoothVelocity, &mut Bend)>) {
    for (velocity, mut bend) in &mut entities {
        bend.leave(velocity);
    }
}

/// The velocities that it ends with, and the curve that follows from all four.
pub(crate) fn end_curves(
    clock: Res<Time<Fixed>>,
    mut entities: Query<(&SmoothVelocity, &mut Bend, &Ends, &Played)>,
) {
    for (velocity, mut bend, ends, played) in &mut entities {
        if played.is_moving() {
            bend.arrive(velocity, ends, clock.delta_secs_f64());
        }
    }
}
