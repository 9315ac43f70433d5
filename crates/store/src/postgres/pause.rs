//! The operator's pause of betting in PostgreSQL: one row or none. A bet reads it in its own transaction (`bets.rs`). A
//! bet that has read it just before the pause is committed may still commit some milliseconds later. Must not take a
//! lock against that: all bets would share that lock.

use super::PostgresStore;
use crate::{BettingPause, StoreFuture};

impl BettingPause for PostgresStore {
    fn paused_since(&self) -> StoreFuture<'_, Option<i64>> {
        Box::pin(self.run(|pool| async move {
            Ok(sqlx::query_scalar("SELECT since_ms FROM betting_pause").fetch_optional(&pool).await?)
        }))
    }

    fn pause(&self, now_ms: i64) -> StoreFuture<'_, bool> {
        Box::pin(self.run(move |pool| async move {
            let insert = sqlx::query("INSERT INTO betting_pause (since_ms) VALUES ($1) ON CONFLICT DO NOTHING");
            Ok(insert.bind(now_ms).execute(&pool).await?.rows_affected() == 1)
        }))
    }

    fn resume(&self) -> StoreFuture<'_, bool> {
        Box::pin(self.run(|pool| async move {
            let deleted = sqlx::query("DELETE FROM betting_pause").execute(&pool).await?;
            Ok(deleted.rows_affected() > 0)
        }))
    }
}
