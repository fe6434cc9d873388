//! What holds of costs whatever the figures are.

use proptest::prelude::*;
use rust_decimal::Decimal;
use samecall_cost::book::{Item, PriceBook};
use samecall_cost::full::Full;
use samecall_cost::inputs::Inputs;
use samecall_cost::scenario::{PARAMETERS, Scenario};
use samecall_cost::store::DynamoDb;
use samecall_cost::sweep::{Axis, Metric, Sweep};
use samecall_cost::transcript::Billing;
use samecall_cost::{Bytes, Calls, Days, Share, Tokens, Turns, Usd};
use std::sync::LazyLock;

/// The largest number that a file may state.
const LIMIT: u64 = 1_000_000_000_000;

static INPUTS: LazyLock<Inputs> = LazyLock::new(|| {
    Inputs::read(None, None, &[] as &[&str]).expect("the shipped files are right")
});

fn billing() -> impl Strategy<Value = Billing> {
    prop::sample::select(Billing::ALL.map(|(_, billing)| billing).to_vec())
}

/// A value within the range of every parameter of its name.
fn value(parameter: &str) -> BoxedStrategy<Decimal> {
    match parameter {
        "duplicates" | "late_turns" => (0i64..=1_000).prop_map(|n| Decimal::new(n, 3)).boxed(),
        name if name.starts_with("price.") => {
            (0i64..5_000).prop_map(|n| Decimal::new(n, 2)).boxed()
        }
        _ => (0i64..100_000).prop_map(Decimal::from).boxed(),
    }
}

fn parameter() -> impl Strategy<Value = String> {
    let prices = Item::ALL.iter().map(|(_, name, _)| format!("price.{name}"));
    prop::sample::select(
        PARAMETERS.map(str::to_owned).into_iter().chain(prices).collect::<Vec<_>>(),
    )
}

fn scenario() -> impl Strategy<Value = Scenario> {
    (billing(), 0u64..50, 0u64..50_000, any::<bool>(), any::<bool>(), 0i64..=100).prop_map(
        |(billing, turns, bytes, transactional, returns_old, late)| {
            let mut scenario = INPUTS.plan.scenario.clone();
            scenario.billing = billing;
            scenario.trip.later_turns.0 = turns;
            scenario.trip.late = Share::new(Decimal::new(late, 2)).unwrap_or(Share::ZERO);
            scenario.record.result.0 = bytes;
            scenario.record.transactional = transactional;
            scenario.record.returns_old = returns_old;
            scenario
        },
    )
}

fn total(scenario: &Scenario, book: &PriceBook) -> Usd {
    let full = Full::of(scenario, book, &DynamoDb).unwrap();
    full.waste + full.store.total()
}

fn parameter_and_two_values() -> impl Strategy<Value = (String, Decimal, Decimal)> {
    parameter().prop_flat_map(|name| (Just(name.clone()), value(&name), value(&name)))
}

proptest! {
    #[test]
    fn cost_rises_with_every_price_rate_and_size(
        scenario in scenario(),
        (name, one, two) in parameter_and_two_values(),
    ) {
        // A duplicate more is a completion less, so the store's part may fall.
        prop_assume!(name != "duplicates");
        let (low, high) = (one.min(two), one.max(two));
        let (a, book_a) = scenario.with(&INPUTS.book, &name, low).unwrap();
        let (b, book_b) = scenario.with(&INPUTS.book, &name, high).unwrap();
        prop_assert!(total(&a, &book_a) <= total(&b, &book_b), "{name}: {low} to {high}");
    }

    /// Figures of any size, as files and sweeps may state them: an exact result or an error, never another figure.
    #[test]
    fn no_figure_is_too_large_to_be_told(
        mut scenario in scenario(),
        [calls, bytes, result, turns] in [0u64..=LIMIT, 0u64..=LIMIT, 0u64..=LIMIT, 0u64..=LIMIT]
            .prop_map(|figures| figures.map(|n| if n % 3 == 0 { LIMIT } else { n })),
        shift in [0u32..40, 0u32..40, 0u32..40, 0u32..40],
        replicas in 1u64..=100,
        price in prop::sample::select(vec!["0.000000000001", "0.625", "1000000", "1000000000000"]),
        late in 0i64..=100,
    ) {
        scenario.calls = Calls(calls >> shift[0]);
        scenario.record.claim = Bytes(bytes >> shift[1]);
        scenario.record.result = Bytes(result >> shift[2]);
        scenario.trip.later_turns = Turns(turns >> shift[3]);
        (scenario.trip.call, scenario.trip.result) = (Tokens(bytes >> shift[1]), Tokens(calls));
        scenario.trip.late = Share::new(Decimal::new(late, 2)).unwrap_or(Share::ZERO);
        scenario.record.replicas = replicas;
        scenario.record.lives = Days(100_000);
        let mut book = INPUTS.book.clone();
        for (item, ..) in Item::ALL {
            book = book.with(item, Usd::new(price.parse().unwrap()));
        }
        let found = Full::of(&scenario, &book, &DynamoDb);
        let steps = |size: u64| u128::from(size.div_ceil(1024).max(1));
        let doubled = if scenario.record.transactional { 2 } else { 1 };
        let traffic = scenario.traffic();
        let claim = scenario.record.claim;
        let whole = scenario.record.complete();
        let units = doubled * (u128::from(traffic.executed.0) * u128::from(replicas)
            * (steps(claim.0) + steps(whole.0.max(claim.0)))
            + u128::from(traffic.refused.0) * steps(whole.0));
        match found {
            Ok(full) => prop_assert_eq!(u128::from(full.store.write_units.0), units),
            Err(error) => prop_assert!(error.to_string().contains("too large"), "{}", error),
        }
        for (_, metric) in Metric::ALL {
            let _ = metric.of(&scenario, &book);
        }
    }

    #[test]
    fn waste_rises_with_the_share_of_duplicates(
        scenario in scenario(), one in 0i64..=1_000, two in 0i64..=1_000,
    ) {
        let waste = |n: i64| {
            let (s, book) = scenario.with(&INPUTS.book, "duplicates", Decimal::new(n, 3)).unwrap();
            Full::of(&s, &book, &DynamoDb).unwrap().waste
        };
        prop_assert!(waste(one.min(two)) <= waste(one.max(two)));
    }

    #[test]
    fn no_duplicates_waste_nothing(scenario in scenario()) {
        let (scenario, book) = scenario.with(&INPUTS.book, "duplicates", Decimal::ZERO).unwrap();
        let full = Full::of(&scenario, &book, &DynamoDb).unwrap();
        prop_assert_eq!(full.waste, Usd::ZERO);
        prop_assert_eq!(full.store.refused + full.store.reads, Usd::ZERO);
        prop_assert_eq!(scenario.traffic().executed, Calls(scenario.calls.0));
    }

    #[test]
    fn a_cell_of_a_sweep_is_the_single_calculation(
        scenario in scenario(),
        (x, x1, x2) in parameter_and_two_values(),
        (y, y1, y2) in parameter_and_two_values(),
        metric in prop::sample::select(vec![Metric::Waste, Metric::Store, Metric::PerDuplicate]),
    ) {
        prop_assume!(x != y);
        let sweep = Sweep {
            name: "s".to_owned(),
            title: "s".to_owned(),
            metric,
            x: Axis { parameter: x.clone(), values: vec![x1, x2] },
            y: Axis { parameter: y.clone(), values: vec![y1, y2] },
        };
        let cells = sweep.cells(&scenario, &INPUTS.book, &INPUTS.article_book).unwrap();
        for (row, &yv) in [y1, y2].iter().enumerate() {
            for (column, &xv) in [x1, x2].iter().enumerate() {
                let (s, b) = scenario.with(&INPUTS.book, &x, xv).unwrap();
                let (s, b) = s.with(&b, &y, yv).unwrap();
                prop_assert_eq!(cells[row][column], metric.of(&s, &b).unwrap());
            }
        }
    }
}

/// The largest figures of every file at once: a whole run says so and does not panic.
#[test]
fn the_largest_figures_of_all_files_are_an_error() {
    let mut inputs = INPUTS.clone();
    inputs.samples = 3;
    inputs.plan.scenario.calls = Calls(LIMIT);
    inputs.plan.scenario.trip.later_turns = Turns(LIMIT);
    for (item, ..) in Item::ALL {
        inputs.book = inputs.book.with(item, Usd::new(LIMIT.into()));
    }
    let error = samecall_cost::run(&inputs).unwrap_err().to_string();
    assert!(error.contains("too large"), "{error}");
}
