//! All kinds of pairs of one tool, judged again: whether the generator's labels hold on a schema that nobody thought of.

use crate::truth::{self, Disagreement};
use crate::{Generator, Profile, Result};
use samecall_call::{Catalog, Pair};

/// Batches, pairs in each, and productions on one pair.
const DRAWN: (u64, usize, usize) = (20, 100, 3);

/// What a sweep came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Swept {
    /// All labels hold of so many pairs. The rest have no meaning to judge.
    Held(usize),
    /// The first label that does not.
    Contradicted(Box<(Pair, Disagreement)>),
}

/// Draws two thousand pairs of a catalog's tools, the same ones each time, and judges each by its calls alone.
///
/// # Errors
/// When nothing can be drawn of the catalog.
pub fn labels(catalog: &Catalog) -> Result<Swept> {
    let (batches, size, depth) = DRAWN;
    let generator = Generator::new(catalog, &Profile::builtin("hostile")?, 1, depth)?;
    let mut held = 0;
    for pair in (0..batches).flat_map(|index| generator.batch(index, size)) {
        if !truth::has_meaning(&pair, catalog) {
            continue;
        }
        if let Err(disagreement) = truth::check(&pair, catalog) {
            return Ok(Swept::Contradicted(Box::new((pair, disagreement))));
        }
        held += 1;
    }
    Ok(Swept::Held(held))
}
