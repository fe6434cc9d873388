//! Deduplication by meaning against its own rules, recomputed the naive way: whatever the chunks and vectors, the mapping is
//! total and points at kept chunks, a second run removes nothing, order does not matter, nothing that may merge is left, and
//! the graph is that of the double loop.

use crate::broken::{Broken, Evidence, Law};
use samecall_dedup::guard::Level;
use samecall_dedup::semantic::canonical::Criterion;
use samecall_dedup::semantic::chunks::{Chunk, Chunks, Span};
use samecall_dedup::semantic::cluster::Method;
use samecall_dedup::semantic::laws;
use samecall_dedup::semantic::{Options, Vectors};

pub use samecall_dedup::semantic::laws::Seen;

/// Most chunks that are read from one input: the naive side is quadratic.
pub const MAX_CHUNKS: usize = 32;
/// Values of a vector: few, so that chains and near misses are common.
const DIMENSION: usize = 3;

/// Checks the chunks that `bytes` hold: two bytes draw the options, the rest is text, a chunk a line; the first bytes of a
/// line draw its vector and fields. `None` for an input that is too short or no UTF-8.
///
/// # Errors
/// Where a law is broken.
pub fn check(bytes: &[u8]) -> Law<Option<Seen>> {
    let [drawn, method, rest @ ..] = bytes else { return Ok(None) };
    let Ok(text) = std::str::from_utf8(rest) else { return Ok(None) };
    let lines: Vec<&str> = text.split('\n').take(MAX_CHUNKS).collect();
    let input = chunks(&lines);
    check_chunks(&input, &options(*drawn, *method)).map(Some).map_err(|(class, why)| {
        Broken::new("semantic", [class], why, Evidence::Bytes(bytes.to_vec()))
    })
}

/// The options that two bytes draw: level, threshold, versions; method, criterion.
pub fn options(drawn: u8, method: u8) -> Options {
    Options {
        level: [Level::Strict, Level::Facts, Level::Off][usize::from(drawn % 3)],
        threshold: [0.95, 0.8, 0.999, 0.5][usize::from(drawn >> 2 & 3)],
        collapse_versions: drawn & 16 != 0,
        method: [Method::Components, Method::Star, Method::Complete, Method::Average]
            [usize::from(method & 3)],
        criteria: [
            vec![Criterion::Recent, Criterion::Longest],
            vec![Criterion::Centroid],
            vec![Criterion::Complete],
            Vec::new(),
        ][usize::from(method >> 2 & 3)]
        .clone(),
        ..Options::default()
    }
}

/// A chunk for each line. Its first three bytes (0 for what a short line lacks) draw the vector, of some forty directions, and the
/// fields; the rest is the text.
pub fn chunks(lines: &[&str]) -> Chunks {
    let mut out = Chunks { vectors: Vectors::new(DIMENSION), ..Chunks::default() };
    for (at, line) in lines.iter().enumerate() {
        let bytes = line.as_bytes();
        let byte = |place: usize| bytes.get(place).copied().unwrap_or(0);
        let row = [1.0, f32::from(byte(0) % 7) / 5.0, f32::from(byte(1) % 6) / 5.0];
        if out.vectors.push(&row).is_err() {
            continue;
        }
        let text = line.char_indices().nth(3).map_or("", |(from, _)| &line[from..]);
        let mut chunk = Chunk {
            id: format!("{:02}", at * 7 % 97),
            text: text.to_owned(),
            created_at: (byte(2) & 1 == 1).then(|| f64::from(byte(2) % 5)),
            ..Chunk::default()
        };
        if byte(2) & 2 == 2 {
            chunk.metadata.insert("jurisdiction".into(), (byte(2) % 3).into());
        }
        out.chunks.push(chunk);
        out.spans.push(Span { start: 0, length: 0 });
    }
    out
}

/// Checks every law on these chunks.
///
/// # Errors
/// The law that is broken, and how.
pub fn check_chunks(input: &Chunks, options: &Options) -> Result<Seen, (&'static str, String)> {
    let holds = |name: &'static str, law: laws::Law| {
        law.map_err(|broken| {
            (name, format!("{broken} ({:?}, {:?})", options.level, options.method))
        })
    };
    let seen = holds("total", laws::mapping_is_total(input, options))?;
    holds("idempotent", laws::idempotent(input, options))?;
    holds("permutation", laws::permutation_invariant(input, options))?;
    holds("graph", laws::graph_is_exact(input, options.threshold))?;
    holds("left", laws::nothing_is_left(input, options))?;
    // A chain may end far from its canonical, and a mean says nothing of two chunks: there figures are shown instead.
    if matches!(options.method, Method::Star | Method::Complete) {
        holds("justified", laws::removals_are_justified(input, options))?;
    }
    for pair in input.chunks.windows(2) {
        holds("symmetric", laws::guard_is_symmetric(&pair[0].text, &pair[1].text, options))?;
    }
    Ok(seen)
}
