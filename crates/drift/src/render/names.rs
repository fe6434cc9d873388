//! Member names in other spellings.

use crate::choice::Choices;
use crate::production::Production as P;
use crate::tree::{Member, Node, Val};
use samecall_call::shape::fold_name;
use unicode_normalization::UnicodeNormalization;

pub(super) fn apply(production: P, node: &mut Node<'_>, c: &mut Choices<'_>) -> bool {
    let plan = node.plan;
    let Val::Object(members) = &mut node.value else { return false };
    let count = members.len();
    let start = c.below(count);
    for step in 0..count {
        let at = (start + step) % count;
        let member = &members[at];
        let new = match (production, member.property, plan.object()) {
            (P::NameNfd, ..) if !member.name.is_ascii() => {
                Some(member.name.nfd().collect::<String>())
            }
            (P::NameCamel | P::NameKebab | P::NameCase, Some(property), Some(object)) => {
                let property = &object.properties[property];
                let alone =
                    object.properties.iter().filter(|p| p.folded == property.folded).count() == 1
                        && others_differ(members, at, &property.folded);
                let new = respelled(production, &property.name, c);
                new.filter(|new| {
                    alone && member.name == property.name && fold_name(new) == property.folded
                })
                .filter(|_| !member.node.frozen)
            }
            _ => None,
        };
        if let Some(new) = new.filter(|new| *new != members[at].name) {
            members[at].name = new.into();
            return true;
        }
    }
    false
}

/// Whether no other member of the object is written with a name of the same letters.
fn others_differ(members: &[Member<'_>], at: usize, folded: &str) -> bool {
    members.iter().enumerate().all(|(i, m)| i == at || fold_name(&m.name) != folded)
}

fn respelled(production: P, name: &str, c: &mut Choices<'_>) -> Option<String> {
    match production {
        P::NameCamel if name.contains('_') => {
            let mut out = String::with_capacity(name.len());
            let mut raise = false;
            for c in name.chars() {
                if c == '_' {
                    raise = true;
                } else {
                    out.push(if raise { c.to_ascii_uppercase() } else { c });
                    raise = false;
                }
            }
            Some(out)
        }
        P::NameKebab if name.contains('_') => Some(name.replace('_', "-")),
        P::NameCase if c.permille(500) => Some(name.to_ascii_uppercase()),
        P::NameCase => {
            let mut out = name.to_owned();
            out.get_mut(..1)?.make_ascii_uppercase();
            Some(out)
        }
        _ => None,
    }
}
