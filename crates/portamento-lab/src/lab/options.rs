//! What a user of the lab can choose.

use crate::synthetic::{Random, even_frames, frames_from_intervals, jittered_frames};
use crate::traces::{AnyMotion, Network};

/// The choices of a run. The default is the built-in tour.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where all randomness comes from.
    pub seed: u64,
    /// Length of each built-in case.
    pub seconds: f64,
    /// Ticks or messages per second, instead of each case's own.
    pub tick_rate: Option<f64>,
    /// Frames per second, instead of each case's own.
    pub frame_rate: Option<f64>,
    /// Recorded frame intervals in seconds, instead of each case's own.
    pub intervals: Option<Vec<f64>>,
    /// Recorded motions with their names.
    pub motions: Vec<(String, AnyMotion)>,
    /// Recorded links with their names.
    pub networks: Vec<(String, Network)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 1,
            seconds: 30.0,
            tick_rate: None,
            frame_rate: None,
            intervals: None,
            motions: Vec::new(),
            networks: Vec::new(),
        }
    }
}

impl Options {
    /// Random numbers for one purpose, unrelated to those of another.
    pub(super) fn random(&self, purpose: &str) -> Random {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64 ^ self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for byte in purpose.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        Random::new(hash)
    }

    /// Display times of a case that would by itself run at `rate`.
    pub(super) fn frames(&self, rate: f64, from: f64, to: f64) -> Vec<f64> {
        match &self.intervals {
            Some(intervals) => frames_from_intervals(intervals, from, to),
            None => even_frames(self.frame_rate.unwrap_or(rate), from, to),
        }
    }

    /// The same with intervals that vary by up to `share` of one, unless they were recorded.
    pub(super) fn jittered_frames(&self, rate: f64, share: f64, name: &str) -> Vec<f64> {
        match &self.intervals {
            Some(intervals) => frames_from_intervals(intervals, 0.0, self.seconds),
            None => jittered_frames(rate, share, 0.0, self.seconds, &mut self.random(name)),
        }
    }

    /// The tick rate of a case that would by itself run at `own`.
    pub(super) fn tick_rate(&self, own: f64) -> f64 {
        self.tick_rate.unwrap_or(own)
    }

    /// The frame rate of a case that would by itself run at `own`; none (0) where a recording decides.
    pub(super) fn frame_rate(&self, own: f64) -> f64 {
        if self.intervals.is_some() { 0.0 } else { self.frame_rate.unwrap_or(own) }
    }

    /// How a case's frames are called: "144 frames/s" or "recorded frames".
    pub(super) fn frames_name(&self, rate: f64) -> String {
        match &self.intervals {
            Some(_) => "recorded frames".to_owned(),
            None => format!("{} frames/s", self.frame_rate.unwrap_or(rate)),
        }
    }
}
