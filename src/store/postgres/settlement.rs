//! Results and settlements in PostgreSQL. A batch of bets is one transaction: it locks the accounts in the order of their
//! ids, as placing locks one account first, then the bets, and writes everything in a few statements.
//!
//! A bet that is being placed while a result arrives must not be missed: placing holds a shared lock on each of its
//! matches until it commits, and storing a result takes the exclusive one ([`lock_matches`]).

use super::statement::statement;
use super::{PostgresStore, holdable};
use crate::domain::ids::{MarketId, MatchId, OddId};
use crate::domain::money::Money;
use crate::domain::price::Price;
use crate::domain::settlement::{BetTerms, MarketResult, MatchResults, RequestedMatch, Settlement};
use crate::store::bet_rules;
use crate::store::rows::{StoreRow, wide};
use crate::store::settlement::{GradedBet, GradedPair, NewerResults, RULES_AT_ONCE_MAX, by_match, outcome_of};
use crate::store::settling::{
    Batch, Holdings, LoadedBet, RulesCache, account_name, result_as_json, result_of, revisions, settled_pair,
    taken_back,
};
use crate::store::{
    AccountId, Bet, BetRules, BetState, ResultsStored, SettleScope, SettledBatch, SettlementBacklog, SettlementStore,
    SettlementWork, StatementPage, StoreError, StoreFuture, StoredSettlement, TicketId, fail_point,
};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, PgPool, Row};
use std::collections::{HashMap, HashSet};

impl SettlementStore for PostgresStore {
    fn store_results(&self, results: MatchResults, now_ms: i64) -> StoreFuture<'_, ResultsStored> {
        Box::pin(self.run(move |pool| store_results(pool, results, now_ms)))
    }

    fn work_of_match(&self, match_id: MatchId) -> StoreFuture<'_, Vec<SettlementWork>> {
        Box::pin(self.run(move |pool| async move {
            let rows =
                sqlx::query("SELECT match_id, market_id FROM settlement_work WHERE match_id = $1 ORDER BY market_id")
                    .bind(wide(match_id.get()))
                    .fetch_all(&pool)
                    .await?;
            rows.iter().map(work_of).collect()
        }))
    }

    fn waiting_work(&self, before_ms: i64, max: u32) -> StoreFuture<'_, Vec<SettlementWork>> {
        Box::pin(self.run(move |pool| async move {
            let rows = sqlx::query(
                "SELECT match_id, market_id FROM settlement_work WHERE since_ms < $1 \
                 ORDER BY since_ms, match_id, market_id LIMIT $2 FOR UPDATE SKIP LOCKED",
            )
            .bind(before_ms)
            .bind(i64::from(max))
            .fetch_all(&pool)
            .await?;
            rows.iter().map(work_of).collect()
        }))
    }

    fn set_aside(&self, work: SettlementWork, cause: String, now_ms: i64) -> StoreFuture<'_, bool> {
        Box::pin(self.run(move |pool| set_aside(pool, work, cause, now_ms)))
    }

    fn retry_set_aside(&self, before_ms: i64, now_ms: i64) -> StoreFuture<'_, u64> {
        Box::pin(self.run(move |pool| async move {
            let retried: i64 = sqlx::query_scalar(
                "WITH retried AS (DELETE FROM settlement_set_aside WHERE at_ms < $1 RETURNING match_id, market_id), \
                 work AS (INSERT INTO settlement_work (match_id, market_id, since_ms) \
                 SELECT DISTINCT match_id, market_id, $2::bigint FROM retried \
                 ON CONFLICT (match_id, market_id) DO UPDATE SET after_bet_id = 0) SELECT count(*) FROM retried",
            )
            .bind(before_ms)
            .bind(now_ms)
            .fetch_one(&pool)
            .await?;
            Ok(u64::try_from(retried).unwrap_or_default())
        }))
    }

    fn settlement_backlog(&self) -> StoreFuture<'_, SettlementBacklog> {
        Box::pin(self.run(|pool| async move {
            let row = sqlx::query(
                "SELECT (SELECT min(since_ms) FROM settlement_work), (SELECT count(*) FROM settlement_work), \
                 (SELECT count(*) FROM settlement_set_aside)",
            )
            .fetch_one(&pool)
            .await?;
            let count = |position| row.int(position).map(|count| u64::try_from(count).unwrap_or_default());
            Ok(SettlementBacklog { oldest_ms: row.try_get(0)?, markets: count(1)?, set_aside: count(2)? })
        }))
    }

    fn keep_rules(&self, rules: BetRules) -> StoreFuture<'_, u64> {
        Box::pin(self.run(move |pool| async move {
            let kept = sqlx::query(
                "UPDATE bets SET rules = $1 WHERE id IN (SELECT id FROM bets WHERE rules IS NULL ORDER BY id LIMIT $2)",
            )
            .bind(bet_rules::to_json(&rules))
            .bind(RULES_AT_ONCE_MAX)
            .execute(&pool)
            .await?;
            Ok(kept.rows_affected())
        }))
    }

    fn settle(&self, work: SettlementWork, scope: SettleScope, now_ms: i64) -> StoreFuture<'_, SettledBatch> {
        Box::pin(self.run(move |pool| settle(pool, work, scope, now_ms)))
    }

    fn results<'a>(&'a self, matches: &'a [MatchId]) -> StoreFuture<'a, Vec<(MatchId, MarketResult)>> {
        let ids: Vec<i64> = matches.iter().map(|id| wide(id.get())).collect();
        Box::pin(self.run(move |pool| async move {
            let rows = sqlx::query(
                "SELECT match_id, market_id, version, state, odds, void_windows, reason FROM market_results \
                 WHERE match_id = ANY($1)",
            )
            .bind(ids)
            .fetch_all(&pool)
            .await?;
            rows.iter().map(market_result).collect()
        }))
    }

    fn undecided_matches(&self) -> StoreFuture<'_, Vec<RequestedMatch>> {
        Box::pin(self.run(|pool| async move {
            let rows = sqlx::query(
                "SELECT DISTINCT p.match_id, p.market_id FROM bets b JOIN bet_pairs p ON p.bet_id = b.id \
                 WHERE b.state = 'open' AND p.result = 'open' ORDER BY p.match_id, p.market_id",
            )
            .fetch_all(&pool)
            .await?;
            let markets = rows.iter().map(|row| Ok((row.id(0, MatchId::new)?, row.id(1, MarketId::new)?)));
            Ok(by_match(markets.collect::<Result<Vec<_>, StoreError>>()?))
        }))
    }

    fn statement(
        &self,
        account: AccountId,
        before: Option<i64>,
        from_ms: Option<i64>,
        to_ms: Option<i64>,
        limit: u32,
    ) -> StoreFuture<'_, StatementPage> {
        Box::pin(self.run(move |pool| statement(pool, account, before, (from_ms, to_ms), limit)))
    }
}

fn market_result(row: &PgRow) -> Result<(MatchId, MarketResult), StoreError> {
    let market = row.id(1, MarketId::new)?;
    let result = result_of(market, row.int(2)?, row.int(3)?, &row.text(4)?, &row.text(5)?, row.try_get(6)?)?;
    Ok((row.id(0, MatchId::new)?, result))
}

/// Locks matches until the transaction ends, in the order of their ids: shared for placing, exclusive for a result.
async fn lock_matches(connection: &mut PgConnection, matches: &[i64], is_exclusive: bool) -> Result<(), StoreError> {
    // The number tells these locks from others; a match's own lock is its id, folded into 32 bits.
    let question = if is_exclusive {
        "SELECT pg_advisory_xact_lock(727101, k) FROM \
         (SELECT DISTINCT (id % 2147483647)::int AS k FROM UNNEST($1::bigint[]) AS id ORDER BY k) AS keys"
    } else {
        "SELECT pg_advisory_xact_lock_shared(727101, k) FROM \
         (SELECT DISTINCT (id % 2147483647)::int AS k FROM UNNEST($1::bigint[]) AS id ORDER BY k) AS keys"
    };
    sqlx::query(question).bind(matches).execute(connection).await?;
    Ok(())
}

/// Locks the matches of a new bet, so that no result of them is stored before the transaction ends. Must be the first
/// lock of the transaction: all transactions lock matches, then work, then accounts, then bets.
pub(super) async fn lock_matches_of(connection: &mut PgConnection, bet: &Bet) -> Result<(), StoreError> {
    let matches: Vec<i64> = bet.pairs.iter().map(|pair| wide(pair.match_id.get())).collect();
    lock_matches(connection, &matches, false).await
}

/// The match of a pair of a new bet whose odd has a present result. No result of these matches is stored before the
/// transaction ends.
pub(super) async fn settled_match(connection: &mut PgConnection, bet: &Bet) -> Result<Option<MatchId>, StoreError> {
    let matches: Vec<i64> = bet.pairs.iter().map(|pair| wide(pair.match_id.get())).collect();
    let markets: Vec<i64> = bet.pairs.iter().map(|pair| wide(pair.market_id.get())).collect();
    let rows = sqlx::query(
        "SELECT r.match_id, r.market_id, r.version, r.state, r.odds, r.void_windows, r.reason \
         FROM UNNEST($1::bigint[], $2::bigint[]) AS k (match_id, market_id) \
         JOIN market_results r ON r.match_id = k.match_id AND r.market_id = k.market_id",
    )
    .bind(matches)
    .bind(markets)
    .fetch_all(connection)
    .await?;
    let results = rows.iter().map(market_result).collect::<Result<Vec<_>, _>>()?;
    Ok(settled_pair(bet, &results))
}

fn work_of(row: &PgRow) -> Result<SettlementWork, StoreError> {
    Ok(SettlementWork { match_id: row.id(0, MatchId::new)?, market_id: row.id(1, MarketId::new)? })
}

async fn store_results(pool: PgPool, results: MatchResults, now_ms: i64) -> Result<ResultsStored, StoreError> {
    let mut transaction = pool.begin().await?;
    let match_id = wide(results.match_id.get());
    lock_matches(&mut transaction, &[match_id], true).await?;
    let stored = stored_results(&mut transaction, &results).await?;
    let NewerResults { newer, changed } = NewerResults::of(&results, &stored);
    if newer.is_empty() {
        return Ok(ResultsStored::default());
    }
    let content: Vec<(String, String)> = newer.iter().map(|result| result_as_json(result)).collect();
    sqlx::query(
        "INSERT INTO market_results (match_id, market_id, version, state, odds, void_windows, reason, at_ms) \
         SELECT $1, market_id, version, state, odds, void_windows, reason, $2 \
         FROM UNNEST($3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[]) \
         AS n (market_id, version, state, odds, void_windows, reason) ON CONFLICT (match_id, market_id) DO UPDATE SET \
         version = excluded.version, state = excluded.state, odds = excluded.odds, \
         void_windows = excluded.void_windows, reason = excluded.reason, at_ms = excluded.at_ms",
    )
    .bind(match_id)
    .bind(now_ms)
    .bind(column(&newer, |result| wide(result.market.get())))
    .bind(column(&newer, |result| result.version))
    .bind(column(&newer, |result| result.state.code()))
    .bind(column(&content, |(odds, _)| odds.as_str()))
    .bind(column(&content, |(_, windows)| windows.as_str()))
    .bind(column(&newer, |result| result.reason.as_deref().map(holdable)))
    .execute(&mut *transaction)
    .await?;
    if !changed.is_empty() {
        sqlx::query(
            "INSERT INTO settlement_work (match_id, market_id, since_ms) SELECT $1, market_id, $2 \
             FROM UNNEST($3::bigint[]) AS market_id \
             WHERE EXISTS (SELECT 1 FROM bet_pairs p WHERE p.match_id = $1 AND p.market_id = market_id.market_id) \
             ON CONFLICT (match_id, market_id) DO UPDATE SET after_bet_id = 0",
        )
        .bind(match_id)
        .bind(now_ms)
        .bind(column(&changed, |market| wide(market.get())))
        .execute(&mut *transaction)
        .await?;
    }
    fail_point::pass("results-before-commit");
    transaction.commit().await?;
    Ok(ResultsStored { changed })
}

/// The stored versions of the markets of a message, each with its content where it can be read.
async fn stored_results(
    connection: &mut PgConnection,
    results: &MatchResults,
) -> Result<HashMap<MarketId, (i64, Option<MarketResult>)>, StoreError> {
    let rows = sqlx::query(
        "SELECT match_id, market_id, version, state, odds, void_windows, reason FROM market_results \
         WHERE match_id = $1 AND market_id = ANY($2)",
    )
    .bind(wide(results.match_id.get()))
    .bind(column(&results.markets, |result| wide(result.market.get())))
    .fetch_all(connection)
    .await?;
    let stored = rows.iter().map(|row| {
        let content = market_result(row).ok().map(|(_, result)| result);
        Ok((row.id(1, MarketId::new)?, (row.int(2)?, content)))
    });
    stored.collect()
}

async fn set_aside(pool: PgPool, work: SettlementWork, cause: String, now_ms: i64) -> Result<bool, StoreError> {
    let mut transaction = pool.begin().await?;
    let next = bets_in_turn(&mut transaction, work, &SettleScope::Next { bets_max: 1 }).await?;
    let Some(bet) = next.and_then(|(ids, _)| ids.first().copied()) else { return Ok(false) };
    sqlx::query(
        "INSERT INTO settlement_set_aside (bet_id, match_id, market_id, cause, at_ms) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (bet_id) DO UPDATE SET match_id = excluded.match_id, market_id = excluded.market_id, \
         cause = excluded.cause, at_ms = excluded.at_ms",
    )
    .bind(bet)
    .bind(wide(work.match_id.get()))
    .bind(wide(work.market_id.get()))
    .bind(holdable(&cause))
    .bind(now_ms)
    .execute(&mut *transaction)
    .await?;
    remember(&mut transaction, work, bet, false).await?;
    transaction.commit().await?;
    Ok(true)
}

async fn settle(
    pool: PgPool,
    work: SettlementWork,
    scope: SettleScope,
    now_ms: i64,
) -> Result<SettledBatch, StoreError> {
    let mut transaction = pool.begin().await?;
    let Some((ids, after)) = bets_in_turn(&mut transaction, work, &scope).await? else {
        return Ok(SettledBatch { is_finished: true, ..SettledBatch::default() });
    };
    let holdings = lock(&mut transaction, &ids).await?;
    let loaded = load(&mut transaction, &ids).await?;
    fail_point::pass("settle-read");
    let revised = revisions(loaded);
    let postings = postings_of(&mut transaction, taken_back(&revised)).await?;
    let batch = Batch::of(revised, holdings, postings, now_ms)?;
    write(&mut transaction, &batch, now_ms).await?;
    let is_finished = match scope {
        SettleScope::Accounts(_) => false,
        SettleScope::Next { bets_max } => {
            let is_finished = ids.len() < bets_max as usize;
            let last = ids.last().copied().unwrap_or(after);
            remember(&mut transaction, work, last, is_finished).await?;
            is_finished
        }
    };
    fail_point::pass("settle-before-commit");
    transaction.commit().await?;
    fail_point::pass("settle-after-commit");
    Ok(SettledBatch { events: batch.events, graded: u32::try_from(ids.len()).unwrap_or(u32::MAX), is_finished })
}

/// The numbers of the bets whose turn it is, ascending, and where the work stood. The row of the work is locked, so that
/// two nodes do not grade the same bets; nothing where the work is done.
async fn bets_in_turn(
    connection: &mut PgConnection,
    work: SettlementWork,
    scope: &SettleScope,
) -> Result<Option<(Vec<i64>, i64)>, StoreError> {
    let (match_id, market_id) = (wide(work.match_id.get()), wide(work.market_id.get()));
    match scope {
        SettleScope::Next { bets_max } => {
            let after: Option<i64> = sqlx::query_scalar(
                "SELECT after_bet_id FROM settlement_work WHERE match_id = $1 AND market_id = $2 FOR UPDATE",
            )
            .bind(match_id)
            .bind(market_id)
            .fetch_optional(&mut *connection)
            .await?;
            let Some(after) = after else { return Ok(None) };
            let ids = sqlx::query_scalar(
                "SELECT bet_id FROM bet_pairs WHERE match_id = $1 AND market_id = $2 AND bet_id > $3 \
                 ORDER BY bet_id LIMIT $4",
            )
            .bind(match_id)
            .bind(market_id)
            .bind(after)
            .bind(i64::from(*bets_max))
            .fetch_all(connection)
            .await?;
            Ok(Some((ids, after)))
        }
        SettleScope::Accounts(accounts) => {
            let accounts: Vec<i64> = accounts.iter().map(|account| account.get()).collect();
            let ids = sqlx::query_scalar(
                "SELECT bet_id FROM bet_pairs WHERE match_id = $1 AND market_id = $2 AND account_id = ANY($3) ORDER BY bet_id",
            )
            .bind(match_id)
            .bind(market_id)
            .bind(accounts)
            .fetch_all(connection)
            .await?;
            Ok(Some((ids, 0)))
        }
    }
}

/// Locks the accounts of bets and then the bets. What the accounts have.
async fn lock(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Holdings>, StoreError> {
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

async fn load(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<LoadedBet>, StoreError> {
    let mut pairs = load_pairs(connection, ids).await?;
    let rows = sqlx::query(
        "SELECT b.id, b.ticket_id, b.account_id, b.placed_at_ms, b.state, b.rest_bruto_cents, b.rest_stake_cents, \
         b.system_type, b.settlements, b.rules, b.standing, s.gross_cents, s.win_tax_cents, s.paid_cents, s.at_ms, \
         s.reason, b.revision \
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

/// The pairs of bets in their order, each with the present result of its market.
async fn load_pairs(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Vec<LoadedPair>>, StoreError> {
    let rows = sqlx::query(
        "SELECT bet_id, match_id, market_id, odd_id, odds_taken, is_fix, result, settled_at_ms, dead_heat, reason FROM bet_pairs \
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
        let pair = GradedPair { odd: row.id(3, OddId::new)?, kept: row.result(6)?, market: results.get(&key).cloned() };
        pairs.entry(row.int(0)?).or_default().push((row.price(4)?, row.try_get(5)?, pair));
    }
    Ok(pairs)
}

/// The ids of the postings of each bet's standing settlement, in their order.
async fn postings_of(connection: &mut PgConnection, bets: Vec<i64>) -> Result<HashMap<i64, Vec<i64>>, StoreError> {
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

async fn write(connection: &mut PgConnection, batch: &Batch, now_ms: i64) -> Result<(), StoreError> {
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
    .bind(column(rows, |row| i64::from(row.settlement)))
    .bind(column(rows, |row| row.reverses))
    .bind(column(rows, |row| row.balance_after.map(Money::cents)))
    .execute(connection)
    .await?;
    Ok(())
}

fn column<'a, Row, Value>(rows: &'a [Row], value: impl FnMut(&'a Row) -> Value) -> Vec<Value> {
    rows.iter().map(value).collect()
}

/// Keeps how far the work came, or that it is done.
async fn remember(
    connection: &mut PgConnection,
    work: SettlementWork,
    last: i64,
    is_finished: bool,
) -> Result<(), StoreError> {
    let (match_id, market_id) = (wide(work.match_id.get()), wide(work.market_id.get()));
    let statement = if is_finished {
        sqlx::query("DELETE FROM settlement_work WHERE match_id = $1 AND market_id = $2").bind(match_id).bind(market_id)
    } else {
        sqlx::query("UPDATE settlement_work SET after_bet_id = $3 WHERE match_id = $1 AND market_id = $2")
            .bind(match_id)
            .bind(market_id)
            .bind(last)
    };
    statement.execute(connection).await?;
    Ok(())
}
