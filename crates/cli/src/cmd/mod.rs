//! One file for each sub-command: its arguments and what it does.

pub(crate) mod cache;
pub(crate) mod cost;
pub(crate) mod dedup;
pub(crate) mod executors;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod key;
pub(crate) mod mine;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod tools;
