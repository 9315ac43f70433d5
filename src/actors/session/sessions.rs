//! SessionsActor: finds or starts the session of a connection. [`Sessions`] is the handle that the HTTP layer uses.
//!
//! - Owns only a timer. The live sessions are in the registry (`SessionRegistry`), shared with the session actors of
//!   this thread.
//! - Handles `Attach` (find the session of an owner, or start it if something is saved), `Relay` (the first command
//!   of an anonymous bettor starts the session), `EventBatch` (events of the bus: wakes the subscribed sessions),
//!   `Merge` (a login moves the anonymous session into the account) and `End` (closes the connections of a cookie).
//! - Limit: `SESSIONS_MAILBOX_MAX` messages. If the mailbox is full, the bus drops events and sets `has_lost_events`;
//!   then every session checks all its matches again.
//! - Failure: after a panic a new SessionsActor continues with the same registry; the sessions live on.

use super::cash_out_values::CashOutValues;
use super::connections::{Arriving, Connections};
use super::handle::{Relay, SessionHandle};
use super::inbox::SessionInbox;
use super::logging_in::{identify_cookies, merge};
use super::login_watch::LoginWatch;
use super::registry::{SessionRegistry, SessionsObserved, send_empty_session};
use super::session_actor::SessionActor;
use super::store_line::with_timeout;
use super::subscriptions::WakeReason;
use crate::actors::bus::EventBus;
use crate::actors::fail_point::{FailPoints, Moment, Point};
use crate::actors::limits::{IDENTIFY_EVERY_MS, SESSIONS_MAILBOX_MAX};
use crate::actors::messages::events::EventBatch;
use crate::betting::placement::Placements;
use crate::panics;
use actix::{Actor, ActorFutureExt, Addr, Arbiter, AsyncContext, Context, Handler, ResponseFuture, WrapFuture};
use kvota_domain::ids::MatchId;
use kvota_domain::protection::LoginTimes;
use kvota_domain::session::SessionId;
use kvota_domain::ticket::Rules;
use kvota_read_model::ReadModel;
use kvota_store::nodes::{NodeSender, SessionKey, SharedLimits};
use kvota_store::{AccountId, AccountStore, ProtectionStore, SessionOwner, SessionStore};
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;
use tokio::sync::oneshot;

/// The dependencies of the sessions.
#[derive(Clone)]
pub struct SessionDependencies {
    /// The offer: prices and names.
    pub model: Arc<ReadModel>,
    /// Publishes changes of the offer.
    pub bus: EventBus,
    /// Where a test makes an actor panic.
    pub fail_points: FailPoints,
    /// The store of sessions.
    pub sessions: Arc<dyn SessionStore>,
    /// The store of accounts and logins.
    pub accounts: Arc<dyn AccountStore>,
    /// The store of limits.
    pub protection: Arc<dyn ProtectionStore>,
    /// Says whether there are other nodes.
    pub shared_limits: Arc<dyn SharedLimits>,
    /// Sends the other nodes what was saved and which cookies ended.
    pub nodes: NodeSender,
    /// Taxes and limits of signed-in users. Anonymous bettors have the limits only (CONTRACT 4).
    pub rules: Rules,
    /// The wall clock, ms since the epoch.
    pub now_ms: fn() -> i64,
}

/// The bettor of a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bettor {
    /// The owner of the ticket.
    pub owner: SessionOwner,
    /// The name of the account; `None` if the bettor is anonymous or the store did not answer.
    pub user: Option<String>,
    /// `false` if the store could not answer. The bettor then counts as anonymous. If the store later finds a login,
    /// the session is merged into the account and the connection is closed.
    pub is_certain: bool,
    /// When the limits of the account concern the login.
    pub times: LoginTimes,
}

impl Bettor {
    /// An anonymous bettor with this session.
    pub fn anonymous(session: SessionId) -> Bettor {
        let owner = SessionOwner::Anonymous(session);
        Bettor { owner, user: None, is_certain: true, times: LoginTimes::default() }
    }
}

/// Finds sessions. A clone shares everything.
#[derive(Clone)]
pub struct Sessions {
    pub(super) finder: Finder,
    pub(super) connections: Connections,
    model: Arc<ReadModel>,
    pub(super) accounts: Arc<dyn AccountStore>,
    /// The rules of anonymous bettors.
    rules: Rules,
    pub(super) values: CashOutValues,
    logins: LoginWatch,
    pub(super) now_ms: fn() -> i64,
}

/// The address of the current SessionsActor. A clone shares it.
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

/// A session or the SessionsActor cannot be reached: it panicked, its mailbox is full, or the store is unavailable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the sessions cannot be reached")]
pub struct Unreachable;

impl Sessions {
    /// Starts the sessions on a thread of their own.
    pub fn start(parts: SessionDependencies) -> (Sessions, Arbiter) {
        let arbiter = Arbiter::new();
        let (made, taken) = mpsc::channel();
        arbiter.spawn(async move {
            // The receiver waits below, so this cannot fail.
            let _ = made.send(Sessions::start_here(parts));
        });
        let Ok(sessions) = taken.recv() else {
            unreachable!("a thread that was just started runs what it is given");
        };
        (sessions, arbiter)
    }

    /// Starts the sessions on this thread.
    pub fn start_here(parts: SessionDependencies) -> Sessions {
        let (accounts, now_ms) = (Arc::clone(&parts.accounts), parts.now_ms);
        let protection = Arc::clone(&parts.protection);
        let logins = LoginWatch { accounts: Arc::clone(&accounts), protection, now_ms };
        let (model, rules) = (Arc::clone(&parts.model), parts.rules.anonymous());
        let registry = Rc::new(SessionRegistry::new(parts));
        let connections = registry.connections.clone();
        let started = SessionsActor::start_new(&registry);
        let finder = Finder(Arc::new(Mutex::new(started.address)));
        #[expect(clippy::disallowed_methods, reason = "ends with the thread, as the sessions do")]
        actix::spawn(watch(finder.clone(), registry, started.ended));
        Sessions { finder, connections, model, accounts, rules, values: CashOutValues::default(), logins, now_ms }
    }

    /// Announces a connection before [`identify`](Sessions::identify), so that a login or logout in between ends it.
    /// Keep the result until it is attached.
    pub fn arrive(&self, inbox: Arc<SessionInbox>) -> Arriving {
        self.connections.arrive(inbox)
    }

    /// The bettor of a session cookie. Never fails: without an answer of the store the result is uncertain.
    pub async fn identify(&self, session: SessionId) -> Bettor {
        let nobody = |is_certain| Bettor { is_certain, ..Bettor::anonymous(session) };
        match with_timeout(self.accounts.login(session, (self.now_ms)())).await {
            Ok(None) => nobody(true),
            Err(error) => {
                tracing::warn!(%error, "the store does not say who is logged in");
                nobody(false)
            }
            Ok(Some(login)) => {
                let account = with_timeout(self.accounts.account(login.account)).await;
                let user = account.ok().flatten().map(|account| account.name);
                let (owner, times) = (SessionOwner::Account(login.account), login.times);
                Bettor { owner, user, is_certain: true, times }
            }
        }
    }

    /// Connects `inbox` to its session. If nothing is saved, no session is started before the first command, and the
    /// connection receives an empty ticket. `is_new`: the cookie was created just now, so the store need not be asked.
    ///
    /// # Errors
    /// [`Unreachable`] if the SessionsActor does not answer.
    pub async fn attach(
        &self,
        bettor: &Bettor,
        inbox: Arc<SessionInbox>,
        is_new: bool,
    ) -> Result<SessionHandle, Unreachable> {
        let Bettor { owner, is_certain, .. } = *bettor;
        // Registered before the store is asked, so a session that starts in the meantime finds this connection.
        let connected = self.connections.enter(owner, Arc::clone(&inbox));
        let session = if is_new {
            send_empty_session(&inbox, &self.model, &self.rules);
            None
        } else {
            let attach = Attach { owner, inbox: Arc::clone(&inbox), is_certain };
            self.finder.address().send(attach).await.map_err(|_| Unreachable)?
        };
        if bettor.times != LoginTimes::default() {
            self.follow_login(Arc::clone(&inbox));
        }
        Ok(SessionHandle::new(inbox, owner, self.finder.clone(), session, connected))
    }

    /// The login of a connection may have changed: follows it, if it has limits.
    #[expect(clippy::disallowed_methods, reason = "ends with its connection")]
    pub(super) fn follow_login(&self, inbox: Arc<SessionInbox>) {
        if inbox.note_login_change() {
            tokio::spawn(self.logins.clone().follow(self.clone(), inbox));
        }
    }

    /// Merges the anonymous session into the account's session (CONTRACT 2), and closes the connections of the old
    /// cookie with 1012; the clients reconnect with the new cookie. Call it after the login is saved.
    ///
    /// # Errors
    /// [`Unreachable`]; the anonymous session then stays as it was.
    pub async fn merge(&self, anonymous: SessionId, account: AccountId) -> Result<(), Unreachable> {
        self.finder.address().send(Merge { anonymous, account }).await.map_err(|_| Unreachable)?
    }

    /// Closes the connections of a cookie with 1012: after a logout, or when the cookie is no longer valid.
    pub async fn end(&self, cookie: SessionKey) {
        // If the SessionsActor is being restarted, nothing is closed.
        let _ = self.finder.address().send(End(cookie)).await;
    }

    /// Whether a connection watches the bets of this account.
    pub fn has_bet_watchers(&self, account: AccountId) -> bool {
        self.connections.of_owner(SessionOwner::Account(account)).iter().any(|inbox| inbox.watches_bets())
    }

    /// The open bets of an account are to be read again for the connections that watch them.
    pub fn read_bets_again(&self, account: AccountId) {
        self.connections.of_owner(SessionOwner::Account(account)).iter().for_each(|inbox| inbox.read_bets_again());
    }

    /// The open bets that clients watch.
    pub fn cash_out_values(&self) -> CashOutValues {
        self.values.clone()
    }

    /// Sends the cash-out values of watched bets. Runs forever.
    pub async fn send_cash_out_values(self, placements: Placements) {
        self.values.run(self.connections, self.model, placements).await;
    }

    /// Counters for metrics and tests.
    pub async fn observe(&self) -> SessionsObserved {
        self.finder.address().send(ObserveSessions).await.unwrap_or_default()
    }

    /// Makes the actor panic. For tests that its sessions live on.
    #[cfg(feature = "testkit")]
    pub async fn panic(&self) {
        // The panic is the expected result, so there is no answer.
        let _ = self.finder.address().send(Panic).await;
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

/// Starts a new SessionsActor each time one panics.
async fn watch(finder: Finder, registry: Rc<SessionRegistry>, mut ended: oneshot::Receiver<()>) {
    while ended.await.is_err() {
        panics::died("sessions", "", None, "it is started again");
        let started = SessionsActor::start_new(&registry);
        finder.replace(started.address);
        // No events were received in between.
        registry.wake(WakeReason::Feed, true);
        ended = started.ended;
    }
}

/// See the head of this file.
pub struct SessionsActor {
    registry: Rc<SessionRegistry>,
    has_lost_events: Arc<AtomicBool>,
    /// Uncertain cookies are being checked again.
    is_identifying_cookies: bool,
    /// Dropped unsent by a panic, which is how `watch` notices it.
    _panic_notice: oneshot::Sender<()>,
}

struct Started {
    address: Addr<SessionsActor>,
    ended: oneshot::Receiver<()>,
}

/// Finds the session of a connection. `None` if the owner is anonymous and nothing is saved.
#[derive(actix::Message, Debug)]
#[rtype(result = "Option<Addr<SessionActor>>")]
struct Attach {
    owner: SessionOwner,
    inbox: Arc<SessionInbox>,
    is_certain: bool,
}

#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "Result<(), Unreachable>")]
struct Merge {
    anonymous: SessionId,
    account: AccountId,
}

#[derive(actix::Message, Debug)]
#[rtype(result = "()")]
struct End(SessionKey);

#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
pub(super) struct ResultsChanged(pub(super) MatchId);

#[derive(actix::Message, Debug)]
#[rtype(result = "()")]
pub(super) struct SavedElsewhere(pub(super) SessionKey);

#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
pub(super) struct NoticesMissed;

#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "SessionsObserved")]
struct ObserveSessions;

#[cfg(feature = "testkit")]
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
struct Panic;

impl SessionsActor {
    fn start_new(registry: &Rc<SessionRegistry>) -> Started {
        let has_lost_events = Arc::new(AtomicBool::new(false));
        let (asked_to_stop, ended) = oneshot::channel();
        let actor = SessionsActor {
            registry: Rc::clone(registry),
            has_lost_events: Arc::clone(&has_lost_events),
            is_identifying_cookies: false,
            _panic_notice: asked_to_stop,
        };
        let address = SessionsActor::create(|ctx| {
            ctx.set_mailbox_capacity(SESSIONS_MAILBOX_MAX);
            actor
        });
        registry.parts.bus.subscribe(address.clone().recipient(), has_lost_events);
        Started { address, ended }
    }
}

impl SessionsActor {
    fn pass(&self, moment: Moment) {
        self.registry.parts.fail_points.pass(Point::Sessions, moment);
    }
}

impl Actor for SessionsActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(Duration::from_millis(IDENTIFY_EVERY_MS), |actor, ctx| {
            // After an outage there may be thousands, and checking them may take longer than the interval.
            if actor.is_identifying_cookies {
                return;
            }
            let unidentified = actor.registry.unidentified();
            if unidentified.is_empty() {
                return;
            }
            actor.is_identifying_cookies = true;
            let asked = identify_cookies(Rc::clone(&actor.registry), unidentified).into_actor(actor);
            ctx.spawn(asked.map(|(), actor, _| actor.is_identifying_cookies = false));
        });
    }
}

impl Handler<Attach> for SessionsActor {
    type Result = ResponseFuture<Option<Addr<SessionActor>>>;

    fn handle(&mut self, Attach { owner, inbox, is_certain }: Attach, _: &mut Self::Context) -> Self::Result {
        self.pass(Moment::Before);
        if !is_certain {
            self.registry.mark_unidentified(inbox.session());
        }
        let registry = Rc::clone(&self.registry);
        Box::pin(async move { registry.arrive(owner, inbox, is_certain).await })
    }
}

impl Handler<Relay> for SessionsActor {
    type Result = ();

    fn handle(&mut self, relay: Relay, _: &mut Self::Context) {
        self.pass(Moment::Before);
        let session = self.registry.find_or_start(relay.owner);
        self.pass(Moment::Written);
        relay.forward(session);
        self.pass(Moment::After);
    }
}

impl Handler<EventBatch> for SessionsActor {
    type Result = ();

    fn handle(&mut self, batch: EventBatch, _: &mut Self::Context) {
        self.pass(Moment::Before);
        if self.has_lost_events.swap(false, Ordering::AcqRel) {
            self.registry.wake(WakeReason::Feed, true);
        }
        self.pass(Moment::Taken);
        self.registry.deliver(&batch);
        self.pass(Moment::After);
    }
}

impl Handler<Merge> for SessionsActor {
    type Result = ResponseFuture<Result<(), Unreachable>>;

    fn handle(&mut self, Merge { anonymous, account }: Merge, _: &mut Self::Context) -> Self::Result {
        Box::pin(merge(Rc::clone(&self.registry), anonymous, account))
    }
}

impl Handler<End> for SessionsActor {
    type Result = ();

    fn handle(&mut self, End(cookie): End, _: &mut Self::Context) {
        self.pass(Moment::Before);
        self.registry.end(cookie);
        self.pass(Moment::After);
    }
}

impl Handler<ResultsChanged> for SessionsActor {
    type Result = ();

    fn handle(&mut self, ResultsChanged(match_id): ResultsChanged, _: &mut Self::Context) {
        self.pass(Moment::Before);
        self.registry.wake(WakeReason::Changed(match_id), true);
        self.pass(Moment::After);
    }
}

impl Handler<SavedElsewhere> for SessionsActor {
    type Result = ();

    fn handle(&mut self, SavedElsewhere(key): SavedElsewhere, _: &mut Self::Context) {
        self.pass(Moment::Before);
        self.registry.saved_elsewhere(&key);
        self.pass(Moment::After);
    }
}

impl Handler<NoticesMissed> for SessionsActor {
    type Result = ();

    fn handle(&mut self, _: NoticesMissed, ctx: &mut Self::Context) {
        ctx.spawn(Rc::clone(&self.registry).notices_missed().into_actor(self));
    }
}

impl Handler<ObserveSessions> for SessionsActor {
    type Result = SessionsObserved;

    fn handle(&mut self, _: ObserveSessions, _: &mut Self::Context) -> SessionsObserved {
        self.registry.observed()
    }
}

#[cfg(feature = "testkit")]
impl Handler<Panic> for SessionsActor {
    type Result = ();

    fn handle(&mut self, _: Panic, _: &mut Self::Context) {
        panic!("a test asked for it");
    }
}
