//! Calls as a labelled pair that stands alone: with its tool's schema, so that any program can replay it.

use crate::broken::Evidence;
use samecall_call::{Call, Pair, SchemaRef, Tool, Truth};

/// The pair of two calls of a tool.
pub(crate) fn pair(truth: Truth, a: &Call, b: &Call, tool: Option<&Tool>) -> Evidence {
    let schema = tool.map_or(SchemaRef::ByName, |tool| SchemaRef::Inline(tool.parameters.clone()));
    Evidence::Pair(Box::new(Pair {
        id: "find".to_owned(),
        set: "finds".to_owned(),
        truth,
        why: "found".to_owned(),
        drift: Vec::new(),
        cluster: "finds".to_owned(),
        contradicts: None,
        productions: None,
        schema,
        a: a.clone(),
        b: b.clone(),
    }))
}
