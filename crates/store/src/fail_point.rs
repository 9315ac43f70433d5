//! Points at which a test kills the process, to check that no bet is lost or duplicated. Only in builds with the
//! feature `testkit`; a release build must not contain them, so there `pass` does nothing.
//!
//! `KVOTA_FAIL_POINT=name` ends the process at the first bet that passes the point, `name:3` at the third. In order:
//! `before-begin`, `after-lock` (PostgreSQL), `after-read`, `after-write` (SQLite), `before-commit`,
//! `after-commit` (before the reply).

/// Ends the process if the variable names this point.
#[cfg(feature = "testkit")]
pub(super) fn pass(name: &str) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static WANTED: OnceLock<Option<(String, u32)>> = OnceLock::new();
    static PASSED: AtomicU32 = AtomicU32::new(0);
    let wanted = WANTED.get_or_init(|| {
        let text = std::env::var("KVOTA_FAIL_POINT").ok()?;
        let (name, time) = text.split_once(':').unwrap_or((&text, "1"));
        Some((name.to_owned(), time.parse().ok()?))
    });
    if let Some((wanted, time)) = wanted
        && wanted == name
        && PASSED.fetch_add(1, Ordering::Relaxed) + 1 == *time
    {
        std::process::abort();
    }
}

/// Does nothing in a release build.
#[cfg(not(feature = "testkit"))]
pub(super) fn pass(_name: &str) {}
