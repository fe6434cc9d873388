//! Recall by drift class and strategy, as a heat map.

use super::canvas::{
    Canvas, Drawn, Figure, GREY, HEAD, INK, LABEL, Look, SMALL, Side, TITLE, lines, width,
};
use crate::scores::{Row, Set, cells};
use crate::words::{contenders, percent, plain};
use plotters::prelude::*;
use samecall_call::Truth;

const MARGIN: f64 = 24.0;
const ROW: f64 = 26.0;
const LINE: f64 = 16.0;
/// Drift classes shown at most: those caught least.
const CLASSES: usize = 60;

pub(crate) struct Matrix {
    title: String,
    subtitle: Vec<String>,
    /// Names of strategies, broken into lines.
    heads: Vec<Vec<String>>,
    rows: Vec<Row>,
}

impl Matrix {
    /// The figure of a set; none where it has no retries with drift classes or no strategies beside
    /// canaries.
    pub(crate) fn of(set: Set<'_>) -> Option<Self> {
        let strategies = contenders(set.strategies);
        let (mut rows, all) = cells(&strategies, Truth::Retry, |r| &r.by_truth.retry.by_drift)?;
        let mut text =
            "Percent of the retries with each class of drift that are caught; a retry with \
                        several classes counts under each. On the right the number of retries."
                .to_owned();
        if rows.len() > CLASSES {
            let caught = |row: &Row| {
                row.tallies.iter().flatten().map(|t| t.same as f64 / t.n.max(1) as f64).sum::<f64>()
            };
            rows.sort_by(|a, b| caught(a).total_cmp(&caught(b)));
            rows.truncate(CLASSES);
            text.push_str(&format!(" The {CLASSES} of {all} classes that are caught least."));
        }
        let head = |(name, _): &(&str, _)| {
            let mut parts: Vec<String> = Vec::new();
            for part in name.split_inclusive(['-', ':']) {
                match parts.last_mut() {
                    Some(last) if last.len() + part.len() <= 11 => last.push_str(part),
                    _ => parts.push(part.to_owned()),
                }
            }
            parts
        };
        let heads = strategies.iter().map(head).collect();
        let title = format!("Retries caught, by drift class: {}", set.name);
        let mut figure = Matrix { title, subtitle: Vec::new(), heads, rows };
        figure.subtitle = lines(&text, f64::from(figure.size().0) - 2.0 * MARGIN, SMALL);
        Some(figure)
    }

    fn label_width(&self) -> f64 {
        self.rows.iter().map(|row| width(&plain(&row.label), LABEL)).fold(0.0, f64::max) + 12.0
    }

    fn cell_width(&self) -> f64 {
        self.heads.iter().flatten().map(|text| width(text, HEAD)).fold(56.0, f64::max) + 12.0
    }

    fn top(&self) -> f64 {
        let lines = self.heads.iter().map(Vec::len).max().unwrap_or(1);
        56.0 + LINE * (self.subtitle.len() + lines) as f64
    }
}

impl Figure for Matrix {
    fn size(&self) -> (u32, u32) {
        let cells = self.cell_width() * self.heads.len() as f64;
        let width = 2.0 * MARGIN + self.label_width() + cells + 60.0;
        (width.max(620.0) as u32, (self.top() + ROW * self.rows.len() as f64 + 70.0) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text(&self.title, (MARGIN, 26.0), Side::Right, TITLE)?;
        for (index, line) in self.subtitle.iter().enumerate() {
            canvas.text(line, (MARGIN, 48.0 + LINE * index as f64), Side::Right, SMALL)?;
        }
        let (left, top, cell) = (MARGIN + self.label_width(), self.top(), self.cell_width());
        for (index, head) in self.heads.iter().enumerate() {
            let x = left + cell * (index as f64 + 0.5);
            for (line, text) in head.iter().rev().enumerate() {
                let y = top - 12.0 - LINE * line as f64;
                canvas.text(text, (x, y), Side::Centre, HEAD)?;
            }
        }
        for (place, row) in self.rows.iter().enumerate() {
            let y = top + ROW * place as f64;
            let middle = y + ROW / 2.0;
            canvas.text(&plain(&row.label), (left - 10.0, middle), Side::Left, LABEL)?;
            for (index, tally) in row.tallies.iter().enumerate() {
                let x = left + cell * index as f64;
                let Some(tally) = tally else { continue };
                let share = tally.same as f64 / tally.n.max(1) as f64;
                canvas.fill((x + 1.0, y + 1.0), (x + cell - 1.0, y + ROW - 1.0), shade(share))?;
                let colour = if share > 0.55 { WHITE } else { INK };
                let look = Look { colour, ..SMALL };
                let text = percent(tally.same, tally.n);
                canvas.text(&text, (x + cell / 2.0, middle), Side::Centre, look)?;
            }
            let x = left + cell * self.heads.len() as f64 + 8.0;
            canvas.text(&row.n.to_string(), (x, middle), Side::Right, SMALL)?;
        }
        self.scale(canvas, left, top + ROW * self.rows.len() as f64 + 28.0)
    }
}

impl Matrix {
    /// The bar that says what the shades mean.
    fn scale<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>, left: f64, y: f64) -> Drawn<DB> {
        const STEPS: usize = 60;
        const LENGTH: f64 = 240.0;
        for step in 0..STEPS {
            let x = left + LENGTH * step as f64 / STEPS as f64;
            let end = left + LENGTH * (step + 1) as f64 / STEPS as f64;
            let share = (step as f64 + 0.5) / STEPS as f64;
            canvas.fill((x, y - 6.0), (end, y + 6.0), shade(share))?;
        }
        for percent in [0, 50, 100] {
            let x = left + LENGTH * f64::from(percent) / 100.0;
            canvas.text(&percent.to_string(), (x, y + 18.0), Side::Centre, SMALL)?;
        }
        let look = Look { colour: GREY, ..LABEL };
        canvas.text("retries caught (%)", (left + LENGTH + 16.0, y), Side::Right, look)
    }
}

/// From nearly white to dark blue; lightness falls evenly, so that it reads in grey too.
fn shade(share: f64) -> RGBColor {
    const STOPS: [[f64; 3]; 3] = [[243.0, 246.0, 250.0], [107.0, 164.0, 208.0], [8.0, 64.0, 129.0]];
    let place = share.clamp(0.0, 1.0) * 2.0;
    let (from, part) = if place < 1.0 { (0, place) } else { (1, place - 1.0) };
    let mix =
        |i: usize| (STOPS[from][i] + (STOPS[from + 1][i] - STOPS[from][i]) * part).round() as u8;
    RGBColor(mix(0), mix(1), mix(2))
}
