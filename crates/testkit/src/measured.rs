//! Prints figures of a test for the rows of docs/reliability.md, as lines that `make reliability` reads:
//! `R25 most 4.1 50 ms, the slowest rejection` has a limit, `R25 count 6 bombs` says how much was tested.
//!
//! Must not fail a test.

use std::fmt;

/// Prints a value that must be at most `limit`. A value above it fails the row and not the test: it is for values that
/// depend on the machine, above all times.
#[expect(clippy::print_stdout, reason = "the runner of the rows reads what passing tests print")]
pub fn most(row: &str, what: &str, value: impl fmt::Display, limit: impl fmt::Display) {
    println!("{row} most {value} {limit} {what}");
}

/// Prints how much was tested. It has no limit: the test itself fails if something is missing.
#[expect(clippy::print_stdout, reason = "the runner of the rows reads what passing tests print")]
pub fn count(row: &str, what: &str, value: impl fmt::Display) {
    println!("{row} count {value} {what}");
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
