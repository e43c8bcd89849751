//! One line of a script, taken apart key by key, so that nothing in it goes unread.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// The keys and values of one line. Each `take`-like call removes its key; [`Fields::finish`] complains of what
/// is left.
#[derive(Debug)]
pub struct Fields(Map<String, Value>);

impl Fields {
    /// Parses a line that must be one JSON object.
    pub fn parse(line: &[u8]) -> Result<Self, String> {
        if line.starts_with("\u{feff}".as_bytes()) {
            return Err("not JSON: it begins with a byte order mark, which must be removed".into());
        }
        match serde_json::from_slice(line) {
            Ok(Line::Keys(map)) => Ok(Self(map)),
            Ok(Line::Twice(key)) => Err(format!("key {} is given twice", short(&key))),
            Err(error) if error.is_data() => Err(format!("not a JSON object: {error}")),
            Err(error) => Err(format!("not JSON: {error}")),
        }
    }

    /// The first of `kinds` that is a key of this event.
    pub fn kind<'k>(&self, kinds: &[&'k str]) -> Result<&'k str, String> {
        kinds.iter().find(|kind| self.0.contains_key(**kind)).copied().ok_or_else(|| {
            let keys: Vec<String> = self.0.keys().take(8).map(|key| short(key)).collect();
            format!("unknown event with keys [{}]: give one of {}", keys.join(", "), kinds.join(", "))
        })
    }

    /// Removes a key.
    pub fn take(&mut self, key: &str) -> Option<Value> {
        self.0.remove(key)
    }

    /// A finite number.
    pub fn number(&mut self, key: &str) -> Result<Option<f64>, String> {
        self.take(key).map(|value| finite(key, &value)).transpose()
    }

    /// A number above zero.
    pub fn positive(&mut self, key: &str) -> Result<Option<f64>, String> {
        match self.number(key)? {
            Some(n) if n <= 0.0 => Err(format!("{key} is {n}: it must be above 0")),
            other => Ok(other),
        }
    }

    /// A number, zero or above.
    pub fn not_negative(&mut self, key: &str) -> Result<Option<f64>, String> {
        match self.number(key)? {
            Some(n) if n < 0.0 => Err(format!("{key} is {n}: it must be 0 or more")),
            other => Ok(other),
        }
    }

    /// A time as a real loop can produce it: a number, or one of the strings "NaN", "inf", "-inf".
    pub fn time(&mut self, key: &str) -> Result<Option<f64>, String> {
        let Some(value) = self.take(key) else { return Ok(None) };
        match value.as_str() {
            None => finite(key, &value).map(Some),
            Some("NaN") => Ok(Some(f64::NAN)),
            Some("inf") => Ok(Some(f64::INFINITY)),
            Some("-inf") => Ok(Some(f64::NEG_INFINITY)),
            Some(_) => Err(format!("{key} is {value}: a time is a number, \"NaN\", \"inf\" or \"-inf\"")),
        }
    }

    /// True or false.
    pub fn flag(&mut self, key: &str) -> Result<Option<bool>, String> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(format!("{key} is {other}: it must be true or false")),
        }
    }

    /// A word.
    pub fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("{key} is {other}: it must be a string")),
        }
    }

    /// Three finite numbers.
    pub fn vector(&mut self, key: &str) -> Result<Option<[f64; 3]>, String> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let numbers = numbers(key, &value)?;
        numbers
            .try_into()
            .map(Some)
            .map_err(|numbers: Vec<f64>| format!("{key} has {} numbers: it must have 3", numbers.len()))
    }

    /// A pose of three or seven numbers.
    pub fn pose(&mut self, key: &str) -> Result<Option<ScriptPose>, String> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let numbers = numbers(key, &value)?;
        match *numbers.as_slice() {
            [x, y, z] => Ok(Some(ScriptPose { position: [x, y, z], rotation: None })),
            [x, y, z, qx, qy, qz, qw] => {
                let length = (qx * qx + qy * qy + qz * qz + qw * qw).sqrt();
                if (length - 1.0).abs() > 1e-3 {
                    return Err(format!(
                        "{key} has a quaternion of length {length}: it must be 1 within 1e-3"
                    ));
                }
                let rotation = [qx, qy, qz, qw].map(|c| c / length);
                Ok(Some(ScriptPose { position: [x, y, z], rotation: Some(rotation) }))
            }
            _ => Err(format!("{key} has {} numbers: a pose has 3 or 7", numbers.len())),
        }
    }

    /// Complains of keys that no one asked for.
    pub fn finish(self) -> Result<(), String> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(key) => Err(format!("unknown key {}", short(key))),
        }
    }
}

/// A quoted key, cut where no one would read on.
fn short(key: &str) -> String {
    match key.char_indices().nth(40) {
        Some((end, _)) => format!("{:?}...", &key[..end]),
        None => format!("{key:?}"),
    }
}

/// One line, with the keys that it has or the first that it has twice.
enum Line {
    Keys(Map<String, Value>),
    Twice(String),
}

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Line;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("one object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Line, A::Error> {
                let (mut keys, mut twice) = (Map::new(), None);
                while let Some((key, value)) = entries.next_entry::<String, Value>()? {
                    if keys.insert(key.clone(), value).is_some() {
                        twice.get_or_insert(key);
                    }
                }
                Ok(twice.map_or(Line::Keys(keys), Line::Twice))
            }
        }
        from.deserialize_any(Keys)
    }
}

/// A pose as scripts write it: three numbers, or seven with a unit quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScriptPose {
    /// Where.
    pub position: [f64; 3],
    /// `x y z w`, if the script's poses have rotations.
    pub rotation: Option<[f64; 4]>,
}

impl ScriptPose {
    /// How many numbers it has.
    pub(crate) fn len(&self) -> usize {
        if self.rotation.is_some() { 7 } else { 3 }
    }
}

fn finite(key: &str, value: &Value) -> Result<f64, String> {
    match value.as_f64() {
        Some(n) if n.is_finite() => Ok(n),
        _ => Err(format!("{key} is {value}: it must be a finite number")),
    }
}

fn numbers(key: &str, value: &Value) -> Result<Vec<f64>, String> {
    let Value::Array(values) = value else {
        return Err(format!("{key} is {value}: it must be an array of numbers"));
    };
    values.iter().map(|value| finite(key, value)).collect()
}
