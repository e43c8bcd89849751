//! The exchange: ticks reach another thread or process, which draws them by its own clock.

use crate::playhead::{portamento_playhead_settings, portamento_shown};
use crate::pointers::{Sized32, Strided, make, read, settings, write, write_if_wanted};
use crate::status::{Failure, answer, portamento_status};
use crate::stepper::{portamento_stepper, simulation_time};
use crate::table::Table;
use crate::types::{portamento_drawn, portamento_pose64};
use core::ffi::c_char;
use portamento::blend::{Pose, Pose64};
use portamento::exchange::{
    AttachError, EntityView, Exchange, Reader, ReaderCounts, Shape, SimulationTime, TickStamp, WorldFrame,
    WriteError, Writer, WriterState,
};
use portamento::playhead::Playhead;
use portamento_status::{
    PORTAMENTO_BAD_BLOCK, PORTAMENTO_BAD_VALUE, PORTAMENTO_FULL, PORTAMENTO_NOTHING, PORTAMENTO_SYSTEM,
    PORTAMENTO_TOO_SHORT,
};

/// A block of memory or a file that a writer and readers meet at. Make it with `portamento_exchange_new`,
/// `portamento_exchange_create_file` or `portamento_exchange_open_file`, free it with `portamento_exchange_free`; its
/// writer and readers may outlive it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_exchange {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// The side that simulates. Make it with `portamento_writer_new`, free it with `portamento_writer_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_writer {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// A side that draws. Make it with `portamento_reader_new`, free it with `portamento_reader_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_reader {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// How much a block holds. Fill it with `portamento_shape_entities`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_shape {
    /// Size of this struct in bytes.
    pub size: u32,
    /// How many entities can live at the same time.
    pub entities: u32,
    /// How many of the newest ticks stay readable: 4, 8, 16 or 32.
    pub ticks: u32,
    /// How many readers there can be at the same time, 1 to 16.
    pub readers: u32,
    /// How many f32 numbers each entity has besides its pose, 0 to 64.
    pub f32_columns: u32,
    /// How many u32 numbers each entity has besides its flags, 0 to 64.
    pub u32_columns: u32,
    /// 1 if positions are f64.
    pub f64_positions: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

impl Sized32 for portamento_shape {}

/// Which tick this is, and when.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct portamento_tick_stamp {
    /// The writer's life that it belongs to.
    pub run: u64,
    /// Its number in that life, from 0.
    pub tick: u64,
    /// When it was published, by the clock that both sides share: seconds. Your clock minus this is its age.
    pub published: f64,
    /// The moment of the simulation that it stands for: seconds.
    pub simulated: f64,
    /// Simulated seconds per real second from this tick on; 0 while paused.
    pub scale: f64,
}

/// The world as one frame draws it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct portamento_world_frame {
    /// The moment of the writer's clock that is drawn; `presented` is a camera's dt.
    pub shown: portamento_shown,
    /// The older of the two ticks around it.
    pub from: portamento_tick_stamp,
    /// The newer; the same when only one is there.
    pub to: portamento_tick_stamp,
    /// Where between the two the moment lies, 0 to 1.
    pub alpha: f64,
    /// How many rows the entity table has, empty ones included: what `portamento_reader_entities` writes at most.
    pub rows: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

/// One drawn entity.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_entity_view {
    /// The number that the writer gave it.
    pub id: u64,
    /// Where to draw it.
    pub pose: portamento_pose64,
    /// Its row, which stays the same while it lives: an index for arrays of your own.
    pub row: u32,
    /// Distinguishes successive entities of a row.
    pub generation: u32,
    /// Counts its cuts: another number than in the frame before means that a cut lies between.
    pub cut_epoch: u32,
    /// The writer's 32 bits.
    pub flags: u32,
}

/// What did not go as planned, since the reader attached.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct portamento_reader_counts {
    /// Ticks that were overwritten before this reader saw them.
    pub missed: u64,
    /// New lives of the writer after the first one.
    pub restarts: u64,
    /// Frames for a moment before the oldest tick that is kept: more ticks should be kept.
    pub behind: u64,
    /// Frames that show the ticks of the frame before because the writer overtook every attempt to read newer ones.
    pub overtaken: u64,
    /// Words in the block that no writer that keeps to the protocol can have written.
    pub nonsense: u64,
}

/// What a writer last reported of itself: the constants below.
pub type portamento_writer_state = u32;
/// There was no writer yet.
pub const PORTAMENTO_WRITER_STATE_NONE: portamento_writer_state = 0;
/// It publishes, or was killed while it did.
pub const PORTAMENTO_WRITER_STATE_PUBLISHING: portamento_writer_state = 1;
/// It ended properly.
pub const PORTAMENTO_WRITER_STATE_CLOSED: portamento_writer_state = 2;
/// The file was replaced by another: open it again.
pub const PORTAMENTO_WRITER_STATE_REPLACED: portamento_writer_state = 3;
/// The block holds a number that means nothing.
pub const PORTAMENTO_WRITER_STATE_UNKNOWN: portamento_writer_state = 4;

enum Writing {
    Single(Writer<Pose>),
    Double(Writer<Pose64>),
}

enum Reading {
    Single(Reader<Pose>),
    Double(Reader<Pose64>),
}

/// The same call for both precisions.
macro_rules! of {
    ($side:ident, $value:expr, $inner:ident => $call:expr) => {
        match $value {
            $side::Single($inner) => $call,
            $side::Double($inner) => $call,
        }
    };
}

/// A call of the writer behind a handle, in its precision.
macro_rules! writing {
    ($handle:expr, $writer:ident => $call:expr) => {
        WRITERS.with($handle.id, |writer| of!(Writing, &mut **writer, $writer => $call))
    };
}

/// The same for a reader.
macro_rules! reading {
    ($handle:expr, $reader:ident => $call:expr) => {
        READERS.with($handle.id, |reader| of!(Reading, &mut **reader, $reader => $call))
    };
}

/// What a reader's last frame has at one place; `PORTAMENTO_NOTHING` if it has nothing there.
macro_rules! found {
    ($handle:expr, $world:ident => $call:expr) => {
        reading!($handle, reader => reader.again().ok_or_else(no_frame).map(|$world| $call))?
            .and_then(|found| found.ok_or(Failure(PORTAMENTO_NOTHING)))
    };
}

static EXCHANGES: Table<Exchange> = Table::new(14);
static WRITERS: Table<Box<Writing>> = Table::new(15);
static READERS: Table<Box<Reading>> = Table::new(16);

impl From<AttachError> for Failure {
    fn from(error: AttachError) -> Self {
        let status = match error {
            AttachError::WriterLives | AttachError::NoSeat { .. } => PORTAMENTO_FULL,
            AttachError::Setting(error) => return error.into(),
            AttachError::Block(_) => PORTAMENTO_BAD_BLOCK,
            #[cfg(target_os = "linux")]
            AttachError::File { .. } => PORTAMENTO_BAD_BLOCK,
            _ => PORTAMENTO_SYSTEM,
        };
        Self::new(status, error)
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        let full = matches!(error, WriteError::Full { .. });
        Self::new(if full { PORTAMENTO_FULL } else { PORTAMENTO_BAD_VALUE }, error)
    }
}

impl From<TickStamp> for portamento_tick_stamp {
    fn from(TickStamp { run, tick, published, simulated, scale }: TickStamp) -> Self {
        Self { run, tick, published, simulated, scale }
    }
}

impl From<portamento_shape> for Shape {
    fn from(shape: portamento_shape) -> Self {
        Self {
            entities: shape.entities as usize,
            ticks: shape.ticks as usize,
            readers: shape.readers as usize,
            f32_columns: shape.f32_columns as usize,
            u32_columns: shape.u32_columns as usize,
            f64_positions: shape.f64_positions != 0,
        }
    }
}

impl From<Shape> for portamento_shape {
    fn from(shape: Shape) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            entities: shape.entities as u32,
            ticks: shape.ticks as u32,
            readers: shape.readers as u32,
            f32_columns: shape.f32_columns as u32,
            u32_columns: shape.u32_columns as u32,
            f64_positions: shape.f64_positions.into(),
            reserved: 0,
        }
    }
}

/// Poses of either precision, as one.
trait Either: Copy {
    fn wide(self) -> Pose64;
    fn narrow(pose: Pose64) -> Self;
}

impl Either for Pose {
    fn wide(self) -> Pose64 {
        Pose64::new(self.position.map(f64::from), self.rotation)
    }

    fn narrow(pose: Pose64) -> Self {
        Self::new(pose.position.map(|c| c as f32), pose.rotation)
    }
}

impl Either for Pose64 {
    fn wide(self) -> Pose64 {
        self
    }

    fn narrow(pose: Pose64) -> Self {
        pose
    }
}

/// Fills `shape` with the defaults for `entities` entities: 8 ticks, 4 readers, f32 positions, no further columns.
///
/// # Safety
/// `shape` points to a place for the shape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_shape_entities(
    entities: u32,
    shape: *mut portamento_shape,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(shape, Shape::entities(entities as usize).into(), "shape") })
}

/// Makes a block in memory, for threads of one process.
///
/// # Safety
/// `shape` points to a shape, `exchange` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_exchange_new(
    shape: *const portamento_shape,
    exchange: *mut portamento_exchange,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let shape: Shape = unsafe { settings(shape, "shape") }?.into();
        // SAFETY: as above.
        unsafe { make(exchange, "exchange", || insert(Exchange::new(shape)?)) }
    })
}

fn insert(exchange: Exchange) -> Result<portamento_exchange, Failure> {
    Ok(portamento_exchange { id: EXCHANGES.insert(exchange)? })
}

/// The path that a zero ends.
///
/// # Safety
/// `path` is null, or points to characters that a zero ends.
#[cfg(target_os = "linux")]
unsafe fn path<'a>(path: *const c_char) -> Result<&'a std::path::Path, Failure> {
    use std::os::unix::ffi::OsStrExt;
    if path.is_null() {
        return Err(Failure::null("path"));
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { core::ffi::CStr::from_ptr(path) }.to_bytes();
    Ok(std::path::Path::new(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(target_os = "linux"))]
fn only_linux() -> Failure {
    Failure::new(PORTAMENTO_SYSTEM, "blocks in files need Linux: use threads here")
}

/// Makes a block in the file at `path`, or opens the one that is there and has this shape: a writer's way to begin. Linux
/// only. Every process may come late, die at any moment and come back.
///
/// # Safety
/// `path` points to characters that a zero ends, `shape` to a shape, `exchange` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_exchange_create_file(
    path: *const c_char,
    shape: *const portamento_shape,
    exchange: *mut portamento_exchange,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let shape: Shape = unsafe { settings(shape, "shape") }?.into();
        #[cfg(target_os = "linux")]
        {
            // SAFETY: as above.
            let path = unsafe { self::path(path) }?;
            // SAFETY: as above.
            unsafe { make(exchange, "exchange", || insert(Exchange::create_file(path, shape)?)) }
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (path, shape, exchange);
            Err(only_linux())
        }
    })
}

/// Opens the block in the file at `path`: a reader's way to begin. Linux only.
///
/// # Safety
/// `path` points to characters that a zero ends, `exchange` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_exchange_open_file(
    path: *const c_char,
    exchange: *mut portamento_exchange,
) -> portamento_status {
    answer(|| {
        #[cfg(target_os = "linux")]
        {
            // SAFETY: the caller's promise.
            let path = unsafe { self::path(path) }?;
            // SAFETY: as above.
            unsafe { make(exchange, "exchange", || insert(Exchange::open_file(path)?)) }
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (path, exchange);
            Err(only_linux())
        }
    })
}

/// Writes 1 if the path of the block leads to another file by now, or to no file: then open it again. It asks the
/// operating system: call it once a second, not in every frame.
///
/// # Safety
/// `replaced` points to a place for the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_exchange_is_replaced(
    exchange: portamento_exchange,
    replaced: *mut u32,
) -> portamento_status {
    answer(|| {
        #[cfg(target_os = "linux")]
        let is = EXCHANGES.with(exchange.id, |exchange| exchange.is_replaced())?;
        #[cfg(not(target_os = "linux"))]
        let is = EXCHANGES.with(exchange.id, |_| false)?;
        // SAFETY: the caller's promise.
        unsafe { write(replaced, is.into(), "replaced") }
    })
}

/// Writes how much the block holds.
///
/// # Safety
/// `shape` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_exchange_shape(
    exchange: portamento_exchange,
    shape: *mut portamento_shape,
) -> portamento_status {
    answer(|| {
        let is = EXCHANGES.with(exchange.id, |exchange| exchange.shape())?;
        // SAFETY: the caller's promise.
        unsafe { write(shape, is.into(), "shape") }
    })
}

/// Frees an exchange. Its writer and readers go on.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_exchange_free(exchange: portamento_exchange) -> portamento_status {
    answer(|| Ok(EXCHANGES.free(exchange.id)?))
}

/// Writes the seconds of the clock that all processes of this machine share, and that is never set: for `now` of
/// writers and readers. Linux only.
///
/// # Safety
/// `seconds` points to a place for the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_machine_seconds(seconds: *mut f64) -> portamento_status {
    answer(|| {
        #[cfg(target_os = "linux")]
        {
            // SAFETY: the caller's promise.
            unsafe { write(seconds, portamento::exchange::machine_seconds(), "seconds") }
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = seconds;
            Err(only_linux())
        }
    })
}

/// Becomes the writer of the block and begins a new run. `PORTAMENTO_FULL` if it has a writer that lives.
///
/// # Safety
/// `writer` points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_writer_new(
    exchange: portamento_exchange,
    writer: *mut portamento_writer,
) -> portamento_status {
    answer(|| {
        let new = || {
            let made = EXCHANGES.with(exchange.id, |exchange| match exchange.shape().f64_positions {
                false => exchange.writer().map(Writing::Single),
                true => exchange.writer().map(Writing::Double),
            })??;
            Ok(portamento_writer { id: WRITERS.insert(Box::new(made))? })
        };
        // SAFETY: the caller's promise.
        unsafe { make(writer, "writer", new) }
    })
}

/// Frees a writer: it gives its place back. The last ticks stay readable.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_writer_free(writer: portamento_writer) -> portamento_status {
    answer(|| Ok(WRITERS.free(writer.id)?))
}

/// Moves an entity; readers interpolate. An `entity` number that is not in use yet is a new entity, first seen at this
/// pose. `PORTAMENTO_FULL` if the block has no row for it.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_writer_set(
    writer: portamento_writer,
    entity: u64,
    pose: *const portamento_pose64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose: Pose64 = unsafe { read(pose, "pose") }?.try_into()?;
        writing!(writer, w => w.set(entity, Either::narrow(pose)))??;
        Ok(())
    })
}

/// Moves `count` entities: the i-th is number `entities[i]` and goes to `poses[i]`. Each stride is the distance from one
/// to the next in bytes, 0 for an array without gaps. A pose or number that cannot be taken ends the call; those before it
/// have been taken.
///
/// # Safety
/// `entities` and `poses` point to `count` numbers and poses, their strides apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_writer_set_many(
    writer: portamento_writer,
    entities: *const u64,
    entity_stride: usize,
    poses: *const portamento_pose64,
    pose_stride: usize,
    count: usize,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let entities = unsafe { Strided::new(entities, entity_stride, count, "entities") }?;
        // SAFETY: as above.
        let poses = unsafe { Strided::new(poses, pose_stride, count, "poses") }?;
        WRITERS.with(writer.id, |writer| {
            for i in 0..count {
                // SAFETY: `i` is below `count`.
                let (entity, pose) = unsafe { (entities.get(i), poses.get(i)) };
                let pose: Pose64 = pose.try_into()?;
                of!(Writing, &mut **writer, w => w.set(entity, Either::narrow(pose)))?;
            }
            Ok(())
        })?
    })
}

/// Moves an entity there at once: no reader draws anything between its last pose and this one.
///
/// # Safety
/// `pose` points to a pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_writer_cut(
    writer: portamento_writer,
    entity: u64,
    pose: *const portamento_pose64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let pose: Pose64 = unsafe { read(pose, "pose") }?.try_into()?;
        writing!(writer, w => w.cut(entity, Either::narrow(pose)))??;
        Ok(())
    })
}

/// Removes an entity: it is not in the next tick.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_writer_remove(writer: portamento_writer, entity: u64) -> portamento_status {
    answer(|| Ok(writing!(writer, w => w.remove(entity))??))
}

/// Sets the 32 bits that travel with an entity; their meaning is yours.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_writer_set_flags(
    writer: portamento_writer,
    entity: u64,
    flags: u32,
) -> portamento_status {
    answer(|| Ok(writing!(writer, w => w.set_flags(entity, flags))??))
}

/// Sets one of the entity's f32 numbers. Readers interpolate it.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_writer_set_f32(
    writer: portamento_writer,
    entity: u64,
    column: u32,
    value: f32,
) -> portamento_status {
    let column = column as usize;
    answer(|| Ok(writing!(writer, w => w.set_f32(entity, column, value))??))
}

/// Sets one of the entity's u32 numbers. Readers do not interpolate it.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_writer_set_u32(
    writer: portamento_writer,
    entity: u64,
    column: u32,
    value: u32,
) -> portamento_status {
    let column = column as usize;
    answer(|| Ok(writing!(writer, w => w.set_u32(entity, column, value))??))
}

/// Publishes the present state as one tick that stands for `simulated` seconds and leaves at `now`, by a clock that the
/// readers share. `scale` is how many seconds are simulated per real second: 1 normally, 0 while paused. When no time was
/// simulated since the last call, nothing is published. It never waits. `stamp` may be null; otherwise it receives the
/// newest tick's.
///
/// # Safety
/// `stamp` points to a place for the result or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_writer_publish(
    writer: portamento_writer,
    now: f64,
    simulated: f64,
    scale: f64,
    stamp: *mut portamento_tick_stamp,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { publish(writer, now, SimulationTime { simulated, scale }, stamp) })
}

/// Publishes the present state as one tick at the moment of the stepper, with its time scale and pause. Otherwise as
/// `portamento_writer_publish`.
///
/// # Safety
/// `stamp` points to a place for the result or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_writer_publish_stepper(
    writer: portamento_writer,
    now: f64,
    stepper: portamento_stepper,
    stamp: *mut portamento_tick_stamp,
) -> portamento_status {
    // SAFETY: the caller's promise.
    answer(|| unsafe { publish(writer, now, simulation_time(stepper)?, stamp) })
}

/// # Safety
/// `stamp` is null, or points to a place for the result.
unsafe fn publish(
    writer: portamento_writer,
    now: f64,
    time: SimulationTime,
    stamp: *mut portamento_tick_stamp,
) -> Result<(), Failure> {
    let made = writing!(writer, w => w.publish(now, time))??;
    // SAFETY: the caller's promise.
    unsafe { write_if_wanted(stamp, made.into()) };
    Ok(())
}

/// Takes a seat at the block. `settings` choose what the reader draws: `portamento_playhead_settings_at_hz` with the
/// writer's tick rate is right for most. `PORTAMENTO_FULL` if every seat has a reader that lives.
///
/// # Safety
/// `settings` points to settings, `reader` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_reader_new(
    exchange: portamento_exchange,
    settings: *const portamento_playhead_settings,
    reader: *mut portamento_reader,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let playhead = Playhead::new(unsafe { self::settings(settings, "settings") }?.try_into()?)?;
        let new = || {
            let made = EXCHANGES.with(exchange.id, |exchange| match exchange.shape().f64_positions {
                false => exchange.reader(playhead).map(Reading::Single),
                true => exchange.reader(playhead).map(Reading::Double),
            })??;
            Ok(portamento_reader { id: READERS.insert(Box::new(made))? })
        };
        // SAFETY: as above.
        unsafe { make(reader, "reader", new) }
    })
}

/// Frees a reader: it gives its seat back.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_reader_free(reader: portamento_reader) -> portamento_status {
    answer(|| Ok(READERS.free(reader.id)?))
}

/// Takes in a frame at `now`, by the clock that the writer's `now` comes from. `PORTAMENTO_NOTHING` before the first
/// tick. Call it once per frame; the functions below then return what it shows.
///
/// # Safety
/// `world` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_reader_frame(
    reader: portamento_reader,
    now: f64,
    world: *mut portamento_world_frame,
) -> portamento_status {
    answer(|| {
        let frame = || {
            let made = reading!(reader, reader => reader.frame(now).map(|world| portamento_world_frame {
                shown: world.shown.into(),
                from: world.from.into(),
                to: world.to.into(),
                alpha: world.alpha,
                rows: world.rows as u32,
                reserved: 0,
            }))?;
            made.ok_or(Failure(PORTAMENTO_NOTHING))
        };
        // SAFETY: the caller's promise.
        unsafe { make(world, "world", frame) }
    })
}

fn no_frame() -> Failure {
    Failure::new(PORTAMENTO_NOTHING, "nothing was drawn yet: call portamento_reader_frame first")
}

/// Writes all entities of the last frame, `stride` bytes apart (0 for an array without gaps), and how many there are to
/// `count`. `capacity` is how many fit into your array: at least `rows` of the frame's world.
///
/// # Safety
/// `entities` points to room for `capacity` entities, `stride` bytes apart, `count` to a place for the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_reader_entities(
    reader: portamento_reader,
    entities: *mut portamento_entity_view,
    stride: usize,
    capacity: usize,
    count: *mut usize,
) -> portamento_status {
    /// # Safety
    /// As above.
    unsafe fn all<P: Either + portamento::exchange::ExchangePose>(
        world: WorldFrame<'_, P>,
        entities: *mut portamento_entity_view,
        stride: usize,
        capacity: usize,
    ) -> Result<usize, Failure> {
        if world.rows > capacity {
            let words = format_args!("room for {capacity} entities and {} rows: give more", world.rows);
            return Err(Failure::new(PORTAMENTO_TOO_SHORT, words));
        }
        let mut count = 0;
        for EntityView { id, row, generation, cut_epoch, flags, pose } in world.entities() {
            let entity =
                portamento_entity_view { id, pose: pose.wide().into(), row, generation, cut_epoch, flags };
            // SAFETY: fewer than `capacity` were written, and the caller promises room for this many.
            unsafe {
                entities
                    .cast::<u8>()
                    .add(count * stride)
                    .cast::<portamento_entity_view>()
                    .write_unaligned(entity);
            }
            count += 1;
        }
        Ok(count)
    }
    answer(|| {
        if entities.is_null() && capacity > 0 {
            return Err(Failure::null("entities"));
        }
        let stride = if stride == 0 { size_of::<portamento_entity_view>() } else { stride };
        // SAFETY: the caller's promise.
        unsafe {
            make(count, "count", || {
                reading!(reader, reader => {
                    all(reader.again().ok_or_else(no_frame)?, entities, stride, capacity)
                })?
            })
        }
    })
}

/// Writes one entity of the last frame with the frame before, for a camera or motion vectors. `PORTAMENTO_NOTHING` while
/// it is not there. Searches the table.
///
/// # Safety
/// `drawn` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_reader_draw(
    reader: portamento_reader,
    entity: u64,
    drawn: *mut portamento_drawn,
) -> portamento_status {
    answer(|| {
        let found = found!(reader, world => world.draw(entity).map(|drawn| drawn.map(Either::wide)))?;
        // SAFETY: the caller's promise.
        unsafe { write(drawn, found.into(), "drawn") }
    })
}

/// Writes one of the f32 numbers of the entity in this row, interpolated as its pose is. `PORTAMENTO_NOTHING` if there is
/// no such row or column.
///
/// # Safety
/// `value` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_reader_f32(
    reader: portamento_reader,
    row: u32,
    column: u32,
    value: *mut f32,
) -> portamento_status {
    let (row, column) = (row as usize, column as usize);
    answer(|| {
        let found = found!(reader, world => world.f32(row, column))?;
        // SAFETY: the caller's promise.
        unsafe { write(value, found, "value") }
    })
}

/// Writes one of the u32 numbers of the entity in this row. Otherwise as `portamento_reader_f32`.
///
/// # Safety
/// `value` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_reader_u32(
    reader: portamento_reader,
    row: u32,
    column: u32,
    value: *mut u32,
) -> portamento_status {
    let (row, column) = (row as usize, column as usize);
    answer(|| {
        let found = found!(reader, world => world.u32(row, column))?;
        // SAFETY: the caller's promise.
        unsafe { write(value, found, "value") }
    })
}

/// Sleeps until a tick is published that this reader has not seen, at most `seconds` seconds; `PORTAMENTO_NOTHING` if none
/// was. For programs that have nothing to do between ticks; a renderer need not wait. Linux only. Meanwhile the reader is
/// busy for other threads.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_reader_wait(reader: portamento_reader, seconds: f64) -> portamento_status {
    answer(|| {
        #[cfg(target_os = "linux")]
        {
            let time = core::time::Duration::try_from_secs_f64(seconds).map_err(|_| {
                let words = format_args!("seconds is {seconds}: give a number from 0 on");
                Failure::new(PORTAMENTO_BAD_VALUE, words)
            })?;
            let news = reading!(reader, r => r.wait(time))?;
            if news { Ok(()) } else { Err(Failure(PORTAMENTO_NOTHING)) }
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (reader, seconds);
            Err(Failure::new(PORTAMENTO_SYSTEM, "waiting needs Linux: sleep here"))
        }
    })
}

/// Writes what the writer last reported of itself. One that was killed reports nothing any more: check the age of the
/// newest tick too.
///
/// # Safety
/// `state` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_reader_writer(
    reader: portamento_reader,
    state: *mut portamento_writer_state,
) -> portamento_status {
    answer(|| {
        let reported = reading!(reader, r => r.writer())?;
        let number = match reported {
            WriterState::None => PORTAMENTO_WRITER_STATE_NONE,
            WriterState::Publishing => PORTAMENTO_WRITER_STATE_PUBLISHING,
            WriterState::Closed => PORTAMENTO_WRITER_STATE_CLOSED,
            WriterState::Replaced => PORTAMENTO_WRITER_STATE_REPLACED,
            _ => PORTAMENTO_WRITER_STATE_UNKNOWN,
        };
        // SAFETY: the caller's promise.
        unsafe { write(state, number, "state") }
    })
}

/// Writes what did not go as planned.
///
/// # Safety
/// `counts` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_reader_get_counts(
    reader: portamento_reader,
    counts: *mut portamento_reader_counts,
) -> portamento_status {
    answer(|| {
        let ReaderCounts { missed, restarts, behind, overtaken, nonsense } =
            reading!(reader, r => r.counts())?;
        let made = portamento_reader_counts { missed, restarts, behind, overtaken, nonsense };
        // SAFETY: the caller's promise.
        unsafe { write(counts, made, "counts") }
    })
}
