//! The wall clock of a simulated machine. It advances with the paused clock of the process, and jumps on request.

use std::cell::Cell;
use tokio::time::Instant;

thread_local! {
    static WALL_MS: Cell<i64> = const { Cell::new(0) };
    static STEADY_MS: Cell<i64> = const { Cell::new(0) };
    static BEGUN: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Called when a process starts: the paused clock counts from here.
pub(super) fn begin() {
    BEGUN.set(Some(Instant::now()));
    STEADY_MS.set(WALL_MS.get());
}

/// Called when a process ends: the wall clock continues from its current time.
pub(super) fn end() {
    set_wall(now_ms());
    BEGUN.set(None);
}

/// Sets the wall clock at the start of a process, in ms since 1970.
pub(super) fn set_wall(now_ms: i64) {
    WALL_MS.set(now_ms);
}

/// Makes the wall clock jump by this number of ms.
pub(super) fn jump(by_ms: i64) {
    WALL_MS.set(WALL_MS.get() + by_ms);
}

/// The wall clock, in ms since 1970.
pub(super) fn now_ms() -> i64 {
    WALL_MS.get() + i64::try_from(since_begin_ms()).unwrap_or(i64::MAX)
}

/// The wall clock at the start of the process, plus the time since then, without any jump. The reader of the feed
/// measures lag with it.
pub(super) fn steady_now_ms() -> i64 {
    STEADY_MS.get() + i64::try_from(since_begin_ms()).unwrap_or(i64::MAX)
}

/// Time on the paused clock since the process started, in ms.
pub(super) fn since_begin_ms() -> u64 {
    BEGUN.get().map_or(0, |begun| u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX))
}
