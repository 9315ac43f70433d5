//! Saved sessions in PostgreSQL. A session is saved with one statement, on the condition that the stored version is
//! still the loaded one.

use super::PostgresStore;
use super::gathered::Found;
use super::locks::Lock;
use crate::rows::{StoreRow, owner_key, wide};
use crate::sessions::{before_deleted, next_version};
use crate::{SavedSession, SessionOwner, SessionSaved, SessionStore, StoreError, StoreFuture};
use sqlx::PgPool;

impl SessionStore for PostgresStore {
    fn load(&self, owner: SessionOwner) -> StoreFuture<'_, Option<SavedSession>> {
        Box::pin(self.saved_sessions.get(owner_key(owner).0))
    }

    fn save(&self, owner: SessionOwner, expected: u64, bytes: Vec<u8>, now_ms: i64) -> StoreFuture<'_, SessionSaved> {
        Box::pin(self.run(move |pool| save(pool, owner, expected, bytes, now_ms)))
    }

    fn delete(&self, owner: SessionOwner) -> StoreFuture<'_, bool> {
        Box::pin(self.run(move |pool| async move {
            let deletion = sqlx::query("DELETE FROM saved_sessions WHERE owner = $1").bind(owner_key(owner).0);
            Ok(deletion.execute(&pool).await?.rows_affected() > 0)
        }))
    }

    fn forget_anonymous(&self, before_ms: i64, max: u64) -> StoreFuture<'_, u64> {
        // Check the time again in the DELETE: a session may be saved after the inner SELECT.
        let statement = "DELETE FROM saved_sessions WHERE is_anonymous AND saved_at_ms < $1 AND owner = ANY(ARRAY(\
             SELECT owner FROM saved_sessions WHERE is_anonymous AND saved_at_ms < $1 ORDER BY saved_at_ms LIMIT $2))";
        Box::pin(async move {
            let newest_surplus = self.run(move |pool| newest_surplus(pool, max)).await?;
            let before_ms = before_deleted(before_ms, newest_surplus);
            self.delete(Lock::OldSessions, statement, before_ms).await
        })
    }
}

/// When the newest anonymous session beyond `max` was saved.
async fn newest_surplus(pool: PgPool, max: u64) -> Result<Option<i64>, StoreError> {
    let question = sqlx::query_scalar(
        "SELECT saved_at_ms FROM saved_sessions WHERE is_anonymous ORDER BY saved_at_ms DESC LIMIT 1 OFFSET $1",
    );
    Ok(question.bind(wide(max)).fetch_optional(&pool).await?)
}

/// The saved sessions of the owners with these keys.
pub(super) fn saved_sessions(pool: PgPool, owners: Vec<Vec<u8>>) -> StoreFuture<'static, Found<Vec<u8>, SavedSession>> {
    Box::pin(async move {
        let question =
            sqlx::query("SELECT version, bytes, owner FROM saved_sessions WHERE owner = ANY($1)").bind(owners);
        let rows = question.fetch_all(&pool).await?;
        rows.iter().map(|row| Ok((row.bytes(2)?, row.session()))).collect()
    })
}

async fn load(pool: PgPool, owner: Vec<u8>) -> Result<Option<SavedSession>, StoreError> {
    let question = sqlx::query("SELECT version, bytes FROM saved_sessions WHERE owner = $1").bind(owner);
    question.fetch_optional(&pool).await?.as_ref().map(StoreRow::session).transpose()
}

async fn save(
    pool: PgPool,
    owner: SessionOwner,
    expected: u64,
    bytes: Vec<u8>,
    now_ms: i64,
) -> Result<SessionSaved, StoreError> {
    let (owner, is_anonymous) = owner_key(owner);
    let version = next_version(expected, now_ms);
    let statement = if expected == 0 {
        sqlx::query(
            "INSERT INTO saved_sessions (owner, version, bytes, saved_at_ms, is_anonymous) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (owner) DO NOTHING",
        )
        .bind(&owner)
        .bind(wide(version))
        .bind(bytes)
        .bind(now_ms)
        .bind(is_anonymous)
    } else {
        sqlx::query(
            "UPDATE saved_sessions SET version = $2, bytes = $3, saved_at_ms = $4 WHERE owner = $1 AND version = $5",
        )
        .bind(&owner)
        .bind(wide(version))
        .bind(bytes)
        .bind(now_ms)
        .bind(wide(expected))
    };
    if statement.execute(&pool).await?.rows_affected() == 0 {
        return Ok(SessionSaved::Conflict(load(pool, owner).await?));
    }
    Ok(SessionSaved::Saved(version))
}
