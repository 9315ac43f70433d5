//! Time in tests. On a held clock an hour passes as soon as everybody is idle, so nothing here ever waits in earnest;
//! on a running one, what may take long is stretched by `KVOTA_TIME_FACTOR`. Called by all of the kit and by tests.
//!
//! Must never decide a test by how long something took.

use std::time::Duration;

/// The variable that stretches patience on a slow machine: `KVOTA_TIME_FACTOR=3`.
pub const TIME_FACTOR: &str = "KVOTA_TIME_FACTOR";

/// How long is waited for something that should happen.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long is listened for something that should not happen.
const SILENCE: Duration = Duration::from_millis(100);
/// How often a condition is looked at.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Holds the clock of this test: from now on time passes only when all are idle, and then at once. For tests in memory;
/// beside real sockets the clock runs ahead of them.
pub fn hold() {
    tokio::time::pause();
}

/// Lets so much time pass on a held clock, with everything that is due in it, in its order.
pub async fn advance(by: Duration) {
    tokio::time::sleep(by).await;
}

/// Runs everything that can run without time passing. It costs a millisecond on the held clock: the smallest step, which
/// the clock makes only when nobody has anything to do.
pub async fn run_until_idle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// How long is waited for something that should happen: 3 s, times the factor.
pub fn patience() -> Duration {
    stretched(PATIENCE)
}

/// How long is listened for something that should not happen: 100 ms, times the factor.
pub fn silence() -> Duration {
    stretched(SILENCE)
}

/// A time, times the factor of the environment.
///
/// # Panics
/// Where the variable is no positive number: a test must not go on with half of what was asked for.
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
