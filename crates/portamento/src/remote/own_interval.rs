//! How often is an entity in its peer's messages, and when has the peer not mentioned it for too long, or too far away?

use super::settings::Pace;
use super::store::Node;
use super::{Displace, MessageStamp, PeerFrame};

/// How often an entity is in its peer's messages: in each, in every fourth, or now and then.
///
/// A message that is lost says nothing about it; one that came without the entity does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct OwnInterval {
    /// How much older than the peer's last message the entity's last snapshot usually is when the next one comes.
    pub extra: f64,
    /// The last time that it was far longer, which may have been a rest.
    rested: f64,
    known: bool,
}

/// So many times longer than usual, and it was a rest, unless it happens twice in a row.
pub(super) const RESTED: f64 = 4.0;
/// Longer than this it was a rest, whatever is usual, if it happens for the first time. Seconds.
const FIRST_REST: f64 = 0.5;
/// What share of a shorter time is trusted with each snapshot.
const SHRINKS: f64 = 0.05;

impl OwnInterval {
    pub fn learn(&mut self, skipped: f64, spacing: f64) {
        let skipped = skipped.max(0.0);
        let usual =
            if self.known { RESTED * (self.extra + spacing) } else { FIRST_REST.max(RESTED * spacing) };
        if skipped > usual {
            let again = self.rested > 0.0 && self.rested < RESTED * skipped && skipped < RESTED * self.rested;
            if again {
                (self.extra, self.rested, self.known) = (skipped.min(self.rested), 0.0, true);
            } else {
                self.rested = skipped;
            }
            return;
        }
        self.rested = 0.0;
        if skipped >= self.extra || !self.known {
            self.extra = skipped;
        } else {
            self.extra += SHRINKS * (skipped - self.extra);
            if self.extra < 0.02 * spacing {
                self.extra = 0.0;
            }
        }
        self.known = true;
    }
}

/// Whether the peer has spoken for long, and not of the entity with this newest snapshot.
pub(super) fn is_unheard<T: Displace>(newest: &Node<T>, extra: f64, frame: &PeerFrame) -> bool {
    let silent = frame.newest - newest.sent;
    silent > frame.settings.forget
        && !newest.report.rests
        && !newest.gone
        && silent > RESTED * (extra + frame.spacing)
}

/// Whether the step from one snapshot to the next is a teleport that no one declared.
pub(super) fn is_jump<T: Displace>(
    pace: &Pace,
    older: &Node<T>,
    newer: &Node<T>,
    stamp: &MessageStamp,
) -> bool {
    if older.report.epoch != newer.report.epoch || older.gone || newer.gone {
        return false;
    }
    let step = T::size(&T::velocity(&older.report.value, &newer.report.value, 1.0)).length;
    let speed = |node: &Node<T>| node.report.velocity.as_ref().map_or(0.0, |v| T::size(v).length);
    // Stamps may be closer than what was stamped.
    let seconds = (newer.sent - older.sent).max(stamp.spacing).max(stamp.interval);
    pace.is_jump(step, seconds, speed(older).max(speed(newer)), stamp.jump)
}
