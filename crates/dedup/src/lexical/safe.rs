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

/// Items that the index has room for from the start; beyond them it grows as they are kept, so that many repeats of few
/// texts take no room in it.
const ROOM_ITEMS: usize = 1 << 16;

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
        sketch_of(text, &self.options)
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
    fn foresee(
        &self,
        items: &[&str],
        batch: &[u32],
        looked: &[(Sketch, Amount)],
    ) -> Vec<Option<Foreseen>> {
        if self.options.search == Search::Scan {
            return vec![None; batch.len()];
        }
        let mut first: HashMap<u64, u32, AsIs> = HashMap::default();
        let guesses: Vec<Option<u32>> = batch
            .iter()
            .zip(looked)
            .map(|(&item, (sketch, _))| {
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

/// The sketch that the options ask for.
fn sketch_of(text: &str, options: &Options) -> Sketch {
    sketch(text, options.level, &options.lexicon, options.threshold() < 1.0)
}

pub(crate) fn run(items: &[&str], options: &Options) -> Deduped {
    let order = meeting_order(items, options);
    let mut matcher = Matcher::new(options);
    matcher.index.reserve(items.len().min(ROOM_ITEMS));
    let mut report = Report::new(options);
    let mut removed: Vec<Removal> = Vec::new();
    // A text is read once while it is in the cache: its sketch and its size together.
    let look = |batch: &[u32]| -> Vec<(Sketch, Amount)> {
        let looked = |&item: &u32| {
            let text = items[item as usize];
            (sketch_of(text, options), super::size(text, options))
        };
        batch.par_iter().map(looked).collect()
    };
    let mut batches = order.chunks(BATCH_ITEMS).peekable();
    let mut looked = batches.peek().map(|first| look(first)).unwrap_or_default();
    while let Some(batch) = batches.next() {
        let foreseen = matcher.foresee(items, batch, &looked);
        let meet = || {
            for ((&item, (sketch, size)), foreseen) in batch.iter().zip(&looked).zip(foreseen) {
                let text = items[item as usize];
                let get = |id: u32| items[id as usize];
                let found = matcher.find(text, sketch, get, foreseen, &mut report);
                report.note(*size, found.map(|(_, _, rule)| rule));
                match found {
                    None => matcher.insert(item, text, sketch),
                    Some((keeper, score, rule)) => removed.push(Removal {
                        removed: item as usize,
                        kept: keeper as usize,
                        score,
                        rule,
                    }),
                }
            }
        };
        // Items meet one after another; the next batch is sketched meanwhile.
        let next = || batches.peek().map(|next| look(next)).unwrap_or_default();
        looked = rayon::join(meet, next).1;
    }
    removed.sort_unstable_by_key(|removal| removal.removed);
    let mut gone = removed.iter().map(|removal| removal.removed).peekable();
    let mut kept = Vec::with_capacity(items.len() - removed.len());
    kept.extend((0..items.len()).filter(|item| gone.next_if_eq(item).is_none()));
    Deduped { kept, removed, report }
}

/// The order in which items meet: an item is only ever merged into one that came before it and stays.
fn meeting_order(items: &[&str], options: &Options) -> Vec<u32> {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    let lengths: Vec<usize> = match options.keep {
        Keep::First => Vec::new(),
        Keep::Longest => items.par_iter().map(|text| text.chars().count()).collect(),
    };
    let length = |&at: &u32| std::cmp::Reverse(lengths[at as usize]);
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
