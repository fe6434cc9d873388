//! Who may do what to a claim.

use super::*;
use crate::answer::{Fenced, Finding, Lost, Resolution};
use crate::testing::equal;

pub(super) async fn a_stale_claim_changes_nothing<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let stale = world.acquire(&claim("a")).await?;
    world.store.release(&key("a"), stale).await?;
    let fence = world.acquire(&claim("a")).await?;
    let store = &world.store;
    let lost = Fenced::Lost(Lost::OtherFence);
    let stolen = Recorded::success(b"stale".as_slice());
    equal(store.complete(&key("a"), stale, &stolen, TTL).await?, lost, "a stale completion")?;
    world.expect(&claim("a"), "in flight", "after a stale completion").await?;
    equal(store.release(&key("a"), stale).await?, lost, "a stale release")?;
    world.expect(&claim("a"), "in flight", "after a stale release").await?;
    equal(store.mark_unknown(&key("a"), stale).await?, lost, "a stale giving up")?;
    world.expect(&claim("a"), "in flight", "after a stale giving up").await?;
    equal(store.heartbeat(&key("a"), stale, YEAR).await?, lost, "a stale heartbeat")?;
    let until = START.after(LEASE);
    let wanted = Acquisition::InFlight { until };
    equal(store.claim(&claim("a")).await?, wanted, "after a stale heartbeat")?;
    equal(store.complete(&key("a"), fence, &done(), TTL).await?, Fenced::Done, "the true one")?;
    equal(store.complete(&key("a"), stale, &stolen, TTL).await?, lost, "a stale completion after")?;
    let wanted = Acquisition::Replay { result: done(), recorded_at: START };
    equal(store.claim(&claim("a")).await?, wanted, "the result")
}

pub(super) async fn a_completion_under_another_key_writes_nothing<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let fence = world.acquire(&claim("a")).await?;
    let answer = world.store.complete(&key("changed"), fence, &done(), TTL).await?;
    equal(answer, Fenced::Lost(Lost::Absent), "a completion under a key that has no record")?;
    world.expect(&claim("changed"), "acquired", "that key").await?;
    world.expect(&claim("a"), "in flight", "the claimed key").await?;
    let answer = world.store.complete(&key("changed"), fence, &done(), TTL).await?;
    equal(answer, Fenced::Lost(Lost::OtherFence), "a completion under another's key")?;
    let answer = world.store.complete(&key("a"), fence, &done(), TTL).await?;
    equal(answer, Fenced::Done, "the completion under its own key")?;
    world.expect(&claim("a"), "replay", "the completed key").await
}

pub(super) async fn a_recorded_result_stays<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let fence = world.finish(&claim("a"), &done(), TTL).await?;
    world.clock.advance(Duration::from_secs(1));
    let (store, key) = (&world.store, &key("a"));
    equal(
        store.complete(key, fence, &done(), TTL).await?,
        Fenced::Done,
        "the same completion again",
    )?;
    let other = Recorded::success(b"another".as_slice());
    let lost = Fenced::Lost(Lost::Completed);
    equal(store.complete(key, fence, &other, TTL).await?, lost, "another completion")?;
    let other = Recorded { error: true, ..done() };
    equal(store.complete(key, fence, &other, TTL).await?, lost, "the same bytes as an error")?;
    equal(store.release(key, fence).await?, lost, "a release")?;
    equal(store.mark_unknown(key, fence).await?, lost, "a giving up")?;
    equal(store.heartbeat(key, fence, LEASE).await?, lost, "a heartbeat")?;
    let wanted = Acquisition::Replay { result: done(), recorded_at: START };
    equal(store.claim(&claim("a")).await?, wanted, "the result")?;
    world.clock.set(START.after(TTL));
    world.expect(&claim("a"), "acquired", "its end, which nothing moved").await
}

/// As [`a_recorded_result_stays`], for results that a store keeps beside the record.
pub(super) async fn a_recorded_large_result_stays<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let large = |byte: u8| Recorded::success(vec![byte; 500_000]);
    let key = &key("a");
    // As a finding records it, of which the first claimer, still on its way, knows nothing.
    let fence = world.acquire(&claim("a")).await?;
    world.clock.advance(LEASE);
    let finding = Finding::Landed { result: large(1), ttl: TTL };
    world.store.resolve(key, fence, &finding).await?;
    let recorded_at = world.now();
    for (result, ttl, wanted, what) in [
        (large(2), TTL, Fenced::Lost(Lost::Completed), "another result of the same size"),
        (done(), TTL, Fenced::Lost(Lost::Completed), "a small result"),
        (large(1), Duration::from_secs(1), Fenced::Done, "the same result for a shorter life"),
    ] {
        equal(world.store.complete(key, fence, &result, ttl).await?, wanted, what)?;
        let stale = Finding::Landed { result, ttl };
        equal(world.store.resolve(key, fence, &stale).await?, Resolution::Stale, what)?;
        let wanted = Acquisition::Replay { result: large(1), recorded_at };
        let found = world.store.claim(&claim("a")).await?;
        equal(found == wanted, true, &format!("the first result is replayed after {what}"))?;
        world.clock.advance(Duration::from_secs(1));
    }
    Ok(())
}

pub(super) async fn a_late_completion_is_accepted<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let fence = world.acquire(&claim("a")).await?;
    world.clock.advance(LEASE * 2);
    world.expect(&claim("a"), "unknown", "a lapsed claim").await?;
    let answer = world.store.complete(&key("a"), fence, &done(), TTL).await?;
    equal(answer, Fenced::Done, "the completion of a lapsed claim")?;
    let wanted = Acquisition::Replay { result: done(), recorded_at: world.now() };
    equal(world.store.claim(&claim("a")).await?, wanted, "its result")?;
    let fence = world.acquire(&claim("b")).await?;
    world.store.mark_unknown(&key("b"), fence).await?;
    let answer = world.store.complete(&key("b"), fence, &done(), TTL).await?;
    equal(answer, Fenced::Done, "the completion of a claim given up")?;
    world.expect(&claim("b"), "replay", "its result").await
}

pub(super) async fn a_release_frees_the_key<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let fence = world.acquire(&claim("a")).await?;
    equal(world.store.release(&key("a"), fence).await?, Fenced::Done, "a release")?;
    let absent = Fenced::Lost(Lost::Absent);
    equal(world.store.release(&key("a"), fence).await?, absent, "a release again")?;
    equal(
        world.store.complete(&key("a"), fence, &done(), TTL).await?,
        absent,
        "a completion after",
    )?;
    equal(world.store.heartbeat(&key("a"), fence, LEASE).await?, absent, "a heartbeat after")?;
    equal(world.store.mark_unknown(&key("a"), fence).await?, absent, "a giving up after")?;
    let other = Claim { fingerprint: Digest([9; 16]), ..claim("a") };
    let fence = world.acquire(&other).await?;
    // Who knows that nothing happened may say so late, too.
    world.clock.advance(LEASE);
    world.expect(&other, "unknown", "a lapsed claim").await?;
    equal(world.store.release(&key("a"), fence).await?, Fenced::Done, "a late release")?;
    world.expect(&claim("a"), "acquired", "the freed key").await
}

pub(super) async fn a_heartbeat_extends_and_never_shortens<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let (store, key) = (&world.store, &key("a"));
    let fence = world.acquire(&claim("a")).await?;
    let second = Duration::from_secs(1);
    equal(store.heartbeat(key, fence, second).await?, Fenced::Done, "a short heartbeat")?;
    let until = START.after(LEASE);
    equal(store.claim(&claim("a")).await?, Acquisition::InFlight { until }, "after it")?;
    world.clock.advance(LEASE - second);
    equal(store.heartbeat(key, fence, LEASE).await?, Fenced::Done, "a heartbeat in time")?;
    let until = START.after(LEASE - second).after(LEASE);
    equal(store.claim(&claim("a")).await?, Acquisition::InFlight { until }, "after it")?;
    world.clock.set(until);
    let lapsed = Fenced::Lost(Lost::Lapsed);
    equal(store.heartbeat(key, fence, LEASE).await?, lapsed, "a heartbeat too late")?;
    world.expect(&claim("a"), "unknown", "a claim whose heartbeat was too late").await
}

pub(super) async fn a_claim_can_be_given_up<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let (store, key) = (&world.store, &key("a"));
    let fence = world.acquire(&claim("a")).await?;
    world.clock.advance(Duration::from_secs(1));
    let since = world.now();
    equal(store.mark_unknown(key, fence).await?, Fenced::Done, "a giving up")?;
    world.clock.advance(Duration::from_secs(1));
    equal(store.mark_unknown(key, fence).await?, Fenced::Done, "a giving up again")?;
    let wanted = Acquisition::Unknown { since, fence, spelling: claim("a").spelling };
    equal(store.claim(&claim("a")).await?, wanted.clone(), "after it")?;
    let lapsed = Fenced::Lost(Lost::Lapsed);
    equal(store.heartbeat(key, fence, LEASE).await?, lapsed, "a heartbeat after it")?;
    world.clock.advance(YEAR);
    equal(store.claim(&claim("a")).await?, wanted, "a year after it")
}

pub(super) async fn fences_are_never_given_twice<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let mut fences = Vec::new();
    for round in 0..100 {
        let fence = world.acquire(&claim("a")).await?;
        fences.push(fence);
        if round % 2 == 0 {
            world.store.release(&key("a"), fence).await?;
        } else {
            world.store.complete(&key("a"), fence, &done(), Duration::ZERO).await?;
        }
    }
    fences.sort_unstable();
    fences.dedup();
    equal(fences.len(), 100, "different fences")
}
