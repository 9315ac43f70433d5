//! How many commands or control frames a connection may send within any second. Must cost an idle connection next to
//! nothing.

use std::collections::VecDeque;
use tokio::time::Instant;

/// The limit of one kind of frames.
pub(super) struct Pace {
    per_second_max: u32,
    begun: Instant,
    /// When each of the last second was, in ms since `begun`.
    last: VecDeque<u64>,
}

impl Pace {
    pub(super) fn new(per_second_max: u32) -> Pace {
        Pace { per_second_max, begun: Instant::now(), last: VecDeque::new() }
    }

    /// Whether there may be one more now.
    pub(super) fn allows(&mut self, now: Instant) -> bool {
        let now_ms = now.saturating_duration_since(self.begun).as_millis() as u64;
        let is_past = |then: &u64| now_ms.saturating_sub(*then) >= 1000;
        while self.last.front().is_some_and(is_past) {
            self.last.pop_front();
        }
        let is_allowed = self.last.len() < self.per_second_max as usize;
        if is_allowed {
            self.last.push_back(now_ms);
        }
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn no_second_has_more_wherever_it_begins() {
        let mut pace = Pace::new(50);
        let begun = Instant::now();
        let mut allowed = |ms: u64, number: usize| {
            let now = begun + Duration::from_millis(ms);
            (0..number).filter(|_| pace.allows(now)).count()
        };
        assert_eq!(allowed(0, 1), 1);
        assert_eq!(allowed(950, 49), 49);
        // The first one is over a second ago, the others are not.
        assert_eq!(allowed(1_010, 50), 1);
        assert_eq!(allowed(1_960, 60), 49);
        assert_eq!(allowed(60_000, 60), 50);
    }
}
