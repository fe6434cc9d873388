//! Whole texts: for the terminal, for a report folder, for the README.

use crate::article::comparison;
use crate::error::Result;
use crate::findings::findings;
use crate::load::to_json;
use crate::plot::plots;
use crate::scores::{LEGEND, Set, matrix, merges, productions, scores, sets};
use crate::table::{Table, wrap};
use crate::words::{contenders, plain, thousands};
use samecall_call::Truth;
use samecall_call::result::{Example, Results};

/// How many of the worst findings are told.
const FINDINGS: usize = 3;
/// Drift classes in a table of the terminal.
const CLASSES: usize = 20;

/// What a report shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Columns of the terminal.
    pub width: u16,
    /// Whether examples may show argument values; else they show kinds and lengths.
    pub show_values: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { width: 100, show_values: false }
    }
}

/// What a generated text says of how it was made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Provenance {
    /// The command that makes it anew.
    pub command: String,
}

/// The result for a person at a terminal.
///
/// # Errors
/// When the published table shipped with this crate cannot be read.
pub fn terminal(results: &Results, style: Style) -> Result<String> {
    let mut out = String::new();
    let mut add = |table: Option<Table>| {
        if let Some(table) = table {
            out.push_str(&table.terminal(style.width));
            out.push('\n');
        }
    };
    for set in sets(results) {
        add(Some(scores(set)));
        add(merges(set, false));
        add(matrix(set, Some(CLASSES)));
        add(productions(set, Truth::Retry));
        add(productions(set, Truth::Distinct));
    }
    add(comparison(results)?);
    out.push_str(&wrap(LEGEND, style.width.into()));
    out.push('\n');
    let worst = findings(results, FINDINGS);
    if !worst.is_empty() {
        out.push_str("\nWorst findings\n");
    }
    for (index, finding) in worst.iter().enumerate() {
        let text = wrap(finding, usize::from(style.width).saturating_sub(3));
        out.push_str(&format!("{}. {}\n", index + 1, text.replace('\n', "\n   ")));
    }
    Ok(out)
}

/// The result as a Markdown document. With `plots` it shows the plots that stand beside it.
///
/// # Errors
/// When the published table shipped with this crate cannot be read.
pub fn markdown(
    results: &Results,
    provenance: &Provenance,
    style: Style,
    plots: &[String],
) -> Result<String> {
    let mut out = String::from("# Replay\n\n");
    out.push_str(&origin(results, provenance));
    let worst = findings(results, FINDINGS);
    if !worst.is_empty() {
        out.push_str("\n## Worst findings\n\n");
    }
    for (index, finding) in worst.iter().enumerate() {
        out.push_str(&format!("{}. {finding}\n", index + 1));
    }
    if let Some(table) = comparison(results)? {
        out.push_str(&format!("\n## The article\n\n{}", table.markdown()));
    }
    for set in sets(results) {
        out.push_str(&format!("\n## Set `{}`\n\n", set.name));
        let all = [
            Some(scores(set)),
            merges(set, true),
            matrix(set, None),
            productions(set, Truth::Retry),
            productions(set, Truth::Distinct),
            paired(set),
        ];
        let tables: Vec<String> = all.into_iter().flatten().map(|t| t.markdown()).collect();
        out.push_str(&tables.join("\n"));
        for (name, caption) in [
            ("recall", "Recall by strategy, with 95 % intervals"),
            ("merges", "False merges by reason"),
            ("matrix", "Recall by drift class"),
        ] {
            let file = format!("{name}-{}.svg", crate::plot::safe(set.name));
            if plots.contains(&file) {
                out.push_str(&format!("\n![{caption}: {}]({file})\n", set.name));
            }
        }
        out.push_str(&examples(set, style));
    }
    out.push_str(&format!("\n## How to read the tables\n\n{LEGEND}\n"));
    Ok(out)
}

/// Everything of a report folder: `replay.json`, `replay.md` and the plots.
///
/// # Errors
/// When a plot cannot be drawn or the published table cannot be read.
pub fn files(
    results: &Results,
    provenance: &Provenance,
    style: Style,
) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = plots(results)?;
    let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
    let text = markdown(results, provenance, style, &names)?;
    files.push(("replay.json".into(), to_json(results)));
    files.push(("replay.md".into(), text.into_bytes()));
    Ok(files)
}

/// The block of the README: the scores of every set, the comparison with the article, and how they
/// were made.
///
/// # Errors
/// When the published table shipped with this crate cannot be read.
pub fn readme_block(results: &Results, provenance: &Provenance) -> Result<String> {
    let mut parts = Vec::new();
    for set in sets(results) {
        parts.push(scores(set).markdown());
    }
    if let Some(table) = comparison(results)? {
        parts.push(table.markdown());
    }
    parts.push(format!("{LEGEND}\n"));
    parts.push(origin(results, provenance));
    Ok(parts.join("\n"))
}

/// The command, the seed and the inputs with their digests.
fn origin(results: &Results, provenance: &Provenance) -> String {
    let mut out = String::new();
    if !provenance.command.is_empty() {
        out.push_str(&format!("Made by `{}`. ", provenance.command));
    }
    match results.seed {
        Some(seed) => out.push_str(&format!("Seed: {seed}. ")),
        None => out.push_str("Nothing is drawn at random. "),
    }
    out.push_str("Inputs:\n\n");
    for input in &results.inputs {
        let digest = input.sha256.as_ref().map_or(String::new(), |d| format!(", SHA-256 `{d}`"));
        let skipped = match input.skipped {
            0 => String::new(),
            n => format!(", {} unreadable lines left out", thousands(n)),
        };
        let pairs = thousands(input.pairs);
        out.push_str(&format!("- `{}`: {pairs} pairs{skipped}{digest}\n", input.name));
    }
    out
}

/// Strategies compared two by two where they part.
fn paired(set: Set<'_>) -> Option<Table> {
    let details = set.details?;
    let parted = |p: &&samecall_call::result::Paired| {
        p.retry.a_only + p.retry.b_only + p.distinct.a_only + p.distinct.b_only > 0
    };
    let p = |p: f64| if p < 0.0001 { "<0.0001".to_owned() } else { format!("{p:.4}") };
    let rows: Vec<Vec<String>> = details
        .paired
        .iter()
        .filter(parted)
        .map(|pair| {
            let mut row = vec![format!("{}, {}", pair.a, pair.b)];
            for d in [pair.retry, pair.distinct] {
                row.extend([format!("{}, {}", d.a_only, d.b_only), p(d.p), p(d.p_clusters)]);
            }
            row
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: format!("{}: strategies compared on the same pairs", set.name),
        columns: [
            "first, second", "retries caught by one alone", "p", "p by clusters",
            "distinct merged by one alone", "p", "p by clusters",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows,
        note: "p: exact McNemar test; by clusters: exact sign test over clusters. Strategies that never \
               part are left out."
            .into(),
    })
}

/// The shortest failing pair of each strategy's worst production.
fn examples(set: Set<'_>, style: Style) -> String {
    let mut out = String::new();
    for (name, result) in contenders(set.strategies) {
        for truth in [Truth::Retry, Truth::Distinct] {
            let worst = result.worst_production.get(truth).as_ref();
            let found =
                worst.and_then(|p| Some((p, result.by_production.get(p)?.get(truth).as_ref()?)));
            let Some((production, Some(example))) = found.map(|(p, r)| (p, r.example.clone()))
            else {
                continue;
            };
            let Example { id, tool, a, b, .. } =
                if style.show_values { example } else { example.redact() };
            let verb = if truth == Truth::Retry { "misses" } else { "merges" };
            out.push_str(&format!(
                "\n- `{name}` {verb} `{id}` ({}, tool `{tool}`):\n\n      {}\n      {}\n",
                plain(production),
                a.replace('\n', "\n      "),
                b.replace('\n', "\n      "),
            ));
        }
    }
    if out.is_empty() {
        out
    } else {
        format!("\nShortest failures of the worst productions:\n{out}")
    }
}
