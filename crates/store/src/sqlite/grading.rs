//! What SQLite does with a settlement batch in its own way: it writes all rows of a table with one statement, as JSON. Called
//! within the transaction of `sql/settlement.rs`. Must not decide the outcome of a bet: `kvota_domain::ledger` does.

use super::sql::StoreRow;
use crate::result_columns::result_as_json;
use crate::rows::account_name;
use crate::{StoreError, StoredResult, fail_point};
use kvota_domain::ids::MarketId;
use kvota_domain::ledger::{Batch, Holdings};
use kvota_domain::money::Money;
use kvota_domain::settlement::{DeadHeat, MarketResult, Settlement};
use serde_json::{Value, json};
use sqlx::SqliteConnection;
use std::collections::HashMap;

/// The money of the accounts of these bets. The only writer needs no lock.
pub(super) async fn lock(connection: &mut SqliteConnection, ids: &[i64]) -> Result<HashMap<i64, Holdings>, StoreError> {
    let question = sqlx::query(
        "SELECT id, balance_cents, receivable_cents, revision FROM accounts WHERE id IN \
         (SELECT account_id FROM bets WHERE id IN (SELECT value FROM json_each(?)))",
    );
    let found = question.bind(json!(ids).to_string()).fetch_all(connection).await?;
    found.iter().map(|row| Ok((row.int("id")?, row.holdings()?))).collect()
}

pub(super) async fn write(connection: &mut SqliteConnection, batch: &Batch, now_ms: i64) -> Result<(), StoreError> {
    if batch.bets.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO settlements (bet_id, number, at_ms, state, gross_cents, win_tax_cents, paid_cents, reason) \
         SELECT value ->> 0, value ->> 1, ?, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 FROM json_each(?)",
    )
    .bind(now_ms)
    .bind(rows(batch.settlements.iter().map(|row| {
        let Settlement { gross, win_tax, paid, .. } = row.settlement;
        json!([row.bet_id, row.number, row.state.as_str(), gross.cents(), win_tax.cents(), paid.cents(), row.reason])
    })))
    .execute(&mut *connection)
    .await?;
    fail_point::pass("settle-settlements");
    sqlx::query(
        "INSERT INTO postings (at_ms, kind, from_account, to_account, amount_cents, bettor_id, bet_id, settlement, \
         reverses_id, balance_after_cents) SELECT ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, \
         value ->> 5, value ->> 6, value ->> 7, value ->> 8 FROM json_each(?)",
    )
    .bind(now_ms)
    .bind(rows(batch.postings.iter().map(|row| {
        let (from, to) = (account_name(row.posting.from), account_name(row.posting.to));
        let balance = row.balance_after.map(Money::cents);
        json!([
            row.posting.kind.code(),
            from,
            to,
            row.posting.amount.cents(),
            row.bettor.get(),
            row.bet_id,
            row.settlement,
            row.reverses,
            balance
        ])
    })))
    .execute(&mut *connection)
    .await?;
    fail_point::pass("settle-postings");
    sqlx::query(
        "UPDATE bets SET state = new.value ->> 1, settlements = new.value ->> 2, standing = new.value ->> 3, \
         revision = new.value ->> 4 \
         FROM json_each(?) AS new WHERE bets.id = new.value ->> 0",
    )
    .bind(rows(
        batch.bets.iter().map(|row| json!([row.id, row.state.as_str(), row.settlements, row.standing, row.revision])),
    ))
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE bet_pairs SET result = new.value ->> 2, settled_at_ms = new.value ->> 3, \
         dead_heat = new.value ->> 4, reason = new.value ->> 5 \
         FROM json_each(?) AS new WHERE bet_pairs.bet_id = new.value ->> 0 AND bet_pairs.position = new.value ->> 1",
    )
    .bind(rows(batch.pairs.iter().map(|row| {
        let StoredResult { result, settled_at_ms, reason } = &row.stored;
        let dead_heat = result.dead_heat().map(DeadHeat::ten_thousandths);
        json!([row.bet_id, row.position, result.code(), settled_at_ms, dead_heat, reason])
    })))
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE accounts SET balance_cents = new.value ->> 1, receivable_cents = new.value ->> 2, \
         revision = new.value ->> 3 \
         FROM json_each(?) AS new WHERE accounts.id = new.value ->> 0",
    )
    .bind(rows(
        batch
            .accounts
            .iter()
            .map(|(id, held)| json!([id, held.balance.cents(), held.receivable.cents(), held.revision])),
    ))
    .execute(connection)
    .await?;
    fail_point::pass("settle-written");
    Ok(())
}

pub(super) fn rows(rows: impl Iterator<Item = Value>) -> String {
    Value::Array(rows.collect()).to_string()
}

/// Writes results of a match.
pub(super) async fn write_results(
    connection: &mut SqliteConnection,
    match_id: i64,
    newer: &[&MarketResult],
    now_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO market_results (match_id, market_id, version, state, odds, void_windows, reason, at_ms) \
         SELECT ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, ? FROM json_each(?) \
         WHERE true ON CONFLICT (match_id, market_id) DO UPDATE SET version = excluded.version, \
         state = excluded.state, odds = excluded.odds, void_windows = excluded.void_windows, \
         reason = excluded.reason, at_ms = excluded.at_ms",
    )
    .bind(match_id)
    .bind(now_ms)
    .bind(rows(newer.iter().map(|result| {
        let (odds, windows) = result_as_json(result);
        json!([result.market.get(), result.version, result.state.code(), odds, windows, result.reason.as_deref()])
    })))
    .execute(connection)
    .await?;
    Ok(())
}

/// Queues the settlement of these markets, if there are bets on them.
pub(super) async fn queue_work(
    connection: &mut SqliteConnection,
    match_id: i64,
    changed: &[MarketId],
    now_ms: i64,
) -> Result<(), StoreError> {
    let markets: Vec<u64> = changed.iter().map(|market| market.get()).collect();
    sqlx::query(
        "INSERT INTO settlement_work (match_id, market_id, since_ms) SELECT ?1, value, ?2 FROM json_each(?3) \
         WHERE EXISTS (SELECT 1 FROM bet_pairs p WHERE p.match_id = ?1 AND p.market_id = value) \
         ON CONFLICT (match_id, market_id) DO UPDATE SET after_bet_id = 0",
    )
    .bind(match_id)
    .bind(now_ms)
    .bind(json!(markets).to_string())
    .execute(connection)
    .await?;
    Ok(())
}
