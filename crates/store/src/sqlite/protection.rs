//! Limits, exclusions and their history in SQLite. A change is one operation of the writer, as a bet is.

use super::SqliteStore;
use super::writer::Operation;
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
use sqlx::SqliteConnection;

impl ProtectionStore for SqliteStore {
    fn protection(&self, account: AccountId) -> StoreFuture<'_, Option<Protection>> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            protection_of(&mut reader, account).await
        })
    }

    fn protect(&self, account: AccountId, change: ProtectionChange, now_ms: i64) -> StoreFuture<'_, Protected> {
        Box::pin(self.writer.run(Protect { account, change, now_ms }))
    }

    fn flows(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Flows> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            flows_of(&mut reader, account, now_ms, Window::Month).await
        })
    }

    fn flows_since(&self, account: AccountId, since_ms: i64) -> StoreFuture<'_, (Money, Money)> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            let flows = flows_from(&mut reader, account, [since_ms; 3]).await?;
            Ok((flows.staked[0], flows.returned[0]))
        })
    }

    fn answer_reality_check(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, CheckAnswer> {
        Box::pin(self.writer.run(AnswerCheck { session, now_ms }))
    }

    fn history(&self, account: AccountId, before: Option<i64>, limit: u32) -> StoreFuture<'_, HistoryPage> {
        Box::pin(async move {
            let limit = page_limit(limit);
            let rows = sqlx::query(
                "SELECT id, at_ms, kind, details FROM protection_history WHERE account_id = ? AND id < ? \
                 ORDER BY id DESC LIMIT ?",
            )
            .bind(account.get())
            .bind(before.unwrap_or(i64::MAX))
            .bind(wide(limit as u64 + 1))
            .fetch_all(&self.readers)
            .await?;
            let entries = rows.iter().map(StoreRow::history_entry).collect::<Result<_, _>>()?;
            Ok(history_page(entries, limit))
        })
    }
}

struct Protect {
    account: AccountId,
    change: ProtectionChange,
    now_ms: i64,
}

impl Operation for Protect {
    type Output = Protected;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Protected, StoreError> {
        let Protect { account, change, now_ms } = self;
        let present = protection_of(connection, *account).await?;
        let present = present.ok_or_else(|| StoreError::corrupt(format!("there is no account {account}")))?;
        let Ok(Changed { protection, entries }) = change.apply(&present, *now_ms) else {
            return Ok(Protected::ShorterExclusion);
        };
        if entries.is_empty() {
            return Ok(Protected::Stored(protection));
        }
        sqlx::query("UPDATE accounts SET protection = ? WHERE id = ?")
            .bind(to_json(&protection))
            .bind(account.get())
            .execute(&mut *connection)
            .await?;
        if change.concerns_logins() {
            limit_logins(connection, *account, &protection, *now_ms).await?;
        }
        for HistoryEntry { at_ms, kind, details } in entries {
            sqlx::query("INSERT INTO protection_history (account_id, at_ms, kind, details) VALUES (?, ?, ?, ?)")
                .bind(account.get())
                .bind(at_ms)
                .bind(kind)
                .bind(details)
                .execute(&mut *connection)
                .await?;
        }
        Ok(Protected::Stored(protection))
    }
}

/// Sets the times of the logins of an account by its limits in minutes. A login of which the beginning is unknown begins
/// now.
async fn limit_logins(
    connection: &mut SqliteConnection,
    account: AccountId,
    protection: &Protection,
    now_ms: i64,
) -> Result<(), StoreError> {
    let from_zero = protection.login_times(0, None, now_ms);
    sqlx::query(
        "UPDATE logins SET created_at_ms = COALESCE(created_at_ms, ?1), ends_at_ms = COALESCE(created_at_ms, ?1) + ?2, \
         check_due_at_ms = COALESCE(checked_at_ms, created_at_ms, ?1) + ?3, \
         expires_at_ms = MIN(expires_at_ms, COALESCE(COALESCE(created_at_ms, ?1) + ?2, expires_at_ms)) \
         WHERE account_id = ?4 AND expires_at_ms > ?1",
    )
    .bind(now_ms)
    .bind(from_zero.ends_at_ms)
    .bind(from_zero.check_due_at_ms)
    .bind(account.get())
    .execute(connection)
    .await?;
    Ok(())
}

struct AnswerCheck {
    session: SessionId,
    now_ms: i64,
}

impl Operation for AnswerCheck {
    type Output = CheckAnswer;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<CheckAnswer, StoreError> {
        let AnswerCheck { session, now_ms } = *self;
        let row = sqlx::query("SELECT account_id FROM logins WHERE session_hash = ? AND expires_at_ms > ?")
            .bind(session_hash(session))
            .bind(now_ms)
            .fetch_optional(&mut *connection)
            .await?;
        let Some(row) = row else { return Ok(CheckAnswer::NoLogin) };
        let account = row.account_id(0)?;
        let protection = protection_of(connection, account).await?.unwrap_or_default();
        let answered = sqlx::query(
            "UPDATE logins SET checked_at_ms = ?1, check_due_at_ms = ?2 WHERE session_hash = ?3 AND check_due_at_ms <= ?1",
        )
        .bind(now_ms)
        .bind(protection.login_times(now_ms, None, now_ms).check_due_at_ms)
        .bind(session_hash(session))
        .execute(connection)
        .await?;
        Ok(if answered.rows_affected() == 0 { CheckAnswer::NotDue } else { CheckAnswer::Answered(account) })
    }
}

/// The limits and the exclusion of an account; `None` for an unknown account.
pub(super) async fn protection_of(
    connection: &mut SqliteConnection,
    account: AccountId,
) -> Result<Option<Protection>, StoreError> {
    let row = sqlx::query("SELECT protection FROM accounts WHERE id = ?").bind(account.get());
    row.fetch_optional(connection).await?.as_ref().map(|row| row.protection(0)).transpose()
}

/// The movements of an account in the sliding windows that end now, up to the longest one that is needed.
pub(super) async fn flows_of(
    connection: &mut SqliteConnection,
    account: AccountId,
    now_ms: i64,
    longest: Window,
) -> Result<Flows, StoreError> {
    flows_from(connection, account, window_starts(now_ms, longest)).await
}

async fn flows_from(
    connection: &mut SqliteConnection,
    account: AccountId,
    [day, week, month]: [i64; 3],
) -> Result<Flows, StoreError> {
    let question = sqlx::query(FLOWS).bind(account.get()).bind(day).bind(week).bind(month);
    let rows = question.fetch_all(connection).await?;
    let rows = rows.iter().map(|row| Ok((row.int(0)?, row.int(1)?, row.cents(2)?)));
    Ok(flows(rows.collect::<Result<Vec<_>, StoreError>>()?))
}
