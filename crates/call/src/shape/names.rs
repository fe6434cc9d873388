//! Which declared property a written member name means.
//!
//! Names are compared in NFC. An undeclared name is read as the one declared property that equals
//! it without `_`, `-` and ASCII case, when that property is absent and no other written name and
//! no other property lays claim to it: `customerId` for `customer_id`.

use super::ObjectShape;
use std::borrow::Cow;
use std::collections::HashMap;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A name without `_`, `-` and ASCII case.
pub fn fold_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
}

/// A name in NFC.
pub(crate) fn nfc(name: &str) -> Cow<'_, str> {
    if name.is_ascii() || is_nfc_quick(name.chars()) == IsNormalized::Yes {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.nfc().collect())
    }
}

/// What a written name turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameMatch {
    /// The declared property at this index of [`ObjectShape::properties`].
    Declared(usize),
    /// A member that the schema does not know.
    Undeclared,
}

/// Decides for every written name (in NFC, in written order) which property it means. Near linear in
/// names and properties.
pub fn match_names<'n>(object: &ObjectShape, names: &[&'n str]) -> Vec<NameMatch> {
    let exact =
        |name: &&'n str| object.properties.binary_search_by(|p| p.name.as_str().cmp(name)).ok();
    let mut matches: Vec<NameMatch> = names
        .iter()
        .map(|name| exact(name).map_or(NameMatch::Undeclared, NameMatch::Declared))
        .collect();
    if object.properties.is_empty() || matches.iter().all(|m| *m != NameMatch::Undeclared) {
        return matches;
    }
    let mut present = vec![false; object.properties.len()];
    for found in &matches {
        if let NameMatch::Declared(at) = found {
            present[*at] = true;
        }
    }
    // The property of a folded name; none where several fold to it.
    let mut properties: HashMap<&str, Option<usize>> = HashMap::new();
    for (at, property) in object.properties.iter().enumerate() {
        properties.entry(&property.folded).and_modify(|of| *of = None).or_insert(Some(at));
    }
    // The undeclared name that lays claim to a property; none where several different ones do. A
    // repeated name is one claim.
    let mut claims: HashMap<usize, Option<&str>> = HashMap::new();
    let mut wanted: Vec<Option<usize>> = Vec::with_capacity(names.len());
    for (name, found) in names.iter().zip(&matches) {
        let property = match found {
            NameMatch::Declared(_) => None,
            NameMatch::Undeclared => properties
                .get(fold_name(name).as_str())
                .copied()
                .flatten()
                .filter(|at| !present[*at]),
        };
        if let Some(at) = property {
            claims
                .entry(at)
                .and_modify(|by| *by = by.filter(|known| known == name))
                .or_insert(Some(name));
        }
        wanted.push(property);
    }
    for (found, property) in matches.iter_mut().zip(wanted) {
        if let Some(at) = property
            && claims.get(&at).is_some_and(Option::is_some)
        {
            *found = NameMatch::Declared(at);
        }
    }
    matches
}
