//! Deduplication of a history as it grows, in bounded memory.

use super::options::{Mode, Options};
use super::result::{Report, Rule};
use super::safe::Matcher;
use crate::error::{Error, Result};

/// What became of one pushed item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// It is kept.
    Kept,
    /// It repeats an item that was kept.
    Removed {
        /// Position of that item in the stream, from 0.
        kept: usize,
        /// Overlap of the two.
        score: f64,
        /// Why.
        rule: Rule,
    },
}

/// Kept texts of one stretch of the stream, with their positions.
struct Generation {
    matcher: Matcher,
    texts: Vec<(usize, String)>,
    bytes: usize,
}

impl Generation {
    fn new(options: &Options) -> Self {
        Self { matcher: Matcher::new(options), texts: Vec::new(), bytes: 0 }
    }
}

/// A deduplicator that remembers the newest kept texts up to a budget: two generations of half the budget each, the older
/// of which is forgotten as a whole when the younger is full. A repeat of a forgotten text is kept again.
pub struct Stream {
    options: Options,
    half_budget: usize,
    young: Generation,
    old: Generation,
    pushed: usize,
    forgotten: usize,
    report: Report,
}

/// Bytes that one kept item costs beside its text: entries of the index and of the list of texts.
const ITEM_OVERHEAD: usize = 128;

impl Stream {
    /// A stream that remembers at most `budget` bytes of kept texts with their index entries.
    ///
    /// # Errors
    /// [`Error::Option`] for options that need the whole input: `arcaeon` mode, `keep = longest`, order stability; and for
    /// those out of range.
    pub fn new(options: Options, budget: usize) -> Result<Self> {
        options.check()?;
        let refuse = |name, reason: &str| Err(Error::Option { name, reason: reason.to_owned() });
        if options.mode == Mode::Arcaeon {
            return refuse("mode", "a stream runs in `safe` mode");
        }
        if options.keep != super::Keep::First || options.order_stable {
            return refuse("keep", "a stream keeps the first of each group, in order of arrival");
        }
        let report = Report::new(&options);
        let (young, old) = (Generation::new(&options), Generation::new(&options));
        Ok(Self { options, half_budget: budget / 2, young, old, pushed: 0, forgotten: 0, report })
    }

    /// Takes the next item and says whether it stays.
    pub fn push(&mut self, text: &str) -> Decision {
        let position = self.pushed;
        self.pushed += 1;
        let sketch = self.young.matcher.sketch(text);
        let size = super::size(text, &self.options);
        for generation in [&self.old, &self.young] {
            let get = |id: u32| generation.texts[id as usize].1.as_str();
            if let Some((id, score, rule)) =
                generation.matcher.find(text, &sketch, get, None, &mut self.report)
            {
                self.report.note(size, Some(rule));
                return Decision::Removed { kept: generation.texts[id as usize].0, score, rule };
            }
        }
        self.report.note(size, None);
        let cost = text.len() + ITEM_OVERHEAD + 24 * sketch.near.keys().len();
        if self.young.bytes + cost > self.half_budget && !self.young.texts.is_empty() {
            self.forgotten += self.old.texts.len();
            self.old = std::mem::replace(&mut self.young, Generation::new(&self.options));
        }
        if cost <= self.half_budget {
            self.young.matcher.insert(self.young.texts.len() as u32, text, &sketch);
            self.young.texts.push((position, text.to_owned()));
            self.young.bytes += cost;
        } else {
            self.forgotten += 1;
        }
        Decision::Kept
    }

    /// Kept items that are no longer remembered, so that their repeats are kept.
    pub fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// Bytes of texts and index entries that are remembered, at most the budget.
    pub fn remembered_bytes(&self) -> usize {
        self.young.bytes + self.old.bytes
    }

    /// Counts so far.
    pub fn report(&self) -> &Report {
        &self.report
    }
}
