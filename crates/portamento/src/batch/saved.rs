//! A batch that comes from a file is only trusted if its parts fit together: slots are trusted from then on.

use super::{
    Batch, BatchHandle, BatchPose, BatchSettings, WIDTH,
    glide::{Glide, Glides},
    handle::Directory,
    rollback::Reports,
    store::Flags,
};
use crate::SettingError;
use crate::step::Moment;
use alloc::vec::Vec;
use core::fmt;

#[derive(serde::Deserialize)]
#[serde(bound = "P::Tile: serde::de::DeserializeOwned, P: serde::de::DeserializeOwned, \
                 P::Velocity: serde::de::DeserializeOwned")]
pub(super) struct Unchecked<P: BatchPose> {
    ends: Vec<Vec<P::Tile>>,
    newest: usize,
    views: [Vec<P::Tile>; 2],
    owners: Vec<BatchHandle>,
    flags: Vec<Flags>,
    still: Vec<u8>,
    directory: Directory,
    moving: usize,
    drawn: usize,
    was_drawn: usize,
    open: bool,
    changed: bool,
    last: Moment,
    #[serde(default)]
    ticks: u32,
    #[serde(default)]
    last_ticks: u32,
    #[serde(default = "Vec::new")]
    glides: Vec<Glide<P>>,
    settings: BatchSettings,
}

/// Why a saved batch was refused.
pub(super) enum Unsound {
    BatchSettings(SettingError),
    State,
    /// A mark that the pose in this slot cannot have.
    Mark(usize, &'static str),
}

impl fmt::Display for Unsound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BatchSettings(bad) => bad.fmt(f),
            Self::State => f.write_str("a saved batch whose parts do not fit together: start a new one"),
            Self::Mark(slot, mark) => {
                write!(f, "a saved batch whose slot {slot} is marked as {mark}: start a new one")
            }
        }
    }
}

impl<P: BatchPose> TryFrom<Unchecked<P>> for Batch<P> {
    type Error = Unsound;

    fn try_from(saved: Unchecked<P>) -> Result<Self, Unsound> {
        // Refuses what a new batch would refuse.
        let _ = Batch::<P>::with_settings(saved.settings).map_err(Unsound::BatchSettings)?;
        let (poses, ends) = (saved.owners.len(), saved.settings.ends);
        let tiles = poses.div_ceil(WIDTH);
        let remembered = if saved.settings.remember_views { tiles } else { 0 };
        let fits = saved.ends.len() == ends
            && saved.newest < ends
            && saved.ends.iter().all(|end| end.len() == tiles)
            && saved.views.iter().all(|view| view.len() == remembered)
            && saved.flags.len() == tiles
            && saved.still.len() == poses
            && saved.still.iter().all(|&ticks| usize::from(ticks) < ends)
            && saved.moving <= saved.drawn
            && saved.drawn <= poses
            && saved.directory.fits(&saved.owners);
        if !fits {
            return Err(Unsound::State);
        }
        saved.check_marks()?;
        let glides = Glides::from_saved(saved.glides).ok_or(Unsound::State)?;
        if !glides.all_handles().all(|handle| saved.directory.slot(handle).is_ok()) {
            return Err(Unsound::State);
        }
        let mut batch = Self {
            ends: saved.ends,
            newest: saved.newest,
            views: saved.views,
            owners: saved.owners,
            flags: saved.flags,
            still: saved.still,
            directory: saved.directory,
            moving: saved.moving,
            drawn: saved.drawn,
            was_drawn: saved.was_drawn,
            open: saved.open,
            changed: saved.changed,
            last: saved.last,
            ticks: saved.ticks,
            last_ticks: saved.last_ticks,
            shown: 0,
            reports: Reports::default(),
            has_cuts: true,
            glides,
            settings: saved.settings,
        };
        batch.reports.count(poses, remembered > 0);
        // Whatever buffer will be drawn into, it is not the one from before.
        batch.redraw();
        Ok(batch)
    }
}

impl<P: BatchPose> Unchecked<P> {
    /// A pose that is taken for pushed would be drawn from a buffer that no one wrote, a false cut would be
    /// seen as one.
    fn check_marks(&self) -> Result<(), Unsound> {
        let remembers = self.settings.remember_views;
        for (tile, &Flags { fresh, cut, cut_shown, .. }) in self.flags.iter().enumerate() {
            // The first marked slot from `limit` on.
            let from = |limit: usize, marks: u16| {
                let here = limit.saturating_sub(tile * WIDTH).min(WIDTH);
                let wrong = u32::from(marks) >> here << here;
                (wrong != 0).then(|| tile * WIDTH + wrong.trailing_zeros() as usize)
            };
            let there = self.owners.len();
            let shown = if remembers { self.was_drawn } else { 0 };
            let to_show = if remembers { self.drawn } else { there };
            for (wrong, mark) in [
                (from(there, fresh | cut), "pushed or cut, and nobody lives in it"),
                (from(self.moving, fresh), "pushed, and it rests"),
                (from(if self.open { there } else { 0 }, fresh), "pushed, and no tick is open"),
                (from(to_show, cut), "cut, and is not to be drawn"),
                (from(shown, cut_shown), "cut in the last frame, and its view is not remembered"),
            ] {
                if let Some(slot) = wrong {
                    return Err(Unsound::Mark(slot, mark));
                }
            }
        }
        Ok(())
    }
}

impl Directory {
    /// Whether these owners live where it says, no one else lives, and the free numbers lead from one to the next.
    fn fits(&self, owners: &[BatchHandle]) -> bool {
        owners.iter().enumerate().all(|(slot, &owner)| self.slot(owner) == Ok(slot))
            && self.living() == owners.len()
            && self.free_numbers_end()
    }
}
