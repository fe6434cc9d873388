//! Plots: recall by strategy with intervals, false merges by reason, recall by drift class.
//!
//! Each figure is drawn once in units of a pixel of the SVG; the PNG is the same at twice the size. The
//! font comes with a crate and is registered under the generic name `sans-serif`, so that no system font
//! is needed and an SVG shows in whatever sans-serif its viewer has. Colours are those of M. Okabe and
//! K. Ito, *Color Universal Design* (2008), told apart by colour-blind readers.

mod canvas;
mod cost;
mod dedup;
mod executors;
mod frontier;
mod interaction;
mod matrix;
mod merges;
mod recall;

pub(crate) use cost::cost_plots;
pub use dedup::{Curve, dedup_curves, dedup_sizes};

use crate::error::{Error, Result};
use crate::scores::sets;
use canvas::{Canvas, Figure};
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use samecall_call::result::Results;

/// The name and the bytes of a plot.
pub type File = (String, Vec<u8>);

/// All plots of a result: `recall-<set>`, `merges-<set>` and `matrix-<set>`, each as `.svg` and `.png`.
///
/// # Errors
/// When a plot cannot be drawn.
pub fn plots(results: &Results) -> Result<Vec<File>> {
    register()?;
    let mut files = Vec::new();
    for set in sets(results) {
        let safe = safe(set.name);
        if let Some(figure) = recall::Recall::of(set) {
            render(&mut files, &format!("recall-{safe}"), &figure)?;
        }
        if let Some(figure) = merges::Merges::of(set) {
            render(&mut files, &format!("merges-{safe}"), &figure)?;
        }
        if let Some(figure) = matrix::Matrix::of(set) {
            render(&mut files, &format!("matrix-{safe}"), &figure)?;
        }
    }
    Ok(files)
}

/// The heat map of a strategy's rules: `interaction-<strategy>`, as `.svg` and `.png`; none where all commute.
pub(crate) fn interaction_plots(result: &samecall_call::rules::RulesResult) -> Result<Vec<File>> {
    register()?;
    let mut files = Vec::new();
    if let Some(figure) = interaction::Interactions::of(result) {
        render(&mut files, &format!("interaction-{}", safe(&result.strategy)), &figure)?;
    }
    Ok(files)
}

/// What each executor receives: `executors-<set>`, as `.svg` and `.png`.
pub(crate) fn executor_plots(
    result: &samecall_call::executors::ExecutorsResult,
) -> Result<Vec<File>> {
    register()?;
    let mut files = Vec::new();
    for set in result.sets.keys() {
        if let Some(figure) = executors::Received::of(result, set) {
            render(&mut files, &format!("executors-{}", safe(set)), &figure)?;
        }
    }
    Ok(files)
}

/// Recall against false merges: `frontier-<set>`, as `.svg` and `.png`.
pub(crate) fn frontier_plots(frontier: &samecall_call::rules::Frontier) -> Result<Vec<File>> {
    register()?;
    let mut files = Vec::new();
    for (name, set) in &frontier.sets {
        if let Some(figure) = frontier::Frontier::of(name, set) {
            render(&mut files, &format!("frontier-{}", safe(name)), &figure)?;
        }
    }
    Ok(files)
}

/// A set's name as a part of a file's: it comes from the pairs and may hold anything.
pub(crate) fn safe(set: &str) -> String {
    set.chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .collect()
}

fn register() -> Result<()> {
    let fonts =
        [(FontStyle::Normal, dejavu::sans::regular()), (FontStyle::Bold, dejavu::sans::bold())];
    for (style, bytes) in fonts {
        register_font("sans-serif", style, bytes)
            .map_err(|_| error("font", "the font that the crate carries cannot be read"))?;
    }
    Ok(())
}

fn error(name: &str, reason: impl ToString) -> Error {
    Error::Plot { name: name.to_owned(), reason: reason.to_string() }
}

/// How much larger the PNG is.
const PNG_SCALE: u32 = 2;
/// How far each backend's text must drop to stand centred, as a part of its size.
const SVG_DROP: f64 = 0.05;
const PNG_DROP: f64 = 0.17;

fn render(files: &mut Vec<File>, name: &str, figure: &impl Figure) -> Result<()> {
    let (width, height) = figure.size();
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        draw(&area, 1, SVG_DROP, figure).map_err(|e| error(name, e))?;
    }
    files.push((format!("{name}.svg"), svg.into_bytes()));

    let (width, height) = (PNG_SCALE * width, PNG_SCALE * height);
    let mut pixels = vec![0; 3 * width as usize * height as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        draw(&area, PNG_SCALE, PNG_DROP, figure).map_err(|e| error(name, e))?;
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(|e| error(name, e))?;
    writer.write_image_data(&pixels).map_err(|e| error(name, e))?;
    writer.finish().map_err(|e| error(name, e))?;
    files.push((format!("{name}.png"), bytes));
    Ok(())
}

fn draw<DB: DrawingBackend>(
    area: &DrawingArea<DB, plotters::coord::Shift>,
    scale: u32,
    drop: f64,
    figure: &impl Figure,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    area.fill(&WHITE)?;
    figure.draw(&Canvas::new(area, scale, drop))?;
    area.present()
}
