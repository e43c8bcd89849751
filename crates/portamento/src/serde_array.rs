//! serde knows arrays up to 32 by name; tracks hold any number.

use core::fmt;
use core::marker::PhantomData;
use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<S: Serializer, T: Serialize, const N: usize>(
    array: &[T; N],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple(N)?;
    array.iter().try_for_each(|value| tuple.serialize_element(value))?;
    tuple.end()
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>, const N: usize>(
    deserializer: D,
) -> Result<[T; N], D::Error> {
    struct Values<T, const N: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Values<T, N> {
        type Value = [T; N];

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            write!(f, "{N} values")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<[T; N], A::Error> {
            let mut values = [const { None }; N];
            for (i, value) in values.iter_mut().enumerate() {
                *value = Some(seq.next_element()?.ok_or_else(|| A::Error::invalid_length(i, &self))?);
            }
            Ok(values.map(|value| value.expect("filled above")))
        }
    }

    deserializer.deserialize_tuple(N, Values(PhantomData))
}
