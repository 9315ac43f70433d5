//! Reads bets and the answers of their keys, and stores rejections. Each database places bets in its own way. Must not
//! lock an account.

use super::super::dialect::{Connection, Row, Store, is_in, list};
use super::StoreRow;
use super::cash_outs::cash_outs_of;
use super::protection::flows_of;
use crate::bets::{KeyPurpose, page, page_limit};
use crate::rows::{add_cash_outs, wide, with_cash_outs, with_pairs};
use crate::{
    AccountId, Answer, BetStore, IdempotencyKey, KeepRefusal, Kept, KeyRecord, PlaceBet, Placed, StoreError,
    StoreFuture, StoredBet, TicketFilter, TicketId, TicketPage,
};
use kvota_domain::bet::{BetState, StoredSettlement, TicketNumber};
use kvota_domain::ids::MatchId;
use kvota_domain::ledger::{account_facts, has_match_limit};
use kvota_domain::protection::{Flow, Flows};
use kvota_domain::ticket::{AccountFacts, PlacingLimits};

/// A `SELECT` of bets with the columns that [`StoreRow::bet`] reads. The argument is the rest of the statement.
macro_rules! select_bets {
    ($rest:literal) => {
        concat!(
            "SELECT id, ticket_id, account_id, placed_at_ms, b.state AS state, bruto_cents, stake_cents, total_odd, \
             system_type, potential_win_cents, b.win_tax_cents AS win_tax_cents, payout_cents, consent, \
             balance_after_cents, rules, offer_version, feed_epoch, feed_seq, b.revision AS revision, \
             rest_bruto_cents, rest_stake_cents, r.at_least_cents AS at_least_cents, s.number AS standing, \
             s.at_ms AS settled_at_ms, s.gross_cents AS settled_gross_cents, \
             s.win_tax_cents AS settled_win_tax_cents, s.paid_cents AS settled_paid_cents, \
             s.reason AS settled_reason FROM bets b \
             LEFT JOIN settlements s ON s.bet_id = b.id AND s.number = b.standing \
             LEFT JOIN cash_out_rules r ON r.bet_id = b.id AND b.state = 'open' ",
            $rest
        )
    };
}
pub(super) use select_bets;

impl BetStore for Store {
    fn place(&self, bet: PlaceBet) -> StoreFuture<'_, Placed> {
        self.place_bet(bet)
    }

    fn keep_refusal(&self, refusal: KeepRefusal) -> StoreFuture<'_, Kept> {
        self.write_at_once(refusal, |connection, refusal| Box::pin(keep_refusal(connection, refusal)))
    }

    fn find_key(&self, account: AccountId, key: IdempotencyKey) -> StoreFuture<'_, Option<KeyRecord>> {
        self.read(move |connection| Box::pin(find_key(connection, account, key)))
    }

    fn facts<'a>(
        &'a self,
        account: AccountId,
        matches: &'a [MatchId],
        limits: PlacingLimits,
        now_ms: i64,
    ) -> StoreFuture<'a, Option<AccountFacts>> {
        let matches: Vec<i64> = matches.iter().map(|match_id| wide(match_id.get())).collect();
        if has_match_limit(&limits) {
            // The balance and the stakes must be from the same moment.
            return self.read_one_moment(move |reading| {
                Box::pin(async move { facts(reading, account, matches, &limits, now_ms).await })
            });
        }
        self.read(move |connection| Box::pin(async move { facts(connection, account, matches, &limits, now_ms).await }))
    }

    fn tickets<'a>(
        &'a self,
        account: AccountId,
        filter: TicketFilter,
        after: Option<&'a TicketId>,
        limit: u32,
    ) -> StoreFuture<'a, Option<TicketPage>> {
        let after = after.cloned();
        self.read(move |connection| Box::pin(tickets(connection, account, filter, after, page_limit(limit))))
    }

    fn numbered_ticket(&self, account: AccountId, number: TicketNumber) -> StoreFuture<'_, Option<StoredBet>> {
        self.read(move |connection| {
            Box::pin(async move {
                let question = sqlx::query(select_bets!("WHERE account_id = $1 AND id = $2"));
                let question = question.bind(account.get()).bind(wide(number.bet()));
                let rows = question.fetch_all(&mut *connection).await?;
                Ok(bets_of(connection, &rows).await?.pop())
            })
        })
    }

    fn settlements<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
    ) -> StoreFuture<'a, Vec<(BetState, StoredSettlement)>> {
        let ticket = ticket.clone();
        self.read(move |connection| Box::pin(settlements(connection, account, ticket)))
    }

    fn ticket<'a>(&'a self, account: AccountId, ticket: &'a TicketId) -> StoreFuture<'a, Option<StoredBet>> {
        let ticket = ticket.clone();
        self.read(move |connection| {
            Box::pin(async move {
                let question = sqlx::query(select_bets!("WHERE account_id = $1 AND ticket_id = $2"));
                let question = question.bind(account.get()).bind(ticket.as_str());
                let rows = question.fetch_all(&mut *connection).await?;
                Ok(bets_of(connection, &rows).await?.pop())
            })
        })
    }
}

async fn tickets(
    connection: &mut Connection,
    account: AccountId,
    filter: TicketFilter,
    after: Option<TicketId>,
    limit: usize,
) -> Result<Option<TicketPage>, StoreError> {
    let before = match after {
        None => i64::MAX,
        Some(after) => match bet_id(connection, account, &after).await? {
            Some(number) => number,
            None => return Ok(None),
        },
    };
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
    let question = sqlx::query(question).bind(account.get()).bind(before).bind(wide(limit as u64 + 1));
    let rows = question.fetch_all(&mut *connection).await?;
    Ok(Some(page(bets_of(connection, &rows).await?, limit)))
}

async fn settlements(
    connection: &mut Connection,
    account: AccountId,
    ticket: TicketId,
) -> Result<Vec<(BetState, StoredSettlement)>, StoreError> {
    let rows = sqlx::query(
        "SELECT s.number, s.at_ms, s.state, s.gross_cents, s.win_tax_cents, s.paid_cents, s.reason \
         FROM bets b JOIN settlements s ON s.bet_id = b.id WHERE b.account_id = $1 AND b.ticket_id = $2 \
         ORDER BY s.number",
    )
    .bind(account.get())
    .bind(ticket.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(StoreRow::made_settlement).collect()
}

/// The number of a bet; `None` if the account has no such bet.
pub(super) async fn bet_id(
    connection: &mut Connection,
    account: AccountId,
    ticket: &TicketId,
) -> Result<Option<i64>, StoreError> {
    let question = sqlx::query_scalar("SELECT id FROM bets WHERE account_id = $1 AND ticket_id = $2");
    Ok(question.bind(account.get()).bind(ticket.as_str()).fetch_optional(connection).await?)
}

/// Decodes bets and reads their pairs.
pub(super) async fn bets_of(connection: &mut Connection, rows: &[Row]) -> Result<Vec<StoredBet>, StoreError> {
    let mut bets = rows.iter().map(StoreRow::bet).collect::<Result<Vec<_>, _>>()?;
    let cashed_out = with_cash_outs(&bets);
    if !cashed_out.is_empty() {
        add_cash_outs(&mut bets, cash_outs_of(connection, &cashed_out).await?);
    }
    let rows = sqlx::query(concat!(
        "SELECT bet_id, match_id, market_id, odd_id, sport_id, market_type, market_subtype, sbv, odd_type, \
         odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament, result, settled_at_ms, \
         dead_heat, reason FROM bet_pairs WHERE ",
        is_in!("bet_id", "$1"),
        " ORDER BY bet_id, position"
    ))
    .bind(list(bets.iter().map(|(number, _)| *number)))
    .fetch_all(connection)
    .await?;
    let pairs = rows.iter().map(StoreRow::pair).collect::<Result<Vec<_>, _>>()?;
    Ok(with_pairs(bets, pairs))
}

pub(in super::super) async fn find_key(
    connection: &mut Connection,
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

async fn keep_refusal(connection: &mut Connection, refusal: &KeepRefusal) -> Result<Kept, StoreError> {
    let KeepRefusal { account, key, digest, answer, purpose, now_ms } = refusal;
    if insert_answer(connection, *account, *key, (digest, answer), *now_ms, *purpose).await? {
        return Ok(Kept::Kept);
    }
    let record = find_key(connection, *account, *key).await?;
    let record = record.ok_or_else(|| StoreError::corrupt("a key is taken and not there"))?;
    Ok(if record.digest == *digest { Kept::Replayed(record.answer) } else { Kept::KeyConflict })
}

/// The facts of an account that the checks of a bet on these matches need.
pub(in super::super) async fn facts(
    connection: &mut Connection,
    account: AccountId,
    matches: Vec<i64>,
    limits: &PlacingLimits,
    now_ms: i64,
) -> Result<Option<AccountFacts>, StoreError> {
    // Without the sum PostgreSQL need not plan the question each time.
    let question = if limits.user_stake_max.is_some() {
        "SELECT balance_cents, (SELECT CAST(COALESCE(SUM(rest_bruto_cents), 0) AS BIGINT) FROM bets \
         WHERE account_id = a.id AND state = 'open') AS stake_cents, protection FROM accounts a WHERE id = $1"
    } else {
        "SELECT balance_cents, CAST(0 AS BIGINT) AS stake_cents, protection FROM accounts WHERE id = $1"
    };
    let row = sqlx::query(question).bind(account.get()).fetch_optional(&mut *connection).await?;
    let Some(row) = row else { return Ok(None) };
    let protection = row.protection()?;
    let flows = match protection.longest_window([Flow::Stake, Flow::Loss], now_ms) {
        Some(longest) => flows_of(connection, account, now_ms, longest).await?,
        None => Flows::default(),
    };
    let (balance, user_stake) = (row.cents("balance_cents")?, row.cents("stake_cents")?);
    let facts = account_facts(balance, user_stake, &protection, &flows, now_ms);
    if !has_match_limit(limits) {
        return Ok(Some(facts));
    }
    let rows = sqlx::query(concat!(
        "SELECT p.match_id, CAST(SUM(b.rest_bruto_cents) AS BIGINT) AS stake_cents, \
         CAST(SUM(b.payout_cents) AS BIGINT) AS payout_cents FROM bet_pairs p JOIN bets b ON b.id = p.bet_id WHERE ",
        is_in!("p.match_id", "$1"),
        " AND p.account_id = $2 AND b.state = 'open' GROUP BY p.match_id"
    ))
    .bind(list(matches))
    .bind(account.get())
    .fetch_all(connection)
    .await?;
    let matches = rows.iter().map(StoreRow::match_facts).collect::<Result<_, _>>()?;
    Ok(Some(AccountFacts { matches, ..facts }))
}

/// Stores an answer under its key. Returns whether the key was free. If another transaction is inserting the same key,
/// this waits for its end.
pub(in super::super) async fn insert_answer(
    connection: &mut Connection,
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
