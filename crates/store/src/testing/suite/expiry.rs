//! Times: leases, lives, and what a sweep may not change.

use super::*;
use crate::answer::Fenced;
use crate::testing::equal;

const MILLI: Duration = Duration::from_millis(1);

pub(super) async fn a_lease_lapses_to_unknown_and_never_to_free<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let fence = world.acquire(&claim("a")).await?;
    world.clock.advance(LEASE);
    let wanted =
        Acquisition::Unknown { since: START.after(LEASE), fence, spelling: claim("a").spelling };
    for _ in 0..3 {
        equal(world.store.claim(&claim("a")).await?, wanted.clone(), "a lapsed claim")?;
        world.store.sweep(1000).await?;
        world.clock.advance(YEAR);
    }
    Ok(())
}

pub(super) async fn leases_are_exact_to_the_millisecond<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    for millis in [1, 999, 1000, 1500, 90_001] {
        let lease = Duration::from_millis(millis);
        let claim = Claim { lease, ..claim(&millis.to_string()) };
        world.acquire(&claim).await?;
        world.clock.advance(lease - MILLI);
        world
            .expect(&claim, "in flight", &format!("1 ms before a lease of {millis} ms ends"))
            .await?;
        world.clock.advance(MILLI);
        world.expect(&claim, "unknown", &format!("when a lease of {millis} ms ends")).await?;
    }
    Ok(())
}

pub(super) async fn a_life_is_exact_to_the_millisecond<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    for millis in [1, 999, 1000, 1500, 90_001] {
        let ttl = Duration::from_millis(millis);
        let claim = claim(&millis.to_string());
        world.finish(&claim, &done(), ttl).await?;
        world.clock.advance(ttl - MILLI);
        world.expect(&claim, "replay", &format!("1 ms before a life of {millis} ms ends")).await?;
        world.clock.advance(MILLI);
        world.expect(&claim, "acquired", &format!("when a life of {millis} ms ends")).await?;
    }
    Ok(())
}

pub(super) async fn a_long_life_is_not_cut_short<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    world.finish(&claim("a"), &done(), YEAR).await?;
    world.clock.advance(YEAR - MILLI);
    world.store.sweep(1000).await?;
    world.expect(&claim("a"), "replay", "1 ms before a year is over").await?;
    // A life beyond the end of time ends with it.
    world.finish(&claim("b"), &done(), Duration::MAX).await?;
    world.clock.advance(YEAR);
    world.expect(&claim("b"), "replay", "a life without end").await
}

pub(super) async fn zero_is_a_length_of_time<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let lapsed = Claim { lease: Duration::ZERO, ..claim("lease") };
    world.acquire(&lapsed).await?;
    world.expect(&lapsed, "unknown", "a lease of zero").await?;
    world.finish(&claim("life"), &done(), Duration::ZERO).await?;
    world.expect(&claim("life"), "acquired", "a life of zero").await?;
    let fence = world.acquire(&claim("beat")).await?;
    let answer = world.store.heartbeat(&key("beat"), fence, Duration::ZERO).await?;
    equal(answer, Fenced::Done, "a heartbeat of zero")?;
    let until = START.after(LEASE);
    equal(world.store.claim(&claim("beat")).await?, Acquisition::InFlight { until }, "after it")
}

pub(super) async fn the_epoch_is_a_point_in_time<H: Harness>(h: &H) -> Check {
    let world = start_at(h, Timestamp::from_millis(0)).await?;
    world.finish(&claim("a"), &done(), MILLI).await?;
    let recorded_at = Timestamp::from_millis(0);
    let wanted = Acquisition::Replay { result: done(), recorded_at };
    equal(world.store.claim(&claim("a")).await?, wanted, "a result of the epoch")?;
    let lapsed = Claim { lease: Duration::ZERO, ..claim("b") };
    let fence = world.acquire(&lapsed).await?;
    let since = Timestamp::from_millis(0);
    let wanted = Acquisition::Unknown { since, fence, spelling: lapsed.spelling.clone() };
    equal(world.store.claim(&lapsed).await?, wanted, "unknown since the epoch")?;
    world.clock.advance(MILLI);
    world.expect(&claim("a"), "acquired", "1 ms after the epoch").await
}

pub(super) async fn an_expired_key_is_free_for_any_call<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let old = world.finish(&claim("a"), &done(), TTL).await?;
    world.clock.advance(TTL);
    // Nothing was swept: what is over is over all the same, for every operation.
    let late = world.store.complete(&key("a"), old, &done(), TTL).await?;
    equal(late, Fenced::Lost(crate::Lost::Absent), "a completion after the record's end")?;
    let other = Claim { fingerprint: Digest([9; 16]), ..claim("a") };
    let fence = world.acquire(&other).await?;
    let result = Recorded::success(b"another".as_slice());
    world.store.complete(&key("a"), fence, &result, TTL).await?;
    let wanted = Acquisition::Replay { result, recorded_at: world.now() };
    equal(world.store.claim(&other).await?, wanted, "the second life of a key")?;
    world.expect(&claim("a"), "conflict", "the first call in the second's life").await
}

pub(super) async fn a_sweep_changes_no_answer<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let lapsed = Claim { lease: Duration::from_secs(1), ..claim("lapsed") };
    world.acquire(&lapsed).await?;
    let given_up = world.acquire(&claim("given up")).await?;
    world.store.mark_unknown(&key("given up"), given_up).await?;
    world.finish(&claim("short"), &done(), Duration::from_secs(1)).await?;
    world.finish(&claim("long"), &done(), TTL).await?;
    // Over, and claimed again: the sweep must not take the second life for the first.
    world.finish(&claim("again"), &done(), Duration::from_secs(1)).await?;
    world.clock.advance(Duration::from_secs(2));
    world.finish(&claim("again"), &done(), TTL).await?;
    let claimed = Claim { lease: YEAR, ..claim("claimed") };
    world.acquire(&claimed).await?;
    for _ in 0..3 {
        world.store.sweep(1000).await?;
        world.expect(&lapsed, "unknown", "a lapsed claim after a sweep").await?;
        world.expect(&claim("given up"), "unknown", "a claim given up after a sweep").await?;
        world.expect(&claim("long"), "replay", "a live record after a sweep").await?;
        world.expect(&claim("again"), "replay", "a key in its second life after a sweep").await?;
        world.expect(&claimed, "in flight", "a claim after a sweep").await?;
        world.clock.advance(Duration::from_secs(1));
    }
    world.expect(&claim("short"), "acquired", "an expired record after a sweep").await
}
