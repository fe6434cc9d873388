//! Binary noise on a `multipleOf` grid: `0.30000000000000004` at a step of 0.01 was 0.3 before a program added doubles.
//!
//! A fraction within 4 units in the last place (of the double nearest to it) of a grid point is that point, where
//! 8 units are less than the step, so that no value is near two points. All arithmetic is exact.

use std::borrow::Cow;

use num_bigint::BigUint;

use super::decimal::{Decimal, Exponent};

/// Digits that are looked at; a double written out in full has 767 at most.
const MAX_DIGITS: usize = 800;

/// Exponents of ten that a step may have: far beyond those of doubles and their digits.
const MAX_EXPONENT: i128 = 1_200;

/// The grid point that a value is noise around; None where the value stands for itself.
pub(super) fn nearest(value: &Decimal, step: &Decimal) -> Option<Decimal> {
    let (exponent, step_exponent) = (value.small_exponent()?, step.small_exponent()?);
    let is_fraction = exponent < 0;
    if !is_fraction || step.negative || step.digits.is_empty() {
        return None;
    }
    // A multiple of the step's last place, on a grid of exactly such steps, is a point already.
    if step.digits == "1" && exponent >= step_exponent {
        return None;
    }
    if !is_within_limits(step, step_exponent) {
        return None;
    }
    // From here on the value is near a normal double, so its exponent is small.
    let ulp = ulp_exponent(&value.text())?;
    let (digits, exponent) = cut(&value.digits, exponent);
    // All three as integers, in units of 10^-tens × 2^-twos.
    let tens = (-exponent).max(-step_exponent).max(0);
    let twos = (-ulp).max(0);
    let power = |of: i128| u32::try_from(of).ok();
    let scale = BigUint::from(2_u8).pow(power(twos)?);
    let ten = BigUint::from(10_u8);
    let number = |digits: &str| BigUint::parse_bytes(digits.as_bytes(), 10);
    let value_units = number(&digits)? * ten.pow(power(exponent + tens)?) * &scale;
    let step_digits = number(&step.digits)?;
    let step_units = &step_digits * ten.pow(power(step_exponent + tens)?) * &scale;
    let ulp_units = ten.pow(power(tens)?) * BigUint::from(2_u8).pow(power(ulp + twos)?);
    if BigUint::from(8_u8) * &ulp_units >= step_units {
        return None;
    }
    let half = &step_units / 2_u8;
    let point = (&value_units + half) / &step_units;
    let point_units = &point * &step_units;
    let distance = (&point_units).max(&value_units) - (&point_units).min(&value_units);
    if distance == BigUint::ZERO || distance > BigUint::from(4_u8) * ulp_units {
        return None;
    }
    let digits = (point * step_digits).to_string();
    Some(Decimal::new(value.negative, &digits, step_exponent))
}

/// Whether a step has no more digits, and no larger an exponent, than have to do with any double.
fn is_within_limits(step: &Decimal, exponent: i128) -> bool {
    exponent.abs() <= MAX_EXPONENT && step.digits.len() <= MAX_DIGITS
}

/// Digits and exponent of no more digits than matter. What is cut off makes the value a little larger than what is left.
fn cut(digits: &str, exponent: i128) -> (Cow<'_, str>, i128) {
    if digits.len() <= MAX_DIGITS {
        return (Cow::Borrowed(digits), exponent);
    }
    let cut = (digits.len() - MAX_DIGITS - 1) as i128;
    (Cow::Owned(format!("{}1", &digits[..MAX_DIGITS])), exponent + cut)
}

/// The exponent of two of the unit in the last place of the double nearest to a decimal; None for zero, subnormal
/// and infinite ones.
fn ulp_exponent(text: &str) -> Option<i128> {
    const FRACTION_BITS: i128 = 52;
    const BIAS: i128 = 1023;
    let nearest: f64 = text.parse().ok()?;
    if !nearest.is_normal() {
        return None;
    }
    let exponent = i128::from(nearest.abs().to_bits() >> FRACTION_BITS) - BIAS;
    Some(exponent - FRACTION_BITS)
}

/// A step as the schema writes it.
pub(super) fn step(text: &str) -> Option<Decimal> {
    Decimal::parse(text).filter(|step| matches!(step.exponent, Exponent::Small(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(value: &str, by: &str) -> String {
        let value = Decimal::parse(value).unwrap();
        nearest(&value, &step(by).unwrap()).map_or_else(|| "-".to_owned(), |point| point.text())
    }

    #[test]
    fn noise_goes_and_everything_else_stays() {
        for (value, step, point) in [
            ("0.30000000000000004", "0.01", "0.3"),
            ("-0.30000000000000004", "0.01", "-0.3"),
            ("0.29999999999999998", "0.1", "0.3"),
            ("1.1500000000000001", "0.05", "1.15"),
            ("4.3500000000000005", "1e-2", "4.35"),
            ("0.3", "0.01", "-"),
            ("0.301", "0.01", "-"),
            ("0.305", "0.01", "-"),
            ("0.3000000000000007", "0.01", "-"),
            ("4200", "0.01", "-"),
            ("3.9999999999999996", "1", "4"),
            // A double's own expansion, in full.
            ("0.3000000000000000444089209850062616169452667236328125", "0.01", "0.3"),
            // Where 8 units in the last place reach the step, nothing is noise.
            ("70368744177664.015625", "0.01", "-"),
            ("9007199254740993.5", "0.5", "-"),
            // An integer is an id, not a sum.
            ("9007199254740901", "100", "-"),
            ("1e-320", "0.01", "-"),
            // One decimal beside a step of one decimal: a tenth is less than 4 of the double's units there.
            ("150000000000000.1", "0.3", "150000000000000"),
            // The same with a step of more decimals than the value, and where a unit is more than one.
            ("150000000000000.1", "0.375", "150000000000000"),
            ("18014398509482010.5", "100", "18014398509482000"),
            ("18014398509482016.5", "100", "-"),
            // Steps that no schema may have, and one that says more than any double does.
            ("0.30000000000000004", "-0.01", "-"),
            ("0.30000000000000004", "0", "-"),
            ("0.30000000000000004", "1e-1201", "-"),
        ] {
            assert_eq!(rounded(value, step), point, "{value} at {step}");
        }
    }

    #[test]
    fn a_step_of_more_digits_than_doubles_have_is_none() {
        let step = |zeros| format!("0.25{}1", "0".repeat(zeros));
        assert_eq!(rounded("0.75", &step(797)), format!("75{}3e-800", "0".repeat(797)));
        assert_eq!(rounded("0.75", &step(798)), "-");
    }

    #[test]
    fn four_units_are_in_and_five_are_out() {
        let ulp = f64::from_bits(0.75_f64.to_bits() + 1) - 0.75;
        for (units, point) in [(4.0, "0.75"), (5.0, "-"), (-4.0, "0.75"), (-5.0, "-")] {
            // The sum of a quarter multiple and few units is exact; Rust prints it in full.
            let value = format!("{:.60}", 0.75 + units * ulp);
            assert_eq!(rounded(&value, "0.25"), point, "{units}");
        }
    }

    #[test]
    fn long_texts_are_cut_and_not_misread() {
        let value = format!("0.3{}1", "0".repeat(100_000));
        assert_eq!(rounded(&value, "0.01"), "0.3");
    }
}
