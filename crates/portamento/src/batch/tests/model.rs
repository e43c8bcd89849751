//! The batch against the obvious program: a list of tracks, all of them pushed in every tick.

use super::*;
use crate::{Moment, Track};

/// One pose as a track, with what the last frame showed.
struct Thing<P, const ENDS: usize> {
    handle: BatchHandle,
    track: Track<P, ENDS>,
    pushed: bool,
    shown: Option<P>,
    cut: bool,
    /// Ticks since it was last touched.
    still: usize,
    /// It had come to rest and a frame has shown that: it must not be reported until it is touched.
    rested: bool,
}

impl<P, const ENDS: usize> Thing<P, ENDS> {
    fn touch(&mut self) {
        self.still = 0;
        self.rested = false;
    }
}

struct Model<P, const ENDS: usize> {
    things: Vec<Thing<P, ENDS>>,
    gone: Vec<BatchHandle>,
    open: bool,
}

impl<P: Sample, const ENDS: usize> Model<P, ENDS> {
    fn close(&mut self) {
        if core::mem::take(&mut self.open) {
            for thing in self.things.iter_mut().filter(|thing| !thing.pushed) {
                let truth = *thing.track.truth();
                thing.track.push(truth);
            }
        }
    }

    fn tick(&mut self) {
        self.close();
        self.open = true;
        for thing in &mut self.things {
            thing.pushed = false;
            thing.still += 1;
        }
    }

    /// The newest end of `thing` is this tick's.
    fn enter_tick(&mut self, i: usize) {
        let open = self.open;
        let thing = &mut self.things[i];
        if open && !core::mem::replace(&mut thing.pushed, true) {
            let truth = *thing.track.truth();
            thing.track.push(truth);
        }
    }
}

fn pick<P: Sample>(random: &mut Random, old: P, calm: bool) -> P {
    match random.below(20) {
        _ if calm => P::any(random),
        0..3 => old,
        3 => P::odd(random),
        _ => P::any(random),
    }
}

fn moment(random: &mut Random, last: Moment) -> Moment {
    match random.below(10) {
        0 => Moment::at(0.0, 0.0),
        1 => Moment::newest(0.0),
        2 => Moment::at(1.0 - 1e-9, 0.0),
        3 => Moment::at(0.3, 0.0).ticks_back(random.below(8) as u32),
        4 => Moment::past_newest(random.unit(), 0.0),
        5 => last,
        _ => Moment::at(random.unit(), 0.0).ticks_back(random.below(2) as u32),
    }
}

/// Returns how many tiles went the short way.
fn run<P: Sample, const ENDS: usize>(seed: u64, kernel: Kernel, steps: usize) -> usize {
    let mut random = Random(seed);
    // Most of the time all are pushed together and none is odd: what makes tiles plain, until something happens to them.
    let calm = seed % 3 == 2;
    let mut plain = 0;
    let settings =
        BatchSettings { ends: ENDS, remember_views: seed % 2 == 1, kernel, ..BatchSettings::default() };
    let mut batch = Batch::<P>::with_settings(settings).unwrap();
    let mut model = Model::<P, ENDS> { things: Vec::new(), gone: Vec::new(), open: false };
    let mut last = Moment::newest(0.0);
    for step in 0..steps {
        let at = format!("{} seed {seed} step {step}", kernel.name());
        let any = |random: &mut Random, model: &Model<P, ENDS>| {
            (!model.things.is_empty()).then(|| random.below(model.things.len()))
        };
        let event = if calm && !random.chance(4) { [9, 32][step % 2] } else { random.below(32) };
        match event {
            0..6 => {
                for _ in 0..random.below(9) {
                    let pose =
                        if !calm && random.chance(30) { P::odd(&mut random) } else { P::any(&mut random) };
                    let handle = batch.insert(pose);
                    assert!(model.things.iter().all(|thing| thing.handle != handle), "{at}");
                    assert!(!model.gone.contains(&handle), "{at}: a handle came back to life");
                    let track = Track::with_ends(pose);
                    model.things.push(Thing {
                        handle,
                        track,
                        pushed: true,
                        shown: None,
                        cut: true,
                        still: 0,
                        rested: false,
                    });
                }
            }
            6..9 => {
                if let Some(i) = any(&mut random, &model) {
                    let thing = model.things.swap_remove(i);
                    let truth = batch.remove(thing.handle).unwrap();
                    assert_eq!(truth.bits(), thing.track.truth().bits(), "{at}");
                    assert_eq!(batch.truth(thing.handle), Err(BatchError::StaleHandle(thing.handle)));
                    model.gone.push(thing.handle);
                }
            }
            9..16 => {
                batch.tick();
                model.tick();
            }
            16..20 if model.open => {
                // Some, most or none of them.
                let one_in = 1 + random.below(6);
                for i in 0..model.things.len() {
                    if !random.chance(one_in) {
                        continue;
                    }
                    model.enter_tick(i);
                    let thing = &mut model.things[i];
                    let pose = pick(&mut random, *thing.track.truth(), false);
                    thing.track.correct(pose);
                    thing.touch();
                    batch.push(thing.handle, pose).unwrap();
                }
            }
            20 | 32 if model.open => {
                (0..model.things.len()).for_each(|i| model.enter_tick(i));
                let mut salt = random.clone();
                batch
                    .push_all(|handle, old| {
                        let mut random = Random(salt.next() ^ handle.index() as u64);
                        let thing = model.things.iter_mut().find(|thing| thing.handle == handle).unwrap();
                        assert_eq!(old.bits(), thing.track.truth().bits(), "{at}");
                        let pose = pick(&mut random, old, calm);
                        thing.track.correct(pose);
                        thing.touch();
                        pose
                    })
                    .unwrap();
            }
            16..21 => {
                assert_eq!(batch.push_all(|_, pose| pose), Err(BatchError::NoTick));
                if let Some(i) = any(&mut random, &model) {
                    let thing = &model.things[i];
                    assert_eq!(batch.push(thing.handle, *thing.track.truth()), Err(BatchError::NoTick));
                }
            }
            21..23 => {
                if let Some(i) = any(&mut random, &model) {
                    model.enter_tick(i);
                    let thing = &mut model.things[i];
                    let pose = pick(&mut random, *thing.track.truth(), false);
                    thing.track.correct(pose);
                    thing.touch();
                    batch.correct(thing.handle, pose).unwrap();
                }
            }
            23..25 => {
                if let Some(i) = any(&mut random, &model) {
                    model.enter_tick(i);
                    let thing = &mut model.things[i];
                    let pose = pick(&mut random, *thing.track.truth(), false);
                    thing.track.cut(pose);
                    thing.cut = true;
                    thing.touch();
                    batch.cut(thing.handle, pose).unwrap();
                }
            }
            25 if random.chance(8) => {
                let shift = P::any_shift(&mut random);
                batch.rebase(|pose| pose.shifted(&shift));
                for thing in &mut model.things {
                    thing.track.rebase(|pose| pose.shifted(&shift));
                    thing.shown.iter_mut().for_each(|pose| pose.shifted(&shift));
                    thing.touch();
                }
            }
            26 => {
                let saved = batch.clone();
                batch = saved;
            }
            _ => {
                let mut moment = moment(&mut random, last);
                if cfg!(debug_assertions) && moment.back() as usize > ENDS - 2 {
                    moment = moment.ticks_back(ENDS as u32 - 2); // older ones are refused
                }
                last = moment;
                model.close();
                plain += plain_tiles(&batch, moment, &at);
                check_frame(&mut batch, &mut model, moment, &at);
            }
        }
        assert_eq!(batch.len(), model.things.len(), "{at}");
        for thing in &model.things {
            assert_eq!(batch.truth(thing.handle).unwrap().bits(), thing.track.truth().bits(), "{at}");
        }
    }
    plain
}

/// How many tiles the kernels will not check, each of them rightly.
pub(super) fn plain_tiles<P: Sample>(batch: &Batch<P>, moment: Moment, at: &str) -> usize {
    let mut batch = batch.clone();
    let _ = batch.frame(moment);
    let to = moment.back() as usize;
    let mut count = 0;
    for (tile, flags) in batch.flags.iter().enumerate() {
        for age in 0..usize::from(flags.plain).min(batch.settings.ends - 1) {
            let (from, to) = (&batch.end(age + 1)[tile], &batch.end(age)[tile]);
            assert!(P::survey(from, to).plain, "{at}: tile {tile}, {age} ticks back");
        }
        count += usize::from(usize::from(flags.plain) > to + 1);
    }
    count
}

fn check_frame<P: Sample, const ENDS: usize>(
    batch: &mut Batch<P>,
    model: &mut Model<P, ENDS>,
    moment: Moment,
    at: &str,
) {
    let remembers = batch.settings.remember_views;
    let floats = OutputForm::Poses.floats::<P>();
    let mut rows = vec![0.0; floats * batch.len()];
    let frame = batch.frame(moment);
    let moved = frame.moved().to_vec();
    assert_eq!(frame.write(OutputForm::Poses, &mut rows), Ok(moved.len()));
    for thing in &mut model.things {
        let view = thing.track.view(moment);
        assert_eq!(frame.view(thing.handle).unwrap().bits(), view.bits(), "{at}");
        let place = moved.iter().position(|&handle| handle == thing.handle);
        match place {
            Some(i) => {
                let row = &rows[i * floats..][..floats];
                let bits: Vec<_> =
                    row.iter().map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() }).collect();
                assert_eq!(bits, view.bits(), "{at}");
                assert!(!thing.rested, "{at}: {:?} rests and is still reported", thing.handle);
            }
            None => {
                let shown = thing.shown.expect("what is new is shown");
                assert_eq!(shown.bits(), view.bits(), "{at}: {:?} moved unreported", thing.handle);
            }
        }
        let seen = frame.drawn(thing.handle).unwrap();
        assert_eq!(seen.is_some(), remembers);
        if let (Some(seen), Some(shown)) = (seen, thing.shown) {
            assert_eq!(seen.now.bits(), view.bits(), "{at}");
            assert_eq!(seen.before.bits(), shown.bits(), "{at}");
        }
        if let Some(seen) = seen {
            assert_eq!(seen.cut, thing.cut, "{at}");
        }
        thing.shown = Some(view);
        thing.cut = false;
        thing.rested = thing.still >= ENDS - 1;
    }
}

fn on_every_kernel(run: impl Fn(Kernel, u64) -> usize) {
    for kernel in Kernel::available() {
        let plain: usize = (0..12).map(|seed| run(kernel, seed)).sum();
        println!("kernel {}: {plain} tiles went the short way", kernel.name());
        assert!(plain > 20, "hardly any of the tiles was plain: {plain}");
    }
}

#[test]
fn poses_do_what_tracks_do() {
    on_every_kernel(|kernel, seed| run::<Pose, 2>(seed, kernel, 800));
}

#[test]
fn with_more_ends_too() {
    on_every_kernel(|kernel, seed| run::<Pose, 5>(seed, kernel, 500));
}

#[test]
fn scaled_poses_do_what_tracks_do() {
    on_every_kernel(|kernel, seed| run::<Scaled<Pose>, 3>(seed, kernel, 400));
}

#[test]
fn flat_poses_do_what_tracks_do() {
    on_every_kernel(|kernel, seed| run::<Pose2, 2>(seed, kernel, 500));
}
