//! The break-even map: who is cheapest over the harm of a duplicate and of a lost effect, and how many
//! draws agree.

use super::super::canvas::{
    Canvas, Drawn, Figure, GREY, INK, LABEL, Look, SMALL, Side, TITLE, lines,
};
use super::number;
use super::scale::short_dollars;
use crate::cost::view::Tool;
use crate::words::is_canary;
use plotters::prelude::*;

const MARGIN: f64 = 24.0;
const TOP: f64 = 92.0;
const CELL: f64 = 24.0;
/// Where the grid begins, left of which stand the axis' words and numbers.
const LEFT: f64 = 84.0;
/// Room for the names to the right of the grid.
const NAMES: f64 = 220.0;

/// Colours of the winners that are expected, so that they are the same on every map (Okabe and Ito).
const FIXED: [(&str, RGBColor); 5] = [
    ("(suspects run)", RGBColor(0, 114, 178)),
    ("(suspects asked)", RGBColor(204, 121, 167)),
    ("(suspects replayed)", RGBColor(0, 158, 115)),
    ("scoped", RGBColor(230, 159, 0)),
    ("normalised", RGBColor(213, 94, 0)),
];
/// Colours of others, in the order of their first cell.
const OTHERS: [RGBColor; 3] =
    [RGBColor(150, 140, 20), RGBColor(110, 80, 60), RGBColor(120, 120, 120)];
/// What a canary that wins is shown in.
const CANARY: RGBColor = RGBColor(0, 0, 0);

/// The plot.
pub(super) struct Breakeven {
    title: String,
    duplicate: Vec<f64>,
    lost: Vec<f64>,
    /// By row from the lowest harm of a lost effect: index of the winner's name, share of draws.
    cells: Vec<Vec<(usize, f64)>>,
    names: Vec<String>,
    /// The tool's own mean losses, duplicate and lost.
    here: (f64, f64),
}

impl Breakeven {
    pub(super) fn of(tool: &Tool) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut cells = Vec::with_capacity(tool.map.winner.len());
        for (winners, sures) in tool.map.winner.iter().zip(&tool.map.sure) {
            let mut row = Vec::with_capacity(winners.len());
            for (winner, sure) in winners.iter().zip(sures) {
                let known = names.iter().position(|name| name == winner);
                let index = known.unwrap_or_else(|| {
                    names.push(winner.clone());
                    names.len() - 1
                });
                row.push((index, number(sure)));
            }
            cells.push(row);
        }
        let numbers = |values: &[String]| values.iter().map(|v| number(v)).collect::<Vec<_>>();
        Breakeven {
            title: format!("Break-even, {}", tool.title),
            duplicate: numbers(&tool.map.duplicate),
            lost: numbers(&tool.map.lost),
            cells,
            names,
            here: (number(&tool.losses.duplicate), number(&tool.losses.lost)),
        }
    }

    fn colour(&self, index: usize) -> RGBColor {
        match self.names.get(index) {
            Some(name) if is_canary(name) => CANARY,
            Some(name) => FIXED
                .iter()
                .find(|(known, _)| {
                    name == known || (known.starts_with('(') && name.ends_with(known))
                })
                .map_or(OTHERS[index % OTHERS.len()], |(_, colour)| *colour),
            None => CANARY,
        }
    }

    fn right(&self) -> f64 {
        LEFT + CELL * self.duplicate.len() as f64
    }

    fn bottom(&self) -> f64 {
        TOP + CELL * self.lost.len() as f64
    }
}

/// Paler the fewer draws agree.
fn shade(colour: RGBColor, sure: f64) -> RGBColor {
    let part = 0.25 + 0.75 * sure.clamp(0.0, 1.0);
    let mix = |c: u8| (255.0 + (f64::from(c) - 255.0) * part).round() as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

/// Where a value stands among rising marks, in cells from the first one's middle, by its logarithm; none
/// outside them.
fn place(marks: &[f64], value: f64) -> Option<f64> {
    marks.windows(2).enumerate().find_map(|(index, pair)| {
        let [low, high] = [pair[0], pair[1]];
        (low <= value && value <= high)
            .then(|| index as f64 + (value / low).ln() / (high / low).ln())
    })
}

impl Figure for Breakeven {
    fn size(&self) -> (u32, u32) {
        ((self.right() + NAMES + MARGIN) as u32, (self.bottom() + 76.0) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text(&self.title, (MARGIN, 26.0), Side::Right, TITLE)?;
        let subtitle = "the cheapest strategy by mean; paler where fewer draws agree";
        canvas.text(subtitle, (MARGIN, 48.0), Side::Right, SMALL)?;
        let look = Look { colour: GREY, ..LABEL };
        canvas.text("harm of a lost effect", (MARGIN, TOP - 18.0), Side::Right, look)?;
        let bottom = self.bottom();
        for (row, cells) in self.cells.iter().enumerate() {
            let low = bottom - CELL * row as f64;
            for (column, &(winner, sure)) in cells.iter().enumerate() {
                let x = LEFT + CELL * column as f64;
                let colour = shade(self.colour(winner), sure);
                canvas.fill((x, low - CELL), (x + CELL, low), colour)?;
            }
        }
        // Numbers at every third mark, where there are many.
        let every = |n: usize| if n > 10 { 3 } else { 1 };
        for (row, value) in self.lost.iter().enumerate().step_by(every(self.lost.len())) {
            let y = bottom - CELL * (row as f64 + 0.5);
            canvas.text(&short_dollars(*value), (LEFT - 8.0, y), Side::Left, LABEL)?;
        }
        for (column, value) in
            self.duplicate.iter().enumerate().step_by(every(self.duplicate.len()))
        {
            let x = LEFT + CELL * (column as f64 + 0.5);
            canvas.text(&short_dollars(*value), (x, bottom + 16.0), Side::Centre, LABEL)?;
        }
        let middle = (LEFT + self.right()) / 2.0;
        canvas.text("harm of a duplicate", (middle, bottom + 42.0), Side::Centre, look)?;
        if let (Some(x), Some(y)) =
            (place(&self.duplicate, self.here.0), place(&self.lost, self.here.1))
        {
            let at = (LEFT + CELL * (x + 0.5), bottom - CELL * (y + 0.5));
            canvas.dot(at, 7.0, WHITE)?;
            canvas.dot(at, 4.5, INK)?;
        }
        self.legend(canvas)
    }
}

impl Breakeven {
    fn legend<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        let left = self.right() + 20.0;
        let mut y = TOP + 10.0;
        let limit = NAMES - 30.0;
        for (index, name) in self.names.iter().enumerate() {
            canvas.fill((left, y - 7.0), (left + 14.0, y + 7.0), self.colour(index))?;
            for line in lines(name, limit, LABEL) {
                canvas.text(&line, (left + 22.0, y), Side::Right, LABEL)?;
                y += 18.0;
            }
            y += 8.0;
        }
        y += 10.0;
        let steps = [0.25, 0.5, 0.75, 1.0];
        for (index, sure) in steps.into_iter().enumerate() {
            let x = left + 40.0 * index as f64;
            canvas.fill((x, y - 7.0), (x + 40.0, y + 7.0), shade(self.colour(0), sure))?;
            let text = format!("{:.0} %", 100.0 * sure);
            canvas.text(&text, (x + 20.0, y + 18.0), Side::Centre, SMALL)?;
        }
        canvas.text("share of draws that agree", (left, y + 38.0), Side::Right, SMALL)?;
        canvas.dot((left + 7.0, y + 64.0), 4.5, INK)?;
        canvas.text("the tool's mean losses", (left + 22.0, y + 64.0), Side::Right, SMALL)
    }
}
