//! The tokens of two streams that do not align: shortest edit script, bounded (Myers, "An O(ND) Difference Algorithm", 1986).

/// Positions on either side that have no partner, and the pairs that have one.
#[derive(Debug, Default)]
pub(crate) struct Alignment {
    /// Positions on the left without a partner, rising.
    pub(crate) left: Vec<usize>,
    /// Positions on the right without a partner, rising.
    pub(crate) right: Vec<usize>,
}

/// Aligns two sequences of hashes; `None` when more than `bound` items would have to go or come.
/// Time O((n + m) * bound), memory O(bound squared) beside the input.
pub(crate) fn align(a: &[u64], b: &[u64], bound: usize) -> Option<Alignment> {
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let suffix =
        a[prefix..].iter().rev().zip(b[prefix..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[prefix..a.len() - suffix], &b[prefix..b.len() - suffix]);
    let mut out = Alignment::default();
    if a.is_empty() || b.is_empty() {
        if a.len().max(b.len()) > bound {
            return None;
        }
        out.left.extend(prefix..prefix + a.len());
        out.right.extend(prefix..prefix + b.len());
        return Some(out);
    }
    if a.len().abs_diff(b.len()) > bound {
        return None;
    }
    // reach[d] holds, for each diagonal -d..=d, the furthest position on `a` after d edits.
    let mut reach: Vec<Vec<usize>> = Vec::new();
    for d in 0..=bound.min(a.len() + b.len()) {
        let mut row = vec![0; 2 * d + 1];
        for k in (0..=2 * d).step_by(2) {
            let diagonal = k as isize - d as isize;
            let mut x = match d.checked_sub(1).map(|p| &reach[p]) {
                None => 0,
                // Row d - 1 holds diagonal j at j + d - 1; from diagonal + 1 one comes by insertion, from - 1 by deletion.
                Some(last) => {
                    let inserted = (k < 2 * d).then(|| last[k.min(2 * d - 2)]);
                    let deleted = (k > 0).then(|| last[k - 2] + 1);
                    inserted.max(deleted).unwrap_or_default()
                }
            };
            let y = |x: usize| (x as isize - diagonal) as usize;
            if x > a.len() || x as isize - diagonal < 0 || y(x) > b.len() {
                row[k] = x;
                continue;
            }
            while x < a.len() && y(x) < b.len() && a[x] == b[y(x)] {
                x += 1;
            }
            row[k] = x;
            if x == a.len() && y(x) == b.len() {
                trace(&reach, d, a.len(), b.len(), prefix, &mut out);
                return Some(out);
            }
        }
        reach.push(row);
    }
    None
}

/// Walks back from the end and notes each edit.
fn trace(
    reach: &[Vec<usize>],
    edits: usize,
    mut x: usize,
    mut y: usize,
    prefix: usize,
    out: &mut Alignment,
) {
    for d in (1..=edits).rev() {
        let last = &reach[d - 1];
        let k = (x as isize - y as isize + d as isize) as usize;
        let inserted = (k < 2 * d).then(|| last[k.min(2 * d - 2)]);
        let deleted = (k > 0).then(|| last[k - 2] + 1);
        if deleted >= inserted {
            x = deleted.unwrap_or_default() - 1;
            y = (x as isize - (k as isize - 1 - d as isize)) as usize;
            out.left.push(prefix + x);
        } else {
            x = inserted.unwrap_or_default();
            y = (x as isize - (k as isize + 1 - d as isize)) as usize;
            out.right.push(prefix + y);
        }
    }
    out.left.reverse();
    out.right.reverse();
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Length of the longest common subsequence by the quadratic table.
    fn longest_common(a: &[u64], b: &[u64]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..a.len() {
            for j in 0..b.len() {
                table[i + 1][j + 1] = if a[i] == b[j] {
                    table[i][j] + 1
                } else {
                    table[i][j + 1].max(table[i + 1][j])
                };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn the_script_is_shortest_and_leaves_equal_rests(
            a in prop::collection::vec(0u64..4, 0..20),
            b in prop::collection::vec(0u64..4, 0..20),
        ) {
            let out = align(&a, &b, 40).unwrap();
            let rest = |all: &[u64], gone: &[usize]| -> Vec<u64> {
                all.iter().enumerate().filter(|(i, _)| !gone.contains(i)).map(|(_, x)| *x).collect()
            };
            prop_assert_eq!(rest(&a, &out.left), rest(&b, &out.right));
            prop_assert_eq!(a.len() - out.left.len(), longest_common(&a, &b));
            let edits = out.left.len() + out.right.len();
            prop_assert!(align(&a, &b, edits).is_some());
            prop_assert!(edits == 0 || align(&a, &b, edits - 1).is_none());
        }
    }
}
