//! What a run of the deduplicator is asked to do.

use std::fmt;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::guard::{Level, Lexicon};

/// Which of the two sets of rules decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Exact groups by a normal form that keeps facts, then candidates from an index, verified by overlap and guard.
    #[default]
    Safe,
    /// The package arcaeon 0.10.0, answer for answer; its scan is quadratic in the kept items.
    Arcaeon,
}

/// Which item of a group is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// The first in input order.
    #[default]
    First,
    /// The one of most characters, the first of equals.
    Longest,
}

/// How `safe` mode finds candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Search {
    /// From an index; candidates per item are bounded.
    #[default]
    Index,
    /// Every kept item: the naive way, for laws and benchmarks. Quadratic.
    Scan,
}

/// Counts the tokens of a text for the report.
#[derive(Clone)]
pub struct TokenCounter {
    name: String,
    count: Arc<dyn Fn(&str) -> usize + Send + Sync>,
}

impl TokenCounter {
    /// A counter with the name that the report shows, such as `o200k_base`.
    pub fn new(
        name: impl Into<String>,
        count: impl Fn(&str) -> usize + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), count: Arc::new(count) }
    }

    /// The name that the report shows.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        (self.count)(text)
    }
}

impl fmt::Debug for TokenCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TokenCounter").field(&self.name).finish()
    }
}

/// What to do. The default is `safe` mode at [`Level::Strict`], first item kept.
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules.
    pub mode: Mode,
    /// Which item of a group stays.
    pub keep: Keep,
    /// Lowest overlap of two items of unequal normal forms, 0 to 1; at 1 only equal normal forms are merged.
    /// Without a value 0.9 in `safe` mode, where the guard has the last word, and 0.95 in `arcaeon` mode.
    pub min_overlap: Option<f64>,
    /// `safe`: what may differ.
    pub level: Level,
    /// `safe`: the words that carry facts.
    pub lexicon: Lexicon,
    /// `safe`: make the set of kept texts independent of the order of the input. Items are then met longest first
    /// (`keep = longest`) or in the order of their bytes (`keep = first`); the output stays in input order.
    pub order_stable: bool,
    /// `safe`: most candidates that one item is verified against in each of the exact and the near search. What the bound
    /// passed over is counted in the report.
    pub max_candidates: usize,
    /// `safe`: how candidates are found.
    pub search: Search,
    /// `arcaeon`: most differing bits of two SimHashes of 64 bits.
    pub max_hamming: u32,
    /// `arcaeon`: words in a SimHash feature.
    pub k: usize,
    /// Counts tokens for the report.
    pub tokens: Option<TokenCounter>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: Mode::Safe,
            keep: Keep::First,
            min_overlap: None,
            level: Level::Strict,
            lexicon: Lexicon::default(),
            order_stable: false,
            max_candidates: 32,
            search: Search::Index,
            max_hamming: 12,
            k: 1,
            tokens: None,
        }
    }
}

impl Options {
    /// The overlap that decides: the one given, or the mode's own.
    pub fn threshold(&self) -> f64 {
        self.min_overlap.unwrap_or(match self.mode {
            Mode::Safe => 0.9,
            Mode::Arcaeon => 0.95,
        })
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Option`] with the name of the first option out of its range.
    pub fn check(&self) -> Result<()> {
        let bad = |name, reason: &str| Err(Error::Option { name, reason: reason.to_owned() });
        if !(0.0..=1.0).contains(&self.threshold()) {
            return bad("min_overlap", "give a number from 0 to 1");
        }
        if self.max_candidates == 0 {
            return bad("max_candidates", "give at least 1");
        }
        if self.max_hamming > 64 {
            return bad("max_hamming", "a SimHash has 64 bits; give 0 to 64");
        }
        if self.k == 0 {
            return bad("k", "give at least 1 word");
        }
        if self.mode == Mode::Arcaeon && self.order_stable {
            return bad(
                "order_stable",
                "`arcaeon` mode depends on the order of its input; use `safe` mode",
            );
        }
        Ok(())
    }
}
