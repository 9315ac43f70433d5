//! Decimals of any size (CONTRACT 4: exact means integers or rationals of any size). The only ticket file that
//! calculates with unbounded integers. Must round nothing except in [`ExactOdd::share_of`], which is the contract's
//! round2.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "unbounded integers neither overflow nor wrap; what could go wrong, a division by nothing, is excluded by type"
)]

use crate::money::Money;
use crate::price::{Price, thousandths_of};
use num_bigint::BigUint;
use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroU64;

/// An odd, or a product or sum of odds: exact, never negative, of any size. Equal numbers compare as equal, regardless
/// of how they were computed.
#[derive(Clone, Debug)]
pub struct ExactOdd {
    /// The number times `10^decimals`.
    digits: BigUint,
    decimals: u32,
}

impl ExactOdd {
    /// The number 0.
    pub fn zero() -> ExactOdd {
        ExactOdd { digits: BigUint::ZERO, decimals: 0 }
    }

    /// The number 1: the product of no odds.
    pub fn one() -> ExactOdd {
        ExactOdd { digits: BigUint::from(1_u8), decimals: 0 }
    }

    /// A number of thousandths. It can express 3.762, but not 3.7625.
    pub fn from_thousandths(thousandths: u64) -> ExactOdd {
        ExactOdd { digits: BigUint::from(thousandths), decimals: 3 }
    }

    /// A number of ten-thousandths: the shares of results (CONTRACT 7) have up to 4 decimals.
    pub fn from_ten_thousandths(ten_thousandths: u64) -> ExactOdd {
        ExactOdd { digits: BigUint::from(ten_thousandths), decimals: 4 }
    }

    /// Parses a configured number: digits with at most 3 decimals after a point.
    pub fn parse(text: &str) -> Option<ExactOdd> {
        thousandths_of(text).map(ExactOdd::from_thousandths)
    }

    /// The product of prices.
    pub fn product(prices: impl IntoIterator<Item = Price>) -> ExactOdd {
        prices.into_iter().fold(ExactOdd::one(), |product, price| product.times(&price.into()))
    }

    /// The product of two numbers.
    pub fn times(&self, other: &ExactOdd) -> ExactOdd {
        ExactOdd { digits: &self.digits * &other.digits, decimals: self.decimals.saturating_add(other.decimals) }
    }

    /// The sum of two numbers.
    pub fn plus(&self, other: &ExactOdd) -> ExactOdd {
        let decimals = self.decimals.max(other.decimals);
        ExactOdd { digits: self.scaled(decimals) + other.scaled(decimals), decimals }
    }

    /// `round2(amount / parts * self)`, half up. A negative amount counts as 0. Saturates at the largest amount,
    /// because only the rules bound odds, and the rules are configurable.
    pub fn share_of(&self, amount: Money, parts: NonZeroU64) -> Money {
        let cents = BigUint::from(u64::try_from(amount.cents()).unwrap_or(0));
        let divisor = ten_to(self.decimals) * parts.get();
        let doubled = cents * &self.digits * 2_u8;
        let rounded = (doubled + &divisor) / (divisor * 2_u8);
        Money::from_cents(i64::try_from(rounded).unwrap_or(i64::MAX))
    }

    /// The number as a fraction, not reduced: its digits, and the power of ten below them.
    pub fn as_fraction(&self) -> (BigUint, BigUint) {
        (self.digits.clone(), ten_to(self.decimals))
    }

    /// The digits with at least this many decimals.
    fn scaled(&self, decimals: u32) -> BigUint {
        &self.digits * ten_to(decimals.saturating_sub(self.decimals))
    }
}

fn ten_to(power: u32) -> BigUint {
    BigUint::from(10_u8).pow(power)
}

impl From<Price> for ExactOdd {
    fn from(price: Price) -> ExactOdd {
        ExactOdd::from_thousandths(price.thousandths().into())
    }
}

impl Default for ExactOdd {
    fn default() -> ExactOdd {
        ExactOdd::zero()
    }
}

impl Ord for ExactOdd {
    fn cmp(&self, other: &ExactOdd) -> Ordering {
        let decimals = self.decimals.max(other.decimals);
        self.scaled(decimals).cmp(&other.scaled(decimals))
    }
}

impl PartialOrd for ExactOdd {
    fn partial_cmp(&self, other: &ExactOdd) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ExactOdd {
    fn eq(&self, other: &ExactOdd) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for ExactOdd {}

/// All its digits, trailing zeros dropped: `3.7625`, `2`, `0`.
impl fmt::Display for ExactOdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = usize::try_from(self.decimals).unwrap_or(usize::MAX);
        let digits = self.digits.to_string();
        let padded = "0".repeat(width.saturating_sub(digits.len())) + &digits;
        let (whole, decimals) = padded.split_at(padded.len() - width);
        let whole = if whole.is_empty() { "0" } else { whole };
        match decimals.trim_end_matches('0') {
            "" => f.write_str(whole),
            decimals => write!(f, "{whole}.{decimals}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one_part() -> NonZeroU64 {
        NonZeroU64::MIN
    }

    #[test]
    fn a_number_is_written_to_its_last_digit() {
        let product = |prices: &[u32]| {
            ExactOdd::product(prices.iter().map(|thousandths| Price::from_thousandths(*thousandths).unwrap()))
        };
        for (prices, text) in [
            (&[1_750, 2_150][..], "3.7625"),
            (&[], "1"),
            (&[2_000], "2"),
            (&[5, 5], "0.000025"),
            (&[0, 2_000], "0"),
            (&[1_001; 3], "1.003003001"),
            (&[100_000_000; 3], "1000000000000000"),
        ] {
            assert_eq!(product(prices).to_string(), text);
        }
        assert_eq!(product(&[1_001; 30]).to_string().len(), 2 + 90, "30 odds of 3 decimals make 90 digits");
    }

    #[test]
    fn equal_numbers_compare_equal_regardless_of_computation() {
        let two = ExactOdd::from_thousandths(2_000);
        assert_eq!(two, ExactOdd::one().plus(&ExactOdd::one()));
        assert_eq!(two.times(&two), ExactOdd::from_thousandths(4_000));
        assert!(ExactOdd::zero() < ExactOdd::from_thousandths(1) && two > ExactOdd::from_thousandths(1_999));
    }

    #[test]
    fn a_share_is_rounded_half_up_once() {
        for (cents, thousandths, parts, result) in [
            (950, 3_762, 1, 3_574),         // 35.739
            (1, 1_500, 1, 2),               // 0.015
            (1, 1_499, 1, 1),               // 0.01499
            (100, 1_000, 3, 33),            // 0.333…
            (200, 1_000, 3, 67),            // 0.666…
            (-500, 2_000, 1, 0),            // there is no such stake
            (i64::MAX, 2_000, 1, i64::MAX), // held, not wrapped
        ] {
            let share = ExactOdd::from_thousandths(thousandths)
                .share_of(Money::from_cents(cents), NonZeroU64::new(parts).unwrap());
            assert_eq!(share.cents(), result, "{cents} * {thousandths} / {parts}");
        }
    }

    proptest! {
        #[test]
        fn share_matches_wide_integer_reference(cents in 0..1_i64 << 40, odd in 0..1_u64 << 40, parts in 1..1_u64 << 30) {
            let exact = i128::from(cents) * i128::from(odd);
            let divisor = 1_000 * i128::from(parts);
            let wanted = (2 * exact + divisor).div_euclid(2 * divisor);
            let share = ExactOdd::from_thousandths(odd)
                .share_of(Money::from_cents(cents), NonZeroU64::new(parts).unwrap());
            prop_assert_eq!(i128::from(share.cents()), wanted.min(i64::MAX.into()));
        }

        #[test]
        fn the_text_of_a_sum_and_of_a_product_is_exact(a in any::<u32>(), b in any::<u32>()) {
            let (left, right) = (ExactOdd::from_thousandths(a.into()), ExactOdd::from_thousandths(b.into()));
            let sum = u64::from(a) + u64::from(b);
            let sum = ExactOdd::from_thousandths(sum);
            prop_assert_eq!(left.plus(&right).to_string(), sum.to_string());
            prop_assert_eq!(ExactOdd::parse(&sum.to_string()), Some(sum));
            let one = left.share_of(Money::from_cents(1_000), one_part());
            prop_assert_eq!(one.cents(), i64::from(a));
        }
    }

    #[test]
    fn odds_with_equal_values_are_equal() {
        let of = ExactOdd::from_thousandths;
        assert_eq!(of(1_500).times(&of(2_000)), of(3_000));
        for other in [of(2_999), of(3_001), of(300), ExactOdd::zero()] {
            assert_ne!(of(3_000), other);
        }
    }
}
