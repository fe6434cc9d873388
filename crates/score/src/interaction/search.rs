//! The search itself: values through all pairs of rules and through the whole, counts, and the shortest examples.

use super::fragments::Draws;
use super::{Search, Step, System, law_example, shrink};
use rayon::prelude::*;
use samecall_call::rules::{Cell, Interaction, InteractionExample, InteractionKind, Law, Matrix};
use std::collections::{BTreeMap, BTreeSet};

/// Chunks that are worked on before they are added up, at the most.
const WAVE: u64 = 64;
/// Chunks of the first wave, which tell how large a chunk is.
const FIRST_WAVE: u64 = 2;
/// Rounds after which two rules are taken to go round in circles.
const ROUNDS: usize = 8;
/// The best value of its sort so far: open ones before others, then the simplest.
struct Best<V> {
    open: bool,
    measure: (usize, u64),
    value: V,
}

impl<V> Best<V> {
    fn better(&self, other: &Best<V>) -> bool {
        (!self.open, self.measure) < (!other.open, other.measure)
    }
}

fn keep<V>(slot: &mut Option<Best<V>>, found: Best<V>) {
    if slot.as_ref().is_none_or(|kept| found.better(kept)) {
        *slot = Some(found);
    }
}

struct Seen<V> {
    values: u64,
    open: u64,
    best: Option<Best<V>>,
}

impl<V> Default for Seen<V> {
    fn default() -> Self {
        Seen { values: 0, open: 0, best: None }
    }
}

impl<V> Seen<V> {
    fn add(&mut self, other: Seen<V>) {
        self.values += other.values;
        self.open += other.open;
        if let Some(best) = other.best {
            keep(&mut self.best, best);
        }
    }
}

/// Places of the two rules, and the kind.
type At = (usize, usize, InteractionKind);

struct Found<V> {
    values: u64,
    applied: Vec<u64>,
    pairs: BTreeMap<At, Seen<V>>,
    /// Pairs of rules, the earlier first, that both apply to some value.
    overlapping: BTreeSet<(usize, usize)>,
    equated: Vec<Option<Best<V>>>,
}

impl<V> Found<V> {
    fn new(rules: usize) -> Self {
        Found {
            values: 0,
            applied: vec![0; rules],
            pairs: BTreeMap::new(),
            overlapping: BTreeSet::new(),
            equated: (0..rules).map(|_| None).collect(),
        }
    }

    fn add(&mut self, other: Found<V>) {
        self.values += other.values;
        self.applied.iter_mut().zip(other.applied).for_each(|(sum, n)| *sum += n);
        self.overlapping.extend(other.overlapping);
        for (at, seen) in other.pairs {
            self.pairs.entry(at).or_default().add(seen);
        }
        for (slot, best) in self.equated.iter_mut().zip(other.equated) {
            if let Some(best) = best {
                keep(slot, best);
            }
        }
    }
}

/// Adds up what a function finds in every chunk, in the order of the chunks.
fn over_chunks<S: System, F: Send>(
    system: &S,
    search: Search,
    one: impl Fn(u64, &[S::Value]) -> F + Sync,
    mut add: impl FnMut(F),
) {
    let (mut index, mut seen, mut next) = (0, 0, FIRST_WAVE);
    while seen < search.values {
        let wave: Vec<(u64, F)> = (index..index + next)
            .into_par_iter()
            .map(|index| {
                let values = system.chunk(index);
                (values.len() as u64, one(index, &values))
            })
            .collect();
        for (values, found) in wave {
            // A chunk beyond the number asked for does not count.
            if seen < search.values {
                seen += values;
                add(found);
            }
        }
        index += next;
        let chunk = (seen / index).max(1);
        next = search.values.saturating_sub(seen).div_ceil(chunk).clamp(1, WAVE);
    }
}

/// The matrix and both laws.
pub(super) fn matrix<S: System>(system: &S, ordered: bool, search: Search) -> Matrix {
    let names = system.rules();
    let mut all = Found::new(names.len());
    over_chunks(system, search, |_, values| examine(system, values), |found| all.add(found));
    // Shrinking an example takes longer than finding it.
    let shrunk: Vec<(At, Option<Interaction>)> =
        all.pairs.into_par_iter().map(|(at, seen)| (at, interaction(system, at, seen))).collect();
    let mut cells: BTreeMap<(usize, usize), Vec<Interaction>> = BTreeMap::new();
    for (at, interaction) in shrunk {
        cells.entry((at.0, at.1)).or_default().extend(interaction);
    }
    let [idempotence, order] = laws(system, search);
    Matrix {
        values: all.values,
        ordered,
        applied: all.applied,
        overlapping: all.overlapping.len() as u64,
        cells: cells
            .into_iter()
            .map(|((first, second), interactions)| Cell {
                first: names[first].to_owned(),
                second: names[second].to_owned(),
                explanation: system.explanation(first, second).map(str::to_owned),
                interactions,
            })
            .collect(),
        equates: all
            .equated
            .into_par_iter()
            .enumerate()
            .map(|(rule, best)| equates(system, rule, best?.value))
            .collect(),
        idempotence,
        order,
    }
}

fn examine<S: System>(system: &S, values: &[S::Value]) -> Found<S::Value> {
    let rules = system.rules().len();
    let mut found = Found::new(rules);
    for value in values {
        found.values += 1;
        let steps: Vec<Option<Step<S::Value>>> =
            (0..rules).map(|rule| system.apply(rule, value)).collect();
        // What every rule makes of every rule's output.
        let after: Vec<Vec<Option<Step<S::Value>>>> = steps
            .iter()
            .map(|step| match step {
                Some(step) if !step.ends => {
                    (0..rules).map(|rule| system.apply(rule, &step.value)).collect()
                }
                _ => Vec::new(),
            })
            .collect();
        let after = |first: usize, second: usize| after[first].get(second).and_then(Option::as_ref);
        for (first, step) in steps.iter().enumerate() {
            found.applied[first] += u64::from(step.is_some());
            if step.is_some() && system.equated(first, value).is_some() {
                let measure = system.measure(value);
                let best = Best { open: false, measure, value: value.clone() };
                keep(&mut found.equated[first], best);
            }
            for (second, other) in steps.iter().enumerate() {
                if first == second || (step.is_none() && other.is_none()) {
                    continue;
                }
                if first < second && step.is_some() && other.is_some() {
                    found.overlapping.insert((first, second));
                }
                let a = Way { step: step.as_ref(), after: after(first, second) };
                let b = Way { step: other.as_ref(), after: after(second, first) };
                for kind in kinds(value, a, b) {
                    let Some(open) = is_open(system, first, second, value) else { continue };
                    let seen = found.pairs.entry((first, second, kind)).or_default();
                    seen.values += 1;
                    seen.open += u64::from(open);
                    let measure = system.measure(value);
                    keep(&mut seen.best, Best { open, measure, value: value.clone() });
                }
            }
        }
    }
    found
}

/// One of the two orders: what the rule that runs first makes of the value, and the other of that.
struct Way<'s, V> {
    step: Option<&'s Step<V>>,
    after: Option<&'s Step<V>>,
}

impl<'s, V> Way<'s, V> {
    /// Where the order ends, given what the other rule makes of the value itself.
    fn end(&self, other: Option<&'s Step<V>>) -> Option<&'s V> {
        // Where the first does nothing, the other acts on the value as it is.
        self.after.or(self.step).or(other).map(|step| &step.value)
    }
}

/// How the first rule bears on the second at this value: `a` runs the first one first, `b` the second.
fn kinds<V: PartialEq>(value: &V, a: Way<'_, V>, b: Way<'_, V>) -> Vec<InteractionKind> {
    let mut kinds = Vec::new();
    if let (Some(step), Some(back)) = (b.step, b.after)
        && step.value != *value
        && back.value == *value
    {
        kinds.push(InteractionKind::Undoes);
    }
    if a.end(b.step) == b.end(a.step) {
        return kinds;
    }
    // Of two rules that both apply, one that no longer does after the other; of one that applies, the other that does
    // only then.
    let disables = |by: &Way<'_, V>, of: &Way<'_, V>| {
        by.step.is_some() && of.step.is_some() && by.after.is_none()
    };
    let retriggers = |by: &Way<'_, V>, of: &Way<'_, V>| {
        by.step.is_some() && of.step.is_none() && by.after.is_some()
    };
    if disables(&a, &b) {
        kinds.push(InteractionKind::Disables);
    } else if retriggers(&a, &b) {
        kinds.push(InteractionKind::Retriggers);
    } else if !disables(&b, &a) && !retriggers(&b, &a) {
        kinds.push(InteractionKind::Parts);
    }
    kinds
}

/// The same of a value of which nothing is known yet.
fn kinds_at<S: System>(
    system: &S,
    (first, second): (usize, usize),
    value: &S::Value,
) -> Vec<InteractionKind> {
    let (a, b) = (system.apply(first, value), system.apply(second, value));
    let next = |step: &Option<Step<S::Value>>, rule: usize| match step {
        Some(step) if !step.ends => system.apply(rule, &step.value),
        _ => None,
    };
    let (after_a, after_b) = (next(&a, second), next(&b, first));
    let way = |step, after| Way { step, after };
    kinds(value, way(a.as_ref(), after_a.as_ref()), way(b.as_ref(), after_b.as_ref()))
}

/// Whether the two rules, applied once as the strategy does, have not reached what both orders reach in the end; none
/// where the value has no key.
fn is_open<S: System>(system: &S, first: usize, second: usize, value: &S::Value) -> Option<bool> {
    let own = [first.min(second), first.max(second)];
    let once = system.whole(&own, value)?;
    let settled = |order: [usize; 2]| {
        let mut at = value.clone();
        for _ in 0..ROUNDS {
            let next = system.run(&order, &at);
            if next == at {
                break;
            }
            at = next;
        }
        at == once
    };
    let stable = system.whole(&own, &once).as_ref() == Some(&once);
    Some(!(stable && settled(own) && settled([own[1], own[0]])))
}

fn interaction<S: System>(
    system: &S,
    (first, second, kind): At,
    seen: Seen<S::Value>,
) -> Option<Interaction> {
    let Best { open, value, .. } = seen.best?;
    let shows = |value: &S::Value| {
        kinds_at(system, (first, second), value).contains(&kind)
            && is_open(system, first, second, value) == Some(open)
    };
    let value = shrink::shortest(system, value, shows);
    Some(Interaction {
        kind,
        values: seen.values,
        open: seen.open,
        example: InteractionExample {
            first_then_second: system.show(&system.run(&[first, second], &value)),
            second_then_first: system.show(&system.run(&[second, first], &value)),
            value: system.show(&value),
        },
    })
}

fn equates<S: System>(system: &S, rule: usize, value: S::Value) -> Option<[String; 2]> {
    let value = shrink::shortest(system, value, |value| system.equated(rule, value).is_some());
    system.equated(rule, &value).map(|pair| pair.map(|value| system.show(&value)))
}

/// A law's count, and its best counterexample with the order that shows it.
struct Breaks<V> {
    values: u64,
    broken: u64,
    best: Option<(Best<V>, Vec<usize>)>,
}

impl<V> Breaks<V> {
    const fn new() -> Self {
        Breaks { values: 0, broken: 0, best: None }
    }

    fn note(&mut self, found: Best<V>, order: Vec<usize>) {
        if self.best.as_ref().is_none_or(|(kept, _)| found.better(kept)) {
            self.best = Some((found, order));
        }
    }

    fn add(&mut self, other: Breaks<V>) {
        self.values += other.values;
        self.broken += other.broken;
        if let Some((best, order)) = other.best {
            self.note(best, order);
        }
    }
}

/// Idempotence and order-independence of the whole.
pub(super) fn laws<S: System>(system: &S, search: Search) -> [Law; 2] {
    let names = system.rules();
    let all: Vec<usize> = (0..names.len()).collect();
    let mut breaks = [Breaks::new(), Breaks::new()];
    let one = |chunk: u64, values: &[S::Value]| {
        let mut found = [Breaks::new(), Breaks::new()];
        for (place, value) in values.iter().enumerate() {
            let Some(once) = system.whole(&all, value).filter(|_| system.is_lawful(value)) else {
                continue;
            };
            let best = || Best { open: true, measure: system.measure(value), value: value.clone() };
            found[0].values += 1;
            if system.whole(&all, &once).as_ref() != Some(&once) {
                found[0].broken += 1;
                found[0].note(best(), Vec::new());
            }
            found[1].values += 1;
            // Every value in an order of its own.
            let mut order = all.clone();
            Draws::new(search.seed ^ (chunk << 20 | place as u64)).shuffle(&mut order);
            if system.reordered(&order, value) != once {
                found[1].broken += 1;
                found[1].note(best(), order);
            }
        }
        found
    };
    over_chunks(system, search, one, |found| {
        breaks.iter_mut().zip(found).for_each(|(sum, found)| sum.add(found));
    });
    breaks.map(|law| {
        let example = law.best.map(|(best, order)| {
            let again = |value: &S::Value, once: &S::Value| match order.is_empty() {
                true => system.whole(&all, once).unwrap_or_else(|| once.clone()),
                false => system.reordered(&order, value),
            };
            let breaks = |value: &S::Value| {
                system.is_lawful(value)
                    && system.whole(&all, value).is_some_and(|once| again(value, &once) != once)
            };
            let value = shrink::shortest(system, best.value, breaks);
            let once = system.whole(&all, &value).unwrap_or_else(|| value.clone());
            let other = again(&value, &once);
            let order = order.iter().map(|&at| names[at].to_owned()).collect();
            law_example(system, [&value, &once, &other], order)
        });
        Law { values: law.values, broken: law.broken, example }
    })
}
