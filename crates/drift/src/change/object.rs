//! Changes of members: added, dropped, swapped, null, empty, twice.

use crate::draw::words::EXTRA_NAMES;
use crate::draw::{Drawing, clearly_differ};
use crate::plan::{FieldPlan, Kind, ObjectPlan, ToolPlan};
use crate::production::Production as P;
use crate::render::{is_absent, is_empty, is_free};
use crate::tree::{Member, Node, Val};
use samecall_call::json::Value;

static OPEN: ObjectPlan = ObjectPlan {
    required_undeclared: Vec::new(),
    properties: Vec::new(),
    additional: None,
    undeclared_null_absent: false,
    ignores_undeclared: false,
};

pub(super) fn apply<'p>(
    production: P,
    node: &mut Node<'p>,
    drawing: &mut Drawing<'p, '_, '_>,
) -> bool {
    let plan = node.plan;
    let tool = drawing.tool;
    let root = std::ptr::eq(plan, &tool.fields[tool.root]);
    let object = plan.object();
    let Val::Object(members) = &mut node.value else { return false };
    match (production, object) {
        (P::FieldsSwapped, Some(_)) => swap(members),
        (P::MemberAdded, Some(object)) => added(object, members, drawing),
        (P::MemberDropped, Some(object)) => {
            let droppable = |m: &Member<'_>| {
                m.property.is_some_and(|at| {
                    let property = &object.properties[at];
                    let field = &tool.fields[property.field];
                    let key_field = root && tool.key_fields.contains(&at);
                    let absent = is_blank(&m.node) || matches!(m.node.value, Val::Null);
                    let open = !property.required && field.default.is_none();
                    open && is_identity(field) && is_identity(m.node.plan) && !absent && !key_field
                })
            };
            remove_one(members, drawing, droppable)
        }
        (P::ExtraArgument, object) => {
            let ignored = tool.fields[tool.root].object().is_some_and(|o| o.ignores_undeclared);
            let name = drawing.choices.of(&EXTRA_NAMES);
            let object = object.unwrap_or(&OPEN);
            if ignored || !counts(tool, object) || !is_free(object, members, name) {
                return false;
            }
            let open = &tool.fields[0];
            let value = drawing.choices.of(&["1", "yes", "0"]);
            let value = if drawing.choices.permille(500) {
                Val::Text(value.into())
            } else {
                Val::Number(drawing.choices.of(&["1", "0", "17"]).into())
            };
            members.push(undeclared(name, Node::new(open, value)));
            true
        }
        (P::ExtraNull, Some(object)) => {
            let name = drawing.choices.of(&EXTRA_NAMES);
            let declared = object.undeclared_null_absent || object.ignores_undeclared;
            if declared || !root || !counts(tool, object) || !is_free(object, members, name) {
                return false;
            }
            members.push(undeclared(name, Node::new(&tool.fields[0], Val::Null)));
            true
        }
        (P::NullClears, Some(object)) => {
            let clears = |at: usize| {
                let property = &object.properties[at];
                let field = &tool.fields[property.field];
                !property.required
                    && field.nullable
                    && !field.null_absent
                    && tool.always_counts(field)
                    && !matches!(field.default, Some(Value::Null))
            };
            let null = |m: &Member<'_>| {
                matches!(m.node.value, Val::Null) && m.property.is_some_and(clears)
            };
            remove_one(members, drawing, null)
                || add_first(object, members, drawing, &clears, |_| Some(Val::Null))
        }
        (P::FalsyAbsent, Some(object)) => {
            let open = |at: usize| {
                let field = &tool.fields[object.properties[at].field];
                field.default.is_none() && !field.empty_absent && is_identity(field)
            };
            add_first(object, members, drawing, &open, falsy)
        }
        (P::DuplicateDiffers, _) => twice(members, drawing),
        _ => false,
    }
}

/// Whether undeclared members of the object are part of identity.
fn counts(tool: &ToolPlan, object: &ObjectPlan) -> bool {
    object.additional.is_none_or(|at| tool.always_counts(&tool.fields[at]))
}

fn is_identity(field: &FieldPlan) -> bool {
    !matches!(field.kind, Kind::Volatile | Kind::Payload)
}

fn undeclared<'p>(name: &'static str, node: Node<'p>) -> Member<'p> {
    Member { name: name.into(), property: None, twice: false, node }
}

/// Whether a value could be read as absent: a null or an empty value that means so, or an object of
/// nothing else.
fn is_blank(node: &Node<'_>) -> bool {
    match &node.value {
        Val::Null => node.plan.null_absent,
        Val::Object(members) if node.plan.empty_absent => {
            members.iter().all(|m| is_blank(&m.node) || matches!(m.node.plan.kind, Kind::Volatile))
        }
        value => node.plan.empty_absent && is_empty(value),
    }
}

fn remove_one<'p>(
    members: &mut Vec<Member<'p>>,
    drawing: &mut Drawing<'p, '_, '_>,
    which: impl Fn(&Member<'p>) -> bool,
) -> bool {
    let count = members.iter().filter(|m| which(m)).count();
    let chosen = drawing.choices.below(count);
    let at = members.iter().enumerate().filter(|(_, m)| which(m)).nth(chosen).map(|(at, _)| at);
    if let Some(at) = at {
        members.remove(at);
    }
    at.is_some()
}

/// Adds the value of the first absent property (from a random one on) that is asked for.
fn add_first<'p>(
    object: &'p ObjectPlan,
    members: &mut Vec<Member<'p>>,
    drawing: &mut Drawing<'p, '_, '_>,
    which: &dyn Fn(usize) -> bool,
    value: impl Fn(&'p FieldPlan) -> Option<Val<'p>>,
) -> bool {
    let count = object.properties.len();
    let start = drawing.choices.below(count);
    for step in 0..count {
        let at = (start + step) % count;
        let property = &object.properties[at];
        if !which(at) || !is_absent(object, members, at) {
            continue;
        }
        let field = &drawing.tool.fields[property.field];
        if let Some(value) = value(field) {
            let name = property.name.as_str().into();
            members.push(Member {
                name,
                property: Some(at),
                twice: false,
                node: Node::new(field, value),
            });
            return true;
        }
    }
    false
}

fn falsy<'p>(field: &'p FieldPlan) -> Option<Val<'p>> {
    match &field.kind {
        Kind::Exact | Kind::Text | Kind::Code => Some(Val::Text("".into())),
        Kind::List(_) | Kind::Set(_) => Some(Val::List(Vec::new())),
        Kind::Number { .. } => Some(Val::Number("0".into())),
        Kind::Boolean => Some(Val::Bool(false)),
        _ => None,
    }
}

fn added<'p>(
    object: &'p ObjectPlan,
    members: &mut Vec<Member<'p>>,
    drawing: &mut Drawing<'p, '_, '_>,
) -> bool {
    let count = object.properties.len();
    let start = drawing.choices.below(count);
    for step in 0..count {
        let at = (start + step) % count;
        let property = &object.properties[at];
        let field = &drawing.tool.fields[property.field];
        if field.default.is_some() || !is_identity(field) || !is_absent(object, members, at) {
            continue;
        }
        let node = drawing.node(field, 2);
        // A branch of a union may be left out of identity though others are not.
        if is_blank(&node) || matches!(node.value, Val::Null) || !is_identity(node.plan) {
            continue;
        }
        let name = property.name.as_str().into();
        members.push(Member { name, property: Some(at), twice: false, node });
        return true;
    }
    false
}

/// Exchanges the values of two members of one plain kind.
fn swap(members: &mut [Member<'_>]) -> bool {
    for first in 0..members.len() {
        for second in first + 1..members.len() {
            let (a, b) = (&members[first].node, &members[second].node);
            let plain = |n: &Node<'_>| {
                n.plan.pool.is_empty()
                    && n.plan.aliases.is_empty()
                    && n.plan.union_types == 0
                    && matches!(
                        n.plan.kind,
                        Kind::Exact
                            | Kind::Text
                            | Kind::Token
                            | Kind::Email
                            | Kind::Uri
                            | Kind::Phone
                            | Kind::Instant { .. }
                            | Kind::Number { grid: None }
                    )
            };
            let alike = std::mem::discriminant(&a.plan.kind)
                == std::mem::discriminant(&b.plan.kind)
                && a.plan.types == b.plan.types;
            if alike && plain(a) && plain(b) && !a.frozen && !b.frozen && clearly_differ(a, b) {
                let (left, right) = members.split_at_mut(second);
                std::mem::swap(&mut left[first].node.value, &mut right[0].node.value);
                return true;
            }
        }
    }
    false
}

/// Writes a member again with another value.
fn twice<'p>(members: &mut Vec<Member<'p>>, drawing: &mut Drawing<'p, '_, '_>) -> bool {
    let count = members.len();
    let at = drawing.choices.below(count);
    let Some(member) = members.get_mut(at) else { return false };
    let leaf = matches!(member.node.value, Val::Text(_) | Val::Number(_) | Val::Bool(_));
    if !leaf || !is_identity(member.node.plan) || member.node.frozen {
        return false;
    }
    for _ in 0..4 {
        let mut node = drawing.node(member.node.plan, 2);
        if clearly_differ(&member.node, &node) {
            // Neither of the two may be renamed or left out alone.
            member.node.freeze();
            node.freeze();
            let again =
                Member { name: member.name.clone(), property: member.property, twice: false, node };
            members.push(again);
            return true;
        }
    }
    false
}
