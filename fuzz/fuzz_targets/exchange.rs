//! Any bytes over a sound block: refused, or read without harm. Input: a switch, then (word, value) pairs.
#![no_main]

use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use portamento::blend::Pose;
use portamento::exchange::{Exchange, Shape};
use portamento::playhead::{Playhead, Shown};

static SOUND: OnceLock<Vec<u8>> = OnceLock::new();

fn path() -> PathBuf {
    std::env::temp_dir().join(format!("portamento-fuzz-{}", std::process::id()))
}

fn sound() -> Vec<u8> {
    let exchange = Exchange::create_file(path(), Shape { ticks: 4, readers: 1, f32_columns: 1, ..Shape::entities(3) }).expect("a block");
    let mut writer = exchange.writer().expect("the only one");
    writer.set(2, Pose::default()).expect("room");
    for tick in 0..6 {
        writer.cut(1, Pose::default()).expect("room");
        writer.publish(f64::from(tick), f64::from(tick)).expect("time goes forward");
    }
    drop(writer);
    std::fs::read(path()).expect("the block")
}

fn read(exchange: &Exchange) {
    let Ok(mut reader) = exchange.reader(Playhead::at_hz(1.0).expect("a rate")) else { return };
    let _ = reader.frame(5.5);
    let newest = reader.latest().map_or(0.0, |world| world.to().simulated);
    for at in [newest - 0.5, newest + 1.0, f64::MIN, 2.5, f64::MAX] {
        if let Some(world) = reader.at(Shown { beyond: 1.0, ..Shown::still(at) }) {
            assert!((0.0..=1.0).contains(&world.alpha()));
            assert!(world.entities().count() <= exchange.shape().entities);
            let _ = (world.draw(1), world.f32(0, 0), world.u32(0, 0));
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let sound = SOUND.get_or_init(sound);
    std::fs::write(path(), sound).expect("written");
    let attached = Exchange::open_file(path()).expect("a sound block");
    let file = std::fs::OpenOptions::new().write(true).open(path()).expect("the block");
    for pair in data.chunks_exact(6) {
        let (word, value) = pair.split_at(2);
        let word = usize::from(u16::from_le_bytes([word[0], word[1]])) % (sound.len() / 4);
        file.write_all_at(value, 4 * word as u64).expect("written");
    }
    read(&attached);
    if let Ok(opened) = Exchange::open_file(path()) {
        read(&opened);
        if let Ok(mut writer) = opened.writer() {
            writer.set(7, Pose::default()).expect("room");
            for tick in 0..5 {
                writer.publish(0.0, f64::from(tick)).expect("time goes forward");
            }
            read(&opened);
        }
    }
});
