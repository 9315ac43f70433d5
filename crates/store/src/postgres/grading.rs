//! Reads the bets of a settlement batch from PostgreSQL, and writes their new state. Called by `settlement.rs`, within
//! its transaction. Must not decide the outcome of a bet: `crates/store/src/settlement.rs` does.

use super::holdable;
use super::settlement::market_result;
use crate::rows::{StoreRow, wide};
use crate::settlement::{GradedBet, GradedPair, outcome_of};
use crate::settling::{Batch, Holdings, LoadedBet, RulesCache, account_name};
use crate::{BetRules, BetState, StoreError, StoredSettlement, TicketId, fail_point};
use kvota_domain::ids::{MarketId, MatchId, OddId};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::settlement::{BetTerms, Settlement};
use sqlx::{PgConnection, Row};
use std::collections::{HashMap, HashSet};

/// Locks the accounts of bets and then the bets. Returns the balances of the accounts.
pub(super) async fn lock(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Holdings>, StoreError> {
    let rows = sqlx::query(
        "SELECT id, balance_cents, receivable_cents, revision FROM accounts \
         WHERE id IN (SELECT account_id FROM bets WHERE id = ANY($1)) ORDER BY id FOR NO KEY UPDATE",
    )
    .bind(ids)
    .fetch_all(&mut *connection)
    .await?;
    sqlx::query("SELECT 1 FROM bets WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE")
        .bind(ids)
        .execute(connection)
        .await?;
    rows.iter()
        .map(|row| {
            Ok((
                row.int(0)?,
                Holdings { balance: row.cents(1)?, receivable: row.cents(2)?, revision: row.unsigned(3)? },
            ))
        })
        .collect()
}

pub(super) async fn load(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<LoadedBet>, StoreError> {
    let mut pairs = load_pairs(connection, ids).await?;
    let rows = sqlx::query(
        "SELECT b.id, b.ticket_id, b.account_id, b.placed_at_ms, b.state, b.rest_bruto_cents, b.rest_stake_cents, \
         b.system_type, b.settlements, b.rules, b.standing, s.gross_cents, s.win_tax_cents, s.paid_cents, s.at_ms, \
         s.reason, b.revision, CASE WHEN b.rest_bruto_cents = b.bruto_cents THEN 0 ELSE (SELECT \
         COALESCE(SUM(o.paid_cents), 0)::bigint FROM cash_outs o WHERE o.bet_id = b.id) END \
         FROM bets b LEFT JOIN settlements s ON s.bet_id = b.id AND s.number = b.standing \
         WHERE b.id = ANY($1) ORDER BY b.id",
    )
    .bind(ids)
    .fetch_all(connection)
    .await?;
    let mut rules = RulesCache::default();
    let mut loaded = Vec::with_capacity(rows.len());
    for row in &rows {
        let id = row.int(0)?;
        let state =
            BetState::from_word(&row.text(4)?).ok_or_else(|| StoreError::corrupt("the state of a bet is unknown"))?;
        let BetRules { rules, void_returns_stake_tax } = rules.read(row.try_get(9)?)?;
        let standing: Option<i64> = row.try_get(10)?;
        let standing = match standing.and_then(|number| u32::try_from(number).ok()) {
            None => None,
            Some(number) => Some(StoredSettlement {
                number,
                at_ms: row.int(14)?,
                gross: row.cents(11)?,
                win_tax: row.cents(12)?,
                paid: row.cents(13)?,
                reason: row.try_get(15)?,
            }),
        };
        let amounts = match &standing {
            None => None,
            Some(StoredSettlement { gross, win_tax, paid, .. }) => {
                let outcome = outcome_of(state).ok_or_else(|| StoreError::corrupt("an open bet has a settlement"))?;
                Some(Settlement { outcome, gross: *gross, win_tax: *win_tax, paid: *paid })
            }
        };
        let pairs = pairs.remove(&id).unwrap_or_default();
        let terms = BetTerms {
            bruto: row.cents(5)?,
            taxed_stake: row.cents(6)?,
            system_type: row.unsigned(7)?,
            pairs: pairs.iter().map(|(taken, is_fix, _)| (*taken, *is_fix)).collect(),
            rules,
            void_returns_stake_tax,
        };
        let terms = terms.after_payments(row.cents(17)?);
        loaded.push(LoadedBet {
            id,
            ticket_id: TicketId::new(&row.text(1)?).ok_or_else(|| StoreError::corrupt("a ticket has no id"))?,
            account: row.account_id(2)?,
            settlements: row.unsigned(8)?,
            standing,
            revision: row.unsigned(16)?,
            bet: GradedBet {
                state,
                terms,
                placed_at_ms: row.int(3)?,
                standing: amounts,
                pairs: pairs.into_iter().map(|(_, _, pair)| pair).collect(),
            },
        });
    }
    Ok(loaded)
}

type LoadedPair = (Price, bool, GradedPair);

/// The pairs of bets in their order, each with the current result of its market.
async fn load_pairs(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Vec<LoadedPair>>, StoreError> {
    let rows = sqlx::query(
        "SELECT bet_id, match_id, market_id, odd_id, odds_taken, is_fix, result, settled_at_ms, dead_heat, reason, line_moved FROM bet_pairs \
         WHERE bet_id = ANY($1) ORDER BY bet_id, position",
    )
    .bind(ids)
    .fetch_all(&mut *connection)
    .await?;
    let mut markets = HashSet::new();
    for row in &rows {
        markets.insert((row.int(1)?, row.int(2)?));
    }
    let (matches, markets): (Vec<i64>, Vec<i64>) = markets.into_iter().unzip();
    let results = sqlx::query(
        "SELECT r.match_id, r.market_id, r.version, r.state, r.odds, r.void_windows, r.reason \
         FROM UNNEST($1::bigint[], $2::bigint[]) AS k (match_id, market_id) \
         JOIN market_results r ON r.match_id = k.match_id AND r.market_id = k.market_id",
    )
    .bind(matches)
    .bind(markets)
    .fetch_all(connection)
    .await?;
    let results = results.iter().map(market_result).collect::<Result<Vec<_>, _>>()?;
    let results: HashMap<_, _> =
        results.into_iter().map(|(match_id, result)| ((match_id, result.market), result)).collect();
    let mut pairs: HashMap<i64, Vec<LoadedPair>> = HashMap::new();
    for row in &rows {
        let key = (row.id(1, MatchId::new)?, row.id(2, MarketId::new)?);
        let market = results.get(&key).cloned();
        let (odd, kept, line_moved) = (row.id(3, OddId::new)?, row.result(6)?, row.try_get(10)?);
        let pair = GradedPair { odd, kept, market, line_moved };
        pairs.entry(row.int(0)?).or_default().push((row.price(4)?, row.try_get(5)?, pair));
    }
    Ok(pairs)
}

/// The ids of the postings of each bet's current settlement, in their order.
pub(super) async fn postings_of(
    connection: &mut PgConnection,
    bets: Vec<i64>,
) -> Result<HashMap<i64, Vec<i64>>, StoreError> {
    let mut found: HashMap<i64, Vec<i64>> = HashMap::new();
    if bets.is_empty() {
        return Ok(found);
    }
    let rows = sqlx::query(
        "SELECT p.bet_id, p.id FROM bets b JOIN postings p ON p.bet_id = b.id AND p.settlement = b.standing \
         WHERE b.id = ANY($1) AND p.kind IN ('payout', 'refund') ORDER BY p.id",
    )
    .bind(bets)
    .fetch_all(connection)
    .await?;
    for row in &rows {
        found.entry(row.int(0)?).or_default().push(row.int(1)?);
    }
    Ok(found)
}

pub(super) async fn write(connection: &mut PgConnection, batch: &Batch, now_ms: i64) -> Result<(), StoreError> {
    if batch.bets.is_empty() {
        return Ok(());
    }
    write_settlements(connection, batch, now_ms).await?;
    fail_point::pass("settle-settlements");
    write_postings(connection, batch, now_ms).await?;
    fail_point::pass("settle-postings");
    sqlx::query(
        "UPDATE bets SET state = n.state, settlements = n.settlements, standing = n.standing, revision = n.revision \
         FROM UNNEST($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) \
         AS n (id, state, settlements, standing, revision) \
         WHERE bets.id = n.id",
    )
    .bind(column(&batch.bets, |row| row.id))
    .bind(column(&batch.bets, |row| row.state.as_str()))
    .bind(column(&batch.bets, |row| i64::from(row.settlements)))
    .bind(column(&batch.bets, |row| row.standing.map(i64::from)))
    .bind(column(&batch.bets, |row| wide(row.revision)))
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE bet_pairs SET result = n.result, settled_at_ms = n.at_ms, dead_heat = n.dead_heat, reason = n.reason \
         FROM UNNEST($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[]) \
         AS n (bet_id, position, result, at_ms, dead_heat, reason) \
         WHERE bet_pairs.bet_id = n.bet_id AND bet_pairs.position = n.position",
    )
    .bind(column(&batch.pairs, |row| row.bet_id))
    .bind(column(&batch.pairs, |row| wide(row.position as u64)))
    .bind(column(&batch.pairs, |row| row.stored.result.code()))
    .bind(column(&batch.pairs, |row| row.stored.settled_at_ms))
    .bind(column(&batch.pairs, |row| row.stored.result.dead_heat().map(|share| wide(share.ten_thousandths()))))
    .bind(column(&batch.pairs, |row| row.stored.reason.as_deref().map(holdable)))
    .execute(&mut *connection)
    .await?;
    let accounts: Vec<(i64, Holdings)> = batch.accounts.iter().map(|(id, held)| (*id, *held)).collect();
    sqlx::query(
        "UPDATE accounts SET balance_cents = n.balance, receivable_cents = n.receivable, revision = n.revision \
         FROM UNNEST($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS n (id, balance, receivable, revision) \
         WHERE accounts.id = n.id",
    )
    .bind(column(&accounts, |(id, _)| *id))
    .bind(column(&accounts, |(_, held)| held.balance.cents()))
    .bind(column(&accounts, |(_, held)| held.receivable.cents()))
    .bind(column(&accounts, |(_, held)| wide(held.revision)))
    .execute(connection)
    .await?;
    fail_point::pass("settle-written");
    Ok(())
}

async fn write_settlements(connection: &mut PgConnection, batch: &Batch, now_ms: i64) -> Result<(), StoreError> {
    let rows = &batch.settlements;
    sqlx::query(
        "INSERT INTO settlements (bet_id, number, at_ms, state, gross_cents, win_tax_cents, paid_cents, reason) \
         SELECT bet_id, number, $1, state, gross, win_tax, paid, reason \
         FROM UNNEST($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[]) \
         AS n (bet_id, number, state, gross, win_tax, paid, reason)",
    )
    .bind(now_ms)
    .bind(column(rows, |row| row.bet_id))
    .bind(column(rows, |row| i64::from(row.number)))
    .bind(column(rows, |row| row.state.as_str()))
    .bind(column(rows, |row| row.settlement.gross.cents()))
    .bind(column(rows, |row| row.settlement.win_tax.cents()))
    .bind(column(rows, |row| row.settlement.paid.cents()))
    .bind(column(rows, |row| row.reason.as_deref().map(holdable)))
    .execute(connection)
    .await?;
    Ok(())
}

async fn write_postings(connection: &mut PgConnection, batch: &Batch, now_ms: i64) -> Result<(), StoreError> {
    let rows = &batch.postings;
    sqlx::query(
        "INSERT INTO postings (at_ms, kind, from_account, to_account, amount_cents, bettor_id, bet_id, settlement, \
         reverses_id, balance_after_cents) SELECT $1, kind, from_account, to_account, amount, bettor, bet, settlement, \
         reverses, balance FROM UNNEST($2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], \
         $8::bigint[], $9::bigint[], $10::bigint[]) WITH ORDINALITY \
         AS n (kind, from_account, to_account, amount, bettor, bet, settlement, reverses, balance, place) ORDER BY place",
    )
    .bind(now_ms)
    .bind(column(rows, |row| row.posting.kind.code()))
    .bind(column(rows, |row| account_name(row.posting.from)))
    .bind(column(rows, |row| account_name(row.posting.to)))
    .bind(column(rows, |row| row.posting.amount.cents()))
    .bind(column(rows, |row| row.bettor.get()))
    .bind(column(rows, |row| row.bet_id))
    .bind(column(rows, |row| row.settlement.map(i64::from)))
    .bind(column(rows, |row| row.reverses))
    .bind(column(rows, |row| row.balance_after.map(Money::cents)))
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) fn column<'a, Row, Value>(rows: &'a [Row], value: impl FnMut(&'a Row) -> Value) -> Vec<Value> {
    rows.iter().map(value).collect()
}
