//! Texts in other spellings: prose, tokens, enum members.

use crate::choice::Choices;
use crate::draw::words::REWORDED;
use crate::plan::{FieldPlan, Kind};
use crate::production::Production as P;
use crate::tree::{Node, Val};
use unicode_normalization::UnicodeNormalization;

pub(super) fn apply(production: P, node: &mut Node<'_>, all: bool, c: &mut Choices<'_>) -> bool {
    if production == P::CaseFold
        && let Val::Instant(moment) = &mut node.value
    {
        let new = !moment.lower && !moment.epoch && (!moment.space || moment.zoned());
        moment.lower |= new;
        return new;
    }
    let plan = node.plan;
    let Val::Text(text) = &node.value else { return false };
    let text = text.as_ref();
    let new = match production {
        P::EnumCase => enum_case(plan, text, c),
        P::TokenCase if !is_synonym(plan, text) => {
            Some(if c.permille(500) { upper(text) } else { lower(text) })
        }
        P::TokenTrim if !is_synonym(plan, text) => {
            Some(format!("{}{text}{}", c.of(&["", " "]), c.of(&[" ", "\n", "\t "])))
        }
        // Only a text known to meet the pattern is named by its other case.
        P::PatternCase if plan.pool.iter().any(|known| known == text) => {
            let raised = text.to_uppercase();
            Some(if raised == text { text.to_lowercase() } else { raised })
        }
        P::CaseFold => match &plan.kind {
            Kind::Enum(_) => fold_enum(plan, text),
            Kind::Email => Some(text.to_ascii_lowercase()),
            // A default, which need be no point in time.
            Kind::Instant { .. } => None,
            _ if is_synonym(plan, text) => None,
            Kind::Text => Some(composed(text, lower)),
            _ => Some(lower(text)),
        },
        P::DoubleSpace => Some(text.replace(' ', "  ")),
        P::ProseNbsp => replace_some(text, ' ', "\u{a0}", all, c),
        P::ProseThinSpace => {
            let space = c.of(&["\u{2009}", "\u{202f}", "\u{3000}"]);
            replace_some(text, ' ', space, all, c)
        }
        P::ProseQuotes => Some(curly(text)),
        P::ProseDashes => replace_some(text, '-', c.of(&["\u{2013}", "\u{2014}"]), true, c),
        P::ProseNfd if !text.is_ascii() => Some(text.nfd().collect()),
        P::ProseUpper => Some(composed(text, upper)),
        P::ProseTrailingNewline => Some(format!("{text}\n")),
        P::ProseLeadingSpace => Some(format!(" {text}")),
        P::ProseCrlf => {
            if text.contains('\n') && !text.contains('\r') {
                Some(text.replace('\n', "\r\n"))
            } else {
                replace_some(text, ' ', c.of(&["\n", "\r\n", "\t"]), all, c)
            }
        }
        P::ProseReworded => reworded(text),
        P::ValueAlias => {
            let new = alias(plan, text, c);
            if let Some(new) = new {
                // Case and space around a synonym are not declared to mean anything.
                node.freeze();
                node.value = Val::Text(new.into());
                return true;
            }
            None
        }
        _ => None,
    };
    match new {
        Some(new) if new != text => {
            node.value = Val::Text(new.into());
            true
        }
        _ => false,
    }
}

/// A change of letters made on the composed text and written in the form the text has: `I` with a
/// combining dot is the one letter `İ`, which folds to nothing else, and not an `I` that does.
fn composed(text: &str, change: impl Fn(&str) -> String) -> String {
    let whole: String = text.nfc().collect();
    if whole == text { change(text) } else { change(&whole).nfd().collect() }
}

/// Raises every letter whose capital folds back to it and to nothing else.
fn upper(text: &str) -> String {
    text.chars()
        .map(|c| match (single(c.to_uppercase()), single(c.to_lowercase())) {
            (Some(up), Some(low)) if single(up.to_lowercase()) == Some(low) => up,
            _ => c,
        })
        .collect()
}

/// Lowers every letter whose small form rises back to it.
fn lower(text: &str) -> String {
    text.chars()
        .map(|c| match single(c.to_lowercase()) {
            Some(low) if single(low.to_uppercase()) == Some(c) => low,
            _ => c,
        })
        .collect()
}

fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}

fn is_synonym(plan: &FieldPlan, text: &str) -> bool {
    plan.aliases.iter().any(|(synonym, _)| synonym == text)
}

/// A member in another case, where exactly one member has these letters.
fn enum_case(plan: &FieldPlan, text: &str, c: &mut Choices<'_>) -> Option<String> {
    let new = match c.below(3) {
        0 => text.to_ascii_uppercase(),
        1 => text.to_ascii_lowercase(),
        _ => {
            let mut new = text.to_ascii_lowercase();
            new.get_mut(..1)?.make_ascii_uppercase();
            new
        }
    };
    names_one_member(plan, text, &new).then_some(new)
}

fn fold_enum(plan: &FieldPlan, text: &str) -> Option<String> {
    let new = text.to_ascii_lowercase();
    names_one_member(plan, text, &new).then_some(new)
}

fn names_one_member(plan: &FieldPlan, text: &str, new: &str) -> bool {
    let Kind::Enum(members) = &plan.kind else { return false };
    let alike = members.iter().filter(|m| m.as_str().is_some_and(|m| m.eq_ignore_ascii_case(new)));
    let known = members.iter().any(|m| m.as_str() == Some(text));
    known && text.is_ascii() && alike.count() == 1 && !is_synonym(plan, new)
}

/// A declared synonym of the text, or the member that it is a synonym of.
fn alias(plan: &FieldPlan, text: &str, c: &mut Choices<'_>) -> Option<String> {
    if let Some((_, member)) = plan.aliases.iter().find(|(synonym, _)| synonym == text) {
        return Some(member.clone());
    }
    let count = plan.aliases.iter().filter(|(_, member)| member == text).count();
    let at = c.below(count);
    plan.aliases.iter().filter(|(_, member)| member == text).nth(at).map(|(s, _)| s.clone())
}

fn replace_some(
    text: &str,
    from: char,
    to: &str,
    all: bool,
    c: &mut Choices<'_>,
) -> Option<String> {
    if all {
        return Some(text.replace(from, to));
    }
    let count = text.chars().filter(|&x| x == from).count();
    let chosen = c.below(count);
    let (at, _) = text.char_indices().filter(|(_, x)| *x == from).nth(chosen)?;
    Some(format!("{}{to}{}", &text[..at], &text[at + from.len_utf8()..]))
}

fn curly(text: &str) -> String {
    let mut opening = true;
    text.chars()
        .map(|c| match c {
            '\'' => '\u{2019}',
            '"' => {
                opening = !opening;
                if opening { '\u{201d}' } else { '\u{201c}' }
            }
            _ => c,
        })
        .collect()
}

fn reworded(text: &str) -> Option<String> {
    REWORDED.iter().find_map(|[one, other]| {
        if text == *one {
            Some((*other).to_owned())
        } else if text == *other {
            Some((*one).to_owned())
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_change_as_composed_and_stay_decomposed() {
        let decomposed: String = "İstanbul É".nfd().collect();
        let lowered = composed(&decomposed, lower);
        assert_eq!(lowered.nfc().collect::<String>(), "İstanbul é");
        assert_eq!(lowered, lowered.nfd().collect::<String>());
        assert_eq!(composed("É", lower), "é");
        assert_eq!(composed(&decomposed, upper).nfc().collect::<String>(), "İSTANBUL É");
    }
}
