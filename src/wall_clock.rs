//! The clocks of the program, in ms or us since the epoch. Everything else gets the time as a parameter or a function.

#![expect(clippy::disallowed_methods, reason = "hands the wall clock to everything else")]

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// The system clock, in µs since 1970: for the load tester, which needs a finer resolution than the feed's dates.
pub fn now_us() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// The system clock at the first call, plus the time since then. Later changes of the system clock do not affect it.
/// Used to measure the lag of the feed.
pub(crate) fn steady_now_ms() -> i64 {
    static START: OnceLock<(i64, tokio::time::Instant)> = OnceLock::new();
    let (start_ms, started) = START.get_or_init(|| (now_ms(), tokio::time::Instant::now()));
    start_ms.saturating_add(i64::try_from(started.elapsed().as_millis()).unwrap_or(i64::MAX))
}

pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
