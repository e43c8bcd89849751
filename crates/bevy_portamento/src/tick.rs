//! What did the last tick change?
//!
//! The last system of a tick remembers where everything has got to; what nothing else writes begins its next tick there.
//! The first one remembers the place of what was written since. What rests costs a comparison.

use crate::between::Ends;
use crate::curve::{Bend, SmoothVelocity};
use crate::parents::Moves;
use crate::played::Played;
use crate::scan::{FEW, Since};
use crate::smooth::Smooth;
use crate::truth::Picture;
use bevy_ecs::change_detection::{ContiguousMut, ContiguousRef};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemChangeTick;
use bevy_time::{Fixed, Time};
use bevy_transform::components::{GlobalTransform, Transform};

/// Whatever was written since the last tick, this one begins there. All else begins where the last one ended.
pub(crate) fn begin(
    mut picture: ResMut<Picture>,
    mut moves: ResMut<Moves>,
    ticks: SystemChangeTick,
    mut entities: Query<(Ref<Transform>, &mut Played, &mut Ends)>,
) {
    picture.in_tick = true;
    moves.forget();
    let since = Since::new(picture.ended, ticks.this_run());
    if let Ok(tables) = entities.contiguous_iter_mut() {
        for (transforms, played, mut ends) in tables {
            let (transforms, written) = ContiguousRef::split(transforms);
            let (played, touched) = ContiguousMut::bypass_change_detection_split(played);
            let (written, touched) = (written.changed(), touched.changed());
            let ends = ends.bypass_change_detection();
            for start in (0..played.len()).step_by(FEW) {
                let group = start..played.len().min(start + FEW);
                if since.is_any_newer_of(&written[group.clone()], &touched[group.clone()]) {
                    for row in group.filter(|&k| since.is_newer(written[k]) || since.is_newer(touched[k])) {
                        played[row].begin_tick(&mut ends[row], transforms[row]);
                    }
                }
            }
        }
        return;
    }
    for (transform, mut played, mut ends) in &mut entities {
        if since.is_newer(transform.last_changed()) || since.is_newer(played.last_changed()) {
            played.bypass_change_detection().begin_tick(ends.bypass_change_detection(), *transform);
        }
    }
}

type Ending<'w> =
    (Entity, Ref<'w, Transform>, &'w Smooth, &'w mut Played, &'w mut Ends, Ref<'w, GlobalTransform>);

/// Whatever was written in the tick, it ends there. What was not, and moved in the one before, rests.
pub(crate) fn end(mut picture: ResMut<Picture>, ticks: SystemChangeTick, mut entities: Query<Ending>) {
    let picture = &mut *picture;
    let since = Since::new(picture.ended, ticks.this_run());
    picture.in_tick = false;
    picture.ended = ticks.this_run();
    if let Ok(tables) = entities.contiguous_iter_mut() {
        for (entities, transforms, smooth, played, mut ends, globals) in tables {
            let (transforms, written) = ContiguousRef::split(transforms);
            let (played, touched) = ContiguousMut::bypass_change_detection_split(played);
            let (written, touched) = (written.changed(), touched.changed());
            let (_, propagated) = ContiguousRef::split(globals);
            let ends = ends.bypass_change_detection();
            for start in (0..played.len()).step_by(FEW) {
                let group = start..played.len().min(start + FEW);
                let is_any_newer = since.is_any_newer_of(&written[group.clone()], &touched[group.clone()]);
                if !is_any_newer && !Played::are_any_moving(&played[group.clone()]) {
                    continue;
                }
                for row in group {
                    if !since.is_newer(written[row]) && !since.is_newer(touched[row]) {
                        played[row].rest();
                        continue;
                    }
                    let (played, ends) = (&mut played[row], &mut ends[row]);
                    played.end_tick(&smooth[row], ends, &transforms[row]);
                    if played.wakes() {
                        picture.notice_waking(
                            entities[row],
                            ends,
                            propagated.changed()[row],
                            ticks.this_run(),
                        );
                    }
                }
            }
        }
        return;
    }
    for (entity, transform, smooth, mut played, mut ends, global) in &mut entities {
        let is_newer = since.is_newer(transform.last_changed()) || since.is_newer(played.last_changed());
        let (played, ends) = (played.bypass_change_detection(), ends.bypass_change_detection());
        if !is_newer {
            played.rest();
            continue;
        }
        played.end_tick(smooth, ends, &transform);
        if played.wakes() {
            picture.notice_waking(entity, ends, global.last_changed(), ticks.this_run());
        }
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
