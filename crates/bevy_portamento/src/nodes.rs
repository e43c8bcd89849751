//! How are tens of thousands of nodes of trees reached, without looking up each of them?
//!
//! Entities of one kind that were spawned one after the other mostly lie one behind the other. Whoever walks along the same
//! nodes in every frame keeps the [`Place`] of each such run: the table and the row of its first entity. The tables are
//! opened once, as slices, and comparing the entities of a run shows whether they still lie there. So a place may be out of
//! date, but a wrong entity is never reached by it.

use crate::scan::Since;
use bevy_ecs::change_detection::{ContiguousComponentTicksRef, ContiguousMut, ContiguousRef, Tick};
use bevy_ecs::entity::EntityLocation;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_transform::components::{GlobalTransform, Transform};

extern crate alloc;
use alloc::vec::Vec;

/// Where an entity lay when it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) table: u32,
    pub(crate) row: u32,
}

impl From<EntityLocation> for Place {
    fn from(location: EntityLocation) -> Self {
        Self { table: location.table_id.as_u32(), row: location.table_row.index_u32() }
    }
}

/// What a walk sees of a node.
pub(crate) struct Node<'a> {
    pub(crate) transform: &'a Transform,
    /// When `transform` changed last.
    pub(crate) written: Tick,
    /// When `global` was added.
    pub(crate) added: Tick,
    /// Writing it is no change to anybody.
    pub(crate) global: &'a mut GlobalTransform,
}

/// The columns of one table.
#[derive(Default)]
struct Table<'a> {
    entities: &'a [Entity],
    transforms: &'a [Transform],
    written: &'a [Tick],
    added: &'a [Tick],
    globals: &'a mut [GlobalTransform],
}

type Columns = (Entity, Ref<'static, Transform>, &'static mut GlobalTransform);
type Locations<'w, 's> = Query<'w, 's, EntityLocation, (With<Transform>, With<GlobalTransform>)>;

/// All entities with a transform.
#[derive(SystemParam)]
pub(crate) struct Nodes<'w, 's> {
    columns: Query<'w, 's, Columns>,
    locations: Locations<'w, 's>,
    // Kept for its memory.
    tables: Local<'s, Vec<Table<'static>>>,
}

impl Nodes<'_, '_> {
    /// Opens the tables for a walk.
    pub(crate) fn walk(&mut self, walk: impl FnOnce(&mut Open)) {
        let Self { columns, locations, tables: memory } = self;
        let Ok(columns) = columns.contiguous_iter_mut() else {
            // Where a marker for disabled entities is kept apart from the tables, queries have no slices.
            return walk(&mut Open { locations, access: Access::OneByOne(columns) });
        };
        let mut tables: Vec<Table> = core::mem::take(&mut **memory);
        for (entities, transforms, globals) in columns {
            let first = entities.first().and_then(|&first| locations.get(first).ok());
            let Some(table) = first.map(|location| location.table_id.as_usize()) else { continue };
            let (transforms, written) = ContiguousRef::split(transforms);
            let (globals, ticks) = ContiguousMut::bypass_change_detection_split(globals);
            let added = ContiguousComponentTicksRef::from(ticks).added();
            if table >= tables.len() {
                tables.resize_with(table + 1, Table::default);
            }
            tables[table] = Table { entities, transforms, written: written.changed(), added, globals };
        }
        let mut open = Open { locations, access: Access::Tables(tables) };
        walk(&mut open);
        if let Access::Tables(tables) = open.access {
            **memory = emptied(tables);
        }
    }
}

/// The same memory, for slices that live elsewhere: `collect` uses that of the vector it comes from.
fn emptied(mut tables: Vec<Table>) -> Vec<Table<'static>> {
    tables.clear();
    tables.into_iter().map(|_| Table::default()).collect()
}

/// The nodes, during a walk.
pub(crate) struct Open<'a, 'w, 's> {
    locations: &'a Locations<'w, 's>,
    access: Access<'a, 'w, 's>,
}

enum Access<'a, 'w, 's> {
    Tables(Vec<Table<'a>>),
    OneByOne(&'a mut Query<'w, 's, Columns>),
}

impl Open<'_, '_, '_> {
    /// Whether entities are reached by their places.
    pub(crate) fn has_places(&self) -> bool {
        matches!(self.access, Access::Tables(_))
    }

    /// The pictures or truths of entities that lie one behind the other; `None` if they do not any more.
    pub(crate) fn globals(&mut self, entities: &[Entity], first: Place) -> Option<&mut [GlobalTransform]> {
        let Access::Tables(tables) = &mut self.access else { return None };
        let table = tables.get_mut(first.table as usize)?;
        let rows = first.row as usize..first.row as usize + entities.len();
        (table.entities.get(rows.clone())? == entities).then(|| &mut table.globals[rows])
    }

    /// Whether entities that lie one behind the other were not written and not added since.
    pub(crate) fn are_older_than(&self, since: Since, count: usize, first: Place) -> bool {
        let Access::Tables(tables) = &self.access else { return false };
        let Some(table) = tables.get(first.table as usize) else { return false };
        let rows = first.row as usize..first.row as usize + count;
        [table.written, table.added]
            .iter()
            .all(|ticks| ticks.get(rows.clone()).is_some_and(|ticks| !since.is_any_newer(ticks)))
    }

    /// The node at a place, if there are places.
    #[inline(always)] // it is in the middle of a walk
    pub(crate) fn at(&mut self, place: Place) -> Option<Node<'_>> {
        let Access::Tables(tables) = &mut self.access else { return None };
        at(tables, place)
    }

    /// Visits an entity, wherever it lies; `None` if there is no such entity, or queries do not see it.
    pub(crate) fn look_up<R>(&mut self, entity: Entity, visit: impl FnOnce(Node) -> R) -> Option<R> {
        match &mut self.access {
            Access::Tables(tables) => at(tables, self.locations.get(entity).ok()?.into()).map(visit),
            Access::OneByOne(columns) => visit_one(columns, entity, visit),
        }
    }
}

#[inline(always)]
fn at<'a>(tables: &'a mut [Table], Place { table, row }: Place) -> Option<Node<'a>> {
    let (table, row) = (tables.get_mut(table as usize)?, row as usize);
    // Ticks that nobody asks for are not read: nothing here panics.
    Some(Node {
        transform: table.transforms.get(row)?,
        written: table.written.get(row).map_or(Tick::MAX, |tick| *tick),
        added: table.added.get(row).map_or(Tick::MAX, |tick| *tick),
        global: table.globals.get_mut(row)?,
    })
}

fn visit_one<R>(columns: &mut Query<Columns>, entity: Entity, visit: impl FnOnce(Node) -> R) -> Option<R> {
    let (_, transform, mut global) = columns.get_mut(entity).ok()?;
    Some(visit(Node {
        transform: &transform,
        written: transform.last_changed(),
        added: global.added(),
        global: global.bypass_change_detection(),
    }))
}
