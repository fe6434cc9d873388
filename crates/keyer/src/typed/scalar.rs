//! What a single text or number says in a field of a kind.

use std::borrow::Cow;

use samecall_call::json::Value;
use samecall_call::shape::{Field, JsonType, Kind};

use super::encode::tag;
use super::rule::{RuleSet, TypedRule};
use super::{decimal, grid, instant, prose, uri};

/// The canonical form of a scalar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form<'t> {
    /// `true` or `false`.
    Boolean(bool),
    /// A tag and its canonical text, which reads back as itself.
    Text(u8, Cow<'t, str>),
}

impl<'t> Form<'t> {
    fn exact(text: &'t str) -> Self {
        Form::Text(tag::TEXT, Cow::Borrowed(text))
    }
}

/// What a text says in a field. Text that is nothing of the field's kind stays exact text.
pub(super) fn of_text<'t>(
    field: &'t Field,
    text: &'t str,
    rules: RuleSet,
    fired: &mut RuleSet,
) -> Form<'t> {
    if let Kind::Enum(members) = &field.kind {
        return member(members, &field.aliases, text, rules, fired);
    }
    let mut text = text;
    if !field.aliases.is_empty()
        && rules.has(TypedRule::Alias)
        && let Some(of) = alias(field, text, rules)
    {
        fired.insert(TypedRule::Alias);
        text = of;
    }
    let epoch_text = matches!(field.kind, Kind::Instant { epoch: true })
        && field.json_types == [JsonType::Number]
        && rules.has(TypedRule::NumberText);
    if epoch_text && decimal::Decimal::parse(text).is_some() {
        fired.insert(TypedRule::NumberText);
        return epoch(text, rules, fired);
    }
    of_kind(&field.kind, text, rules, fired)
}

/// What a number says where a point in time is declared: epoch seconds, or itself beyond the calendar.
pub(super) fn epoch<'t>(text: &'t str, rules: RuleSet, fired: &mut RuleSet) -> Form<'t> {
    if rules.has(TypedRule::InstantEpoch)
        && let Some(instant) = instant::epoch(text)
    {
        fired.insert(TypedRule::InstantEpoch);
        return Form::Text(tag::INSTANT, Cow::Owned(instant));
    }
    number(text, None, rules, fired)
}

/// What a text says in a field of a kind, aliases aside.
fn of_kind<'t>(kind: &Kind, text: &'t str, rules: RuleSet, fired: &mut RuleSet) -> Form<'t> {
    let found = match kind {
        Kind::Number { grid } if rules.has(TypedRule::NumberText) => {
            if decimal::Decimal::parse(text)
                .is_some_and(|value| !rules.is_held() || value.is_held())
            {
                fired.insert(TypedRule::NumberText);
                return number(text, grid.as_deref(), rules, fired);
            }
            None
        }
        Kind::Boolean if rules.has(TypedRule::BooleanText) => {
            let truth = [("true", true), ("false", false)];
            if let Some((_, truth)) =
                truth.into_iter().find(|(word, _)| text.eq_ignore_ascii_case(word))
            {
                fired.insert(TypedRule::BooleanText);
                return Form::Boolean(truth);
            }
            None
        }
        Kind::Token => Some((tag::TOKEN, token(text, rules, fired))),
        Kind::Cased(pattern) if rules.has(TypedRule::PatternCase) => {
            pattern.canonical(text).map(|canonical| {
                if canonical != text {
                    fired.insert(TypedRule::PatternCase);
                }
                (tag::TOKEN, Cow::Owned(canonical))
            })
        }
        Kind::Text => Some((tag::PROSE, prose::canonical(text, rules, fired))),
        Kind::Instant { .. } => {
            instant::instant(text, rules, fired).map(|text| (tag::INSTANT, Cow::Owned(text)))
        }
        Kind::Time => {
            instant::time_of_day(text, rules, fired).map(|text| (tag::TIME, Cow::Owned(text)))
        }
        Kind::Uuid => uuid(text, rules, fired).map(|text| (tag::UUID, text)),
        Kind::Uri => uri::canonical(text, rules, fired).map(|text| (tag::URI, Cow::Owned(text))),
        Kind::Phone => phone(text, rules, fired).map(|text| (tag::PHONE, text)),
        Kind::Email => Some((tag::EMAIL, fold(text, TypedRule::EmailCase, rules, fired))),
        _ => None,
    };
    found.map_or_else(|| Form::exact(text), |(tag, text)| Form::Text(tag, text))
}

/// What a number says: its exact decimal, on the grid where there is one. Text that is no decimal stays as it is.
pub(super) fn number<'t>(
    text: &'t str,
    grid: Option<&str>,
    rules: RuleSet,
    fired: &mut RuleSet,
) -> Form<'t> {
    let mut out = Cow::Borrowed(text);
    if rules.is_held() && decimal::Decimal::parse(text).is_some_and(|value| !value.is_held()) {
        return Form::Text(tag::NUMBER, out);
    }
    if rules.has(TypedRule::NumberForm)
        && let Some(canonical) = decimal::canonical(text)
    {
        if canonical != text {
            fired.insert(TypedRule::NumberForm);
        }
        out = canonical;
    }
    if let Some(step) = grid
        && rules.has(TypedRule::NumberGrid)
        && out.contains(['.', 'e', 'E'])
        && let (Some(value), Some(step)) = (decimal::Decimal::parse(&out), grid::step(step))
        && let Some(point) = grid::nearest(&value, &step)
    {
        fired.insert(TypedRule::NumberGrid);
        out = Cow::Owned(point.text());
    }
    Form::Text(tag::NUMBER, out)
}

/// The enum member that a text names; the text itself where it names none.
fn member<'t>(
    members: &'t [Value<'static>],
    aliases: &'t [(String, String)],
    text: &'t str,
    rules: RuleSet,
    fired: &mut RuleSet,
) -> Form<'t> {
    let texts = || members.iter().filter_map(Value::as_str);
    if texts().any(|member| member == text) {
        return Form::exact(text);
    }
    let aliases = if rules.has(TypedRule::Alias) { aliases } else { &[] };
    if aliases.iter().any(|(synonym, _)| synonym == text) {
        fired.insert(TypedRule::Alias);
        return member_value(members, resolve(aliases, text), rules, fired);
    }
    if rules.has(TypedRule::EnumCase) {
        let synonyms = aliases.iter().map(|(synonym, _)| synonym.as_str());
        let mut named: Option<&str> = None;
        for known in texts().chain(synonyms).filter(|known| prose::folds_equal(known, text)) {
            let member = resolve(aliases, known);
            if named.is_some_and(|other| other != member) {
                return Form::exact(text);
            }
            named = Some(member);
        }
        if let Some(member) = named {
            fired.insert(TypedRule::EnumCase);
            return member_value(members, member, rules, fired);
        }
    }
    member_value(members, text, rules, fired)
}

/// The member that a text says where members are no text: coercion goes toward the declared one. Where one of them is
/// text, text stays text.
fn member_value<'t>(
    members: &[Value<'static>],
    text: &'t str,
    rules: RuleSet,
    fired: &mut RuleSet,
) -> Form<'t> {
    if members.iter().any(|member| matches!(member, Value::String(_))) {
        return Form::exact(text);
    }
    let truth = |text: &str| match text {
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    };
    let value = decimal::canonical(text);
    for member in members {
        match member {
            Value::Number(written)
                if rules.has(TypedRule::NumberText)
                    && value.is_some()
                    && decimal::canonical(written) == value =>
            {
                fired.insert(TypedRule::NumberText);
                return number(text, None, rules, fired);
            }
            Value::Bool(declared)
                if rules.has(TypedRule::BooleanText) && truth(text) == Some(*declared) =>
            {
                fired.insert(TypedRule::BooleanText);
                return Form::Boolean(*declared);
            }
            _ => {}
        }
    }
    Form::exact(text)
}

/// What a text is a declared synonym of, where the two are compared as the field's kind compares.
fn alias<'t>(field: &'t Field, text: &str, rules: RuleSet) -> Option<&'t str> {
    let form = |text| of_kind(&field.kind, text, rules, &mut RuleSet::NONE.clone());
    let synonym = field
        .aliases
        .iter()
        .map(|(synonym, _)| synonym.as_str())
        .find(|synonym| *synonym == text)
        .or_else(|| {
            let written = form(text);
            field.aliases.iter().map(|(s, _)| s.as_str()).find(|s| form(s) == written)
        })?;
    Some(resolve(&field.aliases, synonym))
}

/// What a synonym stands for; a text that is none stands for itself.
fn resolve<'t>(aliases: &'t [(String, String)], text: &'t str) -> &'t str {
    aliases.iter().find(|(synonym, _)| synonym == text).map_or(text, |(_, of)| of)
}

fn fold<'t>(text: &'t str, rule: TypedRule, rules: RuleSet, fired: &mut RuleSet) -> Cow<'t, str> {
    if !rules.has(rule) {
        return Cow::Borrowed(text);
    }
    let folded = prose::fold(text);
    if matches!(folded, Cow::Owned(_)) {
        fired.insert(rule);
    }
    folded
}

fn token<'t>(text: &'t str, rules: RuleSet, fired: &mut RuleSet) -> Cow<'t, str> {
    let mut trimmed = text;
    if rules.has(TypedRule::TokenTrim) {
        trimmed = text.trim();
        if trimmed.len() != text.len() {
            fired.insert(TypedRule::TokenTrim);
        }
    }
    fold(trimmed, TypedRule::TokenFold, rules, fired)
}

/// `8-4-4-4-12` hex digits in lower case.
fn uuid<'t>(text: &'t str, rules: RuleSet, fired: &mut RuleSet) -> Option<Cow<'t, str>> {
    const DASHES: [usize; 4] = [8, 13, 18, 23];
    let is_uuid = text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(at, b)| if DASHES.contains(&at) { b == b'-' } else { b.is_ascii_hexdigit() });
    is_uuid.then(|| fold(text, TypedRule::UuidCase, rules, fired))
}

/// A `+` or none, and digits, once spaces, brackets, dots and dashes are gone; None where anything else is left.
fn phone<'t>(text: &'t str, rules: RuleSet, fired: &mut RuleSet) -> Option<Cow<'t, str>> {
    let is_number = |text: &str| {
        let digits = text.strip_prefix('+').unwrap_or(text);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    };
    if is_number(text) {
        return Some(Cow::Borrowed(text));
    }
    if !rules.has(TypedRule::PhonePunctuation) {
        return None;
    }
    let is_punctuation = |c: char| {
        c.is_whitespace()
            || matches!(c, '(' | ')' | '[' | ']' | '.' | '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
    };
    let kept: String = text.chars().filter(|c| !is_punctuation(*c)).collect();
    if !is_number(&kept) {
        return None;
    }
    fired.insert(TypedRule::PhonePunctuation);
    Some(Cow::Owned(kept))
}

/// The canonical text of a text in a field, for whoever runs rules on one another's output: it stands for the same
/// value in the same field. JSON text, lists and objects stay as they are.
pub fn canonical_text<'t>(field: &'t Field, text: &'t str, rules: RuleSet) -> Cow<'t, str> {
    match of_text(field, text, rules, &mut RuleSet::NONE.clone()) {
        Form::Boolean(true) => Cow::Borrowed("true"),
        Form::Boolean(false) => Cow::Borrowed("false"),
        Form::Text(_, text) => text,
    }
}
