//! Inputs to begin from, made of the corpus: every production of both grammars, every argument text, every tool's schema.

use crate::root;
use samecall_call::json::{Dialect, parse};
use samecall_call::{Catalog, LineReader, Pair, parse_record};
use samecall_oracle::input::tape;
use samecall_oracle::world::World;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;

/// Seeds of the tape that are looked through for one pair of each production.
const LOOKED_THROUGH: u16 = 4_000;

/// The inputs of every target, by target.
///
/// # Errors
/// When a file of the corpus cannot be read.
pub fn seeds() -> io::Result<BTreeMap<&'static str, Vec<Vec<u8>>>> {
    let mut seeds: BTreeMap<&'static str, Vec<Vec<u8>>> = BTreeMap::new();
    for seed in of_productions() {
        let seed = seed.to_le_bytes();
        seeds.entry("spellings").or_default().push(seed.to_vec());
        seeds.entry("collisions").or_default().push(seed.to_vec());
        // The first byte selects the law.
        for law in [128, 192] {
            seeds.entry("normalizer").or_default().push([&[law][..], &seed].concat());
        }
    }
    let mut lines = Vec::new();
    for name in ["article.jsonl", "adversarial.jsonl"] {
        lines.extend(
            fs::read_to_string(root().join("corpus").join(name))?.lines().map(str::to_owned),
        );
    }
    let mut texts = BTreeSet::new();
    for line in &lines {
        if let Ok(pair) = parse_record(line, Pair::from_value) {
            texts.insert(pair.a.arguments);
            texts.insert(pair.b.arguments);
        }
    }
    for text in &texts {
        seeds.entry("reader").or_default().push(text.clone().into_bytes());
        seeds.entry("jcs").or_default().push(text.clone().into_bytes());
        let any_text = [&[224, 0, 128, 0][..], text.as_bytes()].concat();
        seeds.entry("normalizer").or_default().push(any_text);
    }
    let all: Vec<&str> = texts.iter().map(String::as_str).collect();
    for chunks in all.chunks(16) {
        seeds.entry("dedup").or_default().push([b"\x01", chunks.join("\n").as_bytes()].concat());
        // Before each chunk what draws its vector and fields.
        let drawn: Vec<String> = chunks
            .iter()
            .enumerate()
            .map(|(at, text)| format!("{}b!{text}", ["a", "b", "c"][at % 3]))
            .collect();
        seeds
            .entry("semantic")
            .or_default()
            .push([b"\x01\x00", drawn.join("\n").as_bytes()].concat());
    }
    // A log of calls, and a file that was cut.
    for line in lines.iter().step_by(8) {
        if let Ok(pair) = parse_record(line, Pair::from_value) {
            let log = format!("{}\n{}\n", pair.a.to_json(), pair.b.to_json());
            seeds.entry("pairs").or_default().push(log.into_bytes());
        }
        seeds.entry("pairs").or_default().push(line.as_bytes()[..line.len() / 2].to_vec());
    }
    for lines in lines.chunks(4) {
        seeds.entry("pairs").or_default().push(lines.join("\n").into_bytes());
    }
    for (_, tool) in catalog()?.tools() {
        let schema = [b"\0", tool.parameters.as_bytes(), b"\0\x01\0"].concat();
        seeds.entry("catalog").or_default().push(schema);
    }
    for drawn in 0..48_u8 {
        // The same call in two spellings, by one or two executions, and time that goes by.
        let step = |at: u8| match at % 6 {
            5 => [1, 0, drawn, at],
            _ => [3, drawn % 3 * (at % 2), (at % 2) << 7 | drawn, at << 3 | 3],
        };
        let history: Vec<u8> = (0..24).flat_map(step).collect();
        seeds.entry("cache").or_default().push(history);
        let drawn = [&[255][..], &[drawn.wrapping_mul(37); 40], &[drawn, 1]].concat();
        seeds.entry("catalog").or_default().push(drawn);
    }
    Ok(seeds)
}

/// The tools of the corpus.
pub(crate) fn catalog() -> io::Result<Catalog> {
    let mut catalog = Catalog::default();
    let mut files: Vec<_> = fs::read_dir(root().join("corpus/tools"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    files.sort();
    for file in files {
        catalog.read_file(&file).map_err(io::Error::other)?;
    }
    Ok(catalog)
}

/// A seed of the tape for each production, the first that has it.
fn of_productions() -> BTreeSet<u16> {
    let world = World::shared();
    let mut found = BTreeSet::new();
    let mut seeds = BTreeSet::new();
    for seed in 1..LOOKED_THROUGH {
        let pair = world.pair(&tape(&seed.to_le_bytes()));
        let new = pair.drift.iter().filter(|name| !found.contains(*name)).cloned();
        let new: Vec<String> = new.collect();
        if !new.is_empty() {
            found.extend(new);
            seeds.insert(seed);
        }
    }
    seeds
}

/// The lines of the corpus's files that are JSON, for dictionaries.
pub(crate) fn values() -> io::Result<Vec<samecall_call::json::Value<'static>>> {
    let mut values = Vec::new();
    for name in ["article.jsonl", "adversarial.jsonl"] {
        let mut lines =
            LineReader::open(&root().join("corpus").join(name)).map_err(io::Error::other)?;
        while let Some((_, line)) = lines.next_line().map_err(io::Error::other)? {
            if let Ok(value) = parse(line, Dialect::Strict) {
                values.push(value.into_owned());
            }
        }
    }
    Ok(values)
}
