//! What does a block in a file do when the file system is not as it should be?

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

/// Not the temporary name under which a block is made.
#[test]
fn an_error_names_the_path_that_was_given() {
    let path = std::env::temp_dir().join(format!("no-such-folder-{}", std::process::id())).join("block");
    let error = Exchange::create_file(&path, Shape::entities(1)).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
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
        let refused = exchange.writer::<Pose>().unwrap_err();
        let reason = matches!(&refused, AttachError::File { error: BlockError::Directory { .. }, path } if *path == place.0);
        assert!(reason, "{name}: {refused}");
        let mut old = attach(&exchange);
        assert!(old.latest().is_some(), "{name}: the other ticks are readable");
        let new = Exchange::create_file(&place.0, shape(5)).unwrap();
        assert!(new.writer::<Pose>().is_ok());
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
    assert!(exchange.writer::<Pose>().is_ok());
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
    assert_eq!((late.playhead().statistics().ticks, late.latest().unwrap().to.tick), (4, 6));
    let first = late.latest().unwrap().to.run;
    drop(marker);
    assert_eq!(late.writer(), WriterState::Closed);
    assert_eq!(torn(&late.latest().unwrap()), 0);

    let again = Exchange::create_file(&place.0, shape(5)).unwrap();
    let mut marker = Marker::new(again.writer().unwrap(), 5);
    marker.publish(9.0);
    assert!(late.latest().unwrap().to.run > first);
    assert_eq!(torn(&late.latest().unwrap()), 0);
    assert!(!exchange.is_replaced());
}

#[test]
fn a_second_writer_is_refused_while_the_first_lives() {
    let place = Place::new("second");
    let exchange = Exchange::create_file(&place.0, shape(5)).unwrap();
    let first = exchange.writer::<Pose>().unwrap();
    let other = Exchange::create_file(&place.0, shape(5)).unwrap();
    assert!(matches!(other.writer::<Pose>(), Err(AttachError::WriterLives)));
    let larger = Exchange::create_file(&place.0, shape(6));
    assert!(matches!(larger, Err(AttachError::WriterLives)), "nor is its block replaced");
    drop(first);
    assert!(other.writer::<Pose>().is_ok());
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
    let old_run = reader.latest().unwrap().to.run;

    let large = Exchange::create_file(&place.0, shape(2)).unwrap();
    let mut writer = large.writer::<Pose>().unwrap();
    writer.publish(0.0, 0.0).unwrap();
    assert_eq!(reader.writer(), WriterState::Replaced);
    assert!(small.is_replaced());
    assert!(reader.latest().is_some(), "what was there stays readable");
    assert!(matches!(small.writer::<Pose>(), Err(AttachError::Replaced { .. })));
    assert!(matches!(small.reader::<Pose>(playhead()), Err(AttachError::Replaced { .. })));
    let mut reader = attach(&Exchange::open_file(&place.0).unwrap());
    assert!(reader.latest().unwrap().to.run >= old_run);
}

#[test]
fn seats_of_a_file_are_counted_across_openings() {
    let place = Place::new("seats");
    let exchange = Exchange::create_file(&place.0, Shape { readers: 2, ..shape(1) }).unwrap();
    let first = attach(&exchange);
    let _second = attach(&Exchange::open_file(&place.0).unwrap());
    let third = Exchange::open_file(&place.0).unwrap();
    assert!(matches!(third.reader::<Pose>(playhead()), Err(AttachError::NoSeat { seats: 2 })));
    drop(first);
    assert!(third.reader::<Pose>(playhead()).is_ok());
}

/// Reads a block in every way there is; whatever is in it, this must end without a panic.
fn read_everything(exchange: &Exchange) {
    let mut reader = attach(exchange);
    let _ = reader.writer();
    let _ = reader.frame(9.5);
    let newest = reader.latest().map_or(0.0, |world| world.to.simulated);
    for moment in [newest - 1.5, newest, newest + 1.0, f64::MIN, 0.0, f64::MAX] {
        let Some(world) = reader.at(Shown { beyond: 1.0, ..Shown::still(moment) }) else { continue };
        assert!((0.0..=1.0).contains(&world.alpha));
        assert!(world.entities().count() <= exchange.shape().entities);
        assert!(world.truth().len() <= exchange.shape().entities);
        let _ = (world.draw(1), world.f32(0, 0), world.u32(0, 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A sound block with any words overwritten is refused, or read without harm, also while someone holds it.
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

#[test]
fn a_link_that_leads_nowhere_yet_gets_its_block_where_it_leads() {
    let (link, target) = (Place::new("link"), Place::new("target"));
    std::os::unix::fs::symlink(&target.0, &link.0).unwrap();
    let missing = Exchange::open_file(&link.0).unwrap_err();
    assert!(missing.to_string().starts_with(&link.0.display().to_string()), "{missing}");
    let exchange = Exchange::create_file(&link.0, shape(5)).unwrap();
    assert!(fs::symlink_metadata(&link.0).unwrap().is_symlink(), "the link stays");
    assert!(fs::metadata(&target.0).unwrap().is_file());
    assert!(!exchange.is_replaced());
    let mut marker = Marker::new(exchange.writer().unwrap(), 5);
    marker.publish(0.0);
    assert_eq!(torn(&attach(&Exchange::open_file(&target.0).unwrap()).latest().unwrap()), 0);
    // A loop of links is an error with the path in it.
    let round = Place::new("round");
    std::os::unix::fs::symlink(&round.0, &round.0).unwrap();
    let looped = Exchange::create_file(&round.0, shape(5)).unwrap_err();
    assert!(matches!(&looped, AttachError::Os { path, .. } if *path == round.0), "{looped}");
}

#[test]
fn a_link_that_leads_elsewhere_by_now_counts_as_replaced() {
    let (link, first, second) = (Place::new("moving"), Place::new("first"), Place::new("second"));
    std::os::unix::fs::symlink(&first.0, &link.0).unwrap();
    let old = Exchange::create_file(&link.0, shape(5)).unwrap();
    assert!(!old.is_replaced());
    fs::remove_file(&link.0).unwrap();
    assert!(old.is_replaced(), "it leads nowhere");
    assert!(matches!(old.writer::<Pose>(), Err(AttachError::Replaced { path }) if path == link.0));
    Exchange::create_file(&second.0, shape(5)).unwrap();
    std::os::unix::fs::symlink(&second.0, &link.0).unwrap();
    assert!(old.is_replaced(), "it leads to another file");
    fs::remove_file(&link.0).unwrap();
    std::os::unix::fs::symlink(&first.0, &link.0).unwrap();
    assert!(!old.is_replaced(), "it leads back");
    assert!(old.writer::<Pose>().is_ok());
}

#[test]
fn left_over_files_of_killed_creators_are_removed_and_those_of_living_ones_are_not() {
    let place = Place::new("leftover");
    let named = |middle: &str| {
        let mut name = place.0.clone().into_os_string();
        name.push(middle);
        Place(name.into())
    };
    let (dead, other, number) = (named(".4000000-3.new"), named(".mine.new"), named(".4000000-4.new2"));
    for place in [&dead, &other, &number] {
        fs::write(&place.0, "half a block").unwrap();
    }
    Exchange::create_file(&place.0, shape(5)).unwrap();
    assert!(!dead.0.exists(), "nobody holds its lock");
    assert!(other.0.exists() && number.0.exists(), "not ours");
    let left = fs::read_dir(place.0.parent().unwrap()).unwrap().flatten();
    let name = place.0.file_name().unwrap().to_str().unwrap().to_owned();
    let left = left.filter(|entry| entry.file_name().to_str().is_some_and(|other| other.starts_with(&name)));
    assert_eq!(left.count(), 3, "the block, and what is not ours");
}

/// Runs this test program again with one test, as another user, or with other limits.
fn child(test: &str, prepare: impl FnOnce(&mut std::process::Command)) -> std::process::Output {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--include-ignored", "--nocapture"]);
    prepare(&mut command);
    command.output().unwrap()
}

#[test]
fn a_reader_without_permission_to_write_is_told_so() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let place = Place::new("readonly");
    Exchange::create_file(&place.0, shape(5)).unwrap();
    fs::set_permissions(&place.0, fs::Permissions::from_mode(0o444)).unwrap();
    // Root may do anything, so someone else has to try; the program must be reachable for them too.
    let program = Place::new("program");
    fs::copy(std::env::current_exe().unwrap(), &program.0).unwrap();
    fs::set_permissions(&program.0, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = std::process::Command::new(&program.0);
    command.args(["--exact", "part_read_only", "--include-ignored", "--nocapture"]);
    command.env("PORTAMENTO_PART", &place.0);
    if is_root() {
        command.uid(65534).gid(65534);
    }
    let output = match command.output() {
        Ok(output) => output,
        // The folder for shared memory does not allow programs here.
        Err(error) => return println!("not tried: {error}"),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let said = format!(
        "{}: Permission denied (os error 13): readers too need permission to write",
        place.0.display()
    );
    assert!(text.contains(&said), "{text} {}", String::from_utf8_lossy(&output.stderr));
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").unwrap().uid() == 0
}

#[test]
#[ignore = "run by another test of this file, in a process of its own"]
fn part_read_only() {
    if let Some(path) = std::env::var_os("PORTAMENTO_PART") {
        println!("{}", Exchange::open_file(path).unwrap_err());
    }
}

#[test]
fn a_full_table_of_file_descriptors_is_an_error_with_the_path_and_no_replacement() {
    let place = Place::new("descriptors");
    Exchange::create_file(&place.0, shape(5)).unwrap();
    let output = child("part_descriptors", |command| {
        command.env("PORTAMENTO_PART", &place.0);
    });
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("Too many open files"), "{text}");
}

#[test]
#[ignore = "run by another test of this file, in a process of its own"]
fn part_descriptors() {
    let Some(path) = std::env::var_os("PORTAMENTO_PART") else { return };
    let path = std::path::PathBuf::from(path);
    let exchange = Exchange::open_file(&path).unwrap();
    let mut open = Vec::new();
    let error = loop {
        match fs::File::open(&path) {
            Ok(file) => open.push(file),
            Err(error) => break error,
        }
    };
    assert_eq!(error.raw_os_error(), Some(24), "EMFILE");
    assert!(!exchange.is_replaced(), "it is not");
    let refused = [
        exchange.writer::<Pose>().unwrap_err(),
        exchange.reader::<Pose>(playhead()).unwrap_err(),
        Exchange::open_file(&path).unwrap_err(),
        Exchange::create_file(&path, shape(6)).unwrap_err(),
    ];
    for error in refused {
        assert!(matches!(&error, AttachError::Os { path: named, .. } if *named == path), "{error}");
        println!("{error}");
    }
    open.pop();
    assert!(exchange.writer::<Pose>().is_ok(), "one is enough");
}

#[test]
fn a_changed_working_directory_changes_nothing() {
    let place = Place::new("directory");
    let output = child("part_directory", |command| {
        command.env("PORTAMENTO_PART", place.0.file_name().unwrap()).current_dir(place.0.parent().unwrap());
    });
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
#[ignore = "run by another test of this file, in a process of its own"]
fn part_directory() {
    let Some(path) = std::env::var_os("PORTAMENTO_PART") else { return };
    let exchange = Exchange::create_file(&path, shape(5)).unwrap();
    std::env::set_current_dir("/").unwrap();
    assert!(!exchange.is_replaced());
    assert!(exchange.writer::<Pose>().is_ok() && exchange.reader::<Pose>(playhead()).is_ok());
}

#[test]
fn a_reader_sleeps_until_the_next_tick() {
    use std::time::{Duration, Instant};
    let place = Place::new("sleep");
    let exchange = Exchange::create_file(&place.0, shape(5)).unwrap();
    let mut reader = attach(&exchange);
    let began = Instant::now();
    assert!(!reader.wait(Duration::from_millis(30)), "nobody publishes");
    assert!(began.elapsed() >= Duration::from_millis(30));
    let mut marker = Marker::new(exchange.writer().unwrap(), 5);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let mut ticks = 0;
            while ticks < 200 {
                assert!(reader.wait(Duration::from_secs(20)), "a tick came");
                // Whichever call met a tick, it is not waited for again.
                let newest = match ticks % 3 {
                    0 => reader.latest(),
                    1 => reader.at(Shown::still(f64::MAX)),
                    _ => {
                        assert!(reader.frame(0.0).is_some());
                        reader.latest()
                    }
                };
                let newest = newest.expect("a tick can be read").to.tick;
                assert!(newest >= ticks, "tick {newest} was met before");
                ticks = newest + 1;
            }
            assert!(!reader.wait(Duration::ZERO), "there are no more");
        });
        for tick in 0..200 {
            // Sometimes at once, sometimes when it has long been asleep.
            std::thread::sleep(Duration::from_micros(if tick % 7 == 0 { 2000 } else { 50 }));
            marker.publish(0.0);
        }
        waiting.join().unwrap();
    });
}
