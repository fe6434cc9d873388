//! From a catalog, a profile and a seed to labelled pairs, in batches.
//!
//! A batch is a function of seed, profile, depth and its index alone, so batches can be made by any
//! thread in any order. It is also the cluster of its pairs: each batch leaves out a random part of the
//! productions, so that rare combinations meet and the pairs of one batch are no independent draws.

use crate::change;
use crate::choice::{Choices, mix};
use crate::draw::Drawing;
use crate::error::{Error, Result};
use crate::moment::push_padded;
use crate::plan::{self, ToolPlan};
use crate::production::{Grammar, Production, site};
use crate::profile::Profile;
use crate::render;
use crate::side::{Context, Id, Side, Slot};
use crate::write::Style;
use samecall_call::{Catalog, Pair, Productions, SchemaRef, Truth};

/// How many productions are tried for one that fits.
const TRIES: usize = 8;

/// The deepest composition of productions on one pair.
pub const MAX_DEPTH: usize = 32;

/// Makes labelled pairs.
#[derive(Debug)]
pub struct Generator {
    plans: Vec<ToolPlan>,
    /// The plans that calls are drawn of.
    drawn: Vec<usize>,
    profile: Profile,
    set: String,
    seed: u64,
    depth: usize,
    salt: u64,
}

/// The productions of one batch, by tool, with cumulative weights.
struct Tables {
    disabled: Vec<bool>,
    by_tool: Vec<Option<[Table; 2]>>,
    /// Renderings that are drawn and left out, by their places as bits: for shrinking.
    left_out: u32,
}

#[derive(Default)]
struct Table {
    productions: Vec<Production>,
    cumulative: Vec<u64>,
}

impl Table {
    fn draw(&self, c: &mut Choices<'_>) -> Option<Production> {
        let total = *self.cumulative.last()?;
        let draw = c.weight(total);
        let at = self.cumulative.partition_point(|&sum| sum <= draw);
        self.productions.get(at).copied()
    }
}

impl Generator {
    /// A generator of calls of a catalog's tools. `depth` is how many productions are used on a pair,
    /// at most [`MAX_DEPTH`]. Of a profile that names tools, only those are drawn; where the catalog
    /// has none of them, all are.
    ///
    /// # Errors
    /// When no tool of the catalog takes an object.
    pub fn new(catalog: &Catalog, profile: &Profile, seed: u64, depth: usize) -> Result<Self> {
        let plans = plan::plans(catalog);
        let named = |p: &ToolPlan| profile.tools.contains(&p.tool.name);
        let mut drawn: Vec<usize> = (0..plans.len()).filter(|at| named(&plans[*at])).collect();
        if drawn.is_empty() {
            drawn = (0..plans.len()).collect();
        }
        if drawn.is_empty() {
            return Err(Error::NoTools);
        }
        let depth = depth.min(MAX_DEPTH);
        Ok(Generator {
            plans,
            drawn,
            profile: profile.clone(),
            set: format!("generated-{}", profile.name),
            seed,
            depth,
            salt: profile.digest() ^ mix(depth as u64 + 1),
        })
    }

    /// The batch of an index: `size` pairs, the same each time. A batch of another size starts with
    /// the same pairs but for its last one.
    pub fn batch(&self, index: u64, size: usize) -> Vec<Pair> {
        let mut choices = Choices::of_batch(self.seed, self.salt, index);
        let mut cluster = String::with_capacity(12);
        cluster.push('b');
        push_padded(
            &mut cluster,
            i64::try_from(index).unwrap_or(i64::MAX),
            if index < 1_000_000 { 6 } else { 12 },
        );
        let mut tables = self.tables(&mut choices);
        let mut pairs = Vec::with_capacity(size);
        while pairs.len() < size {
            let room = size - pairs.len();
            self.add_pair(&mut tables, &mut choices, &cluster, room, &mut pairs);
        }
        pairs
    }

    /// The productions of a batch; a tape spends none of its numbers on leaving some out.
    fn tables(&self, c: &mut Choices<'_>) -> Tables {
        let by_tool = self.plans.iter().map(|_| None).collect();
        if matches!(c, Choices::Tape(_)) {
            return Tables { disabled: Vec::new(), by_tool, left_out: 0 };
        }
        let share = c.between(0, i64::from(self.profile.swarm)) as u32;
        let disabled = Production::ALL.iter().map(|_| c.permille(share)).collect();
        Tables { disabled, by_tool, left_out: 0 }
    }

    fn table<'t>(&self, tables: &'t mut Tables, tool: usize, grammar: Grammar) -> &'t Table {
        let disabled = &tables.disabled;
        let both = tables.by_tool[tool].get_or_insert_with(|| {
            [Grammar::Render, Grammar::Change].map(|grammar| {
                let swarm = self.build(&self.plans[tool], grammar, disabled);
                // A batch that left nothing for a tool leaves that tool everything.
                if swarm.productions.is_empty() {
                    self.build(&self.plans[tool], grammar, &[])
                } else {
                    swarm
                }
            })
        });
        &both[usize::from(grammar == Grammar::Change)]
    }

    fn build(&self, tool: &ToolPlan, grammar: Grammar, disabled: &[bool]) -> Table {
        let mut table = Table::default();
        let mut sum = 0u64;
        for production in Production::ALL {
            let at = *production as usize;
            let info = production.info();
            let weight = self.profile.weights[at];
            let off = disabled.get(at).copied().unwrap_or(false);
            let never = *production == Production::Contradiction
                || (*production == Production::ToolAlias
                    && tool.tool.shape.tool_aliases.is_empty())
                || (*production == Production::BusinessKey && change::repeats(tool))
                || (*production == Production::NoArguments
                    && !tool.tool.shape.allows_no_arguments());
            if info.grammar == grammar
                && weight > 0
                && !off
                && !never
                && info.sites & tool.sites != 0
            {
                sum += u64::from(weight);
                table.productions.push(*production);
                table.cumulative.push(sum);
            }
        }
        table
    }

    /// Adds one pair, or the two pairs of a contradiction where there is room for both.
    fn add_pair(
        &self,
        tables: &mut Tables,
        c: &mut Choices<'_>,
        cluster: &str,
        room: usize,
        pairs: &mut Vec<Pair>,
    ) {
        let distinct = c.permille(1000 - self.profile.retries);
        let contradiction = c.permille(self.profile.contradictions / 2);
        let tool = self.drawn[c.below(self.drawn.len())];
        let plan = &self.plans[tool];
        let mut a = self.first(plan, c);
        if contradiction && room > 1 && plan.tool.shape.idempotency.is_none() {
            self.contradict(tables, tool, a, c, cluster, pairs);
            return;
        }
        let (truth, b, why) = if distinct {
            let (b, changed) = self.changed(tables, tool, &mut a, c);
            (Truth::Distinct, b, changed)
        } else {
            (Truth::Retry, a.clone(), None)
        };
        let mut sides = [a, b];
        let renders = self.depth - usize::from(distinct).min(self.depth);
        // The article's distinct pairs are written in one spelling.
        if !(distinct && self.profile.all_sites) {
            self.spell(tables, tool, &mut sides, renders, !distinct, c);
        }
        let [a, b] = sides;
        let why = why.or_else(|| b.used.first().or(a.used.first()).copied());
        pairs.push(self.pair(
            cluster,
            pairs.len(),
            truth,
            why.map_or("resent", Production::name),
            &a,
            &b,
        ));
    }

    /// The first call of a pair, plainly spelled.
    fn first<'p>(&'p self, plan: &'p ToolPlan, c: &mut Choices<'_>) -> Side<'p> {
        let mut run = String::with_capacity(12);
        run.push_str(c.of(&["run-", "run-", "thread_", "01J"]));
        push_padded(&mut run, c.between(0, 99_999), 5);
        let mut step = String::new();
        push_padded(&mut step, c.between(1, 9), 1);
        let slot = Slot {
            tenant: c.of(&[None, None, Some("acme")]),
            run: Id::from(run),
            step: Id::from(step),
            occurrence: if c.permille(150) { Some(c.between(0, 2) as u64) } else { None },
            call_site: if c.permille(100) { Some("main/1") } else { None },
            attempt_of: None,
        };
        let root = Drawing { tool: plan, hostile: self.profile.hostile, choices: c, values: 0 }
            .arguments();
        Side {
            tool: plan,
            name: plan.tool.name.as_str().into(),
            root,
            style: Style::PLAIN,
            slot,
            used: Vec::with_capacity(4),
        }
    }

    /// A neighbour of the first call, and the change that made it.
    fn changed<'p>(
        &'p self,
        tables: &mut Tables,
        tool: usize,
        a: &mut Side<'p>,
        c: &mut Choices<'_>,
    ) -> (Side<'p>, Option<Production>) {
        for _ in 0..TRIES {
            let Some(production) = self.table(tables, tool, Grammar::Change).draw(c) else { break };
            if production == Production::SeparatorInIds && change::repeats(a.tool) {
                a.slot.run = change::with_separator(&a.slot.run, c);
            }
            change::prepare(production, a, c);
            let mut b = a.clone();
            if change::apply(production, &mut b, &self.plans, self.profile.hostile, c) {
                return (b, Some(production));
            }
        }
        let mut b = a.clone();
        // Always another call, whatever the tool.
        b.slot.tenant = Some("umbrella");
        b.used.push(Production::OtherTenant);
        (b, Some(Production::OtherTenant))
    }

    /// Uses `count` rendering productions on the two sides.
    fn spell<'p>(
        &'p self,
        tables: &mut Tables,
        tool: usize,
        sides: &mut [Side<'p>; 2],
        count: usize,
        retry: bool,
        c: &mut Choices<'_>,
    ) {
        for at in 0..count {
            let before = (tables.left_out >> at & 1 == 1).then(|| sides.clone());
            for _ in 0..TRIES {
                let Some(production) = self.table(tables, tool, Grammar::Render).draw(c) else {
                    break;
                };
                let scope = production.info().sites & site::SCOPE != 0;
                let lineage = matches!(
                    production,
                    Production::Lineage | Production::OccurrenceStated | Production::BusinessKey
                );
                if lineage && !retry {
                    continue;
                }
                let first = !scope && !self.profile.all_sites && c.permille(300);
                let side = &mut sides[usize::from(!first)];
                let mut cx = Context { choices: &mut *c, all_sites: self.profile.all_sites };
                // The article counts a mutation that finds no field; it is not tried again.
                if render::apply(production, side, &mut cx) || self.profile.all_sites {
                    break;
                }
            }
            if let Some(before) = before {
                *sides = before;
            }
        }
        if let Some(serializer) = c.pick(&self.profile.serializers).copied() {
            let mut cx = Context { choices: &mut *c, all_sites: true };
            let side = &mut sides[1];
            if !render::apply(serializer, side, &mut cx) {
                // The default layout is what the first side has already.
                side.used.push(serializer);
            }
        }
    }

    /// Two pairs of the same bytes and other truths.
    fn contradict<'p>(
        &'p self,
        tables: &mut Tables,
        tool: usize,
        a: Side<'p>,
        c: &mut Choices<'_>,
        cluster: &str,
        pairs: &mut Vec<Pair>,
    ) {
        let mut b = a.clone();
        let (retry, distinct) = match c.below(3) {
            0 => ("replanned_step", "deliberate_repeat"),
            1 => ("resumed_run", "other_run"),
            _ => ("resent", "parallel_twin"),
        };
        if retry != "resent" {
            b.slot = change::moved(&a.slot, retry == "resumed_run", c);
        }
        b.used.push(Production::Contradiction);
        let mut sides = [a, b];
        self.spell(tables, tool, &mut sides, self.depth.saturating_sub(1), false, c);
        let [a, b] = sides;
        let mut first = self.pair(cluster, pairs.len(), Truth::Retry, retry, &a, &b);
        let mut second = self.pair(cluster, pairs.len() + 1, Truth::Distinct, distinct, &a, &b);
        first.contradicts = Some(second.id.clone());
        second.contradicts = Some(first.id.clone());
        pairs.push(first);
        pairs.push(second);
    }

    fn pair(
        &self,
        cluster: &str,
        at: usize,
        truth: Truth,
        why: &str,
        a: &Side<'_>,
        b: &Side<'_>,
    ) -> Pair {
        let mut id = String::with_capacity(cluster.len() + 6);
        id.push_str(cluster);
        id.push('-');
        push_padded(&mut id, at as i64, if at < 10_000 { 4 } else { 9 });
        let names =
            |used: &[Production]| used.iter().map(|p| p.name().to_owned()).collect::<Vec<_>>();
        let mut drift: Vec<String> = Vec::with_capacity(a.used.len() + b.used.len());
        for (at, production) in a.used.iter().chain(&b.used).enumerate() {
            if !a.used.iter().chain(&b.used).take(at).any(|p| p == production) {
                drift.push(production.name().to_owned());
            }
        }
        Pair {
            id,
            set: self.set.clone(),
            truth,
            why: why.to_owned(),
            drift,
            cluster: cluster.to_owned(),
            contradicts: None,
            productions: Some(Productions { a: names(&a.used), b: names(&b.used) }),
            schema: match &a.tool.key {
                Some(key) => SchemaRef::Key(key.clone()),
                None => SchemaRef::ByName,
            },
            a: a.call(),
            b: b.call(),
        }
    }

    /// One pair that follows from a tape of choices; an empty tape makes the plainest retry, and a shorter or smaller
    /// tape a plainer pair. The pair is never a contradiction.
    pub fn pair_of_tape(&self, tape: &[u32]) -> Pair {
        self.pair_of_tape_without(tape, 0)
    }

    /// The same pair without some of its renderings, each by its place as a bit: they are drawn, so that the rest of the
    /// tape keeps its meaning, and then left out. Its label stays true.
    pub fn pair_of_tape_without(&self, tape: &[u32], left_out: u32) -> Pair {
        let mut choices = Choices::Tape(tape);
        let mut tables = Tables { left_out, ..self.tables(&mut choices) };
        let mut pairs = Vec::with_capacity(2);
        self.add_pair(&mut tables, &mut choices, "tape", 1, &mut pairs);
        pairs.swap_remove(0)
    }

    /// One plainly spelled call that follows from a tape of choices.
    pub fn call_of_tape(&self, tape: &[u32]) -> samecall_call::Call {
        let mut choices = Choices::Tape(tape);
        let plan = &self.plans[self.drawn[choices.below(self.drawn.len())]];
        self.first(plan, &mut choices).call()
    }
}

/// The pair with its tool's schema written into it, as `samecall generate` prints it.
pub fn with_inline_schema(mut pair: Pair, catalog: &Catalog) -> Pair {
    let tool = match &pair.schema {
        SchemaRef::ByName => catalog.by_name(&pair.a.tool),
        SchemaRef::Key(key) => catalog.by_key(key),
        SchemaRef::Inline(_) => None,
    };
    if let Some(tool) = tool {
        pair.schema = SchemaRef::Inline(tool.parameters.clone());
    }
    pair
}
