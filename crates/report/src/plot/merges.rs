//! False merges by reason: a panel a strategy, a bar a reason, with the exact upper bound.

use super::canvas::{
    Canvas, Drawn, Figure, GREY, HEAD, INK, LABEL, SMALL, Side, TITLE, VERMILION, lines, widest,
    width,
};
use crate::scores::{Row, Set, cells};
use crate::words::{contenders, plain};
use plotters::prelude::*;
use samecall_call::Truth;
use samecall_call::result::StrategyResult;

const MARGIN: f64 = 24.0;
const ROW: f64 = 24.0;
const AXIS: f64 = 130.0;
const PANELS: usize = 4;
const HEADING: f64 = 30.0;
/// From the axis of one row of panels to the headings of the next.
const BETWEEN: f64 = 40.0;
/// Reasons shown at most: those merged most.
const REASONS: usize = 30;

pub(crate) struct Merges {
    title: String,
    subtitle: Vec<String>,
    strategies: Vec<String>,
    rows: Vec<Row>,
    /// The upper bound of each row and strategy.
    upper: Vec<Vec<f64>>,
}

impl Merges {
    /// The figure of a set; none where it has no distinct pairs or no strategies beside canaries.
    pub(crate) fn of(set: Set<'_>) -> Option<Self> {
        let strategies = contenders(set.strategies);
        let (mut rows, all) = cells(&strategies, Truth::Distinct, |r| &r.by_truth.distinct.by_why)?;
        let mut text = "Share of the distinct pairs of each reason that get one key (lower is \
                        better), with merged/pairs; \
                        the line ends at the exact one-sided 95 % upper bound."
            .to_owned();
        if rows.len() > REASONS {
            rows.sort_by_key(|row| {
                std::cmp::Reverse(row.tallies.iter().flatten().map(|t| t.same).sum::<u64>())
            });
            rows.truncate(REASONS);
            text.push_str(&format!(" The {REASONS} of {all} reasons that are merged most."));
        }
        let bound = |label: &String| {
            let of = |(_, r): &(&str, &StrategyResult)| {
                r.by_truth.distinct.bounds_by_why.get(label).map_or(1.0, |[_, upper]| *upper)
            };
            strategies.iter().map(of).collect()
        };
        let upper = rows.iter().map(|row| bound(&row.label)).collect();
        let strategies: Vec<String> =
            strategies.iter().map(|(name, _)| (*name).to_owned()).collect();
        let mut figure = Merges {
            title: format!("Distinct calls merged, by reason: {}", set.name),
            subtitle: Vec::new(),
            strategies,
            rows,
            upper,
        };
        figure.subtitle = lines(&text, f64::from(figure.size().0) - 2.0 * MARGIN, SMALL);
        Some(figure)
    }

    fn label_width(&self) -> f64 {
        self.rows.iter().map(|row| width(&plain(&row.label), LABEL)).fold(0.0, f64::max) + 14.0
    }

    fn count_width(&self) -> f64 {
        let counts = self.rows.iter().map(|row| format!("{}/{}", row.n, row.n)).collect::<Vec<_>>();
        widest(counts.iter().map(String::as_str), SMALL) + 8.0
    }

    fn panel_width(&self) -> f64 {
        let heads = widest(self.strategies.iter().map(String::as_str), HEAD);
        (AXIS + self.count_width()).max(heads) + 30.0
    }

    fn panel_height(&self) -> f64 {
        HEADING + ROW * self.rows.len() as f64 + BETWEEN
    }

    fn top(&self) -> f64 {
        52.0 + 16.0 * self.subtitle.len() as f64
    }
}

impl Figure for Merges {
    fn size(&self) -> (u32, u32) {
        let panels = self.strategies.len().min(PANELS) as f64;
        let width = 2.0 * MARGIN + self.label_width() + panels * self.panel_width() - 30.0;
        let deep = self.strategies.len().div_ceil(PANELS) as f64;
        let height = self.top() + deep * self.panel_height() + 34.0;
        (width.max(620.0) as u32, height as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text(&self.title, (MARGIN, 26.0), Side::Right, TITLE)?;
        for (index, line) in self.subtitle.iter().enumerate() {
            canvas.text(line, (MARGIN, 48.0 + 16.0 * index as f64), Side::Right, SMALL)?;
        }
        for (index, name) in self.strategies.iter().enumerate() {
            let (across, down) = (index % PANELS, index / PANELS);
            let left = MARGIN + self.label_width() + across as f64 * self.panel_width();
            let top = self.top() + down as f64 * self.panel_height();
            canvas.text(name, (left, top + 14.0), Side::Right, HEAD)?;
            let (first, last) = (top + HEADING, top + HEADING + ROW * self.rows.len() as f64);
            canvas.percent_axis((left, left + AXIS), (first, last), 50, SMALL)?;
            for (place, row) in self.rows.iter().enumerate() {
                let y = first + ROW * (place as f64 + 0.5);
                if across == 0 {
                    canvas.text(&plain(&row.label), (left - 12.0, y), Side::Left, LABEL)?;
                }
                let Some(Some(tally)) = row.tallies.get(index) else { continue };
                let end = left + AXIS * tally.same as f64 / tally.n.max(1) as f64;
                if tally.same > 0 {
                    canvas.fill((left, y - 7.0), (end, y + 7.0), VERMILION)?;
                }
                if let Some(upper) = self.upper.get(place).and_then(|row| row.get(index)) {
                    let x = left + AXIS * upper;
                    canvas.line((end, y), (x, y), 1.0, INK)?;
                    canvas.line((x, y - 4.0), (x, y + 4.0), 1.0, INK)?;
                }
                let count = format!("{}/{}", tally.same, tally.n);
                let colour = if tally.same > 0 { LABEL.colour } else { GREY };
                let look = super::canvas::Look { colour, ..SMALL };
                canvas.text(&count, (left + AXIS + 8.0, y), Side::Right, look)?;
            }
        }
        let x = MARGIN + self.label_width();
        let y = f64::from(self.size().1) - 24.0;
        canvas.text("distinct pairs merged (%)", (x, y), Side::Right, LABEL)
    }
}
