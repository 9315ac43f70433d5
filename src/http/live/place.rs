//! The place of a connection between the rooms of its thread and its session: what it watches, which follows the
//! session's favourites, and what the session has to tell it. Used by the hub, from the actor that listens and from the
//! body that is written; it must never wait, nor know how bytes become frames of a socket.

use crate::actors::publisher::outbox::{CLOSE_RESTART, Outbox};
use crate::actors::publisher::publisher_actor::LocalRooms;
use crate::actors::session::session_actor::Said;
use crate::actors::session::sessions::Line;
use crate::actors::session::tap::{Answer, Tap, Told};
use crate::domain::ids::{MatchId, SportId};
use crate::domain::session_state::SessionCommand;
use crate::domain::ticket::TicketError;
use crate::http::texts;
use crate::read_model::ReadModel;
use crate::wire::hub::command::{Sports, Watch};
use crate::wire::hub::frame::frame_of;
use crate::wire::hub::message::{FeedState, Message};
use bytes::Bytes;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::task::Waker;

/// Matches that `resync null` tells one by one; beyond this the client is sent to `GET live/offer`.
const RESYNC_MATCHES_MAX: usize = 400;

/// One connection.
pub(super) struct Place {
    outbox: Rc<Outbox>,
    rooms: LocalRooms,
    model: Arc<ReadModel>,
    tap: Arc<Tap>,
    line: Line,
    seat: Option<usize>,
    watch: Watch,
    favourites: Arc<[MatchId]>,
    /// What is to be watched once the favourites are known that were asked for before it.
    asked: VecDeque<(u64, Watch)>,
    /// New favourites, to be told whole once their frame is written.
    fresh: Vec<MatchId>,
}

impl Place {
    pub(super) fn new(
        outbox: Rc<Outbox>,
        rooms: LocalRooms,
        model: Arc<ReadModel>,
        tap: Arc<Tap>,
        line: Line,
    ) -> Place {
        let watch = Watch { sports: Sports::Of(Vec::new()), favourites: false, matches: Vec::new() };
        let favourites = Arc::default();
        Place {
            outbox,
            rooms,
            model,
            tap,
            line,
            seat: None,
            watch,
            favourites,
            asked: VecDeque::new(),
            fresh: Vec::new(),
        }
    }

    /// The connection came in.
    pub(super) fn enter(&self) {
        self.rooms.borrow_mut().enter(Rc::clone(&self.outbox));
    }

    /// The connection is gone.
    pub(super) fn leave(&mut self) {
        self.rooms.borrow_mut().leave(&self.outbox, self.seat.take());
        self.tap.hang_up();
    }

    /// Watches this, and says so. Favourites may be on their way to the session still, so that it is asked first.
    pub(super) fn watch(&mut self, n: u64, watch: Watch) {
        if !watch.favourites && self.asked.is_empty() {
            return self.sit_down(n, watch);
        }
        self.asked.push_back((n, watch));
        self.say(Said::Mark);
    }

    /// Brings a command to the session, which answers it.
    pub(super) fn command(&self, n: u64, command: SessionCommand) {
        self.say(Said::Command { n, command });
    }

    fn say(&self, said: Said) {
        if self.line.say(said).is_err() {
            self.outbox.close(CLOSE_RESTART);
        }
    }

    fn sit_down(&mut self, n: u64, watch: Watch) {
        self.watch = watch;
        self.change_seat();
        self.outbox.reply(&[Message::Ack { n }]);
    }

    fn change_seat(&mut self) {
        self.seat = Some(self.rooms.borrow_mut().watch(&self.outbox, self.seat, &self.watch, &self.favourites));
    }

    /// What the session has to tell, as a frame; nothing: `waker` is woken when there is something. An answer stands
    /// behind what it is about.
    pub(super) fn poll(&mut self, waker: &Waker) -> Option<Bytes> {
        for id in std::mem::take(&mut self.fresh) {
            self.resync(id);
        }
        // After the close frame nothing is sent.
        while !self.outbox.is_ending() {
            let Told { ticket, favourites, answers, is_over } = self.tap.take(waker)?;
            let mut messages: Vec<Message> = ticket.into_iter().map(Message::Ticket).collect();
            if let Some(favourites) = favourites {
                messages.push(Message::Favourites(Arc::clone(&favourites)));
                self.follow(favourites);
            }
            messages.extend(answers.into_iter().filter_map(|answer| self.answer(answer)));
            if is_over {
                self.outbox.close(CLOSE_RESTART);
            }
            if !messages.is_empty() {
                return Some(frame_of(&messages, self.outbox.lang(), self.outbox.spelling()));
            }
        }
        None
    }

    /// The favourites are these now; rows of those that are new are told whole where they are watched.
    fn follow(&mut self, favourites: Arc<[MatchId]>) {
        let before = std::mem::replace(&mut self.favourites, favourites);
        if !self.watch.favourites {
            return;
        }
        self.change_seat();
        let fresh = self.favourites.iter().filter(|id| before.binary_search(id).is_err());
        self.fresh.extend(fresh);
    }

    fn answer(&mut self, answer: Answer) -> Option<Message> {
        match answer {
            Answer::Command { n, outcome: Ok(()) } => Some(Message::Ack { n }),
            Answer::Command { n, outcome: Err(error) } => {
                let code = error.code();
                metrics::counter!("kvota_commands_refused_total", "code" => code).increment(1);
                let text = texts::text(self.outbox.lang(), key_of(error), &[]).into();
                Some(Message::Refused { n: Some(n), code, text })
            }
            Answer::Mark => {
                let (n, watch) = self.asked.pop_front()?;
                self.sit_down(n, watch);
                None
            }
        }
    }

    /// The full state of a match.
    pub(super) fn resync(&self, id: MatchId) {
        self.outbox.tell_match(id, self.watch.matches.contains(&id));
    }

    /// The full state of all that is watched; where that is much, the whole offer is cheaper by HTTP.
    pub(super) fn resync_all(&self) {
        let feed = self.model.feed_state(self.outbox.lang());
        self.outbox.reply(&[Message::Feed(feed)]);
        if feed == FeedState::Inactive {
            return;
        }
        let is_watched = |id: SportId| match &self.watch.sports {
            Sports::All => true,
            Sports::Of(watched) => watched.binary_search(&id).is_ok(),
        };
        let favourites = if self.watch.favourites { &self.favourites[..] } else { &[] };
        let mut rows: BTreeMap<SportId, Vec<MatchId>> = BTreeMap::new();
        for entry in self.model.entries() {
            let live_match = &entry.state.live_match;
            if is_watched(live_match.sport_id) {
                rows.entry(live_match.sport_id).or_default().push(live_match.id);
            }
        }
        let count = rows.values().map(Vec::len).sum::<usize>() + favourites.len();
        if count > RESYNC_MATCHES_MAX || self.outbox.is_merging() {
            return self.outbox.reply(&[Message::Reload]);
        }
        let known = self.rooms.borrow().sports_ever_seen();
        for id in known.into_iter().filter(|id| is_watched(*id) && self.model.sport(*id).is_none()) {
            self.outbox.reply(&[Message::SportRemoved(id)]);
        }
        let mut sports = self.model.sports();
        sports.retain(|sport| is_watched(sport.primary().id));
        // In an order of their own, so that whoever asks twice is told the same.
        sports.sort_unstable_by_key(|sport| (sport.primary().order, sport.primary().id));
        for sport in sports {
            let mut matches = rows.remove(&sport.primary().id).unwrap_or_default();
            matches.sort_unstable();
            self.outbox.reply(&[Message::WholeSport(sport, matches.clone())]);
            matches.into_iter().for_each(|id| self.outbox.tell_match(id, false));
        }
        favourites.iter().for_each(|id| self.outbox.tell_match(*id, false));
        self.watch.matches.iter().for_each(|id| self.outbox.tell_match(*id, true));
    }
}

/// A connection that never came about is gone too.
impl Drop for Place {
    fn drop(&mut self) {
        self.tap.hang_up();
    }
}

/// The text of a refused command.
fn key_of(error: TicketError) -> &'static str {
    match error {
        TicketError::UnknownMatch => "commandUnknownMatch",
        TicketError::UnknownMarket => "commandUnknownMarket",
        TicketError::UnknownOdd => "commandUnknownOdd",
        TicketError::NotOffered => "commandNotOffered",
        TicketError::TooManyPairs => "commandTooManyPairs",
        TicketError::NotOnTicket => "commandNotOnTicket",
        TicketError::NoSuchCombination => "commandNoSuchCombination",
        TicketError::TooManyFavourites => "commandTooManyFavourites",
        TicketError::WrongArguments => "commandWrongArguments",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::lang::Lang;

    #[test]
    fn every_refused_command_has_a_text_in_every_language() {
        for error in TicketError::ALL {
            for lang in Lang::ALL {
                assert_ne!(texts::text(lang, key_of(error), &[]), key_of(error), "{lang:?}");
            }
        }
    }
}
