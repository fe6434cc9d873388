//! Plots of deduplication by meaning: sizes of clusters, precision and recall over thresholds.

mod curves;
mod sizes;

pub use curves::Curve;

use super::{File, register, render};
use crate::error::Result;
use std::collections::BTreeMap;

/// How many clusters there are of each size: `cluster-sizes`, as `.svg` and `.png`.
///
/// # Errors
/// When a plot cannot be drawn.
pub fn dedup_sizes(sizes: &BTreeMap<usize, usize>) -> Result<Vec<File>> {
    register()?;
    let mut files = Vec::new();
    render(&mut files, "cluster-sizes", &sizes::Sizes::of(sizes))?;
    Ok(files)
}

/// Precision against recall, and false merges by threshold, one line for each level: `precision-recall` and `false-merges`, as
/// `.svg` and `.png`. `marked` is the threshold that gets a dot.
///
/// # Errors
/// When a plot cannot be drawn.
pub fn dedup_curves(name: &str, curves: &[Curve], marked: f64) -> Result<Vec<File>> {
    register()?;
    let mut files = Vec::new();
    render(&mut files, "precision-recall", &curves::Figures::precision(name, curves, marked))?;
    render(&mut files, "false-merges", &curves::Figures::merges(name, curves, marked))?;
    Ok(files)
}
