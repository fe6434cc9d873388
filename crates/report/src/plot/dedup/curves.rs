//! Lines over thresholds, one for each level of the guard.

use super::super::canvas::{
    BLUE, Canvas, Drawn, Figure, GREY, GRID, LABEL, SMALL, Side, TITLE, VERMILION, width,
};
use plotters::prelude::*;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 520.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = WIDTH - 28.0;
const TOP: f64 = 96.0;
const BOTTOM: f64 = HEIGHT - 72.0;

/// What one level of the guard does at each threshold.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Name of the level.
    pub level: String,
    /// Threshold, recall, precision and share of false merges, by rising threshold.
    pub points: Vec<[f64; 4]>,
}

/// A figure: lines in a square of shares.
pub(super) struct Figures {
    title: String,
    subtitle: String,
    across: &'static str,
    up: &'static str,
    /// The left end of the horizontal axis, which runs to 1.
    from: f64,
    lines: Vec<Line>,
}

struct Line {
    level: String,
    points: Vec<(f64, f64)>,
    mark: Option<(f64, f64)>,
}

impl Figures {
    pub(super) fn precision(name: &str, curves: &[Curve], marked: f64) -> Self {
        Self {
            title: "Precision against recall over thresholds".into(),
            subtitle: format!("{name}; dots: cosine {}", short(marked)),
            across: "recall (%)",
            up: "precision (%)",
            from: 0.0,
            // Where nothing merges there is no precision to show.
            lines: lines(curves, marked, |p| (p[1] > 0.0).then_some((p[1], p[2]))),
        }
    }

    pub(super) fn merges(name: &str, curves: &[Curve], marked: f64) -> Self {
        Self {
            title: "False merges by threshold".into(),
            subtitle: format!("{name}; dots: cosine {}", short(marked)),
            across: "lowest cosine that merges",
            up: "pairs of two meanings merged (%)",
            from: 0.5,
            lines: lines(curves, marked, |p| (p[0] >= 0.5).then_some((p[0], p[3]))),
        }
    }
}

/// A threshold without the digits that single precision adds.
fn short(threshold: f64) -> String {
    format!("{}", (threshold * 1e4).round() / 1e4)
}

fn lines(
    curves: &[Curve],
    marked: f64,
    place: impl Fn(&[f64; 4]) -> Option<(f64, f64)>,
) -> Vec<Line> {
    // The unguarded line first, so that the guarded ones are drawn over it.
    let order = ["off", "facts", "strict"];
    order
        .iter()
        .filter_map(|level| curves.iter().find(|curve| curve.level == *level))
        .map(|curve| Line {
            level: curve.level.clone(),
            points: curve.points.iter().filter_map(&place).collect(),
            mark: curve
                .points
                .iter()
                .find(|point| (point[0] - marked).abs() < 1e-6)
                .and_then(&place),
        })
        .collect()
}

fn colour(level: &str) -> RGBColor {
    match level {
        "facts" => BLUE,
        "strict" => VERMILION,
        _ => GREY,
    }
}

impl Figure for Figures {
    fn size(&self) -> (u32, u32) {
        (WIDTH as u32, HEIGHT as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text(&self.title, (24.0, 26.0), Side::Right, TITLE)?;
        canvas.text(&self.subtitle, (24.0, 50.0), Side::Right, SMALL)?;
        let x = |value: f64| LEFT + (RIGHT - LEFT) * (value - self.from) / (1.0 - self.from);
        let y = |share: f64| BOTTOM - (BOTTOM - TOP) * share;
        for step in 0..=5 {
            let share = f64::from(step) / 5.0;
            canvas.line((LEFT, y(share)), (RIGHT, y(share)), 1.0, GRID)?;
            let text = format!("{:.0}", 100.0 * share);
            canvas.text(&text, (LEFT - 10.0, y(share)), Side::Left, SMALL)?;
            let value = self.from + (1.0 - self.from) * share;
            canvas.line((x(value), TOP), (x(value), BOTTOM), 1.0, GRID)?;
            let text = if self.from > 0.0 {
                format!("{value:.1}")
            } else {
                format!("{:.0}", 100.0 * value)
            };
            canvas.text(&text, (x(value), BOTTOM + 14.0), Side::Centre, SMALL)?;
        }
        canvas.text(self.up, (24.0, TOP - 22.0), Side::Right, LABEL)?;
        canvas.text(self.across, ((LEFT + RIGHT) / 2.0, BOTTOM + 36.0), Side::Centre, LABEL)?;
        let mut at = RIGHT;
        for line in self.lines.iter().rev() {
            let name = format!("guard {}", line.level);
            at -= width(&name, LABEL);
            canvas.text(&name, (at, TOP - 22.0), Side::Right, LABEL)?;
            at -= 32.0;
            canvas.line((at, TOP - 22.0), (at + 24.0, TOP - 22.0), 3.0, colour(&line.level))?;
            at -= 18.0;
        }
        for line in &self.lines {
            for pair in line.points.windows(2) {
                let (from, to) = (pair[0], pair[1]);
                canvas.line(
                    (x(from.0), y(from.1)),
                    (x(to.0), y(to.1)),
                    2.5,
                    colour(&line.level),
                )?;
            }
            if let Some((across, up)) = line.mark {
                canvas.dot((x(across), y(up)), 5.5, colour(&line.level))?;
            }
        }
        Ok(())
    }
}
