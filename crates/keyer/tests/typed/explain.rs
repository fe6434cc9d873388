//! What the keyer says of a key: its form, its payload, the rules that fired, and what a smaller set of rules leaves.

use samecall_keyer::typed::{TypedProse, canonical};
use samecall_keyer::{Refusal, by_name};

use super::*;

/// The form and the rules, as `explain` of a keyer tells them.
fn told(keyer: &dyn Keyer, call: &Call, tool: &Tool) -> (String, Vec<String>) {
    let explained = keyer.explain(call, Some(tool)).unwrap().unwrap();
    let fired = explained.fired.iter();
    (
        explained.form,
        fired.map(|fired| format!("{} {}", fired.path.join("."), fired.rule)).collect(),
    )
}

#[test]
fn explanations_name_rules_and_places() {
    let tool = tool(
        r#"{"type":"object","properties":{"at":{"format":"date-time"},"n":{"type":"integer","default":1},
            "tags":{"x-identity":"set"},"note":{"x-identity":"payload"}}}"#,
    );
    let call =
        Call::new("t", r#"{"At":"2026-08-11t11:00:00+02:00","tags":["b","a","b"],"note":"hi"}"#);
    let canonical = canonical(&call, Some(&tool), RuleSet::ALL).unwrap();
    assert_eq!(
        canonical.form,
        r#"t {"at": instant("2026-08-11T09:00:00Z"), "n": 1, "tags": set["a", "b"]}"#
    );
    assert_eq!(canonical.payload_form, r#"note: "hi""#);
    let fired: Vec<String> = canonical
        .fired
        .iter()
        .map(|fired| format!("{} {}", fired.path.join("."), fired.rule))
        .collect();
    for expected in [
        "at fuzzy-name",
        "at instant-form",
        "at instant-offset",
        "n default-inserted",
        "tags set-order",
        "tags set-repeat",
        "note payload-apart",
    ] {
        assert!(fired.iter().any(|fired| fired == expected), "{expected} is not in {fired:?}");
    }
    assert_eq!(canonical.leaves[0].kind, "instant");
}

#[test]
fn each_keyer_explains_its_own_key() {
    let tool = tool(
        r#"{"type":"object","properties":{"n":{"type":"integer"},"note":{"x-identity":"payload"},
            "tz":{"type":"string","description":"Time zone. Defaults to UTC."}}}"#,
    );
    let call = Call::new("t", r#"{"n":"7","note":"hi"}"#).at("r", "1");
    let without_note = Call::new("t", r#"{"n":7}"#).at("r", "1");
    let payload = "\npayload note: \"hi\"";
    let fired = ["n number-text", "note payload-apart"].map(str::to_owned);

    let (form, rules) = told(&Typed::default(), &call, &tool);
    assert_eq!((form, &rules[..]), (format!("t {{\"n\": 7}}{payload}"), &fired[..]));
    let (form, rules) = told(&Typed::default(), &without_note, &tool);
    assert_eq!((form.as_str(), rules.len()), (r#"t {"n": 7}"#, 0));

    let (form, rules) = told(&TypedProse::default(), &call, &tool);
    assert_eq!(form, format!("t {{\"n\": 7, \"tz\": \"UTC\"}}{payload}"));
    assert!(rules.contains(&"tz prose-default".to_owned()), "{rules:?}");

    let keyer = TypedScoped::default();
    let (form, rules) = told(&keyer, &call, &tool);
    let Outcome::Key(keyed) = keyer.key(&call, Some(&tool)) else { panic!("a call with a key") };
    let slot = keyed.parts.unwrap().slot;
    assert_eq!((form, &rules[..]), (format!("slot {slot}\nt {{\"n\": 7}}{payload}"), &fired[..]));
    let nowhere = Call::new("t", "{}");
    let refusal = keyer.explain(&nowhere, Some(&tool)).unwrap().unwrap_err();
    assert_eq!(Some(&refusal), keyer.key(&nowhere, Some(&tool)).refusal());
    assert_eq!(refusal.code(), "missing_scope");
    assert!(refusal.detail().contains("`run_id`"), "{refusal}");
}

#[test]
fn a_keyer_under_a_profile_explains_by_the_profiles_rules() {
    let tool = tool_of_x(r#"{"type":"integer"}"#);
    let call = Call::new("t", r#"{"x":"7"}"#);
    for (name, form) in
        [("typed@pydantic-lax", r#"t {"x": 7}"#), ("typed@strict", r#"t {"x": "7"}"#)]
    {
        assert_eq!(told(&*by_name(name).unwrap(), &call, &tool).0, form, "{name}");
    }
}

#[test]
fn a_business_key_is_explained_by_its_fields() {
    let tool = tool(
        r#"{"type":"object","x-idempotency":{"scope":"run","fields":["order","region"]},
            "properties":{"order":{"type":"integer"},"region":{},"note":{"x-identity":"payload"}}}"#,
    );
    let call = Call::new("t", r#"{"region":"eu","order":"7","note":"hi"}"#).at("r", "1");
    let (form, _) = told(&Typed::default(), &call, &tool);
    assert_eq!(
        form,
        "t {\"order\": 7, \"region\": \"eu\"} by order, region\npayload all other fields"
    );
    let lacking = Call::new("t", r#"{"order":7}"#).at("r", "1");
    let refusal = Typed::default().key(&lacking, Some(&tool)).refusal().cloned();
    assert_eq!(
        refusal,
        Some(Refusal::new("missing_business_field", "`region` makes the key and is absent"))
    );
}

#[test]
fn an_alias_of_the_tool_is_told_where_it_was_used() {
    let tool = overlaid(r#"{"type":"object"}"#, "[t]\n\"\" = { aliases = [\"mcp__t\"] }\n");
    for (name, form, fired) in
        [("t", "t {}", vec![]), ("mcp__t", "t {}", vec![" tool-alias"]), ("u", "u {}", vec![])]
    {
        let (told_form, told_fired) = told(&Typed::default(), &Call::new(name, "{}"), &tool);
        assert_eq!(
            (told_form.as_str(), told_fired),
            (form, fired.into_iter().map(str::to_owned).collect())
        );
    }
    // Without the rule the name stands as it was called.
    let keyer = Typed::with_rules(RuleSet::ALL.without(TypedRule::ToolAlias));
    assert_eq!(told(&keyer, &Call::new("mcp__t", "{}"), &tool).0, "mcp__t {}");
}

#[test]
fn each_keyer_has_the_rules_that_it_is_given() {
    let tool = tool_of_x(r#"{"type":"integer"}"#);
    let [number, text] =
        [r#"{"x":7}"#, r#"{"x":"7"}"#].map(|text| Call::new("t", text).at("r", "1"));
    let fewer = RuleSet::ALL.without(TypedRule::NumberText);
    let keyers: [(Box<dyn Keyer>, Box<dyn Keyer>); 3] = [
        (Box::new(Typed::default()), Box::new(Typed::with_rules(fewer))),
        (Box::new(TypedProse::default()), Box::new(TypedProse::with_rules(fewer))),
        (Box::new(TypedScoped::default()), Box::new(TypedScoped::with_rules(fewer))),
    ];
    for (all, fewer) in &keyers {
        let same = |keyer: &dyn Keyer| {
            verdict(&keyer.key(&number, Some(&tool)), &keyer.key(&text, Some(&tool)))
        };
        assert_eq!(same(&**all), Verdict::Same, "{}", all.name());
        assert_eq!(same(&**fewer), Verdict::Different, "{}", all.name());
        assert_eq!(
            all.key(&number, Some(&tool)),
            fewer.key(&number, Some(&tool)),
            "{}",
            all.name()
        );
    }
}

#[test]
fn payload_is_explained_with_the_way_to_it() {
    let tool = tool(
        r#"{"type":"object","properties":{
            "xs":{"type":"array","items":{"x-identity":"payload"}},
            "ys":{"type":"array","items":{"type":"object","properties":{"id":{},"note":{"x-identity":"payload"}}}}}}"#,
    );
    let call = Call::new("t", r#"{"xs":["a",1],"ys":[{"id":1},{"id":2,"note":{"b":[true]}}]}"#);
    assert_eq!(
        told(&Typed::default(), &call, &tool).0,
        "t {\"xs\": [payload(), payload()], \"ys\": [{\"id\": 1}, {\"id\": 2}]}\n\
         payload xs.0: \"a\", xs.1: 1, ys.1.note: {\"b\": [true]}"
    );
}
