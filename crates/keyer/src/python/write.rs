//! JSON text as `json.dumps` writes it: everything beyond printable ASCII as `\uXXXX` of UTF-16.

use super::wtf8::CodePoints;

/// Appends the WTF-8 `text` in quotes. Surrogates that stand alone are written as they are, `\udXXX`.
pub fn write_text(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let plain = text.iter().position(|&byte| !is_plain(byte)).unwrap_or(text.len());
    let (start, rest) = text.split_at(plain);
    out.extend_from_slice(start);
    for point in CodePoints::new(rest) {
        write_point(point, out);
    }
    out.push(b'"');
}

/// Bytes that are written as they stand.
fn is_plain(byte: u8) -> bool {
    (0x20..0x7F).contains(&byte) && byte != b'"' && byte != b'\\'
}

fn write_point(point: u32, out: &mut Vec<u8>) {
    match point {
        0x22 => out.extend_from_slice(b"\\\""),
        0x5C => out.extend_from_slice(b"\\\\"),
        0x08 => out.extend_from_slice(b"\\b"),
        0x09 => out.extend_from_slice(b"\\t"),
        0x0A => out.extend_from_slice(b"\\n"),
        0x0C => out.extend_from_slice(b"\\f"),
        0x0D => out.extend_from_slice(b"\\r"),
        0x20..0x7F => out.push(point as u8),
        0..0x10000 => write_unit(point, out),
        _ => {
            let above = point - 0x10000;
            write_unit(0xD800 + (above >> 10), out);
            write_unit(0xDC00 + (above & 0x3FF), out);
        }
    }
}

/// One UTF-16 unit as `\uXXXX`, in lower-case digits.
fn write_unit(unit: u32, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let digit = |shift: u32| HEX[(unit >> shift & 0xF) as usize];
    out.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_as_python_does() {
        let mut out = Vec::new();
        write_text("a\"\\/\u{8}\t\n\u{c}\r\u{1}\u{7f}é\u{2028}😀".as_bytes(), &mut out);
        write_text(b"\xED\xA0\xBDx", &mut out);
        let expected =
            concat!(r#""a\"\\/\b\t\n\f\r\u0001\u007f\u00e9\u2028\ud83d\ude00""#, r#""\ud83dx""#);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
