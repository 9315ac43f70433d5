//! Deletes many rows in slices. A slice must be short: bets wait for it, and it has the timeout of a bet. Used by both
//! databases for expired logins, anonymous sessions and old results.

use super::StoreError;
use crate::limits::{STORE_DELETION_MS_MAX, STORE_DELETION_ROWS_MAX};
use std::future::Future;
use std::time::Duration;
use tokio::time::Instant;

/// What is deleted in slices by one statement. Of several nodes one at a time does each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deletion {
    /// Logins that have ended.
    EndedLogins,
    /// Old anonymous sessions.
    OldSessions,
}

/// What one slice did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slice {
    /// Rows that it looked at. Fewer than [`STORE_DELETION_ROWS_MAX`]: there are no more.
    pub(super) looked_at: u64,
    /// Rows that it deleted.
    pub(super) deleted: u64,
}

impl Slice {
    /// A slice that deleted all rows that it looked at.
    pub(super) fn of(deleted: u64) -> Slice {
        Slice { looked_at: deleted, deleted }
    }
}

/// The place of a result in the order of their times. Old results with bets are never deleted, so a process looks at each of
/// them once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OldResult {
    pub(super) at_ms: i64,
    pub(super) match_id: i64,
    pub(super) market_id: i64,
}

impl Default for OldResult {
    /// Before all results.
    fn default() -> OldResult {
        OldResult { at_ms: i64::MIN, match_id: 0, market_id: 0 }
    }
}

/// Deletes slices until one is not full, the time is used up, or another node is deleting (`None`). Returns the number
/// of deleted rows.
pub(super) async fn delete_in_slices<F>(mut slice: impl FnMut() -> F) -> Result<u64, StoreError>
where
    F: Future<Output = Result<Option<Slice>, StoreError>>,
{
    let begun = Instant::now();
    let mut deleted: u64 = 0;
    while let Some(slice) = slice().await? {
        deleted = deleted.saturating_add(slice.deleted);
        let is_out_of_time = begun.elapsed() >= Duration::from_millis(STORE_DELETION_MS_MAX);
        if slice.looked_at < STORE_DELETION_ROWS_MAX || is_out_of_time {
            break;
        }
    }
    Ok(deleted)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs these slices, each of which takes `seconds`. Returns the number of deleted rows, and of slices.
    async fn deleted(slices: &[Option<u64>], seconds: u64) -> (u64, usize) {
        let mut asked = 0;
        let outcome = delete_in_slices(|| {
            let slice = slices[asked];
            asked += 1;
            async move {
                tokio::time::advance(Duration::from_secs(seconds)).await;
                Ok(slice.map(Slice::of))
            }
        });
        let outcome = outcome.await.unwrap();
        (outcome, asked)
    }

    #[tokio::test(start_paused = true)]
    async fn slices_are_deleted_until_one_is_not_full_or_time_is_up_or_another_node_is_at_it() {
        let full = Some(STORE_DELETION_ROWS_MAX);
        assert_eq!(deleted(&[Some(0)], 0).await, (0, 1));
        assert_eq!(deleted(&[full, full, Some(7)], 0).await, (2 * STORE_DELETION_ROWS_MAX + 7, 3));
        assert_eq!(deleted(&[None], 0).await, (0, 1));
        assert_eq!(deleted(&[full, None], 0).await, (STORE_DELETION_ROWS_MAX, 2));
        let half_the_time = STORE_DELETION_MS_MAX / 2_000;
        assert_eq!(deleted(&[full; 9], half_the_time).await, (2 * STORE_DELETION_ROWS_MAX, 2));
    }
}
