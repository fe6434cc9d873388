//! The Unicode tables against a real CPython, over all code points.

use std::borrow::Cow;

use samecall_call::json::{Dialect, Value, parse};
use samecall_keyer::python::{casefold, digit_value, is_space, nfc, repr, wtf8};
use serde_json::json;

use crate::common;

fn encoded(point: u32) -> Vec<u8> {
    let mut text = Vec::new();
    wtf8::push(&mut text, point);
    text
}

/// Answers come as JSON with escapes, read by our own reader because serde_json refuses lone surrogates.
fn text_of<'v>(value: &'v Value<'_>) -> &'v [u8] {
    match value {
        Value::String(text) => text.as_bytes(),
        other => panic!("text expected, not {}", other.type_name()),
    }
}

#[test]
fn every_code_point_is_as_python_has_it() {
    let Some(mut python) = common::Answers::python() else { return };
    let mut seen = 0;
    for first in (0..0x110000).step_by(0x1000) {
        let answer =
            python.ask_line(&json!({"op": "table", "first": first, "last": first + 0xFFF}));
        let rows = parse(&answer, Dialect::Strict).unwrap();
        for (point, row) in (first..).zip(rows.as_array().unwrap()) {
            let [space, digit, fold, composed] = row.as_array().unwrap() else { panic!("{row:?}") };
            let text = encoded(point);
            assert_eq!(Some(is_space(point)), space.as_bool(), "white space U+{point:04X}");
            let value = digit_value(point).map_or(-1, i32::from).to_string();
            assert_eq!(*digit, Value::Number(value.into()), "digit U+{point:04X}");
            let folded = casefold(Cow::Borrowed(&text));
            assert_eq!(&*folded, text_of(fold), "case fold U+{point:04X}");
            assert_eq!(&*nfc(Cow::Borrowed(&text)), text_of(composed), "NFC U+{point:04X}");
            seen += 1;
        }
    }
    assert_eq!(seen, 0x110000);
}

/// Blocks of characters that neither compose nor decompose nor combine: Han, Hangul syllables (but the first),
/// private use, Tangut.
const PLAIN: [std::ops::Range<u32>; 4] =
    [0x3400..0xA000, 0xAC01..0xD7A0, 0xE000..0xF900, 0x17000..0x1B000];

/// NFC of short texts: every code point but plain ones, after every third base and mark and before some.
#[test]
fn composition_in_context_is_as_python_has_it() {
    let Some(mut python) = common::Answers::python() else { return };
    // Starters that compose, marks of several classes, Hangul of each kind, a mark of Unicode 16, a surrogate.
    const CONTEXT: [u32; 14] = [
        0x65, 0xE9, 0x1100, 0xAC00, 0x9C7, 0x301, 0x323, 0x327, 0x345, 0x1161, 0x11A8, 0x9BE,
        0x897, 0xD800,
    ];
    let mut compared = 0;
    for block in (0..0x1E000).step_by(0x200) {
        let texts: Vec<Vec<u32>> = (block..block + 0x200)
            .filter(|point| PLAIN.iter().all(|plain| !plain.contains(point)))
            .flat_map(|point| {
                CONTEXT.iter().enumerate().skip(point as usize % 3).step_by(3).map(
                    move |(at, &before)| {
                        vec![before, point, CONTEXT[(at * 5 + 3) % CONTEXT.len()], point, 0x301]
                    },
                )
            })
            .collect();
        let answer = python.ask_line(&json!({"op": "nfc", "texts": texts}));
        let composed = parse(&answer, Dialect::Strict).unwrap();
        for (points, expected) in texts.iter().zip(composed.as_array().unwrap()) {
            let text: Vec<u8> = points.iter().flat_map(|&point| encoded(point)).collect();
            let expected: Vec<u32> = expected
                .as_array()
                .unwrap()
                .iter()
                .map(|point| point.to_string().parse().unwrap())
                .collect();
            let ours: Vec<u32> = wtf8::CodePoints::new(&nfc(Cow::Borrowed(&text))).collect();
            assert_eq!(ours, expected, "{points:X?}");
            compared += 1;
        }
    }
    assert!(compared > 230_000, "{compared}");
}

#[test]
fn doubles_are_written_as_python_writes_them() {
    let Some(mut python) = common::Answers::python() else { return };
    // A fixed walk over bit patterns: all exponents, sparse and dense fractions.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut values = Vec::new();
    for exponent in 0..2047_u64 {
        for round in 0..40 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let fraction = (state >> 12) & (u64::MAX << (round % 5 * 13) & 0xF_FFFF_FFFF_FFFF);
            values.push(f64::from_bits((state & 1) << 63 | exponent << 52 | fraction));
        }
    }
    values.extend((0..40_000).map(|n| f64::from(n) / 100.0));
    for chunk in values.chunks(4_000) {
        let bits: Vec<String> =
            chunk.iter().map(|value| format!("{:016x}", value.to_bits())).collect();
        let answer = python.ask(&json!({"op": "repr", "bits": bits}));
        for (value, expected) in chunk.iter().zip(answer.as_array().unwrap()) {
            let mut written = Vec::new();
            repr(*value, &mut written);
            assert_eq!(std::str::from_utf8(&written).unwrap(), expected.as_str().unwrap());
        }
    }
}
