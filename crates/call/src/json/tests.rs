//! The reader's own cases: what a parser usually loses.

use super::{Dialect, ErrorKind, Text, Value, parse, parse_bytes};

fn strict(text: &str) -> Result<Value<'_>, ErrorKind> {
    parse(text, Dialect::Strict).map_err(|e| e.kind)
}

#[test]
fn number_text_is_kept_exactly() {
    let value = strict(r#"[1.10, -0, 1E+400, 9007199254740993]"#).unwrap();
    let texts: Vec<String> = value.as_array().unwrap().iter().map(|v| v.to_string()).collect();
    assert_eq!(texts, ["1.10", "-0", "1E+400", "9007199254740993"]);
}

#[test]
fn duplicates_are_kept_and_reported() {
    let value = strict(r#"{"a":1,"b":{"x":[{"y":1,"y":1}]},"a":2}"#).unwrap();
    let found = value.duplicates();
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].name.as_str(), found[0].times, found[0].same_value), ("a", 2, false));
    assert_eq!(found[1].path, ["b", "x", "0"]);
    assert!(found[1].same_value);
    assert_eq!(value.get("a"), Some(&Value::Number("2".into())), "the last one wins");
}

#[test]
fn lone_surrogates_stay_apart() {
    let a = strict(r#""\ud800""#).unwrap();
    let b = strict(r#""\ud801""#).unwrap();
    assert_ne!(a, b);
    assert_ne!(a, strict("\"\u{FFFD}\"").unwrap());
    assert_eq!(a.to_string(), r#""\ud800""#);
    assert_eq!(strict(r#""\ud83d\ude00""#).unwrap(), strict("\"😀\"").unwrap());
    // A pair that an ordinary character or a second high half interrupts is no pair.
    assert_eq!(strict(r#""\ud83dx\ude00""#).unwrap().to_string(), r#""\ud83dx\ude00""#);
    let Value::String(text) = strict(r#""a\ud83d\ud83d\ude00""#).unwrap() else { panic!() };
    assert_eq!(text.code_points().collect::<Vec<_>>(), [0x61, 0xD83D, 0x1F600]);
    assert_eq!(Text::from_code_points([0x61, 0xD83D, 0x1F600]), text);
}

#[test]
fn text_order_is_code_point_order() {
    let mut texts: Vec<Text<'_>> = [0x1F600, 0xE000, 0xD800, 0x7F, 0x80]
        .iter()
        .map(|&p| Text::from_code_points([p]))
        .collect();
    texts.sort();
    let order: Vec<u32> = texts.iter().flat_map(|t| t.code_points()).collect();
    assert_eq!(order, [0x7F, 0x80, 0xD800, 0xE000, 0x1F600]);
}

#[test]
fn dialects_differ_in_the_non_finite_literals_alone() {
    for text in ["NaN", "[Infinity]", "-Infinity"] {
        assert_eq!(strict(text), Err(ErrorKind::NonFinite), "{text}");
        assert_eq!(parse(text, Dialect::Python).unwrap().to_string(), text);
    }
    for text in ["-NaN", "nan", "+1", "01", "1.", ".5", "0x1", "'a'", "[1,]", "{,}", "{a:1}"] {
        assert!(parse(text, Dialect::Python).is_err(), "{text}");
        assert!(strict(text).is_err(), "{text}");
    }
}

#[test]
fn cut_texts_say_so() {
    for whole in [r#"{"a":[1,"x\u00e9",true,null,-1.5e3]}"#, "\"ab\"", "[false]"] {
        for end in 1..whole.len() {
            let error = parse(&whole[..end], Dialect::Strict).unwrap_err();
            assert!(error.is_cut(), "{} gives {error}", &whole[..end]);
        }
    }
    assert_eq!(strict(" \n"), Err(ErrorKind::Empty));
}

#[test]
fn hostile_texts_are_refused() {
    assert_eq!(strict("\u{FEFF}{}"), Err(ErrorKind::ByteOrderMark));
    assert_eq!(strict("{} x"), Err(ErrorKind::TrailingText));
    assert_eq!(strict("\"a\nb\""), Err(ErrorKind::ControlCharacter));
    assert_eq!(strict(r#""\x""#), Err(ErrorKind::BadEscape));
    assert_eq!(strict(r#""\u12g4""#), Err(ErrorKind::BadEscape));
    let not_utf8 = parse_bytes(b"[\"\xff\"]", Dialect::Strict).unwrap_err();
    assert_eq!((not_utf8.kind, not_utf8.offset), (ErrorKind::InvalidUtf8, 2));
}

#[test]
fn depth_is_bounded() {
    for dialect in [Dialect::Strict, Dialect::Python] {
        let limit = dialect.max_depth();
        let nested = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(parse(&nested(limit), dialect).is_ok());
        let error = parse(&nested(limit + 1), dialect).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TooDeep { limit });
        assert!(parse(&"[".repeat(100_000), dialect).is_err());
        assert!(parse(&"{\"a\":".repeat(100_000), dialect).is_err());
    }
}

#[test]
fn what_is_written_reads_back() {
    for text in
        [r#"{"a":[1,-2.50,"q\"\\\n\u0001é😀\ud800",true,false,null,{}],"":[]}"#, r#""\b\f\t\r""#]
    {
        let value = strict(text).unwrap();
        let written = value.to_string();
        assert_eq!(strict(&written).unwrap(), value);
        assert_eq!(value.clone().into_owned(), value);
    }
}
