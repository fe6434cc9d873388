//! A TOML document in which every error names the file, the line and the field.

use crate::error::{Error, Result};
use rust_decimal::Decimal;
use std::collections::BTreeSet;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Largest count, price or number that a file may state. It keeps every product of this crate within
/// the range of an exact decimal.
const LIMIT: u64 = 1_000_000_000_000;

/// The text of a file with its name.
pub(crate) struct Doc {
    file: String,
    text: String,
}

impl Doc {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let file = path.display().to_string();
        read_text(path, &file).map(|text| Doc { file, text })
    }

    pub(crate) fn new(file: &str, text: &str) -> Self {
        Doc { file: file.to_owned(), text: text.to_owned() }
    }

    /// Parses the text and hands its root to `read`.
    pub(crate) fn with_root<T>(&self, read: impl FnOnce(&Node<'_>) -> Result<T>) -> Result<T> {
        let table = DeTable::parse(&self.text).map_err(|e| {
            let at = e.span().map_or(0, |s| s.start);
            let (file, line) = (self.file.clone(), self.line(at));
            match self.field_at(line) {
                Some(field) => {
                    let reason = format!("is no TOML: {}", e.message());
                    Error::Field { file, line, field, reason }
                }
                None => Error::Syntax { file, line, reason: format!("no TOML: {}", e.message()) },
            }
        })?;
        read(&Node { doc: self, path: String::new(), table: table.get_ref(), start: 0 })
    }

    /// The path of the field that a line states, in a text that cannot be parsed: by the headers above it. None where
    /// the line states no field.
    fn field_at(&self, line: usize) -> Option<String> {
        let lines: Vec<&str> = self.text.lines().take(line).map(str::trim).collect();
        let (name, _) = lines.last()?.split_once('=')?;
        let name = name.trim();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        let headers: Vec<&str> = lines.iter().copied().filter(|l| l.starts_with('[')).collect();
        let Some(header) = headers.last() else { return Some(name.to_owned()) };
        let table = header.trim_matches(['[', ']']);
        if !header.starts_with("[[") {
            return Some(format!("{table}.{name}"));
        }
        let index = headers.iter().filter(|other| *other == header).count() - 1;
        Some(format!("{table}[{index}].{name}"))
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|&b| b == b'\n').count()
    }
}

/// The text of a file, or where it is none.
pub(crate) fn read_text(path: &Path, file: &str) -> Result<String> {
    let bytes =
        std::fs::read(path).map_err(|source| Error::Io { file: file.to_owned(), source })?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count();
        Error::Syntax { file: file.to_owned(), line, reason: format!("no UTF-8 at byte {at}") }
    })
}

/// A table of the document with its place.
pub(crate) struct Node<'d> {
    doc: &'d Doc,
    path: String,
    table: &'d DeTable<'d>,
    start: usize,
}

type Found<'d> = Option<&'d Spanned<DeValue<'d>>>;

impl<'d> Node<'d> {
    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn fault(&self, offset: usize, name: &str, reason: impl Into<String>) -> Error {
        Error::Field {
            file: self.doc.file.clone(),
            line: self.doc.line(offset),
            field: self.path_of(name),
            reason: reason.into(),
        }
    }

    /// An error of a field, at the field where there is one, else at its table.
    pub(crate) fn error(&self, name: &str, reason: impl Into<String>) -> Error {
        self.fault(self.find(name).map_or(self.start, |v| v.span().start), name, reason)
    }

    fn find(&self, name: &str) -> Found<'d> {
        self.table.get(name)
    }

    fn need(&self, name: &str, what: &str) -> Result<&'d Spanned<DeValue<'d>>> {
        self.find(name)
            .ok_or_else(|| self.fault(self.start, name, format!("is missing; it must be {what}")))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    pub(crate) fn file(&self) -> &str {
        &self.doc.file
    }

    /// Refuses fields that nothing reads, so that a misspelt name is no silent default.
    pub(crate) fn only(&self, names: &[&str]) -> Result<()> {
        let known: BTreeSet<&str> = names.iter().copied().collect();
        for (key, _) in self.table {
            if !known.contains(key.get_ref().as_ref()) {
                return Err(self.fault(
                    key.span().start,
                    key.get_ref(),
                    format!("is not known here; known are {}", names.join(", ")),
                ));
            }
        }
        Ok(())
    }

    /// Refuses fields that are known here, but not together with what else the table says.
    pub(crate) fn without(&self, names: &[&str], why: &str) -> Result<()> {
        match names.iter().find(|name| self.has(name)) {
            Some(name) => Err(self.error(name, format!("does not belong here: {why}"))),
            None => Ok(()),
        }
    }

    pub(crate) fn text(&self, name: &str) -> Result<&'d str> {
        let value = self.need(name, "text")?;
        match value.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() => Ok(text),
            DeValue::String(_) => Err(self.error(name, "is empty")),
            other => Err(self.error(name, format!("must be text, not {}", other.type_str()))),
        }
    }

    /// One of a few words.
    pub(crate) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<T> {
        let text = self.text(name)?;
        words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.error(name, format!("is \"{text}\"; it must be one of {}", known.join(", ")))
        })
    }

    /// A number that is not negative, exactly as written; a TOML number or its text.
    pub(crate) fn decimal(&self, name: &str) -> Result<Decimal> {
        let value = self.need(name, "a number, such as \"0.625\"")?;
        self.decimal_of(name, value)
    }

    fn decimal_of(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Result<Decimal> {
        let bad = |reason: &str| self.fault(value.span().start, name, reason);
        let text = match value.get_ref() {
            DeValue::String(text) => text.as_ref(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
            DeValue::Float(number) => number.as_str(),
            DeValue::Integer(_) => return Err(bad("must be written in decimal")),
            other => {
                return Err(bad(&format!("must be a number, not {}", other.type_str())));
            }
        };
        let number = Decimal::from_str_exact(text)
            .or_else(|_| Decimal::from_scientific(text))
            .map_err(|_| bad("is no decimal number of at most 28 digits"))?;
        if number.is_sign_negative() && !number.is_zero() {
            return Err(bad("is negative; it must be 0 or more"));
        }
        if number > Decimal::from(LIMIT) {
            return Err(bad(&format!("is above the limit of {LIMIT}")));
        }
        if number.normalize().scale() > 12 {
            return Err(bad("has more than 12 decimal places"));
        }
        Ok(number.normalize())
    }

    /// Low, middle and high: a list of three numbers in order.
    pub(crate) fn range(&self, name: &str) -> Result<[Decimal; 3]> {
        let list = self.decimals(name)?;
        match list.as_slice() {
            &[low, mid, high] if low <= mid && mid <= high => Ok([low, mid, high]),
            _ => Err(self.error(name, "must be three numbers in order: low, middle, high")),
        }
    }

    pub(crate) fn decimals(&self, name: &str) -> Result<Vec<Decimal>> {
        let value = self.need(name, "a list of numbers")?;
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|v| self.decimal_of(name, v)).collect(),
            _ => Err(self.error(name, "must be a list of numbers")),
        }
    }

    pub(crate) fn count(&self, name: &str) -> Result<u64> {
        use rust_decimal::prelude::ToPrimitive;
        let number = self.decimal(name)?;
        if !number.is_integer() {
            return Err(self.error(name, "must be a whole number"));
        }
        number.to_u64().ok_or_else(|| self.error(name, "is too large"))
    }

    pub(crate) fn flag(&self, name: &str) -> Result<bool> {
        match self.need(name, "true or false")?.get_ref() {
            DeValue::Boolean(value) => Ok(*value),
            _ => Err(self.error(name, "must be true or false")),
        }
    }

    /// A date: a TOML date or its text.
    pub(crate) fn date(&self, name: &str) -> Result<jiff::civil::Date> {
        let value = self.need(name, "a date, such as 2026-08-01")?;
        let text = match value.get_ref() {
            DeValue::Datetime(date) => date.to_string(),
            DeValue::String(text) => text.clone().into_owned(),
            _ => return Err(self.error(name, "must be a date, such as 2026-08-01")),
        };
        let is_plain = text.len() == 10;
        text.parse()
            .ok()
            .filter(|_| is_plain)
            .ok_or_else(|| self.error(name, "is no date of the calendar, such as 2026-08-01"))
    }

    pub(crate) fn child(&self, name: &str) -> Result<Node<'d>> {
        let value = self.need(name, "a table")?;
        self.node_of(self.path_of(name), name, value)
    }

    fn node_of(
        &self,
        path: String,
        name: &str,
        value: &'d Spanned<DeValue<'d>>,
    ) -> Result<Node<'d>> {
        match value.get_ref() {
            DeValue::Table(table) => {
                Ok(Node { doc: self.doc, path, table, start: value.span().start })
            }
            _ => Err(self.fault(value.span().start, name, "must be a table")),
        }
    }

    /// The tables of an array of tables, in order.
    pub(crate) fn list(&self, name: &str) -> Result<Vec<Node<'d>>> {
        let value = self.need(name, &format!("written as [[{name}]]"))?;
        let DeValue::Array(items) = value.get_ref() else {
            return Err(self.error(name, format!("must be a list of tables, [[{name}]]")));
        };
        items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                self.node_of(format!("{}[{index}]", self.path_of(name)), name, item)
            })
            .collect()
    }
}
