//! The truth goes back, and the picture goes on?

use super::*;
use crate::step::{Moment, Stepper};
use std::collections::VecDeque;

fn mixed(a: u64, b: u64) -> u64 {
    let mut x = (a << 32 | b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 32)
}

/// A tick that does the same to the same truth: some move, some stop, some teleport, come and go.
fn simulate(batch: &mut Batch<Pose>, tick: u64) {
    simulate_with(batch, tick, false);
}

/// The same, in which some are also corrected.
fn simulate_with(batch: &mut Batch<Pose>, tick: u64, corrections: bool) {
    let mut handles = batch.handles().to_vec();
    handles.sort();
    batch.tick();
    for handle in handles {
        let who = (handle.index() as u64) << 8 | u64::from(handle) >> 32;
        let mut pose = batch.truth(handle).unwrap();
        pose.position[0] += 0.1 + who as f32 * 0.001;
        match mixed(tick, who) % 200 {
            0 => drop(batch.remove(handle).unwrap()),
            1..5 => {
                pose.position[1] += 50.0;
                batch.cut(handle, pose).unwrap();
            }
            5..12 if corrections => {
                batch.push(handle, pose).unwrap();
                pose.position[2] += 0.3;
                batch.reconcile(handle, pose).unwrap();
            }
            // Forty ticks in motion, forty at rest.
            _ if ((tick + who * 7) / 40).is_multiple_of(2) => batch.push(handle, pose).unwrap(),
            _ => {}
        }
    }
    if tick.is_multiple_of(4) {
        let _ = batch.insert(Pose::at([tick as f32, 0.0, 0.0]));
    }
}

fn batch() -> Batch<Pose> {
    batch_of(BatchSettings { remember_views: true, ..BatchSettings::default() })
}

fn batch_of(settings: BatchSettings) -> Batch<Pose> {
    let mut batch = Batch::with_settings(settings).unwrap();
    for i in 0..50 {
        let _ = batch.insert(Pose::at([i as f32, 0.0, 0.0]));
    }
    batch
}

#[test]
fn eight_ticks_simulated_again_in_every_frame_draw_as_if_simulated_once() {
    let mut stepper = Stepper::fixed(60.0).unwrap();
    let (mut straight, mut rolled) = (batch(), batch());
    let mut saves = VecDeque::from([(0, saved(&rolled))]);
    let (mut cuts, mut moved, mut moved_straight) = (0, 0, 0);
    for i in 0..1440 {
        let frame = stepper.frame(1.0 / 144.0);
        for tick in frame.ticks {
            simulate(&mut straight, tick.number);
            simulate(&mut rolled, tick.number);
            let mut save = if saves.len() > 8 { saves.pop_front().unwrap().1 } else { BatchTruth::default() };
            rolled.save(&mut save);
            saves.push_back((tick.number + 1, save));
        }
        let (from, oldest) = &saves[0];
        rolled.restore(oldest);
        (*from..stepper.counts().ticks).for_each(|tick| simulate(&mut rolled, tick));

        let mut handles = straight.handles().to_vec();
        handles.sort();
        let mut others = rolled.handles().to_vec();
        others.sort();
        assert_eq!(handles, others, "frame {i}");
        for again in 0..2 {
            let (one, other) = (straight.frame(frame.moment), rolled.frame(frame.moment));
            for &handle in &handles {
                let at = format!("frame {i}, {handle:?}, again {again}");
                let (one, other) = (one.drawn(handle).unwrap(), other.drawn(handle).unwrap());
                assert_eq!(one, other, "{at}");
                cuts += usize::from(one.unwrap().cut);
            }
            for handle in one.moved() {
                assert!(other.moved().contains(handle), "frame {i}: what moved is drawn");
            }
            moved += other.moved().len();
            moved_straight += one.moved().len();
        }
    }
    assert!(cuts > 500, "{cuts}");
    assert!(moved < 2 * moved_straight, "and not everything: {moved} of {moved_straight}");
}

#[test]
fn corrections_simulated_again_in_every_frame_glide_as_if_simulated_once() {
    for glide_after_restore in [false, true] {
        let settings =
            BatchSettings { ends: 12, remember_views: true, glide_after_restore, ..BatchSettings::default() };
        let mut stepper = Stepper::fixed(60.0).unwrap();
        let (mut straight, mut rolled) = (batch_of(settings), batch_of(settings));
        let mut saves = VecDeque::from([(0, saved(&rolled))]);
        let mut gliding = 0;
        for i in 0..1440 {
            let frame = stepper.frame(1.0 / 144.0);
            for tick in frame.ticks {
                simulate_with(&mut straight, tick.number, true);
                simulate_with(&mut rolled, tick.number, true);
                saves.push_back((tick.number + 1, saved(&rolled)));
                if saves.len() > 9 {
                    saves.pop_front();
                }
            }
            let (from, oldest) = &saves[0];
            rolled.restore(oldest);
            (*from..stepper.counts().ticks).for_each(|tick| simulate_with(&mut rolled, tick, true));
            let handles = straight.handles().to_vec();
            let (one, other) = (straight.frame(frame.moment), rolled.frame(frame.moment));
            for handle in handles {
                let at = format!("frame {i}, {handle:?}, {glide_after_restore}");
                assert_eq!(one.drawn(handle).unwrap(), other.drawn(handle).unwrap(), "{at}");
                gliding += usize::from(one.batch.glides.get(handle).is_some());
            }
        }
        assert!(gliding > 1000, "{gliding}");
    }
}

#[test]
fn what_comes_out_otherwise_is_drawn_and_a_teleport_that_was_none_is_a_cut_back() {
    let mut crowd = batch();
    let [walker, sent] = [crowd.handles()[0], crowd.handles()[1]];
    let place = |batch: &Batch<Pose>, handle| batch.truth(handle).unwrap().position[0];
    let (start, there) = (place(&crowd, walker), place(&crowd, sent));
    let _ = crowd.frame(Moment::newest(0.0));
    let save = saved(&crowd);
    crowd.tick();
    crowd.push(walker, Pose::at([9.0, 0.0, 0.0])).unwrap();
    crowd.cut(sent, Pose::at([90.0, 0.0, 0.0])).unwrap();
    assert_eq!(crowd.frame(Moment::newest(0.0)).moved().len(), 2);
    crowd.restore(&save);
    crowd.tick(); // in which nothing happens, after all
    let frame = crowd.frame(Moment::newest(0.0));
    assert_eq!(frame.moved().len(), 2);
    let drawn = [walker, sent].map(|handle| frame.drawn(handle).unwrap().unwrap());
    assert_eq!(drawn.map(|drawn| drawn.now.position[0]), [start, there]);
    assert_eq!(drawn.map(|drawn| drawn.before.position[0]), [9.0, 90.0]);
    assert_eq!(drawn.map(|drawn| drawn.cut), [false, true]);
    crowd.cut(sent, Pose::at([91.0, 0.0, 0.0])).unwrap();
    assert!(
        crowd.frame(Moment::newest(0.0)).drawn(sent).unwrap().unwrap().cut,
        "the next one is a cut again"
    );
}

#[test]
fn drawn_twice_in_a_frame_a_batch_returns_the_same() {
    let mut stepper = Stepper::fixed(60.0).unwrap();
    let mut crowd = batch();
    for i in 0..300 {
        let frame = stepper.frame(if i % 50 == 49 { 0.0 } else { 1.0 / 144.0 });
        for tick in frame.ticks {
            simulate(&mut crowd, tick.number);
        }
        let handles = crowd.handles().to_vec();
        let look = |frame: BatchFrame<Pose>| {
            let drawn: Vec<_> = handles.iter().map(|&handle| frame.drawn(handle).unwrap().unwrap()).collect();
            (frame.moved().to_vec(), drawn)
        };
        let first = look(crowd.frame(frame.moment));
        assert_eq!(look(crowd.frame(frame.moment)), first, "frame {i}");
        assert_eq!(look(crowd.frame(stepper.moment())), first, "frame {i}");
        assert!(i % 50 != 49 || first.0.is_empty(), "nothing moved in a frame of no time");
    }
}
