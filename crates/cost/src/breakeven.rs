//! Which strategy is cheapest over the harm of a duplicate and the harm of a lost effect, from which
//! harm on, and how sure that is.

use crate::harm::{Exposure, Measured};
use crate::losses::Losses;
use crate::posterior::interval;
use crate::units::Usd;
use rust_decimal::Decimal;

/// A harm that an axis varies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harm {
    /// Dollars for a duplicate.
    Duplicate,
    /// Dollars for a lost effect.
    Lost,
}

impl Harm {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Harm::Duplicate => "duplicate",
            Harm::Lost => "lost",
        }
    }

    fn of(self, exposure: &Exposure) -> Decimal {
        match self {
            Harm::Duplicate => exposure.duplicate,
            Harm::Lost => exposure.lost,
        }
    }

    fn set(self, losses: &Losses, value: Usd) -> Losses {
        match self {
            Harm::Duplicate => Losses { duplicate: value, ..*losses },
            Harm::Lost => Losses { lost: value, ..*losses },
        }
    }
}

/// What a candidate costs as a line over one harm: per call.
#[derive(Debug, Clone, Copy)]
struct Line {
    rest: Decimal,
    slope: Decimal,
}

impl Line {
    fn of(exposure: &Exposure, fixed: Usd, losses: &Losses, axis: Harm) -> Self {
        let rest = exposure.cost(&axis.set(losses, Usd::ZERO)) + fixed;
        Line { rest: rest.dollars(), slope: axis.of(exposure) }
    }

    fn at(&self, harm: Decimal) -> Decimal {
        self.rest + self.slope * harm
    }

    /// From which harm on the other line is below this one; none when it never is.
    fn overtaken(&self, other: &Line) -> Option<Decimal> {
        let fall = self.slope - other.slope;
        // A harm beyond what can be calculated is beyond any that there is.
        let harm = (other.rest - self.rest).checked_div(fall).filter(|_| fall > Decimal::ZERO)?;
        Some(harm.max(Decimal::ZERO).round_dp(6))
    }
}

/// Candidates with what they cost beside harm, per call: store and tokens.
pub struct Field<'a> {
    /// The candidates.
    pub candidates: &'a [Measured],
    /// Store and tokens of each, per call.
    pub fixed: Vec<Usd>,
}

/// One stretch of a harm on which a candidate is cheapest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// Index of the candidate.
    pub winner: usize,
    /// The harm from which on it is cheapest.
    pub from: Usd,
    /// 95 % interval of that harm: `None` as its end means that no harm is large enough. Absent for
    /// the first stretch.
    pub interval: Option<[Option<Usd>; 2]>,
}

/// Cheapest by mean among all; ties go to the one named first, canaries last.
fn cheapest(field: &Field<'_>, costs: impl Iterator<Item = Decimal>) -> usize {
    let is_canary = |i: usize| field.candidates[i].candidate.is_canary();
    let mut best: Option<(usize, Decimal)> = None;
    for (index, cost) in costs.enumerate() {
        let wins = best.is_none_or(|(i, least)| {
            cost < least || (cost == least && is_canary(i) && !is_canary(index))
        });
        if wins {
            best = Some((index, cost));
        }
    }
    best.map_or(0, |(index, _)| index)
}

impl Field<'_> {
    /// The lower envelope over one harm from `from` to `to`, all other losses given. `drawn` holds the
    /// losses of each draw.
    pub fn stretches(
        &self,
        axis: Harm,
        losses: &Losses,
        drawn: &[Losses],
        from: Usd,
        to: Usd,
    ) -> Vec<Stretch> {
        let lines: Vec<Line> = self
            .candidates
            .iter()
            .zip(&self.fixed)
            .map(|(c, fixed)| Line::of(&c.mean, *fixed, losses, axis))
            .collect();
        let mut here = from.dollars();
        let mut winner = cheapest(self, lines.iter().map(|line| line.at(here)));
        let mut found = vec![Stretch { winner, from, interval: None }];
        // Each step goes to a line of lower slope, so there are at most as many as lines.
        while let Some((next, harm)) = lines
            .iter()
            .enumerate()
            .filter_map(|(i, line)| Some((i, lines[winner].overtaken(line)?.max(here))))
            .min_by_key(|&(i, harm)| (harm, lines[i].slope))
            .filter(|&(_, harm)| harm <= to.dollars())
        {
            let interval = self.crossing(axis, winner, next, drawn);
            match found.last_mut() {
                // A tie at the very place where the last one begins: it never was the cheapest alone.
                Some(last) if last.from.dollars() == harm => last.winner = next,
                _ => found.push(Stretch { winner: next, from: Usd::new(harm), interval }),
            }
            (winner, here) = (next, harm);
        }
        found
    }

    fn crossing(
        &self,
        axis: Harm,
        before: usize,
        after: usize,
        drawn: &[Losses],
    ) -> Option<[Option<Usd>; 2]> {
        let line = |i: usize, draw: usize, losses: &Losses| {
            Line::of(&self.candidates[i].draws[draw], self.fixed[i], losses, axis)
        };
        let mut harms: Vec<Option<Usd>> = drawn
            .iter()
            .enumerate()
            .map(|(d, losses)| line(before, d, losses).overtaken(&line(after, d, losses)))
            .map(|harm| harm.map(Usd::new))
            .collect();
        // Never comes after every harm.
        harms.sort_by_key(|harm| (harm.is_none(), *harm));
        interval(&harms)
    }

    /// The cheapest candidate in every cell of a map, and the share of draws in which it is. Rows are
    /// the harm of a lost effect, columns that of a duplicate.
    pub fn map(
        &self,
        losses: &Losses,
        drawn: &[Losses],
        duplicate: &[Usd],
        lost: &[Usd],
    ) -> Vec<Vec<Cell>> {
        // What does not depend on the two harms is summed once for each draw.
        let rest = |exposure: &Exposure, fixed: Usd, losses: &Losses| {
            let others = Losses { duplicate: Usd::ZERO, lost: Usd::ZERO, ..*losses };
            (exposure.cost(&others) + fixed).dollars()
        };
        let means: Vec<(Decimal, &Exposure)> = self
            .candidates
            .iter()
            .zip(&self.fixed)
            .map(|(c, fixed)| (rest(&c.mean, *fixed, losses), &c.mean))
            .collect();
        let draws: Vec<Vec<(Decimal, &Exposure)>> = drawn
            .iter()
            .enumerate()
            .map(|(d, losses)| {
                self.candidates
                    .iter()
                    .zip(&self.fixed)
                    .map(|(c, fixed)| (rest(&c.draws[d], *fixed, losses), &c.draws[d]))
                    .collect()
            })
            .collect();
        let cell = |lost: Usd, duplicate: Usd| {
            let cost = |(rest, e): &(Decimal, &Exposure)| {
                rest + e.duplicate * duplicate.dollars() + e.lost * lost.dollars()
            };
            let winner = cheapest(self, means.iter().map(cost));
            let sure =
                draws.iter().filter(|draw| cheapest(self, draw.iter().map(cost)) == winner).count();
            Cell { winner, cost: Usd::new(cost(&means[winner])), sure, of: draws.len() }
        };
        lost.iter().map(|&l| duplicate.iter().map(|&d| cell(l, d)).collect()).collect()
    }
}

/// One cell of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Index of the cheapest candidate by mean.
    pub winner: usize,
    /// Its mean cost per call.
    pub cost: Usd,
    /// Draws in which it is cheapest.
    pub sure: usize,
    /// All draws.
    pub of: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_harm_beyond_all_numbers_is_none() {
        let line = |rest: &str, slope: &str| Line {
            rest: rest.parse().unwrap_or_default(),
            slope: slope.parse().unwrap_or_default(),
        };
        let (cheap, dear) = (line("0", "0.0000000000000000000000001"), line("1000000", "0"));
        assert_eq!(cheap.overtaken(&dear), None);
        assert_eq!(line("1", "2").overtaken(&line("2", "1")), Some(Decimal::ONE));
        assert_eq!(line("1", "1").overtaken(&line("2", "1")), None);
    }
}
