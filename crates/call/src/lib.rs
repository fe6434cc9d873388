//! The vocabulary of samecall: a call and its scope, a labelled pair, a verdict; tool catalogs read
//! into field kinds; JSON lines in and out; and the one JSON reader behind all of it.
//!
//! Every other crate speaks in these types, and none of them decides here whether two calls are
//! the same: that is the keyers' work.

mod annotations;
pub mod cached;
mod call;
mod catalog;
mod error;
pub mod executors;
pub mod json;
mod lines;
mod meaning;
pub mod mined;
mod pair;
mod read;
mod resolve;
pub mod result;
pub mod rules;
pub mod shape;
mod verdict;

pub use annotations::Annotations;
pub use call::{Attempt, Call, Part, Scope};
pub use catalog::{Catalog, Tool};
pub use error::{Error, Result};
pub use lines::{LineReader, parse_record};
pub use meaning::meaning;
pub use pair::{Pair, Productions, SchemaRef, Truth};
pub use read::FieldError;
pub use resolve::Resolver;
pub use verdict::Verdict;
