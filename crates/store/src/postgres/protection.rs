//! Limits, exclusions and their history in PostgreSQL. A change locks the account's row, as a bet does: each bet is
//! accepted either before the change or by its rules.

use super::PostgresStore;
use crate::bets::page_limit;
use crate::protection::{Changed, FLOWS, flows, history_page, to_json, window_starts};
use crate::rows::{StoreRow, session_hash, wide};
use crate::{
    AccountId, CheckAnswer, HistoryEntry, HistoryPage, Protected, ProtectionChange, ProtectionStore, StoreError,
    StoreFuture,
};
use kvota_domain::money::Money;
use kvota_domain::protection::{Flows, Protection, Window};
use kvota_domain::session::SessionId;
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
            flows_of(&mut connection, account, now_ms, Window::Month).await
        }))
    }

    fn flows_since(&self, account: AccountId, since_ms: i64) -> StoreFuture<'_, (Money, Money)> {
        Box::pin(self.run(move |pool| async move {
            let mut connection = pool.acquire().await?;
            let flows = flows_from(&mut connection, account, [since_ms; 3]).await?;
            Ok((flows.staked[0], flows.returned[0]))
        }))
    }

    fn answer_reality_check(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, CheckAnswer> {
        Box::pin(self.run(move |pool| answer_reality_check(pool, session, now_ms)))
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
    if entries.is_empty() {
        return Ok(Protected::Stored(protection));
    }
    sqlx::query("UPDATE accounts SET protection = $1 WHERE id = $2")
        .bind(to_json(&protection))
        .bind(account.get())
        .execute(&mut *transaction)
        .await?;
    if change.concerns_logins() {
        limit_logins(&mut transaction, account, &protection, now_ms).await?;
    }
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

/// Sets the times of the logins of an account by its limits in minutes. A login of which the beginning is unknown begins
/// now.
async fn limit_logins(
    connection: &mut PgConnection,
    account: AccountId,
    protection: &Protection,
    now_ms: i64,
) -> Result<(), StoreError> {
    let from_zero = protection.login_times(0, None, now_ms);
    sqlx::query(
        "UPDATE logins SET created_at_ms = COALESCE(created_at_ms, $1), ends_at_ms = COALESCE(created_at_ms, $1) + $2, \
         check_due_at_ms = COALESCE(checked_at_ms, created_at_ms, $1) + $3, \
         expires_at_ms = LEAST(expires_at_ms, COALESCE(COALESCE(created_at_ms, $1) + $2, expires_at_ms)) \
         WHERE account_id = $4 AND expires_at_ms > $1",
    )
    .bind(now_ms)
    .bind(from_zero.ends_at_ms)
    .bind(from_zero.check_due_at_ms)
    .bind(account.get())
    .execute(connection)
    .await?;
    Ok(())
}

async fn answer_reality_check(pool: PgPool, session: SessionId, now_ms: i64) -> Result<CheckAnswer, StoreError> {
    let mut transaction = pool.begin().await?;
    // Locks the account before the login, as a change of its limits does.
    let row = sqlx::query(
        "SELECT a.id, a.protection FROM accounts a WHERE a.id = (SELECT account_id FROM logins \
         WHERE session_hash = $1 AND expires_at_ms > $2) FOR SHARE",
    )
    .bind(session_hash(session))
    .bind(now_ms)
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(row) = row else { return Ok(CheckAnswer::NoLogin) };
    let account = row.account_id(0)?;
    let answered = sqlx::query(
        "UPDATE logins SET checked_at_ms = $1, check_due_at_ms = $2 \
         WHERE session_hash = $3 AND account_id = $4 AND check_due_at_ms <= $1",
    )
    .bind(now_ms)
    .bind(row.protection(1)?.login_times(now_ms, None, now_ms).check_due_at_ms)
    .bind(session_hash(session))
    .bind(account.get())
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(if answered.rows_affected() == 0 { CheckAnswer::NotDue } else { CheckAnswer::Answered(account) })
}

/// The movements of an account in the sliding windows that end now, up to the longest one that is needed.
pub(super) async fn flows_of(
    connection: &mut PgConnection,
    account: AccountId,
    now_ms: i64,
    longest: Window,
) -> Result<Flows, StoreError> {
    flows_from(connection, account, window_starts(now_ms, longest)).await
}

async fn flows_from(
    connection: &mut PgConnection,
    account: AccountId,
    [day, week, month]: [i64; 3],
) -> Result<Flows, StoreError> {
    let question = sqlx::query(FLOWS).bind(account.get()).bind(day).bind(week).bind(month);
    let rows = question.fetch_all(connection).await?;
    let rows =
        rows.iter().map(|row| Ok((row.try_get::<i32, _>(0)?.into(), row.try_get::<i32, _>(1)?.into(), row.cents(2)?)));
    Ok(flows(rows.collect::<Result<Vec<_>, StoreError>>()?))
}
