//! The texts that values are drawn from: invented, in many scripts, some of them known to break keyers.

/// Prose said in two ways each, with the same meaning to any reader.
pub(crate) const REWORDED: [[&str; 2]; 20] = [
    ["Printer jams on tray 2", "Tray 2 keeps jamming the printer"],
    ["The export has been stuck since noon", "Since noon the export hangs"],
    ["Please call the customer back today", "Give the customer a call today, please"],
    ["Your order has shipped", "Your order is on its way"],
    ["Customer asked for a refund", "A refund was requested by the customer"],
    ["Login fails with error 500", "Error 500 shows up at login"],
    ["Meeting moved to room 4", "The meeting now takes place in room 4"],
    ["Backup finished without errors", "No errors in the backup, it is done"],
    ["The invoice is overdue by 10 days", "Payment of the invoice is 10 days late"],
    ["Door on floor 3 does not lock", "On floor 3 the door will not lock"],
    ["Welcome to the team", "Glad to have you on the team"],
    ["Reset the password of this account", "This account needs a password reset"],
    ["Water is leaking in the cellar", "There is a leak of water in the cellar"],
    ["Battery lasts 2 hours only", "After only 2 hours the battery is empty"],
    ["We could not deliver your parcel", "Delivery of your parcel failed"],
    ["Server room is too warm", "It is too hot in the server room"],
    ["Add the new hire to the mailing list", "Put the new hire on the mailing list"],
    ["The test passes on my machine", "On my machine the test goes through"],
    ["Screen flickers after the update", "Since the update the screen flickers"],
    ["Thanks for your patience", "Thank you for being patient"],
];

/// Prose in many scripts, with quotes, dashes, composed letters and numbers.
pub(crate) const PROSE: [&str; 28] = [
    "Nightly report for July 2031",
    "Don't restart the \"blue\" cluster - it's fine",
    "Café résumé: naïve façade, 3 pages",
    "Größe und Maße der Straße prüfen",
    "Überweisung an Müller & Söhne, 2 Raten",
    "Отчёт за июль готов, 14 страниц",
    "Η αναφορά είναι έτοιμη",
    "会议改到下午三点",
    "レポートを送ってください",
    "התחזית לשבוע הבא",
    "تقرير المبيعات جاهز",
    "รายงานประจำวัน",
    "Turn the pump on before 9 o'clock",
    "Turn off tray 2 at the front desk",
    "Ship 12 boxes to gate B - not gate D",
    "Ελλάδα 2 - Ισπανία 1",
    "İstanbul ve Iğdır için plan",
    "Señor Muñoz llega mañana a las 10",
    "Tiếng Việt có dấu đầy đủ",
    "Emoji test: 😀 👩‍👩‍👧 done",
    "a/b testing of path c:\\temp",
    "Line one\nLine two",
    "Price is 5 < 6 & 7 > 6",
    "Weiß wählt Schluß",
    "x",
    "0",
    "null",
    "Ångström units - 1 Å",
];

pub(crate) const TOKENS: [&str; 22] = [
    "USD",
    "EUR",
    "gbp",
    "us-east-1",
    "eu-west-2",
    "Clinic-A",
    "Billing",
    "Hardware",
    "blue",
    "Straße",
    "red",
    "XL",
    "api.example.com",
    "Ubuntu-24.04",
    "en",
    "de-CH",
    "k8s-prod",
    "DESK",
    "Größe",
    "queue_7",
    "ΣΟΦΙΑ",
    "1.10",
];

pub(crate) const NAMES: [&str; 20] = [
    "Strauß",
    "Strauss",
    "Null",
    "None",
    "O'Brien",
    "Müller",
    "José",
    "Muñoz",
    "Zoë",
    "van der Berg",
    "Dış",
    "İnce",
    "Ψαρρός",
    "Смирнова",
    "李雷",
    "Ana",
    "Smith-Jones",
    " Lee",
    "true",
    "Ångström",
];

pub(crate) const PATHS: [&str; 16] = [
    "/srv/Readme.md",
    "src/main.rs",
    "src/Main.rs",
    "./notes/Über.txt",
    "C:\\Temp\\Log.txt",
    "/var/log/app-2031.log",
    "reports/Q1 2031.csv",
    "Makefile",
    "docs/café.md",
    "/home/kim/.ssh/Config",
    "data/0001.bin",
    "lib/utils.py",
    "a  b.txt",
    "tests/İ.txt",
    "it's.txt",
    "release-1.10/notes",
];

pub(crate) const VERSIONS: [&str; 14] = [
    "1.10", "1.1", "2.0", "2", "3.10", "3.9", "1.20.0", "0.10", "10.0", "v1.10", "24.04", "1.0",
    "5.100", "2031.1",
];

pub(crate) const IDS: [&str; 20] = [
    "00412",
    "000042",
    "007",
    "0",
    "01234",
    "9007199254740993",
    "1234567890123456789",
    "aB9xQ2",
    "dQw4w9WgXcQ",
    "dGVzdA==",
    "12e4567",
    "1e3",
    "cus_8812",
    "INV-0081",
    "inv-81",
    "ch_77A1",
    "ORD 12",
    "-0",
    "100000000000000000.1",
    "0x1F",
];

pub(crate) const SECRETS: [&str; 10] = [
    " hunter2",
    "pa ss",
    "S3cr3t!",
    "dGVzdA==",
    "true",
    "42",
    "null",
    "correct horse",
    "ß-key",
    "Tab\there",
];

pub(crate) const CODE: [&str; 16] = [
    "if x:\n    y()\n",
    "def f(a):\n    return a + 1\n",
    "all:\n\tcc -o app main.c\n",
    "let s = \"don't\";\n",
    "fn main() {\n    println!(\"hi\");\n}\n",
    "{\"a\": 1, \"b\": [2, 3]}",
    "{\"name\":\"x\",\"on\":true}",
    "SELECT * FROM t WHERE a = 'B'",
    "# Größe\nkey: Value\n",
    "a\r\nb\r\n",
    "<p>&amp; more</p>",
    "print('café')",
    "x = 1 - 2  # minus",
    "for i in range(3):\n  pass",
    "const A = `${b}`;",
    "\\u2192 stays",
];

pub(crate) const HOSTS: [&str; 6] = [
    "example.com",
    "api.example.org",
    "shop.example.net",
    "xn--bcher-kva.example",
    "10.0.0.7",
    "localhost",
];

pub(crate) const URI_PATHS: [&str; 10] = [
    "/Docs/a",
    "/v1/items/42",
    "/Readme",
    "/a/b/c",
    "/~kim/x",
    "/",
    "/p-q_r.s",
    "/Img/Logo.PNG",
    "/x%2Fy/z",
    "/search",
];

pub(crate) const URI_QUERIES: [&str; 6] =
    ["", "?a=1&b=2", "?q=Red+car", "?page=10", "?ref=Main&x=y", ""];

pub(crate) const MAILS: [&str; 10] = [
    "ana@example.com",
    "Kim.Lee@Example.org",
    "ops@example.net",
    "bob+tag@example.com",
    "o'hara@example.org",
    "x@y.example",
    "jürgen@example.de",
    "team-42@sub.example.com",
    "A.B@example.com",
    "no-reply@example.com",
];

pub(crate) const PHONES: [&str; 10] = [
    "+14155550132",
    "+442079460018",
    "+4930123456",
    "+33142685300",
    "+81312345678",
    "4155550132",
    "0301234567",
    "+12025550199",
    "+390612345678",
    "02079460018",
];

pub(crate) const DURATIONS: [&str; 8] =
    ["PT1H", "PT30M", "P1D", "PT90S", "P2W", "PT15M", "P1DT12H", "PT5M"];

pub(crate) const EXTRA_NAMES: [&str; 10] = [
    "reason_why",
    "trace_tag",
    "explain",
    "confirm_yes",
    "Extra",
    "hint_text",
    "größe_x",
    "__proto__",
    "a.b",
    "ticket note",
];

pub(crate) const FREE_NAMES: [&str; 8] =
    ["Content-Type", "X-Team", "color", "PATH", "level", "größe", "Z9", "ratio"];
