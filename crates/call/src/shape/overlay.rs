//! Overlay files: annotations beside a catalog, so that what the model sees need not change.
//!
//! TOML, one table per tool name: `"send_mail"."body" = "text"`, or a table
//! `{identity, null, empty, aliases}`. Field paths are dotted; `[]` names an array's items. The empty
//! path is the tool itself: `aliases` of its name, `undeclared = "ignore"`, `idempotency`.

use super::annotation::{Annotation, Idempotency, KindName, parse_empty, parse_null, parse_scope};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use toml::{Table, Value as Toml};

/// Annotations by tool name.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    tools: BTreeMap<String, ToolOverlay>,
}

/// The annotations of one tool.
#[derive(Debug, Clone, Default)]
pub struct ToolOverlay {
    pub(crate) root: Node,
    pub(crate) aliases: Vec<String>,
    pub(crate) ignore_undeclared: bool,
    pub(crate) idempotency: Option<Idempotency>,
}

/// The annotations at a field path and below it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    pub(crate) annotation: Option<Annotation>,
    pub(crate) children: BTreeMap<String, Node>,
}

impl Node {
    /// The node of a property; a name with dots is found by its parts.
    pub(crate) fn child(&self, name: &str) -> Option<&Node> {
        if let Some(node) = self.children.get(name) {
            return Some(node);
        }
        let (first, rest) = name.split_once('.')?;
        self.children.get(first)?.child(rest)
    }

    /// The node of an array's items: `[]`, or the array's own node for paths that pass through it.
    pub(crate) fn items(&self) -> Node {
        let mut node = self.children.get("[]").cloned().unwrap_or_default();
        for (name, child) in &self.children {
            if name != "[]" {
                node.children.entry(name.clone()).or_insert_with(|| child.clone());
            }
        }
        node
    }

    fn paths(&self, prefix: &str, found: &mut Vec<String>) {
        for (name, child) in &self.children {
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            if child.annotation.is_some() {
                found.push(path.clone());
            }
            child.paths(&path, found);
        }
    }
}

impl ToolOverlay {
    /// The dotted paths of all annotated fields.
    pub fn paths(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.root.paths("", &mut found);
        found
    }
}

impl Overlay {
    /// Reads an overlay file into this one; a later file wins.
    ///
    /// # Errors
    /// When the file cannot be read, is no TOML, or states something that is no annotation.
    pub fn read_file(&mut self, path: &Path) -> Result<()> {
        let file = path.display().to_string();
        let text =
            fs::read_to_string(path).map_err(|source| Error::Io { file: file.clone(), source })?;
        self.read_str(&file, &text)
    }

    /// Reads an overlay from text into this one; `file` stands for it in messages.
    ///
    /// # Errors
    /// As [`Overlay::read_file`].
    pub fn read_str(&mut self, file: &str, text: &str) -> Result<()> {
        self.read_text(text).map_err(|(at, reason)| Error::Catalog {
            file: file.to_owned(),
            at,
            reason,
        })
    }

    /// Reads an overlay from text; the error is the place and the reason.
    pub(super) fn read_text(&mut self, text: &str) -> Result<(), (String, String)> {
        let table: Table = text.parse().map_err(|e: toml::de::Error| {
            let line = 1 + text[..e.span().map_or(0, |s| s.start).min(text.len())]
                .bytes()
                .filter(|&b| b == b'\n')
                .count();
            (format!("line {line}: "), e.message().to_owned())
        })?;
        for (tool, value) in &table {
            let Toml::Table(fields) = value else {
                return Err((
                    format!("tool `{tool}`: "),
                    "must be a table from field path to kind".to_owned(),
                ));
            };
            let entry = self.tools.entry(tool.clone()).or_default();
            for (path, value) in fields {
                let at = |reason: String| (format!("tool `{tool}`, field `{path}`: "), reason);
                if path.is_empty() {
                    read_tool(value, entry).map_err(at)?;
                } else {
                    let segments = split_path(path);
                    read_field(value, &mut entry.root, &segments).map_err(at)?;
                }
            }
        }
        Ok(())
    }

    /// The annotations of a tool.
    pub fn tool(&self, name: &str) -> Option<&ToolOverlay> {
        self.tools.get(name)
    }

    /// The tool's own name, where the overlay declares `name` as an alias of one; else the name.
    pub fn canonical_name<'n>(&'n self, name: &'n str) -> &'n str {
        let aliased = |tool: &ToolOverlay| tool.aliases.iter().any(|alias| alias == name);
        self.tools.iter().find(|(_, tool)| aliased(tool)).map_or(name, |(own, _)| own)
    }

    /// The tools that the overlay names.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &ToolOverlay)> {
        self.tools.iter().map(|(name, tool)| (name.as_str(), tool))
    }
}

/// `a.b[].c` as `a`, `b`, `[]`, `c`.
fn split_path(path: &str) -> Vec<String> {
    let mut segments = Vec::new();
    for part in path.split('.') {
        let mut name = part;
        let mut items = 0;
        while let Some(shorter) = name.strip_suffix("[]") {
            name = shorter;
            items += 1;
        }
        if !name.is_empty() {
            segments.push(name.to_owned());
        }
        segments.extend(std::iter::repeat_n("[]".to_owned(), items));
    }
    segments
}

fn read_field(value: &Toml, node: &mut Node, path: &[String]) -> Result<(), String> {
    let mut at = node;
    for segment in path {
        at = at.children.entry(segment.clone()).or_default();
    }
    let stated = match value {
        Toml::String(kind) => {
            Annotation { identity: Some(KindName::parse(kind)?), ..Annotation::default() }
        }
        Toml::Table(table) if is_annotation(table) => read_annotation(table)?,
        // `tool.address.zip = "exact"` without quotes nests tables: each key goes one level down.
        Toml::Table(table) => {
            for (name, value) in table {
                read_field(value, at, &split_path(name))
                    .map_err(|reason| format!("`{name}`: {reason}"))?;
            }
            return Ok(());
        }
        _ => return Err("must be a kind's name or a table of annotations".to_owned()),
    };
    let earlier = at.annotation.take().unwrap_or_default();
    at.annotation = Some(stated.or(earlier));
    Ok(())
}

const ANNOTATION_KEYS: [&str; 4] = ["identity", "null", "empty", "aliases"];

/// Whether a table holds annotations rather than deeper field paths: all its keys are annotation
/// keys, and those that must hold text do not hold a table.
fn is_annotation(table: &Table) -> bool {
    table.iter().all(|(key, value)| {
        ANNOTATION_KEYS.contains(&key.as_str()) && (key == "aliases" || !value.is_table())
    })
}

fn read_annotation(table: &Table) -> Result<Annotation, String> {
    let mut out = Annotation::default();
    for (key, value) in table {
        match (key.as_str(), value) {
            ("identity", Toml::String(kind)) => out.identity = Some(KindName::parse(kind)?),
            ("null", Toml::String(word)) => out.null = Some(parse_null("null", word)?),
            ("empty", Toml::String(word)) => out.empty = Some(parse_empty("empty", word)?),
            ("aliases", Toml::Table(aliases)) => {
                for (synonym, of) in aliases {
                    let of = of.as_str().ok_or("`aliases` must map texts to texts")?;
                    out.aliases.push((synonym.clone(), of.to_owned()));
                }
            }
            ("aliases", _) => return Err("`aliases` must be a table from synonym to member".into()),
            (key, _) => return Err(format!("`{key}` must be text")),
        }
    }
    Ok(out)
}

fn read_tool(value: &Toml, tool: &mut ToolOverlay) -> Result<(), String> {
    let Toml::Table(table) = value else {
        return Err("must be a table with `aliases`, `undeclared` or `idempotency`".to_owned());
    };
    let texts = |key: &str, value: &Toml| -> Result<Vec<String>, String> {
        value
            .as_array()
            .and_then(|items| items.iter().map(|i| i.as_str().map(str::to_owned)).collect())
            .ok_or_else(|| format!("`{key}` must be a list of texts"))
    };
    for (key, value) in table {
        match key.as_str() {
            "aliases" => tool.aliases = texts(key, value)?,
            "undeclared" => {
                tool.ignore_undeclared = match value.as_str() {
                    Some("ignore") => true,
                    Some("count") => false,
                    _ => return Err("`undeclared` must be \"count\" or \"ignore\"".to_owned()),
                }
            }
            "idempotency" => {
                let scope = value.get("scope").and_then(Toml::as_str).unwrap_or_default();
                let fields = value.get("fields").ok_or("`idempotency` needs `fields`")?;
                tool.idempotency = Some(Idempotency {
                    scope: parse_scope(scope)?,
                    fields: texts("fields", fields)?,
                });
            }
            "identity" | "null" | "empty" => {
                let mut only = Table::new();
                only.insert(key.clone(), value.clone());
                let stated = read_annotation(&only)?;
                let earlier = tool.root.annotation.take().unwrap_or_default();
                tool.root.annotation = Some(stated.or(earlier));
            }
            other => {
                return Err(format!(
                    "`{other}` is no annotation of a tool; there are aliases, undeclared, \
                     idempotency, null and empty"
                ));
            }
        }
    }
    Ok(())
}
