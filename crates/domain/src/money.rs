//! Money as exact integer cents, from the form to the database (CONTRACT 4, *Stake*). Used by the ticket, the accounts
//! and the stores. Must not contain a float; intermediate results use integers of any size elsewhere.

#![deny(clippy::arithmetic_side_effects)]

use std::fmt;
use std::iter::Sum;

/// An amount in cents of the installation's only currency: `10.50` is 1050. Ledger entries may be negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Money(i64);

impl Money {
    /// The amount 0.
    pub const ZERO: Money = Money(0);

    /// The amount of this many cents.
    pub const fn from_cents(cents: i64) -> Money {
        Money(cents)
    }

    /// The amount in cents.
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// The sum; `None` on overflow.
    pub const fn checked_add(self, other: Money) -> Option<Money> {
        match self.0.checked_add(other.0) {
            Some(cents) => Some(Money(cents)),
            None => None,
        }
    }

    /// The difference; `None` on overflow.
    pub const fn checked_sub(self, other: Money) -> Option<Money> {
        match self.0.checked_sub(other.0) {
            Some(cents) => Some(Money(cents)),
            None => None,
        }
    }

    /// The same amount with the opposite sign: the other side of a ledger entry.
    pub const fn negated(self) -> Money {
        Money(self.0.saturating_neg())
    }

    /// Parses an amount of a request (CONTRACT 4, *Placing*): ASCII digits with at most 2 decimals after a point (zeros
    /// count) and at most 15 digits before it. `None` for a sign, an exponent, a blank or any other digit.
    pub fn parse(text: &str) -> Option<Money> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "00"));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !(1..=15).contains(&whole.len()) || !(1..=2).contains(&decimals.len()) || !digits(whole) || !digits(decimals)
        {
            return None;
        }
        format!("{whole}{decimals:0<2}").parse().ok().map(Money)
    }
}

/// Always two decimals and a point: `10.50`, `-0.05`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

/// Saturates at the ends of the range; a ledger never comes near them.
impl Sum for Money {
    fn sum<I: Iterator<Item = Money>>(amounts: I) -> Money {
        Money(amounts.fold(0, |sum, amount| sum.saturating_add(amount.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_amount_is_read_to_the_cent_or_not_at_all() {
        for (text, cents) in [("0", 0), ("1", 100), ("10.5", 1050), ("10.05", 1005), ("007.00", 700)] {
            assert_eq!(Money::parse(text), Some(Money(cents)), "{text}");
        }
        for text in
            ["", ".", "1.", ".5", "1.000", "-1", "+1", "1e2", " 1", "1 ", "1,5", "٣", "1.2.3", "1234567890123456"]
        {
            assert_eq!(Money::parse(text), None, "{text}");
        }
    }

    #[test]
    fn an_amount_is_written_with_two_decimals() {
        for (cents, text) in [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (123_450, "1234.50"), (-100, "-1.00")] {
            assert_eq!(Money(cents).to_string(), text);
        }
    }

    #[test]
    fn sum_saturates_at_the_ends_of_the_range() {
        for (cents, sum) in
            [(vec![], 0), (vec![5, -7, 100], 98), (vec![i64::MAX, 1], i64::MAX), (vec![i64::MIN, -1], i64::MIN)]
        {
            assert_eq!(cents.iter().copied().map(Money).sum::<Money>(), Money(sum), "{cents:?}");
        }
    }

    proptest! {
        #[test]
        fn formatted_amount_parses_back(cents in 0..1_000_000_000_000_i64) {
            prop_assert_eq!(Money::parse(&Money(cents).to_string()), Some(Money(cents)));
        }
    }
}
