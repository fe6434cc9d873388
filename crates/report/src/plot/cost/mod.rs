//! Plots of the cost report: the ratio's band, the waterfall, expected cost and the break-even map.

mod breakeven;
mod expected;
mod ratio;
mod scale;
mod waterfall;

use super::{File, register, render};
use crate::cost::view::Cost;
use crate::error::Result;

/// All plots of a cost result, each as `.svg` and `.png`: `ratio`, `waterfall`, and for each tool
/// `expected-<tool>` and `breakeven-<tool>`.
///
/// # Errors
/// When a plot cannot be drawn.
pub(crate) fn cost_plots(cost: &Cost) -> Result<Vec<File>> {
    register()?;
    let mut files = Vec::new();
    if let Some(figure) = ratio::Ratio::of(cost) {
        render(&mut files, "ratio", &figure)?;
    }
    render(&mut files, "waterfall", &waterfall::Waterfall::of(cost))?;
    for tool in &cost.full.tools {
        let name = super::safe(&tool.name);
        render(&mut files, &format!("expected-{name}"), &expected::Expected::of(tool))?;
        render(&mut files, &format!("breakeven-{name}"), &breakeven::Breakeven::of(tool))?;
    }
    Ok(files)
}

/// A figure as a number; text that is none counts as nothing.
fn number(text: &str) -> f64 {
    text.parse().unwrap_or(0.0)
}
