//! Waste to store over further turns: the article's band, and the full model's.

use super::super::canvas::{
    BLUE, Canvas, Drawn, Figure, GREY, GRID, HEAD, INK, LABEL, Look, SMALL, Side, TITLE, VERMILION,
};
use super::number;
use super::scale::Log;
use crate::cost::view::{Cost, Sweep};
use plotters::prelude::*;

const MARGIN: f64 = 24.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 404.0;

/// One band: the ratio at the lowest and the highest share of duplicates, over turns.
struct Band {
    label: &'static str,
    colour: RGBColor,
    low: Vec<(f64, f64)>,
    high: Vec<(f64, f64)>,
    ends: [String; 2],
}

/// The plot.
pub(super) struct Ratio {
    bands: Vec<Band>,
}

impl Ratio {
    /// From the first sweep of each ratio over turns and duplicates; none where there is none.
    pub(super) fn of(cost: &Cost) -> Option<Self> {
        let bands: Vec<Band> =
            [("article.ratio", "article", VERMILION), ("full.ratio", "full model", BLUE)]
                .into_iter()
                .filter_map(|(metric, label, colour)| {
                    let is_it = |sweep: &&Sweep| {
                        sweep.metric == metric
                            && sweep.x.parameter == "turns"
                            && sweep.y.parameter == "duplicates"
                    };
                    let sweep = cost.full.sweeps.iter().find(is_it)?;
                    let row = |cells: &Vec<String>| -> Vec<(f64, f64)> {
                        let turns = sweep.x.values.iter().map(|x| number(x));
                        turns.zip(cells.iter().map(|cell| number(cell))).collect()
                    };
                    let ends = [sweep.y.values.first()?, sweep.y.values.last()?];
                    Some(Band {
                        label,
                        colour,
                        low: row(sweep.cells.first()?),
                        high: row(sweep.cells.last()?),
                        ends: ends.map(|share| format!("{} %", 100.0 * number(share))),
                    })
                })
                .collect();
        (!bands.is_empty()).then_some(Ratio { bands })
    }

    fn points(&self) -> impl Iterator<Item = &(f64, f64)> {
        self.bands.iter().flat_map(|band| band.low.iter().chain(&band.high))
    }
}

impl Figure for Ratio {
    fn size(&self) -> (u32, u32) {
        (720, 470)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text("Waste to store", (MARGIN, 26.0), Side::Right, TITLE)?;
        let subtitle = "dollars of duplicates' tokens for each dollar of store, by further turns";
        canvas.text(subtitle, (MARGIN, 48.0), Side::Right, SMALL)?;
        let axis = Log::decades(self.points().map(|point| point.1), BOTTOM, TOP);
        for (value, y) in axis.marks() {
            canvas.line((LEFT, y), (RIGHT, y), 1.0, GRID)?;
            canvas.text(&format!("{value:.0}:1"), (LEFT - 8.0, y), Side::Left, LABEL)?;
        }
        let last = self.points().map(|point| point.0).fold(0.0, f64::max);
        let first = self.points().map(|point| point.0).fold(last, f64::min);
        let x = |turns: f64| LEFT + (RIGHT - LEFT) * (turns - first) / (last - first).max(1.0);
        let place = |&(turns, ratio): &(f64, f64)| (x(turns), axis.at(ratio));
        // All areas first: one over another band's line would change the line's colour.
        for band in &self.bands {
            let outline = band.low.iter().chain(band.high.iter().rev()).map(place);
            canvas.shape(&outline.collect::<Vec<_>>(), band.colour.mix(0.22))?;
        }
        for (index, band) in self.bands.iter().enumerate() {
            let low: Vec<_> = band.low.iter().map(place).collect();
            let high: Vec<_> = band.high.iter().map(place).collect();
            for line in [&low, &high] {
                for pair in line.windows(2) {
                    canvas.line(pair[0], pair[1], 2.0, band.colour)?;
                }
            }
            let look = Look { colour: band.colour, ..SMALL };
            for (line, end) in [&low, &high].into_iter().zip(&band.ends) {
                if let Some(&(x, y)) = line.last() {
                    canvas.text(&format!("{end} duplicates"), (x + 8.0, y), Side::Right, look)?;
                }
            }
            if let (Some(a), Some(b)) = (low.first(), high.first()) {
                let look = Look { colour: band.colour, ..HEAD };
                // Where the bands cross, each name stands at its own band's free edge.
                let y = if index == 0 { b.1 + 16.0 } else { a.1 - 16.0 };
                canvas.text(band.label, (a.0 + 10.0, y), Side::Right, look)?;
            }
        }
        let turns = self.bands.iter().flat_map(|band| &band.low).map(|point| point.0);
        let mut marks: Vec<f64> = turns.collect();
        marks.sort_by(f64::total_cmp);
        marks.dedup();
        for turns in marks {
            canvas.line((x(turns), BOTTOM), (x(turns), BOTTOM + 5.0), 1.0, INK)?;
            canvas.text(&format!("{turns}"), (x(turns), BOTTOM + 18.0), Side::Centre, LABEL)?;
        }
        canvas.line((LEFT, BOTTOM), (RIGHT, BOTTOM), 1.0, INK)?;
        let look = Look { colour: GREY, ..LABEL };
        canvas.text("further turns", ((LEFT + RIGHT) / 2.0, BOTTOM + 44.0), Side::Centre, look)
    }
}
