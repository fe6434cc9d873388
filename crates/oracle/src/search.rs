//! A directed search for two distinct calls that share a key: from one pair of neighbours through the change grammar, toward
//! pairs whose canonical forms lie nearer to each other; and a memory of keys, for what no form shows.

use crate::broken::{Broken, Evidence, Law};
use crate::input::{change, digest, next, of_tape, tape};
use crate::pair;
use crate::subject::{Reach, Subject};
use crate::world::World;
use samecall_call::{Call, Pair, SchemaRef, Tool, Truth, Verdict};
use samecall_drift::truth;
use samecall_keyer::{Key, Outcome, verdict};
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;

/// Pairs tried from one input.
const STEPS: usize = 48;
/// Numbers of the tape that a pair really reads, mostly.
const READ: usize = 160;
/// Calls remembered; past them the oldest half goes, so that memory is bounded.
const REMEMBERED: usize = 200_000;

/// What the search saw from one input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// The forms came this near, in characters; no two calls shared a key.
    Gap(usize),
    /// No pair had two forms.
    Formless,
}

/// The calls of this run by their keys.
#[derive(Default)]
pub struct Memory {
    young: HashMap<Key, Held>,
    old: HashMap<Key, Held>,
}

/// A call that is remembered with what it was drawn from.
#[derive(Clone)]
struct Held {
    call: Call,
    tool: Arc<Tool>,
    keyed: Outcome,
}

/// Climbs from the pair that the bytes make. Deterministic but for what `memory` brings.
///
/// # Errors
/// The law `change` is broken by a pair on the way, or the law `collision` by a call and one that is remembered.
pub fn climb(subject: &Subject, bytes: &[u8], memory: &mut Memory) -> Law<Seen> {
    let world = World::shared();
    let mut at = tape(bytes);
    // The first number decides the truth.
    at[0] = u32::MAX << 16;
    let mut state = digest(bytes);
    let mut best = usize::MAX;
    for step in 0..STEPS {
        let mut tried = at.clone();
        if step > 0 {
            for _ in 0..1 + next(&mut state) % 2 {
                change(&mut tried[1..], READ, &mut state);
            }
        }
        let pair = world.pair(&tried);
        let tools = world.tools(&pair);
        let with = [tools[0].as_deref(), tools[1].as_deref()];
        pair::check(subject, &pair, with).map_err(|mut broken| {
            // As the normaliser target reads it: the law about pairs, and the tape.
            broken.input = Some([&[128][..], &of_tape(&tried)].concat());
            broken
        })?;
        for (call, tool) in [(&pair.a, &tools[0]), (&pair.b, &tools[1])] {
            if let Some(tool) = tool {
                remember(subject, call, tool, &pair.schema, memory)?;
            }
        }
        let gap = gap(subject, &pair, with).unwrap_or(usize::MAX);
        if gap <= best {
            (at, best) = (tried, gap);
        }
    }
    if best == usize::MAX {
        return Ok(Seen::Formless);
    }
    signal(best);
    Ok(Seen::Gap(best))
}

/// How far two forms are from each other: the characters between the prefix and the suffix that they share, of the longer.
fn gap(subject: &Subject, pair: &Pair, tools: [Option<&Tool>; 2]) -> Option<usize> {
    let form = |call: &Call, tool| Some(subject.keyer().explain(call, tool)?.ok()?.form);
    Some(distance(form(&pair.a, tools[0])?.as_bytes(), form(&pair.b, tools[1])?.as_bytes()))
}

fn distance(a: &[u8], b: &[u8]) -> usize {
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    a.len().max(b.len()) - suffix
}

/// Tells a fuzzer how near the search came: it keeps an input that turns a loop more often than any before, by powers
/// of two, so the nearer the forms, the more turns.
fn signal(gap: usize) {
    let nearness = 128_usize >> gap.min(7);
    for turn in 0..nearness {
        black_box(turn);
    }
}

/// Looks a call's key up among those remembered.
fn remember(
    subject: &Subject,
    call: &Call,
    tool: &Arc<Tool>,
    schema: &SchemaRef,
    memory: &mut Memory,
) -> Law<()> {
    let keyed = subject.keyer().key(call, Some(tool));
    let Some(key) = keyed.key() else { return Ok(()) };
    if let Some(known) = memory.young.get(&key).or_else(|| memory.old.get(&key)) {
        // One key with two payloads is a question, and no answer.
        if verdict(&known.keyed, &keyed) == Verdict::Same
            && let Some(pair) = distinct(subject, known, call, tool, schema)
        {
            let why = "two calls that were drawn apart share a key";
            let evidence = Evidence::Pair(Box::new(pair));
            return Err(Broken::new("collision", ["key"], why, evidence));
        }
        return Ok(());
    }
    if memory.young.len() >= REMEMBERED / 2 {
        memory.old = std::mem::take(&mut memory.young);
    }
    memory.young.insert(key, Held { call: call.clone(), tool: Arc::clone(tool), keyed });
    Ok(())
}

/// The two calls as a pair, where the second judge says that they are distinct in what the strategy speaks of.
fn distinct(
    subject: &Subject,
    known: &Held,
    call: &Call,
    tool: &Arc<Tool>,
    schema: &SchemaRef,
) -> Option<Pair> {
    let same_tool = Arc::ptr_eq(&known.tool, tool);
    if same_tool && subject.reach() == Reach::Words && pair::same_words(&known.call, call, tool) {
        return None;
    }
    let pair = Pair {
        id: "find".into(),
        set: "finds".into(),
        truth: Truth::Distinct,
        why: "collision".into(),
        drift: Vec::new(),
        cluster: "finds".into(),
        contradicts: None,
        productions: None,
        schema: if same_tool { schema.clone() } else { SchemaRef::ByName },
        a: known.call.clone(),
        b: call.clone(),
    };
    // Calls without a clear meaning are not judged.
    let clear = truth::intent(&known.call, &known.tool, false).is_ok()
        && truth::intent(call, tool, false).is_ok();
    let judged = !same_tool || truth::check(&pair, World::shared().catalog()).is_ok();
    (clear && judged).then_some(pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_share_ends_are_near() {
        assert_eq!(distance(b"abc", b"abc"), 0);
        assert_eq!(distance(b"abcd", b"abXd"), 1);
        assert_eq!(distance(b"aa", b"aaa"), 1);
        assert_eq!(distance(b"abc", b"xyz"), 3);
    }

    #[test]
    fn the_search_comes_nearer_than_where_it_began() {
        let subject = Subject::named("typed-scoped").unwrap();
        let mut memory = Memory::default();
        let mut gaps = Vec::new();
        for seed in 1..60_u16 {
            match climb(&subject, &seed.to_le_bytes(), &mut memory) {
                Ok(Seen::Gap(gap)) => gaps.push(gap),
                Ok(Seen::Formless) => {}
                Err(broken) => panic!("{broken}"),
            }
        }
        assert!(gaps.len() > 30, "{gaps:?}");
        // A hash that parts at random is some thirty bytes away.
        assert!(gaps.iter().filter(|gap| **gap <= 4).count() > gaps.len() / 2, "{gaps:?}");
    }
}
