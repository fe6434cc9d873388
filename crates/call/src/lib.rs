//! The vocabulary of samecall: a call and its scope, a labelled pair, a verdict; tool catalogs read
//! into field kinds; JSON lines in and out; and the one JSON reader behind all of it.
//!
//! Every other crate speaks in these types, and none of them decides here whether two calls are
//! the same: that is the keyers' work.

pub mod json;
