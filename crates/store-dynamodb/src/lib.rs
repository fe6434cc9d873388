//! The idempotency store on DynamoDB: each operation of the protocol is one conditional request.
//!
//! The condition says what the protocol says, and a condition that fails brings the old item back; that item is
//! validated and read by the same functions that the other stores apply under a lock. A request that was carried out and
//! whose response was lost is sent again by the SDK; it is known by its fence, and answered as if it came first.
//!
//! A server that does not return the old item (`ReturnValuesOnConditionCheckFailure`) costs one consistent read more.

mod blob;
mod failure;
mod item;
mod ops;
mod table;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue;
use samecall_store::{
    Acquisition, Claim, Clock, Digest, Fence, Fenced, Fences, Finding, Limits, Marked, Recorded,
    Resolution, Result, Store, StoreKey,
};

/// A store in one table. The table has a string partition key `pk`, no sort key, and `ttl` for its time to live.
pub struct DynamoStore {
    client: Client,
    table: String,
    clock: Arc<dyn Clock>,
    fences: Fences,
    limits: Limits,
}

impl fmt::Debug for DynamoStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamoStore").field("table", &self.table).finish_non_exhaustive()
    }
}

/// The limits that fit DynamoDB: a result of up to 512 bytes is kept in its record, so that most records are below the
/// 1,024 bytes of one write unit; spellings of up to 256 KiB, since an item has at most 400 KB; results of up to 64 MiB.
pub const LIMITS: Limits = Limits { inline: 512, result: 64 << 20, spelling: 256 << 10 };

impl DynamoStore {
    /// The store of a table, with [`LIMITS`]. Clocks of all machines that share the table must agree to well within a
    /// lease.
    pub fn new(
        client: Client,
        table: impl Into<String>,
        clock: Arc<dyn Clock>,
        fences: Fences,
    ) -> Self {
        DynamoStore { client, table: table.into(), clock, fences, limits: LIMITS }
    }

    /// The same store through another client.
    pub fn with_client(mut self, client: Client) -> Self {
        self.client = client;
        self
    }

    /// The table's name.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The item of a key as it lies in the table, for operators; None where there is none.
    ///
    /// # Errors
    /// The store's.
    pub async fn raw_item(
        &self,
        key: &StoreKey,
    ) -> Result<Option<HashMap<String, AttributeValue>>> {
        self.item(&item::record_key(key)?).await
    }

    /// With other limits.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl Store for DynamoStore {
    async fn claim(&self, claim: &Claim) -> Result<Acquisition> {
        self.put_claim(claim).await
    }

    async fn heartbeat(&self, key: &StoreKey, fence: Fence, lease: Duration) -> Result<Fenced> {
        self.extend(key, fence, lease).await
    }

    async fn complete(
        &self,
        key: &StoreKey,
        fence: Fence,
        result: &Recorded,
        ttl: Duration,
    ) -> Result<Fenced> {
        self.put_result(key, fence, result, ttl).await
    }

    async fn release(&self, key: &StoreKey, fence: Fence) -> Result<Fenced> {
        self.delete_claim(key, fence).await
    }

    async fn mark_unknown(&self, key: &StoreKey, fence: Fence) -> Result<Fenced> {
        self.give_up(key, fence).await
    }

    async fn resolve(&self, key: &StoreKey, fence: Fence, finding: &Finding) -> Result<Resolution> {
        self.settle(key, fence, finding).await
    }

    async fn mark(&self, key: &StoreKey, value: Digest, ttl: Duration) -> Result<Marked> {
        self.put_mark(key, value, ttl).await
    }

    async fn unmark(&self, key: &StoreKey, value: Digest) -> Result<()> {
        self.delete_mark(key, value).await
    }

    /// Nothing: DynamoDB deletes by the `ttl` attribute, some days after its time.
    async fn sweep(&self, _limit: usize) -> Result<usize> {
        Ok(0)
    }
}
