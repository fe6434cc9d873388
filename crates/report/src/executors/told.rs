//! The parts of an executor report that are told rather than tabled: pairs on which executors part, reasons, and what
//! each hands on for single calls.

use samecall_call::executors::{ExecutorsResult, Row, Standing};
use std::collections::BTreeMap;

/// JSON text inside Markdown.
fn code(text: &str) -> String {
    if text.is_empty() {
        "(no text)".to_owned()
    } else {
        format!("`{}`", text.replace('`', "\u{2019}"))
    }
}

/// Executors grouped by what they did, in the order of the report; the largest group first.
fn grouped(
    result: &ExecutorsResult,
    of: impl Fn(&str) -> Option<String>,
) -> Vec<(String, Vec<&str>)> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for executor in &result.executors {
        let Some(did) = of(&executor.name) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == did) {
            Some((_, names)) => names.push(&executor.name),
            None => groups.push((did, vec![&executor.name])),
        }
    }
    groups.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    groups
}

/// The pairs on which executors disagree, in plain words.
pub(super) fn surprises(result: &ExecutorsResult) -> String {
    if result.surprises.iter().all(|surprise| surprise.taken.is_empty()) {
        return String::new();
    }
    let mut out = "\n## Where executors part\n\nWhat a user's stack does without being asked. Each pair was put to every executor in this \
                   run; the values are what the handler received.\n"
        .to_owned();
    for (at, surprise) in result.surprises.iter().enumerate() {
        out.push_str(&format!(
            "\n{}. {}\n\n   {} against {}\n\n",
            at + 1,
            surprise.says,
            code(&surprise.a),
            code(&surprise.b)
        ));
        let groups = grouped(result, |name| {
            let taken = surprise.taken.get(name)?;
            Some(match taken.how.as_str() {
                "both refused" => "both refused".to_owned(),
                how if taken.a == taken.b => format!("**{how}**: {} both times", code(&taken.a)),
                how => format!("**{how}**: {}, then {}", shown(&taken.a), shown(&taken.b)),
            })
        });
        for (did, names) in groups {
            out.push_str(&format!("   - {did}: {}\n", names.join(", ")));
        }
    }
    out
}

fn shown(received: &str) -> String {
    if received == "refused" { received.to_owned() } else { code(received) }
}

/// Why rulings are as they are, each with the shortest pair of the run that shows it.
pub(super) fn reasons(result: &ExecutorsResult, set: &str) -> String {
    let mut out = String::new();
    let Some(rows) = result.sets.get(set) else { return out };
    type Section = (&'static str, fn(&Row) -> bool);
    let sections: [Section; 2] = [
        ("Renderings that depend on the executor", |row| {
            row.standing == Standing::ExecutorDependent
        }),
        ("Changes that some executor folds", |row| row.standing == Standing::Folded),
    ];
    for (title, wanted) in sections {
        let chosen: Vec<_> = rows.iter().filter(|(_, row)| wanted(row)).collect();
        if chosen.is_empty() {
            continue;
        }
        out.push_str(&format!("\n**{title}**\n\n"));
        for (name, row) in chosen {
            out.push_str(&format!("- `{name}`: {}", row.reason));
            let example = row
                .executors
                .iter()
                .filter_map(|(executor, cell)| Some((executor, cell.against.as_ref()?)))
                .filter(|(_, against)| !(against.a.is_empty() && against.b.is_empty()))
                .min_by_key(|(_, against)| (against.a.len() + against.b.len(), against.id.clone()));
            if let Some((executor, against)) = example {
                out.push_str(&format!(
                    " Shortest pair, {executor}, tool `{}`: {} against {}.",
                    against.tool,
                    code(&against.a),
                    code(&against.b)
                ));
            }
            out.push('\n');
        }
    }
    out
}

/// What each executor hands on for single calls.
pub(super) fn probes(result: &ExecutorsResult) -> String {
    if result.probes.iter().all(|probe| probe.received.is_empty()) {
        return String::new();
    }
    let mut out = "\n## What executors drop, insert and convert\n\nSingle calls, each with the reading of the keyer `typed` (the rules on absence, coercion and names in \
                   ARCHITECTURE.md) and what each executor's handler received.\n"
        .to_owned();
    for probe in &result.probes {
        let received: BTreeMap<&str, &str> =
            probe.received.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        out.push_str(&format!(
            "\n- **{}**: {}. `typed`: {}.\n",
            probe.asks,
            code(&probe.arguments),
            probe.rule
        ));
        for (did, names) in grouped(result, |name| received.get(name).map(|text| shown(text))) {
            out.push_str(&format!("  - {did}: {}\n", names.join(", ")));
        }
    }
    out
}
