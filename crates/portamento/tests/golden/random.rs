//! Random numbers that are the same everywhere.

use portamento::blend::Rotation;

/// splitmix64.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    /// Within 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Within -size..size.
    pub fn within(&mut self, size: f32) -> f32 {
        ((self.unit() * 2.0 - 1.0) * size as f64) as f32
    }

    pub fn rotation(&mut self) -> Rotation {
        loop {
            if let Some(q) = Rotation::from_xyzw(core::array::from_fn(|_| self.within(1.0))) {
                return q;
            }
        }
    }
}
