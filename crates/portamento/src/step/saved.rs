//! What a saved stepper must be to be believed.

use super::Moment;
use super::drained::Drained;
use super::error;
use super::gate::{Gate, GateRule, GateState};
use crate::SettingError;
use crate::saved::checked;
use serde::{Deserialize, Deserializer};

pub(super) fn rate<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    checked(from, |&hz| error::rate(hz).map(drop))
}

pub(super) fn display<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    checked(from, |&hz: &Option<f64>| hz.map_or(Ok(()), |hz| error::display(hz).map(drop)))
}

pub(super) fn max_frame<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    checked(from, |&seconds| error::length("max_frame", seconds).map(drop))
}

pub(super) fn max_ticks<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    checked(from, |&limit| error::max_ticks(limit))
}

pub(super) fn extrapolation<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    checked(from, |&ticks| error::extrapolation(ticks).map(drop))
}

pub(super) fn scale<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    checked(from, |&scale| error::scale(scale).map(drop))
}

// A moment takes any number and makes the best of it; so does reading one.

pub(super) fn alpha<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Moment::at(f64::deserialize(from)?, 0.0).alpha())
}

pub(super) fn beyond<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Moment::past_newest(f64::deserialize(from)?, 0.0).beyond())
}

pub(super) fn presented<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Moment::newest(f64::deserialize(from)?).presented())
}

const UNSOUND: &str = "a saved stepper whose numbers do not fit together: start a new one";

pub(super) fn drained<'de, D: Deserializer<'de>>(from: D) -> Result<Drained, D::Error> {
    checked(from, |drained: &Drained| if drained.is_sound() { Ok(()) } else { Err(UNSOUND) })
}

pub(super) fn gated<'de, D: Deserializer<'de>>(from: D) -> Result<GateState, D::Error> {
    checked(from, |gate: &GateState| if gate.is_sound() { Ok(()) } else { Err(UNSOUND) })
}

#[derive(Deserialize)]
pub(super) struct UncheckedGate {
    rule: GateRule,
    min: f64,
    max: f64,
    huge: f64,
}

impl TryFrom<UncheckedGate> for Gate {
    type Error = SettingError;

    fn try_from(saved: UncheckedGate) -> Result<Self, SettingError> {
        let UncheckedGate { rule, min, max, huge } = saved;
        Gate::new(rule).with_lengths(min, max, huge)
    }
}
