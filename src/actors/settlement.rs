//! The settlement engine (CONTRACT 7): stores results, grades the bets they concern in batches, and asks for results that
//! are missing. Started by `serving.rs`; reads a source of results, the store and the offer.
//!
//! No actor: bets are shared by all nodes, so the store decides. Each batch is one transaction that can be repeated, and the
//! store remembers which markets wait, so that a process may be killed at any moment and another finishes. A message is
//! confirmed only after all its bets are settled. Placing is not delayed by more than one batch.

use crate::domain::ids::MatchId;
use crate::domain::limits::{RESULT_ASK_MS, RESULT_ASK_MS_MAX, RESULT_MATCHES_ASKED_MAX, SETTLE_BETS_MAX};
use crate::domain::settlement::MatchResults;
use crate::feed::results::{ResultsInput, ResultsSource};
use crate::read_model::ReadModel;
use crate::store::{BetRules, SettleScope, SettledBet, SettlementWork, StoreError, Stores};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Results that are settled side by side.
const SIDE_BY_SIDE_MAX: usize = 32;
/// The wait after the store was unavailable.
const RETRY_AFTER: Duration = Duration::from_millis(500);
/// Work that another process left, or that waits for a store that was away, is looked for so often.
const SWEEP_EVERY: Duration = Duration::from_secs(5);
/// How often open bets on matches that have left the offer are looked for.
const ASK_SWEEP_EVERY: Duration = Duration::from_secs(30);

/// Who hears of bets that changed: the sessions of their bettors.
pub trait SettlementListener: Send + Sync + 'static {
    /// These bets have other results or another settlement now. Must not wait.
    fn bets_settled(&self, bets: &[SettledBet]);
}

/// Nobody listens.
impl SettlementListener for () {
    fn bets_settled(&self, _: &[SettledBet]) {}
}

/// Settles bets; a clone shares everything.
#[derive(Clone)]
pub struct Settlements {
    stores: Stores,
    model: Arc<ReadModel>,
    /// For bets that were placed before rules were kept.
    rules: BetRules,
    listener: Arc<dyn SettlementListener>,
    now_ms: fn() -> i64,
}

impl Settlements {
    /// An engine over these stores.
    pub fn new(
        stores: Stores,
        model: Arc<ReadModel>,
        rules: BetRules,
        listener: Arc<dyn SettlementListener>,
        now_ms: fn() -> i64,
    ) -> Settlements {
        Settlements { stores, model, rules, listener, now_ms }
    }

    /// Settles what a source reports, what was left behind, and asks for what is missing. Ends when the source does.
    pub async fn run(self, source: Box<dyn ResultsSource>) {
        let (sink, inputs) = mpsc::channel(SIDE_BY_SIDE_MAX);
        let (ask, requests) = mpsc::channel(1);
        tokio::select! {
            () = source.run(sink, requests) => {}
            () = self.take(inputs) => {}
            () = self.sweep() => {}
            () = self.ask(ask) => {}
        }
    }

    /// Settles one report to its end.
    ///
    /// # Errors
    /// The store; what was committed stays, and the same report again settles the rest.
    pub async fn settle(&self, results: MatchResults) -> Result<(), StoreError> {
        let match_id = results.match_id;
        metrics::counter!("kvota_results_received_total").increment(1);
        self.stores.settlements.store_results(results, (self.now_ms)()).await?;
        // Also what an earlier delivery of the same report left behind.
        let work = self.stores.settlements.settlement_work().await?;
        for work in work.into_iter().filter(|work| work.match_id == match_id) {
            self.finish(work).await?;
        }
        Ok(())
    }

    /// Grades all bets on a market.
    async fn finish(&self, work: SettlementWork) -> Result<(), StoreError> {
        loop {
            let scope = SettleScope::Next { bets_max: SETTLE_BETS_MAX };
            let batch = self.stores.settlements.settle(work, scope, self.rules.clone(), (self.now_ms)()).await?;
            let settled = batch.bets.iter().filter(|bet| bet.is_resettled).count();
            metrics::counter!("kvota_bets_settled_total").increment(settled as u64);
            if !batch.bets.is_empty() {
                self.listener.bets_settled(&batch.bets);
            }
            if batch.is_finished {
                return Ok(());
            }
        }
    }

    async fn take(&self, mut inputs: mpsc::Receiver<ResultsInput>) {
        let mut settling = FuturesUnordered::new();
        loop {
            tokio::select! {
                Some(()) = settling.next(), if !settling.is_empty() => {}
                input = inputs.recv(), if settling.len() < SIDE_BY_SIDE_MAX => match input {
                    Some(input) => settling.push(self.settle_and_confirm(input)),
                    None => return,
                },
            }
        }
    }

    /// An unavailable store is tried again; any other failure leaves the report unconfirmed, to be delivered again.
    async fn settle_and_confirm(&self, input: ResultsInput) {
        let ResultsInput { results, settled } = input;
        loop {
            match self.settle(results.clone()).await {
                Ok(()) => {
                    // The source may have lost its link meanwhile; the report then comes again and changes nothing.
                    let _ = settled.send(());
                    return;
                }
                Err(error @ StoreError::Unavailable { .. }) => {
                    tracing::warn!(match.id = %results.match_id, "results wait for the store: {error}");
                    tokio::time::sleep(RETRY_AFTER).await;
                }
                Err(error) => {
                    tracing::error!(match.id = %results.match_id, "results of match {} are not settled: {error}", results.match_id);
                    tokio::time::sleep(RETRY_AFTER).await;
                    return;
                }
            }
        }
    }

    /// Finishes what was left behind, at the start and from time to time.
    async fn sweep(&self) {
        loop {
            let swept = async {
                for work in self.stores.settlements.settlement_work().await? {
                    self.finish(work).await?;
                }
                Ok::<(), StoreError>(())
            };
            if let Err(error) = swept.await {
                tracing::warn!("settlement work that was left behind waits: {error}");
            }
            tokio::time::sleep(SWEEP_EVERY).await;
        }
    }

    /// Asks for the results of all matches with open bets at the start, then for those that have left the offer.
    async fn ask(&self, ask: mpsc::Sender<Vec<MatchId>>) {
        let mut asked: HashMap<MatchId, Asked> = HashMap::new();
        let mut is_start = true;
        loop {
            match self.stores.settlements.matches_with_open_bets().await {
                Ok(open) => {
                    let now_ms = (self.now_ms)();
                    asked.retain(|id, _| open.contains(id));
                    let has_left = |id: &MatchId| self.model.entry(*id).is_none();
                    let due = open.into_iter().filter(|id| {
                        is_start || (has_left(id) && asked.entry(*id).or_insert(Asked::first(now_ms)).is_due(now_ms))
                    });
                    let due: Vec<MatchId> = due.collect();
                    for matches in due.chunks(RESULT_MATCHES_ASKED_MAX) {
                        if ask.send(matches.to_vec()).await.is_err() {
                            return;
                        }
                    }
                    is_start = false;
                }
                Err(error) => tracing::warn!("cannot look for matches with open bets: {error}"),
            }
            tokio::time::sleep(ASK_SWEEP_EVERY).await;
        }
    }
}

/// When the results of a match are asked for next.
struct Asked {
    next_ms: i64,
    wait_ms: i64,
}

impl Asked {
    /// A match that was seen to have left the offer just now.
    const fn first(now_ms: i64) -> Asked {
        Asked { next_ms: now_ms.saturating_add(RESULT_ASK_MS), wait_ms: RESULT_ASK_MS }
    }

    fn is_due(&mut self, now_ms: i64) -> bool {
        if now_ms < self.next_ms {
            return false;
        }
        self.wait_ms = self.wait_ms.saturating_mul(2).min(RESULT_ASK_MS_MAX);
        self.next_ms = now_ms.saturating_add(self.wait_ms);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_asked_for_after_a_minute_and_then_ever_less_often() {
        let mut asked = Asked::first(0);
        let minutes: Vec<i64> = (0..90).filter(|minute| asked.is_due(minute * 60_000)).collect();
        assert_eq!(minutes, [1, 3, 7, 15, 30, 45, 60, 75]);
    }
}
