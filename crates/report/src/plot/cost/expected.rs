//! Expected cost per million calls of every candidate, with its interval.

use super::super::canvas::{
    BLUE, Canvas, Drawn, Figure, GREY, GRID, INK, LABEL, Look, SMALL, Side, TITLE, widest, width,
};
use super::number;
use super::scale::{Log, short_dollars};
use crate::cost::view::{Candidate, Tool};
use plotters::prelude::*;

const MARGIN: f64 = 24.0;
const TOP: f64 = 76.0;
const ROW: f64 = 25.0;
const PLOT: f64 = 420.0;

struct Row {
    label: String,
    is_canary: bool,
    mean: f64,
    interval: [f64; 2],
}

/// The plot.
pub(super) struct Expected {
    title: String,
    rows: Vec<Row>,
}

impl Expected {
    pub(super) fn of(tool: &Tool) -> Self {
        let row = |c: &Candidate| Row {
            label: if c.is_canary { format!("{} (canary)", c.name) } else { c.name.clone() },
            is_canary: c.is_canary,
            mean: number(&c.mean),
            interval: [number(&c.interval[0]), number(&c.interval[1])],
        };
        Expected {
            title: format!("Expected cost, {}", tool.title),
            rows: tool.costs.iter().map(row).collect(),
        }
    }

    fn label_width(&self) -> f64 {
        widest(self.rows.iter().map(|row| row.label.as_str()), LABEL) + 14.0
    }
}

impl Figure for Expected {
    fn size(&self) -> (u32, u32) {
        let width = 2.0 * MARGIN + self.label_width() + PLOT + 80.0;
        (width as u32, (TOP + ROW * self.rows.len() as f64 + 64.0) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text(&self.title, (MARGIN, 26.0), Side::Right, TITLE)?;
        let subtitle =
            "dollars per million calls: mean and 95 % interval over rates, verdicts and losses";
        canvas.text(subtitle, (MARGIN, 48.0), Side::Right, SMALL)?;
        let left = MARGIN + self.label_width();
        let bottom = TOP + ROW * self.rows.len() as f64;
        let values = self.rows.iter().flat_map(|row| [row.mean, row.interval[0], row.interval[1]]);
        let axis = Log::decades(values, left, left + PLOT);
        for (value, x) in axis.marks() {
            canvas.line((x, TOP), (x, bottom), 1.0, GRID)?;
            canvas.text(&short_dollars(value), (x, bottom + 16.0), Side::Centre, LABEL)?;
        }
        for (index, row) in self.rows.iter().enumerate() {
            let y = TOP + ROW * (index as f64 + 0.5);
            let (ink, dot) = if row.is_canary { (GREY, GREY) } else { (INK, BLUE) };
            canvas.text(&row.label, (left - 10.0, y), Side::Left, Look { colour: ink, ..LABEL })?;
            let [low, high] = row.interval.map(|end| axis.at(end));
            canvas.line((low, y), (high, y), 2.0, dot)?;
            for end in [low, high] {
                canvas.line((end, y - 4.0), (end, y + 4.0), 1.5, dot)?;
            }
            canvas.dot((axis.at(row.mean), y), 4.5, dot)?;
            let text = short_dollars(row.mean);
            let x = high.max(axis.at(row.mean)) + 10.0;
            let x = x.min(left + PLOT + 76.0 - width(&text, SMALL));
            canvas.text(&text, (x, y), Side::Right, SMALL)?;
        }
        canvas.line((left, bottom), (left + PLOT, bottom), 1.0, INK)?;
        let look = Look { colour: GREY, ..LABEL };
        let middle = left + PLOT / 2.0;
        canvas.text("per million calls", (middle, bottom + 40.0), Side::Centre, look)
    }
}
