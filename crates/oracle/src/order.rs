//! Rule order does not matter where it is declared not to.
//!
//! Two laws. A rule says that the value before it and the value after it are equal, so the whole must give both one key:
//! whatever rules of a strategy are applied to a call **first**, the key is the same. And two neighbours of a list that
//! are declared to be [`free`] of each other may change places.

use crate::broken::{Broken, Law};
use crate::evidence;
use crate::near;
use crate::subject::Subject;
use samecall_call::{Call, Tool, Truth};
use samecall_keyer::rules::{Normaliser, Rule};
use samecall_keyer::typed::TypedRule;
use std::collections::BTreeSet;

/// What the laws saw of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// The rules changed the call, or the exchange was of two rules that act on it, and the key held.
    Held,
    /// The rules found nothing to do.
    Idle,
    /// The call has no key.
    Refused,
    /// Nothing is declared of these rules.
    Undeclared,
}

/// Whether a schema-directed rule may be applied before all others. The rest belong to later phases of the pass: what
/// they insert or leave out is there for good, and bars a rule that reads what is absent.
fn may_be_first(rule: TypedRule) -> bool {
    use TypedRule as T;
    !matches!(
        rule,
        T::DefaultInserted
            | T::ProseDefault
            | T::NullAbsent
            | T::EmptyAbsent
            | T::UndeclaredIgnored
            | T::VolatileLeftOut
            | T::PayloadApart
    )
}

/// Applies the rules at these places, one after the other, and then asks for the key.
///
/// # Errors
/// Where it is another key than without. The class are the rule that parts the two, as `NAME-first`, and the rules that act on
/// one of them alone.
pub fn first(subject: &Subject, call: &Call, tool: Option<&Tool>, places: &[usize]) -> Law<Seen> {
    let Some(key) = subject.key(call, tool) else { return Ok(Seen::Refused) };
    if subject.reads_names() && near::names(call) {
        return Ok(Seen::Undeclared);
    }
    let names = subject.rules();
    let mut at = call.clone();
    for &place in places {
        let Some(name) = names.get(place) else { continue };
        if subject.typed_rule(place).is_some_and(|rule| !may_be_first(rule)) {
            continue;
        }
        let Some(after) = subject.by_rule(place, &at, tool) else { continue };
        if subject.key(&after, tool) != Some(key) {
            let (was, is) = (subject.acting(&at, tool), subject.acting(&after, tool));
            let mut class: BTreeSet<String> =
                was.symmetric_difference(&is).map(|rule| (*rule).to_owned()).collect();
            class.insert(format!("{name}-first"));
            return Err(Broken::new(
                "order",
                class,
                format!("rules interact: after `{name}` alone the whole gives another key"),
                evidence::pair(Truth::Retry, &at, &after, tool),
            ));
        }
        at = after;
    }
    Ok(if at.arguments == call.arguments { Seen::Idle } else { Seen::Held })
}

/// Whether two rules on values are declared to give the same in either order.
///
/// Folding case and composing are not: folding takes letters apart that composing then joins with a mark behind them. Nor
/// is anything that a rule for numbers or timestamps reads as a whole free of what trims or collapses its white space.
pub fn free(a: Rule, b: Rule) -> bool {
    use Rule as R;
    let whole = |rule: Rule| matches!(rule, R::Timestamp(_) | R::IntegerText | R::DecimalText);
    let space = |rule: Rule| matches!(rule, R::Strip | R::CollapseSpace);
    match (a, b) {
        _ if a == b => true,
        (R::DropNullMember, _) | (_, R::DropNullMember) => true,
        (R::Nfc, R::CaseFold) | (R::CaseFold, R::Nfc) => false,
        // What has become a number is one for this rule alone, and may raise.
        (R::IntegralNumber, other) | (other, R::IntegralNumber) => !whole(other),
        _ => !(whole(a) && space(b) || space(a) && whole(b)),
    }
}

/// Moves the rule at a place before or behind others, to another place, where it is declared free of all that it passes.
///
/// # Errors
/// Where the list then gives another key. The class are the rule and those that it passed and that act on the call.
pub fn exchange(subject: &Subject, call: &Call, from: usize, to: usize) -> Law<Seen> {
    let Some(list) = subject.list() else { return Ok(Seen::Undeclared) };
    let count = list.rules.len();
    if from >= count || to >= count || from == to {
        return Ok(Seen::Undeclared);
    }
    let moved = list.rules[from];
    let passed = if from < to { &list.rules[from + 1..=to] } else { &list.rules[to..from] };
    if !passed.iter().all(|&rule| free(moved, rule)) {
        return Ok(Seen::Undeclared);
    }
    let as_declared = Subject::of_rules("as-declared", list.clone());
    let Some(key) = as_declared.key(call, None) else { return Ok(Seen::Refused) };
    let mut rules = list.rules.clone();
    let rule = rules.remove(from);
    rules.insert(to, rule);
    let exchanged = Subject::of_rules("exchanged", Normaliser { rules });
    let acting = as_declared.acting(call, None);
    let passed: Vec<&str> =
        passed.iter().map(|rule| rule.name()).filter(|name| acting.contains(name)).collect();
    if exchanged.key(call, None) == Some(key) {
        let both = acting.contains(moved.name()) && !passed.is_empty();
        return Ok(if both { Seen::Held } else { Seen::Idle });
    }
    let other = exchanged.respell(call, None).unwrap_or_else(|| call.clone());
    let class: Vec<&str> = passed.into_iter().chain([moved.name()]).collect();
    let why = format!("rules interact: `{}` is declared free of what it passed", moved.name());
    Err(Broken::new("order", class, why, evidence::pair(Truth::Retry, call, &other, None)))
}
