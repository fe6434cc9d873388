//! A labelled pair: two calls, and whether they are the same call.

use crate::call::{Call, text_member};
use crate::json::Value;
use crate::read::{FieldError, Fields};
use std::fmt;

/// What is true of a pair, known before any strategy is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Truth {
    /// The second call is the first one again: they must share a key.
    Retry,
    /// Two calls that were both meant: they must not share a key.
    Distinct,
}

impl Truth {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Truth::Retry => "retry",
            Truth::Distinct => "distinct",
        }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where the schema of a pair's tool is found.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum SchemaRef {
    /// In the catalogs, by the tool's name.
    #[default]
    ByName,
    /// In the catalogs, by this key.
    Key(String),
    /// Here: the JSON Schema of the parameters, as JSON text.
    Inline(String),
}

impl SchemaRef {
    /// Reads `parameters` (an inline schema) or `schema` (a catalog key) of a record.
    ///
    /// # Errors
    /// When either is there with another type.
    pub fn from_value(value: &Value<'_>) -> Result<Self, FieldError> {
        let fields = Fields::of(value, "a record")?;
        if let Some(schema) = fields.optional("parameters") {
            return match schema {
                Value::Object(_) | Value::Bool(_) => Ok(SchemaRef::Inline(schema.to_string())),
                other => Err(FieldError::wrong_type("parameters", "a JSON Schema", other)),
            };
        }
        Ok(match fields.optional_text("schema")? {
            Some(key) => SchemaRef::Key(key),
            None => SchemaRef::ByName,
        })
    }
}

/// The grammar productions that made each side of a generated pair.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Productions {
    /// Those of the first call.
    pub a: Vec<String>,
    /// Those of the second call.
    pub b: Vec<String>,
}

/// Two calls with a truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Names the pair in reports.
    pub id: String,
    /// The set it is scored with.
    pub set: String,
    /// Whether the two are one call.
    pub truth: Truth,
    /// Why: `value_changed`, `deliberate_repeat`, `parallel_twin`, `key_reorder`, ...
    pub why: String,
    /// The drift classes between the two spellings.
    pub drift: Vec<String>,
    /// The group whose pairs are no independent draws (a task, a generator batch): the pair's
    /// `cluster`, else the first call's run, else the pair alone.
    pub cluster: String,
    /// For a pair that no key can decide without lineage: the id of a pair with the same bytes and
    /// the other truth. Such pairs are counted apart.
    pub contradicts: Option<String>,
    /// Which grammar productions made the sides.
    pub productions: Option<Productions>,
    /// Where the tool's schema is.
    pub schema: SchemaRef,
    /// The first call.
    pub a: Call,
    /// The second call.
    pub b: Call,
}

impl Pair {
    /// Reads a pair from a JSON object; members that are none of a pair's are ignored.
    ///
    /// # Errors
    /// Names the field that is missing or of another type.
    pub fn from_value(value: &Value<'_>) -> Result<Self, FieldError> {
        let fields = Fields::of(value, "a pair")?;
        let truth = match fields.text("truth")?.as_str() {
            "retry" => Truth::Retry,
            "distinct" => Truth::Distinct,
            _ => return Err(FieldError::new("truth", "must be \"retry\" or \"distinct\"")),
        };
        let side = |name: &'static str| {
            let value = fields
                .optional(name)
                .ok_or_else(|| FieldError::new(name, "is missing; it must be a call"))?;
            Call::from_value(value).map_err(|e| e.within(name))
        };
        let (a, b) = (side("a")?, side("b")?);
        let id = fields.text("id")?;
        let cluster = match fields.optional_text("cluster")? {
            Some(cluster) => cluster,
            None => a.scope.run_id.value().unwrap_or(&id).to_owned(),
        };
        let productions = match fields.optional("productions") {
            None => None,
            Some(value) => {
                let sides = Fields::of(value, "productions")?;
                Some(Productions {
                    a: sides.texts("a").map_err(|e| e.within("productions"))?,
                    b: sides.texts("b").map_err(|e| e.within("productions"))?,
                })
            }
        };
        Ok(Pair {
            set: fields.text("set")?,
            truth,
            why: fields.optional_text("why")?.unwrap_or_else(|| "unstated".to_owned()),
            drift: fields.texts("drift")?,
            cluster,
            contradicts: fields.optional_text("contradicts")?,
            productions,
            schema: SchemaRef::from_value(value)?,
            a,
            b,
            id,
        })
    }

    /// Writes the pair as one JSON object on one line, without a line end.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(512);
        self.write_json(&mut out);
        out
    }

    /// Appends what [`Pair::to_json`] answers.
    pub fn write_json(&self, out: &mut String) {
        out.push('{');
        text_member(out, "id", &self.id);
        for (name, text) in [
            ("set", self.set.as_str()),
            ("truth", self.truth.as_str()),
            ("why", &self.why),
            ("cluster", &self.cluster),
        ] {
            out.push(',');
            text_member(out, name, text);
        }
        if let Some(twin) = &self.contradicts {
            out.push(',');
            text_member(out, "contradicts", twin);
        }
        out.push_str(",\"drift\":");
        text_list(out, &self.drift);
        if let Some(productions) = &self.productions {
            out.push_str(",\"productions\":{\"a\":");
            text_list(out, &productions.a);
            out.push_str(",\"b\":");
            text_list(out, &productions.b);
            out.push('}');
        }
        out.push_str(",\"a\":");
        self.a.write_json(out);
        out.push_str(",\"b\":");
        self.b.write_json(out);
        match &self.schema {
            SchemaRef::ByName => {}
            SchemaRef::Key(key) => {
                out.push(',');
                text_member(out, "schema", key);
            }
            SchemaRef::Inline(schema) => {
                out.push_str(",\"parameters\":");
                out.push_str(schema);
            }
        }
        out.push('}');
    }
}

fn text_list(out: &mut String, items: &[String]) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        // Writing to a String cannot fail.
        let _ = crate::json::write_text(out, &item.as_str().into());
    }
    out.push(']');
}
