//! Pairs that look alike and are not the same: every one must survive in `safe` mode, alone and inside a long text.

use samecall_dedup::guard::Level;
use samecall_dedup::lexical::{Keep, Options, dedupe_with};

/// Kind of change, and two texts that both stay.
const SURVIVORS: &[(&str, &str, &str)] = &[
    ("comparison operator", "cpu < 5", "cpu > 5"),
    ("sign of a number", "-19", "19"),
    ("language name in marks", "C++", "C#"),
    ("vowel sign", "\u{915}\u{93F}", "\u{915}\u{940}"),
    ("vowel sign in a word", "दिन अच्छा है", "दीन अच्छा है"),
    ("charge and refund", "Charge the customer $19", "Refund the customer $19"),
    ("roles swapped", "Alice owes Bob $100", "Bob owes Alice $100"),
    ("version digits swapped", "v1.2.3", "v1.3.2"),
    ("approve and reject", "approve", "reject"),
    ("two emoji", "😀", "😡"),
    ("emoji in text", "Status of the build: ✅", "Status of the build: ❌"),
    ("skin tone", "👍🏻", "👍🏿"),
    ("flags", "🇫🇷 office", "🇩🇪 office"),
    ("joined emoji", "👨‍👩‍👧", "👨👩👧"),
    ("negation inserted", "The build may be deployed", "The build may not be deployed"),
    ("contraction", "You can share this file", "You can't share this file"),
    ("negation word", "It always works", "It never works"),
    ("with and without", "Ship with insurance", "Ship without insurance"),
    ("amount", "Pay $4645 to Erin", "Pay $4659 to Erin"),
    ("decimal point moved", "Dose 1.5 mg", "Dose 15 mg"),
    ("leading point", "Weight .5 kg", "Weight 5 kg"),
    ("grouping", "Limit 1,000 users", "Limit 1.000 users"),
    ("thousands lost", "Limit 10,000 users", "Limit 10, 000 users"),
    ("minus of a temperature", "Store at -5 °C", "Store at 5 °C"),
    ("unicode minus", "Change: −3", "Change: 3"),
    ("plus", "Adjust by +3", "Adjust by 3"),
    ("plus minus", "Tolerance ±3", "Tolerance 3"),
    ("currency sign", "Pay $100 now", "Pay €100 now"),
    ("currency code", "Pay 100 USD now", "Pay 100 EUR now"),
    ("percent", "Discount of 5%", "Discount of 5"),
    ("percent and per mille", "Salt 5%", "Salt 5‰"),
    ("unit", "Take 5 mg daily", "Take 5 g daily"),
    ("unit case", "Output 5 mW", "Output 5 MW"),
    ("bits and bytes", "Rate 10 Mb", "Rate 10 MB"),
    ("temperature scale", "Heat to 100 °C", "Heat to 100 °F"),
    ("feet and inches", "Length 6'", "Length 6\""),
    ("date", "Due October 15th", "Due October 16th"),
    ("iso date", "Due 2026-01-02", "Due 2026-02-01"),
    ("month", "Due in March", "Due in May"),
    ("weekday", "Meet on Monday", "Meet on Tuesday"),
    ("german date, not a marker", "5. Mai 2024 ist frei", "6. Mai 2024 ist frei"),
    ("am and pm", "Call at 9 am", "Call at 9 pm"),
    ("time zone", "Call at 9 UTC", "Call at 9 EST"),
    ("time", "Call at 10:30", "Call at 10:13"),
    ("number word", "Send three copies", "Send four copies"),
    ("scale word", "Revenue of 3 million", "Revenue of 3 billion"),
    ("ordinal", "The first offer wins", "The second offer wins"),
    ("fraction", "Add ½ cup", "Add ¼ cup"),
    ("superscript", "Area 10²", "Area 102"),
    ("subscript", "CO₂ level", "CO₃ level"),
    ("exponent sign", "Rate 10⁻³", "Rate 10³"),
    ("name", "Assign to Alice", "Assign to Carol"),
    ("lower-case name", "assign to alice", "assign to carol"),
    ("accent", "Der Preis schoner Häuser", "Der Preis schöner Häuser"),
    ("sharp s", "in Maßen trinken", "in Massen trinken"),
    ("all and some", "Delete all records", "Delete some records"),
    ("at least and at most", "Keep at least 5", "Keep at most 5"),
    ("before and after", "Pay before delivery", "Pay after delivery"),
    ("must and may", "Tenants must pay", "Tenants may pay"),
    ("and and or", "Sign A and B", "Sign A or B"),
    ("from and to", "Move it from London", "Move it to London"),
    ("increase and decrease", "Increase the limit", "Decrease the limit"),
    ("enable and disable", "Enable logging", "Disable logging"),
    ("past tense", "He bought the shares", "He sold the shares"),
    ("lock and unlock", "Lock the account", "Unlock the account"),
    ("left and right", "Operate on the left knee", "Operate on the right knee"),
    ("colour", "Cut the red wire", "Cut the blue wire"),
    ("hyper and hypo", "Signs of hypertension", "Signs of hypotension"),
    ("buyer and seller", "The buyer pays tax", "The seller pays tax"),
    ("he and she", "He signed", "She signed"),
    ("equality and assignment", "if (a == b)", "if (a = b)"),
    ("not equal", "if (a != b)", "if (a == b)"),
    ("arithmetic", "a + b", "a - b"),
    ("subtraction and two numbers", "5 - 3", "5 3"),
    ("less or equal", "n <= 5", "n < 5"),
    ("logical operators", "a && b", "a || b"),
    ("not operator", "return !done", "return done"),
    ("call and name", "run f(x)", "run f x"),
    ("accounting negative", "Result (100)", "Result 100"),
    ("brackets", "not (a or b)", "(not a) or b"),
    ("flag", "rm -r build", "rm -f build"),
    ("flag left out", "git push --force", "git push"),
    ("flag case", "grep -v x log", "grep -V x log"),
    ("snake case", "set max_users", "set max_user"),
    ("camel case", "call getUser", "call getuser"),
    ("acronym", "Report it to US", "Report it to us"),
    ("path", "open /etc/hosts", "open /etc/host"),
    ("path separator", "see a/b", "see a b"),
    ("dotfile", "edit .env", "edit env"),
    ("host", "ping api.example.com", "ping api.example.org"),
    ("url query", "GET https://x.io/a?b=1", "GET https://x.io/a?b=2"),
    ("email", "write to ann@example.com", "write to anne@example.com"),
    ("hash", "commit 3f2a9c1", "commit 3f2a9c7"),
    ("uuid", "id 550e8400-e29b-41d4-a716-446655440000", "id 550e8400-e29b-41d4-a716-446655440001"),
    ("ip address", "host 10.0.0.1", "host 10.0.1.0"),
    ("semver pre-release", "use 2.0.0-rc1", "use 2.0.0-rc2"),
    ("version and decimal", "release 1.10", "release 1.1"),
    ("leading zero", "zip 02134", "zip 2134"),
    ("hexadecimal", "mask 0x0F", "mask 0xF0"),
    ("grade", "Grade A-", "Grade A+"),
    ("blood type", "Donor O+", "Donor O-"),
    ("vitamin", "Take vitamin A daily", "Take vitamin daily"),
    ("a few", "Take a few pills", "Take few pills"),
    ("variable", "Set x to 1", "Set y to 1"),
    ("question", "You approved it?", "You approved it."),
    ("strike-through", "The price is ~~19~~", "The price is 19"),
    ("hyphen", "re-sign the contract", "resign the contract"),
    ("possessive", "the user's files", "the users' files"),
    ("plural", "Delete the backup", "Delete the backups"),
    ("ordinary noun", "Ship the chair to Bob", "Ship the table to Bob"),
    ("order of nouns", "the cat bites the dog", "the dog bites the cat"),
    ("cjk negation", "我同意这个合同", "我不同意这个合同"),
    ("cjk number", "支付三百元", "支付五百元"),
    ("japanese voicing", "かき", "かぎ"),
    ("arabic vowel mark", "كَتَبَ", "كُتِبَ"),
    ("thai tone", "ใกล้ตลาด", "ไกลตลาด"),
    ("hebrew point", "שׁם", "שׂם"),
    ("musical", "♭ key", "♯ key"),
    ("arrow", "a → b", "a ← b"),
    ("ratio", "Mix 1:2", "Mix 2:1"),
    ("range", "Pages 5-10", "Pages 5, 10"),
    ("roman numeral", "Type I diabetes", "Type II diabetes"),
    ("reference inside", "as shown in [3]", "as shown in [4]"),
    ("ticket", "Close JIRA-123", "Close JIRA-124"),
    ("hashtag and name", "#include", "include"),
    ("only punctuation", "...", "—"),
];

/// Ways to write a text that say the same.
const REPEATS: &[(&str, &str, &str)] = &[
    ("identical", "Pay Bob $19.", "Pay Bob $19."),
    ("white space", "Pay  Bob\n$19.", "Pay Bob $19."),
    ("lower case", "pay bob $19.", "Pay Bob $19."),
    ("capitals", "PAY BOB $19.", "Pay Bob $19."),
    ("sentence dash", "Pay Bob $19 - Then stop.", "Pay Bob $19. Then stop."),
    ("citation", "[9] Pay Bob $19.", "Pay Bob $19."),
    ("two citations", "[9] Pay Bob $19.", "[12] Pay Bob $19."),
    ("list number", "3. Pay Bob $19.", "Pay Bob $19."),
    ("list bracket", "3) Pay Bob $19.", "Pay Bob $19."),
    ("bullet", "- Pay Bob $19.", "Pay Bob $19."),
    ("star bullet", "* Pay Bob $19.", "Pay Bob $19."),
    ("end marks", "Pay Bob $19.!", "Pay Bob $19"),
    ("semicolon", "Pay Bob; then stop", "Pay Bob, then stop"),
    ("quotes", "“Pay Bob”, she said", "\"Pay Bob\" she said"),
    ("soft hyphen", "Pay Bob for the docu\u{AD}ments", "Pay Bob for the documents"),
    ("zero width", "Pay\u{200B} Bob", "Pay Bob"),
    ("byte order mark", "\u{FEFF}Pay Bob", "Pay Bob"),
    ("full width", "Ｐａｙ　Ｂｏｂ　１９", "Pay Bob 19"),
    ("composed", "cafe\u{301} bill", "café bill"),
    ("curly apostrophe", "don’t pay", "don't pay"),
    ("variation selector", "❤\u{FE0F} it", "❤ it"),
    ("cjk punctuation", "我同意。好", "我同意，好"),
    ("no-break space", "19\u{A0}kg of salt", "19 kg of salt"),
    ("empty", "", ""),
    ("blank", " ", "\n"),
    ("dots", "...", " ... "),
];

fn kept(a: &str, b: &str, options: &Options) -> usize {
    dedupe_with(&[a, b], options).unwrap().kept.len()
}

/// A text of some 500 characters with `middle` inside.
fn inside(middle: &str) -> String {
    let before = "The weekly summary of the operations group lists what the agents did and which steps wait for a person. ";
    let after = " Nothing else changed since the report of the week before, and the open points are listed below in order of age. \
                 The group meets again when the figures of the quarter are known, and until then each team reports by message.";
    format!("{before}Note that {middle} is what the record says.{after}")
}

#[test]
fn every_survivor_survives_alone_and_inside_a_text() {
    assert!(SURVIVORS.len() >= 70, "{}", SURVIVORS.len());
    let mut lost = Vec::new();
    for level in [Level::Strict, Level::Facts] {
        for keep in [Keep::First, Keep::Longest] {
            let options = Options { level, keep, ..Options::default() };
            for (kind, a, b) in SURVIVORS {
                if kept(a, b, &options) != 2 || kept(b, a, &options) != 2 {
                    lost.push(format!("{kind} ({level:?}, {keep:?}): {a:?} and {b:?}"));
                }
                // At `facts` an ordinary lower-case word inside a long text is what the level lets differ.
                if level == Level::Strict
                    || !["ordinary noun", "plural", "lower-case name"].contains(kind)
                {
                    let (long_a, long_b) = (inside(a), inside(b));
                    if *kind != "only punctuation" && kept(&long_a, &long_b, &options) != 2 {
                        lost.push(format!("{kind} ({level:?}, {keep:?}), inside: {a:?} and {b:?}"));
                    }
                }
            }
        }
    }
    assert!(lost.is_empty(), "{} lost:\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn a_negation_in_two_thousand_words_survives() {
    let words: Vec<String> = (0..2000)
        .map(|i| format!("word{}", ["a", "b", "c", "d", "e", "f", "g"][i % 7].repeat(1 + i % 5)))
        .collect();
    let plain = words.join(" ");
    let mut negated = words;
    negated.insert(1000, "not".into());
    let negated = negated.join(" ");
    for level in [Level::Strict, Level::Facts] {
        assert_eq!(
            kept(&plain, &negated, &Options { level, ..Options::default() }),
            2,
            "{level:?}"
        );
    }
    assert_eq!(
        kept(&plain, &negated, &Options { level: Level::Off, ..Options::default() }),
        1,
        "the guard is what keeps it"
    );
}

#[test]
fn every_repeat_goes() {
    for level in [Level::Strict, Level::Facts, Level::Off] {
        let options = Options { level, ..Options::default() };
        for (kind, a, b) in REPEATS {
            assert_eq!(kept(a, b, &options), 1, "{kind} ({level:?}): {a:?} and {b:?}");
        }
    }
}

#[test]
fn near_repeats_go_by_level() {
    let (a, b) = (inside("the server answers a request"), inside("the server answers the request"));
    assert_eq!(kept(&a, &b, &Options::default()), 1, "an article is noise");
    let exact = Options { min_overlap: Some(1.0), ..Options::default() };
    assert_eq!(kept(&a, &b, &exact), 2, "at 1.0 only equal normal forms go");
    let (a, b) = (inside("the server answers nicely"), inside("the server answers neatly"));
    assert_eq!(kept(&a, &b, &Options::default()), 2, "a word is a fact");
    assert_eq!(
        kept(&a, &b, &Options { level: Level::Facts, ..Options::default() }),
        1,
        "an ordinary word may differ"
    );
}
