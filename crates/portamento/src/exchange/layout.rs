//! Where does everything lie in the block?
//!
//! Pure arithmetic: the table in the module's documentation as code. Nothing here touches memory; a reader in
//! another language needs this file's numbers and the protocol in `slots.rs`, nothing else.

use core::fmt;

/// The first eight bytes of every block, as text `PORTMNTO`.
pub(super) const MAGIC: u64 = u64::from_le_bytes(*b"PORTMNTO");
/// Changes whenever a byte of the layout changes its place or its meaning.
pub(super) const VERSION: u64 = 1;
/// A subscriber reads the two ticks around its playhead: it may hold this many slots at once.
pub(super) const CLAIMS: usize = 2;
/// Records that different threads write start on different cache lines.
pub(super) const LINE: usize = 64;

/// Fewest ticks a block may keep: a playhead that trails by a tick and a margin needs an older tick than the
/// previous one in every fifth frame or so, and the one after that must not be overwritten meanwhile.
pub const MIN_TICKS: usize = 4;
/// Most ticks a block may keep.
pub const MAX_TICKS: usize = 31;
/// Most subscribers a block may seat: with [`MAX_TICKS`] the slots just fit the 64 bits of a claim word.
pub const MAX_SUBSCRIBERS: usize = 16;
/// Most entities a block may hold.
pub const MAX_ENTITIES: usize = 1 << 24;

/// How much a block holds. Fixed when the block is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Rows of the entity table: how many entities can live at the same time (1..=[`MAX_ENTITIES`]).
    pub entities: usize,
    /// How many of the newest complete ticks stay readable ([`MIN_TICKS`]..=[`MAX_TICKS`]). A playhead stays a
    /// tick and the publisher's worst lateness behind; it needs that many ticks and two more, or it finds what it
    /// wants to draw overwritten ([`ReaderCounts::behind`](super::ReaderCounts::behind) says so).
    pub ticks: usize,
    /// How many subscribers can be attached at the same time (1..=[`MAX_SUBSCRIBERS`]).
    pub subscribers: usize,
}

impl Shape {
    /// A block for this many entities that keeps eight ticks (at 60 Hz enough for a publisher that is up to 80 ms
    /// late) for up to four subscribers.
    #[must_use]
    pub const fn new(entities: usize) -> Self {
        Self { entities, ticks: 8, subscribers: 4 }
    }

    /// The same, keeping `ticks` ticks.
    #[must_use]
    pub const fn ticks(self, ticks: usize) -> Self {
        Self { ticks, ..self }
    }

    /// The same, with room for `subscribers` subscribers.
    #[must_use]
    pub const fn subscribers(self, subscribers: usize) -> Self {
        Self { subscribers, ..self }
    }

    /// Size in bytes of a block of this shape.
    ///
    /// # Errors
    /// When no such block can exist.
    pub fn bytes(self) -> Result<usize, ShapeError> {
        Layout::new(self).map(|layout| layout.length)
    }
}

/// A block that can never work; each names the number that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeError {
    /// No entities, or more than [`MAX_ENTITIES`].
    Entities(usize),
    /// Fewer ticks than [`MIN_TICKS`] or more than [`MAX_TICKS`].
    Ticks(usize),
    /// No subscribers, or more than [`MAX_SUBSCRIBERS`].
    Subscribers(usize),
    /// So many bytes cannot be addressed on this machine.
    Bytes(u64),
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Entities(asked) => {
                write!(f, "a block for {asked} entities: ask for 1 to {MAX_ENTITIES}")
            }
            Self::Ticks(asked) => {
                write!(f, "a block that keeps {asked} ticks: ask for {MIN_TICKS} to {MAX_TICKS}")
            }
            Self::Subscribers(asked) => {
                write!(f, "a block for {asked} subscribers: ask for 1 to {MAX_SUBSCRIBERS}")
            }
            Self::Bytes(bytes) => {
                write!(f, "a block of {bytes} bytes does not fit this machine: ask for fewer entities")
            }
        }
    }
}

impl core::error::Error for ShapeError {}

/// Offsets of the header's words.
pub(super) mod header {
    pub const MAGIC: usize = 0;
    pub const VERSION: usize = 8;
    pub const LENGTH: usize = 16;
    pub const ENTITIES: usize = 24;
    pub const TICKS: usize = 32;
    pub const SUBSCRIBERS: usize = 40;
    pub const SLOTS: usize = 48;
    pub const SLOT_BYTES: usize = 56;
    /// The publisher's line: nobody else writes here.
    pub const PUBLISHER: usize = 64;
    pub const RUN: usize = 72;
    pub const STATE: usize = 80;
    pub const END: usize = 128;
}

/// Offsets within a subscriber's line.
pub(super) mod seat {
    pub const CLAIM: usize = 0;
    pub const OWNER: usize = 8;
}

/// Offsets of the stamp's words within a slot.
pub(super) mod stamp {
    pub const SEQUENCE: usize = 0;
    pub const RUN: usize = 8;
    pub const TICK: usize = 16;
    pub const PUBLISHED: usize = 24;
    pub const SIMULATED: usize = 32;
    pub const ROWS: usize = 40;
    pub const END: usize = 64;
}

/// A pose: position x y z, rotation x y z w, each f32.
pub(super) const POSE_BYTES: usize = 28;

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
    /// Columns, from the start of a slot.
    pub ids: usize,
    pub generations: usize,
    pub epochs: usize,
    pub flags: usize,
    pub poses: usize,
}

impl Layout {
    pub fn new(shape: Shape) -> Result<Self, ShapeError> {
        if !(1..=MAX_ENTITIES).contains(&shape.entities) {
            return Err(ShapeError::Entities(shape.entities));
        }
        if !(MIN_TICKS..=MAX_TICKS).contains(&shape.ticks) {
            return Err(ShapeError::Ticks(shape.ticks));
        }
        if !(1..=MAX_SUBSCRIBERS).contains(&shape.subscribers) {
            return Err(ShapeError::Subscribers(shape.subscribers));
        }
        Self::of_any(shape)
    }

    /// Without the bounds that users get, so that the model checker can explore a block that keeps one tick.
    pub fn of_any(shape: Shape) -> Result<Self, ShapeError> {
        // The writer needs a slot that is neither among the kept ticks nor claimed, whatever readers do.
        let slots = shape.ticks + CLAIMS * shape.subscribers + 1;
        let directory = header::END;
        let seats = directory + up_to_line(8 * shape.ticks);
        let first_slot = seats + LINE * shape.subscribers;
        // At most 2^24 rows: none of these sums leaves 32 bits, only their product with the slots can.
        let rows = shape.entities;
        let ids = stamp::END;
        let generations = ids + up_to_line(8 * rows);
        let epochs = generations + up_to_line(4 * rows);
        let flags = epochs + up_to_line(4 * rows);
        let poses = flags + up_to_line(4 * rows);
        let slot_bytes = poses + up_to_line(POSE_BYTES * rows);
        let bytes = first_slot as u64 + slots as u64 * slot_bytes as u64;
        let length = isize::try_from(bytes).map_err(|_| ShapeError::Bytes(bytes))? as usize;
        Ok(Self {
            shape,
            slots,
            directory,
            seats,
            first_slot,
            slot_bytes,
            length,
            ids,
            generations,
            epochs,
            flags,
            poses,
        })
    }

    /// The word of the directory that names the slot of every `ticks`-th tick.
    pub fn entry(&self, position: usize) -> usize {
        self.directory + 8 * position
    }

    pub fn seat(&self, seat: usize) -> usize {
        self.seats + LINE * seat
    }

    pub fn slot(&self, slot: usize) -> usize {
        self.first_slot + self.slot_bytes * slot
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
        let layout = Layout::new(Shape { entities: 100, ticks: 4, subscribers: 2 }).unwrap();
        assert_eq!(layout.slots, 9);
        assert_eq!(layout.directory, 128);
        assert_eq!(layout.seats, 192);
        assert_eq!(layout.first_slot, 320);
        assert_eq!((layout.ids, layout.generations), (64, 896));
        assert_eq!((layout.epochs, layout.flags, layout.poses), (1344, 1792, 2240));
        assert_eq!(layout.slot_bytes, 5056);
        assert_eq!(layout.length, 320 + 9 * 5056);
    }

    #[test]
    fn every_record_starts_on_a_cache_line_and_none_overlap() {
        for entities in [1, 2, 15, 16, 17, 1000, 10_000] {
            for ticks in [4, 8, 9, 31] {
                for subscribers in [1, 16] {
                    let l = Layout::new(Shape { entities, ticks, subscribers }).unwrap();
                    let starts = [l.directory, l.seats, l.first_slot, l.slot_bytes, l.ids, l.generations];
                    for start in starts.into_iter().chain([l.epochs, l.flags, l.poses]) {
                        assert_eq!(start % LINE, 0, "{l:?}");
                    }
                    assert!(l.entry(ticks - 1) + 8 <= l.seats);
                    assert!(l.ids + 8 * entities <= l.generations);
                    assert!(l.generations + 4 * entities <= l.epochs);
                    assert!(l.epochs + 4 * entities <= l.flags);
                    assert!(l.flags + 4 * entities <= l.poses);
                    assert!(l.poses + 28 * entities <= l.slot_bytes);
                    assert_eq!(l.slot(l.slots), l.length);
                    assert!(l.slots <= 64, "a claim word has 64 bits");
                }
            }
        }
    }

    #[test]
    fn a_shape_that_cannot_work_is_refused_with_its_number() {
        let good = Shape::new(10);
        assert_eq!(Shape::new(0).bytes(), Err(ShapeError::Entities(0)));
        assert_eq!(Shape::new(MAX_ENTITIES + 1).bytes(), Err(ShapeError::Entities(MAX_ENTITIES + 1)));
        assert_eq!(good.ticks(3).bytes(), Err(ShapeError::Ticks(3)));
        assert_eq!(good.ticks(32).bytes(), Err(ShapeError::Ticks(32)));
        assert_eq!(good.subscribers(0).bytes(), Err(ShapeError::Subscribers(0)));
        assert_eq!(good.subscribers(17).bytes(), Err(ShapeError::Subscribers(17)));
        assert!(good.bytes().is_ok());
    }
}
