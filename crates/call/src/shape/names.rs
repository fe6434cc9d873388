//! Which declared property a written member name means.
//!
//! Names are compared in NFC. An undeclared name is read as the one declared property that equals
//! it without `_`, `-` and ASCII case, when that property is absent and no other written name and
//! no other property lays claim to it: `customerId` for `customer_id`.

use super::ObjectShape;
use std::borrow::Cow;
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

/// Decides for every written name (in NFC, in written order) which property it means.
pub fn match_names<'n>(object: &ObjectShape, names: &[&'n str]) -> Vec<NameMatch> {
    let exact =
        |name: &&'n str| object.properties.binary_search_by(|p| p.name.as_str().cmp(name)).ok();
    let mut matches: Vec<NameMatch> = names
        .iter()
        .map(|name| exact(name).map_or(NameMatch::Undeclared, NameMatch::Declared))
        .collect();
    if matches.iter().all(|m| *m != NameMatch::Undeclared) {
        return matches;
    }
    let mut present = vec![false; object.properties.len()];
    for found in &matches {
        if let NameMatch::Declared(at) = found {
            present[*at] = true;
        }
    }
    let folded: Vec<Option<String>> = names
        .iter()
        .zip(&matches)
        .map(|(name, found)| (*found == NameMatch::Undeclared).then(|| fold_name(name)))
        .collect();
    for (at, name) in folded.iter().enumerate() {
        let Some(name) = name else { continue };
        // Two different written names with one folded form are no clear claim; a repeated name is.
        let rivals = folded
            .iter()
            .enumerate()
            .any(|(i, f)| i != at && f.as_deref() == Some(name) && names[i] != names[at]);
        let mut claims = object.properties.iter().enumerate().filter(|(_, p)| p.folded == *name);
        if let (Some((property, _)), None) = (claims.next(), claims.next())
            && !rivals
            && !present[property]
        {
            matches[at] = NameMatch::Declared(property);
        }
    }
    matches
}
