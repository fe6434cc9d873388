//! Arguments that several sub-commands share: catalogs, overlays, strategies.

use crate::external::External;
use anyhow::{Context, Result, bail};
use samecall_call::Catalog;
use samecall_call::shape::Overlay;
use samecall_keyer::Keyer;
use std::path::PathBuf;

/// Where tools and their annotations are read from.
#[derive(clap::Args)]
pub(crate) struct ToolArgs {
    /// Tool catalog (JSON; OpenAI, Anthropic and MCP shapes are read); repeatable. The catalog that
    /// comes with samecall serves where none is given.
    #[arg(long = "tools", value_name = "FILE")]
    tools: Vec<PathBuf>,
    /// Overlay with annotations (TOML) for the tools; repeatable, the last one wins.
    #[arg(long = "annotate", value_name = "FILE")]
    annotate: Vec<PathBuf>,
}

impl ToolArgs {
    /// Reads the catalogs with the overlays' annotations.
    pub(crate) fn catalog(&self) -> Result<Catalog> {
        let mut overlay = Overlay::default();
        for file in &self.annotate {
            overlay.read_file(file)?;
        }
        let mut catalog = match self.tools.is_empty() {
            true => samecall_drift::builtin_catalog_with(overlay),
            false => Catalog::new(overlay),
        };
        for file in &self.tools {
            catalog.read_file(file)?;
        }
        check_overlay(&catalog)?;
        Ok(catalog)
    }
}

impl ToolArgs {
    /// The arguments as they are written on a command line.
    pub(crate) fn words(&self) -> Vec<String> {
        let tools = self.tools.iter().map(|file| format!("--tools {}", file.display()));
        let annotate = self.annotate.iter().map(|file| format!("--annotate {}", file.display()));
        tools.chain(annotate).collect()
    }
}

/// An overlay that names a field that its tool does not have would silently do nothing.
fn check_overlay(catalog: &Catalog) -> Result<()> {
    for (name, annotations) in catalog.overlay().tools() {
        let Some(tool) = catalog.by_name(name) else {
            eprintln!("samecall: note: the overlay names tool `{name}`, which no catalog has");
            continue;
        };
        let known: Vec<String> = tool.shape.walk().iter().map(|f| plain_path(&f.path)).collect();
        for path in annotations.paths() {
            if !known.contains(&plain_path(&path)) {
                bail!("the overlay annotates `{path}` of tool `{name}`, which has no such field");
            }
        }
    }
    Ok(())
}

/// A field path without the marks of items and union branches, which an overlay may leave out.
fn plain_path(path: &str) -> String {
    let mut out = String::new();
    for part in path.split('.') {
        let name: &str = part.split(['[', '|']).next().unwrap_or_default();
        if !name.is_empty() {
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(name);
        }
    }
    out
}

/// Which strategies are asked.
#[derive(clap::Args)]
pub(crate) struct StrategyArgs {
    /// Strategies by name, separated by commas; repeatable. All built-in ones where none is given.
    #[arg(long = "strategy", value_name = "NAME", value_delimiter = ',')]
    strategies: Vec<String>,
    /// A keyer of your own, NAME=COMMAND: a program that reads calls as JSON lines and answers
    /// {"key": "..."} or {"refused": "..."} for each, in order; repeatable.
    #[arg(long = "external", value_name = "NAME=COMMAND")]
    externals: Vec<String>,
}

impl StrategyArgs {
    /// The keyers, in the order asked for; the canaries always come along where `canaries` says so.
    pub(crate) fn keyers(&self, canaries: bool) -> Result<Vec<Box<dyn Keyer>>> {
        let mut names: Vec<String> = self.strategies.clone();
        if names.is_empty() {
            names = samecall_keyer::names().map(str::to_owned).collect();
        } else if canaries {
            for name in ["constant", "random", "refuse"] {
                if !names.iter().any(|n| n == name) {
                    names.push(name.to_owned());
                }
            }
        }
        let mut externals: Vec<External> =
            self.externals.iter().map(|text| External::parse(text)).collect::<Result<_>>()?;
        let mut keyers: Vec<Box<dyn Keyer>> = Vec::new();
        for name in names {
            if keyers.iter().any(|k| k.name() == name) {
                continue;
            }
            if let Some(keyer) = samecall_keyer::by_name(&name) {
                keyers.push(keyer);
            } else if let Some(at) = externals.iter().position(|e| e.name() == name) {
                keyers.push(Box::new(externals.remove(at)));
            } else {
                let known: Vec<&str> = samecall_keyer::names().collect();
                bail!(
                    "`{name}` is no strategy; there are {}, and external:NAME with --external",
                    known.join(", ")
                );
            }
        }
        for external in externals {
            if keyers.iter().any(|k| k.name() == external.name()) {
                bail!("--external {} is given twice", external.name());
            }
            keyers.push(Box::new(external));
        }
        Ok(keyers)
    }

    /// The first strategy that was asked for by name, where any was.
    pub(crate) fn first(&self) -> Option<&str> {
        self.strategies.first().map(String::as_str)
    }

    /// The one strategy that a command works on.
    pub(crate) fn one(&self) -> Result<Box<dyn Keyer>> {
        let mut keyers = self.keyers(false).context("--strategy")?;
        if keyers.len() != 1 || (self.strategies.is_empty() && self.externals.is_empty()) {
            bail!("name one strategy with --strategy");
        }
        Ok(keyers.remove(0))
    }

    /// The arguments as they are written on a command line.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if !self.strategies.is_empty() {
            words.push(format!("--strategy {}", self.strategies.join(",")));
        }
        words.extend(self.externals.iter().map(|text| format!("--external {text:?}")));
        words
    }
}
