//! The fields of a shape as a list, for `tools check` and for whoever needs every field once.

use super::{Field, FieldId, Kind, Shape};

/// One field with its path.
#[derive(Debug, Clone)]
pub struct FieldInfo<'s> {
    /// The dotted path; `[]` stands for an array's items, `|n` for the nth branch of a union.
    pub path: String,
    /// Whether the schema requires it (false for items and branches).
    pub required: bool,
    /// The field's index.
    pub id: FieldId,
    /// The field.
    pub field: &'s Field,
}

impl Shape {
    /// Every field below the root, each once per path, parents first; a recursive field is listed
    /// where it is first met and not entered again below itself.
    pub fn walk(&self) -> Vec<FieldInfo<'_>> {
        let mut found = Vec::new();
        self.walk_below(self.root, "", &mut vec![self.root], &mut found);
        found
    }

    fn walk_below<'s>(
        &'s self,
        id: FieldId,
        path: &str,
        above: &mut Vec<FieldId>,
        found: &mut Vec<FieldInfo<'s>>,
    ) {
        let join = |name: &str| match path {
            "" => name.to_owned(),
            _ => format!("{path}.{name}"),
        };
        let mut children: Vec<(String, bool, FieldId)> = Vec::new();
        match &self.field(id).kind {
            Kind::Object(object) => {
                for property in &object.properties {
                    children.push((join(&property.name), property.required, property.field));
                }
                if let Some(additional) = object.additional {
                    children.push((join("*"), false, additional));
                }
            }
            Kind::List(items) | Kind::Set(items) => {
                for (index, item) in items.prefix.iter().enumerate() {
                    children.push((format!("{path}[{index}]"), false, *item));
                }
                if let Some(rest) = items.rest {
                    children.push((format!("{path}[]"), false, rest));
                }
            }
            Kind::Union(union) => {
                let tagged =
                    union.tag.iter().flat_map(|tag| tag.branches.iter().map(|(_, id)| *id));
                let mut ids: Vec<FieldId> = Vec::new();
                for id in union.branches.iter().map(|(_, id)| *id).chain(tagged) {
                    if !ids.contains(&id) {
                        ids.push(id);
                    }
                }
                for (index, id) in ids.into_iter().enumerate() {
                    children.push((format!("{path}|{index}"), false, id));
                }
            }
            _ => {}
        }
        for (path, required, id) in children {
            found.push(FieldInfo { path: path.clone(), required, id, field: self.field(id) });
            if !above.contains(&id) {
                above.push(id);
                self.walk_below(id, &path, above, found);
                above.pop();
            }
        }
    }
}
