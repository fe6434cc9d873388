//! The DynamoDB store over loopback, against the servers that `servers.sh` starts.
//!
//! `SAMECALL_DYNAMODB` lists them as `name=url`, separated by spaces; without it these tests say so and pass.

mod proxy;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, retry::RetryConfig};
use futures_util::future::join_all;
use proxy::{Fate, Proxy};
use samecall_store::testing::{self, Harness, model};
use samecall_store::{
    Acquisition, Claim, Digest, Error, Fenced, Fences, Finding, ManualClock, Recorded, Resolution,
    Store, StoreKey, Timestamp,
};
use samecall_store_dynamodb::DynamoStore;

const START: Timestamp = Timestamp::from_millis(1_795_996_800_000);
const TTL: Duration = Duration::from_secs(3600);

/// The servers under test: a name and a URL.
fn servers(test: &str) -> Vec<(String, String)> {
    let Ok(list) = std::env::var("SAMECALL_DYNAMODB") else {
        println!("skipped: {test}: SAMECALL_DYNAMODB not found");
        return Vec::new();
    };
    let servers = list.split_whitespace().filter_map(|server| server.split_once('='));
    servers.map(|(name, url)| (name.to_owned(), url.to_owned())).collect()
}

fn client(url: &str, attempts: u32) -> Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .endpoint_url(url)
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .retry_config(RetryConfig::standard().with_max_attempts(attempts))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build();
    Client::from_conf(config)
}

static TABLES: AtomicUsize = AtomicUsize::new(0);

/// A table that no other test has.
fn table() -> String {
    format!("samecall-{}-{}", std::process::id(), TABLES.fetch_add(1, Ordering::Relaxed))
}

fn store(url: &str, table: &str) -> DynamoStore {
    let clock = Arc::new(ManualClock::at(START));
    DynamoStore::new(client(url, 3), table, clock, Fences::random())
}

struct Loopback(String);

impl Harness for Loopback {
    type Store = DynamoStore;

    async fn fresh(&self, clock: Arc<ManualClock>) -> samecall_store::Result<DynamoStore> {
        let store = DynamoStore::new(client(&self.0, 3), table(), clock, Fences::random());
        store.create_table().await?;
        // Tables of some servers are not active at once.
        for _ in 0..100 {
            match store.release(&StoreKey::new("", "probe"), samecall_store::Fence(1)).await {
                Err(Error::MissingTable { .. }) => {
                    tokio::time::sleep(Duration::from_millis(20)).await
                }
                Ok(_) | Err(_) => break,
            }
        }
        Ok(store)
    }
}

fn claim(name: &str) -> Claim {
    Claim {
        key: StoreKey::new("tenant", name),
        fingerprint: Digest([1; 16]),
        payload: Some(Digest([2; 16])),
        spelling: b"{\"amount\": 4200}".as_slice().into(),
        owner: "test".into(),
        lease: Duration::from_secs(30),
    }
}

fn result() -> Recorded {
    Recorded::success(b"receipt 17".as_slice())
}

#[tokio::test]
async fn keeps_the_contract() {
    for (name, url) in servers("keeps_the_contract") {
        let failures = testing::run(&Loopback(url)).await;
        assert!(failures.is_empty(), "{name}: {failures:#?}");
    }
}

#[tokio::test]
async fn follows_the_model() {
    for (name, url) in servers("follows_the_model") {
        for seed in 0..3 {
            let run = model::run(&Loopback(url.clone()), seed, 300).await;
            assert!(run.is_ok(), "{name}: {run:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exactly_one_of_32_claimers_acquires_in_each_of_500_rounds() {
    for (name, url) in servers("exactly_one_of_32_claimers_acquires") {
        let store = Loopback(url).fresh(Arc::new(ManualClock::at(START))).await.expect("a table");
        let store = Arc::new(store);
        for round in 0..500 {
            let claimers = (0..32).map(|_| {
                let store = store.clone();
                tokio::spawn(async move { store.claim(&claim(&round.to_string())).await })
            });
            let mut acquired = 0;
            for answer in join_all(claimers).await {
                match answer.expect("no panic") {
                    Ok(Acquisition::Acquired { .. }) => acquired += 1,
                    Ok(Acquisition::InFlight { .. }) => {}
                    other => panic!("{name}: a claimer got {other:?}"),
                }
            }
            assert_eq!(acquired, 1, "{name}: acquired in round {round}");
        }
    }
}

/// One request a claim and one a completion; where the server does not return the old item (dynalite 4.0 does not), a
/// claim that finds a record reads it in a second.
#[tokio::test]
async fn one_claim_is_one_request_and_one_completion_is_one() {
    for (name, url) in servers("one_claim_is_one_request") {
        let proxy = Proxy::before(&url).await;
        let store = Loopback(proxy.url()).fresh(Arc::new(ManualClock::at(START))).await;
        let store = store.expect("a table");
        let refused = if name == "dynalite" { 2 } else { 1 };
        proxy.take_count();
        let answer = store.claim(&claim("a")).await.expect("a claim");
        let Acquisition::Acquired { fence } = answer else { panic!("{name}: {answer:?}") };
        assert_eq!(proxy.take_count(), 1, "{name}: a claim");
        store.claim(&claim("a")).await.expect("a claim");
        assert_eq!(proxy.take_count(), refused, "{name}: a claim of a key in flight");
        store.complete(&claim("a").key, fence, &result(), TTL).await.expect("a completion");
        assert_eq!(proxy.take_count(), 1, "{name}: a completion");
        store.claim(&claim("a")).await.expect("a claim");
        assert_eq!(proxy.take_count(), refused, "{name}: a replay");
    }
}

/// A request is carried out, its response is lost, and the SDK sends it again: still one claim, and ours.
#[tokio::test]
async fn a_lost_response_is_no_second_claim() {
    for (name, url) in servers("a_lost_response_is_no_second_claim") {
        let proxy = Proxy::before(&url).await;
        let store = Loopback(proxy.url()).fresh(Arc::new(ManualClock::at(START))).await;
        let store = store.expect("a table");
        proxy.next(Fate::LoseResponse);
        let answer = store.claim(&claim("a")).await.expect("a claim");
        let Acquisition::Acquired { fence } = answer else {
            panic!("{name}: its own claim, sent twice, gave {answer:?}")
        };
        proxy.next(Fate::LoseResponse);
        let done = store.complete(&claim("a").key, fence, &result(), TTL).await;
        assert_eq!(done, Ok(Fenced::Done), "{name}: its own completion, sent twice");
        let answer = store.claim(&claim("a")).await.expect("a claim");
        assert!(matches!(answer, Acquisition::Replay { .. }), "{name}: {answer:?}");
        assert!(proxy.lost() == 2, "{name}: no response was lost");
    }
}

/// While the SDK waits to send a claim again, its lease lapses and somebody finds out about it: the second sending meets
/// its own fence, and must not take what was settled meanwhile for a claim of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_that_was_settled_before_it_was_sent_again_is_no_claim() {
    for (name, url) in servers("a_claim_that_was_settled_before_it_was_sent_again") {
        let proxy = Proxy::before(&url).await;
        let clock = Arc::new(ManualClock::at(START));
        let direct = Loopback(url.clone()).fresh(clock.clone()).await.expect("a table");
        let through =
            DynamoStore::new(client(&proxy.url(), 3), direct.table(), clock, Fences::random());
        for (key, finding) in
            [("landed", Some(Finding::Landed { result: result(), ttl: TTL })), ("lapsed", None)]
        {
            let brief = Claim { lease: Duration::ZERO, ..claim(key) };
            proxy.next(Fate::LoseResponse);
            proxy.next(Fate::Delay(Duration::from_millis(1500)));
            let lost = proxy.lost();
            let claiming = async { through.claim(&brief).await.expect("a claim") };
            let settling = async {
                while proxy.lost() == lost {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                let seen = direct.claim(&brief).await.expect("a claim");
                let Acquisition::Unknown { fence, .. } = seen else { panic!("{name}: {seen:?}") };
                if let Some(finding) = &finding {
                    let settled = direct.resolve(&brief.key, fence, finding).await;
                    assert!(matches!(settled, Ok(Resolution::Settled { .. })), "{settled:?}");
                }
            };
            let (answer, ()) = futures_util::future::join(claiming, settling).await;
            match finding {
                Some(_) => {
                    assert!(matches!(answer, Acquisition::Replay { .. }), "{name}: {answer:?}")
                }
                None => {
                    assert!(matches!(answer, Acquisition::Unknown { .. }), "{name}: {answer:?}")
                }
            }
        }
    }
}

/// The parts of a large result live as long as the record that refers to them, whatever is completed again.
#[tokio::test]
async fn parts_of_a_result_outlive_no_record_and_no_record_outlives_them() {
    for (name, url) in servers("parts_of_a_result") {
        let table_client = client(&url, 3);
        let store = Loopback(url).fresh(Arc::new(ManualClock::at(START))).await.expect("a table");
        let answer = store.claim(&claim("a")).await.expect("a claim");
        let Acquisition::Acquired { fence } = answer else { panic!("{name}: {answer:?}") };
        let large = Recorded::success(vec![7; 500_000]);
        for life in [TTL, Duration::from_secs(1)] {
            let done = store.complete(&claim("a").key, fence, &large, life).await;
            assert_eq!(done, Ok(Fenced::Done), "{name}");
        }
        let items = table_client.scan().table_name(store.table()).send().await.expect("a scan");
        let ends: Vec<(&str, &str)> = items
            .items()
            .iter()
            .map(|item| (item["pk"].as_s().expect("text"), item["ttl"].as_n().expect("a number")))
            .map(|(key, end)| (&key[..1], end.as_str()))
            .collect();
        let wanted = (START.as_millis() / 1000 + 3600).to_string();
        assert_eq!(ends.len(), 3, "{name}: a record and two parts");
        assert!(ends.iter().all(|(_, end)| *end == wanted), "{name}: {ends:?}");
    }
}

#[tokio::test]
async fn a_table_of_another_shape_is_told() {
    use aws_sdk_dynamodb::types as aws;
    for (name, url) in servers("a_table_of_another_shape_is_told") {
        let (table, id) = (table(), "id");
        let attribute = aws::AttributeDefinition::builder()
            .attribute_name(id)
            .attribute_type(aws::ScalarAttributeType::S);
        let key = aws::KeySchemaElement::builder().attribute_name(id).key_type(aws::KeyType::Hash);
        let create = client(&url, 3)
            .create_table()
            .table_name(&table)
            .attribute_definitions(attribute.build().expect("an attribute"))
            .key_schema(key.build().expect("a key"))
            .billing_mode(aws::BillingMode::PayPerRequest);
        create.send().await.expect("a table");
        tokio::time::sleep(Duration::from_millis(200)).await;
        let error = store(&url, &table).claim(&claim("a")).await.expect_err("another key");
        let text = error.to_string();
        assert!(text.contains("\"pk\"") && text.contains(&table), "{name}: {text}");
        assert!(!text.contains("4200"), "{name}: {text}");
    }
}

#[tokio::test]
async fn a_missing_table_is_named() {
    for (name, url) in servers("a_missing_table_is_named") {
        let error = store(&url, "no-such-table").claim(&claim("a")).await.expect_err("no table");
        assert_eq!(error, Error::MissingTable { table: "no-such-table".into() }, "{name}");
        assert!(error.to_string().contains("no-such-table"), "{error}");
    }
}

/// Errors that loopback servers do not give by themselves, in the words of the service.
#[tokio::test]
async fn refusals_of_the_service_are_told_apart_and_run_nothing() {
    for (name, url) in servers("refusals_of_the_service_are_told_apart") {
        let proxy = Proxy::before(&url).await;
        let fresh = Loopback(url).fresh(Arc::new(ManualClock::at(START))).await.expect("a table");
        let through = fresh.with_client(client(&proxy.url(), 1));
        for code in [
            "ThrottlingException",
            "ProvisionedThroughputExceededException",
            "RequestLimitExceeded",
        ] {
            proxy.next(Fate::Refuse(code));
            let error = through.claim(&claim("a")).await.expect_err(code);
            assert!(matches!(error, Error::Throttled { .. }), "{name}: {error}");
        }
        for code in
            ["UnrecognizedClientException", "InvalidSignatureException", "AccessDeniedException"]
        {
            proxy.next(Fate::Refuse(code));
            let error = through.claim(&claim("a")).await.expect_err(code);
            assert!(matches!(error, Error::Denied { .. }), "{name}: {error}");
            assert!(error.to_string().contains("credentials"), "{error}");
        }
        // Nothing was claimed, and a throttled completion loses nothing: it can be sent again.
        let answer = through.claim(&claim("a")).await.expect("a claim");
        let Acquisition::Acquired { fence } = answer else { panic!("{name}: {answer:?}") };
        proxy.next(Fate::Refuse("ThrottlingException"));
        let error = through.complete(&claim("a").key, fence, &result(), TTL).await;
        assert!(matches!(error, Err(Error::Throttled { .. })), "{name}: {error:?}");
        let done = through.complete(&claim("a").key, fence, &result(), TTL).await;
        assert_eq!(done, Ok(Fenced::Done), "{name}");
    }
}

#[tokio::test]
async fn missing_credentials_are_told() {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .endpoint_url("http://127.0.0.1:9")
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build();
    let store = store("http://127.0.0.1:9", "t").with_client(Client::from_conf(config));
    let error = store.claim(&claim("a")).await.expect_err("no credentials");
    assert!(matches!(error, Error::Denied { .. }), "{error}");
    assert!(error.to_string().contains("check the credentials"), "{error}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_an_error() {
    let error = store("http://127.0.0.1:9", "t").claim(&claim("a")).await.expect_err("no server");
    assert!(matches!(error, Error::Remote { .. }), "{error}");
}

/// The item as it lies in the table: times in milliseconds, TTL in seconds and only on what may be deleted.
#[tokio::test]
async fn the_ttl_attribute_is_in_seconds_and_only_on_completed_records() {
    for (name, url) in servers("the_ttl_attribute_is_in_seconds") {
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(START.as_millis() + 1)));
        let store = Loopback(url.clone()).fresh(clock).await.expect("a table");
        let answer = store.claim(&claim("a")).await.expect("a claim");
        let Acquisition::Acquired { fence } = answer else { panic!("{name}: {answer:?}") };
        let item = store.raw_item(&claim("a").key).await.expect("a read").expect("an item");
        assert!(!item.contains_key("ttl"), "{name}: a claim would be deleted");
        store.complete(&claim("a").key, fence, &result(), TTL).await.expect("a completion");
        let item = store.raw_item(&claim("a").key).await.expect("a read").expect("an item");
        let number =
            |key: &str| item[key].as_n().expect("a number").parse::<u64>().expect("digits");
        assert_eq!(number("ttl"), START.as_millis() / 1000 + 3601, "{name}: seconds, rounded up");
        assert_eq!(number("x"), START.as_millis() + 3_600_001, "{name}: milliseconds");
    }
}

/// An item that somebody else has changed is reported, and never replayed.
#[tokio::test]
async fn a_damaged_item_is_reported() {
    for (name, url) in servers("a_damaged_item_is_reported") {
        let table_client = client(&url, 3);
        let store = Loopback(url).fresh(Arc::new(ManualClock::at(START))).await.expect("a table");
        let answer = store.claim(&claim("a")).await.expect("a claim");
        let Acquisition::Acquired { fence } = answer else { panic!("{name}: {answer:?}") };
        store.complete(&claim("a").key, fence, &result(), TTL).await.expect("a completion");
        for attribute in ["f", "e", "st", "a", "n", "v"] {
            let whole = store.raw_item(&claim("a").key).await.expect("a read").expect("an item");
            let mut item = whole.clone();
            item.remove(attribute);
            put(&table_client, store.table(), item).await;
            let error = store.claim(&claim("a")).await.expect_err(attribute);
            assert!(matches!(error, Error::Corrupt { .. }), "{name}, {attribute}: {error}");
            put(&table_client, store.table(), whole).await;
        }
        let answer = store.claim(&claim("a")).await.expect("whole again");
        assert!(matches!(answer, Acquisition::Replay { .. }), "{name}: {answer:?}");
    }
}

async fn put(
    client: &Client,
    table: &str,
    item: std::collections::HashMap<String, aws_sdk_dynamodb::types::AttributeValue>,
) {
    let put = client.put_item().table_name(table).set_item(Some(item)).send().await;
    put.expect("a put");
}

#[tokio::test]
async fn what_is_too_large_is_refused_before_it_is_sent() {
    let store = store("http://127.0.0.1:9", "t");
    let large = Claim { spelling: vec![0; 300 << 10].into(), ..claim("a") };
    let error = store.claim(&large).await.expect_err("too large");
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    let key = StoreKey::new("tenant", &"k".repeat(3000));
    let error = store.claim(&Claim { key, ..claim("") }).await.expect_err("too large");
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
}
