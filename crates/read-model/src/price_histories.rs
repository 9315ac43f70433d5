//! The price history of each match. The actor of a match writes it after each update; an HTTP call reads it. Each match
//! has its own lock. It must be held only while its changes are written. A match without price changes has no history.

use super::ReadModel;
use super::table::Table;
use kvota_domain::aggregate::MatchState;
use kvota_domain::ids::{MatchId, OddId};
use kvota_domain::price::Price;
use kvota_domain::price_history::{OddHistory, PriceHistory, moved};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The histories of all matches.
#[derive(Debug, Default)]
pub(super) struct Histories(Table<MatchId, Mutex<PriceHistory>>);

impl Histories {
    pub(super) fn remove(&self, id: MatchId) {
        self.0.remove(id);
    }

    pub(super) fn clear(&self) {
        self.0.clear();
    }
}

impl ReadModel {
    /// Adds the prices that changed between two states of a match. `date_ms` is the date of the feed message, ms since
    /// the epoch. Called only by the actor of the match.
    pub fn record_prices(&self, before: &MatchState, now: &MatchState, date_ms: i64) {
        let moves = moved(&before.live_match.markets, &now.live_match.markets);
        if moves.is_empty() {
            return;
        }
        let id = now.live_match.id;
        let history = self.histories.0.get(id).unwrap_or_else(|| {
            let made = Arc::default();
            self.histories.0.put(id, Arc::clone(&made));
            made
        });
        lock(&history).note(&moves, date_ms);
    }

    /// The current price of an odd and its history. `None` if there is no such match or odd.
    pub fn price_trail(&self, id: MatchId, odd: OddId) -> Option<(Price, OddHistory)> {
        let entry = self.entry(id)?;
        let (_, now) = entry.state.odd(odd)?;
        let trail = self.histories.0.get(id).map(|history| lock(&history).trail(odd));
        Some((now.value, trail.unwrap_or_default()))
    }
}

/// No code panics while it holds the lock, so the history of a poisoned lock is intact.
fn lock(history: &Mutex<PriceHistory>) -> MutexGuard<'_, PriceHistory> {
    history.lock().unwrap_or_else(PoisonError::into_inner)
}
