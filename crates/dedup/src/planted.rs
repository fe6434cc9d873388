//! Chunks with known truth, from a seed: originals, repeats of five kinds and near misses of many.
//!
//! The text is nonsense of a skewed vocabulary with actions, amounts and dates in it, so that chunks share most common words
//! and differ where it counts.

/// One planted chunk.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The text.
    pub text: String,
    /// Chunks of one group say the same.
    pub group: usize,
    /// How it was made.
    pub kind: &'static str,
}

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence that the seed determines.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// One of a list that is not empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

const NAMES: &[&str] =
    &["Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy"];
const VERBS: &[(&str, &str)] = &[
    ("charge", "refund"),
    ("approve", "reject"),
    ("enable", "disable"),
    ("grant", "revoke"),
    ("mount", "unmount"),
    ("encrypt", "decrypt"),
    ("hire", "dismiss"),
    ("deposit", "withdraw"),
    ("publish", "retract"),
    ("lock", "unlock"),
];
const SMALL: &[&str] = &[
    "a", "the", "of", "to", "in", "and", "is", "that", "for", "with", "on", "was", "be", "by",
    "at", "it",
];
const SYLLABLES: &[&str] = &[
    "ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo", "tion",
    "ing",
];
const REPEATS: &[&str] = &["dup-exact", "dup-ws", "dup-case", "dup-punct", "dup-wrap"];
const MISSES: &[&str] = &[
    "hard-amount",
    "hard-currency",
    "hard-sign",
    "hard-name",
    "hard-verb",
    "hard-negation",
    "hard-date",
    "hard-operator",
    "hard-version",
    "hard-unit",
    "hard-emoji",
    "hard-word",
    "hard-swap",
];

/// The changing parts of a chunk.
#[derive(Clone)]
struct Facts {
    body: Vec<String>,
    verb: (&'static str, &'static str),
    flipped: bool,
    names: (&'static str, &'static str),
    amount: usize,
    currency: &'static str,
    sign: &'static str,
    operator: &'static str,
    version: (usize, usize),
    unit: &'static str,
    day: usize,
    emoji: &'static str,
    negated: bool,
}

/// `count` chunks of some 500 characters: 65 % originals, 30 % repeats, 5 % near misses, in mixed order.
pub fn chunks(seed: u64, count: usize) -> Vec<Chunk> {
    let mut random = Random::new(seed);
    let originals = (count * 65 / 100).max(1);
    let facts: Vec<Facts> = (0..originals).map(|_| Facts::draw(&mut random)).collect();
    let mut out: Vec<Chunk> = facts
        .iter()
        .enumerate()
        .map(|(group, facts)| Chunk { text: facts.write(), group, kind: "orig" })
        .collect();
    for i in originals..count {
        let group = random.below(originals);
        if i < count * 95 / 100 {
            let kind = random.pick(REPEATS);
            let text = repeat(&facts[group].write(), kind, &mut random);
            out.push(Chunk { text, group, kind });
        } else {
            let kind = random.pick(MISSES);
            let text = facts[group].changed(kind, &mut random).write();
            out.push(Chunk { text, group: i, kind });
        }
    }
    for i in (1..out.len()).rev() {
        out.swap(i, random.below(i + 1));
    }
    out
}

/// A nonsense word; low numbers are frequent.
fn word(random: &mut Random) -> String {
    if random.below(3) == 0 {
        return (*random.pick(SMALL)).to_owned();
    }
    let mut rank = random.below(3000) * random.below(3000) / 3000;
    let mut out = String::new();
    for _ in 0..3 {
        out.push_str(SYLLABLES[rank % SYLLABLES.len()]);
        rank /= SYLLABLES.len();
    }
    out
}

/// Another way to write the same chunk.
fn repeat(text: &str, kind: &str, random: &mut Random) -> String {
    match kind {
        "dup-ws" => text.replacen(' ', "  ", 3).replace(". ", ".\n"),
        "dup-case" if random.below(2) == 0 => text.to_uppercase(),
        "dup-case" => text.to_lowercase(),
        "dup-punct" => format!("{}!", text.replace(". ", " - ").replace(';', ",")),
        "dup-wrap" => format!("[{}] {text}", random.below(30)),
        _ => text.to_owned(),
    }
}

impl Facts {
    fn draw(random: &mut Random) -> Self {
        let first = random.below(NAMES.len());
        let second = (first + 1 + random.below(NAMES.len() - 1)) % NAMES.len();
        Self {
            body: (0..58 + random.below(12)).map(|_| word(random)).collect(),
            verb: *random.pick(VERBS),
            flipped: random.below(2) == 1,
            names: (NAMES[first], NAMES[second]),
            amount: 10 + random.below(9990),
            currency: "$",
            sign: "",
            operator: "<",
            version: (random.below(5), 5 + random.below(5)),
            unit: "mg",
            day: 1 + random.below(27),
            emoji: "✅",
            negated: false,
        }
    }

    fn changed(&self, kind: &str, random: &mut Random) -> Self {
        let mut other = self.clone();
        match kind {
            "hard-amount" => other.amount += 1 + random.below(99),
            "hard-currency" => other.currency = "€",
            "hard-sign" => other.sign = "-",
            "hard-name" => {
                other.names.0 = if self.names.0 == "Alice" { "Mallory" } else { "Oscar" }
            }
            "hard-verb" => other.flipped = !self.flipped,
            "hard-negation" => other.negated = true,
            "hard-date" => other.day += 1,
            "hard-operator" => other.operator = ">",
            "hard-version" => other.version = (self.version.1, self.version.0),
            "hard-unit" => other.unit = "g",
            "hard-emoji" => other.emoji = "❌",
            "hard-swap" => other.names = (self.names.1, self.names.0),
            _ => other.body[random.below(self.body.len())] = "quux".into(),
        }
        other
    }

    fn write(&self) -> String {
        let verb = if self.flipped { self.verb.1 } else { self.verb.0 };
        let not = if self.negated { "not " } else { "" };
        let fact = format!(
            "Then {} must {not}{verb} {} {}{}{} at 2026-05-{:02} {}",
            self.names.0, self.names.1, self.currency, self.sign, self.amount, self.day, self.emoji
        );
        let code = format!(
            "It runs v1.{}.{} with {} mg {} {} {}",
            self.version.0,
            self.version.1,
            self.amount,
            self.operator,
            self.amount / 2,
            self.unit
        );
        let third = self.body.len() / 3;
        let sentence = |words: &[String]| {
            let text = words.join(" ");
            text[..1].to_uppercase() + &text[1..]
        };
        format!(
            "{}. {fact}. {}; {code}. {}.",
            sentence(&self.body[..third]),
            sentence(&self.body[third..2 * third]),
            sentence(&self.body[2 * third..])
        )
    }
}
