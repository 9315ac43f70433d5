//! SessionsActor: where connections find their session.
//!
//! Owns nothing but a timer; the desk it shares with the sessions of its thread. Is asked for the session of an owner
//! ([`Attach`]) and starts it where it does not live; is told events by the bus and wakes the sessions they concern;
//! brings a session into an account at login ([`Merge`]). Its mailbox is bounded; beyond it the bus raises a flag, and
//! every session looks at its matches anew. When it dies another one takes over the desk.
//!
//! [`Sessions`] is its handle, given to http.

use super::concern::Occasion;
use super::desk::{Desk, SessionsObserved};
use super::session_actor::{GiveUp, Said, Say, SessionActor, TakeIn};
use super::store_line::in_time;
use super::tap::Tap;
use crate::actors::bus::EventBus;
use crate::actors::messages::events::Told;
use crate::domain::limits::{IDENTIFY_EVERY_MS, SESSIONS_MAILBOX_MAX};
use crate::domain::session::SessionId;
use crate::domain::ticket::Rules;
use crate::read_model::ReadModel;
use crate::store::{AccountId, AccountStore, SessionOwner, SessionStore, StoreError};
use actix::{Actor, Addr, Arbiter, AsyncContext, Context, Handler, ResponseFuture, WrapFuture};
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
    address: Arc<Mutex<Addr<SessionsActor>>>,
    accounts: Arc<dyn AccountStore>,
    now_ms: fn() -> i64,
}

/// There are no sessions here at the moment: their actor is being started again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the sessions cannot be reached")]
pub struct Unreachable;

/// A connection's way to its session.
#[derive(Clone, Debug)]
pub struct Line {
    tap: Arc<Tap>,
    address: Addr<SessionActor>,
}

impl Line {
    /// Says something, in the order of calls.
    ///
    /// # Errors
    /// [`Unreachable`] where the session is gone or overrun: the connection is to be ended, and comes again.
    pub fn say(&self, said: Said) -> Result<(), Unreachable> {
        self.address.try_send(Say { tap: Arc::clone(&self.tap), said }).map_err(|_| Unreachable)
    }

    /// Lets the session panic: how a test shows what becomes of its bettor.
    #[cfg(feature = "testkit")]
    pub fn panic(&self) {
        // Whether it is still there to panic is the test's to know.
        let _ = self.address.try_send(super::session_actor::Panic);
    }
}

impl Sessions {
    /// Starts the sessions on a thread of their own.
    pub fn start(parts: SessionParts) -> (Sessions, Arbiter) {
        let arbiter = Arbiter::new();
        let (made, taken) = mpsc::channel();
        let (accounts, now_ms) = (Arc::clone(&parts.accounts), parts.now_ms);
        arbiter.spawn(async move {
            // Whoever started the thread waits for exactly this.
            let _ = made.send(Sessions::start_here(parts).address);
        });
        let Ok(address) = taken.recv() else {
            unreachable!("a thread that was just started runs what it is given");
        };
        (Sessions { address, accounts, now_ms }, arbiter)
    }

    /// Starts the sessions on this thread.
    pub fn start_here(parts: SessionParts) -> Sessions {
        let (accounts, now_ms) = (Arc::clone(&parts.accounts), parts.now_ms);
        let desk = Rc::new(Desk::new(parts));
        let started = SessionsActor::start_over(&desk);
        let address = Arc::new(Mutex::new(started.address));
        #[expect(clippy::disallowed_methods, reason = "ends with the thread, as the sessions do")]
        actix::spawn(watch(Arc::clone(&address), desk, started.ended));
        Sessions { address, accounts, now_ms }
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

    /// Brings a connection to its session. `is_new` says that its cookie was made just now, so that nothing is saved.
    ///
    /// # Errors
    /// [`Unreachable`].
    pub async fn attach(&self, bettor: &Bettor, tap: Arc<Tap>, is_new: bool) -> Result<Line, Unreachable> {
        let Bettor { owner, is_certain, .. } = *bettor;
        let attach = Attach { owner, tap: Arc::clone(&tap), is_new, is_certain };
        let address = self.address().send(attach).await.map_err(|_| Unreachable)?;
        Ok(Line { tap, address })
    }

    /// At login: what was kept without one comes into the account's session (CONTRACT 2), and the connections of the
    /// old session are ended with 1012, to come again with the new cookie. To be called once the login is kept.
    ///
    /// # Errors
    /// [`Unreachable`]; the ticket of before then stays where it was.
    pub async fn merge(&self, anonymous: SessionId, account: AccountId) -> Result<(), Unreachable> {
        self.address().send(Merge { anonymous, account }).await.map_err(|_| Unreachable)?
    }

    /// At logout, or wherever a cookie is no longer its bettor's: the connections that came with it are ended with 1012.
    pub async fn end(&self, session: SessionId) {
        // Where the sessions died, so did the lines of their connections.
        let _ = self.address().send(End(session)).await;
    }

    /// How many of what.
    pub async fn observe(&self) -> SessionsObserved {
        self.address().send(ObserveSessions).await.unwrap_or_default()
    }

    /// Lets the actor panic: how a test shows that sessions do not notice.
    #[cfg(feature = "testkit")]
    pub async fn panic(&self) {
        // It dies of it, which is the answer.
        let _ = self.address().send(Panic).await;
    }

    fn address(&self) -> Addr<SessionsActor> {
        self.address.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

/// Puts another actor into the place of one that died, for as long as that happens.
async fn watch(address: Arc<Mutex<Addr<SessionsActor>>>, desk: Rc<Desk>, mut ended: oneshot::Receiver<()>) {
    while ended.await.is_err() {
        metrics::counter!("kvota_actor_restarts_total", "actor" => "sessions").increment(1);
        tracing::error!("the actor of the sessions died and is started again");
        let started = SessionsActor::start_over(&desk);
        *address.lock().unwrap_or_else(PoisonError::into_inner) = started.address;
        // What happened in between, nobody was told.
        desk.wake(Occasion::Feed, true);
        ended = started.ended;
    }
}

/// See the head of this file.
pub struct SessionsActor {
    desk: Rc<Desk>,
    lagging: Arc<AtomicBool>,
    /// Dropped without a word when it dies.
    _asked_to_stop: oneshot::Sender<()>,
}

struct Started {
    address: Addr<SessionsActor>,
    ended: oneshot::Receiver<()>,
}

/// A connection wants its session.
#[derive(actix::Message, Debug)]
#[rtype(result = "Addr<SessionActor>")]
struct Attach {
    owner: SessionOwner,
    tap: Arc<Tap>,
    is_new: bool,
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
        let actor =
            SessionsActor { desk: Rc::clone(desk), lagging: Arc::clone(&lagging), _asked_to_stop: asked_to_stop };
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
            let uncertain = actor.desk.uncertain();
            if !uncertain.is_empty() {
                ctx.spawn(identify_again(Rc::clone(&actor.desk), uncertain).into_actor(actor));
            }
        });
    }
}

impl Handler<Attach> for SessionsActor {
    type Result = actix::MessageResult<Attach>;

    fn handle(&mut self, attach: Attach, _: &mut Self::Context) -> Self::Result {
        if !attach.is_certain {
            self.desk.note_uncertain(attach.tap.session());
        }
        actix::MessageResult(self.desk.join(attach.owner, attach.tap, attach.is_new))
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
    let given = desk.find_or_start(owner, false).send(GiveUp).await.ok().flatten().ok_or(Unreachable)?;
    if !given.ticket.pairs.is_empty() || !given.favourites.is_empty() {
        let of_account = desk.find_or_start(SessionOwner::Account(account), false);
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

/// Asks again who is logged in under cookies of which the store could not say it.
async fn identify_again(desk: Rc<Desk>, uncertain: Vec<SessionId>) {
    for session in uncertain {
        let login = match in_time(desk.parts.accounts.login(session, (desk.parts.now_ms)())).await {
            Ok(login) => login,
            // All the others are as uncertain as before.
            Err(StoreError::Unavailable { .. } | StoreError::Corrupt { .. }) => return,
        };
        desk.note_certain(session);
        if let Some(login) = login
            && merge(Rc::clone(&desk), session, login.account).await.is_err()
        {
            desk.end(session);
        }
    }
}
