//! The section `protection` of the configuration: limits and exclusions of bettors (CONTRACT 9).

use super::reader::Reader;

/// Section `protection`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Protection {
    /// How long a higher limit, or the removal of a limit, waits, in ms.
    pub raise_after_ms: i64,
}

/// The longest waiting time that may be configured, in hours: 30 days.
const RAISE_AFTER_HOURS_MAX: f64 = 720.0;

pub(super) fn read_protection(reader: &mut Reader<'_>) -> Option<Protection> {
    let hours = reader.number("protection.raise_after_hours", "a number of hours from 0 to 720", |hours| {
        (0.0..=RAISE_AFTER_HOURS_MAX).contains(&hours)
    });
    // At most 2.6e9, which is exact.
    Some(Protection { raise_after_ms: (hours? * 3_600_000.0).round() as i64 })
}
