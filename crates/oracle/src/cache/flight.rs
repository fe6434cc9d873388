//! One of equal calls at the same time runs the tool, and a death passes the run on.

use super::Fault;
use samecall_cache::Outcome;
use samecall_call::Call;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Runs one call on many threads at once, of which the first `dying` that run the tool panic in it, and checks that the
/// tool ran to its end once, never twice at a time, and that everybody else got its bytes.
///
/// `run` answers a call by the tool that it is given, or without.
///
/// # Errors
/// The law that is broken, and how.
pub fn single_flight(
    callers: usize,
    dying: usize,
    run: &(dyn Fn(&Call, &dyn Fn() -> Outcome) -> Outcome + Sync),
) -> Result<(), Fault> {
    let call = Call::new("read", r#"{"n": 1}"#);
    let [begun, ended, running, most] = [(); 4].map(|()| AtomicUsize::new(0));
    let tool = || {
        let now = running.fetch_add(1, Ordering::SeqCst) + 1;
        most.fetch_max(now, Ordering::SeqCst);
        let number = begun.fetch_add(1, Ordering::SeqCst);
        // Long enough that all others are waiting by now.
        std::thread::sleep(Duration::from_millis(20));
        running.fetch_sub(1, Ordering::SeqCst);
        if number < dying {
            // Without the message that a panic would print.
            std::panic::resume_unwind(Box::new("the tool's caller dies"));
        }
        ended.fetch_add(1, Ordering::SeqCst);
        Outcome::ok(format!("run {number}").into_bytes())
    };
    let start = Barrier::new(callers);
    let answers: Vec<Option<Outcome>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..callers)
            .map(|_| {
                scope.spawn(|| {
                    start.wait();
                    catch_unwind(AssertUnwindSafe(|| run(&call, &tool))).ok()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().ok().flatten()).collect()
    });
    let broken = |why: &str| Err(("single_flight", why.to_owned()));
    if ended.load(Ordering::SeqCst) != 1 {
        return broken("the tool did not run to its end exactly once");
    }
    if begun.load(Ordering::SeqCst) != dying + 1 {
        return broken("after a death not exactly one of the others ran the tool");
    }
    if most.load(Ordering::SeqCst) != 1 {
        return broken("the tool ran twice at a time");
    }
    let expected = Outcome::ok(format!("run {dying}").into_bytes());
    let got = answers.iter().flatten().filter(|answer| **answer == expected).count();
    if got != callers - dying {
        return broken("somebody who lived did not get the bytes of that run");
    }
    Ok(())
}
