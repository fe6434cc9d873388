//! From hashes to the kept items that have them. Looking up costs at most the bound, whatever the input.

use std::collections::HashMap;

use super::sketch::Sketch;
use crate::guard::AsIs;

/// Ids under one key: the newest, and how many there are.
#[derive(Clone, Copy)]
struct Head {
    newest: u32,
    count: u32,
}

/// Lists of ids by key, newest first.
#[derive(Default)]
struct Buckets {
    heads: HashMap<u64, Head, AsIs>,
    /// Id and the position of the next older entry.
    entries: Vec<(u32, u32)>,
}

const END: u32 = u32::MAX;

impl Buckets {
    fn insert(&mut self, key: u64, id: u32) {
        let at = self.entries.len() as u32;
        let head = self.heads.entry(key).or_insert(Head { newest: END, count: 0 });
        self.entries.push((id, head.newest));
        *head = Head { newest: at, count: head.count.saturating_add(1) };
    }

    /// Appends the newest `bound` ids under the key; returns how many older ones were passed over.
    fn find(&self, key: u64, bound: usize, out: &mut Vec<u32>) -> usize {
        let Some(head) = self.heads.get(&key) else { return 0 };
        let mut at = head.newest;
        let mut left = bound;
        while at != END && left > 0 {
            let (id, older) = self.entries[at as usize];
            out.push(id);
            at = older;
            left -= 1;
        }
        (head.count as usize).saturating_sub(bound)
    }
}

/// The kept items by normal form and by near hashes.
#[derive(Default)]
pub(crate) struct Index {
    exact: Buckets,
    near: Buckets,
}

impl Index {
    /// Makes room for the forms of this many items, so that the tables need not grow.
    pub(crate) fn reserve(&mut self, items: usize) {
        for buckets in [&mut self.exact, &mut self.near] {
            buckets.heads.reserve(items);
            buckets.entries.reserve(items);
        }
    }

    pub(crate) fn insert(&mut self, sketch: &Sketch, id: u32) {
        self.exact.insert(sketch.exact, id);
        for &key in sketch.near.keys() {
            self.near.insert(key, id);
        }
    }

    /// Kept items whose form hash is equal, oldest first, and how many the bound passed over.
    pub(crate) fn exact(&self, sketch: &Sketch, bound: usize) -> (Vec<u32>, usize) {
        let mut ids = Vec::new();
        let passed = self.exact.find(sketch.exact, bound, &mut ids);
        ids.reverse();
        (ids, passed)
    }

    /// Kept items that share a near hash, oldest first, and how many the bound passed over (one may count several times).
    pub(crate) fn near(&self, sketch: &Sketch, bound: usize) -> (Vec<u32>, usize) {
        let (mut ids, mut passed) = (Vec::new(), 0);
        for &key in sketch.near.keys() {
            passed += self.near.find(key, bound, &mut ids);
        }
        // Those that share most hashes first; of equals the oldest.
        ids.sort_unstable();
        let mut shared: Vec<(usize, u32)> =
            ids.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0])).collect();
        if shared.len() > bound {
            shared.sort_unstable_by_key(|&(count, id)| (std::cmp::Reverse(count), id));
            passed += shared.len() - bound;
            shared.truncate(bound);
            shared.sort_unstable_by_key(|&(_, id)| id);
        }
        (shared.into_iter().map(|(_, id)| id).collect(), passed)
    }
}
