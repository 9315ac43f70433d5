//! The wall clock of a simulated machine: it goes with the held clock of the process, and jumps when it is told to.

use std::cell::Cell;
use tokio::time::Instant;

thread_local! {
    static WALL_MS: Cell<i64> = const { Cell::new(0) };
    static STEADY_MS: Cell<i64> = const { Cell::new(0) };
    static BEGUN: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// A process begins: the held clock counts from here.
pub(super) fn begin() {
    BEGUN.set(Some(Instant::now()));
    STEADY_MS.set(WALL_MS.get());
}

/// A process ends: the wall clock goes on from where it is.
pub(super) fn end() {
    set_wall(now_ms());
    BEGUN.set(None);
}

/// The wall clock as the process begins, ms since the epoch.
pub(super) fn set_wall(now_ms: i64) {
    WALL_MS.set(now_ms);
}

/// The wall clock jumps by so many ms.
pub(super) fn jump(by_ms: i64) {
    WALL_MS.set(WALL_MS.get() + by_ms);
}

/// The wall clock, ms since the epoch.
pub(super) fn now_ms() -> i64 {
    WALL_MS.get() + i64::try_from(since_begin_ms()).unwrap_or(i64::MAX)
}

/// The wall clock as the process began, which goes on without any jump: the reader of the feed measures lag by it.
pub(super) fn steady_now_ms() -> i64 {
    STEADY_MS.get() + i64::try_from(since_begin_ms()).unwrap_or(i64::MAX)
}

/// Ms of the held clock since the process began.
pub(super) fn since_begin_ms() -> u64 {
    BEGUN.get().map_or(0, |begun| u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX))
}
