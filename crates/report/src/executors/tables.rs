//! The tables of an executor report.

use super::ended;
use crate::table::Table;
use crate::words::{bound, list, percent, range, thousands};
use samecall_call::executors::{Cell, ExecutorsResult, Row, Standing};
use std::collections::BTreeMap;

/// The share from which on an executor counts as one that receives a rendering as equal.
const RECEIVED: f64 = 0.9;

pub(super) fn who(result: &ExecutorsResult) -> Table {
    let rows = result.executors.iter().map(|executor| {
        vec![
            executor.name.clone(),
            executor.language.clone(),
            executor.packages.join(", "),
            executor.about.clone(),
            thousands(executor.calls),
            ended(&executor.ended),
        ]
    });
    Table {
        title: "The executors".to_owned(),
        columns: columns([
            "executor",
            "language",
            "packages",
            "how it takes a call",
            "calls",
            "run",
        ]),
        rows: rows.collect(),
        note: String::new(),
    }
}

fn columns<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

type Rows<'r> = Vec<(&'r String, &'r Row)>;

fn rows<'r>(result: &'r ExecutorsResult, set: &str, wanted: impl Fn(&Row) -> bool) -> Rows<'r> {
    let rows = result.sets.get(set).into_iter().flatten();
    rows.filter(|(_, row)| wanted(row)).collect()
}

fn is_ground(row: &Row, grounds: &[&str]) -> bool {
    row.ground.as_deref().is_some_and(|ground| grounds.contains(&ground))
}

/// The executors in the order of the report, each with its cell of a row.
fn cells<'r>(
    result: &'r ExecutorsResult,
    row: &'r Row,
) -> impl Iterator<Item = (&'r str, &'r Cell)> {
    result.executors.iter().filter_map(|e| Some((e.name.as_str(), row.executors.get(&e.name)?)))
}

/// The executors that do something, each with the share of pairs.
fn doing(result: &ExecutorsResult, row: &Row, count: fn(&Cell) -> u64) -> String {
    let found: Vec<String> = cells(result, row)
        .filter(|(_, cell)| count(cell) > 0)
        .map(|(name, cell)| format!("{name} {}", percent(count(cell), cell.pairs)))
        .collect();
    if found.is_empty() { "-".to_owned() } else { found.join(", ") }
}

fn standing(row: &Row) -> String {
    row.standing.as_str().to_owned()
}

fn most(row: &Row) -> u64 {
    row.executors.values().map(|cell| cell.pairs).max().unwrap_or(0)
}

/// Renderings of ground `json` and `validator`: who receives them as equal, who as unequal, and what follows.
pub(super) fn rulings(result: &ExecutorsResult, set: &str) -> Table {
    let rows = rows(result, set, |row| is_ground(row, &["json", "validator"]));
    let rows = rows.into_iter().map(|(name, row)| {
        let share = |cell: &Cell| cell.equal() as f64 / cell.told().max(1) as f64;
        let equal = cells(result, row).filter(|(_, cell)| share(cell) >= RECEIVED).count();
        let best =
            cells(result, row).map(|(_, cell)| cell).max_by(|a, b| share(a).total_cmp(&share(b)));
        let worst = cells(result, row).map(|(_, cell)| cell.unequal_upper).fold(0.0, f64::max);
        let unequal = match doing(result, row, |cell| cell.unequal) {
            none if none == "-" => format!("0 (<{})", bound(worst)),
            some => some,
        };
        vec![
            name.clone(),
            row.ground.clone().unwrap_or_default(),
            thousands(most(row)),
            best.map_or("-".to_owned(), |c| {
                format!("{} ({})", percent(c.equal(), c.told()), range(c.equal_share))
            }),
            format!("{equal} of {}", row.executors.len()),
            doing(result, row, |cell| cell.other_type),
            unequal,
            standing(row),
        ]
    });
    Table {
        title: format!("{set}: renderings that the grammar grounds on JSON or on validators"),
        columns: columns([
            "production",
            "ground",
            "pairs",
            "equal on the\nbest, %",
            "executors\nequal",
            "equal, of\nanother type, %",
            "unequal, %",
            "standing",
        ]),
        rows: rows.collect(),
        note: "Equal: both spellings accepted and the handler receives equal values, of the pairs that are not refused on both sides (such a call is \
               refused however it is spelled); with the 95 % interval (Wilson). Executors equal: those that receive 90 % or more so. Unequal: accepted both, received unequal; at 0 the largest exact one-sided 95 % upper bound. \
               holds: no executor receives it unequal, some as equal. refused-only: none unequal, and none equal in nine of ten, since one side is refused; \
               merging it neither helps nor harms. executor_dependent: scored apart, outside every gate."
            .to_owned(),
    }
}

/// The shares of all four outcomes as whole percents: equal, unequal, one refused, both refused.
fn four(cell: &Cell) -> String {
    let part = |n: u64| match n {
        0 => "0".to_owned(),
        n if n == cell.pairs => "100".to_owned(),
        n => match 100.0 * n as f64 / cell.pairs.max(1) as f64 {
            share if share < 0.5 => "<1".to_owned(),
            share if share >= 99.5 => ">99".to_owned(),
            share => format!("{share:.0}"),
        },
    };
    [cell.equal(), cell.unequal, cell.one_refused, cell.both_refused].map(part).join("/")
}

fn every(result: &ExecutorsResult, rows: Rows<'_>, title: String, first: &str) -> Table {
    let mut columns = vec![first.to_owned(), "pairs".to_owned()];
    columns.extend(result.executors.iter().map(|executor| executor.name.clone()));
    let rows = rows.into_iter().map(|(name, row)| {
        let mut cells = vec![name.clone(), thousands(most(row))];
        cells.extend(
            result
                .executors
                .iter()
                .map(|e| row.executors.get(&e.name).map_or("-".to_owned(), four)),
        );
        cells
    });
    Table {
        title,
        columns,
        rows: rows.collect(),
        note: "Percent of the pairs: received equal / received unequal / one spelling refused / both refused. The counts and intervals are in \
               executors.json."
            .to_owned(),
    }
}

/// What a user takes on by declaring.
pub(super) fn declared(result: &ExecutorsResult, set: &str) -> Table {
    let rows = rows(result, set, |row| is_ground(row, &["declared"]));
    let title = format!(
        "{set}: renderings that only an annotation makes renderings; what each executor hands on"
    );
    every(result, rows, title, "production")
}

/// Pairs that no grammar made, and renderings where nothing is ruled.
pub(super) fn classes(result: &ExecutorsResult, set: &str) -> Table {
    let rows =
        rows(result, set, |row| row.grammar == "class" || is_ground(row, &["json", "validator"]));
    every(result, rows, format!("{set}: every executor"), "class")
}

/// Changes: who folds them.
pub(super) fn changes(result: &ExecutorsResult, set: &str) -> Table {
    let rows = rows(result, set, |row| row.grammar == "change" && row.standing != Standing::Scope);
    let rows = rows.into_iter().map(|(name, row)| {
        vec![name.clone(), thousands(most(row)), doing(result, row, Cell::equal), standing(row)]
    });
    Table {
        title: format!("{set}: changes that some executor hands its handler as equal"),
        columns: columns(["change", "pairs", "received as equal, %", "standing"]),
        rows: rows.collect(),
        note: "A change is another call by construction: an executor that hands over equal values folds what should differ, and its handler cannot \
               tell the two. Changes of the scope around the arguments are left out: no executor sees it."
            .to_owned(),
    }
}

/// By kind of field, for renderings that are not declared.
pub(super) fn kinds(result: &ExecutorsResult, set: &str) -> Table {
    let rows = rows(result, set, |row| is_ground(row, &["json", "validator"]));
    let mut columns = vec!["production".to_owned(), "field kind".to_owned(), "pairs".to_owned()];
    columns.extend(result.executors.iter().map(|executor| executor.name.clone()));
    let mut out = Vec::new();
    for (name, row) in rows {
        for (kind, executors) in &row.kinds {
            let pairs = executors.values().map(|cell| cell.pairs).max().unwrap_or(0);
            let mut cells = vec![name.clone(), kind.clone(), thousands(pairs)];
            cells.extend(
                result
                    .executors
                    .iter()
                    .map(|e| executors.get(&e.name).map_or("-".to_owned(), four)),
            );
            out.push(cells);
        }
    }
    Table {
        title: format!("{set}: the same by kind of field"),
        columns,
        rows: out,
        note: "The kind of the first field at which the two spellings part; whole: they part in layout, escapes or wrapping alone; object: at a member that \
               the schema does not declare."
            .to_owned(),
    }
}

/// Each keyer's verdicts beside what each executor received.
pub(super) fn keyers(result: &ExecutorsResult) -> Table {
    let mut rows = Vec::new();
    for executor in &result.executors {
        for (keyer, check) in result.keyers.get(&executor.name).into_iter().flatten() {
            rows.push(vec![
                keyer.clone(),
                executor.name.clone(),
                thousands(check.pairs),
                format!("{} (<{})", thousands(check.same_unequal), bound(check.same_unequal_upper)),
                thousands(check.equal),
                format!("{} ({})", thousands(check.missed), percent(check.missed, check.equal)),
            ]);
        }
    }
    rows.sort_by_key(|row| row[0].clone());
    Table {
        title: "Keyers beside executors".to_owned(),
        columns: columns([
            "keyer",
            "executor",
            "pairs",
            "same, received\nunequal (%)",
            "received\nequal",
            "of these\nmissed (%)",
        ]),
        rows,
        note: "Same, received unequal: the keyer would replay a call whose handler would have received something else; with the exact one-sided 95 % upper bound. \
               A profile (`typed@...`) must show 0 beside its own executors. `typed` by itself goes by the user's annotations, which no executor knows: \
               its count is what declaring takes on. All truths are in it: two calls that differ in scope alone are received as equal."
            .to_owned(),
    }
}

/// For each profile, the share of received-as-equal pairs that it misses, by production.
pub(super) fn missed(result: &ExecutorsResult) -> Vec<Table> {
    // Keyer, then set and production, then executor.
    type Cells = BTreeMap<(String, String), BTreeMap<String, String>>;
    let mut profiles: BTreeMap<String, Cells> = BTreeMap::new();
    for (executor, keyers) in &result.keyers {
        for (keyer, check) in keyers.iter().filter(|(_, check)| check.profile) {
            for (set, productions) in &check.productions {
                for (production, counts) in productions.iter().filter(|(_, c)| c.missed > 0) {
                    let text = format!(
                        "{} ({})",
                        percent(counts.missed, counts.equal),
                        thousands(counts.equal)
                    );
                    profiles
                        .entry(keyer.clone())
                        .or_default()
                        .entry((set.clone(), production.clone()))
                        .or_default()
                        .insert(executor.clone(), text);
                }
            }
        }
    }
    profiles
        .into_iter()
        .map(|(keyer, cells)| {
            let executors: Vec<String> = result
                .executors
                .iter()
                .map(|executor| executor.name.clone())
                .filter(|name| cells.values().any(|row| row.contains_key(name)))
                .collect();
            let mut columns = vec!["production".to_owned()];
            columns.extend(executors.iter().cloned());
            let rows = cells
                .iter()
                .map(|((_, production), row)| {
                    let mut out = vec![production.clone()];
                    out.extend(executors.iter().map(|e| row.get(e).cloned().unwrap_or("0".to_owned())));
                    out
                })
                .collect();
            Table {
                title: format!("`{keyer}`: pairs received as equal that it misses, by production"),
                columns,
                rows,
                note: format!(
                    "Percent missed, and in brackets the pairs received as equal. On every other production {keyer} misses none beside {}.",
                    list(&executors)
                ),
            }
        })
        .collect()
}
