//! The article's figures, and the full model's by hand, each step written out.

use rust_decimal::Decimal;
use samecall_cost::article::{self, Article};
use samecall_cost::book::PriceBook;
use samecall_cost::inputs::{Inputs, RoundTripText};
use samecall_cost::store::{
    Attribute, DynamoDb, Embedded, Record, StoreBilling, Traffic, item_size,
};
use samecall_cost::tokens::{Encoding, TokenCounter};
use samecall_cost::transcript::{Billing, RoundTrip};
use samecall_cost::{Bytes, Calls, Days, Share, Tokens, Turns, Usd};

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn usd(text: &str) -> Usd {
    Usd::new(dec(text))
}

fn share(text: &str) -> Share {
    Share::new(dec(text)).unwrap()
}

fn inputs() -> Inputs {
    Inputs::read(None, None, &[] as &[&str]).unwrap()
}

/// 200 bytes of record and a result; a refused claim brings the record back.
fn record(result: u64) -> Record {
    Record {
        claim: Bytes(200),
        result: Bytes(result),
        pointer_above: None,
        pointer: Bytes(0),
        transactional: false,
        replicas: 1,
        returns_old: true,
        lives: Days(0),
        swept_after: Days(0),
    }
}

/// A million calls at 3 % duplicates.
const TRAFFIC: Traffic = Traffic { executed: Calls(970_000), refused: Calls(30_000) };

fn is_within_a_cent(found: Usd, hand: &str) -> bool {
    (found.dollars() - dec(hand)).abs() <= dec("0.01")
}

#[test]
fn the_round_trip_counts_74_and_124_tokens() {
    let text = RoundTripText::shipped().unwrap();
    assert_eq!(text.count(&Encoding::O200k), [Tokens(74), Tokens(124)]);
    // Both blocks are JSON, and they are the two halves of one round trip.
    let call: serde_json::Value = serde_json::from_str(&text.call).unwrap();
    let result: serde_json::Value = serde_json::from_str(&text.result).unwrap();
    assert_eq!(call["name"], "charge_card");
    assert_eq!(call["id"], result["tool_use_id"]);
}

#[test]
fn another_tokenizer_can_be_named() {
    struct Words;
    impl TokenCounter for Words {
        fn name(&self) -> &str {
            "words"
        }
        fn count(&self, text: &str) -> Tokens {
            Tokens(text.split_whitespace().count() as u64)
        }
    }
    let text = RoundTripText { about: String::new(), call: "a b c".into(), result: "d e".into() };
    assert_eq!(text.count(&Words), [Tokens(3), Tokens(2)]);
}

#[test]
fn the_articles_figures() {
    let book = inputs().article_book;
    let scenario = article::scenario(Tokens(74), Tokens(124));
    let found = Article::of(&scenario, &book).unwrap();
    // 74 tokens out at $15 and 124 in at $3 per million: 0.00111 + 0.000372.
    assert_eq!(found.duplicate_first, usd("0.001482"));
    // Ten more turns of 198 tokens in: 10 x 198 x 3 / 10^6 = 0.00594.
    assert_eq!(found.duplicate_total, usd("0.007422"));
    // 30,000 times.
    assert_eq!(found.waste, usd("222.66"));
    // A million writes at $1.25 per million.
    assert_eq!(found.store, usd("1.25"));
}

#[test]
fn the_articles_band_of_ratios() {
    let book = inputs().article_book;
    let ratio = |duplicates: &str, turns: u64| {
        let mut scenario = article::scenario(Tokens(74), Tokens(124));
        scenario.duplicates = share(duplicates);
        scenario.trip.later_turns = Turns(turns);
        Article::of(&scenario, &book).unwrap().ratio().unwrap()
    };
    // 10,000 x (0.001482 + 5 x 0.000594) = 44.52; over 1.25. The article cuts to 35 and 534.
    assert_eq!(ratio("0.01", 5), dec("35.616"));
    // 50,000 x (0.001482 + 20 x 0.000594) = 668.1; over 1.25.
    assert_eq!(ratio("0.05", 20), dec("534.48"));
}

#[test]
fn writes_with_a_result_in_the_same_kilobyte() {
    let bill = DynamoDb.bill(TRAFFIC, &record(400), &inputs().book).unwrap();
    // Record with result: 200 + 400 = 600 bytes, one step of 1 KB.
    // 970,000 claims x 1 + 970,000 completions x 1 + 30,000 refused x 1 = 1,970,000 units.
    assert_eq!(bill.write_units.0, 970_000 + 970_000 + 30_000);
    // 1.97 x $0.625 = $1.23125.
    assert_eq!(bill.writes(), usd("1.23125"));
    assert!(is_within_a_cent(bill.writes(), "1.23"));
}

#[test]
fn writes_with_a_result_of_4000_bytes() {
    let bill = DynamoDb.bill(TRAFFIC, &record(4_000), &inputs().book).unwrap();
    // 200 + 4,000 = 4,200 bytes: 4.1 KB, so five steps.
    // 970,000 x 1 + 970,000 x 5 + 30,000 x 5 = 5,970,000 units.
    assert_eq!(bill.write_units.0, 970_000 + 970_000 * 5 + 30_000 * 5);
    // 5.97 x $0.625 = $3.73125.
    assert!(is_within_a_cent(bill.writes(), "3.73"));
}

#[test]
fn writes_with_a_result_of_20000_bytes() {
    let bill = DynamoDb.bill(TRAFFIC, &record(20_000), &inputs().book).unwrap();
    // 20,200 bytes: 19.7 KB, so twenty steps.
    // 970,000 x 1 + 970,000 x 20 + 30,000 x 20 = 20,970,000 units.
    assert_eq!(bill.write_units.0, 970_000 + 970_000 * 20 + 30_000 * 20);
    // 20.97 x $0.625 = $13.10625.
    assert!(is_within_a_cent(bill.writes(), "13.11"));
}

#[test]
fn a_pointer_keeps_a_large_result_out_of_the_record() {
    let mut large = record(20_000);
    large.pointer_above = Some(Bytes(1_000));
    large.pointer = Bytes(100);
    let bill = DynamoDb.bill(TRAFFIC, &large, &inputs().book).unwrap();
    assert_eq!(bill.write_units.0, 1_970_000);
}

#[test]
fn transactions_double_and_regions_multiply_writes() {
    let mut doubled = record(400);
    doubled.transactional = true;
    let book = inputs().book;
    assert_eq!(DynamoDb.bill(TRAFFIC, &doubled, &book).unwrap().writes(), usd("2.4625"));
    let mut twice = record(400);
    twice.replicas = 2;
    // Claims and completions reach both regions, a refused claim neither: 4 x 970,000 + 30,000.
    assert_eq!(DynamoDb.bill(TRAFFIC, &twice, &book).unwrap().write_units.0, 3_910_000);
}

#[test]
fn a_refused_claim_that_does_not_bring_the_record_back_is_read() {
    let mut read = record(4_000);
    read.returns_old = false;
    let bill = DynamoDb.bill(TRAFFIC, &read, &inputs().book).unwrap();
    // 4,200 bytes: two steps of 4 KB, strongly consistent: 60,000 units at $0.125 per million.
    assert_eq!(bill.reads, usd("0.0075"));
}

#[test]
fn a_record_is_stored_until_the_sweep() {
    let mut kept = record(824);
    (kept.lives, kept.swept_after) = (Days(1), Days(2));
    let bill = DynamoDb.bill(TRAFFIC, &kept, &inputs().book).unwrap();
    // 970,000 x 1,024 bytes for 3 of 30 days at $0.25 per GB of 2^30 bytes:
    // 970,000 / 2^20 x 0.1 x 0.25 = $0.023127...
    assert!((bill.storage.dollars() - dec("0.0231266")).abs() < dec("0.0000001"));
}

#[test]
fn an_items_size_counts_attribute_names() {
    let size = item_size(&[
        Attribute { name: "key".into(), value: Bytes(64) },
        Attribute { name: "état".into(), value: Bytes(1) },
    ]);
    assert_eq!(size, Bytes(3 + 64 + 5 + 1));
    assert_eq!(inputs().plan.scenario.record.claim, Bytes(200));
}

#[test]
fn an_embedded_store_bills_nothing() {
    let bill = Embedded.bill(TRAFFIC, &record(20_000), &inputs().book).unwrap();
    assert_eq!(bill.total(), Usd::ZERO);
}

fn trip(turns: u64) -> RoundTrip {
    RoundTrip {
        call: Tokens(74),
        result: Tokens(124),
        later_turns: Turns(turns),
        call_is_sent: true,
        late: Share::ZERO,
    }
}

#[test]
fn caching_makes_a_duplicate_three_times_cheaper() {
    let book = inputs().book;
    let cost = trip(10).cost(Billing::Cache5m, &book).unwrap();
    // 74 tokens out at $15.
    assert_eq!(cost.written, usd("0.00111"));
    // 198 tokens written to the cache at $3.75.
    assert_eq!(cost.first, usd("0.0007425"));
    // Ten turns that read 198 tokens at $0.30.
    assert_eq!(cost.later, usd("0.000594"));
    assert_eq!(cost.total(), usd("0.0024465"));
}

#[test]
fn other_ways_of_billing() {
    let book = inputs().book;
    let total = |billing| trip(10).cost(billing, &book).unwrap().total();
    // (74 x 15 + 11 x 198 x 3) / 10^6.
    assert_eq!(total(Billing::Plain), usd("0.007644"));
    // (74 x 15 + 198 x 6 + 10 x 198 x 0.30) / 10^6.
    assert_eq!(total(Billing::Cache1h), usd("0.002892"));
    // Half of the plain prices.
    assert_eq!(total(Billing::Batch), usd("0.003822"));
    // Every later turn comes too late: all eleven write.
    let late = RoundTrip { late: Share::ONE, ..trip(10) };
    let cost = late.cost(Billing::Cache5m, &book).unwrap().total();
    // (74 x 15 + 11 x 198 x 3.75) / 10^6.
    assert_eq!(cost, usd("0.0092775"));
}

#[test]
fn an_old_price_earns_a_warning() {
    let book: PriceBook = inputs().book;
    let none = book.warnings("2026-07-20".parse().unwrap());
    assert!(none.is_empty(), "{none:?}");
    let old = book.warnings("2026-12-01".parse().unwrap());
    assert!(old.iter().any(|line| line.contains("store.write")), "{old:?}");
    assert!(!old.iter().any(|line| line.contains("model.input")), "{old:?}");
}
