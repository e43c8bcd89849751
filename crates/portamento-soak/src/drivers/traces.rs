//! Files from strangers for the lab: frame times, motions and network recordings.

use crate::Source;
use portamento_lab::traces::{TraceError, read_frames_of, read_motion_up_to, read_network};
use std::path::{Path, PathBuf};

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let path = path();
    if let Some(bytes) = source.rest() {
        let (kind, text) = bytes.split_first().map_or((0, bytes), |(kind, text)| (*kind, text));
        read(&path, text, kind % 3);
        *source = Source::bytes(&[]);
        return 1;
    }
    let mut calls = 0;
    while !source.is_empty() {
        let kind = source.byte() % 3;
        let file = file(source, kind);
        read(&path, &file, kind);
        calls += file.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    }
    calls
}

fn path() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
    folder.join(format!("portamento-soak-{}-{:?}.csv", std::process::id(), std::thread::current().id()))
}

/// Removes the file that the driver of this thread has written.
pub fn clean_up() {
    let _ = std::fs::remove_file(path());
}

/// Reads `bytes` as a file of this kind: an error with words, or numbers that are finite.
pub fn read(path: &Path, bytes: &[u8], kind: u8) {
    std::fs::write(path, bytes).expect("a temporary file");
    match kind {
        0 => match read_frames_of(path, None) {
            Ok(times) => {
                let pacing = times.pacing();
                assert!(!format!("{pacing:?}").contains("NaN"), "{pacing:?}");
            }
            Err(error) => sane(&error),
        },
        1 => {
            if let Err(error) = read_motion_up_to(path, 20.0) {
                sane(&error);
            }
        }
        _ => match read_network(path) {
            Ok(network) => {
                for sent in [0.0, 0.5, 100.0] {
                    let delay = network.delay(sent);
                    assert!(!delay.is_nan() && delay >= 0.0, "{delay}");
                }
            }
            Err(error) => sane(&error),
        },
    }
}

fn sane(error: &TraceError) {
    let text = error.to_string();
    assert!(!text.is_empty());
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "escapes in {text:?}");
}

fn file(source: &mut Source, kind: u8) -> Vec<u8> {
    let headers: &[&str] = match kind {
        0 => &[
            "Application,ProcessID,SwapChainAddress,CPUStartTime,FrameTime,DisplayedTime",
            "Application,ProcessID,SwapChainAddress,TimeInSeconds,msBetweenPresents,msBetweenDisplayChange",
            "FrameTime",
            "frame_ms",
            "seconds",
        ],
        1 => &["t,x,y,z", "t,x,y", "t,x,y,z,qx,qy,qz,qw", "time,x,y,z"],
        _ => &["sent,delay", "sent,arrived", "t,delay_ms", "time,rtt"],
    };
    let header = source.of(headers);
    let columns = header.split(',').count();
    let mut text = if source.one_in(20) { String::new() } else { format!("{header}\n") };
    let mut t = 0.0;
    for _ in 0..source.below(60) {
        t += source.unit() / 30.0;
        for column in 0..columns {
            let cell = match (column, kind) {
                _ if source.one_in(40) => source
                    .of(&["", "NA", "nan", "inf", "-", "\"a,b\"", "\u{1b}[31m", "\u{feff}", "1e400", "0x1p3"])
                    .to_owned(),
                (0, 0) if columns > 1 => {
                    source.of(&["game.exe", "game.exe", "other.exe", "\u{1b}[2J", "a|b"]).to_owned()
                }
                (1, 0) => source.of(&["1", "1", "2"]).to_owned(),
                (2, 0) => source.of(&["0x1", "0x1", "0x2"]).to_owned(),
                (0, _) => format!("{:?}", source.mostly(t)),
                _ => format!("{:?}", source.mostly(10.0)),
            };
            if column > 0 {
                text.push(
                    source.of(&[
                        ',', ',', ',', ',', ',', ',', ',', ',', ',', ',', ',', ',', ',', ',', ',', ';',
                    ]),
                );
            }
            text += &cell;
        }
        text.push_str(source.of(&["\n", "\n", "\n", "\r\n"]));
    }
    let mut bytes = text.into_bytes();
    if source.one_in(10) && !bytes.is_empty() {
        let at = source.below(bytes.len().min(65536));
        bytes[at] = source.byte();
    }
    bytes
}
