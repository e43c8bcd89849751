//! What was drawn of one entity, for the frame after.

use crate::Drawn;
use crate::step::Moment;

/// The last two frames. The truth may be rolled back under it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Picture<T> {
    /// What the last frame showed, and the one before it.
    now: T,
    before: T,
    /// The last frame's number in 1..=255, or 0 if the next drawing is another frame's in any case. Eight bits are enough:
    /// a push, cut or correction makes it 0, so only a picture in which nothing happens for 255 frames can mistake a
    /// frame for the last one.
    frame: u8,
    /// How many cuts have been reported, modulo 256.
    reported: u8,
    /// Of [`BEGUN`], [`WAS_CUT`] and [`CUT`]; a byte, because three of them would cost four.
    flags: u8,
    #[cfg(debug_assertions)]
    #[cfg_attr(feature = "serde", serde(skip))]
    watch: Watch,
}

/// There was a frame.
const BEGUN: u8 = 1;
/// The last frame reported a cut.
const WAS_CUT: u8 = 2;
/// There is a cut beyond all that were reported. Kept apart from their number, which comes round.
const CUT: u8 = 4;

impl<T: Clone> Picture<T> {
    pub fn new(start: &T) -> Self {
        Self {
            now: start.clone(),
            before: start.clone(),
            frame: 0,
            reported: 0,
            flags: 0,
            #[cfg(debug_assertions)]
            watch: Watch::default(),
        }
    }

    #[inline]
    pub fn changed(&mut self) {
        self.frame = 0;
    }

    #[inline]
    pub fn pushed(&mut self) {
        self.changed();
        #[cfg(debug_assertions)]
        self.watch.pushed();
    }

    /// The truth was cut, for the `cuts`th time.
    pub fn cut(&mut self, cuts: u8) {
        self.changed();
        // Counted from the last one reported: not, when it is one of those again after a restore.
        if cuts.wrapping_sub(self.reported) as i8 > 0 {
            self.flags |= CUT;
        }
        self.unwatch();
    }

    /// The truth is another one, with `cuts` cuts behind it.
    pub fn restored(&mut self, cuts: u8) {
        self.changed();
        self.flags &= !CUT;
        self.cut(cuts);
    }

    fn unwatch(&mut self) {
        #[cfg(debug_assertions)]
        {
            self.watch = Watch::default();
        }
    }

    pub fn rebase(&mut self, shift: impl Fn(&mut T)) {
        shift(&mut self.now);
        shift(&mut self.before);
    }

    /// The last frame's drawing, if `moment` is of that frame.
    #[inline]
    pub fn again(&self, moment: Moment) -> Option<Drawn<T>> {
        let same = self.frame != 0 && self.frame == number(moment);
        same.then(|| Drawn {
            now: self.now.clone(),
            before: self.before.clone(),
            cut: self.flags & WAS_CUT != 0,
        })
    }

    /// Whether the next frame is a cut, with `cuts` cuts behind the truth.
    #[inline]
    pub fn is_cut(&self, cuts: u8) -> bool {
        // Fewer than were reported: a cut that was simulated again did not happen again.
        self.flags & BEGUN == 0 || self.flags & CUT != 0 || cuts != self.reported
    }

    /// The next frame is a cut, whatever the truth says.
    pub fn cut_now(&mut self) {
        self.flags |= CUT;
    }

    /// A new frame.
    #[inline]
    pub fn draw(&mut self, now: T, cuts: u8, cut: bool, moment: Moment) -> Drawn<T> {
        self.frame = number(moment);
        let last = core::mem::replace(&mut self.now, now.clone());
        let first = self.flags & BEGUN == 0;
        self.before = if first { now.clone() } else { last };
        self.flags = if cut { BEGUN | WAS_CUT } else { BEGUN };
        self.reported = cuts;
        Drawn { now, before: self.before.clone(), cut }
    }

    /// Notices ticks without a push, and pushes without a tick. `rests`: the view is the newest value. `stood`: so was that
    /// of the last frame. Both are asked in debug builds only.
    #[inline]
    pub fn watch(&mut self, moment: Moment, rests: impl FnOnce() -> bool, stood: impl FnOnce(&T) -> bool) {
        #[cfg(debug_assertions)]
        {
            let rests = rests();
            self.watch.check(moment, rests, rests && stood(&self.now));
        }
        #[cfg(not(debug_assertions))]
        let _ = (moment, rests, stood);
    }
}

/// 1..=255 for a frame that has a number, else 0.
#[inline]
fn number(moment: Moment) -> u8 {
    moment.frame().map_or(0, |frame| (frame % 255) as u8 + 1)
}

/// Compares the pushes since the last frame with the ticks that the stepper ran since then.
#[cfg(debug_assertions)]
#[derive(Clone, Copy, Debug, Default)]
struct Watch {
    tick: Option<u64>,
    pushes: u64,
}

#[cfg(debug_assertions)]
impl Watch {
    fn pushed(&mut self) {
        self.pushes += 1;
    }

    fn check(&mut self, moment: Moment, rests: bool, stood: bool) {
        let Watch { tick, pushes } = core::mem::replace(self, Watch { tick: moment.tick(), pushes: 0 });
        let (Some(before), Some(now)) = (tick, moment.tick()) else { return };
        let Some(ticks) = now.checked_sub(before) else { return };
        // Another stepper has another count; no one draws on for long with ticks missing.
        if ticks.abs_diff(pushes) > 64 {
            return;
        }
        assert!(
            pushes >= ticks || rests,
            "a track was drawn after {ticks} ticks of which it got {pushes}: call `push` (or `cut`) in every tick, \
             also when nothing moved, or its picture jumps back and forth"
        );
        // A value too many that is equal to the one before it takes the picture to it at once.
        assert!(
            pushes <= ticks || stood,
            "a track got {pushes} values in {ticks} ticks: call `push` in the loop over the ticks, once in each, and \
             `correct` to change the newest value, or its picture jumps"
        );
    }
}

/// What is watched is no part of the picture.
#[cfg(debug_assertions)]
impl PartialEq for Watch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
