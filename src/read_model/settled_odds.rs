//! The current results of the matches in the offer, so that a decided odd cannot be bet on while the feed still offers
//! it (CONTRACT 7, `market_settled`). Written by the settlement engine, read by tickets and placing.
//!
//! Must not be the only guard: it is empty after a start, and the transaction that places a bet checks the stored
//! results.

use super::ReadModel;
use super::table::Table;
use crate::domain::ids::{MarketId, MatchId, OddId};
use crate::domain::settlement::{MarketResult, MatchResults};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The newest result of each market of a match.
pub(super) type MarketResults = BTreeMap<MarketId, MarketResult>;

/// The results of all matches in the offer.
#[derive(Debug, Default)]
pub(super) struct SettledOdds {
    of_match: Table<MatchId, MarketResults>,
    /// Held while results are added, because results of one match may arrive concurrently.
    writing: Mutex<()>,
}

impl SettledOdds {
    pub(super) fn of(&self, id: MatchId) -> Option<Arc<MarketResults>> {
        self.of_match.get(id)
    }

    pub(super) fn remove(&self, id: MatchId) {
        self.of_match.remove(id);
    }

    fn add(&self, results: &MatchResults) {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut markets =
            self.of_match.get(results.match_id).map(|held| MarketResults::clone(&held)).unwrap_or_default();
        for market in &results.markets {
            if markets.get(&market.market).is_none_or(|held| held.version < market.version) {
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
    /// Adds the stored results of a match. Ignores matches that are not in the offer, because they cannot be bet on.
    pub fn note_results(&self, results: &MatchResults) {
        if let Some(entry) = self.entry(results.match_id) {
            self.settled.add(results);
            self.notify_match_observers(results.match_id, Some(&entry));
            // If the match was removed meanwhile, nothing else would delete these results.
            if self.entry(results.match_id).is_none() {
                self.settled.remove(results.match_id);
            }
        }
    }
}
