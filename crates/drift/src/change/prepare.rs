//! Values that a change needs and draws rarely bring, put into the intent before it is copied.

use crate::choice::Choices;
use crate::draw::words::CODE;
use crate::moment::{Moment, Zone};
use crate::plan::{FieldPlan, Kind};
use crate::production::Production as P;
use crate::side::Side;
use crate::tree::{Node, Val};
use samecall_call::shape::JsonType;

/// Puts a fitting value at one site of the change; leaves the intent alone where none is needed.
pub(crate) fn prepare<'p>(production: P, side: &mut Side<'p>, c: &mut Choices<'_>) {
    if !matches!(
        production,
        P::DigitsPastF64
            | P::HugeExponent
            | P::ZeroPadding
            | P::VersionTail
            | P::ExponentText
            | P::UnderscoreDigits
            | P::DigitScript
            | P::CodeIndent
            | P::CodeTab
            | P::ExactNfd
            | P::JsonContent
            | P::SharpS
            | P::TypeChanged
            | P::UnionType
            | P::EnumNearCase
            | P::LeapSecond
            | P::DayMonth
            | P::UriQueryOrder
            | P::ProseNumber
    ) {
        return;
    }
    let sites = production.info().sites;
    let count = side.root.count(sites);
    if count > 0 {
        let start = c.below(count);
        side.root.visit(sites, &mut { start }, false, &mut |node: &mut Node<'p>| match fitting(
            production, node.plan, c,
        ) {
            Some(value) => {
                node.value = value;
                true
            }
            None => false,
        });
    }
}

fn fitting<'p>(production: P, plan: &'p FieldPlan, c: &mut Choices<'_>) -> Option<Val<'p>> {
    let free_text = plan.pool.is_empty() && plan.aliases.is_empty() && plan.takes(JsonType::String);
    let text = |text: &'static str| free_text.then_some(Val::Text(text.into()));
    match (production, &plan.kind) {
        (P::DigitsPastF64, Kind::Number { grid: None })
            if plan.min.is_none() && plan.max.is_none() =>
        {
            let digits = if plan.integer {
                c.of(&["9007199254740993", "1234567890123456789", "100000000000000000001"])
            } else {
                c.of(&["100000000000000000.1", "0.12345678901234567891", "9007199254740993"])
            };
            let as_number = plan.takes(JsonType::Number);
            Some(if as_number { Val::Number(digits.into()) } else { Val::Text(digits.into()) })
        }
        (P::DigitsPastF64, Kind::Exact) => {
            text(c.of(&["9007199254740993.0", "100000000000000000.1", "9007199254740993"]))
        }
        (P::HugeExponent, Kind::Number { grid: None })
            if plan.min.is_none()
                && plan.max.is_none()
                && !plan.integer
                && plan.takes(JsonType::Number) =>
        {
            Some(Val::Number("1e400".into()))
        }
        (P::ZeroPadding, Kind::Exact) => text(c.of(&["00412", "007", "01234", "000042"])),
        (P::VersionTail, Kind::Exact) => text(c.of(&["1.10", "3.10", "2.0", "10.20"])),
        (P::ExponentText, Kind::Exact) => text(c.of(&["1e3", "5e2"])),
        (P::UnderscoreDigits, Kind::Exact) => text(c.of(&["123456", "8812", "20310305"])),
        (P::DigitScript, Kind::Exact) => text(c.of(&["42", "1200", "7"])),
        (P::CodeIndent, Kind::Code) => Some(Val::Text(CODE[c.below(2)].into())),
        (P::CodeTab, Kind::Code) => Some(Val::Text(CODE[2].into())),
        (P::ExactNfd, Kind::Exact) => text(c.of(&["café", "José", "Zürich/Übersicht"])),
        (P::ExactNfd, Kind::Code) => Some(Val::Text("print('café')".into())),
        (P::JsonContent, Kind::Code) => Some(Val::Text(CODE[5 + c.below(2)].into())),
        (P::SharpS, Kind::Exact | Kind::Token) => text(c.of(&["Strauß", "Straße", "Maße"])),
        (P::SharpS, Kind::Text) => text(c.of(&["Größe und Maße prüfen", "Weiß wählt Schluß"])),
        (P::TypeChanged, Kind::Exact) => text(c.of(&["42", "true", "1900", "false"])),
        (P::UnionType, Kind::Exact) if plan.union_types != 0 => text(c.of(&["42", "7734"])),
        (P::EnumNearCase, Kind::Enum(members)) => {
            let at = members.iter().position(|m| near_case(members, m).is_some())?;
            Some(crate::draw::plain(&members[at]))
        }
        // The leap second at the end of 2016.
        (P::LeapSecond, Kind::Instant { .. }) if plan.takes(JsonType::String) => {
            Some(Val::Instant(Moment { leap: true, ..Moment::new(1_483_228_799, Zone::Zulu) }))
        }
        (P::DayMonth, Kind::Date) => text(c.of(&["2031-03-05", "2030-08-11", "2029-12-01"])),
        (P::UriQueryOrder, Kind::Uri) => text(c.of(&[
            "https://example.com/v1/items?a=1&b=2",
            "http://api.example.org/search?q=Red+car&page=2",
        ])),
        (P::ProseNumber, Kind::Text) => {
            text(c.of(&["Отчёт за июль готов, 14 страниц", "Ship 12 boxes to gate B"]))
        }
        _ => None,
    }
}

/// Another member with the same letters in another case.
pub(super) fn near_case<'m>(
    members: &'m [samecall_call::json::Value<'static>],
    member: &samecall_call::json::Value<'static>,
) -> Option<&'m samecall_call::json::Value<'static>> {
    let text = member.as_str()?;
    members.iter().find(|m| m.as_str().is_some_and(|m| m != text && m.eq_ignore_ascii_case(text)))
}
