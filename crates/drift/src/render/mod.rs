//! The rendering grammar: productions that change a spelling and never the intent.
//!
//! Each answers whether it changed anything; one that finds no site leaves the side as it was.

mod absence;
mod names;
mod network;
mod number;
mod prose;
mod structure;
mod time;
mod whole;

pub(crate) use absence::{empty, is_absent, is_default, is_empty, is_free};
pub(crate) use whole::later;

use crate::choice::Choices;
use crate::plan::ToolPlan;
use crate::production::{Production, site};
use crate::side::{Context, Side};
use crate::tree::{Node, Val};

/// Uses a production on a side; false where it fits nowhere.
pub(crate) fn apply<'p>(
    production: Production,
    side: &mut Side<'p>,
    cx: &mut Context<'_, '_>,
) -> bool {
    let sites = production.info().sites;
    let done = if sites & (site::WHOLE | site::SCOPE) != 0 {
        whole::apply(production, side, cx.choices)
    } else if cx.all_sites {
        let tool = side.tool;
        side.root.visit(sites, &mut 0, true, &mut |node| {
            on_site(production, tool, node, true, cx.choices)
        })
    } else {
        let count = side.root.count(sites);
        if count == 0 {
            return false;
        }
        let start = cx.choices.below(count);
        let tool = side.tool;
        let mut on = |node: &mut Node<'p>| on_site(production, tool, node, false, cx.choices);
        side.root.visit(sites, &mut { start }, false, &mut on)
            || (start > 0 && side.root.visit(sites, &mut 0, false, &mut on))
    };
    if done {
        side.used.push(production);
    }
    done
}

fn on_site<'p>(
    production: Production,
    tool: &'p ToolPlan,
    node: &mut Node<'p>,
    all: bool,
    c: &mut Choices<'_>,
) -> bool {
    use Production as P;
    match production {
        P::KeyReorder
        | P::DuplicateEqual
        | P::SetReorder
        | P::SetRepeat
        | P::SingletonUnwrapped
        | P::ListAsText
        | P::ObjectAsText
        | P::JsonRespelled => structure::apply(production, tool, node, all, c),
        P::NumberTrailingZeros
        | P::IntToFloat
        | P::NumberExponent
        | P::NumberExponentUpper
        | P::NumberNegativeZero
        | P::NumAsString
        | P::NumFromString
        | P::NumTextPlus
        | P::NumericText
        | P::GridNoise => number::apply(production, node, c),
        P::BoolAsString | P::BoolAsTitle | P::BoolFromString => boolean(production, node),
        P::EnumCase
        | P::TokenCase
        | P::TokenTrim
        | P::PatternCase
        | P::CaseFold
        | P::DoubleSpace
        | P::ProseNbsp
        | P::ProseThinSpace
        | P::ProseQuotes
        | P::ProseDashes
        | P::ProseNfd
        | P::ProseUpper
        | P::ProseTrailingNewline
        | P::ProseLeadingSpace
        | P::ProseCrlf
        | P::ProseReworded
        | P::ValueAlias => prose::apply(production, node, all, c),
        P::Subsecond
        | P::InstantFractionPad
        | P::InstantOffset
        | P::InstantZeroOffset
        | P::InstantNoColon
        | P::InstantLower
        | P::InstantSpace
        | P::InstantNoSeconds
        | P::InstantEpoch
        | P::TimeOffset => time::apply(production, node, c),
        P::UuidCase
        | P::UriHostCase
        | P::UriDefaultPort
        | P::UriEmptyPort
        | P::UriPercent
        | P::UriPercentCase
        | P::UriDots
        | P::UriEmptyPath
        | P::PhonePunctuation
        | P::EmailCase => network::apply(production, node, c),
        P::AddNull
        | P::DropNulls
        | P::DefaultWritten
        | P::DefaultDropped
        | P::EmptyWritten
        | P::EmptyDropped
        | P::UndeclaredNull
        | P::FreshNonce
        | P::VolatileDropped => absence::apply(production, tool, node, all, c),
        P::NameCamel | P::NameKebab | P::NameCase | P::NameNfd => names::apply(production, node, c),
        _ => false,
    }
}

fn boolean(production: Production, node: &mut Node<'_>) -> bool {
    if !node.plan.coerces() {
        return false;
    }
    let new = match (production, &node.value) {
        (Production::BoolAsString, Val::Bool(b)) => {
            Val::Text(if *b { "true" } else { "false" }.into())
        }
        (Production::BoolAsTitle, Val::Bool(b)) => {
            Val::Text(if *b { "True" } else { "False" }.into())
        }
        // A default may be any text.
        (Production::BoolFromString, Val::Text(text)) => match text.to_ascii_lowercase().as_str() {
            "true" => Val::Bool(true),
            "false" => Val::Bool(false),
            _ => return false,
        },
        _ => return false,
    };
    node.value = new;
    true
}
