//! The store of sessions with a time limit: no answer within `SESSION_STORE_MS_MAX` counts as unavailable.

use crate::actors::limits::SESSION_STORE_MS_MAX;
use kvota_store::{SavedSession, SessionOwner, SessionSaved, SessionStore, StoreError, StoreFuture};
use std::sync::Arc;
use std::time::Duration;

/// The store of sessions with a time limit. A clone shares it.
#[derive(Clone)]
pub(super) struct TimedStore(pub(super) Arc<dyn SessionStore>);

impl TimedStore {
    pub(super) async fn load(self, owner: SessionOwner) -> Result<Option<SavedSession>, StoreError> {
        with_timeout(self.0.load(owner)).await
    }

    pub(super) async fn save(
        self,
        owner: SessionOwner,
        expected: u64,
        bytes: Vec<u8>,
        now_ms: i64,
    ) -> Result<SessionSaved, StoreError> {
        with_timeout(self.0.save(owner, expected, bytes, now_ms)).await
    }

    pub(super) async fn delete(self, owner: SessionOwner) -> Result<bool, StoreError> {
        with_timeout(self.0.delete(owner)).await
    }
}

/// Waits for an answer of the store. A write that timed out may still have been done.
///
/// # Errors
/// The error of the store, or [`StoreError::Unavailable`] after `SESSION_STORE_MS_MAX`.
pub(super) async fn with_timeout<T>(asked: StoreFuture<'_, T>) -> Result<T, StoreError> {
    let late = |_| StoreError::Unavailable { cause: format!("no answer within {SESSION_STORE_MS_MAX} ms") };
    tokio::time::timeout(Duration::from_millis(SESSION_STORE_MS_MAX), asked).await.map_err(late)?
}
