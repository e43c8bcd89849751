//! What is drawn of a transform while its last tick is being played?
//!
//! ```text
//!   tick began        tick ended   Update wrote
//!      from ───────────── to ╌╌╌╌╌╌╌╌ now
//!        ╰── played ──╯╰────╯           │
//!                     unplayed          │
//!                         ╰── now minus the unplayed part is drawn
//! ```
//!
//! Where nothing but the tick wrote, `now` is `to`, and the view is the library's blend of the two ends, bit for bit what
//! a `Track<Scaled<Pose>>` would show. (That shows a mirrored scale by a snap of the whole pose; here the place goes on.)

use bevy_ecs::component::Component;
use bevy_math::{Mat4, Quat, Vec3, Vec4, ops};
use bevy_transform::components::Transform;
use portamento::Moment;
use portamento::blend::{Blend, NlerpWeights, Pose, Rotation, Scaled};

/// Where an entity was when its last tick began and when it ended.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct Ends {
    pub(crate) from: Transform,
    pub(crate) to: Transform,
}

/// So many rotations are worked out before what they are for is written.
pub(crate) const EIGHT: usize = 8;

/// One frame's place between the two ends; what is the same for everything drawn is worked out once.
pub(crate) struct Share {
    alpha: f64,
    /// For what is neither at one end nor at the other.
    inside: Option<(f32, NlerpWeights)>,
}

impl Share {
    pub(crate) fn of(moment: Moment) -> Self {
        let alpha = moment.alpha();
        // What is an end to the library's blends of f32 is one here.
        let t = 0f32.blend(&1.0, alpha);
        Self { alpha, inside: (t > 0.0 && t < 1.0).then(|| (t, NlerpWeights::new(alpha))) }
    }

    pub(crate) fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The straight way between two ends.
    ///
    /// Nothing lies between a thing and its mirror image, which it becomes with the end of the tick. But it goes on: a sprite
    /// turns round by `scale.x = -1`.
    pub(crate) fn between(&self, ends: &Ends) -> Transform {
        let Ends { from, mut to } = *ends;
        if self.inside.is_some() && ends.are_mirrored() {
            (to.rotation, to.scale) = (from.rotation, from.scale);
        }
        transform(&scaled(&from).blend(&scaled(&to), self.alpha))
    }

    /// What is drawn between ends that are [plain](are_plain), when the rotation is known: the same bits by Bevy's
    /// vectors. `None` at an end of the tick.
    #[inline]
    pub(crate) fn plain(&self, ends: &Ends, turn: Quat) -> Option<Transform> {
        let (Ends { from, to }, (t, _)) = (ends, self.inside.as_ref()?);
        let translation = from.translation - (from.translation - to.translation) * *t;
        Some(Transform { translation, rotation: turn, scale: to.scale })
    }

    /// How far the rotation has come.
    #[inline]
    pub(crate) fn turn(&self, ends: &Ends) -> Quat {
        let (from, to) = (ends.from.rotation, ends.to.rotation);
        match &self.inside {
            Some((_, weights)) => Rotation::from(from).nlerp_on(to.into(), weights).into(),
            None => to,
        }
    }

    /// The same for up to eight rows of a table. A rotation is a long chain of operations that wait for each other: by fours, and
    /// with nothing else between them, so that the processor works on several at a time.
    #[inline]
    pub(crate) fn turns_of(&self, ends: &[Ends], rows: &[usize]) -> [Quat; EIGHT] {
        let mut turns = [Quat::IDENTITY; EIGHT];
        let (fours, rest) = rows.as_chunks::<4>();
        let (turns_of_fours, turns_of_rest) = turns.as_chunks_mut().0.split_at_mut(fours.len());
        for (turns, rows) in turns_of_fours.iter_mut().zip(fours) {
            *turns = self.turns(rows.map(|row| &ends[row]));
        }
        for (turn, &row) in turns_of_rest.as_flattened_mut().iter_mut().zip(rest) {
            *turn = self.turn(&ends[row]);
        }
        turns
    }

    /// The same for four at once, in the library's order of arithmetic: one number of all four in each vector.
    #[inline]
    fn turns(&self, ends: [&Ends; 4]) -> [Quat; 4] {
        let one_by_one = || ends.map(|ends| self.turn(ends));
        let Some((_, weights)) = &self.inside else { return one_by_one() };
        let [a, b, c, d] = ends;
        let turned = |a: Quat, b: Quat, c: Quat, d: Quat| {
            Mat4::from_cols(a.into(), b.into(), c.into(), d.into()).transpose()
        };
        let from = turned(a.from.rotation, b.from.rotation, c.from.rotation, d.from.rotation);
        let to = turned(a.to.rotation, b.to.rotation, c.to.rotation, d.to.rotation);
        let in_pairs = |x: Vec4, y: Vec4, z: Vec4, w: Vec4| (x + y) + (z + w);
        let product = [
            from.x_axis * to.x_axis,
            from.y_axis * to.y_axis,
            from.z_axis * to.z_axis,
            from.w_axis * to.w_axis,
        ];
        let [x, y, z, w] = product;
        let cosine = in_pairs(x, y, z, w);
        let short = cosine.signum();
        let share = Vec4::from_array(cosine.abs().to_array().map(|cosine| weights.share(cosine)));
        let (x, x_way) = mix(from.x_axis, to.x_axis * short, share);
        let (y, y_way) = mix(from.y_axis, to.y_axis * short, share);
        let (z, z_way) = mix(from.z_axis, to.z_axis * short, share);
        let (w, w_way) = mix(from.w_axis, to.w_axis * short, share);
        let length2 = in_pairs(x * x, y * y, z * z, w * w);
        let rotations = length2.cmpgt(Vec4::splat(0.25)) & length2.cmplt(Vec4::splat(4.0));
        if !rotations.all() {
            return one_by_one();
        }
        // What does not turn keeps its bits.
        let still = (x_way.abs().max(y_way.abs())).max(z_way.abs().max(w_way.abs())).cmpeq(Vec4::ZERO);
        let length =
            Vec4::new(ops::sqrt(length2.x), ops::sqrt(length2.y), ops::sqrt(length2.z), ops::sqrt(length2.w));
        let unit = Vec4::select(still, Vec4::ONE, Vec4::ONE / length);
        let back = Mat4::from_cols(x * unit, y * unit, z * unit, w * unit).transpose();
        [back.x_axis, back.y_axis, back.z_axis, back.w_axis].map(Quat::from_vec4)
    }
}

/// A share of the way from `a` to `b`, and the whole way.
#[inline]
fn mix(a: Vec4, b: Vec4, share: Vec4) -> (Vec4, Vec4) {
    let way = a - b;
    (a - way * share, way)
}

/// Not zero where any bit differs: one comparison for all numbers in the end.
#[inline]
fn bits_apart(a: Vec3, b: Vec3) -> u32 {
    (a.x.to_bits() ^ b.x.to_bits()) | (a.y.to_bits() ^ b.y.to_bits()) | (a.z.to_bits() ^ b.z.to_bits())
}

/// Whether anything lies between, to the bit.
#[inline]
pub(crate) fn differ(from: &Transform, to: &Transform) -> bool {
    let turn = |turn: Quat| turn.to_array().map(f32::to_bits);
    // What moves, mostly moves in x, y or z.
    bits_apart(from.translation, to.translation) != 0
        || turn(from.rotation) != turn(to.rotation)
        || bits_apart(from.scale, to.scale) != 0
}

/// Whether there is nothing special about what lies between: no other scale, no overflow.
#[inline]
pub(crate) fn are_plain(from: &Transform, to: &Transform) -> bool {
    bits_apart(from.scale, to.scale) == 0 && (from.translation - to.translation).is_finite()
}

impl Ends {
    /// Whether a scale changes its sign.
    pub(crate) fn are_mirrored(&self) -> bool {
        (self.from.scale.cmplt(Vec3::ZERO) & self.to.scale.cmpgt(Vec3::ZERO)).any()
            || (self.from.scale.cmpgt(Vec3::ZERO) & self.to.scale.cmplt(Vec3::ZERO)).any()
    }

    /// `now` without the part of the tick that is still to be played, when `drawn` lies between the ends.
    pub(crate) fn under(&self, drawn: Transform, now: &Transform) -> Transform {
        if *now == self.to { drawn } else { self.displaced(&drawn, now) }
    }

    /// Something else than the tick wrote `now`. Each number is handled by itself: a z written in `Update` does not
    /// change how x and y are drawn.
    fn displaced(&self, drawn: &Transform, now: &Transform) -> Transform {
        let Self { from, to } = self;
        Transform {
            translation: each(now.translation, to.translation, drawn.translation, |now, to, drawn| {
                now + (drawn - to)
            }),
            rotation: if now.rotation == to.rotation {
                drawn.rotation
            } else if from.rotation == to.rotation {
                now.rotation
            } else {
                let unplayed = Rotation::from(drawn.rotation) * Rotation::from(to.rotation).inverse();
                let turned = unplayed * Rotation::from(now.rotation);
                // Three roundings, and whatever length `now` has: a view is a rotation.
                Rotation::from_xyzw(turned.to_array()).map_or(now.rotation, Quat::from)
            },
            // A share, not a difference: what shrinks to nothing must not turn inside out on its way.
            scale: each(now.scale, to.scale, drawn.scale, |now, to, drawn| now * (drawn / to)),
        }
    }
}

/// Number by number: `drawn` where no one else wrote, else `now` moved by `play`. What the tick left alone is not touched,
/// and neither is what has no number (a scale of zero has no share).
fn each(now: Vec3, to: Vec3, drawn: Vec3, play: impl Fn(f32, f32, f32) -> f32) -> Vec3 {
    let one = |now: f32, to: f32, drawn: f32| {
        if now == to {
            return drawn;
        }
        let played = if drawn == to { now } else { play(now, to, drawn) };
        if played.is_finite() { played } else { now }
    };
    Vec3::new(one(now.x, to.x, drawn.x), one(now.y, to.y, drawn.y), one(now.z, to.z, drawn.z))
}

/// The library's word for a transform.
pub(crate) fn scaled(transform: &Transform) -> Scaled<Pose> {
    let pose = Pose::from((transform.translation, transform.rotation));
    Scaled { pose, scale: transform.scale.to_array() }
}

/// And back.
pub(crate) fn transform(scaled: &Scaled<Pose>) -> Transform {
    let (translation, rotation) = scaled.pose.into();
    Transform { translation, rotation, scale: Vec3::from_array(scaled.scale) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portamento::Track;

    /// Numbers from a seed, odd ones among them.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as u32
        }

        fn unit(&mut self) -> f32 {
            self.next() as f32 / (1u32 << 31) as f32
        }

        fn number(&mut self) -> f32 {
            match self.next() % 20 {
                0 => 0.0,
                1 => -0.0,
                2 => 3e38,
                3 => -3e38,
                4 => f32::MIN_POSITIVE,
                _ => (self.unit() - 0.5) * 1000.0,
            }
        }

        fn transform(&mut self) -> Transform {
            let turn = [self.number(), self.number(), self.number(), self.unit()];
            let rotation = Rotation::from_xyzw(turn).unwrap_or(Rotation::IDENTITY);
            Transform {
                translation: Vec3::new(self.number(), self.number(), self.number()),
                rotation: match self.next() % 4 {
                    0 => Quat::IDENTITY,
                    1 => -Quat::IDENTITY,
                    2 if self.next().is_multiple_of(4) => Quat::from_array(turn), // no rotation
                    _ => rotation.into(),
                },
                scale: match self.next() % 4 {
                    0 => Vec3::new(self.number(), self.number(), self.number()),
                    _ => Vec3::ONE,
                },
            }
        }
    }

    fn bits(transform: &Transform) -> [u32; 10] {
        let [x, y, z] = transform.translation.to_array();
        let [i, j, k, w] = transform.rotation.to_array();
        let [a, b, c] = transform.scale.to_array();
        [x, y, z, i, j, k, w, a, b, c].map(f32::to_bits)
    }

    #[test]
    fn what_only_ticks_write_is_drawn_with_the_bits_of_a_track() {
        let mut random = Random(7);
        for _ in 0..20_000 {
            let ends = Ends { from: random.transform(), to: random.transform() };
            let alpha = match random.next() % 8 {
                0 => 0.0,
                1 => 1.0,
                2 => 1.0 - 1e-9,
                3 => 1e-300,
                _ => f64::from(random.unit()),
            };
            let moment = Moment::at(alpha, 0.0);
            let share = Share::of(moment);
            let view = ends.under(share.between(&ends), &ends.to);
            let mut to = ends.to;
            if ends.are_mirrored() && share.inside.is_some() {
                (to.rotation, to.scale) = (ends.from.rotation, ends.from.scale);
            }
            let mut track = Track::<_, 2>::with_ends(scaled(&ends.from));
            track.push(scaled(&to));
            assert_eq!(bits(&view), bits(&transform(&track.view(moment))), "{ends:?} at {alpha}");
            let other = Ends { from: random.transform(), to: random.transform() };
            let [_, turn, ..] = share.turns([&other, &ends, &ends, &ends]);
            if let Some(plain) = share.plain(&ends, turn)
                && are_plain(&ends.from, &ends.to)
            {
                assert_eq!(bits(&plain), bits(&view), "{ends:?} at {alpha}");
            }
        }
    }

    #[test]
    fn a_tick_that_is_played_to_its_end_shows_what_was_written_since() {
        let mut random = Random(11);
        for _ in 0..20_000 {
            let ends = Ends { from: random.transform(), to: random.transform() };
            let now = random.transform();
            let share = Share::of(Moment::at(1.0, 0.0));
            let view = ends.under(share.between(&ends), &now);
            assert_eq!(view.translation, now.translation);
            assert_eq!(view.scale, now.scale);
            let (drawn, wanted) = (Rotation::from(view.rotation), Rotation::from(now.rotation));
            let is_rotation = |q: Quat| (q.length() - 1.0).abs() < 1e-3;
            if [ends.from, ends.to, now].iter().all(|end| is_rotation(end.rotation)) {
                assert!(drawn.angle_to(wanted) < 1e-5, "{ends:?} {now:?} {view:?}");
            }
        }
    }

    #[test]
    fn who_writes_one_number_moves_only_that() {
        let ends = Ends { from: Transform::from_xyz(0.1, 0.2, 0.3), to: Transform::from_xyz(1.1, 2.2, 0.3) };
        let share = Share::of(Moment::at(0.25, 0.0));
        let drawn = share.between(&ends);
        let now = Transform { translation: ends.to.translation.with_z(7.0), ..ends.to };
        let view = ends.under(drawn, &now);
        assert_eq!(view.translation, drawn.translation.with_z(7.0));
        let now = Transform { rotation: Quat::from_rotation_z(1.0), ..ends.to };
        let view = ends.under(drawn, &now);
        assert_eq!((view.translation, view.rotation), (drawn.translation, now.rotation));
    }

    #[test]
    fn a_turn_by_the_tick_and_one_by_the_frame_add_up() {
        let ends =
            Ends { from: Transform::IDENTITY, to: Transform::from_rotation(Quat::from_rotation_y(0.4)) };
        let looked = Transform::from_rotation(Quat::from_rotation_y(0.4 + 1.0));
        let view = ends.under(Share::of(Moment::at(0.25, 0.0)).between(&ends), &looked);
        assert!(view.rotation.angle_between(Quat::from_rotation_y(0.1 + 1.0)) < 1e-3);
    }

    #[test]
    fn a_scale_written_by_the_frame_keeps_its_sign_while_the_tick_is_played() {
        let ends = Ends {
            from: Transform::from_scale(Vec3::new(1.0, 1.0, 1.0)),
            to: Transform::from_scale(Vec3::new(2.0, 0.0, 1.0)),
        };
        let now = Transform::from_scale(Vec3::new(0.5, 3.0, 4.0));
        let view = ends.under(Share::of(Moment::at(0.0, 0.0)).between(&ends), &now);
        assert_eq!(
            view.scale,
            Vec3::new(0.25, 3.0, 4.0),
            "half its end, no share of zero, untouched by the tick"
        );
    }
}
