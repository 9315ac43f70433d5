//! When a snapshot is requested. Owned by `liveness`, which knows why one is needed.
//!
//! Must never read a clock: `now_ms` is a parameter.

use crate::limits::{SNAPSHOT_PAUSE_MS, SNAPSHOT_RETRY_MS, SNAPSHOT_RETRY_MS_MAX};
use kvota_domain::lang::Lang;

/// Schedules snapshot requests. A request is sent at once, but at least [`SNAPSHOT_PAUSE_MS`] after the one before it.
/// It is repeated with a growing delay if no answer arrives or if the answer cannot be used.
#[derive(Debug)]
pub(super) struct Asking {
    next_correlation: u64,
    awaited: Option<u64>,
    asked_ms: Option<u64>,
    due_ms: Option<u64>,
    /// Requests in a row without an answer.
    unanswered: u32,
    /// Answers in a row that could not be used.
    in_vain: u32,
}

impl Asking {
    pub(super) fn new(lang: Lang) -> Asking {
        Asking {
            next_correlation: lang.index() as u64,
            awaited: None,
            asked_ms: None,
            due_ms: None,
            unanswered: 0,
            in_vain: 0,
        }
    }

    pub(super) fn due_ms(&self) -> Option<u64> {
        self.due_ms
    }

    pub(super) fn awaits(&self, correlation: u64) -> bool {
        self.awaited == Some(correlation)
    }

    /// Requests a snapshot, unless a request is pending already.
    pub(super) fn request(&mut self, now_ms: u64) {
        if self.due_ms.is_none() {
            self.begin(now_ms);
        }
    }

    /// Requests a snapshot now. Answers to earlier requests are ignored.
    pub(super) fn begin(&mut self, now_ms: u64) {
        self.end();
        self.due_ms = Some(self.not_before(now_ms, SNAPSHOT_PAUSE_MS));
    }

    /// Repeats the request after an answer that could not be used. The delay grows with each such answer in a row.
    pub(super) fn in_vain(&mut self, now_ms: u64) {
        let pause_ms = (SNAPSHOT_PAUSE_MS << self.in_vain.min(8)).min(SNAPSHOT_RETRY_MS);
        self.in_vain += 1;
        self.unanswered = 0;
        self.awaited = None;
        self.due_ms = Some(self.not_before(now_ms, pause_ms));
    }

    /// Cancels the pending request and resets the delays.
    pub(super) fn end(&mut self) {
        self.awaited = None;
        self.due_ms = None;
        self.unanswered = 0;
        self.in_vain = 0;
    }

    fn not_before(&self, now_ms: u64, pause_ms: u64) -> u64 {
        self.asked_ms.map_or(now_ms, |asked_ms| now_ms.max(asked_ms + pause_ms))
    }

    /// The correlation id of a request that must be sent now; `None` if no request is due.
    pub(super) fn ask(&mut self, now_ms: u64) -> Option<u64> {
        self.due_ms.filter(|due_ms| now_ms >= *due_ms)?;
        let correlation = self.next_correlation;
        self.next_correlation += Lang::ALL.len() as u64;
        self.awaited = Some(correlation);
        self.asked_ms = Some(now_ms);
        let retry_ms = (SNAPSHOT_RETRY_MS << self.unanswered.min(8)).min(SNAPSHOT_RETRY_MS_MAX);
        self.unanswered += 1;
        self.due_ms = Some(now_ms + retry_ms);
        Some(correlation)
    }
}
