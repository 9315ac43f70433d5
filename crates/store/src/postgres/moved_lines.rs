//! Bets on markets that got another line under the same id, in PostgreSQL: they are parked, and released by an operator
//! who resets the result of the market. Must not grade a bet, nor wait for a pair while it holds another one, because
//! grading takes pairs in another order.

use super::grading::column;
use super::holdable;
use super::nodes::NOTIFY as NOTIFY_COMMAND;
use crate::rows::wide;
use crate::settlement::PARKED_AT_ONCE_MAX;
use crate::{OfferedLine, StoreError};
use kvota_domain::ids::{MarketId, MatchId};
use sqlx::PgPool;

/// Leaves out pairs that are being graded now.
pub(super) async fn park(pool: PgPool, lines: Vec<OfferedLine>) -> Result<u64, StoreError> {
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

/// The work is written first: grading takes it before the pairs.
pub(super) async fn reset_result_version(
    pool: PgPool,
    match_id: MatchId,
    market: MarketId,
) -> Result<bool, StoreError> {
    let (match_id, market_id) = (wide(match_id.get()), wide(market.get()));
    let mut transaction = pool.begin().await?;
    let reset = sqlx::query("UPDATE market_results SET version = 0 WHERE match_id = $1 AND market_id = $2")
        .bind(match_id)
        .bind(market_id)
        .execute(&mut *transaction)
        .await?;
    sqlx::query(
        "INSERT INTO settlement_work (match_id, market_id, since_ms) SELECT match_id, market_id, at_ms \
         FROM market_results r WHERE match_id = $1 AND market_id = $2 AND EXISTS (SELECT 1 FROM bet_pairs p \
         WHERE p.match_id = r.match_id AND p.market_id = r.market_id AND p.line_moved) \
         ON CONFLICT (match_id, market_id) DO UPDATE SET after_bet_id = 0",
    )
    .bind(match_id)
    .bind(market_id)
    .execute(&mut *transaction)
    .await?;
    sqlx::query("UPDATE bet_pairs SET line_moved = FALSE WHERE match_id = $1 AND market_id = $2 AND line_moved")
        .bind(match_id)
        .bind(market_id)
        .execute(&mut *transaction)
        .await?;
    // The nodes hold the result with its former version, and would ignore the right one.
    sqlx::query(NOTIFY_COMMAND).bind(format!("command R{match_id}")).execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(reset.rows_affected() > 0)
}
