//! How the prices of each match moved, beside the matches: the actor of a match writes after each of its updates, a
//! call reads. Where nothing moved no history is made or locked; where something did, one lock of that match alone is
//! held for as long as its changes take to note.

use super::ReadModel;
use super::table::Table;
use crate::domain::aggregate::MatchState;
use crate::domain::ids::{MatchId, OddId};
use crate::domain::price::Price;
use crate::domain::price_history::{PriceHistory, Trail, moved};
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
    /// Notes the prices that moved between two states of a match, as of `date_ms`. Called by the one actor of the match.
    pub fn note_prices(&self, before: &MatchState, now: &MatchState, date_ms: i64) {
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

    /// The price of an odd now, and how it came to it. Nothing where there is no such match, or no such odd in it.
    pub fn price_trail(&self, id: MatchId, odd: OddId) -> Option<(Price, Trail)> {
        let entry = self.entry(id)?;
        let (_, now) = entry.state.odd(odd)?;
        let trail = self.histories.0.get(id).map(|history| lock(&history).trail(odd));
        Some((now.value, trail.unwrap_or_default()))
    }
}

/// Nothing that is done under the lock can panic half way: what a writer who died left is whole.
fn lock(history: &Mutex<PriceHistory>) -> MutexGuard<'_, PriceHistory> {
    history.lock().unwrap_or_else(PoisonError::into_inner)
}
