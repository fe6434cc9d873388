//! URIs by RFC 3986, sections 6.2.2 (case, percent-encoding, dot segments) and 6.2.3 (default port, empty path).
//!
//! Text that is no absolute URI is None and stays exact. Characters beyond ASCII, which RFC 3987 allows, stay as they
//! are: no encoding of one is taken for the other.

use super::rule::{RuleSet, TypedRule};

/// Schemes of the generic syntax whose empty path is `/`, and their default ports.
const DEFAULT_PORTS: [(&str, &str); 5] =
    [("http", "80"), ("https", "443"), ("ws", "80"), ("wss", "443"), ("ftp", "21")];

/// The canonical text of an absolute URI.
pub(super) fn canonical(text: &str, rules: RuleSet, fired: &mut RuleSet) -> Option<String> {
    let colon = text.find(':')?;
    let written_scheme = &text[..colon];
    let mut letters = written_scheme.bytes();
    if !letters.next()?.is_ascii_alphabetic()
        || !letters.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    {
        return None;
    }
    let mut scheme = written_scheme.to_owned();
    lower(&mut scheme, rules, fired);
    let rest = percent(&text[colon + 1..], rules, fired)?;
    let (rest, fragment) = split_at_first(&rest, "#");
    let (rest, query) = split_at_first(rest, "?");
    let (authority, written_path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = split_at_first(rest, "/");
            (Some(authority), path)
        }
        None => (None, rest),
    };
    let default = DEFAULT_PORTS.iter().find(|(known, _)| scheme.eq_ignore_ascii_case(known));
    let mut out = scheme;
    out.push(':');
    if let Some(authority) = authority {
        out.push_str("//");
        push_authority(&mut out, authority, default.map(|(_, port)| *port), rules, fired)?;
    }
    let mut path = written_path.to_owned();
    if rules.has(TypedRule::UriDots) && path.starts_with('/') {
        path = remove_dots(&path);
        if authority.is_none() && path.starts_with("//") {
            // It would be read as an authority; the dots stay.
            path = written_path.to_owned();
        }
        if path != written_path {
            fired.insert(TypedRule::UriDots);
        }
    }
    if path.is_empty()
        && authority.is_some()
        && default.is_some()
        && rules.has(TypedRule::UriScheme)
    {
        path.push('/');
        fired.insert(TypedRule::UriScheme);
    }
    out.push_str(&path);
    out.push_str(query);
    out.push_str(fragment);
    Some(out)
}

/// The text before the first occurrence of a mark, and the rest with the mark.
fn split_at_first<'t>(text: &'t str, mark: &str) -> (&'t str, &'t str) {
    text.split_at(text.find(mark).unwrap_or(text.len()))
}

/// Lowers ASCII letters, except the two digits of an escape.
fn lower(text: &mut String, rules: RuleSet, fired: &mut RuleSet) {
    if !rules.has(TypedRule::UriCase) || !text.bytes().any(|b| b.is_ascii_uppercase()) {
        return;
    }
    let mut escape = 0;
    let lowered: String = text
        .chars()
        .map(|c| {
            if c == '%' {
                escape = 3;
            }
            let kept = escape > 0;
            escape = i32::max(escape - 1, 0);
            if kept { c } else { c.to_ascii_lowercase() }
        })
        .collect();
    if lowered != *text {
        fired.insert(TypedRule::UriCase);
        *text = lowered;
    }
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Checks the characters, decodes escapes of unreserved ones and raises the others. None where a character cannot
/// stand in a URI or an escape is malformed.
fn percent(text: &str, rules: RuleSet, fired: &mut RuleSet) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '%' => {
                let escape = text.get(at + 1..at + 3)?;
                if !escape.bytes().all(|b| b.is_ascii_hexdigit()) {
                    return None;
                }
                let byte = u8::from_str_radix(escape, 16).ok()?;
                chars.nth(1);
                if !rules.has(TypedRule::UriPercent) {
                    out.push('%');
                    out.push_str(escape);
                } else if is_unreserved(byte) {
                    fired.insert(TypedRule::UriPercent);
                    out.push(char::from(byte));
                } else {
                    let raised = escape.to_ascii_uppercase();
                    if raised != escape {
                        fired.insert(TypedRule::UriPercent);
                    }
                    out.push('%');
                    out.push_str(&raised);
                }
            }
            '\0'..=' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' | '\x7F' => {
                return None;
            }
            _ if c.is_whitespace() || c.is_control() => return None,
            _ => out.push(c),
        }
    }
    Some(out)
}

fn push_authority(
    out: &mut String,
    authority: &str,
    default_port: Option<&str>,
    rules: RuleSet,
    fired: &mut RuleSet,
) -> Option<()> {
    let host_port = match authority.split_once('@') {
        Some((_, rest)) if rest.contains('@') => return None,
        Some((user, rest)) => {
            out.push_str(user);
            out.push('@');
            rest
        }
        None => authority,
    };
    // The colons of an address in brackets begin no port.
    let bracket = host_port.rfind(']').unwrap_or(0);
    let (host, port) = match host_port[bracket..].find(':') {
        Some(colon) => {
            let at = bracket + colon;
            (&host_port[..at], Some(&host_port[at + 1..]))
        }
        None => (host_port, None),
    };
    let mut host = host.to_owned();
    lower(&mut host, rules, fired);
    out.push_str(&host);
    match port {
        Some(port) if !port.bytes().all(|b| b.is_ascii_digit()) => return None,
        Some(port)
            if rules.has(TypedRule::UriScheme)
                && (port.is_empty() || Some(port) == default_port) =>
        {
            fired.insert(TypedRule::UriScheme);
        }
        Some(port) => {
            out.push(':');
            out.push_str(port);
        }
        None => {}
    }
    Some(())
}

/// RFC 3986, section 5.2.4, for a path that starts with `/`.
fn remove_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path[1..].split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if last {
                    // What a dot stood for is a directory.
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    let mut out = String::with_capacity(path.len());
    for segment in kept {
        out.push('/');
        out.push_str(segment);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(text: &str) -> Option<String> {
        canonical(text, RuleSet::ALL, &mut RuleSet::NONE.clone())
    }

    #[test]
    fn equivalent_uris_have_one_text() {
        for (written, text) in [
            ("HTTPS://Example.com/A", "https://example.com/A"),
            ("http://example.com", "http://example.com/"),
            ("http://example.com:/", "http://example.com/"),
            ("http://example.com:80/", "http://example.com/"),
            ("https://example.com:80/", "https://example.com:80/"),
            ("http://example.com?q=1", "http://example.com/?q=1"),
            ("http://example.com#f", "http://example.com/#f"),
            ("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D"),
            ("https://e.org/a%7Eb", "https://e.org/a~b"),
            ("https://e.org/%2E%2e/x", "https://e.org/x"),
            ("https://User:Pw@E.org/", "https://User:Pw@e.org/"),
            ("https://[2001:DB8::1]:443/x", "https://[2001:db8::1]/x"),
            ("https://[2001:DB8::]:443/x", "https://[2001:db8::]/x"),
            ("https://[2001:DB8::]:80/x", "https://[2001:db8::]:80/x"),
            ("https://[2001:DB8::]/x", "https://[2001:db8::]/x"),
            ("https://e.org/a/..", "https://e.org/"),
            ("https://e.org//a//b", "https://e.org//a//b"),
            ("https://e.org/?a=1&b=%2f", "https://e.org/?a=1&b=%2F"),
            ("https://e.org/café", "https://e.org/café"),
            ("http://e%2Dx.ORG%2F/", "http://e-x.org%2F/"),
            ("http://%2fA%c3%89B.ORG/", "http://%2Fa%C3%89b.org/"),
            ("urn:ISBN:0-395", "urn:ISBN:0-395"),
            // Without an authority these are paths as well, and with one two slashes are no harm.
            ("p:/a/./b", "p:/a/b"),
            ("p:/a/../b//c", "p:/b//c"),
            ("http://e.org/..//b", "http://e.org//b"),
            ("p:a/../b", "p:a/../b"),
            ("MAILTO:Ana@e.org", "mailto:Ana@e.org"),
            ("https://e.org/%2541", "https://e.org/%2541"),
            // Without its dots the path would be read as an authority.
            ("P:/.//", "p:/.//"),
            ("P:/a/..//b/%7e", "p:/a/..//b/~"),
        ] {
            assert_eq!(uri(written).as_deref(), Some(text), "{written}");
            assert_eq!(uri(text).as_deref(), Some(text), "{text}");
        }
    }

    #[test]
    fn what_is_no_absolute_uri_is_none() {
        for other in [
            "",
            "example.com",
            "/a/b",
            "//e.org/",
            "1http://e.org",
            "http://e.org/a b",
            "http://e.org/%",
            "http://e.org/%4",
            "http://e.org/%zz",
            "http://e.org:8x/",
            "http://a@b@c/",
            "http://e.org\\x",
            " http://e.org",
            "http://e.org/%é1",
            "http://e.org/a\u{a0}b",
            "http://e.org/a\u{2003}b",
            "http://e.org/a\u{9c}b",
        ] {
            assert_eq!(uri(other), None, "{other}");
        }
    }
}
