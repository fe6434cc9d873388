//! A wrong file is refused with its name, the line and the field.

use samecall_cost::Tokens;
use samecall_cost::book::PriceBook;
use samecall_cost::losses::parse_losses;
use samecall_cost::rates::Rates;
use samecall_cost::sweep::Plan;
use samecall_cost::verdicts::Verdicts;

const BOOK: &str = include_str!("../../../corpus/prices/current.toml");
const SWEEPS: &str = include_str!("../../../corpus/sweeps/default.toml");
const LOSSES: &str = include_str!("../../../corpus/harm/tools.toml");
const RATES: &str = include_str!("../../../corpus/harm/rates.toml");

/// The text with the first `old` replaced, and the line it stands on.
fn changed(text: &str, old: &str, new: &str) -> (String, usize) {
    let at = text.find(old).expect("the text to change is there");
    (text.replacen(old, new, 1), 1 + text[..at].matches('\n').count())
}

fn book_error(old: &str, new: &str) -> (String, usize) {
    let (text, line) = changed(BOOK, old, new);
    (PriceBook::parse("b.toml", &text).unwrap_err().to_string(), line)
}

#[test]
fn the_shipped_files_are_as_they_should_be() {
    assert_eq!(PriceBook::parse("b.toml", BOOK).unwrap().prices().count(), 10);
    for other in ["article-2026-08.toml", "sonnet-5-5.toml"] {
        let path = format!("{}/../../corpus/prices/{other}", env!("CARGO_MANIFEST_DIR"));
        PriceBook::read(path.as_ref()).unwrap();
    }
    assert!(Plan::parse("s.toml", SWEEPS, Tokens(74), Tokens(124)).unwrap().sweeps.len() >= 4);
    assert!(parse_losses("t.toml", LOSSES).unwrap().len() >= 3);
    Rates::parse("r.toml", RATES).unwrap();
}

#[test]
fn a_wrong_book_is_refused_with_line_and_field() {
    for (old, new, field, reason) in [
        ("amount = \"3.00\"", "amount = \"-3.00\"", "price[0].amount", "negative"),
        ("amount = \"3.00\"", "amount = \"three\"", "price[0].amount", "no decimal number"),
        ("amount = \"3.00\"", "amount = 9e99", "price[0].amount", "no decimal number"),
        ("amount = \"3.00\"", "amount = \"2000000000000\"", "price[0].amount", "limit"),
        ("currency = \"USD\"", "currency = \"EUR\"", "currency", "convert"),
        ("currency = \"USD\"", "currency = \"KRW\"", "currency", "convert"),
        ("currency = \"USD\"", "currency = \"usd\"", "currency", "no known currency"),
        ("amount = \"3.00\"", "amount = nan", "price[0].amount", "no decimal number"),
        ("amount = \"3.00\"", "amount = 0x10", "price[0].amount", "in decimal"),
        ("amount = \"3.00\"", "amount = \"\"", "price[0].amount", "no decimal number"),
        ("currency = \"USD\"", "currency = \"ZZZ\"", "currency", "no known currency"),
        ("date = 2026-11-30", "date = \"2026-02-30\"", "date", "no date of the calendar"),
        ("date = 2026-11-30", "date = \"2026-1-3\"", "date", "no date of the calendar"),
        ("date = 2026-11-30", "date = true", "date", "must be a date"),
        ("hand = \"second\"", "hand = \"third\"", "price[0].hand", "first, second"),
        ("item = \"model.input\"", "item = \"model.tea\"", "price[0].item", "known are"),
        ("item = \"model.output\"", "item = \"model.input\"", "price[1].item", "already"),
        (
            "unit = \"million tokens\"",
            "unit = \"thousand tokens\"",
            "price[0].unit",
            "is priced per \"million tokens\"",
        ),
        ("region = \"global\"", "regoin = \"global\"", "price[0].regoin", "not known"),
    ] {
        let (error, line) = book_error(old, new);
        assert!(error.starts_with(&format!("b.toml:{line}: `{field}` ")), "{new}: {error}");
        assert!(error.contains(reason), "{new}: {error}");
    }
}

#[test]
fn a_missing_field_is_named_with_the_line_of_its_table() {
    for (gone, field) in [
        ("unit = \"million tokens\"\n", "price[0].unit"),
        ("source = ", "price[0].source"),
        ("region = \"global\"\n", "price[0].region"),
    ] {
        let at = BOOK.find(gone).unwrap();
        let end = at + BOOK[at..].find('\n').unwrap() + 1;
        let text = format!("{}{}", &BOOK[..at], &BOOK[end..]);
        let error = PriceBook::parse("b.toml", &text).unwrap_err().to_string();
        let line = 1 + BOOK[..BOOK.find("[[price]]").unwrap()].matches('\n').count();
        assert!(error.starts_with(&format!("b.toml:{line}: `{field}` is missing")), "{error}");
    }
}

#[test]
fn no_toml_is_said_with_its_line_and_field() {
    let error = PriceBook::parse("b.toml", "title = \"x\"\nmodel = \n").unwrap_err().to_string();
    assert!(error.starts_with("b.toml:2: `model` is no TOML"), "{error}");
    let error = PriceBook::parse("b.toml", "title = \"x\"\n!\n").unwrap_err().to_string();
    assert!(error.starts_with("b.toml:2: no TOML"), "{error}");
    // What the parser itself refuses has its field named all the same.
    for (old, new, below, field) in [
        ("date = 2026-11-30", "date = 2026-02-30", 0, "date"),
        ("amount = \"15.00\"", "amount = \"15.00\"\namount = \"16.00\"", 1, "price[1].amount"),
        ("amount = \"15.00\"", "amount = 1__5", 0, "price[1].amount"),
        ("amount = \"15.00\"", "amount = \"15.00", 0, "price[1].amount"),
    ] {
        let (error, line) = book_error(old, new);
        let line = line + below;
        assert!(error.starts_with(&format!("b.toml:{line}: `{field}` is no TOML")), "{error}");
    }
    let (text, line) = changed(SWEEPS, "value = 10", "value = 2026-02-30");
    let error = Plan::parse("s.toml", &text, Tokens(74), Tokens(124)).unwrap_err().to_string();
    let wanted = format!("s.toml:{line}: `scenario.attribute[1].value` is no TOML");
    assert!(error.starts_with(&wanted), "{error}");
}

#[test]
fn bytes_that_are_no_text_are_said_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.toml");
    std::fs::write(&path, b"title = \"x\"\nmodel = \"\xff\"\n").unwrap();
    let error = PriceBook::read(&path).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}:2: no UTF-8", path.display())), "{error}");
    let path = folder.path().join("v.json");
    std::fs::write(&path, b"{\n\n\"\xff\": 1}").unwrap();
    let error = Verdicts::default().read(&path).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}:3: no UTF-8", path.display())), "{error}");
}

#[test]
fn a_book_without_a_needed_price_names_it() {
    let text = BOOK.replace("model.output", "model.batch_outputs");
    assert!(PriceBook::parse("b.toml", &text).is_err());
    let at = BOOK.find("[[price]]").unwrap();
    let error = PriceBook::parse("b.toml", &format!("{}price = []\n", &BOOK[..at])).unwrap_err();
    assert!(error.to_string().contains("no entry for model.input"), "{error}");
}

#[test]
fn a_wrong_sweep_is_refused_with_line_and_field() {
    for (old, new, field) in [
        ("duplicates = \"0.03\"", "duplicates = \"1.03\"", "scenario.duplicates"),
        ("turns = 10", "turns = \"1.5\"", "scenario.turns"),
        ("billing = \"cache-5m\"", "billing = \"free\"", "scenario.billing"),
        ("transactional = false", "transactional = 1", "scenario.transactional"),
        ("parameter = \"turns\"", "parameter = \"turn\"", "sweep[0].x.parameter"),
        ("metric = \"article.ratio\"", "metric = \"ratio\"", "sweep[0].metric"),
        ("values = [5, 10, 15, 20]", "values = [5, 5, 15, 20]", "sweep[0].x.values"),
        ("name = \"ratio-article\"", "name = \"../x\"", "sweep[0].name"),
        ("name = \"ratio-full\"", "name = \"ratio-article\"", "sweep[1].name"),
        ("lost = [1, 2", "lost = [0, 2", "map.lost"),
        ("replicas = 1", "replicas = 0", "scenario.replicas"),
        ("calls = 1000000", "calls = 0", "scenario.calls"),
        ("values = [5, 10, 15, 20]", "values = [5, \"10.5\"]", "sweep[0].x.values"),
        ("\"0.04\", \"0.05\"]", "\"0.04\", \"1.05\"]", "sweep[0].y.values"),
    ] {
        let (text, line) = changed(SWEEPS, old, new);
        let error = Plan::parse("s.toml", &text, Tokens(74), Tokens(124)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("s.toml:{line}: `{field}` ")), "{new}: {error}");
    }
}

#[test]
fn a_sweep_of_one_parameter_twice_is_refused() {
    let old = "x = { parameter = \"turns\", values = [5, 10, 15, 20] }";
    let new = "x = { parameter = \"duplicates\", values = [0, 1] }";
    let (text, line) = changed(SWEEPS, old, new);
    let error = Plan::parse("s.toml", &text, Tokens(74), Tokens(124)).unwrap_err().to_string();
    assert!(error.starts_with(&format!("s.toml:{}: `sweep[0].y` ", line + 1)), "{error}");
}

#[test]
fn wrong_losses_and_rates_are_refused_with_line_and_field() {
    for (old, new, field) in [
        ("undo = [5, 13, 30]", "undo = [5, 30, 13]", "tool[0].undo"),
        ("reversible = [0.6, 0.8, 0.95]", "reversible = [0.6, 0.8, 1.5]", "tool[0].reversible"),
        ("lost = [10, 40, 200]", "lost = [10, 40]", "tool[0].lost"),
        ("name = \"send_email\"", "name = \"charge_card\"", "tool[1].name"),
        ("currency = \"USD\"", "currency = \"KRW\"", "currency"),
    ] {
        let (text, line) = changed(LOSSES, old, new);
        let error = parse_losses("t.toml", &text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("t.toml:{line}: `{field}` ")), "{new}: {error}");
    }
    for (old, new, field) in [
        ("situation = \"twin\"", "situation = \"triplet\"", "rate[5].situation"),
        ("situation = \"twin\"", "situation = \"resumed_run\"", "rate[5].situation"),
        ("k = 2", "k = 2000", "rate[2].k"),
        ("clusters = 693", "clusters = 0", "rate[2].clusters"),
        ("k = 2", "range = [0, 0, 0]\nk = 2", "rate[2].range"),
    ] {
        let (text, line) = changed(RATES, old, new);
        let error = Rates::parse("r.toml", &text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("r.toml:{line}: `{field}` ")), "{new}: {error}");
    }
    let text = RATES.replace("range = [0.005, 0.02, 0.1]", "range = [0.005, 0.02, 0.99]");
    let error = Rates::parse("r.toml", &text).unwrap_err().to_string();
    assert!(error.contains("add up to all calls"), "{error}");
}

#[test]
fn a_rate_has_the_fields_of_its_basis_alone() {
    let (text, line) =
        changed(RATES, "range = [0.005, 0.02, 0.05]", "range = [0.005, 0.02, 0.05]\nclusters = 9");
    let error = Rates::parse("r.toml", &text).unwrap_err().to_string();
    assert!(error.starts_with(&format!("r.toml:{}: `rate[0].clusters` ", line + 1)), "{error}");
}

#[test]
fn a_file_of_losses_has_a_tool() {
    let error = parse_losses("t.toml", "currency = \"USD\"\nhour = [1, 2, 3]\ntool = []\n");
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("t.toml:3: `tool` "), "{error}");
}

/// Counts of one strategy in one situation, with these figures.
fn counts(n: &str, same: &str, clusters: &str) -> String {
    format!(
        r#"{{"sources": ["x"], "situations": {{"situation-retry": {{"some": {{"by_class": {{"a": {{
        "n": {n}, "same": {same}, "different": 1, "conflict": 0, "suspect": 0, "refused": 0}}}},
        "clusters": {clusters}}}}}}}}}"#
    )
}

#[test]
fn counts_that_cannot_be_are_refused_with_file_and_place() {
    Verdicts::default().parse("v.json", &counts("3", "2", "2")).unwrap();
    for (n, same, clusters, reason) in [
        ("3", "3", "2", "do not add up to 3"),
        ("9", "2", "2", "do not add up to 9"),
        ("18446744073709551615", "18446744073709551615", "2", "do not add up"),
        ("3", "2", "0", "clusters"),
        ("3", "2", "4", "clusters"),
        ("4000000000000001", "4000000000000000", "4", "more than"),
    ] {
        let text = counts(n, same, clusters);
        let error = Verdicts::default().parse("v.json", &text).unwrap_err().to_string();
        assert!(error.starts_with("v.json: "), "{error}");
        assert!(error.contains("situation-retry") && error.contains("some"), "{error}");
        assert!(error.contains(reason), "{n} {same} {clusters}: {error}");
    }
}

#[test]
fn what_is_no_file_of_verdicts_is_told_by_what_it_lacks() {
    let error = Verdicts::default().parse("v.json", "{}").unwrap_err().to_string();
    assert!(error.contains("`situations`") && error.contains("`sets`"), "{error}");
    let error = Verdicts::default().parse("v.json", "{\"sets\": 3,\n\"inputs\": []}");
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("v.json:1: ") && error.contains("integer `3`"), "{error}");
}
