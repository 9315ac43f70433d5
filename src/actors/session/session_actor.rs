//! SessionActor: one bettor.
//!
//! Owns ticket and favourites of an owner: an anonymous cookie, or an account on all of its devices. Is told commands by
//! connections ([`Say`]) and that there is news ([`Look`]): a connection that came in, a match it holds that changed.
//! Tells its connections through their taps, all of them after every change; saves through the store, and acknowledges
//! a command once that is done. A store that cannot be reached stops nobody: what happened is kept in memory,
//! acknowledged, and saved when the store is back.
//!
//! Bounded by its mailbox, by the favourites and pairs that the rules allow, and in life: without connections it leaves
//! after a minute, saved. When it dies its connections are ended and start it again from what was saved. Another node
//! with the same owner is found out when saving (the version is another): then what happened here is done again on
//! what is there.

use super::desk::{Desk, News, Taps};
use super::saving::{Owed, Saving};
use super::tap::{Answer, Tap};
use super::telling::ticket_info;
use crate::domain::ids::MatchId;
use crate::domain::lang::{Lang, PerLang};
use crate::domain::limits::{
    GATHER_MS_MAX, GATHER_MS_MIN, MATCH_MOVES_MS_MAX, SESSION_IDLE_MS, SESSION_STORE_MS_MAX, SESSION_SWEEP_MS,
    SESSION_UNSAVED_MS_MAX,
};
use crate::domain::session_state::{SessionCommand, SessionEvent, SessionState};
use crate::domain::ticket::{FeedHealth, OfferView, Rules};
use crate::read_model::ReadModel;
use crate::store::{SavedSession, SessionOwner};
use crate::wire::hub::ticket::TicketInfo;
use actix::{Actor, ActorContext, AsyncContext, Context, Handler, ResponseFuture};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// One bettor's session.
pub struct SessionActor {
    pub(super) owner: SessionOwner,
    pub(super) desk: Rc<Desk>,
    pub(super) rules: Rules,
    taps: Taps,
    news: Rc<RefCell<News>>,
    pub(super) state: SessionState,
    /// What came in before it was known what is saved; nothing once it is.
    pub(super) before_loaded: Option<Vec<Waiting>>,
    pub(super) saving: Saving,
    told: Telling,
    alone_since: Option<Instant>,
    /// What the store has, where it was asked before the session was started.
    saved: Option<SavedSession>,
    /// That was just now: the first connection need not have it read again.
    is_fresh: bool,
    /// The one before it died.
    pub(super) is_successor: bool,
    /// Told when it leaves; dropped without a word when it dies.
    asked_to_stop: Option<oneshot::Sender<()>>,
}

/// What the connections were told last.
#[derive(Default)]
struct Telling {
    ticket: PerLang<Option<Arc<TicketInfo>>>,
    favourites: Option<Arc<[MatchId]>>,
    is_armed: bool,
    last: Option<Instant>,
}

pub(super) enum Waiting {
    Say(Say),
    GiveUp(oneshot::Sender<SessionState>),
    TakeIn(SessionState, oneshot::Sender<()>),
}

/// A connection says something.
#[derive(actix::Message, Debug)]
#[rtype(result = "()")]
pub struct Say {
    /// Where the answer goes.
    pub tap: Arc<Tap>,
    /// What it says.
    pub said: Said,
}

/// See [`Say`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// A command: answered when it is done, told and saved.
    Command {
        /// The command's number.
        n: u64,
        /// What is to be done.
        command: SessionCommand,
    },
    /// Answered when what was said before is done and told.
    Mark,
}

/// There is news.
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
pub(super) struct Look;

/// Gives all that is kept into other hands, and ends.
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "Option<SessionState>")]
pub(super) struct GiveUp;

/// Takes in what another session gave up; answered when it is saved, with whether that was done.
#[derive(actix::Message, Debug)]
#[rtype(result = "bool")]
pub(super) struct TakeIn(pub(super) SessionState);

/// Lets the session panic.
#[cfg(feature = "testkit")]
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
pub(super) struct Panic;

impl SessionActor {
    /// A session that is to be found in the store; `saved` is what is there, where that is known.
    pub(super) fn new(
        desk: Rc<Desk>,
        owner: SessionOwner,
        taps: Taps,
        news: Rc<RefCell<News>>,
        asked_to_stop: oneshot::Sender<()>,
        saved: Option<SavedSession>,
    ) -> SessionActor {
        let rules = match owner {
            SessionOwner::Anonymous(_) => desk.parts.rules.anonymous(),
            SessionOwner::Account(_) => desk.parts.rules.clone(),
        };
        SessionActor {
            owner,
            state: SessionState::empty(&rules),
            desk,
            rules,
            taps,
            news,
            is_fresh: saved.is_some(),
            saved,
            before_loaded: Some(Vec::new()),
            saving: Saving::default(),
            told: Telling::default(),
            alone_since: None,
            is_successor: false,
            asked_to_stop: Some(asked_to_stop),
        }
    }

    fn model(&self) -> Arc<ReadModel> {
        Arc::clone(&self.desk.parts.model)
    }

    // What is done.

    pub(super) fn obey(&mut self, Say { tap, said }: Say, ctx: &mut Context<Self>) {
        let Said::Command { n, command } = said else { return tap.answer(Answer::Mark) };
        let model = self.model();
        let is_known = |id| model.entry(id).is_some();
        match self.state.decide(&command, &*model, &self.rules, is_known) {
            Ok(events) => {
                self.happen(events, ctx);
                self.owe(Owed::Answer(tap, n));
            }
            Err(error) => tap.answer(Answer::Command { n, outcome: Err(error) }),
        }
    }

    /// What happened is applied and told at once, and saved as soon as that may be.
    pub(super) fn happen(&mut self, events: Vec<SessionEvent>, ctx: &mut Context<Self>) {
        if events.is_empty() {
            return;
        }
        for event in events {
            self.state.apply(&event);
            self.saving.note(event, &self.state);
        }
        self.desk.hold(self.owner, &self.state);
        self.tell();
        self.save(ctx);
    }

    // What is told.

    /// Tells every connection what differs from what it was told last.
    pub(super) fn tell(&mut self) {
        self.told.last = Some(Instant::now());
        let model = self.model();
        let taps = self.taps.borrow();
        let langs = Lang::ALL.into_iter().filter(|lang| taps.iter().any(|tap| tap.lang() == *lang && !tap.is_gone()));
        for lang in langs {
            let info = ticket_info(&self.state.ticket, &model, &self.rules, lang);
            if self.told.ticket[lang].as_deref() == Some(&info) {
                continue;
            }
            let info = Arc::new(info);
            taps.iter().filter(|tap| tap.lang() == lang).for_each(|tap| tap.tell_ticket(Arc::clone(&info)));
            self.told.ticket[lang] = Some(info);
        }
        let is_told = |told: &Arc<[MatchId]>| told.iter().copied().eq(self.state.favourites.iter());
        if !self.told.favourites.as_ref().is_some_and(is_told) {
            let favourites: Arc<[MatchId]> = self.state.favourites.iter().collect();
            taps.iter().for_each(|tap| tap.tell_favourites(Arc::clone(&favourites)));
            self.told.favourites = Some(favourites);
        }
    }

    /// Tells a connection that came in everything.
    fn tell_whole(&mut self, tap: &Tap) {
        // In another language than all others, nothing was kept up to date.
        self.tell();
        if let Some(info) = &self.told.ticket[tap.lang()] {
            tap.tell_ticket(Arc::clone(info));
        }
        if let Some(favourites) = &self.told.favourites {
            tap.tell_favourites(Arc::clone(favourites));
        }
    }

    /// Prices wait for their companions, at most 50 ms.
    fn tell_soon(&mut self, ctx: &mut Context<Self>) {
        if std::mem::replace(&mut self.told.is_armed, true) {
            return;
        }
        let since = self.told.last.map_or(Duration::MAX, |last| last.elapsed());
        let gathered = Duration::from_millis(GATHER_MS_MAX).saturating_sub(since);
        ctx.run_later(gathered.max(Duration::from_millis(GATHER_MS_MIN)), |session, _| {
            session.told.is_armed = false;
            session.tell();
        });
    }

    // What is heard.

    /// Looks at what came in since the last time.
    fn look(&mut self, ctx: &mut Context<Self>) {
        let news = std::mem::take(&mut *self.news.borrow_mut());
        if self.before_loaded.is_some() {
            // Whoever came in is told when it is known what is saved, and of the offer as it is then.
            return;
        }
        if !news.left.is_empty() {
            // For good, or to come back in another sport.
            let wait = Duration::from_millis(MATCH_MOVES_MS_MAX);
            ctx.run_later(wait, |session, ctx| session.let_go(news.left, ctx));
        }
        if news.feed {
            self.let_go_of_all_that_left(ctx);
        }
        if news.feed || news.urgent {
            self.tell();
        } else if news.changed {
            self.tell_soon(ctx);
        }
        for tap in &news.joined {
            self.tell_whole(tap);
        }
        if !news.joined.is_empty() && !std::mem::take(&mut self.is_fresh) {
            // Another node may have saved since: whoever comes from there must find it.
            self.refresh(ctx);
        }
    }

    /// Lets go of the matches that did not come back.
    fn let_go(&mut self, left: BTreeSet<MatchId>, ctx: &mut Context<Self>) {
        let model = self.model();
        let gone: Vec<MatchId> = left.into_iter().filter(|id| model.entry(*id).is_none()).collect();
        // Asked after the matches: an offer that is being cleared says first that it is inactive. Its matches stay on
        // the ticket until the next offer does not have them.
        if model.feed() == FeedHealth::Inactive {
            return;
        }
        let events = gone.into_iter().flat_map(|id| self.state.match_left(id)).collect();
        self.happen(events, ctx);
    }

    /// A whole offer came in: what it does not have has left.
    pub(super) fn let_go_of_all_that_left(&mut self, ctx: &mut Context<Self>) {
        let on_ticket = self.state.ticket.pairs.iter().map(|pair| pair.match_id);
        let held: BTreeSet<MatchId> = on_ticket.chain(self.state.favourites.iter()).collect();
        if self.desk.parts.model.feed() == FeedHealth::Active {
            self.let_go(held, ctx);
        }
    }

    // How it ends.

    /// Looks whether it is still needed.
    fn sweep(&mut self, ctx: &mut Context<Self>) {
        self.taps.borrow_mut().retain(|tap| !tap.is_gone());
        if !self.taps.borrow().is_empty() || self.before_loaded.is_some() {
            self.alone_since = None;
            return;
        }
        let alone = self.alone_since.get_or_insert_with(Instant::now).elapsed();
        if self.saving.is_done() && alone >= Duration::from_millis(SESSION_IDLE_MS) {
            self.leave(ctx);
        } else if alone >= Duration::from_millis(SESSION_UNSAVED_MS_MAX) {
            tracing::error!("a session that could not be saved is given up");
            self.leave(ctx);
        }
    }

    pub(super) fn give_up(&mut self, answer: oneshot::Sender<SessionState>, ctx: &mut Context<Self>) {
        self.taps.borrow().iter().for_each(|tap| tap.end());
        // A session that is known in part alone is not given: who is given one deletes what the store has of it.
        if !self.saving.is_newer {
            // Whoever asked is gone where it cannot be told, and so is the session it had.
            drop(answer.send(self.state.clone()));
        }
        self.leave(ctx);
    }

    pub(super) fn take_in(&mut self, state: SessionState, answer: oneshot::Sender<()>, ctx: &mut Context<Self>) {
        self.happen(vec![SessionEvent::LoggedIn(Box::new(state))], ctx);
        // Where it is kept in memory alone, the other session must not be deleted: the dropped answer says so.
        if !self.saving.is_newer {
            self.owe(Owed::TakenIn(answer));
        }
    }

    fn leave(&mut self, ctx: &mut Context<Self>) {
        self.desk.leave(self.owner);
        if let Some(asked) = self.asked_to_stop.take() {
            // Where nobody waits for its end, nobody is told.
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
        if self.is_successor {
            // What the former one was just saving may arrive after this one has loaded; not later than this.
            let wait = Duration::from_millis(SESSION_STORE_MS_MAX);
            ctx.run_later(wait, |session, ctx| session.refresh(ctx));
        }
    }
}

impl Handler<Say> for SessionActor {
    type Result = ();

    fn handle(&mut self, say: Say, ctx: &mut Self::Context) {
        self.look(ctx);
        match &mut self.before_loaded {
            Some(waiting) => waiting.push(Waiting::Say(say)),
            None => self.obey(say, ctx),
        }
    }
}

impl Handler<Look> for SessionActor {
    type Result = ();

    fn handle(&mut self, _: Look, ctx: &mut Self::Context) {
        self.look(ctx);
    }
}

impl Handler<GiveUp> for SessionActor {
    type Result = ResponseFuture<Option<SessionState>>;

    fn handle(&mut self, _: GiveUp, ctx: &mut Self::Context) -> Self::Result {
        let (answer, given) = oneshot::channel();
        match &mut self.before_loaded {
            Some(waiting) => waiting.push(Waiting::GiveUp(answer)),
            None => self.give_up(answer, ctx),
        }
        Box::pin(async { given.await.ok() })
    }
}

impl Handler<TakeIn> for SessionActor {
    type Result = ResponseFuture<bool>;

    fn handle(&mut self, TakeIn(state): TakeIn, ctx: &mut Self::Context) -> Self::Result {
        let (answer, taken) = oneshot::channel();
        match &mut self.before_loaded {
            Some(waiting) => waiting.push(Waiting::TakeIn(state, answer)),
            None => self.take_in(state, answer, ctx),
        }
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
