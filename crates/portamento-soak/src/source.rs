//! Where do a driver's decisions come from?

/// Bytes that decide what a driver does: from a fuzzer, or from a seed. When they have run out, every answer is zero.
#[derive(Clone, Debug)]
pub struct Source<'a>(From<'a>);

#[derive(Clone, Debug)]
enum From<'a> {
    Bytes(&'a [u8]),
    Seed { state: u64, left: usize },
}

/// Numbers that break careless arithmetic.
const ODD: [f64; 48] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    0.05,
    0.1,
    0.2,
    0.25,
    1.0 / 30.0,
    1.0 / 60.0,
    1.0 / 144.0,
    20.0,
    60.0,
    1e-12,
    1e-9,
    1e-6,
    -1e-6,
    1e3,
    1e6,
    -1e6,
    1e9,
    -1e9,
    1e15,
    -1e15,
    9.007_199_254_740_993e15,
    1.8e19,
    2e38,
    -3.4e38,
    1e100,
    1e150,
    -1e150,
    1e200,
    1e300,
    -1e300,
    1e308,
    5e-324,
    -5e-324,
    1e-300,
    1e-160,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::MIN,
    f64::EPSILON,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

impl<'a> Source<'a> {
    /// A source that ends with `bytes`.
    #[must_use]
    pub fn bytes(bytes: &'a [u8]) -> Self {
        Self(From::Bytes(bytes))
    }

    /// A source of `decisions` decisions that are the same for the same seed.
    #[must_use]
    pub fn seed(seed: u64, decisions: usize) -> Self {
        Self(From::Seed { state: mixed(seed) | 1, left: decisions })
    }

    /// Whether there is nothing left to decide.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            From::Bytes(bytes) => bytes.is_empty(),
            From::Seed { left, .. } => *left == 0,
        }
    }

    /// `N` bytes.
    fn take<const N: usize>(&mut self) -> [u8; N] {
        const { assert!(N <= 8, "a decision of a seed has eight bytes") };
        let mut taken = [0; N];
        match &mut self.0 {
            From::Bytes(bytes) => {
                let (now, later) = bytes.split_at(N.min(bytes.len()));
                taken[..now.len()].copy_from_slice(now);
                *bytes = later;
            }
            From::Seed { state, left } if *left > 0 => {
                *left -= 1;
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                // The low bits of the generator are its worst.
                taken.copy_from_slice(&state.wrapping_mul(0x2545_f491_4f6c_dd1d).to_be_bytes()[..N]);
            }
            From::Seed { .. } => {}
        }
        taken
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        self.take::<1>()[0]
    }

    /// True once in `n` times, about.
    pub fn one_in(&mut self, n: u8) -> bool {
        self.byte() < (256 / u16::from(n)) as u8
    }

    /// True or false.
    pub fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// One of the first `n` numbers, at most 65536 of them.
    pub fn below(&mut self, n: usize) -> usize {
        if n <= 256 {
            usize::from(self.byte()) * n / 256
        } else {
            usize::from(u16::from_le_bytes(self.take())) * n / 65536
        }
    }

    /// One of `list`.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Any bits.
    pub fn bits(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    /// From 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        f64::from(u32::from_le_bytes(self.take())) / 4_294_967_296.0
    }

    /// Any number at all, the odd ones often.
    pub fn number(&mut self) -> f64 {
        match self.byte() {
            0..=95 => self.of(&ODD),
            96..=119 => f64::from_bits(self.bits()),
            120..=151 => powi10(self.below(41) as i32 - 20) * (1.0 + self.unit()),
            _ => self.unit() * 4.0 - 2.0,
        }
    }

    /// Any number that is finite.
    pub fn finite(&mut self) -> f64 {
        let number = self.number();
        if number.is_finite() { number } else { 1.0 }
    }

    /// Usually `usual`, now and then anything.
    pub fn mostly(&mut self, usual: f64) -> f64 {
        if self.one_in(8) { self.number() } else { usual }
    }

    /// A coordinate: mostly of a game's world, now and then one that is finite and odd.
    pub fn place(&mut self) -> f64 {
        if self.one_in(12) { self.finite() } else { self.unit() * 200.0 - 100.0 }
    }

    /// Three coordinates.
    pub fn place3(&mut self) -> [f64; 3] {
        [self.place(), self.place(), self.place()]
    }

    /// Rests of a byte source, for drivers that read text.
    #[must_use]
    pub fn rest(&self) -> Option<&'a [u8]> {
        match self.0 {
            From::Bytes(bytes) => Some(bytes),
            From::Seed { .. } => None,
        }
    }
}

fn powi10(exponent: i32) -> f64 {
    10f64.powi(exponent)
}

/// Seeds that are near each other give sources that are not.
#[must_use]
pub fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
