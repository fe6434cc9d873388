//! Seeded draws from the posteriors of shares: Beta and Dirichlet, and mixtures over classes whose
//! weights are themselves uncertain.
//!
//! Gamma draws are by Marsaglia and Tsang (2000), "A simple method for generating gamma variables";
//! logarithms are `libm`'s, so that every machine draws the same.

use crate::verdicts::{Seen, count};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use samecall_call::Verdict;
use samecall_call::result::Tally;

/// Prior weight of all outcomes of a share together: one pair's worth, spread evenly, after the overall
/// objective prior of Berger, Bernardo and Sun (2015). What was never seen stays possible.
pub const PRIOR: f64 = 1.0;

/// A source of draws.
pub struct Draws(Pcg64Mcg);

impl Draws {
    /// Draws from a seed.
    pub fn new(seed: u64) -> Self {
        Draws(Pcg64Mcg::seed_from_u64(seed))
    }

    /// Uniform in the open interval from 0 to 1.
    pub fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    /// Standard normal, by the polar method.
    fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let s = x * x + y * y;
            if s > 0.0 && s < 1.0 {
                return x * (-2.0 * libm::log(s) / s).sqrt();
            }
        }
    }

    /// Gamma of a shape above 0 and scale 1.
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let boost = libm::pow(self.uniform(), 1.0 / shape);
            return self.gamma(shape + 1.0) * boost;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = 1.0 + c * x;
            if v <= 0.0 {
                continue;
            }
            let v = v * v * v;
            let u = self.uniform();
            if libm::log(u) < 0.5 * x * x + d - d * v + d * libm::log(v) {
                return d * v;
            }
        }
    }

    /// Beta: the share of successes after `k` of `n`, with the prior spread over both outcomes.
    pub fn beta(&mut self, k: f64, n: f64) -> f64 {
        let hit = self.gamma(k + PRIOR / 2.0);
        let miss = self.gamma(n - k + PRIOR / 2.0);
        hit / (hit + miss)
    }

    /// Dirichlet with these parameters, written over them.
    pub fn dirichlet(&mut self, parameters: &mut [f64]) {
        for p in parameters.iter_mut() {
            *p = self.gamma(*p);
        }
        let sum: f64 = parameters.iter().sum();
        for p in parameters.iter_mut() {
            *p /= sum;
        }
    }
}

/// Shares of the five verdicts, in the order of [`Verdict::ALL`].
pub type Shares = [f64; 5];

/// The posterior of a strategy's verdicts in a situation.
#[derive(Debug, Clone)]
pub struct Posterior {
    weights: Vec<f64>,
    classes: Vec<Shares>,
}

fn counts(tally: &Tally) -> Shares {
    Verdict::ALL.map(|verdict| count(tally, verdict) as f64)
}

impl Posterior {
    /// The posterior after what was seen. Where clusters are the draws, a class counts as many draws as
    /// it can at most have clusters, and the weights as many as there are clusters.
    pub fn new(seen: &Seen, by_clusters: bool) -> Self {
        let total = seen.total().n as f64;
        let draws = if by_clusters { (seen.clusters as f64).min(total) } else { total };
        let mut weights = Vec::with_capacity(seen.by_class.len());
        let mut classes = Vec::with_capacity(seen.by_class.len());
        for tally in seen.by_class.values() {
            let n = tally.n as f64;
            let scale = (draws / n).min(1.0);
            weights.push(n / total * draws);
            classes.push(counts(tally).map(|k| k * scale + PRIOR / 5.0));
        }
        Posterior { weights, classes }
    }

    /// One draw: class weights from a Dirichlet, each class's verdicts from another.
    pub fn draw(&self, draws: &mut Draws) -> Shares {
        let mut weights = self.weights.clone();
        draws.dirichlet(&mut weights);
        let mut shares = [0.0; 5];
        for (weight, class) in weights.iter().zip(&self.classes) {
            let mut class = *class;
            draws.dirichlet(&mut class);
            for (share, p) in shares.iter_mut().zip(class) {
                *share += weight * p;
            }
        }
        shares
    }

    /// The posterior mean.
    pub fn mean(&self) -> Shares {
        let all: f64 = self.weights.iter().sum();
        let mut shares = [0.0; 5];
        for (weight, class) in self.weights.iter().zip(&self.classes) {
            let sum: f64 = class.iter().sum();
            for (share, p) in shares.iter_mut().zip(class) {
                *share += weight / all * p / sum;
            }
        }
        shares
    }
}

/// The 2.5 % and 97.5 % quantiles of values that are sorted.
pub fn interval<T: Copy>(sorted: &[T]) -> Option<[T; 2]> {
    let last = sorted.len().checked_sub(1)?;
    let at = |share: f64| sorted[((last as f64) * share).round() as usize];
    Some([at(0.025), at(0.975)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn beta_draws_have_the_mean_and_spread_of_the_distribution() {
        let mut draws = Draws::new(1);
        let (a, b) = (30.0 + PRIOR / 2.0, 70.0 + PRIOR / 2.0);
        let n = 20_000;
        let values: Vec<f64> = (0..n).map(|_| draws.beta(30.0, 100.0)).collect();
        let mean = values.iter().sum::<f64>() / f64::from(n);
        let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / f64::from(n);
        let expected = a * b / ((a + b) * (a + b) * (a + b + 1.0));
        assert!((mean - a / (a + b)).abs() < 0.002, "{mean}");
        assert!((variance / expected - 1.0).abs() < 0.05, "{variance} against {expected}");
    }

    #[test]
    fn small_shapes_are_drawn_too() {
        let mut draws = Draws::new(2);
        let n = 50_000;
        let mean = (0..n).map(|_| draws.gamma(0.2)).sum::<f64>() / f64::from(n);
        assert!((mean - 0.2).abs() < 0.01, "{mean}");
    }

    fn seen(same: u64, different: u64, clusters: u64) -> Seen {
        let tally = Tally { n: same + different, same, different, ..Tally::default() };
        Seen { by_class: BTreeMap::from([("x".to_owned(), tally)]), clusters }
    }

    #[test]
    fn draws_agree_with_the_mean_and_add_up_to_one() {
        let posterior = Posterior::new(&seen(90, 10, 100), true);
        let mut draws = Draws::new(3);
        let n = 5_000;
        let mut sum = 0.0;
        for _ in 0..n {
            let shares = posterior.draw(&mut draws);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            sum += shares[0];
        }
        assert!((sum / f64::from(n) - posterior.mean()[0]).abs() < 0.002);
    }

    #[test]
    fn few_clusters_make_a_wide_posterior() {
        let width = |clusters| {
            let posterior = Posterior::new(&seen(0, 1_000, clusters), true);
            let mut draws = Draws::new(4);
            let mut values: Vec<f64> = (0..2_000).map(|_| posterior.draw(&mut draws)[0]).collect();
            values.sort_by(f64::total_cmp);
            interval(&values).unwrap()[1]
        };
        assert!(width(10) > 10.0 * width(1_000));
    }

    #[test]
    fn one_seed_gives_one_sequence() {
        let take = |seed| {
            let mut draws = Draws::new(seed);
            (0..5).map(|_| draws.gamma(3.0).to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(take(7), take(7));
        assert_ne!(take(7), take(8));
    }
}
