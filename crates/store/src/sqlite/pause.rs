//! The operator's pause of betting in SQLite: one row or none. A bet reads it in its own transaction (`bets.rs`). There
//! is one writer at a time, so no bet is committed after the pause.

use super::SqliteStore;
use super::writer::Operation;
use crate::{BettingPause, StoreError, StoreFuture};
use sqlx::SqliteConnection;

impl BettingPause for SqliteStore {
    fn paused_since(&self) -> StoreFuture<'_, Option<i64>> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            Ok(sqlx::query_scalar("SELECT since_ms FROM betting_pause").fetch_optional(&mut *reader).await?)
        })
    }

    fn pause(&self, now_ms: i64) -> StoreFuture<'_, bool> {
        Box::pin(self.writer.run(Pause { now_ms }))
    }

    fn resume(&self) -> StoreFuture<'_, bool> {
        Box::pin(self.writer.run(Resume))
    }
}

struct Pause {
    now_ms: i64,
}

impl Operation for Pause {
    type Output = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, StoreError> {
        let inserted =
            sqlx::query("INSERT INTO betting_pause (is_the_one, since_ms) VALUES (1, ?) ON CONFLICT DO NOTHING")
                .bind(self.now_ms)
                .execute(connection)
                .await?;
        Ok(inserted.rows_affected() == 1)
    }
}

struct Resume;

impl Operation for Resume {
    type Output = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, StoreError> {
        let deleted = sqlx::query("DELETE FROM betting_pause").execute(connection).await?;
        Ok(deleted.rows_affected() > 0)
    }
}
