//! Rules as values: what a strategy may do to one value, each with a name, and ordered lists of them.
//!
//! No strategy has a copy of a rule. So a list can be written out, shortened by one rule, or reordered, and every
//! rule can be run on every other rule's output.

pub(crate) mod number;
mod scalar;
mod text;
mod timestamp;

use crate::Refusal;

pub use scalar::{Place, Scalar};
pub use timestamp::Letters;

/// One rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A null member of an object is as good as absent. Null items of arrays stay.
    DropNullMember,
    /// Text to Unicode's composed form (NFC, Unicode 14).
    Nfc,
    /// White space goes from the ends of a text.
    Strip,
    /// Each run of white space becomes one space.
    CollapseSpace,
    /// A timestamp loses its fraction and gets capital letters; nothing else is done to it.
    Timestamp(Letters),
    /// A text of decimal digits becomes an integer; nothing else is done to it.
    IntegerText,
    /// A text of digits, a point and digits becomes a double.
    DecimalText,
    /// A double without fraction becomes an integer. An integer beyond the doubles raises, as Python's `float` does.
    IntegralNumber,
    /// Full Unicode case folding (Unicode 14).
    CaseFold,
}

/// What becomes of a value after a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// The next rule follows.
    Next,
    /// The value is as it should be: no later rule applies.
    Settled,
    /// The member that holds it goes.
    Dropped,
}

impl Rule {
    /// All rules there are.
    pub const ALL: &[Rule] = &[
        Rule::DropNullMember,
        Rule::Nfc,
        Rule::Strip,
        Rule::CollapseSpace,
        Rule::Timestamp(Letters::EitherCase),
        Rule::Timestamp(Letters::CapitalOnly),
        Rule::IntegerText,
        Rule::DecimalText,
        Rule::IntegralNumber,
        Rule::CaseFold,
    ];

    /// The rule's stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::DropNullMember => "drop-null-member",
            Rule::Nfc => "nfc",
            Rule::Strip => "strip",
            Rule::CollapseSpace => "collapse-space",
            Rule::Timestamp(Letters::EitherCase) => "timestamp",
            Rule::Timestamp(Letters::CapitalOnly) => "timestamp-capital-t",
            Rule::IntegerText => "integer-text",
            Rule::DecimalText => "decimal-text",
            Rule::IntegralNumber => "integral-number",
            Rule::CaseFold => "case-fold",
        }
    }

    /// The rule of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.name() == name)
    }

    /// Applies the rule to a value that stands at a place.
    ///
    /// # Errors
    /// Where the imitated program raises.
    pub fn apply(self, value: &mut Scalar<'_>, place: Place) -> Result<Flow, Refusal> {
        match self {
            Rule::DropNullMember if *value == Scalar::Null && place == Place::Member => {
                return Ok(Flow::Dropped);
            }
            Rule::DropNullMember => {}
            Rule::Nfc => text::nfc(value),
            Rule::Strip => text::strip(value),
            Rule::CollapseSpace => text::collapse_space(value),
            Rule::Timestamp(letters) => return Ok(timestamp::apply(letters, value)),
            Rule::IntegerText => return number::integer_text(value),
            Rule::DecimalText => number::decimal_text(value),
            Rule::IntegralNumber => number::integral(value)?,
            Rule::CaseFold => text::case_fold(value),
        }
        Ok(Flow::Next)
    }
}

/// An ordered list of rules, applied to every scalar of the arguments and never to names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Normaliser {
    /// The rules, in the order in which they are applied.
    pub rules: Vec<Rule>,
}

impl Normaliser {
    /// No rules: values stay as they were read.
    pub const fn none() -> Self {
        Normaliser { rules: Vec::new() }
    }

    /// The article's C, with timestamps in either of the two readings it had.
    pub fn article(letters: Letters) -> Self {
        Normaliser {
            rules: vec![
                Rule::DropNullMember,
                Rule::Nfc,
                Rule::Strip,
                Rule::CollapseSpace,
                Rule::Timestamp(letters),
                Rule::IntegerText,
                Rule::DecimalText,
                Rule::IntegralNumber,
                Rule::CaseFold,
            ],
        }
    }

    /// The same list without every occurrence of one rule.
    pub fn without(&self, dropped: Rule) -> Self {
        Normaliser { rules: self.rules.iter().copied().filter(|&rule| rule != dropped).collect() }
    }

    /// Applies all rules to a value; false when the member that holds it goes.
    ///
    /// # Errors
    /// Where a rule raises.
    pub fn apply(&self, value: &mut Scalar<'_>, place: Place) -> Result<bool, Refusal> {
        for rule in &self.rules {
            match rule.apply(value, place)? {
                Flow::Next => {}
                Flow::Settled => break,
                Flow::Dropped => return Ok(false),
            }
        }
        Ok(true)
    }

    /// As [`Normaliser::apply`], and tells each rule that changed the value or dropped it.
    ///
    /// # Errors
    /// Where a rule raises.
    pub fn apply_traced(
        &self,
        value: &mut Scalar<'_>,
        place: Place,
        mut fired: impl FnMut(Rule),
    ) -> Result<bool, Refusal> {
        for &rule in &self.rules {
            let before = value.clone();
            let flow = rule.apply(value, place)?;
            if flow == Flow::Dropped || *value != before {
                fired(rule);
            }
            match flow {
                Flow::Next => {}
                Flow::Settled => break,
                Flow::Dropped => return Ok(false),
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
