//! Truths that are kept for rollback, each by the number of its tick.

use crate::status::{Failure, portamento_status::*};

/// The most ticks that are kept.
const MOST: u32 = 1024;

/// A ring of saves. Their memory is taken when it is made, so that saving does not allocate.
pub(crate) struct Saves<T>(Box<[(Option<u64>, T)]>);

impl<T> Default for Saves<T> {
    fn default() -> Self {
        Self(Box::default())
    }
}

impl<T> Saves<T> {
    /// Room for the saves of `count` ticks, each of which begins as what `make` returns.
    pub(crate) fn with_room(count: u32, mut make: impl FnMut() -> T) -> Result<Self, Failure> {
        if count > MOST {
            let words = format_args!("room for {count} saves: give a number from 0 to {MOST}");
            return Err(Failure::new(PORTAMENTO_BAD_VALUE, words));
        }
        Ok(Self((0..count).map(|_| (None, make())).collect()))
    }

    /// Lets `write` write the save of `tick` over an older one.
    pub(crate) fn save(&mut self, tick: u64, write: impl FnOnce(&mut T)) -> Result<(), Failure> {
        let Some(place) = tick.checked_rem(self.0.len() as u64) else {
            let words = "there is no room for saves: call the object's _reserve_saves first";
            return Err(Failure::new(PORTAMENTO_FULL, words));
        };
        let (number, save) = &mut self.0[place as usize];
        *number = Some(tick);
        write(save);
        Ok(())
    }

    /// The save of `tick`, while it is kept.
    pub(crate) fn get(&self, tick: u64) -> Result<&T, Failure> {
        let place = tick.checked_rem(self.0.len() as u64);
        let kept = place.map(|place| &self.0[place as usize]).filter(|(number, _)| *number == Some(tick));
        kept.map(|(_, save)| save).ok_or(Failure(PORTAMENTO_NOTHING))
    }

    /// Changes every save that is kept.
    pub(crate) fn change(&mut self, mut change: impl FnMut(&mut T)) {
        self.0.iter_mut().filter(|(number, _)| number.is_some()).for_each(|(_, save)| change(save));
    }

    /// Forgets all saves, but keeps their memory.
    pub(crate) fn forget(&mut self) {
        self.0.iter_mut().for_each(|(number, _)| *number = None);
    }
}
