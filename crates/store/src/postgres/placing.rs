//! Places a bet in PostgreSQL: one transaction with one statement that locks and one that writes, because each round trip
//! costs as much as the work. The account's row is locked until the commit, so that its balance cannot change and bets
//! of one account run one after the other. Must not update a row that all bets share, such as a total of the
//! bookmaker: all bets would wait for each other's commit.

use super::PostgresStore;
use super::dialect::holdable;
use super::sql::StoreRow;
use super::sql::bets::{facts, find_key};
use super::sql::grading::settled_match;
use crate::bets::{KeyPurpose, placed, receipt};
use crate::rows::wide;
use crate::{
    AccountMoney, Answer, Bet, BetPair, KeyRecord, PairTexts, PlaceBet, Placed, StoreError, StoreFuture, bet_rules,
    fail_point,
};
use kvota_domain::ledger::{has_limit, is_over};
use kvota_domain::money::Money;
use sqlx::{PgConnection, PgPool};
use std::sync::Arc;

/// Locks the matches of the bet and then the account, in the order of all transactions: matches, work, accounts, bets. No
/// result of these matches is stored before the transaction ends. The filter is evaluated before any row is locked.
const LOCK: &str = "WITH matches AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(727101, k) FROM \
     (SELECT DISTINCT (id % 2147483647)::int AS k FROM UNNEST($2::bigint[]) AS id ORDER BY k) AS keys) \
     SELECT balance_cents, receivable_cents, revision, nextval(pg_get_serial_sequence('postings', 'id')) AS number, protection FROM accounts \
     WHERE id = $1 AND (SELECT count(*) FROM matches) >= 0 FOR NO KEY UPDATE";

/// Writes the answer under its key and, if the key was free, the stake, the bet and its pairs; also ends the order's
/// reservation. Returns whether the key was free, whether betting is paused, and whether a market of the bet has a
/// result. Both are read after the locks.
const WRITE: &str = "WITH answer AS (INSERT INTO answers (account_id, key, digest, status, body, at_ms, purpose) \
     VALUES ($3, $4, $35, $36, $37, $5, $38) ON CONFLICT (account_id, key) DO NOTHING RETURNING account_id), \
     account AS (UPDATE accounts SET balance_cents = balance_cents - $6, revision = revision + 1 \
     WHERE id = (SELECT account_id FROM answer) RETURNING balance_cents), \
     posting AS (INSERT INTO postings (id, at_ms, kind, from_account, to_account, amount_cents, bettor_id, \
     balance_after_cents) SELECT $1, $5, 'stake', 'bettor', 'open_stakes', $6, $3, balance_cents FROM account), \
     bet AS (INSERT INTO bets (id, ticket_id, account_id, key, placed_at_ms, bruto_cents, stake_cents, \
     total_odd, system_type, potential_win_cents, win_tax_cents, payout_cents, consent, balance_after_cents, \
     rules, offer_version, feed_epoch, feed_seq, rest_bruto_cents, rest_stake_cents) \
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $31, $32, $33, $34, $6, $7 FROM account), \
     pairs AS (INSERT INTO bet_pairs (bet_id, account_id, position, match_id, market_id, odd_id, sport_id, market_type, \
     market_subtype, sbv, odd_type, odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament) \
     SELECT $1, $3, place - 1, match_id, market_id, odd_id, sport_id, market_type, market_subtype, sbv, odd_type, \
     odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament \
     FROM account, UNNEST($15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], \
     $21::text[], $22::text[], $23::bigint[], $24::bigint[], $25::boolean[], $26::text[], $27::text[], \
     $28::text[], $29::text[], $30::text[]) WITH ORDINALITY AS pair (match_id, market_id, odd_id, sport_id, \
     market_type, market_subtype, sbv, odd_type, odds_submitted, odds_taken, is_fix, home, away, market, odd, \
     tournament, place)), \
     slot AS (DELETE FROM running_orders WHERE account_id = $3 AND key = $4 AND node_id = $39) \
     SELECT EXISTS (SELECT FROM answer) AS is_key_free, EXISTS (SELECT FROM betting_pause) AS is_paused, \
     EXISTS (SELECT FROM UNNEST($15::bigint[], $16::bigint[]) AS k (match_id, market_id) \
     JOIN market_results r ON r.match_id = k.match_id AND r.market_id = k.market_id) AS has_result";

/// What [`WRITE`] returns.
struct Written {
    is_key_free: bool,
    is_paused: bool,
    has_result: bool,
}

impl PostgresStore {
    pub(super) fn place_bet(&self, bet: PlaceBet) -> StoreFuture<'_, Placed> {
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
}

/// Places a bet of an order that `node` has reserved. Unless it is placed, nothing changes: dropping the transaction
/// undoes the statement that wrote it.
async fn place(pool: PgPool, node: i64, order: PlaceBet) -> Result<Placed, StoreError> {
    let mut connection = pool.acquire().await?;
    fail_point::pass("before-begin");
    let mut transaction = sqlx::Connection::begin(&mut *connection).await?;
    let matches: Vec<i64> = order.bet.pairs.iter().map(|pair| wide(pair.match_id.get())).collect();
    let row = sqlx::query(LOCK).bind(order.account.get()).bind(&matches).fetch_optional(&mut *transaction).await?;
    let row = row.ok_or_else(|| StoreError::corrupt(format!("there is no account {}", order.account)))?;
    let (held, receivable) = (row.cents("balance_cents")?, row.cents("receivable_cents")?);
    let number = row.int("number")?;
    fail_point::pass("after-lock");
    if receivable > Money::ZERO {
        return refused(&mut transaction, &order, Placed::Owes { receivable }).await;
    }
    let Some(balance) = held.checked_sub(order.bet.bruto).filter(|left| *left >= Money::ZERO) else {
        return refused(&mut transaction, &order, Placed::NotEnough { balance: held }).await;
    };
    if (has_limit(&order.limits) || !row.protection()?.is_empty())
        && let Some(facts) =
            facts(&mut transaction, order.account, matches, &order.limits, order.bet.placed_at_ms).await?
        && is_over(&facts, &order.bet, &order.limits)
    {
        return refused(&mut transaction, &order, Placed::OverLimit(facts)).await;
    }
    let answer = Answer { status: 200, body: (order.answer)(&receipt(balance, number)) };
    let written = write(&mut transaction, node, number, &order, balance, &answer).await?;
    if !written.is_key_free {
        let record = find_key(&mut transaction, order.account, order.key).await?;
        let record = record.ok_or_else(|| StoreError::corrupt("a key is taken and not there"))?;
        return Ok(replayed(record, &order.digest));
    }
    if written.has_result
        && let Some(settled) = settled_match(&mut transaction, &order.bet).await?
    {
        return Ok(Placed::MarketSettled(settled));
    }
    if written.is_paused {
        return Ok(Placed::Paused);
    }
    fail_point::pass("before-commit");
    transaction.commit().await?;
    fail_point::pass("after-commit");
    let money = AccountMoney { balance, receivable, revision: row.unsigned::<u64>("revision")?.saturating_add(1) };
    Ok(placed(&order, number, money, answer))
}

/// The outcome of a bet that an obstacle prevents. A stored answer comes first: this same bet may have used up the balance,
/// and the debt or the result may be newer than the bet. Then come a debt, a result, and the other obstacles.
async fn refused(connection: &mut PgConnection, order: &PlaceBet, obstacle: Placed) -> Result<Placed, StoreError> {
    if let Some(record) = find_key(connection, order.account, order.key).await? {
        return Ok(replayed(record, &order.digest));
    }
    if matches!(obstacle, Placed::Owes { .. }) {
        return Ok(obstacle);
    }
    Ok(settled_match(connection, &order.bet).await?.map_or(obstacle, Placed::MarketSettled))
}

fn replayed(record: KeyRecord, digest: &[u8; 32]) -> Placed {
    if record.digest == *digest { Placed::Replayed(record.answer) } else { Placed::KeyConflict }
}

/// Runs [`WRITE`]. If another transaction is inserting the same key, this waits for its end.
async fn write(
    connection: &mut PgConnection,
    node: i64,
    number: i64,
    order: &PlaceBet,
    balance: Money,
    answer: &Answer,
) -> Result<Written, StoreError> {
    let bet: &Bet = &order.bet;
    let pairs = &bet.pairs;
    let ids = |id: fn(&BetPair) -> u64| pairs.iter().map(|pair| wide(id(pair))).collect::<Vec<i64>>();
    let texts =
        |text: fn(&PairTexts) -> &String| pairs.iter().map(|pair| holdable(text(&pair.texts))).collect::<Vec<_>>();
    let optional = |text: fn(&BetPair) -> &Option<String>| {
        pairs.iter().map(|pair| text(pair).as_deref().map(holdable)).collect::<Vec<_>>()
    };
    let row = sqlx::query(WRITE)
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
        .bind(&order.digest[..])
        .bind(i64::from(answer.status))
        .bind(&answer.body[..])
        .bind(KeyPurpose::Bet.word())
        .bind(node)
        .fetch_one(connection)
        .await?;
    Ok(Written {
        is_key_free: row.flag("is_key_free")?,
        is_paused: row.flag("is_paused")?,
        has_result: row.flag("has_result")?,
    })
}
