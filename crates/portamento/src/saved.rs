//! A save is only trusted where a constructor would have taken the same: what it would refuse, reading refuses with
//! the constructor's own words.

use core::fmt::Display;
use serde::{Deserialize, Deserializer, de::Error};

/// Reads a value, and checks it.
pub(crate) fn checked<'de, D: Deserializer<'de>, T: Deserialize<'de>, R, E: Display>(
    deserializer: D,
    check: impl FnOnce(&T) -> Result<R, E>,
) -> Result<T, D::Error> {
    let value = T::deserialize(deserializer)?;
    check(&value).map_err(D::Error::custom)?;
    Ok(value)
}
