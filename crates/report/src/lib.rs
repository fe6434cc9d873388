//! Reads result files and writes tables and plots; never computes a score.
//!
//! [`load()`] reads what `samecall replay --json` wrote. [`terminal`] is the text for a person at a
//! terminal, [`files`] the whole of a report folder (the result itself, Markdown, plots) for
//! [`write_all`], and [`readme_block`] the part of the README that [`splice()`] puts in its place.

mod article;
mod cached;
mod cost;
mod error;
mod executors;
mod exhaustive;
mod findings;
mod load;
mod mined;
pub mod plot;
mod render;
mod rules;
mod scores;
mod splice;
mod table;
mod words;
mod write;

pub use cached::{cached_files, cached_json, cached_terminal};
pub use cost::{Cost, cost_files, cost_from_json, cost_terminal};
pub use error::{Error, Result};
pub use executors::{executors_files, executors_json, executors_terminal};
pub use findings::findings;
pub use load::{join, load, load_folder, to_json};
pub use mined::{mined_files, mined_json, mined_terminal};
pub use plot::{Curve, dedup_curves, dedup_sizes};
pub use render::{Provenance, Style, files, markdown, readme_block, terminal};
pub use rules::{rules_files, rules_json, rules_terminal};
pub use splice::{BEGIN, END, splice};
pub use table::Table;
pub use write::{Draft, write, write_all};
