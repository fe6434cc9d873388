//! Rules directed by a schema: a value is a whole call of a tool, and a rule's work is the call in the spelling that
//! the rule alone would give it.
//!
//! The rules are a set and are applied in one pass, so they have no order of their own; but that pass has phases, and
//! so has the law of order here: wrappers are opened, then names are read, then scalars, then what is absent and left
//! out, then single values are wrapped in lists, then sets are ordered. Within a phase the rules are tried in any order until nothing changes, and all phases
//! are repeated until nothing changes (a default that was inserted is a value with a spelling of its own); the end
//! must be what the pass gives at once.
//!
//! Why a pair of rules does not commute:
//!
//! - **An earlier phase feeds a later one** (`re-triggers`, none open): an opened wrapper has names, a read name is no
//!   longer absent, a trimmed text is empty, a text read as a number has a form. The pass runs the phases in this
//!   order, so what is fed is there when it is looked for.
//! - **A later phase, run first, bars an earlier one** (`disables`): a default that is inserted before names are read
//!   takes the place that a misspelt name was meant for; a value left out has no wrapper to open. The pass never runs
//!   them so.
//! - **One rule's work makes the other's** (`disables`, `parts`): of two rules that both act on one value, such as
//!   white space at the ends being trimmed or collapsed, whichever runs first leaves less to the other, and both
//!   orders end alike once repeated.

use super::article::literal;
use super::fragments::Draws;
use super::phases::{explanation, phase, reads_for};
use super::{Step, System, shrink};
use samecall_call::json::{self, Dialect, Member, Value};
use samecall_call::{Call, Catalog, Tool};
use samecall_drift::Generator;
use samecall_keyer::typed::{RuleSet, TypedRule, respelled};
use std::collections::HashMap;
use std::sync::Arc;

/// Spliced calls in a chunk, beside as many generated ones.
const CHUNK: usize = 500;
/// Rounds after which the phases are taken to go round in circles.
const ROUNDS: usize = 8;

/// Tools whose properties together have every field kind and annotation, each with texts that its kinds know. Written
/// for this search.
const TOOLS: [(&str, &[&str]); 16] = [
    (
        r#"{"properties":{"x":{"type":"string"},"y":{"type":"integer","default":3}}}"#,
        &["0042", "3", "3.0", "A"],
    ),
    (
        r#"{"properties":{"x":{"type":"number","multipleOf":0.01},"y":{"type":["integer","null"]}}}"#,
        &["0.30000000000000004", "+5", "1e2", "007"],
    ),
    (
        r#"{"properties":{"x":{"type":"boolean","default":true},"y":{"type":"boolean"}},"required":["y"]}"#,
        &["true", "TRUE", "False", "yes"],
    ),
    (
        r#"{"properties":{"x":{"enum":["a","B","ss","EUR"],"x-aliases":{"euro":"EUR","k":"a"}},"y":{"enum":[1,true,"z"]}}}"#,
        &["A", "b", "ß", "eur", "euro", "k", "1.0", "True"],
    ),
    (
        r#"{"properties":{"x":{"type":"string","x-identity":"token","x-aliases":{"a":"k","eur":"EUR"}}}}"#,
        &["A", "a", " eur", "EUR ", "K", "ß"],
    ),
    (
        r#"{"properties":{"x":{"type":"string","pattern":"^[A-Z]{1,3}$"}}}"#,
        &["eur", "EUR", "eUr", "abcd"],
    ),
    (
        r#"{"properties":{"x":{"type":"string","x-identity":"text","x-empty":"absent","default":"a  b"}}}"#,
        &["“x” – ‘y’", "a’s", "e\u{301}", " a\u{a0}b ", "–", "ΐ\u{345}", "A  B"],
    ),
    (
        r#"{"properties":{"x":{"type":"string","format":"date-time"},"y":{"x-identity":"instant"}}}"#,
        &[
            "2026-08-11T09:00:00Z",
            "2026-08-11t09:00:00.500z",
            "2026-08-11 11:00:00+02:00",
            "2026-08-11T09:00-0000",
            "2016-12-31T23:59:60Z",
        ],
    ),
    (
        r#"{"properties":{"x":{"type":"string","format":"time"},"y":{"type":"string","format":"date"}}}"#,
        &["09:30:00.50+01:00", "23:59:60Z", "00:10z", "09:30", "2026-08-11"],
    ),
    (
        r#"{"properties":{"x":{"type":"string","format":"uuid"},"y":{"type":"string","format":"email"}}}"#,
        &["A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "Ann@Example.ORG", "é@e.org"],
    ),
    (
        r#"{"properties":{"x":{"type":"string","format":"uri"},"y":{"type":"string","format":"phone"}}}"#,
        &[
            "HTTP://E.org:80/a/../%7eb",
            "http://e.org",
            "http://e.org/%2e%2E/%c3%a9",
            "https://e.org:443/./x",
            "+1 (555) 010-2030",
            "(0) 1.2",
        ],
    ),
    (
        r#"{"properties":{"x":{"type":"array","x-identity":"set","items":{"type":"string","x-identity":"text"}},"y":{"type":"array","items":{"type":"number"}}}}"#,
        &[r#"["b", "A", "a"]"#, r#"[1.0, "2"]"#, "1", "B"],
    ),
    (
        r#"{"properties":{"x":{"x-identity":"json"},"y":{"type":"object","properties":{"x":{"type":"integer","default":0}}}}}"#,
        &[r#"{"a": 1.0, "b": [null]}"#, r#"{"x":"1"}"#, "0e0", "[ 1 ]"],
    ),
    (
        r#"{"properties":{"x":{"x-identity":"volatile"},"y":{"type":"string","x-identity":"payload"},"z":{"type":"object","x-null":"absent","x-empty":"absent"}}}"#,
        &["n", "N", r#"{"a":null}"#],
    ),
    (
        r#"{"x-aliases":["u"],"properties":{"x":{"type":"integer"},"x_y":{"type":"string","x-identity":"text","default":"A"}}}"#,
        &["1", " A", "a"],
    ),
    (
        r#"{"properties":{"x_y":{"type":["string","null"],"default":"0"},"x":{"type":"array","x-identity":"set","x-empty":"absent","items":{"type":"object","properties":{"a_b":{"type":"integer","default":7}}}}}}"#,
        &[r#"{"a_b":"7"}"#, "[]", "0"],
    ),
];

/// The tool among them whose undeclared members are left out.
const IGNORES: usize = 14;

pub(super) struct Schema<'g> {
    rules: &'g [TypedRule],
    /// Draws calls of the catalog's tools.
    generator: Option<&'g Generator>,
    seed: u64,
    tools: Vec<Arc<Tool>>,
    /// The places in `tools` of the catalog's tools, by name and alias.
    by_name: HashMap<String, usize>,
}

/// A call of one of the tools.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Held {
    tool: usize,
    call: Call,
}

impl<'g> Schema<'g> {
    pub(super) fn new(
        rules: &'g [TypedRule],
        catalog: &Catalog,
        generator: &'g Generator,
        seed: u64,
    ) -> Self {
        // A test reads every schema; one that could not be read would only be absent here.
        let mut tools: Vec<Arc<Tool>> = TOOLS
            .iter()
            .enumerate()
            .filter_map(|(at, (schema, _))| {
                let mut tool = Tool::new("t", "", schema, None).ok()?;
                // An overlay says so; no schema can.
                tool.shape.ignore_undeclared = at == IGNORES;
                Some(Arc::new(tool))
            })
            .collect();
        let mut by_name = HashMap::new();
        for (_, tool) in catalog.tools() {
            by_name.insert(tool.name.clone(), tools.len());
            for alias in &tool.shape.tool_aliases {
                by_name.insert(alias.clone(), tools.len());
            }
            tools.push(Arc::clone(tool));
        }
        Schema { rules, generator: Some(generator), seed, tools, by_name }
    }

    /// Calls of one tool alone, which are not drawn.
    pub(super) fn of_tool(rules: &'g [TypedRule], tool: Tool) -> Self {
        let tools = vec![Arc::new(tool)];
        Schema { rules, generator: None, seed: 0, tools, by_name: HashMap::new() }
    }

    /// A call of the first tool, plainly laid out.
    pub(super) fn held(&self, call: Call) -> Held {
        self.plain(Held { tool: 0, call })
    }

    fn tool(&self, value: &Held) -> Option<&Tool> {
        self.tools.get(value.tool).map(Arc::as_ref)
    }

    fn respell(&self, rules: RuleSet, value: &Held) -> Option<Held> {
        let tool = self.tool(value);
        let written = match respelled(&value.call, tool, rules) {
            // Without the rule on repeated names a call that has one is refused outright. It is read with that rule
            // too; what that rule does alone is not this one's work.
            Err(refusal) if refusal.code() == "duplicate_name" => {
                let both =
                    respelled(&value.call, tool, rules.with(TypedRule::DuplicateName)).ok()?;
                let unique =
                    respelled(&value.call, tool, RuleSet::NONE.with(TypedRule::DuplicateName));
                if unique.is_ok_and(|unique| unique == both) {
                    return None;
                }
                both
            }
            written => written.ok()?,
        };
        Some(Held { tool: value.tool, call: written })
    }

    /// The same call as plainly laid out JSON, where it is JSON; repeated names stay.
    fn plain(&self, value: Held) -> Held {
        match json::parse(&value.call.arguments, Dialect::Strict) {
            Ok(arguments) => {
                let arguments = sorted(&arguments).to_string();
                Held { tool: value.tool, call: Call { arguments, ..value.call } }
            }
            Err(_) => value,
        }
    }

    fn set(&self, rules: &[usize]) -> RuleSet {
        rules.iter().filter_map(|&at| self.rules.get(at).copied()).collect()
    }

    /// A call of one of the searched tools.
    fn drawn(&self, draws: &mut Draws) -> Held {
        let tool = draws.below(TOOLS.len());
        let names = [
            "x", "y", "x", "y", "x", "y", "x", "y", "x", "z", "x_y", "xY", "X", "a_b", "é",
            "e\u{301}",
        ];
        let known = TOOLS[tool].1;
        let mut text = String::from("{");
        for at in 0..1 + draws.below(3) {
            if at > 0 {
                text.push(',');
            }
            text.push_str(&quoted(draws.of(&names)));
            text.push(':');
            text.push_str(&json_value(draws, known, 2));
        }
        text.push('}');
        match draws.below(24) {
            0 => text = quoted(&text),
            1 => text = format!("{{\"arguments\":{text}}}"),
            2 => text = ["", "null", "{}", " "][draws.below(4)].to_owned(),
            _ => {}
        }
        let name = if draws.below(8) == 0 { "u" } else { "t" };
        Held { tool, call: Call::new(name, text) }
    }
}

/// The value with the members of every object in the order of their names.
fn sorted(value: &Value<'_>) -> Value<'static> {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        Value::Object(members) => {
            let mut members: Vec<Member<'static>> = members
                .iter()
                .map(|m| Member { name: m.name.clone().into_owned(), value: sorted(&m.value) })
                .collect();
            members.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
            Value::Object(members)
        }
        other => other.clone().into_owned(),
    }
}

/// Whether an object anywhere has two members whose names are one but for `_`, `-` and ASCII case, or one name with two
/// values. What such a call says hangs on the near name's twin, or the call is refused.
fn has_near_names(value: &Value<'_>) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_near_names),
        Value::Object(members) => {
            let bare = |member: &Member<'_>| {
                let name = String::from_utf8_lossy(member.name.as_bytes()).to_ascii_lowercase();
                name.replace(['_', '-'], "")
            };
            let near = |(at, member): (usize, &Member<'_>)| {
                let twin = |m: &Member<'_>| m.name != member.name || m.value != member.value;
                members[..at].iter().any(|m| bare(m) == bare(member) && twin(m))
            };
            members.iter().enumerate().any(near) || members.iter().any(|m| has_near_names(&m.value))
        }
        // Arguments and objects may be carried as text.
        Value::String(text) => text
            .as_str()
            .filter(|text| text.contains('{'))
            .and_then(|text| json::parse(text, Dialect::Strict).ok())
            .is_some_and(|inner| has_near_names(&inner)),
        _ => false,
    }
}

pub(super) fn quoted(text: &str) -> String {
    Value::String(text.to_owned().into()).to_string()
}

/// The text of a JSON value of spliced pieces.
fn json_value(draws: &mut Draws, known: &[&str], depth: usize) -> String {
    if draws.below(3) == 0 {
        return quoted(draws.of(known));
    }
    let nested =
        |draws: &mut Draws, depth: usize| json_value(draws, known, depth.saturating_sub(1));
    match draws.below(if depth > 0 { 14 } else { 9 }) {
        0 => "null".to_owned(),
        1 => ["true", "false", "\"TRUE\"", "\"\"", "{}", "[]"][draws.below(6)].to_owned(),
        2 => draws.number(),
        3 => quoted(&draws.number()),
        4 | 5 => quoted(draws.of(known)),
        6 => quoted(&draws.spliced(known)),
        7 | 8 => quoted(&draws.text()),
        9 | 10 => {
            let items: Vec<String> = (0..draws.below(4)).map(|_| nested(draws, depth)).collect();
            format!("[{}]", items.join(","))
        }
        11 | 12 => {
            let names = ["x", "a_b", "aB", "a"];
            let first = draws.below(names.len());
            let members: Vec<String> = (0..draws.below(3))
                .map(|at| {
                    let name = names[(first + at) % names.len()];
                    format!("{}:{}", quoted(name), nested(draws, depth))
                })
                .collect();
            format!("{{{}}}", members.join(","))
        }
        _ => quoted(&nested(draws, depth)),
    }
}

impl System for Schema<'_> {
    type Value = Held;

    fn rules(&self) -> Vec<&'static str> {
        self.rules.iter().map(|rule| rule.name()).collect()
    }

    /// Spliced calls of the searched tools, then generated calls of the catalog's.
    fn chunk(&self, index: u64) -> Vec<Held> {
        let mut draws = Draws::new(self.seed ^ (index << 32));
        let mut values: Vec<Held> =
            (0..CHUNK).map(|_| self.plain(self.drawn(&mut draws))).collect();
        let pairs = self.generator.map(|generator| generator.batch(index, CHUNK / 2));
        for pair in pairs.into_iter().flatten() {
            for call in [pair.a, pair.b] {
                if let Some(&tool) = self.by_name.get(&call.tool) {
                    let call = Call::new(call.tool, call.arguments);
                    values.push(self.plain(Held { tool, call }));
                }
            }
        }
        values
    }

    fn apply(&self, rule: usize, value: &Held) -> Option<Step<Held>> {
        let rules = RuleSet::NONE.with(*self.rules.get(rule)?);
        let after = self.respell(rules, value)?;
        if after != *value {
            return Some(Step { value: after, ends: false });
        }
        // A rule that works only on what another has read: what it does then, where the other alone changes nothing.
        reads_for(*self.rules.get(rule)?).iter().find_map(|&reader| {
            let read = self.respell(RuleSet::NONE.with(reader), value)?;
            let within = self.respell(rules.with(reader), value)?;
            (read == *value && within != *value).then_some(Step { value: within, ends: false })
        })
    }

    fn whole(&self, rules: &[usize], value: &Held) -> Option<Held> {
        self.respell(self.set(rules), value)
    }

    fn reordered(&self, shuffled: &[usize], value: &Held) -> Held {
        let mut phased = shuffled.to_vec();
        // Stable, so that the order within a phase stays shuffled.
        phased.sort_by_key(|&at| self.rules.get(at).map_or(0, |rule| phase(*rule)));
        let mut at = value.clone();
        for _ in 0..ROUNDS {
            let before = at.clone();
            let place = |at: &usize| self.rules.get(*at).map_or(0, |rule| phase(*rule));
            for rules in phased.chunk_by(|a, b| place(a) == place(b)) {
                // A phase goes on until nothing changes: what one of its rules opens, another may read.
                for _ in 0..ROUNDS {
                    let entered = at.clone();
                    at = self.run(rules, &at);
                    if at == entered {
                        break;
                    }
                }
            }
            if at == before {
                break;
            }
        }
        at
    }

    fn equated(&self, rule: usize, value: &Held) -> Option<[Held; 2]> {
        let after = self.apply(rule, value)?.value;
        self.apply(rule, &after).is_none().then(|| [value.clone(), after])
    }

    fn smaller(&self, value: &Held) -> Vec<Held> {
        let Ok(arguments) = json::parse(&value.call.arguments, Dialect::Strict) else {
            return Vec::new();
        };
        let mut call = value.call.clone();
        let named = self.tool(value).map(|tool| tool.name.clone()).filter(|n| *n != call.tool);
        let mut out = Vec::new();
        if let Some(name) = named {
            out.push(Held { tool: value.tool, call: Call { tool: name, ..call.clone() } });
        }
        for smaller in shrink::values(&arguments.into_owned()) {
            call.arguments = smaller.to_string();
            if json::parse(&call.arguments, Dialect::Strict).is_ok() {
                out.push(self.plain(Held { tool: value.tool, call: call.clone() }));
            }
        }
        out
    }

    fn is_lawful(&self, value: &Held) -> bool {
        let arguments = json::parse(&value.call.arguments, Dialect::Strict);
        !arguments.is_ok_and(|arguments| has_near_names(&arguments))
    }

    fn explanation(&self, first: usize, second: usize) -> Option<&'static str> {
        let [first, second] = [self.rules.get(first)?, self.rules.get(second)?];
        explanation(*first, *second).or_else(|| explanation(*second, *first))
    }

    fn measure(&self, value: &Held) -> (usize, u64) {
        let text = &value.call.arguments;
        let alias = self.tool(value).is_some_and(|tool| tool.name != value.call.tool);
        let rank: u64 = text.chars().map(shrink::rank).sum();
        (text.chars().count() + usize::from(alias), rank)
    }

    /// The arguments, after the tool's name where that is a catalog's tool or an alias.
    fn show(&self, value: &Held) -> String {
        let arguments: String = value
            .call
            .arguments
            .chars()
            .map(|c| match c {
                ' '..='~' => c.to_string(),
                _ if c.is_alphanumeric() && c != '\u{345}' => c.to_string(),
                _ => literal(&c.to_string()).trim_matches('"').to_owned(),
            })
            .collect();
        match value.call.tool.as_str() {
            "t" => arguments,
            name => format!("{name} {arguments}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_searched_schema_is_read() {
        for (schema, _) in TOOLS {
            Tool::new("t", "", schema, None).unwrap_or_else(|e| panic!("{schema}: {e}"));
        }
    }
}
