//! Bets in PostgreSQL. Placing locks the account's row first, so that the balance and the key cannot change before the
//! commit. Bets of one account run one after the other. Must not update a row that all bets share, such as a total of
//! the bookmaker: all bets would wait for each other's commit.

use super::cash_outs::cash_outs_of;
use super::settlement::{lock_matches_of, settled_match};
use super::{PostgresStore, holdable};
use crate::bets::{KeyPurpose, has_limit, has_match_limit, is_over, page, page_limit, placed, receipt};
use crate::rows::{StoreRow, add_cash_outs, select_bets, select_pairs, wide, with_cash_outs, with_pairs};
use crate::{
    AccountId, AccountMoney, Answer, BetStore, IdempotencyKey, KeepRefusal, Kept, KeyRecord, PlaceBet, Placed,
    StoreError, StoreFuture, StoredBet, TicketFilter, TicketId, TicketPage, bet_rules, fail_point,
};
use kvota_domain::bet::{BetState, StoredSettlement, TicketNumber};
use kvota_domain::ids::MatchId;
use kvota_domain::money::Money;
use kvota_domain::ticket::{AccountFacts, PlacingLimits};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, PgPool};

impl BetStore for PostgresStore {
    fn place(&self, bet: PlaceBet) -> StoreFuture<'_, Placed> {
        self.placing.note();
        Box::pin(self.run(|pool| place(pool, bet)))
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
    ) -> StoreFuture<'a, Option<AccountFacts>> {
        let matches: Vec<i64> = matches.iter().map(|match_id| wide(match_id.get())).collect();
        Box::pin(self.run(move |pool| async move {
            if !has_match_limit(&limits) {
                // A single statement needs no transaction, and only one round trip.
                let mut connection = pool.acquire().await?;
                return facts(&mut connection, account, matches, &limits).await;
            }
            // One transaction, so that the balance and the stakes are from the same moment.
            let mut reading = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
            facts(&mut reading, account, matches, &limits).await
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
    let rows = sqlx::query(select_bets!(
        "WHERE account_id = $1 AND id < $2 AND (b.state = 'open') IN ($4, $5) ORDER BY id DESC LIMIT $3"
    ))
    .bind(account.get())
    .bind(before)
    .bind(wide(limit as u64 + 1))
    .bind(filter.accepted().0)
    .bind(filter.accepted().1)
    .fetch_all(&pool)
    .await?;
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

async fn facts(
    connection: &mut PgConnection,
    account: AccountId,
    matches: Vec<i64>,
    limits: &PlacingLimits,
) -> Result<Option<AccountFacts>, StoreError> {
    // Without the sum PostgreSQL need not plan the question each time.
    let question = if limits.user_stake_max.is_some() {
        "SELECT balance_cents, (SELECT COALESCE(SUM(rest_bruto_cents), 0)::bigint FROM bets \
         WHERE account_id = a.id AND state = 'open') FROM accounts a WHERE id = $1"
    } else {
        "SELECT balance_cents, 0::bigint FROM accounts WHERE id = $1"
    };
    let row = sqlx::query(question).bind(account.get()).fetch_optional(&mut *connection).await?;
    let Some(row) = row else { return Ok(None) };
    let (balance, user_stake) = (row.cents(0)?, row.cents(1)?);
    if !has_match_limit(limits) {
        return Ok(Some(AccountFacts { balance, user_stake, matches: Vec::new() }));
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
    Ok(Some(AccountFacts { balance, user_stake, matches }))
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

async fn place(pool: PgPool, order: PlaceBet) -> Result<Placed, StoreError> {
    let mut connection = pool.acquire().await?;
    fail_point::pass("before-begin");
    let mut transaction = sqlx::Connection::begin(&mut *connection).await?;
    lock_matches_of(&mut transaction, &order.bet).await?;
    let row = sqlx::query("SELECT balance_cents, receivable_cents, revision, nextval(pg_get_serial_sequence('postings', 'id')) FROM accounts \
         WHERE id = $1 FOR NO KEY UPDATE")
        .bind(order.account.get())
        .fetch_optional(&mut *transaction)
        .await?;
    let row = row.ok_or_else(|| StoreError::corrupt(format!("there is no account {}", order.account)))?;
    let (held, receivable, number) = (row.cents(0)?, row.cents(1)?, row.int(3)?);
    let settled = settled_match(&mut transaction, &order.bet).await?;
    if receivable > Money::ZERO || settled.is_some() {
        // Check for a stored answer first: the debt or the result may be newer than the bet.
        let record = find_key(&mut transaction, order.account, order.key).await?;
        let refused = settled.filter(|_| receivable == Money::ZERO).map(Placed::MarketSettled);
        let refused = refused.unwrap_or(Placed::Owes { receivable });
        return Ok(record.map_or(refused, |record| replayed(record, &order.digest)));
    }
    let left = held.checked_sub(order.bet.bruto).filter(|left| *left >= Money::ZERO);
    let Some(balance) = left else {
        // Check for a stored answer before the balance: this same bet may have used up the balance.
        let record = find_key(&mut transaction, order.account, order.key).await?;
        return Ok(record.map_or(Placed::NotEnough { balance: held }, |record| replayed(record, &order.digest)));
    };
    let answer = Answer { status: 200, body: (order.answer)(&receipt(balance, number)) };
    let record = (&order.digest, &answer);
    if !insert_answer(&mut transaction, order.account, order.key, record, order.bet.placed_at_ms, KeyPurpose::Bet)
        .await?
    {
        let record = find_key(&mut transaction, order.account, order.key).await?;
        let record = record.ok_or_else(|| StoreError::corrupt("a key is taken and not there"))?;
        return Ok(replayed(record, &order.digest));
    }
    fail_point::pass("after-key");
    if has_limit(&order.limits) {
        let matches = order.bet.pairs.iter().map(|pair| wide(pair.match_id.get())).collect();
        if let Some(facts) = facts(&mut transaction, order.account, matches, &order.limits).await?
            && is_over(&facts, &order.bet, &order.limits)
        {
            // Dropping the transaction also undoes the key.
            return Ok(Placed::OverLimit(facts));
        }
    }
    if debit(&mut transaction, number, &order).await? {
        // Dropping the transaction also undoes the key and the debit.
        return Ok(Placed::Paused);
    }
    fail_point::pass("after-debit");
    insert_bet(&mut transaction, number, &order, balance).await?;
    fail_point::pass("after-bet");
    fail_point::pass("before-commit");
    transaction.commit().await?;
    fail_point::pass("after-commit");
    let money = AccountMoney { balance, receivable, revision: row.unsigned::<u64>(2)?.saturating_add(1) };
    Ok(placed(&order, number, money, answer))
}

fn replayed(record: KeyRecord, digest: &[u8; 32]) -> Placed {
    if record.digest == *digest { Placed::Replayed(record.answer) } else { Placed::KeyConflict }
}

/// Books the stake: updates the balance and writes the posting with this number, in one round trip. Returns whether an
/// operator has paused betting.
async fn debit(connection: &mut PgConnection, number: i64, order: &PlaceBet) -> Result<bool, StoreError> {
    let is_paused = sqlx::query_scalar(
        "WITH account AS (UPDATE accounts SET balance_cents = balance_cents - $2, revision = revision + 1 WHERE id = $1 \
         RETURNING balance_cents) \
         INSERT INTO postings (id, at_ms, kind, from_account, to_account, amount_cents, bettor_id, balance_after_cents) \
         SELECT $4, $3, 'stake', 'bettor', 'open_stakes', $2, $1, balance_cents FROM account \
         RETURNING EXISTS (SELECT 1 FROM betting_pause)",
    )
    .bind(order.account.get())
    .bind(order.bet.bruto.cents())
    .bind(order.bet.placed_at_ms)
    .bind(number)
    .fetch_one(connection)
    .await?;
    Ok(is_paused)
}

/// Writes the bet and its pairs, in one round trip.
async fn insert_bet(
    connection: &mut PgConnection,
    number: i64,
    order: &PlaceBet,
    balance: Money,
) -> Result<(), StoreError> {
    let bet = &order.bet;
    let pairs = &bet.pairs;
    let ids = |id: fn(&crate::BetPair) -> u64| pairs.iter().map(|pair| wide(id(pair))).collect::<Vec<i64>>();
    let texts = |text: fn(&crate::PairTexts) -> &String| {
        pairs.iter().map(|pair| holdable(text(&pair.texts))).collect::<Vec<_>>()
    };
    let optional = |text: fn(&crate::BetPair) -> &Option<String>| {
        pairs.iter().map(|pair| text(pair).as_deref().map(holdable)).collect::<Vec<_>>()
    };
    sqlx::query(
        "WITH bet AS (INSERT INTO bets (id, ticket_id, account_id, key, placed_at_ms, bruto_cents, stake_cents, \
         total_odd, system_type, potential_win_cents, win_tax_cents, payout_cents, consent, balance_after_cents, \
         rules, offer_version, feed_epoch, feed_seq, rest_bruto_cents, rest_stake_cents) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $31, $32, $33, $34, $6, $7)) \
         INSERT INTO bet_pairs (bet_id, account_id, position, match_id, market_id, odd_id, sport_id, market_type, \
         market_subtype, sbv, odd_type, odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament) \
         SELECT $1, $3, place - 1, match_id, market_id, odd_id, sport_id, market_type, market_subtype, sbv, odd_type, \
         odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament \
         FROM UNNEST($15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], \
         $21::text[], $22::text[], $23::bigint[], $24::bigint[], $25::boolean[], $26::text[], $27::text[], \
         $28::text[], $29::text[], $30::text[]) WITH ORDINALITY AS pair (match_id, market_id, odd_id, sport_id, \
         market_type, market_subtype, sbv, odd_type, odds_submitted, odds_taken, is_fix, home, away, market, odd, \
         tournament, place)",
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
    .bind(ids(|pair| pair.match_id.get()))
    .bind(ids(|pair| pair.market_id.get()))
    .bind(ids(|pair| pair.odd_id.get()))
    .bind(ids(|pair| pair.sport_id.get()))
    .bind(pairs.iter().map(|pair| pair.market_type).collect::<Vec<_>>())
    .bind(pairs.iter().map(|pair| pair.market_subtype).collect::<Vec<_>>())
    .bind(optional(|pair| &pair.sbv))
    .bind(optional(|pair| &pair.odd_type))
    .bind(ids(|pair| pair.odds_submitted.thousandths().into()))
    .bind(ids(|pair| pair.odds_taken.thousandths().into()))
    .bind(pairs.iter().map(|pair| pair.is_fix).collect::<Vec<_>>())
    .bind(texts(|texts| &texts.home))
    .bind(texts(|texts| &texts.away))
    .bind(texts(|texts| &texts.market))
    .bind(texts(|texts| &texts.odd))
    .bind(texts(|texts| &texts.tournament))
    .bind(bet.basis.rules.as_ref().map(bet_rules::to_json))
    .bind(bet.basis.offer_version.map(wide))
    .bind(bet.basis.feed.map(|feed| feed.epoch))
    .bind(bet.basis.feed.map(|feed| wide(feed.seq)))
    .execute(connection)
    .await?;
    Ok(())
}
