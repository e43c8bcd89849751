//! Times at which frames are displayed.

use super::Random;

/// Frames at an even rate, the first at `from`, none after `to`.
pub fn even_frames(rate: f64, from: f64, to: f64) -> Vec<f64> {
    (0..).map(|k| from + f64::from(k) / rate).take_while(|&t| t <= to).collect()
}

/// Frames whose intervals vary evenly by up to `share` of an interval either way.
pub fn jittered_frames(rate: f64, share: f64, from: f64, to: f64, random: &mut Random) -> Vec<f64> {
    let mut now = from;
    let mut frames = Vec::new();
    while now <= to {
        frames.push(now);
        now += (1.0 + random.between(-share, share)) / rate;
    }
    frames
}

/// Frames with recorded intervals (seconds), begun anew when the recording is over. The first frame comes one
/// interval after `from`.
pub fn frames_from_intervals(intervals: &[f64], from: f64, to: f64) -> Vec<f64> {
    let mut now = from;
    let mut frames = Vec::new();
    for interval in intervals.iter().filter(|i| **i > 0.0).cycle() {
        now += interval;
        if now > to {
            break;
        }
        frames.push(now);
    }
    frames
}
