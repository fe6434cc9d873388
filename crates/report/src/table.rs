//! A table, and how it is written for a terminal and as Markdown.

use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table as Grid, presets,
};

/// A table of texts; the first column is on the left, the others on the right.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What the table shows.
    pub title: String,
    /// Headings; a line break in one is kept in a terminal.
    pub columns: Vec<String>,
    /// Cells, one for each heading.
    pub rows: Vec<Vec<String>>,
    /// What one must know to read it; sentences.
    pub note: String,
}

impl Table {
    /// The table as text of at most `width` characters a line; cells are broken only where there is no
    /// other way.
    pub fn terminal(&self, width: u16) -> String {
        let fits = |grid: &String| {
            grid.lines().all(|line| line.trim_end().chars().count() <= width.into())
        };
        let whole = [2, 1].into_iter().map(|gap| self.grid(width, gap, true));
        let grid = whole.into_iter().find(fits).unwrap_or_else(|| self.grid(width, 1, false));
        let mut out = String::new();
        if !self.title.is_empty() {
            out.push_str(&wrap(&self.title, width.into()));
            out.push('\n');
        }
        for line in grid.lines() {
            out.push_str(line.trim_end());
            out.push('\n');
        }
        if !self.note.is_empty() {
            out.push_str(&wrap(&self.note, width.into()));
            out.push('\n');
        }
        out
    }

    fn grid(&self, width: u16, gap: u16, whole: bool) -> String {
        let mut grid = Grid::new();
        grid.load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width)
            .set_header(self.columns.iter().enumerate().map(|(i, text)| cell(i, text)));
        for row in &self.rows {
            grid.add_row(row.iter().enumerate().map(|(i, text)| cell(i, text)));
        }
        for (index, column) in grid.column_iter_mut().enumerate() {
            column.set_padding((if index > 0 { gap } else { 0 }, 0));
            if whole {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
        grid.to_string()
    }

    /// The table in Markdown: the title as a bold line, the note beneath.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        if !self.title.is_empty() {
            out.push_str(&format!("**{}**\n\n", self.title));
        }
        out.push_str(&line(&self.columns));
        let rule = (0..self.columns.len()).map(|i| if i == 0 { "---" } else { "---:" }.to_owned());
        out.push_str(&line(&rule.collect::<Vec<_>>()));
        for row in &self.rows {
            out.push_str(&line(row));
        }
        if !self.note.is_empty() {
            out.push_str(&format!("\n{}\n", self.note));
        }
        out
    }
}

fn cell(index: usize, text: &str) -> Cell {
    let side = if index == 0 { CellAlignment::Left } else { CellAlignment::Right };
    Cell::new(text).set_alignment(side)
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> =
        cells.iter().map(|c| c.replace('|', "\\|").replace('\n', " ")).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Breaks text at blanks so that no line is longer than `width` characters, where words allow.
pub(crate) fn wrap(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let word_length = word.chars().count();
        if length > 0 && length + 1 + word_length > width {
            out.push('\n');
            length = 0;
        } else if length > 0 {
            out.push(' ');
            length += 1;
        }
        out.push_str(word);
        length += word_length;
    }
    out
}
