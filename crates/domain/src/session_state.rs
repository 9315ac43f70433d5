//! The state of a session (ticket and favourites) and its rules (CONTRACT 3 and 4). The session actor decides each
//! command, applies the events, saves and publishes them. Events can be replayed on another state; so two nodes with
//! the same session converge.

use super::favourites::Favourites;
use super::ids::MatchId;
use super::ticket::{OfferView, Rules, Ticket, TicketCommand, TicketError, TicketEvent};
use super::ticket::{decide as decide_ticket, mark_favourite, match_deleted};

/// Ticket and favourites of a bettor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionState {
    /// The ticket that the bettor is composing.
    pub ticket: Ticket,
    /// The favourite matches.
    pub favourites: Favourites,
}

/// A command of the bettor to the session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SessionCommand {
    /// A command on the ticket.
    Ticket(TicketCommand),
    /// `favourite`: adds or removes a favourite.
    Favourite {
        /// The match.
        match_id: MatchId,
        /// True to add, false to remove.
        on: bool,
    },
}

/// A change of a session. Applying an event twice has the same effect as once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SessionEvent {
    /// A change of the ticket.
    Ticket(TicketEvent),
    /// A favourite was added or removed.
    FavouriteSet {
        /// The match.
        match_id: MatchId,
        /// True if added, false if removed.
        on: bool,
    },
    /// A login; holds the state of the anonymous session before it (CONTRACT 2).
    LoggedIn(Box<SessionState>),
    /// Too many events to list; holds only the resulting state.
    Became(Box<SessionState>),
}

impl SessionState {
    /// The state of a new session.
    pub fn empty(rules: &Rules) -> SessionState {
        SessionState { ticket: Ticket::empty(rules.limits.min_stake), favourites: Favourites::default() }
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &SessionEvent) {
        match event {
            SessionEvent::Ticket(event) => self.ticket.apply(event),
            SessionEvent::FavouriteSet { match_id, on: true } => {
                self.favourites.insert(*match_id);
            }
            SessionEvent::FavouriteSet { match_id, on: false } => {
                self.favourites.remove(*match_id);
            }
            SessionEvent::LoggedIn(anonymous) => {
                let saved = self.ticket.clone();
                self.ticket = Ticket::at_login(anonymous.ticket.clone(), Some(saved));
                self.favourites = Favourites::merged(std::mem::take(&mut self.favourites), &anonymous.favourites);
            }
            SessionEvent::Became(state) => self.clone_from(state),
        }
    }

    /// Applies events to a state that another node saved meanwhile. Pairs beyond the rules' limit are left out.
    pub fn replay<'a>(&mut self, events: impl IntoIterator<Item = &'a SessionEvent>, rules: &Rules) {
        for event in events {
            let is_one_too_many = match event {
                SessionEvent::Ticket(TicketEvent::PairAdded(pair) | TicketEvent::PairReplaced(pair)) => {
                    self.ticket.pair(pair.match_id).is_none() && self.ticket.pairs.len() >= rules.limits.max_pairs
                }
                _ => false,
            };
            if !is_one_too_many {
                self.apply(event);
            }
        }
    }

    /// The events of a command.
    ///
    /// # Errors
    /// [`TicketError`] if the command is rejected; the session stays unchanged.
    pub fn decide(
        &self,
        command: &SessionCommand,
        view: &impl OfferView,
        rules: &Rules,
        is_known: impl FnOnce(MatchId) -> bool,
    ) -> Result<Vec<SessionEvent>, TicketError> {
        match command {
            SessionCommand::Ticket(command) => {
                let events = decide_ticket(&self.ticket, command, view, rules)?;
                Ok(events.into_iter().map(SessionEvent::Ticket).collect())
            }
            SessionCommand::Favourite { match_id, on } => {
                let (match_id, on) = (*match_id, *on);
                let changed = mark_favourite(&mut self.favourites.clone(), match_id, on, is_known)?;
                Ok(changed.then_some(SessionEvent::FavouriteSet { match_id, on }).into_iter().collect())
            }
        }
    }

    /// The events when a match leaves the offer.
    pub fn match_left(&self, match_id: MatchId) -> Vec<SessionEvent> {
        let marked = self.favourites.contains(match_id);
        let of_ticket = match_deleted(&self.ticket, match_id).into_iter().map(SessionEvent::Ticket);
        let of_favourites = marked.then_some(SessionEvent::FavouriteSet { match_id, on: false });
        of_ticket.chain(of_favourites).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{MarketId, OddId, SportId};
    use crate::price::Price;
    use crate::ticket::{Pair, Snapshot};

    fn id(number: u64) -> MatchId {
        MatchId::new(number).unwrap()
    }

    fn pair(number: u64) -> Pair {
        Pair {
            match_id: id(number),
            market_id: MarketId::new(1).unwrap(),
            odd_id: OddId::new(number).unwrap(),
            picked: Price::from_thousandths(1500).unwrap(),
            is_fix: false,
            snapshot: Snapshot {
                sport_id: SportId::new(1).unwrap(),
                home: None,
                away: None,
                tournament: None,
                market_kind: 1,
                market_subtype: None,
                market_name: None,
                sbv: None,
                odd_kind: None,
                odd_name: None,
            },
        }
    }

    fn added(number: u64) -> SessionEvent {
        SessionEvent::Ticket(TicketEvent::PairAdded(pair(number)))
    }

    fn with(events: &[SessionEvent]) -> SessionState {
        let mut state = SessionState::empty(&Rules::default());
        events.iter().for_each(|event| state.apply(event));
        state
    }

    fn favourite(number: u64) -> SessionEvent {
        SessionEvent::FavouriteSet { match_id: id(number), on: true }
    }

    #[test]
    fn at_login_the_anonymous_ticket_with_pairs_wins_and_favourites_are_united() {
        let anonymous = with(&[added(1), favourite(7)]);
        let mut saved = with(&[added(2), favourite(8)]);
        saved.apply(&SessionEvent::LoggedIn(Box::new(anonymous.clone())));
        assert_eq!(saved.ticket, anonymous.ticket);
        assert_eq!(saved.favourites, Favourites::of([id(7), id(8)]));

        let mut saved = with(&[added(2)]);
        saved.apply(&SessionEvent::LoggedIn(Box::new(with(&[favourite(7)]))));
        assert_eq!(saved, with(&[added(2), favourite(7)]), "an empty one leaves the saved ticket alone");
    }

    #[test]
    fn events_are_replayed_on_the_state_saved_by_another_node() {
        let mine = [added(1), favourite(7)];
        let mut theirs = with(&[added(1), added(2), favourite(8)]);
        theirs.replay(&mine, &Rules::default());
        assert_eq!(theirs, with(&[added(1), added(2), favourite(7), favourite(8)]));
        let once = theirs.clone();
        theirs.replay(&mine, &Rules::default());
        assert_eq!(theirs, once, "done twice is done once");
    }

    #[test]
    fn two_nodes_cannot_exceed_the_pair_limit_together() {
        let thirty: Vec<SessionEvent> = (1..=30).map(added).collect();
        let mut theirs = with(&thirty);
        theirs.replay(&[added(31)], &Rules::default());
        assert_eq!(theirs, with(&thirty));
        theirs.replay(&[added(30), favourite(7)], &Rules::default());
        let mut wanted = thirty.clone();
        wanted.push(favourite(7));
        assert_eq!(theirs, with(&wanted), "what is on it can be chosen anew, and all else happens");
        let mut room = with(&thirty[..29]);
        room.replay(&[added(31)], &Rules::default());
        assert_eq!(room.ticket.pairs.len(), 30, "where there is room it is added");
    }

    #[test]
    fn removed_match_removes_its_pair_and_favourite() {
        let mut state = with(&[added(1), added(2), favourite(1), favourite(2)]);
        for event in state.match_left(id(1)) {
            state.apply(&event);
        }
        assert_eq!(state, with(&[added(2), favourite(2)]));
        assert_eq!(state.match_left(id(9)), []);
    }
}
