//! Checksums of the matches of each sport, updated from the events of the bus. A client compares them with its own and
//! requests a resync if they differ (docs/protocol.md, *Nothing stays lost*).

use super::super::messages::events::{OfferEvent, Scope};
use crate::domain::ids::{MatchId, SportId};
use crate::read_model::ReadModel;
use crate::wire::hub::message::{Message, check_sum};
use std::collections::{BTreeMap, HashMap};

/// The number of matches and the checksum of each sport that was ever in the offer.
#[derive(Debug, Default)]
pub(super) struct Checksums {
    matches: HashMap<MatchId, (SportId, u32)>,
    sports: BTreeMap<SportId, (u64, u32)>,
}

impl Checksums {
    /// Updates the checksums by an event. A change may come once per language; its revision is the same in all of them.
    pub(super) fn note(&mut self, event: &OfferEvent) {
        let Scope::Row(sport, id) = event.scope else { return };
        match event.fragment.message() {
            Message::Match { state, .. } | Message::Change { state, .. } => self.put(sport, id, state.row_revision),
            Message::Deleted(id) => self.remove(*id),
            _ => {}
        }
    }

    /// Computes all checksums from the read model.
    pub(super) fn read(&mut self, model: &ReadModel) {
        self.clear();
        for entry in model.entries() {
            let state = &entry.state;
            self.put(state.live_match.sport_id, state.live_match.id, state.row_revision);
        }
    }

    /// Clears the matches but keeps the sports, so that a client that missed the clearing learns that they are empty.
    pub(super) fn clear(&mut self) {
        self.matches.clear();
        self.sports.values_mut().for_each(|sums| *sums = (0, 0));
    }

    /// Every sport that was ever in the offer.
    pub(super) fn sports(&self) -> impl Iterator<Item = SportId> {
        self.sports.keys().copied()
    }

    /// The checksum message of a sport.
    pub(super) fn sport_check(&self, sport: SportId) -> Message {
        let (matches, sum) = self.sports.get(&sport).copied().unwrap_or_default();
        Message::SportCheck { sport, matches, sum }
    }

    fn put(&mut self, sport: SportId, id: MatchId, revision: u32) {
        self.remove(id);
        self.matches.insert(id, (sport, revision));
        let sums = self.sports.entry(sport).or_default();
        *sums = (sums.0 + 1, sums.1.wrapping_add(check_sum(id, revision)));
    }

    fn remove(&mut self, id: MatchId) {
        let Some((sport, revision)) = self.matches.remove(&id) else { return };
        let sums = self.sports.entry(sport).or_default();
        *sums = (sums.0.saturating_sub(1), sums.1.wrapping_sub(check_sum(id, revision)));
    }
}
