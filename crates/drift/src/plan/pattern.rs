//! Texts that meet a regular expression, drawn once when a tool is read.

use crate::choice::Choices;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Up to `count` texts that meet the pattern; none where it is no pattern that can be drawn from.
pub(super) fn samples(pattern: &str, count: usize, choices: &mut Choices<'_>) -> Vec<String> {
    let Ok(hir) = regex_syntax::parse(pattern) else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for _ in 0..count * 2 {
        let mut text = String::new();
        if !write(&hir, choices, &mut text) {
            break;
        }
        if found.len() < count && !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

fn write(hir: &Hir, choices: &mut Choices<'_>, out: &mut String) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => {
                out.push_str(text);
                true
            }
            Err(_) => false,
        },
        HirKind::Class(Class::Unicode(class)) => {
            // Printable ASCII where the class has some, so that `.` draws letters.
            let all: Vec<char> = class
                .iter()
                .flat_map(|r| r.start()..=r.end().min('~'))
                .filter(|c| (' '..='~').contains(c))
                .collect();
            let first = class.iter().next().map(|r| r.start());
            match choices.pick(&all).copied().or(first) {
                Some(c) => {
                    out.push(c);
                    true
                }
                None => false,
            }
        }
        HirKind::Class(Class::Bytes(_)) => false,
        HirKind::Repetition(repetition) => {
            let low = i64::from(repetition.min);
            let high = repetition.max.map_or(low + 4, i64::from).min(low + 8);
            let times = choices.between(low, high);
            (0..times.min(64)).all(|_| write(&repetition.sub, choices, out))
        }
        HirKind::Capture(capture) => write(&capture.sub, choices, out),
        HirKind::Concat(parts) => parts.iter().all(|part| write(part, choices, out)),
        HirKind::Alternation(parts) => {
            choices.pick(parts).is_some_and(|part| write(part, choices, out))
        }
    }
}
