//! What is the least that this much memory traffic costs?
//!
//! Plain passes over plain arrays, compiled for the widest vectors the processor has. `unsafe` for the same
//! reason as in the library's own dispatch: calling functions compiled for instructions that might not exist.
#![allow(unsafe_code)]

/// `out = a + b * s`: two reads, one write.
pub fn triad(a: &[f32], b: &[f32], out: &mut [f32], s: f32) {
    #[inline(always)]
    fn pass(a: &[f32], b: &[f32], out: &mut [f32], s: f32) {
        for ((a, b), out) in a.iter().zip(b).zip(out) {
            *out = a + b * s;
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2(a: &[f32], b: &[f32], out: &mut [f32], s: f32) {
            pass(a, b, out, s);
        }
        #[target_feature(enable = "avx512f")]
        fn avx512(a: &[f32], b: &[f32], out: &mut [f32], s: f32) {
            pass(a, b, out, s);
        }
        // SAFETY (both): the processor was asked.
        if std::is_x86_feature_detected!("avx512f") {
            return unsafe { avx512(a, b, out, s) };
        }
        if std::is_x86_feature_detected!("avx2") {
            return unsafe { avx2(a, b, out, s) };
        }
    }
    pass(a, b, out, s);
}

/// Reads two poses and writes as many numbers as a 3x4 matrix has, sixteen poses at a time: the traffic of
/// writing matrices without the work.
pub fn read_poses_write_matrices(a: &[[f32; 112]], b: &[[f32; 112]], out: &mut [[f32; 192]]) {
    #[inline(always)]
    fn pass(a: &[[f32; 112]], b: &[[f32; 112]], out: &mut [[f32; 192]]) {
        for ((a, b), out) in a.iter().zip(b).zip(out) {
            let (head, tail) = out.split_at_mut(112);
            for ((a, b), out) in a.iter().zip(b).zip(head) {
                *out = a + b;
            }
            for ((a, b), out) in a.iter().zip(b).zip(tail) {
                *out = a - b;
            }
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2(a: &[[f32; 112]], b: &[[f32; 112]], out: &mut [[f32; 192]]) {
            pass(a, b, out);
        }
        // SAFETY: the processor was asked.
        if std::is_x86_feature_detected!("avx2") {
            return unsafe { avx2(a, b, out) };
        }
    }
    pass(a, b, out);
}
