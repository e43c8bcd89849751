//! How rough is a signal? Spectrum, spectral arc length and log dimensionless jerk.
//!
//! The two figures come from movement science (Balasubramanian et al. 2012, 2015; Hogan and Sternad 2009):
//! they use the drawn speed alone and need no truth. They rank reaching movements of a hand; beside a
//! truth, judder says more.

/// Magnitudes of the discrete Fourier transform of `signal` padded with zeros to `size` (a power of two):
/// entries 0..=size/2.
pub fn magnitudes(signal: &[f64], size: usize) -> Vec<f64> {
    assert!(
        size.is_power_of_two() && size >= signal.len(),
        "{size} must be a power of two, at least {}",
        signal.len()
    );
    let (mut re, mut im) = (vec![0.0; size], vec![0.0; size]);
    let shift = usize::BITS - size.trailing_zeros();
    for (i, &value) in signal.iter().enumerate() {
        let swapped = if size == 1 { 0 } else { i.reverse_bits() >> shift };
        re[swapped] = value;
    }
    let mut half = 1;
    while half < size {
        let turns: Vec<(f64, f64)> = (0..half)
            .map(|k| {
                let angle = -std::f64::consts::PI * k as f64 / half as f64;
                (libm::cos(angle), libm::sin(angle))
            })
            .collect();
        for block in (0..size).step_by(2 * half) {
            for (k, &(c, s)) in turns.iter().enumerate() {
                let (a, b) = (block + k, block + k + half);
                let (x, y) = (re[b] * c - im[b] * s, re[b] * s + im[b] * c);
                (re[b], im[b]) = (re[a] - x, im[a] - y);
                (re[a], im[a]) = (re[a] + x, im[a] + y);
            }
        }
        half *= 2;
    }
    (0..=size / 2).map(|i| (re[i] * re[i] + im[i] * im[i]).sqrt()).collect()
}

/// Spectral arc length of a speed sampled at `rate` Hz: the length of the normalised spectrum's curve up to
/// `cutoff` Hz (where it last exceeds a twentieth of its peak), negated; nearer to zero is smoother.
/// `None` when there is no motion to judge.
pub fn spectral_arc_length(speed: &[f64], rate: f64, cutoff: f64) -> Option<f64> {
    const THRESHOLD: f64 = 0.05;
    const PADDING: u32 = 4;
    if speed.len() < 4 {
        return None;
    }
    let size = speed.len().next_power_of_two() << PADDING;
    let spectrum = magnitudes(speed, size);
    let peak = spectrum.iter().fold(0.0_f64, |a, &b| a.max(b));
    if peak <= 0.0 {
        return None;
    }
    let step = rate / size as f64;
    let below = spectrum.iter().enumerate().take_while(|(i, _)| *i as f64 * step <= cutoff).count();
    let normal: Vec<f64> = spectrum[..below].iter().map(|m| m / peak).collect();
    let first = normal.iter().position(|&m| m >= THRESHOLD)?;
    let last = normal.iter().rposition(|&m| m >= THRESHOLD)?;
    let width = (last - first) as f64;
    let arc = normal[first..=last].windows(2).map(|pair| {
        let (along, up) = (1.0 / width, pair[1] - pair[0]);
        (along * along + up * up).sqrt()
    });
    Some(-arc.sum::<f64>())
}

/// Log dimensionless jerk of a speed sampled at `rate` Hz; nearer to zero is smoother.
/// `None` when there is no jerk at all (uniform motion) or nothing to judge.
pub fn log_dimensionless_jerk(speed: &[f64], rate: f64) -> Option<f64> {
    let peak = speed.iter().fold(0.0_f64, |a, &b| a.max(b.abs()));
    let seconds = speed.len() as f64 / rate;
    let jerk = |w: &[f64]| (w[2] - 2.0 * w[1] + w[0]) * rate * rate;
    let sum: f64 = speed.windows(3).map(|w| jerk(w) * jerk(w)).sum();
    let dimensionless = seconds * seconds * seconds / (peak * peak) * sum / rate;
    (dimensionless > 0.0 && dimensionless.is_finite()).then(|| -libm::log(dimensionless))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// v = exp(-5 t²), t = -1 to 0.99 in steps of 0.01.
    fn reach() -> Vec<f64> {
        (-100..100).map(|k| f64::from(k) / 100.0).map(|t| libm::exp(-5.0 * t * t)).collect()
    }

    #[test]
    fn the_spectral_arc_length_of_a_reach_is_the_published_one() {
        let arc = spectral_arc_length(&reach(), 100.0, 10.0).unwrap();
        assert!((arc - -1.41403).abs() < 1e-5, "{arc}");
    }

    #[test]
    fn the_log_dimensionless_jerk_of_a_reach_is_the_published_one() {
        let jerk = log_dimensionless_jerk(&reach(), 100.0).unwrap();
        assert!((jerk - -5.81636).abs() < 1e-5, "{jerk}");
    }

    #[test]
    fn the_fast_transform_agrees_with_the_sum_it_stands_for() {
        let signal: Vec<f64> = (0..23).map(|k| f64::from(k * k % 17) - 5.0).collect();
        let fast = magnitudes(&signal, 64);
        for (bin, got) in fast.iter().enumerate() {
            let (mut re, mut im) = (0.0, 0.0);
            for (n, v) in signal.iter().enumerate() {
                let angle = -2.0 * std::f64::consts::PI * (bin * n) as f64 / 64.0;
                re += v * libm::cos(angle);
                im += v * libm::sin(angle);
            }
            assert!((got - libm::hypot(re, im)).abs() < 1e-9, "bin {bin}");
        }
    }

    #[test]
    fn rest_has_no_figure() {
        assert_eq!(spectral_arc_length(&[0.0; 50], 100.0, 10.0), None);
        assert_eq!(log_dimensionless_jerk(&[3.0; 50], 100.0), None);
    }
}
