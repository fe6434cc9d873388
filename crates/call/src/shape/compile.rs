//! From a JSON Schema (and an overlay) to a [`Shape`].

use super::annotation::{Annotation, EmptyMeaning, Idempotency, KindName, NullMeaning, resolved};
use super::names::{fold_name, nfc};
use super::overlay::{Node, ToolOverlay};
use super::prose::default_in;
use super::schema::{
    Parts, applies_to_items, declared_types, enum_members, flatten, grid, is_null_schema,
    null_in_enum, states_kind, string_kind,
};
use super::union::union_kind;
use super::{Field, FieldId, ItemsShape, JsonType, Kind, ObjectShape, Property, Shape};
use crate::json::Value;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Fields nested deeper than this are [`Kind::Any`]. A recursive schema never gets here, since its
/// fields refer back; only a schema that is itself this deep does.
const MAX_FIELD_DEPTH: usize = 64;

/// A shape has no more fields than this; what a schema says beyond them is [`Kind::Any`]. Real
/// catalogs have hundreds; unions that refer to each other could multiply without end.
const MAX_FIELDS: usize = 20_000;

/// An annotation that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeError {
    /// The dotted path of the field; empty for the tool itself.
    pub field: String,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            f.write_str(&self.reason)
        } else {
            write!(f, "field `{}`: {}", self.field, self.reason)
        }
    }
}

impl std::error::Error for ShapeError {}

/// Reads a tool's schema, and the overlay's entries for the tool where there are any.
///
/// # Errors
/// When an annotation (`x-identity` and its like) is misspelt; wild schemas are no error.
pub fn compile(schema: &Value<'_>, overlay: Option<&ToolOverlay>) -> Result<Shape, ShapeError> {
    let mut compiler = Compiler {
        doc: schema,
        fields: Vec::new(),
        memo: HashMap::new(),
        path: Vec::new(),
        depth: 0,
        items_identity: None,
    };
    let none = Node::default();
    let node = overlay.map_or(&none, |o| &o.root);
    let root = compiler.field(&[schema], node, Context::Other)?;
    let tool_error = |reason: String| ShapeError { field: String::new(), reason };
    let idempotency =
        match (overlay.and_then(|o| o.idempotency.clone()), schema.get("x-idempotency")) {
            (Some(stated), _) => Some(stated),
            (None, Some(value)) => Some(Idempotency::of_schema(value).map_err(tool_error)?),
            (None, None) => None,
        };
    let mut tool_aliases: Vec<String> = overlay.map(|o| o.aliases.clone()).unwrap_or_default();
    if let Some(names) = schema.get("x-aliases").and_then(Value::as_array) {
        tool_aliases.extend(names.iter().filter_map(|n| n.as_str().map(str::to_owned)));
    }
    let has_payload = compiler.fields.iter().any(|field| matches!(field.kind, Kind::Payload));
    Ok(Shape {
        fields: compiler.fields,
        root,
        tool_aliases,
        ignore_undeclared: overlay.is_some_and(|o| o.ignore_undeclared),
        idempotency,
        has_schema: schema.as_object().is_some_and(|members| !members.is_empty()),
        has_payload,
    })
}

/// Where a field stands, which decides what null means in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Context {
    /// A property of an object. `strict`: every property of that object is required.
    Property { required: bool, strict: bool },
    /// The root, an item, a branch of a union.
    Other,
}

pub(super) struct Compiler<'s, 't> {
    doc: &'s Value<'t>,
    pub(super) fields: Vec<Field>,
    /// Fields by the schemas they were read from, so that a recursive schema ends.
    memo: HashMap<(Vec<usize>, Context), FieldId>,
    path: Vec<String>,
    /// How many reads are under way, each within the one before.
    depth: usize,
    /// A scalar kind that an array's own annotation gives its items.
    items_identity: Option<KindName>,
}

impl<'s, 't> Compiler<'s, 't> {
    fn error(&self, reason: String) -> ShapeError {
        ShapeError { field: self.path.join("."), reason }
    }

    /// The field that some schemas describe together: one, or each that `allOf` has for the place.
    fn field(
        &mut self,
        schemas: &[&'s Value<'t>],
        overlay: &Node,
        context: Context,
    ) -> Result<FieldId, ShapeError> {
        let inherited = self.items_identity.take();
        let shareable =
            overlay.annotation.is_none() && overlay.children.is_empty() && inherited.is_none();
        let places = schemas.iter().map(|schema| std::ptr::from_ref(*schema) as usize).collect();
        let key = (places, context);
        if shareable && let Some(id) = self.memo.get(&key) {
            return Ok(*id);
        }
        let id = FieldId(u32::try_from(self.fields.len()).unwrap_or(u32::MAX));
        self.fields.push(any_field());
        if shareable {
            self.memo.insert(key, id);
        }
        let parts = flatten(self.doc, schemas);
        let field = self.read(parts, overlay, context, inherited)?;
        self.fields[id.0 as usize] = field;
        Ok(id)
    }

    fn read(
        &mut self,
        parts: Parts<'s, 't>,
        overlay: &Node,
        context: Context,
        inherited: Option<KindName>,
    ) -> Result<Field, ShapeError> {
        if self.fields.len() > MAX_FIELDS || self.depth > MAX_FIELD_DEPTH {
            return Ok(any_field());
        }
        self.depth += 1;
        let field = self.read_within(parts, overlay, context, inherited);
        self.depth -= 1;
        field
    }

    fn read_within(
        &mut self,
        mut parts: Parts<'s, 't>,
        overlay: &Node,
        context: Context,
        inherited: Option<KindName>,
    ) -> Result<Field, ShapeError> {
        let mut annotation = overlay.annotation.clone().unwrap_or_default();
        let from_overlay = annotation.identity.is_some();
        for part in &parts.schemas {
            let stated = Annotation::of_schema(part).map_err(|e| self.error(e))?;
            annotation = annotation.or(stated);
        }
        let inherits = annotation.identity.is_none() && inherited.is_some();
        annotation.identity = annotation.identity.or(inherited);

        // `anyOf` with null among its branches is how most generators write "optional".
        let mut branches: Vec<&'s Value<'t>> = Vec::new();
        let mut nullable = false;
        let mut enum_null = false;
        while let Some(all) = parts.keyword("anyOf").or(parts.keyword("oneOf"))
            && let Some(all) = all.as_array()
        {
            nullable |= all.iter().any(is_null_schema);
            enum_null |= all.iter().any(|branch| null_in_enum(&flatten(self.doc, &[branch])));
            branches = all.iter().filter(|b| !is_null_schema(b)).collect();
            let base_states_kind = parts.schemas.iter().any(|p| states_kind(p));
            let constraints_only = branches.iter().all(|b| !states_kind(b));
            if base_states_kind && constraints_only {
                branches.clear();
            }
            let [only] = branches[..] else { break };
            // One branch beside null is the field itself, and may be a union in turn.
            branches.clear();
            let inner = flatten(self.doc, &[only]);
            for part in &inner.schemas {
                let stated = Annotation::of_schema(part).map_err(|e| self.error(e))?;
                annotation = annotation.or(stated);
            }
            let known = parts.schemas.len();
            parts = parts.with_branch(inner);
            if parts.schemas.len() == known {
                break;
            }
        }
        let (types, null_type) = declared_types(&parts);
        enum_null |= null_in_enum(&parts);
        nullable |= null_type
            || enum_null
            || parts.keyword("nullable").and_then(Value::as_bool) == Some(true);
        let null = annotation.null.unwrap_or(match context {
            _ if enum_null => NullMeaning::Value,
            Context::Property { required: false, .. } => NullMeaning::Absent,
            Context::Property { strict: true, .. } if nullable => NullMeaning::Absent,
            _ => NullMeaning::Value,
        });
        let untyped = types.is_empty() && branches.is_empty() && enum_members(&parts).is_none();
        let default = parts
            .keyword("default")
            .filter(|d| nullable || untyped || !matches!(d, Value::Null))
            .map(|d| d.clone().into_owned());
        let (kind, reason, json_types) =
            self.kind(&parts, &types, &branches, overlay, &annotation)?;
        let reason = match (annotation.identity, from_overlay, inherits) {
            (Some(_), true, _) => "overlay".to_owned(),
            (Some(_), _, true) => "x-identity of the array".to_owned(),
            (Some(_), ..) => "x-identity".to_owned(),
            (None, ..) => reason,
        };
        let description =
            parts.keyword("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        let prose_default = match default {
            Some(_) => None,
            None => default_in(&description, &kind, &json_types),
        };
        Ok(Field {
            kind,
            reason,
            json_types,
            nullable,
            null,
            empty: annotation.empty.unwrap_or(EmptyMeaning::Value),
            stated_null: annotation.null,
            stated_empty: annotation.empty,
            default,
            prose_default,
            aliases: resolved(annotation.aliases),
            description,
        })
    }

    fn kind(
        &mut self,
        parts: &Parts<'s, 't>,
        types: &[JsonType],
        branches: &[&'s Value<'t>],
        overlay: &Node,
        annotation: &Annotation,
    ) -> Result<(Kind, String, Vec<JsonType>), ShapeError> {
        let is_array = types.first() == Some(&JsonType::Array);
        if let Some(name) = annotation.identity
            && (!is_array || !applies_to_items(name))
        {
            let kind = self.stated_kind(name, parts, overlay)?;
            return Ok((kind, String::new(), types.to_vec()));
        }
        if let Some(members) = enum_members(parts) {
            let mut of: Vec<JsonType> = members.iter().map(JsonType::of).collect();
            of.sort_unstable();
            of.dedup();
            let word = if parts.keyword("enum").is_some() { "enum" } else { "const" };
            return Ok((Kind::Enum(members), word.to_owned(), of));
        }
        if branches.len() > 1 {
            let mut ids = Vec::with_capacity(branches.len());
            for branch in branches {
                let inner = parts.with_branch(flatten(self.doc, &[branch]));
                let field = self.read(inner, overlay, Context::Other, None)?;
                ids.push(self.push(field));
            }
            return Ok(union_kind(&self.fields, &ids, "anyOf"));
        }
        if types.len() > 1 {
            let mut ids = Vec::with_capacity(types.len());
            for of in types {
                let (kind, reason) = self.plain_kind(*of, parts, overlay, annotation)?;
                let field = Field { kind, reason, json_types: vec![*of], ..any_field() };
                ids.push(self.push(field));
            }
            return Ok(union_kind(&self.fields, &ids, "type list"));
        }
        match types.first() {
            Some(of) => {
                let (kind, reason) = self.plain_kind(*of, parts, overlay, annotation)?;
                Ok((kind, reason, vec![*of]))
            }
            None => Ok((Kind::Any, "no type".to_owned(), Vec::new())),
        }
    }

    fn push(&mut self, field: Field) -> FieldId {
        let id = FieldId(u32::try_from(self.fields.len()).unwrap_or(u32::MAX));
        self.fields.push(field);
        id
    }

    /// The kind that an annotation names.
    fn stated_kind(
        &mut self,
        name: KindName,
        parts: &Parts<'s, 't>,
        overlay: &Node,
    ) -> Result<Kind, ShapeError> {
        Ok(match name {
            KindName::Exact => Kind::Exact,
            KindName::Number => Kind::Number { grid: grid(parts) },
            KindName::Boolean => Kind::Boolean,
            KindName::Enum => Kind::Enum(enum_members(parts).ok_or_else(|| {
                self.error("the kind `enum` needs `enum` or `const` in the schema".to_owned())
            })?),
            KindName::Token => Kind::Token,
            KindName::Text => Kind::Text,
            KindName::Code => Kind::Code,
            KindName::Instant => Kind::Instant { epoch: true },
            KindName::Uuid => Kind::Uuid,
            KindName::Uri => Kind::Uri,
            KindName::Time => Kind::Time,
            KindName::Phone => Kind::Phone,
            KindName::Date => Kind::Date,
            KindName::Duration => Kind::Duration,
            KindName::Email => Kind::Email,
            KindName::List => Kind::List(self.items(parts, overlay, None)?),
            // Position says nothing in a set, so nor does what a schema says of one.
            KindName::Set => {
                let rest = self.items(parts, overlay, None)?.rest;
                Kind::Set(ItemsShape { prefix: Vec::new(), rest })
            }
            KindName::Json => Kind::Json,
            KindName::Volatile => Kind::Volatile,
            KindName::Payload => Kind::Payload,
        })
    }

    /// The kind that a JSON type and the other keywords give.
    fn plain_kind(
        &mut self,
        of: JsonType,
        parts: &Parts<'s, 't>,
        overlay: &Node,
        annotation: &Annotation,
    ) -> Result<(Kind, String), ShapeError> {
        Ok(match of {
            JsonType::Null => (Kind::Any, "type: null".to_owned()),
            JsonType::Boolean => (Kind::Boolean, "type: boolean".to_owned()),
            JsonType::Number => (Kind::Number { grid: grid(parts) }, "type: number".to_owned()),
            JsonType::String => string_kind(parts),
            JsonType::Array => {
                let identity = annotation.identity.filter(|name| applies_to_items(*name));
                (Kind::List(self.items(parts, overlay, identity)?), "type: array".to_owned())
            }
            JsonType::Object => {
                (Kind::Object(self.object(parts, overlay, annotation)?), "type: object".to_owned())
            }
        })
    }

    fn items(
        &mut self,
        parts: &Parts<'s, 't>,
        overlay: &Node,
        identity: Option<KindName>,
    ) -> Result<ItemsShape, ShapeError> {
        let overlay = overlay.items();
        let mut shape = ItemsShape::default();
        self.path.push("[]".to_owned());
        let listed = parts
            .keyword("prefixItems")
            .or(parts.keyword("items"))
            .and_then(Value::as_array)
            .unwrap_or_default();
        for schema in listed {
            self.items_identity = identity;
            shape.prefix.push(self.field(&[schema], &overlay, Context::Other)?);
        }
        let rest = [parts.keyword("items"), parts.keyword("additionalItems")]
            .into_iter()
            .flatten()
            .find(|schema| schema.as_object().is_some());
        if let Some(schema) = rest {
            self.items_identity = identity;
            shape.rest = Some(self.field(&[schema], &overlay, Context::Other)?);
        } else if let Some(name) = identity.or(overlay.annotation.as_ref().and_then(|a| a.identity))
        {
            // Items of which the schema says nothing but an annotation does.
            let kind = self.stated_kind(name, &Parts::default(), &overlay)?;
            shape.rest =
                Some(self.push(Field { kind, reason: "x-identity".into(), ..any_field() }));
        }
        self.path.pop();
        Ok(shape)
    }

    fn object(
        &mut self,
        parts: &Parts<'s, 't>,
        overlay: &Node,
        annotation: &Annotation,
    ) -> Result<ObjectShape, ShapeError> {
        // Several parts may say something of one property: all of it holds.
        let mut declared: Vec<(String, Vec<&'s Value<'t>>)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut required: HashSet<String> = HashSet::new();
        for part in &parts.schemas {
            for member in part.get("properties").and_then(Value::as_object).unwrap_or_default() {
                let Some(name) = member.name.as_str() else { continue };
                let name = nfc(name).into_owned();
                let at = *places.entry(name).or_insert_with_key(|name| {
                    declared.push((name.clone(), Vec::new()));
                    declared.len() - 1
                });
                declared[at].1.push(&member.value);
            }
            let names = part.get("required").and_then(Value::as_array).unwrap_or_default();
            required.extend(names.iter().filter_map(Value::as_str).map(|n| nfc(n).into_owned()));
        }
        let mut required_undeclared: Vec<String> =
            required.iter().filter(|name| !places.contains_key(*name)).cloned().collect();
        required_undeclared.sort_unstable();
        let strict =
            !declared.is_empty() && declared.iter().all(|(name, _)| required.contains(name));
        let mut properties = Vec::with_capacity(declared.len());
        let none = Node::default();
        for (name, schemas) in declared {
            let required = required.contains(&name);
            self.path.push(name.clone());
            let node = overlay.child(&name).unwrap_or(&none);
            let field = self.field(&schemas, node, Context::Property { required, strict })?;
            self.path.pop();
            properties.push(Property { folded: fold_name(&name), name, field, required });
        }
        properties.sort_by(|a, b| a.name.cmp(&b.name));
        let mut additional = None;
        if let Some(schema) = parts.keyword("additionalProperties")
            && schema.as_object().is_some_and(|members| !members.is_empty())
        {
            self.path.push("*".to_owned());
            let node = overlay.child("*").unwrap_or(&none);
            let id = self.field(&[schema], node, Context::Other)?;
            self.path.pop();
            let field = &self.fields[id.0 as usize];
            let annotated = matches!(field.reason.as_str(), "overlay" | "x-identity");
            let container = matches!(
                field.kind,
                Kind::Object(_) | Kind::List(_) | Kind::Set(_) | Kind::Union(_)
            );
            additional = (annotated || container).then_some(id);
        }
        Ok(ObjectShape {
            properties,
            required_undeclared,
            additional,
            undeclared_null: annotation.null,
            undeclared_empty: annotation.empty,
        })
    }
}

fn any_field() -> Field {
    Field {
        kind: Kind::Any,
        reason: "no type".to_owned(),
        json_types: Vec::new(),
        nullable: false,
        null: NullMeaning::Value,
        empty: EmptyMeaning::Value,
        stated_null: None,
        stated_empty: None,
        default: None,
        prose_default: None,
        aliases: Vec::new(),
        description: String::new(),
    }
}
