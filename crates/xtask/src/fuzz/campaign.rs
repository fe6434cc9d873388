//! Hunts of many targets and strategies, side by side, and a report of what they did.

use super::{Outcome, Run, build, run, seeds};
use anyhow::{Context, Result, bail};
use samecall_fuzz::laws::NAMES;
use samecall_oracle::is_of_no_strategy;
use samecall_oracle::subject::{CLEAN, DEFAULT};
use serde_json::Value;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

/// What to hunt.
pub struct Campaign {
    /// Seconds for each target and strategy.
    pub seconds: u64,
    /// Targets; all where none is named.
    pub targets: Vec<String>,
    /// Strategies; the default one where none is named. A target that asks no strategy is run once.
    pub strategies: Vec<String>,
    /// Runs at a time.
    pub jobs: usize,
    /// Whether runs begin from nothing rather than from the seeds.
    pub empty: bool,
    /// libFuzzer's seed, for a campaign that is to be repeated; a fresh one where none is given.
    pub seed: Option<u64>,
    /// What must be found: strategy, law, and names that are all in the class.
    pub expected: Vec<Expected>,
    /// Where the report is written; printed alone where none is named.
    pub report: Option<PathBuf>,
}

/// A find that a baseline is known to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The strategy.
    pub strategy: String,
    /// The broken law.
    pub law: String,
    /// Names that are all in the find's class.
    pub class: Vec<String>,
}

impl FromStr for Expected {
    type Err = String;

    /// Reads `STRATEGY:LAW:NAME+NAME`; the names may be missing, the colon before them not.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.rsplitn(3, ':');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(class), Some(law), Some(strategy)) if !law.is_empty() && !strategy.is_empty() => {
                let class = class.split('+').filter(|name| !name.is_empty());
                Ok(Expected {
                    strategy: strategy.to_owned(),
                    law: law.to_owned(),
                    class: class.map(str::to_owned).collect(),
                })
            }
            _ => Err("must be STRATEGY:LAW:NAME+NAME".to_owned()),
        }
    }
}

impl Expected {
    fn is(&self, strategy: &str, find: &Value) -> bool {
        let class: Vec<&str> = find["class"].as_str().unwrap_or_default().split('+').collect();
        self.strategy == strategy
            && find["law"] == *self.law
            && self.class.iter().all(|name| class.contains(&name.as_str()))
    }
}

struct Done {
    target: &'static str,
    strategy: String,
    outcome: Result<Outcome>,
}

/// Runs the campaign, prints a table, and writes it with the machine's name and the date.
///
/// # Errors
/// When a target cannot be built or run; a find is not accepted, of a law that asks no strategy or of a strategy that claims
/// to break none; or what was expected is not found.
pub fn campaign(root: &Path, campaign: &Campaign) -> Result<()> {
    let known = |target: &String| NAMES.iter().any(|(name, _)| name == target);
    if let Some(target) = campaign.targets.iter().find(|target| !known(target)) {
        let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        bail!("`{target}` is no target; there are {}", names.join(", "));
    }
    let mut queue = VecDeque::new();
    for (target, has_subject) in NAMES.into_iter().filter(|(target, _)| {
        campaign.targets.is_empty() || campaign.targets.iter().any(|name| name == target)
    }) {
        let default = [DEFAULT.to_owned()];
        let strategies = match campaign.strategies.as_slice() {
            [] => &default[..],
            some => some,
        };
        let count = if has_subject { strategies.len() } else { 1 };
        for strategy in &strategies[..count] {
            queue.push_back((target, has_subject, strategy.clone()));
        }
        build(root, target)?;
    }
    // Not where a fuzzer of the bare command keeps what it has found before.
    let own = tempfile::tempdir()?;
    if !campaign.empty {
        seeds::write(root, own.path())?;
    }
    let started = Instant::now();
    let (queue, done) = (Mutex::new(queue), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..campaign.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    // A panic in another run leaves the queue as it was.
                    let next = queue.lock().unwrap_or_else(|e| e.into_inner()).pop_front();
                    let Some((target, has_subject, strategy)) = next else { break };
                    let outcome = run(
                        root,
                        &Run {
                            target,
                            strategy: &strategy,
                            finds: "collect".to_owned(),
                            seconds: campaign.seconds,
                            seeds: (!campaign.empty).then_some(own.path()),
                            finds_folder: root
                                .join("fuzz/finds")
                                .join(strategy.replace([':', ','], "-")),
                            seed: campaign.seed,
                        },
                    );
                    let strategy = if has_subject { strategy } else { String::new() };
                    let all = Done { target, strategy, outcome };
                    done.lock().unwrap_or_else(|e| e.into_inner()).push(all);
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|e| e.into_inner());
    let place = |done: &Done| NAMES.iter().position(|(target, _)| *target == done.target);
    done.sort_by(|a, b| (place(a), &a.strategy).cmp(&(place(b), &b.strategy)));
    let text = report(&done, campaign, started.elapsed().as_secs())?;
    print!("{text}");
    if let Some(path) = &campaign.report {
        crate::replays::write(&root.join(path), &text)?;
    }
    let mut faults = Vec::new();
    for done in &done {
        let clean = done.strategy.is_empty() || CLEAN.contains(&done.strategy.as_str());
        match &done.outcome {
            Ok(outcome) => {
                for find in outcome.finds().iter().filter(|find| find["accepted"] != true) {
                    let text = |name: &str| find[name].as_str().unwrap_or_default().to_owned();
                    if clean || is_of_no_strategy(&text("law")) {
                        let shown =
                            shown(done.target, &text("law"), &text("class"), &outcome.printed);
                        faults.push(shown);
                    }
                }
            }
            Err(error) => faults.push(format!("{error:#}")),
        }
    }
    for expected in &campaign.expected {
        let finds = |done: &Done| match &done.outcome {
            Ok(outcome) => outcome.finds().iter().any(|find| expected.is(&done.strategy, find)),
            Err(_) => false,
        };
        if !done.iter().any(finds) {
            let Expected { strategy, law, class } = expected;
            faults.push(format!("not found: {law} ({}) of {strategy}", class.join("+")));
        }
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// A find as the hunt showed it, with the values that it drew itself; so that a log of CI is enough to work on it.
fn shown(target: &str, law: &str, class: &str, printed: &str) -> String {
    let head = format!("samecall: {target} finds {law} ({class})");
    let lines = printed.lines().skip_while(|line| !line.starts_with(&head));
    let mut lines = lines.take_while(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or(&head).trim_start_matches("samecall: ").to_owned();
    // What a fuzzer prints of its own stands without an indent.
    lines.take_while(|line| line.starts_with("  ")).fold(first, |text, line| text + "\n" + line)
}

fn report(done: &[Done], campaign: &Campaign, seconds: u64) -> Result<String> {
    let from = if campaign.empty { "an empty corpus" } else { "the seeds" };
    let mut out = format!("# Fuzzing, {}\n\n", today()?);
    writeln!(
        out,
        "Machine: {}, {} cores. {} seconds for each target and strategy, from {from}, {} at a time; {seconds} s in all.\n",
        processor(),
        thread::available_parallelism().map_or(1, usize::from),
        campaign.seconds,
        campaign.jobs.max(1)
    )?;
    out.push_str(
        "| target | strategy | executions | a second | edges | features | finds | accepted |\n",
    );
    out.push_str("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for Done { target, strategy, outcome } in done {
        let strategy = if strategy.is_empty() { "-" } else { strategy };
        match outcome {
            Ok(outcome) => {
                let executions = outcome.summary["executions"].as_u64().unwrap_or(0);
                let seconds = outcome.summary["seconds"].as_f64().unwrap_or(0.0).max(0.01);
                let [edges, features] = outcome
                    .coverage
                    .map_or(["-".to_owned(), "-".to_owned()], |c| c.map(|n| n.to_string()));
                let accepted = outcome.finds().iter().filter(|f| f["accepted"] == true).count();
                writeln!(
                    out,
                    "| {target} | {strategy} | {executions} | {:.0} | {edges} | {features} | {} | {accepted} |",
                    executions as f64 / seconds,
                    outcome.finds().len() - accepted
                )?;
            }
            Err(error) => {
                let first = error.to_string();
                let first = first.lines().next().unwrap_or_default();
                writeln!(out, "| {target} | {strategy} | {first} | | | | | |")?;
            }
        }
    }
    for Done { target, strategy, outcome } in done {
        let Ok(outcome) = outcome else { continue };
        let seen: Vec<String> = outcome.summary["seen"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(word, count)| format!("{word} {count}"))
            .collect();
        let of = if strategy.is_empty() { String::new() } else { format!(" of `{strategy}`") };
        write!(out, "\n## {target}{of}\n\nSaw: {}.\n", seen.join(", "))?;
        if !outcome.finds().is_empty() {
            out.push_str(
                "\n| broken law | class | executions | seconds |\n| --- | --- | ---: | ---: |\n",
            );
        }
        for find in outcome.finds() {
            let text = |name: &str| find[name].as_str().unwrap_or_default().to_owned();
            writeln!(
                out,
                "| {} | {} | {} | {} |",
                text("law"),
                text("class").replace('+', ", "),
                number(&find["executions"]),
                number(&find["seconds"])
            )?;
        }
    }
    Ok(out)
}

fn number(value: &Value) -> String {
    value.to_string()
}

/// The date in UTC, as the system says it.
///
/// # Errors
/// When the system cannot be asked.
pub fn today() -> Result<String> {
    let output = Command::new("date").args(["-u", "+%Y-%m-%d"]).output().context("date")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    name.unwrap_or("unknown processor").to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Expected, shown};
    use serde_json::json;

    #[test]
    fn what_is_expected_is_told_from_what_is_found() {
        let expected: Expected = "planted:doubles:change:a+b".parse().expect("an expectation");
        assert_eq!(
            (expected.strategy.as_str(), expected.law.as_str()),
            ("planted:doubles", "change")
        );
        let find = |law: &str, class: &str| json!({ "law": law, "class": class });
        assert!(expected.is("planted:doubles", &find("change", "a+b+c")));
        assert!(!expected.is("planted:doubles", &find("change", "a")));
        assert!(!expected.is("planted:doubles", &find("order", "a+b")));
        assert!(!expected.is("doubles", &find("change", "a+b")));
        let any: Expected = "normalised:fixed_point:".parse().expect("an expectation");
        assert!(any.is("normalised", &find("fixed_point", "any")));
        for wrong in ["", "normalised", "normalised:change", ":change:a", "normalised::a"] {
            assert!(wrong.parse::<Expected>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_fault_is_shown_with_its_pair() {
        let printed = "#1\tINITED\n\nsamecall: jcs finds jcs (any): other\n\nsamecall: catalog finds total (any): no answer\n  \
            after 3 executions, 0.1 s\n  a  {\"tool\":\"t\"}\n#4\tNEW cov: 1\n";
        assert_eq!(
            shown("catalog", "total", "any", printed),
            "catalog finds total (any): no answer\n  after 3 executions, 0.1 s\n  a  {\"tool\":\"t\"}"
        );
        assert_eq!(shown("catalog", "order", "any", printed), "catalog finds order (any)");
    }
}
