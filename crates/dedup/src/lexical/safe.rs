//! `safe` mode: equal normal forms first, then near repeats, each verified against the item that is really kept.

use std::collections::HashMap;

use rayon::prelude::*;

use super::features::{Features, overlap, reaches};
use super::index::Index;
use super::options::{Keep, Options, Search};
use super::result::{Amount, Deduped, Removal, Report, Rule};
use super::sketch::{Sketch, sketch};
use crate::guard::{AsIs, Judged, compare, normal_form};

/// Items whose sketches are computed at once, in parallel: bounds the memory that sketches take.
const BATCH_ITEMS: usize = 1024;

/// The verified answer for one item: the keeper's id, the score and the rule.
pub(crate) type Match = (u32, f64, Rule);

/// Two texts looked at.
#[derive(Clone, Copy)]
enum Pair {
    Identical,
    Judged(Judged),
}

/// A kept item that was compared with an item before its turn.
#[derive(Clone, Copy)]
pub(crate) struct Foreseen {
    id: u32,
    judged: Pair,
}

/// What an item is matched against: an index of the kept items, or (naively) all of them with their features.
pub(crate) struct Matcher {
    options: Options,
    index: Index,
    scanned: Vec<(u32, Features)>,
}

impl Matcher {
    pub(crate) fn new(options: &Options) -> Self {
        Self { options: options.clone(), index: Index::default(), scanned: Vec::new() }
    }

    pub(crate) fn sketch(&self, text: &str) -> Sketch {
        sketch(text, self.options.level, &self.options.lexicon, self.options.threshold() < 1.0)
    }

    pub(crate) fn insert(&mut self, id: u32, text: &str, sketch: &Sketch) {
        match self.options.search {
            Search::Index => self.index.insert(sketch, id),
            Search::Scan => self.scanned.push((id, Features::of(normal_form(text)))),
        }
    }

    /// The kept item that stands for `text`, if any. `get` gives the text of a kept id.
    pub(crate) fn find<'t>(
        &self,
        text: &str,
        sketch: &Sketch,
        get: impl Fn(u32) -> &'t str,
        foreseen: Option<Foreseen>,
        report: &mut Report,
    ) -> Option<Match> {
        let bound = self.options.max_candidates;
        if self.options.search == Search::Scan {
            return self.scan(text, &get, report);
        }
        let (same, passed_exact) = self.index.exact(sketch, bound);
        let mut judge = |id: u32, forms_only: bool| {
            let seen = foreseen.filter(|seen| seen.id == id).map(|seen| seen.judged);
            self.judge(text, get(id), seen, forms_only, report)
                .map(|(score, rule)| (id, score, rule))
        };
        let mut found = same.iter().find_map(|&id| judge(id, true));
        let mut passed = passed_exact;
        if found.is_none() {
            let (near, passed_near) = self.index.near(sketch, bound);
            passed += passed_near;
            let fresh = near.iter().filter(|id| !same.contains(id));
            found = fresh.copied().find_map(|id| judge(id, false));
        }
        if found.is_none() && passed > 0 {
            report.passed_over += passed;
            report.bounded_items += 1;
        }
        found
    }

    fn look(&self, text: &str, kept: &str) -> Pair {
        if text == kept {
            return Pair::Identical;
        }
        Pair::Judged(compare(text, kept, self.options.level, &self.options.lexicon))
    }

    /// Judges in parallel the pair that each item of a batch will most likely be verified in. The answers are those that
    /// [`Self::find`] would come to, so that a wrong guess costs time alone.
    fn foresee(&self, items: &[&str], batch: &[u32], sketches: &[Sketch]) -> Vec<Option<Foreseen>> {
        if self.options.search == Search::Scan {
            return vec![None; batch.len()];
        }
        let mut first: HashMap<u64, u32, AsIs> = HashMap::default();
        let guesses: Vec<Option<u32>> = batch
            .iter()
            .zip(sketches)
            .map(|(&item, sketch)| {
                let known = self.index.exact(sketch, 1).0.first().copied();
                known.or_else(|| {
                    let earlier = *first.entry(sketch.exact).or_insert(item);
                    (earlier != item).then_some(earlier)
                })
            })
            .collect();
        let pair = |(&item, guess): (&u32, Option<u32>)| {
            guess.map(|id| Foreseen {
                id,
                judged: self.look(items[item as usize], items[id as usize]),
            })
        };
        batch.par_iter().zip(guesses).map(pair).collect()
    }

    /// Whether the rules let `kept` stand for `text`; with `forms_only` by equal forms alone.
    fn judge(
        &self,
        text: &str,
        kept: &str,
        seen: Option<Pair>,
        forms_only: bool,
        report: &mut Report,
    ) -> Option<(f64, Rule)> {
        report.verified += 1;
        match seen.unwrap_or_else(|| self.look(text, kept)) {
            Pair::Identical => Some((1.0, Rule::Identical)),
            Pair::Judged(Judged::SameForm) => Some((1.0, Rule::NormalForm)),
            Pair::Judged(Judged::Refused(cause)) => {
                report.refuse(cause);
                None
            }
            Pair::Judged(Judged::MayMerge) if forms_only => None,
            Pair::Judged(Judged::MayMerge) => {
                let score =
                    overlap(&Features::of(normal_form(text)), &Features::of(normal_form(kept)));
                (score >= self.options.threshold()).then_some((score, Rule::Overlap))
            }
        }
    }

    /// The naive search: every kept item, first for an equal form, then for the overlap.
    fn scan<'t>(
        &self,
        text: &str,
        get: &impl Fn(u32) -> &'t str,
        report: &mut Report,
    ) -> Option<Match> {
        let own = Features::of(normal_form(text));
        let threshold = self.options.threshold();
        let mut near = Vec::new();
        for (id, features) in &self.scanned {
            if features.form == own.form {
                if let Some((score, rule)) = self.judge(text, get(*id), None, true, report) {
                    return Some((*id, score, rule));
                }
            } else if threshold < 1.0 && reaches(&own, features, threshold) {
                near.push(*id);
            }
        }
        near.into_iter().find_map(|id| {
            self.judge(text, get(id), None, false, report).map(|(score, rule)| (id, score, rule))
        })
    }
}

pub(crate) fn run(items: &[&str], options: &Options) -> Deduped {
    let sizes = super::sizes(items, options);
    let order = meeting_order(items, &sizes, options);
    let mut matcher = Matcher::new(options);
    matcher.index.reserve(items.len());
    let mut report = Report::new(options);
    let mut matches: Vec<Option<Match>> = vec![None; items.len()];
    for batch in order.chunks(BATCH_ITEMS) {
        let sketches: Vec<Sketch> =
            batch.par_iter().map(|&item| matcher.sketch(items[item as usize])).collect();
        let foreseen = matcher.foresee(items, batch, &sketches);
        for ((&item, sketch), foreseen) in batch.iter().zip(&sketches).zip(foreseen) {
            let text = items[item as usize];
            let get = |id: u32| items[id as usize];
            match matcher.find(text, sketch, get, foreseen, &mut report) {
                Some(found) => matches[item as usize] = Some(found),
                None => matcher.insert(item, text, sketch),
            }
        }
    }
    let (mut kept, mut removed) = (Vec::new(), Vec::new());
    for (item, (found, size)) in matches.into_iter().zip(sizes).enumerate() {
        report.note(size, found.map(|(_, _, rule)| rule));
        match found {
            None => kept.push(item),
            Some((keeper, score, rule)) => {
                removed.push(Removal { removed: item, kept: keeper as usize, score, rule })
            }
        }
    }
    Deduped { kept, removed, report }
}

/// The order in which items meet: an item is only ever merged into one that came before it and stays.
fn meeting_order(items: &[&str], sizes: &[Amount], options: &Options) -> Vec<u32> {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    let length = |&at: &u32| std::cmp::Reverse(sizes[at as usize].chars);
    match (options.keep, options.order_stable) {
        (Keep::First, false) => {}
        (Keep::First, true) => order.sort_by_key(|&at| items[at as usize]),
        (Keep::Longest, false) => order.sort_by_key(length),
        (Keep::Longest, true) => order.sort_by(|a, b| {
            length(a).cmp(&length(b)).then_with(|| items[*a as usize].cmp(items[*b as usize]))
        }),
    }
    order
}
