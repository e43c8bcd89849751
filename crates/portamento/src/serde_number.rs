//! How are NaN and the infinities written where a format has no word for them?
//!
//! JSON has none: `serde_json` writes `null`, and then finds no number there. In formats that people read they are
//! texts, so that a pose which was saved can be read back, whatever is in it. Other formats have bits for them.

use crate::serde_array;
use core::fmt;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number, an array of them, an array of arrays, or one that may be missing.
pub(crate) trait Numbers: Sized {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error>;
    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error>;
}

pub(crate) fn serialize<S: Serializer>(numbers: &impl Numbers, to: S) -> Result<S::Ok, S::Error> {
    numbers.write(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: Numbers>(from: D) -> Result<T, D::Error> {
    T::read(from)
}

macro_rules! number {
    ($float:ty, $narrow:expr) => {
        impl Numbers for $float {
            fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                match *self {
                    number if number.is_finite() || !to.is_human_readable() => number.serialize(to),
                    <$float>::INFINITY => to.serialize_str("inf"),
                    <$float>::NEG_INFINITY => to.serialize_str("-inf"),
                    _ => to.serialize_str("NaN"),
                }
            }

            fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                if from.is_human_readable() {
                    from.deserialize_any(Words).map($narrow)
                } else {
                    Self::deserialize(from)
                }
            }
        }
    };
}

number!(f32, narrow);
number!(f64, |number| number);

/// The f32 that was written as these decimals. All of them come back by way of f64 (each was tried) but for this one and
/// its negative, whose decimals round to the middle between two.
fn narrow(number: f64) -> f32 {
    const AWKWARD: u32 = 0x15ae_43fd;
    if number.abs() == 7.038531e-26 { f32::from_bits(AWKWARD).copysign(number as f32) } else { number as f32 }
}

struct Words;

impl Visitor<'_> for Words {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a number, \"NaN\", \"inf\" or \"-inf\"")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        Ok(number)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<f64, E> {
        match word {
            "NaN" => Ok(f64::NAN),
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
        }
    }
}

struct Each<T>(T);

impl<T: Numbers> Serialize for Each<&T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.write(to)
    }
}

impl<'de, T: Numbers> Deserialize<'de> for Each<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        T::read(from).map(Each)
    }
}

impl<T: Numbers> Numbers for Option<T> {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Each).serialize(to)
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number: Option<Each<T>> = Option::deserialize(from)?;
        Ok(number.map(|Each(number)| number))
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serde_array::serialize(&self.each_ref().map(Each), to)
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let each: [Each<T>; N] = serde_array::deserialize(from)?;
        Ok(each.map(|Each(number)| number))
    }
}
