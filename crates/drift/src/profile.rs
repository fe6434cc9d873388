//! Profiles: how often each production is used, read from TOML.

use crate::error::{Error, Result};
use crate::production::{Grammar, Production, productions};
use std::fs;
use std::path::Path;
use toml::{Table, Value};

const BUILTIN: [(&str, &str); 4] = [
    ("article", include_str!("../../../corpus/profiles/article.toml")),
    ("uniform", include_str!("../../../corpus/profiles/uniform.toml")),
    ("observed", include_str!("../../../corpus/profiles/observed.toml")),
    ("hostile", include_str!("../../../corpus/profiles/hostile.toml")),
];

/// A profile: weights of the productions and of the pairs' truths.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Its name, which becomes part of the pairs' set.
    pub name: String,
    /// The share of retries, in thousandths.
    pub(crate) retries: u32,
    /// The share of pairs that contradict another pair, in thousandths; at most 20.
    pub(crate) contradictions: u32,
    /// The share of hostile values, in thousandths.
    pub(crate) hostile: u32,
    /// The largest share of the productions that one batch disables, in thousandths.
    pub(crate) swarm: u32,
    /// Whether a production is used on every site it fits, rather than on one.
    pub(crate) all_sites: bool,
    /// Only tools with these names, where any are named.
    pub(crate) tools: Vec<String>,
    /// Serialisers one of which is used in every retry, beside the productions.
    pub(crate) serializers: Vec<Production>,
    /// The weight of each production, by its place in the list.
    pub(crate) weights: Vec<u32>,
}

impl Profile {
    /// A profile that ships with samecall: `article`, `uniform`, `observed` or `hostile`.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn builtin(name: &str) -> Result<Self> {
        let (name, text) = BUILTIN
            .iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| Error::UnknownProfile(name.to_owned()))?;
        Self::parse(name, text)
            .map_err(|reason| Error::Profile { file: (*name).to_owned(), reason })
    }

    /// The names of the profiles that ship with samecall.
    pub fn builtin_names() -> impl Iterator<Item = &'static str> {
        BUILTIN.iter().map(|(name, _)| *name)
    }

    /// Reads a profile file; its name is the file's without `.toml`.
    ///
    /// # Errors
    /// When the file cannot be read, is no TOML, or names a production that there is not.
    pub fn load(path: &Path) -> Result<Self> {
        let file = path.display().to_string();
        let text =
            fs::read_to_string(path).map_err(|source| Error::Io { file: file.clone(), source })?;
        let name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        Self::parse(&name, &text).map_err(|reason| Error::Profile { file, reason })
    }

    /// The built-in profile of a name, or else the file of that path.
    ///
    /// # Errors
    /// Those of [`Profile::builtin`] and [`Profile::load`].
    pub fn named(name: &str) -> Result<Self> {
        if BUILTIN.iter().any(|(known, _)| *known == name) || !name.ends_with(".toml") {
            Self::builtin(name)
        } else {
            Self::load(Path::new(name))
        }
    }

    fn parse(name: &str, text: &str) -> Result<Self, String> {
        let table: Table = text.parse().map_err(|e: toml::de::Error| {
            let start = e.span().map_or(0, |s| s.start).min(text.len());
            let line = 1 + text.as_bytes()[..start].iter().filter(|&&b| b == b'\n').count();
            format!("line {line}: {}", e.message())
        })?;
        let mut out = Profile {
            name: name.to_owned(),
            retries: 500,
            contradictions: 10,
            hostile: 100,
            swarm: 300,
            all_sites: false,
            tools: Vec::new(),
            serializers: Vec::new(),
            weights: vec![0; productions().len()],
        };
        for (key, value) in &table {
            match key.as_str() {
                "retries" => out.retries = share(key, value)?,
                "contradictions" => {
                    out.contradictions = share(key, value)?;
                    if out.contradictions > 20 {
                        return Err("`contradictions` may be at most 0.02".to_owned());
                    }
                }
                "hostile" => out.hostile = share(key, value)?,
                "swarm" => out.swarm = share(key, value)?,
                "sites" => {
                    out.all_sites = match value.as_str() {
                        Some("one") => false,
                        Some("all") => true,
                        _ => return Err("`sites` must be \"one\" or \"all\"".to_owned()),
                    }
                }
                "tools" => out.tools = names(key, value)?,
                "serializers" => {
                    out.serializers = names(key, value)?
                        .iter()
                        .map(|name| find(name, Grammar::Render))
                        .collect::<Result<_, _>>()?;
                }
                "render" => out.read_weights(value, Grammar::Render)?,
                "change" => out.read_weights(value, Grammar::Change)?,
                _ => {
                    return Err(format!(
                        "`{key}` is no field of a profile; there are retries, contradictions, \
                         hostile, swarm, sites, tools, serializers, render and change"
                    ));
                }
            }
        }
        for grammar in [Grammar::Render, Grammar::Change] {
            let any = Production::ALL
                .iter()
                .any(|p| p.info().grammar == grammar && out.weights[*p as usize] > 0);
            if !any {
                let which = if grammar == Grammar::Render { "render" } else { "change" };
                return Err(format!("`{which}` gives no production a weight above 0"));
            }
        }
        Ok(out)
    }

    fn read_weights(&mut self, value: &Value, grammar: Grammar) -> Result<(), String> {
        let which = if grammar == Grammar::Render { "render" } else { "change" };
        let table = value.as_table().ok_or_else(|| format!("`{which}` must be a table"))?;
        if let Some(weight) = table.get("others") {
            let weight = self::weight("others", weight)?;
            for production in Production::ALL {
                // Contradictions have a share of their own.
                if production.info().grammar == grammar && *production != Production::Contradiction
                {
                    self.weights[*production as usize] = weight;
                }
            }
        }
        for (name, weight) in table.iter().filter(|(name, _)| *name != "others") {
            let production = find(name, grammar)?;
            if production == Production::Contradiction {
                return Err("`contradiction` has its share at the top: `contradictions`".to_owned());
            }
            self.weights[production as usize] = self::weight(name, weight)?;
        }
        Ok(())
    }

    /// A number that stands for the profile in seeds: FNV-1a (Fowler, Noll, Vo) over its parts.
    pub(crate) fn digest(&self) -> u64 {
        let mut state = 0xCBF2_9CE4_8422_2325u64;
        for byte in format!("{self:?}").bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        state
    }
}

fn find(name: &str, grammar: Grammar) -> Result<Production, String> {
    let known = Production::by_name(name).filter(|p| p.info().grammar == grammar);
    known.ok_or_else(|| {
        let which = if grammar == Grammar::Render { "rendering" } else { "change" };
        format!("`{name}` is no {which} production; `samecall generate --help` tells where they are listed")
    })
}

fn share(key: &str, value: &Value) -> Result<u32, String> {
    let number = value.as_float().or(value.as_integer().map(|i| i as f64));
    match number {
        Some(number) if (0.0..=1.0).contains(&number) => Ok((number * 1000.0).round() as u32),
        _ => Err(format!("`{key}` must be a number from 0 to 1")),
    }
}

/// Weights go by thousandths, so that the smallest is 0.001.
fn weight(key: &str, value: &Value) -> Result<u32, String> {
    let number = value.as_float().or(value.as_integer().map(|i| i as f64));
    match number {
        Some(number) if (0.0..=1e6).contains(&number) => Ok((number * 1000.0).round() as u32),
        _ => Err(format!("the weight `{key}` must be a number from 0 to 1,000,000")),
    }
}

fn names(key: &str, value: &Value) -> Result<Vec<String>, String> {
    value
        .as_array()
        .and_then(|items| items.iter().map(|i| i.as_str().map(str::to_owned)).collect())
        .ok_or_else(|| format!("`{key}` must be a list of names"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_profiles_are_read() {
        for name in Profile::builtin_names() {
            let profile = Profile::builtin(name).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(profile.name, name);
        }
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| Profile::parse("p", text).expect_err("should not be read");
        assert!(error("[render]\nno_such = 1").contains("no_such"));
        assert!(error("[render]\nvalue_changed = 1").contains("value_changed"));
        assert!(error("contradictions = 0.1").contains("0.02"));
        assert!(error("seed = 3").contains("seed"));
        assert!(error("a = = 2").contains("line 1"));
        assert!(error("[render]\nkey_reorder = 1").contains("`change`"));
    }
}
