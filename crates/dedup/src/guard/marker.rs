//! The list or citation marker that a retriever puts before a chunk: `[9] `, `[9]: `, `[^9] `, `- [9] `, `(9) `, `9. `, `9) `.

use super::fold::same_but_case;

/// Months that follow an ordinal point in languages that write dates so: `5. Mai` is no marker.
const MONTHS_AFTER_POINT: &[&str] = &[
    "januar",
    "jänner",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
    "marts",
    "mars",
    "maj",
    "desember",
    "december",
    "ledna",
    "února",
    "března",
    "dubna",
    "května",
    "června",
    "července",
    "srpna",
    "září",
    "října",
    "listopadu",
    "prosince",
    "siječnja",
    "marta",
    "aprila",
    "juna",
    "jula",
];

/// Where the text begins after white space and one leading marker of at most three digits; 0 when there is none.
///
/// Something must follow the marker: after a bracket, anything; after the other forms, a letter that begins no month, so that
/// an amount in brackets and a date stay facts.
pub(crate) fn after_marker(text: &str) -> usize {
    parse(text).unwrap_or(0)
}

fn parse(text: &str) -> Option<usize> {
    let body = text.trim_start();
    // A bullet before a citation; one before anything else is judged as any punctuation.
    let body = body
        .strip_prefix(['-', '*', '•'])
        .and_then(|rest| rest.strip_prefix(' '))
        .map(str::trim_start)
        .filter(|rest| rest.starts_with('['))
        .unwrap_or(body);
    let (open, inside) = match body.chars().next()? {
        '[' => (Some('['), body[1..].strip_prefix('^').unwrap_or(&body[1..])),
        '(' => (Some('('), &body[1..]),
        _ => (None, body),
    };
    let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 3 {
        return None;
    }
    let close = inside[digits..].chars().next()?;
    let rest = &inside[digits + close.len_utf8()..];
    let rest = if open == Some('[') { rest.strip_prefix(':').unwrap_or(rest) } else { rest };
    let word = rest.trim_start();
    if word.len() == rest.len() || word.is_empty() {
        return None;
    }
    let begins_word =
        word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '"' || c == '\'');
    let fits = match (open, close) {
        (Some('['), ']') => true,
        (Some('('), ')') | (None, ')') => begins_word,
        (None, '.') => begins_word && !names_month(word),
        _ => false,
    };
    fits.then(|| text.len() - word.len())
}

fn names_month(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    MONTHS_AFTER_POINT.iter().any(|month| same_but_case(word, month))
}
