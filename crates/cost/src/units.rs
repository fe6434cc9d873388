//! Money and the units it is paid for, as types that cannot be mixed: a price per million tokens times
//! write units does not compile.
//!
//! Money is an exact decimal, never a float. The operators are for figures of ordinary size; what is made of files
//! goes through the checked methods, so that a figure is exact or an error.
//!
//! ```
//! use samecall_cost::{PerMillion, Tokens, Usd};
//! let price = PerMillion::<Tokens>::new(15.into());
//! assert_eq!((price * Tokens(74)).to_string(), "$0.00111");
//! ```
//!
//! ```compile_fail
//! use samecall_cost::{PerMillion, Tokens, WriteUnits};
//! let price = PerMillion::<Tokens>::new(15.into());
//! let _ = price * WriteUnits(74);
//! ```
//!
//! ```compile_fail
//! use samecall_cost::{Bytes, Tokens};
//! let _ = Tokens(74) + Bytes(74);
//! ```

use crate::error::{Error, Result};
use rust_decimal::Decimal;
use std::fmt;
use std::iter::Sum;
use std::marker::PhantomData;
use std::ops::{Add, AddAssign, Mul, Sub};

/// The largest amount that is calculated, in dollars: sums of such amounts over millions of calls stay exact.
const MOST: Decimal = Decimal::from_parts(2_808_348_672, 232_830_643, 0, false, 0);

/// An amount of US dollars, exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Usd(Decimal);

impl Usd {
    /// Nothing.
    pub const ZERO: Usd = Usd(Decimal::ZERO);

    /// So many dollars.
    pub fn new(dollars: Decimal) -> Self {
        Usd(dollars)
    }

    /// So many whole dollars.
    pub const fn whole(dollars: u32) -> Self {
        Usd(Decimal::from_parts(dollars, 0, 0, false, 0))
    }

    /// The dollars as a number.
    pub fn dollars(self) -> Decimal {
        self.0
    }

    /// The amount as decimal text without a sign of currency and without trailing zeros.
    pub fn text(self) -> String {
        self.0.normalize().to_string()
    }

    /// The amount so many times.
    ///
    /// # Errors
    /// Above 10^18 dollars.
    pub fn times(self, n: Decimal) -> Result<Usd> {
        let product = self.0.checked_mul(n).filter(|product| *product <= MOST);
        product.map(Usd).ok_or(Error::TooLarge("an amount above 10^18 dollars"))
    }

    /// The ratio of two amounts; none where the other is zero.
    pub fn ratio(self, other: Usd) -> Option<Decimal> {
        self.0.checked_div(other.0)
    }
}

impl fmt::Display for Usd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0.is_sign_negative() && !self.0.is_zero() { "-" } else { "" };
        let amount = self.0.abs().normalize();
        match f.precision() {
            Some(places) => write!(f, "{sign}${amount:.places$}"),
            None => write!(f, "{sign}${amount}"),
        }
    }
}

impl Add for Usd {
    type Output = Usd;
    fn add(self, other: Usd) -> Usd {
        Usd(self.0 + other.0)
    }
}

impl AddAssign for Usd {
    fn add_assign(&mut self, other: Usd) {
        self.0 += other.0;
    }
}

impl Sub for Usd {
    type Output = Usd;
    fn sub(self, other: Usd) -> Usd {
        Usd(self.0 - other.0)
    }
}

impl Sum for Usd {
    fn sum<I: Iterator<Item = Usd>>(iter: I) -> Usd {
        iter.fold(Usd::ZERO, Add::add)
    }
}

impl Mul<Share> for Usd {
    type Output = Usd;
    fn mul(self, share: Share) -> Usd {
        Usd(self.0 * share.0)
    }
}

macro_rules! count {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
        pub struct $name(pub u64);

        impl Add for $name {
            type Output = $name;
            fn add(self, other: $name) -> $name {
                $name(self.0.saturating_add(other.0))
            }
        }

        impl $name {
            /// So many times as many.
            ///
            /// # Errors
            /// Above 2^64.
            pub fn times(self, n: u64) -> Result<$name> {
                let product = self.0.checked_mul(n);
                product.map($name).ok_or(Error::TooLarge("a count above 2^64"))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

count!(
    /// Tokens of a model's text.
    Tokens
);
count!(
    /// Bytes of a stored item or a result.
    Bytes
);
count!(
    /// Write request units: one write of up to 1 KB.
    WriteUnits
);
count!(
    /// Halves of a read request unit: one eventually consistent read of up to 4 KB.
    HalfReadUnits
);
count!(
    /// Tool calls.
    Calls
);
count!(
    /// Further turns of an agent, each of which sends the transcript again.
    Turns
);
count!(
    /// Days that a record is kept.
    Days
);

impl Calls {
    /// A share of the calls, to the nearest whole call (half to even).
    pub fn share(self, share: Share) -> Calls {
        use rust_decimal::prelude::ToPrimitive;
        Calls((Decimal::from(self.0) * share.0).round().to_u64().unwrap_or(0))
    }

    /// The calls that are not among `others`.
    pub fn without(self, others: Calls) -> Calls {
        Calls(self.0.saturating_sub(others.0))
    }
}

/// A share between 0 and 1, exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Share(Decimal);

impl Share {
    /// Nothing.
    pub const ZERO: Share = Share(Decimal::ZERO);
    /// All.
    pub const ONE: Share = Share(Decimal::ONE);

    /// A share; none outside 0 to 1.
    pub fn new(value: Decimal) -> Option<Self> {
        (value >= Decimal::ZERO && value <= Decimal::ONE).then_some(Share(value))
    }

    /// A share from a float that was sampled, rounded to nine places; outside 0 to 1 it is cut.
    pub fn sampled(value: f64) -> Self {
        let billionths = (value.clamp(0.0, 1.0) * 1e9).round() as i64;
        Share(Decimal::new(billionths, 9))
    }

    /// The share as a number.
    pub fn value(self) -> Decimal {
        self.0
    }

    /// What is left of one.
    pub fn rest(self) -> Share {
        Share(Decimal::ONE - self.0)
    }
}

impl Mul for Share {
    type Output = Share;
    fn mul(self, other: Share) -> Share {
        Share(self.0 * other.0)
    }
}

/// A price in dollars per million of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PerMillion<U> {
    dollars: Decimal,
    unit: PhantomData<U>,
}

impl<U> PerMillion<U> {
    /// So many dollars per million.
    pub fn new(dollars: Decimal) -> Self {
        PerMillion { dollars, unit: PhantomData }
    }

    /// The dollars per million.
    pub fn dollars(self) -> Decimal {
        self.dollars
    }

    fn of(self, count: u64) -> Usd {
        // The scale moves by six places, so nothing is rounded; first, so that no product on the way is larger than the
        // amount.
        Usd(self.dollars * Decimal::new(1, 6) * Decimal::from(count))
    }
}

macro_rules! priced {
    ($($unit:ident),*) => {$(
        impl Mul<$unit> for PerMillion<$unit> {
            type Output = Usd;
            fn mul(self, count: $unit) -> Usd {
                self.of(count.0)
            }
        }
    )*};
}

priced!(Tokens, WriteUnits);

/// One million read request units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReadUnits;

impl Mul<HalfReadUnits> for PerMillion<ReadUnits> {
    type Output = Usd;
    fn mul(self, halves: HalfReadUnits) -> Usd {
        Usd(self.of(halves.0).0 * Decimal::new(5, 1))
    }
}

/// A price in dollars per GB (2^30 bytes) kept for a month of 30 days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PerGbMonth(pub Decimal);

impl PerGbMonth {
    /// The price of keeping so many bytes for so many days, to twelve places.
    ///
    /// # Errors
    /// Above 10^18 dollars.
    pub fn keep(self, bytes: Bytes, days: Days) -> Result<Usd> {
        let gb_months = Decimal::from(bytes.0) / Decimal::from(1u64 << 30);
        let gb_months = Usd(gb_months).times(days.0.into())?.0 / Decimal::from(30);
        Ok(Usd(Usd(self.0).times(gb_months)?.0.round_dp(12)))
    }
}

/// A person's time in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Minutes(pub Decimal);

/// What an hour of a person's time costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct PerHour(pub Decimal);

impl Mul<Minutes> for PerHour {
    type Output = Usd;
    fn mul(self, minutes: Minutes) -> Usd {
        Usd((self.0 * minutes.0 / Decimal::from(60)).round_dp(9))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_without_trailing_zeros() {
        assert_eq!(Usd::new(Decimal::new(1250, 3)).text(), "1.25");
        assert_eq!(Usd::new(Decimal::new(-5, 1)).to_string(), "-$0.5");
        assert_eq!(format!("{:.2}", Usd::new(Decimal::new(2226600, 4))), "$222.66");
    }

    #[test]
    fn shares_stay_between_nothing_and_all() {
        assert!(Share::new(Decimal::new(-1, 2)).is_none());
        assert!(Share::new(Decimal::new(101, 2)).is_none());
        assert_eq!(Share::sampled(2.0), Share::ONE);
        assert_eq!(Share::sampled(f64::NAN).value(), Decimal::ZERO);
    }

    #[test]
    fn a_read_unit_is_two_halves() {
        let price = PerMillion::<ReadUnits>::new(Decimal::new(125, 3));
        assert_eq!((price * HalfReadUnits(2_000_000)).text(), "0.125");
    }
}
