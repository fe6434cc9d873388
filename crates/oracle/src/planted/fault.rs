//! The faults that are no other list of rules: each the schema-directed keyer with one piece replaced.

use crate::subject::{Reach, Rewrite, Spelling, Subject, TYPED_RULES, rewritten, with_arguments};
use samecall_call::json::{self, Dialect, Member, Value};
use samecall_call::shape::Kind;
use samecall_call::{Call, Part, Tool};
use samecall_keyer::python;
use samecall_keyer::typed::{Typed, TypedRule, TypedScoped};
use samecall_keyer::{Explanation, Key, Keyed, Keyer, Outcome, Parts, Refusal};

/// The strategy of a fault over a base, `typed` or `typed-scoped`.
pub(super) fn subject(fault: &str, base: &str, name: String) -> Result<Subject, String> {
    let mut rules = TYPED_RULES;
    let mut piece = Piece::None;
    let rewrite: Option<Rewrite> = match fault {
        "padded-numbers" => Some(unpadded),
        "nested-names" => Some(top_names_alone),
        "doubles" => Some(through_doubles),
        "ignored-field" => Some(without_currency),
        "once" => {
            rules = rules.without(TypedRule::TextSpace);
            Some(spaces_once)
        }
        "separator" => {
            piece = Piece::Separator;
            None
        }
        "short-key" => {
            piece = Piece::ShortKey;
            None
        }
        "silent-scope" => {
            piece = Piece::SilentScope;
            None
        }
        other => return Err(format!("`{other}` is no planted fault")),
    };
    let (inner, reach): (Box<dyn Keyer>, Reach) = match base {
        "typed" => (Box::new(Typed::with_rules(rules)), Reach::Words),
        "typed-scoped" => (Box::new(TypedScoped::with_rules(rules)), Reach::Scope),
        other => return Err(format!("`{other}` is no base of a planted fault")),
    };
    let keyer = Box::new(Planted { name: name.clone(), inner, rewrite, piece });
    Ok(Subject { name, keyer, spelling: Spelling::Typed(rules, rewrite), reach })
}

/// The piece of key derivation that is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    None,
    /// The slot's parts are joined with `|`.
    Separator,
    /// 24 bits of the key count.
    ShortKey,
    /// A missing run or step reads `-`.
    SilentScope,
}

struct Planted {
    name: String,
    inner: Box<dyn Keyer>,
    rewrite: Option<Rewrite>,
    piece: Piece,
}

impl Planted {
    fn seen(&self, call: &Call, tool: Option<&Tool>) -> Call {
        let mut call = rewritten(self.rewrite, call, tool);
        if self.piece == Piece::SilentScope {
            for part in [&mut call.scope.run_id, &mut call.scope.step] {
                if part.is_missing() {
                    *part = Part::Given("-".to_owned());
                }
            }
            if let Some(attempt) = &mut call.scope.attempt_of {
                for part in [&mut attempt.run_id, &mut attempt.step] {
                    if part.is_missing() {
                        *part = Part::Given("-".to_owned());
                    }
                }
            }
        }
        call
    }
}

impl Keyer for Planted {
    fn name(&self) -> &str {
        &self.name
    }

    fn key(&self, call: &Call, tool: Option<&Tool>) -> Outcome {
        let outcome = self.inner.key(&self.seen(call, tool), tool);
        let Outcome::Key(keyed) = outcome else { return outcome };
        Outcome::Key(match self.piece {
            Piece::Separator => joined(keyed, call),
            Piece::ShortKey => {
                let mut short = [0; 16];
                short[..3].copy_from_slice(&keyed.key.as_bytes()[..3]);
                Keyed { key: Key::from_bytes(short), parts: keyed.parts }
            }
            Piece::None | Piece::SilentScope => keyed,
        })
    }

    fn has_slot(&self) -> bool {
        self.inner.has_slot()
    }

    fn explain(&self, call: &Call, tool: Option<&Tool>) -> Option<Result<Explanation, Refusal>> {
        self.inner.explain(&self.seen(call, tool), tool)
    }
}

/// The key whose slot is run, step, occurrence, site and tenant in one text.
fn joined(keyed: Keyed, call: &Call) -> Keyed {
    let Some(parts) = keyed.parts else { return keyed };
    let scope = &call.scope;
    let slot = Key::of_joined([
        scope.effective_run().unwrap_or_default().as_bytes(),
        scope.effective_step().unwrap_or_default().as_bytes(),
        scope.effective_occurrence().to_string().as_bytes(),
        scope.call_site.as_deref().unwrap_or("-").as_bytes(),
        scope.tenant.as_deref().unwrap_or("-").as_bytes(),
    ]);
    let key = Key::of_joined([slot.as_bytes(), parts.fingerprint.as_bytes()]);
    Keyed { key, parts: Some(Parts { slot, ..parts }) }
}

/// The call with its arguments changed, where they are JSON.
fn with_value(call: &Call, change: impl FnOnce(&mut Value<'static>)) -> Call {
    let Ok(value) = json::parse(&call.arguments, Dialect::Strict) else { return call.clone() };
    let mut value = value.into_owned();
    change(&mut value);
    with_arguments(call, value.to_string())
}

fn each(value: &mut Value<'static>, change: &mut dyn FnMut(&mut Value<'static>)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, change)),
        Value::Object(members) => members.iter_mut().for_each(|m| each(&mut m.value, change)),
        scalar => change(scalar),
    }
}

/// `0042` is `42`.
fn unpadded(call: &Call, _: Option<&Tool>) -> Call {
    with_value(call, |value| {
        each(value, &mut |scalar| {
            if let Value::String(text) = scalar
                && let Some(digits) = text.as_str()
                && digits.len() > 1
                && digits.bytes().all(|byte| byte.is_ascii_digit())
            {
                let kept = digits.trim_start_matches('0');
                let kept = if kept.is_empty() { "0" } else { kept };
                *scalar = Value::String(kept.to_owned().into());
            }
        });
    })
}

/// Members of nested objects go unless the arguments themselves have one of that name.
fn top_names_alone(call: &Call, _: Option<&Tool>) -> Call {
    fn prune(value: &mut Value<'static>, names: &[Member<'static>]) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| prune(item, names)),
            Value::Object(members) => {
                members.retain(|member| names.iter().any(|name| name.name == member.name));
                members.iter_mut().for_each(|member| prune(&mut member.value, names));
            }
            _ => {}
        }
    }
    with_value(call, |value| {
        if let Value::Object(members) = value {
            let names = members.clone();
            members.iter_mut().for_each(|member| prune(&mut member.value, &names));
        }
    })
}

/// A number is the double next to it.
fn through_doubles(call: &Call, _: Option<&Tool>) -> Call {
    with_value(call, |value| {
        each(value, &mut |scalar| {
            if let Value::Number(text) = scalar
                && let Ok(double) = text.parse::<f64>()
            {
                let mut out = Vec::new();
                // JSON has no infinity; one number stands for all of them.
                python::repr(double.clamp(-f64::MAX, f64::MAX), &mut out);
                let text = String::from_utf8(out).unwrap_or_default();
                *scalar = Value::Number(text.into());
            }
        });
    })
}

/// `currency` is not looked at.
fn without_currency(call: &Call, _: Option<&Tool>) -> Call {
    with_value(call, |value| {
        if let Value::Object(members) = value {
            members.retain(|member| member.name != *"currency");
        }
    })
}

/// In prose, two white spaces become one, once and not until none is left.
fn spaces_once(call: &Call, tool: Option<&Tool>) -> Call {
    with_value(call, |value| {
        let (Value::Object(members), Some(tool)) = (value, tool) else { return };
        let Some(object) = tool.shape.root_object() else { return };
        for member in members {
            let is_prose = object.properties.iter().any(|property| {
                member.name == *property.name
                    && matches!(tool.shape.field(property.field).kind, Kind::Text)
            });
            if let Value::String(text) = &member.value
                && let Some(text) = text.as_str().filter(|_| is_prose)
            {
                let text: String =
                    text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
                member.value = Value::String(text.replace("  ", " ").into());
            }
        }
    })
}
