//! Every interleaving of the protocol, and every stale value a weak memory could show, on a block that keeps one
//! tick: `RUSTFLAGS="--cfg loom" cargo test -p portamento --release --lib exchange::`.

use alloc::vec::Vec;
use loom::model::Builder;
use loom::thread;

use super::*;
use crate::exchange::Shape;
use crate::exchange::slots::model::{FENCES, Memory};

fn explore(test: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    // Every schedule with up to three preemptions; races of this size need two.
    builder.preemption_bound = Some(3);
    builder.check(test);
}

fn block(ticks: usize, subscribers: usize) -> Arc<Block> {
    let layout = Layout::of_any(Shape { entities: 1, ticks, subscribers }).unwrap();
    Arc::new(Block::create(Memory::heap(&layout), layout))
}

/// All numbers of tick `n` are `n`, so that any mixture shows.
fn publish(writer: &mut Writer, n: u32) {
    let time = f64::from(n);
    let pose = Pose { position: [n as f32; 3], ..Pose::default() };
    let tick = TickStamp { run: u64::from(n), tick: u64::from(n), published: time, simulated: time };
    let columns = Columns {
        version: u64::from(n),
        ids: &[u64::from(n)],
        generations: &[n],
        epochs: &[n],
        flags: &[n],
        poses: &[pose],
    };
    writer.publish(&tick, &columns);
}

fn check_stamp(stamp: &TickStamp) {
    let n = stamp.tick;
    assert_eq!(
        (stamp.run, stamp.published, stamp.simulated),
        (n, n as f64, n as f64),
        "stamps are of one tick"
    );
}

/// Reads a tick if it can; whatever it gets must be of one tick.
fn read(reader: &mut Reader) -> Option<u64> {
    let claimed = reader.claim(2, newest)?;
    check(&claimed);
    Some(claimed.tick(0).stamp.tick)
}

fn check(claimed: &Claimed<'_>) {
    let Found { stamp, .. } = *claimed.tick(0);
    check_stamp(&stamp);
    let layout = *claimed.layout();
    assert_eq!(claimed.column::<u64>(0, layout.ids), [stamp.tick]);
    let pose = claimed.column::<Pose>(0, layout.poses)[0];
    assert_eq!(pose.position, [stamp.tick as f32; 3]);
}

/// A seated reader on a block that keeps `ticks` and is full of them, while two more are written.
fn beside_a_writer(ticks: u32, happening: impl Fn(&mut Reader) + Sync + Send + 'static) {
    explore(move || {
        let block = block(ticks as usize, 1);
        let mut writer = Writer::take(Arc::clone(&block), None).unwrap();
        let mut reader = Reader::take(block).unwrap();
        (1..=ticks).for_each(|n| publish(&mut writer, n));
        let writing = thread::spawn(move || {
            publish(&mut writer, ticks + 1);
            publish(&mut writer, ticks + 2);
        });
        happening(&mut reader);
        writing.join().unwrap();
        let newest = read(&mut reader);
        assert_eq!(
            newest,
            Some(u64::from(ticks + 2)),
            "when the writer rests, its last tick is read at once"
        );
    });
}

fn newest(block: &Block) -> Option<[Found; CLAIMS]> {
    block.survey().iter().next_back().map(|tick| [*tick; CLAIMS])
}

#[test]
fn a_claimed_tick_is_never_written() {
    claiming();
}

fn claiming() {
    beside_a_writer(1, |reader| _ = read(reader));
}

#[test]
fn both_ticks_of_a_pair_stay_as_they_are() {
    beside_a_writer(2, |reader| {
        let pair = |block: &Block| {
            let ticks: Vec<_> = block.survey().iter().copied().collect();
            <[Found; CLAIMS]>::try_from(ticks).ok()
        };
        if let Some(claimed) = reader.claim(1, pair) {
            let poses = claimed.layout().poses;
            for which in 0..CLAIMS {
                let n = claimed.tick(which).stamp.tick;
                assert_eq!(claimed.column::<Pose>(which, poses)[0].position, [n as f32; 3]);
            }
            assert_eq!(claimed.tick(1).stamp.tick, claimed.tick(0).stamp.tick + 1);
        }
    });
}

#[test]
fn two_readers_are_independent() {
    explore(|| {
        let block = block(1, 2);
        let mut writer = Writer::take(Arc::clone(&block), None).unwrap();
        let readers: Vec<_> = (0..2).map(|_| Reader::take(Arc::clone(&block)).unwrap()).collect();
        publish(&mut writer, 1);
        publish(&mut writer, 2);
        let reading: Vec<_> =
            readers.into_iter().map(|mut reader| thread::spawn(move || read(&mut reader))).collect();
        publish(&mut writer, 3);
        for thread in reading {
            thread.join().unwrap();
        }
    });
}

#[test]
fn stamps_read_without_a_claim_are_of_one_tick() {
    stamps_while_writing();
}

fn stamps_while_writing() {
    beside_a_writer(1, |reader| {
        for _ in 0..2 {
            let ticks = reader.block.survey();
            assert_eq!(ticks.nonsense, 0, "stamps are of one tick");
            ticks.iter().for_each(|tick| check_stamp(&tick.stamp));
        }
    });
}

#[test]
fn the_ticks_of_a_survey_follow_each_other() {
    beside_a_writer(2, |reader| {
        let found: Vec<_> = reader.block.survey().iter().map(|tick| tick.entry.sequence()).collect();
        assert!(found.windows(2).all(|pair| pair[1] == pair[0] + 1), "{found:?}");
    });
}

#[test]
fn a_reader_survives_a_change_of_publishers() {
    explore(|| {
        let block = block(1, 1);
        let mut reader = Reader::take(Arc::clone(&block)).unwrap();
        let mut writer = Writer::take(Arc::clone(&block), None).unwrap();
        publish(&mut writer, 1);
        let writing = thread::spawn(move || {
            publish(&mut writer, 2);
            drop(writer);
            let mut writer = Writer::take(block, None).unwrap();
            publish(&mut writer, 3);
        });
        read(&mut reader);
        writing.join().unwrap();
        assert_eq!(read(&mut reader), Some(3));
    });
}

#[test]
fn a_seat_changes_hands_while_the_writer_goes_on() {
    explore(|| {
        let block = block(1, 1);
        let mut writer = Writer::take(Arc::clone(&block), None).unwrap();
        let mut reader = Reader::take(Arc::clone(&block)).unwrap();
        publish(&mut writer, 1);
        publish(&mut writer, 2);
        let reading = thread::spawn(move || {
            read(&mut reader);
            drop(reader);
            read(&mut Reader::take(block).unwrap());
        });
        publish(&mut writer, 3);
        reading.join().unwrap();
    });
}

/// The protocol without its fences must be caught: the checks above can fail.
#[test]
#[should_panic(expected = "Causality violation")]
fn without_the_fences_a_race_is_found() {
    FENCES.set(false);
    claiming();
}

/// And a stamp read while its slot is refilled.
#[test]
#[should_panic(expected = "of one tick")]
fn without_the_fences_a_torn_stamp_is_found() {
    FENCES.set(false);
    stamps_while_writing();
}

/// A reader that trusts what it saw and does not claim must be caught.
#[test]
#[should_panic(expected = "Causality violation")]
fn without_the_claim_a_race_is_found() {
    reading_without_a_second_look(|_, _| {});
}

/// A reader that claims but does not look again must be caught.
#[test]
#[should_panic(expected = "Causality violation")]
fn without_the_second_look_a_race_is_found() {
    reading_without_a_second_look(|reader, ticks| _ = reader.hold(ticks));
}

fn reading_without_a_second_look(claim: fn(&mut Reader, [Found; CLAIMS])) {
    beside_a_writer(1, move |reader| {
        if let Some(ticks) = newest(&reader.block) {
            claim(reader, ticks);
            check(&Claimed { reader, ticks });
        }
    });
}
