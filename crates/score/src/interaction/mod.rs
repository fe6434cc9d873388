//! The interaction matrix: every rule on every other rule's output, the whole applied twice, and other orders.
//!
//! Values are generated: fragments that rules look at, spliced, and what the drift generator draws. What is found is
//! shrunk to a shortest example. Chunks of values are a function of seed and index, and are added up in order, so the
//! same seed gives the same matrix on any number of cores.

mod article;
mod exhaustive;
mod fragments;
mod phases;
mod search;
mod shrink;
mod typed;

use crate::rule_list::{RuleList, Rules};
use samecall_call::Catalog;
use samecall_call::rules::{Exhaustive, Law, LawExample, Matrix};
use samecall_drift::Generator;

/// Rules on values: what a rule does to a value, and where values come from.
trait System: Sync {
    /// A value that rules work on.
    type Value: Clone + PartialEq + Send + Sync;

    /// The rules' names.
    fn rules(&self) -> Vec<&'static str>;

    /// The values of a chunk.
    fn chunk(&self, index: u64) -> Vec<Self::Value>;

    /// One rule on a value; none where it does not apply.
    fn apply(&self, rule: usize, value: &Self::Value) -> Option<Step<Self::Value>>;

    /// Some of the rules, by place and in order, as the strategy applies them; none where the value has no key.
    fn whole(&self, rules: &[usize], value: &Self::Value) -> Option<Self::Value>;

    /// All rules in another order; `shuffled` holds every place once.
    fn reordered(&self, shuffled: &[usize], value: &Self::Value) -> Self::Value;

    /// Two values that are as short as this one's and that the rule alone makes equal.
    fn equated(&self, rule: usize, value: &Self::Value) -> Option<[Self::Value; 2]>;

    /// Values that are simpler in one place.
    fn smaller(&self, value: &Self::Value) -> Vec<Self::Value>;

    /// How simple a value is; less is simpler.
    fn measure(&self, value: &Self::Value) -> (usize, u64);

    /// The value for people.
    fn show(&self, value: &Self::Value) -> String;

    /// Whether the laws speak of this value at all.
    fn is_lawful(&self, _value: &Self::Value) -> bool {
        true
    }

    /// Why two rules that do not commute are right as they are; none where nobody has said.
    fn explanation(&self, _first: usize, _second: usize) -> Option<&'static str> {
        None
    }

    /// Rules one after the other, each once.
    fn run(&self, rules: &[usize], value: &Self::Value) -> Self::Value {
        let mut at = value.clone();
        for &rule in rules {
            if let Some(step) = self.apply(rule, &at) {
                at = step.value;
                if step.ends {
                    break;
                }
            }
        }
        at
    }
}

/// What a rule that applies makes of a value.
struct Step<V> {
    value: V,
    /// No later rule is applied.
    ends: bool,
}

/// How to look for interactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search {
    /// Values to try; rounded up to whole chunks.
    pub values: u64,
    /// The seed of spliced values and of shuffled orders.
    pub seed: u64,
}

/// Runs every rule of a list on every other rule's output. The generator draws calls of the catalog's tools.
pub fn interactions(
    list: &RuleList,
    catalog: &Catalog,
    generator: &Generator,
    search: Search,
) -> Matrix {
    match &list.rules {
        Rules::List(rules) => {
            search::matrix(&article::Article::new(rules, generator, search.seed), true, search)
        }
        Rules::Set(rules) => search::matrix(
            &typed::Schema::new(rules, catalog, generator, search.seed),
            false,
            search,
        ),
    }
}

/// The whole list twice, and in other orders, on many values: what [`interactions`] also answers, without its matrix.
pub fn laws(list: &RuleList, catalog: &Catalog, generator: &Generator, search: Search) -> [Law; 2] {
    match &list.rules {
        Rules::List(rules) => {
            search::laws(&article::Article::new(rules, generator, search.seed), search)
        }
        Rules::Set(rules) => {
            search::laws(&typed::Schema::new(rules, catalog, generator, search.seed), search)
        }
    }
}

/// Both laws and all pairs of rules on every string of up to `longest` symbols over each field kind's trigger alphabet;
/// empty for a list of rules that knows no kinds. `seed` shuffles the orders.
pub fn exhaustive(list: &RuleList, longest: u32, seed: u64) -> Vec<Exhaustive> {
    match &list.rules {
        Rules::List(_) => Vec::new(),
        Rules::Set(rules) => exhaustive::run(rules, longest, seed),
    }
}

/// A law's example from three values.
fn law_example<S: System>(
    system: &S,
    [value, once, other]: [&S::Value; 3],
    order: Vec<String>,
) -> LawExample {
    let [value, once, other] = [value, once, other].map(|value| system.show(value));
    LawExample { value, once, other, order }
}
