//! SessionsActor: where connections find their session.
//!
//! Owns nothing but a timer; the desk it shares with the sessions of its thread. Is asked for the session of an owner
//! ([`Attach`]) and starts it where something is kept of it; starts it for its first command where nothing is
//! ([`Relay`]); is told events by the bus and wakes the sessions they concern; brings a session into an account at login
//! ([`Merge`]). Its mailbox is bounded; beyond it the bus raises a flag, and
//! every session looks at its matches anew. When it dies another one takes over the desk.
//!
//! [`Sessions`] is its handle, given to http.

use super::concern::Occasion;
use super::connections::Connections;
use super::desk::{Desk, SessionsObserved, show_nothing_kept};
use super::line::{Line, Relay};
use super::session_actor::{GiveUp, SessionActor, TakeIn};
use super::store_line::in_time;
use super::tap::Tap;
use crate::actors::bus::EventBus;
use crate::actors::messages::events::Told;
use crate::domain::limits::{IDENTIFY_AT_ONCE_MAX, IDENTIFY_EVERY_MS, SESSIONS_MAILBOX_MAX};
use crate::domain::session::SessionId;
use crate::domain::ticket::Rules;
use crate::read_model::ReadModel;
use crate::store::{AccountId, AccountStore, SessionOwner, SessionStore, StoreError};
use actix::{Actor, ActorFutureExt, Addr, Arbiter, AsyncContext, Context, Handler, ResponseFuture, WrapFuture};
use futures_util::future::join_all;
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;
use tokio::sync::oneshot;

/// What sessions are made of.
#[derive(Clone)]
pub struct SessionParts {
    /// The offer, for prices and names.
    pub model: Arc<ReadModel>,
    /// Where they hear of changes.
    pub bus: EventBus,
    /// Where they are saved.
    pub sessions: Arc<dyn SessionStore>,
    /// Who says who is logged in.
    pub accounts: Arc<dyn AccountStore>,
    /// Taxes and limits of who is logged in; others have the limits alone (CONTRACT 4).
    pub rules: Rules,
    /// The wall clock, ms since the epoch.
    pub now_ms: fn() -> i64,
}

/// Who a connection belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bettor {
    /// Whose ticket.
    pub owner: SessionOwner,
    /// The account's name; nothing where nobody is logged in, or where it cannot be said.
    pub user: Option<String>,
    /// Whether the store could say who is logged in. Where it could not, the bettor is nobody for the time being, and
    /// the connection is ended once the store says otherwise.
    pub is_certain: bool,
}

/// Where sessions are found. Cloning shares.
#[derive(Clone)]
pub struct Sessions {
    finder: Finder,
    connections: Connections,
    model: Arc<ReadModel>,
    accounts: Arc<dyn AccountStore>,
    /// Those of who is not logged in.
    rules: Rules,
    now_ms: fn() -> i64,
}

/// The SessionsActor of now. Cloning shares.
#[derive(Clone, Debug)]
pub(super) struct Finder(Arc<Mutex<Addr<SessionsActor>>>);

impl Finder {
    pub(super) fn address(&self) -> Addr<SessionsActor> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, address: Addr<SessionsActor>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = address;
    }
}

/// There are no sessions here at the moment: their actor is being started again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the sessions cannot be reached")]
pub struct Unreachable;

impl Sessions {
    /// Starts the sessions on a thread of their own.
    pub fn start(parts: SessionParts) -> (Sessions, Arbiter) {
        let arbiter = Arbiter::new();
        let (made, taken) = mpsc::channel();
        arbiter.spawn(async move {
            // Whoever started the thread waits for exactly this.
            let _ = made.send(Sessions::start_here(parts));
        });
        let Ok(sessions) = taken.recv() else {
            unreachable!("a thread that was just started runs what it is given");
        };
        (sessions, arbiter)
    }

    /// Starts the sessions on this thread.
    pub fn start_here(parts: SessionParts) -> Sessions {
        let (accounts, now_ms) = (Arc::clone(&parts.accounts), parts.now_ms);
        let (model, rules) = (Arc::clone(&parts.model), parts.rules.anonymous());
        let desk = Rc::new(Desk::new(parts));
        let connections = desk.connections.clone();
        let started = SessionsActor::start_over(&desk);
        let finder = Finder(Arc::new(Mutex::new(started.address)));
        #[expect(clippy::disallowed_methods, reason = "ends with the thread, as the sessions do")]
        actix::spawn(watch(finder.clone(), desk, started.ended));
        Sessions { finder, connections, model, accounts, rules, now_ms }
    }

    /// Who is logged in under a session's cookie.
    pub async fn identify(&self, session: SessionId) -> Bettor {
        let nobody = |is_certain| Bettor { owner: SessionOwner::Anonymous(session), user: None, is_certain };
        match in_time(self.accounts.login(session, (self.now_ms)())).await {
            Ok(None) => nobody(true),
            Err(error) => {
                tracing::warn!(%error, "it cannot be said who is logged in");
                nobody(false)
            }
            Ok(Some(login)) => {
                let account = in_time(self.accounts.account(login.account)).await;
                let user = account.ok().flatten().map(|account| account.name);
                Bettor { owner: SessionOwner::Account(login.account), user, is_certain: true }
            }
        }
    }

    /// Brings a connection to its session. Where nothing is kept of it there is none until the first command that changes
    /// it; the connection is shown an empty ticket meanwhile. `is_new` says that its cookie was made just now, so that the
    /// store need not be asked.
    ///
    /// # Errors
    /// [`Unreachable`].
    pub async fn attach(&self, bettor: &Bettor, tap: Arc<Tap>, is_new: bool) -> Result<Line, Unreachable> {
        let Bettor { owner, is_certain, .. } = *bettor;
        // Before it is asked what is kept: a session that begins meanwhile finds the connection.
        let connected = self.connections.enter(owner, Arc::clone(&tap));
        let session = if is_new {
            show_nothing_kept(&tap, &self.model, &self.rules);
            None
        } else {
            let attach = Attach { owner, tap: Arc::clone(&tap), is_certain };
            self.finder.address().send(attach).await.map_err(|_| Unreachable)?
        };
        Ok(Line::new(tap, owner, self.finder.clone(), session, connected))
    }

    /// At login: what was kept without one comes into the account's session (CONTRACT 2), and the connections of the
    /// old session are ended with 1012, to come again with the new cookie. To be called once the login is kept.
    ///
    /// # Errors
    /// [`Unreachable`]; the ticket of before then stays where it was.
    pub async fn merge(&self, anonymous: SessionId, account: AccountId) -> Result<(), Unreachable> {
        self.finder.address().send(Merge { anonymous, account }).await.map_err(|_| Unreachable)?
    }

    /// At logout, or wherever a cookie is no longer its bettor's: the connections that came with it are ended with 1012.
    pub async fn end(&self, session: SessionId) {
        // Where the sessions died, so did the lines of their connections.
        let _ = self.finder.address().send(End(session)).await;
    }

    /// How many of what.
    pub async fn observe(&self) -> SessionsObserved {
        self.finder.address().send(ObserveSessions).await.unwrap_or_default()
    }

    /// Lets the actor panic: how a test shows that sessions do not notice.
    #[cfg(feature = "testkit")]
    pub async fn panic(&self) {
        // It dies of it, which is the answer.
        let _ = self.finder.address().send(Panic).await;
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

/// Puts another actor into the place of one that died, for as long as that happens.
async fn watch(finder: Finder, desk: Rc<Desk>, mut ended: oneshot::Receiver<()>) {
    while ended.await.is_err() {
        metrics::counter!("kvota_actor_restarts_total", "actor" => "sessions").increment(1);
        tracing::error!("the actor of the sessions died and is started again");
        let started = SessionsActor::start_over(&desk);
        finder.replace(started.address);
        // What happened in between, nobody was told.
        desk.wake(Occasion::Feed, true);
        ended = started.ended;
    }
}

/// See the head of this file.
pub struct SessionsActor {
    desk: Rc<Desk>,
    lagging: Arc<AtomicBool>,
    /// The store is being asked again who is logged in.
    is_identifying: bool,
    /// Dropped without a word when it dies.
    _asked_to_stop: oneshot::Sender<()>,
}

struct Started {
    address: Addr<SessionsActor>,
    ended: oneshot::Receiver<()>,
}

/// A connection asks for its session; answered with nothing where nothing is kept of it.
#[derive(actix::Message, Debug)]
#[rtype(result = "Option<Addr<SessionActor>>")]
struct Attach {
    owner: SessionOwner,
    tap: Arc<Tap>,
    is_certain: bool,
}

#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "Result<(), Unreachable>")]
struct Merge {
    anonymous: SessionId,
    account: AccountId,
}

#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
struct End(SessionId);

#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "SessionsObserved")]
struct ObserveSessions;

#[cfg(feature = "testkit")]
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
struct Panic;

impl SessionsActor {
    fn start_over(desk: &Rc<Desk>) -> Started {
        let lagging = Arc::new(AtomicBool::new(false));
        let (asked_to_stop, ended) = oneshot::channel();
        let actor = SessionsActor {
            desk: Rc::clone(desk),
            lagging: Arc::clone(&lagging),
            is_identifying: false,
            _asked_to_stop: asked_to_stop,
        };
        let address = SessionsActor::create(|ctx| {
            ctx.set_mailbox_capacity(SESSIONS_MAILBOX_MAX);
            actor
        });
        desk.parts.bus.subscribe(address.clone().recipient(), lagging);
        Started { address, ended }
    }
}

impl Actor for SessionsActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(Duration::from_millis(IDENTIFY_EVERY_MS), |actor, ctx| {
            // After an outage there may be thousands, which take longer than the interval.
            if actor.is_identifying {
                return;
            }
            let uncertain = actor.desk.uncertain();
            if uncertain.is_empty() {
                return;
            }
            actor.is_identifying = true;
            let asked = identify_again(Rc::clone(&actor.desk), uncertain).into_actor(actor);
            ctx.spawn(asked.map(|(), actor, _| actor.is_identifying = false));
        });
    }
}

impl Handler<Attach> for SessionsActor {
    type Result = ResponseFuture<Option<Addr<SessionActor>>>;

    fn handle(&mut self, Attach { owner, tap, is_certain }: Attach, _: &mut Self::Context) -> Self::Result {
        if !is_certain {
            self.desk.note_uncertain(tap.session());
        }
        let desk = Rc::clone(&self.desk);
        Box::pin(async move { desk.arrive(owner, tap, is_certain).await })
    }
}

impl Handler<Relay> for SessionsActor {
    type Result = ();

    fn handle(&mut self, relay: Relay, _: &mut Self::Context) {
        let session = self.desk.find_or_start(relay.owner);
        relay.forward(session);
    }
}

impl Handler<Told> for SessionsActor {
    type Result = ();

    fn handle(&mut self, told: Told, _: &mut Self::Context) {
        if self.lagging.swap(false, Ordering::AcqRel) {
            self.desk.wake(Occasion::Feed, true);
        }
        self.desk.tell(&told);
    }
}

impl Handler<Merge> for SessionsActor {
    type Result = ResponseFuture<Result<(), Unreachable>>;

    fn handle(&mut self, Merge { anonymous, account }: Merge, _: &mut Self::Context) -> Self::Result {
        Box::pin(merge(Rc::clone(&self.desk), anonymous, account))
    }
}

impl Handler<End> for SessionsActor {
    type Result = ();

    fn handle(&mut self, End(session): End, _: &mut Self::Context) {
        self.desk.end(session);
    }
}

impl Handler<ObserveSessions> for SessionsActor {
    type Result = SessionsObserved;

    fn handle(&mut self, _: ObserveSessions, _: &mut Self::Context) -> SessionsObserved {
        self.desk.observed()
    }
}

#[cfg(feature = "testkit")]
impl Handler<Panic> for SessionsActor {
    type Result = ();

    fn handle(&mut self, _: Panic, _: &mut Self::Context) {
        panic!("a test asked for it");
    }
}

/// First the account has what the anonymous session kept, then that is deleted: in between both have it, never nobody.
async fn merge(desk: Rc<Desk>, anonymous: SessionId, account: AccountId) -> Result<(), Unreachable> {
    let owner = SessionOwner::Anonymous(anonymous);
    let given = desk.find_or_start(owner).send(GiveUp).await.ok().flatten().ok_or(Unreachable)?;
    if !given.ticket.pairs.is_empty() || !given.favourites.is_empty() {
        let of_account = desk.find_or_start(SessionOwner::Account(account));
        if !of_account.send(TakeIn(given)).await.unwrap_or(false) {
            return Err(Unreachable);
        }
    }
    if let Err(error) = desk.store().delete(owner).await {
        // It is found by nobody: the cookie is another one now. The store forgets it with time.
        tracing::warn!(%error, "an anonymous session could not be deleted after the login");
    }
    desk.end(anonymous);
    Ok(())
}

/// Asks again who is logged in under cookies of which the store could not say it: some at once, for there may be
/// thousands, and no more than some, for the store has just come back.
async fn identify_again(desk: Rc<Desk>, uncertain: Vec<SessionId>) {
    for slice in uncertain.chunks(IDENTIFY_AT_ONCE_MAX) {
        let answers = join_all(slice.iter().map(|session| identify_one(&desk, *session))).await;
        if answers.iter().any(Result::is_err) {
            // All the others are as uncertain as before.
            return;
        }
    }
}

async fn identify_one(desk: &Rc<Desk>, session: SessionId) -> Result<(), StoreError> {
    let login = in_time(desk.parts.accounts.login(session, (desk.parts.now_ms)())).await?;
    desk.note_certain(session);
    if let Some(login) = login
        && merge(Rc::clone(desk), session, login.account).await.is_err()
    {
        desk.end(session);
    }
    Ok(())
}
