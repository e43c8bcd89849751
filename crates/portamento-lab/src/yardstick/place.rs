//! What can be measured: a place in space, or a turn.
//!
//! Every figure needs only two operations, so that positions and rotations share one measuring code:
//! the difference of two places as a vector, and a place moved by a vector. For a turn the vector is the
//! rotation vector in world axes, so its length is the angle in radians.

/// Three numbers with a length: a difference of places, a speed, an error.
pub type Vector = [f64; 3];

/// Something that moves and whose motion can be measured.
pub trait Place: Copy + PartialEq + std::fmt::Debug {
    /// The vector that leads from `from` to `self`.
    fn minus(self, from: Self) -> Vector;
    /// This place moved by a vector. Adding zero gives exactly the same place.
    fn plus(self, by: Vector) -> Self;
    /// How far apart two places are: units for positions, radians for turns.
    fn distance(self, other: Self) -> f64 {
        length(self.minus(other))
    }
    /// The place a share `t` of the way to `to`; beyond 0..=1 it continues.
    fn toward(self, to: Self, t: f64) -> Self {
        self.plus(scale(to.minus(self), t))
    }
    /// The cubic through `self` and `to` with the given velocities (per second) over `span` seconds.
    fn hermite(self, velocity: Vector, to: Self, velocity_to: Vector, span: f64, t: f64) -> Self {
        let (t2, t3) = (t * t, t * t * t);
        let chord = scale(to.minus(self), 3.0 * t2 - 2.0 * t3);
        let start = scale(velocity, span * (t3 - 2.0 * t2 + t));
        let end = scale(velocity_to, span * (t3 - t2));
        self.plus(add(chord, add(start, end)))
    }
}

impl Place for [f64; 3] {
    fn minus(self, from: Self) -> Vector {
        [self[0] - from[0], self[1] - from[1], self[2] - from[2]]
    }
    fn plus(self, by: Vector) -> Self {
        add(self, by)
    }
}

/// A rotation as a unit quaternion `[x, y, z, w]`; `q` and `-q` are the same turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn(pub [f64; 4]);

impl Turn {
    /// No turn at all.
    pub const IDENTITY: Turn = Turn([0.0, 0.0, 0.0, 1.0]);

    /// The turn of unit length along this quaternion, or `None` when it is zero or not finite.
    pub fn normalized(q: [f64; 4]) -> Option<Turn> {
        let square: f64 = q.iter().map(|c| c * c).sum();
        (square.is_finite() && square > 1e-18).then(|| Turn(q.map(|c| c / square.sqrt())))
    }

    /// The turn by the length of `v` (radians) about `v`.
    pub fn from_vector(v: Vector) -> Turn {
        let angle = length(v);
        if angle == 0.0 {
            return Turn::IDENTITY;
        }
        let s = libm::sin(angle / 2.0) / angle;
        Turn([v[0] * s, v[1] * s, v[2] * s, libm::cos(angle / 2.0)])
    }

    fn times(self, b: Turn) -> Turn {
        let ([ax, ay, az, aw], [bx, by, bz, bw]) = (self.0, b.0);
        Turn([
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ])
    }
}

impl Place for Turn {
    fn minus(self, from: Self) -> Vector {
        if self == from {
            return [0.0; 3]; // what rests must not seem to creep by rounding
        }
        let [x, y, z, w] = from.0;
        let mut d = self.times(Turn([-x, -y, -z, w])).0;
        if d[3] < 0.0 {
            d = d.map(|c| -c); // the shorter way round
        }
        let sine = length([d[0], d[1], d[2]]);
        // atan2 keeps its accuracy for tiny angles, where acos has none.
        let per_sine = if sine < 1e-12 { 2.0 } else { 2.0 * libm::atan2(sine, d[3]) / sine };
        [d[0] * per_sine, d[1] * per_sine, d[2] * per_sine]
    }
    fn plus(self, by: Vector) -> Self {
        if by == [0.0; 3] {
            return self;
        }
        Turn::normalized(Turn::from_vector(by).times(self).0).unwrap_or(self)
    }
}

/// Sum of two vectors.
pub fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Difference of two vectors.
pub fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A vector times a number.
pub fn scale(a: Vector, by: f64) -> Vector {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// Scalar product.
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Length of a vector.
pub fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_moved_by_the_difference_is_the_other_turn() {
        let a = Turn::from_vector([0.3, -0.2, 0.9]);
        let b = Turn::from_vector([-1.1, 0.4, 0.2]);
        assert!(a.plus(b.minus(a)).distance(b) < 1e-12);
        assert!((a.toward(b, 0.25).distance(a) - a.distance(b) / 4.0).abs() < 1e-12);
    }

    #[test]
    fn the_sign_of_a_quaternion_means_nothing() {
        let a = Turn::from_vector([0.3, -0.2, 0.9]);
        assert!(a.distance(Turn(a.0.map(|c| -c))) < 1e-15);
    }

    #[test]
    fn a_hermite_of_uniform_motion_is_uniform() {
        let v = [2.0, 0.0, -1.0];
        let p = [1.0, 1.0, 1.0].hermite(v, [2.0, 1.0, 0.5], v, 0.5, 0.3);
        assert!(p.distance([1.3, 1.0, 0.85]) < 1e-12);
    }
}
