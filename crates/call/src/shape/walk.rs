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

/// Fields that a listing has before it enters none a second time. Types that refer to each other, or are used twice on
/// every level, have more paths than anyone can read, or hold.
const MAX_PATHS: usize = 20_000;

impl Shape {
    /// Every field below the root by its paths, parents first. What is below a field is listed at each of its paths, but for
    /// a field within itself (a tree's node): below such a one only where it is first met. Past some thousands of paths no
    /// field is entered again, so that the list is no longer than the schema's fields allow.
    pub fn walk(&self) -> Vec<FieldInfo<'_>> {
        let within_itself = self.within_themselves();
        let mut entered = vec![false; self.fields.len()];
        let mut found = Vec::new();
        // The root has no path; where it is met again below itself it has one, be that an empty name.
        let mut waiting = vec![(None, false, self.root)];
        while let Some((path, required, id)) = waiting.pop() {
            if let Some(path) = path.clone() {
                found.push(FieldInfo { path, required, id, field: self.field(id) });
            }
            let path = path.unwrap_or_default();
            let at = id.0 as usize;
            let again = std::mem::replace(&mut entered[at], true);
            if again && (within_itself[at] || found.len() >= MAX_PATHS) {
                continue;
            }
            let join = |step: &Step<'_>| match step {
                Step::Member(name) if path.is_empty() => (*name).to_owned(),
                Step::Member(name) => format!("{path}.{name}"),
                Step::Item(index) => format!("{path}[{index}]"),
                Step::Rest => format!("{path}[]"),
                Step::Branch(index) => format!("{path}|{index}"),
            };
            let below = self.below(id);
            waiting.extend(
                below.iter().rev().map(|(step, required, id)| (Some(join(step)), *required, *id)),
            );
        }
        found
    }

    /// The fields right below one, with the step to each and whether it is required.
    fn below(&self, id: FieldId) -> Vec<(Step<'_>, bool, FieldId)> {
        let mut below = Vec::new();
        match &self.field(id).kind {
            Kind::Object(object) => {
                for property in &object.properties {
                    below.push((Step::Member(&property.name), property.required, property.field));
                }
                below.extend(object.additional.map(|id| (Step::Member("*"), false, id)));
            }
            Kind::List(items) | Kind::Set(items) => {
                let listed = items.prefix.iter().enumerate();
                below.extend(listed.map(|(index, id)| (Step::Item(index), false, *id)));
                below.extend(items.rest.map(|id| (Step::Rest, false, id)));
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
                let branches = ids.into_iter().enumerate();
                below.extend(branches.map(|(index, id)| (Step::Branch(index), false, id)));
            }
            _ => {}
        }
        below
    }

    /// For each field, whether a way down from the root comes to it again below itself. Every circle of fields has one.
    fn within_themselves(&self) -> Vec<bool> {
        let mut found = vec![false; self.fields.len()];
        let mut met = vec![false; self.fields.len()];
        let mut above = vec![false; self.fields.len()];
        let enter = |id: FieldId, met: &mut Vec<bool>, above: &mut Vec<bool>| {
            met[id.0 as usize] = true;
            above[id.0 as usize] = true;
            (id, self.below(id).into_iter().map(|(_, _, id)| id).collect::<Vec<_>>().into_iter())
        };
        // Without recursion: a way down may be as long as there are fields.
        let mut way = vec![enter(self.root, &mut met, &mut above)];
        while let Some((id, below)) = way.last_mut() {
            match below.next() {
                Some(next) if above[next.0 as usize] => found[next.0 as usize] = true,
                Some(next) if met[next.0 as usize] => {}
                Some(next) => way.push(enter(next, &mut met, &mut above)),
                None => {
                    above[id.0 as usize] = false;
                    way.pop();
                }
            }
        }
        found
    }
}

/// From a field to one right below it.
enum Step<'s> {
    Member(&'s str),
    Item(usize),
    Rest,
    Branch(usize),
}
