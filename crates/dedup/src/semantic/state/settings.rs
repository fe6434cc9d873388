//! What stays the same through the life of a state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::canonical::Criterion;
use super::super::cluster::Method;
use super::super::graph::Search;
use super::super::options::Options;
use super::super::policy::Policy;
use super::super::report::level_name;
use crate::error::{Error, Result};
use crate::guard::{Level, Lexicon};

/// What stays the same through the life of a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Lowest cosine that merges.
    pub threshold: f32,
    /// Level of the guard by name.
    pub guard: String,
    /// How chunks are grouped.
    pub method: Method,
    /// Which chunk stays.
    pub criteria: Vec<Criterion>,
    /// Labels or sources by falling authority.
    pub authority: Vec<String>,
    /// Policies by field.
    pub policies: BTreeMap<String, Policy>,
    /// Whether versions are collapsed.
    pub collapse_versions: bool,
    /// Text of the user's lexicon, empty for none.
    pub lexicon: String,
    /// Drift from which on a rebuild is due: 1 - cosine.
    pub drift_bound: f64,
}

impl Settings {
    /// The settings of these options. `lexicon` is the text that the options' lexicon was extended by.
    pub fn of(options: &Options, lexicon: &str, drift_bound: Option<f64>) -> Self {
        Self {
            threshold: options.threshold,
            guard: level_name(options.level).to_owned(),
            method: options.method,
            criteria: options.criteria.clone(),
            authority: options.authority.clone(),
            policies: options.policies.clone(),
            collapse_versions: options.collapse_versions,
            lexicon: lexicon.to_owned(),
            drift_bound: drift_bound.unwrap_or(1.0 - f64::from(options.threshold)),
        }
    }

    /// The options of these settings.
    ///
    /// # Errors
    /// [`Error::Lexicon`] when the stored lexicon cannot be read; [`Error::Option`] for an unknown level.
    pub fn options(&self) -> Result<Options> {
        let level = match self.guard.as_str() {
            "off" => Level::Off,
            "facts" => Level::Facts,
            "strict" => Level::Strict,
            _ => {
                let reason = "the state names a level that this version does not know".into();
                return Err(Error::Option { name: "guard", reason });
            }
        };
        Ok(Options {
            threshold: self.threshold,
            level,
            lexicon: Lexicon::default().extended(&self.lexicon)?,
            method: self.method,
            criteria: self.criteria.clone(),
            authority: self.authority.clone(),
            policies: self.policies.clone(),
            collapse_versions: self.collapse_versions,
            search: Search::Pruned,
            tokens: None,
        })
    }
}
