//! One run for equal calls at the same time: shared by all who wait, passed on when its caller panics or is aborted, and
//! not kept when a write overtakes it.

use samecall_cache::{
    Answer, Begun, Cache, Execution, Invalidates, Keep, Outcome, Policies, Source, ToolPolicy,
};
use samecall_call::Call;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

fn execution() -> Execution {
    Cache::builder().policies(policies()).build().unwrap().execution(None, "run")
}

fn policies() -> Policies {
    let read = ToolPolicy { cache: Some(Keep::Always), ..ToolPolicy::default() };
    let write = ToolPolicy {
        invalidates: Invalidates::Tools(vec!["read".to_owned()]),
        ..ToolPolicy::default()
    };
    Policies::default().with("read", read).with("write", write)
}

fn call() -> Call {
    Call::new("read", r#"{"a": 1}"#)
}

/// A tool that yields, so that others come to wait.
async fn slow(runs: &AtomicUsize, bytes: &'static [u8]) -> Outcome {
    runs.fetch_add(1, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(30)).await;
    Outcome::ok(bytes)
}

async fn all(tasks: Vec<tokio::task::JoinHandle<Answer>>) -> Vec<Answer> {
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixty_four_tasks_run_the_tool_once() {
    let (execution, runs) = (execution(), Arc::new(AtomicUsize::new(0)));
    let ask = |_| {
        let (execution, runs) = (execution.clone(), runs.clone());
        tokio::spawn(async move { execution.run(&call(), || slow(&runs, b"once")).await })
    };
    let answers = all((0..64).map(ask).collect()).await;
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    assert!(answers.iter().all(|answer| *answer.outcome.bytes == *b"once"));
    assert_eq!(answers.iter().filter(|answer| answer.source == Source::Executed).count(), 1);
    let summary = execution.end();
    assert_eq!((summary.executed, summary.prevented), (1, 63));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_aborted_caller_passes_the_run_on() {
    let (execution, runs) = (execution(), Arc::new(AtomicUsize::new(0)));
    let began = Arc::new(AtomicBool::new(false));
    let first = {
        let (execution, began) = (execution.clone(), began.clone());
        tokio::spawn(async move {
            execution
                .run(&call(), || async {
                    began.store(true, Ordering::SeqCst);
                    std::future::pending::<Outcome>().await
                })
                .await
        })
    };
    while !began.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let ask = |_| {
        let (execution, runs) = (execution.clone(), runs.clone());
        tokio::spawn(async move { execution.run(&call(), || slow(&runs, b"second")).await })
    };
    let waiting: Vec<_> = (0..63).map(ask).collect();
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(runs.load(Ordering::SeqCst), 0, "all wait for the first");
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    let answers = all(waiting).await;
    assert_eq!(runs.load(Ordering::SeqCst), 1, "one of those that waited ran it");
    assert!(answers.iter().all(|answer| *answer.outcome.bytes == *b"second"));
    let summary = execution.end();
    assert_eq!((summary.executed, summary.prevented, summary.abandoned), (2, 62, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_panicking_caller_passes_the_run_on() {
    let (execution, runs) = (execution(), Arc::new(AtomicUsize::new(0)));
    let ask = |_| {
        let (execution, runs) = (execution.clone(), runs.clone());
        tokio::spawn(async move {
            let tool = || async {
                let number = runs.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(20)).await;
                if number < 3 {
                    std::panic::resume_unwind(Box::new("the caller dies"));
                }
                Outcome::ok(b"fourth".as_slice())
            };
            execution.run(&call(), tool).await
        })
    };
    let tasks: Vec<_> = (0..64).map(ask).collect();
    let (mut died, mut answered) = (0, 0);
    for task in tasks {
        match task.await {
            Ok(answer) => {
                assert_eq!(&*answer.outcome.bytes, b"fourth");
                answered += 1;
            }
            Err(error) => {
                assert!(error.is_panic());
                died += 1;
            }
        }
    }
    assert_eq!((died, answered, runs.load(Ordering::SeqCst)), (3, 61, 4));
}

#[tokio::test]
async fn a_waiter_that_goes_away_harms_nobody() {
    let execution = execution();
    let Begun::Execute(ticket) = execution.begin(&call()) else { panic!("the first one runs") };
    let waiter = {
        let execution = execution.clone();
        tokio::spawn(async move {
            execution.run(&call(), || async { Outcome::error(b"not asked".as_slice()) }).await
        })
    };
    tokio::task::yield_now().await;
    waiter.abort();
    assert!(waiter.await.unwrap_err().is_cancelled());
    let _ = ticket.finish(Outcome::ok(b"done".as_slice()));
    let answer = execution.run_blocking(&call(), || Outcome::error(b"not asked".as_slice()));
    assert_eq!(&*answer.outcome.bytes, b"done");
}

#[test]
fn those_who_wait_share_an_error_and_nobody_after_them_does() {
    let execution = execution();
    let Begun::Execute(ticket) = execution.begin(&call()) else { panic!("the first one runs") };
    let Begun::Wait(waiter) = execution.begin(&call()) else { panic!("the second one waits") };
    let _ = ticket.finish(Outcome::error(b"down".as_slice()));
    let Begun::Answered(shared) = waiter.wait_blocking(&call()) else { panic!("it is answered") };
    assert!(shared.outcome.is_error && shared.source == Source::Shared);
    let later = execution.run_blocking(&call(), || Outcome::ok(b"up".as_slice()));
    assert_eq!((later.source, &*later.outcome.bytes), (Source::Executed, b"up".as_slice()));
}

#[test]
fn a_read_that_a_write_overtakes_is_not_kept() {
    let execution = execution();
    let write = Call::new("write", "{}");
    let Begun::Execute(read) = execution.begin(&call()) else { panic!("the first one runs") };
    let before = execution.begin(&call());
    let _ = execution.run_blocking(&write, || Outcome::ok(b"written".as_slice()));
    // Whoever asks after the write begins anew, and gets the new result although the old run is still under way.
    let Begun::Execute(fresh) = execution.begin(&call()) else { panic!("it must not wait") };
    let _ = read.finish(Outcome::ok(b"old".as_slice()));
    let Begun::Wait(waiter) = before else { panic!("it asked before the write") };
    let Begun::Answered(shared) = waiter.wait_blocking(&call()) else { panic!("it is answered") };
    assert_eq!(&*shared.outcome.bytes, b"old");
    let _ = fresh.finish(Outcome::ok(b"new".as_slice()));
    let after = execution.run_blocking(&call(), || Outcome::error(b"not asked".as_slice()));
    assert_eq!(&*after.outcome.bytes, b"new");
}

#[test]
fn what_a_write_overtook_is_asked_anew() {
    let execution = execution();
    let Begun::Execute(read) = execution.begin(&call()) else { panic!("the first one runs") };
    let _ = execution.run_blocking(&Call::new("write", "{}"), || Outcome::ok(b"done".as_slice()));
    let _ = read.finish(Outcome::ok(b"old".as_slice()));
    // Nobody has asked meanwhile, so nothing but the write itself keeps the old result out.
    let after = execution.run_blocking(&call(), || Outcome::ok(b"new".as_slice()));
    assert_eq!((after.source, &*after.outcome.bytes), (Source::Executed, b"new".as_slice()));
    // Nor does a run whose execution has ended leave anything to the next one of the same name.
    let cache = Cache::builder().policies(policies()).build().unwrap();
    let first = cache.execution(None, "run");
    let Begun::Execute(read) = first.begin(&call()) else { panic!("the first one runs") };
    first.end();
    let _ = read.finish(Outcome::ok(b"old".as_slice()));
    assert_eq!((cache.entries(), cache.evictions().overtaken), (0, 1));
}

#[test]
fn a_write_whose_caller_dies_invalidates_all_the_same() {
    let execution = execution();
    let ask = |bytes: &'static [u8]| execution.run_blocking(&call(), || Outcome::ok(bytes));
    ask(b"before");
    let Begun::Execute(write) = execution.begin(&Call::new("write", "{}")) else {
        panic!("a write is always run")
    };
    drop(write);
    assert_eq!(ask(b"after").source, Source::Executed);
}
