//! What each executor receives, as a heat map: productions down, executors across.
//!
//! A cell is a bar of its pairs: blue for received as equal, vermilion for received as unequal, light grey for one spelling refused,
//! white for both.

use super::canvas::{
    BLUE, Canvas, Drawn, Figure, GREY, GRID, HEAD, INK, LABEL, Look, SMALL, Side, TITLE, VERMILION,
    lines, widest, width,
};
use plotters::prelude::*;
use samecall_call::executors::{Cell, ExecutorsResult, Standing};

const MARGIN: f64 = 24.0;
const ROW: f64 = 18.0;
const COLUMN: f64 = 58.0;
const LINE: f64 = 16.0;
const PALE: RGBColor = RGBColor(214, 214, 214);

/// One production's cells; a heading has none.
struct Line {
    label: String,
    cells: Vec<Option<[f64; 3]>>,
}

pub(crate) struct Received {
    title: String,
    subtitle: Vec<String>,
    executors: Vec<String>,
    rows: Vec<Line>,
}

impl Received {
    /// The figure of a set; none where nothing was received.
    pub(crate) fn of(result: &ExecutorsResult, set: &str) -> Option<Self> {
        let executors: Vec<String> = result.executors.iter().map(|e| e.name.clone()).collect();
        let found = result.sets.get(set)?;
        let mut rows = Vec::new();
        type Group<'f> = (&'static str, &'f dyn Fn(&samecall_call::executors::Row) -> bool);
        let groups: [Group<'_>; 5] = [
            ("renderings on ground json", &|row| row.ground.as_deref() == Some("json")),
            ("renderings on ground validator", &|row| row.ground.as_deref() == Some("validator")),
            ("renderings that an annotation declares", &|row| {
                row.ground.as_deref() == Some("declared")
            }),
            ("changes", &|row| row.grammar == "change" && row.standing != Standing::Scope),
            ("classes", &|row| row.grammar == "class"),
        ];
        for (title, wanted) in groups {
            let mut chosen = found.iter().filter(|(_, row)| wanted(row)).peekable();
            if chosen.peek().is_none() {
                continue;
            }
            rows.push(Line { label: title.to_owned(), cells: Vec::new() });
            rows.extend(chosen.map(|(label, row)| Line {
                label: label.clone(),
                cells: executors.iter().map(|e| row.executors.get(e).and_then(shares)).collect(),
            }));
        }
        if rows.is_empty() {
            return None;
        }
        let title = format!("What each executor's handler receives: {set}");
        let mut figure = Received { title, subtitle: Vec::new(), executors, rows };
        let text = "Each cell is all pairs of a production. Blue: both spellings accepted and received as equal. Vermilion: accepted and received as unequal. Grey: one \
                    spelling refused. White: both refused. A rendering should show no vermilion, a change no blue.";
        figure.subtitle = lines(text, f64::from(figure.size().0) - 2.0 * MARGIN, SMALL);
        Some(figure)
    }

    fn left(&self) -> f64 {
        MARGIN
            + widest(
                self.rows.iter().filter(|r| !r.cells.is_empty()).map(|r| r.label.as_str()),
                LABEL,
            )
            + 10.0
    }

    fn top(&self) -> f64 {
        54.0 + LINE * self.subtitle.len() as f64 + 22.0 * 2.0
    }
}

/// Equal, unequal and one refused, as parts of the pairs.
fn shares(cell: &Cell) -> Option<[f64; 3]> {
    let part = |n: u64| n as f64 / cell.pairs as f64;
    (cell.pairs > 0).then(|| [part(cell.equal()), part(cell.unequal), part(cell.one_refused)])
}

impl Figure for Received {
    fn size(&self) -> (u32, u32) {
        let width = self.left() + COLUMN * self.executors.len() as f64 + MARGIN;
        let height = self.top() + ROW * self.rows.len() as f64 + MARGIN;
        (width.max(640.0) as u32, height as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text(&self.title, (MARGIN, 26.0), Side::Right, TITLE)?;
        for (index, line) in self.subtitle.iter().enumerate() {
            canvas.text(line, (MARGIN, 48.0 + LINE * index as f64), Side::Right, SMALL)?;
        }
        let (left, top) = (self.left(), self.top());
        // Names alternate between two heights and are broken at dashes, since there is no turned text.
        for (at, name) in self.executors.iter().enumerate() {
            let middle = left + COLUMN * (at as f64 + 0.5);
            let parts: Vec<&str> = name.split('-').collect();
            let (first, rest) = parts.split_first().unwrap_or((&"", &[]));
            let mut look = Look { colour: INK, ..SMALL };
            let rest = rest.join("-");
            for (line, text) in [*first, rest.as_str()].into_iter().enumerate() {
                look.size =
                    SMALL.size.min(SMALL.size * (COLUMN - 4.0) / width(text, SMALL).max(1.0));
                canvas.text(text, (middle, top - 26.0 + 14.0 * line as f64), Side::Centre, look)?;
            }
        }
        for (at, row) in self.rows.iter().enumerate() {
            let (y, middle) = (top + ROW * at as f64, top + ROW * (at as f64 + 0.5));
            if row.cells.is_empty() {
                canvas.text(&row.label, (MARGIN, middle), Side::Right, HEAD)?;
                continue;
            }
            let look = Look { size: 13.0, colour: GREY, ..LABEL };
            canvas.text(&row.label, (left - 8.0, middle), Side::Left, look)?;
            for (column, cell) in row.cells.iter().enumerate() {
                let (x, end) = (
                    left + COLUMN * column as f64 + 1.0,
                    left + COLUMN * (column as f64 + 1.0) - 1.0,
                );
                let mut from = x;
                for (share, colour) in cell.iter().flatten().zip([BLUE, VERMILION, PALE]) {
                    // A single unequal pair must show.
                    let least = if *share > 0.0 { 2.0 } else { 0.0 };
                    let to = (from + (share * (end - x)).max(least)).min(end);
                    if to > from {
                        canvas.fill((from, y + 1.0), (to, y + ROW - 1.0), colour)?;
                    }
                    from = to;
                }
                for (a, b) in
                    [((x, y + 1.0), (end, y + 1.0)), ((x, y + ROW - 1.0), (end, y + ROW - 1.0))]
                {
                    canvas.line(a, b, 1.0, GRID)?;
                }
            }
        }
        Ok(())
    }
}
