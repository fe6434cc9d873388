//! From a value that shows something to a shortest one that still does.

use super::System;
use samecall_call::json::{self, Dialect, Member, Value};

/// Tries at the most, so that a large value cannot hold up the rest.
const TRIES: usize = 20_000;

/// Takes any simpler value that still shows it, until there is none.
pub(super) fn shortest<S: System>(
    system: &S,
    mut value: S::Value,
    shows: impl Fn(&S::Value) -> bool,
) -> S::Value {
    let mut tries = 0;
    loop {
        let measure = system.measure(&value);
        let simpler = system.smaller(&value).into_iter().find(|smaller| {
            tries += 1;
            system.measure(smaller) < measure && shows(smaller)
        });
        match simpler {
            Some(smaller) if tries < TRIES => value = smaller,
            _ => return value,
        }
    }
}

/// How plain a character is; less is plainer.
pub(super) fn rank(c: char) -> u64 {
    match c {
        '0' => 0,
        'a' => 1,
        ' ' => 2,
        '\u{20}'..='\u{7E}' => u64::from(c),
        // Beyond ASCII, and what no one can see, last.
        _ => 1_000 + u64::from(c),
    }
}

/// Texts with one stretch less, or one plainer character.
pub(super) fn texts(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut stretch = chars.len();
    while stretch > 0 {
        for at in (0..chars.len()).step_by(stretch) {
            let kept = chars.iter().take(at).chain(chars.iter().skip(at + stretch));
            out.push(kept.collect());
        }
        stretch /= 2;
    }
    for (at, &c) in chars.iter().enumerate() {
        for plain in ['0', 'a', ' '] {
            if rank(plain) < rank(c) {
                let mut changed = chars.clone();
                changed[at] = plain;
                out.push(changed.into_iter().collect());
            }
        }
    }
    out
}

/// JSON values with one part less, or a simpler one.
pub(super) fn values(value: &Value<'static>) -> Vec<Value<'static>> {
    let mut out = Vec::new();
    match value {
        Value::String(text) => {
            if let Some(text) = text.as_str() {
                out.extend(texts(text).into_iter().map(|text| Value::String(text.into())));
            }
        }
        Value::Number(text) => {
            let is_number =
                |text: &String| !text.contains(' ') && json::parse(text, Dialect::Strict).is_ok();
            out.extend(texts(text).into_iter().filter(is_number).map(|t| Value::Number(t.into())));
        }
        Value::Array(items) => {
            out.extend(items.iter().cloned());
            for at in 0..items.len() {
                let mut fewer = items.clone();
                fewer.remove(at);
                out.push(Value::Array(fewer));
            }
            for (at, item) in items.iter().enumerate() {
                for smaller in values(item) {
                    let mut changed = items.clone();
                    changed[at] = smaller;
                    out.push(Value::Array(changed));
                }
            }
        }
        Value::Object(members) => {
            for at in 0..members.len() {
                let mut fewer = members.clone();
                fewer.remove(at);
                out.push(Value::Object(fewer));
            }
            for (at, member) in members.iter().enumerate() {
                for smaller in values(&member.value) {
                    let mut changed = members.clone();
                    changed[at] = Member { name: member.name.clone(), value: smaller };
                    out.push(Value::Object(changed));
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::NonFinite(_) => {}
    }
    out
}
