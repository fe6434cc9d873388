//! What a run returns: the kept items, a mapping of the removed ones, and a report.

use std::collections::BTreeMap;

use serde::Serialize;

use super::options::{Keep, Mode, Options};
use crate::guard::{Cause, Level};

/// Why an item was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The same characters.
    Identical,
    /// Equal normal forms, and letter case agrees where it counts.
    NormalForm,
    /// Overlap at or above the threshold, and (in `safe` mode) past the guard.
    Overlap,
}

impl Rule {
    /// Its name in the mapping and the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::NormalForm => "normal-form",
            Self::Overlap => "overlap",
        }
    }
}

/// One removed item.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Removal {
    /// Its position in the input.
    pub removed: usize,
    /// Position of the kept item that stands for it.
    pub kept: usize,
    /// Overlap of the two, at most 1.
    pub score: f64,
    /// Why.
    pub rule: Rule,
}

/// A count of items with their size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// Items.
    pub items: usize,
    /// Unicode code points.
    pub chars: usize,
    /// Tokens, when a counter was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
}

impl Amount {
    pub(crate) fn add(&mut self, other: Self) {
        self.items += other.items;
        self.chars += other.chars;
        self.tokens = match (self.tokens, other.tokens) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
    }
}

/// What happened, in counts.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The rules.
    pub mode: Mode,
    /// What was allowed to differ (`safe`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<&'static str>,
    /// Which item of a group stayed.
    pub keep: Keep,
    /// The overlap that decided.
    pub min_overlap: f64,
    /// Whether the kept texts are independent of input order.
    pub order_stable: bool,
    /// Name of the token counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_counter: Option<String>,
    /// The input.
    pub input: Amount,
    /// What stayed.
    pub kept: Amount,
    /// What went.
    pub removed: Amount,
    /// What went, by rule.
    pub by_rule: BTreeMap<&'static str, Amount>,
    /// Candidate pairs that were verified.
    pub verified: usize,
    /// Candidate pairs that the guard refused, by cause.
    pub refused: BTreeMap<&'static str, usize>,
    /// Candidates that the bound passed over, so that repeats may have stayed.
    pub passed_over: usize,
    /// Items for which the bound was met.
    pub bounded_items: usize,
}

impl Report {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            mode: options.mode,
            guard: (options.mode == Mode::Safe).then_some(match options.level {
                Level::Off => "off",
                Level::Facts => "facts",
                Level::Strict => "strict",
            }),
            keep: options.keep,
            min_overlap: options.threshold(),
            order_stable: options.order_stable,
            token_counter: options.tokens.as_ref().map(|counter| counter.name().to_owned()),
            input: Amount::default(),
            kept: Amount::default(),
            removed: Amount::default(),
            by_rule: BTreeMap::new(),
            verified: 0,
            refused: BTreeMap::new(),
            passed_over: 0,
            bounded_items: 0,
        }
    }

    pub(crate) fn refuse(&mut self, cause: Cause) {
        *self.refused.entry(cause.name()).or_default() += 1;
    }

    pub(crate) fn note(&mut self, size: Amount, removed: Option<Rule>) {
        self.input.add(size);
        match removed {
            None => self.kept.add(size),
            Some(rule) => {
                self.removed.add(size);
                self.by_rule.entry(rule.name()).or_default().add(size);
            }
        }
    }

    /// The report line of the package arcaeon, which takes a token for four characters.
    pub fn arcaeon_line(&self) -> String {
        format!(
            "deduped: kept {}, removed {} repeat(s); ~{} chars / ~{} tokens saved",
            self.kept.items,
            self.removed.items,
            grouped(self.removed.chars),
            grouped(self.removed.chars / 4)
        )
    }
}

/// A number with a comma before every third digit from the right.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The answer of a run.
#[derive(Clone, Debug)]
pub struct Deduped {
    /// Positions of the kept items, rising.
    pub kept: Vec<usize>,
    /// The removed items, by rising position.
    pub removed: Vec<Removal>,
    /// Counts.
    pub report: Report,
}
