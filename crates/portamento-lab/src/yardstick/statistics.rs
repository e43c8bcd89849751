//! Small statistics, each in one place.

/// The value below which a share (0..=1) of the values lies, straight between neighbours; `None` if empty.
/// Values that are not numbers sort last.
pub fn percentile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let place = share.clamp(0.0, 1.0) * (values.len() - 1) as f64;
    let low = place.floor() as usize;
    let (_, &mut at, above) = values.select_nth_unstable_by(low, f64::total_cmp);
    let next = above.iter().copied().fold(f64::INFINITY, f64::min);
    let part = place - low as f64;
    Some(if part > 0.0 && next.is_finite() { at + (next - at) * part } else { at })
}

/// The arithmetic mean; `None` if empty.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The root of the mean square; `None` if empty.
pub fn rms(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| (values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64).sqrt())
}

/// The standard deviation over the whole population; `None` if empty.
pub fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    rms(&values.iter().map(|v| v - mean).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_lie_between_their_neighbours() {
        let values = vec![4.0, 1.0, 3.0, 2.0];
        for (share, want) in [(0.0, 1.0), (0.5, 2.5), (1.0, 4.0), (0.25, 1.75)] {
            assert_eq!(percentile(values.clone(), share), Some(want));
        }
        assert_eq!(percentile(vec![], 0.5), None);
    }

    #[test]
    fn deviation_and_rms_of_known_values() {
        assert_eq!(deviation(&[1.0, 3.0]), Some(1.0));
        assert_eq!(rms(&[3.0, 4.0, 0.0, 0.0]), Some(2.5));
    }
}
