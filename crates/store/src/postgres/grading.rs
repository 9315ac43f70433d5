//! What PostgreSQL does with a settlement batch in its own way: it locks, and writes all rows of a table with one statement, as
//! arrays. Called within the transaction of `sql/settlement.rs`. Must not decide the outcome of a bet:
//! `kvota_domain::ledger` does.

use super::dialect::holdable;
use super::sql::StoreRow;
use crate::result_columns::result_as_json;
use crate::rows::{account_name, wide};
use crate::{StoreError, fail_point};
use kvota_domain::ids::MarketId;
use kvota_domain::ledger::{Batch, Holdings};
use kvota_domain::money::Money;
use kvota_domain::settlement::MarketResult;
use sqlx::PgConnection;
use std::collections::HashMap;

/// Locks the accounts of bets and then the bets. Returns the balances of the accounts.
pub(super) async fn lock(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Holdings>, StoreError> {
    let rows = sqlx::query(
        "SELECT id, balance_cents, receivable_cents, revision FROM accounts \
         WHERE id IN (SELECT account_id FROM bets WHERE id = ANY($1)) ORDER BY id FOR NO KEY UPDATE",
    )
    .bind(ids)
    .fetch_all(&mut *connection)
    .await?;
    sqlx::query("SELECT 1 FROM bets WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE")
        .bind(ids)
        .execute(connection)
        .await?;
    rows.iter().map(|row| Ok((row.int("id")?, row.holdings()?))).collect()
}

pub(super) async fn write(connection: &mut PgConnection, batch: &Batch, now_ms: i64) -> Result<(), StoreError> {
    if batch.bets.is_empty() {
        return Ok(());
    }
    write_settlements(connection, batch, now_ms).await?;
    fail_point::pass("settle-settlements");
    write_postings(connection, batch, now_ms).await?;
    fail_point::pass("settle-postings");
    sqlx::query(
        "UPDATE bets SET state = n.state, settlements = n.settlements, standing = n.standing, revision = n.revision \
         FROM UNNEST($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) \
         AS n (id, state, settlements, standing, revision) \
         WHERE bets.id = n.id",
    )
    .bind(column(&batch.bets, |row| row.id))
    .bind(column(&batch.bets, |row| row.state.as_str()))
    .bind(column(&batch.bets, |row| i64::from(row.settlements)))
    .bind(column(&batch.bets, |row| row.standing.map(i64::from)))
    .bind(column(&batch.bets, |row| wide(row.revision)))
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE bet_pairs SET result = n.result, settled_at_ms = n.at_ms, dead_heat = n.dead_heat, reason = n.reason \
         FROM UNNEST($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[]) \
         AS n (bet_id, position, result, at_ms, dead_heat, reason) \
         WHERE bet_pairs.bet_id = n.bet_id AND bet_pairs.position = n.position",
    )
    .bind(column(&batch.pairs, |row| row.bet_id))
    .bind(column(&batch.pairs, |row| wide(row.position as u64)))
    .bind(column(&batch.pairs, |row| row.stored.result.code()))
    .bind(column(&batch.pairs, |row| row.stored.settled_at_ms))
    .bind(column(&batch.pairs, |row| row.stored.result.dead_heat().map(|share| wide(share.ten_thousandths()))))
    .bind(column(&batch.pairs, |row| row.stored.reason.as_deref().map(holdable)))
    .execute(&mut *connection)
    .await?;
    let accounts: Vec<(i64, Holdings)> = batch.accounts.iter().map(|(id, held)| (*id, *held)).collect();
    sqlx::query(
        "UPDATE accounts SET balance_cents = n.balance, receivable_cents = n.receivable, revision = n.revision \
         FROM UNNEST($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS n (id, balance, receivable, revision) \
         WHERE accounts.id = n.id",
    )
    .bind(column(&accounts, |(id, _)| *id))
    .bind(column(&accounts, |(_, held)| held.balance.cents()))
    .bind(column(&accounts, |(_, held)| held.receivable.cents()))
    .bind(column(&accounts, |(_, held)| wide(held.revision)))
    .execute(connection)
    .await?;
    fail_point::pass("settle-written");
    Ok(())
}

async fn write_settlements(connection: &mut PgConnection, batch: &Batch, now_ms: i64) -> Result<(), StoreError> {
    let rows = &batch.settlements;
    sqlx::query(
        "INSERT INTO settlements (bet_id, number, at_ms, state, gross_cents, win_tax_cents, paid_cents, reason) \
         SELECT bet_id, number, $1, state, gross, win_tax, paid, reason \
         FROM UNNEST($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[]) \
         AS n (bet_id, number, state, gross, win_tax, paid, reason)",
    )
    .bind(now_ms)
    .bind(column(rows, |row| row.bet_id))
    .bind(column(rows, |row| i64::from(row.number)))
    .bind(column(rows, |row| row.state.as_str()))
    .bind(column(rows, |row| row.settlement.gross.cents()))
    .bind(column(rows, |row| row.settlement.win_tax.cents()))
    .bind(column(rows, |row| row.settlement.paid.cents()))
    .bind(column(rows, |row| row.reason.as_deref().map(holdable)))
    .execute(connection)
    .await?;
    Ok(())
}

async fn write_postings(connection: &mut PgConnection, batch: &Batch, now_ms: i64) -> Result<(), StoreError> {
    let rows = &batch.postings;
    sqlx::query(
        "INSERT INTO postings (at_ms, kind, from_account, to_account, amount_cents, bettor_id, bet_id, settlement, \
         reverses_id, balance_after_cents) SELECT $1, kind, from_account, to_account, amount, bettor, bet, settlement, \
         reverses, balance FROM UNNEST($2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], \
         $8::bigint[], $9::bigint[], $10::bigint[]) WITH ORDINALITY \
         AS n (kind, from_account, to_account, amount, bettor, bet, settlement, reverses, balance, place) ORDER BY place",
    )
    .bind(now_ms)
    .bind(column(rows, |row| row.posting.kind.code()))
    .bind(column(rows, |row| account_name(row.posting.from)))
    .bind(column(rows, |row| account_name(row.posting.to)))
    .bind(column(rows, |row| row.posting.amount.cents()))
    .bind(column(rows, |row| row.bettor.get()))
    .bind(column(rows, |row| row.bet_id))
    .bind(column(rows, |row| row.settlement.map(i64::from)))
    .bind(column(rows, |row| row.reverses))
    .bind(column(rows, |row| row.balance_after.map(Money::cents)))
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) fn column<'a, Row, Value>(rows: &'a [Row], value: impl FnMut(&'a Row) -> Value) -> Vec<Value> {
    rows.iter().map(value).collect()
}

/// Writes results of a match.
pub(super) async fn write_results(
    connection: &mut PgConnection,
    match_id: i64,
    newer: &[&MarketResult],
    now_ms: i64,
) -> Result<(), StoreError> {
    let content: Vec<(String, String)> = newer.iter().map(|result| result_as_json(result)).collect();
    sqlx::query(
        "INSERT INTO market_results (match_id, market_id, version, state, odds, void_windows, reason, at_ms) \
         SELECT $1, market_id, version, state, odds, void_windows, reason, $2 \
         FROM UNNEST($3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[]) \
         AS n (market_id, version, state, odds, void_windows, reason) ON CONFLICT (match_id, market_id) DO UPDATE SET \
         version = excluded.version, state = excluded.state, odds = excluded.odds, \
         void_windows = excluded.void_windows, reason = excluded.reason, at_ms = excluded.at_ms",
    )
    .bind(match_id)
    .bind(now_ms)
    .bind(column(newer, |result| wide(result.market.get())))
    .bind(column(newer, |result| result.version))
    .bind(column(newer, |result| result.state.code()))
    .bind(column(&content, |(odds, _)| odds.as_str()))
    .bind(column(&content, |(_, windows)| windows.as_str()))
    .bind(column(newer, |result| result.reason.as_deref().map(holdable)))
    .execute(connection)
    .await?;
    Ok(())
}

/// Queues the settlement of these markets, if there are bets on them.
pub(super) async fn queue_work(
    connection: &mut PgConnection,
    match_id: i64,
    changed: &[MarketId],
    now_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO settlement_work (match_id, market_id, since_ms) SELECT $1, market_id, $2 \
         FROM UNNEST($3::bigint[]) AS market_id \
         WHERE EXISTS (SELECT 1 FROM bet_pairs p WHERE p.match_id = $1 AND p.market_id = market_id.market_id) \
         ON CONFLICT (match_id, market_id) DO UPDATE SET after_bet_id = 0",
    )
    .bind(match_id)
    .bind(now_ms)
    .bind(column(changed, |market| wide(market.get())))
    .execute(connection)
    .await?;
    Ok(())
}
