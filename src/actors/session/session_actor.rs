//! SessionActor: the session of one bettor, either an anonymous cookie or an account on all of its devices.
//!
//! - Owns the ticket and the favourites ([`SessionState`]).
//! - Handles [`SessionRequest`] (a command of a connection), `WakeUp` (a wake-up: a connection joined or a match of
//!   the session changed), `HandOver` and `MergeIn` (a login moves an anonymous session into an account).
//! - Sends the new ticket and the new favourites to the inbox ([`SessionInbox`]) of every connection after each change.
//! - Acknowledges a command when it is saved. While the store is unavailable it acknowledges at once, keeps the change
//!   in memory and saves it later.
//! - Limits: `SESSION_MAILBOX_MAX` messages, and the numbers of pairs and favourites that the rules allow. Without
//!   connections it stops after `SESSION_IDLE_MS` when all is saved, after `SESSION_UNSAVED_MS_MAX` in any case.
//! - Failure: after a panic its connections are closed. They reconnect and start a new actor from the saved state. When
//!   another node has saved the same session first, the save conflicts, and the unsaved events are replayed on that
//!   state.

use super::inbox::{Answer, SessionInbox};
use super::registry::{Inboxes, News, SessionRegistry};
use super::saving::{PendingAck, SaveProgress};
use super::ticket_info::ticket_info;
use crate::actors::fail_point::{Moment, Point};
use crate::actors::limits::{
    GATHER_MS_MAX, GATHER_MS_MIN, MATCH_MOVES_MS_MAX, SESSION_IDLE_MS, SESSION_STORE_MS_MAX, SESSION_SWEEP_MS,
    SESSION_UNSAVED_MS_MAX,
};
use actix::{Actor, ActorContext, AsyncContext, Context, Handler, ResponseFuture};
use kvota_domain::ids::MatchId;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::session_state::{SessionCommand, SessionEvent, SessionState};
use kvota_domain::ticket::{FeedHealth, OfferView, Rules};
use kvota_read_model::ReadModel;
use kvota_store::{SavedSession, SessionOwner};
use kvota_wire::hub::ticket::TicketInfo;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// The session of one bettor. See the head of this file.
pub struct SessionActor {
    pub(super) owner: SessionOwner,
    pub(super) registry: Rc<SessionRegistry>,
    pub(super) rules: Rules,
    inboxes: Inboxes,
    news: Rc<RefCell<News>>,
    pub(super) state: SessionState,
    /// Messages that wait for a load from the store; `None` if there is nothing to wait for.
    pub(super) waiting_for_load: Option<Vec<Waiting>>,
    /// New connections that wait for it.
    pub(super) joined: Vec<Arc<SessionInbox>>,
    pub(super) saving: SaveProgress,
    last_sent: LastSent,
    without_connections_since: Option<Instant>,
    /// The saved session, if the registry loaded it before it started this actor.
    saved: Option<SavedSession>,
    /// `saved` was loaded just now, so the first connection needs no second load.
    is_preloaded: bool,
    /// The previous actor of this owner panicked.
    pub(super) replaces_panicked: bool,
    /// Sent when the actor stops on purpose. Dropped unsent by a panic, which is how the registry notices it.
    asked_to_stop: Option<oneshot::Sender<()>>,
}

/// What was last sent to the connections.
#[derive(Default)]
struct LastSent {
    ticket: PerLang<Option<Arc<TicketInfo>>>,
    favourites: Option<Arc<[MatchId]>>,
    is_armed: bool,
    last: Option<Instant>,
}

pub(super) enum Waiting {
    SessionRequest(SessionRequest),
    HandOver(oneshot::Sender<SessionState>),
    MergeIn(SessionState, oneshot::Sender<()>),
}

/// A request of one connection.
#[derive(actix::Message, Debug)]
#[rtype(result = "()")]
pub struct SessionRequest {
    /// The inbox of the connection, which receives the answer.
    pub inbox: Arc<SessionInbox>,
    /// What is requested.
    pub kind: RequestKind,
}

/// See [`SessionRequest`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestKind {
    /// A command. Answered when it is applied, sent to all connections, and saved.
    Command {
        /// The sequence number of the command.
        n: u64,
        /// The command.
        command: SessionCommand,
    },
    /// A marker. Answered when all earlier requests of the connection are applied and sent.
    Mark,
}

/// Wakes the session: it has pending events ([`News`]).
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
pub(super) struct WakeUp;

/// Returns the whole state and stops the actor. `None` if the state is not fully known.
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "Option<SessionState>")]
pub(super) struct HandOver;

/// Merges the state of an anonymous session into this one. Answers `true` once the result is saved or, while the store
/// is unavailable, kept in memory. `false`: the other session must not be deleted.
#[derive(actix::Message, Debug)]
#[rtype(result = "bool")]
pub(super) struct MergeIn(pub(super) SessionState);

/// Makes the session panic.
#[cfg(feature = "testkit")]
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
pub(super) struct Panic;

impl SessionActor {
    /// A session of `owner`. `saved` is its stored state if the caller has just loaded it; otherwise the actor loads
    /// it.
    pub(super) fn new(
        registry: Rc<SessionRegistry>,
        owner: SessionOwner,
        inboxes: Inboxes,
        news: Rc<RefCell<News>>,
        asked_to_stop: oneshot::Sender<()>,
        saved: Option<SavedSession>,
    ) -> SessionActor {
        let rules = match owner {
            SessionOwner::Anonymous(_) => registry.parts.rules.anonymous(),
            SessionOwner::Account(_) => registry.parts.rules.clone(),
        };
        SessionActor {
            owner,
            state: SessionState::empty(&rules),
            registry,
            rules,
            inboxes,
            news,
            is_preloaded: saved.is_some(),
            saved,
            waiting_for_load: Some(Vec::new()),
            joined: Vec::new(),
            saving: SaveProgress::default(),
            last_sent: LastSent::default(),
            without_connections_since: None,
            replaces_panicked: false,
            asked_to_stop: Some(asked_to_stop),
        }
    }

    fn pass(&self, moment: Moment) {
        self.registry.parts.fail_points.pass(Point::Session, moment);
    }

    fn model(&self) -> Arc<ReadModel> {
        Arc::clone(&self.registry.parts.model)
    }

    pub(super) fn execute(&mut self, SessionRequest { inbox, kind }: SessionRequest, ctx: &mut Context<Self>) {
        let RequestKind::Command { n, command } = kind else { return inbox.answer(Answer::Mark) };
        let model = self.model();
        let is_known = |id| model.entry(id).is_some();
        match self.state.decide(&command, &*model, &self.rules, is_known) {
            Ok(events) => {
                self.happen(events, ctx);
                self.acknowledge_when_saved(PendingAck::Answer(inbox, n));
            }
            Err(error) => inbox.answer(Answer::Command { n, outcome: Err(error) }),
        }
    }

    /// Applies events, sends the result at once, and saves it as soon as `SESSION_SAVE_EVERY_MS` allows.
    pub(super) fn happen(&mut self, events: Vec<SessionEvent>, ctx: &mut Context<Self>) {
        if events.is_empty() {
            return;
        }
        for event in events {
            self.state.apply(&event);
            self.saving.note(event, &self.state);
        }
        self.pass(Moment::Taken);
        self.registry.subscribe(self.owner, &self.state);
        self.send_changes();
        self.pass(Moment::Written);
        self.save(ctx);
    }

    /// Sends each connection what changed since the last send.
    pub(super) fn send_changes(&mut self) {
        self.last_sent.last = Some(Instant::now());
        let model = self.model();
        let inboxes = self.inboxes.borrow();
        let langs =
            Lang::ALL.into_iter().filter(|lang| inboxes.iter().any(|inbox| inbox.lang() == *lang && !inbox.is_gone()));
        for lang in langs {
            let info = ticket_info(&self.state.ticket, &model, &self.rules, lang);
            if self.last_sent.ticket[lang].as_deref() == Some(&info) {
                continue;
            }
            let info = Arc::new(info);
            inboxes.iter().filter(|inbox| inbox.lang() == lang).for_each(|inbox| inbox.send_ticket(Arc::clone(&info)));
            self.last_sent.ticket[lang] = Some(info);
        }
        let is_sent = |sent: &Arc<[MatchId]>| sent.iter().copied().eq(self.state.favourites.iter());
        if !self.last_sent.favourites.as_ref().is_some_and(is_sent) {
            let favourites: Arc<[MatchId]> = self.state.favourites.iter().collect();
            inboxes.iter().for_each(|inbox| inbox.send_favourites(Arc::clone(&favourites)));
            self.last_sent.favourites = Some(favourites);
        }
    }

    /// Sends everything to a connection that has just joined.
    pub(super) fn send_everything_to(&mut self, inbox: &SessionInbox) {
        // The last sent ticket is kept only for languages with a connection, so it may be stale for this one.
        self.send_changes();
        if let Some(info) = &self.last_sent.ticket[inbox.lang()] {
            inbox.send_ticket(Arc::clone(info));
        }
        if let Some(favourites) = &self.last_sent.favourites {
            inbox.send_favourites(Arc::clone(favourites));
        }
    }

    /// Sends after a short wait, so that the prices of one feed message go out together (`GATHER_MS_MIN` to
    /// `GATHER_MS_MAX`).
    fn send_changes_soon(&mut self, ctx: &mut Context<Self>) {
        if std::mem::replace(&mut self.last_sent.is_armed, true) {
            return;
        }
        let since = self.last_sent.last.map_or(Duration::MAX, |last| last.elapsed());
        let gathered = Duration::from_millis(GATHER_MS_MAX).saturating_sub(since);
        ctx.run_later(gathered.max(Duration::from_millis(GATHER_MS_MIN)), |session, _| {
            session.last_sent.is_armed = false;
            session.send_changes();
        });
    }

    /// Handles all pending events.
    fn handle_pending_events(&mut self, ctx: &mut Context<Self>) {
        let news = std::mem::take(&mut *self.news.borrow_mut());
        self.pass(Moment::Taken);
        self.saving.is_stale |= news.is_saved_elsewhere;
        if self.waiting_for_load.is_some() {
            // `loaded` sends everything, with the offer as it is then.
            return self.joined.extend(news.joined);
        }
        if !news.left.is_empty() {
            // The match may be moving to another sport: wait until that is over.
            let wait = Duration::from_millis(MATCH_MOVES_MS_MAX);
            ctx.run_later(wait, |session, ctx| session.let_go(news.left, ctx));
        }
        if news.feed {
            self.remove_all_missing_matches(ctx);
        }
        if news.feed || news.urgent {
            self.send_changes();
        } else if news.changed {
            self.send_changes_soon(ctx);
        }
        // The bettor may come from another node, which has saved this session since the last load.
        let is_old = !news.joined.is_empty() && !std::mem::take(&mut self.is_preloaded);
        if is_old && self.saving.failures == 0 && self.registry.parts.shared_limits.has_other_nodes() {
            self.joined = news.joined;
            self.waiting_for_load = Some(Vec::new());
            if !self.saving.is_store_call_running {
                self.load(ctx);
            }
            return;
        }
        for inbox in &news.joined {
            self.send_everything_to(inbox);
        }
        if is_old {
            self.refresh(ctx);
        }
        self.refresh_if_stale(ctx);
    }

    /// Applies the removal of matches that are still missing from the offer.
    fn let_go(&mut self, left: BTreeSet<MatchId>, ctx: &mut Context<Self>) {
        let model = self.model();
        let gone: Vec<MatchId> = left.into_iter().filter(|id| model.entry(*id).is_none()).collect();
        // Read after the matches, because clearing an offer sets the feed inactive first. Pairs stay on the ticket
        // while the feed is inactive; the next offer decides which matches are gone.
        if model.feed() == FeedHealth::Inactive {
            return;
        }
        let events = gone.into_iter().flat_map(|id| self.state.match_left(id)).collect();
        self.happen(events, ctx);
    }

    /// After a whole offer was loaded: its missing matches are gone.
    pub(super) fn remove_all_missing_matches(&mut self, ctx: &mut Context<Self>) {
        let on_ticket = self.state.ticket.pairs.iter().map(|pair| pair.match_id);
        let held: BTreeSet<MatchId> = on_ticket.chain(self.state.favourites.iter()).collect();
        if self.registry.parts.model.feed() == FeedHealth::Active {
            self.let_go(held, ctx);
        }
    }

    /// Stops the session when it has been without connections for long enough.
    fn sweep(&mut self, ctx: &mut Context<Self>) {
        self.inboxes.borrow_mut().retain(|inbox| !inbox.is_gone());
        if !self.inboxes.borrow().is_empty() || self.waiting_for_load.is_some() {
            self.without_connections_since = None;
            return;
        }
        let alone = self.without_connections_since.get_or_insert_with(Instant::now).elapsed();
        if self.saving.is_done() && alone >= Duration::from_millis(SESSION_IDLE_MS) {
            self.leave(ctx);
        } else if alone >= Duration::from_millis(SESSION_UNSAVED_MS_MAX) {
            tracing::error!("a session that could not be saved is given up");
            self.leave(ctx);
        }
    }

    pub(super) fn give_up(&mut self, answer: oneshot::Sender<SessionState>, ctx: &mut Context<Self>) {
        self.inboxes.borrow().iter().for_each(|inbox| inbox.end());
        // The caller deletes the stored session, so a state that this version cannot read fully is not handed over.
        if !self.saving.is_newer {
            // A send fails only if the caller is gone.
            drop(answer.send(self.state.clone()));
        }
        self.leave(ctx);
    }

    pub(super) fn merge_in(&mut self, state: SessionState, answer: oneshot::Sender<()>, ctx: &mut Context<Self>) {
        self.happen(vec![SessionEvent::LoggedIn(Box::new(state))], ctx);
        // `is_newer`: this session is kept in memory only. Dropping `answer` makes the caller keep the other
        // session.
        if !self.saving.is_newer {
            self.acknowledge_when_saved(PendingAck::TakenIn(answer));
        }
    }

    fn leave(&mut self, ctx: &mut Context<Self>) {
        self.registry.leave(self.owner);
        if let Some(asked) = self.asked_to_stop.take() {
            // Fails only if the registry no longer waits.
            let _ = asked.send(());
        }
        ctx.stop();
    }
}

impl Actor for SessionActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(Duration::from_millis(SESSION_SWEEP_MS), |session, ctx| session.sweep(ctx));
        match self.saved.take() {
            Some(saved) => self.loaded(Ok(Some(saved)), ctx),
            None => self.load(ctx),
        }
        if self.replaces_panicked {
            // A save of the previous actor may reach the store after this load, up to `SESSION_STORE_MS_MAX` later.
            let wait = Duration::from_millis(SESSION_STORE_MS_MAX);
            ctx.run_later(wait, |session, ctx| session.refresh(ctx));
        }
    }
}

impl Handler<SessionRequest> for SessionActor {
    type Result = ();

    fn handle(&mut self, request: SessionRequest, ctx: &mut Self::Context) {
        self.pass(Moment::Before);
        self.handle_pending_events(ctx);
        match &mut self.waiting_for_load {
            Some(waiting) => waiting.push(Waiting::SessionRequest(request)),
            None => self.execute(request, ctx),
        }
        self.pass(Moment::After);
    }
}

impl Handler<WakeUp> for SessionActor {
    type Result = ();

    fn handle(&mut self, _: WakeUp, ctx: &mut Self::Context) {
        self.pass(Moment::Before);
        self.handle_pending_events(ctx);
        self.pass(Moment::After);
    }
}

impl Handler<HandOver> for SessionActor {
    type Result = ResponseFuture<Option<SessionState>>;

    fn handle(&mut self, _: HandOver, ctx: &mut Self::Context) -> Self::Result {
        self.pass(Moment::Before);
        let (answer, given) = oneshot::channel();
        match &mut self.waiting_for_load {
            Some(waiting) => waiting.push(Waiting::HandOver(answer)),
            None => {
                // Another node may have saved the session since the last load. A running save begins the load.
                self.waiting_for_load = Some(vec![Waiting::HandOver(answer)]);
                if !self.saving.is_store_call_running {
                    self.load(ctx);
                }
            }
        }
        Box::pin(async { given.await.ok() })
    }
}

impl Handler<MergeIn> for SessionActor {
    type Result = ResponseFuture<bool>;

    fn handle(&mut self, MergeIn(state): MergeIn, ctx: &mut Self::Context) -> Self::Result {
        self.pass(Moment::Before);
        let (answer, taken) = oneshot::channel();
        match &mut self.waiting_for_load {
            Some(waiting) => waiting.push(Waiting::MergeIn(state, answer)),
            None => self.merge_in(state, answer, ctx),
        }
        self.pass(Moment::After);
        Box::pin(async { taken.await.is_ok() })
    }
}

#[cfg(feature = "testkit")]
impl Handler<Panic> for SessionActor {
    type Result = ();

    fn handle(&mut self, _: Panic, _: &mut Self::Context) {
        panic!("a test asked for it");
    }
}
