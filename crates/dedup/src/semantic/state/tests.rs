//! A state ends where a full run ends, however its chunks came.

use super::*;
use crate::semantic::cluster::Method;
use crate::semantic::laws::select;
use crate::semantic::run::dedupe;

/// Chunks in groups of nearly equal vectors; every fifth of a group states another number.
fn planted(n: usize, dimension: usize) -> Chunks {
    let mut state = 12345u64;
    let mut noise = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    };
    let mut out = Chunks { vectors: Vectors::new(dimension), ..Chunks::default() };
    let mut centre = Vec::new();
    for at in 0..n {
        let (group, place) = (at / 7, at % 7);
        if place == 0 {
            centre = (0..dimension).map(|_| noise()).collect();
        }
        let row: Vec<f32> = centre.iter().map(|x| x + 0.2 * noise()).collect();
        out.vectors.push(&row).unwrap();
        // One text has one vector, so each member says it in a word of its own.
        let verb = ["sent", "moved", "shipped", "carried", "hauled", "driven", "flown"][place];
        let day = if place == 4 { 107 } else { 7 };
        let text = format!("Order {group} was {verb} to the warehouse on day {day}.");
        out.chunks.push(Chunk {
            // Ids in another order than the chunks come in.
            id: format!("{:05}", at * 7919 % n),
            text,
            created_at: Some((at * 31 % 17) as f64),
            ..Chunk::default()
        });
        out.spans.push(Span { start: 0, length: 0 });
    }
    out
}

fn fingerprint(input: &Chunks) -> Fingerprint {
    Fingerprint::of(&input.vectors, Some("planted"), None)
}

fn names(input: &Chunks, outcome: &Outcome) -> BTreeMap<String, String> {
    let id = |at: usize| input.chunks[at].id.clone();
    let kept = outcome.kept.iter().map(|&at| (id(at), id(at)));
    kept.chain(outcome.removed.iter().map(|r| (id(r.removed), id(r.kept)))).collect()
}

#[test]
fn ten_thousand_chunks_in_a_hundred_batches_end_as_one_full_run() {
    let all = planted(10_000, 24);
    let options = Options::default();
    let folder = tempfile::tempdir().unwrap();
    let mut state =
        State::open_or_create(folder.path(), &Settings::of(&options, "", None)).unwrap();
    for batch in 0..100 {
        let at: Vec<usize> = (batch * 100..(batch + 1) * 100).collect();
        let new = select(&all, &at);
        state.add(&new, &fingerprint(&new), &|_, _| {}).unwrap();
    }
    let full = dedupe(&all, &options, &fingerprint(&all), &|_, _| {}).unwrap();
    assert!(full.removed.len() > 4000 && full.refused.len() > 2000, "{}", full.removed.len());
    let (input, outcome) = state.outcome();
    assert_eq!(names(&input, &outcome), names(&all, &full));
    assert_eq!(outcome.report.refused, full.report.refused);
    // The same when it is read from the disk, and after a rebuild.
    drop(state);
    let mut state = State::open(folder.path()).unwrap();
    let (input, outcome) = state.outcome();
    assert_eq!(names(&input, &outcome), names(&all, &full));
    state.rebuild(&|_, _| {}).unwrap();
    drop(state);
    let (input, outcome) = State::open(folder.path()).unwrap().outcome();
    assert_eq!(names(&input, &outcome), names(&all, &full));
}

#[test]
fn every_method_ends_as_a_full_run_after_adds_removals_and_updates() {
    let all = planted(210, 8);
    for method in [Method::Components, Method::Star, Method::Complete, Method::Average] {
        let options = Options { method, threshold: 0.9, ..Options::default() };
        let folder = tempfile::tempdir().unwrap();
        let mut state =
            State::open_or_create(folder.path(), &Settings::of(&options, "", None)).unwrap();
        let part = |from: usize, to: usize| select(&all, &(from..to).collect::<Vec<_>>());
        for (from, to) in [(100, 150), (0, 100), (150, 210)] {
            let new = part(from, to);
            state.add(&new, &fingerprint(&new), &|_, _| {}).unwrap();
        }
        let gone: Vec<String> = (0..210).step_by(9).map(|at| all.chunks[at].id.clone()).collect();
        state.remove(&gone).unwrap();
        // Three come back with the texts and vectors of others.
        let mut back = select(&all, &[1, 2, 3]);
        for (chunk, at) in back.chunks.iter_mut().zip([9, 10, 11]) {
            chunk.id.clone_from(&all.chunks[at].id);
        }
        let changed = state.update(&back, &fingerprint(&back), &|_, _| {}).unwrap();
        assert_eq!((changed.added, changed.removed), (3, 2), "one of them had gone");
        let (input, outcome) = state.outcome();
        assert_eq!(input.chunks.len(), 210 - gone.len() + 1);
        let full = dedupe(&input, &options, &fingerprint(&input), &|_, _| {}).unwrap();
        assert!(!full.removed.is_empty());
        assert_eq!(names(&input, &outcome), names(&input, &full), "{method:?}");
        drop(state);
        let (input, outcome) = State::open(folder.path()).unwrap().outcome();
        assert_eq!(names(&input, &outcome), names(&input, &full), "{method:?} read again");
    }
}

#[test]
fn misuse_is_a_clear_error_and_changes_nothing() {
    let all = planted(14, 8);
    let folder = tempfile::tempdir().unwrap();
    assert!(State::open(folder.path()).unwrap_err().to_string().contains("there is none"));
    let settings = Settings::of(&Options::default(), "", None);
    let mut state = State::open_or_create(folder.path(), &settings).unwrap();
    state.add(&all, &fingerprint(&all), &|_, _| {}).unwrap();
    let again = state.add(&all, &fingerprint(&all), &|_, _| {}).unwrap_err().to_string();
    assert!(again.contains("dedup update"), "{again}");
    assert!(matches!(state.remove(&["none".into()]), Err(Error::UnknownId { .. })));
    let second = State::open(folder.path()).unwrap_err().to_string();
    assert!(second.contains("another process has it open"), "{second}");
    assert_eq!(state.len(), 14);
}

#[test]
fn settings_that_mean_nothing_leave_no_state_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    for threshold in [0.0, 3.0, f32::NAN] {
        let settings = Settings::of(&Options { threshold, ..Options::default() }, "", None);
        let error = State::open_or_create(&path, &settings).unwrap_err().to_string();
        assert!(error.contains("threshold"), "{error}");
        assert!(!path.exists());
    }
    let mut settings = Settings::of(&Options::default(), "", None);
    settings.lexicon = "no section".into();
    assert!(State::open_or_create(&path, &settings).is_err() && !path.exists());
}

#[test]
fn ids_that_are_there_are_named_and_ids_named_twice_go_once() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings::of(&Options::default(), "", None);
    let mut state = State::open_or_create(folder.path(), &settings).unwrap();
    let all = planted(14, 8);
    state.add(&all, &fingerprint(&all), &|_, _| {}).unwrap();
    let error = state.add(&all, &fingerprint(&all), &|_, _| {}).unwrap_err().to_string();
    assert!(error.contains(&format!("the id \"{}\" is there", all.chunks[0].id)), "{error}");
    let id = all.chunks[3].id.clone();
    let changed = state.remove(&[id.clone(), id]).unwrap();
    assert_eq!((changed.removed, state.len()), (1, 13));
}
