//! What does a block in a file do when things are not as they should be?

mod exchange_support;

use std::fs;
use std::os::unix::fs::FileExt;

use exchange_support::{Marker, Place, torn};
use portamento::blend::Pose;
use portamento::exchange::{AttachError, BlockError, Exchange, NoTick, PublisherState, Shape, ShapeError};
use portamento::playhead::Shown;
use proptest::prelude::*;

fn shape(entities: usize) -> Shape {
    Shape::new(entities).ticks(4)
}

fn refusal(bytes: &[u8], name: &str) -> BlockError {
    let place = Place::new(name);
    fs::write(&place.0, bytes).unwrap();
    match Exchange::open_file(&place.0) {
        Err(AttachError::BlockError(refused)) => refused,
        other => panic!("{other:?}"),
    }
}

/// The bytes of a sound block with ten ticks published.
fn sound() -> Vec<u8> {
    let place = Place::new("sound");
    let exchange = Exchange::create_file(&place.0, shape(5)).unwrap();
    let mut marker = Marker::new(exchange.publisher().unwrap(), 5);
    (0..10).for_each(|tick| marker.publish(f64::from(tick)));
    fs::read(&place.0).unwrap()
}

fn with_word(offset: usize, word: u64) -> Vec<u8> {
    let mut bytes = sound();
    bytes[offset..offset + 8].copy_from_slice(&word.to_le_bytes());
    bytes
}

#[test]
fn a_block_of_the_wrong_kind_is_refused_with_the_reason() {
    let length = sound().len();
    let table: [(&str, Vec<u8>, BlockError); 10] = [
        ("empty", vec![], BlockError::TooShort { bytes: 0, needs: 128 }),
        ("short", sound()[..100].into(), BlockError::TooShort { bytes: 100, needs: 128 }),
        (
            "magic",
            with_word(0, u64::from_le_bytes(*b"\x7fELF....")),
            BlockError::Magic { found: *b"\x7fELF...." },
        ),
        ("version", with_word(8, 2), BlockError::Version { found: 2 }),
        ("no-entities", with_word(24, 0), BlockError::Shape(ShapeError::Entities(0))),
        ("ticks", with_word(32, u64::MAX), BlockError::Shape(ShapeError::Ticks(usize::MAX))),
        ("seats", with_word(40, 99), BlockError::Shape(ShapeError::Subscribers(99))),
        ("slots", with_word(48, 12), BlockError::Contradiction { what: "slots", found: 12, expected: 13 }),
        (
            "cut-short",
            sound()[..length - 64].into(),
            BlockError::Length { bytes: length - 64, expected: length },
        ),
        ("padded", [sound(), vec![0]].concat(), BlockError::Length { bytes: length + 1, expected: length }),
    ];
    for (name, bytes, expected) in table {
        let refused = refusal(&bytes, name);
        assert_eq!(refused, expected, "{name}");
        assert!(!refused.to_string().is_empty());
    }
}

#[test]
fn a_directory_that_nobody_can_go_on_from_is_refused_to_a_publisher_and_replaced_on_request() {
    for (name, word) in [("slot-255", 9 << 8 | 255), ("place", 8 << 8), ("huge", (u64::MAX >> 10) << 8 | 1)] {
        let place = Place::new(name);
        fs::write(&place.0, with_word(128 + 8, word)).unwrap();
        let exchange = Exchange::open_file(&place.0).unwrap();
        let refused = exchange.publisher().unwrap_err();
        assert!(matches!(refused, AttachError::BlockError(BlockError::Directory { found }) if found == word));
        let mut old = exchange.subscriber().unwrap();
        assert!(old.latest().is_ok() || name == "huge", "the other ticks are readable");
        assert!(old.counts().nonsense > 0 || name == "huge");
        let new = Exchange::create_file(&place.0, shape(5)).unwrap();
        assert!(new.publisher().is_ok());
        assert_eq!(old.publisher(), PublisherState::Replaced);
    }
}

#[test]
fn a_file_that_is_no_block_is_left_alone() {
    let place = Place::new("diary");
    let diary = "Dear diary, ".repeat(100);
    fs::write(&place.0, &diary).unwrap();
    let refused = Exchange::create_file(&place.0, shape(5)).unwrap_err();
    assert!(matches!(refused, AttachError::BlockError(BlockError::Magic { .. })), "{refused}");
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
    assert!(exchange.publisher().is_ok());
    assert_eq!(fs::read_to_string(&diary.0).unwrap(), "Dear diary");
    drop(planted);
}

#[test]
fn a_block_that_is_not_there_is_an_error_of_the_operating_system() {
    let missing = Exchange::open_file("/nonexistent/block").unwrap_err();
    assert!(matches!(&missing, AttachError::Os(error) if error.kind() == std::io::ErrorKind::NotFound));
}

#[test]
fn a_late_subscriber_finds_the_last_ticks_and_a_restart_goes_on_in_the_same_file() {
    let place = Place::new("restart");
    let exchange = Exchange::create_file(&place.0, shape(5)).unwrap();
    let mut marker = Marker::new(exchange.publisher().unwrap(), 5);
    (0..7).for_each(|tick| marker.publish(f64::from(tick)));
    let mut late = Exchange::open_file(&place.0).unwrap().subscriber().unwrap();
    assert_eq!(late.news().iter().map(|stamp| stamp.tick).collect::<Vec<_>>(), [3, 4, 5, 6]);
    let first = late.latest().unwrap().to().run;
    drop(marker);
    assert_eq!(late.publisher(), PublisherState::Closed);
    assert_eq!(torn(&late.latest().unwrap()), 0);

    let again = Exchange::create_file(&place.0, shape(5)).unwrap();
    let mut marker = Marker::new(again.publisher().unwrap(), 5);
    marker.publish(9.0);
    assert!(late.latest().unwrap().to().run > first);
    assert_eq!(torn(&late.latest().unwrap()), 0);
    assert!(!exchange.is_replaced());
}

#[test]
fn a_second_publisher_is_refused_while_the_first_lives() {
    let place = Place::new("second");
    let exchange = Exchange::create_file(&place.0, shape(5)).unwrap();
    let first = exchange.publisher().unwrap();
    let other = Exchange::create_file(&place.0, shape(5)).unwrap();
    assert!(matches!(other.publisher(), Err(AttachError::PublisherLives)));
    let larger = Exchange::create_file(&place.0, shape(6));
    assert!(matches!(larger, Err(AttachError::PublisherLives)), "nor is its block replaced");
    drop(first);
    assert!(other.publisher().is_ok());
}

#[test]
fn a_publisher_with_another_shape_replaces_the_block_and_readers_are_told() {
    let place = Place::new("larger");
    let small = Exchange::create_file(&place.0, shape(1)).unwrap();
    let mut publisher = small.publisher().unwrap();
    publisher.spawn(1, Pose::default()).unwrap();
    publisher.publish(0.0, 0.0).unwrap();
    drop(publisher);
    let mut reader = small.subscriber().unwrap();
    let old_run = reader.latest().unwrap().to().run;

    let large = Exchange::create_file(&place.0, shape(2)).unwrap();
    let mut publisher = large.publisher().unwrap();
    publisher.publish(0.0, 0.0).unwrap();
    assert_eq!(reader.publisher(), PublisherState::Replaced);
    assert!(small.is_replaced());
    assert!(reader.latest().is_ok(), "what was there stays readable");
    assert!(matches!(small.publisher(), Err(AttachError::Replaced)));
    assert!(matches!(small.subscriber(), Err(AttachError::Replaced)));
    let mut reader = Exchange::open_file(&place.0).unwrap().subscriber().unwrap();
    assert!(reader.latest().unwrap().to().run >= old_run);
}

#[test]
fn seats_of_a_file_are_counted_across_openings() {
    let place = Place::new("seats");
    let exchange = Exchange::create_file(&place.0, shape(1).subscribers(2)).unwrap();
    let first = exchange.subscriber().unwrap();
    let _second = Exchange::open_file(&place.0).unwrap().subscriber().unwrap();
    let third = Exchange::open_file(&place.0).unwrap();
    assert!(matches!(third.subscriber(), Err(AttachError::NoSeat { seats: 2 })));
    drop(first);
    assert!(third.subscriber().is_ok());
}

/// Written from the table in the documentation, as a script would be, and from nothing else.
#[test]
fn a_reader_made_from_the_documented_layout_sees_the_same() {
    let place = Place::new("table");
    let exchange = Exchange::create_file(&place.0, Shape::new(37).ticks(9).subscribers(3)).unwrap();
    let mut marker = Marker::new(exchange.publisher().unwrap(), 30);
    (0..25).for_each(|tick| marker.publish(f64::from(tick) + 0.25));
    let bytes = fs::read(&place.0).unwrap();
    let u64_at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let pad = |length: usize| length.div_ceil(64) * 64;
    assert_eq!((&bytes[..8], u64_at(8), u64_at(80)), (&b"PORTMNTO"[..], 1, 1));
    let [e, k, s, n, slot_bytes] = [24, 32, 40, 48, 56].map(|at| u64_at(at) as usize);
    assert_eq!((e, k, s, n), (37, 9, 3, 9 + 2 * 3 + 1));
    let newest = (0..k).map(|position| u64_at(128 + 8 * position)).max().unwrap();
    let slot = 128 + pad(8 * k) + 64 * s + (newest & 0xFF) as usize * slot_bytes;
    assert_eq!(u64_at(16) as usize, 128 + pad(8 * k) + 64 * s + n * slot_bytes);

    let mut subscriber = exchange.subscriber().unwrap();
    let reading = subscriber.latest().unwrap();
    assert_eq!((u64_at(slot), u64_at(slot + 8), u64_at(slot + 16)), (newest >> 8, reading.to().run, 24));
    assert_eq!([24, 32].map(|at| f64::from_bits(u64_at(slot + at))), [24.25, 24.0]);
    assert_eq!(u64_at(slot + 40), 30);
    let ids = slot + 64;
    let generations = ids + pad(8 * e);
    let epochs = generations + pad(4 * e);
    let flags = epochs + pad(4 * e);
    let poses = flags + pad(4 * e);
    for row in 0..30 {
        let view = reading.view(row).unwrap();
        assert_eq!(u64_at(ids + 8 * row), view.id);
        assert_eq!(u32_at(generations + 4 * row), view.entity.generation);
        assert_eq!(u32_at(epochs + 4 * row), view.cut_epoch);
        assert_eq!(u32_at(flags + 4 * row), view.flags);
        let number = |i: usize| f32::from_bits(u32_at(poses + 28 * row + 4 * i));
        let turn = view.pose.rotation;
        assert_eq!([number(0), number(1), number(2)], view.pose.position);
        assert_eq!([number(3), number(4), number(5), number(6)], [turn.x, turn.y, turn.z, turn.w]);
    }
}

/// Reads a block in every way there is; whatever is in it, this must end without a panic.
fn read_everything(exchange: &Exchange) {
    let mut subscriber = match exchange.subscriber() {
        Ok(subscriber) => subscriber,
        Err(error) => panic!("a fresh opening has seats: {error}"),
    };
    let _ = subscriber.publisher();
    let _ = subscriber.news();
    let stamps = subscriber.stamps();
    let moments = stamps.iter().map(|stamp| stamp.simulated + 0.5).chain([f64::MIN, 0.0, f64::MAX]);
    for moment in moments.collect::<Vec<_>>() {
        match subscriber.around(Shown::still(moment)) {
            Ok(reading) => {
                assert!((0.0..=1.0).contains(&reading.alpha()));
                let reading = reading.extrapolate(1.0);
                assert!(reading.views().count() <= exchange.shape().entities);
                assert!(reading.poses().len() <= exchange.shape().entities);
            }
            Err(NoTick::Empty | NoTick::Overtaken { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A sound block with any words overwritten is refused, or read without harm, also while somebody holds it.
    #[test]
    fn a_corrupted_block_is_refused_or_harmless(
        spots in prop::collection::vec((0_usize..4000, any::<u64>(), 0_u8..4), 1..20),
    ) {
        let place = Place::new("corrupted");
        let bytes = sound();
        fs::write(&place.0, &bytes).unwrap();
        let attached = Exchange::open_file(&place.0).unwrap();
        let file = fs::OpenOptions::new().write(true).open(&place.0).unwrap();
        for (word, value, kind) in spots {
            // Words near the front matter most; small numbers and flipped bits get farther than noise.
            let offset = if kind % 2 == 0 { word % 80 * 8 } else { word * 8 % (bytes.len() - 8) };
            let old = u64::from_le_bytes(bytes[offset..offset + 8].try_into().unwrap());
            let new = match kind {
                0 => value,
                1 => value % 64,
                2 => old ^ (1 << (value % 64)),
                _ => old.wrapping_add(value % 5),
            };
            file.write_all_at(&new.to_le_bytes(), offset as u64).unwrap();
        }
        read_everything(&attached);
        if let Ok(opened) = Exchange::open_file(&place.0) {
            read_everything(&opened);
            if let Ok(publisher) = opened.publisher() {
                let mut marker = Marker::new(publisher, 5);
                (0..9).for_each(|tick| marker.publish(f64::from(tick)));
                let mut subscriber = opened.subscriber().unwrap();
                prop_assert_eq!(torn(&subscriber.latest().unwrap()), 0, "a new publisher heals it");
            }
        }
    }

    /// Noise is refused.
    #[test]
    fn noise_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..4000)) {
        let place = Place::new("noise");
        fs::write(&place.0, &bytes).unwrap();
        prop_assert!(matches!(Exchange::open_file(&place.0), Err(AttachError::BlockError(_))));
    }
}
