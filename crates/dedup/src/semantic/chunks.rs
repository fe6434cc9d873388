//! Chunks with their embeddings, read from JSON lines, with an `.npy` file beside them or the embedding in each line.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::vectors::Vectors;
use crate::error::{Error, Result};

/// One chunk, without its embedding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Chunk {
    /// Its name, unique in the input. A number is named by its digits.
    pub id: String,
    /// Whether the id was a number in the input, so that it is written as one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub numeric: bool,
    /// What it says.
    pub text: String,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When it was written, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<f64>,
    /// How much it is trusted: a number, more is better, or a label that an order of authority names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<Value>,
    /// Anything else that is known of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, Value>,
}

impl Chunk {
    /// The id as JSON, as the input had it.
    pub fn id_json(&self) -> Value {
        if self.numeric
            && let Ok(number) = serde_json::from_str(&self.id)
        {
            return Value::Number(number);
        }
        Value::String(self.id.clone())
    }
}

/// Where a line stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u64,
    /// Bytes, the line end left out.
    pub length: usize,
}

/// All chunks of an input.
#[derive(Clone, Debug, Default)]
pub struct Chunks {
    /// In input order.
    pub chunks: Vec<Chunk>,
    /// One row for each chunk.
    pub vectors: Vectors,
    /// Where each chunk's line stands.
    pub spans: Vec<Span>,
    /// The model's name, where lines name one.
    pub model: Option<String>,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(default)]
    id: Value,
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
    #[serde(default)]
    source: Option<String>,
    #[serde(default, alias = "created")]
    created_at: Value,
    #[serde(default)]
    authority: Value,
    #[serde(default)]
    metadata: Option<BTreeMap<String, Value>>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    embedding: Option<Vec<f32>>,
}

/// Reads all lines. With `rows` the embeddings come from there, else from each line's member `embedding`. `name` stands for
/// the input in errors.
///
/// # Errors
/// [`Error::Input`] with line and field: no JSON object, a member missing or of another type, an id that stands twice, what
/// [`Vectors::push`] refuses; [`Error::Row`] when rows and lines are not equally many; [`Error::Model`] when lines name two models.
pub fn read(input: &mut dyn BufRead, name: &str, rows: Option<Vectors>) -> Result<Chunks> {
    let mut out = Chunks::default();
    let from_lines = rows.is_none();
    let mut ids = BTreeSet::new();
    let (mut bytes, mut number, mut start) = (Vec::new(), 0, 0u64);
    loop {
        bytes.clear();
        let count = input
            .read_until(b'\n', &mut bytes)
            .map_err(|source| Error::Io { what: name.to_owned(), source })?;
        if count == 0 {
            break;
        }
        number += 1;
        let at = start;
        start += count as u64;
        let fail = |reason: String| Error::Input { file: name.to_owned(), line: number, reason };
        let text = std::str::from_utf8(&bytes)
            .map_err(|error| fail(format!("invalid UTF-8 at byte {}", error.valid_up_to() + 1)))?;
        let json = text.trim_start_matches('\u{FEFF}').trim();
        if json.is_empty() {
            continue;
        }
        let (chunk, embedding, model) = parse(json).map_err(fail)?;
        if !ids.insert(chunk.id.clone()) {
            return Err(fail("the id stands twice; give each chunk an id of its own".into()));
        }
        match (embedding, from_lines) {
            (Some(row), true) => {
                out.vectors.push(&row).map_err(|why| fail(format!("field `embedding`: {why}")))?;
            }
            (None, true) => {
                return Err(fail("field `embedding` is missing; give an array of numbers, or an .npy file with --embeddings".into()));
            }
            (Some(_), false) => {
                return Err(fail(
                    "field `embedding` stands beside an .npy file; give one of them".into(),
                ));
            }
            (None, false) => {}
        }
        if let Some(model) = model {
            if out.model.as_ref().is_some_and(|known| *known != model) {
                return Err(Error::Model {
                    reason: format!(
                        "{name}:{number}: field `model` names another model than the lines before"
                    ),
                });
            }
            out.model = Some(model);
        }
        out.chunks.push(chunk);
        out.spans.push(Span { start: at, length: text.trim_end_matches(['\n', '\r']).len() });
    }
    if let Some(rows) = rows {
        if rows.len() != out.chunks.len() {
            return Err(Error::Row {
                file: "the embeddings".into(),
                row: None,
                reason: format!(
                    "{} rows for {} chunks of {name}; give one row for each line",
                    rows.len(),
                    out.chunks.len()
                ),
            });
        }
        out.vectors = rows;
    }
    Ok(out)
}

/// Whole numbers below are all different as f64: 2 to the 53rd.
const WHOLE: f64 = 9_007_199_254_740_992.0;

type Parsed = (Chunk, Option<Vec<f32>>, Option<String>);

/// Reads one line; the error is the reason alone and quotes no value.
fn parse(json: &str) -> Result<Parsed, String> {
    // An array would be read as the members in order.
    if !json.starts_with('{') {
        return Err("not a JSON object; write one object a line".into());
    }
    let line: Line<'_> = serde_json::from_str(json).map_err(|error| explain(json, &error))?;
    let id = match &line.id {
        Value::String(id) => id.clone(),
        Value::Number(id) if id.is_f64() && id.as_f64().is_none_or(|x| x.abs() >= WHOLE) => {
            return Err(
                "field `id` is a number too large to be kept to the digit; write it as text".into(),
            );
        }
        Value::Number(id) => id.to_string(),
        Value::Null => return Err("field `id` is missing; give each chunk an id".into()),
        _ => return Err("field `id` is no string or number".into()),
    };
    let text = line.text.ok_or("field `text` is missing; give the chunk's text")?.into_owned();
    let created_at = time(&line.created_at)?;
    let authority = match line.authority {
        Value::Null => None,
        authority @ (Value::Number(_) | Value::String(_)) => Some(authority),
        _ => return Err("field `authority` is no number or string".into()),
    };
    let metadata = line.metadata.unwrap_or_default();
    let numeric = line.id.is_number();
    let chunk = Chunk { id, numeric, text, source: line.source, created_at, authority, metadata };
    Ok((chunk, line.embedding, line.model))
}

/// Seconds since 1970 from a number, or from a date or time in the form of RFC 3339.
fn time(value: &Value) -> Result<Option<f64>, String> {
    let wrong = || {
        "field `created_at` is no time; give seconds since 1970, `2026-11-30` or `2026-11-30T12:00:00Z`"
            .to_owned()
    };
    match value {
        Value::Null => Ok(None),
        Value::Number(seconds) => {
            seconds.as_f64().filter(|x| x.is_finite()).map(Some).ok_or_else(wrong)
        }
        Value::String(text) => {
            let instant = text.parse::<jiff::Timestamp>().or_else(|_| {
                let date: jiff::civil::DateTime = text.parse()?;
                date.to_zoned(jiff::tz::TimeZone::UTC).map(|zoned| zoned.timestamp())
            });
            let instant = instant.map_err(|_: jiff::Error| wrong())?;
            Ok(Some(instant.as_second() as f64 + f64::from(instant.subsec_nanosecond()) / 1e9))
        }
        _ => Err(wrong()),
    }
}

/// Says which field of a bad line is wrong. The parser's own messages may quote a value, so they are not passed on.
fn explain(json: &str, error: &serde_json::Error) -> String {
    let column = error.column();
    let Ok(value) = serde_json::from_str::<Value>(json) else {
        let constant = ["NaN", "Infinity"].iter().find(|word| json.contains(*word));
        return match constant {
            Some(word) => format!(
                "column {column}: not JSON: {word} is no number of JSON; compute the embedding anew"
            ),
            None => format!("column {column}: {}", why_no_json(error)),
        };
    };
    let Value::Object(object) = value else {
        return "not a JSON object; write one object a line".into();
    };
    let is_text = |value: &Value| matches!(value, Value::Null | Value::String(_));
    for name in ["text", "source", "model"] {
        if object.get(name).is_some_and(|value| !is_text(value)) {
            return format!("field `{name}` is no string");
        }
    }
    if object.get("metadata").is_some_and(|value| !value.is_object() && !value.is_null()) {
        return "field `metadata` is no object".into();
    }
    match object.get("embedding") {
        None | Some(Value::Null) => {}
        Some(Value::Array(values)) => {
            if let Some(at) = values.iter().position(|value| !value.is_number()) {
                return format!(
                    "field `embedding`: value {at} is no number; NaN is often written as null"
                );
            }
            let huge = |value: &Value| value.as_f64().is_none_or(|x| x.abs() > f64::from(f32::MAX));
            if let Some(at) = values.iter().position(huge) {
                return format!("field `embedding`: value {at} is infinite in single precision");
            }
        }
        Some(_) => return "field `embedding` is no array of numbers".into(),
    }
    format!("column {column}: a member stands twice or has another type than expected")
}

/// What is wrong with a line that is no JSON, and what to do. The parser's words are looked at and not passed on.
fn why_no_json(error: &serde_json::Error) -> &'static str {
    let said = error.to_string();
    if error.is_eof() {
        "the line is cut; write one whole JSON object a line"
    } else if said.contains("number out of range") {
        "a number is out of range; compute it anew"
    } else if said.contains("surrogate") || said.contains("hex escape") {
        "an escape that is no character (half of a surrogate pair); write the text as UTF-8"
    } else if said.contains("recursion limit") {
        "nested too deep; leave the member out"
    } else {
        "not a JSON object; write one object a line"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(lines: &str) -> String {
        read(&mut lines.as_bytes(), "in.jsonl", None).unwrap_err().to_string()
    }

    #[test]
    fn a_line_gives_all_it_has() {
        let lines = concat!(
            "{\"id\": 7, \"text\": \"x\", \"source\": \"wiki\", \"created_at\": \"2026-11-30T00:00:00Z\", ",
            "\"authority\": 2, \"metadata\": {\"version\": \"1\"}, \"embedding\": [3, 4]}\r\n",
            "\n",
            "{\"id\": \"b\", \"text\": \"y\", \"created\": 1.5, \"model\": \"m\", \"embedding\": [1e0, 0], \"other\": [1]}",
        );
        let read = read(&mut lines.as_bytes(), "in.jsonl", None).unwrap();
        assert_eq!(read.chunks[0].id, "7");
        assert_eq!(read.chunks[0].created_at, Some(1_795_996_800.0));
        assert_eq!(read.chunks[1].created_at, Some(1.5));
        assert_eq!(read.vectors.row(0), [0.6, 0.8]);
        assert_eq!(read.model.as_deref(), Some("m"));
        let span = read.spans[1];
        assert_eq!(&lines[span.start as usize..][..span.length], lines.lines().nth(2).unwrap());
    }

    #[test]
    fn bad_lines_are_named_and_never_quoted() {
        let good = "{\"id\": 1, \"text\": \"x\", \"embedding\": [1, 0]}\n";
        for (line, wanted) in [
            (
                "{\"id\": 1, \"text\": \"secret\", \"embedding\": [1, 0]}",
                "in.jsonl:2: the id stands twice",
            ),
            (
                "{\"id\": 2, \"text\": \"secret\", \"embedding\": [1, 0, 0]}",
                "has 3 values, those before have 2",
            ),
            ("{\"id\": 2, \"text\": \"secret\", \"embedding\": [0, 0]}", "zero vector"),
            ("{\"id\": 2, \"text\": \"secret\", \"embedding\": [0, 1e39]}", "value 1 is infinite"),
            (
                "{\"id\": 2, \"text\": \"secret\", \"embedding\": [0, NaN]}",
                "NaN is no number of JSON",
            ),
            ("{\"id\": 2, \"text\": \"secret\", \"embedding\": [0, null]}", "value 1 is no number"),
            ("{\"id\": 2, \"text\": \"secret\", \"embedding\": \"secret\"}", "no array of numbers"),
            ("{\"id\": 2, \"text\": \"secret\"}", "`embedding` is missing"),
            ("{\"id\": 2, \"text\": [\"secret\"], \"embedding\": [0, 1]}", "`text` is no string"),
            ("{\"id\": [\"secret\"], \"text\": \"x\", \"embedding\": [0, 1]}", "`id` is no string"),
            ("{\"text\": \"secret\", \"embedding\": [0, 1]}", "`id` is missing"),
            (
                "{\"id\": 2, \"text\": \"x\", \"created_at\": \"secret\", \"embedding\": [0, 1]}",
                "`created_at` is no time",
            ),
            ("{\"id\": 2, \"text\": \"secret\", \"emb", "the line is cut"),
            ("{\"id\": 2, \"text\": \"secret\\ud800\", \"embedding\": [0, 1]}", "no character"),
            ("{\"id\": 2, \"text\": \"secret\", \"embedding\": [0, 1e400]}", "out of range"),
            (
                "{\"id\": 123456789012345678901, \"text\": \"secret\", \"embedding\": [0, 1]}",
                "too large",
            ),
            ("[\"secret\"]", "not a JSON object"),
            ("secret", "not a JSON object"),
        ] {
            let error = error(&format!("{good}{line}"));
            assert!(error.contains(wanted), "{error} lacks {wanted}");
            assert!(error.contains(":2:") && !error.contains("secret"), "{error}");
        }
        let two = "{\"id\": 1, \"text\": \"x\", \"model\": \"a\", \"embedding\": [1]}\n{\"id\": 2, \"text\": \"x\", \"model\": \"b\", \"embedding\": [1]}";
        assert!(error(two).contains("another model"));
        let rows =
            read(&mut "{\"id\": 1, \"text\": \"x\"}".as_bytes(), "in", Some(Vectors::new(2)));
        assert!(rows.unwrap_err().to_string().contains("0 rows for 1 chunks"));
    }
}
