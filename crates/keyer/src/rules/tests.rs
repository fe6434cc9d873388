//! Rules one by one, and the article's list as a whole.

use std::borrow::Cow;

use super::*;

fn text(text: &str) -> Scalar<'_> {
    Scalar::Text(Cow::Borrowed(text.as_bytes()))
}

fn integer(digits: &str) -> Scalar<'_> {
    Scalar::Integer(Cow::Borrowed(digits))
}

fn normalised(mut value: Scalar<'_>) -> Scalar<'_> {
    assert!(Normaliser::article(Letters::EitherCase).apply(&mut value, Place::Item).unwrap());
    value
}

#[test]
fn names_are_unique_and_found() {
    for &rule in Rule::ALL {
        assert_eq!(Rule::by_name(rule.name()), Some(rule));
    }
}

#[test]
fn a_list_loses_the_rule_that_is_dropped_and_no_other() {
    let article = Normaliser::article(Letters::EitherCase);
    for rule in &article.rules {
        let left = article.without(*rule).rules;
        assert_eq!(left.len() + 1, article.rules.len());
        assert!(!left.contains(rule));
        assert!(left.iter().all(|rule| article.rules.contains(rule)));
    }
    assert_eq!(article.without(Rule::Timestamp(Letters::CapitalOnly)), article, "not in the list");
}

#[test]
fn the_article_list_on_texts() {
    for (from, to) in [
        ("  Straße \t 5 ", "strasse 5"),
        ("2026-08-11t09:00:00.000z", "2026-08-11T09:00:00Z"),
        ("2026-08-11T09:00:00.5+05:30", "2026-08-11T09:00:00+05:30"),
        ("9999-99-99T99:99:99-99:99", "9999-99-99T99:99:99-99:99"),
        ("٢٠٢٦-08-11t09:00:00z", "٢٠٢٦-08-11T09:00:00Z"),
        ("2026-08-11T09:00:00", "2026-08-11t09:00:00"),
        ("2026-08-11T09:00:00.Z", "2026-08-11t09:00:00.z"),
        ("2026-08-11T09:00:00Zz", "2026-08-11t09:00:00zz"),
        ("1e5", "1e5"),
        ("+5", "+5"),
    ] {
        assert_eq!(normalised(text(from)), text(to), "{from}");
    }
    for (from, to) in [("0042", "42"), ("-0", "0"), ("4200.00", "4200"), (" ٣ ", "3")] {
        assert_eq!(normalised(text(from)), integer(to), "{from}");
    }
    assert_eq!(normalised(text("1.10")), Scalar::Float(1.1));
}

#[test]
fn the_article_list_on_numbers() {
    assert_eq!(normalised(Scalar::Float(1e16)), integer("10000000000000000"));
    assert_eq!(normalised(Scalar::Float(-0.0)), integer("0"));
    assert_eq!(normalised(Scalar::Float(f64::INFINITY)), Scalar::Float(f64::INFINITY));
    assert_eq!(normalised(Scalar::Float(0.5)), Scalar::Float(0.5));
    assert_eq!(normalised(Scalar::Null), Scalar::Null, "an item stays");
}

#[test]
fn integers_raise_beyond_the_doubles_and_texts_beyond_the_digit_limit() {
    let list = Normaliser::article(Letters::EitherCase);
    let code = |mut value: Scalar<'_>| {
        list.apply(&mut value, Place::Item).err().map(|refusal| refusal.code().to_owned())
    };
    let nines = |count| "9".repeat(count);
    assert_eq!(code(integer(&nines(308))), None);
    assert_eq!(code(integer(&nines(309))).as_deref(), Some("OverflowError"));
    // 2^1024 - 2^970 is the first integer that rounds beyond the doubles.
    let limit = concat!(
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977",
        "587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845",
        "817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559",
        "699508093042880177904174497792"
    );
    let below = format!("{}1", &limit[..limit.len() - 1]);
    assert_eq!(code(integer(limit)).as_deref(), Some("OverflowError"));
    assert_eq!(code(integer(&below)), None);
    assert_eq!(code(text(&nines(400))), None, "a text of digits is never tried as a double");
    assert_eq!(code(text(&nines(4301))).as_deref(), Some("ValueError"));
}

#[test]
fn null_members_go_and_only_they() {
    let list = Normaliser::article(Letters::EitherCase);
    assert_eq!(list.apply(&mut Scalar::Null, Place::Member), Ok(false));
    assert_eq!(
        list.without(Rule::DropNullMember).apply(&mut Scalar::Null, Place::Member),
        Ok(true)
    );
}

#[test]
fn capital_t_is_folded_instead() {
    let list = Normaliser::article(Letters::CapitalOnly);
    let mut value = text("2026-08-11t09:00:00Z");
    list.apply(&mut value, Place::Member).unwrap();
    assert_eq!(value, text("2026-08-11t09:00:00z"));
}

#[test]
fn a_trace_names_the_rules_that_changed_something() {
    let list = Normaliser::article(Letters::EitherCase);
    let mut fired = Vec::new();
    let mut value = text(" 7.50 ");
    list.apply_traced(&mut value, Place::Member, |rule| fired.push(rule.name())).unwrap();
    assert_eq!((value, fired), (Scalar::Float(7.5), vec!["strip", "decimal-text"]));
}

#[test]
fn scalars_are_equal_where_they_would_be_written_alike() {
    let scalars = || {
        let doubles = [0.0, -0.0, 1.0, f64::NAN, f64::INFINITY].map(Scalar::Float);
        let others =
            [Scalar::Null, Scalar::Bool(true), Scalar::Bool(false), integer("1"), text("1")];
        doubles.into_iter().chain(others).chain([integer("2"), text("2")])
    };
    for (i, a) in scalars().enumerate() {
        for (j, b) in scalars().enumerate() {
            assert_eq!(a == b, i == j, "{a:?} and {b:?}");
        }
        // So a rule fires where it changes something, and nowhere else.
        let mut fired = Vec::new();
        let list = Normaliser { rules: vec![Rule::Nfc, Rule::CaseFold, Rule::DecimalText] };
        list.apply_traced(&mut a.clone(), Place::Item, |rule| fired.push(rule)).unwrap();
        assert_eq!(fired, [], "{a:?}");
    }
}
