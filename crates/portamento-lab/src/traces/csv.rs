//! Lines of comma-separated fields, read in a stream with one buffer.

use super::TraceError;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Reads a CSV file row by row.
pub(super) struct Rows {
    file: PathBuf,
    reader: BufReader<File>,
    buffer: Vec<u8>,
    line: usize,
}

impl Rows {
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let refused = |what: String, cure: &str| TraceError {
            file: path.to_owned(),
            line: None,
            what,
            cure: cure.to_owned(),
        };
        let file = File::open(path)
            .map_err(|e| refused(format!("cannot be opened: {e}"), "check the path and the permissions"))?;
        if file.metadata().is_ok_and(|m| m.is_dir()) {
            return Err(refused("is a directory".to_owned(), "name the CSV file itself"));
        }
        Ok(Self {
            file: path.to_owned(),
            reader: BufReader::with_capacity(1 << 16, file),
            buffer: Vec::new(),
            line: 0,
        })
    }

    /// The next line that is neither blank nor starts with `//`, without its line end and any byte-order mark.
    pub fn next_line(&mut self) -> Result<Option<&str>, TraceError> {
        loop {
            self.buffer.clear();
            match self.reader.read_until(b'\n', &mut self.buffer) {
                Ok(0) => return Ok(None),
                Ok(_) => self.line += 1,
                Err(e) => {
                    return Err(self.error(format!("cannot be read: {e}"), "check the disk and try a copy"));
                }
            }
            if self.line == 1 && self.buffer.starts_with(b"\xEF\xBB\xBF") {
                self.buffer.drain(..3);
            }
            if self.line == 1
                && (self.buffer.starts_with(b"\xFF\xFE") || self.buffer.starts_with(b"\xFE\xFF"))
            {
                return Err(self.error("is UTF-16 text", "save it as UTF-8"));
            }
            let used = self.buffer.trim_ascii();
            if !used.is_empty() && !used.starts_with(b"//") {
                break;
            }
        }
        match std::str::from_utf8(self.buffer.trim_ascii()) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(TraceError {
                file: self.file.clone(),
                line: Some(self.line),
                what: "is not text".to_owned(),
                cure: "give a CSV file in UTF-8, not a binary or compressed one".to_owned(),
            }),
        }
    }

    /// The header line's column names.
    pub fn header(&mut self, expected: &str) -> Result<Vec<String>, TraceError> {
        match self.next_line()? {
            Some(line) => Ok(line.split(',').map(|name| name.trim().trim_matches('"').to_owned()).collect()),
            None => Err(TraceError {
                file: self.file.clone(),
                line: None,
                what: "is empty".to_owned(),
                cure: format!("its first line must name the columns: {expected}"),
            }),
        }
    }

    /// The next row as exactly `N` finite numbers.
    pub fn numbers<const N: usize>(&mut self, names: &[&str; N]) -> Result<Option<[f64; N]>, TraceError> {
        let Some(line) = self.next_line()? else { return Ok(None) };
        let mut row = [0.0; N];
        let mut fields = line.split(',');
        let mut wrong = None;
        for (i, slot) in row.iter_mut().enumerate() {
            match fields.next().map(str::trim) {
                None => wrong = Some(format!("has {i} of {N} fields")),
                Some(text) => match text.parse::<f64>() {
                    Ok(value) if value.is_finite() => *slot = value,
                    _ => wrong = Some(format!("{} is `{text}`, not a finite number", names[i])),
                },
            }
            if wrong.is_some() {
                break;
            }
        }
        if wrong.is_none() && fields.next().is_some() {
            wrong = Some(format!("has more than {N} fields"));
        }
        match wrong {
            None => Ok(Some(row)),
            Some(what) => {
                Err(self.error(what, &format!("expected {}; is the file cut short?", names.join(","))))
            }
        }
    }

    /// An error about the line read last.
    pub fn error(&self, what: impl Into<String>, cure: &str) -> TraceError {
        TraceError {
            file: self.file.clone(),
            line: (self.line > 0).then_some(self.line),
            what: what.into(),
            cure: cure.to_owned(),
        }
    }

    /// An error about the file as a whole.
    pub fn file_error(&self, what: impl Into<String>, cure: &str) -> TraceError {
        TraceError { line: None, ..self.error(what, cure) }
    }
}
