//! Embeddings as rows of one block of memory, checked and brought to length 1.

use crate::error::{Error, Result};

/// Longest distance from 1 of a length that counts as normalised already: f16 rounding stays well below.
const UNIT_TOLERANCE: f64 = 5e-3;
/// Most dimensions of a vector: a bound against files that are no embeddings.
pub const MAX_DIMENSION: usize = 16_384;

/// Rows of length 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vectors {
    dimension: usize,
    data: Vec<f32>,
    /// Whether every row came with a length of 1.
    unit: bool,
}

impl Vectors {
    /// No rows yet. `dimension` 0 is set by the first row.
    pub fn new(dimension: usize) -> Self {
        Self { dimension, data: Vec::new(), unit: true }
    }

    /// Room for this many rows more, so that they are not moved as they come.
    pub fn reserve(&mut self, rows: usize) {
        self.data.reserve_exact(rows.saturating_mul(self.dimension));
    }

    /// Checks a row, brings it to length 1 and takes it in. The error is the reason alone.
    ///
    /// # Errors
    /// Another dimension than the rows before, a value that is not finite, a vector without length.
    pub fn push(&mut self, row: &[f32]) -> Result<(), String> {
        if self.dimension == 0 {
            if row.is_empty() {
                return Err("the embedding is empty; give at least one value".into());
            }
            if row.len() > MAX_DIMENSION {
                return Err(format!(
                    "the embedding has {} values, more than {MAX_DIMENSION}",
                    row.len()
                ));
            }
            self.dimension = row.len();
        }
        if row.len() != self.dimension {
            return Err(format!(
                "the embedding has {} values, those before have {}; all must come from one model",
                row.len(),
                self.dimension
            ));
        }
        if let Some(at) = row.iter().position(|x| !x.is_finite()) {
            return Err(format!("value {at} of the embedding is NaN or infinite; compute it anew"));
        }
        let length = row.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
        if length < f64::from(f32::MIN_POSITIVE) {
            return Err("the embedding is a zero vector, which has no direction; compute it anew or leave the chunk out".into());
        }
        self.unit &= (length - 1.0).abs() <= UNIT_TOLERANCE;
        self.data.extend(row.iter().map(|&x| (f64::from(x) / length) as f32));
        Ok(())
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.data.len().checked_div(self.dimension).unwrap_or(0)
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Values of a row.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Whether every row came with a length of 1.
    pub fn is_unit(&self) -> bool {
        self.unit
    }

    /// One row.
    pub fn row(&self, at: usize) -> &[f32] {
        &self.data[at * self.dimension..(at + 1) * self.dimension]
    }

    /// All rows, one after the other.
    pub fn data(&self) -> &[f32] {
        &self.data
    }

    /// Cosine of two rows: the one definition of similarity, whatever finds the candidates.
    pub fn cosine(&self, a: usize, b: usize) -> f32 {
        dot(self.row(a), self.row(b)) as f32
    }

    /// These rows in this order.
    pub fn select(&self, rows: &[usize]) -> Self {
        let mut out = Self { dimension: self.dimension, data: Vec::new(), unit: self.unit };
        out.reserve(rows.len());
        for &at in rows {
            out.data.extend_from_slice(self.row(at));
        }
        out
    }

    /// Takes in rows that are of length 1 already.
    pub(crate) fn append(&mut self, other: &Self) -> Result<()> {
        if self.dimension == 0 {
            self.dimension = other.dimension;
        }
        if other.dimension != self.dimension && !other.is_empty() {
            return Err(Error::Model {
                reason: format!(
                    "embeddings of {} dimensions beside {}",
                    other.dimension, self.dimension
                ),
            });
        }
        self.unit &= other.unit;
        self.data.extend_from_slice(&other.data);
        Ok(())
    }

    /// Leaves out all rows from this one on.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.data.truncate(rows * self.dimension);
        if rows == 0 {
            self.dimension = 0;
            self.unit = true;
        }
    }

    /// Rows as they were stored: of length 1, so not brought to it again, which could change a bit.
    pub(crate) fn from_stored(dimension: usize, data: Vec<f32>, unit: bool) -> Option<Self> {
        (dimension > 0 && data.len().is_multiple_of(dimension)).then_some(Self {
            dimension,
            data,
            unit,
        })
    }
}

/// Dot product with sums in f64, in a fixed order: eight running sums, which compilers turn into vector instructions.
pub fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut sums = [0.0f64; 8];
    let (x, y) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 =
        x.remainder().iter().zip(y.remainder()).map(|(&p, &q)| f64::from(p) * f64::from(q)).sum();
    for (p, q) in x.zip(y) {
        for ((sum, x), y) in sums.iter_mut().zip(p).zip(q) {
            *sum += f64::from(*x) * f64::from(*y);
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h)) + rest
}
