//! How often one connection is answered `resync null`, which costs up to 400 rows: once in a while, the requests that come
//! in between together. Used by the connection's place; must never read a clock.

use crate::domain::limits::RESYNC_ALL_EVERY_MS;
use std::time::Duration;
use tokio::time::Instant;

/// What a connection asked for and was not answered yet.
#[derive(Debug, Default)]
pub(super) struct ResyncPace {
    last: Option<Instant>,
    /// Numbers of the commands to acknowledge with the next answer. As many as a connection may send in between.
    waiting: Vec<u64>,
}

/// When a request is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// Now.
    Now,
    /// After so long: the caller sets a timer.
    After(Duration),
    /// Together with one that waits already.
    Together,
}

impl ResyncPace {
    /// A command asks for all that is watched.
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

    /// The answer is sent: the numbers of the commands it is for.
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
        let (mut pace, start) = (ResyncPace::default(), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        assert_eq!(pace.ask(1, at(0)), Turn::Now);
        assert_eq!(pace.answered(at(0)), [1]);
        assert_eq!(pace.ask(2, at(500)), Turn::After(Duration::from_millis(1_500)));
        assert_eq!([pace.ask(3, at(600)), pace.ask(4, at(700))], [Turn::Together, Turn::Together]);
        assert_eq!(pace.answered(at(2_000)), [2, 3, 4]);
        assert_eq!(pace.ask(5, at(4_000)), Turn::Now);
    }
}
