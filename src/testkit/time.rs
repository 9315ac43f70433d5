//! Time in tests. On a paused clock, time advances as soon as all tasks are idle, so nothing really waits. On a running
//! clock, `KVOTA_TIME_FACTOR` stretches time limits.
//!
//! A test must not depend on how long something took.

use std::time::Duration;

/// The environment variable that stretches time limits on a slow machine: `KVOTA_TIME_FACTOR=3`.
pub const TIME_FACTOR: &str = "KVOTA_TIME_FACTOR";

/// How long to wait for something that should happen.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long to wait for something that should not happen.
const SILENCE: Duration = Duration::from_millis(100);
/// How often a condition is checked.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Pauses the clock of this test: time advances only when all tasks are idle, and then at once. Only for tests in
/// memory, because with real sockets the clock would run ahead of them.
pub fn pause_clock() {
    tokio::time::pause();
}

/// Advances the paused clock by this time; everything due in it runs in order.
pub async fn advance(by: Duration) {
    tokio::time::sleep(by).await;
}

/// Runs everything that can run now. The paused clock advances by 1 ms, its smallest step, which it takes only when all
/// tasks are idle.
pub async fn run_until_idle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// How long to wait for something that should happen: 3 s, times the factor.
pub fn patience() -> Duration {
    stretched(PATIENCE)
}

/// How long to wait for something that should not happen: 100 ms, times the factor.
pub fn silence() -> Duration {
    stretched(SILENCE)
}

/// A time multiplied by the factor in the environment.
///
/// # Panics
/// The variable is not a positive number.
#[track_caller]
pub fn stretched(time: Duration) -> Duration {
    match std::env::var(TIME_FACTOR) {
        Ok(text) => time.mul_f64(factor_of(&text).unwrap_or_else(|| panic!("{TIME_FACTOR}={text} is no factor"))),
        Err(_) => time,
    }
}

fn factor_of(text: &str) -> Option<f64> {
    text.parse().ok().filter(|factor: &f64| (0.01..=1000.0).contains(factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_a_positive_number() {
        assert_eq!(factor_of("2.5"), Some(2.5));
        for text in ["", "0", "-1", "NaN", "inf", "fast"] {
            assert_eq!(factor_of(text), None, "{text}");
        }
    }
}
