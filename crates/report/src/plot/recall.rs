//! Recall by strategy: a dot, and the interval with pairs and with clusters as the draws.

use super::canvas::{
    BLUE, Canvas, Drawn, Figure, GREY, INK, LABEL, SMALL, Side, TITLE, lines, widest, width,
};
use crate::scores::Set;
use crate::words::contenders;
use plotters::prelude::*;

const WIDTH: f64 = 820.0;
const ROW: f64 = 30.0;
const MARGIN: f64 = 24.0;
const TOP: f64 = 56.0;

pub(crate) struct Recall {
    title: String,
    subtitle: Vec<String>,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    share: f64,
    pairs: [f64; 2],
    clusters: [f64; 2],
    count: String,
}

impl Recall {
    /// The figure of a set; none where it has no retries or no strategies beside canaries.
    pub(crate) fn of(set: Set<'_>) -> Option<Self> {
        let retries = set.scored().retry;
        let row = |(name, r): (&str, &samecall_call::result::StrategyResult)| Row {
            name: name.to_owned(),
            share: r.caught as f64 / retries as f64,
            pairs: r.intervals.recall,
            clusters: r.intervals.recall_clusters,
            count: format!("{}/{}", r.caught, r.retry),
        };
        let rows: Vec<Row> = contenders(set.strategies).into_iter().map(row).collect();
        (retries > 0 && !rows.is_empty()).then(|| Recall {
            title: format!("Retries recognised as the same call: {}", set.name),
            subtitle: lines(&set.counts(), WIDTH - 2.0 * MARGIN, SMALL),
            rows,
        })
    }

    fn top(&self) -> f64 {
        TOP + 16.0 * self.subtitle.len() as f64
    }
}

impl Figure for Recall {
    fn size(&self) -> (u32, u32) {
        (WIDTH as u32, (self.top() + ROW * self.rows.len() as f64 + 96.0) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text(&self.title, (MARGIN, 26.0), Side::Right, TITLE)?;
        for (index, line) in self.subtitle.iter().enumerate() {
            canvas.text(line, (MARGIN, 48.0 + 16.0 * index as f64), Side::Right, SMALL)?;
        }
        let names = self.rows.iter().map(|row| row.name.as_str());
        let counts = self.rows.iter().map(|row| row.count.as_str());
        let left = MARGIN + widest(names, LABEL) + 16.0;
        let right = WIDTH - MARGIN - widest(counts, LABEL) - 18.0;
        let (top, bottom) = (self.top(), self.top() + ROW * self.rows.len() as f64);
        let x = |share: f64| left + (right - left) * share;
        canvas.percent_axis((left, right), (top, bottom), 20, SMALL)?;
        for (index, row) in self.rows.iter().enumerate() {
            let y = top + ROW * (index as f64 + 0.5);
            canvas.text(&row.name, (left - 14.0, y), Side::Left, LABEL)?;
            let [low, high] = row.pairs;
            canvas.fill((x(low), y - 5.0), (x(high), y + 5.0), BLUE.mix(0.32))?;
            whisker(canvas, x(row.clusters[0]), x(row.clusters[1]), y)?;
            canvas.dot((x(row.share), y), 4.5, BLUE)?;
            canvas.text(&row.count, (WIDTH - MARGIN, y), Side::Left, LABEL)?;
        }
        let middle = (left + right) / 2.0;
        canvas.text("retries caught (%)", (middle, bottom + 32.0), Side::Centre, LABEL)?;
        legend(canvas, bottom + 64.0)
    }
}

fn whisker<DB: DrawingBackend>(canvas: &Canvas<'_, DB>, low: f64, high: f64, y: f64) -> Drawn<DB> {
    canvas.line((low, y), (high, y), 1.5, INK)?;
    for x in [low, high] {
        canvas.line((x, y - 4.0), (x, y + 4.0), 1.5, INK)?;
    }
    Ok(())
}

fn legend<DB: DrawingBackend>(canvas: &Canvas<'_, DB>, y: f64) -> Drawn<DB> {
    let texts = ["estimate", "95 %, pairs as draws", "95 %, clusters as draws"];
    let total: f64 = texts.iter().map(|text| 44.0 + width(text, SMALL) + 26.0).sum::<f64>() - 26.0;
    let mut x = (WIDTH - total) / 2.0;
    for (index, text) in texts.into_iter().enumerate() {
        match index {
            0 => canvas.dot((x + 18.0, y), 4.5, BLUE)?,
            1 => canvas.fill((x, y - 5.0), (x + 36.0, y + 5.0), BLUE.mix(0.32))?,
            _ => whisker(canvas, x, x + 36.0, y)?,
        }
        canvas.text(
            text,
            (x + 44.0, y),
            Side::Right,
            super::canvas::Look { colour: GREY, ..SMALL },
        )?;
        x += 44.0 + width(text, SMALL) + 26.0;
    }
    Ok(())
}
