//! What each fuzz target does with its bytes: which laws it asks, of what.
//!
//! Every function answers a word for what it saw, for counts that show that a run was not vacuous.

use crate::broken::Law;
use crate::input::{Input, is_explicit, of_tape, tape_of_round};
use crate::search::Memory;
use crate::subject::Subject;
use crate::world::World;
use crate::{fixed_point, order, pair, scope, search, total, values};
use samecall_call::{Call, Pair, Tool};

/// Bytes of one input that are read; a longer one is cut.
pub const MAX_BYTES: usize = 1 << 14;

/// Rules against each other and against the truth: spliced values, pairs of both truths, places, and any text.
///
/// # Errors
/// The first law that is broken.
pub fn normalizer(bytes: &[u8], subject: &Subject) -> Law<&'static str> {
    let (law, rest) = cut(bytes).split_first().unwrap_or((&0, &[]));
    in_rounds(rest, |round| one(*law, rest, round, subject))
}

/// A fuzzer spends far more on an input than our laws do: so what an input draws is drawn several times.
const ROUNDS: u16 = 12;

fn in_rounds(rest: &[u8], mut law: impl FnMut(u16) -> Law<&'static str>) -> Law<&'static str> {
    let rounds = if is_explicit(rest) { 1 } else { ROUNDS };
    let mut word = "nothing";
    for round in 0..rounds {
        word = law(round)?;
    }
    Ok(word)
}

/// One round of the target `normalizer`.
fn one(law: u8, rest: &[u8], round: u16, subject: &Subject) -> Law<&'static str> {
    let chosen = usize::from(law) / 32;
    if let 4..=6 = chosen {
        let tape = tape_of_round(rest, round);
        let seen = match chosen {
            6 => generated(&tape, subject),
            _ => pair_of(&tape, subject).map(pair_word),
        };
        return with_input(seen, || [&[law][..], &of_tape(&tape)].concat());
    }
    let mut input = Input::endless(rest, round);
    let seen = match chosen {
        0 | 1 => {
            let (call, tool) = values::call(&mut input);
            fixed_point::check(subject, &call, Some(tool)).map(fixed_word)
        }
        2 | 3 => order_of(&mut input, subject),
        _ => match input.below(2) {
            0 => {
                let [a, b] = scope::calls(&mut input);
                scope::check(subject, &a, &b).map(scope_word)
            }
            _ => any_text(&mut input, subject).map(total_word),
        },
    };
    with_input(seen, || [&[law][..], &input.explicit()].concat())
}

fn with_input<S>(seen: Law<S>, input: impl FnOnce() -> Vec<u8>) -> Law<S> {
    seen.map_err(|mut broken| {
        broken.input = Some(input());
        broken
    })
}

/// Both laws about the order of rules, on a call of spliced values.
fn order_of(input: &mut Input<'_>, subject: &Subject) -> Law<&'static str> {
    let places = [input.byte(), input.byte()].map(usize::from);
    let (call, tool) = values::call(input);
    let rules = subject.rules().len().max(1);
    let places = places.map(|place| place % rules);
    if subject.list().is_some() {
        order::exchange(subject, &call, places[0], places[1])?;
    }
    order::first(subject, &call, Some(tool), &places).map(order_word)
}

/// Two spellings of one intent.
///
/// # Errors
/// Where they have two keys, or one is no fixed point.
pub fn spellings(bytes: &[u8], subject: &Subject) -> Law<&'static str> {
    let bytes = cut(bytes);
    in_rounds(bytes, |round| {
        let mut tape = tape_of_round(bytes, round);
        // The first number decides the truth.
        tape[0] = 0;
        let input = |law: u8| [&[law][..], &of_tape(&tape)].concat();
        let seen = with_input(pair_of(&tape, subject), || input(128))?;
        with_input(generated(&tape, subject), || input(192))?;
        Ok(pair_word(seen))
    })
}

/// Two intents, in a directed search for one key.
///
/// # Errors
/// Where two distinct calls share a key.
pub fn collisions(bytes: &[u8], subject: &Subject, memory: &mut Memory) -> Law<&'static str> {
    Ok(match search::climb(subject, cut(bytes), memory)? {
        search::Seen::Gap(0) => "forms equal, parts not",
        search::Seen::Gap(1) => "forms one apart",
        search::Seen::Gap(2..=8) => "forms near",
        search::Seen::Gap(_) => "forms far",
        search::Seen::Formless => "no forms",
    })
}

fn pair_of(tape: &[u32], subject: &Subject) -> Law<pair::Seen> {
    with_tools(tape, |pair, tools| pair::check(subject, pair, tools))
}

/// The laws about rules, on calls as the generator spells them.
fn generated(tape: &[u32], subject: &Subject) -> Law<&'static str> {
    with_tools(tape, |pair, tools| {
        let mut word = "refused";
        for (call, tool) in [(&pair.a, tools[0]), (&pair.b, tools[1])] {
            word = fixed_word(fixed_point::check(subject, call, tool)?);
            let rules = subject.rules().len().max(1);
            let drawn = tape.get(1).map_or(0, |number| (number >> 16) as usize);
            order::first(subject, call, tool, &[drawn % rules, (drawn / rules) % rules])?;
        }
        Ok(word)
    })
}

fn with_tools<S>(tape: &[u32], law: impl FnOnce(&Pair, [Option<&Tool>; 2]) -> S) -> S {
    let world = World::shared();
    let pair = world.pair(tape);
    let tools = world.tools(&pair);
    law(&pair, [tools[0].as_deref(), tools[1].as_deref()])
}

/// A call of any text, with a tool or without.
fn any_text(input: &mut Input<'_>, subject: &Subject) -> Law<total::Seen> {
    let tools = values::tools();
    let tool = tools.get(input.below(tools.len() + 4)).map(|(tool, _)| tool);
    let text = String::from_utf8_lossy(input.rest());
    total::check(subject, &Call::new("t", text).at("r", "1"), tool)
}

fn cut(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(MAX_BYTES)]
}

fn fixed_word(seen: fixed_point::Seen) -> &'static str {
    match seen {
        fixed_point::Seen::Respelled => "respelled",
        fixed_point::Seen::AtRest => "at rest",
        fixed_point::Seen::Refused => "refused",
        fixed_point::Seen::Outside => "near names",
    }
}

fn order_word(seen: order::Seen) -> &'static str {
    match seen {
        order::Seen::Held => "rules first, key held",
        order::Seen::Idle => "rules idle",
        order::Seen::Refused => "refused",
        order::Seen::Undeclared => "order not declared",
    }
}

fn pair_word(seen: pair::Seen) -> &'static str {
    match seen {
        pair::Seen::Caught => "retry caught",
        pair::Seen::Apart => "told apart",
        pair::Seen::Outside => "outside the law",
    }
}

fn scope_word(seen: scope::Seen) -> &'static str {
    match seen {
        scope::Seen::Same => "one place",
        scope::Seen::Apart => "two places",
        scope::Seen::Refused => "place refused",
        scope::Seen::Outside => "no scope",
    }
}

fn total_word(seen: total::Seen) -> &'static str {
    match seen {
        total::Seen::Keyed => "text keyed",
        total::Seen::Refused => "text refused",
    }
}
