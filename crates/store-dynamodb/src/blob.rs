//! Large results, in items beside their record.
//!
//! The parts are written before the record that refers to them, under the claim's fence, which no other claim has, and
//! the result's own digest: two who record different results for one claim write different parts, and whoever comes
//! second changes nothing of the first one's. So a record never refers to a result that is not whole; parts without a
//! record are garbage that its `ttl` removes. A part's life is only ever made longer.

use aws_sdk_dynamodb::Client;
use samecall_store::codec::BlobRef;
use samecall_store::{Bytes, Error, Fence, Result, StoreKey, Timestamp};

use crate::failure::{self, Attributes, Conditional, conditional};
use crate::item::{VERSION, bytes, number, text, ttl};

/// The bytes of one part: an item has at most 400 KB (400 * 1024 bytes), its names and key included.
const PART: usize = 390 * 1024;

fn part_key(fence: Fence, blob: &BlobRef, index: usize) -> String {
    let (half, _) = blob.sha256.split_at(16);
    let digest = half.iter().fold(0u128, |digest, byte| digest << 8 | u128::from(*byte));
    format!("b{fence}#{digest:032x}#{index}")
}

/// Writes a result in parts.
pub(crate) async fn write(
    client: &Client,
    table: &str,
    fence: Fence,
    result: &[u8],
    expires: Timestamp,
) -> Result<BlobRef> {
    let blob = BlobRef::to(result);
    for (index, part) in result.chunks(PART).enumerate() {
        let item = Attributes::from([
            ("pk".to_owned(), text(part_key(fence, &blob, index))),
            ("v".to_owned(), number(VERSION)),
            ("r".to_owned(), bytes(part)),
            ("ttl".to_owned(), ttl(expires)),
        ]);
        let put = client
            .put_item()
            .table_name(table)
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(pk) OR #ttl < :ttl")
            .expression_attribute_names("#ttl", "ttl")
            .expression_attribute_values(":ttl", ttl(expires));
        match conditional(put.send().await, table)? {
            // The same bytes are there, for as long or longer.
            Conditional::Written | Conditional::Failed(_) => {}
        }
    }
    Ok(blob)
}

/// Reads a result back.
pub(crate) async fn read(
    client: &Client,
    table: &str,
    key: &StoreKey,
    fence: Fence,
    blob: &BlobRef,
) -> Result<Bytes> {
    let damaged = |reason: &str| Error::Corrupt { key: key.to_string(), reason: reason.to_owned() };
    let length = usize::try_from(blob.length).map_err(|_| damaged("its result is too long"))?;
    let mut result = Vec::new();
    for index in 0..length.div_ceil(PART) {
        let get = client.get_item().table_name(table).consistent_read(true);
        let get = get.key("pk", text(part_key(fence, blob, index))).send().await;
        let item = get.map_err(|e| failure::of(&e, table))?.item;
        let part = item.as_ref().and_then(|item| item.get("r")).and_then(|v| v.as_b().ok());
        result.extend_from_slice(part.ok_or_else(|| damaged("its result is missing"))?.as_ref());
    }
    if blob.fits(&result) { Ok(result.into()) } else { Err(damaged("its result is damaged")) }
}
