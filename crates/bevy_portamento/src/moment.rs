//! Which moment is drawn?

use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use core::ops::Deref;
use core::time::Duration;
use portamento::Moment;

/// The one [`Moment`] of this frame: everything that is drawn uses it, so that all of it moves together.
///
/// Its alpha is [`Time<Fixed>`]'s overstep as a share of a tick. What it [presents](Moment::presented), the time by
/// which the picture advanced, is the `dt` for everything that follows the picture, above all cameras. It is renewed
/// right after the fixed loop, before `Update`, and it follows [`Time<Virtual>`](bevy_time::Virtual): paused time
/// presents nothing, slow time less. It never goes back: where the tick rate is changed in the middle of a tick, or the
/// whole clock is replaced, the rest of the tick is played in the time that is left.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_portamento::FrameMoment;
///
/// #[derive(Resource, Default)]
/// struct Fog {
///     drift: f64,
/// }
///
/// fn drift(moment: Res<FrameMoment>, mut fog: ResMut<Fog>) {
///     fog.drift += 0.2 * moment.presented();
/// }
/// # let mut world = World::new();
/// # world.init_resource::<FrameMoment>();
/// # world.init_resource::<Fog>();
/// # world.run_system_cached(drift).unwrap();
/// ```
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct FrameMoment {
    moment: Moment,
    played: Played,
}

/// Where a frame was on the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Played {
    /// When the newest tick ended, and how long ticks were to be.
    elapsed: Duration,
    timestep: Duration,
    overstep: f64,
    alpha: f64,
    /// Overstep and alpha from which on the rest of the tick is played evenly: zero, unless the rate was changed.
    since: (f64, f64),
    /// The simulated time that was drawn.
    drawn: Option<f64>,
}

impl Default for FrameMoment {
    /// The newest tick, until the first frame.
    fn default() -> Self {
        Self { moment: Moment::newest(0.0), played: Played::default() }
    }
}

impl Deref for FrameMoment {
    type Target = Moment;

    fn deref(&self) -> &Moment {
        &self.moment
    }
}

/// Asks Bevy's clock, once a frame.
pub(crate) fn renew(clock: Res<Time<Fixed>>, mut frame: ResMut<FrameMoment>) {
    let before = frame.played;
    let (elapsed, timestep) = (clock.elapsed(), clock.timestep());
    let (overstep, step) = (clock.overstep().as_secs_f64(), timestep.as_secs_f64());
    // Another clock was put in its place, and has not ticked: the last tick of the old one is still being played.
    let replaced = elapsed.is_zero() && !before.elapsed.is_zero();
    let same_tick = before.drawn.is_some() && (elapsed == before.elapsed || replaced);
    let since = match same_tick {
        false => (0.0, 0.0),
        true if replaced => (0.0, before.alpha),
        true if timestep == before.timestep => before.since,
        true => (before.overstep, before.alpha),
    };
    let alpha = since.1 + (overstep - since.0) / (step - since.0) * (1.0 - since.1);
    // Back it would go where someone takes overstep away.
    let alpha = if same_tick { alpha.max(before.alpha) } else { alpha }.min(1.0);
    // Before the first tick there is nothing to be seen but the start; its time runs all the same.
    let last = if clock.delta().is_zero() { step } else { clock.delta_secs_f64() };
    let at = |alpha: f64| elapsed.as_secs_f64() - last + alpha * last;
    let drawn = at(alpha);
    let presented = drawn - if replaced { at(before.alpha) } else { before.drawn.unwrap_or(-last) };
    *frame = FrameMoment {
        moment: Moment::at(alpha, presented),
        played: Played { elapsed, timestep, overstep, alpha, since, drawn: Some(drawn) },
    };
}
