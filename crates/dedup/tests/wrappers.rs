//! Repeats in other dress: what a retriever, a PDF reader or a keyboard does to a text must not keep it.

use std::collections::BTreeMap;

use samecall_dedup::guard::Level;
use samecall_dedup::lexical::{Options, dedupe_with};
use samecall_dedup::planted::chunks;
use unicode_normalization::UnicodeNormalization;

type Dress = fn(&str) -> String;

/// Name of the change, and how it is made.
const DRESSES: &[(&str, Dress)] = &[
    ("hyphen bullet", |t| format!("- {t}")),
    ("star bullet", |t| format!("* {t}")),
    ("dot bullet", |t| format!("• {t}")),
    ("en dash bullet", |t| format!("– {t}")),
    ("em dash bullet", |t| format!("— {t}")),
    ("indented bullet", |t| format!("   - {t}")),
    ("citation", |t| format!("[12] {t}")),
    ("citation in brackets", |t| format!("(3) {t}")),
    ("list number", |t| format!("7. {t}")),
    ("list bracket", |t| format!("12) {t}")),
    ("citation on its line", |t| format!("[4]\n{t}")),
    ("bullet and citation", |t| format!("- [4] {t}")),
    ("double quotes", |t| format!("\"{t}\"")),
    ("curly quotes", |t| format!("“{t}”")),
    ("single quotes", |t| format!("'{t}'")),
    ("guillemets", |t| format!("«{t}»")),
    ("backticks", |t| format!("`{t}`")),
    ("quoted citation", |t| format!("[2] “{t}”")),
    ("ellipsis", |t| format!("… {t} …")),
    ("dots", |t| format!("{t}..")),
    ("exclamation", |t| format!("{t}!!")),
    ("zero width space", |t| t.replacen("a", "a\u{200B}", 9)),
    ("zero width joiner", |t| t.replacen("e", "e\u{200D}", 9)),
    ("word joiner", |t| t.replacen("o", "o\u{2060}", 9)),
    ("soft hyphen", |t| t.replacen("i", "i\u{AD}", 9)),
    ("byte order mark", |t| format!("\u{FEFF}{t}")),
    ("direction marks", |t| format!("\u{200E}{t}\u{200F}")),
    ("emoji selector", |t| t.replace('✅', "✅\u{FE0F}")),
    ("no-break spaces", |t| t.replace(' ', "\u{A0}")),
    ("thin spaces", |t| t.replacen(' ', "\u{2009}", 20)),
    ("ideographic spaces", |t| t.replacen(' ', "\u{3000}", 20)),
    ("tabs", |t| t.replace(' ', "\t")),
    ("wrapped lines", |t| t.replace(" of ", " of\r\n")),
    ("blank around", |t| format!("\n\n  {t}  \n")),
    ("full width", |t| {
        t.chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() {
                    char::from_u32(u32::from(c) + 0xFEE0).unwrap_or(c)
                } else {
                    c
                }
            })
            .collect()
    }),
    ("ligatures", |t| t.replace("fi", "ﬁ").replace("ff", "ﬀ")),
    ("decomposed", |t| t.nfd().collect()),
    ("capitals", |t| t.to_uppercase()),
    ("small letters", |t| t.to_lowercase()),
    ("semicolons to commas", |t| t.replace(';', ",")),
    ("full stops to dashes", |t| t.replace(". ", " — ")),
    ("full stops to lines", |t| t.replace(". ", "\n")),
    ("bold", |t| format!("**{t}**")),
    ("bold word", |t| t.replacen(" must ", " **must** ", 1)),
    ("citation with colon", |t| format!("[3]: {t}")),
    ("footnote", |t| format!("[^3] {t}")),
];

#[test]
fn a_text_in_other_dress_goes() {
    for level in [Level::Strict, Level::Facts] {
        let options = Options { level, ..Options::default() };
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for seed in 0..2 {
            let planted = chunks(seed, 60);
            let originals: Vec<&str> =
                planted.iter().filter(|c| c.kind == "orig").map(|c| c.text.as_str()).collect();
            for (name, dress) in DRESSES {
                let dressed: Vec<String> = originals.iter().map(|text| dress(text)).collect();
                for (text, dressed) in originals.iter().zip(&dressed) {
                    for pair in [[*text, dressed], [dressed, *text]] {
                        if dedupe_with(&pair, &options).unwrap().kept.len() != 1 {
                            *left.entry(name).or_default() += 1;
                        }
                    }
                }
            }
        }
        assert!(left.is_empty(), "{level:?}: {left:?}");
    }
}

/// Marks at the edges that say something: what looks like a wrapper and is none.
#[test]
fn marks_that_are_no_wrapper_stay() {
    for (a, b) in [
        ("# rm -r build", "rm -r build"),
        ("> five", "five"),
        ("- [x] paid", "- [ ] paid"),
        ("a) pay", "b) pay"),
        ("x**y**z", "x y z"),
        ("f(**kwargs)", "f(kwargs)"),
        ("2 **3** 4", "2 3 4"),
        ("2**10", "210"),
        ("price**", "price"),
        ("**/build and **/src", "/build and /src"),
        ("[12]: [13]", "[12]: [14]"),
        ("-[4]", "[4]"),
        ("~~paid~~", "paid"),
    ] {
        for level in [Level::Strict, Level::Facts] {
            let options = Options { level, ..Options::default() };
            assert_eq!(dedupe_with(&[a, b], &options).unwrap().kept.len(), 2, "{a} and {b}");
        }
    }
}
