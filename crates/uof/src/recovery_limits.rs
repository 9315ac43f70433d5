//! The provider's limits of recovery requests, counted for each producer (contract 10). A request that would break one
//! must wait.

use std::collections::VecDeque;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
/// The number of request times that are kept: more than the largest limit.
const TIMES_MAX: usize = 512;

/// How many requests are allowed in a time.
type Limit = (usize, i64);

/// Limits by the age of what is asked for.
const UNDER_HALF_AN_HOUR: [Limit; 2] = [(20, 10 * MINUTE_MS), (60, HOUR_MS)];
const UNDER_A_DAY: [Limit; 2] = [(4, 10 * MINUTE_MS), (10, HOUR_MS)];
const OLDER: [Limit; 2] = [(2, 30 * MINUTE_MS), (4, 2 * HOUR_MS)];
const SINGLE_EVENT: [Limit; 2] = [(100, 10 * MINUTE_MS), (300, HOUR_MS)];

/// What a request is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Everything of a producer since a time this long ago, in ms; `None` for all its present odds.
    Since(Option<i64>),
    /// One event.
    Event,
}

impl Asked {
    fn class(self) -> (usize, [Limit; 2]) {
        match self {
            Asked::Since(Some(age_ms)) if age_ms < 30 * MINUTE_MS => (0, UNDER_HALF_AN_HOUR),
            // The provider names no limit for present odds alone.
            Asked::Since(None) => (1, UNDER_A_DAY),
            Asked::Since(Some(age_ms)) if age_ms < 24 * HOUR_MS => (1, UNDER_A_DAY),
            Asked::Since(_) => (2, OLDER),
            Asked::Event => (3, SINGLE_EVENT),
        }
    }
}

/// The requests of a producer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecoveryLimits {
    times: [VecDeque<i64>; 4],
}

impl RecoveryLimits {
    /// When a request may be made, in ms since the epoch: now, or later.
    pub fn allowed_at(&self, asked: Asked, now_ms: i64) -> i64 {
        let (class, limits) = asked.class();
        let times = self.times.get(class);
        let earliest = limits.iter().filter_map(|(most, within_ms)| {
            // With the limit used up, its oldest request must be out of the time.
            let used = times?.iter().rev().nth(most.checked_sub(1)?)?;
            used.checked_add(*within_ms)
        });
        earliest.max().unwrap_or(now_ms).max(now_ms)
    }

    /// Notes a request.
    pub fn note(&mut self, asked: Asked, now_ms: i64) {
        if let Some(times) = self.times.get_mut(asked.class().0) {
            times.push_back(now_ms);
            if times.len() > TIMES_MAX {
                times.pop_front();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(asked: Asked, until_ms: i64) -> Vec<i64> {
        let mut limits = RecoveryLimits::default();
        let (mut now_ms, mut made) = (0, Vec::new());
        while now_ms < until_ms {
            now_ms = limits.allowed_at(asked, now_ms);
            limits.note(asked, now_ms);
            made.push(now_ms);
        }
        made
    }

    #[test]
    fn requests_keep_to_both_limits_of_their_age() {
        for (asked, [(few, short_ms), (many, long_ms)]) in [
            (Asked::Since(Some(29 * MINUTE_MS)), UNDER_HALF_AN_HOUR),
            (Asked::Since(Some(30 * MINUTE_MS)), UNDER_A_DAY),
            (Asked::Since(Some(24 * HOUR_MS)), OLDER),
            (Asked::Since(None), UNDER_A_DAY),
            (Asked::Event, SINGLE_EVENT),
        ] {
            let made = made(asked, 5 * HOUR_MS);
            for (most, within_ms) in [(few, short_ms), (many, long_ms)] {
                let windows = made.windows(most + 1);
                assert!(windows.clone().all(|times| times[most] - times[0] >= within_ms), "{asked:?}");
                assert!(made.iter().filter(|at| **at < within_ms).count() <= most);
            }
            assert!(made.len() >= 2 * many, "the limit is used: {asked:?}");
        }
    }

    #[test]
    fn ages_do_not_count_for_each_other() {
        let mut limits = RecoveryLimits::default();
        let old = Asked::Since(Some(24 * HOUR_MS));
        limits.note(old, 0);
        limits.note(old, 1);
        assert_eq!(limits.allowed_at(old, 2), 30 * MINUTE_MS);
        assert_eq!(limits.allowed_at(Asked::Since(Some(1_000)), 2), 2);
        assert_eq!(limits.allowed_at(Asked::Event, 2), 2);
    }
}
