//! The interaction matrix as a heat map: rows run first, columns on their output.

use super::canvas::{
    BLUE, Canvas, Drawn, Figure, GREY, GRID, HEAD, INK, LABEL, Look, SMALL, Side, TITLE, VERMILION,
    lines, widest, width,
};
use plotters::prelude::*;
use samecall_call::rules::{InteractionKind, RulesResult};

const MARGIN: f64 = 24.0;
const LINE: f64 = 16.0;
const GREEN: RGBColor = RGBColor(0, 158, 115);
const PURPLE: RGBColor = RGBColor(170, 74, 130);

/// One pair of rules that bear on each other.
struct Cell {
    row: usize,
    column: usize,
    kind: InteractionKind,
    open: bool,
    /// The letters of all that was found.
    letters: String,
}

pub(crate) struct Interactions {
    title: String,
    subtitle: Vec<String>,
    rules: Vec<String>,
    cells: Vec<Cell>,
}

impl Interactions {
    /// The figure of a strategy's rules; none where no rule bears on another. A long set shows only those that do.
    pub(crate) fn of(result: &RulesResult) -> Option<Self> {
        let cells = &result.matrix.cells;
        let bears = |rule: &&String| cells.iter().any(|c| c.first == **rule || c.second == **rule);
        let rules: Vec<String> = match result.matrix.ordered {
            true => result.rules.clone(),
            false => result.rules.iter().filter(bears).cloned().collect(),
        };
        let place = |name: &str| rules.iter().position(|rule| rule == name);
        let cells: Vec<Cell> = cells
            .iter()
            .filter_map(|cell| {
                // The gravest of those that are open, else the gravest.
                let open = cell.interactions.iter().find(|found| found.open > 0);
                let found = open.or(cell.interactions.first())?;
                Some(Cell {
                    row: place(&cell.first)?,
                    column: place(&cell.second)?,
                    kind: found.kind,
                    open: found.open > 0,
                    letters: cell.interactions.iter().map(|found| mark(found.kind).1).collect(),
                })
            })
            .collect();
        if cells.is_empty() {
            return None;
        }
        let title = format!("How rules bear on one another: {}", result.strategy);
        let mut figure = Interactions { title, subtitle: Vec::new(), rules, cells };
        let left_out = result.rules.len() - figure.rules.len();
        let mut text = format!(
            "Each row's rule runs first, each column's on its output, on {} values. Full colour: applied once in its own \
             order, the whole does not settle it. Pale: it does, so that only another order would show it. White: they \
             commute.",
            crate::words::thousands(result.matrix.values)
        );
        if left_out > 0 {
            text.push_str(&format!(" {left_out} rules that commute with all others are left out."));
        }
        figure.subtitle = lines(&text, f64::from(figure.size().0) - 2.0 * MARGIN, SMALL);
        Some(figure)
    }

    fn cell(&self) -> f64 {
        if self.rules.len() > 16 { 22.0 } else { 46.0 }
    }

    fn left(&self) -> f64 {
        let number = width(&self.rules.len().to_string(), SMALL) + 10.0;
        MARGIN + widest(self.rules.iter().map(String::as_str), LABEL) + number + 14.0
    }

    fn top(&self) -> f64 {
        68.0 + LINE * self.subtitle.len() as f64
    }
}

/// Colour and letter of a kind.
fn mark(kind: InteractionKind) -> (RGBColor, &'static str) {
    match kind {
        InteractionKind::Undoes => (VERMILION, "U"),
        InteractionKind::Disables => (BLUE, "D"),
        InteractionKind::Retriggers => (GREEN, "R"),
        InteractionKind::Parts => (PURPLE, "P"),
    }
}

/// The colour thinned with white.
fn pale(colour: RGBColor) -> RGBColor {
    let thin = |part: u8| 255 - ((255 - u32::from(part)) * 30 / 100) as u8;
    RGBColor(thin(colour.0), thin(colour.1), thin(colour.2))
}

impl Figure for Interactions {
    fn size(&self) -> (u32, u32) {
        let grid = self.cell() * self.rules.len() as f64;
        let width = (self.left() + grid + MARGIN).max(720.0);
        (width as u32, (self.top() + grid + 92.0) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text(&self.title, (MARGIN, 26.0), Side::Right, TITLE)?;
        for (index, line) in self.subtitle.iter().enumerate() {
            canvas.text(line, (MARGIN, 48.0 + LINE * index as f64), Side::Right, SMALL)?;
        }
        let (left, top, cell) = (self.left(), self.top(), self.cell());
        let end = cell * self.rules.len() as f64;
        for (place, rule) in self.rules.iter().enumerate() {
            let middle = cell * (place as f64 + 0.5);
            let number = (place + 1).to_string();
            canvas.text(&number, (left - 8.0, top + middle), Side::Left, SMALL)?;
            let name = left - 8.0 - width(&self.rules.len().to_string(), SMALL) - 10.0;
            canvas.text(rule, (name, top + middle), Side::Left, LABEL)?;
            canvas.text(&number, (left + middle, top - 12.0), Side::Centre, SMALL)?;
            let (from, to) = (cell * place as f64, cell * (place + 1) as f64);
            // A rule on its own output.
            canvas.fill((left + from, top + from), (left + to, top + to), GRID)?;
        }
        for found in &self.cells {
            let (x, y) = (left + cell * found.column as f64, top + cell * found.row as f64);
            let (full, letter) = mark(found.kind);
            // Narrow cells have room for the gravest alone.
            let letters = if cell > 40.0 { &found.letters } else { letter };
            let (fill, ink) = if found.open { (full, WHITE) } else { (pale(full), INK) };
            canvas.fill((x, y), (x + cell, y + cell), fill)?;
            let look = Look { colour: ink, bold: found.open, ..SMALL };
            canvas.text(letters, (x + cell / 2.0, y + cell / 2.0), Side::Centre, look)?;
        }
        for line in 0..=self.rules.len() {
            let at = cell * line as f64;
            canvas.line((left + at, top), (left + at, top + end), 1.0, GRID)?;
            canvas.line((left, top + at), (left + end, top + at), 1.0, GRID)?;
        }
        let mut x = MARGIN;
        let y = top + end + 36.0;
        for kind in InteractionKind::ALL {
            let (full, letter) = mark(kind);
            canvas.fill((x, y - 9.0), (x + 18.0, y + 9.0), full)?;
            canvas.text(letter, (x + 9.0, y), Side::Centre, Look { colour: WHITE, ..HEAD })?;
            canvas.fill((x + 20.0, y - 9.0), (x + 38.0, y + 9.0), pale(full))?;
            canvas.text(letter, (x + 29.0, y), Side::Centre, Look { colour: INK, ..SMALL })?;
            let text = match kind {
                InteractionKind::Parts => "each applies, order decides",
                kind => kind.as_str(),
            };
            canvas.text(text, (x + 46.0, y), Side::Right, Look { colour: GREY, ..LABEL })?;
            x += 46.0 + width(text, LABEL) + 24.0;
        }
        Ok(())
    }
}
