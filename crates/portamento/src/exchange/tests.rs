//! What the exchange promises, one sentence each. Threads are in `tests/exchange_stress.rs`, processes in
//! `tests/exchange_kills.rs`, all interleavings of the protocol in `slots/loom_tests.rs`.

use proptest::prelude::*;

use super::offsets::MIN_TICKS;
use super::*;
use crate::blend::{Blend, Pose, Rotation};
use crate::playhead::Playhead;
use crate::playhead::Shown;

fn at(x: f32) -> Pose {
    Pose { position: [x, 0.0, 0.0], rotation: Rotation::IDENTITY }
}

/// Keeps as few ticks as may be, so that the tests see them being replaced.
fn shape(entities: usize) -> Shape {
    Shape { ticks: MIN_TICKS, ..Shape::entities(entities) }
}

fn playhead() -> Playhead {
    Playhead::at_hz(10.0).unwrap()
}

fn pair(shape: Shape) -> (Writer, Reader) {
    let exchange = Exchange::new(shape).unwrap();
    (exchange.writer().unwrap(), exchange.reader(playhead()).unwrap())
}

/// Publishes at 10 Hz of simulated time, 100 s later on the shared clock.
fn publish(writer: &mut Writer, tick: u32) -> TickStamp {
    let simulated = f64::from(tick) / 10.0;
    writer.publish(100.0 + simulated, simulated).unwrap()
}

/// What there is to read of a walk: entity 1, which is at x = n in tick n.
fn walked(ticks: core::ops::Range<u32>) -> Reader {
    let (mut writer, reader) = pair(shape(3));
    let entity: u64 = 1;
    writer.set(entity, at(0.0)).unwrap();
    for tick in ticks {
        writer.set(entity, at(tick as f32)).unwrap();
        publish(&mut writer, tick);
    }
    reader
}

fn seen(reading: &WorldFrame<'_>) -> Vec<(u64, f32)> {
    reading.entities().map(|view| (view.id, view.pose.position[0])).collect()
}

#[test]
fn before_the_first_tick_there_is_nothing() {
    let (mut writer, mut reader) = pair(shape(3));
    writer.set(1, at(0.0)).unwrap();
    assert!(reader.latest().is_none());
    assert!(reader.at(Shown::still(0.0)).is_none());
    assert!(reader.frame(0.0).is_none());
    assert!(reader.stamps().is_empty());
    assert_eq!(reader.counts(), ReaderCounts::default());
}

#[test]
fn the_first_tick_is_readable_with_all_that_belongs_to_it() {
    let (mut writer, mut reader) = pair(shape(3));
    let turned =
        Pose { position: [1.0, 2.0, 3.0], rotation: Rotation::from_axis_angle([0.0, 0.0, 1.0], 0.3) };
    let entity: u64 = 77;
    writer.set(entity, turned).unwrap();
    writer.set_flags(entity, 0xF00F).unwrap();
    let stamp = writer.publish(12.5, -3.0).unwrap();
    assert_eq!(stamp, TickStamp { run: 1, tick: 0, published: 12.5, simulated: -3.0, scale: 1.0 });
    let reading = reader.latest().unwrap();
    assert_eq!((reading.from, reading.to, reading.alpha), (stamp, stamp, 1.0));
    let expected = EntityView { id: 77, row: 0, generation: 1, flags: 0xF00F, cut_epoch: 0, pose: turned };
    assert_eq!(reading.entities().collect::<Vec<_>>(), [expected]);
    assert_eq!(stamp.age(13.0), 0.5);
    assert_eq!(stamp.age(12.0), 0.0, "never negative");
}

#[test]
fn a_moment_between_two_ticks_is_blended() {
    let mut reader = walked(0..4);
    for (moment, x, alpha) in [(0.0, 0.0, 0.0), (0.05, 0.5, 0.5), (0.1, 1.0, 0.0), (0.275, 2.75, 0.75)] {
        let reading = reader.at(Shown::still(moment)).unwrap();
        assert_eq!(seen(&reading), [(1, x)], "at {moment}");
        assert!((reading.alpha - alpha).abs() < 1e-9, "at {moment}");
    }
    let reading = reader.at(Shown::still(0.3)).unwrap();
    assert_eq!((seen(&reading), reading.alpha), (vec![(1, 3.0)], 1.0));
}

#[test]
fn the_blend_is_that_of_the_blend_room_to_the_bit() {
    let (mut writer, mut reader) = pair(shape(1));
    let from = Pose { position: [1.0, -2.0, 0.5], rotation: Rotation::from_axis_angle([0.0, 1.0, 0.0], 0.2) };
    let to = Pose { position: [3.0, 9.0, 0.25], rotation: Rotation::from_axis_angle([0.0, 1.0, 0.0], 1.9) };
    let entity: u64 = 1;
    writer.set(entity, from).unwrap();
    writer.publish(0.0, 0.0).unwrap();
    writer.set(entity, to).unwrap();
    writer.publish(1.0, 1.0).unwrap();
    for at in [0.0, 1e-300, 1e-20, 0.25, 0.3, 0.999, 0.999_999_99, 1.0_f64.next_down(), 1.0] {
        let reading = reader.at(Shown::still(at)).unwrap();
        assert_eq!(reading.entity(0).unwrap().pose, from.blend(&to, reading.alpha), "at {at}");
        assert!((reading.alpha - at).abs() < 2e-7 && (reading.alpha == 1.0) == (at == 1.0), "at {at}");
    }
}

#[test]
fn past_the_newest_tick_it_is_held_unless_the_playhead_extrapolates() {
    let mut reader = walked(0..2);
    assert_eq!(seen(&reader.at(Shown::still(0.15)).unwrap()), [(1, 1.0)]);
    let beyond = |beyond: f64| Shown { beyond, ..Shown::still(0.1 + beyond) };
    assert_eq!(seen(&reader.at(beyond(0.05)).unwrap()), [(1, 1.5)], "asked for");
    for nothing in [0.0, -1.0, f64::NEG_INFINITY, f64::NAN] {
        let shown = Shown { beyond: nothing, ..Shown::still(0.3) };
        assert_eq!(seen(&reader.at(shown).unwrap()), [(1, 1.0)], "{nothing}");
    }
}

#[test]
fn extrapolation_does_not_cross_a_cut() {
    let (mut writer, mut reader) = pair(shape(3));
    let entity: u64 = 1;
    writer.set(entity, at(0.0)).unwrap();
    publish(&mut writer, 0);
    writer.cut(entity, at(500.0)).unwrap();
    publish(&mut writer, 1);
    let shown = Shown { beyond: 0.05, ..Shown::still(0.15) };
    assert_eq!(seen(&reader.at(shown).unwrap()), [(1, 500.0)]);
}

#[test]
fn before_the_oldest_kept_tick_the_oldest_is_shown_and_counted() {
    let mut reader = walked(0..9);
    assert_eq!(reader.stamps().iter().map(|stamp| stamp.tick).collect::<Vec<_>>(), [5, 6, 7, 8]);
    assert_eq!(seen(&reader.at(Shown::still(0.2)).unwrap()), [(1, 5.0)]);
    assert_eq!(reader.counts().behind, 1);
}

#[test]
fn a_cut_never_shows_a_place_between() {
    let (mut writer, mut reader) = pair(shape(3));
    let entity: u64 = 1;
    writer.set(entity, at(1.0)).unwrap();
    let other: u64 = 2;
    writer.set(other, at(0.0)).unwrap();
    publish(&mut writer, 0);
    writer.cut(entity, at(1000.0)).unwrap();
    writer.set(other, at(1.0)).unwrap();
    publish(&mut writer, 1);
    writer.set(entity, at(1001.0)).unwrap();
    publish(&mut writer, 2);
    for step in 0..=200 {
        let moment = f64::from(step) / 1000.0;
        let reading = reader.at(Shown::still(moment)).unwrap();
        let (view, other) = (reading.entity(0).unwrap(), reading.entity(1).unwrap());
        let x = view.pose.position[0];
        if moment < 0.1 {
            assert_eq!((x, view.cut_epoch), (1.0, 0), "held until the cut's own moment");
            assert!((f64::from(other.pose.position[0]) - moment * 10.0).abs() < 1e-6, "others go on");
        } else {
            assert!(x >= 1000.0);
            assert_eq!(view.cut_epoch, 1);
        }
    }
}

#[test]
fn a_cut_is_seen_by_a_reader_that_missed_its_tick() {
    // The tick with the cut is overwritten by later ones; the epoch still differs.
    let (mut writer, mut reader) = pair(shape(3));
    let entity: u64 = 1;
    writer.set(entity, at(0.0)).unwrap();
    publish(&mut writer, 0);
    let before = reader.latest().unwrap().entity(0).unwrap().cut_epoch;
    writer.cut(entity, at(9.0)).unwrap();
    for tick in 1..9 {
        publish(&mut writer, tick);
    }
    assert_ne!(reader.latest().unwrap().entity(0).unwrap().cut_epoch, before);
}

#[test]
fn a_new_entity_is_first_seen_at_its_first_pose() {
    let (mut writer, mut reader) = pair(shape(3));
    writer.set(1, at(0.0)).unwrap();
    publish(&mut writer, 0);
    writer.set(2, at(50.0)).unwrap();
    publish(&mut writer, 1);
    assert_eq!(seen(&reader.at(Shown::still(0.099)).unwrap()), [(1, 0.0)], "not there yet");
    assert_eq!(seen(&reader.at(Shown::still(0.1)).unwrap()), [(1, 0.0), (2, 50.0)]);
}

#[test]
fn one_that_goes_is_there_until_it_is_gone() {
    let (mut writer, mut reader) = pair(shape(3));
    let first: u64 = 1;
    writer.set(first, at(5.0)).unwrap();
    publish(&mut writer, 0);
    writer.remove(first).unwrap();
    publish(&mut writer, 1);
    assert_eq!(seen(&reader.at(Shown::still(0.05)).unwrap()), [(1, 5.0)]);
    assert_eq!(seen(&reader.at(Shown::still(0.1)).unwrap()), []);
    assert_eq!(writer.set_flags(first, 1), Err(WriteError::Unknown { id: 1 }));
    assert_eq!(writer.remove(first), Err(WriteError::Unknown { id: 1 }));
}

#[test]
fn a_reused_row_never_blends_one_entity_into_another() {
    let (mut writer, mut reader) = pair(shape(1));
    writer.set(0, at(0.0)).unwrap();
    publish(&mut writer, 0);
    for tick in 1..50 {
        writer.remove(u64::from(tick) - 1).unwrap();
        writer.set(u64::from(tick), at(tick as f32 * 100.0)).unwrap();
        assert_eq!(writer.row(u64::from(tick)), Ok(0), "the row is reused");
        publish(&mut writer, tick);
        let middle = (f64::from(tick) - 0.5) / 10.0;
        let old = u64::from(tick - 1);
        assert_eq!(seen(&reader.at(Shown::still(middle)).unwrap()), [(old, old as f32 * 100.0)]);
    }
}

#[test]
fn one_entity_too_many_is_an_error_and_nothing_is_lost() {
    let (mut writer, mut reader) = pair(shape(2));
    writer.set(1, at(1.0)).unwrap();
    let second: u64 = 2;
    writer.set(second, at(2.0)).unwrap();
    assert_eq!(writer.set(3, at(3.0)), Err(WriteError::Full { capacity: 2 }));
    publish(&mut writer, 0);
    assert_eq!(seen(&reader.latest().unwrap()), [(1, 1.0), (2, 2.0)]);
    writer.remove(second).unwrap();
    assert_eq!(writer.entities(), 1);
    writer.set(3, at(3.0)).unwrap();
    publish(&mut writer, 1);
    assert_eq!(seen(&reader.latest().unwrap()), [(1, 1.0), (3, 3.0)]);
}

#[test]
fn one_reader_too_many_is_an_error_and_a_seat_is_free_again_when_one_leaves() {
    let exchange = Exchange::new(Shape { readers: 2, ..shape(1) }).unwrap();
    let first = exchange.reader::<Pose>(playhead()).unwrap();
    let _second = exchange.reader::<Pose>(playhead()).unwrap();
    assert!(matches!(exchange.reader::<Pose>(playhead()), Err(AttachError::NoSeat { seats: 2 })));
    drop(first);
    let _third = exchange.reader::<Pose>(playhead()).unwrap();
}

#[test]
fn a_reader_whose_thread_panics_leaves_its_seat() {
    let exchange = Exchange::new(Shape { readers: 1, ..shape(1) }).unwrap();
    let mut writer = exchange.writer().unwrap();
    publish(&mut writer, 0);
    let theirs = exchange.clone();
    let thread = std::thread::spawn(move || {
        let mut reader = theirs.reader::<Pose>(playhead()).unwrap();
        let _reading = reader.latest().unwrap();
        panic!("while it holds a claim (this panic is part of the test)");
    });
    assert!(thread.join().is_err());
    let mut reader = exchange.reader::<Pose>(playhead()).unwrap();
    assert!(reader.latest().is_some());
}

#[test]
fn there_is_one_writer_and_its_successor_begins_a_new_run() {
    let exchange = Exchange::new(shape(2)).unwrap();
    let mut reader = exchange.reader(playhead()).unwrap();
    assert_eq!(reader.writer(), WriterState::None);
    let mut writer = exchange.writer().unwrap();
    assert!(matches!(exchange.writer::<Pose>(), Err(AttachError::WriterLives)));
    writer.set(1, at(10.0)).unwrap();
    for tick in 0..6 {
        publish(&mut writer, tick);
    }
    assert_eq!(reader.writer(), WriterState::Publishing);
    drop(writer);
    assert_eq!(reader.writer(), WriterState::Closed);
    assert_eq!(seen(&reader.latest().unwrap()), [(1, 10.0)], "outlives its writer");

    let mut writer = exchange.writer().unwrap();
    writer.set(9, at(-10.0)).unwrap();
    assert_eq!(publish(&mut writer, 0).run, 2);
    let runs: Vec<_> = reader.stamps().iter().map(|stamp| (stamp.run, stamp.tick)).collect();
    assert_eq!(runs, [(1, 3), (1, 4), (1, 5), (2, 0)]);
    // Same row, same generation, another run: never the same entity.
    assert_eq!(seen(&reader.at(Shown::still(0.55)).unwrap()), [(9, -10.0)]);
    assert_eq!(seen(&reader.at(Shown::still(0.0)).unwrap()), [(9, -10.0)]);
}

#[test]
fn a_reader_that_has_not_heard_of_a_restart_does_not_meet_it() {
    let exchange = Exchange::new(shape(2)).unwrap();
    let mut reader = exchange.reader(playhead()).unwrap();
    let mut writer = exchange.writer().unwrap();
    writer.set(1, at(10.0)).unwrap();
    publish(&mut writer, 0);
    assert!(reader.frame(100.0).is_some());
    drop(writer);
    let mut writer = exchange.writer().unwrap();
    writer.set(2, at(20.0)).unwrap();
    publish(&mut writer, 0);
    assert_eq!(seen(&reader.at(Shown::still(0.0)).unwrap()), [(1, 10.0)]);
    assert_eq!(seen(&reader.frame(100.0).unwrap()), [(2, 20.0)]);
    assert_eq!(seen(&reader.at(Shown::still(0.0)).unwrap()), [(2, 20.0)]);
    assert_eq!(reader.counts().restarts, 1);
}

#[test]
fn the_playhead_hears_of_each_tick_once_and_the_missed_are_counted() {
    let (mut writer, mut reader) = pair(shape(1));
    publish(&mut writer, 0);
    publish(&mut writer, 1);
    let mut ticks = || {
        assert!(reader.frame(100.0).is_some());
        (reader.playhead().statistics().ticks, reader.counts().missed)
    };
    assert_eq!(ticks(), (2, 0));
    assert_eq!(ticks(), (2, 0));
    for tick in 2..10 {
        publish(&mut writer, tick);
    }
    assert_eq!(ticks(), (6, 4));
}

#[test]
fn a_playhead_is_fed_every_tick_and_every_restart() {
    let exchange = Exchange::new(shape(1)).unwrap();
    let mut reader = exchange.reader::<Pose>(playhead()).unwrap();
    let mut playhead = Playhead::at_hz(10.0).unwrap();
    for run in 0..3 {
        let mut writer = exchange.writer().unwrap();
        for tick in 0..20 {
            publish(&mut writer, tick);
            reader.feed(&mut playhead);
            assert_eq!(playhead.newest(), Some(f64::from(tick) / 10.0));
        }
        assert_eq!(playhead.statistics().restarts, run);
    }
    assert_eq!(playhead.statistics().ticks, 60);
}

#[test]
fn a_held_reading_stays_as_it_is_while_the_writer_goes_on() {
    let exchange = Exchange::new(Shape { readers: 2, ..shape(1) }).unwrap();
    let mut writer = exchange.writer().unwrap();
    let (mut slow, mut quick) = (exchange.reader(playhead()).unwrap(), exchange.reader(playhead()).unwrap());
    let entity: u64 = 1;
    writer.set(entity, at(0.0)).unwrap();
    publish(&mut writer, 0);
    writer.set(entity, at(1.0)).unwrap();
    publish(&mut writer, 1);
    let held = slow.at(Shown::still(0.05)).unwrap();
    for tick in 2..200 {
        writer.set(entity, at(tick as f32)).unwrap();
        publish(&mut writer, tick);
        assert_eq!(seen(&held), [(1, 0.5)]);
        assert_eq!(seen(&quick.latest().unwrap()), [(1, tick as f32)]);
        assert_eq!(quick.stamps().len(), (tick as usize + 1).min(4));
    }
}

#[test]
fn three_readers_in_turn_see_the_same_frames() {
    let exchange = Exchange::new(Shape { readers: 3, ..shape(1) }).unwrap();
    let mut writer = exchange.writer().unwrap();
    let mut readers: Vec<_> = (0..3).map(|_| exchange.reader(playhead()).unwrap()).collect();
    let entity: u64 = 1;
    writer.set(entity, at(0.0)).unwrap();
    for tick in 0..100 {
        writer.set(entity, at(tick as f32)).unwrap();
        publish(&mut writer, tick);
        for reader in &mut readers {
            let reading = reader.at(Shown::still(f64::from(tick) / 10.0 - 0.05)).unwrap();
            assert_eq!(seen(&reading), [(1, (tick as f32 - 0.5).max(0.0))]);
        }
    }
}

#[test]
fn times_that_mean_nothing_are_refused_and_change_nothing() {
    let (mut writer, mut reader) = pair(shape(1));
    publish(&mut writer, 1);
    for (now, simulated) in [(f64::NAN, 1.0), (f64::INFINITY, 1.0), (0.0, f64::NAN), (0.0, f64::NEG_INFINITY)]
    {
        assert!(writer.publish(now, simulated).is_err());
    }
    let back = WriteError::Backward { simulated: 0.05, newest: 0.1 };
    assert_eq!(writer.publish(0.0, 0.05), Err(back));
    assert_eq!(reader.stamps().len(), 1);
    assert!(reader.at(Shown::still(f64::NAN)).is_none());
    for huge in [f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN] {
        assert_eq!(reader.at(Shown::still(huge)).unwrap().alpha, 1.0);
    }
    writer.publish(0.0, 0.2).unwrap();
}

#[test]
fn huge_spans_of_time_still_give_an_alpha() {
    let (mut writer, mut reader) = pair(shape(1));
    writer.publish(0.0, f64::MIN).unwrap();
    writer.publish(0.0, f64::MAX).unwrap();
    for at in [f64::MIN, -1.0, 0.0, 1e300, f64::MAX] {
        let alpha = reader.at(Shown::still(at)).unwrap().alpha;
        assert!((0.0..=1.0).contains(&alpha), "{alpha} at {at}");
    }
    assert_eq!(reader.at(Shown::still(0.0)).unwrap().alpha, 0.5);
}

#[test]
fn poses_that_are_no_numbers_are_refused() {
    let (mut writer, _reader) = pair(shape(2));
    let mut bad = at(1.0);
    bad.rotation.w = f32::NAN;
    assert!(matches!(writer.set(1, bad), Err(WriteError::Pose { id: 1, .. })));
    let entity: u64 = 1;
    writer.set(entity, at(1.0)).unwrap();
    assert!(matches!(writer.cut(entity, at(f32::INFINITY)), Err(WriteError::Pose { id: 1, .. })));
    assert_eq!(writer.entities(), 1);
    assert_eq!(
        writer.set(1, at(f32::INFINITY)).unwrap_err().to_string(),
        "a number of the pose of entity 1 is inf: give finite numbers"
    );
}

/// What a run of random actions should look like, kept the simple way: every tick in full.
#[derive(Clone, Debug)]
struct Row {
    id: u64,
    born: u32,
    epoch: u32,
    x: f32,
}

proptest! {
    /// Against a second implementation that keeps everything: any mix of spawning, moving, cutting, despawning
    /// and publishing, read at any moment, shows what the rules say.
    #[test]
    fn any_history_reads_as_the_simple_model_says(
        actions in prop::collection::vec((0_u8..5, 0_usize..6, -100.0_f32..100.0), 1..120),
        moments in prop::collection::vec(-1.0_f64..13.0, 8),
        ticks in prop::sample::select(vec![4_usize, 8]),
    ) {
        let (mut writer, mut reader) = pair(Shape { ticks, ..shape(6) });
        let mut world: Vec<(u64, Row)> = Vec::new();
        let mut history: Vec<Vec<Row>> = Vec::new();
        let mut next = 0;
        for (action, which, x) in actions {
            match action {
                0 => match writer.set(next, at(x)) {
                    Ok(()) => {
                        world.push((next, Row { id: next, born: next as u32, epoch: 0, x }));
                        next += 1;
                    }
                    Err(error) => {
                        prop_assert_eq!(error, WriteError::Full { capacity: 6 });
                        prop_assert_eq!(world.len(), 6);
                    }
                },
                1 if which < world.len() => {
                    let (entity, _) = world.remove(which);
                    writer.remove(entity).unwrap();
                }
                2 if which < world.len() => {
                    writer.set(world[which].0, at(x)).unwrap();
                    world[which].1.x = x;
                }
                3 if which < world.len() => {
                    writer.cut(world[which].0, at(x)).unwrap();
                    world[which].1.x = x;
                    world[which].1.epoch += 1;
                }
                _ => {
                    publish(&mut writer, history.len() as u32);
                    history.push(world.iter().map(|(_, row)| row.clone()).collect());
                }
            }
        }
        let oldest = history.len().saturating_sub(ticks);
        for moment in moments {
            let Some(reading) = reader.at(Shown::still(moment)) else {
                prop_assert!(history.is_empty());
                continue;
            };
            let last = history.len() - 1;
            let from = (oldest..=last).rev().find(|tick| *tick as f64 / 10.0 <= moment).unwrap_or(oldest);
            let alpha = (moment - from as f64 / 10.0) * 10.0;
            let mut expected: Vec<(u64, f32)> = history[from]
                .iter()
                .map(|row| {
                    let later = history.get(from + 1).into_iter().flatten();
                    let mut same = later.filter(|later| later.born == row.born && later.epoch == row.epoch);
                    (row.id, same.next().map_or(row.x, |later| row.x + (later.x - row.x) * alpha.max(0.0) as f32))
                })
                .collect();
            expected.sort_by_key(|row| row.0);
            let mut got = seen(&reading);
            got.sort_by_key(|row| row.0);
            prop_assert_eq!(got.len(), expected.len());
            for (got, expected) in got.iter().zip(&expected) {
                prop_assert_eq!(got.0, expected.0);
                prop_assert!((got.1 - expected.1).abs() < 1e-3, "{:?} {:?}", got, expected);
            }
        }
    }
}

#[test]
fn a_drawn_entity_is_cut_where_it_jumped_and_nowhere_else() {
    let exchange = Exchange::new(shape(4)).unwrap();
    let (mut writer, mut reader) = (exchange.writer().unwrap(), exchange.reader(playhead()).unwrap());
    let frame = |reader: &mut Reader, at: f64| {
        reader.feed(&mut playhead());
        let drawn = reader.at(Shown::still(at)).unwrap().draw(7);
        drawn.map(|drawn| (drawn.before.position[0], drawn.now.position[0], drawn.cut))
    };
    writer.set(1, at(50.0)).unwrap();
    publish(&mut writer, 0);
    assert_eq!(frame(&mut reader, 0.0), None, "not there yet");
    writer.set(7, at(3.0)).unwrap();
    publish(&mut writer, 1);
    writer.set(7, at(5.0)).unwrap();
    publish(&mut writer, 2);
    assert_eq!(frame(&mut reader, 0.1), Some((3.0, 3.0, true)), "it appears");
    assert_eq!(frame(&mut reader, 0.1), Some((3.0, 3.0, false)), "it rests");
    assert_eq!(frame(&mut reader, 0.2), Some((3.0, 5.0, false)), "it moves");
    let _ = reader.latest();
    writer.cut(7, at(90.0)).unwrap();
    publish(&mut writer, 3);
    assert_eq!(frame(&mut reader, 0.25), Some((5.0, 5.0, false)), "until the moment of the cut");
    assert_eq!(frame(&mut reader, 0.3), Some((5.0, 90.0, true)), "it teleports");
    writer.remove(7).unwrap();
    writer.set(8, at(91.0)).unwrap();
    writer.set(7, at(92.0)).unwrap();
    publish(&mut writer, 4);
    assert_eq!(frame(&mut reader, 0.4), Some((92.0, 92.0, true)), "another entity has its id, elsewhere");
    drop(writer);
    let mut writer = exchange.writer().unwrap();
    writer.set(8, at(0.0)).unwrap();
    writer.set(9, at(0.0)).unwrap();
    writer.set(7, at(93.0)).unwrap();
    publish(&mut writer, 0);
    assert_eq!(frame(&mut reader, 0.0), Some((93.0, 93.0, true)), "another run");
}

#[test]
fn columns_travel_with_their_entities() {
    let shape = Shape { f32_columns: 2, u32_columns: 1, ..shape(3) };
    let (mut writer, mut reader) = pair(shape);
    for tick in 0..3 {
        for id in [5, 6] {
            writer.set(id, at(0.0)).unwrap();
            writer.set_f32(id, 1, tick as f32 + id as f32).unwrap();
            writer.set_u32(id, 0, tick + 10 * id as u32).unwrap();
        }
        publish(&mut writer, tick);
    }
    let world = reader.at(Shown::still(0.15)).unwrap();
    assert_eq!([0, 1].map(|row| world.f32(row, 1)), [Some(6.5), Some(7.5)], "interpolated");
    assert_eq!([0, 1].map(|row| world.u32(row, 0)), [Some(51), Some(61)], "of the older tick");
    assert_eq!(
        (world.f32(0, 0), world.f32(0, 2), world.u32(0, 1), world.u32(2, 0)),
        (Some(0.0), None, None, None)
    );
    writer.cut(5, at(9.0)).unwrap();
    writer.set_f32(5, 1, 100.0).unwrap();
    publish(&mut writer, 3);
    let world = reader.at(Shown::still(0.25)).unwrap();
    assert_eq!([0, 1].map(|row| world.f32(row, 1)), [Some(7.0), Some(8.0)], "not across a cut");
    let error = WriteError::Column { column: 2, columns: 2 };
    assert_eq!(
        error.to_string(),
        "there is no column 2: the block has 2 of this kind; set f32_columns or u32_columns of its Shape"
    );
    assert_eq!(
        (writer.set_f32(5, 2, 0.0), writer.set_u32(9, 0, 0)),
        (Err(error), Err(WriteError::Unknown { id: 9 }))
    );
    writer.remove(5).unwrap();
    writer.set(7, at(0.0)).unwrap();
    assert_eq!(
        (writer.row(7), writer.u32_column_mut(0)[0], writer.f32_column_mut(1)[0]),
        (Ok(0), 0, 0.0),
        "born clean"
    );
}

#[test]
fn f64_positions_keep_their_millimetres_far_from_the_origin() {
    let (mut writer, mut reader) = super::pair(shape(3), 10.0).unwrap();
    let far = |x: f64| Pose64 { position: [1e9 + x, 0.0, 0.0], rotation: Rotation::IDENTITY };
    writer.set(u64::MAX, far(0.0)).unwrap();
    writer.publish(0.0, 0.0).unwrap();
    writer.set(u64::MAX, far(0.002)).unwrap();
    writer.publish(0.1, 0.1).unwrap();
    let view = reader.at(Shown::still(0.05)).unwrap().entity(0).unwrap();
    assert_eq!((view.id, view.pose), (u64::MAX, far(0.0).blend(&far(0.002), 0.5)));
    let exchange = Exchange::new(Shape { f64_positions: true, ..shape(3) }).unwrap();
    assert!(matches!(
        exchange.writer::<Pose>(),
        Err(AttachError::Block(BlockError::Positions { f64_positions: true }))
    ));
    assert!(matches!(
        exchange.reader::<Pose>(playhead()),
        Err(AttachError::Block(BlockError::Positions { .. }))
    ));
    assert!(exchange.writer::<Pose64>().is_ok() && exchange.reader::<Pose64>(playhead()).is_ok());
}

#[test]
fn without_a_tick_nothing_is_published_but_a_new_speed_is() {
    let (mut writer, mut reader) = pair(shape(1));
    let time = |simulated, scale| SimulationTime { simulated, scale };
    writer.set(1, at(0.0)).unwrap();
    for _ in 0..100 {
        writer.set(1, at(1.0)).unwrap();
        assert_eq!(writer.publish(0.0, time(0.0, 1.0)).unwrap().tick, 0, "once, and then not again");
    }
    assert_eq!(writer.publish(0.1, time(0.0, 0.5)).unwrap().tick, 1);
    assert_eq!(writer.publish(0.2, time(0.0, 0.0)).unwrap().tick, 2, "and what was set before");
    assert_eq!(writer.publish(0.2, time(0.0, 0.0)).unwrap().tick, 2);
    writer.set(1, at(7.0)).unwrap();
    assert_eq!(writer.publish(0.3, time(0.0, 0.0)).unwrap().tick, 3, "an edit in a pause");
    assert_eq!(reader.stamps().len(), 4);
    assert_eq!(seen(&reader.frame(0.4).unwrap()), [(1, 7.0)], "of several for one moment the last counts");
    for scale in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(writer.publish(0.0, time(1.0, scale)), Err(WriteError::Scale(_))));
    }
}

#[test]
fn sequence_numbers_wrap_without_a_trace() {
    // The ends of the 24 bits in a directory word, and of the 32 bits of the number.
    for start in [0x00FF_FFF0, u32::MAX - 15] {
        let exchange = Exchange::new(shape(2)).unwrap();
        exchange.block.word(header::LATEST).store(start, Ordering::Relaxed);
        let mut reader = exchange.reader(playhead()).unwrap();
        let mut ticks = 0;
        for run in 0..4 {
            // Each writer goes on where the one before stopped, also in the middle of the wrap.
            let mut writer = exchange.writer().unwrap();
            writer.set(1, at(0.0)).unwrap();
            for tick in 0..10 {
                writer.set(1, at(tick as f32)).unwrap();
                publish(&mut writer, tick);
                ticks += 1;
                let stamps = reader.stamps();
                assert_eq!(stamps.len(), ticks.min(4));
                assert!(reader.frame(100.0 + f64::from(tick) / 10.0).is_some());
                assert_eq!(seen(&reader.latest().unwrap()), [(1, tick as f32)]);
                if tick > 2 {
                    let middle = Shown::still(f64::from(tick) / 10.0 - 0.05);
                    assert_eq!(seen(&reader.at(middle).unwrap()), [(1, tick as f32 - 0.5)], "run {run}");
                }
            }
        }
        assert_eq!(reader.counts(), ReaderCounts { restarts: 3, ..ReaderCounts::default() });
        assert_eq!(exchange.block.latest(), start.wrapping_add(40));
    }
}

#[test]
fn a_writer_that_died_before_its_last_store_loses_nothing() {
    let exchange = Exchange::new(shape(1)).unwrap();
    let mut writer = exchange.writer().unwrap();
    for tick in 0..6 {
        publish(&mut writer, tick);
    }
    // It never says goodbye, and the number of its last tick was not stored.
    core::mem::forget(writer);
    exchange.block.word(header::LATEST).store(5, Ordering::Relaxed);
    assert!(matches!(exchange.writer::<Pose>(), Err(AttachError::WriterLives)));
    exchange.take_over();
    let mut writer = exchange.writer().unwrap();
    publish(&mut writer, 0);
    let mut reader = exchange.reader::<Pose>(playhead()).unwrap();
    let ticks: Vec<_> = reader.stamps().iter().map(|stamp| (stamp.run, stamp.tick)).collect();
    assert_eq!(ticks, [(1, 3), (1, 4), (1, 5), (2, 0)]);
}

#[test]
fn the_seat_of_a_dead_reader_can_be_freed() {
    let exchange = Exchange::new(Shape { readers: 1, ..shape(1) }).unwrap();
    core::mem::forget(exchange.reader::<Pose>(playhead()).unwrap());
    assert!(matches!(exchange.reader::<Pose>(playhead()), Err(AttachError::NoSeat { seats: 1 })));
    exchange.free_seat(0);
    exchange.free_seat(99);
    assert!(exchange.reader::<Pose>(playhead()).is_ok());
}

#[test]
#[allow(unsafe_code)]
fn a_block_lives_in_memory_that_the_caller_brings() {
    let shape = shape(3);
    let bytes = shape.bytes().unwrap();
    let heap = Exchange::new(shape).unwrap();
    let start = heap.address().0.cast_mut();
    // SAFETY: atomic memory that lives until the end of the test, whose only owner does not use it.
    let (first, second) = unsafe {
        let stray = Exchange::create_in(start.add(64), bytes - 64, shape).unwrap_err();
        assert!(matches!(stray, AttachError::Block(BlockError::Length { .. })));
        let stray = Exchange::open_in(start.add(4), bytes - 64).unwrap_err();
        let address = start.addr() + 4;
        assert!(matches!(stray, AttachError::Block(BlockError::Alignment { address: a }) if a == address));
        let text = format!(
            "the memory of a block starts at {address:#x}, 4 bytes past a multiple of 64: \
             give memory that starts on one"
        );
        assert_eq!(stray.to_string(), text);
        (Exchange::create_in(start, bytes, shape).unwrap(), Exchange::open_in(start, bytes).unwrap())
    };
    let (mut writer, mut reader) = (first.writer().unwrap(), second.reader(playhead()).unwrap());
    assert!(matches!(second.writer::<Pose>(), Err(AttachError::WriterLives)));
    writer.set(1, at(5.0)).unwrap();
    publish(&mut writer, 0);
    assert_eq!(seen(&reader.latest().unwrap()), [(1, 5.0)]);
}

#[test]
fn a_claimed_slot_is_not_written() {
    let exchange = Exchange::new(shape(1)).unwrap();
    let mut writer = exchange.writer().unwrap();
    publish(&mut writer, 0);
    publish(&mut writer, 1);
    let slots = [0, 1].map(|position| {
        block::Entry(exchange.block.word(128 + 4 * (position + 1)).load(Ordering::Relaxed)).slot().unwrap()
    });
    for (which, slot) in slots.into_iter().enumerate() {
        exchange.block.claim_word(2, which).store(slot as u32 + 1, Ordering::Relaxed);
    }
    // Claims that mean nothing are ignored and counted.
    exchange.block.claim_word(3, 0).store(200, Ordering::Relaxed);
    for tick in 2..200 {
        publish(&mut writer, tick);
        let ticks = slots.map(|slot| exchange.block.stamp(slot).1.stamp.tick);
        assert_eq!(ticks, [0, 1]);
    }
    assert_eq!(writer.foreign_claims(), 198);
}

#[test]
fn the_world_of_the_last_frame_can_be_asked_for_again() {
    let (mut writer, mut reader) = pair(Shape::entities(2));
    assert!(reader.again().is_none());
    for tick in 0..8 {
        let now = 0.1 * f64::from(tick);
        writer.set(7, Pose::at([tick as f32, 0.0, 0.0])).unwrap();
        writer.publish(now, now).unwrap();
        for now in [now + 0.02, now + 0.07] {
            let first = reader.frame(now).map(|world| (world.shown, world.draw(7))).unwrap();
            for _ in 0..2 {
                let again = reader.again().map(|world| (world.shown, world.draw(7))).unwrap();
                assert_eq!(again, first, "the frame before included");
            }
        }
    }
    assert!(reader.latest().is_some());
    assert!(reader.again().is_none(), "its copies may be gone");
}
