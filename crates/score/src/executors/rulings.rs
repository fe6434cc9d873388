//! What was ruled of productions after asking executors: the one file that the scorer and the report read.
//!
//! `corpus/executor_dependent.toml` names the renderings on which real executors differ, so that pairs made with them
//! are scored apart and outside every gate, and the changes that some executor folds; each with its reason.

use crate::error::{Error, Result};
use samecall_drift::{Grammar, ProductionInfo, productions};
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

const FILE: &str = "corpus/executor_dependent.toml";
const TEXT: &str = include_str!("../../../../corpus/executor_dependent.toml");

/// Why a production is ruled as it is, and on whose account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The executors that receive the two spellings unequal, or fold the change.
    pub executors: Vec<String>,
    /// Why, in a sentence or two.
    pub reason: String,
}

/// All rulings, by production.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rulings {
    /// Renderings that are scored apart.
    pub executor_dependent: BTreeMap<String, Ruling>,
    /// Changes that some executor hands its handler as equal.
    pub folded: BTreeMap<String, Ruling>,
}

impl Rulings {
    /// The rulings that ship with samecall.
    ///
    /// # Errors
    /// When the file is not as it must be; a test reads it.
    pub fn builtin() -> Result<Self> {
        Self::parse(TEXT).map_err(|reason| Error::Source { name: FILE.to_owned(), reason })
    }

    /// Reads rulings from TOML.
    ///
    /// # Errors
    /// A sentence that names the table and what is wrong in it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let table: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
        let mut rulings = Rulings::default();
        for (section, found) in &table {
            let grammar = match section.as_str() {
                "executor_dependent" => Grammar::Render,
                "folded" => Grammar::Change,
                _ => return Err(format!("`{section}` must be `executor_dependent` or `folded`")),
            };
            for (name, ruling) in found.as_table().ok_or(format!("`{section}` must be a table"))? {
                let at = format!("{section}.{name}");
                if !productions().iter().any(|p| p.name == name && p.grammar == grammar) {
                    return Err(format!("`{at}`: no such production"));
                }
                let ruling = read(ruling).map_err(|why| format!("`{at}`: {why}"))?;
                match grammar {
                    Grammar::Render => rulings.executor_dependent.insert(name.clone(), ruling),
                    Grammar::Change => rulings.folded.insert(name.clone(), ruling),
                };
            }
        }
        Ok(rulings)
    }

    /// The names of the renderings that are scored apart.
    pub fn dependent_names(&self) -> BTreeSet<String> {
        self.executor_dependent.keys().cloned().collect()
    }

    /// What was ruled of a production.
    pub(super) fn of(&self, production: &ProductionInfo) -> Option<&Ruling> {
        match production.grammar {
            Grammar::Render => self.executor_dependent.get(production.name),
            Grammar::Change => self.folded.get(production.name),
        }
    }
}

fn read(value: &Value) -> Result<Ruling, String> {
    let table = value.as_table().ok_or("must be a table with `executors` and `reason`")?;
    if let Some(other) = table.keys().find(|key| !matches!(key.as_str(), "executors" | "reason")) {
        return Err(format!("`{other}` is none of `executors` and `reason`"));
    }
    let executors: Option<Vec<String>> = table
        .get("executors")
        .and_then(Value::as_array)
        .and_then(|list| list.iter().map(|name| name.as_str().map(str::to_owned)).collect());
    let executors =
        executors.filter(|list| !list.is_empty()).ok_or("`executors` must be a list of names")?;
    let reason = table.get("reason").and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let reason = reason.ok_or("`reason` must be a sentence")?.trim().to_owned();
    Ok(Ruling { executors, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_file_is_read() {
        let rulings = Rulings::builtin().unwrap_or_else(|e| panic!("{e}"));
        for ruling in rulings.executor_dependent.values().chain(rulings.folded.values()) {
            assert!(ruling.reason.len() > 20, "{ruling:?}");
        }
    }

    #[test]
    fn mistakes_name_their_table() {
        let good = "executors = [\"a\"]\nreason = \"so\"";
        assert!(Rulings::parse(&format!("[executor_dependent.add_null]\n{good}")).is_ok());
        for (text, says) in [
            ("a = = 1".to_owned(), "a = = 1"),
            (format!("[other.add_null]\n{good}"), "`other`"),
            (format!("[executor_dependent.no_such]\n{good}"), "executor_dependent.no_such"),
            // A change is no rendering.
            (format!("[executor_dependent.value_changed]\n{good}"), "no such production"),
            ("[folded.value_changed]\nexecutors = []\nreason = \"so\"".to_owned(), "`executors`"),
            ("[folded.value_changed]\nexecutors = [\"a\"]\nreason = \" \"".to_owned(), "`reason`"),
            (format!("[folded.value_changed]\n{good}\nwhy = 1"), "`why`"),
        ] {
            let error = Rulings::parse(&text).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
