//! The current results of the matches in the offer, so that a decided odd cannot be bet on while the feed still offers
//! it (CONTRACT 7, `market_settled`). Written by the settlement engine, read by tickets and placing.
//!
//! Must not be the only guard: a match that is new in the offer has no results here until the engine has read them. The
//! transaction that places a bet checks the stored results.

use super::ReadModel;
use super::table::Table;
use kvota_domain::ids::{MarketId, MatchId, OddId};
use kvota_domain::settlement::{MarketResult, MatchResults};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The newest result of each market of a match.
pub(super) type MarketResults = BTreeMap<MarketId, MarketResult>;

/// The results of all matches in the offer.
#[derive(Debug, Default)]
pub(super) struct SettledOdds {
    of_match: Table<MatchId, MarketResults>,
    /// Held while results are added, because results of one match may arrive concurrently.
    writing: Mutex<()>,
    /// Matches that are new in the offer. Their stored results are not read yet.
    unread: WaitingMatches,
    /// Matches of which a market got another line under its id. Their bets are not parked yet.
    moved: WaitingMatches,
}

/// Matches that wait for the settlement engine.
#[derive(Debug, Default)]
struct WaitingMatches {
    ids: Mutex<BTreeSet<MatchId>>,
    wake: Notify,
}

impl WaitingMatches {
    /// No code panics while it holds the lock.
    fn ids(&self) -> MutexGuard<'_, BTreeSet<MatchId>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, id: MatchId) {
        self.ids().insert(id);
        self.wake.notify_one();
    }

    /// Waits until there are some, and takes at most `max`.
    async fn take(&self, max: usize) -> Vec<MatchId> {
        loop {
            let ids: Vec<MatchId> = {
                let mut ids = self.ids();
                std::iter::from_fn(|| ids.pop_first()).take(max).collect()
            };
            if !ids.is_empty() {
                return ids;
            }
            self.wake.notified().await;
        }
    }
}

impl SettledOdds {
    pub(super) fn of(&self, id: MatchId) -> Option<Arc<MarketResults>> {
        self.of_match.get(id)
    }

    pub(super) fn remove(&self, id: MatchId) {
        self.unread.ids().remove(&id);
        self.moved.ids().remove(&id);
        self.of_match.remove(id);
    }

    pub(super) fn clear(&self) {
        self.unread.ids().clear();
        self.moved.ids().clear();
        self.of_match.clear();
    }

    /// The match is new in the offer.
    pub(super) fn begin(&self, id: MatchId) {
        self.unread.add(id);
    }

    fn add(&self, results: &MatchResults, is_newer: impl Fn(&MarketResult, &MarketResult) -> bool) {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut markets =
            self.of_match.get(results.match_id).map(|held| MarketResults::clone(&held)).unwrap_or_default();
        for market in &results.markets {
            if markets.get(&market.market).is_none_or(|held| is_newer(market, held)) {
                markets.insert(market.market, market.clone());
            }
        }
        self.of_match.put(results.match_id, Arc::new(markets));
    }
}

/// Whether one of these results decides an odd for a bet placed at `now_ms`.
pub(super) fn decides(results: &MarketResults, market_id: MarketId, odd_id: OddId, now_ms: i64) -> bool {
    results.get(&market_id).is_some_and(|result| result.decides(odd_id, now_ms))
}

impl ReadModel {
    /// Waits for matches that are new in the offer, and returns at most `max` of them. Their stored results are then to
    /// be passed to [`ReadModel::note_results`].
    pub async fn matches_without_results(&self, max: usize) -> Vec<MatchId> {
        self.settled.unread.take(max).await
    }

    /// A market of this match got another line under its id.
    pub fn note_moved_line(&self, id: MatchId) {
        self.settled.moved.add(id);
    }

    /// Waits for matches with moved lines, and returns at most `max` of them. Bets on the earlier lines are then to be
    /// parked.
    pub async fn matches_with_moved_lines(&self, max: usize) -> Vec<MatchId> {
        self.settled.moved.take(max).await
    }

    /// The stored results of these matches could not be read, and are to be read again.
    pub fn results_not_read(&self, ids: &[MatchId]) {
        for id in ids.iter().filter(|id| self.entry(**id).is_some()) {
            self.settled.begin(*id);
        }
    }

    /// Adds results of a match, unless later versions are known. Ignores matches that are not in the offer, because they
    /// cannot be bet on.
    pub fn note_results(&self, results: &MatchResults) {
        self.add_results(results, |new, held| held.version < new.version);
    }

    /// Adds results of a match as the store has them: they replace those that are known, also with a higher version, because
    /// an operator may have reset a wrong one.
    pub fn note_stored_results(&self, results: &MatchResults) {
        self.add_results(results, |_, _| true);
    }

    fn add_results(&self, results: &MatchResults, is_newer: impl Fn(&MarketResult, &MarketResult) -> bool) {
        if let Some(entry) = self.entry(results.match_id) {
            self.settled.add(results, is_newer);
            self.notify_match_observers(results.match_id, Some(&entry));
            // If the match was removed meanwhile, nothing else would delete these results.
            if self.entry(results.match_id).is_none() {
                self.settled.remove(results.match_id);
            }
        }
    }
}
