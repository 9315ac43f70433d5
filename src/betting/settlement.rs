//! The settlement engine (CONTRACT 7): stores results, grades the affected bets in batches, and requests missing
//! results. Started by `server/mod.rs`; reads a source of results, the store and the offer.
//!
//! No actor: all nodes share the bets, so the store decides. Each batch is one repeatable transaction, and the store
//! remembers which markets wait. So a process may be killed at any moment, and another one finishes its work. Must not
//! confirm a message before all its bets are settled, nor delay placing by more than one batch.

use crate::betting::bet_events::BetEvents;
use crate::betting::limits::SETTLE_BETS_MAX;
use crate::betting::missing_results::{MissingResults, requests_of};
use crate::betting::watched_bets::WatchedBets;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use kvota_domain::bet::{AccountId, BetChange, BetEvent};
use kvota_domain::ids::MatchId;
use kvota_domain::limits::RESULT_MATCHES_ASKED_MAX;
use kvota_domain::settlement::{MarketResult, MarketState, MatchResults, RequestedMatch};
use kvota_domain::ticket::{FeedHealth, OfferView};
use kvota_feed::results::{ResultsAnswer, ResultsInput, ResultsSink, ResultsSource};
use kvota_read_model::ReadModel;
use kvota_store::{BetRules, SettleScope, SettlementBacklog, SettlementWork, StoreError, Stores, UnsettledCause};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, mpsc};

/// Bettors who watch their bets, in one transaction. They have a few bets each on a market.
const WATCHERS_AT_ONCE: usize = 100;
/// Results that are settled concurrently.
const SIDE_BY_SIDE_MAX: usize = 32;
/// The wait after the store was unavailable.
pub(super) const RETRY_AFTER: Duration = Duration::from_millis(500);
/// How often the engine looks for unfinished work of a stopped process or of a store failure. Only work older than this
/// is taken.
const SWEEP_EVERY: Duration = Duration::from_secs(5);
/// Markets per sweep.
const SWEPT_AT_ONCE_MAX: u32 = 100;
/// Bets that could not be graded are tried again after this, in ms: a newer version of the program may be able to grade
/// them.
const RETRY_SET_ASIDE_MS: i64 = 15 * 60_000;
/// How often the engine looks for open bets on matches that have left the offer.
const ASK_SWEEP_EVERY: Duration = Duration::from_secs(30);
/// How often a node checks whether it has become the first one.
const FIRST_NODE_EVERY: Duration = Duration::from_secs(1);
/// A bet that is open so long after the end of its last match is reported to the operator.
pub const UNSETTLED_AFTER_MS: i64 = 15 * 60_000;
/// The first wait before the engine restarts after a panic. It doubles up to `RESTART_AFTER_MAX`.
const RESTART_AFTER: Duration = Duration::from_millis(100);
const RESTART_AFTER_MAX: Duration = Duration::from_secs(1);

/// The settlement engine. A clone shares everything.
#[derive(Clone)]
pub struct Settlements {
    pub(super) stores: Stores,
    pub(super) model: Arc<ReadModel>,
    /// The rules for bets that were placed before the store kept the rules of each bet.
    rules: BetRules,
    events: BetEvents,
    now_ms: fn() -> i64,
    watched: Option<Arc<dyn WatchedBets>>,
    elsewhere: ResultsElsewhere,
}

/// The matches with results that another node settles. A clone shares them.
#[derive(Clone, Default)]
pub struct ResultsElsewhere(Arc<(Mutex<BTreeSet<MatchId>>, Notify)>);

impl std::fmt::Debug for ResultsElsewhere {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResultsElsewhere").finish_non_exhaustive()
    }
}

impl ResultsElsewhere {
    /// Another node has stored results of this match.
    pub fn changed(&self, id: MatchId) {
        let (matches, wake) = &*self.0;
        matches.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
        wake.notify_one();
    }

    async fn next(&self) -> BTreeSet<MatchId> {
        let (matches, wake) = &*self.0;
        wake.notified().await;
        std::mem::take(&mut *matches.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Stored results, gathered by their match.
pub fn by_match(results: Vec<(MatchId, MarketResult)>) -> impl Iterator<Item = MatchResults> {
    let mut matches: BTreeMap<MatchId, Vec<MarketResult>> = BTreeMap::new();
    for (match_id, market) in results {
        matches.entry(match_id).or_default().push(market);
    }
    matches.into_iter().map(|(match_id, markets)| MatchResults { match_id, markets, date_ms: None })
}

impl Settlements {
    /// An engine over these stores.
    pub fn new(
        stores: Stores,
        model: Arc<ReadModel>,
        rules: BetRules,
        events: BetEvents,
        now_ms: fn() -> i64,
    ) -> Settlements {
        let (watched, elsewhere) = (None, ResultsElsewhere::default());
        Settlements { stores, model, rules, events, now_ms, watched, elsewhere }
    }

    /// Settles the bets that bettors watch on this node before all others, also if another node has the results.
    pub fn with_watched_bets_first(self, watched: impl WatchedBets, elsewhere: ResultsElsewhere) -> Settlements {
        Settlements { watched: Some(Arc::new(watched)), elsewhere, ..self }
    }

    /// Runs the engine, and restarts it after a panic. Ends when the source ends.
    #[expect(clippy::disallowed_methods, reason = "a panic of the engine ends its own task alone")]
    pub async fn supervise(self, make_source: impl Fn() -> Box<dyn ResultsSource>) {
        let mut wait = RESTART_AFTER;
        loop {
            let running = tokio::spawn(self.clone().run(make_source()));
            match running.await {
                Ok(()) => return,
                Err(error) if error.is_panic() => {
                    crate::panics::died("settlement", "", None, "it is started again");
                }
                Err(_) => return,
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(RESTART_AFTER_MAX);
        }
    }

    /// Settles the results of a source, finishes unfinished work, and requests missing results. Ends when the source
    /// ends.
    pub async fn run(self, source: Box<dyn ResultsSource>) {
        let (live, inputs) = mpsc::channel(SIDE_BY_SIDE_MAX);
        let (answers, answered) = mpsc::channel(1);
        let (sender, requests) = mpsc::channel(1);
        let missing = MissingResults::default();
        tokio::select! {
            () = source.run(ResultsSink { live, answers }, requests) => {}
            () = async {
                self.keep_rules().await;
                tokio::select! {
                    () = self.take(inputs) => {}
                    () = self.take_answers(answered, &missing) => {}
                    () = self.sweep() => {}
                    () = self.read_known_results() => {}
                    () = self.follow_other_nodes() => {}
                    () = self.park_when_lines_move() => {}
                    () = self.request_missing(sender, &missing) => {}
                }
            } => {}
        }
    }

    /// Gives the configured rules, once, to bets that were placed before the store kept rules.
    async fn keep_rules(&self) {
        loop {
            match self.stores.settlements.keep_rules(self.rules.clone()).await {
                Ok(0) => return,
                Ok(bets) => tracing::info!(bets, "{bets} older bets keep the rules of the configuration from now on"),
                Err(error) => {
                    tracing::warn!("cannot keep the rules of older bets: {error}");
                    tokio::time::sleep(RETRY_AFTER).await;
                }
            }
        }
    }

    /// Reads the stored results of matches that are new in the offer: after a start, and when a match returns.
    async fn read_known_results(&self) {
        loop {
            let ids = self.model.matches_without_results(RESULT_MATCHES_ASKED_MAX).await;
            match self.stores.settlements.results(&ids).await {
                Ok(results) => {
                    for results in by_match(results) {
                        self.model.note_results(&results);
                        self.events.publish_results_read(results.match_id);
                    }
                }
                Err(error) => {
                    tracing::warn!("cannot read the results of {} matches: {error}", ids.len());
                    self.model.results_not_read(&ids);
                    tokio::time::sleep(RETRY_AFTER).await;
                }
            }
        }
    }

    /// Stores the results of a match and settles all its bets. Bets that cannot be graded are set aside.
    ///
    /// # Errors
    /// The store is unavailable. Committed batches stay; calling this again with the same results settles the rest.
    pub async fn settle(&self, results: MatchResults) -> Result<(), StoreError> {
        self.settle_news(results, true).await
    }

    /// As [`Settlements::settle`]. With `may_be_news` the other nodes learn of the results even if the store already had
    /// them, because an earlier call may have stored them and failed.
    async fn settle_news(&self, results: MatchResults, may_be_news: bool) -> Result<(), StoreError> {
        let match_id = results.match_id;
        metrics::counter!("kvota_results_received_total").increment(1);
        let stored = self.stores.settlements.store_results(results.clone(), (self.now_ms)()).await?;
        self.model.note_results(&results);
        // The store has accepted these, whatever version was known here.
        let mut accepted = results.clone();
        accepted.markets.retain(|market| stored.changed.contains(&market.market));
        self.model.note_stored_results(&accepted);
        match may_be_news || !stored.changed.is_empty() {
            true => self.events.publish_results(match_id),
            false => self.events.publish_results_read(match_id),
        }
        // Includes unfinished work of an earlier delivery of the same results.
        let work = self.stores.settlements.work_of_match(match_id).await?;
        self.settle_watched(match_id, &work).await;
        for work in work {
            self.finish(work).await?;
        }
        Ok(())
    }

    /// Grades the bets on these markets that bettors watch on this node, so that they do not wait for all others.
    async fn settle_watched(&self, match_id: MatchId, work: &[SettlementWork]) {
        let watchers = self.watched.as_ref().map(|watched| watched.accounts_with_bets_on(match_id)).unwrap_or_default();
        for work in work {
            let accounts = watchers.get(&work.market_id).into_iter().flatten().copied();
            let accounts: Vec<AccountId> = accounts.collect();
            for accounts in accounts.chunks(WATCHERS_AT_ONCE) {
                let scope = SettleScope::Accounts(accounts.to_vec());
                match self.stores.settlements.settle(*work, scope, (self.now_ms)()).await {
                    Ok(batch) => self.publish(&batch.events),
                    // They are settled with all other bets, in smaller batches.
                    Err(error @ StoreError::Unavailable { .. }) => {
                        tracing::warn!(match.id = %match_id, "watched bets on match {match_id} wait for the others: {error}");
                        return;
                    }
                    // One that cannot be graded is found and set aside with all others.
                    Err(StoreError::Corrupt { .. }) => {}
                }
            }
        }
    }

    /// Settles watched bets on matches with results that another node received. If that fails, the other node does it.
    pub async fn follow_other_nodes(&self) {
        loop {
            for id in self.elsewhere.next().await {
                match self.stores.settlements.work_of_match(id).await {
                    Ok(work) => self.settle_watched(id, &work).await,
                    Err(error) => {
                        tracing::warn!(match.id = %id, "watched bets on match {id} wait for another node: {error}");
                    }
                }
            }
        }
    }

    fn publish(&self, events: &[BetEvent]) {
        let is_settled = |event: &&BetEvent| !matches!(event.change, BetChange::PairDecided(_));
        metrics::counter!("kvota_bets_settled_total").increment(events.iter().filter(is_settled).count() as u64);
        self.events.publish(events);
    }

    /// Grades all bets on a market. If a batch fails, bets are graded one by one to find the one that cannot be graded.
    async fn finish(&self, work: SettlementWork) -> Result<(), StoreError> {
        let mut bets_max = SETTLE_BETS_MAX;
        loop {
            let scope = SettleScope::Next { bets_max };
            let batch = match self.stores.settlements.settle(work, scope, (self.now_ms)()).await {
                Ok(batch) => batch,
                Err(error @ StoreError::Unavailable { .. }) => return Err(error),
                Err(_) if bets_max > 1 => {
                    bets_max = 1;
                    continue;
                }
                Err(StoreError::Corrupt { cause }) => {
                    self.set_aside(work, cause).await?;
                    continue;
                }
            };
            self.publish(&batch.events);
            if batch.is_finished {
                return Ok(());
            }
            bets_max = bets_max.saturating_mul(2).min(SETTLE_BETS_MAX);
        }
    }

    async fn set_aside(&self, work: SettlementWork, cause: String) -> Result<(), StoreError> {
        let SettlementWork { match_id, market_id } = work;
        tracing::error!(match.id = %match_id, market.id = %market_id, "set a bet on match {match_id} aside: {cause}");
        metrics::counter!("kvota_bets_set_aside_total").increment(1);
        self.stores.settlements.set_aside(work, cause, (self.now_ms)()).await?;
        Ok(())
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

    /// Retries while the store is unavailable. After any other failure the results stay unconfirmed and are delivered
    /// again.
    async fn settle_and_confirm(&self, input: ResultsInput) {
        let ResultsInput { results, settled } = input;
        loop {
            match self.settle(results.clone()).await {
                Ok(()) => {
                    // If the source has lost its connection meanwhile, the same results arrive again and change
                    // nothing.
                    let _ = settled.send(());
                    return;
                }
                Err(error @ StoreError::Unavailable { .. }) => {
                    tracing::warn!(match.id = %results.match_id, "results wait for the store: {error}");
                    tokio::time::sleep(RETRY_AFTER).await;
                }
                Err(error) => {
                    tracing::error!(match.id = %results.match_id, "cannot settle the results of match {}: {error}", results.match_id);
                    tokio::time::sleep(RETRY_AFTER).await;
                    return;
                }
            }
        }
    }

    /// Finishes unfinished work, at the start and every `SWEEP_EVERY`.
    async fn sweep(&self) {
        let mut before_ms = i64::MAX;
        loop {
            if let Err(error) = self.sweep_once(before_ms).await {
                tracing::warn!("settlement work that was left behind waits: {error}");
            }
            tokio::time::sleep(SWEEP_EVERY).await;
            before_ms = (self.now_ms)().saturating_sub(SWEEP_EVERY.as_millis() as i64);
        }
    }

    async fn sweep_once(&self, before_ms: i64) -> Result<(), StoreError> {
        let (settlements, now_ms) = (&self.stores.settlements, (self.now_ms)());
        let is_start = before_ms == i64::MAX;
        let retry_before_ms = if is_start { i64::MAX } else { now_ms.saturating_sub(RETRY_SET_ASIDE_MS) };
        settlements.retry_set_aside(retry_before_ms, now_ms).await?;
        for work in settlements.waiting_work(before_ms, SWEPT_AT_ONCE_MAX).await? {
            self.finish(work).await?;
        }
        let SettlementBacklog { oldest_ms, markets, set_aside } = settlements.settlement_backlog().await?;
        let age_ms = oldest_ms.map_or(0, |oldest_ms| now_ms.saturating_sub(oldest_ms).max(0));
        metrics::gauge!("kvota_settlement_work_oldest_seconds").set(age_ms as f64 / 1000.0);
        metrics::gauge!("kvota_settlement_work_markets").set(markets as f64);
        metrics::gauge!("kvota_bets_set_aside").set(set_aside as f64);
        Ok(())
    }

    /// Settles answers one match at a time; live results are settled concurrently.
    async fn take_answers(&self, mut answers: mpsc::Receiver<ResultsAnswer>, missing: &MissingResults) {
        while let Some(ResultsAnswer { requested, results }) = answers.recv().await {
            missing.answered(&requested, |id| self.model.entry(id).is_some());
            for results in results {
                self.settle_answer(results).await;
            }
        }
    }

    /// Results that cannot be settled here are requested again later. Most answers contain nothing that the store does not
    /// have.
    async fn settle_answer(&self, results: MatchResults) {
        let mut may_be_news = false;
        loop {
            let settled =
                async { self.settle_news(self.without_lost_memory(results.clone()).await?, may_be_news).await };
            match settled.await {
                Err(StoreError::Unavailable { .. }) => {
                    may_be_news = true;
                    tokio::time::sleep(RETRY_AFTER).await;
                }
                Err(error) => {
                    tracing::error!(match.id = %results.match_id, "the answer for match {} is not settled: {error}", results.match_id);
                    return;
                }
                Ok(()) => return,
            }
        }
    }

    /// Removes cancellations that a restarted producer sent only because it lost its results, if the store has an
    /// earlier result of that market. The earlier result counts.
    async fn without_lost_memory(&self, mut results: MatchResults) -> Result<MatchResults, StoreError> {
        if results.markets.iter().any(MarketResult::is_for_lost_memory) {
            let known = self.stores.settlements.results(&[results.match_id]).await?;
            let is_known =
                |id| known.iter().any(|(_, result)| result.market == id && result.state != MarketState::OpenAgain);
            results.markets.retain(|market| !market.is_for_lost_memory() || !is_known(market.market));
        }
        Ok(results)
    }

    /// Requests the results of all matches with open bets at the start, then of those that have left the offer or got no
    /// answer to their first request. Of several nodes, only the first continues after its start; if it dies, the next one
    /// begins as at a start.
    async fn request_missing(&self, requests: mpsc::Sender<Vec<RequestedMatch>>, missing: &MissingResults) {
        let (mut is_start, mut was_first) = (true, true);
        loop {
            let is_first = self.stores.shared_limits.is_first_node();
            is_start |= is_first && !was_first;
            was_first = is_first;
            match self.stores.settlements.undecided_matches().await {
                Ok(undecided) => {
                    if let Err(error) = self.note_match_ends(&undecided).await {
                        tracing::warn!("cannot note which matches with open bets have ended: {error}");
                    }
                    if let Err(error) = self.park_moved_lines(&undecided).await {
                        tracing::warn!("cannot look for open bets on moved lines: {error}");
                    }
                    let undecided = if is_first || is_start { undecided } else { Vec::new() };
                    let is_offered = |id| self.model.entry(id).is_some();
                    let due = missing.due(undecided, is_offered, is_start, (self.now_ms)());
                    for request in requests_of(due) {
                        if requests.send(request).await.is_err() {
                            return;
                        }
                    }
                    is_start = false;
                }
                Err(error) => tracing::warn!("cannot look for matches with open bets: {error}"),
            }
            self.wait_for_turn(is_first).await;
        }
    }

    /// Waits for the next look at the missing results: less if this node becomes the first one meanwhile.
    async fn wait_for_turn(&self, was_first: bool) {
        let until = tokio::time::Instant::now() + ASK_SWEEP_EVERY;
        while tokio::time::Instant::now() < until {
            tokio::time::sleep(FIRST_NODE_EVERY).await;
            if !was_first && self.stores.shared_limits.is_first_node() {
                return;
            }
        }
    }

    /// Notes which matches with open bets have left the offer, and counts the bets that wait too long for their results.
    async fn note_match_ends(&self, undecided: &[RequestedMatch]) -> Result<(), StoreError> {
        // Without an active feed, the offer does not say which matches have ended.
        if self.model.feed() != FeedHealth::Active {
            return Ok(());
        }
        let is_offered = |id: &MatchId| self.model.entry(*id).is_some();
        let ids = undecided.iter().map(|undecided| undecided.match_id);
        let (offered, ended): (Vec<MatchId>, Vec<MatchId>) = ids.partition(is_offered);
        let (settlements, now_ms) = (&self.stores.settlements, (self.now_ms)());
        settlements.note_match_ends(&ended, &offered, now_ms).await?;
        // Counted once for all nodes.
        let is_first = self.stores.shared_limits.is_first_node();
        let before_ms = now_ms.saturating_sub(UNSETTLED_AFTER_MS);
        let unsettled = if is_first { settlements.unsettled_bets(before_ms).await? } else { Vec::new() };
        for cause in UnsettledCause::ALL {
            let count = unsettled.iter().filter(|bet| bet.cause == cause).count();
            metrics::gauge!("kvota_bets_unsettled", "cause" => cause.name()).set(count as f64);
        }
        Ok(())
    }
}
