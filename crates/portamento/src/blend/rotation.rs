//! Rotations: unit quaternions, the shortest way, exact at rest.

use super::{ARRIVED, Blend};
use crate::math::{self, atan2, sin_cos, sqrt_f32};

/// A rotation as a unit quaternion, `x y z w`.
///
/// Plain data on purpose: bring your own math library and convert (arrays always, `mint` and `glam` behind
/// features). `q` and `-q` are the same rotation, and everything here treats them so.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub struct Rotation {
    /// First imaginary part.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub x: f32,
    /// Second imaginary part.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub y: f32,
    /// Third imaginary part.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub z: f32,
    /// Real part.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub w: f32,
}

impl Default for Rotation {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Blending weights of one alpha, for the fast approximation of slerp: compute once a frame, use for every rotation.
///
/// A straight line between two quaternions, brought back to unit length, moves faster in the middle. Sending
/// the line `u(t, d)` of the way instead of `t`, with `d` the cosine between the quaternions, evens it out.
/// `u` is `t + t (t - 1/2) (t - 1) (A(d) (t - 1/2)^2 + B(d))` with cubics `A` and `B`, fitted by linear
/// programming to the exact `sin(t a) / (sin(t a) + sin((1 - t) a))`. Everything that depends on `t` alone is
/// folded into four coefficients here, so that a rotation pays one cubic.
///
/// Largest distance from true slerp: 1.1e-5 rad up to 90 degrees between the two, 5.2e-4 rad up to 180
/// (measured by `the_fast_approximation_stays_close_to_slerp`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NlerpWeights {
    /// `u = c[0] + d (c[1] + d (c[2] + d c[3]))`.
    coefficients: [f32; 4],
}

impl NlerpWeights {
    const A: [f64; 4] = [1.050481, -2.781018, 2.447797, -0.7190943];
    const B: [f64; 4] = [0.8510712, -1.111016, 0.344087, -0.08476509];

    /// The weights at `alpha`.
    #[inline]
    #[must_use]
    pub fn new(alpha: f64) -> Self {
        let from_middle = alpha - 0.5;
        let base = alpha * from_middle * (alpha - 1.0);
        let square = from_middle * from_middle;
        let mut coefficients = [0.0f32; 4];
        let mut k = 0;
        while k < 4 {
            let c = base * (Self::A[k] * square + Self::B[k]);
            coefficients[k] = if k == 0 { alpha + c } else { c } as f32;
            k += 1;
        }
        Self { coefficients }
    }

    /// How far along the straight line, for two quaternions of this `cosine` between them (not negative: the short
    /// way).
    // Always: a batch's kernels get their vectors by inlining.
    #[inline(always)]
    #[must_use]
    pub fn share(&self, cosine: f32) -> f32 {
        let c = self.coefficients;
        c[0] + cosine * (c[1] + cosine * (c[2] + cosine * c[3]))
    }
}

impl Rotation {
    /// No rotation.
    pub const IDENTITY: Self = Self { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };

    /// Creates a rotation from `[x, y, z, w]`, brought to unit length. `None` if all are zero, or one is NaN or infinite.
    #[must_use]
    pub fn from_xyzw(xyzw: [f32; 4]) -> Option<Self> {
        let q = xyzw.map(|c| c as f64);
        let length = math::length(q);
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let [x, y, z, w] = q.map(|c| (c / length) as f32);
        Some(Self { x, y, z, w })
    }

    /// Creates a turn of `angle` radians about `axis`, which may have any length. A zero axis is no turn.
    #[must_use]
    pub fn from_axis_angle(axis: [f32; 3], angle: f32) -> Self {
        let axis = axis.map(|c| c as f64);
        let length = math::length(axis);
        if !(length > 0.0 && length.is_finite()) {
            return Self::IDENTITY;
        }
        Self::from_rotation_vector(axis.map(|c| c / length * angle as f64))
    }

    /// The rotation about `vector` by its length in radians, any number of turns. A vector that is not finite is no turn.
    pub(crate) fn from_rotation_vector(vector: [f64; 3]) -> Self {
        let angle = math::length(vector);
        if !angle.is_finite() {
            return Self::IDENTITY;
        }
        let (s, c) = sin_cos(angle / 2.0);
        // sin(x)/x at 0 is 1: no division by a vanishing angle.
        let k = if angle > 1e-12 { s / angle } else { 0.5 };
        let [x, y, z] = vector.map(|v| (v * k) as f32);
        Self { x, y, z, w: c as f32 }
    }

    /// Returns axis times angle, the short way (at most half a turn).
    pub(crate) fn to_rotation_vector(self) -> [f64; 3] {
        let sign = if self.w < 0.0 { -1.0 } else { 1.0 };
        let v = [self.x, self.y, self.z].map(|c| c as f64 * sign);
        let s = math::length(v);
        let angle = 2.0 * atan2(s, self.w as f64 * sign);
        let k = if s > 1e-12 { angle / s } else { 2.0 };
        v.map(|c| c * k)
    }

    /// Returns `[x, y, z, w]`.
    #[inline]
    #[must_use]
    pub const fn to_array(self) -> [f32; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// `*`, which needs no trait in scope.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub(crate) fn mul(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self {
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        }
    }

    /// Returns the opposite rotation.
    #[inline]
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z, w: self.w }
    }

    /// Returns `v`, rotated.
    #[inline]
    #[must_use]
    pub fn rotate(self, v: [f32; 3]) -> [f32; 3] {
        let Self { x, y, z, w } = self;
        let t = [2.0 * (y * v[2] - z * v[1]), 2.0 * (z * v[0] - x * v[2]), 2.0 * (x * v[1] - y * v[0])];
        [
            v[0] + w * t[0] + (y * t[2] - z * t[1]),
            v[1] + w * t[1] + (z * t[0] - x * t[2]),
            v[2] + w * t[2] + (x * t[1] - y * t[0]),
        ]
    }

    /// The cosine of half the angle between the two, with the sign of the quaternions themselves.
    #[inline]
    pub(crate) fn dot(self, other: Self) -> f32 {
        // In pairs: the order that every batch kernel follows too.
        (self.x * other.x + self.y * other.y) + (self.z * other.z + self.w * other.w)
    }

    /// Returns the angle between two rotations, 0 to pi. Accurate for tiny angles, where an arc cosine is not.
    #[must_use]
    pub fn angle_to(self, other: Self) -> f32 {
        let between = self.inverse().mul(other);
        math::length(between.to_rotation_vector()) as f32
    }

    /// Returns the part of this rotation that turns about `axis` (a unit vector): the heading, with `axis` up. For a
    /// rotation that flips the axis over, that is no turn.
    pub(crate) fn twist(self, axis: [f32; 3]) -> Self {
        let along = self.x * axis[0] + self.y * axis[1] + self.z * axis[2];
        let twist = [axis[0] * along, axis[1] * along, axis[2] * along, self.w];
        let length2 = twist.iter().fold(0.0, |sum, c| sum + c * c);
        if length2 > 1e-12 { Self::from_xyzw(twist).unwrap_or(Self::IDENTITY) } else { Self::IDENTITY }
    }

    /// The same rotation on `other`'s side of the sphere, so that a straight line is the short way.
    #[inline]
    fn near(self, other: Self) -> (Self, f32) {
        let dot = self.dot(other);
        // By the sign bit, as vectors do it: at exactly half a turn both ways are as short.
        if dot.is_sign_negative() {
            (Self { x: -other.x, y: -other.y, z: -other.z, w: -other.w }, -dot)
        } else {
            (other, dot)
        }
    }

    /// Returns true slerp: constant angular speed, right for tiny and for opposite angles.
    ///
    /// [`Blend::blend`] is a fast approximation of it, cheaper (no sine) and within 1.1e-5 rad up to 90 degrees; this is for
    /// when you need the definition itself.
    #[must_use]
    pub fn slerp(self, to: Self, alpha: f64) -> Self {
        if !(alpha > 0.0) || self == to {
            return self;
        }
        if alpha >= 1.0 {
            return to;
        }
        let (target, _) = self.near(to);
        let (a, b) = (self.to_array().map(f64::from), target.to_array().map(f64::from));
        let chord = math::length([b[0] - a[0], b[1] - a[1], b[2] - a[2], b[3] - a[3]]);
        // Twice the arc sine of half the chord, through atan2: the arc cosine loses small angles.
        let sum = math::length([b[0] + a[0], b[1] + a[1], b[2] + a[2], b[3] + a[3]]);
        let angle = 2.0 * atan2(chord, sum);
        let (u, v) = if angle > 1e-9 {
            (sin_cos(angle * (1.0 - alpha)).0, sin_cos(angle * alpha).0)
        } else {
            (1.0 - alpha, alpha)
        };
        let mixed: [f64; 4] = core::array::from_fn(|i| a[i] * u + b[i] * v);
        let length = math::length(mixed);
        if !(length > 0.0 && length.is_finite()) {
            return to;
        }
        let [x, y, z, w] = mixed.map(|c| (c / length) as f32);
        Self { x, y, z, w }
    }

    /// The fast approximation of slerp: a straight line at an evened-out speed, brought to unit length.
    #[inline]
    #[must_use]
    pub(crate) fn nlerp(self, to: Self, alpha: f64) -> Self {
        let t = alpha as f32;
        if !(t > 0.0) {
            return self;
        }
        if t >= ARRIVED {
            return to;
        }
        self.nlerp_on(to, &NlerpWeights::new(alpha))
    }

    // [`Blend::blend`] with the frame's weights computed once. Alpha 0 and 1 are the caller's: the ends
    // keep their own bits, while this would bring them to unit length. Public for the Bevy plugin.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn nlerp_on(self, to: Self, weights: &NlerpWeights) -> Self {
        let (b, d) = self.near(to);
        let u = weights.share(d);
        let way = [self.x - b.x, self.y - b.y, self.z - b.z, self.w - b.w];
        let x = self.x - way[0] * u;
        let y = self.y - way[1] * u;
        let z = self.z - way[2] * u;
        let w = self.w - way[3] * u;
        // The same rotation, perhaps as the opposite quaternion: it keeps its bits, whatever its length.
        if way == [0.0; 4] {
            return if u.is_finite() { Self { x, y, z, w } } else { self };
        }
        let length2 = (x * x + y * y) + (z * z + w * w);
        // Two unit quaternions on one side of the sphere mix to 1/2 at least. Outside this range the input was
        // no rotation: the newer value, unchanged, does least harm.
        if !(length2 > 0.25 && length2 < 4.0) {
            return to;
        }
        let k = 1.0 / sqrt_f32(length2);
        Self { x: x * k, y: y * k, z: z * k, w: w * k }
    }
}

impl core::ops::Mul for Rotation {
    type Output = Self;

    /// Returns the rotation that turns first by `other`, then by `self` (the usual quaternion product).
    ///
    /// ```
    /// use portamento::blend::Rotation;
    /// let yaw = Rotation::from_axis_angle([0.0, 0.0, 1.0], std::f32::consts::FRAC_PI_2);
    /// let pitch = Rotation::from_axis_angle([1.0, 0.0, 0.0], std::f32::consts::FRAC_PI_2);
    /// let up = (yaw * pitch).rotate([0.0, 1.0, 0.0]); // pitched up, which a yaw leaves there
    /// assert!((up[2] - 1.0).abs() < 1e-6);
    /// ```
    #[inline]
    fn mul(self, other: Self) -> Self {
        Rotation::mul(self, other)
    }
}

impl Blend for Rotation {
    #[inline]
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        self.nlerp(*to, alpha)
    }

    #[inline]
    fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
        if self == to {
            return *to; // at rest the product's rounding would change bits
        }
        let turn = to.mul(self.inverse()).to_rotation_vector();
        let further = Self::from_rotation_vector(turn.map(|c| c * beyond));
        // Rounding grows with every product; one normalisation keeps the view a rotation.
        Self::from_xyzw(further.mul(*to).to_array()).unwrap_or(*to)
    }

    #[inline]
    fn rests(&self, to: &Self) -> bool {
        self.to_array().rests(&to.to_array())
    }
}

impl From<[f32; 4]> for Rotation {
    /// `[x, y, z, w]` as they are; [`Rotation::from_xyzw`] brings them to unit length.
    fn from([x, y, z, w]: [f32; 4]) -> Self {
        Rotation { x, y, z, w }
    }
}

impl From<Rotation> for [f32; 4] {
    fn from(r: Rotation) -> Self {
        r.to_array()
    }
}
