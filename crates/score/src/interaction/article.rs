//! Rules on values: every scalar is a value, and a list is its rules one after the other, up to one that settles it.

use super::fragments::Draws;
use super::{Step, System, shrink};
use samecall_call::json::{self, Dialect, Value};
use samecall_drift::{Generator, PIECES};
use samecall_keyer::python;
use samecall_keyer::rules::{Flow, Place, Rule, Scalar};
use std::borrow::Cow;

/// Values in a chunk.
const CHUNK: u64 = 1_000;
/// Generated pairs whose scalars join a chunk.
const PAIRS: usize = 40;

pub(super) struct Article<'g> {
    rules: &'g [Rule],
    generator: &'g Generator,
    seed: u64,
}

/// A scalar at a place, or what has become of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Held {
    Here(Scalar<'static>, Place),
    /// The member that held it is gone.
    Gone,
    /// A rule raised, under this name.
    Raised(String),
}

impl<'g> Article<'g> {
    pub(super) fn new(rules: &'g [Rule], generator: &'g Generator, seed: u64) -> Self {
        Article { rules, generator, seed }
    }

    fn drawn(&self, draws: &mut Draws) -> Scalar<'static> {
        match draws.below(12) {
            0 => Scalar::Null,
            1 => Scalar::Bool(draws.below(2) == 0),
            2 | 3 => of_json(&draws.number()),
            _ => text(draws.text()),
        }
    }
}

fn text(text: String) -> Scalar<'static> {
    Scalar::Text(Cow::Owned(text.into_bytes()))
}

fn of_json(written: &str) -> Scalar<'static> {
    json::parse(written, Dialect::Python)
        .ok()
        .and_then(|value| Scalar::read(&value).map(owned))
        .unwrap_or(Scalar::Null)
}

fn owned(scalar: Scalar<'_>) -> Scalar<'static> {
    match scalar {
        Scalar::Null => Scalar::Null,
        Scalar::Bool(truth) => Scalar::Bool(truth),
        Scalar::Integer(digits) => Scalar::Integer(Cow::Owned(digits.into_owned())),
        Scalar::Float(float) => Scalar::Float(float),
        Scalar::Text(text) => Scalar::Text(Cow::Owned(text.into_owned())),
    }
}

/// All scalars of a value, each at its place.
fn scalars(value: &Value<'_>, place: Place, out: &mut Vec<Held>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| scalars(item, Place::Item, out)),
        Value::Object(members) => {
            members.iter().for_each(|member| scalars(&member.value, Place::Member, out));
        }
        _ => out.extend(Scalar::read(value).map(|scalar| Held::Here(owned(scalar), place))),
    }
}

/// One piece, or two, by number; none beyond them all.
fn short(number: u64) -> Option<String> {
    let pieces = PIECES.len() as u64;
    let piece = |at: u64| PIECES[(at % pieces) as usize];
    match number {
        n if n < pieces => Some(piece(n).to_owned()),
        n if n < pieces + pieces * pieces => {
            let n = n - pieces;
            Some(format!("{}{}", piece(n / pieces), piece(n)))
        }
        _ => None,
    }
}

/// The text of a scalar's canonical spelling.
fn spelled(scalar: &Scalar<'_>) -> Option<String> {
    Some(match scalar {
        Scalar::Integer(digits) => digits.clone().into_owned(),
        Scalar::Float(float) => {
            let mut out = Vec::new();
            python::repr(*float, &mut out);
            String::from_utf8(out).ok()?
        }
        Scalar::Text(text) => String::from_utf8(text.to_vec()).ok()?,
        Scalar::Null | Scalar::Bool(_) => return None,
    })
}

impl System for Article<'_> {
    type Value = Held;

    fn rules(&self) -> Vec<&'static str> {
        self.rules.iter().map(|rule| rule.name()).collect()
    }

    /// First every text of one piece or two, then spliced values and scalars of generated calls.
    fn chunk(&self, index: u64) -> Vec<Held> {
        let mut draws = Draws::new(self.seed ^ (index << 32));
        let mut values = Vec::new();
        for number in index * CHUNK..(index + 1) * CHUNK {
            let scalar = short(number).map_or_else(|| self.drawn(&mut draws), text);
            let place = if draws.below(2) == 0 { Place::Member } else { Place::Item };
            values.push(Held::Here(scalar, place));
        }
        for pair in self.generator.batch(index, PAIRS) {
            for call in [&pair.a, &pair.b] {
                if let Ok(arguments) = json::parse(&call.arguments, Dialect::Python) {
                    scalars(&arguments, Place::Item, &mut values);
                }
            }
        }
        values
    }

    fn apply(&self, rule: usize, value: &Held) -> Option<Step<Held>> {
        let Held::Here(scalar, place) = value else { return None };
        let mut after = scalar.clone();
        match self.rules.get(rule)?.apply(&mut after, *place) {
            Ok(Flow::Next) if after == *scalar => None,
            Ok(Flow::Next) => Some(Step { value: Held::Here(after, *place), ends: false }),
            Ok(Flow::Settled) => Some(Step { value: Held::Here(after, *place), ends: true }),
            Ok(Flow::Dropped) => Some(Step { value: Held::Gone, ends: true }),
            Err(refusal) => {
                Some(Step { value: Held::Raised(refusal.code().to_owned()), ends: true })
            }
        }
    }

    fn whole(&self, rules: &[usize], value: &Held) -> Option<Held> {
        match self.run(rules, value) {
            Held::Raised(_) => None,
            after => Some(after),
        }
    }

    fn reordered(&self, shuffled: &[usize], value: &Held) -> Held {
        self.run(shuffled, value)
    }

    /// A text and the canonical spelling of its value, both texts, so that no number equals a text here.
    fn equated(&self, rule: usize, value: &Held) -> Option<[Held; 2]> {
        let Held::Here(before, place) = value else { return None };
        let step = self.apply(rule, value)?;
        let twin = match (&step.value, before) {
            (Held::Here(after, _), Scalar::Text(_)) => Held::Here(text(spelled(after)?), *place),
            (after, _) => after.clone(),
        };
        let joins = match (&twin, before) {
            (Held::Here(..), Scalar::Text(_)) => self.run(&[rule], &twin) == step.value,
            _ => true,
        };
        (twin != *value && joins).then(|| [value.clone(), twin])
    }

    fn smaller(&self, value: &Held) -> Vec<Held> {
        let Held::Here(scalar, place) = value else { return Vec::new() };
        let mut out = Vec::new();
        match scalar {
            Scalar::Text(bytes) => {
                if let Ok(written) = std::str::from_utf8(bytes) {
                    out.extend(shrink::texts(written).into_iter().map(text));
                }
            }
            Scalar::Integer(_) | Scalar::Float(_) => {
                let written = spelled(scalar).unwrap_or_default();
                out.extend(
                    shrink::texts(&written)
                        .iter()
                        .filter(|text| json::parse(text, Dialect::Strict).is_ok())
                        .map(|text| of_json(text)),
                );
            }
            Scalar::Null | Scalar::Bool(_) => {}
        }
        let mut out: Vec<Held> = out.into_iter().map(|s| Held::Here(s, *place)).collect();
        if *place == Place::Member {
            out.push(Held::Here(scalar.clone(), Place::Item));
        }
        out
    }

    fn measure(&self, value: &Held) -> (usize, u64) {
        let Held::Here(scalar, place) = value else { return (0, 0) };
        let member = u64::from(*place == Place::Member);
        match spelled(scalar) {
            Some(text) => {
                (text.len(), text.chars().map(|c| 2 * shrink::rank(c)).sum::<u64>() + member)
            }
            None => (1, member),
        }
    }

    fn show(&self, value: &Held) -> String {
        match value {
            Held::Gone => "(absent)".to_owned(),
            Held::Raised(name) => format!("({name})"),
            Held::Here(Scalar::Null, _) => "null".to_owned(),
            Held::Here(Scalar::Bool(truth), _) => truth.to_string(),
            Held::Here(Scalar::Text(bytes), _) => literal(&String::from_utf8_lossy(bytes)),
            Held::Here(number, _) => spelled(number).unwrap_or_default(),
        }
    }
}

/// A JSON string literal in which whatever is no letter, digit or printable ASCII is escaped.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            _ if c.is_alphanumeric() && c != '\u{345}' => out.push(c),
            _ => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
    out
}
