//! What is to be seen between two ticks?

use super::slots::Claimed;
use super::{Entity, TickStamp};
use crate::blend::{Blend, NlerpWeights, Pose};

/// Two ticks of one run, or twice the same, and the moment between them that is drawn. While it lives, the
/// publisher leaves both alone; drop it when the frame is drawn.
///
/// Every entity is drawn at the one moment of the reading. Until the moment reaches the newer tick, the entities
/// of the older one are there: one that was cut meanwhile stays where it was, one that went is still there,
/// one that came is not there yet. So a new entity is first seen at its first pose, and a cut shows no place
/// between.
#[derive(Debug)]
pub struct Reading<'a> {
    claimed: Claimed<'a>,
    alpha: f64,
    beyond: f64,
    /// In ticks, 0 unless extrapolation was asked for.
    extrapolated: f64,
    /// Rows of the tick whose entities are there.
    rows: usize,
    /// Which tick that is: the moment has reached the newer one.
    arrived: bool,
}

const FROM: usize = 0;
const TO: usize = 1;

impl<'a> Reading<'a> {
    pub(super) fn new(claimed: Claimed<'a>, at: f64) -> Self {
        let from = claimed.tick(FROM).stamp.simulated;
        let to = claimed.tick(TO).stamp.simulated;
        let same = claimed.tick(FROM).entry == claimed.tick(TO).entry;
        let arrived = same || at >= to;
        // Halves, so that no difference of two finite times is infinite.
        let alpha = (at / 2.0 - from / 2.0) / (to / 2.0 - from / 2.0);
        let alpha = if arrived {
            1.0
        } else if alpha > 0.0 {
            // Below 1 also in single precision, which poses are blended in: the newer tick is not reached yet.
            alpha.min(1.0 - f64::from(f32::EPSILON))
        } else {
            0.0
        };
        let beyond = if at.is_finite() && at > to { (at - to).min(f64::MAX) } else { 0.0 };
        let rows = claimed.tick(usize::from(arrived)).rows;
        Self { claimed, alpha, beyond, extrapolated: 0.0, rows, arrived }
    }

    /// Lets the views run on past the newest tick, as the last two ticks moved, by at most `limit` seconds.
    /// Without this the newest tick is held, and so it is by a limit that is not above 0, NaN included. For a
    /// playhead that was told to extrapolate, whose own limit holds already, pass infinity.
    #[must_use]
    pub fn extrapolate(mut self, limit: f64) -> Self {
        let span = self.to().simulated - self.from().simulated;
        let ticks = self.beyond.min(limit) / span;
        // `min` would take NaN for no limit.
        let asked = limit > 0.0;
        self.extrapolated = if asked && ticks > 0.0 && ticks.is_finite() { ticks } else { 0.0 };
        self
    }

    /// The older tick.
    #[must_use]
    pub fn from(&self) -> TickStamp {
        self.claimed.tick(FROM).stamp
    }

    /// The newer tick; the same when only one is there.
    #[must_use]
    pub fn to(&self) -> TickStamp {
        self.claimed.tick(TO).stamp
    }

    /// Where between the two the moment lies: 0..=1, 1 when it has reached the newer one.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// How many seconds the moment lies past the newest tick: 0 unless the reader ran out of ticks.
    #[must_use]
    pub fn beyond(&self) -> f64 {
        self.beyond
    }

    /// How many rows the entity table has: rows from here on are empty.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Who is in this row, and what is to be seen of it.
    #[must_use]
    pub fn view(&self, row: usize) -> Option<EntityView> {
        self.table().view(row)
    }

    /// Everything that is to be seen, by row.
    #[must_use]
    pub fn views(&self) -> EntityViews<'_> {
        EntityViews { table: self.table(), row: 0 }
    }

    /// The first row whose entity has this number.
    pub(super) fn find(&self, id: u64) -> Option<EntityView> {
        let table = self.table();
        let rows = table.ids.iter().enumerate().filter(|(_, found)| **found == id);
        rows.filter_map(|(row, _)| table.view(row)).next()
    }

    fn table(&self) -> Table<'_> {
        let layout = self.claimed.layout();
        let shown = if self.arrived { TO } else { FROM };
        let other = if self.arrived { FROM } else { TO };
        let mix = if !self.arrived && self.alpha as f32 > 0.0 {
            Mix::Blend { alpha: self.alpha, curve: NlerpWeights::new(self.alpha) }
        } else if self.extrapolated > 0.0 {
            Mix::Extrapolate { ticks: self.extrapolated }
        } else {
            Mix::Neither
        };
        Table {
            ids: self.claimed.column(shown, layout.ids),
            flags: self.claimed.column(shown, layout.flags),
            generations: [shown, other].map(|tick| self.claimed.column(tick, layout.generations)),
            epochs: [shown, other].map(|tick| self.claimed.column(tick, layout.epochs)),
            poses: [shown, other].map(|tick| self.claimed.column(tick, layout.poses)),
            mix,
        }
    }

    /// The poses of the newer tick by row: the truth as it was published, not a view. Rows that hold nobody have
    /// leftovers in them.
    #[must_use]
    pub fn poses(&self) -> &[Pose] {
        self.claimed.column(TO, self.claimed.layout().poses)
    }
}

/// The columns of both ticks, the one whose entities are there first, and what to do with the two.
#[derive(Debug)]
struct Table<'a> {
    ids: &'a [u64],
    flags: &'a [u32],
    generations: [&'a [u32]; 2],
    epochs: [&'a [u32]; 2],
    poses: [&'a [Pose]; 2],
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

impl Table<'_> {
    #[inline(always)]
    fn view(&self, row: usize) -> Option<EntityView> {
        let entity = Entity { row: row as u32, generation: *self.generations[0].get(row)? };
        if !entity.is_live() {
            return None;
        }
        let cut_epoch = self.epochs[0][row];
        // Another generation is another entity, another epoch lies across a cut.
        let same = self.generations[1].get(row) == Some(&entity.generation)
            && self.epochs[1].get(row) == Some(&cut_epoch);
        let shown = &self.poses[0][row];
        let pose = match self.mix {
            Mix::Blend { alpha, ref curve } if same => {
                let to = &self.poses[1][row];
                Pose {
                    position: shown.position.blend(&to.position, alpha),
                    rotation: shown.rotation.nlerp_on(to.rotation, curve),
                }
            }
            Mix::Extrapolate { ticks } if same => self.poses[1][row].extrapolate(shown, ticks),
            _ => *shown,
        };
        Some(EntityView { entity, id: self.ids[row], flags: self.flags[row], cut_epoch, pose })
    }
}

/// Everything that is to be seen in a [`Reading`], by row.
#[derive(Debug)]
pub struct EntityViews<'a> {
    table: Table<'a>,
    row: usize,
}

impl Iterator for EntityViews<'_> {
    type Item = EntityView;

    // Always: called once per entity, a view that travels through memory costs more than what is in it.
    #[inline(always)]
    fn next(&mut self) -> Option<EntityView> {
        while self.row < self.table.ids.len() {
            let row = self.row;
            self.row += 1;
            if let Some(view) = self.table.view(row) {
                return Some(view);
            }
        }
        None
    }
}

/// One entity as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntityView {
    /// Who it is. The same handle in a later frame of the same run is the same entity.
    pub entity: Entity,
    /// The number it was spawned with.
    pub id: u64,
    /// The publisher's 32 bits.
    pub flags: u32,
    /// ReaderCounts the cuts of this entity: another number than in the frame before means that a cut lies between
    /// (reset motion vectors, trails and the like). [`Followed`](super::Followed) compares them for you.
    pub cut_epoch: u32,
    /// Where to draw it.
    pub pose: Pose,
}
