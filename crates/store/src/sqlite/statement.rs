//! The statement of an account in SQLite: the postings that concern the bettor's own account.

use super::SqliteStore;
use crate::bets::page_limit;
use crate::rows::{StoreRow, wide};
use crate::{AccountId, StatementEntry, StatementPage, StoreError, TicketId, TicketNumber};
use kvota_domain::money::Money;
use kvota_domain::settlement::PostingKind;
use sqlx::Row;

impl SqliteStore {
    pub(super) async fn statement_page(
        &self,
        account: AccountId,
        before: Option<i64>,
        (from_ms, to_ms): (Option<i64>, Option<i64>),
        limit: u32,
    ) -> Result<StatementPage, StoreError> {
        let limit = page_limit(limit);
        let rows = sqlx::query(
            "SELECT p.id, p.at_ms, p.kind, CASE p.to_account WHEN 'bettor' THEN p.amount_cents ELSE -p.amount_cents END, \
             p.balance_after_cents, b.ticket_id, b.id FROM postings p \
             LEFT JOIN bets b ON b.id = CASE p.kind WHEN 'stake' THEN p.id ELSE p.bet_id END \
             WHERE p.bettor_id = ? AND p.balance_after_cents IS NOT NULL AND p.id < ? AND p.at_ms >= ? AND p.at_ms < ? \
             ORDER BY p.id DESC LIMIT ?",
        )
        .bind(account.get())
        .bind(before.unwrap_or(i64::MAX))
        .bind(from_ms.unwrap_or(i64::MIN))
        .bind(to_ms.unwrap_or(i64::MAX))
        .bind(wide(limit as u64 + 1))
        .fetch_all(&self.readers)
        .await?;
        let mut entries = Vec::with_capacity(rows.len());
        for row in &rows {
            let kind = PostingKind::from_code(&row.text(2)?);
            let (ticket_id, number): (Option<String>, Option<i64>) = (row.try_get(5)?, row.try_get(6)?);
            let entry = StatementEntry {
                at_ms: row.int(1)?,
                kind: kind.ok_or_else(|| StoreError::corrupt("the kind of a posting is unknown"))?,
                amount: Money::from_cents(row.int(3)?),
                balance: row.cents(4)?,
                ticket_id: ticket_id.as_deref().and_then(TicketId::new),
                ticket_number: number.and_then(|number| u64::try_from(number).ok()).map(TicketNumber::of),
            };
            entries.push((row.int(0)?, entry));
        }
        Ok(StatementPage::of(entries, limit))
    }
}
