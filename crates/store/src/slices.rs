//! Deletes many rows in slices. A slice must be short: bets wait for it, and it has the timeout of a bet. Used by both
//! databases for expired logins, anonymous sessions and old results.

use super::StoreError;
use crate::limits::{STORE_DELETION_MS_MAX, STORE_DELETION_ROWS_MAX};
use std::future::Future;
use std::time::Duration;
use tokio::time::Instant;

/// Deletes slices until one is not full, the time is used up, or another node is deleting (`None`). Returns the number
/// of deleted rows.
pub(super) async fn delete_in_slices<F>(mut slice: impl FnMut() -> F) -> Result<u64, StoreError>
where
    F: Future<Output = Result<Option<u64>, StoreError>>,
{
    let begun = Instant::now();
    let mut deleted: u64 = 0;
    while let Some(count) = slice().await? {
        deleted = deleted.saturating_add(count);
        let is_out_of_time = begun.elapsed() >= Duration::from_millis(STORE_DELETION_MS_MAX);
        if count < STORE_DELETION_ROWS_MAX || is_out_of_time {
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
                Ok(slice)
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
