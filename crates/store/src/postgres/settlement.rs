//! Results and settlements in PostgreSQL. A batch of bets is one transaction. It locks the accounts in the order of
//! their ids and then the bets, and writes everything in a few statements. Must keep this lock order, which placing
//! uses too; another order can deadlock.
//!
//! A bet that is placed while a result arrives must not be missed. So placing holds a shared lock on each of its
//! matches until it commits, and storing a result takes the exclusive lock ([`lock_match`]).

use super::grading::{column, load, lock, postings_of, write};
use super::locks::{self, Lock};
use super::moved_lines::{park, reset_result_version};
use super::statement::statement;
use super::{DELETION, PostgresStore, holdable};
use crate::bet_rules;
use crate::limits::STORE_DELETION_ROWS_MAX;
use crate::rows::{StoreRow, wide};
use crate::runtime::off_thread;
use crate::settlement::{NewerResults, RULES_AT_ONCE_MAX, by_match};
use crate::settling::{Batch, result_as_json, result_of, revisions, settled_pair, taken_back};
use crate::slices::{OldResult, Slice, delete_in_slices};
use crate::unsettled::{FORGET_MATCH_ENDS, RESULTS_OF_UNDECIDED, UNDECIDED_MARKETS, UNDECIDED_PAIRS, unsettled};
use crate::{
    AccountId, Bet, BetRules, OfferedLine, ResultsStored, SettleScope, SettledBatch, SettlementBacklog,
    SettlementStore, SettlementWork, StatementPage, StoreError, StoreFuture, UnsettledBet, fail_point,
};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::settlement::{MarketResult, MatchResults, RequestedMatch};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, PgPool, Row};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

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
        let scope = self.placing.limit(scope);
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

    fn forget_results(&self, before_ms: i64) -> StoreFuture<'_, u64> {
        let looked_at = Arc::clone(&self.results_looked_at);
        Box::pin(self.run_within(DELETION, move |pool| {
            delete_in_slices(move || forget_slice(pool.clone(), Arc::clone(&looked_at), before_ms))
        }))
    }

    fn park_moved_lines(&self, lines: Vec<OfferedLine>) -> StoreFuture<'_, u64> {
        Box::pin(self.run(move |pool| park(pool, lines)))
    }

    fn reset_result_version(&self, match_id: MatchId, market: MarketId) -> StoreFuture<'_, bool> {
        Box::pin(self.run(move |pool| reset_result_version(pool, match_id, market)))
    }

    fn undecided_matches(&self) -> StoreFuture<'_, Vec<RequestedMatch>> {
        Box::pin(self.run(|pool| async move {
            let rows = sqlx::query(UNDECIDED_MARKETS).fetch_all(&pool).await?;
            let markets = rows.iter().map(|row| Ok((row.id(0, MatchId::new)?, row.id(1, MarketId::new)?)));
            Ok(by_match(markets.collect::<Result<Vec<_>, StoreError>>()?))
        }))
    }

    fn note_match_ends<'a>(&'a self, ended: &'a [MatchId], offered: &'a [MatchId], now_ms: i64) -> StoreFuture<'a, ()> {
        let ids = |ids: &[MatchId]| ids.iter().map(|id| wide(id.get())).collect::<Vec<_>>();
        let (ended, offered) = (ids(ended), ids(offered));
        Box::pin(self.run(move |pool| async move {
            sqlx::query(
                "INSERT INTO match_ends (match_id, ended_at_ms) SELECT id, $2 FROM unnest($1::bigint[]) AS ids (id) \
                 ON CONFLICT DO NOTHING",
            )
            .bind(ended)
            .bind(now_ms)
            .execute(&pool)
            .await?;
            sqlx::query("DELETE FROM match_ends WHERE match_id = ANY($1)").bind(offered).execute(&pool).await?;
            sqlx::query(FORGET_MATCH_ENDS).execute(&pool).await?;
            Ok(())
        }))
    }

    fn unsettled_bets(&self, ended_before_ms: i64) -> StoreFuture<'_, Vec<UnsettledBet>> {
        Box::pin(async move {
            self.run(move |pool| async move {
                let rows = sqlx::query(UNDECIDED_PAIRS).fetch_all(&pool).await?;
                let results = sqlx::query(RESULTS_OF_UNDECIDED).fetch_all(&pool).await?;
                // On a thread of its own: there may be many, and all orders wait for this one.
                off_thread(move || {
                    let pairs = rows.iter().map(StoreRow::undecided_pair).collect::<Result<Vec<_>, StoreError>>()?;
                    let results = results.iter().map(market_result).collect::<Result<Vec<_>, _>>()?;
                    Ok(unsettled(pairs, results, ended_before_ms))
                })
                .await
            })
            .await
        })
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

pub(super) fn market_result(row: &PgRow) -> Result<(MatchId, MarketResult), StoreError> {
    let market = row.id(1, MarketId::new)?;
    let result = result_of(market, row.int(2)?, row.int(3)?, &row.text(4)?, &row.text(5)?, row.try_get(6)?)?;
    Ok((row.id(0, MatchId::new)?, result))
}

/// Looks at the next results from before a time, and deletes those of markets without bets.
async fn forget_slice(
    pool: PgPool,
    looked_at: Arc<Mutex<OldResult>>,
    before_ms: i64,
) -> Result<Option<Slice>, StoreError> {
    let mut transaction = pool.begin().await?;
    if !locks::try_for_transaction(&mut transaction, Lock::OldResults).await? {
        return Ok(None);
    }
    let after = *looked_at.lock().unwrap_or_else(PoisonError::into_inner);
    let rows = sqlx::query(
        "SELECT at_ms, match_id, market_id FROM market_results WHERE at_ms < $1 AND at_ms >= $2 \
         AND (at_ms, match_id, market_id) > ($2, $3, $4) ORDER BY at_ms, match_id, market_id LIMIT $5",
    )
    .bind(before_ms)
    .bind(after.at_ms)
    .bind(after.match_id)
    .bind(after.market_id)
    .bind(wide(STORE_DELETION_ROWS_MAX))
    .fetch_all(&mut *transaction)
    .await?;
    let old =
        rows.iter().map(|row| Ok(OldResult { at_ms: row.int(0)?, match_id: row.int(1)?, market_id: row.int(2)? }));
    let old = old.collect::<Result<Vec<_>, StoreError>>()?;
    // The time is checked again: a newer result may have come meanwhile.
    let deleted = sqlx::query(
        "DELETE FROM market_results r USING UNNEST($2::bigint[], $3::bigint[]) AS o (match_id, market_id) \
         WHERE r.match_id = o.match_id AND r.market_id = o.market_id AND r.at_ms < $1 AND NOT EXISTS \
         (SELECT 1 FROM bet_pairs p WHERE p.match_id = r.match_id AND p.market_id = r.market_id)",
    )
    .bind(before_ms)
    .bind(column(&old, |old| old.match_id))
    .bind(column(&old, |old| old.market_id))
    .execute(&mut *transaction)
    .await?
    .rows_affected();
    transaction.commit().await?;
    if let Some(last) = old.last() {
        *looked_at.lock().unwrap_or_else(PoisonError::into_inner) = *last;
    }
    Ok(Some(Slice { looked_at: old.len() as u64, deleted }))
}

/// Locks a match for a result until the transaction ends. Placing locks its matches with the same numbers, shared
/// (`placing.rs`). The first number identifies this kind of lock. The second is the match id, folded into 32 bits.
async fn lock_match(connection: &mut PgConnection, match_id: i64) -> Result<(), StoreError> {
    let question = "SELECT pg_advisory_xact_lock(727101, ($1::bigint % 2147483647)::int)";
    sqlx::query(question).bind(match_id).execute(connection).await?;
    Ok(())
}

/// If an odd of a new bet currently has a result, returns its match. No result of these matches is stored before the
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
    // A node that starts gets the results of all matches with open bets, and most are stored already. Versions only
    // grow, so those need no lock.
    let stored = stored_results(&mut *pool.acquire().await?, &results).await?;
    if NewerResults::of(&results, &stored).newer.is_empty() {
        return Ok(ResultsStored::default());
    }
    let mut transaction = pool.begin().await?;
    let match_id = wide(results.match_id.get());
    lock_match(&mut transaction, match_id).await?;
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

/// The stored versions of the markets of a message, each with its content if that can be decoded.
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

/// The numbers of the next bets to grade, ascending, and the progress of the work so far; `None` if the work is done.
/// Locks the row of the work, so that two nodes do not grade the same bets.
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

/// Stores the progress of the work, or deletes it if it is done.
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
