//! Reads `.npy` files of f32 or f16 rows: format versions 1 to 3, C order, little-endian.
//!
//! Source of the layout: NumPy Enhancement Proposal 1 and the documentation of `numpy.lib.format`.

use std::io::Read;

use crate::error::{Error, Result};

use super::vectors::{MAX_DIMENSION, Vectors};

/// How values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Half precision.
    F16,
    /// Single precision.
    F32,
}

impl Width {
    fn bytes(self) -> usize {
        match self {
            Self::F16 => 2,
            Self::F32 => 4,
        }
    }
}

/// What the header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// How values are stored.
    pub width: Width,
    /// Number of rows.
    pub rows: usize,
    /// Values of a row.
    pub dimension: usize,
}

/// Longest header that is read.
const MAX_HEADER: usize = 1 << 16;

/// Reads all rows. `name` stands for the file in errors.
///
/// # Errors
/// [`Error::Row`]: no `.npy` file, another type, order or shape than rows of f32 or f16, a file that is cut or too long, and
/// what [`Vectors::push`] refuses.
pub fn read(input: &mut dyn Read, name: &str) -> Result<Vectors> {
    let fail = |reason: String| Error::Row { file: name.to_owned(), row: None, reason };
    let header = read_header(input).map_err(fail)?;
    let mut vectors = Vectors::new(header.dimension);
    let mut bytes = vec![0; header.dimension * header.width.bytes()];
    let mut row = vec![0.0f32; header.dimension];
    for at in 0..header.rows {
        let fail = |reason: String| Error::Row { file: name.to_owned(), row: Some(at), reason };
        input.read_exact(&mut bytes).map_err(|_| {
            fail(format!("the file is cut: its header promises {} rows", header.rows))
        })?;
        match header.width {
            Width::F32 => {
                for (value, raw) in row.iter_mut().zip(bytes.chunks_exact(4)) {
                    *value = f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]);
                }
            }
            Width::F16 => {
                for (value, raw) in row.iter_mut().zip(bytes.chunks_exact(2)) {
                    *value = half::f16::from_le_bytes([raw[0], raw[1]]).to_f32();
                }
            }
        }
        vectors.push(&row).map_err(fail)?;
    }
    if input.read(&mut [0]).map_or(0, |count| count) != 0 {
        return Err(fail(format!("bytes follow the {} rows of the header", header.rows)));
    }
    Ok(vectors)
}

/// Reads the header and stops before the first value. The error is the reason alone.
pub fn read_header(input: &mut dyn Read) -> Result<Header, String> {
    let cut = |_| "the file is too short to be an .npy file".to_owned();
    let mut magic = [0; 8];
    input.read_exact(&mut magic).map_err(cut)?;
    if &magic[..6] != b"\x93NUMPY" {
        return Err("not an .npy file: it does not begin as one; write it with numpy.save".into());
    }
    let size = match magic[6] {
        1 => {
            let mut raw = [0; 2];
            input.read_exact(&mut raw).map_err(cut)?;
            usize::from(u16::from_le_bytes(raw))
        }
        2 | 3 => {
            let mut raw = [0; 4];
            input.read_exact(&mut raw).map_err(cut)?;
            usize::try_from(u32::from_le_bytes(raw)).unwrap_or(usize::MAX)
        }
        other => return Err(format!("format version {other} is not known; 1 to 3 are")),
    };
    if size > MAX_HEADER {
        return Err(format!("a header of {size} bytes; at most {MAX_HEADER} are read"));
    }
    let mut raw = vec![0; size];
    input.read_exact(&mut raw).map_err(cut)?;
    let text = String::from_utf8(raw).map_err(|_| "the header is no text".to_owned())?;
    let descr = member(&text, "descr").ok_or("the header has no `descr`")?;
    let width = match descr.trim_matches(['\'', '"']) {
        "<f4" | "=f4" => Width::F32,
        "<f2" | "=f2" => Width::F16,
        _ => {
            return Err(
                "values are neither f32 nor f16, little-endian; save them with .astype('float32')"
                    .into(),
            );
        }
    };
    if member(&text, "fortran_order") != Some("False") {
        return Err("the array is in Fortran order; save it with numpy.ascontiguousarray".into());
    }
    let shape = text
        .split_once("shape")
        .and_then(|(_, rest)| rest.split_once('('))
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(shape, _)| shape)
        .ok_or("the header has no `shape`")?;
    let sizes: Vec<usize> = shape
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_end_matches('L').parse::<usize>())
        .collect::<Result<_, _>>()
        .map_err(|_| "the shape is not read".to_owned())?;
    match sizes[..] {
        [rows, dimension] if (1..=MAX_DIMENSION).contains(&dimension) => {
            Ok(Header { width, rows, dimension })
        }
        [_, dimension] => {
            Err(format!("rows of {dimension} values; between 1 and {MAX_DIMENSION} are read"))
        }
        _ => Err(format!("an array of {} dimensions; give rows and columns", sizes.len())),
    }
}

/// The value of a member of the header, a Python dict literal, up to the next comma.
fn member<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text
        .split_once(&format!("'{name}'"))
        .or_else(|| text.split_once(&format!("\"{name}\"")))?;
    rest.trim_start().strip_prefix(':')?.split([',', '}']).next().map(str::trim)
}

/// Writes rows as f32, format version 1: what [`read`] reads.
///
/// # Errors
/// As the writer's.
pub fn write(out: &mut dyn std::io::Write, vectors: &Vectors) -> std::io::Result<()> {
    let mut header = format!(
        "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}",
        vectors.len(),
        vectors.dimension()
    );
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    for value in vectors.data() {
        out.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, header: &str, body: &[u8]) -> Vec<u8> {
        let mut out = b"\x93NUMPY".to_vec();
        out.extend([version, 0]);
        if version == 1 {
            out.extend((header.len() as u16).to_le_bytes());
        } else {
            out.extend((header.len() as u32).to_le_bytes());
        }
        out.extend(header.as_bytes());
        out.extend(body);
        out
    }

    fn reads(bytes: &[u8]) -> Result<Vectors> {
        read(&mut &bytes[..], "x.npy")
    }

    const F32: &str = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n";

    #[test]
    fn all_versions_and_both_widths_are_read() {
        let body: Vec<u8> = [3.0f32, 4.0, 0.0, 2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        for version in 1..=3 {
            let read = reads(&file(version, F32, &body)).unwrap();
            assert_eq!(read.data(), [0.6, 0.8, 0.0, 1.0]);
            assert!(!read.is_unit());
        }
        let halves: Vec<u8> =
            [0.6f32, 0.8].iter().flat_map(|x| half::f16::from_f32(*x).to_le_bytes()).collect();
        let header = "{\"descr\": \"<f2\", \"fortran_order\": False, \"shape\": (1, 2)}";
        let read = reads(&file(1, header, &halves)).unwrap();
        assert!(read.is_unit() && (read.row(0)[0] - 0.6).abs() < 1e-3);
        let mut written = Vec::new();
        write(&mut written, &read).unwrap();
        assert_eq!(reads(&written).unwrap().len(), 1);
    }

    #[test]
    fn bad_files_say_what_is_wrong_and_where() {
        let row =
            |values: [f32; 4]| -> Vec<u8> { values.iter().flat_map(|x| x.to_le_bytes()).collect() };
        for (bytes, wanted) in [
            (b"PK\x03\x04....".to_vec(), "not an .npy file"),
            (b"\x93NUM".to_vec(), "too short"),
            (file(4, F32, &[]), "version 4"),
            (file(1, &F32.replace("<f4", "<i8"), &[]), "f32 nor f16"),
            (file(1, &F32.replace("<f4", ">f4"), &[]), "little-endian"),
            (file(1, &F32.replace("False", "True"), &[]), "Fortran"),
            (file(1, &F32.replace("(2, 2)", "(4,)"), &[]), "1 dimensions"),
            (file(1, &F32.replace("(2, 2)", "(2, 0)"), &[]), "rows of 0"),
            (file(1, F32, &row([1.0; 4])[..12]), "row 1: the file is cut"),
            (file(1, F32, &row([1.0, 0.0, 0.0, 0.0])), "row 1: the embedding is a zero vector"),
            (
                file(1, F32, &row([1.0, 0.0, f32::NAN, 0.0])),
                "row 1: value 0 of the embedding is NaN",
            ),
            (file(1, F32, &[row([1.0; 4]), vec![0]].concat()), "bytes follow"),
        ] {
            let error = reads(&bytes).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error} lacks {wanted}");
        }
    }
}
