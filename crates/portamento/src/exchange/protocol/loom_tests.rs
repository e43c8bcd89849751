//! Every interleaving of the protocol, and every stale value a weak memory could show, on blocks that keep one or two
//! ticks: `RUSTFLAGS="--cfg loom" cargo test -p portamento --release --lib exchange::`.

use alloc::vec::Vec;
use loom::model::Builder;
use loom::thread;

use super::model::{FENCES, FIRST_SEQUENCE, Memory, SEQUENCE_BITS};
use super::*;
use crate::exchange::Shape;

fn explore(test: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    // Every schedule with up to two preemptions; races of this size need two.
    builder.preemption_bound = Some(2);
    builder.check(test);
}

fn block(ticks: usize, readers: usize) -> Arc<Block> {
    let shape = Shape { ticks, readers, ..Shape::entities(1) };
    let layout = Layout::of_any(shape).unwrap();
    Arc::new(Block::create(Memory::model(&layout), layout))
}

fn take_writer(block: &Arc<Block>) -> WriteSide {
    WriteSide::take(Arc::clone(block), Succession::Free).unwrap()
}

/// All numbers of tick `n` are `n`, so that any mixture shows.
fn publish(writer: &mut WriteSide, n: u32) -> bool {
    let layout = *writer.block().layout();
    let time = f64::from(n);
    let tick =
        TickStamp { run: u64::from(n), tick: u64::from(n), published: time, simulated: time, scale: time };
    let mut image = Image::new(layout.slot_bytes);
    image.column_mut::<u32>(layout.ids_low, 1)[0] = n;
    image.column_mut::<u32>(layout.poses, 7).fill(n);
    writer.publish(&tick, 1, u64::from(n), &image)
}

fn check_stamp(tick: &Found) {
    let n = tick.stamp.tick;
    let time = n as f64;
    let TickStamp { run, published, simulated, scale, .. } = tick.stamp;
    assert_eq!((run, tick.table), (n, n), "stamps are of one tick");
    assert_eq!([published, simulated, scale], [time; 3], "stamps are of one tick");
}

/// The number in the columns of a copy.
fn check_image(image: &Image, layout: &Layout, tick: &Found) {
    assert_eq!(image.column::<u32>(layout.ids_low, 1), [tick.stamp.tick as u32], "columns are of one tick");
    assert_eq!(image.column::<u32>(layout.poses, 7), [tick.stamp.tick as u32; 7], "columns are of one tick");
}

/// Copies the newest tick if it can; whatever it gets must be of one tick.
fn read(reader: &mut ReadSide) -> Option<u64> {
    for _ in 0..2 {
        let survey = reader.survey();
        assert_eq!(survey.nonsense, 0, "stamps are of one tick");
        survey.iter().for_each(check_stamp);
        let Some(newest) = survey.iter().next_back().copied() else { continue };
        let layout = *reader.block().layout();
        let mut image = Image::new(layout.slot_bytes);
        if reader.copy([(&newest, Some((&mut image, None))), (&newest, None)]) {
            check_image(&image, &layout, &newest);
            return Some(newest.stamp.tick);
        }
    }
    None
}

/// A seated reader on a block that keeps `ticks` and is full of them, while `more` are written.
fn beside_a_writer(ticks: u32, more: u32, happening: impl Fn(&mut ReadSide) + Sync + Send + 'static) {
    explore(move || {
        let block = block(ticks as usize, 1);
        let mut writer = take_writer(&block);
        let mut reader = ReadSide::take(block).unwrap();
        for n in 1..=ticks {
            publish(&mut writer, n);
        }
        let writing = thread::spawn(move || {
            for n in ticks + 1..=ticks + more {
                publish(&mut writer, n);
            }
        });
        happening(&mut reader);
        writing.join().unwrap();
        let newest = read(&mut reader);
        assert_eq!(
            newest,
            Some(u64::from(ticks + more)),
            "when the writer rests, its last tick is read at once"
        );
    });
}

#[test]
fn a_claimed_tick_is_never_written() {
    claiming();
}

fn claiming() {
    beside_a_writer(1, 2, |reader| _ = read(reader));
}

#[test]
fn both_ticks_of_a_pair_stay_as_they_are() {
    beside_a_writer(2, 2, |reader| {
        let survey = reader.survey();
        let ticks: Vec<_> = survey.iter().copied().collect();
        let Ok([from, to]) = <[Found; 2]>::try_from(ticks) else { return };
        assert_eq!(to.sequence, from.sequence.wrapping_add(1), "the ticks of a survey follow each other");
        let layout = *reader.block().layout();
        let [mut first, mut second] = [Image::new(layout.slot_bytes), Image::new(layout.slot_bytes)];
        if reader.copy([(&from, Some((&mut first, None))), (&to, Some((&mut second, None)))]) {
            check_image(&first, &layout, &from);
            check_image(&second, &layout, &to);
        }
    });
}

#[test]
fn two_readers_are_independent() {
    explore(|| {
        let block = block(1, 2);
        let mut writer = take_writer(&block);
        let readers: Vec<_> = (0..2).map(|_| ReadSide::take(Arc::clone(&block)).unwrap()).collect();
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
fn a_reader_survives_a_change_of_writers() {
    explore(|| {
        let block = block(1, 1);
        let mut reader = ReadSide::take(Arc::clone(&block)).unwrap();
        let mut writer = take_writer(&block);
        publish(&mut writer, 1);
        let writing = thread::spawn(move || {
            publish(&mut writer, 2);
            drop(writer);
            publish(&mut take_writer(&block), 3);
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
        let mut writer = take_writer(&block);
        let mut reader = ReadSide::take(Arc::clone(&block)).unwrap();
        publish(&mut writer, 1);
        publish(&mut writer, 2);
        let reading = thread::spawn(move || {
            read(&mut reader);
            drop(reader);
            read(&mut ReadSide::take(block).unwrap());
        });
        publish(&mut writer, 3);
        reading.join().unwrap();
    });
}

#[test]
fn sequence_numbers_wrap() {
    // From 2^32 - 2 over 2^32 - 1 to 0 and 1, while someone reads.
    FIRST_SEQUENCE.set(u32::MAX - 2);
    claiming();
}

/// A directory word holds no bit of the number: any two ticks in the same slot have the same word, as they do after
/// 2^24 ticks.
#[test]
fn directory_words_repeat() {
    SEQUENCE_BITS.set(0);
    beside_a_writer(1, 3, |reader| _ = read(reader));
}

/// What was read before the claim must not be trusted when words repeat: here the reader does.
#[test]
#[should_panic(expected = "of one tick")]
fn a_stamp_read_before_the_claim_is_torn_when_words_repeat() {
    SEQUENCE_BITS.set(0);
    beside_a_writer(1, 3, |reader| {
        let block = Arc::clone(reader.block());
        let word = || Entry(block.word(block.layout().entry(0)).load(Ordering::Acquire));
        let before = word();
        let found = block.stamp(before.slot().unwrap()).1;
        block.claim_word(0, 0).store(before.slot().unwrap() as u32 + 1, Ordering::Release);
        fence(Ordering::SeqCst);
        if word() == before {
            check_stamp(&found);
        }
        reader.release(0);
    });
}

/// One of the two sees the other: no one sleeps through a tick.
#[test]
fn a_sleeper_is_woken() {
    sleeping();
}

fn sleeping() {
    explore(|| {
        let block = block(1, 1);
        let mut writer = take_writer(&block);
        let reader = ReadSide::take(Arc::clone(&block)).unwrap();
        publish(&mut writer, 1);
        let seen = block.latest();
        let writing = thread::spawn(move || publish(&mut writer, 2));
        reader.waiting().store(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        // What the kernel compares before it lets us sleep.
        let sleeps = block.word(header::LATEST).load(Ordering::Relaxed) == seen;
        let woken = writing.join().unwrap();
        assert!(!sleeps || woken, "slept through a tick");
    });
}

/// The protocol without its fences must be caught: the checks above can fail.
#[test]
#[should_panic(expected = "Causality violation")]
fn without_the_fences_a_race_is_found() {
    FENCES.set(false);
    claiming();
}

#[test]
#[should_panic(expected = "slept through a tick")]
fn without_the_fences_a_sleeper_is_forgotten() {
    FENCES.set(false);
    sleeping();
}

/// A reader that trusts what it saw and does not claim must be caught.
#[test]
#[should_panic(expected = "Causality violation")]
fn without_the_claim_a_race_is_found() {
    reading_carelessly(false);
}

/// A reader that claims but does not look again must be caught.
#[test]
#[should_panic(expected = "Causality violation")]
fn without_the_second_look_a_race_is_found() {
    reading_carelessly(true);
}

fn reading_carelessly(claiming: bool) {
    beside_a_writer(1, 2, move |reader| {
        let block = Arc::clone(reader.block());
        let layout = *block.layout();
        let entry = Entry(block.word(layout.entry(block.latest())).load(Ordering::Acquire));
        let slot = entry.slot().unwrap();
        if claiming {
            block.claim_word(0, 0).store(slot as u32 + 1, Ordering::Release);
            fence(Ordering::SeqCst);
        }
        let mut image = Image::new(layout.slot_bytes);
        block.memory().read_column(layout.slot(slot) + layout.poses, image.words_mut(layout.poses, 28));
        reader.release(0);
    });
}
