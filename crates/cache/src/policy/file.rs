//! A policy file: TOML with `[defaults]`, `[limits]` and one `[tools."name"]` for each tool. Whatever is wrong in it is named
//! with file, line and field; what nothing reads is refused, so that a misspelt field is no silent default.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Invalidates, Keep, Policies, ToolPolicy, parse_duration};
use crate::error::{Error, Result};

/// Largest bound that a file may state: entries, or megabytes.
const MOST: u64 = 1_000_000_000;

impl Policies {
    /// Reads a policy file.
    ///
    /// # Errors
    /// When it cannot be read or states something that is no policy: with file, line and field. Whether the tools that it
    /// names exist is for [`Policies::check`].
    pub fn read(path: &Path) -> Result<Self> {
        let file = path.display().to_string();
        let bytes =
            std::fs::read(path).map_err(|source| Error::Io { file: file.clone(), source })?;
        let text = std::str::from_utf8(&bytes).map_err(|e| Error::Syntax {
            line: 1 + count_lines(&bytes[..e.valid_up_to()]),
            file: file.clone(),
            reason: "it is no UTF-8; save the file as UTF-8".to_owned(),
        })?;
        Self::parse(&file, text)
    }

    /// Reads policies from text; `file` stands for it in messages.
    ///
    /// # Errors
    /// As [`Policies::read`].
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        let table = DeTable::parse(text).map_err(|e| Error::Syntax {
            file: file.to_owned(),
            line: 1 + count_lines(
                &text.as_bytes()[..e.span().map_or(0, |s| s.start.min(text.len()))],
            ),
            reason: e.message().to_owned(),
        })?;
        let root = Node { file, text, path: String::new(), table: table.get_ref() };
        let mut policies = Policies { file: file.to_owned(), ..Policies::default() };
        for (key, value) in root.table {
            let name = key.get_ref().as_ref();
            match name {
                "defaults" => read_defaults(&root.child(name, value)?, &mut policies)?,
                "limits" => read_limits(&root.child(name, value)?, &mut policies)?,
                "tools" => {
                    let tools = root.child(name, value)?;
                    for (key, value) in tools.table {
                        let name = key.get_ref().as_ref();
                        let node = tools.child(name, value)?;
                        let line = root.line(key.span().start);
                        policies.named.push((name.to_owned(), line, node.path.clone()));
                        let policy = read_tool(&node, &mut policies)?;
                        policies.tools.insert(name.to_owned(), policy);
                    }
                }
                _ => return Err(root.unknown(key, "defaults, limits, tools")),
            }
        }
        Ok(policies)
    }
}

fn count_lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

fn read_defaults(node: &Node<'_>, policies: &mut Policies) -> Result<()> {
    let defaults = &mut policies.defaults;
    for (key, value) in node.table {
        let name = key.get_ref().as_ref();
        let field = match name {
            "reads" => &mut defaults.reads,
            "open_world" => &mut defaults.open_world,
            "errors" => &mut defaults.errors,
            "empty" => &mut defaults.empty,
            "unannotated" => &mut defaults.unannotated,
            _ => return Err(node.unknown(key, "reads, open_world, errors, empty, unannotated")),
        };
        *field = node.keep(name, value)?;
    }
    Ok(())
}

fn read_limits(node: &Node<'_>, policies: &mut Policies) -> Result<()> {
    let limits = &mut policies.limits;
    for (key, value) in node.table {
        let name = key.get_ref().as_ref();
        match name {
            "entries" => limits.entries = node.count(name, value)?,
            "megabytes" => limits.bytes = node.count(name, value)?.saturating_mul(1_000_000),
            "age" => {
                let text = node.text(name, value)?;
                limits.age =
                    parse_duration(text).map_err(|reason| node.error(name, value, reason))?;
            }
            _ => return Err(node.unknown(key, "entries, megabytes, age")),
        }
    }
    Ok(())
}

fn read_tool(node: &Node<'_>, policies: &mut Policies) -> Result<ToolPolicy> {
    let mut policy = ToolPolicy::default();
    for (key, value) in node.table {
        let name = key.get_ref().as_ref();
        match name {
            "cache" => policy.cache = Some(node.keep(name, value)?),
            "errors" => policy.errors = Some(node.keep(name, value)?),
            "empty" => policy.empty = Some(node.keep(name, value)?),
            "invalidates" => {
                policy.invalidates = node.invalidates(name, value, &mut policies.named)?;
            }
            _ => return Err(node.unknown(key, "cache, errors, empty, invalidates")),
        }
    }
    Ok(policy)
}

/// A table of the file with its path.
struct Node<'d> {
    file: &'d str,
    text: &'d str,
    path: String,
    table: &'d DeTable<'d>,
}

type Found<'d> = &'d Spanned<DeValue<'d>>;

impl<'d> Node<'d> {
    fn line(&self, offset: usize) -> usize {
        1 + count_lines(&self.text.as_bytes()[..offset.min(self.text.len())])
    }

    fn path_of(&self, name: &str) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let name = match !name.is_empty() && name.chars().all(plain) {
            true => name.to_owned(),
            false => format!("{name:?}"),
        };
        if self.path.is_empty() { name } else { format!("{}.{name}", self.path) }
    }

    fn fault(&self, offset: usize, name: &str, reason: impl Into<String>) -> Error {
        Error::Policy {
            file: self.file.to_owned(),
            line: self.line(offset),
            field: self.path_of(name),
            reason: reason.into(),
        }
    }

    fn error(&self, name: &str, value: Found<'_>, reason: impl Into<String>) -> Error {
        self.fault(value.span().start, name, reason)
    }

    fn unknown(&self, key: &Spanned<std::borrow::Cow<'_, str>>, known: &str) -> Error {
        let reason = format!("is not known here; known are {known}");
        self.fault(key.span().start, key.get_ref(), reason)
    }

    fn child(&self, name: &str, value: Found<'d>) -> Result<Node<'d>> {
        match value.get_ref() {
            DeValue::Table(table) => {
                Ok(Node { file: self.file, text: self.text, path: self.path_of(name), table })
            }
            other => {
                let reason = format!("must be a table, not {}", other.type_str());
                Err(self.error(name, value, reason))
            }
        }
    }

    fn text(&self, name: &str, value: Found<'d>) -> Result<&'d str> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.as_ref()),
            other => {
                let reason =
                    format!("must be text, such as \"10m\" or \"never\", not {}", other.type_str());
                Err(self.error(name, value, reason))
            }
        }
    }

    fn keep(&self, name: &str, value: Found<'d>) -> Result<Keep> {
        match self.text(name, value)? {
            "never" => Ok(Keep::Never),
            "always" => Ok(Keep::Always),
            text => parse_duration(text).map(Keep::For).map_err(|reason| {
                self.error(name, value, format!("{reason}, or \"always\" or \"never\""))
            }),
        }
    }

    fn count(&self, name: &str, value: Found<'d>) -> Result<usize> {
        let number = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().replace('_', ""),
            _ => String::new(),
        };
        match number.parse::<u64>() {
            Ok(number) if (1..=MOST).contains(&number) => {
                Ok(usize::try_from(number).unwrap_or(usize::MAX))
            }
            _ => Err(self.error(name, value, format!("must be a whole number from 1 to {MOST}"))),
        }
    }

    fn invalidates(
        &self,
        name: &str,
        value: Found<'d>,
        named: &mut Vec<(String, usize, String)>,
    ) -> Result<Invalidates> {
        let expected = "must be a list of tools' names, or \"*\" for all";
        match value.get_ref() {
            DeValue::String(text) if text == "*" => Ok(Invalidates::All),
            DeValue::Array(items) => {
                let mut tools = Vec::with_capacity(items.len());
                for item in items {
                    let DeValue::String(tool) = item.get_ref() else {
                        return Err(self.error(name, item, expected));
                    };
                    let (line, field) = (self.line(item.span().start), self.path_of(name));
                    named.push((tool.as_ref().to_owned(), line, format!("{field}: {tool}")));
                    tools.push(tool.as_ref().to_owned());
                }
                Ok(if tools.is_empty() { Invalidates::Nothing } else { Invalidates::Tools(tools) })
            }
            _ => Err(self.error(name, value, expected)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const FILE: &str = r#"
[defaults]
errors = "30s"
unannotated = "never"

[limits]
entries = 1_000
megabytes = 8
age = "2h"

[tools.search]
cache = "always"
empty = "1m"

[tools."calendar.delete event"]
cache = "never"
invalidates = ["search"]
"#;

    #[test]
    fn a_whole_file_is_read() {
        let policies = Policies::parse("p.toml", FILE).unwrap();
        assert_eq!(policies.defaults.errors, Keep::For(Duration::from_secs(30)));
        assert_eq!((policies.limits.entries, policies.limits.bytes), (1000, 8_000_000));
        assert_eq!(policies.limits.age, Duration::from_secs(7200));
        let delete = &policies.tools["calendar.delete event"];
        assert_eq!(delete.invalidates, Invalidates::Tools(vec!["search".to_owned()]));
        assert!(policies.check(|_| true).is_ok());
        assert_eq!(policies.names().len(), 2);
    }

    #[test]
    fn what_is_wrong_is_named_with_file_line_and_field() {
        let refuses = |text: &str, parts: &[&str]| {
            let message = Policies::parse("p.toml", text).unwrap_err().to_string();
            for part in parts {
                assert!(message.contains(part), "{message:?} should hold {part:?}");
            }
        };
        refuses("\n[tools.a]\ncache = \"10 minutes\"\n", &["p.toml:3: `tools.a.cache`", "10m"]);
        refuses("[tools.a]\ncache = 10\n", &["p.toml:2: `tools.a.cache`", "text", "integer"]);
        refuses(
            "[tools.a]\ncahce = \"1m\"\n",
            &["p.toml:2: `tools.a.cahce`", "not known", "cache"],
        );
        refuses("[defaults]\nempty = \"0s\"\n", &["p.toml:2: `defaults.empty`", "never"]);
        refuses("[limits]\nage = \"x\"\n", &["p.toml:2: `limits.age`"]);
        refuses("[limits]\nentries = 0\n", &["p.toml:2: `limits.entries`", "from 1"]);
        refuses("[tool.a]\n", &["p.toml:1: `tool`", "tools"]);
        refuses("[tools]\na = \"never\"\n", &["p.toml:2: `tools.a`", "table"]);
        refuses("[tools.\"b c\"]\ninvalidates = [1]\n", &["p.toml:2: `tools.\"b c\".invalidates`"]);
        refuses("[tools.a]\ninvalidates = \"b\"\n", &["list"]);
        refuses("[tools.a\n", &["p.toml:1: no TOML"]);
        let unknown = "[tools.a]\ninvalidates = [\n  \"b\",\n  \"c\"]\n";
        let policies = Policies::parse("p.toml", unknown).unwrap();
        let message = policies.check(|name| name != "c").unwrap_err().to_string();
        assert!(message.contains("p.toml:4: `tools.a.invalidates: c`"), "{message}");
        let message = policies.check(|name| name != "a").unwrap_err().to_string();
        assert!(message.contains("p.toml:1: `tools.a`"), "{message}");
    }
}
