//! What annotation gains: the article's corpus under three catalogs of the same tools.

use crate::replays::replay;
use anyhow::{Result, bail};
use samecall_call::result::{Results, StrategyResult};
use std::fmt::Write as _;
use std::path::Path;

const CORPUS: &str = "corpus/article.jsonl";

/// Name, what it says, and how it is asked for.
const CATALOGS: [(&str, &str, &[&str]); 3] = [
    ("bare", "JSON types alone", &["--tools", "corpus/catalogs/article-bare.json"]),
    ("formats", "with `enum` and `format`", &["--tools", "corpus/catalogs/article-formats.json"]),
    (
        "overlay",
        "with formats and the overlay that states the article's truth",
        &[
            "--tools",
            "corpus/catalogs/article-formats.json",
            "--annotate",
            "corpus/overlays/article.toml",
        ],
    ),
];

const STRATEGIES: [&str; 4] = ["normalised", "scoped", "typed", "typed-scoped"];

/// The report as Markdown.
///
/// # Errors
/// When a replay fails or lacks a strategy.
pub fn report(samecall: &Path, root: &Path) -> Result<String> {
    let mut rows = String::new();
    let mut caught = Vec::new();
    let mut commands = String::new();
    for (name, _, arguments) in CATALOGS {
        let mut all: Vec<String> = vec!["--pairs".into(), CORPUS.into()];
        all.extend(arguments.iter().map(|&argument| argument.to_owned()));
        let _ = writeln!(commands, "    samecall replay {}", all.join(" "));
        all.extend(["--strategy".to_owned(), STRATEGIES.join(",")]);
        let results = replay(samecall, root, &all)?;
        for strategy in STRATEGIES {
            let found = find(&results, strategy)?;
            rows.push_str(&row(name, strategy, found));
            if strategy == "typed" {
                caught.push((found.caught, found.retry));
            }
        }
    }
    let [(bare, n), (formats, _), (overlay, _)] = caught[..] else {
        bail!("{CORPUS}: a catalog was not scored")
    };
    let mut out = String::from("# What annotation gains\n\n");
    let _ = writeln!(
        out,
        "The article's corpus ({CORPUS}) with three catalogs of its six tools. `typed` reads the schema, so it knows what the \
         schema says and no more: with types alone it recognises {bare} of {n} retries, with formats {formats}, and with an overlay of a \
         few lines, which the model never sees, {overlay}. The {} retries between are what a user gains by annotating: ids and codes \
         that are case-blind, prose, nulls that mean absent. `normalised` needs no schema and assumes all of that of every field, \
         also where it is wrong.\n",
        overlay - bare
    );
    for (name, meaning, _) in CATALOGS {
        let _ = writeln!(out, "- `{name}`: {meaning}");
    }
    out.push_str(
        "\n| catalog | strategy | retries caught | recall %, 95 % | values changed: merged | below % | repeats: merged | \
         repeats: suspect |\n|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    out.push_str(&rows);
    out.push_str(
        "\nRecall: Wilson's interval. Below: the exact one-sided 95 % upper bound. A deliberate repeat stands at another step: without \
         a slot no strategy can tell it, with one it is `suspect`.\n\nMade by `cargo xtask catalogs` from\n\n",
    );
    out.push_str(&commands);
    Ok(out)
}

fn find<'r>(results: &'r Results, strategy: &str) -> Result<&'r StrategyResult> {
    match results.sets.get("article").and_then(|set| set.get(strategy)) {
        Some(found) => Ok(found),
        None => bail!("{CORPUS}: holds no set `article` scored by `{strategy}`"),
    }
}

fn row(catalog: &str, strategy: &str, found: &StrategyResult) -> String {
    let distinct = &found.by_truth.distinct;
    let why = |name: &str| distinct.by_why.get(name).copied().unwrap_or_default();
    let (changed, repeats) = (why("value_changed"), why("deliberate_repeat"));
    let upper = distinct.bounds_by_why.get("value_changed").map_or(1.0, |[_, upper]| *upper);
    let [low, high] = found.intervals.recall;
    format!(
        "| {catalog} | `{strategy}` | {}/{} | {:.0}-{:.0} | {}/{} | {:.0} | {}/{} | {}/{} |\n",
        found.caught,
        found.retry,
        100.0 * low,
        100.0 * high,
        changed.same,
        changed.n,
        (100.0 * upper).ceil(),
        repeats.same,
        repeats.n,
        repeats.suspect,
        repeats.n,
    )
}
