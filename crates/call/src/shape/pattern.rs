//! Patterns of one letter case: `^[A-Z]{3}$` says that `usd` can only have meant `USD`.

use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// A pattern, anchored at both ends and of one letter case throughout.
#[derive(Debug, Clone)]
pub struct CasedPattern {
    regex: Regex,
}

impl CasedPattern {
    /// The pattern, if it is one that settles letter case: anchored at both ends, with cased letters
    /// in it, all of them of one case. A pattern that this engine cannot read settles nothing.
    pub fn new(pattern: &str) -> Option<Self> {
        let hir = regex_syntax::parse(pattern).ok()?;
        let mut cases = Cases::default();
        collect_cases(&hir, &mut cases);
        let anchored = is_anchored(&hir);
        if !anchored || cases.upper == cases.lower {
            return None;
        }
        let regex = Regex::new(pattern).ok()?;
        Some(CasedPattern { regex })
    }

    /// The text that is meant: the one among the text as written, raised and lowered that meets the
    /// pattern, when exactly one does. Letters change case one by one and only where the way back
    /// leads to the same letter: `ß` is not raised to `SS`, nor dotless `ı` to `I`.
    pub fn canonical(&self, text: &str) -> Option<String> {
        let mut found: Option<String> = None;
        let raised: String = text.chars().map(raise).collect();
        let lowered: String = text.chars().map(lower).collect();
        for candidate in [text.to_owned(), raised, lowered] {
            if self.regex.is_match(&candidate) && found.as_ref() != Some(&candidate) {
                if found.is_some() {
                    return None;
                }
                found = Some(candidate);
            }
        }
        found
    }
}

/// The capital of a letter that has just one, whose small letter it is in turn.
fn raise(c: char) -> char {
    other_case(c, c.to_uppercase(), |other| other.to_lowercase().eq([c]))
}

/// The small letter of a letter that has just one, whose capital it is in turn.
fn lower(c: char) -> char {
    other_case(c, c.to_lowercase(), |other| other.to_uppercase().eq([c]))
}

fn other_case(
    c: char,
    mut mapped: impl Iterator<Item = char>,
    returns: impl Fn(char) -> bool,
) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(other), None) if returns(other) => other,
        _ => c,
    }
}

#[derive(Default)]
struct Cases {
    upper: bool,
    lower: bool,
}

impl Cases {
    fn see(&mut self, c: char) {
        self.upper |= c.is_uppercase();
        self.lower |= c.is_lowercase();
    }
}

fn collect_cases(hir: &Hir, cases: &mut Cases) {
    match hir.kind() {
        HirKind::Literal(literal) => {
            String::from_utf8_lossy(&literal.0).chars().for_each(|c| cases.see(c));
        }
        HirKind::Class(Class::Unicode(class)) => {
            for range in class.ranges() {
                // A wide range (`.`, `\w`, a negated class) holds letters of both cases.
                if range.end() as u32 - range.start() as u32 > 512 {
                    cases.upper = true;
                    cases.lower = true;
                } else {
                    (range.start()..=range.end()).for_each(|c| cases.see(c));
                }
            }
        }
        HirKind::Class(Class::Bytes(class)) => {
            for range in class.ranges() {
                (range.start()..=range.end()).for_each(|b| cases.see(char::from(b)));
            }
        }
        HirKind::Repetition(repetition) => collect_cases(&repetition.sub, cases),
        HirKind::Capture(capture) => collect_cases(&capture.sub, cases),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().for_each(|part| collect_cases(part, cases));
        }
        HirKind::Empty | HirKind::Look(_) => {}
    }
}

fn is_anchored(hir: &Hir) -> bool {
    let properties = hir.properties();
    properties.look_set_prefix().contains(Look::Start)
        && properties.look_set_suffix().contains(Look::End)
}
