//! Parks bets on markets that got another line under the same id, in SQLite. Must not grade a bet.

use super::SqliteStore;
use super::grading::rows;
use super::writer::Operation;
use crate::settlement::PARKED_AT_ONCE_MAX;
use crate::{OfferedLine, StoreError, StoreFuture};
use serde_json::json;
use sqlx::SqliteConnection;

impl SqliteStore {
    /// A reader finds the pairs, because bets wait for the writer and usually there are none.
    pub(super) fn park_pairs_on_moved_lines(&self, lines: Vec<OfferedLine>) -> StoreFuture<'_, u64> {
        Box::pin(self.park(lines))
    }

    async fn park(&self, lines: Vec<OfferedLine>) -> Result<u64, StoreError> {
        let pairs: Option<String> = sqlx::query_scalar(
            "SELECT json_group_array(json_array(bet_id, position)) FROM (SELECT p.bet_id, p.position FROM json_each(?) l \
             JOIN bet_pairs p ON p.match_id = l.value ->> 0 AND p.market_id = l.value ->> 1 WHERE p.result = 'open' \
             AND NOT p.line_moved AND COALESCE(p.sbv, '') <> l.value ->> 2 LIMIT ?)",
        )
        .bind(rows(lines.iter().map(|line| json!([line.match_id.get(), line.market_id.get(), line.sbv]))))
        .bind(PARKED_AT_ONCE_MAX)
        .fetch_one(&self.readers)
        .await?;
        match pairs {
            Some(pairs) if pairs != "[]" => self.writer.run(Park(pairs)).await,
            _ => Ok(0),
        }
    }
}

/// `[[bet, position]...]` as JSON.
struct Park(String);

impl Operation for Park {
    type Output = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        let park = sqlx::query(
            "UPDATE bet_pairs SET line_moved = 1 WHERE (bet_id, position) IN \
             (SELECT value ->> 0, value ->> 1 FROM json_each(?)) AND result = 'open' AND NOT line_moved",
        )
        .bind(&self.0);
        Ok(park.execute(connection).await?.rows_affected())
    }
}
