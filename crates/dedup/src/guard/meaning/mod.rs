//! The fact guard for paraphrases: may two texts that a model holds to be alike stand for each other?
//!
//! The lexical guard aligns two texts and judges every word that has no partner. Here ordinary words may be replaced and
//! phrases may move, so both texts are read into [`Meaning`]s: content words, each with what ties it to its neighbours.
//! What must agree: numbers, dates, versions, units, money, marks, emoji, code, names, negations, opposites, modality, quantity,
//! direction, and who does what to whom, which in English is said by order and prepositions.
//!
//! Lists of function words are English; in other languages no word may be replaced and next to none may move, so that there
//! the guard refuses more.

mod function;
mod language;
mod numbers;
mod opposites;
mod order;
mod pairing;
mod words;

pub use words::Meaning;

use super::case;
use super::fold::lower;
use super::{Cause, Class, Level, Lexicon};
use order::Move;
use pairing::Pairing;
use words::{Sort, Word};

/// Fewest words without a partner that `strict` accepts, and the share of all words that it accepts in longer texts.
const STRICT_ALONE: usize = 4;
const STRICT_SHARE: usize = 10;

/// Why `a` must not stand for `b`; `None` when it may. Symmetric in its two texts.
pub fn refusal(a: &Meaning, b: &Meaning, level: Level, lexicon: &Lexicon) -> Option<Cause> {
    if level == Level::Off || a.text_eq(b) {
        return None;
    }
    if a.is_empty() || b.is_empty() {
        return Some(Cause::TooDifferent);
    }
    let pairing = Pairing::of(a, b, lexicon);
    if pairing.left_only.len() * pairing.right_only.len() > pairing::MAX_COMPARED {
        return Some(Cause::TooDifferent);
    }
    let mut causes: Vec<Cause> = Vec::new();
    let sides = [
        (a, &pairing.left_only, b, &pairing.right_only),
        (b, &pairing.right_only, a, &pairing.left_only),
    ];
    for (side, alone, other, others) in sides {
        for &at in alone {
            causes.extend(word_cause(side, at, other, others, level, lexicon));
        }
    }
    if let Some(cause) = causes.into_iter().min() {
        return Some(cause);
    }
    if replaced_unit(a, b, &pairing) {
        return Some(Cause::Lexicon(Class::Unit));
    }
    if (a.genders.0 != b.genders.0) && (a.genders.1 != b.genders.1) {
        return Some(Cause::Lexicon(Class::Person));
    }
    if ties_differ(a, b, &pairing) {
        return Some(Cause::Role);
    }
    match order::judge(a, b, &pairing, lexicon) {
        Move::Kept => {}
        Move::Likely if level == Level::Facts => {}
        _ => return Some(Cause::Order),
    }
    if names_differ(a, b, &pairing) {
        return Some(Cause::Name);
    }
    if !cases_agree(a, b, &pairing) {
        return Some(Cause::Case);
    }
    let alone = pairing.left_only.len() + pairing.right_only.len();
    let all = a.words.len() + b.words.len();
    if level == Level::Strict && alone > STRICT_ALONE.max(all / STRICT_SHARE) {
        return Some(Cause::TooDifferent);
    }
    None
}

/// Whether a word that one text has alone states a fact.
fn word_cause(
    side: &Meaning,
    at: usize,
    other: &Meaning,
    others: &[usize],
    level: Level,
    lexicon: &Lexicon,
) -> Option<Cause> {
    let word = &side.words[at];
    let text = side.text(word);
    match word.sort {
        Sort::Number { signed } => {
            let same_size = |&j: &usize| {
                matches!(other.words[j].sort, Sort::Number { signed: s } if s != signed)
                    && other.text(&other.words[j]) == text
            };
            return Some(if others.iter().any(same_size) { Cause::Sign } else { Cause::Number });
        }
        Sort::Version => return Some(Cause::Version),
        Sort::Mark => {
            return Some(if word.class == Some(Class::Unit) {
                Cause::Lexicon(Class::Unit)
            } else {
                Cause::Mark
            });
        }
        Sort::Not => return Some(Cause::Lexicon(Class::Negation)),
        Sort::Person => return person_cause(word, other, others),
        Sort::Plain => {}
    }
    let low = lower(text);
    let alone_there = || others.iter().map(|&j| &other.words[j]);
    let opposed = |there: &Word| opposites::opposed(&low, &lower(other.text(there)), lexicon);
    // `off` has no partner that could be missing: `on` is a preposition.
    if low == "off" || alone_there().any(opposed) {
        return Some(Cause::Lexicon(Class::Opposite));
    }
    // One in the place of another of its kind: `weekly`, `monthly`; `dollars`, `euros`.
    if let Some((class, is_first)) = kind(word, &low, lexicon) {
        let accompanies = match class {
            _ if !is_first => true,
            // `second` and `foot` are units after a number alone.
            Class::Unit | Class::Currency => !word.counted,
            Class::Time | Class::Comparison | Class::Direction => level == Level::Facts,
            _ => false,
        };
        let is_alike = |there: &Word| {
            kind(there, &lower(other.text(there)), lexicon).is_some_and(|(found, _)| found == class)
        };
        if !accompanies || alone_there().any(is_alike) {
            return Some(Cause::Lexicon(class));
        }
    }
    let mut chars = text.chars();
    let capital = chars.next().is_some_and(char::is_uppercase);
    // `x²` and `x³` too: what counts as a number in any script.
    let mixed = case::is_code(text) || text.chars().any(char::is_numeric);
    // A letter alone; an ideograph alone is a word.
    let single = low.chars().count() == 1 && low.chars().all(|c| u32::from(c) < 0x2E80);
    if mixed || chars.any(char::is_uppercase) || single {
        return Some(Cause::Code);
    }
    let opens = word.opens && function::opens_sentence(&low);
    if !side.english && !other.english {
        return Some(Cause::Word);
    }
    if !side.cased || (capital && !opens) {
        return Some(Cause::Name);
    }
    (!low.is_ascii() && !low.chars().all(|c| u32::from(c) < 0x250)).then_some(Cause::Word)
}

/// First and second persons are parties; a third person is one only where the other text tells another gender.
fn person_cause(word: &Word, other: &Meaning, others: &[usize]) -> Option<Cause> {
    let third = [words::key("he"), words::key("she")];
    if third.contains(&word.key) {
        return None;
    }
    let party = |&j: &usize| other.words[j].sort == Sort::Person;
    // `I can` and `you can`; an added `you` alone is often mere address.
    others.iter().any(party).then_some(Cause::Lexicon(Class::Person))
}

/// What kind of word this is beside having an opposite, and whether that is the first thing to say of it.
fn kind(word: &Word, low: &str, lexicon: &Lexicon) -> Option<(Class, bool)> {
    match word.class {
        Some(Class::Opposite) => lexicon.kind(low).map(|class| (class, false)),
        None | Some(Class::Connective) => None,
        Some(class) => Some((class, true)),
    }
}

/// Whether something else is counted by one number: `5 boxes`, `5 pallets`.
fn replaced_unit(a: &Meaning, b: &Meaning, pairing: &Pairing) -> bool {
    let counted = |side: &Meaning, only: &[usize]| -> Vec<u64> {
        only.iter()
            .filter(|&&at| at > 0 && side.words[at].counted && side.words[at].bare)
            .map(|&at| side.words[at - 1].key)
            .collect()
    };
    let there = counted(b, &pairing.right_only);
    counted(a, &pairing.left_only).iter().any(|number| there.contains(number))
}

/// Whether a word stands after another preposition of direction, or `or` took the place of `and`.
fn ties_differ(a: &Meaning, b: &Meaning, pairing: &Pairing) -> bool {
    let (favour, against) = (words::preposition("for"), words::preposition("against"));
    let mut pairs = pairing.left.iter().zip(pairing.partners());
    pairs.any(|(&i, place)| {
        let (x, y) = (&a.words[i], &b.words[pairing.right[place]]);
        let sides = |p: &Word, q: &Word| p.preps == favour && q.preps == against;
        let directed = (x.directed != 0 && y.directed != 0 && x.directed != y.directed)
            || sides(x, y)
            || sides(y, x);
        let joined = matches!(
            (x.joins, y.joins),
            ((true, false), (false, true)) | ((false, true), (true, false))
        );
        directed || joined
    })
}

/// Whether two words of one stem are different names: `Adam`, `Adams`.
fn names_differ(a: &Meaning, b: &Meaning, pairing: &Pairing) -> bool {
    let mut pairs = pairing.left.iter().zip(pairing.partners());
    pairs.any(|(&i, place)| {
        let (x, y) = (&a.words[i], &b.words[pairing.right[place]]);
        let (s, t) = (a.text(x), b.text(y));
        let name = |m: &Meaning, word: &Word, text: &str| {
            m.cased
                && word.sort == Sort::Plain
                && !word.opens
                && word.class.is_none()
                && text.starts_with(char::is_uppercase)
        };
        s != t && name(a, x, s) && name(b, y, t) && {
            let bare = |text: &str| {
                lower(text.strip_suffix("'s").or_else(|| text.strip_suffix('\'')).unwrap_or(text))
            };
            bare(s) != bare(t)
        }
    })
}

/// Whether letter case agrees where it says something, over the words that both texts have.
fn cases_agree(a: &Meaning, b: &Meaning, pairing: &Pairing) -> bool {
    use super::tokens::{Kind, Token};
    let token = |side: &Meaning, word: &Word| {
        let kind = if matches!(word.sort, Sort::Number { .. }) { Kind::Number } else { Kind::Word };
        (kind, side.text(word).to_owned())
    };
    let pairs: Vec<_> = pairing
        .left
        .iter()
        .zip(pairing.partners())
        .map(|(&i, place)| (token(a, &a.words[i]), token(b, &b.words[pairing.right[place]])))
        .filter(|((_, s), (_, t))| s.eq_ignore_ascii_case(t))
        .collect();
    let tokens = pairs.iter().map(|((k, s), (l, t))| {
        (Token { kind: *k, text: s.as_str() }, Token { kind: *l, text: t.as_str() })
    });
    case::agrees(a.folded(), b.folded(), tokens)
}
