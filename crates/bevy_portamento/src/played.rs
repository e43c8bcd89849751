//! What is known of a smooth entity between its ticks and its frames?

use crate::between::{self, Ends};
use crate::scan::{Bits, FEW};
use crate::smooth::Smooth;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Affine3A, Mat3A, Quat, Vec3, Vec3A, Vec4};
use bevy_transform::components::{GlobalTransform, Transform};

/// The last tick changed it: there is something between.
const MOVING: u16 = 1;
/// What lies between is nothing special.
const PLAIN: u16 = 2;
/// No tick has begun with it.
const NEW: u16 = 4;
/// It was cut since the frame before.
const CUT: u16 = 8;
/// It was cut since the tick began, or since the last one ended.
const CUT_IN_TICK: u16 = 16;
/// It was cut between the last tick and this one.
const CUT_BEFORE_TICK: u16 = 32;
/// The last frame drew it elsewhere than the truth is.
const DISPLACED: u16 = 64;
/// And did so by Bevy's propagation: `Shown` holds the local view that was drawn.
const LOCAL: u16 = 128;
/// `GlobalTransform` is the truth now, and `Shown` the picture.
const SWAPPED: u16 = 256;
/// It was cloned from an entity that was drawn elsewhere.
const COPIED: u16 = 512;
/// `Ends::from` is where this tick began; else the tick began where the last one ended, at `Ends::to`.
const BEGUN: u16 = 1024;

/// The state of a smooth entity, apart from the component that users write.
#[derive(Component, Debug)]
#[component(on_add = forget_the_picture)]
pub(crate) struct Played(u16);

impl Default for Played {
    fn default() -> Self {
        Self(CUT | NEW)
    }
}

impl Clone for Played {
    /// For another entity: it begins anew.
    fn clone(&self) -> Self {
        Self(CUT | NEW | if self.is_displaced() { COPIED } else { 0 })
    }
}

/// A clone has the `GlobalTransform` of the picture; it gets the truth's.
fn forget_the_picture(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(mut played) = world.get_mut::<Played>(entity) else { return };
    let copied = played.0 & COPIED != 0;
    played.0 &= !COPIED;
    if copied {
        world.commands().queue(move |world: &mut World| {
            crate::truth::show_truth_of_clone(&mut world.into(), entity);
        });
    }
}

impl Played {
    fn put(&mut self, bit: u16, on: bool) {
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }

    /// Whether the last tick left something to be played.
    #[inline]
    pub(crate) fn is_moving(&self) -> bool {
        self.0 & MOVING != 0
    }

    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.0 & PLAIN != 0
    }

    pub(crate) fn is_known(&self) -> bool {
        self.0 & NEW == 0
    }

    /// Whether a cut lies between this frame and the one before.
    pub(crate) fn was_cut(&self) -> bool {
        self.0 & CUT != 0
    }

    #[cfg(feature = "avian")]
    pub(crate) fn was_cut_before_tick(&self) -> bool {
        self.0 & CUT_BEFORE_TICK != 0
    }

    /// Whether the last frame drew it elsewhere than the truth is.
    #[inline]
    pub(crate) fn is_displaced(&self) -> bool {
        self.0 & DISPLACED != 0
    }

    /// Whether Bevy's propagation did, so that descendants are displaced as well.
    #[inline]
    pub(crate) fn is_local(&self) -> bool {
        self.0 & LOCAL != 0
    }

    #[inline]
    pub(crate) fn is_swapped(&self) -> bool {
        self.0 & SWAPPED != 0
    }

    /// Which of the group that begins at a row have any of these bits, and none of those.
    #[inline]
    fn which(all: &[Self], start: usize, wanted: u16, unwanted: u16) -> Bits {
        let is_one = |one: &Self| one.0 & wanted != 0 && one.0 & unwanted == 0;
        let Some(group) = all[start..].first_chunk::<FEW>() else { return Bits::of(&all[start..], is_one) };
        let (any, common) = group.iter().fold((0, !0), |(any, common), one| (any | one.0, common & one.0));
        // Mostly it is none, or all.
        if any & wanted == 0 {
            Bits::NONE
        } else if common & wanted != 0 && any & unwanted == 0 {
            Bits::ALL
        } else {
            Bits::of(group, is_one)
        }
    }

    /// Which of the group that begins at a row a frame has to do with.
    #[inline]
    pub(crate) fn which_concern_a_frame(all: &[Self], start: usize) -> Bits {
        Self::which(all, start, MOVING | DISPLACED | CUT, 0)
    }

    /// Which of the group that begins at a row are drawn without Bevy's propagation, and have the picture in
    /// `GlobalTransform`.
    #[inline]
    pub(crate) fn which_have_the_picture(all: &[Self], start: usize) -> Bits {
        Self::which(all, start, DISPLACED, LOCAL | SWAPPED)
    }

    /// Which of the group that begins at a row are swapped.
    #[inline]
    pub(crate) fn which_are_swapped(all: &[Self], start: usize) -> Bits {
        Self::which(all, start, SWAPPED, 0)
    }

    /// Which of the group that begins at a row were cut, or are new, since the last tick.
    #[inline]
    pub(crate) fn which_are_touched(all: &[Self], start: usize) -> Bits {
        Self::which(all, start, NEW | CUT_IN_TICK, 0)
    }

    /// Which of the group that begins at a row the end of a tick has to do with, written or not.
    #[inline]
    pub(crate) fn which_concern_an_end(all: &[Self], start: usize) -> Bits {
        Self::which(all, start, MOVING | NEW | CUT_IN_TICK | BEGUN, 0)
    }

    /// Whether it was cut, or is new, since the last tick.
    #[inline]
    pub(crate) fn is_touched(&self) -> bool {
        self.0 & (NEW | CUT_IN_TICK) != 0
    }

    /// Whether the tick goes from where the last one ended to where it is now, if nothing has written it.
    #[inline]
    pub(crate) fn is_untouched(&self) -> bool {
        self.0 & (NEW | CUT_IN_TICK | BEGUN) == 0
    }

    /// Whether it is drawn without Bevy's propagation, and has the picture in `GlobalTransform`.
    #[inline]
    pub(crate) fn has_picture_alone(&self) -> bool {
        self.0 & (DISPLACED | LOCAL | SWAPPED) == DISPLACED
    }

    /// Whether it moves, but is not part of the last picture.
    #[inline]
    pub(crate) fn wakes(&self) -> bool {
        self.0 & (MOVING | DISPLACED) == MOVING
    }

    pub(crate) fn cut(&mut self) {
        self.0 = (self.0 & !MOVING) | CUT | CUT_IN_TICK;
    }

    /// A tick begins at a place that is not where the last one ended.
    #[inline]
    pub(crate) fn begin_tick(&mut self, ends: &mut Ends, from: Transform) {
        ends.from = from;
        let cut = if self.0 & CUT_IN_TICK != 0 { CUT_BEFORE_TICK } else { 0 };
        self.0 = (self.0 & !(NEW | MOVING | CUT_IN_TICK | CUT_BEFORE_TICK)) | BEGUN | cut;
    }

    /// Where this tick began, if the entity was there.
    pub(crate) fn beginning(&self, ends: &Ends) -> Option<Transform> {
        match self.0 & (NEW | BEGUN) {
            0 => Some(ends.to),
            BEGUN => Some(ends.from),
            _ => None,
        }
    }

    /// This tick began elsewhere, in another space.
    pub(crate) fn set_beginning(&mut self, ends: &mut Ends, from: Transform) {
        ends.from = from;
        self.0 |= BEGUN;
    }

    /// A tick ends here. What is not to be smoothed, or has no place that it came from, leaves nothing to be played.
    ///
    /// What follows is compared where it was written long ago: a processor waits for what it has just written, if it is read
    /// in other pieces.
    #[inline(always)] // a call takes as long as all of this
    pub(crate) fn end_tick(&mut self, smooth: &Smooth, ends: &mut Ends, to: &Transform) {
        let from = if self.is_touched() {
            to
        } else if self.0 & BEGUN != 0 {
            &ends.from
        } else {
            &ends.to
        };
        self.0 &= !(NEW | CUT_IN_TICK | CUT_BEFORE_TICK | BEGUN);
        self.plays(from, to);
        (ends.from, ends.to) = (*from, *to);
        if !(smooth.translation & smooth.rotation & smooth.scale) {
            let Ends { from, to } = ends;
            if !smooth.translation {
                from.translation = to.translation;
            }
            if !smooth.rotation {
                from.rotation = to.rotation;
            }
            if !smooth.scale {
                from.scale = to.scale;
            }
            self.play(ends);
        }
    }

    /// A tick ends that has not written it.
    #[inline]
    pub(crate) fn rest(&mut self) {
        self.0 &= !MOVING;
    }

    /// What lies between the ends is to be played.
    #[inline]
    pub(crate) fn play(&mut self, ends: &Ends) {
        self.plays(&ends.from, &ends.to);
    }

    #[inline]
    fn plays(&mut self, from: &Transform, to: &Transform) {
        let moving = if between::differ(from, to) { MOVING } else { 0 };
        let plain = if between::are_plain(from, to) { PLAIN } else { 0 };
        self.0 = (self.0 & !(MOVING | PLAIN)) | moving | plain;
    }

    /// A frame drew it; `local` where Bevy's propagation did.
    #[inline]
    pub(crate) fn show(&mut self, local: bool) {
        self.0 = (self.0 & !(CUT | LOCAL)) | DISPLACED | if local { LOCAL } else { 0 };
    }

    /// A frame drew the truth itself.
    #[inline]
    pub(crate) fn settle(&mut self) {
        self.0 &= !(DISPLACED | LOCAL | CUT);
    }

    /// `GlobalTransform` is the truth, although no frame has drawn that.
    pub(crate) fn leave_the_picture(&mut self) {
        self.0 &= !(DISPLACED | LOCAL);
    }

    #[inline]
    pub(crate) fn swap(&mut self, swapped: bool) {
        self.put(SWAPPED, swapped);
    }
}

/// What is not in `GlobalTransform`.
///
/// Of an entity without parent and children: the truth of the last propagation while `GlobalTransform` is the picture, and
/// the picture while that is the truth. Of any other: the local view that was drawn last.
///
/// Vectors, so that nothing passes through memory in other pieces.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct Shown([Vec4; 3]);

impl Shown {
    #[inline]
    pub(crate) fn global(&self) -> GlobalTransform {
        let [x, y, z] = self.0;
        let matrix3 = Mat3A::from_cols(Vec3A::from_vec4(x), Vec3A::from_vec4(y), Vec3A::from_vec4(z));
        Affine3A { matrix3, translation: Vec3A::new(x.w, y.w, z.w) }.into()
    }

    #[inline]
    pub(crate) fn set_global(&mut self, global: GlobalTransform) {
        let Affine3A { matrix3: turned, translation } = global.affine();
        self.0 = [
            turned.x_axis.extend(translation.x),
            turned.y_axis.extend(translation.y),
            turned.z_axis.extend(translation.z),
        ];
    }

    #[inline]
    pub(crate) fn swap(&mut self, global: &mut GlobalTransform) {
        let other = core::mem::replace(global, self.global());
        self.set_global(other);
    }

    /// Ten numbers where twelve fit.
    #[inline]
    pub(crate) fn local(&self) -> Transform {
        let [turn, place, rest] = self.0;
        Transform {
            translation: place.truncate(),
            rotation: Quat::from_vec4(turn),
            scale: Vec3::new(place.w, rest.x, rest.y),
        }
    }

    /// `index` is where the truth is kept ([`Picture::old_local`](crate::truth::Picture::old_local)).
    #[inline]
    pub(crate) fn set_local(&mut self, local: &Transform, index: usize) {
        let Transform { translation, rotation, scale } = *local;
        let index = f32::from_bits(index as u32);
        self.0 = [rotation.into(), translation.extend(scale.x), Vec4::new(scale.y, scale.z, index, 0.0)];
    }

    pub(crate) fn index(&self) -> usize {
        self.0[2].z.to_bits() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smooth_entity_takes_at_most_160_bytes() {
        let bytes = size_of::<Smooth>() + size_of::<Ends>() + size_of::<Shown>() + size_of::<Played>();
        assert_eq!(bytes, 3 + 96 + 48 + 2);
    }

    #[test]
    fn a_local_view_is_kept_with_its_bits() {
        let local = Transform {
            translation: Vec3::new(1.5, -0.0, f32::MAX),
            rotation: Quat::from_xyzw(0.1, 0.2, 0.3, 0.4),
            scale: Vec3::new(7.0, -8.0, 9.0),
        };
        let mut shown = Shown::default();
        shown.set_local(&local, 0xffff_ffff);
        assert_eq!((shown.local(), shown.index()), (local, 0xffff_ffff));
    }
}
