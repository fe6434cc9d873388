//! Clusters by size: a bar for each size, large sizes in ranges.

use super::super::canvas::{
    BLUE, Canvas, Drawn, Figure, GREY, GRID, LABEL, SMALL, Side, TITLE, widest,
};
use plotters::prelude::*;
use std::collections::BTreeMap;

const WIDTH: f64 = 720.0;
const ROW: f64 = 28.0;
const MARGIN: f64 = 24.0;
const TOP: f64 = 78.0;
/// Lowest size of each row; the last row has no upper end.
const STARTS: [usize; 10] = [1, 2, 3, 4, 5, 10, 20, 50, 100, 1000];

pub(super) struct Sizes {
    subtitle: String,
    rows: Vec<(String, usize)>,
}

impl Sizes {
    pub(super) fn of(sizes: &BTreeMap<usize, usize>) -> Self {
        let chunks: usize = sizes.iter().map(|(size, count)| size * count).sum();
        let clusters: usize = sizes.values().sum();
        let largest = sizes.keys().next_back().copied().unwrap_or(0);
        let last = STARTS.iter().rposition(|start| *start <= largest).unwrap_or(0);
        let rows = (0..=last)
            .map(|at| {
                let start = STARTS[at];
                let end = STARTS.get(at + 1).map_or(usize::MAX, |next| next - 1);
                let count = sizes.range(start..=end).map(|(_, count)| count).sum();
                let name = match end {
                    _ if end == start => start.to_string(),
                    usize::MAX => format!("{start} and more"),
                    _ => format!("{start} to {end}"),
                };
                (name, count)
            })
            .collect();
        Sizes {
            subtitle: format!(
                "{chunks} chunks, {clusters} stay; the largest cluster has {largest}"
            ),
            rows,
        }
    }
}

impl Figure for Sizes {
    fn size(&self) -> (u32, u32) {
        (WIDTH as u32, (TOP + ROW * self.rows.len() as f64 + 56.0) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text("Clusters by number of chunks", (MARGIN, 26.0), Side::Right, TITLE)?;
        canvas.text(&self.subtitle, (MARGIN, 50.0), Side::Right, SMALL)?;
        let counts: Vec<String> = self.rows.iter().map(|(_, count)| count.to_string()).collect();
        let names = self.rows.iter().map(|(name, _)| name.as_str());
        let left = MARGIN + widest(names, LABEL) + 14.0;
        let right = WIDTH - MARGIN - widest(counts.iter().map(String::as_str), LABEL) - 12.0;
        let bottom = TOP + ROW * self.rows.len() as f64;
        let most = self.rows.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1) as f64;
        canvas.line((left, TOP - 4.0), (left, bottom + 4.0), 1.0, GRID)?;
        for (index, (name, count)) in self.rows.iter().enumerate() {
            let y = TOP + ROW * (index as f64 + 0.5);
            canvas.text(name, (left - 10.0, y), Side::Left, LABEL)?;
            // A cluster of one is no cluster: it is shown for scale.
            let colour = if index == 0 { GREY } else { BLUE };
            let end = left + (right - left) * *count as f64 / most;
            if *count > 0 {
                canvas.fill((left, y - 8.0), (end.max(left + 1.0), y + 8.0), colour)?;
            }
            canvas.text(&counts[index], (end + 8.0, y), Side::Right, LABEL)?;
        }
        canvas.text(
            "chunks in a cluster (left), clusters of that size (bars); size 1: nothing to merge",
            (MARGIN, bottom + 28.0),
            Side::Right,
            SMALL,
        )
    }
}
