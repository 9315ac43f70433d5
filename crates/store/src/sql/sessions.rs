//! Saved sessions. One is saved with one statement, on the condition that the stored version is still the loaded one.
//! Reading one is `read_session`, which PostgreSQL gathers.

use super::super::dialect::{Connection, Store, is_among, is_anonymous};
use super::StoreRow;
use crate::rows::{owner_key, wide};
use crate::sessions::{before_deleted, next_version};
use crate::slices::Deletion;
use crate::{SavedSession, SessionOwner, SessionSaved, SessionStore, StoreError, StoreFuture};

impl SessionStore for Store {
    fn load(&self, owner: SessionOwner) -> StoreFuture<'_, Option<SavedSession>> {
        self.read_session(owner_key(owner).0)
    }

    fn save(&self, owner: SessionOwner, expected: u64, bytes: Vec<u8>, now_ms: i64) -> StoreFuture<'_, SessionSaved> {
        self.write_at_once((owner, expected, bytes, now_ms), |connection, (owner, expected, bytes, now_ms)| {
            Box::pin(save(connection, *owner, *expected, bytes, *now_ms))
        })
    }

    fn delete(&self, owner: SessionOwner) -> StoreFuture<'_, bool> {
        self.write_at_once(owner_key(owner).0, |connection, owner| Box::pin(delete(connection, owner)))
    }

    fn forget_anonymous(&self, before_ms: i64, max: u64) -> StoreFuture<'_, u64> {
        // The time is checked again: a session may be saved after the inner question.
        let statement = concat!(
            "DELETE FROM saved_sessions WHERE saved_at_ms < $1 AND ",
            is_among!(
                "owner",
                concat!(
                    "SELECT owner FROM saved_sessions WHERE ",
                    is_anonymous!(),
                    " AND saved_at_ms < $1 ORDER BY saved_at_ms LIMIT $2"
                )
            )
        );
        Box::pin(async move {
            let newest_surplus = self.read(move |connection| Box::pin(newest_surplus(connection, max))).await?;
            let before_ms = before_deleted(before_ms, newest_surplus);
            self.delete(Deletion::OldSessions, statement, before_ms).await
        })
    }
}

/// When the newest anonymous session beyond `max` was saved.
async fn newest_surplus(connection: &mut Connection, max: u64) -> Result<Option<i64>, StoreError> {
    let question = concat!(
        "SELECT saved_at_ms FROM saved_sessions WHERE ",
        is_anonymous!(),
        " ORDER BY saved_at_ms DESC LIMIT 1 OFFSET $1"
    );
    Ok(sqlx::query_scalar(question).bind(wide(max)).fetch_optional(connection).await?)
}

/// The saved session of the owner with this key.
pub(in super::super) async fn load(
    connection: &mut Connection,
    owner: &[u8],
) -> Result<Option<SavedSession>, StoreError> {
    let question = sqlx::query("SELECT version, bytes FROM saved_sessions WHERE owner = $1").bind(owner);
    question.fetch_optional(connection).await?.as_ref().map(StoreRow::session).transpose()
}

async fn save(
    connection: &mut Connection,
    owner: SessionOwner,
    expected: u64,
    bytes: &[u8],
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
    if statement.execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(SessionSaved::Conflict(load(connection, &owner).await?));
    }
    Ok(SessionSaved::Saved(version))
}

async fn delete(connection: &mut Connection, owner: &[u8]) -> Result<bool, StoreError> {
    let deletion = sqlx::query("DELETE FROM saved_sessions WHERE owner = $1").bind(owner);
    Ok(deletion.execute(connection).await?.rows_affected() > 0)
}
