//! `samecall explain`: why a strategy answers a pair as it does, with both canonical forms, the rules
//! that fired, and the place where the forms part.

use crate::inputs::{StrategyArgs, ToolArgs};
use anyhow::{Context, Result, bail};
use samecall_call::json::{Dialect, parse};
use samecall_call::{LineReader, Pair, Resolver, Tool, Truth, Verdict};
use samecall_keyer::{Explanation, Fired, Keyer, Outcome, verdict};
use std::path::PathBuf;
use std::process::ExitCode;

/// Show why a strategy answers a pair as it does
///
/// Prints both canonical forms, the rules that fired on each field, and the first place where the
/// forms part. The output shows argument values: customers' data, if the pair is real.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  samecall explain --strategy normalised pair.json
  samecall explain --strategy typed --tools tools.json --id p17 pairs.jsonl")]
pub(crate) struct Args {
    #[command(flatten)]
    strategies: StrategyArgs,
    #[command(flatten)]
    tools: ToolArgs,
    /// The pair to explain, where the file holds several.
    #[arg(long)]
    id: Option<String>,
    /// One pair as JSON, or pairs as JSON lines; standard input for - or none.
    #[arg(default_value = "-")]
    file: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let keyer = args.strategies.one()?;
    let resolver = Resolver::new(args.tools.catalog()?);
    let pair = read_pair(args)?;
    let [tool_a, tool_b] = resolver.resolve_pair(&pair).map_err(anyhow::Error::msg)?;
    print_pair(keyer.as_ref(), &pair, tool_a.as_deref(), tool_b.as_deref());
    Ok(ExitCode::SUCCESS)
}

/// The pair of the wanted id, else the file's one pair; a file may hold one pair over many lines.
fn read_pair(args: &Args) -> Result<Pair> {
    let mut lines = LineReader::open(&args.file)?;
    let name = lines.name().to_owned();
    let mut text = String::new();
    let mut found: Option<Pair> = None;
    while let Some((number, line)) = lines.next_line()? {
        text.push_str(line);
        text.push('\n');
        let Ok(value) = parse(line, Dialect::Strict) else {
            // Perhaps one pair on several lines; known at the end.
            if found.is_some() {
                bail!("{name}:{number}: no JSON");
            }
            continue;
        };
        if found.is_none() && text.lines().count() > 1 {
            continue;
        }
        let pair = Pair::from_value(&value).with_context(|| format!("{name}:{number}"))?;
        match &args.id {
            Some(id) if pair.id == *id => return Ok(pair),
            Some(_) => found = Some(pair),
            None if found.is_some() => bail!("{name} holds several pairs; name one with --id"),
            None => found = Some(pair),
        }
    }
    match (&args.id, found) {
        (Some(id), Some(_)) => bail!("{name} has no pair with the id `{id}`"),
        (None, Some(pair)) => Ok(pair),
        (_, None) => {
            let value = parse(&text, Dialect::Strict).with_context(|| name.clone())?;
            Pair::from_value(&value).with_context(|| name.clone())
        }
    }
}

fn print_pair(keyer: &dyn Keyer, pair: &Pair, tool_a: Option<&Tool>, tool_b: Option<&Tool>) {
    let (a, b) = (keyer.key(&pair.a, tool_a), keyer.key(&pair.b, tool_b));
    let answer = verdict(&a, &b);
    println!("pair      {} ({}, {})", pair.id, pair.truth, pair.why);
    println!("strategy  {}", keyer.name());
    println!("verdict   {answer}, which is {}", judgement(pair.truth, answer));
    let explained = (keyer.explain(&pair.a, tool_a), keyer.explain(&pair.b, tool_b));
    for (side, outcome, call, explanation) in
        [("a", &a, &pair.a, &explained.0), ("b", &b, &pair.b, &explained.1)]
    {
        println!("\n{side}  tool      {}", call.tool);
        println!("   text      {}", call.arguments);
        match outcome {
            Outcome::Key(keyed) => {
                println!("   key       {}", keyed.key);
                if let Some(parts) = &keyed.parts {
                    println!("   slot      {}", parts.slot);
                    println!("   finger    {}", parts.fingerprint);
                    if let Some(payload) = &parts.payload {
                        println!("   payload   {payload}");
                    }
                }
            }
            Outcome::Refused(refusal) => println!("   refused   {refusal}"),
        }
        if let Some(Ok(Explanation { form, fired })) = explanation {
            println!("   form      {form}");
            for Fired { path, rule } in fired {
                let path = if path.is_empty() { "(all)".to_owned() } else { path.join(".") };
                println!("   rule      {rule} at {path}");
            }
        }
    }
    if let (Some(Ok(a)), Some(Ok(b))) = (&explained.0, &explained.1) {
        println!();
        print_difference(a, b, pair.truth, answer);
    }
}

/// What the verdict is worth under the truth.
fn judgement(truth: Truth, answer: Verdict) -> &'static str {
    match (truth, answer) {
        (Truth::Retry, Verdict::Same) => "right: the retry is recognised",
        (Truth::Retry, Verdict::Different) => "a miss: the retry would be executed again",
        (Truth::Distinct, Verdict::Same) => "a false merge: the second call would be swallowed",
        (Truth::Distinct, Verdict::Different) => "right: both are executed",
        (_, Verdict::Refused) => "a refusal: no safe key exists",
        (_, Verdict::Conflict | Verdict::Suspect) => "a question for the tool's policy",
    }
}

fn print_difference(a: &Explanation, b: &Explanation, truth: Truth, answer: Verdict) {
    if a.form == b.form {
        println!("The forms are equal.");
        let named = |f: &Fired| format!("{} at {}", f.rule, f.path.join("."));
        let only = |x: &Explanation, y: &Explanation| -> Vec<String> {
            x.fired.iter().filter(|f| !y.fired.contains(f)).map(named).collect()
        };
        // A rule that changed one side alone made them meet; else one that changed both did.
        let mut blamed = [only(a, b), only(b, a)].concat();
        if blamed.is_empty() {
            blamed = a.fired.iter().map(named).collect();
        }
        blamed.sort();
        blamed.dedup();
        if (truth, answer) == (Truth::Distinct, Verdict::Same) && !blamed.is_empty() {
            println!("They were made to meet by: {}", blamed.join(", "));
        }
        return;
    }
    let same = a.form.chars().zip(b.form.chars()).take_while(|(x, y)| x == y).count();
    let excerpt = |form: &str| {
        let from = same.saturating_sub(20);
        let text: String = form.chars().skip(from).take(60).collect();
        if from > 0 { format!("...{text}") } else { text }
    };
    println!("The forms part at character {}:", same + 1);
    println!("   a  {}", excerpt(&a.form));
    println!("   b  {}", excerpt(&b.form));
    let marker = same.min(20) + if same > 20 { 3 } else { 0 };
    println!("      {}^", " ".repeat(marker));
}
