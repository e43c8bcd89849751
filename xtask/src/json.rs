//! Reads JSON: just enough for what rustdoc writes.

use std::collections::BTreeMap;

/// One value.
#[derive(Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// As written: rustdoc's numbers are names of items.
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// Reads a whole document.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
        let value = reader.value()?;
        reader.blanks();
        if reader.at < text.len() { Err(reader.wrong("the end")) } else { Ok(value) }
    }

    /// Returns a field of an object; `Null` where it is missing.
    pub fn get(&self, key: &str) -> &Self {
        match self {
            Self::Object(fields) => fields.get(key).unwrap_or(&Self::Null),
            _ => &Self::Null,
        }
    }

    /// Returns the elements of a list; none for anything else.
    pub fn list(&self) -> &[Self] {
        if let Self::List(list) = self { list } else { &[] }
    }

    /// Returns a text or a number as written.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) | Self::Number(text) = self { Some(text) } else { None }
    }

    /// Returns the only field of an object, as rustdoc writes an enum.
    pub fn only(&self) -> Option<(&str, &Self)> {
        match self {
            Self::Object(fields) if fields.len() == 1 => {
                fields.iter().next().map(|(key, value)| (key.as_str(), value))
            }
            _ => None,
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, wanted: &str) -> String {
        format!("JSON: {wanted} expected at byte {}", self.at)
    }

    fn blanks(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> Option<u8> {
        self.blanks();
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, wanted: u8) -> Result<(), String> {
        if self.next() == Some(wanted) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.wrong(&format!("`{}`", wanted as char)))
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, String> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(self.wrong(word))
        }
    }

    fn value(&mut self) -> Result<Json, String> {
        match self.next() {
            Some(b'{') => {
                let mut fields = BTreeMap::new();
                self.series(b'{', b'}', |reader| {
                    reader.blanks();
                    let key = reader.text()?;
                    reader.take(b':')?;
                    fields.insert(key, reader.value()?);
                    Ok(())
                })?;
                Ok(Json::Object(fields))
            }
            Some(b'[') => {
                let mut list = Vec::new();
                self.series(b'[', b']', |reader| {
                    list.push(reader.value()?);
                    Ok(())
                })?;
                Ok(Json::List(list))
            }
            Some(b'"') => self.text().map(Json::Text),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(b'-' | b'0'..=b'9') => {
                let start = self.at;
                while self.bytes.get(self.at).is_some_and(|c| b"+-.eE0123456789".contains(c)) {
                    self.at += 1;
                }
                Ok(Json::Number(String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned()))
            }
            _ => Err(self.wrong("a value")),
        }
    }

    fn series(
        &mut self,
        open: u8,
        close: u8,
        mut element: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        self.take(open)?;
        if self.next() == Some(close) {
            return self.take(close);
        }
        loop {
            element(self)?;
            if self.next() == Some(b',') {
                self.at += 1;
            } else {
                return self.take(close);
            }
        }
    }

    fn text(&mut self) -> Result<String, String> {
        self.take(b'"')?;
        let mut text = Vec::new();
        loop {
            let byte = *self.bytes.get(self.at).ok_or_else(|| self.wrong("`\"`"))?;
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(text).map_err(|error| format!("JSON: {error}")),
                b'\\' => {
                    let escape = *self.bytes.get(self.at).ok_or_else(|| self.wrong("an escape"))?;
                    self.at += 1;
                    match escape {
                        b'n' => text.push(b'\n'),
                        b't' => text.push(b'\t'),
                        b'r' => text.push(b'\r'),
                        b'b' => text.push(8),
                        b'f' => text.push(12),
                        // Only documentation has such characters, and no one reads it here.
                        b'u' => {
                            self.at += 4;
                            text.push(b'?');
                        }
                        other => text.push(other),
                    }
                }
                other => text.push(other),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_is_read() {
        let json = Json::read(r#" {"a": [1, -2.5e3, true, null], "b": {"c": "x\"\n\u00e9ä"}, "d": []} "#);
        let json = json.expect("it is JSON");
        assert_eq!(json.get("a").list()[1].text(), Some("-2.5e3"));
        assert_eq!(json.get("a").list()[3], Json::Null);
        assert_eq!(json.get("b").only(), Some(("c", &Json::Text("x\"\n?ä".into()))));
        assert_eq!(json.get("d").list(), []);
        assert_eq!(json.get("e"), &Json::Null);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in ["", "{", "[1 2]", "{\"a\" 1}", "\"open", "1 2", "nul"] {
            assert!(Json::read(text).is_err(), "{text}");
        }
    }
}
