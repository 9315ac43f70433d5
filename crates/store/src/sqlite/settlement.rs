//! Results and settlements in SQLite. A batch of bets is one operation of the writer: it reads the bets and the
//! results, and writes settlements, postings, bets, pairs and balances. Must not write a bet outside of such an
//! operation.

use super::SqliteStore;
use super::grading::{load, postings_of, rows, write};
use super::moved_lines::ResetResultVersion;
use super::writer::Operation;
use crate::bet_rules;
use crate::limits::STORE_DELETION_ROWS_MAX;
use crate::rows::{StoreRow, wide};
use crate::runtime::off_thread;
use crate::settlement::{NewerResults, RULES_AT_ONCE_MAX, by_match};
use crate::settling::{Batch, result_as_json, result_of, revisions, taken_back};
use crate::slices::{OldResult, Slice, delete_in_slices};
use crate::unsettled::{FORGET_MATCH_ENDS, RESULTS_OF_UNDECIDED, UNDECIDED_MARKETS, UNDECIDED_PAIRS, unsettled};
use crate::{
    AccountId, BetRules, OfferedLine, ResultsStored, SettleScope, SettledBatch, SettlementBacklog, SettlementStore,
    SettlementWork, StatementPage, StoreError, StoreFuture, UnsettledBet, fail_point,
};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::settlement::{MarketResult, MatchResults, RequestedMatch};
use serde_json::json;
use sqlx::{Row, SqliteConnection};
use std::collections::HashMap;
use std::sync::PoisonError;

impl SettlementStore for SqliteStore {
    fn store_results(&self, results: MatchResults, now_ms: i64) -> StoreFuture<'_, ResultsStored> {
        Box::pin(self.writer.run(StoreResults(results, now_ms)))
    }

    fn work_of_match(&self, match_id: MatchId) -> StoreFuture<'_, Vec<SettlementWork>> {
        Box::pin(async move {
            let rows =
                sqlx::query("SELECT match_id, market_id FROM settlement_work WHERE match_id = ? ORDER BY market_id")
                    .bind(wide(match_id.get()))
                    .fetch_all(&self.readers)
                    .await?;
            rows.iter().map(work).collect()
        })
    }

    fn waiting_work(&self, before_ms: i64, max: u32) -> StoreFuture<'_, Vec<SettlementWork>> {
        Box::pin(async move {
            let rows = sqlx::query(
                "SELECT match_id, market_id FROM settlement_work WHERE since_ms < ? \
                 ORDER BY since_ms, match_id, market_id LIMIT ?",
            )
            .bind(before_ms)
            .bind(i64::from(max))
            .fetch_all(&self.readers)
            .await?;
            rows.iter().map(work).collect()
        })
    }

    fn set_aside(&self, work: SettlementWork, cause: String, now_ms: i64) -> StoreFuture<'_, bool> {
        Box::pin(self.writer.run(SetAside { work, cause, now_ms }))
    }

    fn retry_set_aside(&self, before_ms: i64, now_ms: i64) -> StoreFuture<'_, u64> {
        Box::pin(self.writer.run(RetrySetAside { before_ms, now_ms }))
    }

    fn settlement_backlog(&self) -> StoreFuture<'_, SettlementBacklog> {
        Box::pin(async move {
            let row = sqlx::query(
                "SELECT (SELECT min(since_ms) FROM settlement_work), (SELECT count(*) FROM settlement_work), \
                 (SELECT count(*) FROM settlement_set_aside)",
            )
            .fetch_one(&self.readers)
            .await?;
            let count = |position| row.int(position).map(|count| u64::try_from(count).unwrap_or_default());
            Ok(SettlementBacklog { oldest_ms: row.try_get(0)?, markets: count(1)?, set_aside: count(2)? })
        })
    }

    fn keep_rules(&self, rules: BetRules) -> StoreFuture<'_, u64> {
        Box::pin(self.writer.run(KeepRules(bet_rules::to_json(&rules))))
    }

    fn settle(&self, work: SettlementWork, scope: SettleScope, now_ms: i64) -> StoreFuture<'_, SettledBatch> {
        let scope = self.placing.limit(scope);
        Box::pin(self.writer.run(Settle { work, scope, now_ms }))
    }

    fn results<'a>(&'a self, matches: &'a [MatchId]) -> StoreFuture<'a, Vec<(MatchId, MarketResult)>> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            let ids: Vec<u64> = matches.iter().map(|id| id.get()).collect();
            let rows = sqlx::query(
                "SELECT match_id, market_id, version, state, odds, void_windows, reason FROM market_results \
                 WHERE match_id IN (SELECT value FROM json_each(?))",
            )
            .bind(json!(ids).to_string())
            .fetch_all(&mut *reader)
            .await?;
            rows.iter().map(market_result).collect()
        })
    }

    fn forget_results(&self, before_ms: i64) -> StoreFuture<'_, u64> {
        Box::pin(delete_in_slices(move || async move {
            // Found by a reader, because bets wait for the writer.
            let after = *self.results_looked_at.lock().unwrap_or_else(PoisonError::into_inner);
            let rows = sqlx::query(
                "SELECT at_ms, match_id, market_id FROM market_results WHERE at_ms < ?1 AND at_ms >= ?2 \
                 AND (at_ms, match_id, market_id) > (?2, ?3, ?4) ORDER BY at_ms, match_id, market_id LIMIT ?5",
            )
            .bind(before_ms)
            .bind(after.at_ms)
            .bind(after.match_id)
            .bind(after.market_id)
            .bind(wide(STORE_DELETION_ROWS_MAX))
            .fetch_all(&self.readers)
            .await?;
            let old = rows
                .iter()
                .map(|row| Ok(OldResult { at_ms: row.int(0)?, match_id: row.int(1)?, market_id: row.int(2)? }));
            let old = old.collect::<Result<Vec<_>, StoreError>>()?;
            let keys: Vec<_> = old.iter().map(|old| [old.match_id, old.market_id]).collect();
            let deleted = self.writer.run(ForgetResults { old: json!(keys).to_string(), before_ms }).await?;
            if let Some(last) = old.last() {
                *self.results_looked_at.lock().unwrap_or_else(PoisonError::into_inner) = *last;
            }
            Ok(Some(Slice { looked_at: old.len() as u64, deleted }))
        }))
    }

    fn park_moved_lines(&self, lines: Vec<OfferedLine>) -> StoreFuture<'_, u64> {
        Box::pin(self.park_pairs_on_moved_lines(lines))
    }

    fn reset_result_version(&self, match_id: MatchId, market: MarketId) -> StoreFuture<'_, bool> {
        Box::pin(self.writer.run(ResetResultVersion { match_id, market }))
    }

    fn undecided_matches(&self) -> StoreFuture<'_, Vec<RequestedMatch>> {
        Box::pin(async move {
            let rows = sqlx::query(UNDECIDED_MARKETS).fetch_all(&self.readers).await?;
            let markets = rows.iter().map(|row| Ok((row.id(0, MatchId::new)?, row.id(1, MarketId::new)?)));
            Ok(by_match(markets.collect::<Result<Vec<_>, StoreError>>()?))
        })
    }

    fn note_match_ends<'a>(&'a self, ended: &'a [MatchId], offered: &'a [MatchId], now_ms: i64) -> StoreFuture<'a, ()> {
        let ids = |ids: &[MatchId]| json!(ids.iter().map(|id| id.get()).collect::<Vec<_>>()).to_string();
        Box::pin(self.writer.run(NoteMatchEnds { ended: ids(ended), offered: ids(offered), now_ms }))
    }

    fn unsettled_bets(&self, ended_before_ms: i64) -> StoreFuture<'_, Vec<UnsettledBet>> {
        Box::pin(async move {
            let rows = sqlx::query(UNDECIDED_PAIRS).fetch_all(&self.readers).await?;
            let results = sqlx::query(RESULTS_OF_UNDECIDED).fetch_all(&self.readers).await?;
            off_thread(move || {
                let pairs = rows.iter().map(StoreRow::undecided_pair).collect::<Result<Vec<_>, StoreError>>()?;
                let results = results.iter().map(market_result).collect::<Result<Vec<_>, _>>()?;
                Ok(unsettled(pairs, results, ended_before_ms))
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
        Box::pin(self.statement_page(account, before, (from_ms, to_ms), limit))
    }
}

pub(super) fn market_result(row: &sqlx::sqlite::SqliteRow) -> Result<(MatchId, MarketResult), StoreError> {
    let market = row.id(1, MarketId::new)?;
    let result = result_of(market, row.int(2)?, row.int(3)?, &row.text(4)?, &row.text(5)?, row.try_get(6)?)?;
    Ok((row.id(0, MatchId::new)?, result))
}

fn work(row: &sqlx::sqlite::SqliteRow) -> Result<SettlementWork, StoreError> {
    Ok(SettlementWork { match_id: row.id(0, MatchId::new)?, market_id: row.id(1, MarketId::new)? })
}

struct StoreResults(MatchResults, i64);

impl Operation for StoreResults {
    type Output = ResultsStored;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<ResultsStored, StoreError> {
        let StoreResults(results, now_ms) = self;
        let match_id = wide(results.match_id.get());
        let stored = stored_results(connection, results).await?;
        let NewerResults { newer, changed } = NewerResults::of(results, &stored);
        if newer.is_empty() {
            return Ok(ResultsStored::default());
        }
        sqlx::query(
            "INSERT INTO market_results (match_id, market_id, version, state, odds, void_windows, reason, at_ms) \
             SELECT ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, ? FROM json_each(?) \
             WHERE true ON CONFLICT (match_id, market_id) DO UPDATE SET version = excluded.version, \
             state = excluded.state, odds = excluded.odds, void_windows = excluded.void_windows, \
             reason = excluded.reason, at_ms = excluded.at_ms",
        )
        .bind(match_id)
        .bind(now_ms)
        .bind(rows(newer.into_iter().map(|result| {
            let (odds, windows) = result_as_json(result);
            json!([result.market.get(), result.version, result.state.code(), odds, windows, result.reason.as_deref()])
        })))
        .execute(&mut *connection)
        .await?;
        if !changed.is_empty() {
            let markets: Vec<u64> = changed.iter().map(|market| market.get()).collect();
            sqlx::query(
                "INSERT INTO settlement_work (match_id, market_id, since_ms) SELECT ?1, value, ?2 FROM json_each(?3) \
                 WHERE EXISTS (SELECT 1 FROM bet_pairs p WHERE p.match_id = ?1 AND p.market_id = value) \
                 ON CONFLICT (match_id, market_id) DO UPDATE SET after_bet_id = 0",
            )
            .bind(match_id)
            .bind(now_ms)
            .bind(json!(markets).to_string())
            .execute(connection)
            .await?;
        }
        Ok(ResultsStored { changed })
    }
}

/// The stored versions of the markets of a message, each with its content if that can be decoded.
async fn stored_results(
    connection: &mut SqliteConnection,
    results: &MatchResults,
) -> Result<HashMap<MarketId, (i64, Option<MarketResult>)>, StoreError> {
    let markets: Vec<u64> = results.markets.iter().map(|result| result.market.get()).collect();
    let rows = sqlx::query(
        "SELECT match_id, market_id, version, state, odds, void_windows, reason FROM market_results \
         WHERE match_id = ? AND market_id IN (SELECT value FROM json_each(?))",
    )
    .bind(wide(results.match_id.get()))
    .bind(json!(markets).to_string())
    .fetch_all(connection)
    .await?;
    let stored = rows.iter().map(|row| {
        let content = market_result(row).ok().map(|(_, result)| result);
        Ok((row.id(1, MarketId::new)?, (row.int(2)?, content)))
    });
    stored.collect()
}

struct SetAside {
    work: SettlementWork,
    cause: String,
    now_ms: i64,
}

impl Operation for SetAside {
    type Output = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, StoreError> {
        let next = Settle { work: self.work, scope: SettleScope::Next { bets_max: 1 }, now_ms: self.now_ms };
        let Some(bet) = next.bets(connection).await?.first().copied() else { return Ok(false) };
        let (match_id, market_id) = (wide(self.work.match_id.get()), wide(self.work.market_id.get()));
        sqlx::query(
            "INSERT INTO settlement_set_aside (bet_id, match_id, market_id, cause, at_ms) VALUES (?, ?, ?, ?, ?) \
             ON CONFLICT (bet_id) DO UPDATE SET match_id = excluded.match_id, market_id = excluded.market_id, \
             cause = excluded.cause, at_ms = excluded.at_ms; \
             UPDATE settlement_work SET after_bet_id = ? WHERE match_id = ? AND market_id = ?",
        )
        .bind(bet)
        .bind(match_id)
        .bind(market_id)
        .bind(&self.cause)
        .bind(self.now_ms)
        .bind(bet)
        .bind(match_id)
        .bind(market_id)
        .execute(connection)
        .await?;
        Ok(true)
    }
}

/// Deletes these results, unless a newer one or a bet came meanwhile.
struct ForgetResults {
    /// `[[matchId, marketId]...]` as JSON.
    old: String,
    before_ms: i64,
}

impl Operation for ForgetResults {
    type Output = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        let deletion = sqlx::query(
            "DELETE FROM market_results WHERE (match_id, market_id) IN \
             (SELECT value ->> 0, value ->> 1 FROM json_each(?)) AND at_ms < ? AND NOT EXISTS (SELECT 1 FROM bet_pairs p \
             WHERE p.match_id = market_results.match_id AND p.market_id = market_results.market_id)",
        )
        .bind(&self.old)
        .bind(self.before_ms);
        Ok(deletion.execute(connection).await?.rows_affected())
    }
}

struct RetrySetAside {
    before_ms: i64,
    now_ms: i64,
}

impl Operation for RetrySetAside {
    type Output = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        sqlx::query(
            "INSERT INTO settlement_work (match_id, market_id, since_ms) \
             SELECT DISTINCT match_id, market_id, ? FROM settlement_set_aside WHERE at_ms < ? \
             ON CONFLICT (match_id, market_id) DO UPDATE SET after_bet_id = 0",
        )
        .bind(self.now_ms)
        .bind(self.before_ms)
        .execute(&mut *connection)
        .await?;
        let deleted = sqlx::query("DELETE FROM settlement_set_aside WHERE at_ms < ?")
            .bind(self.before_ms)
            .execute(connection)
            .await?;
        Ok(deleted.rows_affected())
    }
}

struct KeepRules(String);

impl Operation for KeepRules {
    type Output = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        let kept = sqlx::query(
            "UPDATE bets SET rules = ? WHERE id IN (SELECT id FROM bets WHERE rules IS NULL ORDER BY id LIMIT ?)",
        )
        .bind(&self.0)
        .bind(RULES_AT_ONCE_MAX)
        .execute(connection)
        .await?;
        Ok(kept.rows_affected())
    }
}

struct NoteMatchEnds {
    ended: String,
    offered: String,
    now_ms: i64,
}

impl Operation for NoteMatchEnds {
    type Output = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO match_ends (match_id, ended_at_ms) SELECT value, ? FROM json_each(?) WHERE true \
             ON CONFLICT DO NOTHING",
        )
        .bind(self.now_ms)
        .bind(&self.ended)
        .execute(&mut *connection)
        .await?;
        let back = sqlx::query("DELETE FROM match_ends WHERE match_id IN (SELECT value FROM json_each(?))");
        back.bind(&self.offered).execute(&mut *connection).await?;
        sqlx::query(FORGET_MATCH_ENDS).execute(connection).await?;
        Ok(())
    }
}

struct Settle {
    work: SettlementWork,
    scope: SettleScope,
    now_ms: i64,
}

impl Operation for Settle {
    type Output = SettledBatch;

    const IS_LARGE: bool = true;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<SettledBatch, StoreError> {
        let ids = self.bets(connection).await?;
        let (loaded, holdings) = load(connection, &ids).await?;
        fail_point::pass("settle-read");
        let revised = revisions(loaded);
        let postings = postings_of(connection, &taken_back(&revised)).await?;
        let batch = Batch::of(revised, holdings, postings, self.now_ms)?;
        write(connection, &batch, self.now_ms).await?;
        let is_finished = self.remember(connection, &ids).await?;
        Ok(SettledBatch { events: batch.events, graded: u32::try_from(ids.len()).unwrap_or(u32::MAX), is_finished })
    }
}

impl Settle {
    /// The numbers of the next bets to grade, ascending.
    async fn bets(&self, connection: &mut SqliteConnection) -> Result<Vec<i64>, StoreError> {
        let (match_id, market_id) = (wide(self.work.match_id.get()), wide(self.work.market_id.get()));
        let question = match &self.scope {
            SettleScope::Next { bets_max } => sqlx::query_scalar(
                "SELECT p.bet_id FROM settlement_work w JOIN bet_pairs p ON p.match_id = w.match_id \
                 AND p.market_id = w.market_id AND p.bet_id > w.after_bet_id \
                 WHERE w.match_id = ? AND w.market_id = ? ORDER BY p.bet_id LIMIT ?",
            )
            .bind(match_id)
            .bind(market_id)
            .bind(i64::from(*bets_max)),
            SettleScope::Accounts(accounts) => {
                let accounts: Vec<i64> = accounts.iter().map(|account| account.get()).collect();
                sqlx::query_scalar(
                    "SELECT p.bet_id FROM bet_pairs p WHERE p.match_id = ? AND p.market_id = ? \
                     AND p.account_id IN (SELECT value FROM json_each(?)) ORDER BY p.bet_id",
                )
                .bind(match_id)
                .bind(market_id)
                .bind(json!(accounts).to_string())
            }
        };
        Ok(question.fetch_all(connection).await?)
    }

    /// Stores the progress of the work. Returns whether it is done.
    async fn remember(&self, connection: &mut SqliteConnection, ids: &[i64]) -> Result<bool, StoreError> {
        let SettleScope::Next { bets_max } = self.scope else { return Ok(false) };
        let is_finished = ids.len() < bets_max as usize;
        let (match_id, market_id) = (wide(self.work.match_id.get()), wide(self.work.market_id.get()));
        let last = ids.last().copied().unwrap_or(0);
        let statement = if is_finished {
            sqlx::query("DELETE FROM settlement_work WHERE match_id = ? AND market_id = ?")
                .bind(match_id)
                .bind(market_id)
        } else {
            sqlx::query("UPDATE settlement_work SET after_bet_id = ? WHERE match_id = ? AND market_id = ?")
                .bind(last)
                .bind(match_id)
                .bind(market_id)
        };
        statement.execute(connection).await?;
        Ok(is_finished)
    }
}
