//! The same bits on every kernel, and on any number of threads?

use super::*;
use crate::{Moment, Track};

/// FNV-1a over the bits.
fn hash(numbers: &[f32]) -> u64 {
    numbers
        .iter()
        .flat_map(|x| x.to_bits().to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

const COUNT: usize = 10_007;
const ALPHAS: [f64; 6] = [0.0, 1e-9, 0.1, 0.5, 0.987_654_321, 1.0];

fn crowd<P: Sample>(kernel: Kernel) -> (Batch<P>, Vec<Track<P, 2>>) {
    let mut random = Random(42);
    let mut batch = Batch::<P>::with(Settings { kernel, ..Settings::default() }).unwrap();
    let mut tracks = Vec::new();
    for _ in 0..COUNT {
        let pose = P::any(&mut random);
        batch.insert(pose);
        tracks.push(Track::new(pose));
    }
    batch.tick();
    let handles = batch.handles().to_vec();
    for handle in handles {
        let pose = P::any(&mut random);
        batch.push(handle, pose).unwrap();
        tracks[handle.index()].push(pose);
    }
    (batch, tracks)
}

/// Hashes of all forms at all alphas, written by `write`.
fn hashes<P: Sample>(batch: &mut Batch<P>, write: impl Fn(&Frame<P>, Form, &mut [f32])) -> Vec<u64> {
    let mut out = vec![0.0; COUNT * 16];
    let mut hashes = Vec::new();
    for alpha in ALPHAS {
        let frame = batch.frame(&Moment::at(alpha));
        for form in [Form::Poses, Form::Positions, Form::Matrices3x4, Form::Matrices4x4] {
            let out = &mut out[..frame.moved().len() * form.floats::<P>()];
            write(&frame, form, out);
            hashes.push(hash(out));
        }
    }
    hashes
}

fn every_kernel_gives_the_bits_of_tracks<P: Sample>(golden: u64) {
    let tracks = crowd::<P>(Kernel::BASELINE).1;
    let mut first: Option<Vec<u64>> = None;
    for kernel in Kernel::available() {
        let (mut batch, _) = crowd::<P>(kernel);
        let all = hashes(&mut batch, |frame, form, out| {
            let _ = frame.write(form, Order::Index, out).unwrap();
        });
        let total = all.iter().fold(0u64, |sum, hash| sum.rotate_left(5) ^ hash);
        println!("kernel {}: {total:016x} over {} poses", kernel.name(), COUNT);
        assert_eq!(total, golden, "{}: {total:#018x}", kernel.name());
        for (i, alpha) in ALPHAS.into_iter().enumerate() {
            let views: Vec<f32> =
                tracks.iter().flat_map(|track| track.view(&Moment::at(alpha)).numbers()).collect();
            assert_eq!(all[i * 4], hash(&views), "{} against tracks at {alpha}", kernel.name());
        }
        assert_eq!(first.get_or_insert_with(|| all.clone()), &all, "{}", kernel.name());
    }
}

// Golden hashes: they hold across kernels, machines and releases. If one changes, so does what users see.
#[test]
fn every_kernel_gives_the_bits_of_tracks_for_poses() {
    every_kernel_gives_the_bits_of_tracks::<Pose>(0xc2a1_4377_587c_f49b);
}

#[test]
fn every_kernel_gives_the_bits_of_tracks_for_scaled_poses() {
    every_kernel_gives_the_bits_of_tracks::<Scaled<Pose>>(0x7811_475a_2a13_a8a7);
}

#[test]
fn every_kernel_gives_the_bits_of_tracks_for_flat_poses() {
    every_kernel_gives_the_bits_of_tracks::<Pose2>(0xb5db_7f2c_5c5a_794d);
}

#[cfg(feature = "rayon")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for kernel in Kernel::available() {
        let (mut batch, _) = crowd::<Pose>(kernel);
        let alone = hashes(&mut batch, |frame, form, out| {
            let _ = frame.write(form, Order::Moved, out).unwrap();
        });
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let together = hashes(&mut batch, |frame, form, out| {
                assert_eq!(pool.install(|| frame.par_write(form, out)), Ok(frame.moved().len()));
            });
            println!("kernel {} on {threads} threads: {:016x}", kernel.name(), together[4]);
            assert_eq!(alone, together, "{} on {threads} threads", kernel.name());
            let frame = batch.frame(&Moment::at(0.1));
            let tiles = frame.moved().len().div_ceil(WIDTH);
            let (mut one, mut many) = (vec![Tile::BLANK; tiles], vec![Tile::BLANK; tiles]);
            assert_eq!(frame.tiles(&mut one), pool.install(|| frame.par_tiles(&mut many)));
            assert_eq!(one, many);
        }
    }
}
