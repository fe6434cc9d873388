//! JSON lines in: one record a line, streamed, with errors that name file and line.

use crate::error::{Error, Result};
use crate::json::{self, Dialect, Value};
use crate::read::FieldError;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// A source of numbered lines with a name for messages.
pub struct LineReader {
    name: String,
    source: Box<dyn BufRead + Send>,
    number: u64,
    bytes: Vec<u8>,
}

impl LineReader {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::new("standard input", BufReader::new(io::stdin())));
        }
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(Self::new(name, BufReader::with_capacity(1 << 18, file))),
            Err(source) => Err(Error::Io { file: name, source }),
        }
    }

    /// Lines of any source; `name` stands for it in messages.
    pub fn new(name: impl Into<String>, source: impl BufRead + Send + 'static) -> Self {
        LineReader { name: name.into(), source: Box::new(source), number: 0, bytes: Vec::new() }
    }

    /// The source's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next line that is not blank, without its line end, and its number from 1; none at the
    /// end.
    ///
    /// # Errors
    /// When the source cannot be read, or the line is no UTF-8 (reading may go on after that).
    pub fn next_line(&mut self) -> Result<Option<(u64, &str)>> {
        loop {
            self.bytes.clear();
            let read = self
                .source
                .read_until(b'\n', &mut self.bytes)
                .map_err(|source| Error::Io { file: self.name.clone(), source })?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            while let Some(b'\n' | b'\r') = self.bytes.last() {
                self.bytes.pop();
            }
            if !self.bytes.iter().all(u8::is_ascii_whitespace) {
                break;
            }
        }
        match std::str::from_utf8(&self.bytes) {
            Ok(line) => Ok(Some((self.number, line))),
            Err(_) => Err(Error::line(&self.name, self.number, "is no UTF-8")),
        }
    }
}

/// Reads one record out of one line, by one of the `from_value` functions.
///
/// # Errors
/// The reason in words, for [`Error::line`]: the line is no JSON, or a field is not as it should be.
pub fn parse_record<T>(
    line: &str,
    from_value: impl FnOnce(&Value<'_>) -> std::result::Result<T, FieldError>,
) -> std::result::Result<T, String> {
    let value = json::parse(line, Dialect::Strict).map_err(|e| format!("no JSON: {e}"))?;
    from_value(&value).map_err(|e| e.to_string())
}
