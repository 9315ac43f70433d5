//! Raises an alarm when too many entities of the feed are dropped: a single one is a slip, but one in a hundred means
//! that the producer uses another version of the contract. Used by `intake`, which counts and logs.
//!
//! Must never read a clock: `now` is a parameter.

use crate::limits::{DROPPED_ALARM_ENTITIES_MIN, DROPPED_ALARM_PER_CENT, DROPPED_ALARM_WINDOW_MS};
use std::time::Duration;
use tokio::time::Instant;

/// Counts the entities of the current minute.
#[derive(Debug, Default)]
pub(super) struct DropAlarm {
    began: Option<Instant>,
    entities: u64,
    dropped: u64,
    is_raised: bool,
}

/// The content of the alarm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooManyDropped {
    pub(super) entities: u64,
    pub(super) dropped: u64,
}

impl DropAlarm {
    /// Counts the entities of a message, and those of them that were dropped. Raises the alarm at most once a minute.
    pub(super) fn note(&mut self, entities: u64, dropped: u64, now: Instant) -> Option<TooManyDropped> {
        let window = Duration::from_millis(DROPPED_ALARM_WINDOW_MS);
        if self.began.is_none_or(|began| now.duration_since(began) >= window) {
            *self = DropAlarm { began: Some(now), ..DropAlarm::default() };
        }
        self.entities = self.entities.saturating_add(entities);
        self.dropped = self.dropped.saturating_add(dropped);
        let is_too_much = self.dropped.saturating_mul(100) > self.entities.saturating_mul(DROPPED_ALARM_PER_CENT);
        if self.is_raised || !is_too_much || self.entities < DROPPED_ALARM_ENTITIES_MIN {
            return None;
        }
        self.is_raised = true;
        Some(TooManyDropped { entities: self.entities, dropped: self.dropped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn more_than_one_in_a_hundred_raises_the_alarm_once_a_minute() {
        let mut alarm = DropAlarm::default();
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let raised = |entities, dropped| Some(TooManyDropped { entities, dropped });
        for (name, entities, dropped, second, expected) in [
            ("too few to judge", 50, 50, 0, None),
            ("enough", 950, 0, 1, raised(1_000, 50)),
            ("once a minute", 1_000, 1_000, 59, None),
            ("another minute", 1_000, 10, 60, None),
            ("beyond one in a hundred", 100, 2, 61, raised(1_100, 12)),
        ] {
            assert_eq!(alarm.note(entities, dropped, at(second)), expected, "{name}");
        }
    }
}
