//! How long `typed` takes, against a floor measured in the same run, and how it grows with size.
//!
//! Each measured closure answers its key, so that a fast wrong answer would show in the checks before the timing.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use samecall_call::{Call, Tool};
use samecall_keyer::Keyer;
use samecall_keyer::typed::{Typed, TypedScoped};
use sha2::{Digest, Sha256};

/// A call of 150 bytes as a payments agent writes it.
const CALL: &str = r#"{"customer_id": "cus_8812", "amount": 4200, "currency": "usd", "capture": true, "memo": "Order 7731, two seats, aisle", "due": "2026-08-11T09:00:00Z"}"#;

const SCHEMA: &str = r#"{"type":"object","required":["customer_id","amount"],"properties":{
    "customer_id":{"type":"string"},"amount":{"type":"integer"},
    "currency":{"type":"string","pattern":"^[A-Z]{3}$","x-identity":"token"},
    "capture":{"type":"boolean","default":true},"memo":{"type":"string","x-identity":"text"},
    "due":{"type":"string","format":"date-time"}}}"#;

fn tool(schema: &str) -> Tool {
    Tool::new("charge_card", "", schema, None).expect("the schema is right")
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn one_call(c: &mut Criterion) {
    assert_eq!(CALL.len(), 150);
    let tool = tool(SCHEMA);
    let call = Call::new("charge_card", CALL).at("run-1", "3");
    let typed = Typed::default();
    let same = Call::new(
        "charge_card",
        CALL.replace("\"usd\"", "\"USD\"").replace("09:00:00Z", "11:00:00+02:00"),
    );
    assert_eq!(typed.key(&call, Some(&tool)), typed.key(&same, Some(&tool)), "the work is done");
    let mut group = c.benchmark_group("call of 150 bytes");
    group.throughput(Throughput::Bytes(CALL.len() as u64));
    group.bench_function("floor: parse, write, SHA-256", |b| {
        b.iter(|| {
            let value: serde_json::Value = serde_json::from_str(black_box(CALL)).expect("JSON");
            digest(&serde_json::to_vec(&value).expect("JSON"))
        });
    });
    group.bench_function("parse, serde_json_canonicalizer, SHA-256", |b| {
        b.iter(|| {
            let value: serde_json::Value = serde_json::from_str(black_box(CALL)).expect("JSON");
            digest(&serde_json_canonicalizer::to_vec(&value).expect("JSON"))
        });
    });
    group.bench_function("typed", |b| b.iter(|| typed.key(black_box(&call), Some(&tool))));
    group
        .bench_function("typed without a schema", |b| b.iter(|| typed.key(black_box(&call), None)));
    let scoped = TypedScoped::default();
    group.bench_function("typed-scoped", |b| b.iter(|| scoped.key(black_box(&call), Some(&tool))));
    group.finish();
}

/// Hostile shapes, by the number of their parts. The time per byte must not grow.
fn sizes(c: &mut Criterion) {
    let tool = tool(
        r##"{"type":"object","properties":{"n":{"type":"number","multipleOf":0.01},"s":{"x-identity":"set"},
            "t":{"x-identity":"text"},"o":{"$ref":"#"},"a_b":{},"c_d":{}}}"##,
    );
    let join =
        |of: &dyn Fn(usize) -> String, n: usize| (0..n).map(of).collect::<Vec<_>>().join(",");
    let shapes: [(&str, &dyn Fn(usize) -> String); 6] = [
        ("digits", &|n| format!(r#"{{"n":0.3{}1}}"#, "0".repeat(n * 10))),
        ("keys", &|n| format!("{{{}}}", join(&|i| format!(r#""K-{i}":1.0"#), n))),
        ("duplicates", &|n| format!("{{{}}}", join(&|_| r#""n":1.0"#.to_owned(), n))),
        ("set", &|n| format!(r#"{{"s":[{}]}}"#, join(&|i| format!("{}", n - i), n))),
        ("prose", &|n| format!(r#"{{"t":"{}"}}"#, "J\u{30C}  ".repeat(n))),
        ("nesting", &|n| {
            format!(
                r#"{{"s":[{}]}}"#,
                join(&|_| format!("{}{}", "[".repeat(400), "]".repeat(400)), n / 100)
            )
        }),
    ];
    for (name, shape) in shapes {
        let mut group = c.benchmark_group(format!("hostile {name}"));
        group.sample_size(10);
        for n in [1_000, 10_000, 100_000] {
            let call = Call::new("charge_card", shape(n));
            assert!(Typed::default().key(&call, Some(&tool)).key().is_some(), "{name} has a key");
            group.throughput(Throughput::Bytes(call.arguments.len() as u64));
            group.bench_with_input(BenchmarkId::from_parameter(n), &call, |b, call| {
                b.iter(|| Typed::default().key(black_box(call), Some(&tool)));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, one_call, sizes);
criterion_main!(benches);
