//! What an examination of rules found, as tables and whole texts.

use crate::error::Result;
use crate::plot::{frontier_plots, interaction_plots};
use crate::render::Provenance;
use crate::table::{Table, wrap};
use crate::words::{bound, percent, range, thousands};
use samecall_call::rules::{
    Ablation, Frontier, FrontierSet, Interaction, Law, Matrix, Point, RulesResult,
};

/// Interactions of a long set that a terminal shows.
const SHOWN: usize = 40;

/// The name and the bytes of a file.
type File = (String, Vec<u8>);

/// The result for a person at a terminal of so many columns.
pub fn rules_terminal(result: &RulesResult, columns: u16) -> String {
    let mut out = String::new();
    for table in tables(result, Some(SHOWN)) {
        out.push_str(&table.terminal(columns));
        out.push('\n');
    }
    for (_, text) in laws(&result.matrix) {
        out.push_str(&wrap(&text, columns.into()));
        out.push_str("\n\n");
    }
    out
}

/// The files of a report folder: a result and its text for each strategy, heat maps, and the frontier with its plots.
///
/// # Errors
/// When a plot cannot be drawn.
pub fn rules_files(
    results: &[RulesResult],
    frontier: Option<&Frontier>,
    provenance: &Provenance,
) -> Result<Vec<File>> {
    let mut files = Vec::new();
    let mut index = format!("# Rules\n\nMade by `{}`.\n", provenance.command);
    for result in results {
        let plots = interaction_plots(result)?;
        let name = format!("rules-{}", crate::plot::safe(&result.strategy));
        files.push((format!("{name}.md"), markdown(result, provenance, &plots).into_bytes()));
        files.push((format!("{name}.json"), json(result)));
        files.extend(plots);
        index.push_str(&format!(
            "\n- [`{}`]({name}.md): ablation and interactions",
            result.strategy
        ));
    }
    if let Some(frontier) = frontier {
        let plots = frontier_plots(frontier)?;
        index.push_str("\n\n## Recall against false merges\n\nEvery strategy, and every subset of its rules where the list is short; \
            else each rule left out, each alone, and none.\n");
        for (name, set) in &frontier.sets {
            let file = format!("frontier-{}.svg", crate::plot::safe(name));
            if plots.iter().any(|(plot, _)| *plot == file) {
                index.push_str(&format!("\n![Recall against false merges: {name}]({file})\n"));
            }
            index.push_str(&format!("\n{}", best(name, set).markdown()));
        }
        files.push(("frontier.json".into(), json(frontier)));
        files.extend(plots);
    } else {
        index.push('\n');
    }
    files.push(("rules.md".into(), index.into_bytes()));
    Ok(files)
}

/// The bytes of a result file.
fn json(value: &impl serde::Serialize) -> Vec<u8> {
    // Maps have text keys and numbers are finite, so writing cannot fail.
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The bytes of `rules --json`: one result, or a list of several.
pub fn rules_json(results: &[RulesResult]) -> Vec<u8> {
    match results {
        [one] => json(one),
        several => json(&several),
    }
}

fn markdown(result: &RulesResult, provenance: &Provenance, plots: &[File]) -> String {
    let mut out =
        format!("# The rules of `{}`\n\nMade by `{}`. ", result.strategy, provenance.command);
    out.push_str(&format!("Seed: {}. Inputs:\n\n", result.seed));
    for input in &result.inputs {
        let digest = input.sha256.as_ref().map_or(String::new(), |d| format!(", SHA-256 `{d}`"));
        out.push_str(&format!("- `{}`: {} pairs{digest}\n", input.name, thousands(input.pairs)));
    }
    for table in tables(result, None) {
        out.push_str(&format!("\n{}", table.markdown()));
    }
    for (title, text) in laws(&result.matrix) {
        out.push_str(&format!("\n**{title}**\n\n{text}\n"));
    }
    for (name, _) in plots.iter().filter(|(name, _)| name.ends_with(".svg")) {
        out.push_str(&format!(
            "\n![How the rules of {} bear on one another]({name})\n",
            result.strategy
        ));
    }
    out
}

fn tables(result: &RulesResult, shown: Option<usize>) -> Vec<Table> {
    let mut tables: Vec<Table> =
        result.ablation.iter().map(|(set, found)| ablation(set, found)).collect();
    tables.push(single(result));
    tables.push(interactions(result, shown));
    tables.extend(crate::exhaustive::table(result));
    tables
}

/// Each rule left out of the whole list.
fn ablation(set: &str, found: &Ablation) -> Table {
    let score = |caught: u64, n: u64| format!("{} ({caught}/{n})", percent(caught, n));
    let whole = &found.whole;
    let mut rows = vec![vec![
        "(whole)".to_owned(),
        score(whole.caught, whole.retry),
        format!("{} ({}/{})", percent(whole.merged, whole.distinct), whole.merged, whole.distinct),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
    ]];
    let shift = |shift: &samecall_call::rules::Shift| match shift.pairs {
        0 => format!("0 (<{})", bound(shift.share[1])),
        n => format!("{n} ({})", range(shift.share)),
    };
    for dropped in &found.dropped {
        let point = &dropped.point;
        let moved = [&dropped.lost, &dropped.gained, &dropped.avoided, &dropped.added];
        // A rule that nothing here needs is told in the note.
        if moved.iter().all(|shift| shift.pairs == 0) {
            continue;
        }
        let mut row = vec![point.label.clone(), score(point.caught, point.retry)];
        row.push(score(point.merged, point.distinct));
        row.extend(moved.map(shift));
        rows.push(row);
    }
    let idle: Vec<String> = found
        .dropped
        .iter()
        .filter(|d| [&d.lost, &d.gained, &d.avoided, &d.added].iter().all(|s| s.pairs == 0))
        .map(|d| d.point.label.clone())
        .collect();
    let mut note = "Each row leaves one rule out. In brackets percent of all retries, or of all distinct pairs, with the \
        95 % interval; every pair a draw."
        .to_owned();
    if !idle.is_empty() {
        note.push_str(&format!(" Nothing here changes without {}.", crate::words::list(&idle)));
    }
    Table {
        title: format!("{set}: what each rule gains and risks"),
        columns: [
            "without",
            "recall %",
            "merged %",
            "retries\nlost",
            "retries\ngained",
            "merges\navoided",
            "merges\nadded",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows,
        note,
    }
}

/// Each rule alone: how often it applied, and the shortest two values that it makes one.
fn single(result: &RulesResult) -> Table {
    let matrix = &result.matrix;
    let rows = result
        .rules
        .iter()
        .zip(matrix.applied.iter().zip(&matrix.equates))
        .map(|(rule, (applied, equates))| {
            let shown = match equates {
                Some([a, b]) => format!("{a} = {b}"),
                None => "-".to_owned(),
            };
            vec![rule.clone(), thousands(*applied), shown]
        })
        .collect();
    Table {
        title: format!("{}: each rule alone", result.strategy),
        columns: ["rule", "applied to", "makes equal"].map(str::to_owned).to_vec(),
        rows,
        note: format!(
            "The shortest two values found that the rule alone makes one, of {} values.",
            thousands(matrix.values)
        ),
    }
}

/// Pairs of rules that do not simply commute; the open ones first.
fn interactions(result: &RulesResult, shown: Option<usize>) -> Table {
    let mut found: Vec<(&samecall_call::rules::Cell, &Interaction)> = Vec::new();
    for cell in &result.matrix.cells {
        found.extend(cell.interactions.iter().map(|interaction| (cell, interaction)));
    }
    found.sort_by_key(|(_, interaction)| interaction.open == 0);
    let all = found.len();
    found.truncate(shown.unwrap_or(usize::MAX));
    let rows = found
        .iter()
        .map(|(cell, interaction)| {
            let example = &interaction.example;
            vec![
                format!("{} {} {}", cell.first, interaction.kind.as_str(), cell.second),
                thousands(interaction.values),
                thousands(interaction.open),
                example.value.clone(),
                example.first_then_second.clone(),
                example.second_then_first.clone(),
            ]
        })
        .collect();
    let mut note = "Shortest examples found by machine. Open: applied once in its own order, the whole does not reach what both orders \
        reach when they are repeated; the others show only what the order is for."
        .to_owned();
    if found.len() < all {
        note.push_str(&format!(" The first {} of {all}.", found.len()));
    }
    let mut told: Vec<&str> = Vec::new();
    for cell in &result.matrix.cells {
        if let Some(why) = cell.explanation.as_deref().filter(|why| !told.contains(why)) {
            note.push_str(&format!(" `{}` and `{}`: {why}", cell.first, cell.second));
            told.push(why);
        }
    }
    Table {
        title: format!("{}: rules that bear on one another", result.strategy),
        columns: [
            "the first, then the second",
            "values",
            "open",
            "value",
            "first, then second",
            "second, then first",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows,
        note,
    }
}

/// The laws of the whole in words.
fn laws(matrix: &Matrix) -> [(&'static str, String); 2] {
    let told = |law: &Law, holds: &str, breaks: &str| {
        let of = format!("{} of {} values", thousands(law.broken), thousands(law.values));
        match &law.example {
            None => format!("{holds} on all {} values.", thousands(law.values)),
            Some(example) => {
                let order = match example.order.is_empty() {
                    true => String::new(),
                    false => format!(" (order: {})", example.order.join(", ")),
                };
                format!(
                    "{breaks} on {of}. Shortest: {} becomes {}, and then {}{order}.",
                    example.value, example.once, example.other
                )
            }
        }
    };
    let orders = match matrix.ordered {
        true => [
            "Any order of the rules gives the same",
            "Another order of the rules gives something else",
        ],
        false => [
            "The rules one at a time, in any order within a phase, end where all at once end",
            "The rules one at a time end elsewhere than all at once",
        ],
    };
    [
        (
            "Idempotence",
            told(
                &matrix.idempotence,
                "The whole applied twice is the whole applied once",
                "The whole is not idempotent",
            ),
        ),
        ("Order", told(&matrix.order, orders[0], orders[1])),
    ]
}

/// The strategies of a set, and of each list the subsets that nothing in that list beats.
fn best(name: &str, set: &FrontierSet) -> Table {
    let row = |family: &str, point: &Point| {
        vec![
            family.to_owned(),
            format!("{}/{}", point.caught, point.retry),
            percent(point.caught, point.retry),
            range(point.recall_clusters),
            format!("{}/{}", point.merged, point.distinct),
            percent(point.merged, point.distinct),
            bound(point.false_merge_upper_clusters),
        ]
    };
    let mut rows: Vec<Vec<String>> =
        set.strategies.iter().map(|point| row(&point.label, point)).collect();
    for (strategy, subsets) in &set.subsets {
        let beaten = |point: &Point| {
            subsets.iter().any(|other| {
                let other = &other.point;
                (other.caught >= point.caught && other.merged < point.merged)
                    || (other.caught > point.caught && other.merged <= point.merged)
            })
        };
        for subset in subsets.iter().filter(|subset| !beaten(&subset.point)) {
            rows.push(row(&format!("{strategy}: {}", subset.point.label), &subset.point));
        }
    }
    Table {
        title: format!(
            "{name}: strategies, and the shortened lists that no other of the same rules beats"
        ),
        columns: ["rules", "caught", "%", "95 %, clusters", "merged", "%", "bound %, clusters"]
            .map(str::to_owned)
            .to_vec(),
        rows,
        note: String::new(),
    }
}
