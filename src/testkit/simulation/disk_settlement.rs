//! Results and settlements on the simulated disk (`disk.rs`): writes pass through its faults, reads see its memory.

use super::disk::{Disk, Done, Write, wrote};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::settlement::{MarketResult, MatchResults, RequestedMatch};
use kvota_store::{
    AccountId, BetRules, OfferedLine, ResultsStored, SettleScope, SettledBatch, SettlementBacklog, SettlementStore,
    SettlementWork, StatementPage, StoreError, StoreFuture, UnsettledBet,
};

impl SettlementStore for Disk {
    fn store_results(&self, results: MatchResults, now_ms: i64) -> StoreFuture<'_, ResultsStored> {
        wrote!(self, Write::Results(results, now_ms), Done::Results(stored) => stored)
    }

    fn work_of_match(&self, match_id: MatchId) -> StoreFuture<'_, Vec<SettlementWork>> {
        Box::pin(async move { self.memory().work_of_match(match_id).await })
    }

    fn waiting_work(&self, before_ms: i64, max: u32) -> StoreFuture<'_, Vec<SettlementWork>> {
        Box::pin(async move { self.memory().waiting_work(before_ms, max).await })
    }

    fn set_aside(&self, work: SettlementWork, cause: String, now_ms: i64) -> StoreFuture<'_, bool> {
        Box::pin(async move { self.memory().set_aside(work, cause, now_ms).await })
    }

    fn retry_set_aside(&self, before_ms: i64, now_ms: i64) -> StoreFuture<'_, u64> {
        Box::pin(async move { self.memory().retry_set_aside(before_ms, now_ms).await })
    }

    fn settlement_backlog(&self) -> StoreFuture<'_, SettlementBacklog> {
        Box::pin(async move { self.memory().settlement_backlog().await })
    }

    fn keep_rules(&self, rules: BetRules) -> StoreFuture<'_, u64> {
        Box::pin(async move { self.memory().keep_rules(rules).await })
    }

    fn settle(&self, work: SettlementWork, scope: SettleScope, now_ms: i64) -> StoreFuture<'_, SettledBatch> {
        wrote!(self, Write::Settle(work, scope, now_ms), Done::Settled(batch) => batch)
    }

    fn results<'a>(&'a self, matches: &'a [MatchId]) -> StoreFuture<'a, Vec<(MatchId, MarketResult)>> {
        Box::pin(async move { self.memory().results(matches).await })
    }

    fn forget_results(&self, _: i64) -> StoreFuture<'_, u64> {
        Box::pin(async { Ok(0) })
    }

    fn park_moved_lines(&self, lines: Vec<OfferedLine>) -> StoreFuture<'_, u64> {
        Box::pin(async move { self.memory().park_moved_lines(lines).await })
    }

    fn reset_result_version(&self, _: MatchId, _: MarketId) -> StoreFuture<'_, bool> {
        Box::pin(async { Ok(false) })
    }

    fn undecided_matches(&self) -> StoreFuture<'_, Vec<RequestedMatch>> {
        Box::pin(async move { self.memory().undecided_matches().await })
    }

    fn note_match_ends<'a>(&'a self, ended: &'a [MatchId], offered: &'a [MatchId], now_ms: i64) -> StoreFuture<'a, ()> {
        Box::pin(async move { self.memory().note_match_ends(ended, offered, now_ms).await })
    }

    fn unsettled_bets(&self, ended_before_ms: i64) -> StoreFuture<'_, Vec<UnsettledBet>> {
        Box::pin(async move { self.memory().unsettled_bets(ended_before_ms).await })
    }

    fn statement(
        &self,
        account: AccountId,
        before: Option<i64>,
        from_ms: Option<i64>,
        to_ms: Option<i64>,
        limit: u32,
    ) -> StoreFuture<'_, StatementPage> {
        Box::pin(async move { self.memory().statement(account, before, from_ms, to_ms, limit).await })
    }
}
