//! Parks bets on markets that got another line under the same id, in PostgreSQL. Must not grade a bet, nor wait for a pair while
//! it holds another one, because grading takes pairs in another order.

use super::PostgresStore;
use super::dialect::holdable;
use super::grading::column;
use crate::rows::wide;
use crate::settlement::PARKED_AT_ONCE_MAX;
use crate::{OfferedLine, StoreError, StoreFuture};
use sqlx::PgPool;

impl PostgresStore {
    pub(super) fn park_pairs_on_moved_lines(&self, lines: Vec<OfferedLine>) -> StoreFuture<'_, u64> {
        Box::pin(self.run(move |pool| park(pool, lines)))
    }
}

/// Leaves out pairs that are being graded now.
async fn park(pool: PgPool, lines: Vec<OfferedLine>) -> Result<u64, StoreError> {
    let parked = sqlx::query(
        "UPDATE bet_pairs p SET line_moved = TRUE FROM (SELECT q.bet_id, q.position \
         FROM UNNEST($1::bigint[], $2::bigint[], $3::text[]) AS l (match_id, market_id, sbv) \
         JOIN bet_pairs q ON q.match_id = l.match_id AND q.market_id = l.market_id WHERE q.result = 'open' \
         AND NOT q.line_moved AND COALESCE(q.sbv, '') <> l.sbv LIMIT $4 FOR UPDATE OF q SKIP LOCKED) w \
         WHERE p.bet_id = w.bet_id AND p.position = w.position",
    )
    .bind(column(&lines, |line| wide(line.match_id.get())))
    .bind(column(&lines, |line| wide(line.market_id.get())))
    .bind(column(&lines, |line| holdable(&line.sbv)))
    .bind(PARKED_AT_ONCE_MAX)
    .execute(&pool)
    .await?;
    Ok(parked.rows_affected())
}
