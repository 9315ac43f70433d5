//! Subscriptions: which sessions have a match on their ticket or among their favourites. Updated by the sessions, read
//! when the offer changes. A price change wakes only the sessions with that match on their ticket.

use kvota_domain::ids::MatchId;
use kvota_domain::offer_event::OfferEvent;
use kvota_domain::session_state::SessionState;
use kvota_store::SessionOwner;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The subscriptions, by match and by session.
#[derive(Debug, Default)]
pub struct Subscriptions {
    on_ticket: HashMap<MatchId, HashSet<SessionOwner>>,
    favourite: HashMap<MatchId, HashSet<SessionOwner>>,
    held: HashMap<SessionOwner, SessionMatches>,
}

/// The matches of one session.
#[derive(PartialEq, Eq, Debug, Default)]
struct SessionMatches {
    on_ticket: BTreeSet<MatchId>,
    favourite: BTreeSet<MatchId>,
}

/// A kind of event that sessions subscribe to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WakeReason {
    /// A match changed. Wakes the sessions with it on their ticket.
    Changed(MatchId),
    /// A match left the offer or is moving to another sport. Wakes the sessions with it on their ticket or as a
    /// favourite.
    Left(MatchId),
    /// The state of the feed changed. Wakes every session that has any match.
    Feed,
}

impl WakeReason {
    /// The kind of an event; `None` if no session needs it.
    pub fn of(event: &OfferEvent) -> Option<WakeReason> {
        match event {
            OfferEvent::FeedStateChanged { .. } => Some(WakeReason::Feed),
            OfferEvent::MatchRemoved { id, .. } => Some(WakeReason::Left(*id)),
            OfferEvent::MatchInserted { state, .. }
            | OfferEvent::MatchChanged { after: state, .. }
            | OfferEvent::MatchTextsChanged { after: state, .. } => Some(WakeReason::Changed(state.live_match.id)),
            OfferEvent::SportChanged { .. } | OfferEvent::SportRemoved(_) | OfferEvent::FeedMessageApplied => None,
        }
    }
}

impl Subscriptions {
    /// Replaces the subscriptions of a session by the matches of `state`.
    pub fn subscribe(&mut self, owner: SessionOwner, state: &SessionState) {
        let now = SessionMatches {
            on_ticket: state.ticket.pairs.iter().map(|pair| pair.match_id).collect(),
            favourite: state.favourites.iter().collect(),
        };
        let before = self.held.remove(&owner).unwrap_or_default();
        if before != now {
            replace(&mut self.on_ticket, owner, &before.on_ticket, &now.on_ticket);
            replace(&mut self.favourite, owner, &before.favourite, &now.favourite);
        }
        if now != SessionMatches::default() {
            self.held.insert(owner, now);
        }
    }

    /// Removes a session.
    pub fn unsubscribe(&mut self, owner: SessionOwner) {
        let before = self.held.remove(&owner).unwrap_or_default();
        replace(&mut self.on_ticket, owner, &before.on_ticket, &BTreeSet::new());
        replace(&mut self.favourite, owner, &before.favourite, &BTreeSet::new());
    }

    /// The sessions that are subscribed to an event.
    pub fn subscribers(&self, reason: WakeReason) -> Vec<SessionOwner> {
        let of = |index: &HashMap<MatchId, HashSet<SessionOwner>>, id| -> Vec<SessionOwner> {
            index.get(&id).into_iter().flatten().copied().collect()
        };
        match reason {
            WakeReason::Feed => self.held.keys().copied().collect(),
            WakeReason::Changed(id) => of(&self.on_ticket, id),
            WakeReason::Left(id) => [of(&self.on_ticket, id), of(&self.favourite, id)].concat(),
        }
    }

    /// The number of sessions that have any match.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether the index holds nothing at all.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty() && self.on_ticket.is_empty() && self.favourite.is_empty()
    }
}

fn replace(
    index: &mut HashMap<MatchId, HashSet<SessionOwner>>,
    owner: SessionOwner,
    before: &BTreeSet<MatchId>,
    now: &BTreeSet<MatchId>,
) {
    for id in before.difference(now) {
        if let Some(owners) = index.get_mut(id) {
            owners.remove(&owner);
            if owners.is_empty() {
                index.remove(id);
            }
        }
    }
    for id in now.difference(before) {
        index.entry(*id).or_default().insert(owner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::favourites::Favourites;
    use kvota_domain::session::SessionId;
    use kvota_domain::ticket::Rules;

    fn owner(number: u8) -> SessionOwner {
        SessionOwner::Anonymous(SessionId::from_bytes([number; 16]))
    }

    fn id(number: u64) -> MatchId {
        MatchId::new(number).unwrap()
    }

    fn with_favourites(ids: &[u64]) -> SessionState {
        let favourites = Favourites::of(ids.iter().map(|number| id(*number)));
        SessionState { favourites, ..SessionState::empty(&Rules::default()) }
    }

    #[test]
    fn sessions_are_subscribed_to_their_matches_until_they_drop_them() {
        let mut subscriptions = Subscriptions::default();
        subscriptions.subscribe(owner(1), &with_favourites(&[1, 2]));
        subscriptions.subscribe(owner(2), &with_favourites(&[2]));
        assert_eq!(subscriptions.subscribers(WakeReason::Left(id(1))), [owner(1)]);
        assert_eq!(subscriptions.subscribers(WakeReason::Left(id(2))).len(), 2);
        assert_eq!(
            subscriptions.subscribers(WakeReason::Changed(id(1))),
            [],
            "a price is of no concern to a favourite"
        );
        assert_eq!(subscriptions.subscribers(WakeReason::Feed).len(), 2);
        subscriptions.subscribe(owner(1), &with_favourites(&[2]));
        assert_eq!(subscriptions.subscribers(WakeReason::Left(id(1))), []);
        subscriptions.subscribe(owner(1), &with_favourites(&[]));
        subscriptions.unsubscribe(owner(2));
        assert!(subscriptions.is_empty(), "{subscriptions:?}");
    }
}
