//! The same bits on every kernel, and on any number of threads?

use super::crowd::{Way, drawn};
use super::*;

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

#[cfg(feature = "rayon")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    use super::crowd::{crowd, hashes};
    use crate::Moment;

    for kernel in Kernel::available() {
        let (mut batch, _) = crowd::<Pose>(kernel, false);
        let alone = hashes(&mut batch, |frame, _, form, out| {
            let _ = frame.write(form, Order::Moved, out).unwrap();
        });
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let together = hashes(&mut batch, |frame, _, form, out| {
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
