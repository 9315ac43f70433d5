//! Checksums of the matches of each sport, updated from the events of the bus. A client compares them with its own and
//! requests a resync if they differ (docs/protocol.md, *Nothing stays lost*).
//!
//! Must never contain a change before its event: the client would miss what is only on its way.

use kvota_domain::aggregate::MatchState;
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::offer_event::{FeedState, OfferEvent};
use kvota_read_model::ReadModel;
use kvota_wire::hub::message::Message;
use kvota_wire::hub::sums::{SportSum, SportSums};
use std::collections::HashMap;

/// The number of matches and the checksum of each sport that was ever in the offer.
#[derive(Debug, Default)]
pub(super) struct Checksums {
    matches: HashMap<MatchId, Known>,
    sports: SportSums,
}

/// The revisions of a match by the events so far.
#[derive(Clone, Copy, Debug)]
struct Known {
    sport: SportId,
    row: u32,
    detail: u32,
}

impl Checksums {
    /// Updates the checksums by an event. A change may come once per language; its revision is the same in all of them.
    pub(super) fn note(&mut self, event: &OfferEvent, model: &ReadModel) {
        match event {
            OfferEvent::FeedStateChanged { lang, state: FeedState::Inactive } if *lang == model.primary() => {
                self.clear()
            }
            // A whole offer was loaded, without one event per match.
            OfferEvent::FeedStateChanged { state: FeedState::Active, .. } => self.read(model),
            OfferEvent::MatchInserted { state, .. } | OfferEvent::MatchTextsChanged { after: state, .. } => {
                self.put_state(state);
            }
            OfferEvent::MatchChanged { after, delta, .. } => {
                if delta.row.is_some() {
                    self.put_state(after);
                } else if let Some(known) = self.matches.get_mut(&after.live_match.id) {
                    known.detail = after.detail_revision;
                }
            }
            OfferEvent::MatchRemoved { id, .. } => self.remove(*id),
            OfferEvent::FeedStateChanged { .. }
            | OfferEvent::SportChanged { .. }
            | OfferEvent::SportRemoved(_)
            | OfferEvent::FeedMessageApplied => {}
        }
    }

    /// Computes all checksums from the read model.
    pub(super) fn read(&mut self, model: &ReadModel) {
        self.clear();
        for entry in model.entries() {
            self.put_state(&entry.state);
        }
    }

    /// Clears the matches but keeps the sports, so that a client that missed the clearing learns that they are empty.
    pub(super) fn clear(&mut self) {
        self.matches.clear();
        self.sports.clear();
    }

    /// Every sport that was ever in the offer.
    pub(super) fn sports(&self) -> impl Iterator<Item = SportId> {
        self.sports.sports()
    }

    /// The checksum message of a sport; `None` while an event of one of its matches is on its way, because a client that
    /// has just fetched the offer has its change already.
    pub(super) fn sport_check(&self, sport: SportId, model: &ReadModel) -> Option<Message> {
        let known = self.sports.of(sport);
        let SportSum { matches, sum } = known;
        (model.sport_sum(sport) == known).then_some(Message::SportCheck { sport, matches, sum })
    }

    /// The check of a match; `None` while an event of it is on its way, because some clients may have its change and others
    /// not.
    pub(super) fn match_check(&self, id: MatchId, model: &ReadModel) -> Option<Message> {
        let written = model.entry(id).map(|entry| (entry.state.row_revision, entry.state.detail_revision));
        let known = self.matches.get(&id).map(|known| (known.row, known.detail));
        (written == known).then_some(known.map_or(Message::Deleted(id), |(row, detail)| Message::MatchCheck {
            id,
            row,
            detail,
        }))
    }

    fn put_state(&mut self, state: &MatchState) {
        let (row, detail) = (state.row_revision, state.detail_revision);
        self.put(state.live_match.id, Known { sport: state.live_match.sport_id, row, detail });
    }

    fn put(&mut self, id: MatchId, known: Known) {
        self.remove(id);
        self.matches.insert(id, known);
        self.sports.add(known.sport, id, known.row);
    }

    fn remove(&mut self, id: MatchId) {
        let Some(known) = self.matches.remove(&id) else { return };
        self.sports.remove(known.sport, id, known.row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::feed::{Change, MatchUpdate, Time};
    use kvota_domain::lang::PerLang;
    use kvota_domain::matches::Match;
    use std::sync::Arc;

    #[test]
    fn a_sport_with_an_event_on_its_way_is_not_checked() {
        let model = ReadModel::default();
        let (sport, id) = (SportId::new(1).expect("an id"), MatchId::new(17).expect("an id"));
        let state = |revision| {
            let live_match = Match::empty(id, sport);
            let update = MatchUpdate { change: Change::Insert, live_match, time: Time::None, texts: None };
            Arc::new(MatchState::inserted(&update, 0, &[], PerLang::new(|_| None), revision))
        };
        let mut checksums = Checksums::default();
        model.put_match(state(1));
        checksums.read(&model);
        let is_checked = |checksums: &Checksums| checksums.sport_check(sport, &model).is_some();
        assert!(is_checked(&checksums));
        model.put_match(state(2));
        assert!(!is_checked(&checksums));
        checksums.put_state(&state(2));
        assert!(is_checked(&checksums));
        model.remove_match(id);
        assert!(!is_checked(&checksums));
        checksums.remove(id);
        assert!(is_checked(&checksums), "a sport that has become empty is checked, too");
        model.put_match(state(3));
        model.clear();
        assert!(is_checked(&checksums));
    }
}
