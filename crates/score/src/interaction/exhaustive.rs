//! Every string of up to some symbols over the alphabet that a field kind's rules look at, through all pairs of rules
//! and both laws: what a random search may miss among short values, this cannot.
//!
//! A symbol is a character where one character triggers a rule, and a fragment where only a longer text does (a date,
//! an offset). Each string is tried as text and, where it is JSON, also bare.

use super::typed::{Held, Schema, quoted};
use super::{Search, Step, System, search};
use rayon::prelude::*;
use samecall_call::json::{self, Dialect};
use samecall_call::rules::{Cell, Exhaustive};
use samecall_call::{Call, Tool};
use samecall_keyer::typed::TypedRule;

/// Values in a chunk.
const CHUNK: u64 = 512;

/// A kind's name, the schema of the property `x` (empty where the strings are a whole call's arguments), and its
/// alphabet.
type Kind = (&'static str, &'static str, &'static [&'static str]);

/// The kinds of DESIGN's table, and the annotations that have rules of their own.
const KINDS: [Kind; 25] = [
    ("exact", r#"{"type":"string"}"#, &["a", "A", " ", "0", ".", "ß", "\u{301}"]),
    ("number", r#"{"type":"number"}"#, &["0", "1", "-", "+", ".", "e", " "]),
    ("number with a default", r#"{"type":"integer","default":10}"#, &["0", "1", "-", ".", "e"]),
    (
        "number on a grid",
        r#"{"type":"number","multipleOf":0.01}"#,
        &["0", "1", ".", "-", "e", "30000000000000004"],
    ),
    ("boolean", r#"{"type":"boolean"}"#, &["t", "T", "rue", "RUE", "false", "1", " "]),
    (
        "enum",
        r#"{"enum":["a","B","ss",1],"x-aliases":{"k":"a","sa":"B"}}"#,
        &["a", "A", "b", "s", "S", "ß", "k", "K"],
    ),
    (
        "token",
        r#"{"type":"string","x-identity":"token","x-aliases":{"a":"k"}}"#,
        &["a", "A", " ", "ß", "ſ", "K", "\u{301}"],
    ),
    (
        "token by pattern",
        r#"{"type":"string","pattern":"^[A-Z]{1,3}$"}"#,
        &["a", "A", "b", " ", "ß"],
    ),
    (
        "text",
        r#"{"type":"string","x-identity":"text"}"#,
        &["i", "I", " ", "\u{a0}", "“", "–", "\u{301}", "\u{307}", "\u{345}"],
    ),
    (
        "text, empty is absent",
        r#"{"type":"string","x-identity":"text","x-empty":"absent","default":"A"}"#,
        &["a", "A", " ", "\u{a0}", "\u{301}"],
    ),
    ("code", r#"{"type":"string","x-identity":"code"}"#, &["a", "A", " ", "\t", "\n", "ß"]),
    (
        "instant",
        r#"{"type":"string","format":"date-time"}"#,
        &["2026-08-11", "T", " ", "09:00", ":60", ".50", "Z", "+02"],
    ),
    (
        "instant or epoch",
        r#"{"x-identity":"instant"}"#,
        &["0", "1", ".", "e", "2026-08-11t09:00:00", "z", "-00:00"],
    ),
    (
        "uuid",
        r#"{"type":"string","format":"uuid"}"#,
        &["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1", "a", "A", "1", " ", "{"],
    ),
    (
        "uri",
        r#"{"type":"string","format":"uri"}"#,
        &["HTTP:", "//", "e.org", ":80", "/", "..", "%7e", "%2E"],
    ),
    (
        "time",
        r#"{"type":"string","format":"time"}"#,
        &["09:30", "23:59", ":60", ":00", ".50", "z", "+01:00"],
    ),
    ("phone", r#"{"type":"string","format":"phone"}"#, &["+", "1", "5", " ", "(", ")", "-", "."]),
    ("date", r#"{"type":"string","format":"date"}"#, &["2026-08-", "11", "1", " ", "T00:00Z"]),
    ("duration", r#"{"type":"string","format":"duration"}"#, &["P", "1", "D", "T", "24H", " "]),
    ("email", r#"{"type":"string","format":"email"}"#, &["a", "A", "@", ".", " ", "ß", "K"]),
    (
        "list",
        r#"{"type":"array","items":{"type":"number"}}"#,
        &["[", "]", "1", "\"1\"", ",", ".0", " "],
    ),
    (
        "set",
        r#"{"type":"array","x-identity":"set","x-empty":"absent","items":{"x-identity":"token"}}"#,
        &["[", "]", "\"a\"", "\"A\"", "\"b\"", ","],
    ),
    ("json", r#"{"x-identity":"json"}"#, &["{", "}", "\"a\":", "1", "1.0", ",", "[", "]"]),
    (
        "object",
        r#"{"type":"object","x-null":"absent","properties":{"a_b":{"type":"integer","default":1}}}"#,
        &["{", "}", "\"a_b\":", "\"aB\":", "1", "\"1\"", "null", ","],
    ),
    ("a whole call", "", &["{", "}", "\"x\":", "\"X\":", "\"arguments\":", "1", "null", ","]),
];

/// All strings of one kind, as calls.
struct Strings<'r> {
    schema: Schema<'r>,
    alphabet: &'static [&'static str],
    /// The longest strings, in symbols.
    longest: u32,
    /// Whether the strings are a whole call's arguments.
    whole: bool,
}

impl Strings<'_> {
    /// How many strings there are: 1 + n + n^2 + ...
    fn count(&self) -> u64 {
        let symbols = self.alphabet.len() as u64;
        (0..=self.longest).map(|length| symbols.pow(length)).sum()
    }

    /// The string of this number, shorter ones first.
    fn string(&self, mut number: u64) -> String {
        let symbols = self.alphabet.len() as u64;
        let mut length = 0;
        while number >= symbols.pow(length) {
            number -= symbols.pow(length);
            length += 1;
        }
        let mut text = String::new();
        for place in (0..length).rev() {
            let digit = number / symbols.pow(place) % symbols;
            text.push_str(self.alphabet[digit as usize]);
        }
        text
    }

    /// The calls that hold the string: as text, and bare where it is JSON.
    fn calls(&self, number: u64) -> Vec<Held> {
        let string = self.string(number);
        if self.whole {
            return vec![self.schema.held(Call::new("t", string))];
        }
        let in_x = |value: &str| self.schema.held(Call::new("t", format!("{{\"x\":{value}}}")));
        let mut calls = vec![in_x(&quoted(&string))];
        if json::parse(&string, Dialect::Strict).is_ok() {
            calls.push(in_x(&string));
        }
        calls
    }
}

impl<'r> System for Strings<'r> {
    type Value = Held;

    fn rules(&self) -> Vec<&'static str> {
        self.schema.rules()
    }

    fn chunk(&self, index: u64) -> Vec<Held> {
        let end = self.count().min((index + 1) * CHUNK);
        (index * CHUNK..end).flat_map(|number| self.calls(number)).collect()
    }

    fn apply(&self, rule: usize, value: &Held) -> Option<Step<Held>> {
        self.schema.apply(rule, value)
    }

    fn whole(&self, rules: &[usize], value: &Held) -> Option<Held> {
        self.schema.whole(rules, value)
    }

    fn reordered(&self, shuffled: &[usize], value: &Held) -> Held {
        self.schema.reordered(shuffled, value)
    }

    fn equated(&self, rule: usize, value: &Held) -> Option<[Held; 2]> {
        self.schema.equated(rule, value)
    }

    fn smaller(&self, value: &Held) -> Vec<Held> {
        self.schema.smaller(value)
    }

    fn measure(&self, value: &Held) -> (usize, u64) {
        self.schema.measure(value)
    }

    fn show(&self, value: &Held) -> String {
        self.schema.show(value)
    }

    fn is_lawful(&self, value: &Held) -> bool {
        self.schema.is_lawful(value)
    }

    fn explanation(&self, first: usize, second: usize) -> Option<&'static str> {
        self.schema.explanation(first, second)
    }
}

/// Tries every string of every kind; `seed` shuffles the orders.
pub(super) fn run(rules: &[TypedRule], longest: u32, seed: u64) -> Vec<Exhaustive> {
    KINDS.iter().filter_map(|kind| one(rules, kind, longest, seed)).collect()
}

/// None only for a schema that cannot be read, which a test rules out.
fn one(
    rules: &[TypedRule],
    (name, schema, alphabet): &Kind,
    longest: u32,
    seed: u64,
) -> Option<Exhaustive> {
    let whole = schema.is_empty();
    let property = if whole { r#"{"type":"integer","default":1}"# } else { schema };
    let tool = Tool::new("t", "", &format!(r#"{{"properties":{{"x":{property}}}}}"#), None).ok()?;
    let strings = Strings { schema: Schema::of_tool(rules, tool), alphabet, longest, whole };
    let states = strings.count();
    let values: u64 =
        (0..states).into_par_iter().map(|number| strings.calls(number).len() as u64).sum();
    let matrix = search::matrix(&strings, false, Search { values, seed });
    let open = |cell: &Cell| cell.interactions.iter().any(|found| found.open > 0);
    Some(Exhaustive {
        kind: (*name).to_owned(),
        alphabet: alphabet.iter().map(|symbol| (*symbol).to_owned()).collect(),
        longest: u64::from(longest),
        states,
        values: matrix.values,
        overlapping: matrix.overlapping,
        open: matrix.cells.into_iter().filter(open).collect(),
        idempotence: matrix.idempotence,
        order: matrix.order,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule_list::{RuleList, Rules};

    #[test]
    fn every_string_is_tried_once() {
        let schema = Schema::of_tool(&[], Tool::new("t", "", "{}", None).unwrap());
        let strings = Strings { schema, alphabet: &["a", "b"], longest: 5, whole: true };
        let mut all: Vec<String> = (0..strings.count()).map(|n| strings.string(n)).collect();
        assert_eq!(all.len(), 1 + 2 + 4 + 8 + 16 + 32);
        assert_eq!((all[0].as_str(), all[4].as_str(), all[62].as_str()), ("", "ab", "bbbbb"));
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 63);
    }

    #[test]
    fn every_kind_has_a_schema_and_rules_that_apply_to_its_strings() {
        let list = RuleList::of("typed").unwrap();
        let Rules::Set(rules) = &list.rules else { panic!("typed has a set of rules") };
        for (name, schema, alphabet) in &KINDS {
            // Strings of two symbols are enough to see that the schema is read; the full run is `samecall rules`.
            let property = if schema.is_empty() { "{}" } else { schema };
            let tool = format!(r#"{{"properties":{{"x":{property}}}}}"#);
            let tool = Tool::new("t", "", &tool, None).unwrap_or_else(|e| panic!("{name}: {e}"));
            let strings = Strings {
                schema: Schema::of_tool(rules, tool),
                alphabet,
                longest: 2,
                whole: schema.is_empty(),
            };
            let seen = strings.chunk(0);
            assert!(seen.len() >= alphabet.len(), "{name}");
            assert!(seen.iter().any(|value| strings.whole(&[], value).is_some()), "{name}");
        }
    }
}
