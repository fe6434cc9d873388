//! A tool catalog: the tools that a model can call, by key and by name.
//!
//! The shapes in use are all read: a map from key to tool or a list of tools; each tool bare, or
//! as OpenAI (`function.parameters`), Anthropic (`input_schema`) or MCP (`inputSchema`) write it.

use crate::annotations::Annotations;
use crate::error::{Error, Result};
use crate::json::{self, Dialect, Value};
use crate::shape::{self, Idempotency, Overlay, Shape};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// One tool as the model sees it, and what its schema says of equality.
#[derive(Debug, Clone)]
pub struct Tool {
    /// The name that a call gives.
    pub name: String,
    /// What the model is told of it; may be empty.
    pub description: String,
    /// The JSON Schema of its parameters, as compact JSON text.
    pub parameters: String,
    /// The schema read into field kinds.
    pub shape: Shape,
    /// What the catalog says of the tool's effects.
    pub annotations: Annotations,
}

impl Tool {
    /// A tool from a name and the text of a JSON Schema.
    ///
    /// # Errors
    /// A sentence: the text is no JSON, or an annotation in it is misspelt.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: &str,
        overlay: Option<&Overlay>,
    ) -> Result<Self, String> {
        let schema = json::parse(parameters, Dialect::Python)
            .map_err(|e| format!("the schema is no JSON: {e}"))?;
        Self::of_schema(name.into(), description.into(), &schema, overlay)
    }

    fn of_schema(
        name: String,
        description: String,
        schema: &Value<'_>,
        overlay: Option<&Overlay>,
    ) -> Result<Self, String> {
        let shape = shape::compile(schema, overlay.and_then(|o| o.tool(&name)))
            .map_err(|e| e.to_string())?;
        let annotations = Annotations::default();
        Ok(Tool { name, description, parameters: schema.to_string(), shape, annotations })
    }

    /// Whether calls under this name are calls of this tool: it is the tool's own, or a declared alias of it.
    pub fn is_named(&self, name: &str) -> bool {
        names_of(self).any(|own| own == name)
    }
}

/// Tools by key and by name, in the order of their keys.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    tools: BTreeMap<String, Arc<Tool>>,
    /// The keys of the tools of one name; a name that several tools share finds none by name.
    names: HashMap<String, Vec<String>>,
    overlay: Overlay,
}

impl Catalog {
    /// A catalog without tools, whose tools will be read with these annotations.
    pub fn new(overlay: Overlay) -> Self {
        Catalog { overlay, ..Self::default() }
    }

    /// The annotations that tools are read with.
    pub fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// Reads a catalog file into this one. A key that is there already is replaced.
    ///
    /// # Errors
    /// When the file cannot be read, is no JSON, or a tool in it lacks a name or has a schema that is
    /// no object.
    pub fn read_file(&mut self, path: &Path) -> Result<()> {
        let file = path.display().to_string();
        let bytes = fs::read(path).map_err(|source| Error::Io { file: file.clone(), source })?;
        let wrong = |at: String, reason: String| Error::Catalog { file: file.clone(), at, reason };
        let text = std::str::from_utf8(&bytes)
            .map_err(|e| wrong(String::new(), format!("no UTF-8 at byte {}", e.valid_up_to())))?;
        self.read_str(&file, text)
    }

    /// Reads a catalog from text into this one; `file` stands for it in messages.
    ///
    /// # Errors
    /// As [`Catalog::read_file`].
    pub fn read_str(&mut self, file: &str, text: &str) -> Result<()> {
        self.read_text(text).map_err(|(at, reason)| Error::Catalog {
            file: file.to_owned(),
            at,
            reason,
        })
    }

    /// Reads a catalog from text; the error is the place and the reason.
    fn read_text(&mut self, text: &str) -> Result<(), (String, String)> {
        let value = json::parse(text, Dialect::Python).map_err(|e| {
            let line = 1 + text.as_bytes()[..e.offset.min(text.len())]
                .iter()
                .filter(|&&b| b == b'\n')
                .count();
            (format!("line {line}: "), format!("no JSON: {e}"))
        })?;
        match &value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let tool = read_tool(item, None, &self.overlay)
                        .map_err(|reason| (format!("tool {index}: "), reason))?;
                    self.insert(tool.name.clone(), tool);
                }
            }
            // An MCP `tools/list` answer wraps its list.
            Value::Object(members)
                if members.len() == 1
                    && value.get("tools").is_some_and(|t| t.as_array().is_some()) =>
            {
                let list = value.get("tools").map(ToString::to_string).unwrap_or_default();
                self.read_text(&list)?;
            }
            Value::Object(members) => {
                for member in members {
                    let key = member.name.as_str().unwrap_or_default().to_owned();
                    let tool = read_tool(&member.value, Some(&key), &self.overlay)
                        .map_err(|reason| (format!("tool `{key}`: "), reason))?;
                    self.insert(key, tool);
                }
            }
            other => {
                let reason = format!(
                    "a catalog must be a list of tools or an object from key to tool, but is {}",
                    other.type_name()
                );
                return Err((String::new(), reason));
            }
        }
        Ok(())
    }

    /// Adds a tool under a key.
    pub fn insert(&mut self, key: String, tool: Tool) {
        let tool = Arc::new(tool);
        if let Some(old) = self.tools.insert(key.clone(), Arc::clone(&tool)) {
            for name in names_of(&old) {
                if let Some(keys) = self.names.get_mut(name) {
                    keys.retain(|k| *k != key);
                }
            }
        }
        for name in names_of(&tool) {
            self.names.entry(name.to_owned()).or_default().push(key.clone());
        }
    }

    /// The tool under a key.
    pub fn by_key(&self, key: &str) -> Option<&Arc<Tool>> {
        self.tools.get(key)
    }

    /// The tool of a name or declared alias, when exactly one tool (or several with one schema) has
    /// it.
    pub fn by_name(&self, name: &str) -> Option<&Arc<Tool>> {
        let keys = self.names.get(name)?;
        let first = self.tools.get(keys.first()?)?;
        let agree = |key: &String| {
            self.tools
                .get(key)
                .is_some_and(|tool| tool.name == first.name && tool.parameters == first.parameters)
        };
        keys.iter().all(agree).then_some(first)
    }

    /// All tools with their keys, in key order.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &Arc<Tool>)> {
        self.tools.iter().map(|(key, tool)| (key.as_str(), tool))
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there is no tool.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

fn names_of(tool: &Tool) -> impl Iterator<Item = &str> {
    std::iter::once(tool.name.as_str()).chain(tool.shape.tool_aliases.iter().map(String::as_str))
}

fn read_tool(value: &Value<'_>, key: Option<&str>, overlay: &Overlay) -> Result<Tool, String> {
    if value.as_object().is_none() {
        return Err(format!("must be an object, but is {}", value.type_name()));
    }
    let tool = value.get("function").filter(|f| f.as_object().is_some()).unwrap_or(value);
    let name = match tool.get("name") {
        Some(name) => name
            .as_str()
            .map(str::to_owned)
            .ok_or_else(|| format!("`name` must be text, but is {}", name.type_name()))?,
        None => key.map(str::to_owned).ok_or("`name` is missing")?,
    };
    let description = tool.get("description").and_then(Value::as_str).unwrap_or_default();
    let schema = ["parameters", "input_schema", "inputSchema"]
        .iter()
        .find_map(|field| tool.get(field).map(|schema| (*field, schema)));
    let empty = Value::Object(Vec::new());
    let schema = match schema {
        None | Some((_, Value::Null)) => &empty,
        Some((_, schema @ (Value::Object(_) | Value::Bool(_)))) => schema,
        Some((field, other)) => {
            return Err(format!("`{field}` must be an object, but is {}", other.type_name()));
        }
    };
    let mut read = Tool::of_schema(name, description.to_owned(), schema, Some(overlay))?;
    // What is said of a tool may stand beside its parameters as well as in them.
    for holder in [tool, value] {
        read.annotations = read.annotations.or(Annotations::from_value(holder)?);
        if read.shape.idempotency.is_none()
            && let Some(stated) = holder.get("x-idempotency")
        {
            read.shape.idempotency = Some(Idempotency::of_schema(stated)?);
        }
        for alias in holder.get("x-aliases").and_then(Value::as_array).unwrap_or_default() {
            if let Some(alias) = alias.as_str()
                && !read.shape.tool_aliases.iter().any(|known| known == alias)
            {
                read.shape.tool_aliases.push(alias.to_owned());
            }
        }
    }
    Ok(read)
}
