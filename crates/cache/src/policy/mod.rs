//! What may be kept of which tool, and for how long.
//!
//! What a policy file says of a tool counts first; then what its catalog's annotations say; then what a recorded trace says
//! of the call. A tool of which nothing is said is taken for one with side effects, as MCP's own defaults have it, and is
//! never answered from the cache.

mod duration;
mod file;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use samecall_call::{Annotations, Catalog};
use samecall_keyer::Key;

use crate::error::{Error, Result};
use crate::outcome::Outcome;
use crate::scope;
pub use duration::parse_duration;

/// How long an outcome is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Not at all.
    Never,
    /// As long as the execution lasts, within [`Limits::age`].
    Always,
    /// So long.
    For(Duration),
}

impl Keep {
    /// The length; none for what is not kept.
    pub fn life(self) -> Option<Duration> {
        match self {
            Keep::Never => None,
            Keep::Always => Some(Duration::MAX),
            Keep::For(length) => Some(length),
        }
    }

    /// The shorter of two.
    fn shorter(self, other: Keep) -> Keep {
        match (self.life(), other.life()) {
            (Some(a), Some(b)) if a <= b => self,
            (Some(_), Some(_)) => other,
            _ => Keep::Never,
        }
    }
}

/// What a policy says of one tool; what is none is left to the defaults.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolPolicy {
    /// How long results are kept.
    pub cache: Option<Keep>,
    /// How long errors are kept.
    pub errors: Option<Keep>,
    /// How long empty results are kept, at most as long as others.
    pub empty: Option<Keep>,
    /// What a call of this tool makes out of date.
    pub invalidates: Invalidates,
}

/// The tools whose kept results a call makes out of date, in its own execution.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Invalidates {
    /// None.
    #[default]
    Nothing,
    /// Those of these names.
    Tools(Vec<String>),
    /// All.
    All,
}

/// What holds for tools of which a policy does not say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defaults {
    /// Results of tools that only read a closed world.
    pub reads: Keep,
    /// Results of tools that only read, from a world that others change too.
    pub open_world: Keep,
    /// Errors.
    pub errors: Keep,
    /// Empty results, at most as long as others.
    pub empty: Keep,
    /// Results of tools of which nothing says whether they change anything.
    pub unannotated: Keep,
}

impl Default for Defaults {
    /// Reads for the execution, reads of an open world for 15 minutes, empty results for 5 minutes, and nothing else.
    fn default() -> Self {
        Defaults {
            reads: Keep::Always,
            open_world: Keep::For(Duration::from_secs(15 * 60)),
            errors: Keep::Never,
            empty: Keep::For(Duration::from_secs(5 * 60)),
            unannotated: Keep::Never,
        }
    }
}

/// The bounds of a cache; each holds at every moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most entries, of all executions together.
    pub entries: usize,
    /// Most bytes, entries' own [`crate::ENTRY_BYTES`] included.
    pub bytes: usize,
    /// The age at which every entry is over, whatever its policy.
    pub age: Duration,
}

impl Default for Limits {
    /// 10,000 entries, 64 MiB, one hour.
    fn default() -> Self {
        Limits { entries: 10_000, bytes: 64 << 20, age: Duration::from_secs(60 * 60) }
    }
}

/// What is known of a tool's effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// It only reads.
    Reads {
        /// Whether others change what it reads.
        open_world: bool,
    },
    /// It changes something.
    Writes,
    /// Nothing says so.
    Unsaid,
}

impl Effect {
    /// What MCP's annotations say. `readOnlyHint` is what makes a read; beside `destructiveHint` it is a contradiction, and
    /// the tool counts as one that writes. An idempotent write is a write: skipping it leaves undone what others undid.
    /// A tool with annotations that do not call it a read is one that writes, and a read's world is open unless said
    /// otherwise: both as MCP's defaults have it.
    pub fn of(annotations: &Annotations) -> Self {
        match annotations.read_only {
            Some(true) if annotations.destructive != Some(true) => {
                Effect::Reads { open_world: annotations.open_world.unwrap_or(true) }
            }
            None if annotations.is_silent() => Effect::Unsaid,
            _ => Effect::Writes,
        }
    }

    /// Two sources together: a word of a side effect counts before a word of none, and either before silence.
    pub fn and(self, other: Effect) -> Self {
        match (self, other) {
            (Effect::Writes, _) | (_, Effect::Writes) => Effect::Writes,
            (Effect::Unsaid, other) => other,
            (said, _) => said,
        }
    }
}

/// Policies by tool, what holds for all others, and the bounds.
#[derive(Debug, Clone, Default)]
pub struct Policies {
    /// What holds for tools of which no policy says it.
    pub defaults: Defaults,
    /// The bounds.
    pub limits: Limits,
    tools: BTreeMap<String, ToolPolicy>,
    /// Where each name was read, to be named when no tool has it: name, line, field.
    named: Vec<(String, usize, String)>,
    file: String,
}

impl Policies {
    /// With a policy for one tool.
    pub fn with(mut self, tool: impl Into<String>, policy: ToolPolicy) -> Self {
        self.tools.insert(tool.into(), policy);
        self
    }

    /// The policies by tool.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &ToolPolicy)> {
        self.tools.iter().map(|(name, policy)| (name.as_str(), policy))
    }

    /// The file that they were read from; empty where they were not.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The names of tools that the file uses, its own entries' and those that they invalidate.
    pub fn names(&self) -> BTreeSet<&str> {
        self.named.iter().map(|(name, ..)| name.as_str()).collect()
    }

    /// Refuses a file that names a tool which does not exist: a misspelt policy would do nothing, in silence.
    ///
    /// # Errors
    /// Names file, line and field of the first such name.
    pub fn check(&self, exists: impl Fn(&str) -> bool) -> Result<()> {
        match self.named.iter().find(|(name, ..)| !exists(name)) {
            None => Ok(()),
            Some((_, line, field)) => Err(Error::Policy {
                file: self.file.clone(),
                line: *line,
                field: field.clone(),
                reason: "names a tool that no catalog and no call has; write its name as the catalog has it"
                    .to_owned(),
            }),
        }
    }

    /// Lets what is invalidated go by the tools' own names, where a policy uses an alias.
    pub(crate) fn use_own_names(&mut self, catalog: &Catalog) {
        for policy in self.tools.values_mut() {
            if let Invalidates::Tools(names) = &mut policy.invalidates {
                for name in names {
                    if let Some(tool) = catalog.by_name(name) {
                        name.clone_from(&tool.name);
                    }
                }
            }
        }
    }

    /// Whether a tool has a policy of its own.
    pub(crate) fn has(&self, tool: &str) -> bool {
        self.tools.contains_key(tool)
    }

    /// What holds for a tool of which nothing is known.
    pub(crate) fn rule_of_no_tool(&self) -> Rule {
        self.rule_with(None, Effect::Unsaid)
    }

    /// What holds for a tool whose effect is as said.
    pub(crate) fn rule(&self, tool: &str, effect: Effect) -> Rule {
        self.rule_with(self.tools.get(tool), effect)
    }

    fn rule_with(&self, stated: Option<&ToolPolicy>, effect: Effect) -> Rule {
        let defaults = &self.defaults;
        let results = stated.and_then(|policy| policy.cache).unwrap_or(match effect {
            Effect::Reads { open_world: false } => defaults.reads,
            Effect::Reads { open_world: true } => defaults.open_world,
            Effect::Writes => Keep::Never,
            Effect::Unsaid => defaults.unannotated,
        });
        let errors = stated.and_then(|policy| policy.errors).unwrap_or(defaults.errors);
        let empty = stated.and_then(|policy| policy.empty).unwrap_or(defaults.empty);
        Rule {
            results,
            errors: if results == Keep::Never { Keep::Never } else { errors },
            empty: empty.shorter(results),
            invalidates: match stated.map(|policy| &policy.invalidates) {
                None | Some(Invalidates::Nothing) => Reach::Nothing,
                Some(Invalidates::All) => Reach::All,
                Some(Invalidates::Tools(names)) => {
                    Reach::Tools(names.iter().map(|name| scope::tool(name)).collect())
                }
            },
        }
    }
}

/// What holds for one tool.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    results: Keep,
    errors: Keep,
    empty: Keep,
    pub(crate) invalidates: Reach,
}

/// What a call makes out of date.
#[derive(Debug, Clone)]
pub(crate) enum Reach {
    Nothing,
    Tools(Arc<[Key]>),
    All,
}

impl Rule {
    /// Whether a call of the tool is looked up at all.
    pub(crate) fn caches(&self) -> bool {
        self.results != Keep::Never
    }

    /// How long an outcome is kept; none for one that is not.
    pub(crate) fn life(&self, outcome: &Outcome, is_empty: bool) -> Option<Duration> {
        match (outcome.is_error, is_empty) {
            (true, _) => self.errors.life(),
            (false, true) => self.empty.life(),
            (false, false) => self.results.life(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn annotations(read_only: Option<bool>, destructive: Option<bool>, idempotent: bool) -> Effect {
        Effect::of(&Annotations {
            read_only,
            destructive,
            idempotent: idempotent.then_some(true),
            open_world: None,
        })
    }

    #[test]
    fn only_a_stated_read_is_cached_without_a_policy() {
        let policies = Policies::default();
        for (effect, caches) in [
            (annotations(Some(true), None, false), true),
            (annotations(Some(true), Some(false), false), true),
            (annotations(Some(true), Some(true), false), false),
            (annotations(Some(false), Some(false), true), false),
            (annotations(None, Some(false), false), false),
            (annotations(None, None, true), false),
            (annotations(None, None, false), false),
        ] {
            assert_eq!(policies.rule("t", effect).caches(), caches, "{effect:?}");
        }
        let stated = ToolPolicy { cache: Some(Keep::Always), ..ToolPolicy::default() };
        let policies = policies.with("t", stated);
        assert!(policies.rule("t", Effect::Writes).caches(), "the policy says so");
        assert!(!policies.rule("u", Effect::Writes).caches());
    }

    #[test]
    fn errors_need_a_word_and_empty_results_never_outlive_others() {
        let read = Effect::Reads { open_world: false };
        let rule = Policies::default().rule("t", read);
        let error = Outcome::error(b"no".as_slice());
        let empty = Outcome::ok(b"[]".as_slice());
        assert_eq!(rule.life(&error, false), None);
        assert_eq!(rule.life(&empty, true), Some(Duration::from_secs(300)));
        let second = Keep::For(Duration::from_secs(1));
        let stated =
            ToolPolicy { cache: Some(second), errors: Some(second), ..ToolPolicy::default() };
        let rule = Policies::default().with("t", stated).rule("t", read);
        assert_eq!(rule.life(&empty, true), Some(Duration::from_secs(1)));
        assert_eq!(rule.life(&error, false), Some(Duration::from_secs(1)));
    }

    #[test]
    fn a_word_of_a_side_effect_counts_first() {
        let read = Effect::Reads { open_world: true };
        assert_eq!(read.and(Effect::Writes), Effect::Writes);
        assert_eq!(Effect::Unsaid.and(read), read);
        assert_eq!(read.and(Effect::Unsaid), read);
    }
}
