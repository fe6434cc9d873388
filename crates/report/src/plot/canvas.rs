//! Lines, boxes, dots and text on either backend, in unscaled units.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle};

pub(crate) const BLUE: RGBColor = RGBColor(0, 114, 178);
pub(crate) const VERMILION: RGBColor = RGBColor(213, 94, 0);
pub(crate) const INK: RGBColor = RGBColor(34, 34, 34);
pub(crate) const GREY: RGBColor = RGBColor(105, 105, 105);
pub(crate) const GRID: RGBColor = RGBColor(226, 226, 226);

/// Something that can be drawn.
pub(crate) trait Figure {
    /// Width and height.
    fn size(&self) -> (u32, u32);

    /// Draws all of it on a white canvas of that size.
    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB>;
}

/// The outcome of drawing.
pub(crate) type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// On which side of its point a text stands.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Side {
    /// The text begins at the point.
    Right,
    /// The text is centred on the point.
    Centre,
    /// The text ends at the point.
    Left,
}

/// How a text looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) colour: RGBColor,
}

pub(crate) const TITLE: Look = Look { size: 19.0, bold: true, colour: INK };
pub(crate) const LABEL: Look = Look { size: 15.0, bold: false, colour: INK };
pub(crate) const HEAD: Look = Look { size: 14.0, bold: true, colour: INK };
pub(crate) const SMALL: Look = Look { size: 13.0, bold: false, colour: GREY };

/// A drawing area with its scale.
pub(crate) struct Canvas<'a, DB: DrawingBackend> {
    area: &'a DrawingArea<DB, Shift>,
    scale: f64,
    drop: f64,
}

impl<'a, DB: DrawingBackend> Canvas<'a, DB> {
    /// `drop` is how far down text must be moved to stand centred, as a part of its size: the backends
    /// do not agree on where the middle of a line is.
    pub(crate) fn new(area: &'a DrawingArea<DB, Shift>, scale: u32, drop: f64) -> Self {
        Canvas { area, scale: f64::from(scale), drop }
    }

    fn at(&self, (x, y): (f64, f64)) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    /// Text whose middle line runs through the point.
    pub(crate) fn text(&self, text: &str, at: (f64, f64), side: Side, look: Look) -> Drawn<DB> {
        let h = match side {
            Side::Right => HPos::Left,
            Side::Centre => HPos::Center,
            Side::Left => HPos::Right,
        };
        let style = font(look, self.scale).color(&look.colour).pos(Pos::new(h, VPos::Center));
        self.area.draw_text(text, &style, self.at((at.0, at.1 + self.drop * look.size)))
    }

    pub(crate) fn line(
        &self,
        from: (f64, f64),
        to: (f64, f64),
        width: f64,
        colour: RGBColor,
    ) -> Drawn<DB> {
        let width = (width * self.scale).round().max(1.0) as u32;
        let path = PathElement::new(vec![self.at(from), self.at(to)], colour.stroke_width(width));
        self.area.draw(&path)
    }

    /// A filled box from its upper left to its lower right corner.
    pub(crate) fn fill(&self, from: (f64, f64), to: (f64, f64), colour: impl Color) -> Drawn<DB> {
        self.area.draw(&Rectangle::new([self.at(from), self.at(to)], colour.filled()))
    }

    /// A filled shape with these corners.
    pub(crate) fn shape(&self, corners: &[(f64, f64)], colour: impl Color) -> Drawn<DB> {
        let corners: Vec<(i32, i32)> = corners.iter().map(|&point| self.at(point)).collect();
        self.area.draw(&Polygon::new(corners, colour.filled()))
    }

    pub(crate) fn dot(&self, at: (f64, f64), radius: f64, colour: RGBColor) -> Drawn<DB> {
        let radius = (radius * self.scale).round() as i32;
        self.area.draw(&Circle::new(self.at(at), radius, colour.filled()))
    }

    /// A horizontal percent axis: light vertical lines each `step` percent with their numbers below.
    pub(crate) fn percent_axis(
        &self,
        (left, right): (f64, f64),
        (top, bottom): (f64, f64),
        step: usize,
        look: Look,
    ) -> Drawn<DB> {
        for percent in (0..=100).step_by(step) {
            let x = left + (right - left) * percent as f64 / 100.0;
            self.line((x, top), (x, bottom), 1.0, GRID)?;
            self.text(&percent.to_string(), (x, bottom + 11.0), Side::Centre, look)?;
        }
        Ok(())
    }
}

fn font(look: Look, scale: f64) -> FontDesc<'static> {
    let style = if look.bold { FontStyle::Bold } else { FontStyle::Normal };
    FontDesc::new(FontFamily::SansSerif, look.size * scale, style)
}

/// How wide a text is.
pub(crate) fn width(text: &str, look: Look) -> f64 {
    // Without a font nothing is drawn anyway.
    font(look, 1.0).box_size(text).map_or(0.0, |(width, _)| f64::from(width))
}

/// The widest of some texts.
pub(crate) fn widest<'t>(texts: impl IntoIterator<Item = &'t str>, look: Look) -> f64 {
    texts.into_iter().map(|text| width(text, look)).fold(0.0, f64::max)
}

/// Breaks text at blanks into lines no wider than `limit`, where words allow.
pub(crate) fn lines(text: &str, limit: f64, look: Look) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), look) <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
