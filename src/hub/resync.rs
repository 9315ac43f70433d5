//! Limits how often one connection gets an answer to `resync null`, which costs up to 400 rows. Requests that arrive
//! within the interval are answered together. Used by the connection; must not read a clock.

use crate::hub::limits::RESYNC_ALL_EVERY_MS;
use std::time::Duration;
use tokio::time::Instant;

/// The `resync null` requests of one connection that wait for an answer.
#[derive(Debug, Default)]
pub(super) struct ResyncLimit {
    last: Option<Instant>,
    /// Numbers of the commands that the next answer acknowledges. The command rate bounds their count.
    waiting: Vec<u64>,
}

/// When a request is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// Now.
    Now,
    /// After this delay; the caller sets a timer.
    After(Duration),
    /// Together with a request that is already waiting.
    Together,
}

impl ResyncLimit {
    /// Registers a request.
    pub(super) fn ask(&mut self, n: u64, now: Instant) -> Turn {
        let is_timed = !self.waiting.is_empty();
        self.waiting.push(n);
        if is_timed {
            return Turn::Together;
        }
        let since = self.last.map_or(Duration::MAX, |last| now.saturating_duration_since(last));
        let left = Duration::from_millis(RESYNC_ALL_EVERY_MS).saturating_sub(since);
        if left.is_zero() { Turn::Now } else { Turn::After(left) }
    }

    /// Marks all waiting requests as answered; returns the numbers to acknowledge.
    pub(super) fn answered(&mut self, now: Instant) -> Vec<u64> {
        self.last = Some(now);
        std::mem::take(&mut self.waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_come_too_soon_are_answered_together() {
        let (mut pace, start) = (ResyncLimit::default(), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        assert_eq!(pace.ask(1, at(0)), Turn::Now);
        assert_eq!(pace.answered(at(0)), [1]);
        assert_eq!(pace.ask(2, at(500)), Turn::After(Duration::from_millis(1_500)));
        assert_eq!([pace.ask(3, at(600)), pace.ask(4, at(700))], [Turn::Together, Turn::Together]);
        assert_eq!(pace.answered(at(2_000)), [2, 3, 4]);
        assert_eq!(pace.ask(5, at(4_000)), Turn::Now);
    }
}
