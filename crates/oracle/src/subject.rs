//! The strategy under test: its keyer, how it would spell a call itself, and its rules one by one.

use samecall_call::json::{self, Dialect, Value};
use samecall_call::{Call, Tool};
use samecall_keyer::rules::{Flow, Normaliser, Place, Rule, Scalar};
use samecall_keyer::strategy::Normalised;
use samecall_keyer::typed::{RuleSet, TypedRule, respelled};
use samecall_keyer::{Key, Keyer, by_name};
use std::collections::BTreeSet;

/// The strategy that is hunted where none is named.
pub const DEFAULT: &str = "typed-scoped";

/// Strategies that claim to break no law. What is found of any other stays in the open.
pub const CLEAN: [&str; 2] = ["typed", "typed-scoped"];

/// What a strategy's keys speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The tool and what the arguments say.
    Words,
    /// Also where in the run the call stands.
    Scope,
}

/// A change to a call before it is keyed, for planted faults.
pub(crate) type Rewrite = fn(&Call, Option<&Tool>) -> Call;

/// How a strategy writes a call in its own spelling.
pub(crate) enum Spelling {
    /// The text that is hashed is the tool's name, this separator, and JSON.
    Form(char),
    /// Canonical JSON after a list of rules.
    List(Normaliser),
    /// Directed by the tool's schema, after a change where a fault is planted.
    Typed(RuleSet, Option<Rewrite>),
    /// Not at all.
    None,
}

/// A strategy under test.
pub struct Subject {
    pub(crate) name: String,
    pub(crate) keyer: Box<dyn Keyer>,
    pub(crate) spelling: Spelling,
    pub(crate) reach: Reach,
}

/// All rules but the one that `typed-prose` alone has.
pub(crate) const TYPED_RULES: RuleSet = RuleSet::ALL.without(TypedRule::ProseDefault);

impl Subject {
    /// The strategy of a name: one of the registry, or `rules:` and the names of rules in their order.
    ///
    /// # Errors
    /// A sentence, where there is none.
    pub fn named(name: &str) -> Result<Self, String> {
        if let Some(rules) = name.strip_prefix("rules:") {
            let rules: Result<Vec<Rule>, String> = rules
                .split(',')
                .map(|rule| Rule::by_name(rule).ok_or_else(|| format!("`{rule}` is no rule")))
                .collect();
            return Ok(Self::of_rules(name, Normaliser { rules: rules? }));
        }
        let keyer = by_name(name).ok_or_else(|| {
            let known: Vec<&str> = samecall_keyer::names().collect();
            format!(
                "`{name}` is no strategy; there are {}, planted:NAME and rules:NAME,NAME",
                known.join(", ")
            )
        })?;
        let article = || match name {
            "normalised-capital-t" => Normalised::capital_t().normaliser().clone(),
            _ => Normalised::article().normaliser().clone(),
        };
        let spelling = match name {
            "raw" | "canonical" | "jcs" => Spelling::Form('|'),
            "agentforge" => Spelling::Form(':'),
            "normalised" | "normalised-capital-t" | "scoped" => Spelling::List(article()),
            "typed" | "typed-scoped" => Spelling::Typed(TYPED_RULES, None),
            "typed-prose" => Spelling::Typed(RuleSet::ALL, None),
            _ => Spelling::None,
        };
        let reach = match name {
            "scoped" | "typed-scoped" => Reach::Scope,
            _ => Reach::Words,
        };
        Ok(Subject { name: name.to_owned(), keyer, spelling, reach })
    }

    /// A list of rules on values as a strategy.
    pub(crate) fn of_rules(name: &str, normaliser: Normaliser) -> Self {
        Subject {
            name: name.to_owned(),
            keyer: Box::new(Normalised::with_rules(name, normaliser.clone())),
            spelling: Spelling::List(normaliser),
            reach: Reach::Words,
        }
    }

    /// The strategy's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its keyer.
    pub fn keyer(&self) -> &dyn Keyer {
        self.keyer.as_ref()
    }

    /// What its keys speak of.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The key of a call, where it has one.
    pub fn key(&self, call: &Call, tool: Option<&Tool>) -> Option<Key> {
        self.keyer.key(call, tool).key()
    }

    /// The call as the strategy itself would spell it; none where it is refused, or the strategy has no spelling.
    pub fn respell(&self, call: &Call, tool: Option<&Tool>) -> Option<Call> {
        match &self.spelling {
            Spelling::Form(separator) => {
                let form = self.keyer.explain(call, tool)?.ok()?.form;
                let arguments = form.strip_prefix(&call.tool)?.strip_prefix(*separator)?;
                Some(with_arguments(call, arguments.to_owned()))
            }
            Spelling::List(normaliser) => by_list(normaliser, call),
            Spelling::Typed(rules, rewrite) => {
                respelled(&rewritten(*rewrite, call, tool), tool, *rules).ok()
            }
            Spelling::None => None,
        }
    }

    /// The names of the rules, in order; empty for a strategy without.
    pub fn rules(&self) -> Vec<&'static str> {
        match &self.spelling {
            Spelling::List(normaliser) => normaliser.rules.iter().map(|r| r.name()).collect(),
            Spelling::Typed(rules, _) => rules.iter().map(TypedRule::name).collect(),
            Spelling::Form(_) | Spelling::None => Vec::new(),
        }
    }

    /// The list of rules, of a strategy that has one.
    pub fn list(&self) -> Option<&Normaliser> {
        match &self.spelling {
            Spelling::List(normaliser) => Some(normaliser),
            _ => None,
        }
    }

    /// Whether names are read for what they come near to.
    pub(crate) fn reads_names(&self) -> bool {
        matches!(self.spelling, Spelling::Typed(..))
    }

    /// The schema-directed rule at a place among [`Subject::rules`].
    pub(crate) fn typed_rule(&self, at: usize) -> Option<TypedRule> {
        match &self.spelling {
            Spelling::Typed(rules, _) => rules.iter().nth(at),
            _ => None,
        }
    }

    /// The call as the one rule at a place would have it spelled; none where that rule alone refuses it.
    pub fn by_rule(&self, at: usize, call: &Call, tool: Option<&Tool>) -> Option<Call> {
        match &self.spelling {
            Spelling::List(normaliser) => {
                by_list(&Normaliser { rules: vec![*normaliser.rules.get(at)?] }, call)
            }
            Spelling::Typed(..) => {
                respelled(call, tool, RuleSet::NONE.with(self.typed_rule(at)?)).ok()
            }
            Spelling::Form(_) | Spelling::None => None,
        }
    }

    /// The rules that have a say in a call: those that change a value, and those that settle it.
    pub fn acting(&self, call: &Call, tool: Option<&Tool>) -> BTreeSet<&'static str> {
        if let Spelling::List(normaliser) = &self.spelling {
            let mut found = BTreeSet::new();
            if let Ok(value) = json::parse(&call.arguments, Dialect::Python) {
                acting(normaliser, &value, Place::Item, &mut found);
            }
            return found;
        }
        let explained = self.keyer.explain(call, tool).and_then(Result::ok);
        explained.into_iter().flat_map(|e| e.fired).map(|fired| fired.rule).collect()
    }
}

pub(crate) fn rewritten(rewrite: Option<Rewrite>, call: &Call, tool: Option<&Tool>) -> Call {
    rewrite.map_or_else(|| call.clone(), |rewrite| rewrite(call, tool))
}

pub(crate) fn with_arguments(call: &Call, arguments: String) -> Call {
    Call { tool: call.tool.clone(), arguments, scope: call.scope.clone() }
}

fn by_list(normaliser: &Normaliser, call: &Call) -> Option<Call> {
    let spelled = Normalised::with_rules("", normaliser.clone());
    let form = spelled.explain(call, None)?.ok()?.form;
    let arguments = form.strip_prefix(&call.tool)?.strip_prefix('|')?.to_owned();
    Some(with_arguments(call, arguments))
}

fn acting(
    normaliser: &Normaliser,
    value: &Value<'_>,
    place: Place,
    found: &mut BTreeSet<&'static str>,
) {
    match value {
        Value::Array(items) => {
            items.iter().for_each(|item| acting(normaliser, item, Place::Item, found));
        }
        Value::Object(members) => {
            members.iter().for_each(|m| acting(normaliser, &m.value, Place::Member, found));
        }
        _ => {
            let Some(mut scalar) = Scalar::read(value) else { return };
            for rule in &normaliser.rules {
                let before = scalar.clone();
                let Ok(flow) = rule.apply(&mut scalar, place) else { return };
                if flow != Flow::Next || scalar != before {
                    found.insert(rule.name());
                }
                if flow != Flow::Next {
                    return;
                }
            }
        }
    }
}
