//! Which changes of order keep the meaning.
//!
//! Between two texts of the same words, one part `U` of a window may have moved behind the next part `V` (a rotation).
//! A phrase that keeps the preposition which introduces it may move: `in 1834 by Curzon`, `by Curzon in 1834`. So may two
//! bare neighbours (`musically influenced`), and a genitive turns around (`the family Trochidae`, `control of the birth
//! rate`). Words that trade places across a verb or between two prepositions have traded roles.

use super::function::is_generic_name;
use super::pairing::Pairing;
use super::words::{Meaning, Sort, Word};
use crate::guard::case;
use crate::guard::fold::lower;
use crate::guard::{Class, Lexicon};

/// How sure it is that a change of order keeps the meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Move {
    /// Keeps it.
    Kept,
    /// Mostly keeps it.
    Likely,
    /// Roles may have changed.
    Roles,
}

/// Longest window that is looked into, in words.
const MAX_WINDOW: usize = 64;

/// The worst change of order between two texts.
pub(super) fn judge(a: &Meaning, b: &Meaning, pairing: &Pairing, lexicon: &Lexicon) -> Move {
    pairing
        .windows()
        .into_iter()
        .map(|window| window_move(a, b, pairing, window, lexicon))
        .max()
        .unwrap_or(Move::Kept)
}

/// One of the two texts with the positions of its paired words.
struct Half<'m> {
    of: &'m Meaning,
    at: &'m [usize],
}

impl<'m> Half<'m> {
    fn word(&self, place: usize) -> Option<&'m Word> {
        self.at.get(place).map(|&i| &self.of.words[i])
    }

    fn text(&self, place: usize) -> &'m str {
        self.word(place).map_or("", |word| self.of.text(word))
    }

    /// Prepositions before a paired word, or at the end of the text.
    fn preps(&self, place: usize) -> u64 {
        self.word(place).map_or(self.of.tail, |word| word.preps)
    }

    fn joins(&self, place: usize) -> bool {
        self.word(place).is_some_and(|word| word.joins != (false, false))
    }

    /// Words without a partner among the paired ones of a window.
    fn strangers(&self, (start, end): (usize, usize)) -> usize {
        match (self.at.get(start), self.at.get(end - 1)) {
            (Some(first), Some(last)) => last + 1 - first - (end - start),
            _ => 0,
        }
    }

    /// Whether the word directly follows the paired word before it, with nothing between.
    fn follows(&self, place: usize) -> bool {
        place > 0
            && self.at.get(place).is_some_and(|&i| self.at[place - 1] + 1 == i)
            && self.word(place).is_some_and(|word| word.bare)
    }

    /// Whether this word is one that must not trade places with a neighbour.
    fn is_fixed(&self, place: usize, lexicon: &Lexicon) -> bool {
        let Some(word) = self.word(place) else { return true };
        let text = self.text(place);
        word.sort != Sort::Plain
            || !text.chars().all(|c| c.is_alphabetic() && u32::from(c) < 0x250)
            || text.chars().count() < 2
            || case::is_code(text)
            || matches!(
                word.class,
                Some(
                    Class::Comparison
                        | Class::Currency
                        | Class::Modality
                        | Class::Negation
                        | Class::Number
                        | Class::Quantity
                        | Class::Unit
                )
            )
            || lexicon.class(&lower(text)) == Some(Class::Negation)
    }

    /// Whether these are nothing but negations, quantities and modal words.
    fn is_scope(&self, start: usize, end: usize) -> bool {
        (start..end).all(|place| {
            self.word(place).is_some_and(|word| {
                word.sort == Sort::Not
                    || matches!(
                        word.class,
                        Some(Class::Modality | Class::Negation | Class::Quantity)
                    )
            })
        })
    }

    fn is_name(&self, place: usize) -> bool {
        let text = self.text(place);
        (text.starts_with(char::is_uppercase) || !self.of.cased) && !is_generic_name(&lower(text))
    }
}

fn window_move(
    a: &Meaning,
    b: &Meaning,
    pairing: &Pairing,
    window: (usize, usize),
    lexicon: &Lexicon,
) -> Move {
    let (start, end) = window;
    let size = end - start;
    if size > MAX_WINDOW {
        return Move::Roles;
    }
    let Some(k) = pairing.rotation(window) else { return Move::Roles };
    let (left, right) = (Half { of: a, at: &pairing.left }, Half { of: b, at: &pairing.right });
    // On the left U V, on the right V U; what follows is the rest.
    let (u, v, rest) = (left.preps(start), left.preps(start + k), left.preps(end));
    let (v2, u2, rest2) = (right.preps(start), right.preps(end - k), right.preps(end));
    let joined = left.joins(start + k) || right.joins(end - k);
    // `only`, `not` or `each` says what it says of its neighbour.
    let scope = left.is_scope(start, start + k) || left.is_scope(start + k, end);
    if joined || scope {
        return Move::Roles;
    }
    let (u_keeps, v_keeps, rest_keeps) = (u == u2, v == v2, rest == rest2);
    let introduced = v != 0 || u2 != 0;
    let clean = left.strangers(window) + right.strangers(window) == 0;
    let bare = left.follows(start + k) && right.follows(end - k);
    if introduced {
        return match (u_keeps, v_keeps, rest_keeps) {
            (true, true, _) if clean => Move::Kept,
            // `invoice 7 of Northwind`, `Northwind's invoice 7`.
            (true, false, true) | (false, true, true) if clean => {
                if genitive(&left, &right, start, k, end) { Move::Kept } else { Move::Likely }
            }
            (true, true, true) => Move::Likely,
            _ => Move::Roles,
        };
    }
    // Two neighbours change places.
    if size == 2 && bare && clean && rest_keeps && v_keeps == u_keeps {
        let fixed = left.is_fixed(start, lexicon) || left.is_fixed(start + 1, lexicon);
        let names = left.is_name(start) && left.is_name(start + 1);
        // `the doctor's mother`, `the mother's doctor`.
        let owned = |half: &Half<'_>| half.word(start + 1).is_some_and(|word| word.owned);
        return if fixed || names || owned(&left) || owned(&right) {
            Move::Roles
        } else {
            Move::Kept
        };
    }
    // `the family Trochidae`, `the Trochidae family` after another preposition; `birth rate control`, `control of the birth rate`.
    if bare && clean && !u_keeps && !v_keeps && rest_keeps && u == v2 {
        let crossing = |half: &Half<'_>, from: usize, to: usize| {
            (from..to).all(|place| half.is_name(place))
                || (from..to).any(|p| half.is_fixed(p, lexicon))
        };
        return if crossing(&left, start, end) { Move::Roles } else { Move::Kept };
    }
    if clean && !bare && size > 2 && u_keeps && v_keeps && rest_keeps {
        return Move::Likely;
    }
    Move::Roles
}

/// Whether a possessive on one side stands for `of` on the other: the only preposition that came or went.
fn genitive(left: &Half<'_>, right: &Half<'_>, start: usize, k: usize, end: usize) -> bool {
    let of = super::words::preposition("of");
    let owned = |half: &Half<'_>, place: usize| half.word(place).is_some_and(|word| word.owned);
    (left.preps(start + k) == of
        && right.preps(start) == left.preps(start)
        && owned(right, end - k))
        || (right.preps(end - k) == of
            && left.preps(start) == right.preps(start)
            && owned(left, start + k))
}
