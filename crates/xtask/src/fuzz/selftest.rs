//! Every fuzz target hunts every planted fault that it claims to find, from nothing; one that is not found fails.

use super::{Run, build, run};
use anyhow::{Result, bail};
use samecall_oracle::planted::{self, Claim, Plan};
use std::collections::BTreeSet;
use std::path::Path;

/// Hunts every claim for at most so many seconds and prints what each took.
///
/// # Errors
/// When a fault is not found, or a target cannot be built or run.
pub fn selftest(root: &Path, seconds: u64, only: Option<&str>) -> Result<()> {
    let plans = planted::plans().map_err(anyhow::Error::msg)?;
    let plans: Vec<Plan> = plans.into_iter().filter(|p| only.is_none_or(|o| o == p.name)).collect();
    if plans.is_empty() {
        bail!("there is no planted fault of that name");
    }
    let targets: BTreeSet<&str> =
        plans.iter().flat_map(|plan| &plan.claims).map(|claim| claim.target.as_str()).collect();
    for target in targets {
        build(root, target)?;
    }
    let finds = tempfile::tempdir()?;
    let mut missed = Vec::new();
    println!(
        "| fault | target | broken law | executions | seconds |\n| --- | --- | --- | ---: | ---: |"
    );
    for plan in &plans {
        for claim in &plan.claims {
            let row = format!("| {} | {} | {} |", plan.name, claim.target, shown(claim));
            match hunt(root, plan, claim, seconds, finds.path())? {
                Some((executions, seconds)) => println!("{row} {executions} | {seconds:.1} |"),
                None => {
                    println!("{row} not found | {seconds} |");
                    missed.push(format!("{} by {}", plan.name, claim.target));
                }
            }
        }
    }
    if !missed.is_empty() {
        bail!("not found: {}", missed.join("; "));
    }
    Ok(())
}

fn shown(claim: &Claim) -> String {
    match claim.class.is_empty() {
        true => claim.law.clone(),
        false => format!("{}: {}", claim.law, claim.class.join(", ")),
    }
}

/// Executions and seconds up to the claimed find; none where it was not found.
fn hunt(
    root: &Path,
    plan: &Plan,
    claim: &Claim,
    seconds: u64,
    finds: &Path,
) -> Result<Option<(u64, f64)>> {
    let strategy = format!("planted:{}", plan.name);
    let outcome = run(
        root,
        &Run {
            target: &claim.target,
            strategy: &strategy,
            finds: format!("until:{}:{}", claim.law, claim.class.join("+")),
            seconds,
            seeds: None,
            finds_folder: finds.to_owned(),
            seed: Some(1),
        },
    )?;
    Ok(outcome.finds().iter().find_map(|find| {
        let class: Vec<&str> = find["class"].as_str()?.split('+').collect();
        let is_it = find["law"] == *claim.law
            && claim.class.iter().all(|name| class.contains(&name.as_str()));
        is_it.then(|| Some((find["executions"].as_u64()?, find["seconds"].as_f64()?))).flatten()
    }))
}
