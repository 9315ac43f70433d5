//! The work that every server does: what is published when.

use std::time::Duration;

/// Topics besides the common one.
pub(crate) const TOPICS: u32 = 200;
/// Times a second that the common topic speaks.
const COMMON_HZ: u32 = 10;
/// Bytes of a payload.
pub(crate) const PAYLOAD: usize = 256;
/// What stands in a payload before the moment at which it was due.
pub(crate) const MARK: &[u8] = b"due:";

/// Something to publish: nothing for the common topic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    /// Since the beginning.
    pub(crate) at: Duration,
    pub(crate) topic: Option<u32>,
}

/// What is to be published, for ever, in its order.
pub(crate) fn schedule() -> impl Iterator<Item = Due> {
    let second = |second: u64| {
        let at = move |part: u32, of: u32| Duration::from_secs(second) + Duration::from_secs(1) * part / of;
        let mut all: Vec<Due> = (0..TOPICS).map(|topic| Due { at: at(topic, TOPICS), topic: Some(topic) }).collect();
        // Between two topics, so that nothing is due at the very same moment.
        let common =
            (0..COMMON_HZ).map(|part| Due { at: at(2 * part * TOPICS / COMMON_HZ + 1, 2 * TOPICS), topic: None });
        all.extend(common);
        all.sort_by_key(|due| due.at);
        all
    };
    (0..).flat_map(second)
}

/// A payload that was due at this moment, microseconds since the epoch; `length` bytes of ASCII.
pub(crate) fn payload(due_us: i64, length: usize) -> String {
    format!("due:{due_us:016x}{:.<1$}", "", length - 20)
}

/// The wall clock, microseconds since the epoch.
pub(crate) fn now_us() -> i64 {
    kvota::app::now_us()
}
