//! The same bits on every kernel, and on any number of threads?

use super::crowd::{COUNT, Way, crowd, drawn};
use super::*;
use crate::{Moment, Track, blend::Turn};

fn every_kernel_gives_the_bits_of_tracks<P: Sample>() {
    let check = |kernel: Kernel, odd, way| {
        let bits = drawn::<P>(kernel, odd, way);
        println!("kernel {}, {way:?}, odd {odd}: {bits:016x}", kernel.name());
        let golden = if odd { P::GOLDEN_ODD } else { P::GOLDEN };
        assert_eq!(bits, golden, "{}, {way:?}, odd {odd}: {bits:#018x}", kernel.name());
    };
    for kernel in Kernel::available() {
        check(kernel, false, Way::Rows);
        check(kernel, false, Way::Lists);
        check(kernel, true, Way::Rows);
    }
    // Among them the short way, of tiles that need no looking at.
    let (mut batch, _) = crowd::<P>(Kernel::BASELINE, false);
    let _ = batch.frame(Moment::at(0.5, 0.0));
    assert_eq!(batch.flags.iter().filter(|flags| flags.plain == 2).count(), COUNT / WIDTH);
    // A track has no kernel: once is enough, also for those who run this in an emulator.
    check(Kernel::BASELINE, false, Way::Tracks);
    check(Kernel::BASELINE, true, Way::Tracks);
}

#[test]
fn every_kernel_gives_the_bits_of_tracks_for_poses() {
    every_kernel_gives_the_bits_of_tracks::<Pose>();
}

#[test]
fn every_kernel_gives_the_bits_of_tracks_for_scaled_poses() {
    every_kernel_gives_the_bits_of_tracks::<Scaled<Pose>>();
}

#[test]
fn every_kernel_gives_the_bits_of_tracks_for_flat_poses() {
    every_kernel_gives_the_bits_of_tracks::<Pose2>();
}

#[test]
fn a_rotation_that_stays_is_the_same_in_tracks_and_batches() {
    let mut random = Random(7);
    let mut pairs = Vec::new();
    for _ in 0..100 {
        let q = random.rotation().to_array();
        // As it is, from the other side of the sphere, and too long to be a rotation.
        pairs.extend([[q, q], [q, q.map(|c| -c)], [q.map(|c| c * 1e9); 2]]);
    }
    // Zeros of both signs are equal and have other bits.
    for bits in 0..64 {
        let zero = |k: u32| if bits >> k & 1 == 0 { 0.0 } else { -0.0 };
        for w in [1.0, -1.0] {
            pairs.push([[zero(0), zero(1), zero(2), 1.0], [zero(3), zero(4), zero(5), w]]);
        }
    }
    let pose = |[x, y, z, w]: [f32; 4], at: f32| Pose::new([at; 3], Rotation { x, y, z, w });
    let flat = |[_, _, z, w]: [f32; 4], at: f32| Pose2::new([at; 2], Turn { z, w });
    for kernel in Kernel::available() {
        for [from, to] in &pairs {
            for alpha in [1e-6, 0.3, 0.5, 0.9] {
                drawn_alike(kernel, pose(*from, 0.0), pose(*to, 1.0), alpha);
                drawn_alike(kernel, flat(*from, 0.0), flat(*to, 1.0), alpha);
            }
        }
        println!("kernel {}: {} rotations that stay", kernel.name(), pairs.len());
    }
}

/// A batch writes the bits that a track shows.
fn drawn_alike<P: Sample>(kernel: Kernel, from: P, to: P, alpha: f64) {
    let mut batch = Batch::<P>::with_settings(BatchSettings { kernel, ..BatchSettings::default() }).unwrap();
    let mut track = Track::<P, 2>::with_ends(from);
    let handle = batch.insert(from);
    batch.tick();
    batch.push(handle, to).unwrap();
    track.push(to);
    let moment = Moment::at(alpha, 0.0);
    let mut tiles = [P::BLANK];
    batch.frame(moment).tiles(&mut tiles).unwrap();
    let (drawn, shown) = (P::take(&tiles[0], 0), track.view(moment));
    let what = format!("{}: {:?} to {:?} at {alpha}", kernel.name(), from.numbers(), to.numbers());
    assert_eq!(drawn.bits(), shown.bits(), "{what}");
}

#[cfg(feature = "rayon")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    use super::crowd::hashes;

    for kernel in Kernel::available() {
        let (mut batch, _) = crowd::<Pose>(kernel, false);
        let alone = hashes(&mut batch, |frame, _, form, out| {
            let _ = frame.write(form, out).unwrap();
        });
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let together = hashes(&mut batch, |frame, _, form, out| {
                assert_eq!(pool.install(|| frame.par_write(form, out)), Ok(frame.moved().len()));
            });
            println!("kernel {} on {threads} threads: {:016x}", kernel.name(), together[4]);
            assert_eq!(alone, together, "{} on {threads} threads", kernel.name());
        }
    }
}
