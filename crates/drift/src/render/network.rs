//! URIs, UUIDs, phone numbers and e-mail addresses in other spellings.

use crate::choice::Choices;
use crate::production::Production as P;
use crate::tree::{Node, Val};
use crate::truth::scalar;
use std::fmt::Write;

pub(super) fn apply(production: P, node: &mut Node<'_>, c: &mut Choices<'_>) -> bool {
    let Val::Text(text) = &node.value else { return false };
    let new = match production {
        // A default or an example may be any text.
        P::UuidCase if scalar::is_uuid(text) => Some(other_case(text)),
        P::UuidCase => None,
        P::EmailCase => {
            let raised = text.to_ascii_uppercase();
            Some(if raised == text.as_ref() { text.to_ascii_lowercase() } else { raised })
        }
        P::PhonePunctuation => phone(text, c),
        _ => uri(production, text, c),
    };
    match new {
        Some(new) if new != text.as_ref() => {
            node.value = Val::Text(new.into());
            true
        }
        _ => false,
    }
}

fn other_case(text: &str) -> String {
    let raised = text.to_ascii_uppercase();
    if raised == text { text.to_ascii_lowercase() } else { raised }
}

/// Where the parts of a URI with an authority begin: authority, path, and what follows the path.
fn parts(uri: &str) -> Option<(usize, usize, usize)> {
    let authority = uri.find("://")? + 3;
    let rest = &uri[authority..];
    let path = authority + rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let after = path + uri[path..].find(['?', '#']).unwrap_or(uri.len() - path);
    Some((authority, path, after))
}

fn uri(production: P, text: &str, c: &mut Choices<'_>) -> Option<String> {
    let (authority, path, after) = parts(text)?;
    let has_port = text[authority..path].contains(':');
    Some(match production {
        P::UriHostCase => {
            let chosen = c.below(3);
            let scheme = &text[..authority];
            let host = &text[authority..path];
            let (scheme, host) = match chosen {
                0 => (scheme.to_owned(), host.to_ascii_uppercase()),
                1 => (scheme.to_ascii_uppercase(), host.to_owned()),
                _ => (scheme.to_ascii_uppercase(), host.to_ascii_uppercase()),
            };
            format!("{scheme}{host}{}", &text[path..])
        }
        P::UriDefaultPort if !has_port => {
            let port = match text[..authority].to_ascii_lowercase().as_str() {
                "https://" => "443",
                "http://" => "80",
                _ => return None,
            };
            format!("{}:{port}{}", &text[..path], &text[path..])
        }
        P::UriEmptyPort if !has_port => format!("{}:{}", &text[..path], &text[path..]),
        P::UriPercent => {
            let bytes = text.as_bytes();
            let free = |at: &usize| {
                (bytes[*at].is_ascii_alphanumeric() || matches!(bytes[*at], b'-' | b'_' | b'~'))
                    && bytes[at.saturating_sub(2)..*at].iter().all(|b| *b != b'%')
            };
            let count = (path..after).filter(free).count();
            let at = (path..after).filter(free).nth(c.below(count))?;
            let mut out = text[..at].to_owned();
            // Writing to a String cannot fail.
            let _ = write!(out, "%{:02X}", bytes[at]);
            out.push_str(&text[at + 1..]);
            out
        }
        P::UriPercentCase => {
            let at = text.find('%')?;
            let code = other_case(text.get(at + 1..at + 3)?);
            format!("{}{code}{}", &text[..=at], &text[at + 3..])
        }
        P::UriDots if after > path => {
            format!("{}{}{}", &text[..path], c.of(&["/.", "/tmp/.."]), &text[path..])
        }
        P::UriEmptyPath if &text[path..after] == "/" => {
            format!("{}{}", &text[..path], &text[after..])
        }
        _ => return None,
    })
}

/// A phone number in groups.
fn phone(text: &str, c: &mut Choices<'_>) -> Option<String> {
    if !text.bytes().all(|b| b.is_ascii_digit() || b == b'+') || text.len() < 7 {
        return None;
    }
    let (lead, rest) = match text.strip_prefix('+') {
        Some(rest) => (format!("+{} ", &rest[..2]), &rest[2..]),
        None => (String::new(), text),
    };
    let (area, rest) = rest.split_at(3);
    let between = c.of(&[" ", "-", "."]);
    let (first, last) = rest.split_at(rest.len() / 2);
    Some(match c.below(2) {
        0 => format!("{lead}{area}{between}{first}{between}{last}"),
        _ => format!("{lead}({area}) {first}{between}{last}"),
    })
}
