//! A writer and its readers over memory that someone else may scribble into.
#![allow(unsafe_code)] // the memory is ours to bring, and to damage

use super::Value;
use crate::Source;
use crate::laws::finite;
use portamento::blend::Pose;
use portamento::exchange::{Exchange, Reader, Shape, SimulationTime, Writer};
use portamento::playhead::{Playhead, Shown};
use std::alloc::Layout;
use std::sync::atomic::{AtomicU32, Ordering};

/// Memory for one block.
struct Memory {
    start: *mut u8,
    layout: Layout,
}

impl Memory {
    fn new(bytes: usize) -> Self {
        let layout = Layout::from_size_align(bytes, 64).expect("a block's size");
        // SAFETY: a block is never empty.
        let start = unsafe { std::alloc::alloc_zeroed(layout) };
        assert!(!start.is_null());
        Self { start, layout }
    }

    /// Writes any word anywhere, as another program could.
    fn scribble(&self, word: usize, value: u32) {
        let word = word % (self.layout.size() / 4);
        // SAFETY: within the memory, aligned, and accessed by no one else while this runs: there is one thread.
        unsafe { AtomicU32::from_ptr(self.start.add(4 * word).cast()) }.store(value, Ordering::Relaxed);
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated so, and whoever used it is dropped before.
        unsafe { std::alloc::dealloc(self.start, self.layout) };
    }
}

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += one(source);
    }
    calls
}

const ENTITIES: usize = 3;

fn one(source: &mut Source) -> u64 {
    let shape = Shape {
        ticks: source.of(&[4, 8]),
        readers: 2,
        f32_columns: source.below(2),
        u32_columns: source.below(2),
        ..Shape::entities(ENTITIES)
    };
    let memory = Memory::new(shape.bytes().expect("a small shape"));
    // SAFETY: the memory outlives everything made here, and only `scribble` touches it besides, atomically.
    let exchange =
        unsafe { Exchange::create_in(memory.start, memory.layout.size(), shape) }.expect("a new block");
    let mut writer = exchange.writer().expect("the only one");
    let mut reader = exchange.reader(Playhead::at_hz(60.0).expect("a rate")).expect("a seat");
    let (mut now, mut sim) = (0.0, 0.0);
    let mut damaged = false;
    let mut world = World { last: f64::NEG_INFINITY, run: None };
    let steps = 96;
    for _ in 0..steps {
        now += source.unit() / 60.0;
        match source.below(20) {
            0..=4 => write(&mut writer, source),
            5..=9 => {
                sim += 1.0 / 60.0;
                let time = SimulationTime { simulated: source.mostly(sim), scale: source.mostly(1.0) };
                if let Ok(stamp) = writer.publish(source.mostly(now), time) {
                    sim = stamp.simulated;
                }
            }
            10 if source.one_in(3) => {
                damaged = true;
                for _ in 0..=source.below(8) {
                    let word = if source.flag() { source.below(64) } else { source.bits() as usize };
                    let value = if source.flag() { u32::from(source.byte()) } else { source.bits() as u32 };
                    memory.scribble(word, value);
                }
            }
            11 if source.one_in(4) => {
                // Someone else attaches: refused, or harmless.
                // SAFETY: as above.
                if let Ok(other) = unsafe { Exchange::open_in(memory.start, memory.layout.size()) }
                    && let Ok(mut other) = other.reader(Playhead::at_hz(60.0).expect("a rate"))
                {
                    World { last: f64::NEG_INFINITY, run: None }.look(&mut other, now, true, source);
                }
            }
            12 if source.one_in(4) => {
                drop(writer);
                exchange.take_over();
                let Ok(next) = exchange.writer() else { return steps };
                writer = next;
                sim = 0.0;
            }
            _ => world.look(&mut reader, now, damaged, source),
        }
    }
    steps
}

fn write(writer: &mut Writer, source: &mut Source) {
    let id = source.below(ENTITIES + 2) as u64;
    let lived = writer.row(id).is_ok();
    match source.below(8) {
        0 => assert_eq!(writer.remove(id).is_ok(), lived),
        1 => assert_eq!(writer.set_flags(id, source.bits() as u32).is_ok(), lived),
        2 => drop(writer.set_f32(id, source.below(2), source.number() as f32)),
        3 => drop(writer.set_u32(id, source.below(2), source.bits() as u32)),
        4 => drop(writer.cut(id, Pose::any(source))),
        5 => {
            let broken = Pose::at([f32::NAN, 0.0, 0.0]);
            assert!(writer.set(id, broken).is_err(), "a pose that is not finite");
        }
        _ => {
            let taken = writer.set(id, Pose::any(source)).is_ok();
            assert!(taken || writer.entities() == ENTITIES);
        }
    }
    assert!(writer.entities() <= ENTITIES);
}

struct World {
    last: f64,
    run: Option<u64>,
}

impl World {
    fn look(&mut self, reader: &mut Reader, now: f64, damaged: bool, source: &mut Source) {
        let (chosen, own) = (source.mostly(now), source.one_in(4));
        let world = match source.below(8) {
            0 => reader.latest(),
            1 => reader.at(Shown { beyond: source.unit(), ..Shown::still(chosen) }),
            _ => {
                let world = reader.frame(if own { chosen } else { now });
                if let Some(world) = &world {
                    let (at, run) = (world.shown.at, world.to.run);
                    if !damaged && self.run == Some(run) {
                        assert!(at >= self.last, "drawn time goes back from {} to {at}", self.last);
                    }
                    (self.last, self.run) = (at, Some(run));
                }
                world
            }
        };
        let Some(world) = world else { return };
        assert!((0.0..=1.0).contains(&world.alpha));
        assert!(world.entities().count() <= ENTITIES && world.rows <= ENTITIES);
        for row in 0..=ENTITIES {
            let _ = (world.entity(row), world.f32(row, 0), world.u32(row, 0));
        }
        for id in 0..ENTITIES as u64 {
            if let Some(drawn) = world.draw(id)
                && !damaged
            {
                finite(&drawn.now);
                finite(&drawn.before);
            }
        }
    }
}
