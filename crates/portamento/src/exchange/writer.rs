//! What does the simulation's side do?

use alloc::vec::Vec;

use super::memory::{Image, Plain};
use super::offsets::Shape;
use super::protocol::WriteSide;
use super::table::Rows;
use super::{ExchangePose, MAX_SCALE, TickStamp, WriteError};
use crate::blend::Pose;
use crate::step::Stepper;

/// The side that simulates: entities come, move, are cut and go; [`publish`](Writer::publish) makes the present state
/// of all of them one tick.
///
/// There is one writer per block at a time. Dropping it ends its run and leaves the last ticks readable. Memory is
/// allocated when the writer is made, never afterwards.
///
/// ```
/// use portamento::blend::Pose;
/// use portamento::exchange::{self, Shape, WriteError};
///
/// let (mut writer, mut reader) = exchange::pair(Shape { f32_columns: 1, ..Shape::entities(1) }, 10.0)?;
/// writer.set(7, Pose::default())?; // a new entity: it is first seen here
/// writer.set_f32(7, 0, 100.0)?; // its health
/// writer.publish(0.0, 0.0)?;
/// writer.cut(7, Pose::at([90.0, 0.0, 0.0]))?; // through a portal
/// writer.publish(0.1, 0.1)?;
///
/// assert_eq!(writer.set(8, Pose::default()), Err(WriteError::Full { capacity: 1 }));
/// writer.remove(7)?;
/// writer.set(8, Pose::default())?; // the same row, and nobody blends one into the other
/// assert!(writer.publish(0.2, 0.05).is_err()); // simulation time must not go back
/// # assert!(reader.frame(0.2).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<P: ExchangePose = Pose> {
    side: WriteSide,
    run: u64,
    newest: Option<TickStamp>,
    /// Number of the table's state; goes up when ids, generations, epochs or flags change.
    table: u64,
    /// Something was changed since the last tick.
    changed: bool,
    image: Image,
    rows: usize,
    by_id: Rows,
    /// Rows below `rows` without an entity.
    free: Vec<u32>,
    pose: core::marker::PhantomData<P>,
}

impl<P: ExchangePose> Writer<P> {
    pub(super) fn new(mut side: WriteSide, run_floor: u64) -> Self {
        let run = side.begin_run(run_floor);
        let layout = *side.block().layout();
        assert_eq!(layout.shape.f64_positions, P::IS_F64, "checked before");
        Self {
            side,
            run,
            newest: None,
            table: 1,
            changed: false,
            image: Image::new(layout.slot_bytes),
            rows: 0,
            by_id: Rows::new(layout.shape.entities),
            free: Vec::with_capacity(layout.shape.entities),
            pose: core::marker::PhantomData,
        }
    }

    fn shape(&self) -> Shape {
        self.side.block().layout().shape
    }

    /// Returns how many entities live now.
    #[must_use]
    pub fn entities(&self) -> usize {
        self.rows - self.free.len()
    }

    /// Returns how many claims were ignored because no reader that keeps to the protocol can have made them.
    #[must_use]
    pub fn foreign_claims(&self) -> u64 {
        self.side.nonsense()
    }

    /// Moves an entity; readers interpolate. An `id` that is not in use yet is a new entity, first seen at this pose.
    ///
    /// Fails when there is no row for a new entity, or the pose is not finite; nothing has changed then.
    pub fn set(&mut self, id: u64, pose: P) -> Result<(), WriteError> {
        if let Some(number) = pose.not_finite() {
            return Err(WriteError::Pose { id, number });
        }
        let row = match self.by_id.get(id) {
            Some(row) => row,
            None => self.spawn(id)?,
        };
        self.changed = true;
        let poses = self.side.block().layout().poses;
        self.image.column_mut::<P>(poses, self.rows)[row] = pose;
        Ok(())
    }

    /// Moves an entity there at once: no reader draws anything between its last pose and this one. A new `id` is a new
    /// entity.
    ///
    /// Fails as [`set`](Writer::set) does.
    pub fn cut(&mut self, id: u64, pose: P) -> Result<(), WriteError> {
        let known = self.by_id.get(id);
        self.set(id, pose)?;
        if let Some(row) = known {
            let epochs = self.side.block().layout().epochs;
            let epoch = self.row_mut::<u32>(epochs, row);
            *epoch = epoch.wrapping_add(1);
            self.table += 1;
        }
        Ok(())
    }

    fn row_mut<T: Plain>(&mut self, column: usize, row: usize) -> &mut T {
        &mut self.image.column_mut(column, self.rows)[row]
    }

    fn spawn(&mut self, id: u64) -> Result<usize, WriteError> {
        let layout = *self.side.block().layout();
        let row = match self.free.pop() {
            Some(row) => row as usize,
            None if self.rows == layout.shape.entities => {
                return Err(WriteError::Full { capacity: layout.shape.entities });
            }
            None => {
                self.rows += 1;
                self.rows - 1
            }
        };
        self.table += 1;
        self.by_id.insert(id, row);
        *self.row_mut(layout.ids_low, row) = id as u32;
        *self.row_mut(layout.ids_high, row) = (id >> 32) as u32;
        let generation = self.row_mut::<u32>(layout.generations, row);
        *generation = generation.wrapping_add(1);
        *self.row_mut(layout.epochs, row) = 0_u32;
        *self.row_mut(layout.flags, row) = 0_u32;
        for column in 0..layout.shape.f32_columns + layout.shape.u32_columns {
            *self.row_mut(layout.f32_columns + column * layout.column_bytes(), row) = 0_u32;
        }
        Ok(row)
    }

    /// Removes an entity: it is not in the next tick, and its row is free for another.
    ///
    /// Fails when there is no such entity.
    pub fn remove(&mut self, id: u64) -> Result<(), WriteError> {
        let row = self.by_id.remove(id).ok_or(WriteError::Unknown { id })?;
        let generations = self.side.block().layout().generations;
        let generation = self.row_mut::<u32>(generations, row);
        *generation = generation.wrapping_add(1);
        self.table += 1;
        self.changed = true;
        self.free.push(row as u32);
        Ok(())
    }

    /// Sets the 32 bits that travel with the entity; their meaning is yours.
    ///
    /// Fails when there is no such entity.
    pub fn set_flags(&mut self, id: u64, flags: u32) -> Result<(), WriteError> {
        let row = self.row(id)?;
        let column = self.side.block().layout().flags;
        let old = core::mem::replace(self.row_mut(column, row), flags);
        if old != flags {
            self.table += 1;
            self.changed = true;
        }
        Ok(())
    }

    /// Sets one of the entity's f32 numbers ([`Shape::f32_columns`]). Readers interpolate it.
    ///
    /// Fails when there is no such entity or column.
    pub fn set_f32(&mut self, id: u64, column: usize, value: f32) -> Result<(), WriteError> {
        let row = self.row(id)?;
        check_column(column, self.shape().f32_columns)?;
        self.f32_column_mut(column)[row] = value;
        Ok(())
    }

    /// Sets one of the entity's u32 numbers ([`Shape::u32_columns`]). Readers do not interpolate it.
    ///
    /// Fails when there is no such entity or column.
    pub fn set_u32(&mut self, id: u64, column: usize, value: u32) -> Result<(), WriteError> {
        let row = self.row(id)?;
        check_column(column, self.shape().u32_columns)?;
        self.u32_column_mut(column)[row] = value;
        Ok(())
    }

    /// Returns the entity's row, which stays the same while it lives: its index in [`poses_mut`](Writer::poses_mut), and in
    /// arrays of your own.
    ///
    /// Fails when there is no such entity.
    pub fn row(&self, id: u64) -> Result<usize, WriteError> {
        self.by_id.get(id).ok_or(WriteError::Unknown { id })
    }

    /// Returns the poses of all rows as they will be published, for simulations that write many at once. Values are
    /// published unchanged, also NaN.
    #[must_use]
    pub fn poses_mut(&mut self) -> &mut [P] {
        self.changed = true;
        let poses = self.side.block().layout().poses;
        self.image.column_mut(poses, self.rows)
    }

    /// An f32 column of all rows, which is there.
    pub(super) fn f32_column_mut(&mut self, column: usize) -> &mut [f32] {
        self.changed = true;
        let layout = self.side.block().layout();
        let offset = layout.f32_columns + column * layout.column_bytes();
        self.image.column_mut(offset, self.rows)
    }

    /// A u32 column of all rows, which is there.
    pub(super) fn u32_column_mut(&mut self, column: usize) -> &mut [u32] {
        self.changed = true;
        let layout = self.side.block().layout();
        let offset = layout.u32_columns + column * layout.column_bytes();
        self.image.column_mut(offset, self.rows)
    }

    /// Publishes the present state as one tick that stands for the moment `time` of the simulation and leaves at `now`
    /// by a clock that the readers share. `time` is a [`Stepper`], whose time scale and pause then reach the readers
    /// too, or a number of simulated seconds at normal speed, or a [`SimulationTime`]. Do not give `now` again as the time:
    /// between two ticks the state stands still, and `now` does not.
    ///
    /// Call it after the ticks of each turn of your loop. When no tick ran since the last call and the speed is the
    /// same, nothing is published. (Changes made while the simulation is paused are published, without simulated time.)
    ///
    /// It never waits: the work is one copy and a load of each reader's claims.
    ///
    /// Fails when a time is not finite, or simulation time goes back; nothing is published then.
    pub fn publish(&mut self, now: f64, time: impl Into<SimulationTime>) -> Result<TickStamp, WriteError> {
        let SimulationTime { simulated, scale } = time.into();
        if !now.is_finite() {
            return Err(WriteError::Now(now));
        }
        if !simulated.is_finite() {
            return Err(WriteError::Simulated(simulated));
        }
        if !(0.0..=MAX_SCALE).contains(&scale) {
            return Err(WriteError::Scale(scale));
        }
        let tick = self.newest.map_or(0, |newest| newest.tick + 1);
        if let Some(newest) = self.newest {
            if simulated < newest.simulated {
                return Err(WriteError::Backward { simulated, newest: newest.simulated });
            }
            let edited = scale == 0.0 && self.changed;
            if simulated == newest.simulated && scale == newest.scale && !edited {
                return Ok(newest);
            }
        }
        let stamp = TickStamp { run: self.run, tick, published: now, simulated, scale };
        let sleepers = self.side.publish(&stamp, self.rows, self.table, &self.image);
        #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
        if sleepers {
            super::wake::wake_all(self.side.block().word(super::offsets::header::LATEST));
        }
        let _ = sleepers;
        self.changed = false;
        self.newest = Some(stamp);
        Ok(stamp)
    }
}

fn check_column(column: usize, columns: usize) -> Result<(), WriteError> {
    if column < columns { Ok(()) } else { Err(WriteError::Column { column, columns }) }
}

/// Which moment of the simulation a tick stands for, and how fast its clock runs from there on.
///
/// ```
/// use portamento::exchange::SimulationTime;
/// use portamento::step::Stepper;
/// let mut stepper = Stepper::fixed(60.0)?;
/// stepper.set_time_scale(0.2)?;
/// assert_eq!(SimulationTime::from(&stepper), SimulationTime { simulated: 0.0, scale: 0.2 });
/// assert_eq!(SimulationTime::from(1.5), SimulationTime { simulated: 1.5, scale: 1.0 });
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulationTime {
    /// Simulated seconds.
    pub simulated: f64,
    /// Simulated seconds per real second: 1 normally, below in slow motion, 0 while paused.
    pub scale: f64,
}

impl From<f64> for SimulationTime {
    fn from(simulated: f64) -> Self {
        Self { simulated, scale: 1.0 }
    }
}

impl From<&Stepper> for SimulationTime {
    fn from(stepper: &Stepper) -> Self {
        Self { simulated: stepper.simulated(), scale: stepper.time_scale() }
    }
}
