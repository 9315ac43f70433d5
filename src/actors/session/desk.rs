//! The sessions that live now, as the actors of their thread share them: who is where, which connections each has, what
//! it has to be woken for, of whom the store could not say who they are. It outlives each of them. Used by the
//! [`super::sessions::SessionsActor`], which finds and starts, and by each session, which leaves. Must never be shared
//! with another thread, nor borrowed across a wait.

use super::concern::{Concerns, Occasion};
use super::connections::Connections;
use super::session_actor::{Look, SessionActor};
use super::sessions::SessionParts;
use super::store_line::StoreLine;
use super::tap::Tap;
use super::telling::ticket_info;
use crate::actors::messages::events::Told;
use crate::domain::ids::MatchId;
use crate::domain::limits::SESSION_MAILBOX_MAX;
use crate::domain::session::SessionId;
use crate::domain::session_state::SessionState;
use crate::domain::ticket::Rules;
use crate::read_model::ReadModel;
use crate::store::{SavedSession, SessionOwner, StoreError};
use actix::{Addr, Context};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use tokio::sync::oneshot;

/// The connections of a session.
pub(super) type Taps = Rc<RefCell<Vec<Arc<Tap>>>>;

/// What a session has not looked at yet. At most one token for all of it waits in its mailbox.
#[derive(Debug, Default)]
pub(super) struct News {
    /// Connections that came in.
    pub(super) joined: Vec<Arc<Tap>>,
    /// A match of a pair changed.
    pub(super) changed: bool,
    /// Something can no longer be bet on, or can again: told at once.
    pub(super) urgent: bool,
    /// The feed stands otherwise.
    pub(super) feed: bool,
    /// Matches that left the offer, or move.
    pub(super) left: BTreeSet<MatchId>,
    is_token_sent: bool,
}

/// See [`Desk`].
pub(super) struct Entry {
    pub(super) address: Addr<SessionActor>,
    taps: Taps,
    news: Rc<RefCell<News>>,
}

/// All sessions that live.
pub(super) struct Desk {
    pub(super) parts: SessionParts,
    /// All connections, those without a session among them.
    pub(super) connections: Connections,
    entries: RefCell<HashMap<SessionOwner, Entry>>,
    concerns: RefCell<Concerns>,
    wakes: Cell<u64>,
    /// Whose session died and was not started again yet.
    bereaved: RefCell<HashSet<SessionOwner>>,
    /// Cookies of which the store could not say who is logged in.
    uncertain: RefCell<HashSet<SessionId>>,
    is_store_failing: Cell<bool>,
}

/// How many of what, for metrics and tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, actix::MessageResponse)]
pub struct SessionsObserved {
    /// Sessions that live.
    pub live: usize,
    /// Sessions that hold a match.
    pub holding: usize,
    /// Times a session was woken because something concerned it.
    pub wakes: u64,
}

impl Desk {
    pub(super) fn new(parts: SessionParts) -> Desk {
        Desk {
            parts,
            connections: Connections::default(),
            entries: RefCell::default(),
            concerns: RefCell::default(),
            wakes: Cell::new(0),
            bereaved: RefCell::default(),
            uncertain: RefCell::default(),
            is_store_failing: Cell::new(false),
        }
    }

    pub(super) fn store(&self) -> StoreLine {
        StoreLine(Arc::clone(&self.parts.sessions))
    }

    pub(super) fn observed(&self) -> SessionsObserved {
        let (live, holding) = (self.entries.borrow().len(), self.concerns.borrow().len());
        SessionsObserved { live, holding, wakes: self.wakes.get() }
    }

    /// The session of an owner, started with all of its connections where it does not live.
    pub(super) fn find_or_start(self: &Rc<Self>, owner: SessionOwner) -> Addr<SessionActor> {
        self.find(owner).unwrap_or_else(|| self.start(owner, None))
    }

    fn find(&self, owner: SessionOwner) -> Option<Addr<SessionActor>> {
        self.entries.borrow().get(&owner).map(|entry| entry.address.clone())
    }

    /// `saved` is what the store has, where it was just asked.
    fn start(self: &Rc<Self>, owner: SessionOwner, saved: Option<SavedSession>) -> Addr<SessionActor> {
        let (taps, news): (Taps, Rc<RefCell<News>>) = Default::default();
        let (asked_to_stop, ended) = oneshot::channel();
        let mut actor =
            SessionActor::new(Rc::clone(self), owner, Rc::clone(&taps), Rc::clone(&news), asked_to_stop, saved);
        actor.is_successor = self.bereaved.borrow_mut().remove(&owner);
        // Before it begins: a connection may say all it has in the moment it is let in.
        let address = actix::Actor::create(|ctx: &mut Context<SessionActor>| {
            ctx.set_mailbox_capacity(SESSION_MAILBOX_MAX);
            actor
        });
        let entry = Entry { address: address.clone(), taps, news };
        self.entries.borrow_mut().insert(owner, entry);
        self.count();
        let (desk, watched) = (Rc::clone(self), address.clone());
        #[expect(clippy::disallowed_methods, reason = "ends with the session it watches")]
        actix::spawn(async move {
            if ended.await.is_err() {
                desk.died(owner, &watched);
            }
        });
        // Some may have come in while nothing was kept.
        self.connections.of_owner(owner).into_iter().for_each(|tap| self.put(owner, tap));
        address
    }

    /// A connection comes in: brings it to its session. Nothing where nothing is kept of an anonymous owner, who has no
    /// session before the first command: handshakes alone must not fill this thread with actors.
    pub(super) async fn arrive(
        self: &Rc<Self>,
        owner: SessionOwner,
        tap: Arc<Tap>,
        is_certain: bool,
    ) -> Option<Addr<SessionActor>> {
        let has_died = self.bereaved.borrow().contains(&owner);
        let SessionOwner::Anonymous(_) = owner else { return Some(self.join(owner, None, tap)) };
        if !is_certain || has_died || self.find(owner).is_some() {
            return Some(self.join(owner, None, tap));
        }
        match self.store().load(owner).await {
            // Another connection may have started it meanwhile.
            Ok(None) if self.find(owner).is_none() => {
                show_nothing_kept(&tap, &self.parts.model, &self.parts.rules.anonymous());
                None
            }
            Ok(saved) => Some(self.join(owner, saved, tap)),
            // What is kept is not known: the session asks again until it is.
            Err(_) => Some(self.join(owner, None, tap)),
        }
    }

    /// Brings a connection to its session, which is started where it does not live.
    fn join(self: &Rc<Self>, owner: SessionOwner, saved: Option<SavedSession>, tap: Arc<Tap>) -> Addr<SessionActor> {
        let address = self.find(owner).unwrap_or_else(|| self.start(owner, saved));
        self.put(owner, tap);
        address
    }

    /// Puts a connection to a session that lives, once.
    fn put(&self, owner: SessionOwner, tap: Arc<Tap>) {
        let entries = self.entries.borrow();
        let Some(entry) = entries.get(&owner).filter(|_| tap.join()) else { return };
        let mut taps = entry.taps.borrow_mut();
        // As often as the list would grow: reconnects between two sweeps of the session do not pile up.
        if taps.len() == taps.capacity() {
            taps.retain(|tap| !tap.is_gone());
        }
        taps.push(Arc::clone(&tap));
        drop(taps);
        entry.wake(|news| news.joined.push(tap));
    }

    /// Wakes the sessions that events concern.
    pub(super) fn tell(&self, told: &Told) {
        for event in told.0.iter() {
            if let Some(occasion) = Occasion::of(event) {
                self.wake(occasion, event.urgent);
            }
        }
    }

    /// Wakes the sessions that something concerns.
    pub(super) fn wake(&self, occasion: Occasion, urgent: bool) {
        let entries = self.entries.borrow();
        for owner in self.concerns.borrow().concerned(occasion) {
            let Some(entry) = entries.get(&owner) else { continue };
            self.wakes.set(self.wakes.get() + 1);
            metrics::counter!("kvota_session_wakes_total").increment(1);
            entry.wake(|news| {
                news.urgent |= urgent;
                match occasion {
                    Occasion::Changed(_) => news.changed = true,
                    Occasion::Feed => news.feed = true,
                    Occasion::Left(id) => {
                        news.left.insert(id);
                    }
                }
            });
        }
    }

    /// Notes what a session holds now.
    pub(super) fn hold(&self, owner: SessionOwner, state: &SessionState) {
        self.concerns.borrow_mut().hold(owner, state);
    }

    /// A session leaves: it is saved, and nobody is connected to it.
    pub(super) fn leave(&self, owner: SessionOwner) {
        self.entries.borrow_mut().remove(&owner);
        self.concerns.borrow_mut().let_go(owner);
        self.count();
    }

    /// Has the connections ended that came with a session's cookie.
    pub(super) fn end(&self, session: SessionId) {
        self.connections.of_cookie(session).iter().for_each(|tap| tap.end());
    }

    /// Notes that the store could not say who is logged in under a connection's cookie.
    pub(super) fn note_uncertain(&self, session: SessionId) {
        self.uncertain.borrow_mut().insert(session);
    }

    /// The store could say it now.
    pub(super) fn note_certain(&self, session: SessionId) {
        self.uncertain.borrow_mut().remove(&session);
    }

    /// The cookies of which it still has to be asked, as far as anybody is connected with them.
    pub(super) fn uncertain(&self) -> Vec<SessionId> {
        let mut uncertain = self.uncertain.borrow_mut();
        uncertain.retain(|session| self.connections.has_owner(SessionOwner::Anonymous(*session)));
        uncertain.iter().copied().collect()
    }

    /// What came of speaking to the store, told to people once an outage and not once a session.
    pub(super) fn note_store(&self, failure: Option<&StoreError>) {
        match (failure, self.is_store_failing.replace(failure.is_some())) {
            (Some(error), false) => {
                tracing::error!(%error, "tickets cannot be saved and are kept in memory until they can");
            }
            (None, true) => tracing::info!("tickets can be saved again"),
            _ => {}
        }
    }

    /// A session died. What was saved is safe: its bettor's pages connect again and find it.
    fn died(&self, owner: SessionOwner, address: &Addr<SessionActor>) {
        let is_held = self.entries.borrow().get(&owner).is_some_and(|entry| entry.address == *address);
        if !is_held {
            return;
        }
        metrics::counter!("kvota_actor_restarts_total", "actor" => "session").increment(1);
        tracing::error!("a session died; its connections are ended and start it again");
        self.bereaved.borrow_mut().insert(owner);
        if let Some(entry) = self.entries.borrow_mut().remove(&owner) {
            entry.taps.borrow().iter().for_each(|tap| tap.end());
        }
        self.concerns.borrow_mut().let_go(owner);
        self.count();
    }

    fn count(&self) {
        metrics::gauge!("kvota_sessions").set(self.entries.borrow().len() as f64);
    }
}

impl Entry {
    /// Notes something and sees to it that the session looks.
    fn wake(&self, note: impl FnOnce(&mut News)) {
        let mut news = self.news.borrow_mut();
        note(&mut news);
        // Where the mailbox is full, what is in it makes the session look too.
        news.is_token_sent = news.is_token_sent || self.address.try_send(Look).is_ok();
    }
}

/// Shows a connection that nothing is kept: an empty ticket and no favourites.
pub(super) fn show_nothing_kept(tap: &Tap, model: &ReadModel, rules: &Rules) {
    let nothing = SessionState::empty(rules);
    tap.tell_ticket(Arc::new(ticket_info(&nothing.ticket, model, rules, tap.lang())));
    tap.tell_favourites(Arc::default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::limits::COMMANDS_PER_SECOND_MAX;
    use crate::store::Stores;

    #[actix::test]
    async fn a_session_that_has_not_begun_yet_takes_all_that_a_connection_may_say_at_once() {
        let stores = Stores::in_memory();
        let desk = Rc::new(Desk::new(SessionParts {
            model: Arc::default(),
            bus: Default::default(),
            sessions: Arc::clone(&stores.sessions),
            accounts: Arc::clone(&stores.accounts),
            rules: Rules::default(),
            now_ms: || 0,
        }));
        let address = desk.find_or_start(SessionOwner::Anonymous(SessionId::from_bytes([1; 16])));
        let taken = (0..COMMANDS_PER_SECOND_MAX).filter(|_| address.try_send(Look).is_ok()).count();
        assert_eq!(taken, COMMANDS_PER_SECOND_MAX as usize);
    }
}
