//! Time in tests. On a paused clock, time advances as soon as all tasks are idle, so nothing really waits. On a running
//! clock, `KVOTA_TIME_FACTOR` stretches time limits.
//!
//! A test must not depend on how long something took.

use std::time::Duration;

/// The environment variable that stretches time limits on a slow machine: `KVOTA_TIME_FACTOR=3`.
///
/// ```
/// assert_eq!(kvota_actor_testkit::time::TIME_FACTOR, "KVOTA_TIME_FACTOR");
/// ```
pub const TIME_FACTOR: &str = "KVOTA_TIME_FACTOR";

/// How long to wait for something that should happen.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long to wait for something that should not happen.
const SILENCE: Duration = Duration::from_millis(100);
/// How often a condition is checked.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Pauses the clock of this test: time advances only when all tasks are idle, and then at once. Only for tests in
/// memory, because with real sockets the clock would run ahead of them.
///
/// ```
/// use kvota_actor_testkit::time;
/// use std::time::Duration;
///
/// # actix::System::new().block_on(async {
/// time::pause_clock();
/// time::advance(Duration::from_secs(3600)).await; // an hour passes at once
/// # });
/// ```
pub fn pause_clock() {
    tokio::time::pause();
}

/// Advances the paused clock by this time; everything due in it runs in order.
///
/// ```
/// use kvota_actor_testkit::time;
/// use std::time::Duration;
///
/// # actix::System::new().block_on(async {
/// time::pause_clock();
/// let before = tokio::time::Instant::now();
/// time::advance(Duration::from_secs(60)).await;
/// assert_eq!(before.elapsed().as_secs(), 60);
/// # });
/// ```
pub async fn advance(by: Duration) {
    tokio::time::sleep(by).await;
}

/// Runs everything that can run now. The paused clock advances by 1 ms, its smallest step, which it takes only when all
/// tasks are idle.
///
/// ```
/// use kvota_actor_testkit::time;
/// use std::{cell::Cell, rc::Rc};
///
/// # actix::System::new().block_on(async {
/// time::pause_clock();
/// let is_done = Rc::new(Cell::new(false));
/// let of_task = Rc::clone(&is_done);
/// actix::spawn(async move { of_task.set(true) });
/// time::run_until_idle().await;
/// assert!(is_done.get());
/// # });
/// ```
pub async fn run_until_idle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// How long to wait for something that should happen: 3 s, times the factor.
///
/// ```
/// use kvota_actor_testkit::time;
///
/// assert!(time::patience() > time::silence());
/// ```
pub fn patience() -> Duration {
    stretched(PATIENCE)
}

/// How long to wait for something that should not happen: 100 ms, times the factor.
///
/// ```
/// use kvota_actor_testkit::time;
/// use std::time::Duration;
///
/// assert_eq!(time::silence(), time::stretched(Duration::from_millis(100)));
/// ```
pub fn silence() -> Duration {
    stretched(SILENCE)
}

/// A time multiplied by the factor in the environment.
///
/// ```
/// use kvota_actor_testkit::time;
/// use std::time::Duration;
///
/// assert!(!time::stretched(Duration::from_secs(1)).is_zero());
/// ```
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
