//! Checksums of the matches of each sport, updated from the events of the bus. A client compares them with its own and
//! requests a resync if they differ (docs/protocol.md, *Nothing stays lost*).
//!
//! Must never contain a change before its event: the client would miss what is only on its way.

use kvota_domain::aggregate::MatchState;
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::offer_event::{FeedState, OfferEvent};
use kvota_read_model::ReadModel;
use kvota_wire::hub::message::{Message, check_sum};
use std::collections::{BTreeMap, HashMap};

/// The number of matches and the checksum of each sport that was ever in the offer.
#[derive(Debug, Default)]
pub(super) struct Checksums {
    matches: HashMap<MatchId, Known>,
    sports: BTreeMap<SportId, (u64, u32)>,
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
        let sums = self.sports.entry(known.sport).or_default();
        *sums = (sums.0 + 1, sums.1.wrapping_add(check_sum(id, known.row)));
    }

    fn remove(&mut self, id: MatchId) {
        let Some(known) = self.matches.remove(&id) else { return };
        let sums = self.sports.entry(known.sport).or_default();
        *sums = (sums.0.saturating_sub(1), sums.1.wrapping_sub(check_sum(id, known.row)));
    }
}
