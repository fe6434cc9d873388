//! Does deduplication help a retriever? Distinct relevant facts among the first answers, before and after.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::vectors::{Vectors, dot};

/// One question with what answers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Row of the question's embedding.
    pub row: usize,
    /// For each relevant chunk, by position, the fact that it states.
    pub facts: BTreeMap<usize, String>,
}

/// Distinct relevant facts among the first answers, summed over questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retrieval {
    /// Questions asked.
    pub questions: usize,
    /// Answers looked at for each.
    pub first: usize,
    /// Distinct relevant facts over all questions that could be found.
    pub facts: usize,
    /// Found among the first answers of the whole index.
    pub before: usize,
    /// Found among the first answers of the deduplicated index.
    pub after: usize,
    /// Facts that no kept chunk states any more: what deduplication lost.
    pub lost: usize,
}

/// Asks every question of the index of all chunks and of that of the kept ones.
pub fn check(
    chunks: &Vectors,
    kept: &[usize],
    questions: &[Question],
    asked: &Vectors,
    first: usize,
) -> Retrieval {
    let all: Vec<usize> = (0..chunks.len()).collect();
    let mut out = Retrieval { questions: questions.len(), first, ..Retrieval::default() };
    for question in questions {
        let facts: BTreeSet<&str> = question.facts.values().map(String::as_str).collect();
        let found = |index: &[usize]| {
            let answers = nearest(chunks, index, asked.row(question.row), first);
            answers.iter().filter_map(|at| question.facts.get(at)).collect::<BTreeSet<_>>().len()
        };
        out.facts += facts.len();
        out.before += found(&all);
        out.after += found(kept);
        let stated: BTreeSet<&str> =
            kept.iter().filter_map(|at| question.facts.get(at)).map(String::as_str).collect();
        out.lost += facts.difference(&stated).count();
    }
    out
}

/// The chunks of an index nearest to a question, the nearest first; of equals the first in the index.
fn nearest(chunks: &Vectors, index: &[usize], question: &[f32], first: usize) -> Vec<usize> {
    let mut scored: Vec<(f64, usize)> =
        index.iter().map(|&at| (dot(chunks.row(at), question), at)).collect();
    scored.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
    scored.into_iter().take(first).map(|(_, at)| at).collect()
}
