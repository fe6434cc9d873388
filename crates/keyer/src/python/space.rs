//! White space as Python's `str.isspace`, `str.strip` and the `\s` of `re` have it.

use std::borrow::Cow;

use super::tables::SPACES;
use super::wtf8::{CodePoints, split_last};

/// Whether Python counts the code point as white space. Unlike Unicode's property it includes U+001C to U+001F.
pub fn is_space(point: u32) -> bool {
    match point {
        0x09..=0x0D | 0x1C..=0x20 => true,
        0..=0x7F => false,
        _ => SPACES.iter().any(|&(first, last)| (first..=last).contains(&point)),
    }
}

/// `str.strip()`: the text without white space at its ends.
pub fn strip(text: &[u8]) -> &[u8] {
    let mut start = CodePoints::new(text);
    let mut rest = text;
    while start.next().is_some_and(is_space) {
        rest = start.rest();
    }
    while let Some((before, point)) = split_last(rest) {
        if !is_space(point) {
            break;
        }
        rest = before;
    }
    rest
}

/// `re.sub(r"\s+", " ", text)`: each run of white space becomes one space. Borrows when nothing changes.
pub fn collapse(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(start) = first_untidy(text) else { return Cow::Borrowed(text) };
    let (tidy, untidy) = text.split_at(start);
    let mut out = Vec::with_capacity(text.len());
    out.extend_from_slice(tidy);
    // The tidy part may end with the first space of the run that the untidy part goes on with.
    let mut in_run = tidy.last() == Some(&b' ');
    let mut points = CodePoints::new(untidy);
    loop {
        let before = points.rest();
        let Some(point) = points.next() else { break };
        if !is_space(point) {
            out.extend_from_slice(&before[..before.len() - points.rest().len()]);
            in_run = false;
        } else if !in_run {
            out.push(b' ');
            in_run = true;
        }
    }
    Cow::Owned(out)
}

/// Where the first white space stands that is not a single U+0020.
fn first_untidy(text: &[u8]) -> Option<usize> {
    let mut points = CodePoints::new(text);
    let mut after_space = false;
    loop {
        let at = text.len() - points.rest().len();
        let point = points.next()?;
        if point == 0x20 && !after_space {
            after_space = true;
        } else if is_space(point) {
            return Some(at);
        } else {
            after_space = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_all_of_pythons_white_space() {
        assert_eq!(strip(b" \x1c\t a b\x1f\xc2\x85\xe3\x80\x80\n"), b"a b");
        assert_eq!(strip(b"\xe2\x80\x8ba"), b"\xe2\x80\x8ba", "the zero-width space is none");
        assert_eq!(strip(b" \n "), b"");
    }

    #[test]
    fn collapses_runs_and_borrows_what_is_tidy() {
        assert!(matches!(collapse(b"a b c"), Cow::Borrowed(b"a b c")));
        assert_eq!(&*collapse(b"a  b\tc \xc2\xa0 d"), b"a b c d");
        assert_eq!(&*collapse(b"a \n"), b"a ");
    }
}
