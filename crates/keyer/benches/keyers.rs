//! Time per key of each strategy, beside two floors measured in the same run: SHA-256 of the same bytes, and parsing
//! them with serde_json, writing the value and SHA-256 of that.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use samecall_call::Call;
use samecall_keyer::registry;
use sha2::{Digest, Sha256};

/// 150 bytes of arguments, as a payment tool is called.
const SMALL: &str = concat!(
    r#"{"customer_id": "cus_8812", "amount": 4200, "currency": "USD", "due": "2026-08-11T09:00:00Z", "#,
    r#""memo": "Invoice 118, second reminder", "capture": true}"#
);

/// About 2 KB: an order of fourteen lines with an address and a note.
fn large() -> String {
    let lines: Vec<String> = (0..14)
        .map(|n| {
            let (price, tax) = (f64::from(1299 + 250 * n) / 100.0, f64::from(n) * 0.25);
            format!(
                r#"{{"sku": "SKU-{:05}-{n}", "title": "Widget, large, grade {n}", "quantity": {}, "unit_price": {price}, "tax": {tax}, "gift": false}}"#,
                10_000 + n * 37,
                n + 1,
            )
        })
        .collect();
    format!(
        r#"{{"order_id": "ord_20260811_0042", "lines": [{}], "ship_to": {{"name": "Zoë Müller", "street": "Große Straße 12", "city": "Köln", "zip": "50667", "country": "DE"}}, "placed": "2026-08-11T09:00:00+02:00", "note": "Please leave the parcel\nwith the neighbour on the 2nd floor, bell \"M\".", "coupon": null}}"#,
        lines.join(", ")
    )
}

fn keyers(criterion: &mut Criterion) {
    let large = large();
    assert_eq!(SMALL.len(), 150);
    assert!((1_950..2_150).contains(&large.len()), "{}", large.len());
    for (size, arguments) in [("150 B", SMALL), ("2 KB", &large)] {
        let mut group = criterion.benchmark_group(size);
        group.bench_function("floor: SHA-256", |b| {
            b.iter(|| Sha256::digest(black_box(arguments).as_bytes()));
        });
        group.bench_function("floor: serde_json parse, write, SHA-256", |b| {
            b.iter(|| {
                let value: serde_json::Value = serde_json::from_str(black_box(arguments)).unwrap();
                Sha256::digest(serde_json::to_string(&value).unwrap().as_bytes())
            });
        });
        let call = Call::new("charge_card", arguments).at("run-07", "3");
        for entry in registry() {
            let keyer = entry.build();
            group.bench_function(entry.name, |b| b.iter(|| keyer.key(black_box(&call), None)));
        }
        group.finish();
    }
}

criterion_group!(benches, keyers);
criterion_main!(benches);
