//! What a saved stepper must be to be trusted.

use super::fixed::FixedStep;
use super::gate::Gate;
use super::{Moment, checks};
use crate::saved::checked;
use serde::{Deserialize, Deserializer, de::Error};

pub(super) fn scale<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    checked(from, |&scale| checks::scale(scale))
}

// A moment takes any number and makes the best of it; so does reading one.

pub(super) fn alpha<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Moment::at(f64::deserialize(from)?, 0.0).alpha())
}

// These may be infinite, for which some formats have no number.

pub(super) mod beyond {
    use super::{Deserializer, Moment};
    pub(in crate::step) use crate::serde_number::serialize;

    pub(in crate::step) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Ok(Moment::past_newest(crate::serde_number::deserialize(from)?, 0.0).beyond())
    }
}

pub(super) mod presented {
    use super::{Deserializer, Moment};
    pub(in crate::step) use crate::serde_number::serialize;

    pub(in crate::step) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Ok(Moment::newest(crate::serde_number::deserialize(from)?).presented())
    }
}

const UNSOUND: &str = "a saved stepper whose numbers do not fit together: start a new one";

pub(super) fn fixed<'de, D: Deserializer<'de>>(from: D) -> Result<FixedStep, D::Error> {
    let fixed = FixedStep::deserialize(from)?;
    fixed.settings().check().map_err(D::Error::custom)?;
    if fixed.is_sound() { Ok(fixed) } else { Err(D::Error::custom(UNSOUND)) }
}

pub(super) fn gate<'de, D: Deserializer<'de>, const MEMORY: usize>(
    from: D,
) -> Result<Gate<MEMORY>, D::Error> {
    let gate = Gate::deserialize(from)?;
    gate.settings.check(MEMORY).map_err(D::Error::custom)?;
    if gate.is_sound() { Ok(gate) } else { Err(D::Error::custom(UNSOUND)) }
}
