//! Objects, lists and sets in other spellings.

use crate::choice::Choices;
use crate::plan::{FieldPlan, Kind, ToolPlan};
use crate::production::Production as P;
use crate::tree::{Node, Val};
use crate::write;
use samecall_call::json::{self, Dialect};
use samecall_call::shape::JsonType;

pub(super) fn apply<'p>(
    production: P,
    tool: &'p ToolPlan,
    node: &mut Node<'p>,
    all: bool,
    c: &mut Choices<'_>,
) -> bool {
    let plan = node.plan;
    match (production, &mut node.value) {
        (P::KeyReorder, Val::Object(members)) if members.len() > 1 => {
            if all {
                members.reverse();
            } else {
                swap_two(members, c);
            }
            true
        }
        (P::DuplicateEqual, Val::Object(members)) => {
            let at = c.below(members.len());
            match members.get_mut(at) {
                Some(member) if !member.twice => {
                    member.twice = true;
                    true
                }
                _ => false,
            }
        }
        // Payload is compared place by place, and a repeat or another order moves it.
        (P::SetReorder | P::SetRepeat, Val::List(_)) if tool.may_hold_payload(plan) => false,
        (P::SetReorder, Val::List(items)) if items.len() > 1 => {
            swap_two(items, c);
            true
        }
        (P::SetRepeat, Val::List(items)) if !items.is_empty() => {
            let again = items[c.below(items.len())].clone();
            let at = c.below(items.len() + 1);
            items.insert(at, again);
            true
        }
        (P::SingletonUnwrapped, Val::List(items)) => {
            let (Kind::List(of) | Kind::Set(of)) = &plan.kind else { return false };
            let open = of.prefix.is_empty() && of.rest.is_none();
            let [item] = items.as_slice() else { return false };
            let unclear = match &item.value {
                Val::Null | Val::List(_) => true,
                // What could be read as an absent value, or as a list.
                Val::Object(members) => members.is_empty(),
                Val::Text(text) => text.is_empty() || text.trim_start().starts_with('['),
                _ => item.as_text,
            };
            let of_type = json_type(item);
            let takes = |field: &FieldPlan| field.takes(of_type);
            let taken = open || (takes(item.plan) && takes(&tool.fields[of.at(0)]));
            if !plan.coerces() || unclear || !taken || of.prefix.len() > 1 {
                return false;
            }
            let item = items.remove(0);
            node.value = item.value;
            node.freeze();
            true
        }
        (P::ListAsText, Val::List(items)) => {
            let (Kind::List(of) | Kind::Set(of)) = &plan.kind else { return false };
            let takes =
                |(at, item): (usize, &Node<'_>)| tool.fields[of.at(at)].takes(json_type(item));
            if !plan.coerces() || items.is_empty() || !items.iter().enumerate().all(takes) {
                return false;
            }
            node.as_text = true;
            node.freeze();
            true
        }
        (P::ObjectAsText, Val::Object(_)) => {
            let root = std::ptr::eq(plan, &tool.fields[tool.root]);
            if root || !matches!(plan.kind, Kind::Object(_)) || !plan.coerces() {
                return false;
            }
            node.as_text = true;
            node.freeze();
            true
        }
        (P::JsonRespelled, Val::Text(text)) => {
            let Ok(parsed) = json::parse(text, Dialect::Strict) else { return false };
            let mut new = String::with_capacity(text.len() + 16);
            write::respell(&mut new, &parsed);
            let changed = new != text.as_ref();
            node.value = Val::Text(new.into());
            changed
        }
        _ => false,
    }
}

/// Exchanges two different places.
fn swap_two<T>(items: &mut [T], c: &mut Choices<'_>) {
    let first = c.below(items.len());
    let other = (first + 1 + c.below(items.len() - 1)) % items.len();
    items.swap(first, other);
}

/// The JSON type that a node is written as.
pub(crate) fn json_type(node: &Node<'_>) -> JsonType {
    match &node.value {
        _ if node.as_text => JsonType::String,
        Val::Null => JsonType::Null,
        Val::Bool(_) => JsonType::Boolean,
        Val::Number(_) => JsonType::Number,
        Val::Instant(moment) if moment.epoch => JsonType::Number,
        Val::Text(_) | Val::Instant(_) => JsonType::String,
        Val::List(_) => JsonType::Array,
        Val::Object(_) => JsonType::Object,
    }
}
