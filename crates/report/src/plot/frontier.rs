//! Recall against false merges: every strategy, and the subsets of every rule list, with intervals.
//!
//! The x axis is split: what merged nothing stands in a band of its own, its line ending at the bound; the rest is on
//! a logarithmic scale.

use super::canvas::{
    BLUE, Canvas, Drawn, Figure, GREY, GRID, INK, LABEL, Look, SMALL, Side, TITLE, VERMILION,
    lines, width,
};
use crate::words::thousands;
use plotters::prelude::*;
use samecall_call::rules::{FrontierSet, Point};

const MARGIN: f64 = 24.0;
const WIDTH: f64 = 980.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 28.0;
const PLOT: f64 = 520.0;
const LINE: f64 = 16.0;
/// The band of what merged nothing.
const ZERO: f64 = 96.0;
const GAP: f64 = 16.0;
const SKY: RGBColor = RGBColor(86, 180, 233);
const ORANGE: RGBColor = RGBColor(230, 159, 0);
const GREEN: RGBColor = RGBColor(0, 158, 115);

pub(crate) struct Frontier<'a> {
    title: String,
    subtitle: Vec<String>,
    set: &'a FrontierSet,
    /// The least share on the axis, as a power of ten.
    least: i32,
}

/// Dots that coincide, and their label.
struct Marked {
    at: (f64, f64),
    label: String,
}

type Rect = [f64; 4];

impl<'a> Frontier<'a> {
    /// The figure of a set; none where it lacks retries or distinct pairs.
    pub(crate) fn of(name: &str, set: &'a FrontierSet) -> Option<Self> {
        let first = set.strategies.first()?;
        if first.retry == 0 || first.distinct == 0 {
            return None;
        }
        let all = set.strategies.iter().chain(set.subsets.values().flatten().map(|s| &s.point));
        let least = all
            .filter(|point| point.merged > 0)
            .map(|point| point.merged as f64 / point.distinct as f64)
            .fold(0.1, f64::min);
        let lists: u64 = set.subsets.values().flatten().map(|subset| subset.lists).sum();
        let clusters = match set.clusters.n {
            0 => String::new(),
            n => format!(" in {} clusters", thousands(n)),
        };
        let text = format!(
            "{} retries and {} distinct pairs{clusters}. Large: the strategies as they are. Small: {} shortened rule lists, \
             a dot for all that score alike. Grey: what nothing here beats. Lines: 95 % intervals, of the strategies upwards, \
             downwards and to the right with clusters as draws, of the lists with pairs; from the band of 0 to the one-sided bound.",
            thousands(first.retry),
            thousands(first.distinct),
            thousands(lists),
        );
        Some(Frontier {
            title: format!("Recall against false merges: {name}"),
            subtitle: lines(&text, WIDTH - 2.0 * MARGIN, SMALL),
            set,
            least: (least * 0.7).log10().floor() as i32,
        })
    }

    fn top(&self) -> f64 {
        78.0 + LINE * self.subtitle.len() as f64
    }

    /// Where a share of merges stands on the logarithmic part.
    fn x(&self, share: f64) -> f64 {
        let (from, to) = (LEFT + ZERO + GAP, WIDTH - RIGHT);
        let decades = f64::from(-self.least);
        let place = (share.max(1e-12).log10() - f64::from(self.least)) / decades;
        from + (to - from) * place.clamp(0.0, 1.0)
    }

    fn y(&self, share: f64) -> f64 {
        self.top() + PLOT * (1.0 - share)
    }

    fn at(&self, point: &Point) -> (f64, f64) {
        let x = match point.merged {
            0 => LEFT + ZERO / 2.0,
            merged => self.x(merged as f64 / point.distinct.max(1) as f64),
        };
        (x, self.y(point.caught as f64 / point.retry.max(1) as f64))
    }

    fn axes<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        let (top, bottom) = (self.top(), self.top() + PLOT);
        for percent in (0..=100).step_by(20) {
            let y = self.y(f64::from(percent) / 100.0);
            canvas.line((LEFT, y), (LEFT + ZERO, y), 1.0, GRID)?;
            canvas.line((LEFT + ZERO + GAP, y), (WIDTH - RIGHT, y), 1.0, GRID)?;
            canvas.text(&percent.to_string(), (LEFT - 10.0, y), Side::Left, SMALL)?;
        }
        canvas.text("0", (LEFT + ZERO / 2.0, bottom + 14.0), Side::Centre, SMALL)?;
        for power in self.least..=0 {
            for digit in [1.0, 2.0, 5.0] {
                let share = digit * 10_f64.powi(power);
                if share > 1.0 {
                    continue;
                }
                let x = self.x(share);
                canvas.line((x, top), (x, bottom), 1.0, GRID)?;
                let percent = 100.0 * share;
                let decimals = (-(percent.log10().floor())).max(0.0) as usize;
                let wide = self.least > -4 || digit == 1.0;
                if wide {
                    let text = format!("{percent:.decimals$}");
                    canvas.text(&text, (x, bottom + 14.0), Side::Centre, SMALL)?;
                }
            }
        }
        for (from, to) in [(LEFT, LEFT + ZERO), (LEFT + ZERO + GAP, WIDTH - RIGHT)] {
            for y in [top, bottom] {
                canvas.line((from, y), (to, y), 1.0, GREY)?;
            }
            for x in [from, to] {
                canvas.line((x, top), (x, bottom), 1.0, GREY)?;
            }
        }
        let middle = (LEFT + WIDTH - RIGHT) / 2.0;
        let text = "distinct pairs merged (%), logarithmic right of 0";
        canvas.text(text, (middle, bottom + 38.0), Side::Centre, LABEL)?;
        canvas.text("retries caught (%)", (LEFT - 10.0, top - 16.0), Side::Right, LABEL)
    }

    fn whiskers<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
        point: &Point,
        colour: RGBColor,
        by_clusters: bool,
    ) -> Drawn<DB> {
        let (x, y) = self.at(point);
        let thick = if by_clusters { 1.5 } else { 1.0 };
        let [low, high] = if by_clusters { point.recall_clusters } else { point.recall };
        canvas.line((x, self.y(low)), (x, self.y(high)), thick, colour)?;
        let right = match (by_clusters, point.merged) {
            (true, _) => point.false_merge_upper_clusters.max(point.false_merge[1]),
            (false, 0) => point.false_merge_upper,
            (false, _) => point.false_merge[1],
        };
        let left = if point.merged == 0 { x } else { self.x(point.false_merge[0]) };
        canvas.line((left, y), (self.x(right), y), thick, colour)
    }

    /// The points that nothing beats in both, from the left.
    fn edge(&self) -> Vec<(f64, f64)> {
        let subsets = self.set.subsets.values().flatten().map(|subset| &subset.point);
        let mut points: Vec<&Point> = self.set.strategies.iter().chain(subsets).collect();
        points.sort_by_key(|point| (point.merged, std::cmp::Reverse(point.caught)));
        let mut edge: Vec<(f64, f64)> = Vec::new();
        let mut best = None;
        for point in points {
            if best.is_none_or(|caught| point.caught > caught) {
                best = Some(point.caught);
                edge.push(self.at(point));
            }
        }
        edge
    }

    /// The strategies' dots, those that coincide under one label.
    fn marked(&self) -> Vec<Marked> {
        let mut marked: Vec<Marked> = Vec::new();
        for point in &self.set.strategies {
            let at = self.at(point);
            let near = |m: &&mut Marked| (m.at.0 - at.0).hypot(m.at.1 - at.1) < 5.0;
            match marked.iter_mut().find(near) {
                Some(known) => known.label.push_str(&format!(", {}", point.label)),
                None => marked.push(Marked { at, label: point.label.clone() }),
            }
        }
        marked
    }

    /// A place for each label that covers no dot and no other label, as near as can be.
    fn labels(&self, marked: &[Marked]) -> Vec<(f64, f64)> {
        let mut taken: Vec<Rect> = marked
            .iter()
            .map(|m| [m.at.0 - 8.0, m.at.1 - 8.0, m.at.0 + 8.0, m.at.1 + 8.0])
            .collect();
        let meets = |a: &Rect, b: &Rect| a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
        let mut places = Vec::new();
        for mark in marked {
            let wide = width(&mark.label, LABEL);
            let mut found = None;
            'search: for away in [0.0, 12.0, 24.0, 36.0, 54.0, 78.0, 110.0] {
                for (right, up) in [
                    (1.0, 0.0),
                    (1.0, -1.0),
                    (1.0, 1.0),
                    (-1.0, 0.0),
                    (-1.0, -1.0),
                    (-1.0, 1.0),
                    (0.0, -1.0),
                    (0.0, 1.0),
                ] {
                    let x = match right {
                        1.0 => mark.at.0 + 13.0 + away * 0.5,
                        -1.0 => mark.at.0 - 13.0 - away * 0.5 - wide,
                        _ => mark.at.0 - wide / 2.0,
                    };
                    let y = mark.at.1 + up * (14.0 + away);
                    let y = if up == 0.0 { mark.at.1 - away } else { y };
                    let rect = [x - 3.0, y - 9.0, x + wide + 3.0, y + 9.0];
                    let inside = rect[0] > LEFT
                        && rect[2] < WIDTH - RIGHT
                        && rect[1] > self.top()
                        && rect[3] < self.top() + PLOT;
                    if inside && !taken.iter().any(|other| meets(other, &rect)) {
                        found = Some((x, y, rect));
                        break 'search;
                    }
                }
            }
            let beside = (mark.at.0 + 13.0, mark.at.1, [0.0; 4]);
            let (x, y, rect) = found.unwrap_or(beside);
            taken.push(rect);
            places.push((x, y));
        }
        places
    }

    fn legend<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        let y = self.top() + PLOT + 66.0;
        let mut x = LEFT;
        for name in self.set.subsets.keys() {
            let text = format!("rules of {name}");
            canvas.dot((x + 6.0, y), 4.0, colour(name))?;
            canvas.text(&text, (x + 16.0, y), Side::Right, Look { colour: GREY, ..SMALL })?;
            x += 16.0 + width(&text, SMALL) + 22.0;
        }
        Ok(())
    }
}

/// A family's colour.
fn colour(strategy: &str) -> RGBColor {
    match strategy {
        "normalised" => BLUE,
        "normalised-capital-t" => GREEN,
        "scoped" => SKY,
        "typed" => ORANGE,
        "typed-scoped" | "typed-prose" => VERMILION,
        _ => INK,
    }
}

/// The colour thinned with white, for the many lines of subsets.
fn pale(colour: RGBColor) -> RGBColor {
    let thin = |part: u8| 255 - ((255 - u32::from(part)) * 22 / 100) as u8;
    RGBColor(thin(colour.0), thin(colour.1), thin(colour.2))
}

impl Figure for Frontier<'_> {
    fn size(&self) -> (u32, u32) {
        (WIDTH as u32, (self.top() + PLOT + 90.0) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Drawn<DB> {
        canvas.text(&self.title, (MARGIN, 26.0), Side::Right, TITLE)?;
        for (index, line) in self.subtitle.iter().enumerate() {
            canvas.text(line, (MARGIN, 46.0 + LINE * index as f64), Side::Right, SMALL)?;
        }
        self.axes(canvas)?;
        for (name, subsets) in &self.set.subsets {
            for subset in subsets {
                self.whiskers(canvas, &subset.point, pale(colour(name)), false)?;
            }
        }
        let edge = self.edge();
        for pair in edge.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            canvas.line(from, (to.0, from.1), 2.0, RGBColor(170, 170, 170))?;
            canvas.line((to.0, from.1), to, 2.0, RGBColor(170, 170, 170))?;
        }
        for (name, subsets) in &self.set.subsets {
            for subset in subsets {
                let radius = 2.2 + (subset.lists as f64).log2() * 0.35;
                canvas.dot(self.at(&subset.point), radius, colour(name))?;
            }
        }
        for point in &self.set.strategies {
            self.whiskers(canvas, point, INK, true)?;
        }
        for point in &self.set.strategies {
            canvas.dot(self.at(point), 6.5, INK)?;
            canvas.dot(self.at(point), 4.5, colour(&point.label))?;
        }
        let marked = self.marked();
        for (mark, at) in marked.iter().zip(self.labels(&marked)) {
            let wide = width(&mark.label, LABEL);
            let near = (mark.at.0.clamp(at.0, at.0 + wide), at.1);
            if (near.0 - mark.at.0).hypot(near.1 - mark.at.1) > 20.0 {
                canvas.line(mark.at, near, 1.0, GREY)?;
            }
            canvas.fill(
                (at.0 - 2.0, at.1 - 8.0),
                (at.0 + wide + 2.0, at.1 + 8.0),
                WHITE.mix(0.8),
            )?;
            canvas.text(&mark.label, at, Side::Right, LABEL)?;
        }
        self.legend(canvas)
    }
}
