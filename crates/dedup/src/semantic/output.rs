//! What a run leaves behind: kept lines, the mapping, refusals; and what a canonical stands for, read from a mapping.

use std::io::{BufRead, Read, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::chunks::{Chunk, Chunks};
use super::run::Outcome;
use crate::error::{Error, Result};

/// One line of a mapping: a removed chunk and what stands for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mapped {
    /// Id of the removed chunk.
    pub removed: Value,
    /// Id of its canonical.
    pub kept: Value,
    /// Their cosine.
    pub score: f32,
    /// `semantic`.
    pub rule: String,
    /// What the guard says about the two.
    pub guard: String,
    /// Number of the group.
    pub cluster: usize,
    /// Share of the removed chunk's content words that its canonical has.
    pub containment: f64,
}

/// The mapping of a run.
pub fn mapping<'o>(chunks: &'o [Chunk], outcome: &'o Outcome) -> impl Iterator<Item = Mapped> + 'o {
    outcome.removed.iter().map(|removal| Mapped {
        removed: chunks[removal.removed].id_json(),
        kept: chunks[removal.kept].id_json(),
        score: removal.similarity,
        rule: "semantic".into(),
        guard: removal.verdict.name().to_owned(),
        cluster: removal.cluster,
        containment: removal.containment,
    })
}

fn writing(source: std::io::Error) -> Error {
    Error::Io { what: "writing the result".into(), source }
}

/// Writes one JSON line for each item.
///
/// # Errors
/// [`Error::Io`].
pub fn write_lines<T: Serialize>(
    out: &mut dyn Write,
    items: impl Iterator<Item = T>,
) -> Result<()> {
    for item in items {
        let mut line = serde_json::to_vec(&item).map_err(|error| writing(error.into()))?;
        line.push(b'\n');
        out.write_all(&line).map_err(writing)?;
    }
    out.flush().map_err(writing)
}

/// Copies the lines of the kept chunks from the input, unchanged and in order.
///
/// # Errors
/// [`Error::Io`].
pub fn write_kept<R: Read + Seek>(
    input: &mut R,
    chunks: &Chunks,
    outcome: &Outcome,
    out: &mut dyn Write,
) -> Result<()> {
    let reading = |source| Error::Io { what: "reading the input again".into(), source };
    let mut line = Vec::new();
    for &at in &outcome.kept {
        let span = chunks.spans[at];
        line.resize(span.length, 0);
        input.seek(SeekFrom::Start(span.start)).map_err(reading)?;
        input.read_exact(&mut line).map_err(reading)?;
        out.write_all(&line).and_then(|()| out.write_all(b"\n")).map_err(writing)?;
    }
    out.flush().map_err(writing)
}

/// The lines of a mapping that name this canonical. An id that is only ever removed is answered with an error that names its
/// canonical.
///
/// # Errors
/// [`Error::Input`] for a line that is no mapping; [`Error::UnknownId`] for an id that a mapping knows as removed, naming what
/// stands for it.
pub fn expand(map: &mut dyn BufRead, name: &str, id: &str) -> Result<Vec<Mapped>> {
    let is = |value: &Value| match value {
        Value::String(text) => text == id,
        Value::Number(number) => format!("{number}") == id,
        _ => false,
    };
    let (mut found, mut stands_for_it) = (Vec::new(), None);
    for (at, line) in map.lines().enumerate() {
        let line = line.map_err(|source| Error::Io { what: name.to_owned(), source })?;
        if line.trim().is_empty() {
            continue;
        }
        let mapped: Mapped = serde_json::from_str(&line).map_err(|_| Error::Input {
            file: name.to_owned(),
            line: at + 1,
            reason: "no line of a mapping of `dedup semantic --map`".into(),
        })?;
        if is(&mapped.removed) {
            stands_for_it = Some(mapped.kept.clone());
        }
        if is(&mapped.kept) {
            found.push(mapped);
        }
    }
    match stands_for_it {
        Some(kept) => {
            Err(Error::UnknownId { id: format!("{id} among the canonicals: {kept} stands for it") })
        }
        None => Ok(found),
    }
}
