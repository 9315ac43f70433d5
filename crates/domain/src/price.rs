//! The decimal price of an odd: exact integer thousandths from the feed to the bet.

use std::fmt;

/// A decimal price in thousandths: 1.85 is `1850`. 0 means not offered. At most 100,000 (CONTRACT 0, *Types*).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Price(u32);

impl Price {
    /// Not offered.
    pub const NONE: Price = Price(0);
    /// The highest price a feed may carry, 100,000.
    pub const MAX: Price = Price(100_000_000);

    /// The price of this many thousandths; `None` above [`Price::MAX`].
    pub const fn from_thousandths(thousandths: u32) -> Option<Price> {
        if thousandths <= Price::MAX.0 { Some(Price(thousandths)) } else { None }
    }

    /// Parses a price of a request (CONTRACT 4, *Placing*): ASCII digits with at most 3 decimals after a point (zeros
    /// count). `None` for a sign, an exponent, a blank or any other digit, and above [`Price::MAX`].
    pub fn parse(text: &str) -> Option<Price> {
        Price::from_thousandths(u32::try_from(thousandths_of(text)?).ok()?)
    }

    /// The price in thousandths.
    pub const fn thousandths(self) -> u32 {
        self.0
    }

    /// Whether the odd is offered.
    pub const fn is_offered(self) -> bool {
        self.0 > 0
    }
}

/// The thousandths of a decimal number with at most 3 decimals and at most 15 digits before them.
pub(super) fn thousandths_of(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "000"));
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = (1..=15).contains(&whole.len())
        && (1..=3).contains(&decimals.len())
        && are_digits(whole)
        && are_digits(decimals);
    if is_number { format!("{whole}{decimals:0<3}").parse().ok() } else { None }
}

impl fmt::Display for Price {
    /// Three decimals, trailing zeros dropped: `1.85`, `2`, `1.005`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1000, self.0 % 1000);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let text = format!("{rest:03}");
        write!(f, "{whole}.{}", text.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_shown_without_trailing_zeros() {
        for (thousandths, text) in [(1850, "1.85"), (2000, "2"), (1005, "1.005"), (0, "0"), (100_000_000, "100000")] {
            assert_eq!(Price::from_thousandths(thousandths).unwrap().to_string(), text);
        }
        assert_eq!(Price::from_thousandths(100_000_001), None);
    }

    #[test]
    fn a_price_is_read_to_the_thousandth_or_not_at_all() {
        for (text, thousandths) in [
            ("1.85", 1850),
            ("1.850", 1850),
            ("2", 2000),
            ("0", 0),
            ("000002.5", 2500),
            ("100000", 100_000_000),
            ("100000.000", 100_000_000),
        ] {
            assert_eq!(Price::parse(text).map(Price::thousandths), Some(thousandths), "{text}");
        }
        for text in ["", ".", "1.", ".5", "1.8500", "-1", "+1", "1e2", " 1", "1,5", "٣", "1.2.3", "100000.001"] {
            assert_eq!(Price::parse(text), None, "{text}");
        }
        assert_eq!(Price::parse("9999999999999999"), None);
    }
}
