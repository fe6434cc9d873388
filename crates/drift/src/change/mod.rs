//! The change grammar: neighbours that are distinct by construction, as near as can be.
//!
//! A change works on a plain intent, before anything is rendered, so that what it changes is known
//! exactly. Some need a value that draws rarely bring; [`prepare()`] puts one into the intent first.

mod exact;
mod object;
mod prepare;
mod scope;
mod sets;
mod typed;

pub(crate) use prepare::prepare;
pub(crate) use scope::{moved, repeats, with_separator};

use crate::choice::Choices;
use crate::draw::Drawing;
use crate::plan::ToolPlan;
use crate::production::{Production, site};
use crate::side::Side;
use crate::tree::{Node, Val};

/// Uses a change on the second side; false where it fits nowhere.
pub(crate) fn apply<'p>(
    production: Production,
    side: &mut Side<'p>,
    tools: &'p [ToolPlan],
    hostile: u32,
    c: &mut Choices<'_>,
) -> bool {
    use Production as P;
    let sites = production.info().sites;
    let done = if sites & site::SCOPE != 0 {
        scope::apply(production, side, tools, c)
    } else {
        let tool = side.tool;
        let count = side.root.count(sites);
        if count == 0 {
            return false;
        }
        // A value of another type is no other item's.
        let retyped = matches!(production, P::TypeChanged | P::UnionType);
        let before = (!retyped && sets::has_repeats(&side.root)).then(|| side.root.clone());
        let start = c.below(count);
        let mut drawing = Drawing { tool, hostile, choices: c, values: 0 };
        let mut on = |node: &mut Node<'p>| match production {
            P::FieldsSwapped
            | P::MemberAdded
            | P::MemberDropped
            | P::ExtraArgument
            | P::ExtraNull
            | P::NullClears
            | P::FalsyAbsent
            | P::DuplicateDiffers => object::apply(production, node, &mut drawing),
            P::ZeroPadding
            | P::VersionTail
            | P::ExponentText
            | P::UnderscoreDigits
            | P::DigitScript
            | P::ExactCase
            | P::ExactSpace
            | P::CodeIndent
            | P::CodeTab
            | P::CodeCrlf
            | P::ExactNfd
            | P::ExactQuotes
            | P::JsonContent
            | P::SharpS
            | P::Homoglyph
            | P::ZeroWidth
            | P::ProseOpposite
            | P::ProseNumber => exact::apply(production, node, drawing.choices),
            _ => typed::apply(production, node, &mut drawing),
        };
        let done = if production == P::NestedChanged {
            below_top(&mut side.root, sites, &mut on)
        } else {
            side.root.visit(sites, &mut { start }, false, &mut on)
                || (start > 0 && side.root.visit(sites, &mut 0, false, &mut on))
        };
        match before {
            Some(before) if done && sets::is_hidden(&before, &side.root) => {
                side.root = before;
                false
            }
            _ => done,
        }
    };
    if done {
        side.used.push(production);
    }
    done
}

/// The sites that are not members of the arguments themselves.
fn below_top<'p>(
    root: &mut Node<'p>,
    sites: u32,
    on: &mut dyn FnMut(&mut Node<'p>) -> bool,
) -> bool {
    let Val::Object(members) = &mut root.value else { return false };
    members.iter_mut().any(|member| {
        let container = matches!(member.node.value, Val::Object(_) | Val::List(_));
        container && member.node.visit(sites, &mut 0, false, on)
    })
}
