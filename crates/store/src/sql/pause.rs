//! The operator's pause of betting: one row or none. Bets and cash-outs read it in their own transactions. In PostgreSQL a
//! bet that has read it just before the pause is committed may still commit some milliseconds later. Must not take a lock
//! against that: all bets would share that lock.

use super::super::dialect::{Connection, Store};
use crate::{BettingPause, StoreError, StoreFuture};

impl BettingPause for Store {
    fn paused_since(&self) -> StoreFuture<'_, Option<i64>> {
        self.read(|connection| Box::pin(paused_since(connection)))
    }

    fn pause(&self, now_ms: i64) -> StoreFuture<'_, bool> {
        self.write_at_once(now_ms, |connection, now_ms| Box::pin(pause(connection, *now_ms)))
    }

    fn resume(&self) -> StoreFuture<'_, bool> {
        self.write_at_once((), |connection, ()| Box::pin(resume(connection)))
    }
}

pub(super) async fn paused_since(connection: &mut Connection) -> Result<Option<i64>, StoreError> {
    Ok(sqlx::query_scalar("SELECT since_ms FROM betting_pause").fetch_optional(connection).await?)
}

async fn pause(connection: &mut Connection, now_ms: i64) -> Result<bool, StoreError> {
    let insert = "INSERT INTO betting_pause (is_the_one, since_ms) VALUES (TRUE, $1) ON CONFLICT DO NOTHING";
    Ok(sqlx::query(insert).bind(now_ms).execute(connection).await?.rows_affected() == 1)
}

async fn resume(connection: &mut Connection) -> Result<bool, StoreError> {
    Ok(sqlx::query("DELETE FROM betting_pause").execute(connection).await?.rows_affected() > 0)
}
