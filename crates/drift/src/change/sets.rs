//! Sets that a change leaves as they were: an item that repeats another one becomes one that is there already.

use crate::draw::clearly_differ;
use crate::plan::Kind;
use crate::tree::{Node, Val};

/// Whether two items of one set may mean the same.
pub(super) fn has_repeats(node: &Node<'_>) -> bool {
    match &node.value {
        Val::List(items) => {
            let is_set = matches!(node.plan.kind, Kind::Set(_));
            (is_set && (0..items.len()).any(|at| repeats(items, at)))
                || items.iter().any(has_repeats)
        }
        Val::Object(members) => members.iter().any(|member| has_repeats(&member.node)),
        _ => false,
    }
}

/// Whether a changed item repeated another one before and repeats one now, so that its set may be what it was.
pub(super) fn is_hidden(before: &Node<'_>, after: &Node<'_>) -> bool {
    match (&before.value, &after.value) {
        (Val::List(old), Val::List(new)) if old.len() == new.len() => {
            let is_set = matches!(before.plan.kind, Kind::Set(_));
            (0..old.len()).any(|at| {
                (is_set && repeats(old, at) && repeats(new, at) && !is_same(&old[at], &new[at]))
                    || is_hidden(&old[at], &new[at])
            })
        }
        (Val::Object(old), Val::Object(new)) if old.len() == new.len() => {
            old.iter().zip(new).any(|(old, new)| is_hidden(&old.node, &new.node))
        }
        _ => false,
    }
}

/// Whether an item may mean what another one of the set does.
fn repeats(items: &[Node<'_>], at: usize) -> bool {
    let is_like =
        |(other, item): (usize, &Node<'_>)| other != at && !clearly_differ(item, &items[at]);
    items.iter().enumerate().any(is_like)
}

fn is_same(a: &Node<'_>, b: &Node<'_>) -> bool {
    match (&a.value, &b.value) {
        (Val::Null, Val::Null) => true,
        (Val::Bool(a), Val::Bool(b)) => a == b,
        (Val::Number(a), Val::Number(b)) | (Val::Text(a), Val::Text(b)) => a == b,
        (Val::Instant(a), Val::Instant(b)) => a == b,
        (Val::List(a), Val::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Val::Object(a), Val::Object(b)) => {
            let alike = a.iter().zip(b).all(|(a, b)| a.name == b.name && is_same(&a.node, &b.node));
            a.len() == b.len() && alike
        }
        _ => false,
    }
}
