//! Does a save come back, and is a broken one refused or harmless?

use crate::Source;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::fmt::Debug;

/// Checks that `world` comes back from its save, and gives it back: as it was, or from a save that someone has edited.
/// `None` if the edited save was refused.
pub fn through_a_save<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    world: &T,
    source: &mut Source,
) -> Option<T> {
    let (text, again) = come_back(world);
    assert!(again == *world, "another world came back: {again:?}, saved {world:?}");
    if source.flag() { Some(again) } else { edited(&text, source) }
}

/// The save of a `world`, and what is read from it.
pub fn come_back<T: Serialize + DeserializeOwned>(world: &T) -> (String, T) {
    let text = serde_json::to_string(world).expect("plain data is written");
    let again: T =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("own save refused: {error}: {text}"));
    (text, again)
}

/// What is read from the save `text` after someone has edited it, unless that is refused.
pub fn edited<T: DeserializeOwned>(text: &str, source: &mut Source) -> Option<T> {
    let mut value: Value = serde_json::from_str(text).expect("it was just read");
    for _ in 0..=source.below(3) {
        mutate(&mut value, source);
    }
    serde_json::from_value(value).ok()
}

/// Puts something else in the place of one number, flag or text.
pub fn mutate(value: &mut Value, source: &mut Source) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let at = source.below(map.len());
            mutate(map.values_mut().nth(at).expect("below the length"), source);
        }
        Value::Array(list) if !list.is_empty() => {
            let at = source.below(list.len());
            mutate(&mut list[at], source);
        }
        other => {
            *other = match source.below(8) {
                0 => json!(source.bits()),
                1 => json!(source.byte()),
                2 => Value::Null,
                3 => json!(other.as_f64().unwrap_or(0.0) * source.number()),
                4 => json!(source.bits() as i64),
                5 => json!(
                    other.as_u64().unwrap_or(0).wrapping_add(u64::from(source.byte())).wrapping_sub(128)
                ),
                6 => json!(source.flag()),
                _ => json!(source.number()),
            }
        }
    }
}
