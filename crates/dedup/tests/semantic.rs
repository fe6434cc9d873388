//! Deduplication by meaning on real embeddings: the published failure modes, and the exact graph.
//!
//! The texts stand in `fixtures/semantic/texts.jsonl`; the script beside them computed the rows with all-MiniLM-L6-v2.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use samecall_dedup::guard::Level;
use samecall_dedup::semantic::chunks::{self, Chunks};
use samecall_dedup::semantic::class::{Keep, first_match, order_matters};
use samecall_dedup::semantic::cluster::Method;
use samecall_dedup::semantic::graph::{self, Search};
use samecall_dedup::semantic::laws::select;
use samecall_dedup::semantic::state::{Settings, State, Status};
use samecall_dedup::semantic::{Chunk, Fingerprint, Options, Outcome, Vectors, dedupe, npy};

fn fixture() -> Chunks {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/semantic"));
    let open = |name: &str| BufReader::new(File::open(folder.join(name)).unwrap());
    let rows = npy::read(&mut open("embeddings.npy"), "embeddings.npy").unwrap();
    chunks::read(&mut open("texts.jsonl"), "texts.jsonl", Some(rows)).unwrap()
}

/// The chunks whose ids begin so.
fn some(all: &Chunks, begin: &str) -> Chunks {
    let at: Vec<usize> =
        (0..all.chunks.len()).filter(|&at| all.chunks[at].id.starts_with(begin)).collect();
    assert!(!at.is_empty(), "{begin}");
    select(all, &at)
}

fn run(input: &Chunks, options: &Options) -> Outcome {
    let fingerprint = Fingerprint::of(&input.vectors, Some("all-MiniLM-L6-v2"), None);
    dedupe(input, options, &fingerprint, &|_, _| {}).unwrap()
}

fn kept<'c>(input: &'c Chunks, outcome: &Outcome) -> Vec<&'c str> {
    outcome.kept.iter().map(|&at| input.chunks[at].id.as_str()).collect()
}

#[test]
fn texts_that_state_distinct_facts_stay_apart_at_any_cosine() {
    let all = fixture();
    for (case, cause) in [
        ("amount", "number"),
        ("date", "number"),
        ("clause", "negation"),
        ("party", "order"),
        ("jurisdiction", "name"),
        ("field", "metadata:jurisdiction"),
        ("modality", "modality"),
        ("version", "version"),
        ("operator", "mark"),
        ("debt", "order"),
        ("emoji", "mark"),
        ("direction", "role"),
        ("sign", "sign"),
        ("unit", "unit"),
    ] {
        let pair = some(&all, &format!("{case}-"));
        for level in [Level::Facts, Level::Strict] {
            // Far below any threshold in use, so that the guard alone decides.
            let options = Options { threshold: 0.8, level, ..Options::default() };
            let found = run(&pair, &options);
            assert_eq!(found.kept.len(), 2, "{case} at {level:?}");
            assert_eq!(found.refused.len(), 1, "{case}: the two are near");
            assert_eq!(found.refused[0].cause, cause, "{case} at {level:?}");
        }
        let off = Options { threshold: 0.8, level: Level::Off, ..Options::default() };
        assert_eq!(run(&pair, &off).kept.len(), 1, "{case}: without the guard one is lost");
    }
}

#[test]
fn texts_that_say_the_same_merge() {
    let all = fixture();
    for case in ["same-date", "same-order", "same-owner", "same-words"] {
        let pair = some(&all, case);
        for level in [Level::Facts, Level::Strict] {
            let options = Options { threshold: 0.9, level, ..Options::default() };
            assert_eq!(run(&pair, &options).kept.len(), 1, "{case} at {level:?}");
        }
    }
}

#[test]
fn versions_collapse_into_the_newest_when_asked_to() {
    let pair = some(&fixture(), "version-");
    let options = Options { collapse_versions: true, ..Options::default() };
    let found = run(&pair, &options);
    assert_eq!(kept(&pair, &found), ["version-b"]);
    assert_eq!(found.removed[0].verdict.name(), "version_collapsed");
    // Nothing else is let through with it.
    let mut other = pair.clone();
    other.chunks[0].text = other.chunks[0].text.replace("every node", "no node");
    assert_eq!(run(&other, &options).kept.len(), 2);
}

/// Chunks of one vector with these texts and metadata; ids are `a`, `b` and so on.
fn alike(given: &[(&str, &str)]) -> Chunks {
    let mut lines = String::new();
    for (id, (text, metadata)) in ('a'..).zip(given) {
        let line = format!(
            "{{\"id\": \"{id}\", \"text\": \"{text}\", \"metadata\": {metadata}, \"embedding\": [1, 0]}}\n"
        );
        lines.push_str(&line);
    }
    chunks::read(&mut lines.as_bytes(), "lines", None).unwrap()
}

#[test]
fn only_an_older_revision_of_the_same_document_collapses() {
    let options = Options { collapse_versions: true, ..Options::default() };
    for (given, wanted) in [
        ([("Install v1.9 of it.", "{}"), ("Install v1.10 of it.", "{}")], vec!["b"]),
        // The second version decides where the first is the same.
        ([("Go from v1.1 to v1.10 now.", "{}"), ("Go from v1.1 to v1.9 now.", "{}")], vec!["a"]),
        (
            [("It holds.", r#"{"version": "1.9"}"#), ("It holds.", r#"{"version": "1.10"}"#)],
            vec!["b"],
        ),
        // Two documents are no revisions of each other, whatever their fields say.
        (
            [
                ("It holds.", r#"{"version": 2, "document": "x"}"#),
                ("It holds.", r#"{"version": 10, "document": "y"}"#),
            ],
            vec!["a", "b"],
        ),
        // Neither is a text whose versions trade places, or that names one more.
        (
            [("Go from v1.2 to v1.3 now.", "{}"), ("Go from v1.3 to v1.2 now.", "{}")],
            vec!["a", "b"],
        ),
        (
            [("It runs on v1.2 of the tool.", "{}"), ("It runs on v1.2, v1.3 of the tool.", "{}")],
            vec!["a", "b"],
        ),
    ] {
        let input = alike(&given);
        assert_eq!(kept(&input, &run(&input, &options)), wanted, "{given:?}");
    }
}

#[test]
fn a_chain_does_not_drop_its_end_against_its_beginning() {
    let chain = some(&fixture(), "chain-");
    let base = Options { threshold: 0.855, level: Level::Off, ..Options::default() };
    let linked = Options { method: Method::Components, ..base.clone() };
    let found = run(&chain, &linked);
    assert_eq!(found.kept.len(), 1, "all are linked through others");
    assert!(found.report.lowest_similarity.unwrap() < 0.8, "and that is shown");
    assert!(found.report.chained > 0);
    for method in [Method::Star, Method::Complete] {
        let found = run(&chain, &Options { method, ..base.clone() });
        assert!(found.kept.len() > 1, "{method:?}");
        assert!(found.report.lowest_similarity.unwrap() >= 0.855, "{method:?}");
        assert_eq!(found.report.chained, 0);
        for removal in &found.removed {
            let cosine = chain.vectors.cosine(removal.removed, removal.kept);
            assert!(cosine >= 0.855, "{method:?}: {cosine}");
        }
    }
}

#[test]
fn another_model_is_refused() {
    let all = fixture();
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings::of(&Options::default(), "", None);
    let mut state = State::open_or_create(folder.path(), &settings).unwrap();
    let first = some(&all, "amount-");
    let named = |name: &str, probe: Option<&str>, input: &Chunks| {
        Fingerprint::of(&input.vectors, Some(name), probe)
    };
    state.add(&first, &named("minilm", Some("p1"), &first), &|_, _| {}).unwrap();
    let new = some(&all, "date-");
    let refused = |error: samecall_dedup::Error, what: &str| {
        let text = error.to_string();
        assert!(text.contains(what) && text.contains("cannot be compared"), "{text}");
    };
    refused(state.add(&new, &named("mpnet", None, &new), &|_, _| {}).unwrap_err(), "name");
    refused(state.add(&new, &named("minilm", Some("p2"), &new), &|_, _| {}).unwrap_err(), "probe");
    let mut short = new.clone();
    short.vectors = Vectors::new(3);
    short.vectors.push(&[1.0, 0.0, 0.0]).unwrap();
    short.vectors.push(&[0.0, 1.0, 0.0]).unwrap();
    refused(
        state.add(&short, &named("minilm", None, &short), &|_, _| {}).unwrap_err(),
        "dimension",
    );
    // The same name, but a text that is there has another vector now.
    let mut changed = some(&all, "chain-1");
    changed.chunks[0].text.clone_from(&first.chunks[0].text);
    refused(
        state.add(&changed, &named("minilm", None, &changed), &|_, _| {}).unwrap_err(),
        "another vector",
    );
    assert_eq!(state.len(), 2, "nothing of it came in");
    state.add(&new, &named("minilm", Some("p1"), &new), &|_, _| {}).unwrap();
    drop(state);
    assert_eq!(State::open(folder.path()).unwrap().len(), 4);
}

#[test]
fn centroid_drift_is_reported_before_it_passes_the_bound() {
    let all = some(&fixture(), "drift-");
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        threshold: 0.9,
        level: Level::Off,
        method: Method::Components,
        criteria: Vec::new(),
        ..Options::default()
    };
    let settings = Settings::of(&options, "", Some(0.055));
    let mut state = State::open_or_create(folder.path(), &settings).unwrap();
    let mut statuses = Vec::new();
    for at in 0..all.chunks.len() {
        let one = select(&all, &[at]);
        state.add(&one, &Fingerprint::of(&one.vectors, None, None), &|_, _| {}).unwrap();
        let drift = state.drift();
        statuses.push(drift.status);
    }
    assert_eq!(statuses.first(), Some(&Status::Steady));
    assert_eq!(statuses.last(), Some(&Status::Passed), "{statuses:?}");
    assert!(statuses.is_sorted() && statuses.contains(&Status::Near), "{statuses:?}");
    let before = state.drift();
    assert!(before.furthest[0].since_rebuild.unwrap() > 0.055);
    assert!(before.lowest_coherence < 0.97);
    state.rebuild(&|_, _| {}).unwrap();
    assert!(state.drift().furthest[0].since_rebuild.unwrap() < 1e-6);
}

/// A fixed sequence of numbers between -1 and 1.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }
}

fn random(n: usize, d: usize, clusters: usize, spread: f32, seed: u64) -> Vectors {
    let mut noise = Noise(seed);
    let centres: Vec<Vec<f32>> =
        (0..clusters).map(|_| (0..d).map(|_| noise.next()).collect()).collect();
    let mut out = Vectors::new(d);
    for at in 0..n {
        let row: Vec<f32> = match centres.get(at % clusters.max(1)) {
            Some(centre) if at % 3 != 0 => {
                centre.iter().map(|x| x + spread * noise.next()).collect()
            }
            _ => (0..d).map(|_| noise.next()).collect(),
        };
        out.push(&row).unwrap();
    }
    out
}

#[test]
fn the_graph_is_that_of_the_naive_loop_on_5000_vectors() {
    let mut edges = 0;
    for (d, clusters, spread, threshold) in [(40, 0, 0.0, 0.4), (48, 700, 0.25, 0.95)] {
        let vectors = random(5000, d, clusters, spread, d as u64);
        let naive = graph::naive(&vectors, threshold);
        for how in [Search::Pruned, Search::Plain] {
            let found = graph::search(&vectors, threshold, 0, how, &|_, _| {}).unwrap();
            assert_eq!(found.edges.len(), naive.len(), "{how:?} {d} {threshold}");
            assert_eq!(found.edges, naive);
        }
        edges += naive.len();
    }
    assert!(edges > 10_000, "{edges} edges: the thresholds are met");
}

#[test]
fn prefixes_are_used_and_rule_out_most_pairs() {
    let vectors = random(5000, 48, 700, 0.25, 5);
    let found = graph::search(&vectors, 0.95, 0, Search::Pruned, &|_, _| {}).unwrap();
    assert!(found.prefix > 0, "a prefix is chosen");
    assert!(found.verified < 5000 * 5000 / 2 / 20, "{} pairs were verified", found.verified);
}

/// The class as a reader of its guide would write it: no graph, no index.
fn transcription(chunks: &[Chunk], vectors: &Vectors, threshold: f32, keep: Keep) -> Vec<usize> {
    let mut answer: Vec<Option<usize>> = vec![None; chunks.len()];
    for leader in 0..chunks.len() {
        if answer[leader].is_some() {
            continue;
        }
        let mut cluster = vec![leader];
        for (other, taken) in answer.iter().enumerate().skip(leader + 1) {
            if taken.is_none() && vectors.cosine(leader, other) >= threshold {
                cluster.push(other);
            }
        }
        let mut best = cluster[0];
        for &at in &cluster[1..] {
            let better = match keep {
                Keep::MostRecent => chunks[at].created_at > chunks[best].created_at,
                Keep::MostComplete => {
                    chunks[at].text.chars().count() > chunks[best].text.chars().count()
                }
            };
            if better {
                best = at;
            }
        }
        for at in cluster {
            answer[at] = Some(best);
        }
    }
    answer.into_iter().flatten().collect()
}

#[test]
fn the_class_is_reproduced_on_1000_random_sequences_and_order_changes_it_alone() {
    let mut noise = Noise(9);
    let (mut differs, mut clusters) = (0, 0);
    for sequence in 0..1000u64 {
        let n = 2 + (sequence % 14) as usize;
        // Few directions, so that chains and ties are common.
        let vectors = random(n, 3, 2, 0.8, sequence);
        let chunks: Vec<Chunk> = (0..n)
            .map(|at| Chunk {
                id: format!("{at:02}"),
                text: "x".repeat(1 + ((noise.next() + 1.0) * 3.0) as usize),
                created_at: Some(((noise.next() + 1.0) * 4.0).floor().into()),
                ..Chunk::default()
            })
            .collect();
        let all: Vec<&Chunk> = chunks.iter().collect();
        let edges = graph::naive(&vectors, 0.9);
        for keep in [Keep::MostRecent, Keep::MostComplete] {
            let answer = first_match(&all, &edges, keep);
            assert_eq!(answer, transcription(&chunks, &vectors, 0.9, keep), "sequence {sequence}");
        }
        let (there, back) = order_matters(&all, &edges, Keep::MostRecent);
        differs += usize::from(there != back);
        clusters += edges.len().min(1);
        // Ours on the same chunks, in both orders.
        let spans = vec![chunks::Span { start: 0, length: 0 }; n];
        let input = Chunks { chunks, vectors, spans, model: None };
        let options = Options { threshold: 0.9, level: Level::Off, ..Options::default() };
        let backwards = select(&input, &(0..n).rev().collect::<Vec<_>>());
        let names = |input: &Chunks| -> BTreeSet<String> {
            kept(input, &run(input, &options)).into_iter().map(str::to_owned).collect()
        };
        assert_eq!(names(&input), names(&backwards), "sequence {sequence}");
    }
    assert!(clusters > 500 && differs > 50, "{clusters} with pairs, order changes {differs}");
}

#[test]
fn few_and_no_chunks_give_a_clear_result() {
    let all = fixture();
    let none = run(&Chunks::default(), &Options::default());
    assert!(none.kept.is_empty() && none.removed.is_empty());
    assert_eq!(none.report.ratio, 0.0);
    let one = run(&select(&all, &[0]), &Options::default());
    assert_eq!((one.kept, one.report.clusters), (vec![0], 0));
    assert!(one.report.notes[0].contains("may not pay"));
}

#[test]
fn a_threshold_that_is_no_cosine_is_an_option_error() {
    let all = fixture();
    for threshold in [0.0, -1.0, 1.5, f32::NAN] {
        let options = Options { threshold, ..Options::default() };
        let fingerprint = Fingerprint::of(&all.vectors, None, None);
        let error = dedupe(&all, &options, &fingerprint, &|_, _| {}).unwrap_err();
        assert!(error.to_string().contains("threshold"));
    }
}
