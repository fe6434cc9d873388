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
    /// pattern, when exactly one does.
    pub fn canonical(&self, text: &str) -> Option<String> {
        let mut found: Option<String> = None;
        for candidate in [text.to_owned(), text.to_uppercase(), text.to_lowercase()] {
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
