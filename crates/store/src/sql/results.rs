//! Reads stored results of markets, and the work of settlement that they cause. Must not grade a bet.

use super::super::dialect::{Connection, is_in, list, rows_of, unlocked_only};
use super::StoreRow;
use crate::limits::STORE_DELETION_ROWS_MAX;
use crate::rows::wide;
use crate::runtime::off_thread;
use crate::slices::OldResult;
use crate::unsettled::{FORGET_MATCH_ENDS, RESULTS_OF_UNDECIDED, UNDECIDED_MARKETS, UNDECIDED_PAIRS};
use crate::{SettlementBacklog, SettlementWork, StoreError, UnsettledBet};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::ledger::{by_match, unsettled};
use kvota_domain::settlement::{MarketResult, MatchResults, RequestedMatch};
use std::collections::HashMap;

fn work(row: &super::super::dialect::Row) -> Result<SettlementWork, StoreError> {
    Ok(SettlementWork { match_id: row.match_id()?, market_id: row.market_id()? })
}

pub(super) async fn work_of_match(
    connection: &mut Connection,
    match_id: MatchId,
) -> Result<Vec<SettlementWork>, StoreError> {
    let question = "SELECT match_id, market_id FROM settlement_work WHERE match_id = $1 ORDER BY market_id";
    let rows = sqlx::query(question).bind(wide(match_id.get())).fetch_all(connection).await?;
    rows.iter().map(work).collect()
}

pub(super) async fn waiting_work(
    connection: &mut Connection,
    before_ms: i64,
    max: u32,
) -> Result<Vec<SettlementWork>, StoreError> {
    let question = unlocked_only!(
        "SELECT match_id, market_id FROM settlement_work WHERE since_ms < $1 \
         ORDER BY since_ms, match_id, market_id LIMIT $2"
    );
    let rows = sqlx::query(question).bind(before_ms).bind(i64::from(max)).fetch_all(connection).await?;
    rows.iter().map(work).collect()
}

pub(super) async fn backlog(connection: &mut Connection) -> Result<SettlementBacklog, StoreError> {
    let row = sqlx::query(
        "SELECT (SELECT MIN(since_ms) FROM settlement_work) AS oldest_ms, \
         (SELECT COUNT(*) FROM settlement_work) AS markets, (SELECT COUNT(*) FROM settlement_set_aside) AS set_aside",
    )
    .fetch_one(connection)
    .await?;
    Ok(SettlementBacklog {
        oldest_ms: row.optional_int("oldest_ms")?,
        markets: row.unsigned("markets")?,
        set_aside: row.unsigned("set_aside")?,
    })
}

pub(super) async fn of_matches(
    connection: &mut Connection,
    matches: Vec<i64>,
) -> Result<Vec<(MatchId, MarketResult)>, StoreError> {
    let question = concat!(
        "SELECT match_id, market_id, version, state, odds, void_windows, reason FROM market_results WHERE ",
        is_in!("match_id", "$1")
    );
    let rows = sqlx::query(question).bind(list(matches)).fetch_all(connection).await?;
    rows.iter().map(StoreRow::market_result).collect()
}

/// The stored versions of the markets of a message, each with its content if that can be decoded.
pub(in super::super) async fn stored_results(
    connection: &mut Connection,
    results: &MatchResults,
) -> Result<HashMap<MarketId, (i64, Option<MarketResult>)>, StoreError> {
    let question = concat!(
        "SELECT match_id, market_id, version, state, odds, void_windows, reason FROM market_results \
         WHERE match_id = $1 AND ",
        is_in!("market_id", "$2")
    );
    let markets = list(results.markets.iter().map(|result| wide(result.market.get())));
    let question = sqlx::query(question).bind(wide(results.match_id.get())).bind(markets);
    let rows = question.fetch_all(connection).await?;
    let stored = rows.iter().map(|row| {
        let content = row.market_result().ok().map(|(_, result)| result);
        Ok((row.market_id()?, (row.int("version")?, content)))
    });
    stored.collect()
}

/// The next results from before a time, at most [`STORE_DELETION_ROWS_MAX`].
pub(in super::super) async fn next_old_results(
    connection: &mut Connection,
    after: OldResult,
    before_ms: i64,
) -> Result<Vec<OldResult>, StoreError> {
    let rows = sqlx::query(
        "SELECT at_ms, match_id, market_id FROM market_results WHERE at_ms < $1 AND at_ms >= $2 \
         AND (at_ms, match_id, market_id) > ($2, $3, $4) ORDER BY at_ms, match_id, market_id LIMIT $5",
    )
    .bind(before_ms)
    .bind(after.at_ms)
    .bind(after.match_id)
    .bind(after.market_id)
    .bind(wide(STORE_DELETION_ROWS_MAX))
    .fetch_all(connection)
    .await?;
    let old = |row: &super::super::dialect::Row| {
        Ok(OldResult { at_ms: row.int("at_ms")?, match_id: row.int("match_id")?, market_id: row.int("market_id")? })
    };
    rows.iter().map(old).collect()
}

/// The work is written first: grading takes it before the pairs.
pub(super) async fn reset_result_version(
    connection: &mut Connection,
    match_id: MatchId,
    market: MarketId,
) -> Result<bool, StoreError> {
    let (match_id, market_id) = (wide(match_id.get()), wide(market.get()));
    let reset = sqlx::query("UPDATE market_results SET version = 0 WHERE match_id = $1 AND market_id = $2")
        .bind(match_id)
        .bind(market_id)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO settlement_work (match_id, market_id, since_ms) SELECT match_id, market_id, at_ms \
         FROM market_results r WHERE match_id = $1 AND market_id = $2 AND EXISTS (SELECT 1 FROM bet_pairs p \
         WHERE p.match_id = r.match_id AND p.market_id = r.market_id AND p.line_moved) \
         ON CONFLICT (match_id, market_id) DO UPDATE SET after_bet_id = 0",
    )
    .bind(match_id)
    .bind(market_id)
    .execute(&mut *connection)
    .await?;
    sqlx::query("UPDATE bet_pairs SET line_moved = FALSE WHERE match_id = $1 AND market_id = $2 AND line_moved")
        .bind(match_id)
        .bind(market_id)
        .execute(&mut *connection)
        .await?;
    super::super::dialect::announce_reset(connection, match_id).await?;
    Ok(reset.rows_affected() > 0)
}

pub(super) async fn undecided_matches(connection: &mut Connection) -> Result<Vec<RequestedMatch>, StoreError> {
    let rows = sqlx::query(UNDECIDED_MARKETS).fetch_all(connection).await?;
    let markets = rows.iter().map(|row| Ok((row.match_id()?, row.market_id()?)));
    Ok(by_match(markets.collect::<Result<Vec<_>, StoreError>>()?))
}

pub(super) async fn note_match_ends(
    connection: &mut Connection,
    ended: &[i64],
    offered: &[i64],
    now_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(concat!(
        "INSERT INTO match_ends (match_id, ended_at_ms) SELECT value, $2 FROM ",
        rows_of!("$1"),
        " WHERE TRUE ON CONFLICT DO NOTHING"
    ))
    .bind(list(ended.iter().copied()))
    .bind(now_ms)
    .execute(&mut *connection)
    .await?;
    let back = sqlx::query(concat!("DELETE FROM match_ends WHERE ", is_in!("match_id", "$1")));
    back.bind(list(offered.iter().copied())).execute(&mut *connection).await?;
    sqlx::query(FORGET_MATCH_ENDS).execute(connection).await?;
    Ok(())
}

pub(super) async fn unsettled_bets(
    connection: &mut Connection,
    ended_before_ms: i64,
) -> Result<Vec<UnsettledBet>, StoreError> {
    let rows = sqlx::query(UNDECIDED_PAIRS).fetch_all(&mut *connection).await?;
    let results = sqlx::query(RESULTS_OF_UNDECIDED).fetch_all(connection).await?;
    // On a thread of its own: there may be many, and all orders wait for this one.
    off_thread(move || {
        let pairs = rows.iter().map(StoreRow::undecided_pair).collect::<Result<Vec<_>, StoreError>>()?;
        let results = results.iter().map(StoreRow::market_result).collect::<Result<Vec<_>, _>>()?;
        Ok(unsettled(pairs, results, ended_before_ms))
    })
    .await
}
