//! The ticket number that people read and type, such as `K7Q-4M2X`. It follows from the number of the bet, so it is unique
//! and needs no storage.

use std::fmt;

/// Letters and digits that do not look alike: no 0, O, 1, I and L.
const ALPHABET: &[u8; 31] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const LETTERS: usize = 7;
/// How many numbers there are: 31 to the power of 7, some 27 billion.
const NUMBERS: u64 = 27_512_614_111;
/// Spreads consecutive bets over all numbers. It has no common divisor with [`NUMBERS`], so no two bets share one.
const FACTOR: u64 = 9_769_211_393;
/// `FACTOR * INVERSE % NUMBERS == 1`.
const INVERSE: u64 = 17_007_224_787;

/// The number of a ticket, as people read it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TicketNumber(u64);

impl TicketNumber {
    /// The number of the bet with this id. Unique for ids below 27 billion.
    pub fn of(bet: u64) -> TicketNumber {
        let spread = u128::from(bet % NUMBERS) * u128::from(FACTOR) % u128::from(NUMBERS);
        TicketNumber(u64::try_from(spread).unwrap_or_default())
    }

    /// Reads a number, in upper or lower case, with or without the hyphen and blanks. `None` for another text.
    pub fn parse(text: &str) -> Option<TicketNumber> {
        let letters = text.bytes().filter(|byte| *byte != b'-' && *byte != b' ').map(|byte| byte.to_ascii_uppercase());
        let digits = letters.map(|letter| ALPHABET.iter().position(|known| *known == letter));
        let digits: Vec<usize> = digits.collect::<Option<_>>()?;
        (digits.len() == LETTERS).then(|| {
            TicketNumber(digits.into_iter().fold(0, |number, digit| number * ALPHABET.len() as u64 + digit as u64))
        })
    }

    /// The id of its bet.
    pub fn bet(self) -> u64 {
        let bet = u128::from(self.0) * u128::from(INVERSE) % u128::from(NUMBERS);
        u64::try_from(bet).unwrap_or_default()
    }
}

impl fmt::Display for TicketNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = [ALPHABET[0]; LETTERS];
        let mut rest = self.0;
        for letter in letters.iter_mut().rev() {
            *letter = ALPHABET[(rest % ALPHABET.len() as u64) as usize];
            rest /= ALPHABET.len() as u64;
        }
        let (first, last) = letters.split_at(3);
        write!(f, "{}-{}", String::from_utf8_lossy(first), String::from_utf8_lossy(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn consecutive_bets_have_unlike_numbers() {
        let numbers: HashSet<String> = (0..10_000).map(|bet| TicketNumber::of(bet).to_string()).collect();
        assert_eq!(numbers.len(), 10_000);
        let starts: HashSet<&str> = numbers.iter().map(|number| &number[..3]).collect();
        assert!(starts.len() > 3_000, "{}", starts.len());
    }

    #[test]
    fn a_number_is_typed_in_several_ways() {
        let number = TicketNumber::of(17);
        let text = number.to_string();
        for typed in [text.clone(), text.to_lowercase(), text.replace('-', ""), text.replace('-', " ")] {
            assert_eq!(TicketNumber::parse(&typed), Some(number), "{typed}");
        }
        for wrong in ["", "K7Q-4M2", "K7Q-4M2XX", "K0Q-4M2X", "KIQ-4M2X", "\u{10d}7Q-4M2X"] {
            assert_eq!(TicketNumber::parse(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn a_number_leads_back_to_its_bet(bet in 0..NUMBERS) {
            let number = TicketNumber::of(bet);
            prop_assert_eq!(TicketNumber::parse(&number.to_string()).map(TicketNumber::bet), Some(bet));
        }
    }
}
