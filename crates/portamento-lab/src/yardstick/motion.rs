//! What really happened: a motion as samples over time, with the moments at which it was cut.

use super::place::Place;

/// One sample of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<P> {
    /// When, in seconds.
    pub time: f64,
    /// Where.
    pub place: P,
    /// True when the motion jumped here from the sample before: nothing between the two was ever true.
    pub cut: bool,
}

/// The true motion g(t): straight between samples, the older place held until a cut happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion<P> {
    samples: Vec<Sample<P>>,
    cuts: Vec<f64>,
}

impl<P: Place> Motion<P> {
    /// A motion through these samples.
    ///
    /// # Panics
    /// When there is no sample, or a time is not finite or not later than the one before: every reader
    /// and generator of this crate has refused such input before.
    pub fn new(samples: Vec<Sample<P>>) -> Self {
        assert!(!samples.is_empty(), "a motion needs at least one sample");
        for pair in samples.windows(2) {
            assert!(
                pair[0].time < pair[1].time && pair[1].time.is_finite(),
                "sample times must rise: {} follows {}",
                pair[1].time,
                pair[0].time
            );
        }
        let cuts = samples.iter().skip(1).filter(|s| s.cut).map(|s| s.time).collect();
        Self { samples, cuts }
    }

    /// A motion given by a function, sampled `rate` times per second over `seconds`; it has no cuts.
    pub fn sampled(seconds: f64, rate: f64, place: impl Fn(f64) -> P) -> Self {
        let count = (seconds * rate).ceil() as usize;
        let sample = |k: usize| {
            let time = k as f64 / rate;
            Sample { time, place: place(time), cut: false }
        };
        Self::new((0..=count).map(sample).collect())
    }

    /// The samples, oldest first.
    pub fn samples(&self) -> &[Sample<P>] {
        &self.samples
    }

    /// When the motion was cut.
    pub fn cuts(&self) -> &[f64] {
        &self.cuts
    }

    /// How many cuts lie at or before `time`: what a sender would put into its messages as epoch.
    pub fn epoch(&self, time: f64) -> u32 {
        self.cuts.partition_point(|&cut| cut <= time) as u32
    }

    /// The first sample's time.
    pub fn start(&self) -> f64 {
        self.samples[0].time
    }

    /// The last sample's time.
    pub fn end(&self) -> f64 {
        self.samples[self.samples.len() - 1].time
    }

    /// The true place at a time; held before the first and after the last sample.
    pub fn at(&self, time: f64) -> P {
        self.reader().at(time)
    }

    /// Reads many moments; fast when they rise.
    pub fn reader(&self) -> Reader<'_, P> {
        Reader { samples: &self.samples, after: 0 }
    }

    /// Positions of the samples with `from <= time <= to`, widened by the interpolated ends, as pieces
    /// that no cut crosses. Calls `piece` with each straight segment.
    pub(crate) fn segments(&self, from: f64, to: f64, mut piece: impl FnMut(P, P)) {
        let mut reader = self.reader();
        let first = self.samples.partition_point(|s| s.time <= from);
        let mut last = reader.at(from);
        for sample in self.samples[first..].iter().take_while(|s| s.time < to) {
            if sample.cut {
                piece(last, last);
            } else {
                piece(last, sample.place);
            }
            last = sample.place;
        }
        piece(last, reader.at(to.max(from)));
    }
}

/// Reads a motion at many times, remembering where it was.
#[derive(Clone, Debug)]
pub struct Reader<'a, P> {
    samples: &'a [Sample<P>],
    after: usize,
}

impl<P: Place> Reader<'_, P> {
    /// The true place at a time.
    pub fn at(&mut self, time: f64) -> P {
        // `after` is the first sample later than `time`; frames move it by a step or two.
        let near = (self.after == 0 || self.samples[self.after - 1].time <= time)
            && self.samples.get(self.after + 2).is_none_or(|s| s.time > time);
        if near {
            while self.samples.get(self.after).is_some_and(|s| s.time <= time) {
                self.after += 1;
            }
        } else {
            self.after = self.samples.partition_point(|s| s.time <= time);
        }
        match (self.after.checked_sub(1).map(|i| self.samples[i]), self.samples.get(self.after)) {
            (None, Some(first)) => first.place,
            (Some(old), None) => old.place,
            (Some(old), Some(new)) if new.cut => old.place,
            (Some(old), Some(new)) => old.place.toward(new.place, (time - old.time) / (new.time - old.time)),
            (None, None) => unreachable!("a motion has at least one sample"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jump() -> Motion<[f64; 3]> {
        let sample = |time: f64, x: f64, cut| Sample { time, place: [x, 0.0, 0.0], cut };
        Motion::new(vec![
            sample(0.0, 0.0, false),
            sample(1.0, 2.0, false),
            sample(2.0, 100.0, true),
            sample(3.0, 101.0, false),
        ])
    }

    #[test]
    fn between_samples_it_is_straight_and_before_a_cut_it_holds() {
        let motion = jump();
        for (time, x) in [
            (-1.0, 0.0),
            (0.0, 0.0),
            (0.25, 0.5),
            (1.0, 2.0),
            (1.999, 2.0),
            (2.0, 100.0),
            (2.5, 100.5),
            (9.0, 101.0),
        ] {
            assert_eq!(motion.at(time)[0], x, "at {time}");
        }
        assert_eq!(motion.cuts(), [2.0]);
        assert_eq!((motion.epoch(1.9), motion.epoch(2.0)), (0, 1));
    }

    #[test]
    fn a_reader_gives_the_same_in_any_order() {
        let motion = Motion::sampled(3.0, 50.0, |t| [t * t, -t, 1.0]);
        let mut reader = motion.reader();
        for time in [0.1, 0.11, 2.9, 0.0, 5.0, 1.5, -3.0, 1.501, 1.52, 1.6] {
            assert_eq!(reader.at(time), motion.at(time), "at {time}");
        }
    }

    #[test]
    fn no_segment_crosses_a_cut() {
        let mut longest: f64 = 0.0;
        jump().segments(0.5, 2.5, |a, b| longest = longest.max(a.distance(b)));
        assert_eq!(longest, 1.0);
    }
}
