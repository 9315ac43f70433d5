//! Limits, exclusions and their history in PostgreSQL. A change locks the account's row, as a bet does: each bet is
//! accepted either before the change or by its rules.

use super::PostgresStore;
use crate::bets::page_limit;
use crate::protection::{Changed, FLOWS, flows, history_page, to_json, window_starts};
use crate::rows::{StoreRow, wide};
use crate::{
    AccountId, HistoryEntry, HistoryPage, Protected, ProtectionChange, ProtectionStore, StoreError, StoreFuture,
};
use kvota_domain::protection::{Flows, Protection};
use sqlx::{PgConnection, PgPool, Row};

impl ProtectionStore for PostgresStore {
    fn protection(&self, account: AccountId) -> StoreFuture<'_, Option<Protection>> {
        Box::pin(self.run(move |pool| async move {
            let row = sqlx::query("SELECT protection FROM accounts WHERE id = $1").bind(account.get());
            row.fetch_optional(&pool).await?.as_ref().map(|row| row.protection(0)).transpose()
        }))
    }

    fn protect(&self, account: AccountId, change: ProtectionChange, now_ms: i64) -> StoreFuture<'_, Protected> {
        Box::pin(self.run(move |pool| protect(pool, account, change, now_ms)))
    }

    fn flows(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Flows> {
        Box::pin(self.run(move |pool| async move {
            let mut connection = pool.acquire().await?;
            flows_of(&mut connection, account, now_ms).await
        }))
    }

    fn history(&self, account: AccountId, before: Option<i64>, limit: u32) -> StoreFuture<'_, HistoryPage> {
        Box::pin(self.run(move |pool| async move {
            let limit = page_limit(limit);
            let rows = sqlx::query(
                "SELECT id, at_ms, kind, details FROM protection_history WHERE account_id = $1 AND id < $2 \
                 ORDER BY id DESC LIMIT $3",
            )
            .bind(account.get())
            .bind(before.unwrap_or(i64::MAX))
            .bind(wide(limit as u64 + 1))
            .fetch_all(&pool)
            .await?;
            let entries = rows.iter().map(StoreRow::history_entry).collect::<Result<_, _>>()?;
            Ok(history_page(entries, limit))
        }))
    }
}

async fn protect(
    pool: PgPool,
    account: AccountId,
    change: ProtectionChange,
    now_ms: i64,
) -> Result<Protected, StoreError> {
    let mut transaction = pool.begin().await?;
    let present = sqlx::query("SELECT protection FROM accounts WHERE id = $1 FOR NO KEY UPDATE")
        .bind(account.get())
        .fetch_optional(&mut *transaction)
        .await?;
    let present =
        present.ok_or_else(|| StoreError::corrupt(format!("there is no account {account}")))?.protection(0)?;
    let Ok(Changed { protection, entries }) = change.apply(&present, now_ms) else {
        return Ok(Protected::ShorterExclusion);
    };
    sqlx::query("UPDATE accounts SET protection = $1 WHERE id = $2")
        .bind(to_json(&protection))
        .bind(account.get())
        .execute(&mut *transaction)
        .await?;
    for HistoryEntry { at_ms, kind, details } in entries {
        sqlx::query("INSERT INTO protection_history (account_id, at_ms, kind, details) VALUES ($1, $2, $3, $4)")
            .bind(account.get())
            .bind(at_ms)
            .bind(kind)
            .bind(details)
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(Protected::Stored(protection))
}

/// The movements of an account in the sliding windows that end now.
pub(super) async fn flows_of(
    connection: &mut PgConnection,
    account: AccountId,
    now_ms: i64,
) -> Result<Flows, StoreError> {
    let [day, week, month] = window_starts(now_ms);
    let question = sqlx::query(FLOWS).bind(account.get()).bind(day).bind(week).bind(month);
    let rows = question.fetch_all(connection).await?;
    let rows =
        rows.iter().map(|row| Ok((row.try_get::<i32, _>(0)?.into(), row.try_get::<i32, _>(1)?.into(), row.cents(2)?)));
    Ok(flows(rows.collect::<Result<Vec<_>, StoreError>>()?))
}
