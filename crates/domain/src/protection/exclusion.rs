//! Times during which an account may neither bet nor deposit (CONTRACT 9). Open bets continue. Must never be shortened.

use thiserror::Error;
use time::{Date, Month, UtcDateTime};

/// The lengths of a time-out that can be chosen, in hours.
pub const TIME_OUT_HOURS: [i64; 4] = [24, 48, 168, 720];

/// The lengths of a self-exclusion that can be chosen, in months; the other choice has no end.
pub const SELF_EXCLUSION_MONTHS: [u16; 3] = [6, 12, 60];

/// How an exclusion was started.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExclusionKind {
    /// A pause of hours or days.
    TimeOut,
    /// An exclusion of months, or without an end.
    SelfExclusion,
}

impl ExclusionKind {
    /// Its name in the calls and the stores.
    pub const fn code(self) -> &'static str {
        match self {
            ExclusionKind::TimeOut => "time_out",
            ExclusionKind::SelfExclusion => "self_exclusion",
        }
    }

    /// The kind with this name.
    pub fn from_code(code: &str) -> Option<ExclusionKind> {
        [ExclusionKind::TimeOut, ExclusionKind::SelfExclusion].into_iter().find(|kind| kind.code() == code)
    }
}

/// An exclusion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exclusion {
    /// How it was started.
    pub kind: ExclusionKind,
    /// When it ends, in ms since the epoch; `None` for never.
    pub until_ms: Option<i64>,
}

/// The present exclusion lasts longer than the new one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("an exclusion cannot be shortened")]
pub struct ShorterExclusion;

impl Exclusion {
    /// Whether it is in force.
    pub fn holds(&self, now_ms: i64) -> bool {
        self.until_ms.is_none_or(|until_ms| now_ms < until_ms)
    }

    /// Whether it ends later than the other one.
    pub fn outlasts(&self, other: Exclusion) -> bool {
        match (self.until_ms, other.until_ms) {
            (None, until) => until.is_some(),
            (Some(_), None) => false,
            (Some(mine), Some(other)) => mine > other,
        }
    }
}

/// The same day and time this many months later, or the last day of a shorter month. `None` for a time that has no
/// date.
pub fn after_months(now_ms: i64, months: u16) -> Option<i64> {
    let now = UtcDateTime::from_unix_timestamp_nanos(i128::from(now_ms) * 1_000_000).ok()?;
    let month = i32::from(u8::from(now.month())) - 1 + i32::from(months);
    let (year, month) = (now.year() + month / 12, Month::try_from(u8::try_from(month % 12 + 1).ok()?).ok()?);
    let date = Date::from_calendar_date(year, month, now.day().min(month.length(year))).ok()?;
    i64::try_from(now.replace_date(date).unix_timestamp_nanos() / 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_those_of_the_calendar() {
        // 2026-08-31 12:00:00.123 UTC.
        let august = 1_788_177_600_123;
        for (months, until_ms) in [
            (6, 1_803_816_000_123),  // 2027-02-28
            (12, 1_819_713_600_123), // 2027-08-31
            (60, 1_945_944_000_123), // 2031-08-31
            (18, 1_835_438_400_123), // 2028-02-29
        ] {
            assert_eq!(after_months(august, months), Some(until_ms), "{months}");
        }
        assert_eq!(after_months(i64::MAX, 6), None);
    }

    #[test]
    fn each_kind_has_its_own_name() {
        for kind in [ExclusionKind::TimeOut, ExclusionKind::SelfExclusion] {
            assert_eq!(ExclusionKind::from_code(kind.code()), Some(kind));
        }
        assert_eq!(ExclusionKind::from_code("holiday"), None);
    }
}
