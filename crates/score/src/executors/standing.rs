//! What follows from what executors received: each production's standing, and what the run contradicts.

use super::rulings::Rulings;
use samecall_call::executors::{Cell, Ended, ExecutorRun, ExecutorsResult, Row, Standing};
use samecall_drift::{Grammar, Ground, ProductionInfo, productions};

/// The share of the pairs not refused on both sides that some executor must receive as equal; below it a rendering is
/// refused-only.
const RECEIVED: f64 = 0.9;

/// Pairs from which on a ruling that nothing confirms is a fault.
const MANY: u64 = 50_000;

/// Says what each row of a result is and what follows from it, and notes every fault anew. `complete`: these are all executors
/// that the rulings and the questions speak of, so that what none of them does is a fault.
pub fn rule(result: &mut ExecutorsResult, rulings: &Rulings, complete: bool) {
    result.faults = failed(result);
    // Of two productions on one pair either may be the cause.
    let ruled = result.depth.is_some_and(|depth| depth <= 1);
    let mut idle = Vec::new();
    let many = result.inputs.iter().map(|input| input.pairs).sum::<u64>() >= MANY;
    for (set, rows) in &mut result.sets {
        for (label, row) in rows {
            let info = productions().iter().find(|info| info.name == *label);
            let Some(info) = info.filter(|_| set.starts_with("generated-")) else {
                row.grammar = "class".to_owned();
                continue;
            };
            let render = info.grammar == Grammar::Render;
            row.grammar = if render { "render" } else { "change" }.to_owned();
            row.ground = info.ground.map(|ground| ground.as_str().to_owned());
            row.reason = rulings.of(info).map(|ruling| ruling.reason.clone()).unwrap_or_default();
            row.standing = Standing::Unruled;
            if ruled {
                let (standing, faults) = standing(info, row, &result.executors, rulings);
                row.standing = standing;
                result.faults.extend(faults);
                if complete && many {
                    idle.extend(idle_rulings(info, row, rulings));
                }
            }
        }
    }
    result.faults.extend(idle);
    if complete {
        result.faults.extend(unsurprising(result));
    }
}

/// Executors that did not finish, and profiles that answer `same` for what their executors receive as unequal.
fn failed(result: &ExecutorsResult) -> Vec<String> {
    let mut faults = Vec::new();
    for ExecutorRun { name, ended, .. } in &result.executors {
        match ended {
            Ended::Finished => {}
            Ended::Crashed { reason } => faults.push(format!("{name} crashed: {reason}")),
            Ended::Hung { seconds } => {
                faults.push(format!("{name} hung: no call taken and no answer for {seconds} s"));
            }
            Ended::Broken { reason } => faults.push(format!("{name} broke the protocol: {reason}")),
        }
        for (keyer, check) in result.keyers.get(name).into_iter().flatten() {
            if check.profile && check.same_unequal > 0 {
                let n = check.same_unequal;
                faults.push(format!(
                    "`{keyer}` answers `same` for {n} pairs that {name} receives as unequal"
                ));
            }
        }
    }
    faults
}

/// Pairs shown as surprises on which no two executors disagree after all.
fn unsurprising(result: &ExecutorsResult) -> Vec<String> {
    let mut faults = Vec::new();
    for pair in &result.surprises {
        let hows: Vec<&str> = pair.taken.values().map(|taken| taken.how.as_str()).collect();
        if hows.windows(2).all(|two| two[0] == two[1]) {
            faults.push(format!("no two executors disagree on: {}", pair.says));
        }
    }
    faults
}

/// Rules on one production by its row.
fn standing(
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
            // A call that is refused however it is spelled says nothing of its spellings.
            let equal = cells.iter().any(|(_, cell)| {
                cell.told() > 0 && cell.equal() as f64 >= RECEIVED * cell.told() as f64
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

/// A ruling of which none of the executors that it names did anything of the kind. Only a large run can tell.
fn idle_rulings(info: &ProductionInfo, row: &Row, rulings: &Rulings) -> Option<String> {
    let ruling = rulings.of(info)?;
    let did = |executor: &String| {
        row.executors.get(executor).is_some_and(|cell| match info.grammar {
            Grammar::Render => cell.unequal > 0,
            Grammar::Change => cell.equal() > 0,
        })
    };
    let names = ruling.executors.join(", ");
    (!ruling.executors.iter().any(did))
        .then(|| format!("the ruling on `{}` names {names}, and none did so here", info.name))
}
