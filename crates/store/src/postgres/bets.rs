//! Reads bets and the answers of their keys in PostgreSQL, and stores rejections. `placing.rs` writes the bets. Must not
//! lock an account.

use super::PostgresStore;
use super::cash_outs::cash_outs_of;
use super::placing::place;
use super::protection::flows_of;
use crate::bets::{KeyPurpose, account_facts, has_match_limit, page, page_limit};
use crate::rows::{StoreRow, add_cash_outs, select_bets, select_pairs, wide, with_cash_outs, with_pairs};
use crate::{
    AccountId, Answer, BetStore, IdempotencyKey, KeepRefusal, Kept, KeyRecord, PlaceBet, Placed, StoreError,
    StoreFuture, StoredBet, TicketFilter, TicketId, TicketPage,
};
use kvota_domain::bet::{BetState, StoredSettlement, TicketNumber};
use kvota_domain::ids::MatchId;
use kvota_domain::protection::{Flow, Flows};
use kvota_domain::ticket::{AccountFacts, PlacingLimits};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, PgPool};
use std::sync::Arc;

impl BetStore for PostgresStore {
    fn place(&self, bet: PlaceBet) -> StoreFuture<'_, Placed> {
        self.placing.note();
        let (node, slots) = (self.node, Arc::clone(&self.slots));
        Box::pin(self.run(move |pool| async move {
            let (account, key) = (bet.account, bet.key);
            let placed = place(pool, node, bet).await?;
            if matches!(placed, Placed::Placed { .. }) {
                slots.remove(account, key);
            }
            Ok(placed)
        }))
    }

    fn keep_refusal(&self, refusal: KeepRefusal) -> StoreFuture<'_, Kept> {
        Box::pin(self.run(move |pool| async move {
            let KeepRefusal { account, key, digest, answer, purpose, now_ms } = refusal;
            let mut connection = pool.acquire().await?;
            if insert_answer(&mut connection, account, key, (&digest, &answer), now_ms, purpose).await? {
                return Ok(Kept::Kept);
            }
            let record = find_key(&mut connection, account, key).await?;
            let record = record.ok_or_else(|| StoreError::corrupt("a key is taken and not there"))?;
            Ok(if record.digest == digest { Kept::Replayed(record.answer) } else { Kept::KeyConflict })
        }))
    }

    fn find_key(&self, account: AccountId, key: IdempotencyKey) -> StoreFuture<'_, Option<KeyRecord>> {
        Box::pin(self.run(move |pool| async move {
            let mut connection = pool.acquire().await?;
            find_key(&mut connection, account, key).await
        }))
    }

    fn facts<'a>(
        &'a self,
        account: AccountId,
        matches: &'a [MatchId],
        limits: PlacingLimits,
        now_ms: i64,
    ) -> StoreFuture<'a, Option<AccountFacts>> {
        let matches: Vec<i64> = matches.iter().map(|match_id| wide(match_id.get())).collect();
        Box::pin(self.run(move |pool| async move {
            if !has_match_limit(&limits) {
                // A single statement needs no transaction, and only one round trip.
                let mut connection = pool.acquire().await?;
                return facts(&mut connection, account, matches, &limits, now_ms).await;
            }
            // One transaction, so that the balance and the stakes are from the same moment.
            let mut reading = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
            facts(&mut reading, account, matches, &limits, now_ms).await
        }))
    }

    fn tickets<'a>(
        &'a self,
        account: AccountId,
        filter: TicketFilter,
        after: Option<&'a TicketId>,
        limit: u32,
    ) -> StoreFuture<'a, Option<TicketPage>> {
        let after = after.cloned();
        Box::pin(self.run(move |pool| tickets(pool, account, filter, after, limit)))
    }

    fn numbered_ticket(&self, account: AccountId, number: TicketNumber) -> StoreFuture<'_, Option<StoredBet>> {
        Box::pin(self.run(move |pool| async move {
            let rows = sqlx::query(select_bets!("WHERE account_id = $1 AND id = $2"))
                .bind(account.get())
                .bind(wide(number.bet()))
                .fetch_all(&pool)
                .await?;
            Ok(bets_of(&pool, &rows).await?.pop())
        }))
    }

    fn settlements<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
    ) -> StoreFuture<'a, Vec<(BetState, StoredSettlement)>> {
        let ticket = ticket.clone();
        Box::pin(self.run(move |pool| async move {
            let rows = sqlx::query(
                "SELECT s.number, s.at_ms, s.state, s.gross_cents, s.win_tax_cents, s.paid_cents, s.reason \
                 FROM bets b JOIN settlements s ON s.bet_id = b.id WHERE b.account_id = $1 AND b.ticket_id = $2 \
                 ORDER BY s.number",
            )
            .bind(account.get())
            .bind(ticket.as_str())
            .fetch_all(&pool)
            .await?;
            rows.iter().map(StoreRow::made_settlement).collect()
        }))
    }

    fn ticket<'a>(&'a self, account: AccountId, ticket: &'a TicketId) -> StoreFuture<'a, Option<StoredBet>> {
        let ticket = ticket.clone();
        Box::pin(self.run(move |pool| async move {
            let rows = sqlx::query(select_bets!("WHERE account_id = $1 AND ticket_id = $2"))
                .bind(account.get())
                .bind(ticket.as_str())
                .fetch_all(&pool)
                .await?;
            Ok(bets_of(&pool, &rows).await?.pop())
        }))
    }
}

async fn tickets(
    pool: PgPool,
    account: AccountId,
    filter: TicketFilter,
    after: Option<TicketId>,
    limit: u32,
) -> Result<Option<TicketPage>, StoreError> {
    let before = match after {
        None => i64::MAX,
        Some(after) => {
            let number = sqlx::query_scalar("SELECT id FROM bets WHERE account_id = $1 AND ticket_id = $2")
                .bind(account.get())
                .bind(after.as_str())
                .fetch_optional(&pool)
                .await?;
            let Some(number) = number else { return Ok(None) };
            number
        }
    };
    let limit = page_limit(limit);
    // A text for each filter, so that open bets are found by their index: the settled ones only become more.
    let question = match filter {
        TicketFilter::All => select_bets!("WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3"),
        TicketFilter::Open => {
            select_bets!("WHERE account_id = $1 AND id < $2 AND b.state = 'open' ORDER BY id DESC LIMIT $3")
        }
        TicketFilter::Settled => {
            select_bets!("WHERE account_id = $1 AND id < $2 AND b.state <> 'open' ORDER BY id DESC LIMIT $3")
        }
    };
    let rows =
        sqlx::query(question).bind(account.get()).bind(before).bind(wide(limit as u64 + 1)).fetch_all(&pool).await?;
    Ok(Some(page(bets_of(&pool, &rows).await?, limit)))
}

/// Decodes bets and reads their pairs.
pub(super) async fn bets_of(pool: &PgPool, rows: &[PgRow]) -> Result<Vec<StoredBet>, StoreError> {
    let mut bets = rows.iter().map(StoreRow::bet).collect::<Result<Vec<_>, _>>()?;
    let cashed_out = with_cash_outs(&bets);
    if !cashed_out.is_empty() {
        add_cash_outs(&mut bets, cash_outs_of(&mut *pool.acquire().await?, &cashed_out).await?);
    }
    let numbers: Vec<i64> = bets.iter().map(|(number, _)| *number).collect();
    let rows = sqlx::query(select_pairs!("WHERE bet_id = ANY($1) ORDER BY bet_id, position"))
        .bind(numbers)
        .fetch_all(pool)
        .await?;
    let pairs = rows.iter().map(StoreRow::pair).collect::<Result<Vec<_>, _>>()?;
    Ok(with_pairs(bets, pairs))
}

pub(super) async fn find_key(
    connection: &mut PgConnection,
    account: AccountId,
    key: IdempotencyKey,
) -> Result<Option<KeyRecord>, StoreError> {
    let found = sqlx::query("SELECT digest, status, body FROM answers WHERE account_id = $1 AND key = $2")
        .bind(account.get())
        .bind(&key.0[..])
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(StoreRow::key_record).transpose()
}

pub(super) async fn facts(
    connection: &mut PgConnection,
    account: AccountId,
    matches: Vec<i64>,
    limits: &PlacingLimits,
    now_ms: i64,
) -> Result<Option<AccountFacts>, StoreError> {
    // Without the sum PostgreSQL need not plan the question each time.
    let question = if limits.user_stake_max.is_some() {
        "SELECT balance_cents, (SELECT COALESCE(SUM(rest_bruto_cents), 0)::bigint FROM bets \
         WHERE account_id = a.id AND state = 'open'), protection FROM accounts a WHERE id = $1"
    } else {
        "SELECT balance_cents, 0::bigint, protection FROM accounts WHERE id = $1"
    };
    let row = sqlx::query(question).bind(account.get()).fetch_optional(&mut *connection).await?;
    let Some(row) = row else { return Ok(None) };
    let protection = row.protection(2)?;
    let flows = match protection.longest_window([Flow::Stake, Flow::Loss], now_ms) {
        Some(longest) => flows_of(connection, account, now_ms, longest).await?,
        None => Flows::default(),
    };
    let facts = account_facts(row.cents(0)?, row.cents(1)?, &protection, &flows, now_ms);
    if !has_match_limit(limits) {
        return Ok(Some(facts));
    }
    let rows = sqlx::query(
        "SELECT p.match_id, SUM(b.rest_bruto_cents)::bigint, SUM(b.payout_cents)::bigint \
         FROM bet_pairs p JOIN bets b ON b.id = p.bet_id \
         WHERE p.match_id = ANY($1) AND p.account_id = $2 AND b.state = 'open' GROUP BY p.match_id",
    )
    .bind(matches)
    .bind(account.get())
    .fetch_all(connection)
    .await?;
    let matches = rows.iter().map(StoreRow::match_facts).collect::<Result<_, _>>()?;
    Ok(Some(AccountFacts { matches, ..facts }))
}

/// Stores an answer under its key. Returns whether the key was free. If another transaction is inserting the same key,
/// this waits for its end.
pub(super) async fn insert_answer(
    connection: &mut PgConnection,
    account: AccountId,
    key: IdempotencyKey,
    record: (&[u8; 32], &Answer),
    at_ms: i64,
    purpose: KeyPurpose,
) -> Result<bool, StoreError> {
    let (digest, answer) = record;
    let inserted = sqlx::query(
        "INSERT INTO answers (account_id, key, digest, status, body, at_ms, purpose) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (account_id, key) DO NOTHING",
    )
    .bind(account.get())
    .bind(&key.0[..])
    .bind(&digest[..])
    .bind(i64::from(answer.status))
    .bind(&answer.body[..])
    .bind(at_ms)
    .bind(purpose.word())
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() == 1)
}
