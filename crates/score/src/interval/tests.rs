//! Intervals against published or independently computed values, and their coverage by simulation.

use super::*;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

#[test]
fn wilson_agrees_with_known_values() {
    // The two roots of |x/n - p| = z sqrt(p (1 - p) / n), found by bisection.
    for (hits, n, low, high) in [
        (0, 10, 0.0, 0.277_533),
        (10, 10, 0.722_467, 1.0),
        (12, 96, 0.072_972, 0.205_885),
        (51, 96, 0.432_156, 0.627_939),
        (96, 96, 0.961_524, 1.0),
    ] {
        let [l, h] = wilson(hits, n);
        assert!(close(l, low, 2e-6) && close(h, high, 2e-6), "{hits}/{n}: {l} {h}");
    }
    assert_eq!(wilson(0, 0), [0.0, 1.0]);
}

#[test]
fn clopper_pearson_agrees_with_known_values() {
    // Where the binomial tail, summed in exact fractions, is 5 %.
    for (hits, n, upper) in [
        (0, 12, 0.220_922),
        (1, 10, 0.394_163),
        (12, 24, 0.680_579),
        (3, 3, 1.0),
        (0, 59, 0.049_508),
        (35, 67, 0.627_847),
    ] {
        let u = clopper_pearson_upper(hits, n);
        assert!(close(u, upper, 2e-6), "{hits}/{n}: {u}");
    }
    assert_eq!(clopper_pearson_upper(0, 0), 1.0);
    // The rule of three at the size of a generated run.
    assert!(close(clopper_pearson_upper(0, 5_000_000) * 5e6, 2.995_732, 1e-5));
    assert!(close(clopper_pearson_upper(2_500_000, 5_000_000), 0.500_368, 1e-5));
}

#[test]
fn student_t_agrees_with_tables() {
    for (degrees, t) in [(1.0, 12.706_205), (4.0, 2.776_445), (22.0, 2.073_873), (1e6, 1.959_966)] {
        assert!(close(student_t(degrees), t, 1e-5), "{degrees}: {}", student_t(degrees));
    }
}

#[test]
fn the_coin_test_agrees_with_known_values() {
    // Twice the tail: (1 + 10) / 2^9; 2 / 2^45.
    assert!(close(fair_coin(1, 9), 0.021_484_375, 1e-12));
    assert!(close(fair_coin(0, 45), 2.0_f64.powi(-44), 1e-20));
    assert!(close(fair_coin(5, 5), 1.0, 0.0));
    assert!(close(fair_coin(0, 0), 1.0, 0.0));
    assert!(close(fair_coin(4, 5), 1.0, 1e-12));
}

#[test]
fn no_merge_is_bounded_by_the_number_of_clusters() {
    let kept = vec![Cluster { hits: 0, n: 40 }; 12];
    assert!(close(upper_clusters(0, 480, &kept, 12), 0.220_922, 2e-6));
    assert_eq!(wilson_clusters(480, 480, &[Cluster { hits: 40, n: 40 }; 12], 12), wilson(12, 12));
}

#[test]
fn one_cluster_with_both_answers_says_nothing() {
    let kept = [Cluster { hits: 3, n: 9 }];
    assert_eq!(wilson_clusters(3, 9, &kept, 1), [0.0, 1.0]);
    assert_eq!(upper_clusters(3, 9, &kept, 1), 1.0);
}

/// How often an interval holds the true share when clusters' own shares vary: each cluster draws its
/// share from two points around the mean, then its pairs.
fn coverage(
    mean: f64,
    spread: f64,
    clusters: usize,
    holds: impl Fn(u64, u64, &[Cluster]) -> bool,
) -> f64 {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    let rounds = 3000;
    let held = (0..rounds)
        .filter(|_| {
            let drawn: Vec<Cluster> = (0..clusters)
                .map(|_| {
                    let n = rng.random_range(1..=20_u64);
                    let share = if rng.random_bool(0.5) { mean + spread } else { mean - spread };
                    let hits =
                        (0..n).filter(|_| rng.random_bool(share.clamp(0.0, 1.0))).count() as u64;
                    Cluster { hits, n }
                })
                .collect();
            let (hits, n) = drawn.iter().fold((0, 0), |(h, n), c| (h + c.hits, n + c.n));
            holds(hits, n, &drawn)
        })
        .count();
    held as f64 / rounds as f64
}

#[test]
fn clustered_intervals_hold_the_truth_where_naive_ones_do_not() {
    for (mean, spread, clusters) in
        [(0.5, 0.4, 23), (0.9, 0.1, 23), (0.8, 0.2, 60), (0.5, 0.0, 23), (0.95, 0.05, 100)]
    {
        let inside = |[low, high]: [f64; 2]| low <= mean && mean <= high;
        let clustered = coverage(mean, spread, clusters, |hits, n, kept| {
            inside(wilson_clusters(hits, n, kept, kept.len() as u64))
        });
        assert!(clustered >= 0.93, "{mean} {spread} {clusters}: {clustered}");
        let miss = 1.0 - mean;
        let bound = coverage(miss, spread, clusters, |hits, n, kept| {
            miss <= upper_clusters(hits, n, kept, kept.len() as u64)
        });
        assert!(bound >= 0.93, "{mean} {spread} {clusters}: upper {bound}");
    }
    let naive = coverage(0.5, 0.4, 23, |hits, n, _| {
        let [low, high] = wilson(hits, n);
        low <= 0.5 && 0.5 <= high
    });
    assert!(naive < 0.75, "the simulated clustering is too weak to test anything: {naive}");
}

proptest! {
    #[test]
    fn intervals_hold_the_estimate_and_stay_in_range(n in 1_u64..100_000, part in 0.0..=1.0) {
        let hits = (n as f64 * part) as u64;
        let share = hits as f64 / n as f64;
        let [low, high] = wilson(hits, n);
        prop_assert!(0.0 <= low && low <= share + 1e-12 && share <= high + 1e-12 && high <= 1.0);
        let upper = clopper_pearson_upper(hits, n);
        prop_assert!(share <= upper && upper <= 1.0);
        // The bound is where so few hits would be seen in 5 % of runs.
        if hits < n {
            let seen = 1.0 - regularised_beta(hits as f64 + 1.0, (n - hits) as f64, upper);
            prop_assert!((seen - 0.05).abs() < 1e-6, "{}", seen);
        }
    }

    #[test]
    fn clusters_never_make_a_bound_tighter(
        sizes in proptest::collection::vec((0_u64..30, 0_u64..30), 1..40),
    ) {
        let kept: Vec<Cluster> =
            sizes.iter().map(|&(h, m)| Cluster { hits: h, n: h + m + 1 }).collect();
        let (hits, n) = kept.iter().fold((0, 0), |(h, n), c| (h + c.hits, n + c.n));
        let groups = kept.len() as u64;
        prop_assert!(upper_clusters(hits, n, &kept, groups) >= clopper_pearson_upper(hits, n) - 1e-9);
        let [low, high] = wilson_clusters(hits, n, &kept, groups);
        let [naive_low, naive_high] = wilson(hits, n);
        prop_assert!(low <= naive_low + 1e-9 && naive_high <= high + 1e-9);
    }

    #[test]
    fn the_coin_test_is_symmetric_and_exact(a in 0_u64..60, b in 0_u64..60) {
        prop_assert_eq!(fair_coin(a, b), fair_coin(b, a));
        let (few, n) = (a.min(b), a + b);
        let mut choose = 1.0_f64;
        let mut sum = 0.0;
        for k in 0..=few {
            sum += choose;
            choose = choose * (n - k) as f64 / (k + 1) as f64;
        }
        let exact = (2.0 * sum / 2.0_f64.powi(n as i32)).min(1.0);
        prop_assert!((fair_coin(a, b) - exact).abs() < 1e-9);
    }
}
