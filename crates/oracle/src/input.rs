//! Bytes as a source of choices: what a fuzzer mutates, read one number at a time.
//!
//! An input that has run out answers zeros, and zero is always the plainest choice, so a shorter or smaller input makes
//! plainer evidence.

/// The choices of one input.
#[derive(Debug, Clone)]
pub struct Input<'b> {
    bytes: &'b [u8],
    /// Where further bytes are drawn from, once the input has run out.
    drawn: Option<u64>,
    taken: Vec<u8>,
}

impl<'b> Input<'b> {
    /// The choices that these bytes make.
    pub fn new(bytes: &'b [u8]) -> Self {
        Input { bytes, drawn: None, taken: Vec::new() }
    }

    /// The same after a first byte, which says what comes at the end: zeros where it is 0, and otherwise bytes drawn from
    /// all of the input, so that a short input makes values that are far from plain. Each round draws others.
    pub fn endless(bytes: &'b [u8], round: u16) -> Self {
        let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
        let drawn = (*first != 0).then(|| digest(bytes) ^ u64::from(round) << 32);
        Input { bytes: rest, drawn, taken: Vec::new() }
    }

    /// The next byte; at the end a drawn one, or 0.
    pub fn byte(&mut self) -> u8 {
        let byte = match (self.bytes.split_first(), &mut self.drawn) {
            (Some((first, rest)), _) => {
                self.bytes = rest;
                *first
            }
            (None, Some(state)) => (next(state) >> 56) as u8,
            (None, None) => 0,
        };
        self.taken.push(byte);
        byte
    }

    /// Bytes of an input of which nothing is drawn and that makes the same choices as this one has so far, with what was
    /// not read behind them.
    pub fn explicit(&self) -> Vec<u8> {
        [&[0], self.taken.as_slice(), self.bytes].concat()
    }

    /// A number below `n`, which is at most 256; 0 where `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) * n / 256
    }

    /// One of some things; the list is not empty.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// The bytes not read yet.
    pub fn rest(&self) -> &'b [u8] {
        self.bytes
    }
}

/// The place of the number that says which renderings of a pair are left out, as bits. The numbers before it are more
/// than any pair of the built-in catalog asks for.
pub const LEFT_OUT: usize = 384;
/// Numbers on a tape.
const LENGTH: usize = LEFT_OUT + 1;

/// The tape of choices that bytes make for the drift generator.
///
/// The first two bytes are a seed: 0 makes the plain tape of zeros, any other a tape full of drawn numbers, so that a
/// short input reaches pairs that are far from plain. Every four bytes after them put a number (the last two) at a place
/// (the first two).
pub fn tape(bytes: &[u8]) -> Vec<u32> {
    tape_of_round(bytes, 0)
}

/// Whether bytes make one thing alone, in every round.
pub fn is_explicit(bytes: &[u8]) -> bool {
    bytes.iter().take(2).all(|byte| *byte == 0)
}

/// As [`tape`]; each round draws another tape where any is drawn.
pub fn tape_of_round(bytes: &[u8], round: u16) -> Vec<u32> {
    let pair = |bytes: &[u8]| {
        u16::from_le_bytes([
            bytes.first().copied().unwrap_or(0),
            bytes.get(1).copied().unwrap_or(0),
        ])
    };
    let mut tape = vec![0; LENGTH];
    let seed = pair(bytes);
    if seed != 0 {
        let mut state = u64::from(seed) | u64::from(round) << 32;
        for number in &mut tape[..LEFT_OUT] {
            *number = u32::from((next(&mut state) >> 48) as u16) << 16;
        }
    }
    for chunk in bytes.get(2..).unwrap_or_default().chunks(4) {
        let at = usize::from(pair(chunk)) % LENGTH;
        tape[at] = u32::from(pair(chunk.get(2..).unwrap_or_default())) << 16;
    }
    tape
}

/// Bytes that make a tape, for a tape that was made by bytes or changed by [`change`].
pub fn of_tape(tape: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0, 0];
    for (at, &number) in tape.iter().enumerate().filter(|(_, number)| **number != 0) {
        bytes.extend((at as u16).to_le_bytes());
        bytes.extend(((number >> 16) as u16).to_le_bytes());
    }
    bytes
}

/// Puts a drawn number at a drawn place among the first `reach` of a tape.
pub fn change(tape: &mut [u32], reach: usize, state: &mut u64) {
    let drawn = next(state);
    let at = (drawn >> 8) as usize % reach.clamp(1, tape.len());
    // A near number as often as any other.
    tape[at] = match drawn & 3 {
        0 => tape[at].wrapping_add(1 << 24),
        1 => tape[at].wrapping_sub(1 << 24),
        _ => u32::from((drawn >> 32) as u16) << 16,
    };
}

/// The next number of SplitMix64 (Steele, Lea, Flood 2014).
pub fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number that stands for bytes: FNV-1a (Fowler, Noll, Vo).
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |state, byte| {
        (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tape_is_made_again_by_the_bytes_made_of_it() {
        assert!(tape(&[]).iter().all(|number| *number == 0));
        for bytes in [&[][..], &[7, 0], &[0, 0, 5, 0, 1, 2], &[9, 9, 1, 0, 0, 128, 3]] {
            let mut made = tape(bytes);
            assert_eq!(tape(&of_tape(&made)), made);
            let mut state = 3;
            for _ in 0..40 {
                change(&mut made, 100, &mut state);
            }
            assert_eq!(tape(&of_tape(&made)), made);
        }
    }

    #[test]
    fn what_was_drawn_can_be_written_out() {
        let mut input = Input::endless(&[9, 1, 2], 3);
        let drawn: Vec<u8> = (0..20).map(|_| input.byte()).collect();
        assert_eq!(drawn[..2], [1, 2]);
        assert!(drawn[2..].iter().any(|byte| *byte != 0));
        let explicit = input.explicit();
        let mut again = Input::endless(&explicit, 5);
        assert_eq!((0..20).map(|_| again.byte()).collect::<Vec<u8>>(), drawn);
        assert_eq!(again.byte(), 0);
    }

    #[test]
    fn choices_end_in_zeros() {
        let mut input = Input::new(&[255, 128]);
        assert_eq!([input.below(10), input.below(10), input.below(10)], [9, 5, 0]);
    }
}
