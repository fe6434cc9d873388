//! `safe` mode: equal normal forms first, then near repeats, each verified against the item that is really kept.

use rayon::prelude::*;

use super::features::{Features, overlap, reaches};
use super::index::Index;
use super::options::{Keep, Options, Search};
use super::result::{Amount, Deduped, Removal, Report, Rule};
use super::sketch::{Sketch, sketch};
use crate::guard::{Judged, compare, normal_form};

/// Items whose sketches are computed at once, in parallel: bounds the memory that sketches take.
const BATCH_ITEMS: usize = 4096;

/// The verified answer for one item: the keeper's id, the score and the rule.
pub(crate) type Match = (u32, f64, Rule);

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
        report: &mut Report,
    ) -> Option<Match> {
        let bound = self.options.max_candidates;
        if self.options.search == Search::Scan {
            return self.scan(text, &get, report);
        }
        let (same, passed_exact) = self.index.exact(sketch, bound);
        let mut found = same.iter().find_map(|&id| {
            self.judge(text, get(id), true, report).map(|(score, rule)| (id, score, rule))
        });
        let mut passed = passed_exact;
        if found.is_none() {
            let (near, passed_near) = self.index.near(sketch, bound);
            passed += passed_near;
            let fresh = near.iter().filter(|id| !same.contains(id));
            found = fresh.copied().find_map(|id| {
                self.judge(text, get(id), false, report).map(|(score, rule)| (id, score, rule))
            });
        }
        if found.is_none() && passed > 0 {
            report.passed_over += passed;
            report.bounded_items += 1;
        }
        found
    }

    /// Whether the rules let `kept` stand for `text`; with `forms_only` by equal forms alone.
    fn judge(
        &self,
        text: &str,
        kept: &str,
        forms_only: bool,
        report: &mut Report,
    ) -> Option<(f64, Rule)> {
        report.verified += 1;
        if text == kept {
            return Some((1.0, Rule::Identical));
        }
        match compare(text, kept, self.options.level, &self.options.lexicon) {
            Judged::SameForm => Some((1.0, Rule::NormalForm)),
            Judged::Refused(cause) => {
                report.refuse(cause);
                None
            }
            Judged::MayMerge if forms_only => None,
            Judged::MayMerge => {
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
                if let Some((score, rule)) = self.judge(text, get(*id), true, report) {
                    return Some((*id, score, rule));
                }
            } else if threshold < 1.0 && reaches(&own, features, threshold) {
                near.push(*id);
            }
        }
        near.into_iter().find_map(|id| {
            self.judge(text, get(id), false, report).map(|(score, rule)| (id, score, rule))
        })
    }
}

pub(crate) fn run(items: &[&str], options: &Options) -> Deduped {
    let sizes = super::sizes(items, options);
    let order = meeting_order(items, &sizes, options);
    let mut matcher = Matcher::new(options);
    let mut report = Report::new(options);
    let mut matches: Vec<Option<Match>> = vec![None; items.len()];
    for batch in order.chunks(BATCH_ITEMS) {
        let sketches: Vec<Sketch> =
            batch.par_iter().map(|&item| matcher.sketch(items[item as usize])).collect();
        for (&item, sketch) in batch.iter().zip(&sketches) {
            let text = items[item as usize];
            match matcher.find(text, sketch, |id| items[id as usize], &mut report) {
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
