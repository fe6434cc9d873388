//! All strategies by name. A strategy is added here and nowhere else.

use crate::Keyer;
use crate::strategy::{
    Agentforge, Canonical, Constant, Jcs, Normalised, Random, Raw, Refuse, Scoped,
};
use crate::typed::{Typed, TypedAs, TypedProse, TypedScoped};

/// One strategy of the registry.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name by which users ask for it.
    pub name: &'static str,
    /// What it does, in one line.
    pub description: &'static str,
    build: fn() -> Box<dyn Keyer>,
}

impl Entry {
    /// A new keyer of the strategy.
    pub fn build(&self) -> Box<dyn Keyer> {
        (self.build)()
    }
}

/// All strategies, in the order in which reports list them.
pub fn registry() -> &'static [Entry] {
    ENTRIES
}

/// A new keyer of the named strategy, or of `typed` or `typed-scoped` under an executor profile: `typed@pydantic-lax`.
pub fn by_name(name: &str) -> Option<Box<dyn Keyer>> {
    let under_profile = || Some(Box::new(TypedAs::by_name(name)?) as Box<dyn Keyer>);
    ENTRIES.iter().find(|entry| entry.name == name).map(Entry::build).or_else(under_profile)
}

/// The names of all strategies, in the order of [`registry`].
pub fn names() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.name)
}

static ENTRIES: &[Entry] = &[
    Entry {
        name: "raw",
        description: "the tool and the exact argument text (the article's A)",
        build: || Box::new(Raw),
    },
    Entry {
        name: "canonical",
        description: "parsed, sorted and written tight, as CPython does (the article's B)",
        build: || Box::new(Canonical),
    },
    Entry {
        name: "normalised",
        description: "canonical after rules on values (the article's C)",
        build: || Box::new(Normalised::article()),
    },
    Entry {
        name: "normalised-capital-t",
        description: "the article's first C, blind to timestamps of small letters (a planted fault)",
        build: || Box::new(Normalised::capital_t()),
    },
    Entry {
        name: "scoped",
        description: "normalised within a run and a step (the article's D)",
        build: || Box::new(Scoped::article()),
    },
    Entry {
        name: "agentforge",
        description: "sorted top-level names as the list of names allowed at every depth",
        build: || Box::new(Agentforge),
    },
    Entry {
        name: "jcs",
        description: "the JSON Canonicalization Scheme (RFC 8785)",
        build: || Box::new(Jcs),
    },
    Entry {
        name: "typed",
        description: "what the call says, as its tool's schema reads it",
        build: || Box::new(Typed::default()),
    },
    Entry {
        name: "typed-prose",
        description: "typed, also with defaults that stand in descriptions; for reads and caches",
        build: || Box::new(TypedProse::default()),
    },
    Entry {
        name: "typed-scoped",
        description: "typed at one place in a run: slot and fingerprint",
        build: || Box::new(TypedScoped::default()),
    },
    Entry {
        name: "constant",
        description: "canary: one key for all calls",
        build: || Box::new(Constant),
    },
    Entry {
        name: "random",
        description: "canary: a fresh key for every call",
        build: || Box::new(Random::default()),
    },
    Entry {
        name: "refuse",
        description: "canary: no key for any call",
        build: || Box::new(Refuse),
    },
];
