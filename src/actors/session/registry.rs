//! The session registry: the live sessions of one thread, the connections and pending events of each, which matches
//! they are subscribed to, and which cookies the store could not identify. It outlives the session actors.
//!
//! Used by the [`super::sessions::SessionsActor`] and by the session actors. Must not be shared with another thread,
//! and no `RefCell` borrow may be held across an `await`.

use super::connections::Connections;
use super::inbox::SessionInbox;
use super::session_actor::{SessionActor, WakeUp};
use super::sessions::SessionDependencies;
use super::store_line::TimedStore;
use super::subscriptions::{Subscriptions, WakeReason};
use super::ticket_info::ticket_info;
use crate::actors::limits::{RELOAD_EVERY_MS, RELOADED_AT_ONCE_MAX, SESSION_MAILBOX_MAX};
use crate::actors::messages::events::EventBatch;
use actix::{Addr, Context};
use kvota_domain::ids::MatchId;
use kvota_domain::session::SessionId;
use kvota_domain::session_state::SessionState;
use kvota_domain::ticket::Rules;
use kvota_read_model::ReadModel;
use kvota_store::nodes::{Change, SessionKey};
use kvota_store::{SavedSession, SessionOwner, StoreError};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// The connections of a session.
pub(super) type Inboxes = Rc<RefCell<Vec<Arc<SessionInbox>>>>;

/// The pending events of a session: what it has not handled yet. At most one [`WakeUp`] for all of it waits in its
/// mailbox.
#[derive(Debug, Default)]
pub(super) struct News {
    /// Connections that have joined.
    pub(super) joined: Vec<Arc<SessionInbox>>,
    /// A match on the ticket changed.
    pub(super) changed: bool,
    /// One of the changes was urgent, such as a bet stop: send the ticket at once.
    pub(super) urgent: bool,
    /// The state of the feed changed, or events were lost: check everything.
    pub(super) feed: bool,
    /// Matches that left the offer, or are moving to another sport.
    pub(super) left: BTreeSet<MatchId>,
    /// Another node saved the session.
    pub(super) is_saved_elsewhere: bool,
    is_wake_up_sent: bool,
}

/// A live session in the registry.
pub(super) struct Entry {
    pub(super) address: Addr<SessionActor>,
    inboxes: Inboxes,
    news: Rc<RefCell<News>>,
}

/// The session registry. See the head of this file.
pub(super) struct SessionRegistry {
    pub(super) parts: SessionDependencies,
    /// All connections, also those without a session.
    pub(super) connections: Connections,
    entries: RefCell<HashMap<SessionOwner, Entry>>,
    /// The owners of the live sessions, by the names that other nodes use.
    keys: RefCell<HashMap<SessionKey, SessionOwner>>,
    subscriptions: RefCell<Subscriptions>,
    wakes: Cell<u64>,
    /// Owners of sessions that panicked and were not started again yet.
    panicked: RefCell<HashSet<SessionOwner>>,
    /// Cookies for which the store could not say who is signed in.
    unidentified: RefCell<HashSet<SessionId>>,
    is_store_failing: Cell<bool>,
}

/// Counters for metrics and tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, actix::MessageResponse)]
pub struct SessionsObserved {
    /// Live sessions.
    pub live: usize,
    /// Sessions with a match on the ticket or among the favourites.
    pub with_matches: usize,
    /// How many times a session was woken by an event.
    pub wakes: u64,
}

impl SessionRegistry {
    pub(super) fn new(parts: SessionDependencies) -> SessionRegistry {
        SessionRegistry {
            parts,
            connections: Connections::default(),
            entries: RefCell::default(),
            keys: RefCell::default(),
            subscriptions: RefCell::default(),
            wakes: Cell::new(0),
            panicked: RefCell::default(),
            unidentified: RefCell::default(),
            is_store_failing: Cell::new(false),
        }
    }

    pub(super) fn store(&self) -> TimedStore {
        TimedStore(Arc::clone(&self.parts.sessions))
    }

    pub(super) fn observed(&self) -> SessionsObserved {
        let (live, with_matches) = (self.entries.borrow().len(), self.subscriptions.borrow().len());
        SessionsObserved { live, with_matches, wakes: self.wakes.get() }
    }

    /// The session of an owner. Starts it, with all connections of the owner, if it is not live.
    pub(super) fn find_or_start(self: &Rc<Self>, owner: SessionOwner) -> Addr<SessionActor> {
        self.find(owner).unwrap_or_else(|| self.start(owner, None))
    }

    fn find(&self, owner: SessionOwner) -> Option<Addr<SessionActor>> {
        self.entries.borrow().get(&owner).map(|entry| entry.address.clone())
    }

    /// `saved` is the stored state, if it has just been loaded.
    fn start(self: &Rc<Self>, owner: SessionOwner, saved: Option<SavedSession>) -> Addr<SessionActor> {
        let (inboxes, news): (Inboxes, Rc<RefCell<News>>) = Default::default();
        let (asked_to_stop, ended) = oneshot::channel();
        let mut actor =
            SessionActor::new(Rc::clone(self), owner, Rc::clone(&inboxes), Rc::clone(&news), asked_to_stop, saved);
        actor.replaces_panicked = self.panicked.borrow_mut().remove(&owner);
        // Set before the actor runs: a new connection may send `COMMANDS_PER_SECOND_MAX` commands at once.
        let address = actix::Actor::create(|ctx: &mut Context<SessionActor>| {
            ctx.set_mailbox_capacity(SESSION_MAILBOX_MAX);
            actor
        });
        let entry = Entry { address: address.clone(), inboxes, news };
        self.entries.borrow_mut().insert(owner, entry);
        self.keys.borrow_mut().insert(SessionKey::of_owner(owner), owner);
        self.count();
        let (registry, watched) = (Rc::clone(self), address.clone());
        #[expect(clippy::disallowed_methods, reason = "ends with the session it watches")]
        actix::spawn(async move {
            if ended.await.is_err() {
                registry.died(owner, &watched);
            }
        });
        // Connections that joined before there was a session.
        self.connections.of_owner(owner).into_iter().for_each(|inbox| self.put(owner, inbox));
        address
    }

    /// Connects `inbox` to its session. `None` for an anonymous owner without saved data: such a session starts with
    /// the first command, so that handshakes alone cannot fill this thread with actors.
    pub(super) async fn arrive(
        self: &Rc<Self>,
        owner: SessionOwner,
        inbox: Arc<SessionInbox>,
        is_certain: bool,
    ) -> Option<Addr<SessionActor>> {
        let has_died = self.panicked.borrow().contains(&owner);
        let SessionOwner::Anonymous(_) = owner else { return Some(self.join(owner, None, inbox)) };
        if !is_certain || has_died || self.find(owner).is_some() {
            return Some(self.join(owner, None, inbox));
        }
        match self.store().load(owner).await {
            // Checked again: another connection may have started the session during the load.
            Ok(None) if self.find(owner).is_none() => {
                send_empty_session(&inbox, &self.parts.model, &self.parts.rules.anonymous());
                None
            }
            Ok(saved) => Some(self.join(owner, saved, inbox)),
            // The load failed: the session retries it.
            Err(_) => Some(self.join(owner, None, inbox)),
        }
    }

    /// Adds a connection to its session, which is started if it is not live.
    fn join(
        self: &Rc<Self>,
        owner: SessionOwner,
        saved: Option<SavedSession>,
        inbox: Arc<SessionInbox>,
    ) -> Addr<SessionActor> {
        let address = self.find(owner).unwrap_or_else(|| self.start(owner, saved));
        self.put(owner, inbox);
        address
    }

    /// Adds a connection to a live session, once only.
    fn put(&self, owner: SessionOwner, inbox: Arc<SessionInbox>) {
        let entries = self.entries.borrow();
        let Some(entry) = entries.get(&owner).filter(|_| inbox.join()) else { return };
        let mut inboxes = entry.inboxes.borrow_mut();
        // Drops closed connections before the list grows, so that reconnects between two sweeps do not pile up.
        if inboxes.len() == inboxes.capacity() {
            inboxes.retain(|inbox| !inbox.is_gone());
        }
        inboxes.push(Arc::clone(&inbox));
        drop(inboxes);
        entry.wake(|news| news.joined.push(inbox));
    }

    /// Wakes the sessions that are subscribed to these events.
    pub(super) fn deliver(&self, batch: &EventBatch) {
        for event in batch.0.iter() {
            if let Some(reason) = WakeReason::of(event) {
                self.wake(reason, event.is_urgent());
            }
        }
    }

    /// Wakes the sessions that are subscribed to one event.
    pub(super) fn wake(&self, reason: WakeReason, urgent: bool) {
        let entries = self.entries.borrow();
        for owner in self.subscriptions.borrow().subscribers(reason) {
            let Some(entry) = entries.get(&owner) else { continue };
            self.wakes.set(self.wakes.get() + 1);
            metrics::counter!("kvota_session_wakes_total").increment(1);
            entry.wake(|news| {
                news.urgent |= urgent;
                match reason {
                    WakeReason::Changed(_) => news.changed = true,
                    WakeReason::Feed => news.feed = true,
                    WakeReason::Left(id) => {
                        news.left.insert(id);
                    }
                }
            });
        }
    }

    /// Updates the subscriptions of a session.
    pub(super) fn subscribe(&self, owner: SessionOwner, state: &SessionState) {
        self.subscriptions.borrow_mut().subscribe(owner, state);
    }

    /// Removes a session that stops.
    pub(super) fn leave(&self, owner: SessionOwner) {
        self.entries.borrow_mut().remove(&owner);
        self.keys.borrow_mut().remove(&SessionKey::of_owner(owner));
        self.subscriptions.borrow_mut().unsubscribe(owner);
        self.count();
    }

    /// Closes the connections of a cookie on all nodes.
    pub(super) fn end(&self, cookie: SessionKey) {
        self.connections.end(&cookie);
        self.parts.nodes.send(Change::CookieEnded(cookie));
    }

    /// Another node saved a session: a live one loads it, and one with connections is started.
    pub(super) fn saved_elsewhere(self: &Rc<Self>, key: &SessionKey) {
        let live = self.keys.borrow().get(key).copied();
        match live.and_then(|owner| self.entries.borrow().get(&owner).map(Entry::note_saved_elsewhere)) {
            Some(()) => {}
            None => {
                if let Some(owner) = self.connections.owner(key) {
                    self.start(owner, None);
                }
            }
        }
    }

    /// Notices of other nodes may have been lost: every live session loads again, and open bets are read again. Some
    /// sessions at a time, because all of them together would keep the store busy for seconds.
    pub(super) async fn notices_missed(self: Rc<Self>) {
        let owners: Vec<SessionOwner> = self.entries.borrow().keys().copied().collect();
        for (number, some) in owners.chunks(RELOADED_AT_ONCE_MAX).enumerate() {
            if number > 0 {
                tokio::time::sleep(Duration::from_millis(RELOAD_EVERY_MS)).await;
            }
            for owner in some {
                if let Some(entry) = self.entries.borrow().get(owner) {
                    entry.note_saved_elsewhere();
                }
                self.connections.of_owner(*owner).iter().for_each(|inbox| inbox.read_bets_again());
            }
        }
    }

    /// The store could not say who is signed in with this cookie.
    pub(super) fn mark_unidentified(&self, session: SessionId) {
        self.unidentified.borrow_mut().insert(session);
    }

    /// The store has now identified this cookie.
    pub(super) fn mark_identified(&self, session: SessionId) {
        self.unidentified.borrow_mut().remove(&session);
    }

    /// The cookies to be checked again; those without a connection are dropped.
    pub(super) fn unidentified(&self) -> Vec<SessionId> {
        let mut unidentified = self.unidentified.borrow_mut();
        unidentified.retain(|session| self.connections.has_owner(SessionOwner::Anonymous(*session)));
        unidentified.iter().copied().collect()
    }

    /// Logs a store outage once, not once per session.
    pub(super) fn log_store_health(&self, failure: Option<&StoreError>) {
        match (failure, self.is_store_failing.replace(failure.is_some())) {
            (Some(error), false) => {
                tracing::error!(%error, "tickets cannot be saved and are kept in memory until they can");
            }
            (None, true) => tracing::info!("tickets can be saved again"),
            _ => {}
        }
    }

    /// A session panicked. What was saved is safe: its connections are closed, and the clients reconnect.
    fn died(&self, owner: SessionOwner, address: &Addr<SessionActor>) {
        let is_held = self.entries.borrow().get(&owner).is_some_and(|entry| entry.address == *address);
        if !is_held {
            return;
        }
        let id = match owner {
            SessionOwner::Account(account) => account.to_string(),
            // The id of an anonymous session is a credential.
            SessionOwner::Anonymous(session) => session.public_name(),
        };
        crate::panics::died("session", id, None, "its connections are ended and start it again");
        self.panicked.borrow_mut().insert(owner);
        self.keys.borrow_mut().remove(&SessionKey::of_owner(owner));
        if let Some(entry) = self.entries.borrow_mut().remove(&owner) {
            entry.inboxes.borrow().iter().for_each(|inbox| inbox.end());
        }
        self.subscriptions.borrow_mut().unsubscribe(owner);
        self.count();
    }

    fn count(&self) {
        metrics::gauge!("kvota_sessions").set(self.entries.borrow().len() as f64);
    }
}

impl Entry {
    fn note_saved_elsewhere(&self) {
        self.wake(|news| news.is_saved_elsewhere = true);
    }

    /// Adds pending events and wakes the session, unless a wake-up is already on its way.
    fn wake(&self, note: impl FnOnce(&mut News)) {
        let mut news = self.news.borrow_mut();
        note(&mut news);
        // A full mailbox needs no wake-up: every request in it makes the session handle its pending events.
        news.is_wake_up_sent = news.is_wake_up_sent || self.address.try_send(WakeUp).is_ok();
    }
}

/// Sends an empty ticket and no favourites.
pub(super) fn send_empty_session(inbox: &SessionInbox, model: &ReadModel, rules: &Rules) {
    let nothing = SessionState::empty(rules);
    inbox.send_ticket(Arc::new(ticket_info(&nothing.ticket, model, rules, inbox.lang())));
    inbox.send_favourites(Arc::default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::limits::COMMANDS_PER_SECOND_MAX;
    use kvota_store::Stores;

    #[actix::test]
    async fn unstarted_session_accepts_one_second_of_commands() {
        let stores = Stores::in_memory();
        let registry = Rc::new(SessionRegistry::new(SessionDependencies {
            model: Arc::default(),
            bus: Default::default(),
            fail_points: Default::default(),
            sessions: Arc::clone(&stores.sessions),
            accounts: Arc::clone(&stores.accounts),
            protection: Arc::clone(&stores.protection),
            shared_limits: Arc::clone(&stores.shared_limits),
            nodes: Default::default(),
            rules: Rules::default(),
            now_ms: || 0,
        }));
        let address = registry.find_or_start(SessionOwner::Anonymous(SessionId::from_bytes([1; 16])));
        let accepted = (0..COMMANDS_PER_SECOND_MAX).filter(|_| address.try_send(WakeUp).is_ok()).count();
        assert_eq!(accepted, COMMANDS_PER_SECOND_MAX as usize);
    }
}
