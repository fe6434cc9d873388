//! The lexical deduper against its own rules, recomputed the naive way: whatever the chunks, the output is a subsequence,
//! a second run removes nothing, and every removal follows from its rule and the two texts alone.

use crate::broken::{Broken, Evidence, Law};
use samecall_dedup::guard::Level;
use samecall_dedup::laws;
use samecall_dedup::lexical::{Keep, Mode, Options};

pub use samecall_dedup::laws::Seen;

/// Most chunks that are read from one input: the naive side is quadratic.
pub const MAX_CHUNKS: usize = 64;

/// Checks the chunks that `bytes` hold: the first byte draws the options, the rest is text, divided at line ends.
/// `None` for an input that is empty or no UTF-8, which holds no chunks.
///
/// # Errors
/// Where a law is broken.
pub fn check(bytes: &[u8]) -> Law<Option<Seen>> {
    let Some((&drawn, rest)) = bytes.split_first() else { return Ok(None) };
    let Ok(text) = std::str::from_utf8(rest) else { return Ok(None) };
    let items: Vec<&str> = text.split('\n').take(MAX_CHUNKS).collect();
    check_items(&items, &options(drawn))
        .map(Some)
        .map_err(|(class, why)| Broken::new("dedup", [class], why, Evidence::Bytes(bytes.to_vec())))
}

/// The options that a byte draws: level, item kept, order stability and overlap.
pub fn options(drawn: u8) -> Options {
    Options {
        level: [Level::Strict, Level::Facts, Level::Off][usize::from(drawn % 3)],
        keep: if drawn & 4 == 0 { Keep::First } else { Keep::Longest },
        order_stable: drawn & 8 != 0,
        min_overlap: [None, Some(0.5), Some(1.0), Some(0.95)][usize::from(drawn >> 4 & 3)],
        ..Options::default()
    }
}

/// Checks every law on these chunks.
///
/// # Errors
/// The law that is broken, and how.
pub fn check_items(items: &[&str], options: &Options) -> Result<Seen, (&'static str, String)> {
    let holds = |name: &'static str, law: laws::Law| {
        law.map_err(|broken| (name, format!("{broken} ({:?}, {:?})", options.level, options.keep)))
    };
    holds("subsequence", laws::output_is_a_subsequence(items, options))?;
    holds("idempotent", laws::idempotent(items, options))?;
    holds("equal_forms", laws::at_one_only_equal_forms_go(items, options))?;
    holds("order_stable", laws::order_stable_is_invariant(items, options))?;
    holds("index", laws::index_agrees_with_scan(items, options))?;
    let arcaeon = Options { mode: Mode::Arcaeon, order_stable: false, ..options.clone() };
    holds("subsequence_arcaeon", laws::output_is_a_subsequence(items, &arcaeon))?;
    holds("justified", laws::removals_are_justified(items, options))
}
