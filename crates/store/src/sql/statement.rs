//! The statement of an account: the postings that concern the bettor's own account.

use super::super::dialect::Connection;
use super::StoreRow;
use crate::bets::page_limit;
use crate::rows::wide;
use crate::{AccountId, StatementEntry, StatementPage, StoreError, TicketId, TicketNumber};
use kvota_domain::settlement::PostingKind;

/// Which lines of a statement are read.
pub(super) struct StatementQuestion {
    pub(super) account: AccountId,
    pub(super) before: Option<i64>,
    pub(super) from_ms: Option<i64>,
    pub(super) to_ms: Option<i64>,
    pub(super) limit: u32,
}

pub(super) async fn statement(
    connection: &mut Connection,
    asked: StatementQuestion,
) -> Result<StatementPage, StoreError> {
    let limit = page_limit(asked.limit);
    let rows = sqlx::query(
        "SELECT p.id, p.at_ms, p.kind, CASE p.to_account WHEN 'bettor' THEN p.amount_cents ELSE -p.amount_cents END \
         AS change_cents, p.balance_after_cents, b.ticket_id, b.id AS bet_id FROM postings p \
         LEFT JOIN bets b ON b.id = CASE p.kind WHEN 'stake' THEN p.id ELSE p.bet_id END \
         WHERE p.bettor_id = $1 AND p.balance_after_cents IS NOT NULL AND p.id < $2 AND p.at_ms >= $3 AND p.at_ms < $4 \
         ORDER BY p.id DESC LIMIT $5",
    )
    .bind(asked.account.get())
    .bind(asked.before.unwrap_or(i64::MAX))
    .bind(asked.from_ms.unwrap_or(i64::MIN))
    .bind(asked.to_ms.unwrap_or(i64::MAX))
    .bind(wide(limit as u64 + 1))
    .fetch_all(connection)
    .await?;
    let mut entries = Vec::with_capacity(rows.len());
    for row in &rows {
        let kind = PostingKind::from_code(&row.text("kind")?);
        let (ticket_id, number) = (row.optional_text("ticket_id")?, row.optional_int("bet_id")?);
        let entry = StatementEntry {
            at_ms: row.int("at_ms")?,
            kind: kind.ok_or_else(|| StoreError::corrupt("the kind of a posting is unknown"))?,
            amount: row.cents("change_cents")?,
            balance: row.cents("balance_after_cents")?,
            ticket_id: ticket_id.as_deref().and_then(TicketId::new),
            ticket_number: number.and_then(|number| u64::try_from(number).ok()).map(TicketNumber::of),
        };
        entries.push((row.int("id")?, entry));
    }
    Ok(StatementPage::of(entries, limit))
}
