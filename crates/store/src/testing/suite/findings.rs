//! How an unknown ends.

use super::*;
use crate::answer::{Fenced, Finding, Lost, Resolution};
use crate::testing::equal;

async fn unknown<S: Store>(world: &World<S>, name: &str) -> Result<Fence, Fault> {
    let fence = world.acquire(&claim(name)).await?;
    world.clock.advance(LEASE);
    Ok(fence)
}

fn landed() -> Finding {
    Finding::Landed { result: done(), ttl: TTL }
}

fn run_again() -> Finding {
    Finding::RunAgain { owner: "second".into(), lease: LEASE }
}

pub(super) async fn landed_is_replayed<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let fence = unknown(&world, "a").await?;
    let answer = world.store.resolve(&key("a"), fence, &landed()).await?;
    equal(answer, Resolution::Settled { at: world.now() }, "the finding")?;
    let recorded_at = world.now();
    let wanted = Acquisition::Replay { result: done(), recorded_at };
    equal(world.store.claim(&claim("a")).await?, wanted, "what was found")?;
    let other = Claim { payload: None, ..claim("a") };
    world.expect(&other, "conflict", "another payload after a finding").await?;
    world.clock.advance(TTL);
    world.expect(&claim("a"), "acquired", "its end").await
}

pub(super) async fn not_landed_frees_the_key<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let fence = unknown(&world, "a").await?;
    let answer = world.store.resolve(&key("a"), fence, &Finding::NotLanded).await?;
    equal(answer, Resolution::Settled { at: world.now() }, "the finding")?;
    let answer = world.store.complete(&key("a"), fence, &done(), TTL).await?;
    equal(answer, Fenced::Lost(Lost::Absent), "the old claim's completion")?;
    world.expect(&claim("a"), "acquired", "the freed key").await
}

pub(super) async fn running_again_keeps_the_spelling_and_ends_the_old_claim<H: Harness>(
    h: &H,
) -> Check {
    let world = start(h).await?;
    let old = unknown(&world, "a").await?;
    let Resolution::Acquired { fence } = world.store.resolve(&key("a"), old, &run_again()).await?
    else {
        return Err(Fault("an unknown call was not acquired to run again".into()));
    };
    equal(fence == old, false, "the new fence is the old one")?;
    let until = world.now().after(LEASE);
    equal(world.store.claim(&claim("a")).await?, Acquisition::InFlight { until }, "after it")?;
    let answer = world.store.complete(&key("a"), old, &done(), TTL).await?;
    equal(answer, Fenced::Lost(Lost::OtherFence), "the old claim's completion")?;
    let other = Claim { payload: None, ..claim("a") };
    world.expect(&other, "conflict", "another payload while it runs again").await?;
    world.clock.advance(LEASE);
    let again = Claim { spelling: b"{}".as_slice().into(), ..claim("a") };
    let spelling = claim("a").spelling;
    let wanted = Acquisition::Unknown { since: world.now(), fence, spelling };
    equal(world.store.claim(&again).await?, wanted, "lapsed again")?;
    let answer = world.store.complete(&key("a"), fence, &done(), TTL).await?;
    equal(answer, Fenced::Done, "the new claim's completion")
}

pub(super) async fn only_an_unknown_call_is_resolved<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let unknown = unknown(&world, "unknown").await?;
    let other = world.acquire(&claim("other")).await?;
    let completed = world.finish(&claim("completed"), &done(), TTL).await?;
    for finding in [landed(), Finding::NotLanded, run_again()] {
        for (name, fence, what) in [
            ("absent", unknown, "a key without a record"),
            ("other", other, "a claim in flight"),
            ("completed", completed, "a completed call"),
            ("unknown", other, "a claim under another fence"),
        ] {
            let answer = world.store.resolve(&key(name), fence, &finding).await?;
            equal(answer, Resolution::Stale, what)?;
        }
    }
    world.expect(&claim("unknown"), "unknown", "after a stale finding").await?;
    world.expect(&claim("other"), "in flight", "after a stale finding").await?;
    world.expect(&claim("completed"), "replay", "after a stale finding").await?;
    world.expect(&claim("absent"), "acquired", "after a stale finding").await
}
