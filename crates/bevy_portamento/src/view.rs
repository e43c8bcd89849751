//! When is `GlobalTransform` the view, and when the truth?
//!
//! ```text
//!  PreUpdate │ RunFixedMainLoop            │ Update │ PostUpdate                      │ Last, rendering
//!  the view  │ restore ── ticks ── moment  │ truth  │ Bevy's Propagate ── trees, flat │ the view
//! ```
//!
//! `restore` is not marked as a change: to whoever watches `GlobalTransform` the view was never there. Drawing is marked,
//! but only where the view differs from that of the frame before: the renderer has that one already.

use crate::between::{Ends, Share};
use crate::curve::Bend;
use crate::moment::FrameMoment;
use crate::rows::{FlatRows, SmoothRows};
use crate::smooth::Smooth;
use crate::tree::Passengers;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_math::{Affine3A, Quat};
use bevy_transform::components::{GlobalTransform, Transform};
use core::mem;

/// What is not in `GlobalTransform`: the truth while that is the view, and the view of the frame before while it is the
/// truth.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct Shown(pub(crate) GlobalTransform);

/// Whether views are in place.
#[derive(Resource, Default)]
pub(crate) struct Picture {
    is_up: bool,
}

/// The entity's own view, in its parent's space.
pub(crate) fn view(share: &Share, ends: &Ends, bend: Option<&Bend>, now: &Transform) -> Transform {
    let curved = bend.and_then(|bend| bend.between(share));
    ends.under(curved.unwrap_or_else(|| share.between(ends)), now)
}

/// The same as a matrix, which for most is shorter; with its rotation, where that is known already.
#[inline]
pub(crate) fn place(
    share: &Share,
    smooth: &Smooth,
    (ends, bend): (&Ends, Option<&Bend>),
    turn: impl FnOnce() -> Quat,
    now: &Transform,
) -> Affine3A {
    let plain = if smooth.is_plain() && bend.is_none() { share.place(ends, turn, now) } else { None };
    plain.unwrap_or_else(|| view(share, ends, bend, now).compute_affine())
}

/// Puts `view` where the renderer looks, and says whether that is news to it.
#[inline]
#[must_use]
pub(crate) fn show(
    smooth: &mut Smooth,
    shown: &mut Shown,
    global: &mut GlobalTransform,
    view: GlobalTransform,
) -> bool {
    let news = !smooth.is_stale() || shown.0 != view;
    shown.0 = mem::replace(global, view);
    smooth.show();
    news
}

/// Puts the truth back, before anything of the simulation looks.
pub(crate) fn restore(
    mut picture: ResMut<Picture>,
    mut passengers: ResMut<Passengers>,
    mut globals: ParamSet<(SmoothRows, Query<&mut GlobalTransform, Allow<Disabled>>)>,
) {
    if mem::take(&mut picture.is_up) {
        globals.p0().restore();
        passengers.restore(&mut globals.p1());
    }
}

/// Draws what has neither parent nor children, which most things have not; and lets settle what has come to rest.
pub(crate) fn draw_flat(moment: Res<FrameMoment>, mut picture: ResMut<Picture>, mut things: FlatRows) {
    picture.is_up = true;
    things.draw(&Share::of(**moment));
}
