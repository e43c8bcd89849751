//! What time does a tick counter of a few bits stand for?

use crate::error::{SettingError, rate, within};
use crate::math::round;

/// Turns the wrapping tick counter of a sender into seconds of its clock.
///
/// A message carries a counter of 8 to 32 bits that starts again at 0 when it overflows. As long as messages come,
/// the nearest reading is the right one; after a silence of more than a quarter turn of the counter, the time that
/// passed on our clock tells how often it went round.
///
/// ```
/// use portamento::remote::TickStamps;
///
/// let mut stamps = TickStamps::at_hz(64.0, 8)?;
/// assert_eq!(stamps.seconds(254, 10.000), Some(254.0 / 64.0));
/// assert_eq!(stamps.seconds(2, 10.063), Some(258.0 / 64.0)); // went round
/// assert_eq!(stamps.seconds(255, 10.064), Some(255.0 / 64.0)); // overtaken on the way
/// assert_eq!(stamps.seconds(2, 18.063), Some(770.0 / 64.0)); // eight silent seconds: round twice more
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TickStamps {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::turn"))]
    turn: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::saved::tick"))]
    tick: f64,
    newest: Option<(f64, f64)>,
}

/// How many readings a counter has.
pub(super) fn turn(bits: u32) -> f64 {
    (1u64 << bits) as f64
}

pub(super) fn check_tick(tick: f64) -> Result<f64, SettingError> {
    within("tick of the stamps", tick, f64::MIN_POSITIVE, f64::MAX)
}

impl TickStamps {
    /// Creates the reader of a counter of `bits` bits (1 to 32) that counts `hz` ticks per second.
    pub fn at_hz(hz: f64, bits: u32) -> Result<Self, SettingError> {
        let tick = 1.0 / rate("ticks per second (hz)", hz)?;
        within("bits of the stamps", f64::from(bits), 1.0, 32.0)?;
        check_tick(tick)?;
        Ok(TickStamps { turn: turn(bits), tick, newest: None })
    }

    /// The sender's time that `counter` stands for in a message that arrived at `arrived` on our clock; `None`
    /// when that is not a finite time. Bits of `counter` above the agreed ones are ignored.
    pub fn seconds(&mut self, counter: u32, arrived: f64) -> Option<f64> {
        if !arrived.is_finite() {
            return None;
        }
        let counter = (u64::from(counter) % self.turn as u64) as f64;
        let Some((newest, at)) = self.newest else {
            self.newest = Some((counter, arrived));
            return Some(counter * self.tick);
        };
        // What the counter should read by now; within a quarter turn the last reading alone decides, because a
        // message may have waited.
        let passed = ((arrived - at) / self.tick).max(0.0);
        let expected = if passed > self.turn / 4.0 { newest + passed } else { newest };
        let reading = counter + round((expected - counter) / self.turn) * self.turn;
        if reading > newest {
            self.newest = Some((reading, arrived));
        }
        Some(reading * self.tick)
    }

    /// The sender started anew, and its counter with it.
    pub fn restart(&mut self) {
        self.newest = None;
    }
}
