mod chase;
mod follow;

use proptest::prelude::*;

/// Uneven frame times around `mean`, the same in every run.
fn jittered(mean: f64, by: f64, count: usize) -> impl Iterator<Item = f64> {
    let mut seed = 1u64;
    (0..count).map(move |_| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let unit = (seed >> 11) as f64 / (1u64 << 53) as f64;
        mean * (1.0 + by * (2.0 * unit - 1.0))
    })
}

/// How far the values reach from least to most, largest over the components.
fn spread<const N: usize>(values: &[[f64; N]]) -> f64 {
    (0..N)
        .map(|i| {
            let of = |pick: fn(f64, f64) -> f64| values.iter().map(|v| v[i]).reduce(pick).unwrap_or(0.0);
            of(f64::max) - of(f64::min)
        })
        .fold(0.0, f64::max)
}

/// Numbers of all sizes, with the largest, the smallest, NaN and the infinities.
fn extreme() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1000.0..1000.0f64,
        2 => 0.0..0.1f64,
        2 => any::<f64>(),
        2 => prop::sample::select(&[
            0.0, -0.0, f64::MAX, f64::MIN, 1e307, -1e307, 1e154, f64::MIN_POSITIVE, 5e-324, f64::NAN, f64::INFINITY,
            f64::NEG_INFINITY,
        ][..]),
    ]
}
