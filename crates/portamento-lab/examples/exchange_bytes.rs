//! Both sides of an exchange, driven line by line: how an implementation in another language proves that it agrees.
//!
//! One command per line on standard input, one answer per line on standard output. Floating-point numbers in the answers
//! are printed as the hexadecimal digits of their bits. `packages/portamento/tests/interop.test.mjs` uses it.
//!
//! ```text
//! shape ENTITIES TICKS READERS F32 U32 F64   a new block; F64 is 0 or 1
//! set ID X Y Z QX QY QZ QW                   Writer::set; so do cut, remove ID, flags ID N, f32 ID COLUMN X, u32 ID COLUMN N
//! publish NOW SIMULATED SCALE                Writer::publish
//! restart                                    the writer ends and another one begins
//! dump                                       answers the bytes of the block
//! load HEX                                   puts these bytes into the block, whoever wrote them
//! reader HZ EXTRAPOLATE                      a new reader
//! frame NOW | at MOMENT                      answers what the reader shows
//! ```

use std::fmt::Write as _;
use std::io::{BufRead, Write as _};

use portamento::blend::{Pose, Pose64, Rotation};
use portamento::exchange::{Exchange, ExchangePose, Reader, Shape, SimulationTime, WorldFrame, Writer};
use portamento::playhead::{Playhead, PlayheadSettings, Shown};

type Failed = Box<dyn std::error::Error>;

/// A cache line, so that the block begins on one.
#[derive(Clone)]
#[repr(C, align(64))]
struct Line([u8; 64]);

trait Kind: ExchangePose {
    fn of(numbers: [f64; 7]) -> Self;
    fn bits(&self) -> [u64; 7];
    fn matrix(&self) -> [[f32; 4]; 4];
}

macro_rules! kind {
    ($pose:ident, $float:ty, $single:expr) => {
        impl Kind for $pose {
            fn of([x, y, z, qx, qy, qz, qw]: [f64; 7]) -> Self {
                let [qx, qy, qz, qw] = [qx, qy, qz, qw].map(|c| c as f32);
                let rotation = Rotation { x: qx, y: qy, z: qz, w: qw };
                Self { position: [x, y, z].map(|c| c as $float), rotation }
            }

            fn bits(&self) -> [u64; 7] {
                let [x, y, z] = self.position.map(|c| u64::from(c.to_bits()));
                let [qx, qy, qz, qw] = self.rotation.to_array().map(|c| u64::from(c.to_bits()));
                [x, y, z, qx, qy, qz, qw]
            }

            fn matrix(&self) -> [[f32; 4]; 4] {
                let single: fn(&Self) -> Pose = $single;
                single(self).to_matrix_4x4()
            }
        }
    };
}
kind!(Pose, f32, |pose| *pose);
kind!(Pose64, f64, |pose| pose.relative_to([0.0; 3]));

/// A block in memory of ours, and whoever uses it.
struct Desk<P: Kind> {
    writer: Option<Writer<P>>,
    reader: Option<Reader<P>>,
    exchange: Exchange,
    bytes: usize,
    /// Last, so that it outlives the exchange.
    memory: Vec<Line>,
}

impl<P: Kind> Desk<P> {
    #[allow(unsafe_code)]
    fn new(shape: Shape) -> Result<Self, Failed> {
        let bytes = shape.bytes()?;
        let mut memory = vec![Line([0; 64]); bytes / 64];
        // SAFETY: the memory is dropped after the exchange and its sides, does not move, and is only used here, between
        // calls of the exchange.
        let exchange = unsafe { Exchange::create_in(memory.as_mut_ptr().cast(), bytes, shape)? };
        Ok(Self { writer: Some(exchange.writer()?), reader: None, exchange, bytes, memory })
    }

    #[allow(unsafe_code)]
    fn block(&mut self) -> &mut [u8] {
        // SAFETY: plain bytes that are all initialised; no one else runs.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.bytes) }
    }

    fn answer(&mut self, words: &[&str]) -> Result<String, Failed> {
        let number = |place: usize| -> Result<f64, Failed> { Ok(words[place].parse()?) };
        let whole = |place: usize| -> Result<u64, Failed> { Ok(words[place].parse()?) };
        let exchange = &self.exchange;
        match words[0] {
            "dump" => return Ok(self.block().iter().map(|byte| format!("{byte:02x}")).collect()),
            "load" => {
                let digits = words[1].as_bytes();
                for (byte, pair) in self.block().iter_mut().zip(digits.chunks(2)) {
                    *byte = u8::from_str_radix(std::str::from_utf8(pair)?, 16)?;
                }
                return Ok("ok".into());
            }
            "restart" => {
                self.writer = None;
                self.writer = Some(exchange.writer()?);
                return Ok("ok".into());
            }
            "reader" => {
                let (hz, limit) = (number(1)?, number(2)?);
                self.reader = None;
                let playhead = Playhead::new(PlayheadSettings {
                    extrapolate: limit.max(0.0),
                    ..PlayheadSettings::at_hz(hz)
                })?;
                self.reader = Some(exchange.reader(playhead)?);
                return Ok("ok".into());
            }
            "frame" | "at" => {
                let reader = self.reader.as_mut().ok_or("there is no reader")?;
                let shape = exchange.shape();
                let time = number(1)?;
                let world = if words[0] == "at" { reader.at(Shown::still(time)) } else { reader.frame(time) };
                return Ok(world.map_or("null".into(), |world| text(&world, shape)));
            }
            _ => {}
        }
        let writer = self.writer.as_mut().ok_or("there is no writer")?;
        match words[0] {
            "set" | "cut" => {
                let mut numbers = [0.0; 7];
                for (place, number) in numbers.iter_mut().zip(&words[2..]) {
                    *place = number.parse()?;
                }
                if words[0] == "set" {
                    writer.set(whole(1)?, P::of(numbers))?;
                } else {
                    writer.cut(whole(1)?, P::of(numbers))?;
                }
            }
            "remove" => writer.remove(whole(1)?)?,
            "flags" => writer.set_flags(whole(1)?, whole(2)? as u32)?,
            "f32" => writer.set_f32(whole(1)?, whole(2)? as usize, number(3)? as f32)?,
            "u32" => writer.set_u32(whole(1)?, whole(2)? as usize, whole(3)? as u32)?,
            "publish" => {
                writer.publish(number(1)?, SimulationTime { simulated: number(2)?, scale: number(3)? })?;
            }
            other => return Err(format!("there is no command {other:?}").into()),
        }
        Ok("ok".into())
    }
}

/// Everything that a frame shows: alpha, moment, rows, then each entity.
fn text<P: Kind>(world: &WorldFrame<'_, P>, shape: Shape) -> String {
    let mut text = format!(
        "{:x} {:x} {:x} {}",
        world.alpha.to_bits(),
        world.shown.at.to_bits(),
        world.shown.presented.to_bits(),
        world.rows
    );
    for entity in world.entities() {
        let _ = write!(
            text,
            " | {} {} {} {} {}",
            entity.row, entity.id, entity.generation, entity.cut_epoch, entity.flags
        );
        for bits in entity.pose.bits() {
            let _ = write!(text, " {bits:x}");
        }
        for column in 0..shape.f32_columns {
            let value = world.f32(entity.row as usize, column).map_or(0, f32::to_bits);
            let _ = write!(text, " {value:x}");
        }
        for column in 0..shape.u32_columns {
            let _ = write!(text, " {}", world.u32(entity.row as usize, column).unwrap_or_default());
        }
        for number in entity.pose.matrix().as_flattened() {
            let _ = write!(text, " {:x}", number.to_bits());
        }
        let cut = world.draw(entity.id).is_none_or(|drawn| drawn.cut);
        let _ = write!(text, " {}", u8::from(cut));
    }
    text
}

enum AnyDesk {
    Single(Box<Desk<Pose>>),
    Double(Box<Desk<Pose64>>),
}

fn main() -> Result<(), Failed> {
    let mut desk = None;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match (words.as_slice(), &mut desk) {
            (["shape", numbers @ ..], desk) => {
                let numbers: Vec<usize> =
                    numbers.iter().map(|number| number.parse()).collect::<Result<_, _>>()?;
                let [entities, ticks, readers, f32_columns, u32_columns, f64_positions] = numbers[..] else {
                    return Err("a shape has six numbers".into());
                };
                let f64_positions = f64_positions == 1;
                let shape = Shape { entities, ticks, readers, f32_columns, u32_columns, f64_positions };
                *desk = Some(if f64_positions {
                    AnyDesk::Double(Box::new(Desk::new(shape)?))
                } else {
                    AnyDesk::Single(Box::new(Desk::new(shape)?))
                });
                "ok".into()
            }
            ([], _) => continue,
            (words, Some(AnyDesk::Single(desk))) => desk.answer(words)?,
            (words, Some(AnyDesk::Double(desk))) => desk.answer(words)?,
            (_, None) => return Err("begin with a shape".into()),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
