//! Expected harm: what happens to a call in each situation under each verdict, how often, and what it
//! costs.
//!
//! Per call, the sum over situations of rate x the sum over verdicts of P(verdict | situation) x loss.
//! Everything is linear in the losses, so a strategy is first reduced to its [`Exposure`]: how many
//! duplicates, lost effects, wrong results, leaks and questions a call brings on average.

use crate::losses::Losses;
use crate::posterior::{Draws, PRIOR, Posterior, Shares};
use crate::rates::{Rate, Rates};
use crate::situation::Situation;
use crate::units::{Share, Usd};
use crate::verdicts::Verdicts;
use rust_decimal::Decimal;
use samecall_call::Verdict;
use std::collections::BTreeMap;
use std::fmt;

/// What the tool's policy does with a call that is `suspect`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OnSuspect {
    /// Asks a person.
    Ask,
    /// Runs it.
    Run,
    /// Answers with the first result.
    Replay,
}

/// A strategy with the policy for its suspects; none where it never suspects.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    /// The strategy's name.
    pub strategy: String,
    /// The policy.
    pub on_suspect: Option<OnSuspect>,
}

impl Candidate {
    /// Whether it is a check on the measure and no strategy to use.
    pub fn is_canary(&self) -> bool {
        matches!(self.strategy.as_str(), "constant" | "random" | "refuse")
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.strategy)?;
        match self.on_suspect {
            None => Ok(()),
            Some(OnSuspect::Ask) => f.write_str(" (suspects asked)"),
            Some(OnSuspect::Run) => f.write_str(" (suspects run)"),
            Some(OnSuspect::Replay) => f.write_str(" (suspects replayed)"),
        }
    }
}

/// Events per call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exposure {
    /// Effects that happen twice.
    pub duplicate: Decimal,
    /// Effects that were meant and do not happen.
    pub lost: Decimal,
    /// Results of another call taken for this one's.
    pub wrong_result: Decimal,
    /// Results shown to another tenant.
    pub leak: Decimal,
    /// Questions to a person.
    pub question: Decimal,
    /// Calls answered from the store.
    pub replayed: Decimal,
    /// Calls refused, which claim nothing.
    pub refused: Decimal,
}

impl Exposure {
    /// Dollars per call, without store and tokens.
    pub fn cost(&self, losses: &Losses) -> Usd {
        Usd::new(
            self.duplicate * losses.duplicate.dollars()
                + self.lost * losses.lost.dollars()
                + self.wrong_result * losses.wrong_result.dollars()
                + self.leak * losses.leak.dollars()
                + self.question * losses.question.dollars(),
        )
    }

    fn add(&mut self, situation: Situation, verdict: Verdict, p: Decimal, unreleased: Decimal) {
        match verdict {
            Verdict::Same => {
                self.replayed += p;
                match situation {
                    Situation::RetryLanded | Situation::RetryOtherStep | Situation::ResumedRun => {}
                    // The failed attempt's key is normally freed; where it is not, nothing is done.
                    Situation::RetryNotLanded => self.lost += p * unreleased,
                    Situation::DeliberateRepeat | Situation::Twin => self.lost += p,
                    Situation::NearNeighbour | Situation::Unrelated => {
                        self.lost += p;
                        self.wrong_result += p;
                    }
                    Situation::OtherTenant => {
                        self.lost += p;
                        self.leak += p;
                    }
                }
            }
            Verdict::Different => match situation {
                Situation::RetryLanded | Situation::RetryOtherStep | Situation::ResumedRun => {
                    self.duplicate += p;
                }
                _ => {}
            },
            Verdict::Refused => {
                self.refused += p;
                self.question += p;
            }
            Verdict::Conflict | Verdict::Suspect => self.question += p,
        }
    }
}

/// Rates of all situations at one value each, the rest included.
#[derive(Debug, Clone)]
pub struct RatesAt {
    /// By situation.
    pub rates: BTreeMap<Situation, Decimal>,
    /// See [`Rates::unreleased`].
    pub unreleased: Decimal,
}

impl RatesAt {
    fn complete(mut rates: BTreeMap<Situation, Decimal>, unreleased: Decimal) -> Self {
        let used: Decimal = rates.values().sum();
        rates.insert(Situation::Unrelated, (Decimal::ONE - used).max(Decimal::ZERO));
        RatesAt { rates, unreleased }
    }

    /// The posterior means.
    pub fn mean(rates: &Rates) -> Self {
        let mean = |rate: &Rate| match rate {
            Rate::Assumed(range) => range.mean(),
            Rate::Measured { k, n, clusters } => {
                let prior = Decimal::new((PRIOR * 100.0) as i64, 2);
                let k = Decimal::from(*k) * Decimal::from(*clusters) / Decimal::from(*n);
                (k + prior / Decimal::TWO) / (Decimal::from(*clusters) + prior)
            }
        };
        let by = rates.by_situation.iter().map(|(s, r)| (*s, mean(&r.rate).round_dp(12))).collect();
        Self::complete(by, rates.unreleased.mean())
    }

    fn draw(rates: &Rates, draws: &mut Draws) -> Self {
        let mut by = BTreeMap::new();
        for (situation, sourced) in &rates.by_situation {
            let value = match &sourced.rate {
                Rate::Assumed(range) => range.at(draws.uniform()),
                Rate::Measured { k, n, clusters } => {
                    let scale = *clusters as f64 / *n as f64;
                    Share::sampled(draws.beta(*k as f64 * scale, *clusters as f64)).value()
                }
            };
            by.insert(*situation, value);
        }
        Self::complete(by, rates.unreleased.at(draws.uniform()))
    }

    /// The rates with one of them replaced, and the rest of the traffic with it; none when they add up to
    /// more than all calls.
    pub fn with(&self, situation: Situation, rate: Decimal) -> Option<Self> {
        let mut rates = self.rates.clone();
        rates.remove(&Situation::Unrelated);
        rates.insert(situation, rate);
        let total: Decimal = rates.values().sum();
        (situation != Situation::Unrelated && rate >= Decimal::ZERO && total <= Decimal::ONE)
            .then(|| Self::complete(rates, self.unreleased))
    }
}

/// Shares of verdicts by situation.
pub type SharesBySituation = BTreeMap<Situation, Shares>;

/// The exposure of a strategy with a policy, at given rates and shares. Shares are rounded to nine
/// places.
pub fn exposure(
    rates: &RatesAt,
    shares: &SharesBySituation,
    policy: Option<OnSuspect>,
) -> Exposure {
    let mut exposure = Exposure::default();
    for (situation, verdicts) in shares {
        let rate = rates.rates.get(situation).copied().unwrap_or(Decimal::ZERO);
        for (verdict, share) in Verdict::ALL.into_iter().zip(verdicts) {
            let verdict = match (verdict, policy) {
                (Verdict::Suspect, Some(OnSuspect::Run)) => Verdict::Different,
                (Verdict::Suspect, Some(OnSuspect::Replay)) => Verdict::Same,
                (verdict, _) => verdict,
            };
            let p = (rate * Share::sampled(*share).value()).round_dp(15);
            exposure.add(*situation, verdict, p, rates.unreleased);
        }
    }
    exposure
}

/// A candidate's exposure: the posterior mean, and draws.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Who it is.
    pub candidate: Candidate,
    /// Mean shares of the verdicts.
    pub shares: SharesBySituation,
    /// The mean exposure; exact, since rates and shares are independent.
    pub mean: Exposure,
    /// One exposure for each draw. Draw `i` of every candidate has the same rates.
    pub draws: Vec<Exposure>,
}

/// Carries the posteriors of rates and verdicts through to exposures.
pub fn measure(verdicts: &Verdicts, rates: &Rates, seed: u64, samples: usize) -> Vec<Measured> {
    let mut source = Draws::new(seed);
    let drawn: Vec<RatesAt> = (0..samples).map(|_| RatesAt::draw(rates, &mut source)).collect();
    let mean = RatesAt::mean(rates);
    let mut all = Vec::new();
    for (strategy, situations) in &verdicts.by_strategy {
        // Unrelated pairs join calls of different tasks, so their clusters say nothing of them.
        let posteriors: BTreeMap<Situation, Posterior> = situations
            .iter()
            .map(|(s, seen)| (*s, Posterior::new(seen, *s != Situation::Unrelated)))
            .collect();
        let suspects = situations.values().any(|seen| seen.total().suspect > 0);
        let policies: Vec<Option<OnSuspect>> = if suspects {
            [OnSuspect::Ask, OnSuspect::Run, OnSuspect::Replay].map(Some).to_vec()
        } else {
            vec![None]
        };
        let shares: SharesBySituation = posteriors.iter().map(|(s, p)| (*s, p.mean())).collect();
        let shares_drawn: Vec<SharesBySituation> =
            (0..samples).map(|_| draw_shares(&posteriors, &mut source)).collect();
        for policy in policies {
            all.push(Measured {
                candidate: Candidate { strategy: strategy.clone(), on_suspect: policy },
                mean: exposure(&mean, &shares, policy),
                draws: drawn
                    .iter()
                    .zip(&shares_drawn)
                    .map(|(rates, shares)| exposure(rates, shares, policy))
                    .collect(),
                shares: shares.clone(),
            });
        }
    }
    all
}

/// One draw for each situation. Situations that share a set share the draw: no key tells them apart.
fn draw_shares(
    posteriors: &BTreeMap<Situation, Posterior>,
    source: &mut Draws,
) -> SharesBySituation {
    let mut by_set: BTreeMap<&str, Shares> = BTreeMap::new();
    let mut shares = SharesBySituation::new();
    for (situation, posterior) in posteriors {
        let drawn = *by_set.entry(situation.set()).or_insert_with(|| posterior.draw(source));
        shares.insert(*situation, drawn);
    }
    shares
}
