//! What a token of digits says: a number, a day of a month, a version, a place in a document.

use super::words::key;

/// Words after which a number is a version.
pub(super) const VERSION_WORDS: &[&str] =
    &["version", "versions", "ver", "v", "revision", "rev", "release", "edition", "draft"];

/// Words after which a number with points is a place in a document.
pub(super) const SECTION_WORDS: &[&str] = &[
    "section",
    "sections",
    "sec",
    "clause",
    "clauses",
    "article",
    "articles",
    "art",
    "paragraph",
    "paragraphs",
    "para",
    "chapter",
    "chapters",
    "appendix",
    "annex",
    "schedule",
    "item",
    "figure",
    "fig",
    "table",
    "equation",
    "rule",
    "step",
    "part",
    "page",
    "ip",
    "host",
    "address",
    "§",
];

/// What a number with two points or more is.
pub(super) enum Dotted {
    /// It has fewer.
    No,
    /// `17.10.2015`; its last four bytes are the year.
    Date { month: u8, day: u8 },
    /// `1.10.0`
    Version,
    /// An address, a telephone number, a date of two digits: nothing that one revision may change.
    Other,
}

/// What a number with points is.
pub(super) fn dotted(text: &str) -> Dotted {
    let parts: Vec<&str> = text.split('.').collect();
    if parts.len() < 3 {
        return Dotted::No;
    }
    let short = |part: &str, most: u8| in_range(part, most);
    if let [first, second, third] = parts[..]
        && let (Some(day), Some(month)) = (short(first, 31), short(second, 12))
    {
        if is_digits(third, 4) && matches!(third.as_bytes()[0], b'1' | b'2') {
            return Dotted::Date { month, day };
        }
        // `17.10.15` may be a date; `1.2.3` hardly is.
        if is_digits(third, 2) && (first.len() == 2 && second.len() == 2) {
            return Dotted::Other;
        }
    }
    let is_octet = |part: &&str| part.parse::<u16>().is_ok_and(|n| n < 256);
    let is_address = parts.len() == 4 && parts.iter().all(is_octet);
    let is_telephone =
        parts.iter().all(|part| part.len() >= 2 && part.bytes().all(|b| b.is_ascii_digit()))
            && parts.iter().any(|part| part.len() >= 3);
    if is_address || is_telephone { Dotted::Other } else { Dotted::Version }
}

/// The key of a day of a month.
pub(super) fn date(month: u8, day: u8) -> u64 {
    key(&format!("\0date {month} {day}"))
}

/// Whether a text is so many digits.
pub(super) fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|b| b.is_ascii_digit())
}

/// A number of one or two digits from 1 to the most.
pub(super) fn in_range(text: &str, most: u8) -> Option<u8> {
    text.parse().ok().filter(|n| (1..=most).contains(n) && text.len() <= 2)
}

/// A day of a month, as a cardinal or ordinal.
pub(super) fn day(text: &str) -> Option<u8> {
    let digits =
        ["st", "nd", "rd", "th"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    in_range(digits, 31)
}

/// A number as it is compared: thousands separators gone, ordinals of one ending. Trailing zeros stay, since `1.10` may
/// be a version.
pub(super) fn value(text: &str) -> String {
    let low = text.to_lowercase();
    let mut groups = low.split(',');
    let first = groups.next().unwrap_or_default();
    let grouped = (1..=3).contains(&first.len())
        && low.contains(',')
        && groups.clone().all(|group| group.split('.').next().is_some_and(|g| is_digits(g, 3)));
    let low = if grouped { low.replace(',', "") } else { low };
    for end in ["st", "nd", "rd"] {
        if let Some(digits) = low.strip_suffix(end)
            && digits.bytes().all(|b| b.is_ascii_digit())
        {
            return format!("{digits}th");
        }
    }
    low
}

/// `v2`, `v1.2.3`: a `v` before a number.
pub(super) fn is_version(text: &str) -> bool {
    text.strip_prefix(['v', 'V']).is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.')
    })
}
