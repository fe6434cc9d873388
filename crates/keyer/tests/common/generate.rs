//! `proptest` strategies for hostile argument texts: JSON in odd spellings, near-JSON, and values that rules look at.

use proptest::prelude::*;
use proptest::sample::select;

/// Characters that some rule, table or writer treats in a way of its own. All were assigned in Unicode 14.
const CHARACTERS: &[&str] = &[
    "a",
    "Z",
    "T",
    "t",
    "z",
    "K",
    "0",
    "9",
    "4",
    "-",
    "+",
    ".",
    ":",
    "e",
    "E",
    "_",
    "/",
    "|",
    " ",
    "  ",
    "\\t",
    "\\n",
    "\\u001c",
    "\\u001F",
    "\\u0000",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{200b}",
    "\u{2003}",
    "\u{2028}",
    "\u{3000}",
    "\u{feff}",
    "ß",
    "ẞ",
    "ſ",
    "İ",
    "ı",
    "Σ",
    "ς",
    "ﬁ",
    "ǆ",
    "Ǆ",
    "ꭰ",
    "Ꭰ",
    "\u{345}",
    "ΐ",
    "ᾳ",
    "ᾼ",
    "é",
    "e\u{301}",
    "\u{301}",
    "\u{323}",
    "\u{327}",
    "\u{308}",
    "Å",
    "Ω",
    "ﬀ",
    "각",
    "\u{1100}",
    "\u{1161}",
    "\u{11a8}",
    "\u{9c7}",
    "\u{9be}",
    "\u{958}",
    "٣",
    "۴",
    "५",
    "𝟘",
    "𝟡",
    "²",
    "①",
    "½",
    "Ⅷ",
    "😀",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\ude00",
    "\\ud83d\\ud83d",
    "\u{e000}",
    "\u{ffff}",
    "\u{fdd0}",
    "\u{1f1e6}",
    "𐐀",
    "𐐨",
    "–",
    "“",
    "’",
    "٫",
    "−",
];

/// Texts whole, as a model might write them or an attacker would.
const TEXTS: &[&str] = &[
    "2026-08-11T09:00:00Z",
    "2026-08-11t09:00:00.000z",
    "2026-08-11T09:00:00.123456789+05:30",
    "2026-08-11T09:00:00-00:00",
    "2026-08-11 09:00:00Z",
    "2026-08-11T09:00Z",
    "२०२६-08-11T09:00:00.٣z",
    "2026-08-11T09:00:00.Z",
    "2026-08-11T09:00:00+0530",
    "9999-99-99t99:99:99+99:99",
    " 2026-08-11T09:00:00z\\n",
    "4200",
    "4200.0",
    "004200",
    "-0",
    "-0.0",
    "-",
    "-.5",
    "5.",
    "1.10",
    "0.1",
    "1e5",
    "1,000",
    "٣.٥",
    "-٠٠٧",
    "--1",
    "0.30000000000000004",
    "9007199254740993",
    "9007199254740993.0",
    "179769313486231570000000000000.5",
    "0.000000000000000000000000000000000001",
    "USD",
    "usd",
    "Straße",
    "STRASSE",
    "null",
    "true",
    "NaN",
    "Infinity",
];

const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "0.0",
    "-0.0",
    "1",
    "1.0",
    "4200.00",
    "42e2",
    "1E5",
    "1e+5",
    "1e-7",
    "0.0000001",
    "0.0001",
    "0.00001",
    "1e15",
    "1e16",
    "1e17",
    "1e20",
    "1e21",
    "1e22",
    "1e23",
    "123456789012345678",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "9007199254740993.0",
    "1.7976931348623157e308",
    "1.7976931348623159e308",
    "1e400",
    "-1e400",
    "5e-324",
    "2e-324",
    "4.9406564584124654e-324",
    "2.2250738585072011e-308",
    "0.1",
    "0.30000000000000004",
    "100000000000000000000000",
    "-123456789012345678901234567890.5",
    "1e0",
    "10e-1",
];

const NAMES: &[&str] = &[
    "a",
    "b",
    "A",
    "aa",
    "amount",
    "",
    "0",
    "1",
    "2",
    "10",
    "9",
    "01",
    "é",
    "e\u{301}",
    "\\u00e9",
    "\\u0061",
    "😀",
    "\u{e000}",
    "\\ud83d",
    "\u{ffff}",
    "__proto__",
    "toString",
    "constructor",
    "length",
    "toJSON",
    " a ",
    "ß",
];

/// Texts that are no JSON, or only to some readers.
const BROKEN: &[&str] = &[
    "NaN",
    "-Infinity",
    "Infinity",
    "-NaN",
    "01",
    "1.",
    ".5",
    "+1",
    "'a'",
    "tru",
    "nul",
    "{",
    "[1,]",
    "{\"a\":1,}",
    "\"\t\"",
    "\"\\x\"",
    "\"\\u12g4\"",
    "",
    "{a:1}",
    "/**/1",
    "1 2",
    "\u{feff}1",
    "\u{a0}1",
    "\"",
    "-",
    "1e",
    "1e+",
];

/// The inside of a JSON string.
fn content() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::collection::vec(select(CHARACTERS), 0..7).prop_map(|parts| parts.concat()),
        2 => select(TEXTS).prop_map(str::to_owned),
        1 => (select(TEXTS), select(CHARACTERS), any::<bool>())
            .prop_map(|(text, extra, first)| if first { format!("{extra}{text}") } else { format!("{text}{extra}") }),
        1 => "-?[0-9]{1,3}(\\.[0-9]{1,3})?",
    ]
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => select(NUMBERS).prop_map(str::to_owned),
        1 => "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(|value| format!("{value:e}")),
        1 => (1_i32..400, 0_i32..9).prop_map(|(count, digit)| format!("1{}{digit}", "9".repeat(count as usize))),
    ]
}

fn space() -> impl Strategy<Value = &'static str> {
    select(&["", "", "", " ", "\n", "\t ", "\r\n"][..])
}

fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => content().prop_map(|content| format!("\"{content}\"")),
        4 => number(),
        2 => select(&["null", "true", "false", "[]", "{}"][..]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            1 => prop::collection::vec((inner.clone(), space()), 0..4).prop_map(|items| {
                let items: Vec<_> = items.iter().map(|(item, space)| format!("{space}{item}{space}")).collect();
                format!("[{}]", items.join(","))
            }),
            2 => object(inner),
        ]
    })
}

fn object(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::vec((select(NAMES), inner, space()), 0..5).prop_map(|members| {
        let members: Vec<_> = members
            .iter()
            .map(|(name, value, space)| format!("{space}\"{name}\"{space}:{space}{value}{space}"))
            .collect();
        format!("{{{}}}", members.join(","))
    })
}

/// Argument texts: mostly objects, some other values, some texts that are no JSON, some cut or long.
pub(crate) fn arguments() -> impl Strategy<Value = String> {
    prop_oneof![
        16 => object(value()),
        2 => value(),
        1 => select(BROKEN).prop_map(str::to_owned),
        1 => select(&["null", " null ", "0", "true", "\"ab\"", "[]"][..]).prop_map(str::to_owned),
        1 => select(BROKEN).prop_map(|broken| format!("{{\"a\": {broken}, \"b\": 1}}")),
        1 => (object(value()), 0.0..1.0).prop_map(|(text, share)| {
            let end = (share * text.chars().count() as f64) as usize;
            text.chars().take(end).collect()
        }),
        1 => (4_290_usize..4_310, "-?", "(\\.5|e1)?", any::<[bool; 2]>(), select(NAMES)).prop_map(
            |(count, sign, tail, [quoted, cut], name)| {
                let quote = if quoted { "\"" } else { "" };
                let end = if cut { "" } else { "}" };
                format!("{{\"{name}\":{quote}{sign}{}{tail}{quote}{end}", "1".repeat(count))
            }
        ),
    ]
}
