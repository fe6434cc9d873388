//! What each correction does to the article's waste, one after the other.

use super::super::canvas::{
    BLUE, Canvas, Drawn, Figure, GREY, GRID, HEAD, INK, LABEL, Look, SMALL, Side, TITLE, VERMILION,
    widest,
};
use super::number;
use crate::cost::view::Cost;
use plotters::prelude::*;

const MARGIN: f64 = 24.0;
const TOP: f64 = 76.0;
const ROW: f64 = 36.0;
const BARS: f64 = 400.0;

struct Bar {
    label: String,
    from: f64,
    to: f64,
    whole: bool,
}

/// The plot.
pub(super) struct Waterfall {
    bars: Vec<Bar>,
}

impl Waterfall {
    pub(super) fn of(cost: &Cost) -> Self {
        let steps = &cost.full.waterfall;
        let mut before = 0.0;
        let mut bars = Vec::with_capacity(steps.len());
        for (index, step) in steps.iter().enumerate() {
            let to = number(&step.after);
            let whole = index == 0 || index + 1 == steps.len();
            let from = if whole { 0.0 } else { before };
            bars.push(Bar { label: step.name.clone(), from, to, whole });
            before = to;
        }
        Waterfall { bars }
    }

    fn label_width(&self) -> f64 {
        widest(self.bars.iter().map(|bar| bar.label.as_str()), LABEL) + 14.0
    }
}

impl Figure for Waterfall {
    fn size(&self) -> (u32, u32) {
        let width = 2.0 * MARGIN + self.label_width() + BARS + 110.0;
        (width as u32, (TOP + ROW * self.bars.len() as f64 + 58.0) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text(
            "What corrections do to the article's waste",
            (MARGIN, 26.0),
            Side::Right,
            TITLE,
        )?;
        let subtitle = "dollars of duplicates' tokens per million calls; each bar starts where the one above \
                        ended, the last is what is left";
        canvas.text(subtitle, (MARGIN, 48.0), Side::Right, SMALL)?;
        let left = MARGIN + self.label_width();
        let bottom = TOP + ROW * self.bars.len() as f64;
        let most = self.bars.iter().map(|bar| bar.from.max(bar.to)).fold(1.0, f64::max);
        let step = [10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1000.0]
            .into_iter()
            .find(|step| most / step <= 6.0)
            .unwrap_or(most / 5.0);
        let end = (most / step).ceil() * step;
        let x = |value: f64| left + BARS * value / end;
        let mut mark = 0.0;
        while mark <= end {
            canvas.line((x(mark), TOP), (x(mark), bottom), 1.0, GRID)?;
            canvas.text(&format!("${mark:.0}"), (x(mark), bottom + 16.0), Side::Centre, LABEL)?;
            mark += step;
        }
        for (index, bar) in self.bars.iter().enumerate() {
            let (top, low) = (TOP + ROW * index as f64 + 6.0, TOP + ROW * (index + 1) as f64 - 6.0);
            let middle = (top + low) / 2.0;
            canvas.text(&bar.label, (left - 10.0, middle), Side::Left, LABEL)?;
            let colour = match (bar.whole, bar.to < bar.from) {
                (true, _) => GREY,
                (false, true) => BLUE,
                (false, false) => VERMILION,
            };
            let (from, to) = (x(bar.from.min(bar.to)), x(bar.from.max(bar.to)));
            canvas.fill((from, top), (to.max(from + 1.5), low), colour)?;
            if let Some(next) = self.bars.get(index + 1).filter(|next| !next.whole) {
                let y = TOP + ROW * (index + 1) as f64;
                canvas.line((x(next.from), y - 6.0), (x(next.from), y + 6.0), 1.0, INK)?;
            }
            let text = if bar.whole {
                format!("${:.2}", bar.to)
            } else {
                let change = bar.to - bar.from;
                let sign = if change < 0.0 { "\u{2212}" } else { "+" };
                format!("{sign}${:.2}", change.abs())
            };
            let look = Look { colour: INK, ..HEAD };
            canvas.text(&text, (to + 8.0, middle), Side::Right, look)?;
        }
        canvas.line((left, TOP), (left, bottom), 1.0, INK)
    }
}
