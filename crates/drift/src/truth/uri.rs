//! URIs by RFC 3986, sections 6.2.2 and 6.2.3.

/// The normal form: scheme and host in small letters, unreserved characters decoded, hex digits of
/// other codes raised, dot segments removed, the scheme's own port and an empty one left out, `/` for an
/// empty path.
pub(super) fn normal(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let scheme = scheme.to_ascii_lowercase();
    let (rest, fragment) = cut(rest, '#');
    let (rest, query) = cut(rest, '?');
    let (authority, path) = match rest.find('/') {
        Some(at) => (&rest[..at], &rest[at..]),
        None => (rest, ""),
    };
    let own = match scheme.as_str() {
        "http" => "80",
        "https" => "443",
        _ => "",
    };
    let authority = match authority.rsplit_once(':') {
        Some((host, port)) if port.is_empty() || port == own => host,
        _ => authority,
    };
    let authority = authority.to_ascii_lowercase();
    let path = without_dots(&codes(path));
    let path = if path.is_empty() { "/".to_owned() } else { path };
    let tail = |mark: char, part: Option<&str>| {
        part.map_or(String::new(), |p| format!("{mark}{}", codes(p)))
    };
    format!("{scheme}://{authority}{path}{}{}", tail('?', query), tail('#', fragment))
}

fn cut(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(head, tail)| (head, Some(tail)))
}

fn codes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
                out.push(char::from(byte));
                rest = &rest[at + 3..];
            }
            Some(byte) => {
                out.push_str(&format!("%{byte:02X}"));
                rest = &rest[at + 3..];
            }
            None => {
                out.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn without_dots(path: &str) -> String {
    let Some(rest) = path.strip_prefix('/') else { return path.to_owned() };
    let mut kept: Vec<&str> = Vec::new();
    let segments: Vec<&str> = rest.split('/').collect();
    for (at, segment) in segments.iter().enumerate() {
        let last = at + 1 == segments.len();
        match *segment {
            "." | ".." => {
                if *segment == ".." {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            other => kept.push(other),
        }
    }
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn spellings_of_one_resource() {
        let plain = normal("https://example.com/a/~b?x=1#T");
        for other in [
            "HTTPS://Example.COM:443/a/./%7Eb?x=1#T",
            "https://example.com:/tmp/../a/~b?x=1#T",
            "https://example.com/%61/~b?x=1#T",
        ] {
            assert_eq!(normal(other), plain, "{other}");
        }
        assert_eq!(normal("http://h"), normal("http://h/"));
        assert_ne!(normal("https://example.com/A"), normal("https://example.com/a"));
        assert_ne!(normal("https://example.com/a/"), normal("https://example.com/a"));
        assert_eq!(normal("https://h/x%2fy"), normal("https://h/x%2Fy"));
        assert_ne!(normal("https://h/x%2Fy"), normal("https://h/x/y"));
    }
}
