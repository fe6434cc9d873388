//! Inputs that the benchmark and the example `measure` share.

use samecall_dedup::planted::{Chunk, Random};

/// The texts of planted chunks.
pub(crate) fn texts(chunks: &[Chunk]) -> Vec<&str> {
    chunks.iter().map(|chunk| chunk.text.as_str()).collect()
}

/// Permutations of one bag of words.
pub(crate) fn permutations(count: usize) -> Vec<String> {
    let mut random = Random::new(4);
    let mut words: Vec<String> = (0..80).map(|i| format!("word{i}")).collect();
    let mut shuffled = || {
        for i in (1..words.len()).rev() {
            words.swap(i, random.below(i + 1));
        }
        words.join(" ")
    };
    (0..count).map(|_| shuffled()).collect()
}

/// Texts of symbols alone.
pub(crate) fn symbols(count: usize) -> Vec<String> {
    let mut random = Random::new(5);
    (0..count)
        .map(|_| {
            (0..12).map(|_| *random.pick(&['!', '?', '*', '#', '→', '😀', '%', '/', '+'])).collect()
        })
        .collect()
}

/// One text whose words take every mixture of letter cases: all forms are equal, and no two may merge.
#[allow(dead_code, reason = "the example has no use for it")]
pub(crate) fn cases(count: usize) -> Vec<String> {
    (0..count)
        .map(|i| {
            (0..24).map(|bit| if i >> bit & 1 == 1 { "getUser " } else { "getuser " }).collect()
        })
        .collect()
}
