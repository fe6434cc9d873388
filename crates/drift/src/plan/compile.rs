//! From a tool to its plan.

use super::{
    FieldPlan, Grid, Hint, Items, Kind, ObjectPlan, PropertyPlan, ToolPlan, pattern, type_bit,
};
use crate::choice::Choices;
use crate::production::site;
use samecall_call::Tool;
use samecall_call::json::{self, Dialect, Value};
use samecall_call::shape::{
    EmptyMeaning, Field, FieldId, JsonType, Kind as ShapeKind, NullMeaning, Shape, fold_name,
};
use std::collections::HashMap;
use std::sync::Arc;

/// How many texts of a pattern are kept.
const POOL: usize = 64;

/// Unions within unions that are followed; a union may be a branch of itself.
const MAX_NESTED: usize = 32;

/// The plan of a tool; none where its arguments are no object, or what it requires is unclear.
pub(crate) fn compile(tool: &Arc<Tool>) -> Option<ToolPlan> {
    let object = tool.shape.root_object()?;
    // A name that is required, and may be read as another.
    let is_near = |name: &String| object.properties.iter().any(|p| p.folded == fold_name(name));
    if object.required_undeclared.iter().any(is_near) {
        return None;
    }
    let schema = json::parse(&tool.parameters, Dialect::Python).ok()?.into_owned();
    let mut compiler = Compiler {
        shape: &tool.shape,
        doc: &schema,
        fields: vec![open_field()],
        memo: HashMap::new(),
        empty_absent: false,
    };
    let root = compiler.fields.len();
    compiler.fields.push(open_field());
    let mut field = compiler.read(tool.shape.root(), Some(&schema), "");
    if let Kind::Object(plan) = &mut field.kind {
        plan.ignores_undeclared = tool.shape.ignore_undeclared;
    }
    compiler.fields[root] = field;
    let fields = compiler.fields;
    let mut sites = site::WHOLE | site::SCOPE | site::ANY;
    fields.iter().for_each(|field| sites |= field.kind.site());
    let key_fields = match &tool.shape.idempotency {
        None => Vec::new(),
        Some(key) => {
            let places: Option<Vec<usize>> = key
                .fields
                .iter()
                .map(|name| object.properties.iter().position(|p| p.name == *name))
                .collect();
            // A key field that is no top-level property: every call would be refused.
            places?
        }
    };
    Some(ToolPlan { tool: Arc::clone(tool), key: None, fields, root, sites, key_fields })
}

struct Compiler<'s> {
    shape: &'s Shape,
    doc: &'s Value<'s>,
    fields: Vec<FieldPlan>,
    memo: HashMap<FieldId, usize>,
    /// Empty values under undeclared names mean absent here.
    empty_absent: bool,
}

impl<'s> Compiler<'s> {
    fn field(&mut self, id: FieldId, schema: Option<&'s Value<'s>>, name: &str) -> usize {
        if let Some(known) = self.memo.get(&id) {
            return *known;
        }
        let at = self.fields.len();
        self.fields.push(open_field());
        self.memo.insert(id, at);
        let shape = self.shape;
        self.fields[at] = self.read(shape.field(id), schema, name);
        at
    }

    fn read(&mut self, field: &'s Field, schema: Option<&'s Value<'s>>, name: &str) -> FieldPlan {
        let schema = schema.map(|s| self.resolve(s));
        let keyword = |word: &str| schema.and_then(|s| keyword(s, word));
        let kind = self.kind(field, schema, name);
        let number = |word: &str| keyword(word).and_then(whole_number);
        let mut pool: Vec<String> = keyword("examples")
            .and_then(Value::as_array)
            .unwrap_or_default()
            .iter()
            .filter_map(|v| v.as_str().map(str::to_owned))
            .collect();
        if pool.is_empty()
            && let Some(pattern) = keyword("pattern").and_then(Value::as_str)
        {
            let salt = pattern.bytes().fold(7, |s, b| crate::choice::mix(s ^ u64::from(b)));
            pool = pattern::samples(pattern, POOL, &mut Choices::of_batch(salt, 0, 0));
        }
        if let ShapeKind::Cased(cased) = &field.kind {
            pool.retain(|text| cased.canonical(text).as_deref() == Some(text));
        }
        let integer = matches!(keyword("type"), Some(Value::String(t))
            if matches!(t.as_str(), Some("integer" | "int" | "long")));
        FieldPlan {
            kind,
            types: field.json_types.iter().fold(0, |mask, of| mask | type_bit(*of)),
            nullable: field.nullable,
            null_absent: field.null == NullMeaning::Absent,
            empty_absent: field.empty == EmptyMeaning::Absent,
            default: field.default.clone(),
            aliases: field.aliases.clone(),
            union_types: 0,
            hint: Hint::of(name),
            integer,
            min: number("minimum"),
            max: number("maximum"),
            min_items: number("minItems").map_or(0, |n| n.clamp(0, 16) as usize),
            pool,
        }
    }

    fn kind(&mut self, field: &'s Field, schema: Option<&'s Value<'s>>, name: &str) -> Kind {
        match &field.kind {
            ShapeKind::Exact => Kind::Exact,
            ShapeKind::Number { grid } => {
                Kind::Number { grid: grid.as_deref().and_then(read_grid) }
            }
            ShapeKind::Boolean => Kind::Boolean,
            ShapeKind::Enum(members) => Kind::Enum(members.clone()),
            ShapeKind::Token => Kind::Token,
            ShapeKind::Cased(_) => Kind::Cased,
            ShapeKind::Text => Kind::Text,
            ShapeKind::Code => Kind::Code,
            ShapeKind::Instant { epoch } => Kind::Instant { epoch: *epoch },
            ShapeKind::Uuid => Kind::Uuid,
            ShapeKind::Uri => Kind::Uri,
            ShapeKind::Time => Kind::Time,
            ShapeKind::Phone => Kind::Phone,
            ShapeKind::Date => Kind::Date,
            ShapeKind::Duration => Kind::Duration,
            ShapeKind::Email => Kind::Email,
            ShapeKind::Json => Kind::Json,
            ShapeKind::Volatile => Kind::Volatile,
            ShapeKind::Payload => Kind::Payload,
            ShapeKind::List(items) => Kind::List(self.items(items, schema, name)),
            ShapeKind::Set(items) => Kind::Set(self.items(items, schema, name)),
            ShapeKind::Object(object) => {
                // What the field of undeclared members says itself goes before what the object says of them.
                let own = object.additional.and_then(|id| self.shape.field(id).stated_null);
                let null = own.or(object.undeclared_null);
                let mut plan = ObjectPlan {
                    undeclared_null_absent: null == Some(NullMeaning::Absent),
                    required_undeclared: object.required_undeclared.clone(),
                    ..ObjectPlan::default()
                };
                // What is said of undeclared members holds at every depth.
                let outer = self.empty_absent;
                self.empty_absent |= object.undeclared_empty == Some(EmptyMeaning::Absent);
                for property in &object.properties {
                    let below = schema
                        .and_then(|s| keyword(s, "properties"))
                        .and_then(|p| p.get(&property.name));
                    plan.properties.push(PropertyPlan {
                        name: property.name.clone(),
                        folded: property.folded.clone(),
                        field: self.field(property.field, below, &property.name),
                        required: property.required,
                    });
                }
                plan.additional = object.additional.map(|id| {
                    self.field(id, schema.and_then(|s| keyword(s, "additionalProperties")), "")
                });
                if let (Some(at), true) = (plan.additional, self.empty_absent) {
                    self.mark_empty_absent(at);
                }
                self.empty_absent = outer;
                Kind::Object(plan)
            }
            ShapeKind::Union(union) => {
                let mut mask = field.json_types.iter().fold(0, |mask, of| mask | type_bit(*of));
                let texts = union.branch(JsonType::String);
                let texts = texts.and_then(|id| self.narrowed(JsonType::String, id));
                let of_numbers = |id| {
                    matches!(self.shape.field(id).kind, ShapeKind::Number { .. } | ShapeKind::Json)
                };
                if texts.is_some_and(of_numbers) {
                    // A number in a text is no value of another type. Of a union it stays.
                    mask = mask & !type_bit(JsonType::String) | type_bit(JsonType::Null);
                }
                // Each branch with the types that it alone has; of its others nobody can tell.
                let mut claims: Vec<(FieldId, u8)> = Vec::new();
                for (of, id) in &union.branches {
                    let Some(id) = self.narrowed(*of, *id) else { continue };
                    match claims.iter_mut().find(|(known, _)| *known == id) {
                        Some((_, types)) => *types |= type_bit(*of),
                        None => claims.push((id, type_bit(*of))),
                    }
                }
                for (_, id) in union.tag.iter().flat_map(|tag| &tag.branches) {
                    if !claims.iter().any(|(known, _)| known == id) {
                        claims.push((*id, type_bit(JsonType::Object)));
                    }
                }
                let mut branches: Vec<usize> = Vec::new();
                for (id, types) in claims {
                    branches.extend(self.branch(id, types, mask, name));
                }
                // A type whose branch nobody can tell is exact.
                for of in &field.json_types {
                    let of_branch =
                        |(t, id): &(JsonType, FieldId)| t == of && self.narrowed(*t, *id).is_some();
                    let known = union.branches.iter().any(of_branch)
                        || (*of == JsonType::Object && union.tag.is_some());
                    if *of == JsonType::String && !known {
                        branches.push(self.unclaimed(mask));
                    }
                }
                branches.dedup();
                let left_out = |(of, id): &(JsonType, FieldId)| {
                    let id = self.narrowed(*of, *id).unwrap_or(*id);
                    matches!(self.shape.field(id).kind, ShapeKind::Volatile | ShapeKind::Payload)
                };
                if branches.is_empty() && union.branches.iter().any(left_out) {
                    // What is drawn of no branch must be none that is left out: a text is not.
                    branches.push(self.unclaimed(mask));
                }
                if branches.is_empty() {
                    return Kind::Any;
                }
                Kind::Union { branches, tag: union.tag.as_ref().map(|t| t.name.clone()) }
            }
            // Kinds that this crate does not know yet are compared as JSON at least.
            _ => Kind::Any,
        }
    }

    /// Makes the empty values of a field, and of its branches, mean absent.
    fn mark_empty_absent(&mut self, field: usize) {
        let (mut next, mut seen) = (vec![field], Vec::new());
        while let Some(at) = next.pop() {
            self.fields[at].empty_absent = true;
            seen.push(at);
            if let Kind::Union { branches, .. } = &self.fields[at].kind {
                next.extend(branches.iter().filter(|branch| !seen.contains(branch)));
            }
        }
    }

    /// The field of a union's texts that no branch takes.
    fn unclaimed(&mut self, mask: u8) -> usize {
        let types = type_bit(JsonType::String);
        self.fields.push(FieldPlan { kind: Kind::Exact, union_types: mask, types, ..open_field() });
        self.fields.len() - 1
    }

    /// The branch of a type within a branch that is a union itself, whose other types may be claimed by others.
    fn narrowed(&self, of: JsonType, mut id: FieldId) -> Option<FieldId> {
        for _ in 0..MAX_NESTED {
            match &self.shape.field(id).kind {
                ShapeKind::Union(union) if of == JsonType::Object && union.tag.is_some() => break,
                ShapeKind::Union(union) => id = union.branch(of)?,
                _ => break,
            }
        }
        Some(id)
    }

    /// A branch of a union, of which values of some types alone are drawn; none where its kind has no value of them.
    fn branch(&mut self, id: FieldId, types: u8, mask: u8, name: &str) -> Option<usize> {
        let field = self.shape.field(id);
        let takes = |of: JsonType| types & type_bit(of) != 0;
        let has_values = match &field.kind {
            // A union below is cut by its own branches.
            ShapeKind::Union(_) => true,
            ShapeKind::Enum(members) => members.iter().any(|member| takes(JsonType::of(member))),
            ShapeKind::Any | ShapeKind::Exact | ShapeKind::Payload => true,
            ShapeKind::Number { .. } | ShapeKind::Volatile => {
                takes(JsonType::String) || takes(JsonType::Number)
            }
            ShapeKind::Instant { epoch } => {
                takes(JsonType::String) || (*epoch && takes(JsonType::Number))
            }
            ShapeKind::Boolean => takes(JsonType::Boolean),
            ShapeKind::List(_) | ShapeKind::Set(_) => takes(JsonType::Array),
            ShapeKind::Object(_) => takes(JsonType::Object),
            _ => takes(JsonType::String),
        };
        if !has_values {
            return None;
        }
        let declared = field.json_types.iter().fold(0, |mask, of| mask | type_bit(*of));
        // Members and aliases of other types are other branches' values.
        let alone = match &field.kind {
            ShapeKind::Enum(members) => members.iter().all(|member| takes(JsonType::of(member))),
            _ => field.aliases.is_empty() || takes(JsonType::String),
        };
        if declared & !types == 0 && alone || matches!(field.kind, ShapeKind::Union(_)) {
            let at = self.field(id, None, name);
            self.fields[at].union_types = mask;
            return Some(at);
        }
        let mut plan = self.read(field, None, name);
        plan.types = types;
        plan.union_types = mask;
        if types & type_bit(JsonType::String) == 0 {
            plan.aliases.clear();
            plan.pool.clear();
        }
        if let Kind::Enum(members) = &mut plan.kind {
            members.retain(|member| types & type_bit(JsonType::of(member)) != 0);
        }
        self.fields.push(plan);
        Some(self.fields.len() - 1)
    }

    fn items(
        &mut self,
        items: &'s samecall_call::shape::ItemsShape,
        schema: Option<&'s Value<'s>>,
        name: &str,
    ) -> Items {
        let below = schema.and_then(|s| keyword(s, "items")).filter(|s| s.as_object().is_some());
        Items {
            prefix: items.prefix.iter().map(|id| self.field(*id, None, name)).collect(),
            rest: items.rest.map(|id| self.field(id, below, name)),
        }
    }

    /// The schema that a local `$ref` stands for, else the schema itself.
    fn resolve(&self, schema: &'s Value<'s>) -> &'s Value<'s> {
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| {
            let mut at = self.doc;
            for segment in reference.strip_prefix("#/")?.split('/') {
                at = at.get(segment)?;
            }
            Some(at)
        });
        target.unwrap_or(schema)
    }
}

/// A keyword of a schema, or of the one branch beside null that an optional field's `anyOf` has.
fn keyword<'v>(schema: &'v Value<'v>, word: &str) -> Option<&'v Value<'v>> {
    schema.get(word).or_else(|| {
        let branches = schema.get("anyOf").and_then(Value::as_array)?;
        branches.iter().find_map(|b| b.get(word))
    })
}

fn whole_number(value: &Value<'_>) -> Option<i64> {
    match value {
        Value::Number(text) => text
            .parse::<i64>()
            .ok()
            .or_else(|| text.parse::<f64>().ok().filter(|n| n.abs() < 1e15).map(|n| n as i64)),
        _ => None,
    }
}

/// A plain decimal grid such as `0.05` or `5`; others are no grid to draw on.
fn read_grid(text: &str) -> Option<Grid> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let units: i64 = format!("{whole}{fraction}").parse().ok()?;
    (units > 0 && fraction.len() <= 9).then_some(Grid { units, scale: fraction.len() as u32 })
}

fn open_field() -> FieldPlan {
    FieldPlan {
        kind: Kind::Any,
        types: 0,
        nullable: true,
        null_absent: false,
        empty_absent: false,
        default: None,
        aliases: Vec::new(),
        union_types: 0,
        hint: Hint::None,
        integer: false,
        min: None,
        max: None,
        min_items: 0,
        pool: Vec::new(),
    }
}
