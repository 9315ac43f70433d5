//! Reads a typed stake (CONTRACT 4, *Stake*): the text becomes an amount, or the last valid stake stays. The client
//! applies the same rule in `web/src/domain/ticket/stake.ts`.

use super::rules::Limits;
use crate::money::Money;

/// Amounts with more digits before the separator are above any possible limit.
const WHOLE_DIGITS_MAX: usize = 15;

/// The stake for a typed text. Accepts the digits 0 to 9 and one separator, `.` or `,`, which is always the decimal
/// one: `1,000` is 1.00. Cut to cents, not rounded. Not a number or below the minimum: the last valid stake. Above the
/// maximum: the maximum.
pub fn stake_of(text: &str, last_valid: Money, limits: &Limits) -> Money {
    match amount_of(text) {
        Some(amount) if amount >= limits.min_stake => amount.min(limits.max_stake),
        _ => last_valid,
    }
}

/// Parses an amount, saturating at the largest one; `None` if the text is not a number.
fn amount_of(text: &str) -> Option<Money> {
    let (whole, decimals) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(decimals) || (whole.is_empty() && decimals.is_empty()) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    if whole.len() > WHOLE_DIGITS_MAX {
        return Some(Money::from_cents(i64::MAX));
    }
    // Both parts are ASCII digits here, so a byte index is a digit index.
    let cut = decimals.get(..2).unwrap_or(decimals);
    format!("{whole}{cut:0<2}").parse().ok().map(Money::from_cents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_becomes_an_amount_or_the_last_valid_one_stays() {
        let limits = Limits::default();
        let last = Money::from_cents(777);
        for (text, stake) in [
            ("10", "10.00"),
            ("10.5", "10.50"),
            ("10,5", "10.50"),
            ("1,000", "1.00"),
            ("1.000", "1.00"),
            ("1000", "1000.00"),
            ("2.999", "2.99"),
            ("2.99999999999999999999999999999999", "2.99"),
            ("5.", "5.00"),
            ("0005", "5.00"),
            ("000000000000000000000000000005", "5.00"),
            ("1", "1.00"),
            ("1000000", "1000000.00"),
            ("1000000.009", "1000000.00"),
            ("1000000.01", "1000000.00"),
            ("99999999999999999999999999999999999999", "1000000.00"),
            // Below the minimum, or not a number.
            ("0.99", "7.77"),
            ("0.999", "7.77"),
            ("0", "7.77"),
            (".5", "7.77"),
            ("", "7.77"),
            (".", "7.77"),
            (",", "7.77"),
            ("1.2.3", "7.77"),
            ("1,000.50", "7.77"),
            ("1..2", "7.77"),
            ("-5", "7.77"),
            ("+5", "7.77"),
            ("5e3", "7.77"),
            (" 5", "7.77"),
            ("5 ", "7.77"),
            ("5 000", "7.77"),
            ("5€", "7.77"),
            ("0x10", "7.77"),
            ("٣", "7.77"),
            ("３", "7.77"),
            ("NaN", "7.77"),
            ("inf", "7.77"),
        ] {
            assert_eq!(stake_of(text, last, &limits).to_string(), stake, "{text:?}");
        }
    }

    #[test]
    fn the_limits_are_the_rules() {
        let limits =
            Limits { min_stake: Money::from_cents(10), max_stake: Money::from_cents(5_000), ..Limits::default() };
        for (text, cents) in [(".5", 50), (".09", 777), (".1", 10), ("50.01", 5_000)] {
            assert_eq!(stake_of(text, Money::from_cents(777), &limits).cents(), cents, "{text}");
        }
        let without_end = Limits { max_stake: Money::from_cents(i64::MAX), ..Limits::default() };
        for (text, cents) in [("999999999999999.99", 99_999_999_999_999_999), ("1000000000000000", i64::MAX)] {
            assert_eq!(stake_of(text, Money::ZERO, &without_end).cents(), cents, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_a_stake_within_the_limits_or_the_last(text in ".*", cents in 100..=100_000_000_i64) {
            let (last, limits) = (Money::from_cents(cents), Limits::default());
            let stake = stake_of(&text, last, &limits);
            prop_assert!(limits.min_stake <= stake && stake <= limits.max_stake);
        }

        #[test]
        fn an_amount_within_the_limits_is_read_as_it_is_written(cents in 100..=100_000_000_i64, rest in "[0-9]{0,30}") {
            let amount = Money::from_cents(cents);
            prop_assert_eq!(stake_of(&format!("{amount}{rest}"), Money::ZERO, &Limits::default()), amount);
        }
    }
}
