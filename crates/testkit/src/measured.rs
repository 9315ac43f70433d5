//! Prints a measured value as a line that `make reliability` evaluates: `R25 most 4.1 50 ms, the slowest refusal`. It
//! is for values that must not decide a test, above all times. Called by the tests of scoreboard rows
//! (docs/reliability.md).
//!
//! Must not fail a test.

use std::fmt;

/// Prints a value that must be at most `limit`.
pub fn most(row: &str, what: &str, value: impl fmt::Display, limit: impl fmt::Display) {
    tell(row, "most", what, &value, &limit);
}

/// Prints a value that must be at least `limit`.
pub fn least(row: &str, what: &str, value: impl fmt::Display, limit: impl fmt::Display) {
    tell(row, "least", what, &value, &limit);
}

#[expect(clippy::print_stdout, reason = "the runner of the scoreboard reads what passing tests print")]
fn tell(row: &str, bound: &str, what: &str, value: &dyn fmt::Display, limit: &dyn fmt::Display) {
    println!("{row} {bound} {value} {limit} {what}");
}

/// Milliseconds with two decimals.
pub fn ms(time: std::time::Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1_000.0)
}

/// A number of the environment, such as `KVOTA_MANGLED=1000000`, or else the usual one.
///
/// # Panics
/// If the variable is not a number: a test must not continue with another number than the requested one.
pub fn asked_for(name: &str, usual: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}
