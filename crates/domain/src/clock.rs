//! The clock of a match (CONTRACT 0, `time`): a reading as of a date, carried forward when it is sent on.

use super::Text;

/// The value of `time`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clock {
    /// A running clock, stored as the instant (ms since the epoch) at which it was zero. That instant is the same in
    /// every message, so an update that only repeats the clock changes nothing.
    Running {
        /// Milliseconds since the epoch.
        zero_ms: i64,
    },
    /// A stopped clock (`clockStopped`), in seconds.
    Stopped {
        /// Seconds of play.
        seconds: i64,
    },
    /// A text, shown unchanged.
    Text(Text),
}

impl Clock {
    /// A reading of `seconds` taken at `date_ms`.
    pub fn read(seconds: i64, date_ms: i64, stopped: bool) -> Clock {
        if stopped {
            Clock::Stopped { seconds }
        } else {
            Clock::Running { zero_ms: date_ms.saturating_sub(seconds.saturating_mul(1000)) }
        }
    }

    /// The seconds it shows at `date_ms`, carried forward; `None` for a text.
    pub fn seconds_at(&self, date_ms: i64) -> Option<i64> {
        match self {
            Clock::Running { zero_ms } => Some(date_ms.saturating_sub(*zero_ms).div_euclid(1000)),
            Clock::Stopped { seconds } => Some(*seconds),
            Clock::Text(_) => None,
        }
    }

    /// This reading, or the held one if both can belong to the same clock. Readings are whole seconds, so the computed
    /// zero varies by up to a second; that noise must not count as a change.
    pub fn settled(self, held: Option<&Clock>) -> Clock {
        match (&self, held) {
            (Clock::Running { zero_ms }, Some(Clock::Running { zero_ms: before }))
                if zero_ms.abs_diff(*before) < 1000 =>
            {
                Clock::Running { zero_ms: *before }
            }
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_clock_is_carried_forward() {
        let clock = Clock::read(600, 1_000_000, false);
        for (date_ms, seconds) in [(1_000_000, 600), (1_000_999, 600), (1_001_000, 601), (1_060_500, 660)] {
            assert_eq!(clock.seconds_at(date_ms), Some(seconds));
        }
        assert_eq!(Clock::read(600, 1_000_000, true).seconds_at(9_999_999), Some(600));
        assert_eq!(Clock::Text("HT".into()).seconds_at(0), None);
    }

    #[test]
    fn readings_of_one_clock_settle_on_the_first() {
        let held = Clock::read(600, 1_000_000, false);
        assert_eq!(Clock::read(601, 1_001_700, false).settled(Some(&held)), held);
        let corrected = Clock::read(602, 1_001_000, false);
        assert_eq!(corrected.clone().settled(Some(&held)), corrected, "a whole second off is a correction");
        let stopped = Clock::read(600, 1_000_000, true);
        assert_eq!(stopped.clone().settled(Some(&held)), stopped);
    }

    #[test]
    fn absurd_readings_do_not_overflow() {
        assert!(Clock::read(i64::MAX, i64::MIN, false).seconds_at(i64::MAX).is_some());
    }
}
