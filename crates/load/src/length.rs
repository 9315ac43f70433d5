//! Lengths of time as users write them. Pure.

use std::time::Duration;

/// Parses a length of time: `250ms`, `30s`, `5m`, `2h`, or a number of seconds.
///
/// # Errors
/// A description of the expected form.
pub fn length(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("{text:?} is no length of time: write 250ms, 30s, 5m or 2h")),
    };
    let number = digits.parse::<f64>().ok().filter(|number| (0.0..=1e7).contains(number));
    let number = number.ok_or_else(|| format!("{text:?} is no length of time: write 250ms, 30s, 5m or 2h"))?;
    Ok(Duration::from_secs_f64(number * unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_has_a_unit_or_is_in_seconds() {
        for (text, ms) in [("250ms", 250), ("30s", 30_000), ("10", 10_000), ("1.5m", 90_000), ("2h", 7_200_000)] {
            assert_eq!(length(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "s", "-1s", "1x", "1e9s", "NaN"] {
            assert!(length(text).is_err(), "{text}");
        }
    }
}
