//! What a strategy says of a pair.

use std::fmt;

/// A strategy's answer on a pair: exactly one of five.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// The second call is the first: replay it.
    Same,
    /// The place agrees and the content does not: neither replay nor execute in silence.
    Conflict,
    /// The same content at another step of the run: surfaced, and the tool's policy decides.
    Suspect,
    /// No safe key exists for one of the sides.
    Refused,
    /// Two calls.
    Different,
}

impl Verdict {
    /// All verdicts, in the order of reports.
    pub const ALL: [Verdict; 5] =
        [Verdict::Same, Verdict::Conflict, Verdict::Suspect, Verdict::Refused, Verdict::Different];

    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Conflict => "conflict",
            Verdict::Suspect => "suspect",
            Verdict::Refused => "refused",
            Verdict::Different => "different",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
