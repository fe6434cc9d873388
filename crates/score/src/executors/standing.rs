//! What follows from what executors received: each production's standing, and what the run contradicts.

use super::rulings::Rulings;
use samecall_call::executors::{Cell, ExecutorRun, ExecutorsResult, Row, Standing};
use samecall_drift::{Grammar, Ground, ProductionInfo, productions};

/// The share of its pairs that some executor must receive as equal; below it a rendering is refused-only.
const RECEIVED: f64 = 0.9;

/// Rules on one production by its row. `executors` are those whose counts are complete.
pub(super) fn standing(
    info: &ProductionInfo,
    row: &Row,
    executors: &[ExecutorRun],
    rulings: &Rulings,
) -> (Standing, Vec<String>) {
    let name = info.name;
    let ruling = rulings.of(info);
    let cells: Vec<(&str, &Cell)> = executors
        .iter()
        .filter_map(|e| Some((e.name.as_str(), row.executors.get(&e.name)?)))
        .collect();
    let any = |against: fn(&Cell) -> u64| -> Vec<&str> {
        cells.iter().filter(|(_, cell)| against(cell) > 0).map(|(name, _)| *name).collect()
    };
    let mut faults = Vec::new();
    let standing = match info.grammar {
        // No executor sees the scope; another tool is another handler.
        Grammar::Change if info.kinds().eq(["scope"]) && name != "other_tool" => Standing::Scope,
        Grammar::Change => against(
            name,
            "is received as equal by",
            &any(Cell::equal),
            ruling.map(|r| &r.executors),
            &mut faults,
        )
        .unwrap_or(if ruling.is_some() { Standing::Folded } else { Standing::Apart }),
        Grammar::Render if info.ground == Some(Ground::Declared) => Standing::Declared,
        Grammar::Render => {
            let unequal = any(|cell| cell.unequal);
            let listed = ruling.map(|r| &r.executors);
            let equal = cells.iter().any(|(_, cell)| {
                cell.pairs > 0 && cell.equal() as f64 >= RECEIVED * cell.pairs as f64
            });
            against(name, "is accepted and received unequal by", &unequal, listed, &mut faults)
                .unwrap_or(match (ruling, equal) {
                    (Some(_), _) => Standing::ExecutorDependent,
                    (None, true) => Standing::Holds,
                    (None, false) => Standing::RefusedOnly,
                })
        }
    };
    (standing, faults)
}

/// Notes executors that go against a production and are not in its ruling, and those that are and do not.
fn against(
    name: &str,
    what: &str,
    found: &[&str],
    listed: Option<&Vec<String>>,
    faults: &mut Vec<String>,
) -> Option<Standing> {
    let unlisted: Vec<&str> = found
        .iter()
        .copied()
        .filter(|name| listed.is_none_or(|list| !list.iter().any(|known| known == name)))
        .collect();
    if !unlisted.is_empty() {
        faults.push(format!("`{name}` {what} {}, which no ruling says", unlisted.join(", ")));
    }
    (!unlisted.is_empty()).then_some(Standing::Contradicted)
}

/// Rulings that name executors which were asked and did nothing of the kind. Only a large run can tell.
pub(super) fn idle_rulings(result: &ExecutorsResult, rulings: &Rulings, set: &str) -> Vec<String> {
    let Some(rows) = result.sets.get(set) else { return Vec::new() };
    let mut idle = Vec::new();
    for info in productions() {
        let (Some(ruling), Some(row)) = (rulings.of(info), rows.get(info.name)) else { continue };
        for executor in &ruling.executors {
            let Some(cell) = row.executors.get(executor) else { continue };
            let count = match info.grammar {
                Grammar::Render => cell.unequal,
                Grammar::Change => cell.equal(),
            };
            if count == 0 && cell.pairs > 0 {
                idle.push(format!(
                    "the ruling on `{}` names {executor}, which did not do so here",
                    info.name
                ));
            }
        }
    }
    idle
}
