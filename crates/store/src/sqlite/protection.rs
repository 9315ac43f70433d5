//! Limits, exclusions and their history in SQLite. A change is one operation of the writer, as a bet is.

use super::SqliteStore;
use super::writer::Operation;
use crate::bets::page_limit;
use crate::protection::{Changed, FLOWS, flows, history_page, to_json, window_starts};
use crate::rows::{StoreRow, wide};
use crate::{
    AccountId, HistoryEntry, HistoryPage, Protected, ProtectionChange, ProtectionStore, StoreError, StoreFuture,
};
use kvota_domain::protection::{Flows, Protection};
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
            flows_of(&mut reader, account, now_ms).await
        })
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
        sqlx::query("UPDATE accounts SET protection = ? WHERE id = ?")
            .bind(to_json(&protection))
            .bind(account.get())
            .execute(&mut *connection)
            .await?;
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

async fn protection_of(
    connection: &mut SqliteConnection,
    account: AccountId,
) -> Result<Option<Protection>, StoreError> {
    let row = sqlx::query("SELECT protection FROM accounts WHERE id = ?").bind(account.get());
    row.fetch_optional(connection).await?.as_ref().map(|row| row.protection(0)).transpose()
}

/// The movements of an account in the sliding windows that end now.
pub(super) async fn flows_of(
    connection: &mut SqliteConnection,
    account: AccountId,
    now_ms: i64,
) -> Result<Flows, StoreError> {
    let [day, week, month] = window_starts(now_ms);
    let question = sqlx::query(FLOWS).bind(account.get()).bind(day).bind(week).bind(month);
    let rows = question.fetch_all(connection).await?;
    let rows = rows.iter().map(|row| Ok((row.int(0)?, row.int(1)?, row.cents(2)?)));
    Ok(flows(rows.collect::<Result<Vec<_>, StoreError>>()?))
}
