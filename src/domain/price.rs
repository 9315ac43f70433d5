//! The decimal price of an odd, exact: integer thousandths from the feed to the bet.

use std::fmt;

/// A decimal price in thousandths: 1.85 is `1850`. 0 means not offered. At most 100,000 (CONTRACT 0, *Types*).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Price(u32);

impl Price {
    /// Not offered.
    pub const NONE: Price = Price(0);
    /// The highest price a feed may carry, 100,000.
    pub const MAX: Price = Price(100_000_000);

    /// The price of so many thousandths, or nothing above [`Price::MAX`].
    pub const fn from_thousandths(thousandths: u32) -> Option<Price> {
        if thousandths <= Price::MAX.0 { Some(Price(thousandths)) } else { None }
    }

    /// The price in thousandths.
    pub const fn thousandths(self) -> u32 {
        self.0
    }

    /// Whether the odd is offered at all.
    pub const fn is_offered(self) -> bool {
        self.0 > 0
    }
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
}
