//! What did the last tick change?
//!
//! The last system of a tick remembers where everything has got to; what nothing else writes begins its next tick there.
//! The first one remembers the place of what was written since. What rests costs a comparison.
//!
//! Both run on the main thread ([`NonSendMarker`]), where the schedules of a tick run as well. They are often the only ones
//! in theirs, and waking another thread for them takes longer than the work of ten thousand entities at rest.

use crate::between::Ends;
use crate::curve::{Bend, SmoothVelocity};
use crate::parents::Moves;
use crate::played::Played;
use crate::scan::{Since, groups};
use crate::smooth::Smooth;
use crate::truth::Picture;
use bevy_ecs::change_detection::ContiguousRef;
use bevy_ecs::prelude::*;
use bevy_ecs::system::{NonSendMarker, SystemChangeTick};
use bevy_time::{Fixed, Time};
use bevy_transform::components::{GlobalTransform, Transform};

/// Whatever was written since the last tick, this one begins there. All else begins where the last one ended.
pub(crate) fn begin(
    mut picture: ResMut<Picture>,
    mut moves: ResMut<Moves>,
    ticks: SystemChangeTick,
    mut entities: Query<(Ref<Transform>, &mut Played, &mut Ends)>,
    _here: NonSendMarker,
) {
    picture.in_tick = true;
    moves.forget();
    let since = Since::new(picture.ended, ticks.this_run());
    if let Ok(tables) = entities.contiguous_iter_mut() {
        for (transforms, mut played, mut ends) in tables {
            let (transforms, written) = ContiguousRef::split(transforms);
            let (written, ends) = (written.changed(), ends.bypass_change_detection());
            let played = played.bypass_change_detection();
            for start in groups(played.len()) {
                let begin = Played::which_are_touched(played, start).or(|| since.newer(written, start));
                begin.each(start, |row| played[row].begin_tick(&mut ends[row], transforms[row]));
            }
        }
        return;
    }
    for (transform, mut played, mut ends) in &mut entities {
        if since.is_newer(transform.last_changed()) || played.is_touched() {
            played.bypass_change_detection().begin_tick(ends.bypass_change_detection(), *transform);
        }
    }
}

type Ending<'w> =
    (Entity, Ref<'w, Transform>, &'w Smooth, &'w mut Played, &'w mut Ends, Ref<'w, GlobalTransform>);

/// Whatever was written in the tick, it ends there. What was not, and moved in the one before, rests.
pub(crate) fn end(
    mut picture: ResMut<Picture>,
    ticks: SystemChangeTick,
    mut entities: Query<Ending>,
    _here: NonSendMarker,
) {
    let picture = &mut *picture;
    let now = ticks.this_run();
    let since = Since::new(picture.ended, now);
    (picture.in_tick, picture.ended) = (false, now);
    if let Ok(tables) = entities.contiguous_iter_mut() {
        for (entities, transforms, smooth, mut played, mut ends, globals) in tables {
            let (transforms, written) = ContiguousRef::split(transforms);
            let (written, propagated) = (written.changed(), globals.changed_ticks_slice());
            let (played, ends) = (played.bypass_change_detection(), ends.bypass_change_detection());
            for start in groups(played.len()) {
                Played::which_concern_an_end(played, start).or(|| since.newer(written, start)).each(
                    start,
                    |row| {
                        let (played, ends) = (&mut played[row], &mut ends[row]);
                        if !since.is_newer(written[row]) && played.is_untouched() {
                            return played.rest();
                        }
                        played.end_tick(&smooth[row], ends, &transforms[row]);
                        if played.wakes() {
                            picture.notice_waking(entities[row], ends, propagated[row], now);
                        }
                    },
                );
            }
        }
        return;
    }
    for (entity, transform, smooth, mut played, mut ends, global) in &mut entities {
        let (played, ends) = (played.bypass_change_detection(), ends.bypass_change_detection());
        if !since.is_newer(transform.last_changed()) && played.is_untouched() {
            played.rest();
            continue;
        }
        played.end_tick(smooth, ends, &transform);
        if played.wakes() {
            picture.notice_waking(entity, ends, global.last_changed(), now);
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
