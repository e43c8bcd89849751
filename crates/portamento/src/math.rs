//! What `core` lacks, in one written order of arithmetic.
//!
//! `core` has no square root, exponential or trigonometry, and std's differ from platform to platform.
//! Everything here is built from IEEE `+ - * /` and the square root, all of which are correctly rounded
//! everywhere, so the same input gives the same bits on every machine. Accuracy is a few units in the last
//! place: far below what a picture shows, and the tests below hold it.

use core::f64::consts::{FRAC_PI_2, LN_2, PI};

/// Square root. IEEE demands the correctly rounded result, so std's and all others agree bit for bit.
#[inline(always)]
pub(crate) fn sqrt_f32(x: f32) -> f32 {
    #[cfg(feature = "std")]
    return x.sqrt();
    // The processor's own, which `core` only has for vectors; compilers make whole vectors of it again.
    #[cfg(all(not(feature = "std"), target_feature = "simd128"))]
    return {
        use core::arch::wasm32::{f32x4_extract_lane, f32x4_splat, f32x4_sqrt};
        f32x4_extract_lane::<0>(f32x4_sqrt(f32x4_splat(x)))
    };
    #[cfg(not(any(feature = "std", target_feature = "simd128")))]
    return libm::sqrtf(x);
}

/// Square root in double precision; see [`sqrt_f32`].
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(all(not(feature = "std"), target_feature = "simd128"))]
    return {
        use core::arch::wasm32::{f64x2_extract_lane, f64x2_splat, f64x2_sqrt};
        f64x2_extract_lane::<0>(f64x2_sqrt(f64x2_splat(x)))
    };
    #[cfg(not(any(feature = "std", target_feature = "simd128")))]
    return libm::sqrt(x);
}

/// Largest whole number not above `x`. Beyond 2^52 every f64 is whole already.
#[inline]
pub(crate) fn floor(x: f64) -> f64 {
    if x.abs() < 4_503_599_627_370_496.0 {
        let whole = x as i64 as f64;
        if whole > x { whole - 1.0 } else { whole }
    } else {
        x
    }
}

/// Nearest whole number, halves upwards.
#[inline]
pub(crate) fn round(x: f64) -> f64 {
    floor(x + 0.5)
}

/// e to the x. 0 below -745, infinite above 710, NaN for NaN.
pub(crate) fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 710.0 {
        return f64::INFINITY;
    }
    if x < -745.0 {
        return 0.0;
    }
    // x = k ln2 + r with |r| <= ln2 / 2. ln2 in two parts, the first with zeros at the end, so that k * HIGH
    // is exact.
    const HIGH: f64 = 6.931_471_803_691_238e-1;
    const LOW: f64 = 1.908_214_929_270_587_7e-10;
    let k = round(x / LN_2);
    let r = (x - k * HIGH) - k * LOW;
    // Taylor to degree 13: the next term is below 1e-17.
    let mut sum = 1.0;
    let mut n = 13.0;
    while n > 0.0 {
        sum = 1.0 + r * sum / n;
        n -= 1.0;
    }
    // In two halves, because 2^k alone leaves the range of normal numbers before e^x does.
    let half = k as i32 / 2;
    sum * power_of_two(half) * power_of_two(k as i32 - half)
}

/// 2 to the `k` for `k` within -1022..=1023.
fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// `1 - exp(-x)` for `x >= 0`, without losing digits when `x` is small.
pub(crate) fn one_minus_exp_neg(x: f64) -> f64 {
    if x < 0.05 {
        // Taylor of -expm1(-x): the next term is below 1e-17 of the first.
        let mut sum = 1.0;
        let mut n = 11.0;
        while n > 1.0 {
            sum = 1.0 - x * sum / n;
            n -= 1.0;
        }
        x * sum
    } else {
        1.0 - exp(-x)
    }
}

/// Natural logarithm. Minus infinity for 0, NaN for negatives and NaN.
pub(crate) fn ln(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if !(x > 0.0) {
        return f64::NAN;
    }
    if x == f64::INFINITY {
        return x;
    }
    // x = m 2^k with m within 1/sqrt(2)..sqrt(2). Subnormals are scaled into the normal range first.
    let (scaled, shift) = if x < f64::MIN_POSITIVE { (x * power_of_two(64), 64) } else { (x, 0) };
    let bits = scaled.to_bits();
    let mut k = (bits >> 52) as i32 - 1023 - shift;
    let mut m = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    if m > core::f64::consts::SQRT_2 {
        m /= 2.0;
        k += 1;
    }
    // ln m = 2 artanh s; s stays below 0.172, where 11 terms reach the last place.
    let s = (m - 1.0) / (m + 1.0);
    let s2 = s * s;
    let mut sum = 0.0;
    let mut n = 23.0;
    while n > 0.0 {
        sum = 1.0 / n + s2 * sum;
        n -= 2.0;
    }
    k as f64 * LN_2 + 2.0 * s * sum
}

/// Sine and cosine. Full accuracy for |x| up to a million turns. Beyond 1e15 an f64 no longer says where on the
/// circle it is: that, and what is not finite, counts as 0.
pub(crate) fn sin_cos(x: f64) -> (f64, f64) {
    if !(x.abs() < 1e15) {
        return (0.0, 1.0);
    }
    // pi/2 in three parts, the first two with 33 significant bits, so that their multiples are exact.
    const P1: f64 = 1.570_796_326_734_125_6;
    const P2: f64 = 6.077_100_506_303_966e-11;
    const P3: f64 = 2.022_266_248_795_950_7e-21;
    let quarter = round(x / FRAC_PI_2);
    let r = ((x - quarter * P1) - quarter * P2) - quarter * P3;
    let r2 = r * r;
    let (mut s, mut c) = (1.0, 1.0);
    let mut n = 16.0;
    while n > 1.0 {
        c = 1.0 - r2 * c / (n * (n - 1.0));
        s = 1.0 - r2 * s / (n * (n + 1.0));
        n -= 2.0;
    }
    let s = r * s;
    match (quarter as i64).rem_euclid(4) {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// The angle of the point (x, y), within -pi..=pi; 0 at the origin.
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    let (ax, ay) = (x.abs(), y.abs());
    if ax == 0.0 && ay == 0.0 {
        return 0.0;
    }
    let (small, large) = if ax > ay { (ay, ax) } else { (ax, ay) };
    // Halving the angle twice brings it below pi/16, where the series is short.
    let z = if large.is_infinite() { if small.is_infinite() { 1.0 } else { 0.0 } } else { small / large };
    let z = z / (1.0 + sqrt(1.0 + z * z));
    let z = z / (1.0 + sqrt(1.0 + z * z));
    let z2 = z * z;
    let mut sum = 0.0;
    let mut n = 23.0;
    while n > 0.0 {
        sum = 1.0 / n - z2 * sum;
        n -= 2.0;
    }
    let octant = 4.0 * z * sum;
    let quadrant = if ax > ay { octant } else { FRAC_PI_2 - octant };
    let half = if x < 0.0 { PI - quadrant } else { quadrant };
    if y < 0.0 { -half } else { half }
}

/// `angle` brought within -pi..=pi.
pub(crate) fn wrap_angle(angle: f64) -> f64 {
    const TURN: f64 = 2.0 * PI;
    if angle.abs() <= PI {
        return angle;
    }
    let turns = round(angle / TURN);
    let wrapped = angle - turns * TURN;
    if wrapped.is_finite() { wrapped.clamp(-PI, PI) } else { 0.0 }
}

/// Length of a vector, without overflow on the way: `sqrt(sum of squares)` scaled by the largest component.
pub(crate) fn length<const N: usize>(v: [f64; N]) -> f64 {
    let sum = v.iter().fold(0.0, |sum, c| sum + c * c);
    if (1e-280..1e280).contains(&sum) {
        return sqrt(sum);
    }
    let largest = v.iter().fold(0.0, |m: f64, c| if c.abs() > m { c.abs() } else { m });
    if largest == 0.0 || !largest.is_finite() {
        return if sum.is_nan() { sum } else { largest };
    }
    let scaled = v.iter().fold(0.0, |sum, c| sum + (c / largest) * (c / largest));
    largest * sqrt(scaled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::FRAC_PI_4;

    /// Distance in units of the last place of `b`, for values away from zero.
    fn relative(a: f64, b: f64) -> f64 {
        if a == b { 0.0 } else { (a - b).abs() / b.abs().max(1e-300) }
    }

    #[test]
    fn exponential_agrees_with_std() {
        for i in -70_000..70_000 {
            let x = i as f64 * 0.01;
            assert!(relative(exp(x), x.exp()) < 1e-15, "{x}: {} {}", exp(x), x.exp());
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-1000.0), 0.0);
        assert_eq!(exp(f64::INFINITY), f64::INFINITY);
        assert!(exp(f64::NAN).is_nan());
    }

    #[test]
    fn one_minus_exp_keeps_the_digits_of_small_arguments() {
        for i in 0..200 {
            let x = 1e-12 * 1.2f64.powi(i);
            if x < 50.0 {
                assert!(relative(one_minus_exp_neg(x), -(-x).exp_m1()) < 1e-14, "{x}");
            }
        }
    }

    #[test]
    fn logarithm_agrees_with_std() {
        for i in 0..20_000 {
            for x in [1e-310 * 1.1f64.powi(i % 60), 1.0 + i as f64 * 1e-5, (i as f64 * 0.07 - 700.0).exp()] {
                assert!((ln(x) - x.ln()).abs() <= 3e-16 * x.ln().abs().max(1.0), "{x}: {} {}", ln(x), x.ln());
            }
        }
        assert_eq!((ln(1.0), ln(0.0), ln(f64::INFINITY)), (0.0, f64::NEG_INFINITY, f64::INFINITY));
        assert!(ln(-1.0).is_nan() && ln(f64::NAN).is_nan());
    }

    #[test]
    fn sine_and_cosine_agree_with_std() {
        for i in -100_000..100_000 {
            let x = i as f64 * 0.037;
            let (s, c) = sin_cos(x);
            assert!((s - x.sin()).abs() < 5e-16 && (c - x.cos()).abs() < 5e-16, "{x}");
        }
        assert_eq!(sin_cos(f64::NAN), (0.0, 1.0));
        assert_eq!(sin_cos(1e300), (0.0, 1.0));
    }

    #[test]
    fn arc_functions_agree_with_std() {
        for i in 0..20_000 {
            let (s, c) = (i as f64 * 0.001).sin_cos();
            assert!((atan2(s, c) - s.atan2(c)).abs() < 1e-15, "{i}");
        }
        assert_eq!(atan2(0.0, 0.0), 0.0);
        assert_eq!(atan2(0.0, 1.0), 0.0);
        assert_eq!(atan2(1.0, 0.0), FRAC_PI_2);
        assert!((atan2(1.0, 1.0) - FRAC_PI_4).abs() < 2e-16);
    }

    #[test]
    fn whole_numbers() {
        for (x, f, r) in
            [(1.5, 1.0, 2.0), (-1.5, -2.0, -1.0), (-0.2, -1.0, 0.0), (3.0, 3.0, 3.0), (1e300, 1e300, 1e300)]
        {
            assert_eq!((floor(x), round(x)), (f, r));
        }
    }

    #[test]
    fn angles_wrap() {
        assert!((wrap_angle(3.0 * PI / 2.0) + PI / 2.0).abs() < 1e-15);
        assert!((wrap_angle(-7.0 * PI) - PI).abs() < 1e-14 || (wrap_angle(-7.0 * PI) + PI).abs() < 1e-14);
        assert_eq!(wrap_angle(f64::INFINITY), 0.0);
    }

    #[test]
    fn length_survives_extremes() {
        assert!(relative(length([3e200, 4e200, 0.0]), 5e200) < 1e-15);
        assert!(relative(length([3e-200, 4e-200]), 5e-200) < 1e-15);
        assert_eq!(length([0.0; 3]), 0.0);
        assert!(length([f64::NAN, 1.0]).is_nan());
    }
}
