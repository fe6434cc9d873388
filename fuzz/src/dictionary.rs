//! Dictionaries for the targets that read text: words of the corpus and of JSON Schema, in libFuzzer's format.

use crate::seeds::{catalog, values};
use samecall_call::json::{Dialect, Value, parse};
use std::collections::BTreeSet;
use std::io;

/// The longest word; libFuzzer takes none past 64 bytes.
const LONGEST: usize = 40;

/// Words of JSON itself.
const JSON: [&str; 30] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\\u00",
    "\\ud83d",
    "\\ude00",
    "\\n",
    "null",
    "true",
    "false",
    "NaN",
    "Infinity",
    "-",
    "0",
    "1e400",
    "-0",
    "0.1",
    "1E-7",
    "9007199254740993",
    "\"a\":",
    "{}",
    "[]",
    "\u{feff}",
    "e",
    ".",
];

/// The targets that have a dictionary.
pub const TARGETS: [&str; 4] = ["reader", "jcs", "catalog", "pairs"];

/// The dictionary of a target, one word on each line.
///
/// # Errors
/// When the corpus cannot be read.
pub fn dictionary(target: &str) -> io::Result<String> {
    let mut words: BTreeSet<String> = JSON.iter().map(|word| (*word).to_owned()).collect();
    if target == "catalog" {
        for (_, tool) in catalog()?.tools() {
            if let Ok(schema) = parse(&tool.parameters, Dialect::Python) {
                collect(&schema, &mut words);
            }
        }
    } else {
        values()?.iter().for_each(|value| collect(value, &mut words));
    }
    if target != "pairs" {
        // Records as a whole are for files alone.
        words.retain(|word| !word.contains("retry"));
    }
    let mut out = String::from("# Made of the corpus by `just fuzz-seeds`.\n");
    for word in words.iter().filter(|word| !word.is_empty() && word.len() <= LONGEST) {
        out.push('"');
        for byte in word.bytes() {
            match byte {
                b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
                b' '..=b'~' => out.push(char::from(byte)),
                _ => out.push_str(&format!("\\x{byte:02X}")),
            }
        }
        out.push_str("\"\n");
    }
    Ok(out)
}

/// Names as members begin, scalars as they are written.
fn collect(value: &Value<'_>, words: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(members) => {
            for member in members {
                if let Some(name) = member.name.as_str() {
                    words.insert(format!("\"{name}\":"));
                }
                collect(&member.value, words);
            }
        }
        scalar => {
            words.insert(scalar.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dictionary_has_words_of_the_corpus() {
        for target in TARGETS {
            let text = dictionary(target).unwrap();
            assert!(text.lines().count() > 100, "{target}");
            assert!(text.lines().skip(1).all(|line| line.starts_with('"') && line.ends_with('"')));
        }
        assert!(dictionary("catalog").unwrap().contains("x-identity"));
    }
}
