//! Which instructions does this processor have?
//!
//! The kernels are written once, in plain Rust. Here they are compiled for wider vectors than the baseline
//! demands, and the widest that the processor really has is chosen at run time. This is the only file of the
//! module with `unsafe` in it: calling a function that was compiled for instructions which might not exist, and
//! naming the few that compilers do not find by themselves.
#![allow(unsafe_code)]

/// The instruction set that the kernels are compiled for. All give the same bits; only their speed differs.
///
/// ```
/// use portamento::batch::internals::Kernel;
/// for kernel in Kernel::available() {
///     println!("{}", kernel.name());
/// }
/// assert_eq!(Kernel::available().last(), Some(Kernel::widest()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(Width);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Baseline,
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Avx2,
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Avx512,
}

/// Work that can be compiled for any width: `run` and all it calls must be `#[inline(always)]`, or it stays at
/// the baseline's.
pub(super) trait Job {
    fn run<I: Instructions>(self);
}

impl Kernel {
    /// What the crate itself was compiled for: SSE2 on x86-64, NEON on 64-bit ARM, SIMD128 on wasm when it is switched
    /// on. Always available, and the only one without the feature `std`.
    pub const BASELINE: Self = Self(Width::Baseline);

    /// Returns the kernels this processor can run, the widest last.
    pub fn available() -> impl Iterator<Item = Self> {
        [
            Some(Self::BASELINE),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            std::is_x86_feature_detected!("avx2").then_some(Self(Width::Avx2)),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            // AVX2 as well: a virtual machine may hide it, and the shuffles of the wide kernels are its.
            (std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx2"))
                .then_some(Self(Width::Avx512)),
        ]
        .into_iter()
        .flatten()
    }

    /// Returns the widest kernel this processor can run.
    #[must_use]
    pub fn widest() -> Self {
        Self::available().last().unwrap_or(Self::BASELINE)
    }

    /// Returns `avx512`, `avx2`, `sse2`, `neon`, `simd128` or `portable`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Width::Baseline if cfg!(target_feature = "simd128") => "simd128",
            Width::Baseline if cfg!(target_arch = "x86_64") => "sse2",
            Width::Baseline if cfg!(all(target_arch = "aarch64", target_feature = "neon")) => "neon",
            Width::Baseline => "portable",
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Width::Avx2 => "avx2",
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Width::Avx512 => "avx512",
        }
    }

    #[inline]
    pub(super) fn run(self, job: impl Job) {
        match self.0 {
            Width::Baseline => job.run::<Narrow>(),
            // SAFETY (both): only `available` makes these values, after it saw the instructions.
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Width::Avx2 => unsafe { avx2(job) },
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Width::Avx512 => unsafe { avx512(job) },
        }
    }
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[target_feature(enable = "avx2")]
fn avx2(job: impl Job) {
    job.run::<Wide>();
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[target_feature(enable = "avx512f")]
fn avx512(job: impl Job) {
    job.run::<Wide>();
}

/// What compilers do not find by themselves, or only with four times as many instructions as it takes.
pub trait Instructions {
    /// Whether eight numbers are written as one.
    const EIGHT_AT_ONCE: bool;

    /// Four rows of eight poses become four numbers of each: of pose `k` in the first half of column `k`, of pose
    /// `k + 4` in the second.
    fn columns(rows: [&[f32; 8]; 4]) -> [[f32; 8]; 4];

    /// The first halves of both side by side, and the second halves.
    #[inline(always)]
    fn side_by_side(left: &[f32; 8], right: &[f32; 8]) -> [[f32; 8]; 2] {
        let half = |start: usize| {
            core::array::from_fn(|i| if i < 4 { left[start + i] } else { right[start + i - 4] })
        };
        [half(0), half(4)]
    }

    /// Has the cache line of `place` fetched, which need not be a place that exists: it is never touched.
    #[inline(always)]
    fn fetch(place: *const f32) {
        // SAFETY: fetching in advance reads nothing and never faults, and SSE2 is part of x86-64.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(place.cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = place;
    }
}

/// With what every processor of the architecture has.
pub(super) struct Narrow;

impl Instructions for Narrow {
    const EIGHT_AT_ONCE: bool = false;

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn columns(rows: [&[f32; 8]; 4]) -> [[f32; 8]; 4] {
        use core::arch::x86_64::{__m128, _mm_movehl_ps, _mm_movelh_ps, _mm_unpackhi_ps, _mm_unpacklo_ps};
        // SAFETY: both types are floats in a row, any bits of which are valid, and SSE2 is part of x86-64.
        unsafe {
            let rows = rows.map(|row| core::mem::transmute::<[f32; 8], [__m128; 2]>(*row));
            let turn = |half: usize| {
                let [a, b, c, d] = rows.map(|row| row[half]);
                let (ab, ab_high) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
                let (cd, cd_high) = (_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
                [
                    _mm_movelh_ps(ab, cd),
                    _mm_movehl_ps(cd, ab),
                    _mm_movelh_ps(ab_high, cd_high),
                    _mm_movehl_ps(cd_high, ab_high),
                ]
            };
            let (first, second) = (turn(0), turn(1));
            core::array::from_fn(|k| core::mem::transmute::<[__m128; 2], [f32; 8]>([first[k], second[k]]))
        }
    }

    #[cfg(target_feature = "simd128")]
    #[inline(always)]
    fn columns(rows: [&[f32; 8]; 4]) -> [[f32; 8]; 4] {
        use core::arch::wasm32::{i32x4_shuffle as pick, v128};
        // SAFETY: both types are floats in a row, any bits of which are valid.
        unsafe {
            let rows = rows.map(|row| core::mem::transmute::<[f32; 8], [v128; 2]>(*row));
            let turn = |half: usize| {
                let [a, b, c, d] = rows.map(|row| row[half]);
                let (ab, ab_high) = (pick::<0, 4, 1, 5>(a, b), pick::<2, 6, 3, 7>(a, b));
                let (cd, cd_high) = (pick::<0, 4, 1, 5>(c, d), pick::<2, 6, 3, 7>(c, d));
                [
                    pick::<0, 1, 4, 5>(ab, cd),
                    pick::<2, 3, 6, 7>(ab, cd),
                    pick::<0, 1, 4, 5>(ab_high, cd_high),
                    pick::<2, 3, 6, 7>(ab_high, cd_high),
                ]
            };
            let (first, second) = (turn(0), turn(1));
            core::array::from_fn(|k| core::mem::transmute::<[v128; 2], [f32; 8]>([first[k], second[k]]))
        }
    }

    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    #[inline(always)]
    fn columns(rows: [&[f32; 8]; 4]) -> [[f32; 8]; 4] {
        use core::arch::aarch64::{float32x4_t, float64x2_t, vzip1q_f32, vzip1q_f64, vzip2q_f32, vzip2q_f64};
        use core::mem::transmute;
        // SAFETY: all types are floats in a row, any bits of which are valid, and the instructions were asked for.
        unsafe {
            let rows = rows.map(|row| transmute::<[f32; 8], [float32x4_t; 2]>(*row));
            let turn = |half: usize| {
                let [a, b, c, d] = rows.map(|row| row[half]);
                let [ab, ab_high, cd, cd_high] =
                    [vzip1q_f32(a, b), vzip2q_f32(a, b), vzip1q_f32(c, d), vzip2q_f32(c, d)]
                        .map(|pairs| transmute::<float32x4_t, float64x2_t>(pairs));
                [
                    vzip1q_f64(ab, cd),
                    vzip2q_f64(ab, cd),
                    vzip1q_f64(ab_high, cd_high),
                    vzip2q_f64(ab_high, cd_high),
                ]
            };
            let (first, second) = (turn(0), turn(1));
            core::array::from_fn(|k| transmute::<[float64x2_t; 2], [f32; 8]>([first[k], second[k]]))
        }
    }

    #[cfg(not(any(
        target_arch = "x86_64",
        target_feature = "simd128",
        all(target_arch = "aarch64", target_feature = "neon")
    )))]
    #[inline(always)]
    fn columns(rows: [&[f32; 8]; 4]) -> [[f32; 8]; 4] {
        core::array::from_fn(|k| core::array::from_fn(|i| rows[i % 4][k + i / 4 * 4]))
    }
}

/// With vectors of eight. Only the functions above that were compiled for AVX2 name it.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
struct Wide;

#[cfg(all(feature = "std", target_arch = "x86_64"))]
impl Instructions for Wide {
    const EIGHT_AT_ONCE: bool = true;

    #[inline(always)]
    fn columns(rows: [&[f32; 8]; 4]) -> [[f32; 8]; 4] {
        use core::arch::x86_64::{__m256, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps};
        // SAFETY: both types are floats in a row, any bits of which are valid; whoever names `Wide` has AVX2.
        unsafe {
            let [a, b, c, d] = rows.map(|row| core::mem::transmute::<[f32; 8], __m256>(*row));
            let (ab, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
            let (cd, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
            core::mem::transmute::<[__m256; 4], [[f32; 8]; 4]>([
                _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
                _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
                _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
                _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
            ])
        }
    }

    #[inline(always)]
    fn side_by_side(left: &[f32; 8], right: &[f32; 8]) -> [[f32; 8]; 2] {
        use core::arch::x86_64::{__m256, _mm256_permute2f128_ps};
        // SAFETY: as above.
        unsafe {
            let [left, right] = [left, right].map(|row| core::mem::transmute::<[f32; 8], __m256>(*row));
            core::mem::transmute::<[__m256; 2], [[f32; 8]; 2]>([
                _mm256_permute2f128_ps::<0x20>(left, right),
                _mm256_permute2f128_ps::<0x31>(left, right),
            ])
        }
    }
}
