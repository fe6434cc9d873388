//! Unions: which branch a value belongs to, and when nobody can tell.

use super::{Field, FieldId, JsonType, Kind, Tag, UnionShape};
use crate::json::Value;

/// The kind of a union of branches, with the reason and the JSON types it takes.
///
/// Constants and enums of all branches are one enum. Otherwise each JSON type belongs to the branch
/// that alone takes it (or to any, where all that take it agree); objects may be told apart by a tag.
/// A type that several branches claim in different ways is left out, so that it stays exact.
pub(super) fn union_kind(
    fields: &[Field],
    ids: &[FieldId],
    word: &str,
) -> (Kind, String, Vec<JsonType>) {
    let branch = |id: &FieldId| &fields[id.0 as usize];
    let mut types: Vec<JsonType> =
        ids.iter().flat_map(|id| branch(id).json_types.iter().copied()).collect();
    types.sort_unstable();
    types.dedup();
    let mut members: Vec<Value<'static>> = Vec::new();
    for id in ids {
        if let Kind::Enum(of_branch) = &branch(id).kind {
            for member in of_branch {
                if !members.contains(member) {
                    members.push(member.clone());
                }
            }
        }
    }
    if ids.iter().all(|id| matches!(branch(id).kind, Kind::Enum(_))) {
        return (Kind::Enum(members), format!("{word} of constants"), types);
    }
    // A branch that takes anything leaves nothing certain.
    if ids.iter().any(|id| branch(id).json_types.is_empty()) {
        return (Kind::Any, format!("{word} with an open branch"), Vec::new());
    }
    // Branches that differ in constraints alone are one kind, toward which text is coerced as toward any other.
    if let (&[_], Some((first, rest))) = (&types[..], ids.split_first())
        && matches!(branch(first).kind, Kind::Number { .. } | Kind::Boolean)
        && ids.iter().all(|id| branch(id).aliases.is_empty())
        && rest.iter().all(|id| agree(branch(first), branch(id)))
    {
        return (branch(first).kind.clone(), word.to_owned(), types);
    }
    let mut union = UnionShape::default();
    for of in &types {
        let claims: Vec<FieldId> =
            ids.iter().filter(|id| branch(id).json_types.contains(of)).copied().collect();
        // What one branch would take for something else than it is might be another's.
        if claims.iter().any(|id| !is_told(fields, ids, *id, *of)) {
            continue;
        }
        match claims[..] {
            [only] => union.branches.push((*of, only)),
            [first, ..] if claims.iter().all(|id| agree(branch(&first), branch(id))) => {
                union.branches.push((*of, first));
            }
            _ if *of == JsonType::Object => union.tag = tag(fields, &claims),
            _ => {}
        }
    }
    (Kind::Union(union), word.to_owned(), types)
}

/// Whether a value of a JSON type that a branch takes is read by that branch also in the spelling that its kind gives it.
/// A list of one, an object in text, a number of seconds that is an instant, have another JSON type than they are read as.
fn is_told(fields: &[Field], ids: &[FieldId], id: FieldId, of: JsonType) -> bool {
    let branch = &fields[id.0 as usize];
    let spelled = match &branch.kind {
        Kind::List(_) | Kind::Set(_) => return of == JsonType::Array,
        Kind::Object(_) => return of == JsonType::Object,
        Kind::Number { .. } => JsonType::Number,
        Kind::Boolean => JsonType::Boolean,
        Kind::Instant { epoch: true } | Kind::Json => JsonType::String,
        _ => of,
    };
    let mut takers = ids
        .iter()
        .map(|id| &fields[id.0 as usize])
        .filter(|other| other.json_types.contains(&spelled))
        .peekable();
    spelled == of
        || match takers.peek() {
            // Nothing is known of it, and numbers and booleans are what they are.
            None => matches!(branch.kind, Kind::Number { .. } | Kind::Boolean),
            Some(_) => takers.all(|other| std::ptr::eq(other, branch) || agree(branch, other)),
        }
}

/// Whether two scalar branches say the same of equality.
fn agree(a: &Field, b: &Field) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Number { grid: x }, Kind::Number { grid: y }) => x == y,
        (Kind::Exact, Kind::Exact)
        | (Kind::Boolean, Kind::Boolean)
        | (Kind::Token, Kind::Token)
        | (Kind::Text, Kind::Text)
        | (Kind::Code, Kind::Code)
        | (Kind::Uuid, Kind::Uuid)
        | (Kind::Uri, Kind::Uri)
        | (Kind::Time, Kind::Time)
        | (Kind::Phone, Kind::Phone)
        | (Kind::Date, Kind::Date)
        | (Kind::Duration, Kind::Duration)
        | (Kind::Email, Kind::Email)
        | (Kind::Json, Kind::Json) => a.aliases == b.aliases,
        (Kind::Instant { epoch: x }, Kind::Instant { epoch: y }) => x == y,
        _ => false,
    }
}

/// A property that every branch requires with one constant text, another one in each.
fn tag(fields: &[Field], ids: &[FieldId]) -> Option<Tag> {
    let object = |id: &FieldId| match &fields[id.0 as usize].kind {
        Kind::Object(object) => Some(object),
        _ => None,
    };
    let first = object(ids.first()?)?;
    first.properties.iter().find_map(|property| {
        let mut branches: Vec<(String, FieldId)> = Vec::new();
        for id in ids {
            let property = object(id)?.property(&property.name).filter(|p| p.required)?;
            let Kind::Enum(members) = &fields[property.field.0 as usize].kind else { return None };
            for member in members {
                let text = member.as_str()?.to_owned();
                if branches.iter().any(|(known, of)| *known == text && of != id) {
                    return None;
                }
                branches.push((text, *id));
            }
        }
        Some(Tag { name: property.name.clone(), branches })
    })
}
