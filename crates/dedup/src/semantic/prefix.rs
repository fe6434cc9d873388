//! A short prefix of each vector that bounds its cosines from above.
//!
//! With `p` the coordinates of a unit vector in a few orthonormal directions and `r` the length of what they leave, the
//! inequality of Cauchy and Schwarz gives `a.b <= pa.pb + ra rb`. The right side is one dot product of rows `(p, r)`, so a
//! product of short rows rules out nearly all pairs. Directions are those in which the vectors vary most (principal
//! components of a sample, by subspace iteration); any directions would be exact, these rule out most.

use rayon::prelude::*;

use super::product::rows_by_rows;
use super::vectors::Vectors;

/// Rows that the directions and their number are chosen from.
const SAMPLE: usize = 2048;
/// Numbers of directions that are tried.
const WIDTHS: [usize; 5] = [16, 32, 48, 64, 96];
/// Rounds of subspace iteration: directions need not be exact.
const ROUNDS: usize = 4;
/// What verifying one pair costs, in dot products inside a large product: some 350 ns against 11 at 384 dimensions.
const VERIFY_COST: f64 = 32.0;
/// Added to the square of each rest, above all rounding of prefixes and of the directions' lengths.
const REST_SLACK: f64 = 4e-6;

/// Prefixes of all rows, each with the length of its rest as the last value.
pub(crate) struct Prefixes {
    pub(crate) width: usize,
    pub(crate) data: Vec<f32>,
}

impl Prefixes {
    /// Prefixes that make the search cheaper at this threshold; `None` where a plain product is.
    pub(crate) fn choose(vectors: &Vectors, threshold: f32) -> Option<Self> {
        let (n, d) = (vectors.len(), vectors.dimension());
        let widest = WIDTHS.iter().copied().filter(|k| 2 * k < d).max()?;
        if n < 2 * SAMPLE {
            return None;
        }
        let rows: Vec<usize> = (0..SAMPLE).map(|i| i * n / SAMPLE).collect();
        let sample = vectors.select(&rows);
        let directions = directions(&sample, widest);
        // Judged on other rows than those that the directions were fitted to.
        let between: Vec<usize> =
            (0..SAMPLE).map(|i| (i * n / SAMPLE + n / (2 * SAMPLE)).min(n - 1)).collect();
        let data = project(&vectors.select(&between), &directions, widest);
        let (mut best, mut cost) = (None, 1.0);
        for k in WIDTHS.into_iter().filter(|k| *k <= widest) {
            let all = k as f64 / d as f64 + VERIFY_COST * passing(&data, widest, k, threshold);
            if all < cost {
                (best, cost) = (Some(k), all);
            }
        }
        let k = best?;
        Some(Self { width: k + 1, data: with_rests(vectors, &directions, k) })
    }

    /// The prefixes of some rows.
    pub(crate) fn rows(&self, from: usize, to: usize) -> &[f32] {
        &self.data[from * self.width..to * self.width]
    }
}

/// Share of the sample's pairs that `k` directions do not rule out.
fn passing(data: &[f32], widest: usize, k: usize, threshold: f32) -> f64 {
    let rows = data.len() / widest;
    let rest = |at: usize| {
        let used: f64 =
            data[at * widest..at * widest + k].iter().map(|x| f64::from(*x).powi(2)).sum();
        (1.0 - used).max(0.0).sqrt()
    };
    let rests: Vec<f64> = (0..rows).map(rest).collect();
    // Each row with a few others far away in the sample.
    let steps = [1, 7, 64, 301, 777, 1000];
    let mut passed = 0usize;
    for at in 0..rows {
        for step in steps {
            let other = (at + step) % rows;
            let (a, b) = (&data[at * widest..][..k], &data[other * widest..][..k]);
            let bound = a.iter().zip(b).map(|(x, y)| f64::from(x * y)).sum::<f64>()
                + rests[at] * rests[other];
            passed += usize::from(bound >= f64::from(threshold));
        }
    }
    passed as f64 / (rows * steps.len()) as f64
}

/// `k` orthonormal directions in which the rows vary most, one a row.
fn directions(sample: &Vectors, k: usize) -> Vec<f32> {
    let (n, d) = (sample.len(), sample.dimension());
    let mut mean = vec![0.0f64; d];
    for at in 0..n {
        for (sum, x) in mean.iter_mut().zip(sample.row(at)) {
            *sum += f64::from(*x) / n as f64;
        }
    }
    let centred: Vec<f32> = (0..n)
        .flat_map(|at| sample.row(at).iter().zip(&mean).map(|(x, m)| (f64::from(*x) - m) as f32))
        .collect();
    let mut columns = vec![0.0f32; n * d];
    for row in 0..n {
        for column in 0..d {
            columns[column * n + row] = centred[row * d + column];
        }
    }
    let mut basis: Vec<f32> = (0..k * d).map(|i| noise(i as u64)).collect();
    orthonormalise(&mut basis, k, d);
    for _ in 0..ROUNDS {
        // basis <- basis X'X, then orthonormal again.
        let mut scores = vec![0.0; k * n];
        rows_by_rows((&basis, k), (&centred, n), d, &mut scores);
        rows_by_rows((&scores, k), (&columns, d), n, &mut basis);
        orthonormalise(&mut basis, k, d);
    }
    basis
}

/// A fixed sequence of values between -1 and 1 (SplitMix64).
fn noise(index: u64) -> f32 {
    let bits = crate::guard::mix(index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    (bits >> 40) as f32 / (1u32 << 23) as f32 - 1.0
}

/// Gram and Schmidt, twice over for accuracy, in f64. A direction that vanishes is replaced by a coordinate axis.
fn orthonormalise(basis: &mut [f32], k: usize, d: usize) {
    let mut done: Vec<Vec<f64>> = Vec::with_capacity(k);
    for at in 0..k {
        let mut row: Vec<f64> = basis[at * d..(at + 1) * d].iter().map(|x| f64::from(*x)).collect();
        let mut axis = 0;
        loop {
            let before = length(&row);
            for _ in 0..2 {
                for other in &done {
                    let along: f64 = row.iter().zip(other).map(|(x, y)| x * y).sum();
                    row.iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
                }
            }
            let after = length(&row);
            if after > 1e-9 * before.max(f64::MIN_POSITIVE) {
                row.iter_mut().for_each(|x| *x /= after);
                break;
            }
            // k < d, so one of the axes has a part outside of the directions so far.
            row = vec![0.0; d];
            row[axis % d] = 1.0;
            axis += 1;
        }
        done.push(row);
    }
    for (at, row) in done.iter().enumerate() {
        for (out, x) in basis[at * d..(at + 1) * d].iter_mut().zip(row) {
            *out = *x as f32;
        }
    }
}

fn length(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn project(vectors: &Vectors, directions: &[f32], k: usize) -> Vec<f32> {
    let (n, d) = (vectors.len(), vectors.dimension());
    let mut out = vec![0.0; n * k];
    rows_by_rows((vectors.data(), n), (directions, k), d, &mut out);
    out
}

/// Prefixes of `k` values with the rest after them.
fn with_rests(vectors: &Vectors, directions: &[f32], k: usize) -> Vec<f32> {
    const BLOCK: usize = 1024;
    let (n, d) = (vectors.len(), vectors.dimension());
    let mut out = vec![0.0f32; n * (k + 1)];
    out.par_chunks_mut(BLOCK * (k + 1)).enumerate().for_each(|(block, out)| {
        let rows = out.len() / (k + 1);
        let from = block * BLOCK;
        let mut short = vec![0.0; rows * k];
        let part = &vectors.data()[from * d..(from + rows) * d];
        rows_by_rows((part, rows), (&directions[..k * d], k), d, &mut short);
        for (row, prefix) in out.chunks_exact_mut(k + 1).zip(short.chunks_exact(k)) {
            row[..k].copy_from_slice(prefix);
            let used: f64 = prefix.iter().map(|x| f64::from(*x).powi(2)).sum();
            row[k] = ((1.0 - used).max(0.0) + REST_SLACK).sqrt() as f32;
        }
    });
    out
}
