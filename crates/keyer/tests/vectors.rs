//! The strategies against shared vectors: the article's keys and exceptions, and RFC 8785's test data.

use std::fs;

use samecall_call::{Call, json};
use samecall_keyer::by_name;
use samecall_keyer::strategy::canonicalise;

use crate::common;

#[test]
fn every_article_key_and_exception_agrees() {
    let Some(path) = common::shared("vectors/article_keys.jsonl") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut compared = 0;
    for line in text.lines() {
        let record = json::parse(line, json::Dialect::Strict).unwrap();
        let call = Call::from_value(&record).unwrap();
        for member in record.get("keys").unwrap().as_object().unwrap() {
            let strategy = member.name.as_str().unwrap();
            let expected = match member.value.get("error") {
                Some(error) => format!("!{}", error.as_str().unwrap()),
                None => member.value.as_str().unwrap().to_owned(),
            };
            let keyer = by_name(strategy).unwrap();
            let id = record.get("id").and_then(|id| id.as_str()).unwrap();
            assert_eq!(common::answer(&*keyer, &call), expected, "{id} {strategy}");
            compared += 1;
        }
    }
    assert_eq!(compared, 7_500);
}

#[test]
fn rfc_8785_test_data_is_reproduced() {
    let Some(inputs) = common::shared("vectors/jcs/testdata/input") else { return };
    let mut compared = 0;
    for entry in fs::read_dir(inputs).unwrap() {
        let input = entry.unwrap().path();
        let name = input.file_name().unwrap();
        let expected =
            fs::read(input.parent().unwrap().with_file_name("output").join(name)).unwrap();
        let mut written = Vec::new();
        canonicalise(&fs::read_to_string(&input).unwrap(), &mut written).unwrap();
        assert_eq!(written, expected, "{}", input.display());
        compared += 1;
    }
    assert_eq!(compared, 6);
}
