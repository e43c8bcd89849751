//! A small generator of random numbers (SplitMix64), so that a seed means the same on every machine.

/// Random numbers from a seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed; different seeds give unrelated numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Normally distributed (Box and Muller).
    pub fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        mean + deviation * radius * libm::cos(2.0 * std::f64::consts::PI * self.unit())
    }

    /// Exponentially distributed.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yardstick::statistics::{deviation, mean};

    #[test]
    fn normal_numbers_have_their_mean_and_deviation() {
        let mut random = Random::new(7);
        let values: Vec<f64> = (0..20_000).map(|_| random.normal(3.0, 2.0)).collect();
        assert!((mean(&values).unwrap() - 3.0).abs() < 0.05);
        assert!((deviation(&values).unwrap() - 2.0).abs() < 0.05);
    }

    #[test]
    fn a_seed_means_the_same_numbers() {
        let mut random = Random::new(1);
        assert_eq!(random.bits(), 0x910A_2DEC_8902_5CC1);
        assert_eq!(Random::new(9).unit(), Random::new(9).unit());
    }
}
