//! Changes of typed values: numbers, instants, identifiers, items.

use crate::choice::Choices;
use crate::draw::number::decimal;
use crate::draw::{Drawing, clearly_differ, plain};
use crate::moment::{Moment, Zone};
use crate::plan::{Grid, Items, Kind, type_bit};
use crate::production::Production as P;
use crate::tree::{Node, Val};
use samecall_call::shape::JsonType;

use super::prepare::near_case;

/// How often a value is drawn again until it clearly differs.
const DRAWS: usize = 6;

pub(super) fn apply<'p>(
    production: P,
    node: &mut Node<'p>,
    drawing: &mut Drawing<'p, '_, '_>,
) -> bool {
    match production {
        P::ValueChanged | P::NestedChanged | P::JsonValue | P::PayloadChanged => {
            redraw(node, drawing)
        }
        P::ItemOrder | P::ItemDropped | P::ItemAdded | P::NullItem => {
            items(production, node, drawing)
        }
        P::TypeChanged | P::UnionType => other_type(production, node),
        P::EnumMember | P::EnumNearCase => member(production, node, drawing.choices),
        P::BooleanFlipped => match node.value {
            Val::Bool(b) => {
                node.value = Val::Bool(!b);
                true
            }
            _ => false,
        },
        P::SubsecondChanged | P::WallTime | P::Zoneless | P::LeapSecond => match &mut node.value {
            Val::Instant(moment) => instant(production, moment, drawing.choices),
            _ => false,
        },
        _ => text(production, node, drawing.choices),
    }
}

fn redraw<'p>(node: &mut Node<'p>, drawing: &mut Drawing<'p, '_, '_>) -> bool {
    // Containers of open fields have changes of their own.
    if matches!(node.value, Val::List(_) | Val::Object(_)) {
        return false;
    }
    for _ in 0..DRAWS {
        let new = drawing.node(node.plan, 1);
        if clearly_differ(node, &new) {
            *node = new;
            return true;
        }
    }
    false
}

fn text(production: P, node: &mut Node<'_>, c: &mut Choices<'_>) -> bool {
    let grid = match node.plan.kind {
        Kind::Number { grid } => grid,
        _ => None,
    };
    let numeric = matches!(node.plan.kind, Kind::Number { .. });
    let (old, is_text) = match &node.value {
        Val::Number(text) => (text.as_ref(), false),
        Val::Text(text) => (text.as_ref(), true),
        _ => return false,
    };
    let exponent = numeric && old.contains('e');
    let new = match production {
        P::DigitChanged if exponent => None,
        P::DigitChanged => match grid {
            Some(grid) => next_on_grid(old, grid, c),
            None => other_digit(old, numeric, c),
        },
        P::SignFlipped if old.bytes().any(|b| (b'1'..=b'9').contains(&b)) => {
            Some(old.strip_prefix('-').map_or_else(|| format!("-{old}"), str::to_owned))
        }
        P::UnitShifted if !old.contains(['.', 'e']) && old != "0" => Some(format!("{old}00")),
        P::DigitsPastF64 if !exponent => past_f64(old),
        P::HugeExponent if old == "1e400" => Some("1e500".to_owned()),
        P::DayMonth => day_month(old),
        P::PhonePlus => {
            Some(old.strip_prefix('+').map_or_else(|| format!("+{old}"), str::to_owned))
        }
        P::UriPathCase | P::UriSlash | P::UriQueryOrder | P::UriFragment => uri(production, old, c),
        _ => None,
    };
    match new {
        Some(new) if new != old => {
            node.value = if is_text { Val::Text(new.into()) } else { Val::Number(new.into()) };
            true
        }
        _ => false,
    }
}

/// A decimal some steps further on its grid.
fn next_on_grid(text: &str, grid: Grid, c: &mut Choices<'_>) -> Option<String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let scale = grid.scale as usize;
    if fraction.len() > scale {
        return None;
    }
    let units: i64 = format!("{whole}{fraction:0<scale$}").parse().ok()?;
    Some(decimal(units.checked_add(grid.units.checked_mul(c.between(1, 9))?)?, grid.scale))
}

/// Another digit (or hex digit, in a UUID) at one place.
fn other_digit(text: &str, numeric: bool, c: &mut Choices<'_>) -> Option<String> {
    let count = text.bytes().filter(u8::is_ascii_digit).count();
    let chosen = c.below(count);
    let at = text.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).nth(chosen)?.0;
    let old = text.as_bytes()[at] - b'0';
    let mut new = (old + 1 + c.below(9) as u8) % 10;
    // JSON numbers have no leading zero.
    let leads = at == text.bytes().position(|b| b.is_ascii_digit())?;
    if numeric && leads && new == 0 && count > 1 {
        new = if old == 9 { 8 } else { 9 };
    }
    Some(format!("{}{new}{}", &text[..at], &text[at + 1..]))
}

/// The last digit of a text with more digits than a double tells apart.
fn past_f64(text: &str) -> Option<String> {
    let number = text.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if !number || !(16..=100).contains(&digits) {
        return None;
    }
    // `...993.0` and `...992.0`: the digit before a zero fraction.
    let (head, tail) = text.strip_suffix(".0").map_or((text, ""), |head| (head, ".0"));
    let last = head.bytes().last().filter(u8::is_ascii_digit)? - b'0';
    let new = if last == 0 { 1 } else { last - 1 };
    Some(format!("{}{new}{tail}", &head[..head.len() - 1]))
}

fn day_month(text: &str) -> Option<String> {
    let (year, month, day) = (text.get(..4)?, text.get(5..7)?, text.get(8..10)?);
    let fits = text.len() == 10 && day <= "12" && day != month;
    fits.then(|| format!("{year}-{day}-{month}"))
}

fn uri(production: P, text: &str, c: &mut Choices<'_>) -> Option<String> {
    let authority = text.find("://")? + 3;
    let path = authority + text[authority..].find(['/', '?', '#'])?;
    let after = path + text[path..].find(['?', '#']).unwrap_or(text.len() - path);
    // What a `..` takes away is no part of the path, and neither is a slash behind it.
    if matches!(production, P::UriPathCase | P::UriSlash) && has_dots(&text[path..after]) {
        return None;
    }
    Some(match production {
        P::UriPathCase => {
            let bytes = text.as_bytes();
            // The case of a percent-encoding is no matter.
            let letter = |at: &usize| {
                bytes[*at].is_ascii_alphabetic()
                    && bytes[at.saturating_sub(2)..*at].iter().all(|b| *b != b'%')
            };
            let count = (path..after).filter(letter).count();
            let at = (path..after).filter(letter).nth(c.below(count))?;
            let mut new = text.to_owned();
            let one = new.get_mut(at..=at)?;
            if bytes[at].is_ascii_uppercase() {
                one.make_ascii_lowercase()
            } else {
                one.make_ascii_uppercase()
            }
            new
        }
        // An empty path is the same as `/`.
        P::UriSlash if after > path + 1 && !text[..after].ends_with('/') => {
            format!("{}/{}", &text[..after], &text[after..])
        }
        P::UriQueryOrder => {
            let end = text.find('#').unwrap_or(text.len());
            let start = text[..end].find('?')? + 1;
            let (first, second) = text[start..end].split_once('&')?;
            (first != second)
                .then(|| format!("{}{second}&{first}{}", &text[..start], &text[end..]))?
        }
        P::UriFragment => match text.split_once('#') {
            Some((head, _)) => head.to_owned(),
            None => format!("{text}#Part"),
        },
        _ => return None,
    })
}

/// Whether a segment of the path stands for another one: `.` and `..`, percent-encoded too.
fn has_dots(path: &str) -> bool {
    let plain = path.replace("%2e", ".").replace("%2E", ".");
    plain.split('/').any(|segment| matches!(segment, "." | ".."))
}

fn instant(production: P, moment: &mut Moment, c: &mut Choices<'_>) -> bool {
    let offset = |zone: Zone| match zone {
        Zone::Offset { minutes, .. } => i64::from(minutes) * 60,
        _ => 0,
    };
    match production {
        P::SubsecondChanged if !moment.leap => {
            moment.nanos =
                (moment.nanos + c.of(&[400_000_000u32, 1_000_000, 100_000_000, 1])) % 1_000_000_000;
            moment.fraction_digits = moment.needed_digits();
            true
        }
        P::WallTime if moment.zoned() && !moment.epoch && !moment.leap => {
            let minutes = c.of(&[60i16, -60, 120, -420, 330]);
            let new = i64::from(minutes) * 60;
            let old = offset(moment.zone);
            moment.seconds += old - new;
            moment.zone = Zone::Offset { minutes, colon: true, negative_zero: false };
            old != new
        }
        P::Zoneless if !moment.epoch && !moment.leap => {
            if moment.zoned() {
                moment.seconds += offset(moment.zone);
                moment.zone = Zone::None;
            } else {
                moment.zone = Zone::Zulu;
            }
            true
        }
        P::LeapSecond if moment.leap => {
            moment.leap = false;
            moment.seconds += 1;
            true
        }
        _ => false,
    }
}

/// `"42"` as 42 and the like, where the schema coerces neither.
fn other_type(production: P, node: &mut Node<'_>) -> bool {
    let plan = node.plan;
    let both = type_bit(JsonType::String) | type_bit(JsonType::Number);
    let fits = match production {
        P::UnionType => plan.union_types & both == both,
        _ if matches!(plan.kind, Kind::Any) => plan.types == 0 && plan.aliases.is_empty(),
        _ => {
            plan.union_types == 0
                && plan.types == type_bit(JsonType::String)
                && plan.aliases.is_empty()
        }
    };
    if !fits {
        return false;
    }
    let new = match &node.value {
        Val::Text(text) => match text.as_ref() {
            "true" if production == P::TypeChanged => Val::Bool(true),
            "false" if production == P::TypeChanged => Val::Bool(false),
            digits
                if digits.bytes().all(|b| b.is_ascii_digit())
                    && (1..18).contains(&digits.len())
                    && (digits == "0" || !digits.starts_with('0')) =>
            {
                Val::Number(digits.to_owned().into())
            }
            _ => return false,
        },
        Val::Number(text) => Val::Text(text.clone()),
        Val::Bool(b) if production == P::TypeChanged => {
            Val::Text(if *b { "true" } else { "false" }.into())
        }
        _ => return false,
    };
    node.value = new;
    node.freeze();
    true
}

fn member(production: P, node: &mut Node<'_>, c: &mut Choices<'_>) -> bool {
    let Kind::Enum(members) = &node.plan.kind else { return false };
    let Some(now) = members.iter().position(|m| crate::render::is_default(&node.value, m)) else {
        return false;
    };
    let new = if production == P::EnumNearCase {
        near_case(members, &members[now])
    } else if members.len() > 1 {
        members.get((now + 1 + c.below(members.len() - 1)) % members.len())
    } else {
        None
    };
    match new {
        Some(new) => {
            node.value = plain(new);
            true
        }
        None => false,
    }
}

fn items<'p>(production: P, node: &mut Node<'p>, drawing: &mut Drawing<'p, '_, '_>) -> bool {
    let plan = node.plan;
    let open = Items::default();
    let (of, set) = match &plan.kind {
        Kind::List(of) => (of, false),
        Kind::Set(of) => (of, true),
        _ => (&open, false),
    };
    let Val::List(items) = &mut node.value else { return false };
    match production {
        P::ItemOrder => {
            // In the place of another field an item would mean something else.
            let at = (1..items.len()).find(|at| {
                of.at(at - 1) == of.at(*at) && clearly_differ(&items[at - 1], &items[*at])
            });
            if let Some(at) = at {
                items.swap(at - 1, at);
            }
            at.is_some()
        }
        // What all items are could be left out of identity; then fewer of them are no change.
        P::ItemDropped if items.len() > 1 && !volatile(items) => {
            let at = drawing.choices.below(items.len());
            let repeats = |(other, item): (usize, &Node<'p>)| {
                other != at && !clearly_differ(item, &items[at])
            };
            // Those behind it move to other places.
            let moves = (at + 1..items.len()).any(|behind| of.at(behind) != of.at(behind - 1));
            // Of a set, an item that may mean what another one does is none fewer.
            if moves || set && items.iter().enumerate().any(repeats) {
                return false;
            }
            items.remove(at);
            true
        }
        P::ItemAdded => {
            let field = of.at(items.len());
            let new = drawing.node(&drawing.tool.fields[field], 4);
            let unclear = matches!(new.plan.kind, Kind::Volatile) || matches!(new.value, Val::Null);
            if unclear || (set && !items.iter().all(|known| clearly_differ(known, &new))) {
                return false;
            }
            items.push(new);
            true
        }
        P::NullItem if matches!(plan.kind, Kind::List(_)) => {
            let field = of.at(items.len());
            let field = &drawing.tool.fields[field];
            if matches!(field.kind, Kind::Volatile) {
                return false;
            }
            items.push(Node::new(field, Val::Null));
            true
        }
        _ => false,
    }
}

fn volatile(items: &[Node<'_>]) -> bool {
    items.iter().any(|n| matches!(n.plan.kind, Kind::Volatile))
}
