//! How far does one frame carry something that follows?

use crate::blend::{Blend, angle_f64};
use crate::math::one_minus_exp_neg;

/// One frame's worth of damping, for anything that can be [blended](Blend): a camera, a zoom, a health bar.
///
/// A follower that closes its distance at `rate` per second obeys `x' = rate (target - x)`. The usual code takes
/// the target of the frame's end as if it had stood there all along, so the follower hangs back by a length that
/// depends on the frame rate, and shakes when frames are uneven. Here the target moves in a straight line from
/// where it was at the last frame to where it is now, and the equation is solved exactly:
///
/// ```text
/// x = x0 + share (aim - x0)     share = 1 - e^(-rate dt)
/// aim = before + lead (now - before)   lead = 1/share - 1/(rate dt), between 1/2 and 1
/// ```
///
/// Behind a target of constant speed `v` the follower stays at exactly `v / rate`, whatever the frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Glide {
    share: f64,
    lead: f64,
}

impl Glide {
    /// A frame of `seconds`, closing the distance at `rate` per second (infinite: at once).
    ///
    /// Not a usable time, or a rate that is not positive: nothing moves. An infinite rate is rigid, also in a frame in
    /// which no time passes.
    pub(super) fn over(seconds: f64, rate: f64) -> Self {
        if rate == f64::INFINITY && seconds >= 0.0 && seconds.is_finite() {
            return Self { share: 1.0, lead: 1.0 };
        }
        if !(seconds > 0.0 && seconds.is_finite() && rate > 0.0) {
            return Self { share: 0.0, lead: 1.0 };
        }
        let x = seconds * rate;
        let share = one_minus_exp_neg(x);
        // 1/share - 1/x loses every digit as x shrinks; there its series is exact to the last place.
        let lead = if x < 0.1 {
            let x2 = x * x;
            0.5 + x * (1.0 / 12.0 - x2 * (1.0 / 720.0 - x2 * (1.0 / 30240.0 - x2 / 1_209_600.0)))
        } else {
            1.0 / share - 1.0 / x
        };
        Self { share, lead }
    }

    /// The same time and rate by the usual rule: the target counts as having stood all frame where it stands
    /// now. The distance kept behind a moving target then depends on the frame rate.
    pub(super) fn without_lead(self) -> Self {
        Self { lead: 1.0, ..self }
    }

    /// Where the follower is at the end of the frame, from where it was and from where the target was (`before`)
    /// and is (`now`).
    #[inline]
    pub(super) fn follow<T: Blend>(&self, follower: &T, before: &T, now: &T) -> T {
        follower.blend(&before.blend(now, self.lead), self.share)
    }

    /// The same for an angle in radians, the shortest way around.
    #[inline]
    pub(super) fn follow_angle(&self, follower: f64, before: f64, now: f64) -> f64 {
        angle_f64(follower, angle_f64(before, now, self.lead), self.share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The equation itself, in ten thousand small steps.
    fn integrate(follower: f64, before: f64, now: f64, dt: f64, rate: f64) -> f64 {
        let steps = 10_000;
        let h = dt / steps as f64;
        let mut x = follower;
        for i in 0..steps {
            let target = before + (now - before) * (i as f64 + 0.5) / steps as f64;
            // Midpoint rule.
            let half = x + (target - x) * rate * h / 2.0;
            x += (target - half) * rate * h;
        }
        x
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_closed_form_solves_the_equation(
            follower in -10.0..10.0f64, before in -10.0..10.0f64, now in -10.0..10.0f64,
            dt in 1e-4..0.3f64, rate in 0.1..30.0f64,
        ) {
            let got = Glide::over(dt, rate).follow(&follower, &before, &now);
            let want = integrate(follower, before, now, dt, rate);
            prop_assert!((got - want).abs() < 1e-5, "{got} {want}");
        }

        #[test]
        fn a_frame_in_two_parts_arrives_at_the_same_place(
            follower in -10.0..10.0f64, before in -10.0..10.0f64, now in -10.0..10.0f64,
            dt in 1e-6..0.3f64, rate in 0.1..30.0f64, part in 0.01..0.99f64,
        ) {
            let whole = Glide::over(dt, rate).follow(&follower, &before, &now);
            let between = before + (now - before) * part;
            let first = Glide::over(dt * part, rate).follow(&follower, &before, &between);
            let second = Glide::over(dt * (1.0 - part), rate).follow(&first, &between, &now);
            prop_assert!((whole - second).abs() < 1e-12, "{whole} {second}");
        }
    }

    #[test]
    fn the_two_branches_of_the_lead_meet() {
        for x in [0.0999999, 0.1, 0.1000001] {
            let got = Glide::over(1.0, x).lead;
            let want = 0.5 + x / 12.0 - x * x * x / 720.0 + x.powi(5) / 30240.0;
            assert!((got - want).abs() < 1e-12, "{x}: {got} {want}");
        }
        assert!((Glide::over(1e-9, 1e-3).lead - 0.5).abs() < 1e-12);
    }

    #[test]
    fn an_infinite_rate_is_rigid_and_an_unusable_time_moves_nothing() {
        assert_eq!(Glide::over(0.01, f64::INFINITY).follow(&0.0, &3.0, &5.0), 5.0);
        assert_eq!(Glide::over(1e300, 1e300).follow(&0.0, &3.0, &5.0), 5.0);
        for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Glide::over(seconds, 5.0).follow(&1.0, &3.0, &5.0), 1.0, "{seconds}");
        }
        assert_eq!(Glide::over(1.0, f64::NAN).follow(&1.0, &3.0, &5.0), 1.0);
    }
}
