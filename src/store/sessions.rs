//! The values of the port of sessions; `mod.rs` has the port. The bytes are not looked into: the session's actor writes
//! and reads them, with a version of their own spelling inside.

use super::AccountId;
use crate::domain::session::SessionId;

/// Whose ticket and favourites.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SessionOwner {
    /// Nobody who is known. Only a hash of the id is kept, since whoever knows the id is the bettor.
    Anonymous(SessionId),
    /// A bettor, on all of his devices.
    Account(AccountId),
}

/// A session as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedSession {
    /// Grows with each saving, also over a deletion; positive. Names what a later saving stands on.
    pub version: u64,
    /// As they were handed in.
    pub bytes: Vec<u8>,
}

/// What came of [`super::SessionStore::save`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SessionSaved {
    /// Saved, as this version.
    Saved(u64),
    /// Not saved: this is there by now, or nothing any more.
    Conflict(Option<SavedSession>),
}

/// The version after `current` (0: none). Not below the time, so that a session that was forgotten and comes back does
/// not get a version that somebody still holds.
pub(super) fn next_version(current: u64, now_ms: i64) -> u64 {
    u64::try_from(now_ms).unwrap_or(0).max(current.saturating_add(1)).min(i64::MAX as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_grows_whatever_the_clock_says() {
        assert_eq!(next_version(0, 1_700), 1_700);
        assert_eq!(next_version(1_700, 1_700), 1_701);
        assert_eq!(next_version(1_700, -5), 1_701);
    }
}
