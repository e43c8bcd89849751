//! What must hold after every call?

use portamento::blend::{OffsetSize, Pose, Pose2, Pose64, Rotation, Turn};

/// Whether all numbers of a value are finite.
pub trait Finite {
    /// Whether all numbers of it are finite.
    fn finite(&self) -> bool;
}

impl Finite for f32 {
    fn finite(&self) -> bool {
        self.is_finite()
    }
}

impl Finite for f64 {
    fn finite(&self) -> bool {
        self.is_finite()
    }
}

impl<T: Finite, const N: usize> Finite for [T; N] {
    fn finite(&self) -> bool {
        self.iter().all(T::finite)
    }
}

impl<T: Finite> Finite for Option<T> {
    fn finite(&self) -> bool {
        self.as_ref().is_none_or(T::finite)
    }
}

impl Finite for Rotation {
    fn finite(&self) -> bool {
        self.to_array().finite()
    }
}

impl Finite for Turn {
    fn finite(&self) -> bool {
        self.z.is_finite() && self.w.is_finite()
    }
}

impl Finite for OffsetSize {
    fn finite(&self) -> bool {
        self.length.is_finite() && self.angle.is_finite()
    }
}

impl Finite for Pose {
    fn finite(&self) -> bool {
        self.position.finite() && self.rotation.finite()
    }
}

impl Finite for Pose64 {
    fn finite(&self) -> bool {
        self.position.finite() && self.rotation.finite()
    }
}

impl Finite for Pose2 {
    fn finite(&self) -> bool {
        self.position.finite() && self.turn.finite()
    }
}

/// Panics if a number of `value` is not finite.
#[track_caller]
pub fn finite<T: Finite + std::fmt::Debug>(value: &T) {
    assert!(value.finite(), "not finite: {value:?}");
}
