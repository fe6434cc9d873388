//! What real executors received, as plain data: the shape of `executors --json`, written by the scorer and read by the
//! reports. Nothing here computes anything.
//!
//! An **executor** is the code that a harness puts between the model's argument text and the tool's handler: a
//! validator, an SDK's call path. It hands the handler a value, or it refuses.

use crate::result::Input;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of one run of executors over pairs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ExecutorsResult {
    /// The executors in the order given.
    pub executors: Vec<ExecutorRun>,
    /// Set, then production (or drift class, or reason), then what was received.
    pub sets: BTreeMap<String, BTreeMap<String, Row>>,
    /// Executor, then keyer: the keyer's verdicts beside what the executor received.
    pub keyers: BTreeMap<String, BTreeMap<String, KeyerCheck>>,
    /// Single calls that show what an executor drops, inserts and converts.
    pub probes: Vec<Probe>,
    /// Pairs on which executors disagree, in plain words.
    pub surprises: Vec<Surprise>,
    /// Rulings that this run contradicts, and executors that did not finish; empty where the run may be relied on.
    pub faults: Vec<String>,
    /// Pairs left out because no schema is known for their tool.
    pub without_schema: u64,
    /// The seed of generated pairs; null where nothing was drawn.
    pub seed: Option<u64>,
    /// Productions on a generated pair; null where nothing was drawn.
    pub depth: Option<usize>,
    /// Where the pairs came from, in the order given.
    pub inputs: Vec<Input>,
}

/// One executor and how its run ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ExecutorRun {
    /// Its name.
    pub name: String,
    /// The language that its handlers are written in; empty where it is not known.
    pub language: String,
    /// The packages it consists of, each with its pinned version.
    pub packages: Vec<String>,
    /// How it treats a call, in one line.
    pub about: String,
    /// Calls it answered.
    pub calls: u64,
    /// How it ended.
    pub ended: Ended,
}

/// How an executor's run ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Ended {
    /// Every call was answered.
    #[default]
    Finished,
    /// The program ended before its last answer, or with another status than 0.
    Crashed {
        /// What it said: its status.
        reason: String,
    },
    /// Neither took a call nor gave an answer for the time allowed, and was stopped.
    Hung {
        /// The time allowed.
        seconds: u64,
    },
    /// An answer was none of the protocol's.
    Broken {
        /// Which answer, and why.
        reason: String,
    },
}

/// One production: what it is, what was ruled of it, and what each executor received.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Row {
    /// `render` or `change` for a production; `retry` or `distinct` for a class of pairs that no grammar made.
    pub grammar: String,
    /// `json`, `validator` or `declared` for a rendering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<String>,
    /// What follows from the run.
    pub standing: Standing,
    /// Why, where a ruling says so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Executor, then what it received over all kinds of field.
    pub executors: BTreeMap<String, Cell>,
    /// Kind of field at which the two spellings differ, then executor.
    pub kinds: BTreeMap<String, BTreeMap<String, Cell>>,
}

/// What follows from a run for a production.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// A rendering that no executor receives unequal, and some executor receives as equal.
    Holds,
    /// A rendering that no executor receives unequal, and none receives as equal in nine of ten: one side is refused.
    RefusedOnly,
    /// A rendering that some executor accepts and receives unequal: scored apart, outside every gate.
    ExecutorDependent,
    /// A rendering that only the user's annotation makes one.
    Declared,
    /// A change that no executor receives as equal.
    Apart,
    /// A change that some executor folds, and a ruling says which and why.
    Folded,
    /// A change of the scope around the arguments, which no executor sees.
    Scope,
    /// Contradicts what was ruled.
    Contradicted,
    /// A class of pairs that no grammar made: nothing is ruled of it.
    #[default]
    Unruled,
}

impl Standing {
    /// The word in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Standing::Holds => "holds",
            Standing::RefusedOnly => "refused-only",
            Standing::ExecutorDependent => "executor_dependent",
            Standing::Declared => "declared",
            Standing::Apart => "apart",
            Standing::Folded => "folded",
            Standing::Scope => "scope",
            Standing::Contradicted => "CONTRADICTED",
            Standing::Unruled => "-",
        }
    }
}

/// How an executor took the two calls of pairs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Cell {
    /// All pairs; the sum of the next five.
    pub pairs: u64,
    /// Both accepted, and the handler received the same value of the same types.
    pub identical: u64,
    /// Both accepted and received equal, but a number was of another type (4200 and 4200.0).
    pub other_type: u64,
    /// Both accepted and received unequal.
    pub unequal: u64,
    /// One accepted, one refused.
    pub one_refused: u64,
    /// Both refused.
    pub both_refused: u64,
    /// Wilson's two-sided 95 % interval of the share received as equal, of the pairs that were not refused on both sides;
    /// fractions of 1.
    pub equal_share: [f64; 2],
    /// Exact one-sided 95 % upper bound on the share received as unequal; a fraction of 1.
    pub unequal_upper: f64,
    /// The shortest pair that goes against the grammar: a rendering received unequal, a change received as equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
}

impl Cell {
    /// Pairs whose two calls were received as equal, whatever the type of a number.
    pub fn equal(&self) -> u64 {
        self.identical + self.other_type
    }

    /// Pairs of which at least one call was accepted. One that is refused however it is spelled says nothing of its
    /// spellings.
    pub fn told(&self) -> u64 {
        self.pairs - self.both_refused
    }
}

/// A pair that goes against the grammar.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Against {
    /// The pair.
    pub id: String,
    /// Its tool.
    pub tool: String,
    /// The first argument text; empty where values are not to be shown.
    pub a: String,
    /// The second one.
    pub b: String,
}

/// A keyer's verdicts beside what an executor received.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct KeyerCheck {
    /// Whether the keyer is this executor's own profile, which must never answer `same` for what is received unequal.
    pub profile: bool,
    /// Pairs.
    pub pairs: u64,
    /// Pairs received as equal.
    pub equal: u64,
    /// Of those, pairs not answered `same`.
    pub missed: u64,
    /// Pairs answered `same` and received unequal.
    pub same_unequal: u64,
    /// Exact one-sided 95 % upper bound on their share of all pairs; a fraction of 1.
    pub same_unequal_upper: f64,
    /// Set, then production, then the same counts.
    pub productions: BTreeMap<String, BTreeMap<String, KeyerCounts>>,
    /// The shortest pair answered `same` and received unequal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
}

/// A keyer beside an executor, for one production.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KeyerCounts {
    /// Pairs.
    pub pairs: u64,
    /// Pairs received as equal.
    pub equal: u64,
    /// Of those, pairs not answered `same`.
    pub missed: u64,
    /// Pairs answered `same` and received unequal.
    pub same_unequal: u64,
}

/// One call, and what each executor's handler received.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Probe {
    /// What is asked, in words.
    pub asks: String,
    /// The tool's schema, as JSON text.
    pub parameters: String,
    /// The argument text.
    pub arguments: String,
    /// Executor, then what its handler received as compact text, or `refused`.
    pub received: BTreeMap<String, String>,
    /// What DESIGN's rules on absence and names read there.
    pub rule: String,
}

/// A pair on which executors disagree.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Surprise {
    /// In plain words.
    pub says: String,
    /// The tool's schema, as JSON text.
    pub parameters: String,
    /// The first argument text.
    pub a: String,
    /// The second one.
    pub b: String,
    /// Executor, then how it took the pair and what its handler received.
    pub taken: BTreeMap<String, Taken>,
}

/// How an executor took one pair.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Taken {
    /// `equal`, `equal, other type`, `unequal`, `one refused` or `both refused`.
    pub how: String,
    /// What its handler received for the first call, as compact text, or `refused`.
    pub a: String,
    /// The same for the second call.
    pub b: String,
}
