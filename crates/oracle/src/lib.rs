//! The laws that samecall must keep, as plain functions: property tests, fuzz targets and regression tests all call the
//! same ones.
//!
//! A law takes an input and answers what it saw, so that a test can show that it was not vacuous; or it answers how it is
//! [`Broken`], with the evidence. One file for each law; a law about a strategy takes it as a [`subject::Subject`].

mod broken;
pub mod input;
pub mod reader;
pub mod shrink;

#[cfg(feature = "cache")]
pub mod cache;
#[cfg(feature = "dedup")]
pub mod dedup;
#[cfg(feature = "jcs")]
pub mod jcs;

#[cfg(feature = "strategies")]
pub mod catalog;
#[cfg(feature = "strategies")]
mod evidence;
#[cfg(feature = "strategies")]
pub mod files;
#[cfg(feature = "strategies")]
pub mod fixed_point;
#[cfg(feature = "strategies")]
mod near;
#[cfg(feature = "strategies")]
pub mod order;
#[cfg(feature = "strategies")]
pub mod pair;
#[cfg(feature = "strategies")]
pub mod planted;
#[cfg(feature = "strategies")]
pub mod record;
#[cfg(feature = "strategies")]
pub mod scope;
#[cfg(feature = "score")]
pub mod scoring;
#[cfg(feature = "strategies")]
pub mod search;
#[cfg(feature = "dedup")]
pub mod semantic;
#[cfg(feature = "store")]
pub mod store;
#[cfg(feature = "strategies")]
pub mod subject;
#[cfg(feature = "strategies")]
pub mod targets;
#[cfg(feature = "strategies")]
pub mod total;
#[cfg(feature = "strategies")]
pub mod values;
#[cfg(feature = "strategies")]
pub mod world;

pub use broken::{Broken, Evidence, Law, is_of_no_strategy};
