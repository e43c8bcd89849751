//! What time does a tick counter of a few bits stand for?

use crate::error::{LeastRate, SettingError, rate, within};
use crate::math::round;

/// Turns the wrapping tick counter of a sender into seconds of its clock.
///
/// A message carries a counter of 8 to 32 bits that starts again at 0 when it overflows. As long as messages come, the
/// nearest reading is the right one; after a silence of more than a quarter turn of the counter, the time that passed
/// on our clock decides how often it went round.
///
/// ```
/// use portamento::remote::TickClock;
///
/// let mut clock = TickClock::at_hz(64.0, 8)?;
/// assert_eq!(clock.seconds(254, 10.000), Some(254.0 / 64.0));
/// assert_eq!(clock.seconds(2, 10.063), Some(258.0 / 64.0)); // went round
/// assert_eq!(clock.seconds(255, 10.064), Some(255.0 / 64.0)); // overtaken on the way
/// assert_eq!(clock.seconds(2, 18.063), Some(770.0 / 64.0)); // eight silent seconds: round twice more
/// # Ok::<(), portamento::SettingError>(())
/// ```
///
/// A client that joins late cannot know how often the counter went round before. For the picture that does not matter.
/// For claims it does: they name the server's stamps, which are `tick / hz` in f64. So the server sends its whole tick
/// once, in its welcome ([`TickClock::set_tick`]). Without it the server refuses the claims.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TickClock {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::turn"))]
    turn: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::hz"))]
    hz: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::newest_reading"))]
    newest: Option<(f64, f64)>,
}

/// How many readings a counter has.
pub(super) fn turn(bits: u32) -> f64 {
    (1u64 << bits) as f64
}

pub(super) fn check_hz(hz: f64) -> Result<f64, SettingError> {
    rate("ticks per second (hz)", hz, LeastRate::Millionth)
}

/// Beyond this many ticks a number holds no single one any more.
pub(super) const LAST_TICK: f64 = 9e15;

impl TickClock {
    /// Creates the clock of a counter of `bits` bits (1 to 32) that counts `hz` ticks per second.
    pub fn at_hz(hz: f64, bits: u32) -> Result<Self, SettingError> {
        check_hz(hz)?;
        within("bits of the tick counter", f64::from(bits), 1.0, 32.0)?;
        Ok(TickClock { turn: turn(bits), hz, newest: None })
    }

    /// Sets how far the sender has counted in all: its tick in a message that arrived at `arrived` on our clock. A time
    /// that is not finite, and anything beyond 9e15 ticks, is ignored: an f64 does not hold every tick there.
    ///
    /// ```
    /// use portamento::remote::TickClock;
    ///
    /// let mut clock = TickClock::at_hz(60.0, 8)?;
    /// clock.set_tick(216_000, 5.0); // the game is an hour old
    /// assert_eq!(clock.seconds(216_003 % 256, 5.05), Some(216_003.0 / 60.0));
    /// # Ok::<(), portamento::SettingError>(())
    /// ```
    pub fn set_tick(&mut self, tick: u64, arrived: f64) {
        if tick as f64 <= LAST_TICK && (arrived * self.hz).abs() <= LAST_TICK {
            self.newest = Some((tick as f64, arrived));
        }
    }

    /// Returns the sender's time that `counter` stands for in a message that arrived at `arrived` on our clock; `None`
    /// if that is NaN, infinite, or beyond 9e15 ticks, where an f64 does not hold every tick. Bits of `counter` above
    /// the agreed ones are ignored.
    pub fn seconds(&mut self, counter: u32, arrived: f64) -> Option<f64> {
        let counted = arrived * self.hz;
        if !(counted.abs() <= LAST_TICK) {
            return None;
        }
        let counter = (u64::from(counter) % self.turn as u64) as f64;
        let Some((newest, at)) = self.newest else {
            self.newest = Some((counter, arrived));
            return Some(counter / self.hz);
        };
        // What the counter should read by now; within a quarter turn the last reading alone decides, because a
        // message may have waited.
        let passed = ((arrived - at) * self.hz).max(0.0);
        let expected = if passed > self.turn / 4.0 { newest + passed } else { newest };
        let reading = counter + round((expected - counter) / self.turn) * self.turn;
        if !(reading.abs() <= LAST_TICK) {
            return None;
        }
        if reading > newest {
            self.newest = Some((reading, arrived));
        }
        Some(reading / self.hz)
    }

    /// Starts anew, after the sender and its counter did.
    pub fn restart(&mut self) {
        self.newest = None;
    }
}
