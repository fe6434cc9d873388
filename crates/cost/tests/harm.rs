//! Expected harm and break-even: by hand on verdicts made up for the test, and on the shipped ones.

use rust_decimal::Decimal;
use samecall_call::result::{Breakdown, ByTruth, Results, StrategyResult, Tally};
use samecall_call::{Truth, Verdict};
use samecall_cost::Usd;
use samecall_cost::breakeven::{Field, Harm};
use samecall_cost::harm::{
    Exposure, Measured, OnSuspect, RatesAt, SharesBySituation, exposure, measure,
};
use samecall_cost::inputs::Inputs;
use samecall_cost::losses::{Losses, Range, parse_losses};
use samecall_cost::rates::Rates;
use samecall_cost::situation::Situation;
use samecall_cost::verdicts::Verdicts;
use std::collections::BTreeMap;

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn usd(text: &str) -> Usd {
    Usd::new(dec(text))
}

/// Every situation once, at a rate of one in a thousand.
fn rates() -> Rates {
    let mut text = String::from("unreleased = [0.01, 0.01, 0.01]\n");
    for situation in Situation::ALL.into_iter().filter(|&s| s != Situation::Unrelated) {
        text.push_str(&format!(
            "[[rate]]\nsituation = \"{situation}\"\nbasis = \"assumed\"\nrange = [0.001, 0.001, 0.001]\n\
             source = \"test\"\n"
        ));
    }
    Rates::parse("rates", &text).unwrap()
}

fn always(verdict: Verdict) -> SharesBySituation {
    let shares = Verdict::ALL.map(|v| f64::from(u8::from(v == verdict)));
    Situation::ALL.into_iter().map(|s| (s, shares)).collect()
}

#[test]
fn what_each_verdict_brings_about() {
    let rates = RatesAt::mean(&rates());
    assert_eq!(rates.rates[&Situation::Unrelated], dec("0.992"));

    // Always `different`: each of three kinds of landed repeats happens twice, nothing is lost.
    let all_run = exposure(&rates, &always(Verdict::Different), None);
    assert_eq!(all_run.duplicate, dec("0.003"));
    assert_eq!((all_run.lost, all_run.question), (Decimal::ZERO, Decimal::ZERO));

    // Always `same`: lost are repeats and twins that were meant, neighbours, other tenants, all unrelated calls, and
    // one in a hundred of the retries whose effect did not land.
    let all_replayed = exposure(&rates, &always(Verdict::Same), None);
    assert_eq!(all_replayed.duplicate, Decimal::ZERO);
    assert_eq!(all_replayed.lost, dec("0.004") + dec("0.992") + dec("0.001") * dec("0.01"));
    assert_eq!(all_replayed.wrong_result, dec("0.993"));
    assert_eq!(all_replayed.leak, dec("0.001"));

    // Always `refused`: every call is a question.
    let refused = exposure(&rates, &always(Verdict::Refused), None);
    assert_eq!((refused.question, refused.refused), (Decimal::ONE, Decimal::ONE));

    // A suspect is what the tool's policy makes of it.
    let suspects = always(Verdict::Suspect);
    let with = |policy| exposure(&rates, &suspects, Some(policy));
    assert_eq!(with(OnSuspect::Run), all_run);
    assert_eq!(with(OnSuspect::Replay), all_replayed);
    assert_eq!(with(OnSuspect::Ask).question, Decimal::ONE);
}

#[test]
fn the_cost_of_an_exposure() {
    let losses = Losses {
        duplicate: usd("10"),
        lost: usd("20"),
        wrong_result: usd("5"),
        leak: usd("100"),
        question: usd("2"),
    };
    let exposure = Exposure {
        duplicate: dec("0.03"),
        lost: dec("0.01"),
        wrong_result: dec("0.002"),
        leak: dec("0.001"),
        question: dec("0.1"),
        ..Exposure::default()
    };
    // 0.3 + 0.2 + 0.01 + 0.1 + 0.2 dollars a call.
    assert_eq!(exposure.cost(&losses), usd("0.81"));
}

#[test]
fn the_loss_of_a_duplicate_by_hand() {
    let text = include_str!("../../../corpus/harm/tools.toml");
    let tools = parse_losses("tools.toml", text).unwrap();
    let losses = tools[0].middle();
    // 90 % of duplicates go through; of these 80 % are refunded at $13, 20 % cost $60, and 10 % are disputed
    // at $20: 0.9 x (0.8 x 13 + 0.2 x 60 + 0.1 x 20) = 0.9 x 24.4.
    assert_eq!(losses.duplicate, usd("21.96"));
    // Three minutes at $50 an hour.
    assert_eq!(losses.question, usd("2.5"));
}

/// Results in which each strategy gives the same verdicts in all situations: pairs answered `same` and
/// `different`.
fn verdicts(strategies: &[(&str, u64, u64)]) -> Verdicts {
    let mut results = Results::default();
    for situation in Situation::ALL {
        let set = results.sets.entry(situation.set().to_owned()).or_default();
        for &(name, same, different) in strategies {
            let tally = Tally { n: same + different, same, different, ..Tally::default() };
            let breakdown = Breakdown {
                by_why: BTreeMap::from([("x".to_owned(), tally)]),
                ..Breakdown::default()
            };
            let mut by_truth = ByTruth::<Breakdown>::default();
            *by_truth.get_mut(situation.truth()) = breakdown;
            let result =
                StrategyResult { clusters: same + different, by_truth, ..Default::default() };
            set.insert(name.to_owned(), result);
        }
    }
    let mut verdicts = Verdicts::default();
    verdicts.add(&results);
    verdicts
}

#[test]
fn draws_surround_the_exact_mean() {
    let verdicts = verdicts(&[("some", 600, 400)]);
    let inputs = Inputs::read(None, None, &[] as &[&str]).unwrap();
    let measured = measure(&verdicts, &inputs.rates, 3, 4_000);
    let mean = |f: fn(&Exposure) -> Decimal| {
        let sum: Decimal = measured[0].draws.iter().map(f).sum();
        sum / Decimal::from(measured[0].draws.len())
    };
    for (drawn, exact) in [
        (mean(|e| e.duplicate), measured[0].mean.duplicate),
        (mean(|e| e.lost), measured[0].mean.lost),
        (mean(|e| e.leak), measured[0].mean.leak),
    ] {
        assert!((drawn / exact - Decimal::ONE).abs() < dec("0.03"), "{drawn} against {exact}");
    }
}

#[test]
fn one_seed_gives_one_result() {
    let verdicts = verdicts(&[("some", 60, 40), ("other", 5, 95)]);
    let take = |seed| {
        let measured = measure(&verdicts, &rates(), seed, 20);
        measured.into_iter().flat_map(|m| m.draws).collect::<Vec<_>>()
    };
    assert_eq!(take(7), take(7));
    assert_ne!(take(7), take(8));
}

#[test]
fn verdicts_that_are_missing_are_named_with_the_commands_that_make_them() {
    let error = Verdicts::default().check().unwrap_err().to_string();
    assert!(error.contains("samecall replay"), "{error}");
    let mut some = verdicts(&[("some", 1, 1)]);
    some.by_strategy.get_mut("some").unwrap().remove(&Situation::Twin);
    let error = some.check().unwrap_err().to_string();
    assert!(error.contains("`some` was not asked in twin"), "{error}");
}

/// The stretches of a line are what trying every harm finds.
#[test]
fn stretches_agree_with_trying_every_harm() {
    let inputs = Inputs::read(None, None, &[] as &[&str]).unwrap();
    let measured = measure(&inputs.verdicts, &inputs.rates, 7, 50);
    let field = Field { candidates: &measured, fixed: vec![Usd::ZERO; measured.len()] };
    for tool in &inputs.losses {
        let losses = tool.pick(Range::mean);
        let drawn = vec![losses; 50];
        for axis in [Harm::Duplicate, Harm::Lost] {
            let stretches = field.stretches(axis, &losses, &drawn, usd("0.5"), usd("2000"));
            for n in 1..400 {
                let harm = Usd::new(Decimal::from(n) * dec("4.97") + dec("0.5"));
                let at = match axis {
                    Harm::Duplicate => Losses { duplicate: harm, ..losses },
                    Harm::Lost => Losses { lost: harm, ..losses },
                };
                let cost = |m: &Measured| m.mean.cost(&at);
                let least = measured.iter().map(cost).min().unwrap();
                let stretch = stretches.iter().rev().find(|s| s.from <= harm).unwrap();
                let found = cost(&measured[stretch.winner]);
                // A crossing is rounded to a millionth of a dollar.
                assert!((found - least).dollars() < dec("0.000001"), "{} at {harm}", tool.name);
            }
        }
    }
}

#[test]
fn no_canary_is_ever_the_cheapest() {
    let mut inputs = Inputs::read(None, None, &[] as &[&str]).unwrap();
    inputs.samples = 60;
    let result = samecall_cost::run(&inputs).unwrap();
    assert_eq!(result.full.canary_wins, 0);
    assert!(result.full.tools.len() >= 3);
    for tool in &result.full.tools {
        let canaries = tool.costs.iter().filter(|row| row.is_canary).count();
        assert_eq!(canaries, 3, "every canary takes part");
        assert!(!tool.costs[0].is_canary);
    }
}

/// The check above can fail: where questions are free, refusing everything is the cheapest.
#[test]
fn a_canary_that_wins_is_counted() {
    let mut inputs = Inputs::read(None, None, &[] as &[&str]).unwrap();
    inputs.samples = 20;
    for tool in &mut inputs.losses {
        tool.question = Range::fixed(Decimal::ZERO);
    }
    assert!(samecall_cost::run(&inputs).unwrap().full.canary_wins > 0);
}

#[test]
fn a_whole_run_is_one_sequence_of_bytes() {
    let mut inputs = Inputs::read(None, None, &[] as &[&str]).unwrap();
    inputs.samples = 30;
    let json = || samecall_cost::run(&inputs).unwrap().to_json().unwrap();
    assert_eq!(json(), json());
}

#[test]
fn truths_of_situations_are_those_of_their_pairs() {
    for situation in Situation::ALL {
        let is_repeat = situation.truth() == Truth::Retry;
        assert_eq!(
            is_repeat,
            ["situation-retry", "situation-other-step", "situation-resumed-run"]
                .contains(&situation.set()),
            "{situation}"
        );
    }
}

/// For every strategy that leaves unrelated calls alone: more traffic in a situation where keys can err costs more, and
/// so does every loss.
#[test]
fn expected_cost_rises_with_every_rate_and_every_loss() {
    let inputs = Inputs::read(None, None, &[] as &[&str]).unwrap();
    let mean = RatesAt::mean(&inputs.rates);
    let steps = ["0", "0.0001", "0.01", "0.03", "0.2", "0.5"].map(dec);
    let mut compared = 0;
    for m in measure(&inputs.verdicts, &inputs.rates, 7, 1) {
        if ["constant", "refuse"].contains(&m.candidate.strategy.as_str()) {
            continue;
        }
        for tool in &inputs.losses {
            let losses = tool.pick(Range::mean);
            let at = |rates: &RatesAt, losses: &Losses| {
                exposure(rates, &m.shares, m.candidate.on_suspect).cost(losses)
            };
            for situation in Situation::ALL {
                let rates = steps.iter().filter_map(|rate| mean.with(situation, *rate));
                let costs: Vec<Usd> = rates.map(|rates| at(&rates, &losses)).collect();
                assert!(
                    costs.is_sorted(),
                    "{}, {situation}, {}: {costs:?}",
                    m.candidate,
                    tool.name
                );
                compared += costs.len().saturating_sub(1);
            }
            let dearer = |change: fn(&mut Losses)| {
                let mut losses = losses;
                change(&mut losses);
                at(&mean, &losses)
            };
            for change in [
                (|l| l.duplicate += usd("1")) as fn(&mut Losses),
                |l| l.lost += usd("1"),
                |l| l.wrong_result += usd("1"),
                |l| l.leak += usd("1"),
                |l| l.question += usd("1"),
            ] {
                assert!(at(&mean, &losses) < dearer(change), "{}, {}", m.candidate, tool.name);
            }
        }
    }
    assert!(compared > 1000, "{compared} comparisons");
}
