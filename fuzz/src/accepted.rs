//! Findings that are known and accepted: `fuzz/accepted.toml`, each with its strategy and the reason.
//!
//! Only strategies that claim to break no law may have one. What is found of a baseline is no secret to be excused: the
//! baselines stay broken in the open.

use samecall_oracle::Broken;
use samecall_oracle::subject::CLEAN;
use std::fs;
use toml::{Table, Value};

/// One accepted finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The strategy.
    pub strategy: String,
    /// The law that it breaks.
    pub law: String,
    /// The class of the find, in full.
    pub class: Vec<String>,
    /// Why it is accepted.
    pub reason: String,
}

/// The entries of the committed file.
///
/// # Errors
/// A sentence that names the entry and the field.
pub fn read() -> Result<Vec<Accepted>, String> {
    let path = crate::root().join("fuzz/accepted.toml");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    parse(&text).map_err(|reason| format!("{}: {reason}", path.display()))
}

fn parse(text: &str) -> Result<Vec<Accepted>, String> {
    let table: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    if let Some(key) = table.keys().find(|key| *key != "finding") {
        return Err(format!("`{key}` is no field; each entry is a [[finding]]"));
    }
    let Some(entries) = table.get("finding") else { return Ok(Vec::new()) };
    let entries = entries.as_array().ok_or("each entry must be a [[finding]]")?;
    entries
        .iter()
        .enumerate()
        .map(|(at, entry)| {
            entry_of(entry).map_err(|reason| format!("finding {}: {reason}", at + 1))
        })
        .collect()
}

fn entry_of(entry: &Value) -> Result<Accepted, String> {
    let fields = entry.as_table().into_iter().flat_map(|table| table.keys());
    if let Some(key) = fields
        .into_iter()
        .find(|key| !["strategy", "law", "class", "reason"].contains(&key.as_str()))
    {
        return Err(format!("`{key}` is no field of a finding"));
    }
    let text = |key: &str| {
        let text = entry.get(key).and_then(Value::as_str).unwrap_or_default().trim();
        if text.is_empty() { Err(format!("`{key}` is missing")) } else { Ok(text.to_owned()) }
    };
    let class = entry.get("class").and_then(Value::as_array).ok_or("`class` must be a list")?;
    let class: Option<Vec<String>> =
        class.iter().map(|name| name.as_str().map(str::to_owned)).collect();
    let mut class = class.ok_or("`class` must be a list of names")?;
    class.sort();
    let strategy = text("strategy")?;
    if !CLEAN.contains(&strategy.as_str()) {
        return Err(format!(
            "`{strategy}` can have none: only {} may have accepted findings",
            CLEAN.join(" and ")
        ));
    }
    Ok(Accepted { strategy, law: text("law")?, class, reason: text("reason")? })
}

impl Accepted {
    /// Whether a find is this one.
    pub fn covers(&self, strategy: &str, broken: &Broken) -> bool {
        self.strategy == strategy && self.law == broken.law && self.class == broken.class
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_file_is_read() {
        read().unwrap();
    }

    #[test]
    fn only_the_clean_strategies_may_have_entries() {
        let entry = |strategy: &str| {
            format!(
                "[[finding]]\nstrategy = '{strategy}'\nlaw = 'spelling'\nclass = ['b', 'a']\nreason = 'r'"
            )
        };
        assert_eq!(parse(&entry("typed")).unwrap()[0].class, ["a", "b"]);
        assert_eq!(parse(&entry("typed-scoped")).unwrap().len(), 1);
        for name in ["normalised", "raw", "typed-prose", "planted:doubles", "typo"] {
            assert!(parse(&entry(name)).unwrap_err().contains("only typed and typed-scoped"));
        }
        let without = |field: &str| {
            let entry = entry("typed");
            let kept: Vec<&str> = entry.lines().filter(|line| !line.starts_with(field)).collect();
            parse(&kept.join("\n")).unwrap_err()
        };
        assert!(without("reason").contains("finding 1: `reason`"));
        assert!(without("class").contains("class"));
        assert!(parse(&format!("{}\nlaws = 'x'", entry("typed"))).unwrap_err().contains("`laws`"));
        assert!(parse("\n\n[[finding]\n").unwrap_err().contains("line 3"));
        assert!(parse("a = 1").unwrap_err().contains("`a`"));
    }
}
