//! Text folding: simple case folding (so `ß` is not `ss`), and the shapes of prose that mean nothing.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::rule::{RuleSet, TypedRule};

/// Every character that simple case folding (Unicode's `CaseFolding.txt`, status C and S) joins with another one, and
/// the one that stands for all of them; sorted. Marks are left out.
fn fold_table() -> &'static [(char, char)] {
    static TABLE: OnceLock<Vec<(char, char)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let Ok(hir) =
            regex_syntax::parse(r"[\p{Changes_When_Casefolded}\p{Changes_When_Casemapped}]")
        else {
            return Vec::new();
        };
        let HirKind::Class(Class::Unicode(cased)) = hir.kind() else { return Vec::new() };
        let mut table = Vec::new();
        for c in cased.iter().flat_map(|range| range.start()..=range.end()) {
            // A mark is no letter: U+0345, which folds to iota, composes with a letter before it, so that of `ᾳ` folding
            // would make `αι` and composing `ᾳ`. Left alone, the two rules may come in any order.
            if is_combining_mark(c) {
                continue;
            }
            let mut equals = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
            equals.case_fold_simple();
            let all = || {
                let characters = equals.iter().flat_map(|range| range.start()..=range.end());
                characters.filter(|c| !is_combining_mark(*c))
            };
            // A small letter, as people expect.
            let chosen = all().find(|c| c.is_lowercase()).or_else(|| all().next());
            if let Some(chosen) = chosen.filter(|chosen| *chosen != c) {
                table.push((c, chosen));
            }
        }
        table
    })
}

/// A character under simple case folding.
pub(super) fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let table = fold_table();
    table.binary_search_by_key(&c, |(from, _)| *from).map_or(c, |at| table[at].1)
}

/// A text under simple case folding.
pub(super) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        if text.bytes().any(|b| b.is_ascii_uppercase()) {
            return Cow::Owned(text.to_ascii_lowercase());
        }
        return Cow::Borrowed(text);
    }
    match text.char_indices().find(|(_, c)| fold_char(*c) != *c) {
        None => Cow::Borrowed(text),
        Some((at, _)) => {
            let mut out = String::with_capacity(text.len() + 8);
            out.push_str(&text[..at]);
            out.extend(text[at..].chars().map(fold_char));
            Cow::Owned(out)
        }
    }
}

/// Whether two texts are equal under simple case folding.
pub(super) fn folds_equal(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
        || (!(a.is_ascii() && b.is_ascii())
            && a.chars().map(fold_char).eq(b.chars().map(fold_char)))
}

/// The NFC of a text.
pub(super) fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    let composed: String = text.nfc().collect();
    if composed == text { Cow::Borrowed(text) } else { Cow::Owned(composed) }
}

/// One shape for each kind of quotation mark: typographic and straight ones are the same mark.
fn quote(c: char) -> char {
    match c {
        '\u{2018}'..='\u{201B}' => '\'',
        '\u{201C}'..='\u{201F}' => '"',
        _ => c,
    }
}

/// One shape for all dashes: hyphens, figure, en and em dashes, the horizontal bar, the minus sign.
fn dash(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' => '-',
        _ => c,
    }
}

/// Prose in its one shape.
///
/// Folding can make a text that composes further (`J` with a caron has no composed form, `j` has one), so the steps are
/// repeated until nothing changes. Each of them only ever removes capitals, shapes, white space or decomposition and
/// none brings another one's back more than once, so few rounds do; a test tries every cased letter with every mark.
pub(super) fn canonical<'t>(text: &'t str, rules: RuleSet, fired: &mut RuleSet) -> Cow<'t, str> {
    const MAX_ROUNDS: usize = 8;
    if text.is_ascii() {
        return canonical_ascii(text, rules, fired);
    }
    let mut current = Cow::Borrowed(text);
    for _ in 0..MAX_ROUNDS {
        match round(&current, rules, fired) {
            Some(next) => current = Cow::Owned(next),
            None => break,
        }
    }
    current
}

/// The same for ASCII, where nothing composes, marks and dashes have one shape, and one round is enough.
fn canonical_ascii<'t>(text: &'t str, rules: RuleSet, fired: &mut RuleSet) -> Cow<'t, str> {
    // The ASCII part of White_Space, which has the vertical tab and not the separators from U+001C on.
    let is_space = |b: u8| matches!(b, b' ' | 9..=13);
    let mut trimmed = text;
    if rules.has(TypedRule::TextTrim) {
        trimmed = text.trim();
        if trimmed.len() != text.len() {
            fired.insert(TypedRule::TextTrim);
        }
    }
    let bytes = trimmed.as_bytes();
    if rules.has(TypedRule::TextFold) && bytes.iter().any(u8::is_ascii_uppercase) {
        fired.insert(TypedRule::TextFold);
    }
    let is_run = |pair: &[u8]| is_space(pair[0]) && is_space(pair[1]);
    if rules.has(TypedRule::TextSpace)
        && (bytes.iter().any(|b| matches!(b, 9..=13)) || bytes.windows(2).any(is_run))
    {
        fired.insert(TypedRule::TextSpace);
        let mut out = String::with_capacity(trimmed.len());
        let mut in_space = false;
        for b in trimmed.bytes() {
            if !is_space(b) {
                out.push(char::from(b));
            } else if !in_space {
                out.push(' ');
            }
            in_space = is_space(b);
        }
        if rules.has(TypedRule::TextFold) {
            out.make_ascii_lowercase();
        }
        return Cow::Owned(out);
    }
    if rules.has(TypedRule::TextFold) { fold(trimmed) } else { Cow::Borrowed(trimmed) }
}

/// Whether a text begins with an `I` that composes with a dot above it: the one letter `İ`, which folds to no other.
fn is_dotted_i(first: char, text: &str) -> bool {
    first == 'I'
        && text[1..].starts_with(is_combining_mark)
        && text.nfc().next().is_some_and(|letter| letter == 'İ')
}

/// All steps once; None where nothing changes.
fn round(text: &str, rules: RuleSet, fired: &mut RuleSet) -> Option<String> {
    let composed = if rules.has(TypedRule::TextNfc) { nfc(text) } else { Cow::Borrowed(text) };
    if matches!(composed, Cow::Owned(_)) {
        fired.insert(TypedRule::TextNfc);
    }
    let trimmed = if rules.has(TypedRule::TextTrim) { composed.trim() } else { &composed };
    if trimmed.len() != composed.len() {
        fired.insert(TypedRule::TextTrim);
    }
    let mut out = String::new();
    // Up to here the output is the input, so that nothing needs to be copied.
    let mut copied = 0;
    let mut in_space = false;
    for (at, c) in trimmed.char_indices() {
        let is_space = c.is_whitespace();
        let rule = if is_space && rules.has(TypedRule::TextSpace) {
            let next = if in_space { None } else { Some(' ') };
            in_space = true;
            if next == Some(c) {
                continue;
            }
            Some((TypedRule::TextSpace, next))
        } else {
            in_space = false;
            let step = |rule, next| (next != c && rules.has(rule)).then_some((rule, Some(next)));
            let folded = if is_dotted_i(c, &trimmed[at..]) { c } else { fold_char(c) };
            step(TypedRule::TextFold, folded)
                .or_else(|| step(TypedRule::TextQuote, quote(c)))
                .or_else(|| step(TypedRule::TextDash, dash(c)))
        };
        if let Some((rule, next)) = rule {
            fired.insert(rule);
            out.push_str(&trimmed[copied..at]);
            out.extend(next);
            copied = at + c.len_utf8();
        }
    }
    if copied == 0 && trimmed.len() == text.len() && matches!(composed, Cow::Borrowed(_)) {
        return None;
    }
    out.push_str(&trimmed[copied..]);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(text: &str) -> String {
        canonical(text, RuleSet::ALL, &mut RuleSet::NONE.clone()).into_owned()
    }

    #[test]
    fn folding_is_simple_and_not_full() {
        for (a, b, equal) in [
            ("USD", "usd", true),
            ("Straße", "STRASSE", false),
            ("straße", "STRAẞE", true),
            ("Σας", "σασ", true),
            ("İ", "i̇", false),
            ("ı", "i", false),
            ("K", "k", true),
            ("ﬀ", "ff", false),
            ("Ꭰ", "ꭰ", true),
            // The signs of kelvin and of the long s, beside ASCII.
            ("\u{212A}", "k", true),
            ("\u{17F}", "S", true),
        ] {
            assert_eq!(folds_equal(a, b), equal, "{a} {b}");
            assert_eq!(fold(a) == fold(b), equal, "{a} {b}");
        }
        assert!(fold_table().len() > 1_300 && fold_table().is_sorted());
        for (_, chosen) in fold_table() {
            assert_eq!(fold_char(*chosen), *chosen, "folding is idempotent");
        }
    }

    #[test]
    fn a_dotted_capital_i_folds_to_no_other_letter_however_it_is_written() {
        let folded = |text| {
            let rules = RuleSet::NONE.with(TypedRule::TextFold);
            canonical(text, rules, &mut RuleSet::NONE.clone()).into_owned()
        };
        for (text, to) in [
            ("İ", "İ"),
            ("I\u{307}", "I\u{307}"),
            ("I\u{307}\u{301}", "I\u{307}\u{301}"),
            ("I\u{323}\u{307}", "i\u{323}\u{307}"),
            ("I\u{301}", "i\u{301}"),
            ("E\u{307}", "e\u{307}"),
            ("IÉ", "ié"),
            ("ÉI", "éi"),
        ] {
            assert_eq!(folded(text), to, "{text:?}");
        }
    }

    #[test]
    fn shapes_of_prose_mean_nothing() {
        for (a, b) in [
            ("Hello  there.", "hello there."),
            ("a\r\nb", "a\nb"),
            ("José", "Jose\u{301}"),
            ("don’t “do” it", "don't \"do\" it"),
            ("10–12", "10-12"),
            ("a\u{a0}b ", "a b"),
            ("J\u{30C}", "ǰ"),
        ] {
            assert_eq!(prose(a), prose(b), "{a:?}");
        }
        for (a, b) in
            [("don't", "dont"), ("ß", "ss"), ("a b", "ab"), ("'", "\""), ("İ", "i̇"), ("a.", "a")]
        {
            assert_ne!(prose(a), prose(b), "{a:?}");
        }
    }

    #[test]
    fn ascii_is_read_as_all_other_text() {
        let pieces = ["a", "B", " ", "\t", "\u{b}", "\u{1c}", "'", "-"];
        for at in 0..pieces.len().pow(4) {
            let text: String =
                (0..4).map(|i| pieces[at / pieces.len().pow(i) % pieces.len()]).collect();
            // A character that no rule touches takes the general way.
            let general = prose(&format!("{text}\u{3b1}"));
            let ascii = prose(&format!("{text}x"));
            assert_eq!(general.strip_suffix('\u{3b1}'), ascii.strip_suffix('x'), "{text:?}");
        }
    }

    /// Two rules, the first one first, each as often as it does something.
    fn in_turn(text: &str, rules: [TypedRule; 2]) -> String {
        let mut at = text.to_owned();
        for _ in 0..8 {
            for rule in rules {
                at = canonical(&at, RuleSet::NONE.with(rule), &mut RuleSet::NONE.clone()).into();
            }
        }
        at
    }

    #[test]
    fn every_cased_letter_with_every_mark_is_stable_and_in_any_order() {
        let marks: Vec<char> = ('\u{300}'..='\u{36F}')
            .chain(['\u{1D16D}', '\u{3099}', ' ', '’', '–', '\u{345}'])
            .collect();
        let mut seen = 0;
        for (letter, _) in fold_table() {
            for first in &marks {
                for second in ['a', '\u{301}', '\u{307}', '\u{345}'] {
                    let text: String = [*letter, *first, second].iter().collect();
                    let once = prose(&text);
                    assert_eq!(prose(&once), once, "{text:?}");
                    let [nfc, fold] = [TypedRule::TextNfc, TypedRule::TextFold];
                    assert_eq!(
                        in_turn(&text, [nfc, fold]),
                        in_turn(&text, [fold, nfc]),
                        "{text:?}"
                    );
                    seen += 1;
                }
            }
        }
        assert!(seen > 500_000, "{seen}");
    }
}
