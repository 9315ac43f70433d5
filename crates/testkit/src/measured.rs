//! What a test measured, as a line that `make reliability` reads and judges: `R25 most 4.1 50 ms, the slowest refusal`. For
//! figures that a test itself must not be decided by, times above all. Called by the tests that hold a row of the
//! scoreboard (docs/reliability.md).
//!
//! Must never fail a test.

use std::fmt;

/// A value that may be so much at most.
pub fn most(row: &str, what: &str, value: impl fmt::Display, limit: impl fmt::Display) {
    tell(row, "most", what, &value, &limit);
}

/// A value that must be so much at least.
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

/// A number of the environment, `KVOTA_MANGLED=1000000`, else the usual one.
///
/// # Panics
/// Where the variable is no number: a test must not go on with another figure than was asked for.
pub fn asked_for(name: &str, usual: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}
