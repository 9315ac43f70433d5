//! The types of [`super::SessionStore`]. The store must not decode the bytes of a session: only the session actor does.
//! The bytes contain the version of their encoding.

use super::AccountId;
use kvota_domain::session::SessionId;

/// The owner of a saved ticket and favourites.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SessionOwner {
    /// An anonymous bettor. Only a hash of the id is stored, because the id is a credential.
    Anonymous(SessionId),
    /// A signed-in bettor, on all devices.
    Account(AccountId),
}

/// A saved session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedSession {
    /// The version, for optimistic locking: the next save must name it. Positive; it increases with each save, even
    /// across a deletion.
    pub version: u64,
    /// The bytes as they were saved.
    pub bytes: Vec<u8>,
}

/// The outcome of [`super::SessionStore::save`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SessionSaved {
    /// Saved, with this version.
    Saved(u64),
    /// Not saved, because the stored version is another one. Contains the stored session, if there is one.
    Conflict(Option<SavedSession>),
}

/// The version after `current` (0: none). At least the time, so that a session that was deleted and is saved again does
/// not get a version that a node still has in memory.
pub(super) fn next_version(current: u64, now_ms: i64) -> u64 {
    u64::try_from(now_ms).unwrap_or(0).max(current.saturating_add(1)).min(i64::MAX as u64)
}

/// Before when anonymous sessions are deleted, given when the newest one beyond the limit was saved.
pub(super) fn before_deleted(before_ms: i64, newest_surplus_ms: Option<i64>) -> i64 {
    newest_surplus_ms.map_or(before_ms, |saved_at_ms| before_ms.max(saved_at_ms.saturating_add(1)))
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
