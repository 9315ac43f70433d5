//! How long to wait before the next attempt to connect.

use std::time::Duration;

/// The longest wait between two attempts.
const WAIT_MAX: Duration = Duration::from_secs(4);
/// The wait before the second attempt is at most this; it doubles from then on.
const WAIT_FIRST: Duration = Duration::from_millis(250);

/// Exponential backoff with full jitter, so that a thousand readers do not reconnect to a restarted broker at once.
#[derive(Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// A connection has ended after `time`. The backoff resets only if that was at least the longest wait, so that a
    /// broker that accepts and then closes connections is not contacted more often than one that is down.
    pub fn stood(&mut self, time: Duration) {
        if time >= WAIT_MAX {
            self.failures = 0;
        }
    }

    /// The wait after one more failure.
    pub fn next_wait(&mut self) -> Duration {
        let bound = bound(self.failures);
        self.failures = self.failures.saturating_add(1);
        // If there is no randomness, use the middle: all readers then reconnect at the same time, but they do
        // reconnect.
        let random = getrandom::u32().unwrap_or(u32::MAX / 2);
        bound.mul_f64(f64::from(random) / f64::from(u32::MAX))
    }
}

fn bound(failures: u32) -> Duration {
    WAIT_FIRST.saturating_mul(1 << failures.min(10)).min(WAIT_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_grows_to_its_bound_and_is_spread() {
        let bounds: Vec<u128> = (0..8).map(|failures| bound(failures).as_millis()).collect();
        assert_eq!(bounds, [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000]);
        let mut backoff = Backoff::default();
        let waits: Vec<Duration> = (0..40).map(|_| backoff.next_wait()).collect();
        assert!(waits.iter().all(|wait| *wait <= WAIT_MAX));
        assert!(waits.iter().collect::<std::collections::HashSet<_>>().len() > 30, "{waits:?}");
        backoff.stood(WAIT_MAX - Duration::from_millis(1));
        assert_eq!(bound(backoff.failures), WAIT_MAX);
        backoff.stood(WAIT_MAX);
        assert!(backoff.next_wait() <= WAIT_FIRST);
    }
}
