//! The operations: the condition of each, and what the old item means when it does not hold.

use std::time::Duration;

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValuesOnConditionCheckFailure};
use samecall_store::codec::BlobRef;
use samecall_store::protocol::{self, Write};
use samecall_store::{
    Acquisition, Claim, Digest, Error, Fence, Fenced, Finding, MarkRecord, Marked, Record,
    Recorded, Resolution, Result, State, StoreKey, Timestamp,
};

use crate::failure::{self, Attributes, Conditional, conditional};
use crate::item::{self, Item, bytes, mark_key, number, record_key, text, time, ttl};
use crate::{DynamoStore, blob};

const OLD: ReturnValuesOnConditionCheckFailure = ReturnValuesOnConditionCheckFailure::AllOld;
/// How often a request is made anew when the record that failed its condition would pass it now: it expired or was
/// freed in between. Each time with the present time.
const ROUNDS: usize = 4;
/// Whoever holds the claim.
const HELD: &str = "n = :n AND (st = :claimed OR st = :unknown)";

/// The values that [`HELD`] names.
fn held(update: UpdateItemFluentBuilder, fence: Fence) -> UpdateItemFluentBuilder {
    update
        .expression_attribute_values(":n", text(fence.to_string()))
        .expression_attribute_values(":claimed", text("c"))
        .expression_attribute_values(":unknown", text("u"))
}

impl DynamoStore {
    fn busy<T>(&self) -> Result<T> {
        Err(Error::Remote { reason: format!("a record changed {ROUNDS} times under one request") })
    }

    /// The old item of a failed condition: as returned, or read now where the server returns none.
    async fn old(&self, returned: Option<Attributes>, pk: &str) -> Result<Option<Attributes>> {
        if returned.is_some() {
            return Ok(returned);
        }
        self.item(pk).await
    }

    /// An item as it is now.
    pub(crate) async fn item(&self, pk: &str) -> Result<Option<Attributes>> {
        let get = self.client.get_item().table_name(&self.table).consistent_read(true);
        let got = get.key("pk", text(pk)).send().await;
        Ok(got.map_err(|e| failure::of(&e, &self.table))?.item)
    }

    async fn old_record(
        &self,
        returned: Option<Attributes>,
        key: &StoreKey,
        pk: &str,
    ) -> Result<Option<(Record, Option<BlobRef>)>> {
        let item = self.old(returned, pk).await?;
        item.map(|item| Item::of(&item, key, pk)?.record()).transpose()
    }

    fn update(&self, pk: &str) -> UpdateItemFluentBuilder {
        self.client
            .update_item()
            .table_name(&self.table)
            .key("pk", text(pk))
            .return_values_on_condition_check_failure(OLD)
    }

    pub(crate) async fn put_claim(&self, claim: &Claim) -> Result<Acquisition> {
        self.limits.check_spelling(&claim.spelling)?;
        let pk = record_key(&claim.key)?;
        for _ in 0..ROUNDS {
            let now = self.clock.now();
            let fence = self.fences.next(now);
            let put = self
                .client
                .put_item()
                .table_name(&self.table)
                .set_item(Some(item::of_claim(pk.clone(), claim, fence, now)))
                .condition_expression("attribute_not_exists(pk) OR x <= :now")
                .expression_attribute_values(":now", time(now))
                .return_values_on_condition_check_failure(OLD);
            let returned = match conditional(put.send().await, &self.table)? {
                Conditional::Written => return Ok(Acquisition::Acquired { fence }),
                Conditional::Failed(returned) => returned,
            };
            let old = self.old_record(returned, &claim.key, &pk).await?;
            let Some((record, blob)) = old else { continue };
            let is_claimed = matches!(record.state, State::Claimed { until } if !until.has_come(self.clock.now()));
            if record.fence == fence && is_claimed {
                // Our own claim: it was written, its response was lost, and the SDK sent it again. One that has lapsed or
                // was settled meanwhile is answered as anybody's: others know of it, and may have acted on it.
                return Ok(Acquisition::Acquired { fence });
            }
            // The time of the condition, so that condition and answer agree.
            let (mut answer, write) = protocol::claim(Some(&record), claim, fence, now);
            if write != Write::Keep {
                continue;
            }
            if let (Acquisition::Replay { result, .. }, Some(blob)) = (&mut answer, blob) {
                let (client, table) = (&self.client, &self.table);
                result.bytes = blob::read(client, table, &claim.key, record.fence, &blob).await?;
            }
            return Ok(answer);
        }
        self.busy()
    }

    pub(crate) async fn extend(
        &self,
        key: &StoreKey,
        fence: Fence,
        lease: Duration,
    ) -> Result<Fenced> {
        let pk = record_key(key)?;
        for _ in 0..ROUNDS {
            let now = self.clock.now();
            let until = now.after(lease);
            let update = self
                .update(&pk)
                .update_expression("SET u = :until")
                .condition_expression("n = :n AND st = :claimed AND u > :now AND u < :until")
                .expression_attribute_values(":n", text(fence.to_string()))
                .expression_attribute_values(":claimed", text("c"))
                .expression_attribute_values(":now", time(now))
                .expression_attribute_values(":until", time(until));
            let returned = match conditional(update.send().await, &self.table)? {
                Conditional::Written => return Ok(Fenced::Done),
                Conditional::Failed(returned) => returned,
            };
            let old = self.old_record(returned, key, &pk).await?;
            let old = old.as_ref().map(|(record, _)| record);
            let (answer, _) = protocol::heartbeat(old, fence, lease, now);
            let ends = old.map(|record| &record.state);
            if answer == Fenced::Done
                && !matches!(ends, Some(State::Claimed { until: end }) if *end >= until)
            {
                continue;
            }
            return Ok(answer);
        }
        self.busy()
    }

    /// The update that records a result, its condition aside. Large results are written before.
    async fn result_update(
        &self,
        pk: &str,
        fence: Fence,
        result: &Recorded,
        life: Duration,
        now: Timestamp,
    ) -> Result<UpdateItemFluentBuilder> {
        self.limits.check_result(&result.bytes)?;
        let expires = now.after(life);
        let mut set = "SET st = :done, a = :now, x = :x, #ttl = :ttl, e = :e".to_owned();
        let mut update = self
            .update(pk)
            // TTL is a reserved word.
            .expression_attribute_names("#ttl", "ttl")
            .expression_attribute_values(":done", text("d"))
            .expression_attribute_values(":now", time(now))
            .expression_attribute_values(":x", time(expires))
            .expression_attribute_values(":ttl", ttl(expires))
            .expression_attribute_values(":e", AttributeValue::Bool(result.error));
        if result.bytes.len() > self.limits.inline {
            let (client, table) = (&self.client, &self.table);
            let blob = blob::write(client, table, fence, &result.bytes, expires).await?;
            set.push_str(", bl = :bl, bh = :bh");
            update = update
                .expression_attribute_values(":bl", number(blob.length))
                .expression_attribute_values(":bh", bytes(blob.sha256));
        } else if !result.bytes.is_empty() {
            set.push_str(", r = :r");
            update = update.expression_attribute_values(":r", bytes(&*result.bytes));
        }
        set.push_str(" REMOVE u");
        Ok(update.update_expression(set))
    }

    pub(crate) async fn put_result(
        &self,
        key: &StoreKey,
        fence: Fence,
        result: &Recorded,
        life: Duration,
    ) -> Result<Fenced> {
        let pk = record_key(key)?;
        for _ in 0..ROUNDS {
            let now = self.clock.now();
            let update = self.result_update(&pk, fence, result, life, now).await?;
            let update = held(update, fence).condition_expression(HELD);
            let returned = match conditional(update.send().await, &self.table)? {
                Conditional::Written => return Ok(Fenced::Done),
                Conditional::Failed(returned) => returned,
            };
            let mut old = self.old_record(returned, key, &pk).await?;
            if let Some((record, Some(blob))) = &mut old
                && let State::Completed { result: recorded, .. } = &mut record.state
                && blob.fits(&result.bytes)
            {
                // No need to read the blob to know what is in it.
                recorded.bytes = result.bytes.clone();
            }
            let old = old.as_ref().map(|(record, _)| record);
            let (answer, write) = protocol::complete(old, fence, result, life, now);
            if write == Write::Keep {
                return Ok(answer);
            }
        }
        self.busy()
    }

    pub(crate) async fn delete_claim(&self, key: &StoreKey, fence: Fence) -> Result<Fenced> {
        let pk = record_key(key)?;
        for _ in 0..ROUNDS {
            let now = self.clock.now();
            let delete = self
                .client
                .delete_item()
                .table_name(&self.table)
                .key("pk", text(&pk))
                .condition_expression(HELD)
                .expression_attribute_values(":n", text(fence.to_string()))
                .expression_attribute_values(":claimed", text("c"))
                .expression_attribute_values(":unknown", text("u"))
                .return_values_on_condition_check_failure(OLD);
            let returned = match conditional(delete.send().await, &self.table)? {
                Conditional::Written => return Ok(Fenced::Done),
                Conditional::Failed(returned) => returned,
            };
            let old = self.old_record(returned, key, &pk).await?;
            let old = old.as_ref().map(|(record, _)| record);
            let (answer, write) = protocol::release(old, fence, now);
            if write == Write::Keep {
                return Ok(answer);
            }
        }
        self.busy()
    }

    pub(crate) async fn give_up(&self, key: &StoreKey, fence: Fence) -> Result<Fenced> {
        let pk = record_key(key)?;
        let now = self.clock.now();
        let update = self
            .update(&pk)
            .update_expression("SET st = :unknown, u = :now")
            .condition_expression("n = :n AND st = :claimed AND u > :now")
            .expression_attribute_values(":now", time(now));
        let returned = match conditional(held(update, fence).send().await, &self.table)? {
            Conditional::Written => return Ok(Fenced::Done),
            Conditional::Failed(returned) => returned,
        };
        let old = self.old_record(returned, key, &pk).await?;
        let old = old.as_ref().map(|(record, _)| record);
        // A claim that has lapsed already reads as unknown since then; there is nothing to write.
        Ok(protocol::mark_unknown(old, fence, now).0)
    }

    pub(crate) async fn settle(
        &self,
        key: &StoreKey,
        fence: Fence,
        finding: &Finding,
    ) -> Result<Resolution> {
        const UNKNOWN: &str = "n = :n AND (st = :unknown OR (st = :claimed AND u <= :now))";
        let pk = record_key(key)?;
        let now = self.clock.now();
        let again = self.fences.next(now);
        let outcome = match finding {
            Finding::Landed { result, ttl } => {
                let update = self.result_update(&pk, fence, result, *ttl, now).await?;
                let update = held(update, fence).condition_expression(UNKNOWN);
                conditional(update.send().await, &self.table)?
            }
            Finding::NotLanded => {
                let delete = self
                    .client
                    .delete_item()
                    .table_name(&self.table)
                    .key("pk", text(&pk))
                    .condition_expression(UNKNOWN)
                    .expression_attribute_values(":n", text(fence.to_string()))
                    .expression_attribute_values(":claimed", text("c"))
                    .expression_attribute_values(":unknown", text("u"))
                    .expression_attribute_values(":now", time(now))
                    .return_values_on_condition_check_failure(OLD);
                conditional(delete.send().await, &self.table)?
            }
            Finding::RunAgain { owner, lease } => {
                let update = self
                    .update(&pk)
                    .condition_expression(UNKNOWN)
                    .expression_attribute_values(":now", time(now))
                    .expression_attribute_values(":again", text(again.to_string()))
                    .expression_attribute_values(":until", time(now.after(*lease)));
                // An owner without a name is left out, as in a claim.
                let update = if owner.is_empty() {
                    update.update_expression(
                        "SET st = :claimed, n = :again, c = :now, u = :until REMOVE o",
                    )
                } else {
                    update
                        .update_expression(
                            "SET st = :claimed, n = :again, c = :now, u = :until, o = :o",
                        )
                        .expression_attribute_values(":o", text(&**owner))
                };
                conditional(held(update, fence).send().await, &self.table)?
            }
        };
        let acquired = Resolution::Acquired { fence: again };
        let runs_again = matches!(finding, Finding::RunAgain { .. });
        match outcome {
            Conditional::Written if runs_again => Ok(acquired),
            Conditional::Written => Ok(Resolution::Settled { at: now }),
            Conditional::Failed(returned) if runs_again => {
                // Ours, if its response was lost and the SDK sent it again.
                let old = self.old_record(returned, key, &pk).await?;
                let ours = old.is_some_and(|(record, _)| record.fence == again);
                Ok(if ours { acquired } else { Resolution::Stale })
            }
            // Also where it is our own finding, sent again: the next claim meets what it settled.
            Conditional::Failed(_) => Ok(Resolution::Stale),
        }
    }

    pub(crate) async fn put_mark(
        &self,
        key: &StoreKey,
        value: Digest,
        life: Duration,
    ) -> Result<Marked> {
        let pk = mark_key(key)?;
        for _ in 0..ROUNDS {
            let now = self.clock.now();
            let mark = MarkRecord { value, at: now, expires: now.after(life) };
            let put = self
                .client
                .put_item()
                .table_name(&self.table)
                .set_item(Some(item::of_mark(pk.clone(), &mark)))
                .condition_expression("attribute_not_exists(pk) OR x <= :now")
                .expression_attribute_values(":now", time(now))
                .return_values_on_condition_check_failure(OLD);
            let returned = match conditional(put.send().await, &self.table)? {
                Conditional::Written => return Ok(Marked::First),
                Conditional::Failed(returned) => returned,
            };
            let Some(old) = self.old(returned, &pk).await? else { continue };
            let old = Item::of(&old, key, &pk)?.mark()?;
            if let (answer @ Marked::Seen { .. }, _) = protocol::mark(Some(&old), value, life, now)
            {
                return Ok(answer);
            }
        }
        self.busy()
    }

    pub(crate) async fn delete_mark(&self, key: &StoreKey, value: Digest) -> Result<()> {
        let delete = self
            .client
            .delete_item()
            .table_name(&self.table)
            .key("pk", text(mark_key(key)?))
            .condition_expression("w = :w")
            .expression_attribute_values(":w", bytes(value.0));
        match conditional(delete.send().await, &self.table)? {
            Conditional::Written | Conditional::Failed(_) => Ok(()),
        }
    }
}
