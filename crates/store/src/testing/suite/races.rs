//! Many callers at once. The futures of one check are polled together, so a store that reads, waits and then writes is
//! caught; threads are the business of each store's own tests.

use futures_util::future::join_all;

use super::*;
use crate::answer::{Finding, Resolution};
use crate::testing::equal;

const CALLERS: usize = 32;

async fn one_acquires<S: Store>(world: &World<S>, name: &str) -> Result<Fence, Fault> {
    let claim = claim(name);
    let answers = join_all((0..CALLERS).map(|_| world.store.claim(&claim))).await;
    let mut fences = Vec::new();
    for answer in answers {
        match answer? {
            Acquisition::Acquired { fence } => fences.push(fence),
            Acquisition::InFlight { .. } => {}
            other => return Err(Fault(format!("a claimer got {other:?}"))),
        }
    }
    equal(fences.len(), 1, &format!("acquired by {CALLERS} callers"))?;
    fences.pop().ok_or_else(|| Fault("no fence".into()))
}

pub(super) async fn one_of_many_claimers_acquires<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    for round in 0..10 {
        one_acquires(&world, &round.to_string()).await?;
    }
    Ok(())
}

pub(super) async fn one_of_many_claimers_acquires_an_expired_key<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    for _ in 0..10 {
        let fence = one_acquires(&world, "a").await?;
        world.store.complete(&key("a"), fence, &done(), TTL).await?;
        world.clock.advance(TTL);
    }
    Ok(())
}

pub(super) async fn one_of_many_findings_counts<H: Harness>(h: &H) -> Check {
    let world = start(h).await?;
    let fence = world.acquire(&claim("a")).await?;
    world.clock.advance(LEASE);
    let finding = Finding::RunAgain { owner: "again".into(), lease: LEASE };
    let key = key("a");
    let answers = join_all((0..CALLERS).map(|_| world.store.resolve(&key, fence, &finding))).await;
    let mut acquired = 0;
    for answer in answers {
        match answer? {
            Resolution::Acquired { .. } => acquired += 1,
            Resolution::Stale => {}
            Resolution::Settled { .. } => {
                return Err(Fault("running again settled something".into()));
            }
        }
    }
    equal(acquired, 1, "callers that run again")
}
