//! Publishing on time: calls back whenever something is due, and never earlier.

use crate::work::{Due, now_us, schedule};
use std::time::Duration;

/// Publishes for ever on this thread.
pub(crate) fn for_ever(mut publish: impl FnMut(Due, i64) -> bool) {
    let begin_us = now_us();
    for due in schedule() {
        let due_us = begin_us + i64::try_from(due.at.as_micros()).unwrap_or(i64::MAX);
        loop {
            let left = due_us - now_us();
            if left <= 0 {
                break;
            }
            std::thread::park_timeout(Duration::from_micros(left.unsigned_abs()));
        }
        if !publish(due, due_us) {
            return;
        }
    }
}
