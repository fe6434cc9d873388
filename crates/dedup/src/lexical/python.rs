//! The normal form of the package arcaeon as CPython 3.11 computes it: NFKC, full case folding, runs of `\w` joined by a space.
//!
//! That Python knows Unicode 14; the crate that normalises here knows a later one. Code points that Unicode 14 had not
//! assigned are therefore left as they are: they neither decompose, nor compose, nor reorder, nor count as word characters.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

/// Written by `data/python311.py`.
const TABLES: &str = include_str!("../../data/python311.txt");

#[derive(Default)]
struct Tables {
    word: Vec<(u32, u32)>,
    unassigned: Vec<(u32, u32)>,
    space: Vec<(u32, u32)>,
    fold: HashMap<char, String>,
}

static PYTHON: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables::default();
    let mut section = "";
    for line in TABLES.lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with('[') {
            section = line;
            continue;
        }
        let points: Vec<u32> =
            line.split(' ').filter_map(|hex| u32::from_str_radix(hex, 16).ok()).collect();
        match (section, points.as_slice()) {
            ("[word]", &[low, high]) => tables.word.push((low, high)),
            ("[unassigned]", &[low, high]) => tables.unassigned.push((low, high)),
            ("[space]", &[low, high]) => tables.space.push((low, high)),
            ("[fold]", [from, to @ ..]) => {
                if let Some(from) = char::from_u32(*from) {
                    tables.fold.insert(
                        from,
                        to.iter().filter_map(|&point| char::from_u32(point)).collect(),
                    );
                }
            }
            _ => {}
        }
    }
    tables
});

fn within(ranges: &[(u32, u32)], c: char) -> bool {
    let point = u32::from(c);
    let after = ranges.partition_point(|(low, _)| *low <= point);
    after > 0 && point <= ranges[after - 1].1
}

/// The normal form: NFKC, `str.casefold`, then every run of `\w` joined by one space.
pub fn normal_form(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    let mut push = |c: char| {
        let word = if c.is_ascii() {
            c.is_ascii_alphanumeric() || c == '_'
        } else {
            within(&PYTHON.word, c)
        };
        if !word {
            gap = true;
            return;
        }
        if std::mem::take(&mut gap) && !out.is_empty() {
            out.push(' ');
        }
        out.push(c);
    };
    if text.is_ascii() {
        text.chars().for_each(|c| push(c.to_ascii_lowercase()));
        return out;
    }
    let mut fold = |c: char| match PYTHON.fold.get(&c) {
        Some(folded) => folded.chars().for_each(&mut push),
        None => push(c),
    };
    let mut rest = text;
    while !rest.is_empty() {
        let known = rest.find(|c| within(&PYTHON.unassigned, c)).unwrap_or(rest.len());
        rest[..known].nfkc().for_each(&mut fold);
        rest = &rest[known..];
        if let Some(c) = rest.chars().next() {
            fold(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// The text as `" ".join(text.split())` gives it.
pub(crate) fn folded_space(text: &str) -> String {
    text.split(|c| within(&PYTHON.space, c))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
