//! Hostile values: pieces that some rule looks at, spliced.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;
use samecall_drift::PIECES;

/// Whole texts of the shapes that rules know.
pub(super) const SHAPES: [&str; 22] = [
    "2026-08-11T09:00:00Z",
    "2026-08-11t09:00:00.500z",
    "2026-08-11 11:00:00+02:00",
    "2026-08-11T09:00Z",
    "0042",
    "4200.00",
    "-0",
    "1e3",
    "+1 (555) 010-2030",
    "Ann@Example.ORG",
    "HTTP://E.org:80/a/../%7eb",
    "http://e.org",
    "http://e.org/%2e%2E/%c3%a9",
    "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
    "09:30:00.50+01:00",
    "EUR",
    " eur ",
    "{\"a\": 1.0, \"b\": [null]}",
    "[\"b\", \"a\", \"a\"]",
    "  Two  Words\u{a0}",
    "“x” – ‘y’",
    "007-x",
];

/// Seeded draws.
pub(super) struct Draws(Pcg64Mcg);

impl Draws {
    pub(super) fn new(seed: u64) -> Self {
        // Spread by the generator's own multiplier; an even state is made odd by `new`.
        let state = u128::from(seed)
            .wrapping_add(1)
            .wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645);
        let mut rng = Pcg64Mcg::new(state ^ state >> 64);
        rng.next_u64();
        Draws(rng)
    }

    /// A number below `n`; 0 where `n` is 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// One of some things.
    pub(super) fn of<'t, T: ?Sized>(&mut self, list: &[&'t T]) -> &'t T {
        list[self.below(list.len())]
    }

    /// Fisher and Yates.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            let other = self.below(at + 1);
            items.swap(at, other);
        }
    }

    /// A text of some pieces, or a known shape with pieces spliced in.
    pub(super) fn text(&mut self) -> String {
        let mut text = String::new();
        if self.below(3) == 0 {
            text.push_str(self.of(&SHAPES));
            for _ in 0..self.below(3) {
                self.splice(&mut text);
            }
        } else {
            for _ in 0..=self.below(5) {
                text.push_str(self.of(&PIECES));
            }
        }
        text
    }

    /// One of these texts with a piece spliced in.
    pub(super) fn spliced(&mut self, texts: &[&str]) -> String {
        let mut text = self.of(texts).to_owned();
        self.splice(&mut text);
        text
    }

    /// A piece put in, put in place of a character, or a character taken out.
    fn splice(&mut self, text: &mut String) {
        let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        places.push(text.len());
        let at = places[self.below(places.len())];
        let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
        let piece = self.of(&PIECES);
        match self.below(3) {
            0 => text.insert_str(at, piece),
            1 => text.replace_range(at..end, piece),
            _ => text.replace_range(at..end, ""),
        }
    }

    /// The text of a JSON number.
    pub(super) fn number(&mut self) -> String {
        const NUMBERS: [&str; 18] = [
            "0",
            "-0",
            "1",
            "42",
            "42.0",
            "0.5",
            "1.10",
            "1e3",
            "1E-2",
            "4200.00",
            "9007199254740993",
            "-7",
            "0.30000000000000004",
            "1e400",
            "12345678901234567890",
            "1754902800",
            "0.1",
            "100",
        ];
        self.of(&NUMBERS).to_owned()
    }
}
