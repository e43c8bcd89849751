//! Ticks in which every number shows which tick and row it belongs to, and the eyes to check them.
#![allow(dead_code)] // each test program uses its part

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use portamento::blend::{Pose, Rotation};
use portamento::exchange::{Exchange, Reader, WorldFrame, Writer};
use portamento::playhead::Playhead;

/// A pose that no one else has: its tick, its row, and a checksum over both, spread over all seven numbers.
pub fn marked(tick: u64, row: usize) -> Pose {
    let mut hash = (tick ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ row as u64;
    hash = hash.wrapping_mul(0xA24B_AED4_963E_E407);
    let bits = |shift: u32| ((hash >> shift) & 0xFF_FFFF) as f32;
    let position = [(tick & 0xFF_FFFF) as f32, row as f32, bits(0)];
    Pose { position, rotation: Rotation { x: bits(8), y: bits(16), z: bits(24), w: bits(40) } }
}

/// A writer of such ticks: the table changes with every tick as well (the flags are the tick's number).
pub struct Marker {
    pub writer: Writer,
    rows: usize,
    pub tick: u64,
}

impl Marker {
    pub fn new(mut writer: Writer, rows: usize) -> Self {
        (0..rows).for_each(|row| writer.set(row as u64, Pose::default()).expect("room for all rows"));
        Self { writer, rows, tick: 0 }
    }

    pub fn publish(&mut self, now: f64) {
        for (row, pose) in self.writer.poses_mut().iter_mut().enumerate() {
            *pose = marked(self.tick, row);
        }
        for id in 0..self.rows {
            self.writer.set_flags(id as u64, self.tick as u32).expect("it lives");
        }
        let stamp = self.writer.publish(now, self.tick as f64).expect("time goes forward");
        assert_eq!(stamp.tick, self.tick);
        self.tick += 1;
    }
}

/// How many rows of what is drawn do not belong to the tick that it claims to be. The reading must stand at the
/// newer tick, or exactly at the older one.
pub fn torn(reading: &WorldFrame<'_>) -> usize {
    let tick = if reading.alpha < 1.0 { reading.from.tick } else { reading.to.tick };
    let whole = reading.entities().filter(|view| {
        let row = view.row as usize;
        view.pose == marked(tick, row) && view.flags == tick as u32 && view.id == row as u64
    });
    reading.rows - whole.count()
}

/// A reader, whose playhead does not matter here.
pub fn attach(exchange: &Exchange) -> Reader {
    exchange.reader(Playhead::at_hz(60.0).expect("a rate")).expect("a seat")
}

/// A path for a block that nothing else uses, removed at the end.
pub struct Place(pub PathBuf);

impl Place {
    pub fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let shared = PathBuf::from("/dev/shm");
        let folder = if shared.is_dir() { shared } else { std::env::temp_dir() };
        Self(folder.join(format!("portamento-{name}-{}-{count}", std::process::id())))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// This program once more, as a process of its own with a part to play. Killed when dropped.
pub struct Part(Child);

impl Part {
    pub fn play(part: &str, place: &Place) -> Self {
        let program = std::env::current_exe().expect("own path");
        let child = Command::new(program)
            .args(["--part", part])
            .arg(&place.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        Self(child)
    }

    /// The part that this process was started for, and the block's path.
    pub fn of_this_process() -> Option<(String, PathBuf)> {
        let mut arguments = std::env::args().skip(1);
        arguments.find(|argument| argument == "--part")?;
        Some((arguments.next()?, arguments.next()?.into()))
    }

    /// Waits for the next line it prints.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        let out = self.0.stdout.as_mut().expect("piped");
        BufReader::with_capacity(1, out).read_line(&mut line).expect("a line");
        line.trim().to_owned()
    }

    /// SIGKILL: no destructor runs, at whatever point it is.
    pub fn kill(mut self) {
        self.0.kill().expect("a process to kill");
        self.0.wait().expect("an end");
    }

    /// Asks it to end (closes its input) and waits until it has.
    pub fn end(&mut self) {
        drop(self.0.stdin.take());
        assert!(self.0.wait().expect("an end").success());
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Numbers that look random and are the same in every run.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Runs `ready` until it gives something; no one waits for longer than ten seconds.
pub fn soon<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(value) = ready() {
            return value;
        }
        assert!(began.elapsed() < Duration::from_secs(10), "still no {what} after ten seconds");
        std::thread::yield_now();
    }
}
