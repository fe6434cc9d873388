//! What a law answers when it is broken: its name, the class of the fault, and the evidence.

use samecall_call::Pair;
use std::fmt;

/// The outcome of a law: what it saw, or how it is broken.
pub type Law<S> = Result<S, Box<Broken>>;

/// A broken law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The law's name, which is that of its file.
    pub law: &'static str,
    /// What made it break: productions or rules, in order of their names. Faults of one law and class are one find.
    pub class: Vec<String>,
    /// One sentence. Never holds argument values.
    pub why: String,
    /// What it was broken by.
    pub evidence: Evidence,
    /// An input of the target `normalizer` that makes the evidence and of which nothing is drawn, to shrink from; where the
    /// evidence was reached by a search or a draw.
    pub input: Option<Vec<u8>>,
}

/// What a law was broken by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// Two calls with the truth about them, and the tool's schema inline.
    Pair(Box<Pair>),
    /// Bytes, mostly text.
    Bytes(Vec<u8>),
    /// A pair whose label is wrong, and the bytes that drew it of its tool's schema.
    Drawn(Box<Pair>, Vec<u8>),
}

/// Laws that ask no strategy, whatever their target hunts: the fault is none of its, and no baseline may keep it.
pub fn is_of_no_strategy(law: &str) -> bool {
    matches!(law, "label" | "catalog" | "reader" | "jcs" | "dedup" | "semantic" | "cache")
}

impl Broken {
    /// A broken law; the class is put in order.
    pub fn new<C: Into<String>>(
        law: &'static str,
        class: impl IntoIterator<Item = C>,
        why: impl Into<String>,
        evidence: Evidence,
    ) -> Box<Self> {
        let mut class: Vec<String> = class.into_iter().map(Into::into).collect();
        class.sort();
        class.dedup();
        Box::new(Broken { law, class, why: why.into(), evidence, input: None })
    }

    /// The class as one word.
    pub fn class_name(&self) -> String {
        if self.class.is_empty() { "any".to_owned() } else { self.class.join("+") }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.law, self.class_name(), self.why)
    }
}
