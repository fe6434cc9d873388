//! Defaults that stand only in a description: "Default is 10", "defaults to 'metric'".
//!
//! A reading is a suggestion. It is made only where the sentence ends with the value and the value is one that the field
//! could have: what is qualified, computed or described ("the current year", "all pages", "10 minutes") is no reading.

use super::{JsonType, Kind};
use crate::json::Value;
use std::borrow::Cow;

/// Phrases that come right before the value, the longest first where one begins another. All in lower case.
const LEADS: [&str; 17] = [
    "default value is set to",
    "default value is",
    "default value of",
    "default value:",
    "default is set to",
    "default set to",
    "defaults to",
    "defaulted to",
    "default to be",
    "default to",
    "defaults is",
    "default is:",
    "default is",
    "default as",
    "default:",
    "default =",
    "default",
];

/// What may stand after a value and says nothing else of it. All in lower case.
const TAILS: [&str; 12] = [
    "if not specified",
    "if not provided",
    "if not given",
    "if unspecified",
    "if omitted",
    "if none is provided",
    "if none provided",
    "when not specified",
    "when not provided",
    "when omitted",
    "by default",
    "if not set",
];

/// Words that a writer uses for the absence of a value, or for what no literal is.
const NO_VALUES: [&str; 22] = [
    "none",
    "null",
    "nil",
    "undefined",
    "empty",
    "nothing",
    "unspecified",
    "not",
    "no",
    "the",
    "a",
    "an",
    "any",
    "today",
    "now",
    "current",
    "everything",
    "this",
    "it",
    "to",
    "is",
    "value",
];

/// The default that a description names for a field of a kind, where it names one.
pub(super) fn default_in(
    description: &str,
    kind: &Kind,
    types: &[JsonType],
) -> Option<Value<'static>> {
    // Offsets are shared with the text as written, so only ASCII is lowered.
    let lower = description.to_ascii_lowercase();
    let mut found: Option<Value<'static>> = None;
    for (at, _) in lower.match_indices("default") {
        let starts_word = lower[..at]
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '-');
        if !starts_word {
            continue;
        }
        let reading = after(description, &lower, at, kind, types)
            .or_else(|| before(description, at, kind, types));
        let Some(reading) = reading else { continue };
        // Two readings that disagree are none.
        if found.as_ref().is_some_and(|known| *known != reading) {
            return None;
        }
        found = Some(reading);
    }
    found
}

/// The value after a lead that begins at an offset.
fn after(
    description: &str,
    lower: &str,
    at: usize,
    kind: &Kind,
    types: &[JsonType],
) -> Option<Value<'static>> {
    let lead = LEADS.iter().find(|lead| lower[at..].starts_with(**lead))?;
    let rest = &description[at + lead.len()..];
    let follows = rest.chars().next()?;
    if follows.is_alphanumeric() || follows == '_' {
        return None;
    }
    let rest = rest.trim_start();
    if let Kind::List(_) = kind {
        return list(rest);
    }
    let (value, quoted, tail) = split_value(rest)?;
    let is_number = matches!(kind, Kind::Number { .. });
    let value = if is_number { value.strip_prefix('$').unwrap_or(value) } else { value };
    // A bare "default" leads only to what cannot be read as the rest of a sentence: "Default 'x'", "Default 10".
    if *lead == "default" && !quoted && !is_number {
        return proper_name(rest, kind, types);
    }
    let before = &lower[..at];
    if is_nothing(tail) || (is_number && is_unit_or_gloss(tail, before)) {
        return read(value, quoted, kind, types);
    }
    if quoted { None } else { proper_name(rest, kind, types) }
}

/// The clause that a text begins with.
fn clause(text: &str) -> &str {
    let end = text.find([',', ';', '(', ')', '\n']).unwrap_or(text.len());
    let text = &text[..end];
    let end = text
        .match_indices('.')
        .map(|(at, _)| at)
        .find(|at| !text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_alphanumeric))
        .unwrap_or(text.len());
    text[..end].trim()
}

/// Whether what follows a number is its unit, which scales nothing: a compound unit, or the one in which the
/// description has said that the field is. "10 minutes" for a field in milliseconds is another number.
fn is_unit_or_gloss(tail: &str, before: &str) -> bool {
    let unit = clause(tail).to_ascii_lowercase();
    let unit = TAILS.iter().find_map(|phrase| unit.strip_suffix(phrase)).unwrap_or(&unit).trim();
    if unit.starts_with("for ") {
        return !unit.bytes().any(|b| b.is_ascii_digit());
    }
    let one_word = !unit.contains(' ');
    !unit.is_empty() && (before.contains(unit) || (one_word && unit.contains(['/', '^'])))
}

/// A bare name of several words, each with a capital: "Default is United States".
fn proper_name(rest: &str, kind: &Kind, types: &[JsonType]) -> Option<Value<'static>> {
    const MAX_WORDS: usize = 3;
    let name = clause(rest);
    let words = name.split_whitespace();
    let named = words.clone().all(|word| word.starts_with(|c: char| c.is_uppercase()));
    let count = words.count();
    if matches!(kind, Kind::Exact) && named && (2..=MAX_WORDS).contains(&count) {
        return read(name, false, kind, types);
    }
    None
}

/// A list that is named as empty or written out.
fn list(rest: &str) -> Option<Value<'static>> {
    let lower = rest.to_ascii_lowercase();
    let lower = lower.strip_prefix("an ").unwrap_or(&lower);
    if ["empty array", "empty list"].iter().any(|words| lower.starts_with(words)) {
        return Some(Value::Array(Vec::new()));
    }
    let end = rest.starts_with('[').then(|| rest.find(']')).flatten()?;
    let written = rest[..=end].replace('\'', "\"");
    match crate::json::parse(&written, crate::json::Dialect::Strict) {
        Ok(list @ Value::Array(_)) => Some(list.into_owned()),
        _ => None,
    }
}

/// "with 'air' as default": the value stands before the word.
fn before(description: &str, at: usize, kind: &Kind, types: &[JsonType]) -> Option<Value<'static>> {
    let words = description[..at].trim_end().strip_suffix("as")?;
    let words = words.strip_suffix([' ', '\t'])?.trim_end();
    let value = words.split_whitespace().next_back()?;
    words.strip_suffix(value)?.trim_end().strip_suffix("with")?;
    let inner = value.trim_matches(['\'', '"', '`']);
    read(inner, inner.len() < value.len(), kind, types)
}

/// The value at the beginning of a text, whether it stands in quotes, and what follows it.
fn split_value(text: &str) -> Option<(&str, bool, &str)> {
    const QUOTES: [(char, char); 5] =
        [('\'', '\''), ('"', '"'), ('`', '`'), ('\u{2018}', '\u{2019}'), ('\u{201C}', '\u{201D}')];
    let first = text.chars().next()?;
    if let Some((_, close)) = QUOTES.iter().find(|(open, _)| *open == first) {
        let inner = &text[first.len_utf8()..];
        let end = inner.find(*close)?;
        return Some((&inner[..end], true, &inner[end + close.len_utf8()..]));
    }
    // A bare value ends at a mark that ends a clause, unless the mark stands within it: 0.5, 1,000, m/s.
    let bytes = text.as_bytes();
    let end = text
        .char_indices()
        .find(|(at, c)| {
            let within = bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphanumeric());
            match c {
                '.' | ',' | ':' => !within,
                ';' | ')' | '(' | '\n' => true,
                _ => c.is_whitespace(),
            }
        })
        .map_or(text.len(), |(at, _)| at);
    Some((&text[..end], false, &text[end..]))
}

/// Whether what follows a value says nothing more of it.
fn is_nothing(tail: &str) -> bool {
    let mut tail = tail.trim_start();
    let lower = tail.to_ascii_lowercase();
    if let Some(phrase) = TAILS.iter().find(|phrase| lower.starts_with(**phrase)) {
        tail = tail[phrase.len()..].trim_start();
    }
    // What stands in brackets explains the value.
    tail.is_empty()
        || tail.starts_with(['.', ')', ';', ',', '(', '\n'])
        || tail.starts_with("which ")
}

/// The value as the field's type has it.
fn read(text: &str, quoted: bool, kind: &Kind, types: &[JsonType]) -> Option<Value<'static>> {
    let lower = text.to_ascii_lowercase();
    match kind {
        Kind::Boolean => match lower.as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Kind::Number { .. } => is_number(text).then(|| Value::Number(Cow::Owned(text.to_owned()))),
        Kind::Enum(members) => members
            .iter()
            .find(|member| member.as_str() == Some(text))
            .or_else(|| {
                let mut named = members
                    .iter()
                    .filter(|m| m.as_str().is_some_and(|m| m.eq_ignore_ascii_case(text)));
                named.next().filter(|_| named.next().is_none())
            })
            .cloned(),
        _ if types == [JsonType::String] => {
            let says_nothing = !quoted && (NO_VALUES.contains(&lower.as_str()) || text.is_empty())
                || matches!(lower.as_str(), "none" | "null");
            (!says_nothing).then(|| Value::String(text.to_owned().into()))
        }
        _ => None,
    }
}

/// Whether a text is a JSON number.
fn is_number(text: &str) -> bool {
    matches!(crate::json::parse(text, crate::json::Dialect::Strict), Ok(Value::Number(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_statements_are_read_and_descriptions_are_not() {
        let number = Kind::Number { grid: None };
        let of = |description: &str, kind: &Kind, of: JsonType| {
            default_in(description, kind, &[of]).map(|value| value.to_string())
        };
        for (description, reading) in [
            ("How many. Default is 10.", Some("10")),
            ("How many (default: 0.5)", Some("0.5")),
            ("How many, defaults to 8.854e-12 (vacuum)", Some("8.854e-12")),
            ("Time-out. Default is 10 minutes", None),
            ("Time-out in minutes. Default is 10 minutes", Some("10")),
            ("Speed. Default value is 9.8 m/s^2, on earth", Some("9.8")),
            ("Value. Default is $1000.", Some("1000")),
            ("Places. Default 0", Some("0")),
            ("Default is 10 percent of 50", None),
            ("default value of 3.", Some("3")),
            ("Default is 2023 if not specified.", Some("2023")),
            ("Default is the current year.", None),
            ("Default is 1st order.", None),
            ("Default is 5, the default is 6.", None),
            ("nondefault is 5", None),
        ] {
            assert_eq!(
                of(description, &number, JsonType::Number).as_deref(),
                reading,
                "{description}"
            );
        }
        for (description, reading) in [
            ("Unit. Default is 'metric'.", Some("\"metric\"")),
            ("Unit (defaults to meters).", Some("\"meters\"")),
            ("default is m/s.", Some("\"m/s\"")),
            ("Default ''", Some("\"\"")),
            ("Region. Default United States", Some("\"United States\"")),
            ("Type of gas, with air as default.", Some("\"air\"")),
            ("default is 'Homo sapiens' (Humans).", Some("\"Homo sapiens\"")),
            ("Default is none.", None),
            ("Defaults to 'null'", None),
            ("Default is the current date.", None),
            ("Defaults to all pages", None),
        ] {
            assert_eq!(
                of(description, &Kind::Exact, JsonType::String).as_deref(),
                reading,
                "{description}"
            );
        }
        assert_eq!(
            of("Default to True", &Kind::Boolean, JsonType::Boolean).as_deref(),
            Some("true")
        );
    }
}
