//! Bets in SQLite. Placing a bet is one operation of the writer. It checks everything before it writes: an operation
//! that changes nothing must not have written anything, because the writer commits it together with others.

use super::SqliteStore;
use super::cash_outs::cash_outs_of;
use super::protection::flows_of;
use super::settlement::market_result;
use super::writer::Operation;
use crate::bets::{KeyPurpose, account_facts, has_limit, has_match_limit, is_over, page, page_limit, placed, receipt};
use crate::rows::{StoreRow, add_cash_outs, select_bets, select_pairs, wide, with_cash_outs, with_pairs};
use crate::settling::settled_pair;
use crate::{
    AccountId, AccountMoney, Answer, Bet, BetStore, IdempotencyKey, KeepRefusal, Kept, KeyRecord, PlaceBet, Placed,
    StoreError, StoreFuture, StoredBet, TicketFilter, TicketId, TicketPage, bet_rules, fail_point,
};
use kvota_domain::bet::{BetState, StoredSettlement, TicketNumber};
use kvota_domain::ids::MatchId;
use kvota_domain::money::Money;
use kvota_domain::protection::{Flow, Flows};
use kvota_domain::ticket::{AccountFacts, PlacingLimits};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

impl BetStore for SqliteStore {
    fn place(&self, bet: PlaceBet) -> StoreFuture<'_, Placed> {
        self.placing.note();
        Box::pin(self.writer.run(Place(bet)))
    }

    fn keep_refusal(&self, refusal: KeepRefusal) -> StoreFuture<'_, Kept> {
        Box::pin(self.writer.run(Keep(refusal)))
    }

    fn find_key(&self, account: AccountId, key: IdempotencyKey) -> StoreFuture<'_, Option<KeyRecord>> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            find_key(&mut reader, account, key).await
        })
    }

    fn facts<'a>(
        &'a self,
        account: AccountId,
        matches: &'a [MatchId],
        limits: PlacingLimits,
        now_ms: i64,
    ) -> StoreFuture<'a, Option<AccountFacts>> {
        Box::pin(async move {
            if !has_match_limit(&limits) {
                // One statement needs no transaction.
                let mut reader = self.readers.acquire().await?;
                return facts(&mut reader, account, matches.iter().copied(), &limits, now_ms).await;
            }
            // One transaction, so that the balance and the stakes are from the same moment.
            let mut reading = self.readers.begin().await?;
            facts(&mut reading, account, matches.iter().copied(), &limits, now_ms).await
        })
    }

    fn tickets<'a>(
        &'a self,
        account: AccountId,
        filter: TicketFilter,
        after: Option<&'a TicketId>,
        limit: u32,
    ) -> StoreFuture<'a, Option<TicketPage>> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            let before = match after {
                None => i64::MAX,
                Some(after) => {
                    let number = sqlx::query_scalar("SELECT id FROM bets WHERE account_id = ? AND ticket_id = ?")
                        .bind(account.get())
                        .bind(after.as_str())
                        .fetch_optional(&mut *reader)
                        .await?;
                    let Some(number) = number else { return Ok(None) };
                    number
                }
            };
            let limit = page_limit(limit);
            // A text for each filter, so that open bets are found by their index: the settled ones only become more.
            let question = match filter {
                TicketFilter::All => select_bets!("WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?"),
                TicketFilter::Open => {
                    select_bets!("WHERE account_id = ? AND id < ? AND b.state = 'open' ORDER BY id DESC LIMIT ?")
                }
                TicketFilter::Settled => {
                    select_bets!("WHERE account_id = ? AND id < ? AND b.state <> 'open' ORDER BY id DESC LIMIT ?")
                }
            };
            let rows = sqlx::query(question)
                .bind(account.get())
                .bind(before)
                .bind(wide(limit as u64 + 1))
                .fetch_all(&mut *reader)
                .await?;
            Ok(Some(page(bets_of(&mut reader, &rows).await?, limit)))
        })
    }

    fn numbered_ticket(&self, account: AccountId, number: TicketNumber) -> StoreFuture<'_, Option<StoredBet>> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            let rows = sqlx::query(select_bets!("WHERE account_id = ? AND id = ?"))
                .bind(account.get())
                .bind(wide(number.bet()))
                .fetch_all(&mut *reader)
                .await?;
            Ok(bets_of(&mut reader, &rows).await?.pop())
        })
    }

    fn settlements<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
    ) -> StoreFuture<'a, Vec<(BetState, StoredSettlement)>> {
        Box::pin(async move {
            let rows = sqlx::query(
                "SELECT s.number, s.at_ms, s.state, s.gross_cents, s.win_tax_cents, s.paid_cents, s.reason \
                 FROM bets b JOIN settlements s ON s.bet_id = b.id WHERE b.account_id = ? AND b.ticket_id = ? \
                 ORDER BY s.number",
            )
            .bind(account.get())
            .bind(ticket.as_str())
            .fetch_all(&self.readers)
            .await?;
            rows.iter().map(StoreRow::made_settlement).collect()
        })
    }

    fn ticket<'a>(&'a self, account: AccountId, ticket: &'a TicketId) -> StoreFuture<'a, Option<StoredBet>> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            let rows = sqlx::query(select_bets!("WHERE account_id = ? AND ticket_id = ?"))
                .bind(account.get())
                .bind(ticket.as_str())
                .fetch_all(&mut *reader)
                .await?;
            Ok(bets_of(&mut reader, &rows).await?.pop())
        })
    }
}

/// Decodes bets and reads their pairs.
pub(super) async fn bets_of(reader: &mut SqliteConnection, rows: &[SqliteRow]) -> Result<Vec<StoredBet>, StoreError> {
    let mut bets = rows.iter().map(StoreRow::bet).collect::<Result<Vec<_>, _>>()?;
    let cashed_out = with_cash_outs(&bets);
    if !cashed_out.is_empty() {
        add_cash_outs(&mut bets, cash_outs_of(reader, &cashed_out).await?);
    }
    let numbers: Vec<i64> = bets.iter().map(|(number, _)| *number).collect();
    let rows = sqlx::query(select_pairs!("WHERE bet_id IN (SELECT value FROM json_each(?)) ORDER BY bet_id, position"))
        .bind(json!(numbers).to_string())
        .fetch_all(reader)
        .await?;
    let pairs = rows.iter().map(StoreRow::pair).collect::<Result<Vec<_>, _>>()?;
    Ok(with_pairs(bets, pairs))
}

pub(super) async fn find_key(
    connection: &mut SqliteConnection,
    account: AccountId,
    key: IdempotencyKey,
) -> Result<Option<KeyRecord>, StoreError> {
    let found = sqlx::query("SELECT digest, status, body FROM answers WHERE account_id = ? AND key = ?")
        .bind(account.get())
        .bind(&key.0[..])
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(StoreRow::key_record).transpose()
}

async fn facts(
    connection: &mut SqliteConnection,
    account: AccountId,
    matches: impl Iterator<Item = MatchId>,
    limits: &PlacingLimits,
    now_ms: i64,
) -> Result<Option<AccountFacts>, StoreError> {
    let row = sqlx::query(
        "SELECT balance_cents, CASE WHEN ?2 THEN (SELECT COALESCE(SUM(rest_bruto_cents), 0) FROM bets \
         WHERE account_id = a.id AND state = 'open') ELSE 0 END, protection FROM accounts a WHERE id = ?1",
    )
    .bind(account.get())
    .bind(limits.user_stake_max.is_some())
    .fetch_optional(&mut *connection)
    .await?;
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
    let matches: Vec<u64> = matches.map(MatchId::get).collect();
    let rows = sqlx::query(
        "SELECT p.match_id, SUM(b.rest_bruto_cents), SUM(b.payout_cents) FROM bet_pairs p JOIN bets b ON b.id = p.bet_id \
         WHERE p.match_id IN (SELECT value FROM json_each(?)) AND p.account_id = ? AND b.state = 'open' \
         GROUP BY p.match_id",
    )
    .bind(json!(matches).to_string())
    .bind(account.get())
    .fetch_all(connection)
    .await?;
    let matches = rows.iter().map(StoreRow::match_facts).collect::<Result<_, _>>()?;
    Ok(Some(AccountFacts { matches, ..facts }))
}

pub(super) async fn insert_answer(
    connection: &mut SqliteConnection,
    account: AccountId,
    key: IdempotencyKey,
    record: (&[u8; 32], &Answer),
    at_ms: i64,
    purpose: KeyPurpose,
) -> Result<(), StoreError> {
    let (digest, answer) = record;
    sqlx::query(
        "INSERT INTO answers (account_id, key, digest, status, body, at_ms, purpose) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(account.get())
    .bind(&key.0[..])
    .bind(&digest[..])
    .bind(i64::from(answer.status))
    .bind(&answer.body)
    .bind(at_ms)
    .bind(purpose.word())
    .execute(connection)
    .await?;
    Ok(())
}

struct Place(PlaceBet);

impl Operation for Place {
    type Output = Placed;

    const IS_BET: bool = true;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Placed, StoreError> {
        let Place(order) = self;
        let bet = &order.bet;
        let row = sqlx::query(
            "SELECT k.digest, k.status, k.body, a.balance_cents, k.key IS NOT NULL, a.receivable_cents, \
             EXISTS (SELECT 1 FROM betting_pause), (SELECT coalesce(max(id), 0) + 1 FROM postings), a.revision, a.protection FROM accounts a \
             LEFT JOIN answers k ON k.account_id = a.id AND k.key = ?2 WHERE a.id = ?1",
        )
        .bind(order.account.get())
        .bind(&order.key.0[..])
        .fetch_optional(&mut *connection)
        .await?;
        let row = row.ok_or_else(|| StoreError::corrupt(format!("there is no account {}", order.account)))?;
        if row.try_get(4)? {
            let record = row.key_record()?;
            let is_same = record.digest == order.digest;
            return Ok(if is_same { Placed::Replayed(record.answer) } else { Placed::KeyConflict });
        }
        if row.try_get(6)? {
            return Ok(Placed::Paused);
        }
        let (held, receivable) = (row.cents(3)?, row.cents(5)?);
        if receivable > Money::ZERO {
            return Ok(Placed::Owes { receivable });
        }
        if let Some(settled) = settled_match(connection, bet).await? {
            return Ok(Placed::MarketSettled(settled));
        }
        let left = held.checked_sub(bet.bruto).filter(|left| *left >= Money::ZERO);
        let Some(balance) = left else { return Ok(Placed::NotEnough { balance: held }) };
        if has_limit(&order.limits) || !row.protection(9)?.is_empty() {
            let matches = bet.pairs.iter().map(|pair| pair.match_id);
            if let Some(facts) = facts(connection, order.account, matches, &order.limits, bet.placed_at_ms).await?
                && is_over(&facts, bet, &order.limits)
            {
                return Ok(Placed::OverLimit(facts));
            }
        }

        let number = row.int(7)?;
        let answer = Answer { status: 200, body: (order.answer)(&receipt(balance, number)) };
        let record = (&order.digest, &answer);
        insert_answer(connection, order.account, order.key, record, bet.placed_at_ms, KeyPurpose::Bet).await?;
        fail_point::pass("after-key");
        debit(connection, number, order, balance).await?;
        fail_point::pass("after-debit");
        insert_bet(connection, number, order, balance).await?;
        fail_point::pass("after-bet");
        let money = AccountMoney { balance, receivable, revision: row.unsigned::<u64>(8)?.saturating_add(1) };
        Ok(placed(order, number, money, answer))
    }
}

/// If an odd of the bet currently has a result, returns the match of the first such pair.
async fn settled_match(connection: &mut SqliteConnection, bet: &Bet) -> Result<Option<MatchId>, StoreError> {
    let markets = bet.pairs.iter().map(|pair| json!([pair.match_id.get(), pair.market_id.get()]));
    let rows = sqlx::query(
        "SELECT r.match_id, r.market_id, r.version, r.state, r.odds, r.void_windows, r.reason \
         FROM json_each(?) k JOIN market_results r ON r.match_id = k.value ->> 0 AND r.market_id = k.value ->> 1",
    )
    .bind(Value::Array(markets.collect()).to_string())
    .fetch_all(connection)
    .await?;
    let results = rows.iter().map(market_result).collect::<Result<Vec<_>, _>>()?;
    Ok(settled_pair(bet, &results))
}

/// Books the stake: writes the posting with this number and the new balance. Statements without a fail point between
/// them are sent together, because each call is a round trip to SQLite's thread.
async fn debit(
    connection: &mut SqliteConnection,
    number: i64,
    order: &PlaceBet,
    balance: Money,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO postings (id, at_ms, kind, from_account, to_account, amount_cents, bettor_id, balance_after_cents) \
         VALUES (?, ?, 'stake', 'bettor', 'open_stakes', ?, ?, ?); \
         UPDATE accounts SET balance_cents = ?, revision = revision + 1 WHERE id = ?",
    )
    .bind(number)
    .bind(order.bet.placed_at_ms)
    .bind(order.bet.bruto.cents())
    .bind(order.account.get())
    .bind(balance.cents())
    .bind(balance.cents())
    .bind(order.account.get())
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes the bet and its pairs.
async fn insert_bet(
    connection: &mut SqliteConnection,
    number: i64,
    order: &PlaceBet,
    balance: Money,
) -> Result<(), StoreError> {
    let bet = &order.bet;
    sqlx::query(
        "INSERT INTO bets (id, ticket_id, account_id, key, placed_at_ms, bruto_cents, stake_cents, total_odd, \
         system_type, potential_win_cents, win_tax_cents, payout_cents, consent, balance_after_cents, rules, \
         offer_version, feed_epoch, feed_seq, rest_bruto_cents, rest_stake_cents) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?); \
         INSERT INTO bet_pairs (bet_id, account_id, position, match_id, market_id, odd_id, sport_id, market_type, \
         market_subtype, sbv, odd_type, odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament) \
         SELECT ?, ?, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, \
         value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, \
         value ->> 15 FROM json_each(?)",
    )
    .bind(number)
    .bind(order.ticket_id.as_str())
    .bind(order.account.get())
    .bind(&order.key.0[..])
    .bind(bet.placed_at_ms)
    .bind(bet.bruto.cents())
    .bind(bet.stake.cents())
    .bind(&bet.total_odd)
    .bind(i64::from(bet.system_type))
    .bind(bet.potential_win.cents())
    .bind(bet.win_tax.cents())
    .bind(bet.payout.cents())
    .bind(bet.consent.code())
    .bind(balance.cents())
    .bind(bet.basis.rules.as_ref().map(bet_rules::to_json))
    .bind(bet.basis.offer_version.map(wide))
    .bind(bet.basis.feed.map(|feed| feed.epoch))
    .bind(bet.basis.feed.map(|feed| wide(feed.seq)))
    .bind(bet.bruto.cents())
    .bind(bet.stake.cents())
    .bind(number)
    .bind(order.account.get())
    .bind(pairs_as_json(bet))
    .execute(connection)
    .await?;
    Ok(())
}

/// The pairs as an array of arrays, in the column order of the statement above. SQLite reads integers in JSON exactly.
fn pairs_as_json(bet: &Bet) -> String {
    let pairs = bet.pairs.iter().map(|pair| {
        let texts = &pair.texts;
        json!([
            pair.match_id.get(),
            pair.market_id.get(),
            pair.odd_id.get(),
            pair.sport_id.get(),
            pair.market_type,
            pair.market_subtype,
            pair.sbv,
            pair.odd_type,
            pair.odds_submitted.thousandths(),
            pair.odds_taken.thousandths(),
            pair.is_fix,
            texts.home,
            texts.away,
            texts.market,
            texts.odd,
            texts.tournament,
        ])
    });
    Value::Array(pairs.collect()).to_string()
}

struct Keep(KeepRefusal);

impl Operation for Keep {
    type Output = Kept;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Kept, StoreError> {
        let Keep(refusal) = self;
        if let Some(record) = find_key(connection, refusal.account, refusal.key).await? {
            let is_same = record.digest == refusal.digest;
            return Ok(if is_same { Kept::Replayed(record.answer) } else { Kept::KeyConflict });
        }
        let record = (&refusal.digest, &refusal.answer);
        insert_answer(connection, refusal.account, refusal.key, record, refusal.now_ms, refusal.purpose).await?;
        Ok(Kept::Kept)
    }
}
