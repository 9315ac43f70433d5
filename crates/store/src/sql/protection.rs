//! Limits, exclusions and their history. A change locks the account's row, as a bet does: each bet is accepted either
//! before the change or by its rules. Must not decide whether a limit is reached: the domain does.

use super::super::dialect::{Connection, Store, least, locked, locked_shared};
use super::StoreRow;
use crate::bets::page_limit;
use crate::protection::{Changed, FLOWS, flows, history_page, to_json, window_starts};
use crate::rows::{session_hash, wide};
use crate::{
    AccountId, CheckAnswer, HistoryEntry, HistoryPage, Protected, ProtectionChange, ProtectionStore, StoreError,
    StoreFuture,
};
use kvota_domain::money::Money;
use kvota_domain::protection::{Flows, Protection, Window};
use kvota_domain::session::SessionId;

impl ProtectionStore for Store {
    fn protection(&self, account: AccountId) -> StoreFuture<'_, Option<Protection>> {
        self.read(move |connection| Box::pin(protection_of(connection, account)))
    }

    fn protect(&self, account: AccountId, change: ProtectionChange, now_ms: i64) -> StoreFuture<'_, Protected> {
        self.write((account, change, now_ms), |connection, (account, change, now_ms)| {
            Box::pin(protect(connection, *account, change, *now_ms))
        })
    }

    fn flows(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Flows> {
        self.read(move |connection| Box::pin(flows_of(connection, account, now_ms, Window::Month)))
    }

    fn flows_since(&self, account: AccountId, since_ms: i64) -> StoreFuture<'_, (Money, Money)> {
        self.read(move |connection| {
            Box::pin(async move {
                let flows = flows_from(connection, account, [since_ms; 3]).await?;
                Ok((flows.staked[0], flows.returned[0]))
            })
        })
    }

    fn answer_reality_check(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, CheckAnswer> {
        self.write((session, now_ms), |connection, (session, now_ms)| {
            Box::pin(answer_reality_check(connection, *session, *now_ms))
        })
    }

    fn history(&self, account: AccountId, before: Option<i64>, limit: u32) -> StoreFuture<'_, HistoryPage> {
        self.read(move |connection| Box::pin(history(connection, account, before, page_limit(limit))))
    }
}

async fn protection_of(connection: &mut Connection, account: AccountId) -> Result<Option<Protection>, StoreError> {
    let row = sqlx::query("SELECT protection FROM accounts WHERE id = $1").bind(account.get());
    row.fetch_optional(connection).await?.as_ref().map(StoreRow::protection).transpose()
}

async fn protect(
    connection: &mut Connection,
    account: AccountId,
    change: &ProtectionChange,
    now_ms: i64,
) -> Result<Protected, StoreError> {
    let present = sqlx::query(locked!("SELECT protection FROM accounts WHERE id = $1"))
        .bind(account.get())
        .fetch_optional(&mut *connection)
        .await?;
    let present = present.ok_or_else(|| StoreError::corrupt(format!("there is no account {account}")))?;
    let Ok(Changed { protection, entries }) = change.apply(&present.protection()?, now_ms) else {
        return Ok(Protected::ShorterExclusion);
    };
    if entries.is_empty() {
        return Ok(Protected::Stored(protection));
    }
    sqlx::query("UPDATE accounts SET protection = $1 WHERE id = $2")
        .bind(to_json(&protection))
        .bind(account.get())
        .execute(&mut *connection)
        .await?;
    if change.concerns_logins() {
        limit_logins(connection, account, &protection, now_ms).await?;
    }
    for HistoryEntry { at_ms, kind, details } in entries {
        sqlx::query("INSERT INTO protection_history (account_id, at_ms, kind, details) VALUES ($1, $2, $3, $4)")
            .bind(account.get())
            .bind(at_ms)
            .bind(kind)
            .bind(details)
            .execute(&mut *connection)
            .await?;
    }
    Ok(Protected::Stored(protection))
}

/// Sets the times of the logins of an account by its limits in minutes. A login of which the beginning is unknown begins
/// now.
async fn limit_logins(
    connection: &mut Connection,
    account: AccountId,
    protection: &Protection,
    now_ms: i64,
) -> Result<(), StoreError> {
    let from_zero = protection.login_times(0, None, now_ms);
    sqlx::query(concat!(
        "UPDATE logins SET created_at_ms = COALESCE(created_at_ms, $1), ends_at_ms = COALESCE(created_at_ms, $1) + $2, \
         check_due_at_ms = COALESCE(checked_at_ms, created_at_ms, $1) + $3, expires_at_ms = ",
        least!("expires_at_ms", "COALESCE(COALESCE(created_at_ms, $1) + $2, expires_at_ms)"),
        " WHERE account_id = $4 AND expires_at_ms > $1"
    ))
    .bind(now_ms)
    .bind(from_zero.ends_at_ms)
    .bind(from_zero.check_due_at_ms)
    .bind(account.get())
    .execute(connection)
    .await?;
    Ok(())
}

async fn answer_reality_check(
    connection: &mut Connection,
    session: SessionId,
    now_ms: i64,
) -> Result<CheckAnswer, StoreError> {
    // Locks the account before the login, as a change of its limits does.
    let row = sqlx::query(locked_shared!(
        "SELECT id, protection FROM accounts WHERE id = (SELECT account_id FROM logins \
         WHERE session_hash = $1 AND expires_at_ms > $2)"
    ))
    .bind(session_hash(session))
    .bind(now_ms)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(CheckAnswer::NoLogin) };
    let account = row.account_id("id")?;
    let answered = sqlx::query(
        "UPDATE logins SET checked_at_ms = $1, check_due_at_ms = $2 \
         WHERE session_hash = $3 AND account_id = $4 AND check_due_at_ms <= $1",
    )
    .bind(now_ms)
    .bind(row.protection()?.login_times(now_ms, None, now_ms).check_due_at_ms)
    .bind(session_hash(session))
    .bind(account.get())
    .execute(connection)
    .await?;
    Ok(if answered.rows_affected() == 0 { CheckAnswer::NotDue } else { CheckAnswer::Answered(account) })
}

async fn history(
    connection: &mut Connection,
    account: AccountId,
    before: Option<i64>,
    limit: usize,
) -> Result<HistoryPage, StoreError> {
    let rows = sqlx::query(
        "SELECT id, at_ms, kind, details FROM protection_history WHERE account_id = $1 AND id < $2 \
         ORDER BY id DESC LIMIT $3",
    )
    .bind(account.get())
    .bind(before.unwrap_or(i64::MAX))
    .bind(wide(limit as u64 + 1))
    .fetch_all(connection)
    .await?;
    let entries = rows.iter().map(StoreRow::history_entry).collect::<Result<_, _>>()?;
    Ok(history_page(entries, limit))
}

/// The movements of an account in the sliding windows that end now, up to the longest one that is needed.
pub(super) async fn flows_of(
    connection: &mut Connection,
    account: AccountId,
    now_ms: i64,
    longest: Window,
) -> Result<Flows, StoreError> {
    flows_from(connection, account, window_starts(now_ms, longest)).await
}

async fn flows_from(
    connection: &mut Connection,
    account: AccountId,
    [day, week, month]: [i64; 3],
) -> Result<Flows, StoreError> {
    let question = sqlx::query(FLOWS).bind(account.get()).bind(day).bind(week).bind(month);
    let rows = question.fetch_all(connection).await?;
    let rows = rows.iter().map(|row| Ok((row.int("flow")?, row.int("span")?, row.cents("amount_cents")?)));
    Ok(flows(rows.collect::<Result<Vec<_>, StoreError>>()?))
}
