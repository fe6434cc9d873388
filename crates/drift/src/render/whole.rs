//! What concerns the argument text as a whole, and the call around it.

use crate::choice::Choices;
use crate::production::Production as P;
use crate::side::{Id, Side};
use crate::tree::{Node, Val};
use crate::write::{Layout, Style, Wrapper};
use samecall_call::shape::IdempotencyScope;

pub(super) fn apply(production: P, side: &mut Side<'_>, c: &mut Choices<'_>) -> bool {
    let before = side.style;
    let style = &mut side.style;
    match production {
        P::SerializerCompact => style.layout = Layout::Compact,
        P::SerializerDefault => style.layout = Layout::Default,
        P::SerializerIndent2 => style.layout = Layout::Indented("  "),
        P::SerializerIndent4 => style.layout = Layout::Indented("    "),
        P::SerializerTabs => style.layout = Layout::Indented("\t"),
        P::SerializerSpaced => style.layout = Layout::Spaced,
        P::SerializerTrailing => style.layout = Layout::TrailingSpace,
        P::OuterSpace => style.outer = true,
        P::EscapeNonAscii | P::EscapeUpperHex => {
            if any_text(&side.root, &|text| !text.is_ascii()) {
                style.non_ascii = true;
                style.upper_hex = production == P::EscapeUpperHex;
            }
        }
        P::EscapeSlash => style.slash |= any_text(&side.root, &|text| text.contains('/')),
        P::EscapeLetters => {
            if any_text(&side.root, &|text| {
                text.bytes().filter(u8::is_ascii_alphabetic).count() > 4
            }) {
                style.letters = c.of(&[3, 2, 5]);
            }
        }
        P::EscapeNames => {
            let long = |m: &crate::tree::Member<'_>| {
                m.name.bytes().filter(u8::is_ascii_alphabetic).count() > 2
            };
            style.names |=
                matches!(&side.root.value, Val::Object(members) if members.iter().any(long));
        }
        P::EscapeControl => {
            style.control |= any_text(&side.root, &|text| text.contains(['\n', '\t']))
        }
        P::ArgumentsText if style.wrapper == Wrapper::None => style.wrapper = Wrapper::Text,
        P::ArgumentsEnvelope if style.wrapper == Wrapper::None => {
            let object = side.tool.tool.shape.root_object();
            let says = !matches!(&side.root.value, Val::Object(members) if members.is_empty());
            // A tool that declares no member takes any, so that the name may be its own.
            let fits = object.is_some_and(|object| {
                object.may_be_enveloped() && (!object.properties.is_empty() || !says)
            });
            if fits && side.tool.tool.shape.has_schema {
                style.wrapper = Wrapper::Envelope;
            }
        }
        P::NoArguments => return no_arguments(side, c),
        _ => return scope(production, side, c),
    }
    *style != before && was_seen(&before, style)
}

/// Whether a change of layout is one that the text will show: an empty object looks the same in all.
fn was_seen(before: &Style, after: &Style) -> bool {
    !matches!(before.wrapper, Wrapper::Empty | Wrapper::Null) || before.wrapper != after.wrapper
}

fn no_arguments(side: &mut Side<'_>, c: &mut Choices<'_>) -> bool {
    let complete = side.tool.tool.shape.allows_no_arguments();
    if !complete || !side.no_members() || side.style.wrapper != Wrapper::None {
        return false;
    }
    side.style.wrapper = if c.permille(500) { Wrapper::Null } else { Wrapper::Empty };
    // Nothing that could be added would be written.
    side.root.freeze();
    true
}

fn any_text(node: &Node<'_>, test: &dyn Fn(&str) -> bool) -> bool {
    match &node.value {
        Val::Text(text) => test(text),
        Val::List(items) => items.iter().any(|n| any_text(n, test)),
        Val::Object(members) => members.iter().any(|m| any_text(&m.node, test)),
        _ => false,
    }
}

fn scope(production: P, side: &mut Side<'_>, c: &mut Choices<'_>) -> bool {
    let key = side.tool.tool.shape.idempotency.as_ref().map(|key| key.scope);
    let slot = &mut side.slot;
    match production {
        P::ToolAlias if side.name != side.tool.tool.name => false,
        P::ToolAlias => match c.pick(&side.tool.tool.shape.tool_aliases) {
            Some(alias) => {
                side.name = alias.as_str().into();
                true
            }
            None => false,
        },
        P::Lineage if slot.attempt_of.is_none() => {
            let first = (slot.run.clone(), slot.step.clone(), slot.occurrence.unwrap_or(0));
            slot.attempt_of = Some(first);
            if c.permille(400) {
                slot.run = Id::from(format!("{}-resumed", slot.run.0));
            } else {
                slot.step = later(&slot.step, c);
            }
            true
        }
        P::OccurrenceStated if slot.occurrence.is_none() => {
            slot.occurrence = Some(0);
            true
        }
        P::BusinessKey => match key {
            Some(IdempotencyScope::Run) => {
                slot.step = later(&slot.step, c);
                true
            }
            Some(IdempotencyScope::Tenant) => {
                slot.run = Id::from(format!("{}b", slot.run.0));
                slot.step = later(&slot.step, c);
                true
            }
            _ => false,
        },
        _ => false,
    }
}

/// A later step than this one.
pub(crate) fn later(step: &Id, c: &mut Choices<'_>) -> Id {
    match step.0.parse::<i64>() {
        Ok(number) => Id::from((number + c.between(1, 9)).to_string()),
        Err(_) => Id::from(format!("{}.1", step.0)),
    }
}
