//! The rules of a strategy as a list that can be shortened: for ablation, and for rules on one another's output.

use crate::error::{Error, Result};
use samecall_call::{Call, Tool};
use samecall_keyer::rules::{Letters, Normaliser, Rule};
use samecall_keyer::strategy::{Normalised, Scoped};
use samecall_keyer::typed::{RuleSet, Typed, TypedRule, TypedScoped};
use samecall_keyer::{Explanation, Keyer, Outcome, Refusal};

/// A strategy with named rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleList {
    strategy: String,
    pub(crate) rules: Rules,
    scoped: bool,
}

/// The two systems of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Rules on values, in the order in which they are applied.
    List(Vec<Rule>),
    /// Rules directed by a schema, applied at once.
    Set(Vec<TypedRule>),
}

impl RuleList {
    /// The strategies that have rules.
    pub const STRATEGIES: [&str; 5] =
        ["normalised", "normalised-capital-t", "scoped", "typed", "typed-scoped"];

    /// The rules of a built-in strategy.
    ///
    /// # Errors
    /// When the strategy is unknown or has no rules.
    pub fn of(strategy: &str) -> Result<Self> {
        let (rules, scoped) = match strategy {
            "normalised" => (article(Letters::EitherCase), false),
            "normalised-capital-t" => (article(Letters::CapitalOnly), false),
            "scoped" => (article(Letters::EitherCase), true),
            "typed" => (typed(), false),
            "typed-scoped" => (typed(), true),
            _ => {
                let known = Self::STRATEGIES.join(", ");
                return Err(Error::NoRules { name: strategy.to_owned(), known });
            }
        };
        Ok(RuleList { strategy: strategy.to_owned(), rules, scoped })
    }

    /// A list of rules on values, in the order given.
    ///
    /// # Errors
    /// When a name is no rule.
    pub fn of_rules<S: AsRef<str>>(strategy: &str, names: &[S]) -> Result<Self> {
        let find = |name: &S| {
            Rule::by_name(name.as_ref()).ok_or_else(|| Error::UnknownRule {
                name: name.as_ref().to_owned(),
                known: Rule::ALL.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(", "),
            })
        };
        let rules = Rules::List(names.iter().map(find).collect::<Result<_>>()?);
        Ok(RuleList { strategy: strategy.to_owned(), rules, scoped: false })
    }

    /// The strategy's name.
    pub fn strategy(&self) -> &str {
        &self.strategy
    }

    /// The rules' names, in order.
    pub fn names(&self) -> Vec<&'static str> {
        match &self.rules {
            Rules::List(rules) => rules.iter().map(|rule| rule.name()).collect(),
            Rules::Set(rules) => rules.iter().map(|rule| rule.name()).collect(),
        }
    }

    /// Whether the rules are a list, whose order counts.
    pub fn is_ordered(&self) -> bool {
        matches!(self.rules, Rules::List(_))
    }

    /// The strategy with the rules at these places alone, under a name of its own.
    pub fn keyer(&self, name: &str, kept: &[usize]) -> Box<dyn Keyer> {
        let inner: Box<dyn Keyer> = match &self.rules {
            Rules::List(rules) => {
                let rules = kept.iter().filter_map(|&at| rules.get(at).copied()).collect();
                let normalised = Normalised::with_rules(name, Normaliser { rules });
                match self.scoped {
                    true => Box::new(Scoped::over(normalised)),
                    false => Box::new(normalised),
                }
            }
            Rules::Set(rules) => {
                let set: RuleSet = kept.iter().filter_map(|&at| rules.get(at).copied()).collect();
                match self.scoped {
                    true => Box::new(TypedScoped::with_rules(set)),
                    false => Box::new(Typed::with_rules(set)),
                }
            }
        };
        Box::new(Named { name: name.to_owned(), inner })
    }
}

fn article(letters: Letters) -> Rules {
    Rules::List(Normaliser::article(letters).rules)
}

/// All rules but the one that `typed-prose` alone has.
fn typed() -> Rules {
    Rules::Set(
        TypedRule::ALL.iter().copied().filter(|rule| *rule != TypedRule::ProseDefault).collect(),
    )
}

/// A strategy under another name, so that several lists of one strategy can be scored together.
struct Named {
    name: String,
    inner: Box<dyn Keyer>,
}

impl Keyer for Named {
    fn name(&self) -> &str {
        &self.name
    }

    fn key(&self, call: &Call, tool: Option<&Tool>) -> Outcome {
        self.inner.key(call, tool)
    }

    fn has_slot(&self) -> bool {
        self.inner.has_slot()
    }

    fn explain(&self, call: &Call, tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        self.inner.explain(call, tool)
    }
}
