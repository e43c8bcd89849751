//! Where does everything lie in the block?
//!
//! The tables of the protocol's page as code: pure arithmetic, nothing here touches memory.

use crate::SettingError;
use crate::error::{check, within};

/// The first eight bytes of every block, as text `PORTMNTO`.
pub(super) const MAGIC: [u32; 2] = [u32::from_le_bytes(*b"PORT"), u32::from_le_bytes(*b"MNTO")];
/// Changes whenever a byte of the layout changes its place or its meaning.
pub(super) const VERSION: u32 = 2;
/// A reader reads the two ticks around its playhead: it may hold this many slots at once.
pub(super) const CLAIMS: usize = 2;
/// Records that different threads write start on different cache lines.
pub(super) const LINE: usize = 64;

/// Fewest ticks a block may keep: a playhead that trails by a tick and a margin needs an older tick than the
/// previous one in every fifth frame or so, and the one after that must not be overwritten meanwhile.
pub(super) const MIN_TICKS: usize = 4;
/// Most ticks a block may keep.
pub(super) const MAX_TICKS: usize = 32;
/// Most readers a block may seat.
pub(super) const MAX_READERS: usize = 16;
/// Most entities a block may hold.
pub(super) const MAX_ENTITIES: usize = 1 << 24;
/// Most columns of a kind that a block may have besides the poses.
pub(super) const MAX_COLUMNS: usize = 64;

/// How much a block holds. Fixed when the block is created.
///
/// ```
/// use portamento::exchange::Shape;
/// let shape = Shape { ticks: 16, f32_columns: 2, ..Shape::entities(500) };
/// assert_eq!(shape.bytes()?, 710_848);
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Rows of the entity table: how many entities can live at the same time (1 to 16777216).
    pub entities: usize,
    /// How many of the newest complete ticks stay readable: 4, 8, 16 or 32; default 8. The picture stays a tick and the
    /// writer's worst lateness of the last seconds behind, as far as ticks are kept: at 60 Hz, 8 of them cover a writer
    /// that is up to 80 ms late. A tick that is later than that is a short wait. If fast forward means more ticks per
    /// second, keep more of them.
    pub ticks: usize,
    /// How many readers can be attached at the same time (1 to 16); default 4.
    pub readers: usize,
    /// How many f32 numbers each entity has besides its pose (0 to 64); default 0.
    pub f32_columns: usize,
    /// How many u32 numbers each entity has besides its flags (0 to 64); default 0.
    pub u32_columns: usize,
    /// Whether positions are f64, for large worlds ([`Pose64`](crate::blend::Pose64)); default `false`.
    pub f64_positions: bool,
}

impl Shape {
    /// Creates the shape of a block for this many entities: 8 ticks for up to 4 readers, f32 positions and no columns.
    #[must_use]
    pub const fn entities(entities: usize) -> Self {
        Self { entities, ticks: 8, readers: 4, f32_columns: 0, u32_columns: 0, f64_positions: false }
    }

    /// Returns the size in bytes of a block of this shape.
    ///
    /// Fails when no such block can exist.
    pub fn bytes(self) -> Result<usize, SettingError> {
        Layout::new(self).map(|layout| layout.length)
    }
}

/// Offsets of the header's words.
pub(super) mod header {
    pub const MAGIC: usize = 0;
    pub const VERSION: usize = 8;
    pub const LINES: usize = 12;
    pub const ENTITIES: usize = 16;
    pub const TICKS: usize = 20;
    pub const READERS: usize = 24;
    pub const SLOTS: usize = 28;
    pub const SLOT_LINES: usize = 32;
    pub const FEATURES: usize = 36;
    pub const F32_COLUMNS: usize = 40;
    pub const U32_COLUMNS: usize = 44;
    /// From here to the writer's line: zeros.
    pub const RESERVED: usize = 48;
    /// The writer's line: no one else writes here.
    pub const WRITER: usize = 64;
    pub const STATE: usize = 68;
    pub const RUN: usize = 72;
    /// Sequence number of the newest tick: the word that readers wait on.
    pub const LATEST: usize = 80;
    pub const END: usize = 128;
}

/// Bits of the word `features`. A bit that is not known here refuses the block.
pub(super) const F64_POSITIONS: u32 = 1;

/// Offsets within a reader's line.
pub(super) mod seat {
    /// Two words: slot + 1, or 0.
    pub const CLAIM: usize = 0;
    pub const OWNER: usize = 8;
    /// Not 0 while the reader sleeps until the next tick.
    pub const WAITING: usize = 12;
}

/// Offsets of the stamp's words within a slot; 64-bit numbers are two words, the low one first.
pub(super) mod stamp {
    pub const SEQUENCE: usize = 0;
    pub const ROWS: usize = 4;
    pub const RUN: usize = 8;
    pub const TICK: usize = 16;
    pub const PUBLISHED: usize = 24;
    pub const SIMULATED: usize = 32;
    pub const SCALE: usize = 40;
    pub const TABLE: usize = 48;
    pub const END: usize = 64;
}

/// All offsets of a block of one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub shape: Shape,
    pub slots: usize,
    pub directory: usize,
    pub seats: usize,
    pub first_slot: usize,
    pub slot_bytes: usize,
    pub length: usize,
    /// Columns, from the start of a slot. The first five are the table, which seldom changes.
    pub ids_low: usize,
    pub ids_high: usize,
    pub generations: usize,
    pub epochs: usize,
    pub flags: usize,
    pub poses: usize,
    pub f32_columns: usize,
    pub u32_columns: usize,
    /// Bytes of a pose: position x y z (f32 or f64), rotation x y z w (f32).
    pub pose_bytes: usize,
}

impl Layout {
    pub fn new(shape: Shape) -> Result<Self, SettingError> {
        within("entities", shape.entities as f64, 1.0, MAX_ENTITIES as f64)?;
        let ticks = shape.ticks.is_power_of_two() && (MIN_TICKS..=MAX_TICKS).contains(&shape.ticks);
        check(ticks, "ticks kept", shape.ticks as f64, "4, 8, 16 or 32")?;
        within("readers", shape.readers as f64, 1.0, MAX_READERS as f64)?;
        within("f32 columns", shape.f32_columns as f64, 0.0, MAX_COLUMNS as f64)?;
        within("u32 columns", shape.u32_columns as f64, 0.0, MAX_COLUMNS as f64)?;
        Self::of_any(shape)
    }

    /// Without the bounds that users get, so that the model checker can explore a block that keeps one tick.
    pub fn of_any(shape: Shape) -> Result<Self, SettingError> {
        // The writer needs a slot that is neither among the kept ticks nor claimed, whatever readers do.
        let slots = shape.ticks + CLAIMS * shape.readers + 1;
        let directory = header::END;
        let seats = directory + up_to_line(4 * shape.ticks);
        let first_slot = seats + LINE * shape.readers;
        // In u64: at most 2^24 rows of 40 + 20 + 2 * 64 * 4 bytes in 65 slots leave 32 bits, but never 64.
        let column = up_to_line(4 * shape.entities) as u64;
        let pose_bytes = if shape.f64_positions { 40 } else { 28 };
        let ids_low = stamp::END as u64;
        let poses = ids_low + 5 * column;
        let f32_columns = poses + up_to_line(pose_bytes * shape.entities) as u64;
        let u32_columns = f32_columns + shape.f32_columns as u64 * column;
        let slot_bytes = u32_columns + shape.u32_columns as u64 * column;
        let length = first_slot as u64 + slots as u64 * slot_bytes;
        let fits = isize::try_from(length).is_ok() && length / (LINE as u64) <= u64::from(u32::MAX);
        check(fits, "bytes of the block", length as f64, "fewer entities, columns or ticks")?;
        let place = |offset: u64| offset as usize;
        Ok(Self {
            shape,
            slots,
            directory,
            seats,
            first_slot,
            slot_bytes: place(slot_bytes),
            length: place(length),
            ids_low: place(ids_low),
            ids_high: place(ids_low + column),
            generations: place(ids_low + 2 * column),
            epochs: place(ids_low + 3 * column),
            flags: place(ids_low + 4 * column),
            poses: place(poses),
            f32_columns: place(f32_columns),
            u32_columns: place(u32_columns),
            pose_bytes,
        })
    }

    /// The word of the directory for the tick with this sequence number: `ticks` divides 2^32, so the place does not
    /// jump when the number wraps.
    pub fn entry(&self, sequence: u32) -> usize {
        self.directory + 4 * (sequence as usize % self.shape.ticks)
    }

    pub fn seat(&self, seat: usize) -> usize {
        self.seats + LINE * seat
    }

    pub fn slot(&self, slot: usize) -> usize {
        self.first_slot + self.slot_bytes * slot
    }

    /// The bytes between the columns of one kind.
    pub fn column_bytes(&self) -> usize {
        up_to_line(4 * self.shape.entities)
    }
}

const fn up_to_line(bytes: usize) -> usize {
    bytes.div_ceil(LINE) * LINE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_example_has_these_offsets() {
        let shape = Shape { ticks: 4, readers: 2, f32_columns: 1, u32_columns: 2, ..Shape::entities(100) };
        let layout = Layout::new(shape).unwrap();
        assert_eq!(layout.slots, 9);
        assert_eq!((layout.directory, layout.seats, layout.first_slot), (128, 192, 320));
        assert_eq!((layout.ids_low, layout.ids_high, layout.generations), (64, 512, 960));
        assert_eq!((layout.epochs, layout.flags, layout.poses), (1408, 1856, 2304));
        assert_eq!((layout.f32_columns, layout.u32_columns, layout.slot_bytes), (5120, 5568, 6464));
        assert_eq!(layout.length, 320 + 9 * 6464);
        let large = Layout::new(Shape { f64_positions: true, ..shape }).unwrap();
        assert_eq!((large.poses, large.f32_columns, large.slot_bytes), (2304, 6336, 7680));
    }

    #[test]
    fn every_record_starts_on_a_cache_line_and_none_overlap() {
        for entities in [1, 2, 15, 16, 17, 1000, 10_000] {
            for ticks in [4, 8, 16, 32] {
                for (readers, columns, f64_positions) in [(1, 0, false), (16, 3, true)] {
                    let (f32_columns, u32_columns) = (columns, 2 * columns);
                    let shape = Shape { entities, ticks, readers, f32_columns, u32_columns, f64_positions };
                    let l = Layout::new(shape).unwrap();
                    let columns = [l.ids_low, l.ids_high, l.generations, l.epochs, l.flags, l.poses];
                    let starts =
                        [l.directory, l.seats, l.first_slot, l.slot_bytes, l.f32_columns, l.u32_columns];
                    assert!(columns.iter().chain(&starts).all(|start| start % LINE == 0), "{l:?}");
                    assert!(columns.windows(2).all(|pair| pair[0] + 4 * entities <= pair[1]), "{l:?}");
                    assert!(l.entry(ticks as u32 - 1) + 4 <= l.seats);
                    assert!(l.poses + l.pose_bytes * entities <= l.f32_columns);
                    assert_eq!(l.f32_columns + f32_columns * l.column_bytes(), l.u32_columns);
                    assert_eq!(l.u32_columns + u32_columns * l.column_bytes(), l.slot_bytes);
                    assert_eq!(l.slot(l.slots), l.length);
                    assert!(l.slots < 128, "the writer's set of used slots has 128 bits");
                }
            }
        }
    }

    #[test]
    fn a_shape_that_cannot_work_is_refused_with_its_number() {
        let good = Shape::entities(10);
        let text = |shape: Shape| shape.bytes().unwrap_err().to_string();
        assert_eq!(text(Shape::entities(0)), "entities is 0: give a number from 1 to 16777216");
        assert!(Shape::entities(MAX_ENTITIES + 1).bytes().is_err());
        for ticks in [0, 3, 5, 31, 64, usize::MAX] {
            assert!(text(Shape { ticks, ..good }).ends_with("give 4, 8, 16 or 32"));
        }
        assert!(Shape { readers: 0, ..good }.bytes().is_err());
        assert!(Shape { readers: 17, ..good }.bytes().is_err());
        assert!(Shape { f32_columns: 65, ..good }.bytes().is_err());
        let most = Shape {
            entities: MAX_ENTITIES,
            ticks: 32,
            readers: 16,
            f32_columns: 64,
            u32_columns: 64,
            ..good
        };
        assert!(text(most).starts_with("bytes of the block is "), "{}", text(most));
        assert!(good.bytes().is_ok());
    }
}
