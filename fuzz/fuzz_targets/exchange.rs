//! Any bytes over a sound block: refused, or read without harm. Input: a switch, then (word, value) pairs.
#![no_main]

use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use portamento::blend::Pose;
use portamento::exchange::{Exchange, Shape};
use portamento::playhead::Shown;

static SOUND: OnceLock<Vec<u8>> = OnceLock::new();

fn path() -> PathBuf {
    std::env::temp_dir().join(format!("portamento-fuzz-{}", std::process::id()))
}

fn sound() -> Vec<u8> {
    let exchange = Exchange::create_file(path(), Shape::new(3).ticks(4).subscribers(1)).expect("a block");
    let mut publisher = exchange.publisher().expect("the only one");
    let entity = publisher.spawn(1, Pose::default()).expect("room");
    publisher.spawn(2, Pose::default()).expect("room");
    for tick in 0..6 {
        publisher.cut(entity, Pose::default()).expect("it lives");
        publisher.publish(f64::from(tick), f64::from(tick)).expect("time goes forward");
    }
    drop(publisher);
    std::fs::read(path()).expect("the block")
}

fn read(exchange: &Exchange) {
    let Ok(mut subscriber) = exchange.subscriber() else { return };
    let _ = subscriber.news();
    let stamps = subscriber.stamps();
    for at in stamps.iter().map(|stamp| stamp.simulated + 0.5).chain([f64::MIN, 2.5, f64::MAX]) {
        if let Ok(reading) = subscriber.around(Shown::still(at)) {
            assert!((0.0..=1.0).contains(&reading.alpha()));
            assert!(reading.extrapolate(1.0).views().count() <= exchange.shape().entities);
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let sound = SOUND.get_or_init(sound);
    std::fs::write(path(), sound).expect("written");
    let attached = Exchange::open_file(path()).expect("a sound block");
    let file = std::fs::OpenOptions::new().write(true).open(path()).expect("the block");
    for pair in data.chunks_exact(10) {
        let (word, value) = pair.split_at(2);
        let word = usize::from(u16::from_le_bytes([word[0], word[1]])) % (sound.len() / 8);
        file.write_all_at(value, 8 * word as u64).expect("written");
    }
    read(&attached);
    if let Ok(opened) = Exchange::open_file(path()) {
        read(&opened);
        if let Ok(mut publisher) = opened.publisher() {
            publisher.spawn(7, Pose::default()).expect("room");
            for tick in 0..5 {
                publisher.publish(0.0, f64::from(tick)).expect("time goes forward");
            }
            read(&opened);
        }
    }
});
