//! Strategies with one known fault each, so that a hunt can prove that it finds such a fault.
//!
//! `corpus/planted/NAME.toml` says what each is made of: a built-in strategy with one rule in the place of another, two
//! rules exchanged, or one piece of it replaced by a fault of `fault`; and which targets claim to find it, as which
//! broken law. With the fault replaced by `none` the strategy is its base, and a hunt for the claim finds nothing.

mod fault;

use crate::subject::{Reach, Subject};
use samecall_keyer::rules::{Normaliser, Rule};
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// What a planted strategy is made of, and who claims to find it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The file's name without `.toml`.
    pub name: String,
    /// One sentence on the fault.
    pub about: String,
    /// The built-in strategy that it is, but for the fault.
    pub base: String,
    /// A rule and the one that takes its place.
    pub replace: Option<[Rule; 2]>,
    /// Two rules that change places.
    pub exchange: Option<[Rule; 2]>,
    /// A fault that is no other list of rules.
    pub fault: Option<String>,
    /// Who finds it.
    pub claims: Vec<Claim>,
}

/// That a target finds a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The fuzz target.
    pub target: String,
    /// The law that is broken.
    pub law: String,
    /// Names that are all in the find's class.
    pub class: Vec<String>,
}

/// The folder of the plans.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/planted")
}

/// All plans, in order of their names.
///
/// # Errors
/// A sentence with the file: it cannot be read, or is not as it should be.
pub fn plans() -> Result<Vec<Plan>, String> {
    let folder = folder();
    let shown = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(shown)? {
        let path = entry.map_err(shown)?.path();
        if path.extension().is_some_and(|extension| extension == "toml")
            && let Some(name) = path.file_stem().and_then(|stem| stem.to_str())
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    names.iter().map(|name| plan(name)).collect()
}

/// The plan of a name.
///
/// # Errors
/// As [`plans`].
pub fn plan(name: &str) -> Result<Plan, String> {
    let path = folder().join(format!("{name}.toml"));
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    parse(name, &text).map_err(|reason| format!("{}: {reason}", path.display()))
}

fn parse(name: &str, text: &str) -> Result<Plan, String> {
    let table: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    for key in table.keys() {
        if !["about", "base", "replace", "exchange", "fault", "claims"].contains(&key.as_str()) {
            return Err(format!("`{key}` is no field of a plan"));
        }
    }
    let word = |table: &Table, key: &str| {
        table
            .get(key)
            .and_then(Value::as_str)
            .map(str::to_owned)
            .ok_or(format!("`{key}` must be text"))
    };
    let rules = |key: &str| match table.get(key) {
        None => Ok(None),
        Some(value) => match words(value).as_deref() {
            Some([from, to]) => match (Rule::by_name(from), Rule::by_name(to)) {
                (Some(from), Some(to)) => Ok(Some([from, to])),
                (None, _) => Err(format!("`{key}`: `{from}` is no rule")),
                _ => Err(format!("`{key}`: `{to}` is no rule")),
            },
            _ => Err(format!("`{key}` must be two rules")),
        },
    };
    let mut claims = Vec::new();
    let none = Vec::new();
    let listed = match table.get("claims") {
        None => &none,
        Some(claims) => claims.as_array().ok_or("`claims` must be a list")?,
    };
    for (at, claim) in listed.iter().enumerate() {
        let wrong = |reason: String| format!("claim {}: {reason}", at + 1);
        let claim = claim.as_table().ok_or_else(|| wrong("must be a table".to_owned()))?;
        if let Some(key) = claim.keys().find(|key| !["target", "law", "class"].contains(&&***key)) {
            return Err(wrong(format!("`{key}` is no field of a claim")));
        }
        // An empty class is found by any find of the law, so that a mistake in one would weaken the hunt in silence.
        let class = match claim.get("class") {
            None => Vec::new(),
            Some(class) => {
                words(class).ok_or_else(|| wrong("`class` must be a list of names".to_owned()))?
            }
        };
        let (target, law) = (word(claim, "target"), word(claim, "law"));
        claims.push(Claim { target: target.map_err(wrong)?, law: law.map_err(wrong)?, class });
    }
    if claims.is_empty() {
        return Err("no target claims to find it".to_owned());
    }
    if ["replace", "exchange", "fault"].iter().filter(|key| table.contains_key(**key)).count() != 1
    {
        return Err("one of `replace`, `exchange` and `fault` is wanted".to_owned());
    }
    let fault = table.get("fault").map(|_| word(&table, "fault")).transpose()?;
    Ok(Plan {
        name: name.to_owned(),
        about: word(&table, "about")?,
        base: word(&table, "base")?,
        replace: rules("replace")?,
        exchange: rules("exchange")?,
        fault,
        claims,
    })
}

fn words(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

/// The strategy of a name, built-in or `planted:NAME`.
///
/// # Errors
/// A sentence, where there is none.
pub fn subject(name: &str) -> Result<Subject, String> {
    match name.strip_prefix("planted:") {
        Some(planted) => build(&plan(planted)?),
        None => Subject::named(name),
    }
}

/// The strategy of a plan.
///
/// # Errors
/// A sentence: the base has no list of rules to change, or the fault is not known.
pub fn build(plan: &Plan) -> Result<Subject, String> {
    let name = format!("planted:{}", plan.name);
    if let Some(fault) = plan.fault.as_deref() {
        return match fault {
            "none" => Ok(Subject { name, ..Subject::named(&plan.base)? }),
            _ => fault::subject(fault, &plan.base, name),
        };
    }
    let base = Subject::named(&plan.base)?;
    if base.reach() == Reach::Scope {
        return Err(format!("`{}` is more than its list of rules", plan.base));
    }
    let mut list = base.list().ok_or(format!("`{}` has no list of rules", plan.base))?.clone();
    let place = |list: &Normaliser, rule: Rule| {
        let found = list.rules.iter().position(|&known| known == rule);
        found.ok_or(format!("`{}` has no rule `{}`", plan.base, rule.name()))
    };
    if let Some([from, to]) = plan.replace {
        let at = place(&list, from)?;
        list.rules[at] = to;
    }
    if let Some([a, b]) = plan.exchange {
        let (a, b) = (place(&list, a)?, place(&list, b)?);
        list.rules.swap(a, b);
    }
    Ok(Subject::of_rules(&name, list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| parse("p", text).expect_err("should not be read");
        assert!(error("seed = 1").contains("seed"));
        assert!(error("about = 'a'\nbase = 'typed'").contains("claims"));
        let claim = "claims = [{ target = 't', law = 'change' }]";
        let with = |line: &str| format!("about = 'a'\nbase = 'normalised'\n{claim}\n{line}");
        assert!(error(&with("replace = ['nfc']")).contains("two rules"));
        assert!(error(&with("replace = ['nfc', 'x']")).contains("`x` is no rule"));
        assert!(error(&with("replace = ['nfc', 'strip']\nfault = 'none'")).contains("one of"));
        assert!(error(&with("")).contains("one of"));
        assert!(error(&with("\n[[")).contains("line 5"));
        let claim_of = |fields: &str| {
            error(&format!(
                "about = 'a'\nbase = 'normalised'\nfault = 'none'\nclaims = [{{ target = 't', {fields} }}]"
            ))
        };
        assert!(claim_of("law = 'change', class = 'zero_padding'").contains("claim 1: `class`"));
        assert!(claim_of("law = 'change', class = ['a', 1]").contains("claim 1: `class`"));
        assert!(claim_of("law = 'change', clas = ['a']").contains("`clas`"));
        assert!(claim_of("laws = 'change'").contains("`laws`"));
        assert!(claim_of("class = ['a']").contains("`law`"));
        let text = with("replace = ['nfc', 'strip']").replace("'normalised'", "'scoped'");
        assert!(build(&parse("p", &text).unwrap()).err().unwrap().contains("`scoped`"));
        assert!(error(&format!("{claim}\nfault = 'none'")).contains("about"));
        let plan = parse("p", &format!("about = 'a'\nbase = 'typed'\nfault = 'x'\n{claim}"));
        assert!(build(&plan.unwrap()).err().unwrap().contains("`x`"));
    }
}
