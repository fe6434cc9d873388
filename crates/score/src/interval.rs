//! How sure a share is: intervals for independent draws and for clustered ones, and tests for two
//! strategies on the same pairs.
//!
//! All shares are fractions of 1. Nothing is drawn at random: the clustered intervals are closed forms,
//! so they are the same bytes in every run.

use statrs::function::beta::checked_beta_reg;

/// Of a two-sided 95 % interval: the standard normal quantile at 0.975.
const Z: f64 = 1.959_963_984_540_054;
/// One minus the confidence of the one-sided bounds.
const ALPHA: f64 = 0.05;

/// Wilson's two-sided 95 % score interval of `hits` in `n` draws; the whole line for no draw.
///
/// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22
/// (1927), 209-212.
pub fn wilson(hits: u64, n: u64) -> [f64; 2] {
    if n == 0 {
        return [0.0, 1.0];
    }
    wilson_share(hits as f64 / n as f64, n as f64)
}

/// Wilson's interval for a share and a number of draws that need not be whole.
fn wilson_share(p: f64, n: f64) -> [f64; 2] {
    let centre = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    // At the ends the formula gives the end itself; rounding must not move it.
    let low = if p == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if p == 1.0 { 1.0 } else { (centre + half).min(1.0) };
    [low, high]
}

/// The exact one-sided 95 % upper bound (Clopper-Pearson) of `hits` in `n` draws; 1 for no draw.
///
/// C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of
/// the binomial", Biometrika 26 (1934), 404-413.
pub fn clopper_pearson_upper(hits: u64, n: u64) -> f64 {
    beta_upper(hits as f64, n as f64)
}

/// The quantile at 0.95 of Beta(hits + 1, n - hits).
fn beta_upper(hits: f64, n: f64) -> f64 {
    if n <= 0.0 || hits >= n {
        return 1.0;
    }
    if hits == 0.0 {
        // (1 - p)^n = ALPHA
        return -(ALPHA.ln() / n).exp_m1();
    }
    bisect(|x| regularised_beta(hits + 1.0, n - hits, x) < 1.0 - ALPHA)
}

/// The least x in [0, 1] at which `below` turns false; `below` must be monotone.
fn bisect(below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..100 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) { low = middle } else { high = middle }
    }
    high
}

fn regularised_beta(a: f64, b: f64, x: f64) -> f64 {
    // The arguments are in range by construction; the edges are the limits.
    checked_beta_reg(a, b, x).unwrap_or(if x <= 0.0 { 0.0 } else { 1.0 })
}

/// Two-sided 95 % quantile of Student's t.
fn student_t(degrees: f64) -> f64 {
    // P(|T| > t) = I_x(degrees / 2, 1 / 2) with x = degrees / (degrees + t^2).
    let x = bisect(|x| regularised_beta(degrees / 2.0, 0.5, x) < ALPHA);
    (degrees * (1.0 - x) / x).sqrt()
}

/// Hits and draws of one cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cluster {
    /// Draws that hit.
    pub hits: u64,
    /// Draws.
    pub n: u64,
}

/// What clustering leaves of a number of draws.
#[derive(Debug, Clone, Copy)]
struct Effective {
    share: f64,
    draws: f64,
    clusters: f64,
}

/// The draws that independent pairs would need for the same variance.
///
/// The variance of the share is that of a ratio estimator, linearised, clusters drawn with
/// replacement (W. G. Cochran, *Sampling Techniques*, 3rd ed. 1977, section 6.3). The draws are
/// p (1 - p) / variance, corrected for the degrees of freedom and never more than the pairs, after
/// E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small expected number of
/// positive counts estimated from survey data", Survey Methodology 24 (1998), 193-201. Where no pair
/// or every pair hits, no variance is seen; then only the clusters count as draws.
///
/// `kept` may be a uniform sample of `clusters` clusters: its design effect stands for the whole.
fn effective(hits: u64, n: u64, kept: &[Cluster], clusters: u64) -> Option<Effective> {
    let pairs: u64 = kept.iter().map(|c| c.n).sum();
    if n == 0 || pairs == 0 {
        return None;
    }
    let share = hits as f64 / n as f64;
    let clusters = clusters as f64;
    if hits == 0 || hits == n {
        return Some(Effective { share, draws: clusters, clusters });
    }
    let groups = kept.len() as f64;
    if groups < 2.0 {
        // One cluster shows nothing of how clusters differ.
        return None;
    }
    let kept_share = kept.iter().map(|c| c.hits).sum::<u64>() as f64 / pairs as f64;
    let squares: f64 = kept.iter().map(|c| (c.hits as f64 - kept_share * c.n as f64).powi(2)).sum();
    let variance = groups / (groups - 1.0) * squares / (pairs as f64).powi(2);
    let draws = if variance > 0.0 {
        let freedom = (Z / student_t(groups - 1.0)).powi(2);
        let draws = kept_share * (1.0 - kept_share) / variance * freedom;
        draws.min(pairs as f64) * (n as f64 / pairs as f64)
    } else {
        // Every cluster has the same share: nothing speaks against the pairs as draws but their
        // grouping, so the clusters count.
        clusters
    };
    Some(Effective { share, draws: draws.max(1.0), clusters })
}

/// Two-sided 95 % interval of `hits` in `n` draws that come in clusters: Wilson's with the effective
/// number of draws, and never inside what the same number of clusters would give if all agreed. The
/// whole line where a single cluster gives both answers.
pub fn wilson_clusters(hits: u64, n: u64, kept: &[Cluster], clusters: u64) -> [f64; 2] {
    let Some(e) = effective(hits, n, kept, clusters) else { return [0.0, 1.0] };
    let [low, high] = wilson_share(e.share, e.draws);
    // Seeing the first miss must not make us surer than seeing none.
    let [all_low, _] = wilson_share(1.0, e.clusters);
    let [_, none_high] = wilson_share(0.0, e.clusters);
    [low.min(all_low), high.max(none_high)]
}

/// One-sided 95 % upper bound of `hits` in `n` draws that come in clusters: the exact bound on clusters
/// where nothing hit, else Clopper-Pearson's with the effective number of draws (Korn and Graubard
/// 1998), and never below the former. 1 where a single cluster gives both answers.
pub fn upper_clusters(hits: u64, n: u64, kept: &[Cluster], clusters: u64) -> f64 {
    let Some(e) = effective(hits, n, kept, clusters) else { return 1.0 };
    let none = beta_upper(0.0, e.clusters);
    if hits == 0 { none } else { beta_upper(e.share * e.draws, e.draws).max(none) }
}

/// Exact two-sided p-value of a fair coin that fell `a` times one way and `b` times the other: the
/// exact McNemar test of discordant pairs, and the sign test.
///
/// Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
/// percentages", Psychometrika 12 (1947), 153-157; exact form after W. J. Dixon and A. M. Mood (1946).
pub fn fair_coin(a: u64, b: u64) -> f64 {
    let (few, n) = (a.min(b) as f64, (a + b) as f64);
    if a == b {
        return 1.0;
    }
    // P(X <= k) = I_{1/2}(n - k, k + 1) for X binomial with n draws and share 1/2.
    (2.0 * regularised_beta(n - few, few + 1.0, 0.5)).min(1.0)
}

/// Rounds a share to six places, which no reader can tell apart and no last bit can move.
pub(crate) fn round_share(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}

/// Rounds a p-value to six significant digits.
pub(crate) fn round_p(p: f64) -> f64 {
    format!("{p:.5e}").parse().unwrap_or(p)
}

#[cfg(test)]
mod tests;
