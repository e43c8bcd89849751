//! What does a block in a file do when things are not as they should be?

mod exchange_support;

use std::fs;
use std::os::unix::fs::FileExt;

use exchange_support::{Marker, Place, attach, torn};
use portamento::blend::Pose;
use portamento::exchange::{AttachError, BlockError, Exchange, Shape, WriterState};
use portamento::playhead::{Playhead, Shown};
use proptest::prelude::*;

fn shape(entities: usize) -> Shape {
    Shape { ticks: 4, ..Shape::entities(entities) }
}

fn playhead() -> Playhead {
    Playhead::at_hz(60.0).unwrap()
}

fn refusal(bytes: &[u8], name: &str) -> BlockError {
    let place = Place::new(name);
    fs::write(&place.0, bytes).unwrap();
    match Exchange::open_file(&place.0) {
        Err(AttachError::File { path, error }) => {
            assert_eq!(path, place.0);
            error
        }
        other => panic!("{other:?}"),
    }
}

/// The bytes of a sound block with ten ticks published.
fn sound() -> Vec<u8> {
    let place = Place::new("sound");
    let exchange = Exchange::create_file(&place.0, shape(5)).unwrap();
    let mut marker = Marker::new(exchange.writer().unwrap(), 5);
    (0..10).for_each(|tick| marker.publish(f64::from(tick)));
    fs::read(&place.0).unwrap()
}

fn with_word(offset: usize, word: u32) -> Vec<u8> {
    let mut bytes = sound();
    bytes[offset..offset + 4].copy_from_slice(&word.to_le_bytes());
    bytes
}

#[test]
fn a_block_of_the_wrong_kind_is_refused_with_the_reason() {
    let length = sound().len();
    let contradiction =
        |offset, found, expected| BlockError::Contradiction { offset, found, expected }.to_string();
    let elf = u32::from_le_bytes(*b"\x7fELF");
    let table: [(&str, Vec<u8>, String); 13] = [
        ("empty", vec![], BlockError::TooShort { bytes: 0, needs: 128 }.to_string()),
        ("short", sound()[..100].into(), BlockError::TooShort { bytes: 100, needs: 128 }.to_string()),
        ("magic", with_word(0, elf), BlockError::Magic { found: *b"\x7fELFMNTO" }.to_string()),
        ("version", with_word(8, 1), BlockError::Version { found: 1 }.to_string()),
        ("features", with_word(36, 2), BlockError::Features { found: 2 }.to_string()),
        ("no-entities", with_word(16, 0), "entities is 0".into()),
        ("ticks", with_word(20, u32::MAX), "give 4, 8, 16 or 32".into()),
        ("seats", with_word(24, 99), "readers is 99: give a number from 1 to 16".into()),
        ("slots", with_word(28, 12), contradiction(28, 12, 13)),
        ("reserved", with_word(56, 7), contradiction(56, 7, 0)),
        ("columns", with_word(40, 1), "the block's header is damaged: the word at 12".into()),
        (
            "cut-short",
            sound()[..length - 64].into(),
            BlockError::Length { bytes: length - 64, expected: length }.to_string(),
        ),
        (
            "padded",
            [sound(), vec![0]].concat(),
            BlockError::Length { bytes: length + 1, expected: length }.to_string(),
        ),
    ];
    for (name, bytes, expected) in table {
        let refused = refusal(&bytes, name).to_string();
        assert!(refused.contains(&expected), "{name}: {refused}");
    }
}

#[test]
fn a_directory_that_nobody_can_go_on_from_is_refused_to_a_writer_and_replaced_on_request() {
    for (name, word) in [("slot-254", 9 << 8 | 255), ("place", 8 << 8 | 1), ("old", 5 << 8 | 1), ("twice", 0)]
    {
        let place = Place::new(name);
        let bytes = if name == "twice" {
            let mut bytes = sound();
            // Tick 9 in the slot of tick 10.
            bytes.copy_within(128 + 8..128 + 9, 128 + 4);
            bytes
        } else {
            with_word(128 + 4, word)
        };
        fs::write(&place.0, bytes).unwrap();
        let exchange = Exchange::open_file(&place.0).unwrap();
        let refused = exchange.writer().unwrap_err();
        let reason = matches!(&refused, AttachError::File { error: BlockError::Directory { .. }, path } if *path == place.0);
        assert!(reason, "{name}: {refused}");
        let mut old = attach(&exchange);
        assert!(old.latest().is_some(), "{name}: the other ticks are readable");
        let new = Exchange::create_file(&place.0, shape(5)).unwrap();
        assert!(new.writer().is_ok());
        assert_eq!(old.writer(), WriterState::Replaced);
    }
}

#[test]
fn a_file_that_is_no_block_is_left_alone() {
    let place = Place::new("diary");
    let diary = "Dear diary, ".repeat(100);
    fs::write(&place.0, &diary).unwrap();
    let refused = Exchange::create_file(&place.0, shape(5)).unwrap_err();
    assert!(matches!(refused, AttachError::File { error: BlockError::Magic { .. }, .. }), "{refused}");
    assert_eq!(fs::read_to_string(&place.0).unwrap(), diary);
}

#[test]
fn a_link_that_lies_where_a_new_block_is_written_leads_nowhere() {
    let (place, diary) = (Place::new("linked"), Place::new("linked-diary"));
    fs::write(&diary.0, "Dear diary").unwrap();
    // The name of a new file can be foreseen, and a folder like /dev/shm is everybody's.
    let planted: Vec<Place> = (0..200)
        .map(|count| {
            let mut name = place.0.clone().into_os_string();
            name.push(format!(".{}-{count}.new", std::process::id()));
            std::os::unix::fs::symlink(&diary.0, &name).unwrap();
            Place(name.into())
        })
        .collect();
    let exchange = Exchange::create_file(&place.0, shape(5)).unwrap();
    assert!(exchange.writer().is_ok());
    assert_eq!(fs::read_to_string(&diary.0).unwrap(), "Dear diary");
    drop(planted);
}

#[test]
fn a_block_that_is_not_there_is_an_error_of_the_operating_system() {
    let missing = Exchange::open_file("/nonexistent/block").unwrap_err();
    assert!(
        matches!(&missing, AttachError::Os { error, .. } if error.kind() == std::io::ErrorKind::NotFound)
    );
    assert!(missing.to_string().starts_with("/nonexistent/block: "), "{missing}");
}

#[test]
fn a_late_reader_finds_the_last_ticks_and_a_restart_goes_on_in_the_same_file() {
    let place = Place::new("restart");
    let exchange = Exchange::create_file(&place.0, shape(5)).unwrap();
    let mut marker = Marker::new(exchange.writer().unwrap(), 5);
    (0..7).for_each(|tick| marker.publish(f64::from(tick)));
    let mut late = attach(&Exchange::open_file(&place.0).unwrap());
    assert!(late.frame(6.0).is_some());
    assert_eq!((late.playhead().counts().ticks, late.latest().unwrap().to().tick), (4, 6));
    let first = late.latest().unwrap().to().run;
    drop(marker);
    assert_eq!(late.writer(), WriterState::Closed);
    assert_eq!(torn(&late.latest().unwrap()), 0);

    let again = Exchange::create_file(&place.0, shape(5)).unwrap();
    let mut marker = Marker::new(again.writer().unwrap(), 5);
    marker.publish(9.0);
    assert!(late.latest().unwrap().to().run > first);
    assert_eq!(torn(&late.latest().unwrap()), 0);
    assert!(!exchange.is_replaced());
}

#[test]
fn a_second_writer_is_refused_while_the_first_lives() {
    let place = Place::new("second");
    let exchange = Exchange::create_file(&place.0, shape(5)).unwrap();
    let first = exchange.writer().unwrap();
    let other = Exchange::create_file(&place.0, shape(5)).unwrap();
    assert!(matches!(other.writer(), Err(AttachError::WriterLives)));
    let larger = Exchange::create_file(&place.0, shape(6));
    assert!(matches!(larger, Err(AttachError::WriterLives)), "nor is its block replaced");
    drop(first);
    assert!(other.writer().is_ok());
}

#[test]
fn a_writer_with_another_shape_replaces_the_block_and_readers_are_told() {
    let place = Place::new("larger");
    let small = Exchange::create_file(&place.0, shape(1)).unwrap();
    let mut writer = small.writer().unwrap();
    writer.set(1, Pose::default()).unwrap();
    writer.publish(0.0, 0.0).unwrap();
    drop(writer);
    let mut reader = attach(&small);
    let old_run = reader.latest().unwrap().to().run;

    let large = Exchange::create_file(&place.0, shape(2)).unwrap();
    let mut writer = large.writer().unwrap();
    writer.publish(0.0, 0.0).unwrap();
    assert_eq!(reader.writer(), WriterState::Replaced);
    assert!(small.is_replaced());
    assert!(reader.latest().is_some(), "what was there stays readable");
    assert!(matches!(small.writer(), Err(AttachError::Replaced { .. })));
    assert!(matches!(small.reader(playhead()), Err(AttachError::Replaced { .. })));
    let mut reader = attach(&Exchange::open_file(&place.0).unwrap());
    assert!(reader.latest().unwrap().to().run >= old_run);
}

#[test]
fn seats_of_a_file_are_counted_across_openings() {
    let place = Place::new("seats");
    let exchange = Exchange::create_file(&place.0, Shape { readers: 2, ..shape(1) }).unwrap();
    let first = attach(&exchange);
    let _second = attach(&Exchange::open_file(&place.0).unwrap());
    let third = Exchange::open_file(&place.0).unwrap();
    assert!(matches!(third.reader(playhead()), Err(AttachError::NoSeat { seats: 2 })));
    drop(first);
    assert!(third.reader(playhead()).is_ok());
}

/// Reads a block in every way there is; whatever is in it, this must end without a panic.
fn read_everything(exchange: &Exchange) {
    let mut reader = attach(exchange);
    let _ = reader.writer();
    let _ = reader.frame(9.5);
    let newest = reader.latest().map_or(0.0, |world| world.to().simulated);
    for moment in [newest - 1.5, newest, newest + 1.0, f64::MIN, 0.0, f64::MAX] {
        let Some(world) = reader.at(Shown { beyond: 1.0, ..Shown::still(moment) }) else { continue };
        assert!((0.0..=1.0).contains(&world.alpha()));
        assert!(world.entities().count() <= exchange.shape().entities);
        assert!(world.truth().len() <= exchange.shape().entities);
        let _ = (world.draw(1), world.f32(0, 0), world.u32(0, 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A sound block with any words overwritten is refused, or read without harm, also while somebody holds it.
    #[test]
    fn a_corrupted_block_is_refused_or_harmless(
        spots in prop::collection::vec((0_usize..8000, any::<u32>(), 0_u8..4), 1..20),
    ) {
        let place = Place::new("corrupted");
        let bytes = sound();
        fs::write(&place.0, &bytes).unwrap();
        let attached = Exchange::open_file(&place.0).unwrap();
        let file = fs::OpenOptions::new().write(true).open(&place.0).unwrap();
        for (word, value, kind) in spots {
            // Words near the front matter most; small numbers and flipped bits get farther than noise.
            let offset = if kind % 2 == 0 { word % 160 * 4 } else { word * 4 % (bytes.len() - 4) };
            let old = u32::from_le_bytes(bytes[offset..offset + 4].try_into().unwrap());
            let new = match kind {
                0 => value,
                1 => value % 64,
                2 => old ^ (1 << (value % 32)),
                _ => old.wrapping_add(value % 5),
            };
            file.write_all_at(&new.to_le_bytes(), offset as u64).unwrap();
        }
        read_everything(&attached);
        if let Ok(opened) = Exchange::open_file(&place.0) {
            read_everything(&opened);
            if let Ok(writer) = opened.writer() {
                let mut marker = Marker::new(writer, 5);
                (0..9).for_each(|tick| marker.publish(f64::from(tick)));
                let mut reader = attach(&opened);
                prop_assert_eq!(torn(&reader.latest().unwrap()), 0, "a new writer heals it");
            }
        }
    }

    /// Noise is refused.
    #[test]
    fn noise_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..4000)) {
        let place = Place::new("noise");
        fs::write(&place.0, &bytes).unwrap();
        let refused = matches!(Exchange::open_file(&place.0), Err(AttachError::File { .. }));
        prop_assert!(refused);
    }
}
