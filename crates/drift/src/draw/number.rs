//! Numbers, as plain decimal text.

use crate::choice::Choices;
use crate::plan::{FieldPlan, Grid, Hint, Kind};

/// A number of a field: within its bounds, on its grid.
pub(super) fn number(plan: &FieldPlan, hostile: bool, c: &mut Choices<'_>) -> String {
    if let Kind::Number { grid: Some(grid) } = plan.kind {
        return on_grid(plan, grid, c);
    }
    let bounded = plan.min.is_some() || plan.max.is_some();
    if plan.integer || plan.hint == Hint::Count {
        let low = plan.min.unwrap_or(0);
        let high = plan.max.unwrap_or_else(|| low.saturating_add(99_999));
        return match c.below(if bounded { 1 } else { 8 }) {
            7 => c.between((1 << 53) + 1, i64::MAX).to_string(),
            6 => c.between(-999, -1).to_string(),
            _ => c.between(low, high).to_string(),
        };
    }
    if bounded {
        let low = plan.min.unwrap_or(-1_000);
        let high = plan.max.unwrap_or(low.saturating_add(100_000));
        let whole = c.between(low, (high - 1).max(low));
        return match c.below(3) {
            0 => whole.to_string(),
            _ => with_fraction(whole, c),
        };
    }
    match c.below(if hostile { 10 } else { 6 }) {
        0 | 1 => c.between(0, 99_999).to_string(),
        2 | 3 => {
            let whole = c.between(-500, 5_000);
            with_fraction(whole, c)
        }
        4 => "0".to_owned(),
        5 => c.between(-9_999, -1).to_string(),
        6 => c.between((1 << 53) + 1, i64::MAX).to_string(),
        7 => format!(
            "{}.{}{}",
            c.between(1, 9_999_999),
            c.between(1_000_000, 9_999_999),
            c.between(100_000_001, 999_999_999)
        ),
        8 => format!("1{}e{}", c.between(0, 9), c.between(400, 600)),
        _ if c.permille(15) => {
            let mut out = String::from("1");
            let digit = char::from(b'0' + c.below(10) as u8);
            (0..4_400).for_each(|_| out.push(digit));
            out
        }
        _ => format!("{}{}", c.between(1, i64::MAX), c.between(1_000_000_000, 9_999_999_999)),
    }
}

/// A whole number with one or two digits behind the point, the last not zero.
fn with_fraction(whole: i64, c: &mut Choices<'_>) -> String {
    if c.permille(500) {
        format!("{whole}.{}", c.between(1, 9))
    } else {
        format!("{whole}.{}{}", c.between(0, 9), c.between(1, 9))
    }
}

fn on_grid(plan: &FieldPlan, grid: Grid, c: &mut Choices<'_>) -> String {
    let per_one = 10i64.pow(grid.scale);
    let low = plan.min.unwrap_or(0).saturating_mul(per_one) / grid.units;
    let high = plan.max.map_or(low + 100_000, |max| max.saturating_mul(per_one) / grid.units);
    let steps = c.between(low.max(i64::from(plan.min.is_none_or(|m| m >= 0))), high);
    decimal(steps.saturating_mul(grid.units), grid.scale)
}

/// `units` x 10^-`scale` as plain decimal text without trailing zeros.
pub(crate) fn decimal(units: i64, scale: u32) -> String {
    if scale == 0 {
        return units.to_string();
    }
    let sign = if units < 0 { "-" } else { "" };
    let per_one = 10u64.pow(scale);
    let (whole, rest) = (units.unsigned_abs() / per_one, units.unsigned_abs() % per_one);
    let digits = format!("{rest:0width$}", width = scale as usize);
    match digits.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}
