//! What the guard says about pairs that a model holds to be alike.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Ordering;

use super::chunks::Chunk;
use super::options::Options;
use super::policy;
use crate::guard::meaning::{Meaning, refusal};
use crate::guard::{Cause, Level};

/// What the guard says about a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The two may stand for each other.
    Passed,
    /// They differ in their version alone, and versions are to be collapsed.
    Version,
    /// They differ in this.
    Refused(Cow<'static, str>),
}

impl Verdict {
    /// Whether the pair may merge.
    pub fn passes(&self) -> bool {
        !matches!(self, Self::Refused(_))
    }

    /// `passed`, `version`, or the name of the cause.
    pub fn name(&self) -> &str {
        match self {
            Self::Passed => "passed",
            Self::Version => "version_collapsed",
            Self::Refused(cause) => cause,
        }
    }
}

/// Judges pairs of chunks by row. Texts are read once each, and only those that are in a pair.
pub struct Judge<'c> {
    chunks: Vec<&'c Chunk>,
    options: &'c Options,
    meanings: Vec<Option<Meaning>>,
    /// The same with all versions alike, where versions are collapsed.
    unversioned: Vec<Option<Meaning>>,
}

impl<'c> Judge<'c> {
    /// Reads the texts of the chunks that `needed` marks.
    pub fn new(chunks: Vec<&'c Chunk>, needed: &[bool], options: &'c Options) -> Self {
        let read = |(chunk, needed): (&&Chunk, &bool)| {
            (*needed && options.level != Level::Off)
                .then(|| Meaning::read(&chunk.text, &options.lexicon))
        };
        let meanings: Vec<Option<Meaning>> =
            chunks.par_iter().zip(needed.par_iter()).map(read).collect();
        let unversioned = match options.collapse_versions {
            true => meanings.iter().map(|m| m.as_ref().map(Meaning::without_versions)).collect(),
            false => Vec::new(),
        };
        Self { chunks, options, meanings, unversioned }
    }

    /// The chunks by row.
    pub fn chunks(&self) -> &[&'c Chunk] {
        &self.chunks
    }

    /// The settings.
    pub(crate) fn options(&self) -> &'c Options {
        self.options
    }

    /// What was read of each text.
    pub fn meanings(&self) -> &[Option<Meaning>] {
        &self.meanings
    }

    /// The verdict on a pair of rows.
    pub fn judge(&self, a: usize, b: usize) -> Verdict {
        let options = self.options;
        let (x, y) = (self.chunks[a], self.chunks[b]);
        if options.level == Level::Off {
            return Verdict::Passed;
        }
        if let Some(field) = policy::conflict(x, y, &options.policies, options.collapse_versions) {
            // Named in full: `metadata:jurisdiction`.
            return Verdict::Refused(format!("{}:{field}", Cause::Metadata.name()).into());
        }
        let read = |at: usize| -> Cow<'_, Meaning> {
            match &self.meanings[at] {
                Some(meaning) => Cow::Borrowed(meaning),
                None => Cow::Owned(Meaning::read(&self.chunks[at].text, &options.lexicon)),
            }
        };
        let (left, right) = (read(a), read(b));
        let Some(cause) = refusal(&left, &right, options.level, &options.lexicon) else {
            let differ = x.metadata.get("version") != y.metadata.get("version");
            return match options.collapse_versions && differ {
                false => Verdict::Passed,
                true if same_document(x, y) => Verdict::Version,
                true => Verdict::Refused(format!("{}:version", Cause::Metadata.name()).into()),
            };
        };
        if options.collapse_versions
            && same_document(x, y)
            && succeeds(&left.versions(), &right.versions())
        {
            let other = |at: usize, read: &Meaning| match self.unversioned.get(at) {
                Some(Some(meaning)) => meaning.clone(),
                _ => read.without_versions(),
            };
            let (left, right) = (other(a, &left), other(b, &right));
            if refusal(&left, &right, options.level, &options.lexicon).is_none() {
                return Verdict::Version;
            }
        }
        Verdict::Refused(cause.name().into())
    }

    /// Verdicts on many pairs, in order.
    pub fn judge_all(&self, pairs: &[(u32, u32)]) -> Vec<Verdict> {
        pairs.par_iter().map(|&(a, b)| self.judge(a as usize, b as usize)).collect()
    }
}

/// Two revisions must not name two documents.
fn same_document(a: &Chunk, b: &Chunk) -> bool {
    match (a.metadata.get("document"), b.metadata.get("document")) {
        (Some(x), Some(y)) => x == y,
        _ => true,
    }
}

/// Whether one of two texts may be a later revision of the other: as many versions, and all that differ differ in one
/// direction. `from v1 to v2` and `from v2 to v1` are no revisions of each other.
fn succeeds(a: &[&str], b: &[&str]) -> bool {
    let steps: Vec<Ordering> =
        a.iter().zip(b).map(|(a, b)| version_parts(a).cmp(&version_parts(b))).collect();
    let goes = |way: Ordering| steps.iter().all(|step| *step == way || step.is_eq());
    a.len() == b.len() && (goes(Ordering::Less) || goes(Ordering::Greater))
}

/// The numbers of a version, so that `1.10` is later than `1.9`.
pub(crate) fn version_parts(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().unwrap_or(u64::MAX))
        .collect()
}

/// Share of the content words of `part` that `whole` has too, counted with repeats: 1 when nothing would be lost but order.
/// 1 for a text without content words.
pub fn containment(part: &Meaning, whole: &Meaning) -> f64 {
    let mut there: std::collections::BTreeMap<u64, usize> = std::collections::BTreeMap::new();
    for key in whole.keys() {
        *there.entry(key).or_default() += 1;
    }
    let (mut all, mut found) = (0usize, 0usize);
    for key in part.keys() {
        all += 1;
        if let Some(count) = there.get_mut(&key).filter(|count| **count > 0) {
            *count -= 1;
            found += 1;
        }
    }
    if all == 0 { 1.0 } else { found as f64 / all as f64 }
}
