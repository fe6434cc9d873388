//! Code points of WTF-8 text: UTF-8 in which surrogates may stand alone, each as three bytes.

/// Surrogate code points: no characters, but legal in Python's and JavaScript's strings.
pub const SURROGATES: std::ops::RangeInclusive<u32> = 0xD800..=0xDFFF;

/// The code points of a WTF-8 text, in order. A malformed byte reads as U+FFFD and is skipped alone.
#[derive(Debug, Clone)]
pub struct CodePoints<'a> {
    rest: &'a [u8],
}

impl<'a> CodePoints<'a> {
    /// Reads `text` from its start.
    pub fn new(text: &'a [u8]) -> Self {
        Self { rest: text }
    }

    /// The bytes not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl Iterator for CodePoints<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let (&lead, tail) = self.rest.split_first()?;
        if lead < 0x80 {
            self.rest = tail;
            return Some(u32::from(lead));
        }
        let (point, length) = multibyte(self.rest);
        self.rest = self.rest.get(length..).unwrap_or_default();
        Some(point)
    }
}

/// The code point at the start of `bytes`, whose first byte is not ASCII, and its length in bytes.
fn multibyte(bytes: &[u8]) -> (u32, usize) {
    let bits = |byte: u8| u32::from(byte & 0x3F);
    match *bytes {
        [a @ 0xC2..=0xDF, b, ..] => (u32::from(a & 0x1F) << 6 | bits(b), 2),
        [a @ 0xE0..=0xEF, b, c, ..] => (u32::from(a & 0x0F) << 12 | bits(b) << 6 | bits(c), 3),
        [a @ 0xF0..=0xF4, b, c, d, ..] => {
            (u32::from(a & 0x07) << 18 | bits(b) << 12 | bits(c) << 6 | bits(d), 4)
        }
        _ => (0xFFFD, 1),
    }
}

/// The last code point of a WTF-8 text and the bytes before it.
pub fn split_last(text: &[u8]) -> Option<(&[u8], u32)> {
    let start = text.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
    let (before, last) = text.split_at(start);
    CodePoints::new(last).next().map(|point| (before, point))
}

/// Appends one code point, surrogates included, as WTF-8.
pub fn push(out: &mut Vec<u8>, point: u32) {
    match char::from_u32(point) {
        Some(character) => {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        None => out.extend_from_slice(&[
            0xE0 | (point >> 12 & 0x0F) as u8,
            0x80 | (point >> 6 & 0x3F) as u8,
            0x80 | (point & 0x3F) as u8,
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_point_survives_a_round_trip() {
        for point in 0..=0x10FFFF {
            let mut text = Vec::new();
            push(&mut text, point);
            assert_eq!(CodePoints::new(&text).collect::<Vec<_>>(), [point]);
            assert_eq!(split_last(&text), Some((&b""[..], point)));
        }
    }

    #[test]
    fn malformed_bytes_neither_panic_nor_hang() {
        let points: Vec<u32> = CodePoints::new(b"a\xFFb\xE2\x82").collect();
        assert_eq!(points, [0x61, 0xFFFD, 0x62, 0xFFFD, 0xFFFD]);
        // The first byte that can lead nothing, and the last.
        assert_eq!(CodePoints::new(b"\x80\xBF\x7F").collect::<Vec<_>>(), [0xFFFD, 0xFFFD, 0x7F]);
    }
}
