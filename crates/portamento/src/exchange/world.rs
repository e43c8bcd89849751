//! What is to be seen between two ticks?

use super::memory::Plain;
use super::offsets::Layout;
use super::reader::{Reader, TickCopy};
use super::{ExchangePose, TickStamp};
use crate::blend::{Blend, NlerpWeights, Pose};
use crate::playhead::Shown;
use crate::{Drawn, IntoPresented, Presented};

/// Two ticks among a reader's copies, or twice the same, and the moment between them that is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub from: usize,
    pub to: usize,
    /// The moment has reached the newer tick.
    pub arrived: bool,
    pub alpha: f64,
    /// In ticks, 0 unless the playhead extrapolates.
    pub extrapolated: f64,
}

impl Place {
    pub fn new(copies: &[TickCopy], from: usize, to: usize, shown: Shown) -> Self {
        let simulated = |index: usize| copies[index].tick.map_or(0.0, |tick| tick.stamp.simulated);
        let (start, end, at) = (simulated(from), simulated(to), shown.at);
        let arrived = from == to || at >= end;
        // Halves, so that no difference of two finite times is infinite.
        let alpha = (at / 2.0 - start / 2.0) / (end / 2.0 - start / 2.0);
        let alpha = if arrived {
            1.0
        } else if alpha > 0.0 {
            // Below 1 also in single precision, which poses are blended in: the newer tick is not reached yet.
            alpha.min(1.0 - f64::from(f32::EPSILON))
        } else {
            0.0
        };
        let ticks = shown.beyond / (end - start);
        let extrapolated = if arrived && ticks > 0.0 && ticks.is_finite() { ticks } else { 0.0 };
        Self { from, to, arrived, alpha, extrapolated }
    }
}

/// The world as drawn in one frame: every entity at the same moment between two ticks.
///
/// Until the moment reaches the newer tick, the entities of the older one are there: one that was cut meanwhile stays
/// where it was, one that was removed is still there, a new one is not there yet. So a new entity is first seen at
/// its first pose, and a cut shows no place between.
#[derive(Debug)]
pub struct WorldFrame<'a, P: ExchangePose = Pose> {
    /// The moment of the writer's clock that is drawn.
    pub shown: Shown,
    /// The stamp of the older tick.
    pub from: TickStamp,
    /// The stamp of the newer tick; the same when only one is there.
    pub to: TickStamp,
    /// Where between the two the moment lies: 0..=1, 1 when it has reached the newer one.
    pub alpha: f64,
    /// How many rows the entity table has, empty ones included.
    pub rows: usize,
    reader: &'a Reader<P>,
    now: Table<'a, P>,
    before: Option<Table<'a, P>>,
}

impl<'a, P: ExchangePose> WorldFrame<'a, P> {
    pub(super) fn new(reader: &'a Reader<P>, shown: Shown, place: Place, before: Option<Place>) -> Self {
        let now = Table::new(reader, place);
        let stamp = |index: usize| reader.copies[index].tick.map_or(TickStamp::default(), |tick| tick.stamp);
        Self {
            shown,
            from: stamp(place.from),
            to: stamp(place.to),
            alpha: place.alpha,
            rows: now.rows[0],
            reader,
            now,
            before: before.map(|place| Table::new(reader, place)),
        }
    }

    /// Returns all entities, by row.
    pub fn entities(&self) -> impl Iterator<Item = EntityView<P>> {
        EntityViews { table: &self.now, row: 0 }
    }

    /// Returns the entity in this row.
    #[must_use]
    pub fn entity(&self, row: usize) -> Option<EntityView<P>> {
        self.now.view(row)
    }

    /// Returns one entity together with the frame before, for a camera or motion vectors. `None` while it is not there.
    ///
    /// The first frame in which it is there is a cut, and so is a new run of the writer. Searches the table for `id`.
    ///
    /// ```
    /// use portamento::blend::Pose;
    /// use portamento::camera::{ChaseCamera, ChaseSettings};
    /// use portamento::exchange::{self, Shape};
    ///
    /// let (mut writer, mut reader) = exchange::pair(Shape::entities(10), 10.0)?;
    /// let mut camera = ChaseCamera::new(ChaseSettings::y_up())?;
    /// for tick in 0..20 {
    ///     let now = f64::from(tick) * 0.1;
    ///     let teleport = if tick < 10 { 0.0 } else { 1000.0 };
    ///     writer.cut(7, Pose::at([teleport, 0.0, 0.0]))?;
    ///     writer.publish(now, now)?;
    ///     for now in [now, now + 0.05] {
    ///         let Some(world) = reader.frame(now) else { continue };
    ///         if let Some(body) = world.draw(7) {
    ///             let shot = camera.update(&world, body); // learns of the cut from what was drawn
    ///             assert!(shot.eye[0] == 0.0 || shot.eye[0] == 1000.0, "never between: {:?}", shot.eye);
    ///         }
    ///     }
    /// }
    /// # assert_eq!(camera.shot().eye[0], 1000.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn draw(&self, id: u64) -> Option<Drawn<P>> {
        let now = self.now.find(id)?;
        let before = self.before.as_ref().and_then(|table| {
            // While an entity lives, its row stays.
            let view = table.view(now.row as usize);
            let same = |view: &EntityView<P>| {
                (view.id, view.generation, table.run) == (now.id, now.generation, self.now.run)
            };
            view.filter(same)
        });
        let cut = before.is_none_or(|before| before.cut_epoch != now.cut_epoch);
        Some(Drawn { now: now.pose, before: before.unwrap_or(now).pose, cut })
    }

    /// Returns one of the f32 numbers of the entity in this row, interpolated as its pose is.
    #[must_use]
    pub fn f32(&self, row: usize, column: usize) -> Option<f32> {
        let layout = self.reader.layout();
        if column >= layout.shape.f32_columns {
            return None;
        }
        let offset = layout.f32_columns + column * layout.column_bytes();
        let [shown, other] = self.now.columns::<f32>(self.reader, offset);
        let from = *shown.get(row)?;
        match self.now.mix {
            Mix::Blend { alpha, .. } if self.now.is_same(row) => Some(from.blend(&other[row], alpha)),
            _ => Some(from),
        }
    }

    /// Returns one of the u32 numbers of the entity in this row.
    #[must_use]
    pub fn u32(&self, row: usize, column: usize) -> Option<u32> {
        let layout = self.reader.layout();
        if column >= layout.shape.u32_columns {
            return None;
        }
        let offset = layout.u32_columns + column * layout.column_bytes();
        self.now.columns::<u32>(self.reader, offset)[0].get(row).copied()
    }

    /// Returns the poses of the newer tick by row: the truth as it was published, not a view. Rows without an entity have
    /// unspecified values.
    #[must_use]
    pub fn truth(&self) -> &[P] {
        self.now.poses[usize::from(!self.now.arrived)]
    }
}

impl<P: ExchangePose> IntoPresented for &WorldFrame<'_, P> {
    fn into_presented(self) -> Presented {
        self.shown.into_presented()
    }
}

/// The columns of both ticks, the one whose entities are there first, and what to do with the two.
#[derive(Debug)]
struct Table<'a, P> {
    /// The newer tick's.
    run: u64,
    places: [usize; 2],
    rows: [usize; 2],
    arrived: bool,
    ids_low: &'a [u32],
    ids_high: &'a [u32],
    flags: &'a [u32],
    generations: [&'a [u32]; 2],
    epochs: [&'a [u32]; 2],
    poses: [&'a [P]; 2],
    mix: Mix,
}

#[derive(Debug)]
enum Mix {
    Neither,
    /// On the way from the shown tick to the other; the weights of rotations are the same for all entities.
    Blend {
        alpha: f64,
        curve: NlerpWeights,
    },
    /// Beyond the shown tick, coming from the other.
    Extrapolate {
        ticks: f64,
    },
}

impl<'a, P: ExchangePose> Table<'a, P> {
    fn new(reader: &'a Reader<P>, place: Place) -> Self {
        let Layout { ids_low, ids_high, generations, epochs, flags, poses, .. } = *reader.layout();
        let places = if place.arrived { [place.to, place.from] } else { [place.from, place.to] };
        let copy = |which: usize| &reader.copies[places[which]];
        let rows = [0, 1].map(|which| copy(which).tick.map_or(0, |tick| tick.rows));
        let table = |offset: usize| copy(0).image.column::<u32>(offset, rows[0]);
        let both = |offset: usize| [0, 1].map(|which| copy(which).image.column::<u32>(offset, rows[which]));
        let mix = if !place.arrived && place.alpha as f32 > 0.0 {
            Mix::Blend { alpha: place.alpha, curve: NlerpWeights::new(place.alpha) }
        } else if place.extrapolated > 0.0 {
            Mix::Extrapolate { ticks: place.extrapolated }
        } else {
            Mix::Neither
        };
        Self {
            run: reader.copies[place.to].tick.map_or(0, |tick| tick.stamp.run),
            places,
            rows,
            arrived: place.arrived,
            ids_low: table(ids_low),
            ids_high: table(ids_high),
            flags: table(flags),
            generations: both(generations),
            epochs: both(epochs),
            poses: [0, 1].map(|which| copy(which).image.column::<P>(poses, rows[which])),
            mix,
        }
    }

    fn columns<T: Plain>(&self, reader: &'a Reader<P>, offset: usize) -> [&'a [T]; 2] {
        [0, 1].map(|which| reader.copies[self.places[which]].image.column(offset, self.rows[which]))
    }

    /// Another generation is another entity, another epoch lies across a cut.
    #[inline(always)]
    fn is_same(&self, row: usize) -> bool {
        let agree = |column: &[&[u32]; 2]| column[0].get(row) == column[1].get(row);
        agree(&self.generations) && agree(&self.epochs)
    }

    #[inline(always)]
    fn view(&self, row: usize) -> Option<EntityView<P>> {
        let generation = *self.generations[0].get(row)?;
        if generation.is_multiple_of(2) {
            return None;
        }
        let shown = &self.poses[0][row];
        let pose = match self.mix {
            Mix::Blend { alpha, ref curve } if self.is_same(row) => {
                shown.blend_on(&self.poses[1][row], alpha, curve)
            }
            Mix::Extrapolate { ticks } if self.is_same(row) => self.poses[1][row].extrapolate(shown, ticks),
            _ => *shown,
        };
        Some(EntityView {
            id: u64::from(self.ids_low[row]) | u64::from(self.ids_high[row]) << 32,
            row: row as u32,
            generation,
            cut_epoch: self.epochs[0][row],
            flags: self.flags[row],
            pose,
        })
    }

    fn find(&self, id: u64) -> Option<EntityView<P>> {
        let rows = self.ids_low.iter().enumerate().filter(|(_, low)| **low == id as u32);
        rows.filter_map(|(row, _)| self.view(row)).find(|view| view.id == id)
    }
}

/// The entities of a [`WorldFrame`], by row.
struct EntityViews<'a, P: ExchangePose> {
    table: &'a Table<'a, P>,
    row: usize,
}

impl<P: ExchangePose> Iterator for EntityViews<'_, P> {
    type Item = EntityView<P>;

    // Always: called once per entity, a view that travels through memory costs more than what is in it.
    #[inline(always)]
    fn next(&mut self) -> Option<EntityView<P>> {
        while self.row < self.table.generations[0].len() {
            let row = self.row;
            self.row += 1;
            if let Some(view) = self.table.view(row) {
                return Some(view);
            }
        }
        None
    }
}

/// One entity as drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntityView<P = Pose> {
    /// The number that the writer gave it.
    pub id: u64,
    /// Its row, which stays the same while it lives: an index for arrays of your own.
    pub row: u32,
    /// Goes up whenever an entity moves into the row or leaves it, so that successive entities of a row can be told apart.
    pub generation: u32,
    /// Counts the cuts of this entity: another number than in the frame before means that a cut lies between.
    /// [`WorldFrame::draw`] compares them for you.
    pub cut_epoch: u32,
    /// The writer's 32 bits.
    pub flags: u32,
    /// Where to draw it.
    pub pose: P,
}
