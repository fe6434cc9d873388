//! A wrong file is refused with its name, the line and the field.

use samecall_cost::Tokens;
use samecall_cost::book::PriceBook;
use samecall_cost::losses::parse_losses;
use samecall_cost::rates::Rates;
use samecall_cost::sweep::Plan;

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
fn no_toml_is_said_with_its_line() {
    let error = PriceBook::parse("b.toml", "title = \"x\"\nmodel = \n").unwrap_err().to_string();
    assert!(error.starts_with("b.toml:2: no TOML"), "{error}");
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
    ] {
        let (text, line) = changed(SWEEPS, old, new);
        let error = Plan::parse("s.toml", &text, Tokens(74), Tokens(124)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("s.toml:{line}: `{field}` ")), "{new}: {error}");
    }
}

#[test]
fn wrong_losses_and_rates_are_refused_with_line_and_field() {
    for (old, new, field) in [
        ("undo = [5, 13, 30]", "undo = [5, 30, 13]", "tool[0].undo"),
        ("reversible = [0.6, 0.8, 0.95]", "reversible = [0.6, 0.8, 1.5]", "tool[0].reversible"),
        ("lost = [10, 40, 200]", "lost = [10, 40]", "tool[0].lost"),
        ("name = \"send_email\"", "name = \"charge_card\"", "tool[1].name"),
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
    ] {
        let (text, line) = changed(RATES, old, new);
        let error = Rates::parse("r.toml", &text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("r.toml:{line}: `{field}` ")), "{new}: {error}");
    }
    let text = RATES.replace("range = [0.005, 0.02, 0.1]", "range = [0.005, 0.02, 0.99]");
    let error = Rates::parse("r.toml", &text).unwrap_err().to_string();
    assert!(error.contains("add up to all calls"), "{error}");
}
