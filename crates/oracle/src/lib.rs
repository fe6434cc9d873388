//! The laws that samecall must keep, as plain functions: property tests, fuzz targets and regression
//! tests all call the same ones.
//!
//! A law takes an input, panics with a sentence that states what is broken, and otherwise answers
//! what it saw, so that a test can show that it was not vacuous.

#[cfg(feature = "dedup")]
pub mod dedup;
#[cfg(feature = "keyer")]
pub mod jcs;
pub mod reader;
