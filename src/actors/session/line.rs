//! A connection's way to its session. A bettor for whom nothing is kept has no session actor: the first command that may
//! change that goes to the SessionsActor, which starts the session and forwards it ([`Relay`]). As soon as nothing of this
//! connection is on that way any more, commands go to the session directly; so they always arrive in their order.

use super::connections::Connected;
use super::session_actor::{Said, Say, SessionActor};
use super::sessions::{Finder, Unreachable};
use super::tap::{Answer, Tap};
use crate::store::SessionOwner;
use actix::Addr;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A connection's way to its session.
#[derive(Debug)]
pub struct Line {
    tap: Arc<Tap>,
    owner: SessionOwner,
    finder: Finder,
    route: Arc<Route>,
    /// Nothing once the connection is gone.
    connected: Option<Connected>,
}

/// What a connection and the SessionsActor know of the way of its commands.
#[derive(Debug, Default)]
pub(super) struct Route(Mutex<Way>);

#[derive(Debug, Default)]
struct Way {
    /// The session, once it is known.
    session: Option<Addr<SessionActor>>,
    /// Commands on their way through the SessionsActor.
    relayed: usize,
}

/// A command on its way through the SessionsActor. Lost, also by the death of that actor, it ends its connection: the
/// client connects again instead of waiting for an acknowledgement for ever.
#[derive(actix::Message)]
#[rtype(result = "()")]
pub(super) struct Relay {
    /// Whose session it is for.
    pub(super) owner: SessionOwner,
    say: Option<Say>,
    tap: Arc<Tap>,
    route: Arc<Route>,
}

impl Line {
    pub(super) fn new(
        tap: Arc<Tap>,
        owner: SessionOwner,
        finder: Finder,
        session: Option<Addr<SessionActor>>,
        connected: Connected,
    ) -> Line {
        let route = Arc::new(Route(Mutex::new(Way { session, relayed: 0 })));
        Line { tap, owner, finder, route, connected: Some(connected) }
    }

    /// Says something, in the order of calls.
    ///
    /// # Errors
    /// [`Unreachable`] where the session is gone or overrun: the connection is to be ended, and comes again.
    pub fn say(&self, said: Said) -> Result<(), Unreachable> {
        let tap = Arc::clone(&self.tap);
        let mut way = self.route.lock();
        let direct = way.session.clone().filter(|_| way.relayed == 0);
        if let Some(session) = direct {
            drop(way);
            return session.try_send(Say { tap, said }).map_err(|_| Unreachable);
        }
        let is_idle = way.relayed == 0 && !tap.is_joined();
        if said == Said::Mark && is_idle {
            // There is no session, so nothing was said before that is not done yet.
            drop(way);
            tap.answer(Answer::Mark);
            return Ok(());
        }
        way.relayed += 1;
        drop(way);
        let say = Some(Say { tap: Arc::clone(&tap), said });
        let relay = Relay { owner: self.owner, say, tap, route: Arc::clone(&self.route) };
        self.finder.address().try_send(relay).map_err(|_| Unreachable)
    }

    /// The connection is gone: nothing is kept for it any more.
    pub fn hang_up(&mut self) {
        self.tap.hang_up();
        self.connected = None;
    }

    /// Lets the session panic, where there is one: how a test shows what becomes of its bettor.
    #[cfg(feature = "testkit")]
    pub fn panic(&self) {
        if let Some(session) = &self.route.lock().session {
            // Whether it is still there to panic is the test's to know.
            let _ = session.try_send(super::session_actor::Panic);
        }
    }
}

impl Route {
    fn lock(&self) -> MutexGuard<'_, Way> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Relay {
    /// Hands the command to its session.
    pub(super) fn forward(mut self, session: Addr<SessionActor>) {
        let is_forwarded = self.say.take().is_some_and(|say| session.try_send(say).is_ok());
        if !is_forwarded {
            self.tap.end();
        }
        let mut way = self.route.lock();
        way.relayed = way.relayed.saturating_sub(1);
        way.session = Some(session);
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        if self.say.is_some() {
            self.tap.end();
        }
    }
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay").field("say", &self.say).finish_non_exhaustive()
    }
}
