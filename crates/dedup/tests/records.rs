//! Input and output: what is kept is unchanged, and what cannot be read is named by its line.

use samecall_dedup::Error;
use samecall_dedup::command::{Outputs, Request, Summary, lexical, lexical_stream};
use samecall_dedup::lexical::{Decision, Mode, Options, Stream, TokenCounter};
use samecall_dedup::records::{Fields, Format};

fn run(input: &[u8], request: &Request) -> Result<(String, String, Summary), Error> {
    let (mut kept, mut map) = (Vec::new(), Vec::new());
    let outputs = Outputs { kept: Some(&mut kept), map: Some(&mut map), report: None };
    let summary = lexical(input, "chunks", request, outputs)?;
    Ok((String::from_utf8(kept).unwrap(), String::from_utf8(map).unwrap(), summary))
}

#[test]
fn json_lines_are_kept_as_they_stand() {
    let input = "{\"text\": \"Pay  Bob $19\", \"x\": [1, {\"text\": 2}]}\n\n{\"id\":\"b\",\"text\":\"pay bob \\u002419\"}\r\n{\"text\":\"Pay Bob $20\"}";
    let (kept, map, _) = run(input.as_bytes(), &Request::default()).unwrap();
    assert_eq!(
        kept,
        "{\"text\": \"Pay  Bob $19\", \"x\": [1, {\"text\": 2}]}\n{\"text\":\"Pay Bob $20\"}"
    );
    assert_eq!(map, "{\"removed\": \"b\", \"kept\": 0, \"score\": 1, \"rule\": \"normal-form\"}\n");
}

#[test]
fn plain_text_is_divided_by_blank_lines_or_a_separator() {
    let (kept, map, _) =
        run(b"Pay Bob.\nNow.\n\npay bob. now\n\n\nPay Eve.\n", &Request::default()).unwrap();
    assert_eq!(kept, "Pay Bob.\nNow.\n\nPay Eve.\n");
    assert!(map.starts_with("{\"removed\": 1, \"kept\": 0,"), "{map}");
    let request = Request { format: Some(Format::Separated("---".into())), ..Request::default() };
    assert_eq!(run(b"go on---Go On---c", &request).unwrap().0, "go on---c");
}

#[test]
fn bad_input_is_named_by_line_and_never_quoted() {
    let good = b"{\"text\":\"secret words\"}\n".to_vec();
    for (bad, says) in [
        (&b"{\"text\":null}"[..], "field `text` is null"),
        (b"{\"test\":\"secret\"}", "field `text` is missing"),
        (b"{\"text\":5}", "field `text` is a number"),
        (b"{\"text\":[\"secret\"]}", "field `text` is an array"),
        (b"{\"text\":\"a\",\"text\":\"b\"}", "stands twice"),
        (b"{\"text\":\"\xFF\"}", "invalid UTF-8 at byte 10"),
        (b"[\"secret\"]", "invalid type"),
        (b"{\"text\":\"secret", "column"),
        (b"{\"text\":\"a\"} {", "trailing"),
        (b"{\"text\":\"\\ud800\"}", "column"),
    ] {
        let input = [good.clone(), bad.to_vec()].concat();
        let error = run(&input, &Request::default()).unwrap_err().to_string();
        assert!(
            error.starts_with("chunks:2: ") && error.contains(says) && !error.contains("secret"),
            "{error}"
        );
        let (kept, _, summary) =
            run(&input, &Request { skip_bad: true, ..Request::default() }).unwrap();
        assert_eq!((kept.as_bytes(), summary.bad_lines), (&good[..], 1));
    }
    let error = run(b"fine\n\nnot \xFF fine", &Request::default()).unwrap_err().to_string();
    assert!(error.starts_with("chunks:3: invalid UTF-8"), "{error}");
}

#[test]
fn nothing_and_one_item_are_clear_results() {
    let (kept, map, summary) = run(b"", &Request::default()).unwrap();
    assert_eq!((kept.as_str(), map.as_str(), summary.run.report.input.items), ("", "", 0));
    assert_eq!(
        run(b"{\"text\":\"\\u0000\"}\n", &Request::default()).unwrap().0,
        "{\"text\":\"\\u0000\"}\n"
    );
}

#[test]
fn the_report_counts_tokens_and_shows_both_modes() {
    let options = Options {
        tokens: Some(TokenCounter::new("words", |text| text.split(' ').count())),
        ..Options::default()
    };
    let fields = Fields { truth: Some("group".into()), ..Fields::default() };
    let request = Request { options, fields, compare: true, ..Request::default() };
    let input = "{\"text\":\"cpu < 5\",\"group\":1}\n{\"text\":\"cpu > 5\",\"group\":2}\n{\"text\":\"CPU < 5\",\"group\":1}\n";
    let (_, _, summary) = run(input.as_bytes(), &request).unwrap();
    let beside = summary.beside.as_ref().unwrap();
    assert_eq!((summary.run.report.removed.tokens, beside.report.mode), (Some(3), Mode::Arcaeon));
    assert_eq!(summary.run.quality.unwrap().groups_lost, 0);
    assert_eq!(beside.quality.unwrap().groups_lost, 1);
    assert!(summary.table().contains("arcaeon"));
}

#[test]
fn options_out_of_range_are_errors() {
    for (options, says) in [
        (Options { min_overlap: Some(1.5), ..Options::default() }, "min_overlap"),
        (Options { min_overlap: Some(f64::NAN), ..Options::default() }, "min_overlap"),
        (Options { max_candidates: 0, ..Options::default() }, "max_candidates"),
        (Options { max_hamming: 65, ..Options::default() }, "max_hamming"),
        (Options { k: 0, ..Options::default() }, "`k`"),
        (Options { mode: Mode::Arcaeon, order_stable: true, ..Options::default() }, "order_stable"),
    ] {
        assert!(options.check().unwrap_err().to_string().contains(says), "{says}");
    }
}

#[test]
fn a_stream_stays_within_its_budget_and_says_what_it_forgot() {
    let mut stream = Stream::new(Options::default(), 20_000).unwrap();
    for i in 0..1000 {
        assert_eq!(stream.push(&format!("message {i} of the history")), Decision::Kept);
        assert!(stream.remembered_bytes() <= 20_000);
    }
    assert!(stream.forgotten() > 500);
    assert!(matches!(
        stream.push("Message 999 of the history."),
        Decision::Removed { kept: 999, .. }
    ));
    assert_eq!(stream.push("Message 0 of the history."), Decision::Kept);
    let input = "{\"text\":\"a b\"}\n{\"text\":\"A  b\"}\n{\"text\":\"c\"}\n";
    let (mut kept, mut map) = (Vec::new(), Vec::new());
    let outputs = Outputs { kept: Some(&mut kept), map: Some(&mut map), report: None };
    lexical_stream(input.as_bytes(), "chunks", &Request::default(), 1000, outputs).unwrap();
    assert_eq!(kept, b"{\"text\":\"a b\"}\n{\"text\":\"c\"}\n");
    assert_eq!(map, b"{\"removed\": 1, \"kept\": 0, \"score\": 1, \"rule\": \"normal-form\"}\n");
}
