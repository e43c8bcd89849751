//! What does the simulation's side do?

use alloc::vec::Vec;
use core::fmt;

use super::layout::Shape;
use super::slots::{Columns, Writer};
use super::{Entity, TickStamp};
use crate::blend::{Pose, Rotation};

/// The side that simulates: entities come, move, are cut and go; [`publish`](Publisher::publish) makes the
/// present state of all of them one tick.
///
/// There is one publisher per block at a time. Dropping it ends its run and leaves the last ticks readable.
/// Memory is allocated when the publisher is made, never afterwards.
///
/// ```
/// # use portamento::{blend::Pose, exchange::{EntityError, Exchange, Shape}};
/// let exchange = Exchange::new(Shape::new(1))?;
/// let mut publisher = exchange.publisher()?;
/// let bullet = publisher.spawn(1, Pose::default())?;
/// publisher.publish(0.0, 0.0)?;
/// publisher.cut(bullet, Pose { position: [90.0, 0.0, 0.0], ..Pose::default() })?; // through a portal
/// publisher.publish(0.1, 0.1)?;
///
/// assert_eq!(publisher.spawn(2, Pose::default()), Err(EntityError::Full { capacity: 1 }));
/// publisher.despawn(bullet)?;
/// let next = publisher.spawn(2, Pose::default())?; // the same row, another generation
/// assert_eq!(publisher.set(bullet, Pose::default()), Err(EntityError::Gone(bullet)));
/// assert!(publisher.publish(0.2, 0.1).is_err()); // simulation time must go forward
/// # assert_eq!(next.row, bullet.row);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Publisher {
    writer: Writer,
    run: u64,
    tick: u64,
    newest: Option<f64>,
    version: u64,
    ids: Vec<u64>,
    generations: Vec<u32>,
    epochs: Vec<u32>,
    flags: Vec<u32>,
    poses: Vec<Pose>,
    /// Rows below `rows()` that hold nobody.
    free: Vec<u32>,
}

impl Publisher {
    pub(super) fn new(mut writer: Writer, run_floor: u64) -> Self {
        let run = writer.begin_run(run_floor);
        let rows = writer.block().layout().shape.entities;
        Self {
            writer,
            run,
            tick: 0,
            newest: None,
            version: 1,
            ids: Vec::with_capacity(rows),
            generations: Vec::with_capacity(rows),
            epochs: Vec::with_capacity(rows),
            flags: Vec::with_capacity(rows),
            poses: Vec::with_capacity(rows),
            free: Vec::with_capacity(rows),
        }
    }

    /// The number of this life of the publisher; every later one on the same block has a greater one.
    #[must_use]
    pub fn run(&self) -> u64 {
        self.run
    }

    /// How much the block holds.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.writer.block().layout().shape
    }

    /// How many entities live now.
    #[must_use]
    pub fn entities(&self) -> usize {
        self.ids.len() - self.free.len()
    }

    /// Claim words passed over because no subscriber of this library can have written them.
    #[must_use]
    pub fn nonsense_claims(&self) -> u64 {
        self.writer.nonsense()
    }

    /// A new entity. It is first seen at this pose, in the next tick. `id` is yours and travels along.
    ///
    /// # Errors
    /// When the table is full or the pose is not finite; nothing has changed then.
    pub fn spawn(&mut self, id: u64, pose: Pose) -> Result<Entity, EntityError> {
        usable(&pose)?;
        let row = match self.free.pop() {
            Some(row) => row as usize,
            None if self.ids.len() == self.shape().entities => {
                return Err(EntityError::Full { capacity: self.shape().entities });
            }
            None => {
                self.ids.push(0);
                self.generations.push(0);
                self.epochs.push(0);
                self.flags.push(0);
                self.poses.push(pose);
                self.ids.len() - 1
            }
        };
        self.version += 1;
        self.ids[row] = id;
        self.generations[row] = self.generations[row].wrapping_add(1);
        self.epochs[row] = 0;
        self.flags[row] = 0;
        self.poses[row] = pose;
        Ok(Entity { row: row as u32, generation: self.generations[row] })
    }

    /// The entity goes; it is not in the next tick. Its row is free for another.
    ///
    /// # Errors
    /// When it is already gone.
    pub fn despawn(&mut self, entity: Entity) -> Result<(), EntityError> {
        let row = self.row(entity)?;
        self.version += 1;
        self.generations[row] = self.generations[row].wrapping_add(1);
        self.free.push(entity.row);
        Ok(())
    }

    /// The entity moves there; readers blend.
    ///
    /// # Errors
    /// When it is gone or the pose is not finite; nothing has changed then.
    pub fn set(&mut self, entity: Entity, pose: Pose) -> Result<(), EntityError> {
        let row = self.row(entity)?;
        usable(&pose)?;
        self.poses[row] = pose;
        Ok(())
    }

    /// The entity is there at once: no reader draws anything between its last pose and this one.
    ///
    /// # Errors
    /// When it is gone or the pose is not finite; nothing has changed then.
    pub fn cut(&mut self, entity: Entity, pose: Pose) -> Result<(), EntityError> {
        self.set(entity, pose)?;
        let row = self.row(entity)?;
        self.version += 1;
        self.epochs[row] = self.epochs[row].wrapping_add(1);
        Ok(())
    }

    /// Sets the 32 bits that travel with the entity; their meaning is yours.
    ///
    /// # Errors
    /// When it is gone.
    pub fn set_flags(&mut self, entity: Entity, flags: u32) -> Result<(), EntityError> {
        let row = self.row(entity)?;
        if self.flags[row] != flags {
            self.version += 1;
            self.flags[row] = flags;
        }
        Ok(())
    }

    /// The poses of all rows as they will be published, for simulations that write many at once: element
    /// `entity.row` is the pose of that entity. Values go out as they are, also NaN.
    #[must_use]
    pub fn poses_mut(&mut self) -> &mut [Pose] {
        &mut self.poses
    }

    /// Makes the present state one tick, which stands for the moment `simulated` of the simulation and leaves
    /// at `now` by a clock that the readers share. Never waits: the work is one copy and a look at each
    /// subscriber's claim.
    ///
    /// # Errors
    /// When a time is not finite, or `simulated` is not after that of the tick before; nothing is published
    /// then.
    pub fn publish(&mut self, now: f64, simulated: f64) -> Result<TickStamp, PublishError> {
        if !now.is_finite() {
            return Err(PublishError::Now(now));
        }
        if !simulated.is_finite() {
            return Err(PublishError::Simulated(simulated));
        }
        if let Some(newest) = self.newest.filter(|newest| simulated <= *newest) {
            return Err(PublishError::NotForward { simulated, newest });
        }
        let stamp = TickStamp { run: self.run, tick: self.tick, published: now, simulated };
        let columns = Columns {
            version: self.version,
            ids: &self.ids,
            generations: &self.generations,
            epochs: &self.epochs,
            flags: &self.flags,
            poses: &self.poses,
        };
        self.writer.publish(&stamp, &columns);
        self.tick += 1;
        self.newest = Some(simulated);
        Ok(stamp)
    }

    fn row(&self, entity: Entity) -> Result<usize, EntityError> {
        let row = entity.row as usize;
        if entity.is_live() && self.generations.get(row) == Some(&entity.generation) {
            Ok(row)
        } else {
            Err(EntityError::Gone(entity))
        }
    }
}

fn usable(pose: &Pose) -> Result<(), EntityError> {
    let Rotation { x, y, z, w } = pose.rotation;
    let finite = pose.position.iter().chain(&[x, y, z, w]).all(|number| number.is_finite());
    if finite { Ok(()) } else { Err(EntityError::Pose(*pose)) }
}

/// What was asked of an entity cannot be done.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EntityError {
    /// Every row of the table is taken.
    Full {
        /// How many rows there are.
        capacity: usize,
    },
    /// It was despawned, or belongs to another publisher.
    Gone(Entity),
    /// A number of the pose is NaN or infinite.
    Pose(Pose),
}

impl fmt::Display for EntityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full { capacity } => {
                write!(f, "all {capacity} rows are taken: despawn one or create a larger block")
            }
            Self::Gone(Entity { row, generation }) => {
                write!(f, "the entity of row {row}, generation {generation} is gone: forget its handle")
            }
            Self::Pose(pose) => write!(f, "a number of {pose:?} is NaN or infinite: pass finite ones"),
        }
    }
}

impl core::error::Error for EntityError {}

/// A tick that cannot be published.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PublishError {
    /// The publishing time is NaN or infinite.
    Now(f64),
    /// The simulation time is NaN or infinite.
    Simulated(f64),
    /// Simulation time must grow from tick to tick within a run.
    NotForward {
        /// The time that was given.
        simulated: f64,
        /// The time of the tick before.
        newest: f64,
    },
}

impl fmt::Display for PublishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Now(now) => write!(f, "published at {now} s: pass a finite reading of the shared clock"),
            Self::Simulated(simulated) => {
                write!(f, "simulation time {simulated} s: pass a finite number of seconds")
            }
            Self::NotForward { simulated, newest } => write!(
                f,
                "simulation time {simulated} s is not after the tick before ({newest} s): \
                 end this publisher and begin another run to go back"
            ),
        }
    }
}

impl core::error::Error for PublishError {}
