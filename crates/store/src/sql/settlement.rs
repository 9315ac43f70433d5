//! Results and settlements. A batch of bets is one transaction: it takes the work, locks the accounts in the order of their
//! ids and then the bets, and writes everything in a few statements. Must keep this lock order, which placing uses too;
//! another order can deadlock.

use super::super::dialect::{Connection, Store, holdable, is_in, list};
use super::super::grading::{lock, queue_work, write, write_results};
use super::grading::{load, postings_of};
use super::results::{
    backlog, note_match_ends, of_matches, reset_result_version, stored_results, undecided_matches, unsettled_bets,
    waiting_work, work_of_match,
};
use super::statement::{StatementQuestion, statement};
use crate::bet_rules;
use crate::rows::wide;
use crate::settlement::{RULES_AT_ONCE_MAX, WATCHED_BETS_MAX};
use crate::{
    AccountId, BetRules, OfferedLine, ResultsStored, SettleScope, SettledBatch, SettlementBacklog, SettlementStore,
    SettlementWork, StatementPage, StoreError, StoreFuture, UnsettledBet, fail_point,
};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::ledger::{Batch, NewerResults, revisions, taken_back};
use kvota_domain::settlement::{MarketResult, MatchResults, RequestedMatch};

impl SettlementStore for Store {
    fn store_results(&self, results: MatchResults, now_ms: i64) -> StoreFuture<'_, ResultsStored> {
        self.store_newer_results(results, now_ms)
    }

    fn work_of_match(&self, match_id: MatchId) -> StoreFuture<'_, Vec<SettlementWork>> {
        self.read(move |connection| Box::pin(work_of_match(connection, match_id)))
    }

    fn waiting_work(&self, before_ms: i64, max: u32) -> StoreFuture<'_, Vec<SettlementWork>> {
        self.read(move |connection| Box::pin(waiting_work(connection, before_ms, max)))
    }

    fn set_aside(&self, work: SettlementWork, cause: String, now_ms: i64) -> StoreFuture<'_, bool> {
        self.write((work, cause, now_ms), |connection, (work, cause, now_ms)| {
            Box::pin(set_aside(connection, *work, cause, *now_ms))
        })
    }

    fn retry_set_aside(&self, before_ms: i64, now_ms: i64) -> StoreFuture<'_, u64> {
        self.write((before_ms, now_ms), |connection, (before_ms, now_ms)| {
            Box::pin(retry_set_aside(connection, *before_ms, *now_ms))
        })
    }

    fn settlement_backlog(&self) -> StoreFuture<'_, SettlementBacklog> {
        self.read(|connection| Box::pin(backlog(connection)))
    }

    fn keep_rules(&self, rules: BetRules) -> StoreFuture<'_, u64> {
        self.write_at_once(bet_rules::to_json(&rules), |connection, rules| Box::pin(keep_rules(connection, rules)))
    }

    fn settle(&self, work: SettlementWork, scope: SettleScope, now_ms: i64) -> StoreFuture<'_, SettledBatch> {
        self.settle_batch(work, self.placing.limit(scope), now_ms)
    }

    fn results<'a>(&'a self, matches: &'a [MatchId]) -> StoreFuture<'a, Vec<(MatchId, MarketResult)>> {
        let matches = ids(matches);
        self.read(|connection| Box::pin(of_matches(connection, matches)))
    }

    fn forget_results(&self, before_ms: i64) -> StoreFuture<'_, u64> {
        self.forget_old_results(before_ms)
    }

    fn park_moved_lines(&self, lines: Vec<OfferedLine>) -> StoreFuture<'_, u64> {
        self.park_pairs_on_moved_lines(lines)
    }

    fn reset_result_version(&self, match_id: MatchId, market: MarketId) -> StoreFuture<'_, bool> {
        self.write((match_id, market), |connection, (match_id, market)| {
            Box::pin(reset_result_version(connection, *match_id, *market))
        })
    }

    fn undecided_matches(&self) -> StoreFuture<'_, Vec<RequestedMatch>> {
        self.read(|connection| Box::pin(undecided_matches(connection)))
    }

    fn note_match_ends<'a>(&'a self, ended: &'a [MatchId], offered: &'a [MatchId], now_ms: i64) -> StoreFuture<'a, ()> {
        self.write_at_once((ids(ended), ids(offered), now_ms), |connection, (ended, offered, now_ms)| {
            Box::pin(note_match_ends(connection, ended, offered, *now_ms))
        })
    }

    fn unsettled_bets(&self, ended_before_ms: i64) -> StoreFuture<'_, Vec<UnsettledBet>> {
        self.read(move |connection| Box::pin(unsettled_bets(connection, ended_before_ms)))
    }

    fn statement(
        &self,
        account: AccountId,
        before: Option<i64>,
        from_ms: Option<i64>,
        to_ms: Option<i64>,
        limit: u32,
    ) -> StoreFuture<'_, StatementPage> {
        let asked = StatementQuestion { account, before, from_ms, to_ms, limit };
        self.read(|connection| Box::pin(statement(connection, asked)))
    }
}

fn ids(matches: &[MatchId]) -> Vec<i64> {
    matches.iter().map(|id| wide(id.get())).collect()
}

/// Stores the results of a message that are newer than the stored ones. The caller has locked the match.
pub(in super::super) async fn store_results(
    connection: &mut Connection,
    results: &MatchResults,
    now_ms: i64,
) -> Result<ResultsStored, StoreError> {
    let match_id = wide(results.match_id.get());
    let stored = stored_results(connection, results).await?;
    let NewerResults { newer, changed } = NewerResults::of(results, &stored);
    if newer.is_empty() {
        return Ok(ResultsStored::default());
    }
    let newer: Vec<&MarketResult> = newer.iter().map(|result| &**result).collect();
    write_results(connection, match_id, &newer, now_ms).await?;
    if !changed.is_empty() {
        queue_work(connection, match_id, &changed, now_ms).await?;
    }
    Ok(ResultsStored { changed })
}

async fn set_aside(
    connection: &mut Connection,
    work: SettlementWork,
    cause: &str,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let next = bets_in_turn(connection, work, &SettleScope::Next { bets_max: 1 }).await?;
    let Some(bet) = next.and_then(|(ids, _)| ids.first().copied()) else { return Ok(false) };
    sqlx::query(
        "INSERT INTO settlement_set_aside (bet_id, match_id, market_id, cause, at_ms) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (bet_id) DO UPDATE SET match_id = excluded.match_id, market_id = excluded.market_id, \
         cause = excluded.cause, at_ms = excluded.at_ms",
    )
    .bind(bet)
    .bind(wide(work.match_id.get()))
    .bind(wide(work.market_id.get()))
    .bind(holdable(cause))
    .bind(now_ms)
    .execute(&mut *connection)
    .await?;
    remember(connection, work, bet, false).await?;
    Ok(true)
}

async fn retry_set_aside(connection: &mut Connection, before_ms: i64, now_ms: i64) -> Result<u64, StoreError> {
    sqlx::query(
        "INSERT INTO settlement_work (match_id, market_id, since_ms) \
         SELECT DISTINCT match_id, market_id, CAST($2 AS BIGINT) FROM settlement_set_aside WHERE at_ms < $1 \
         ON CONFLICT (match_id, market_id) DO UPDATE SET after_bet_id = 0",
    )
    .bind(before_ms)
    .bind(now_ms)
    .execute(&mut *connection)
    .await?;
    let deletion = sqlx::query("DELETE FROM settlement_set_aside WHERE at_ms < $1").bind(before_ms);
    Ok(deletion.execute(connection).await?.rows_affected())
}

async fn keep_rules(connection: &mut Connection, rules: &str) -> Result<u64, StoreError> {
    let kept = sqlx::query(
        "UPDATE bets SET rules = $1 WHERE id IN (SELECT id FROM bets WHERE rules IS NULL ORDER BY id LIMIT $2)",
    );
    Ok(kept.bind(rules).bind(RULES_AT_ONCE_MAX).execute(connection).await?.rows_affected())
}

/// Grades the next bets of some work.
pub(in super::super) async fn settle(
    connection: &mut Connection,
    work: SettlementWork,
    scope: &SettleScope,
    now_ms: i64,
) -> Result<SettledBatch, StoreError> {
    let Some((ids, after)) = bets_in_turn(connection, work, scope).await? else {
        return Ok(SettledBatch { is_finished: true, ..SettledBatch::default() });
    };
    let holdings = lock(connection, &ids).await?;
    let loaded = load(connection, &ids).await?;
    fail_point::pass("settle-read");
    let revised = revisions(loaded);
    let postings = postings_of(connection, &taken_back(&revised)).await?;
    let batch = Batch::of(revised, holdings, postings, now_ms)?;
    write(connection, &batch, now_ms).await?;
    let is_finished = match scope {
        SettleScope::Accounts(_) => false,
        SettleScope::Next { bets_max } => {
            let is_finished = ids.len() < *bets_max as usize;
            remember(connection, work, ids.last().copied().unwrap_or(after), is_finished).await?;
            is_finished
        }
    };
    Ok(SettledBatch { events: batch.events, graded: u32::try_from(ids.len()).unwrap_or(u32::MAX), is_finished })
}

/// The numbers of the next bets to grade, ascending, and the progress of the work so far; `None` if the work is done.
/// Locks the row of the work, so that two nodes do not grade the same bets.
async fn bets_in_turn(
    connection: &mut Connection,
    work: SettlementWork,
    scope: &SettleScope,
) -> Result<Option<(Vec<i64>, i64)>, StoreError> {
    let (match_id, market_id) = (wide(work.match_id.get()), wide(work.market_id.get()));
    match scope {
        SettleScope::Next { bets_max } => {
            let after: Option<i64> = sqlx::query_scalar(super::super::dialect::TAKE_WORK)
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
            let ids = sqlx::query_scalar(concat!(
                "SELECT bet_id FROM bet_pairs WHERE match_id = $1 AND market_id = $2 AND ",
                is_in!("account_id", "$3"),
                " ORDER BY bet_id LIMIT $4"
            ))
            .bind(match_id)
            .bind(market_id)
            .bind(list(accounts.iter().map(|account| account.get())))
            .bind(WATCHED_BETS_MAX)
            .fetch_all(connection)
            .await?;
            Ok(Some((ids, 0)))
        }
    }
}

/// Stores the progress of the work, or deletes it if it is done.
async fn remember(
    connection: &mut Connection,
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
