//! Which calls meet in one record, and what it keeps of them.

use super::*;
use crate::answer::{Differs, Fenced, Marked};
use crate::testing::equal;

pub(super) async fn a_first_claim_acquires_and_a_second_is_in_flight<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    world.acquire(&claim("a")).await?;
    world.clock.advance(Duration::from_secs(1));
    let until = START.after(LEASE);
    equal(
        world.store.claim(&claim("a")).await?,
        Acquisition::InFlight { until },
        "a second claim",
    )?;
    world.expect(&claim("b"), "acquired", "another key").await
}

pub(super) async fn a_completed_call_is_replayed_exactly<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let results = [
        ("text", done()),
        ("empty", Recorded::success(b"".as_slice())),
        ("no text", Recorded::success(vec![0, 255, 254, 10, 13, 0])),
        ("error", Recorded::error(b"card declined".as_slice())),
    ];
    for (name, result) in results {
        let fence = world.acquire(&claim(name)).await?;
        world.clock.advance(Duration::from_millis(7));
        let recorded_at = world.now();
        let answer = world.store.complete(&key(name), fence, &result, TTL).await?;
        equal(answer, Fenced::Done, "the completion")?;
        world.clock.advance(Duration::from_millis(5));
        for _ in 0..2 {
            let answer = world.store.claim(&claim(name)).await?;
            let result = result.clone();
            equal(answer, Acquisition::Replay { result, recorded_at }, name)?;
        }
    }
    Ok(())
}

/// Claims of one key, one in each state: claimed, completed, given up, lapsed.
async fn in_every_state<S: Store>(world: &World<S>) -> Result<[Claim; 4], Fault> {
    let claims = [claim("lapsed"), claim("given up"), claim("completed"), claim("claimed")];
    let [lapsed, given_up, completed, claimed] = &claims;
    world.acquire(lapsed).await?;
    world.clock.advance(LEASE);
    let fence = world.acquire(given_up).await?;
    world.store.mark_unknown(&given_up.key, fence).await?;
    world.finish(completed, &done(), TTL).await?;
    world.acquire(claimed).await?;
    Ok(claims)
}

pub(super) async fn another_fingerprint_is_a_conflict_in_every_state<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    for first in in_every_state(&world).await? {
        let other = Claim { fingerprint: Digest([9; 16]), ..first.clone() };
        let wanted = Acquisition::Conflict { differs: Differs::Fingerprint };
        equal(world.store.claim(&other).await?, wanted, first.key.name())?;
        equal(
            world.kind(&first).await? == "conflict",
            false,
            "the first call conflicts with itself",
        )?;
    }
    Ok(())
}

pub(super) async fn another_payload_is_a_conflict_in_every_state<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    for first in in_every_state(&world).await? {
        for payload in [Some(Digest([9; 16])), None] {
            let other = Claim { payload, ..first.clone() };
            let wanted = Acquisition::Conflict { differs: Differs::Payload };
            equal(world.store.claim(&other).await?, wanted, first.key.name())?;
        }
        equal(
            world.kind(&first).await? == "conflict",
            false,
            "the first call conflicts with itself",
        )?;
    }
    let plain = Claim { payload: None, ..claim("plain") };
    world.finish(&plain, &done(), TTL).await?;
    world.expect(&plain, "replay", "a call without a payload").await?;
    world.expect(&claim("plain"), "conflict", "a payload where there was none").await
}

pub(super) async fn keys_with_separators_stay_apart<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let pairs = [
        ("a|b", "c"),
        ("a", "b|c"),
        ("a#b", "c"),
        ("a", "b#c"),
        ("a/b", "c"),
        ("a", "b/c"),
        ("a:b", "c"),
        ("a", "b:c"),
        ("ab", "c"),
        ("a", "bc"),
        ("", "abc"),
        ("abc", ""),
        ("a\0b", "c"),
        ("a", "b\0c"),
        ("A", "bc"),
        ("a ", "bc"),
        ("ä", "bc"),
    ];
    for (scope, name) in pairs {
        let claim = Claim { key: StoreKey::new(scope, name), ..claim("") };
        let what = format!("scope {scope:?}, name {name:?}");
        world.expect(&claim, "acquired", &what).await?;
    }
    Ok(())
}

pub(super) async fn the_first_spelling_is_kept<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    world.acquire(&claim("a")).await?;
    let again = Claim { spelling: b"{\"amount\":4200.0}".as_slice().into(), ..claim("a") };
    world.expect(&again, "in flight", "a second spelling").await?;
    world.clock.advance(LEASE);
    let Acquisition::Unknown { fence, spelling, .. } = world.store.claim(&again).await? else {
        return Err(Fault("a lapsed claim is not unknown".into()));
    };
    equal(spelling, claim("a").spelling, "the spelling that is kept")?;
    // A key that was freed keeps nothing of the call that was not made.
    world.store.release(&key("a"), fence).await?;
    world.acquire(&again).await?;
    world.clock.advance(LEASE);
    let Acquisition::Unknown { spelling, .. } = world.store.claim(&claim("a")).await? else {
        return Err(Fault("a lapsed claim is not unknown".into()));
    };
    equal(spelling, again.spelling, "the spelling after a release")
}

pub(super) async fn large_results_are_replayed_exactly<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    for size in [1000, 5000, 400_000, 1_000_000] {
        let bytes: Vec<u8> =
            (0..size).map(|at: u32| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let name = size.to_string();
        let large = Recorded::error(bytes);
        world.finish(&claim(&name), &large, TTL).await?;
        let recorded_at = world.now();
        let wanted = Acquisition::Replay { result: large, recorded_at };
        let found = world.store.claim(&claim(&name)).await?;
        // Not by `equal`: a megabyte helps nobody in a message.
        equal(found == wanted, true, &format!("a result of {size} bytes is replayed"))?;
        // A key whose large result has expired replays the next one's, not what is left of it.
        world.clock.advance(TTL);
        world.finish(&claim(&name), &done(), TTL).await?;
        let wanted = Acquisition::Replay { result: done(), recorded_at: world.now() };
        equal(world.store.claim(&claim(&name)).await?, wanted, "a small result after a large one")?;
    }
    Ok(())
}

pub(super) async fn marks_tell_who_came_first<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let (one, two) = (Digest([1; 16]), Digest([2; 16]));
    equal(world.store.mark(&key("m"), one, TTL).await?, Marked::First, "the first mark")?;
    world.clock.advance(Duration::from_secs(1));
    let seen = Marked::Seen { value: one, at: START };
    equal(world.store.mark(&key("m"), two, TTL).await?, seen, "a second mark")?;
    equal(world.store.mark(&key("m"), one, TTL).await?, seen, "the same mark again")?;
    world.expect(&claim("m"), "acquired", "a record under a mark's key").await?;
    world.store.unmark(&key("m"), two).await?;
    equal(world.store.mark(&key("m"), two, TTL).await?, seen, "after another's unmarking")?;
    world.store.unmark(&key("m"), one).await?;
    equal(world.store.mark(&key("m"), two, TTL).await?, Marked::First, "after its own unmarking")?;
    world.clock.advance(TTL - Duration::from_millis(1));
    equal(world.store.mark(&key("m"), one, TTL).await? == Marked::First, false, "before its end")?;
    world.clock.advance(Duration::from_millis(1));
    equal(world.store.mark(&key("m"), one, TTL).await?, Marked::First, "at its end")?;
    world.expect(&claim("m"), "unknown", "the record beside it, lapsed").await
}
