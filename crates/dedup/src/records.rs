//! Chunks read from JSON lines or plain text, each with the exact bytes it came from, so that what is kept can be written
//! unchanged.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{Error, Result};

/// How the input is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line.
    Jsonl,
    /// Chunks divided by blank lines.
    Paragraphs,
    /// Chunks divided by this text.
    Separated(String),
}

impl Format {
    /// JSON lines when the first character that is no white space opens an object, else paragraphs.
    pub fn guess(input: &[u8]) -> Self {
        let first = input
            .strip_prefix(b"\xEF\xBB\xBF")
            .unwrap_or(input)
            .iter()
            .find(|byte| !byte.is_ascii_whitespace());
        if first == Some(&b'{') { Self::Jsonl } else { Self::Paragraphs }
    }
}

/// Which members of a JSON line are read.
#[derive(Clone, Debug)]
pub struct Fields {
    /// The member that holds the chunk.
    pub text: String,
    /// The member that names the true group of a chunk, in files with known truth.
    pub truth: Option<String>,
}

impl Default for Fields {
    fn default() -> Self {
        Self { text: "text".into(), truth: None }
    }
}

/// One chunk.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// The line or chunk as it stood in the input, with its line end or separator.
    pub raw: &'a str,
    /// The chunk.
    pub text: Cow<'a, str>,
    /// The member `id` as JSON text, where there is one that is not null.
    pub id: Option<&'a str>,
    /// The true group as JSON text, where it was asked for.
    pub truth: Option<&'a str>,
}

/// The chunks of an input.
#[derive(Clone, Debug, Default)]
pub struct Records<'a> {
    /// In input order.
    pub records: Vec<Record<'a>>,
    /// Lines left out as unreadable.
    pub bad: usize,
}

/// Reads all chunks of an input. `name` stands for the input in errors. With `skip_bad` unreadable lines are counted and left out.
///
/// # Errors
/// [`Error::Input`] with the line: invalid UTF-8, a line that is no JSON object, a text that is missing, null or no string.
pub fn read<'a>(
    input: &'a [u8],
    name: &str,
    format: &Format,
    fields: &Fields,
    skip_bad: bool,
) -> Result<Records<'a>> {
    match format {
        Format::Jsonl => {
            let mut out = Records::default();
            // Growing by doubling would hold the records twice.
            out.records.reserve_exact(input.iter().filter(|byte| **byte == b'\n').count() + 1);
            for (at, line) in input.split_inclusive(|byte| *byte == b'\n').enumerate() {
                match read_line(line, fields) {
                    Ok(record) => out.records.extend(record),
                    Err(_) if skip_bad => out.bad += 1,
                    Err(reason) => {
                        return Err(Error::Input { file: name.to_owned(), line: at + 1, reason });
                    }
                }
            }
            Ok(out)
        }
        Format::Paragraphs | Format::Separated(_) => {
            let text = std::str::from_utf8(input).map_err(|error| {
                let line =
                    1 + input[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
                Error::Input {
                    file: name.to_owned(),
                    line,
                    reason: "invalid UTF-8; convert the file to UTF-8".into(),
                }
            })?;
            let chunks = match format {
                Format::Separated(separator) if !separator.is_empty() => separated(text, separator),
                _ => paragraphs(text),
            };
            let record = |(raw, text): (&'a str, &'a str)| Record {
                raw,
                text: Cow::Borrowed(text),
                id: None,
                truth: None,
            };
            Ok(Records { records: chunks.into_iter().map(record).collect(), bad: 0 })
        }
    }
}

/// Reads one JSON line; `None` for a blank one. The error is the reason alone.
pub fn read_line<'a>(line: &'a [u8], fields: &Fields) -> Result<Option<Record<'a>>, String> {
    let raw = std::str::from_utf8(line).map_err(|error| {
        format!("invalid UTF-8 at byte {} of the line", error.valid_up_to() + 1)
    })?;
    let json = raw.trim_start_matches('\u{FEFF}').trim();
    if json.is_empty() {
        return Ok(None);
    }
    let mut from = serde_json::Deserializer::from_str(json);
    let (text, id, truth) = RowSeed(fields)
        .deserialize(&mut from)
        .and_then(|row| from.end().map(|()| row))
        // The parser's own position is within the line; its messages never quote a value.
        .map_err(|error| error.to_string().replace(" at line 1 column", ", column"))?;
    let text = text.ok_or_else(|| {
        format!("field `{}` is missing; name the field that holds the text", fields.text)
    })?;
    if fields.truth.is_some() && truth.is_none() {
        return Err("the truth field is missing".into());
    }
    let given = |raw: Option<&'a RawValue>| raw.map(RawValue::get).filter(|json| *json != "null");
    Ok(Some(Record { raw, text, id: given(id), truth: truth.map(RawValue::get) }))
}

/// Chunks divided by a separator, each with the separator after it.
fn separated<'a>(text: &'a str, separator: &str) -> Vec<(&'a str, &'a str)> {
    text.split_inclusive(separator)
        .map(|raw| (raw, raw.strip_suffix(separator).unwrap_or(raw)))
        .collect()
}

/// Chunks divided by blank lines, each with the blank lines after it.
fn paragraphs(text: &str) -> Vec<(&str, &str)> {
    let mut chunks = Vec::new();
    let (mut start, mut at, mut blank) = (0, 0, true);
    for line in text.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        if blank && !is_blank && text[..at].len() > start && !text[start..at].trim().is_empty() {
            chunks.push(&text[start..at]);
            start = at;
        }
        blank = is_blank;
        at += line.len();
    }
    if !text[start..].trim().is_empty() {
        chunks.push(&text[start..]);
    }
    chunks.into_iter().map(|raw| (raw, raw.trim_matches(['\n', '\r']))).collect()
}

type Row<'a> = (Option<Cow<'a, str>>, Option<&'a RawValue>, Option<&'a RawValue>);

/// Reads the wanted members of an object and passes over the others.
struct RowSeed<'f>(&'f Fields);

impl<'de> DeserializeSeed<'de> for RowSeed<'_> {
    type Value = Row<'de>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Row<'de>, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
    type Value = Row<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object with a text field")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row<'de>, A::Error> {
        let fields = self.0;
        let (mut text, mut id, mut truth) = (None, None, None);
        while let Some(name) = map.next_key_seed(TextSeed("a name"))? {
            if name == fields.text {
                if text.is_some() {
                    return Err(A::Error::custom(format!("field `{}` stands twice", fields.text)));
                }
                text = Some(map.next_value_seed(TextSeed(&fields.text))?);
            } else if name == "id" {
                id = map.next_value::<Option<&'de RawValue>>()?;
            } else if fields.truth.as_deref() == Some(&*name) {
                truth = map.next_value::<Option<&'de RawValue>>()?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok((text, id, truth))
    }
}

/// A string, borrowed where it holds no escape. Holds the name of the field for errors.
struct TextSeed<'f>(&'f str);

impl<'de> DeserializeSeed<'de> for TextSeed<'_> {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Cow<'de, str>, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TextSeed<'_> {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
        Err(E::custom(format!("field `{}` is null; give a string", self.0)))
    }

    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<Self::Value, E> {
        Err(self.other("a boolean"))
    }

    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<Self::Value, E> {
        Err(self.other("a number"))
    }

    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<Self::Value, E> {
        Err(self.other("a number"))
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Self::Value, E> {
        Err(self.other("a number"))
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
        Err(self.other("an array"))
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
        Err(self.other("an object"))
    }
}

impl TextSeed<'_> {
    /// The value is never quoted: it is a customer's.
    fn other<E: serde::de::Error>(&self, what: &str) -> E {
        E::custom(format!("field `{}` is {what}; give a string", self.0))
    }
}
