//! At which kind of field two spellings part, for tables by kind.

use samecall_call::json::{self, Dialect, Value};
use samecall_call::shape::{Field, Kind, Shape};
use samecall_call::{Pair, Tool};

/// The kind of the first field, in the order of names, at which the two argument texts differ: of the member that only
/// one of them has, too. `object` for members that no schema declares, `whole` where they differ in layout, order or
/// escapes alone or one is no JSON, `scope` where the texts are equal.
pub(super) fn parting(pair: &Pair, tool: &Tool) -> &'static str {
    if pair.a.arguments == pair.b.arguments {
        return "scope";
    }
    let read = |text| json::parse(text, Dialect::Strict).ok();
    let (Some(a), Some(b)) = (read(&pair.a.arguments), read(&pair.b.arguments)) else {
        return "whole";
    };
    match (&a, &b) {
        (Value::Object(_), Value::Object(_)) => {
            part(&a, &b, Some(tool.shape.root()), &tool.shape).unwrap_or("whole")
        }
        _ => "whole",
    }
}

fn part(
    a: &Value<'_>,
    b: &Value<'_>,
    field: Option<&Field>,
    shape: &Shape,
) -> Option<&'static str> {
    let field = match field.map(|field| &field.kind) {
        Some(Kind::Union(union)) => {
            union.select(a).or_else(|| union.select(b)).map(|id| shape.field(id)).or(field)
        }
        _ => field,
    };
    match (a, b) {
        (Value::Object(_), Value::Object(_)) => members(a, b, field, shape),
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let items = field.and_then(|field| match &field.kind {
                Kind::List(items) | Kind::Set(items) => Some(items),
                _ => None,
            });
            left.iter().zip(right).enumerate().find_map(|(at, (a, b))| {
                let field = items.and_then(|items| items.at(at)).map(|id| shape.field(id));
                part(a, b, field, shape)
            })
        }
        _ if a == b => None,
        _ => Some(field.map_or("object", |field| field.kind.name())),
    }
}

fn members(
    a: &Value<'_>,
    b: &Value<'_>,
    field: Option<&Field>,
    shape: &Shape,
) -> Option<&'static str> {
    let object = field.and_then(|field| match &field.kind {
        Kind::Object(object) => Some(object),
        _ => None,
    });
    let mut names: Vec<&str> = [a, b]
        .iter()
        .flat_map(|side| side.as_object().unwrap_or_default())
        .filter_map(|member| member.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().find_map(|name| {
        let property = object.and_then(|object| object.property(name));
        let field = property.map(|property| shape.field(property.field));
        match (a.get(name), b.get(name)) {
            (Some(a), Some(b)) => part(a, b, field, shape),
            _ => Some(field.map_or("object", |field| field.kind.name())),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use samecall_call::{Call, SchemaRef, Truth};

    fn parting_of(a: &str, b: &str) -> &'static str {
        let schema = r#"{"type":"object","properties":{"n":{"type":"integer"},"on":{"type":"boolean"},
            "o":{"type":"object","properties":{"s":{"type":"string"}}},"l":{"type":"array","items":{"type":"number"}}}}"#;
        let tool = Tool::new("t", "", schema, None).unwrap();
        let pair = Pair {
            id: "1".into(),
            set: "s".into(),
            truth: Truth::Retry,
            why: String::new(),
            drift: Vec::new(),
            cluster: String::new(),
            contradicts: None,
            productions: None,
            schema: SchemaRef::ByName,
            a: Call::new("t", a),
            b: Call::new("t", b),
        };
        parting(&pair, &tool)
    }

    #[test]
    fn the_kind_is_that_of_the_field_where_the_texts_part() {
        for (a, b, kind) in [
            (r#"{"n":1}"#, r#"{"n":1.0}"#, "number"),
            (r#"{"n":1,"on":true}"#, r#"{"on":null,"n":1}"#, "boolean"),
            (r#"{"n":1}"#, r#"{"n":1,"on":null}"#, "boolean"),
            (r#"{"o":{"s":"a"}}"#, r#"{"o":{"s":"b"}}"#, "exact"),
            (r#"{"o":{"s":"a"}}"#, r#"{"o":"{}"}"#, "object"),
            (r#"{"l":[1,2]}"#, r#"{"l":[1,3]}"#, "number"),
            (r#"{"l":[1,2]}"#, r#"{"l":"[1,2]"}"#, "list"),
            (r#"{"zz":1}"#, r#"{"zz":2}"#, "object"),
            (r#"{"n":1,"on":true}"#, r#"{"on": true,"n": 1}"#, "whole"),
            (r#"{"n":1}"#, "", "whole"),
            (r#"{"n":1}"#, r#""{\"n\":1}""#, "whole"),
            (r#"{"n":1}"#, r#"{"n":1}"#, "scope"),
        ] {
            assert_eq!(parting_of(a, b), kind, "{a} {b}");
        }
    }
}
