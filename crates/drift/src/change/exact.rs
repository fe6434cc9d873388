//! Changes of text: where every code point counts, and where only meaning does.

use crate::choice::Choices;
use crate::production::Production as P;
use crate::tree::{Node, Val};
use crate::write;
use samecall_call::json::{self, Dialect};
use unicode_normalization::UnicodeNormalization;

const HOMOGLYPHS: [(char, char); 8] = [
    ('a', 'а'),
    ('e', 'е'),
    ('o', 'о'),
    ('p', 'р'),
    ('c', 'с'),
    ('x', 'х'),
    ('A', 'А'),
    ('B', 'В'),
];

const OPPOSITES: [(&str, &str); 7] = [
    (" on ", " off "),
    (" off ", " on "),
    (" before ", " after "),
    (" without ", " with "),
    ("today", "tomorrow"),
    (" not ", " now "),
    (" failed", " succeeded"),
];

pub(super) fn apply(production: P, node: &mut Node<'_>, c: &mut Choices<'_>) -> bool {
    let Val::Text(text) = &node.value else { return false };
    match changed(production, text, c) {
        Some(new) if new != text.as_ref() => {
            node.value = Val::Text(new.into());
            true
        }
        _ => false,
    }
}

fn changed(production: P, text: &str, c: &mut Choices<'_>) -> Option<String> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    Some(match production {
        P::ZeroPadding if digits => match text.strip_prefix('0').filter(|rest| !rest.is_empty()) {
            Some(rest) => rest.to_owned(),
            None => format!("0{text}"),
        },
        P::VersionTail => {
            let (_, minor) = text.split_once('.')?;
            if minor.is_empty() || !minor.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            match (minor, text.strip_suffix('0')) {
                ("0", _) => text[..text.len() - 2].to_owned(),
                (_, Some(rest)) => rest.to_owned(),
                _ => format!("{text}0"),
            }
        }
        P::ExponentText => {
            let (head, zeros) = text.split_once('e')?;
            let zeros: usize = zeros.parse().ok().filter(|n| *n < 20)?;
            head.parse::<u32>().ok()?;
            format!("{head}{}", "0".repeat(zeros))
        }
        P::UnderscoreDigits if digits && text.len() > 3 => {
            let at = text.len() - 3;
            format!("{}_{}", &text[..at], &text[at..])
        }
        P::DigitScript if digits => {
            text.bytes().filter_map(|b| char::from_u32(0x0660 + u32::from(b - b'0'))).collect()
        }
        P::ExactCase => one_case(text, c)?,
        P::ExactSpace => match c.below(3) {
            0 => format!("{text} "),
            1 => format!(" {text}"),
            _ => text.replacen(' ', "  ", 1),
        },
        P::CodeIndent if text.contains("\n    ") => text.replace("\n    ", "\n  "),
        P::CodeIndent => text.replace("\n  ", "\n    "),
        P::CodeTab if text.contains('\t') => text.replace('\t', "    "),
        P::CodeTab => text.replace("    ", "\t"),
        P::CodeCrlf if text.contains("\r\n") => text.replace("\r\n", "\n"),
        P::CodeCrlf => text.replace('\n', "\r\n"),
        P::ExactNfd => text.nfd().collect(),
        P::ExactQuotes => {
            let at = text.find(['\'', '"', '-'])?;
            let new = match &text[at..=at] {
                "'" => '\u{2019}',
                "\"" => '\u{201c}',
                _ => '\u{2013}',
            };
            format!("{}{new}{}", &text[..at], &text[at + 1..])
        }
        P::JsonContent => {
            let parsed = json::parse(text, Dialect::Strict).ok()?;
            parsed.as_object()?;
            let mut new = String::new();
            write::respell(&mut new, &parsed);
            new
        }
        P::SharpS => text.replacen('ß', "ss", 1),
        P::Homoglyph => {
            let looks = |x: char| HOMOGLYPHS.iter().find(|(latin, _)| *latin == x).map(|(_, o)| *o);
            let count = text.chars().filter(|x| looks(*x).is_some()).count();
            let (at, letter) =
                text.char_indices().filter(|(_, x)| looks(*x).is_some()).nth(c.below(count))?;
            format!("{}{}{}", &text[..at], looks(letter)?, &text[at + 1..])
        }
        P::ZeroWidth => {
            // Between two letters, so that no trimming could take it away.
            let chars: Vec<(usize, char)> = text.char_indices().collect();
            let at =
                chars.windows(2).find(|w| w[0].1.is_alphanumeric() && w[1].1.is_alphanumeric())?[1]
                    .0;
            format!("{}\u{200b}{}", &text[..at], &text[at..])
        }
        P::ProseOpposite => {
            let found = OPPOSITES.iter().find(|(word, _)| text.contains(word));
            match found {
                Some((word, opposite)) => text.replacen(word, opposite, 1),
                None => format!("Do not believe it: {text}"),
            }
        }
        P::ProseNumber => {
            let at = text.bytes().position(|b| b.is_ascii_digit())?;
            let digit = (text.as_bytes()[at] - b'0' + 1 + c.below(9) as u8) % 10;
            format!("{}{digit}{}", &text[..at], &text[at + 1..])
        }
        _ => return None,
    })
}

/// The text with the case of one ASCII letter changed.
fn one_case(text: &str, c: &mut Choices<'_>) -> Option<String> {
    let count = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let chosen = c.below(count);
    let at = text.bytes().enumerate().filter(|(_, b)| b.is_ascii_alphabetic()).nth(chosen)?.0;
    let mut new = text.to_owned();
    let letter = new.get_mut(at..=at)?;
    if letter.as_bytes()[0].is_ascii_uppercase() {
        letter.make_ascii_lowercase();
    } else {
        letter.make_ascii_uppercase();
    }
    Some(new)
}
