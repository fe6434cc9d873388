//! Absent, null, empty and default, exchanged where the schema makes them equal; volatile members.

use crate::choice::Choices;
use crate::draw::{self, plain, words::EXTRA_NAMES};
use crate::plan::{FieldPlan, Kind, ObjectPlan, ToolPlan};
use crate::production::Production as P;
use crate::tree::{Member, Node, Val};
use samecall_call::json::Value;
use samecall_call::shape::fold_name;

pub(super) fn apply<'p>(
    production: P,
    tool: &'p ToolPlan,
    node: &mut Node<'p>,
    all: bool,
    c: &mut Choices<'_>,
) -> bool {
    if production == P::FreshNonce {
        let new = draw::nonce(node.plan, c);
        let changed = match (&node.value, &new) {
            (Val::Text(a), Val::Text(b)) | (Val::Number(a), Val::Number(b)) => a != b,
            _ => true,
        };
        node.value = new;
        return changed;
    }
    let plan = node.plan;
    let (Val::Object(members), Some(object)) = (&mut node.value, plan.object()) else {
        return false;
    };
    match production {
        P::AddNull => {
            if all && add_undeclared_null(object, members, "note") {
                return true;
            }
            let fits = |f: &FieldPlan| f.null_absent;
            add(tool, object, members, c, &fits, |_| Some(Val::Null))
                || add_undeclared_null(object, members, "note")
        }
        P::UndeclaredNull => {
            let name = c.of(&EXTRA_NAMES);
            add_undeclared_null(object, members, name)
        }
        P::DropNulls => drop_members(members, |m| {
            matches!(m.node.value, Val::Null)
                && match m.property {
                    Some(at) => tool.fields[object.properties[at].field].null_absent,
                    None => object.undeclared_null_absent,
                }
        }),
        // An object that means absent when it is empty is judged before defaults come in.
        P::DefaultWritten if !plan.empty_absent => {
            add(tool, object, members, c, &|f| f.default.is_some(), |field| {
                field.default.as_ref().filter(|d| is_plain(d)).map(plain)
            })
        }
        // What is frozen may be one of two members of a name.
        P::DefaultDropped if !plan.empty_absent => drop_members(members, |m| {
            !m.node.frozen
                && m.property.is_some_and(|at| {
                    let property = &object.properties[at];
                    let field = &tool.fields[property.field];
                    !property.required
                        && field.default.as_ref().is_some_and(|d| is_default(&m.node.value, d))
                })
        }),
        P::EmptyWritten => {
            let done = add(tool, object, members, c, &|f| f.empty_absent, empty);
            // White space in an empty text, or an empty object as text, would no longer be empty.
            if let (true, Some(last)) = (done, members.last_mut()) {
                last.node.freeze();
            }
            done
        }
        // Without what is required, the call may be one that was cut before it.
        P::EmptyDropped => drop_members(members, |m| {
            m.property.is_some_and(|at| {
                let property = &object.properties[at];
                !property.required && tool.fields[property.field].empty_absent
            }) && is_empty(&m.node.value)
        }),
        P::VolatileDropped if !plan.empty_absent => drop_members(members, |m| {
            matches!(m.node.plan.kind, Kind::Volatile)
                && m.property.is_some_and(|at| {
                    let property = &object.properties[at];
                    let field = &tool.fields[property.field];
                    // The default of a union may be of a branch that counts.
                    let left_out = matches!(field.kind, Kind::Volatile) || field.default.is_none();
                    left_out && !property.required
                })
        }),
        _ => false,
    }
}

/// Adds an absent declared member whose field fits, with the value that `value` gives.
fn add<'p>(
    tool: &'p ToolPlan,
    object: &'p ObjectPlan,
    members: &mut Vec<Member<'p>>,
    c: &mut Choices<'_>,
    fits: &dyn Fn(&FieldPlan) -> bool,
    value: impl Fn(&'p FieldPlan) -> Option<Val<'p>>,
) -> bool {
    let count = object.properties.len();
    let start = c.below(count);
    for step in 0..count {
        let at = (start + step) % count;
        let property = &object.properties[at];
        let field = &tool.fields[property.field];
        if matches!(field.kind, Kind::Volatile | Kind::Payload)
            || !fits(field)
            || !is_absent(object, members, at)
        {
            continue;
        }
        let Some(value) = value(field) else { continue };
        let node = Node::new(field, value);
        let name = property.name.as_str().into();
        members.push(Member { name, property: Some(at), twice: false, node });
        return true;
    }
    false
}

/// Whether no written member is the property, nor could be read as it.
pub(crate) fn is_absent(object: &ObjectPlan, members: &[Member<'_>], at: usize) -> bool {
    let folded = &object.properties[at].folded;
    members.iter().all(|m| {
        m.property != Some(at)
            && m.property.map_or_else(
                || fold_name(&m.name) != *folded,
                |p| object.properties[p].folded != *folded,
            )
    })
}

/// Whether a name is no declared one, by any spelling, and not yet written.
pub(crate) fn is_free(object: &ObjectPlan, members: &[Member<'_>], name: &str) -> bool {
    let folded = fold_name(name);
    object.properties.iter().all(|p| p.folded != folded)
        && members.iter().all(|m| fold_name(&m.name) != folded)
}

fn add_undeclared_null<'p>(
    object: &ObjectPlan,
    members: &mut Vec<Member<'p>>,
    name: &'static str,
) -> bool {
    if !object.undeclared_null_absent || !is_free(object, members, name) {
        return false;
    }
    members.push(Member {
        name: name.into(),
        property: None,
        twice: false,
        node: Node::new(&NULL, Val::Null),
    });
    true
}

/// The field of an undeclared null.
static NULL: FieldPlan = FieldPlan {
    kind: Kind::Any,
    types: 0,
    nullable: true,
    null_absent: true,
    empty_absent: false,
    default: None,
    aliases: Vec::new(),
    union_types: 0,
    hint: crate::plan::Hint::None,
    integer: false,
    min: None,
    max: None,
    min_items: 0,
    pool: Vec::new(),
};

fn drop_members(members: &mut Vec<Member<'_>>, which: impl Fn(&Member<'_>) -> bool) -> bool {
    let before = members.len();
    members.retain(|m| !which(m));
    members.len() < before
}

/// Whether a default is one that the tree can hold as it is.
fn is_plain(default: &Value<'_>) -> bool {
    match default {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => true,
    }
}

/// Whether a spelled value is the default, letter by letter.
pub(crate) fn is_default(value: &Val<'_>, default: &Value<'_>) -> bool {
    match (value, default) {
        (Val::Null, Value::Null) => true,
        (Val::Bool(a), Value::Bool(b)) => a == b,
        (Val::Number(a), Value::Number(b)) => a == b,
        (Val::Text(a), Value::String(b)) => *b == **a,
        (Val::List(items), Value::Array(of)) => items.is_empty() && of.is_empty(),
        _ => false,
    }
}

/// The empty value of a field's kind.
pub(crate) fn empty<'p>(field: &'p FieldPlan) -> Option<Val<'p>> {
    match &field.kind {
        Kind::List(_) | Kind::Set(_) => Some(Val::List(Vec::new())),
        Kind::Object(_) => Some(Val::Object(Vec::new())),
        Kind::Exact | Kind::Token | Kind::Text | Kind::Code => Some(Val::Text("".into())),
        _ => None,
    }
}

pub(crate) fn is_empty(value: &Val<'_>) -> bool {
    match value {
        Val::Text(text) => text.is_empty(),
        Val::List(items) => items.is_empty(),
        Val::Object(members) => members.is_empty(),
        _ => false,
    }
}
