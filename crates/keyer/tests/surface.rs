//! What every strategy shares: its name and description, answers to many calls at once, and how keys and refusals print.

use samecall_call::{Call, Part};
use samecall_keyer::rules::{Letters, Normaliser};
use samecall_keyer::strategy::Normalised;
use samecall_keyer::{Key, Keyer, Outcome, Refusal, by_name, names, registry};

const STRATEGIES: [&str; 13] = [
    "raw",
    "canonical",
    "normalised",
    "normalised-capital-t",
    "scoped",
    "agentforge",
    "jcs",
    "typed",
    "typed-prose",
    "typed-scoped",
    "constant",
    "random",
    "refuse",
];

#[test]
fn the_registry_lists_each_strategy_once_with_a_description() {
    assert_eq!(names().collect::<Vec<_>>(), STRATEGIES);
    let entries = registry();
    assert_eq!(entries.iter().map(|entry| entry.name).collect::<Vec<_>>(), STRATEGIES);
    for entry in entries {
        assert_eq!(entry.build().name(), entry.name);
        assert_eq!(by_name(entry.name).unwrap().name(), entry.name);
        assert!(entry.description.len() > 10, "{}", entry.name);
    }
    for unknown in ["", "raw ", "Raw", "typed@", "typed@other"] {
        assert!(by_name(unknown).is_none(), "{unknown}");
    }
}

#[test]
fn typed_scoped_alone_has_a_slot() {
    let mut call = Call::new("t", r#"{"a":1}"#);
    call.scope.run_id = Part::from("r");
    call.scope.step = Part::from("s");
    for name in STRATEGIES {
        let keyer = by_name(name).unwrap();
        assert_eq!(keyer.has_slot(), name == "typed-scoped", "{name}");
        if let Outcome::Key(keyed) = keyer.key(&call, None) {
            assert_eq!(keyed.parts.is_some(), keyer.has_slot(), "{name}");
        }
    }
    assert!(by_name("typed-scoped@pydantic-lax").unwrap().has_slot());
    assert!(!by_name("typed@pydantic-lax").unwrap().has_slot());
}

#[test]
fn many_calls_are_answered_as_each_alone_and_in_order() {
    let calls = ["{}", r#"{"a":1}"#, "no JSON", r#"{"a":2}"#].map(|text| Call::new("t", text));
    let asked: Vec<_> = calls.iter().map(|call| (call, None)).collect();
    for name in STRATEGIES {
        let alone = by_name(name).unwrap();
        let alone: Vec<Outcome> = calls.iter().map(|call| alone.key(call, None)).collect();
        assert_eq!(by_name(name).unwrap().keys(&asked), alone, "{name}");
    }
}

#[test]
fn keys_print_as_hex_and_read_back() {
    // SHA-256 of no bytes, FIPS 180-4.
    let key = Key::of(b"");
    assert_eq!(key.to_string(), "e3b0c44298fc1c149afbf4c8996fb924");
    assert_eq!(format!("{key:?}"), "Key(e3b0c44298fc1c149afbf4c8996fb924)");
    assert_eq!(key.hex(), *b"e3b0c44298fc1c149afbf4c8996fb924");
    assert_eq!(Key::from_hex("E3B0C44298FC1C149AFBF4C8996FB924"), Some(key));
    assert_eq!(Key::from_bytes(*key.as_bytes()), key);
    assert_eq!(key.as_bytes()[..3], [0xE3, 0xB0, 0xC4]);
    for no_key in ["", "e3b0c44298fc1c149afbf4c8996fb92", "e3b0c44298fc1c149afbf4c8996fb9240"] {
        assert_eq!(Key::from_hex(no_key), None, "{no_key}");
    }
}

#[test]
fn refusals_say_their_code_and_what_there_is_to_say_beyond_it() {
    let bare = Refusal::bare("too_deep");
    assert_eq!(
        (bare.code(), bare.detail(), bare.to_string().as_str()),
        ("too_deep", "", "too_deep")
    );
    let told = Refusal::new("invalid_json", "unexpected character at byte 5");
    assert_eq!((told.code(), told.detail()), ("invalid_json", "unexpected character at byte 5"));
    assert_eq!(told.to_string(), "invalid_json: unexpected character at byte 5");
    // A reader's reason keeps its place, and holds none of the text.
    let Outcome::Refused(refusal) =
        by_name("jcs").unwrap().key(&Call::new("t", "{\"a\":secret"), None)
    else {
        panic!("jcs takes no broken JSON")
    };
    assert_eq!(refusal.code(), "invalid_json");
    assert!(refusal.detail().contains("byte 5"), "{refusal}");
    assert!(!refusal.to_string().contains("secret"), "{refusal}");
}

#[test]
fn normalised_tells_its_rules() {
    for (strategy, letters) in [
        (Normalised::article(), Letters::EitherCase),
        (Normalised::capital_t(), Letters::CapitalOnly),
    ] {
        assert_eq!(*strategy.normaliser(), Normaliser::article(letters), "{}", strategy.name());
    }
}
