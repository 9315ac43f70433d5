//! Reads the bets of a settlement batch from SQLite, and writes their new state. Called by the operations in
//! `settlement.rs`, within their transaction. Must not decide the outcome of a bet:
//! `crates/store/src/settlement.rs` does.

use super::settlement::market_result;
use crate::rows::StoreRow;
use crate::settlement::{GradedBet, GradedPair, outcome_of};
use crate::settling::{Batch, Holdings, LoadedBet, RulesCache, account_name};
use crate::{BetRules, BetState, StoreError, StoredResult, StoredSettlement, TicketId, fail_point};
use kvota_domain::ids::{MarketId, MatchId, OddId};
use kvota_domain::money::Money;
use kvota_domain::settlement::{BetTerms, DeadHeat, Settlement};
use serde_json::{Value, json};
use sqlx::{Row, SqliteConnection};
use std::collections::{HashMap, HashSet};

/// The bets with these numbers, and the money of their accounts.
pub(super) async fn load(
    connection: &mut SqliteConnection,
    ids: &[i64],
) -> Result<(Vec<LoadedBet>, HashMap<i64, Holdings>), StoreError> {
    let wanted = json!(ids).to_string();
    let mut pairs = load_pairs(connection, &wanted).await?;
    let rows = sqlx::query(
        "SELECT b.id, b.ticket_id, b.account_id, b.placed_at_ms, b.state, b.rest_bruto_cents, b.rest_stake_cents, \
         b.system_type, b.settlements, a.balance_cents, a.receivable_cents, b.rules, b.standing, s.gross_cents, \
         s.win_tax_cents, s.paid_cents, s.at_ms, s.reason, b.revision, a.revision, \
         CASE WHEN b.rest_bruto_cents = b.bruto_cents THEN 0 ELSE (SELECT COALESCE(SUM(o.paid_cents), 0) \
         FROM cash_outs o WHERE o.bet_id = b.id) END FROM bets b JOIN accounts a ON a.id = b.account_id \
         LEFT JOIN settlements s ON s.bet_id = b.id AND s.number = b.standing \
         WHERE b.id IN (SELECT value FROM json_each(?)) ORDER BY b.id",
    )
    .bind(wanted)
    .fetch_all(connection)
    .await?;
    let (mut rules, mut holdings) = (RulesCache::default(), HashMap::new());
    let mut loaded = Vec::with_capacity(rows.len());
    for row in &rows {
        let id = row.int(0)?;
        let state =
            BetState::from_word(&row.text(4)?).ok_or_else(|| StoreError::corrupt("the state of a bet is unknown"))?;
        let BetRules { rules, void_returns_stake_tax } = rules.read(row.try_get(11)?)?;
        let standing: Option<i64> = row.try_get(12)?;
        let standing = match standing.and_then(|number| u32::try_from(number).ok()) {
            None => None,
            Some(number) => Some(StoredSettlement {
                number,
                at_ms: row.int(16)?,
                gross: row.cents(13)?,
                win_tax: row.cents(14)?,
                paid: row.cents(15)?,
                reason: row.try_get(17)?,
            }),
        };
        let amounts = match &standing {
            None => None,
            Some(StoredSettlement { gross, win_tax, paid, .. }) => {
                let outcome = outcome_of(state).ok_or_else(|| StoreError::corrupt("an open bet has a settlement"))?;
                Some(Settlement { outcome, gross: *gross, win_tax: *win_tax, paid: *paid })
            }
        };
        let account = row.account_id(2)?;
        holdings.insert(
            account.get(),
            Holdings { balance: row.cents(9)?, receivable: row.cents(10)?, revision: row.unsigned(19)? },
        );
        let pairs = pairs.remove(&id).unwrap_or_default();
        let terms = BetTerms {
            bruto: row.cents(5)?,
            taxed_stake: row.cents(6)?,
            system_type: row.unsigned(7)?,
            pairs: pairs.iter().map(|(taken, is_fix, _)| (*taken, *is_fix)).collect(),
            rules,
            void_returns_stake_tax,
        };
        let terms = terms.after_payments(row.cents(20)?);
        loaded.push(LoadedBet {
            id,
            ticket_id: TicketId::new(&row.text(1)?).ok_or_else(|| StoreError::corrupt("a ticket has no id"))?,
            account,
            settlements: row.unsigned(8)?,
            standing,
            revision: row.unsigned(18)?,
            bet: GradedBet {
                state,
                terms,
                placed_at_ms: row.int(3)?,
                standing: amounts,
                pairs: pairs.into_iter().map(|(_, _, pair)| pair).collect(),
            },
        });
    }
    Ok((loaded, holdings))
}

type LoadedPair = (kvota_domain::price::Price, bool, GradedPair);

/// The pairs of bets in their order, each with the current result of its market.
async fn load_pairs(
    connection: &mut SqliteConnection,
    wanted: &str,
) -> Result<HashMap<i64, Vec<LoadedPair>>, StoreError> {
    let rows = sqlx::query(
        "SELECT bet_id, match_id, market_id, odd_id, odds_taken, is_fix, result, settled_at_ms, dead_heat, reason, line_moved FROM bet_pairs \
         WHERE bet_id IN (SELECT value FROM json_each(?)) ORDER BY bet_id, position",
    )
    .bind(wanted)
    .fetch_all(&mut *connection)
    .await?;
    let mut markets = HashSet::new();
    for row in &rows {
        markets.insert((row.int(1)?, row.int(2)?));
    }
    let markets: Vec<Value> = markets.into_iter().map(|(match_id, market_id)| json!([match_id, market_id])).collect();
    let results = sqlx::query(
        "SELECT r.match_id, r.market_id, r.version, r.state, r.odds, r.void_windows, r.reason \
         FROM json_each(?) k JOIN market_results r ON r.match_id = k.value ->> 0 AND r.market_id = k.value ->> 1",
    )
    .bind(Value::Array(markets).to_string())
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
    connection: &mut SqliteConnection,
    bets: &[i64],
) -> Result<HashMap<i64, Vec<i64>>, StoreError> {
    let mut found: HashMap<i64, Vec<i64>> = HashMap::new();
    if bets.is_empty() {
        return Ok(found);
    }
    let rows = sqlx::query(
        "SELECT p.bet_id, p.id FROM bets b JOIN postings p ON p.bet_id = b.id AND p.settlement = b.standing \
         WHERE b.id IN (SELECT value FROM json_each(?)) AND p.kind IN ('payout', 'refund') ORDER BY p.id",
    )
    .bind(json!(bets).to_string())
    .fetch_all(connection)
    .await?;
    for row in &rows {
        found.entry(row.int(0)?).or_default().push(row.int(1)?);
    }
    Ok(found)
}

pub(super) async fn write(connection: &mut SqliteConnection, batch: &Batch, now_ms: i64) -> Result<(), StoreError> {
    if batch.bets.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO settlements (bet_id, number, at_ms, state, gross_cents, win_tax_cents, paid_cents, reason) \
         SELECT value ->> 0, value ->> 1, ?, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 FROM json_each(?)",
    )
    .bind(now_ms)
    .bind(rows(batch.settlements.iter().map(|row| {
        let Settlement { gross, win_tax, paid, .. } = row.settlement;
        json!([row.bet_id, row.number, row.state.as_str(), gross.cents(), win_tax.cents(), paid.cents(), row.reason])
    })))
    .execute(&mut *connection)
    .await?;
    fail_point::pass("settle-settlements");
    sqlx::query(
        "INSERT INTO postings (at_ms, kind, from_account, to_account, amount_cents, bettor_id, bet_id, settlement, \
         reverses_id, balance_after_cents) SELECT ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, \
         value ->> 5, value ->> 6, value ->> 7, value ->> 8 FROM json_each(?)",
    )
    .bind(now_ms)
    .bind(rows(batch.postings.iter().map(|row| {
        let (from, to) = (account_name(row.posting.from), account_name(row.posting.to));
        let balance = row.balance_after.map(Money::cents);
        json!([
            row.posting.kind.code(),
            from,
            to,
            row.posting.amount.cents(),
            row.bettor.get(),
            row.bet_id,
            row.settlement,
            row.reverses,
            balance
        ])
    })))
    .execute(&mut *connection)
    .await?;
    fail_point::pass("settle-postings");
    sqlx::query(
        "UPDATE bets SET state = new.value ->> 1, settlements = new.value ->> 2, standing = new.value ->> 3, \
         revision = new.value ->> 4 \
         FROM json_each(?) AS new WHERE bets.id = new.value ->> 0",
    )
    .bind(rows(
        batch.bets.iter().map(|row| json!([row.id, row.state.as_str(), row.settlements, row.standing, row.revision])),
    ))
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE bet_pairs SET result = new.value ->> 2, settled_at_ms = new.value ->> 3, \
         dead_heat = new.value ->> 4, reason = new.value ->> 5 \
         FROM json_each(?) AS new WHERE bet_pairs.bet_id = new.value ->> 0 AND bet_pairs.position = new.value ->> 1",
    )
    .bind(rows(batch.pairs.iter().map(|row| {
        let StoredResult { result, settled_at_ms, reason } = &row.stored;
        let dead_heat = result.dead_heat().map(DeadHeat::ten_thousandths);
        json!([row.bet_id, row.position, result.code(), settled_at_ms, dead_heat, reason])
    })))
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE accounts SET balance_cents = new.value ->> 1, receivable_cents = new.value ->> 2, \
         revision = new.value ->> 3 \
         FROM json_each(?) AS new WHERE accounts.id = new.value ->> 0",
    )
    .bind(rows(
        batch
            .accounts
            .iter()
            .map(|(id, held)| json!([id, held.balance.cents(), held.receivable.cents(), held.revision])),
    ))
    .execute(connection)
    .await?;
    fail_point::pass("settle-written");
    Ok(())
}

pub(super) fn rows(rows: impl Iterator<Item = Value>) -> String {
    Value::Array(rows.collect()).to_string()
}
