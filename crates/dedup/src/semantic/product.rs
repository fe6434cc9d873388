//! Products of blocks of rows: the one place that calls `gemm`.

use gemm::Parallelism;

/// `out[i * columns + j]` becomes the dot product of row `i` of `a` and row `j` of `b`, all rows of `width` values.
///
/// # Panics
/// When a slice is shorter than its shape.
#[expect(
    unsafe_code,
    reason = "the crate `gemm` has no safe entry; the shapes are asserted here and no pointer leaves"
)]
pub(crate) fn rows_by_rows(
    (a, rows): (&[f32], usize),
    (b, columns): (&[f32], usize),
    width: usize,
    out: &mut [f32],
) {
    assert!(a.len() >= rows * width, "left block is {rows} rows of {width}");
    assert!(b.len() >= columns * width, "right block is {columns} rows of {width}");
    assert!(out.len() >= rows * columns, "room for {rows} by {columns}");
    let stride = width as isize;
    // SAFETY: every index that gemm reads is at most (rows - 1) * width + width - 1 on the left, likewise on the right, and
    // every index that it writes at most (rows - 1) * columns + columns - 1; the asserts above hold these inside the
    // slices, which live through the call and do not overlap, `out` being borrowed mutably.
    unsafe {
        gemm::gemm(
            rows,
            columns,
            width,
            out.as_mut_ptr(),
            1,
            columns as isize,
            false,
            a.as_ptr(),
            1,
            stride,
            b.as_ptr(),
            stride,
            1,
            0.0f32,
            1.0f32,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_the_dot_product_of_its_rows() {
        for (rows, columns, width) in [(1, 1, 1), (3, 5, 7), (33, 17, 65)] {
            let a: Vec<f32> = (0..rows * width).map(|x| (x % 11) as f32 - 5.0).collect();
            let b: Vec<f32> = (0..columns * width).map(|x| (x % 7) as f32 - 3.0).collect();
            let mut out = vec![f32::NAN; rows * columns];
            rows_by_rows((&a, rows), (&b, columns), width, &mut out);
            for i in 0..rows {
                for j in 0..columns {
                    let wanted: f32 = (0..width).map(|p| a[i * width + p] * b[j * width + p]).sum();
                    assert_eq!(out[i * columns + j], wanted, "{i} {j} of {rows} {columns} {width}");
                }
            }
        }
    }
}
