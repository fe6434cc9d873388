//! Which executors there are, and what else is asked of them: two TOML files of data.

use samecall_call::executors::ExecutorRun;
use serde::Deserialize;

/// `executors/executors.toml`: the executors that a recipe installs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// In the order of reports.
    #[serde(rename = "executor")]
    pub executors: Vec<Listed>,
}

/// One executor of the list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// Its name in tables.
    pub name: String,
    /// The language of its handlers.
    pub language: String,
    /// Packages with pinned versions, `name==version`.
    pub packages: Vec<String>,
    /// The command, from the root of the repository.
    pub command: String,
    /// How it treats a call, in one line.
    pub about: String,
}

impl Listing {
    /// Reads a list.
    ///
    /// # Errors
    /// A sentence that names the line, or the executor that is listed twice.
    pub fn parse(text: &str) -> Result<Self, String> {
        let listing: Listing = toml::from_str(text).map_err(|e| e.to_string())?;
        for (at, executor) in listing.executors.iter().enumerate() {
            if listing.executors[..at].iter().any(|other| other.name == executor.name) {
                return Err(format!("executor `{}` is listed twice", executor.name));
            }
        }
        Ok(listing)
    }
}

impl Listed {
    /// The executor before it has run.
    pub fn run(&self) -> ExecutorRun {
        ExecutorRun {
            name: self.name.clone(),
            language: self.language.clone(),
            packages: self.packages.clone(),
            about: self.about.clone(),
            ..ExecutorRun::default()
        }
    }
}

/// `executors/asked.toml`: single calls that show what an executor drops, inserts and converts, and pairs on which
/// executors disagree.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Single calls.
    #[serde(rename = "probe", default)]
    pub probes: Vec<ProbeAsked>,
    /// Pairs.
    #[serde(rename = "surprise", default)]
    pub surprises: Vec<SurpriseAsked>,
}

/// One call that is asked of every executor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeAsked {
    /// What is asked, in words.
    pub asks: String,
    /// What DESIGN's rules on absence and names read there.
    pub rule: String,
    /// The tool's schema, as JSON text.
    pub parameters: String,
    /// The argument text.
    pub arguments: String,
}

/// One pair that is asked of every executor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurpriseAsked {
    /// In plain words.
    pub says: String,
    /// The tool's schema, as JSON text.
    pub parameters: String,
    /// The first argument text.
    pub a: String,
    /// The second one.
    pub b: String,
}

impl Asked {
    /// Reads the file.
    ///
    /// # Errors
    /// A sentence that names the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|e| e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_and_its_mistakes_are_named() {
        let one = "[[executor]]\nname = \"a\"\nlanguage = \"sh\"\npackages = []\ncommand = \"cat\"\nabout = \"x\"\n";
        let listing = Listing::parse(one).unwrap();
        assert_eq!(listing.executors[0].run().name, "a");
        assert!(Listing::parse(&one.repeat(2)).unwrap_err().contains("`a` is listed twice"));
        assert!(Listing::parse(&one.replace("about", "abot")).unwrap_err().contains("abot"));
        assert!(Asked::parse("[[probe]]\nasks = 1").is_err());
    }
}
