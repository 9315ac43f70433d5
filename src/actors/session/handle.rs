//! The session handle: how one connection sends commands to its session.
//!
//! An anonymous bettor without saved data has no session actor yet. The first command goes to the SessionsActor as a
//! [`Relay`], which starts the session and forwards the command. Later commands go to the session directly, but only
//! when no relayed command of this connection is still on its way: so commands keep their order.

use super::connections::Connected;
use super::inbox::{Answer, SessionInbox};
use super::session_actor::{RequestKind, SessionActor, SessionRequest};
use super::sessions::{Finder, Unreachable};
use actix::Addr;
use kvota_store::SessionOwner;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The session handle of one connection.
#[derive(Debug)]
pub struct SessionHandle {
    inbox: Arc<SessionInbox>,
    owner: SessionOwner,
    finder: Finder,
    route: Arc<Route>,
    /// `None` once the connection is closed.
    connected: Option<Connected>,
}

/// The route of the commands, shared by the connection and its relayed commands.
#[derive(Debug, Default)]
pub(super) struct Route(Mutex<RouteState>);

#[derive(Debug, Default)]
struct RouteState {
    /// The session, once it has been started.
    session: Option<Addr<SessionActor>>,
    /// Relayed commands that the SessionsActor has not forwarded yet.
    relayed_commands: usize,
}

/// A command that the SessionsActor forwards. Dropped unforwarded, for example because that actor panicked, it closes
/// its connection, so that the client reconnects instead of waiting for an acknowledgement.
#[derive(actix::Message)]
#[rtype(result = "()")]
pub(super) struct Relay {
    /// The owner of the session.
    pub(super) owner: SessionOwner,
    request: Option<SessionRequest>,
    inbox: Arc<SessionInbox>,
    route: Arc<Route>,
}

impl SessionHandle {
    pub(super) fn new(
        inbox: Arc<SessionInbox>,
        owner: SessionOwner,
        finder: Finder,
        session: Option<Addr<SessionActor>>,
        connected: Connected,
    ) -> SessionHandle {
        let route = Arc::new(Route(Mutex::new(RouteState { session, relayed_commands: 0 })));
        SessionHandle { inbox, owner, finder, route, connected: Some(connected) }
    }

    /// Sends a request to the session. Requests arrive in the order of the calls.
    ///
    /// # Errors
    /// [`Unreachable`] if the session is gone or its mailbox is full. The caller must close the connection; the client
    /// reconnects.
    pub fn send(&self, kind: RequestKind) -> Result<(), Unreachable> {
        let inbox = Arc::clone(&self.inbox);
        let mut route = self.route.lock();
        let direct = route.session.clone().filter(|_| route.relayed_commands == 0);
        if let Some(session) = direct {
            drop(route);
            return session.try_send(SessionRequest { inbox, kind }).map_err(|_| Unreachable);
        }
        let is_idle = route.relayed_commands == 0 && !inbox.has_session();
        if kind == RequestKind::Mark && is_idle {
            // Without a session there is no earlier request to wait for.
            drop(route);
            inbox.answer(Answer::Mark);
            return Ok(());
        }
        route.relayed_commands += 1;
        drop(route);
        let request = Some(SessionRequest { inbox: Arc::clone(&inbox), kind });
        let relay = Relay { owner: self.owner, request, inbox, route: Arc::clone(&self.route) };
        self.finder.address().try_send(relay).map_err(|_| Unreachable)
    }

    /// Call when the connection is closed. Drops all that is kept for it.
    pub fn hang_up(&mut self) {
        self.inbox.hang_up();
        self.connected = None;
    }

    /// Makes the session panic, if there is one. For tests of recovery.
    #[cfg(feature = "testkit")]
    pub fn panic(&self) {
        if let Some(session) = &self.route.lock().session {
            // A session that is already gone cannot panic.
            let _ = session.try_send(super::session_actor::Panic);
        }
    }
}

impl Route {
    fn lock(&self) -> MutexGuard<'_, RouteState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Relay {
    /// Sends the command to its session, and notes the address, so that later commands go there directly.
    pub(super) fn forward(mut self, session: Addr<SessionActor>) {
        let is_forwarded = self.request.take().is_some_and(|request| session.try_send(request).is_ok());
        if !is_forwarded {
            self.inbox.end();
        }
        let mut route = self.route.lock();
        route.relayed_commands = route.relayed_commands.saturating_sub(1);
        route.session = Some(session);
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        if self.request.is_some() {
            self.inbox.end();
        }
    }
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay").field("request", &self.request).finish_non_exhaustive()
    }
}
