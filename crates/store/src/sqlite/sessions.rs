//! Saved sessions in SQLite. The version is checked in the writer's transaction.

use super::SqliteStore;
use super::writer::Operation;
use crate::limits::STORE_DELETION_ROWS_MAX;
use crate::rows::{StoreRow, owner_key, wide};
use crate::sessions::{before_deleted, next_version};
use crate::{SavedSession, SessionOwner, SessionSaved, SessionStore, StoreError, StoreFuture};
use sqlx::SqliteConnection;

impl SessionStore for SqliteStore {
    fn load(&self, owner: SessionOwner) -> StoreFuture<'_, Option<SavedSession>> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            load(&mut reader, &owner_key(owner).0).await
        })
    }

    fn save(&self, owner: SessionOwner, expected: u64, bytes: Vec<u8>, now_ms: i64) -> StoreFuture<'_, SessionSaved> {
        Box::pin(self.writer.run(Save { owner, expected, bytes, now_ms }))
    }

    fn delete(&self, owner: SessionOwner) -> StoreFuture<'_, bool> {
        Box::pin(async move { Ok(self.writer.run(Forget::One(owner)).await? > 0) })
    }

    fn forget_anonymous(&self, before_ms: i64, max: u64) -> StoreFuture<'_, u64> {
        Box::pin(async move {
            let newest_surplus = sqlx::query_scalar(
                "SELECT saved_at_ms FROM saved_sessions WHERE is_anonymous = 1 \
                 ORDER BY saved_at_ms DESC LIMIT 1 OFFSET ?",
            );
            let newest_surplus = newest_surplus.bind(wide(max)).fetch_optional(&self.readers).await?;
            let before_ms = before_deleted(before_ms, newest_surplus);
            self.delete(move || Forget::AnonymousBefore(before_ms)).await
        })
    }
}

async fn load(connection: &mut SqliteConnection, owner: &[u8]) -> Result<Option<SavedSession>, StoreError> {
    let found = sqlx::query("SELECT version, bytes FROM saved_sessions WHERE owner = ?")
        .bind(owner)
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(StoreRow::session).transpose()
}

struct Save {
    owner: SessionOwner,
    expected: u64,
    bytes: Vec<u8>,
    now_ms: i64,
}

impl Operation for Save {
    type Output = SessionSaved;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<SessionSaved, StoreError> {
        let (owner, is_anonymous) = owner_key(self.owner);
        let current = load(connection, &owner).await?;
        if current.as_ref().map_or(0, |saved| saved.version) != self.expected {
            return Ok(SessionSaved::Conflict(current));
        }
        let version = next_version(self.expected, self.now_ms);
        sqlx::query(
            "INSERT OR REPLACE INTO saved_sessions (owner, is_anonymous, version, bytes, saved_at_ms) \
             VALUES (?, ?, ?, ?, ?)",
        )
        .bind(owner)
        .bind(is_anonymous)
        .bind(wide(version))
        .bind(&self.bytes)
        .bind(self.now_ms)
        .execute(connection)
        .await?;
        Ok(SessionSaved::Saved(version))
    }
}

enum Forget {
    One(SessionOwner),
    AnonymousBefore(i64),
}

impl Operation for Forget {
    type Output = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        let deletion = match self {
            Forget::One(owner) => sqlx::query("DELETE FROM saved_sessions WHERE owner = ?").bind(owner_key(*owner).0),
            Forget::AnonymousBefore(before_ms) => sqlx::query(
                "DELETE FROM saved_sessions WHERE owner IN (SELECT owner FROM saved_sessions \
                 WHERE is_anonymous = 1 AND saved_at_ms < ? ORDER BY saved_at_ms LIMIT ?)",
            )
            .bind(before_ms)
            .bind(wide(STORE_DELETION_ROWS_MAX)),
        };
        Ok(deletion.execute(connection).await?.rows_affected())
    }
}
