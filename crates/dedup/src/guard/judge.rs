//! Compares two texts and judges each token in which they differ.

use super::case;
use super::diff::{Alignment, align};
use super::fold::{fold, lower};
use super::form::{Difference, blank_difference, form_difference, judged, token_hash};
use super::tokens::{Kind, Token, Tokens};
use super::{Cause, Class, Level, Lexicon};

/// Differences (tokens gone and come) beyond which two texts count as too different to align.
const MAX_EDITS: usize = 128;
/// Tokens of a text beyond which no alignment is tried, so that memory stays small beside the text.
const MAX_TOKENS: usize = 1 << 17;

/// What the guard says about two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The normal forms are equal and letter case agrees where it counts.
    SameForm,
    /// The texts differ in tokens that the level lets differ.
    MayMerge,
    /// They differ in a fact.
    Refused(Cause),
}

/// One text, its tokens and what is known of each.
struct Side<'a> {
    tokens: Vec<Token<'a>>,
    noise: Vec<bool>,
    hashes: Vec<u64>,
    /// Whether the text has letters of both cases, so that a capital tells a name.
    cased: bool,
}

/// Whether `a` and `b` may stand for each other. Symmetric in its two texts.
pub fn compare(a: &str, b: &str, level: Level, lexicon: &Lexicon) -> Judged {
    if a == b {
        return Judged::SameForm;
    }
    let (a_folded, b_folded) = (fold(a), fold(b));
    match form_difference(&a_folded, &b_folded).unwrap_or_else(|| blank_difference(a, b)) {
        Difference::Nothing => return Judged::SameForm,
        Difference::Case if level == Level::Off => return Judged::SameForm,
        Difference::Case => {
            let pairs = Tokens::new(&a_folded).zip(Tokens::new(&b_folded));
            return if case::agrees(&a_folded, &b_folded, pairs) {
                Judged::SameForm
            } else {
                Judged::Refused(Cause::Case)
            };
        }
        Difference::Tokens => {}
    }
    if level == Level::Off {
        return Judged::MayMerge;
    }
    let (left, right) = match (Side::read(&a_folded, lexicon), Side::read(&b_folded, lexicon)) {
        (Ok(left), Ok(right)) => (left, right),
        (Err(cause), _) | (_, Err(cause)) => return Judged::Refused(cause),
    };
    let Some(alignment) = align(&left.hashes, &right.hashes, MAX_EDITS) else {
        return Judged::Refused(Cause::TooDifferent);
    };
    // The gravest cause of both sides, so that the answer does not depend on which text came first.
    let causes = left.causes(&alignment.left, level, lexicon).chain(right.causes(
        &alignment.right,
        level,
        lexicon,
    ));
    if let Some(cause) = causes.min() {
        return Judged::Refused(cause);
    }
    if moved(&left, &right, &alignment) {
        return Judged::Refused(Cause::Order);
    }
    if !case::agrees(&a_folded, &b_folded, aligned(&left, &right, &alignment)) {
        return Judged::Refused(Cause::Case);
    }
    Judged::MayMerge
}

impl<'a> Side<'a> {
    /// Reads the tokens; the cause for which a text cannot be aligned.
    fn read(folded: &'a str, lexicon: &Lexicon) -> Result<Self, Cause> {
        let cased =
            folded.chars().any(char::is_uppercase) && folded.chars().any(char::is_lowercase);
        let mut side = Side { tokens: Vec::new(), noise: Vec::new(), hashes: Vec::new(), cased };
        for (token, noise) in judged(folded, lexicon) {
            if side.tokens.len() == MAX_TOKENS {
                return Err(Cause::TooLong);
            }
            side.hashes.push(token_hash(&token));
            side.tokens.push(token);
            side.noise.push(noise);
        }
        // A text without a token is a form of its own, which no token stream equals.
        if side.tokens.is_empty() { Err(Cause::TooDifferent) } else { Ok(side) }
    }

    /// The facts among the tokens at these positions.
    fn causes<'s>(
        &'s self,
        at: &'s [usize],
        level: Level,
        lexicon: &'s Lexicon,
    ) -> impl Iterator<Item = Cause> + 's {
        at.iter().filter_map(move |&i| self.cause(i, level, lexicon))
    }

    /// What fact the token at `i` states, if any.
    fn cause(&self, i: usize, level: Level, lexicon: &Lexicon) -> Option<Cause> {
        if self.noise[i] {
            return None;
        }
        let token = self.tokens[i];
        match token.kind {
            Kind::Number => return Some(Cause::Number),
            Kind::Sign => return Some(Cause::Sign),
            Kind::Mark => return Some(Cause::Mark),
            Kind::Word => {}
        }
        let word = lower(token.text);
        if let Some(class) = lexicon.class(&word) {
            return Some(Cause::Lexicon(class));
        }
        // What is counted after a number is a unit, known or not.
        if i > 0 && self.tokens[i - 1].kind == Kind::Number {
            return Some(Cause::Lexicon(Class::Unit));
        }
        let mut chars = token.text.chars();
        let capital = chars.next().is_some_and(char::is_uppercase);
        // A part of an address, path or assignment: `ann@`, `/etc`, `b=`.
        let glue = |at: usize| {
            self.tokens
                .get(at)
                .is_some_and(|t| t.kind == Kind::Mark && "@/\\=#&~_-|".contains(t.text))
        };
        if glue(i + 1) || (i > 0 && glue(i - 1)) {
            return Some(Cause::Code);
        }
        if case::is_code(token.text) || chars.any(char::is_uppercase) || word.chars().count() == 1 {
            return Some(Cause::Code);
        }
        if capital || !self.cased {
            return Some(Cause::Name);
        }
        // Prefixes and suffixes that negate: `use`, `reuse`, `misuse`, `useless` differ in one token each.
        (level == Level::Strict
            || !word.is_ascii()
            || NEGATING.iter().any(|prefix| word.starts_with(prefix))
            || word.ends_with("less"))
        .then_some(Cause::Word)
    }
}

/// Whether a token that stands on one side only is a fact wherever it stands (but for noise words), so that texts which may
/// merge have the same sequence of them. `hash` is the token's.
pub(crate) fn is_always_a_fact(token: &Token<'_>, hash: u64, lexicon: &Lexicon) -> bool {
    if token.kind != Kind::Word {
        return true;
    }
    let text = token.text;
    if !text.is_ascii() {
        return !lower(text).is_ascii() && !lexicon.is_noise(text);
    }
    let first = text.as_bytes().first().map_or(0, u8::to_ascii_lowercase);
    let fact = text.len() == 1
        || lexicon.has_class_by_hash(hash)
        || case::is_code(text)
        || (matches!(first, b'a' | b'c' | b'd' | b'h' | b'i' | b'm' | b'n' | b'o' | b'u')
            && NEGATING.iter().any(|prefix| {
                text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
            }))
        || (text.len() >= 4 && text[text.len() - 4..].eq_ignore_ascii_case("less"));
    fact && !lexicon.is_noise(text)
}

/// Beginnings that turn a word into its opposite.
const NEGATING: &[&str] = &[
    "un", "in", "im", "ir", "il", "dis", "non", "mis", "anti", "de", "counter", "under", "over",
    "hyper", "hypo",
];

/// Whether a word went at one place and came at another.
fn moved(left: &Side<'_>, right: &Side<'_>, alignment: &Alignment) -> bool {
    alignment
        .left
        .iter()
        .filter(|&&i| !left.noise[i])
        .any(|&i| alignment.right.iter().any(|&j| left.hashes[i] == right.hashes[j]))
}

/// The pairs of aligned tokens in order.
fn aligned<'s, 'a>(
    left: &'s Side<'a>,
    right: &'s Side<'a>,
    alignment: &'s Alignment,
) -> impl Iterator<Item = (Token<'a>, Token<'a>)> + 's {
    let rest = |side: &'s Side<'a>, gone: &'s [usize]| {
        let mut gone = gone.iter().copied().peekable();
        side.tokens
            .iter()
            .enumerate()
            .filter(move |(i, _)| gone.next_if_eq(i).is_none())
            .map(|(_, token)| *token)
    };
    rest(left, &alignment.left).zip(rest(right, &alignment.right))
}
