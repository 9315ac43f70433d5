//! Reads the bets of a settlement batch, within the transaction of its caller. Must not decide the outcome of a bet:
//! `kvota_domain::ledger` does.

use super::super::dialect::{Connection, is_in, list, results_of};
use super::StoreRow;
use crate::bet_rules::RulesCache;
use crate::rows::wide;
use crate::{Bet, BetRules, StoreError, StoredSettlement};
use kvota_domain::ids::{MatchId, OddId};
use kvota_domain::ledger::{GradedBet, GradedPair, LoadedBet, outcome_of, settled_pair};
use kvota_domain::price::Price;
use kvota_domain::settlement::{BetTerms, Settlement};
use std::collections::{HashMap, HashSet};

/// The bets with these numbers, by number.
pub(super) async fn load(connection: &mut Connection, ids: &[i64]) -> Result<Vec<LoadedBet>, StoreError> {
    let mut pairs = load_pairs(connection, ids).await?;
    let rows = sqlx::query(concat!(
        "SELECT b.id AS id, b.ticket_id AS ticket_id, b.account_id AS account_id, b.placed_at_ms AS placed_at_ms, \
         b.state AS state, b.rest_bruto_cents AS rest_bruto_cents, b.rest_stake_cents AS rest_stake_cents, \
         b.system_type AS system_type, b.settlements AS settlements, b.rules AS rules, b.standing AS standing, \
         b.revision AS revision, s.gross_cents AS settled_gross_cents, s.win_tax_cents AS settled_win_tax_cents, \
         s.paid_cents AS settled_paid_cents, s.at_ms AS settled_at_ms, s.reason AS settled_reason, \
         CASE WHEN b.rest_bruto_cents = b.bruto_cents THEN 0 ELSE (SELECT CAST(COALESCE(SUM(o.paid_cents), 0) \
         AS BIGINT) FROM cash_outs o WHERE o.bet_id = b.id) END AS paid_out_cents \
         FROM bets b LEFT JOIN settlements s ON s.bet_id = b.id AND s.number = b.standing WHERE ",
        is_in!("b.id", "$1"),
        " ORDER BY b.id"
    ))
    .bind(list(ids.iter().copied()))
    .fetch_all(connection)
    .await?;
    let mut rules = RulesCache::default();
    let mut loaded = Vec::with_capacity(rows.len());
    for row in &rows {
        let id = row.int("id")?;
        let state = row.state()?;
        let BetRules { rules, void_returns_stake_tax } = rules.read(row.optional_text("rules")?)?;
        let standing = row.settlement()?;
        let amounts = match &standing {
            None => None,
            Some(StoredSettlement { gross, win_tax, paid, .. }) => {
                let outcome = outcome_of(state).ok_or_else(|| StoreError::corrupt("an open bet has a settlement"))?;
                Some(Settlement { outcome, gross: *gross, win_tax: *win_tax, paid: *paid })
            }
        };
        let pairs = pairs.remove(&id).unwrap_or_default();
        let terms = BetTerms {
            bruto: row.cents("rest_bruto_cents")?,
            taxed_stake: row.cents("rest_stake_cents")?,
            system_type: row.unsigned("system_type")?,
            pairs: pairs.iter().map(|(taken, is_fix, _)| (*taken, *is_fix)).collect(),
            rules,
            void_returns_stake_tax,
        };
        loaded.push(LoadedBet {
            id,
            ticket_id: row.ticket_id()?,
            account: row.account_id("account_id")?,
            settlements: row.unsigned("settlements")?,
            standing,
            revision: row.unsigned("revision")?,
            bet: GradedBet {
                state,
                terms: terms.after_payments(row.cents("paid_out_cents")?),
                placed_at_ms: row.int("placed_at_ms")?,
                standing: amounts,
                pairs: pairs.into_iter().map(|(_, _, pair)| pair).collect(),
            },
        });
    }
    Ok(loaded)
}

type LoadedPair = (Price, bool, GradedPair);

/// The pairs of bets in their order, each with the current result of its market.
async fn load_pairs(connection: &mut Connection, ids: &[i64]) -> Result<HashMap<i64, Vec<LoadedPair>>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT bet_id, match_id, market_id, odd_id, odds_taken, is_fix, result, settled_at_ms, dead_heat, reason, \
         line_moved FROM bet_pairs WHERE ",
        is_in!("bet_id", "$1"),
        " ORDER BY bet_id, position"
    ))
    .bind(list(ids.iter().copied()))
    .fetch_all(&mut *connection)
    .await?;
    let mut keys = HashSet::new();
    for row in &rows {
        keys.insert((row.int("match_id")?, row.int("market_id")?));
    }
    let keys: Vec<(i64, i64)> = keys.into_iter().collect();
    let results = results_of(connection, &keys).await?;
    let results = results.iter().map(StoreRow::market_result).collect::<Result<Vec<_>, _>>()?;
    let results: HashMap<_, _> =
        results.into_iter().map(|(match_id, result)| ((match_id, result.market), result)).collect();
    let mut pairs: HashMap<i64, Vec<LoadedPair>> = HashMap::new();
    for row in &rows {
        let market = results.get(&(row.match_id()?, row.market_id()?)).cloned();
        let odd = row.id("odd_id", OddId::new)?;
        let pair = GradedPair { odd, kept: row.result()?, market, line_moved: row.flag("line_moved")? };
        let terms = (row.price("odds_taken")?, row.flag("is_fix")?, pair);
        pairs.entry(row.int("bet_id")?).or_default().push(terms);
    }
    Ok(pairs)
}

/// The ids of the postings of each bet's current settlement, in their order.
pub(super) async fn postings_of(
    connection: &mut Connection,
    bets: &[i64],
) -> Result<HashMap<i64, Vec<i64>>, StoreError> {
    let mut found: HashMap<i64, Vec<i64>> = HashMap::new();
    if bets.is_empty() {
        return Ok(found);
    }
    let rows = sqlx::query(concat!(
        "SELECT p.bet_id AS bet_id, p.id AS id FROM bets b JOIN postings p ON p.bet_id = b.id \
         AND p.settlement = b.standing WHERE ",
        is_in!("b.id", "$1"),
        " AND p.kind IN ('payout', 'refund') ORDER BY p.id"
    ))
    .bind(list(bets.iter().copied()))
    .fetch_all(connection)
    .await?;
    for row in &rows {
        found.entry(row.int("bet_id")?).or_default().push(row.int("id")?);
    }
    Ok(found)
}

/// If an odd of a new bet currently has a result, returns its match. The caller keeps results of these matches from being
/// stored before the transaction ends.
pub(in super::super) async fn settled_match(
    connection: &mut Connection,
    bet: &Bet,
) -> Result<Option<MatchId>, StoreError> {
    let keys = bet.pairs.iter().map(|pair| (wide(pair.match_id.get()), wide(pair.market_id.get())));
    let rows = results_of(connection, &keys.collect::<Vec<_>>()).await?;
    let results = rows.iter().map(StoreRow::market_result).collect::<Result<Vec<_>, _>>()?;
    Ok(settled_pair(bet, &results))
}
