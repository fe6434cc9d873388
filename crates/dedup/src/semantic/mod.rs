//! Deduplication by meaning: chunks whose embeddings are alike and that state the same facts.
//!
//! [`chunks`] and [`npy`] read, [`graph`] finds all pairs above a threshold, [`judge`] asks the guard, [`cluster`] groups,
//! [`canonical`] chooses who stays, [`run`] joins them. [`state`] does the same as chunks come and go.

pub mod calibrate;
pub mod canonical;
pub mod chunks;
pub mod class;
pub mod cluster;
pub mod graph;
pub mod judge;
pub mod laws;
pub mod model;
pub mod npy;
pub mod options;
pub mod output;
pub mod policy;
mod prefix;
mod product;
pub mod report;
pub mod retrieval;
pub mod run;
pub mod state;
pub mod vectors;

pub use chunks::{Chunk, Chunks};
pub use model::Fingerprint;
pub use options::Options;
pub use run::{Outcome, Removal, dedupe};
pub use vectors::Vectors;
