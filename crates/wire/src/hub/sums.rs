//! The checksums of sports, by which a client finds out that it lost something (docs/protocol.md, *Detecting losses*).

use super::message::check_sum;
use kvota_domain::aggregate::MatchState;
use kvota_domain::ids::{MatchId, SportId};
use std::collections::BTreeMap;

/// The number of matches of a sport, and the sum of [`check_sum`] over them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SportSum {
    /// The number of matches.
    pub matches: u64,
    /// The sum, modulo 2^32.
    pub sum: u32,
}

/// The sums of all sports that ever had a match.
#[derive(Debug, Default)]
pub struct SportSums(BTreeMap<SportId, SportSum>);

impl SportSums {
    /// Adds a match of a sport with this revision of its row.
    pub fn add(&mut self, sport: SportId, id: MatchId, row: u32) {
        let own = self.0.entry(sport).or_default();
        *own = SportSum { matches: own.matches + 1, sum: own.sum.wrapping_add(check_sum(id, row)) };
    }

    /// Removes a match that was added with the same values.
    pub fn remove(&mut self, sport: SportId, id: MatchId, row: u32) {
        let own = self.0.entry(sport).or_default();
        *own = SportSum { matches: own.matches.saturating_sub(1), sum: own.sum.wrapping_sub(check_sum(id, row)) };
    }

    /// Replaces a state of a match by another one; `None` before it was inserted, and after it was removed.
    pub fn replace(&mut self, before: Option<&MatchState>, after: Option<&MatchState>) {
        if let Some(state) = before {
            self.remove(state.live_match.sport_id, state.live_match.id, state.row_revision);
        }
        if let Some(state) = after {
            self.add(state.live_match.sport_id, state.live_match.id, state.row_revision);
        }
    }

    /// The sum of a sport.
    pub fn of(&self, sport: SportId) -> SportSum {
        self.0.get(&sport).copied().unwrap_or_default()
    }

    /// Removes all matches and keeps the sports.
    pub fn clear(&mut self) {
        self.0.values_mut().for_each(|sum| *sum = SportSum::default());
    }

    /// Every sport that ever had a match.
    pub fn sports(&self) -> impl Iterator<Item = SportId> {
        self.0.keys().copied()
    }
}
