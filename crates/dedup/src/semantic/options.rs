//! How to deduplicate by meaning.

use std::collections::BTreeMap;

use super::canonical::Criterion;
use super::cluster::Method;
use super::graph::Search;
use super::policy::{Policy, default_policies};
use crate::guard::{Level, Lexicon};
use crate::lexical::TokenCounter;

/// All settings of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Lowest cosine of two chunks that may merge.
    pub threshold: f32,
    /// What the guard lets differ.
    pub level: Level,
    /// Words that carry facts.
    pub lexicon: Lexicon,
    /// How chunks are grouped.
    pub method: Method,
    /// Which chunk of a group stays: the first criterion that tells two apart decides.
    pub criteria: Vec<Criterion>,
    /// Labels or sources by falling authority.
    pub authority: Vec<String>,
    /// What a difference in a field of the metadata means.
    pub policies: BTreeMap<String, Policy>,
    /// Whether texts that differ in their version alone merge into the newest.
    pub collapse_versions: bool,
    /// How candidates are found.
    pub search: Search,
    /// Counts tokens for the report.
    pub tokens: Option<TokenCounter>,
}

impl Default for Options {
    /// Threshold 0.95, guard at [`Level::Facts`], star groups, the most recent chunk stays, then the longest.
    fn default() -> Self {
        Self {
            threshold: 0.95,
            level: Level::Facts,
            lexicon: Lexicon::default(),
            method: Method::Star,
            criteria: vec![Criterion::Recent, Criterion::Longest],
            authority: Vec::new(),
            policies: default_policies(),
            collapse_versions: false,
            search: Search::Pruned,
            tokens: None,
        }
    }
}
