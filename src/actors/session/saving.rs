//! How a session comes to be saved: at once after a quiet time, gathered in a busy one, again and again where the store
//! cannot be reached, and on top of what another node saved where that came first. The keeping half of the
//! [`SessionActor`]; nothing here tells a connection more than that its command is done.

use super::session_actor::{SessionActor, Waiting};
use super::tap::{Answer, Tap};
use crate::domain::limits::{
    SESSION_RETRY_MS, SESSION_RETRY_MS_MAX, SESSION_SAVE_EVERY_MS, SESSION_UNSAVED_EVENTS_MAX,
};
use crate::domain::session_state::{SessionEvent, SessionState};
use crate::store::{SavedSession, SessionSaved, StoreError};
use crate::wire::session::{decode, encode};
use actix::fut::wrap_future;
use actix::{ActorFutureExt, AsyncContext, Context};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// How far the store has what happened.
#[derive(Default)]
pub(super) struct Saving {
    /// The version that the store had last; 0: nothing.
    pub(super) version: u64,
    /// The store has a session that a newer program saved: it cannot be read here and must not be saved over. What
    /// happens on this node is kept in memory alone.
    pub(super) is_newer: bool,
    /// Counts what happened.
    pub(super) events: u64,
    /// What happened and is not saved, each with its count.
    pub(super) unsaved: VecDeque<(u64, SessionEvent)>,
    /// Who waits until something is saved, each with the count.
    pub(super) owed: VecDeque<(u64, Owed)>,
    /// The store is being spoken to.
    pub(super) is_busy: bool,
    /// A timer for the next saving runs.
    pub(super) is_armed: bool,
    pub(super) last: Option<Instant>,
    /// Failures in a row.
    pub(super) failures: u32,
}

/// Who waits.
pub(super) enum Owed {
    /// A connection for the acknowledgement of its command.
    Answer(Arc<Tap>, u64),
    /// Whoever brought a session in.
    TakenIn(oneshot::Sender<()>),
}

impl Saving {
    /// Notes what happened.
    pub(super) fn note(&mut self, event: SessionEvent, state: &SessionState) {
        self.events += 1;
        self.unsaved.push_back((self.events, event));
        if self.unsaved.len() > SESSION_UNSAVED_EVENTS_MAX {
            let whole = SessionEvent::Became(Box::new(state.clone()));
            self.unsaved = VecDeque::from([(self.events, whole)]);
        }
    }

    /// Whether the store has all there is.
    pub(super) fn is_done(&self) -> bool {
        self.unsaved.is_empty() && !self.is_busy
    }
}

impl SessionActor {
    pub(super) fn load(&mut self, ctx: &mut Context<Self>) {
        self.saving.is_busy = true;
        let load = wrap_future(self.desk.store().load(self.owner));
        ctx.spawn(load.map(|answer, session: &mut SessionActor, ctx| session.loaded(answer, ctx)));
    }

    pub(super) fn refresh(&mut self, ctx: &mut Context<Self>) {
        if !self.saving.is_busy && self.saving.unsaved.is_empty() && self.saving.failures == 0 {
            self.load(ctx);
        }
    }

    pub(super) fn loaded(&mut self, answer: Result<Option<SavedSession>, StoreError>, ctx: &mut Context<Self>) {
        self.saving.is_busy = false;
        match answer {
            Ok(saved) => {
                self.succeeded();
                self.adopt(saved);
            }
            Err(error) => self.failed(&error, ctx),
        }
        let waiting = self.before_loaded.take();
        self.let_go_of_all_that_left(ctx);
        self.tell();
        for waiting in waiting.into_iter().flatten() {
            match waiting {
                Waiting::Say(say) => self.obey(say, ctx),
                // What is saved is not known, so there is nothing to give.
                Waiting::GiveUp(answer) if self.saving.failures > 0 || self.saving.is_newer => drop(answer),
                Waiting::GiveUp(answer) => return self.give_up(answer, ctx),
                Waiting::TakeIn(state, answer) => self.take_in(state, answer, ctx),
            }
        }
        self.save(ctx);
    }

    /// Stands on what the store has, with what happened here since on top.
    pub(super) fn adopt(&mut self, saved: Option<SavedSession>) {
        let (version, bytes) = saved.map_or((0, None), |saved| (saved.version, Some(saved.bytes)));
        if version == self.saving.version {
            return;
        }
        self.saving.version = version;
        let read = bytes.map(|bytes| decode(&bytes)).transpose();
        self.saving.is_newer = read.as_ref().is_err_and(|unreadable| unreadable.is_newer());
        if self.saving.is_newer {
            metrics::counter!("kvota_sessions_newer_total").increment(1);
            tracing::warn!("a saved session is of a newer version: changes on this node are not saved");
            return;
        }
        let read = read.unwrap_or_else(|unreadable| {
            metrics::counter!("kvota_sessions_unreadable_total").increment(1);
            tracing::error!(%unreadable, "a saved session cannot be read and begins anew: {unreadable}");
            None
        });
        self.state = read.unwrap_or_else(|| SessionState::empty(&self.rules));
        self.state.replay(self.saving.unsaved.iter().map(|(_, event)| event), &self.rules);
        self.desk.hold(self.owner, &self.state);
    }

    /// Saves what is not saved: at once after a quiet time, else with what follows.
    pub(super) fn save(&mut self, ctx: &mut Context<Self>) {
        if self.saving.is_newer {
            self.saving.unsaved.clear();
            return self.pay(self.saving.events);
        }
        let saving = &mut self.saving;
        if saving.unsaved.is_empty() || saving.is_busy || saving.is_armed || self.before_loaded.is_some() {
            return;
        }
        let since = saving.last.map_or(Duration::MAX, |last| last.elapsed());
        let wait = Duration::from_millis(SESSION_SAVE_EVERY_MS).saturating_sub(since);
        if !wait.is_zero() {
            return self.ask_again_after(wait, ctx);
        }
        saving.is_busy = true;
        saving.last = Some(Instant::now());
        let (upto, expected) = (saving.events, saving.version);
        let (bytes, now_ms) = (encode(&self.state), (self.desk.parts.now_ms)());
        let save = wrap_future(self.desk.store().save(self.owner, expected, bytes, now_ms));
        ctx.spawn(save.map(move |answer, session: &mut SessionActor, ctx| session.saved(answer, upto, ctx)));
    }

    pub(super) fn saved(&mut self, answer: Result<SessionSaved, StoreError>, upto: u64, ctx: &mut Context<Self>) {
        self.saving.is_busy = false;
        match answer {
            Ok(SessionSaved::Saved(version)) => {
                count_saving("saved");
                self.succeeded();
                self.saving.version = version;
                self.saving.unsaved.retain(|(count, _)| *count > upto);
                self.pay(upto);
            }
            Ok(SessionSaved::Conflict(theirs)) => {
                count_saving("conflict");
                self.succeeded();
                match theirs {
                    Some(theirs) => self.adopt(Some(theirs)),
                    // Forgotten meanwhile: what is here is all there is.
                    None => self.saving.version = 0,
                }
                self.let_go_of_all_that_left(ctx);
                self.tell();
                // Whoever waits has waited for long enough.
                self.saving.last = None;
            }
            Err(error) => self.failed(&error, ctx),
        }
        self.save(ctx);
    }

    pub(super) fn succeeded(&mut self) {
        self.saving.failures = 0;
        self.desk.note_store(None);
    }

    /// The store cannot be reached: who waits is answered, for what happened is kept here, and it is tried again.
    pub(super) fn failed(&mut self, error: &StoreError, ctx: &mut Context<Self>) {
        count_saving("failed");
        self.desk.note_store(Some(error));
        let doubled = SESSION_RETRY_MS << self.saving.failures.min(8);
        self.saving.failures = self.saving.failures.saturating_add(1);
        self.pay(self.saving.events);
        self.ask_again_after(Duration::from_millis(doubled.min(SESSION_RETRY_MS_MAX)), ctx);
    }

    pub(super) fn ask_again_after(&mut self, wait: Duration, ctx: &mut Context<Self>) {
        if std::mem::replace(&mut self.saving.is_armed, true) {
            return;
        }
        ctx.run_later(wait, |session, ctx| {
            session.saving.is_armed = false;
            if session.saving.unsaved.is_empty() && session.saving.failures > 0 && !session.saving.is_busy {
                session.load(ctx);
            } else {
                session.save(ctx);
            }
        });
    }

    /// Someone waits for what just happened to be saved.
    pub(super) fn owe(&mut self, owed: Owed) {
        self.saving.owed.push_back((self.saving.events, owed));
        if self.saving.unsaved.is_empty() || self.saving.failures > 0 {
            self.pay(self.saving.events);
        }
    }

    pub(super) fn pay(&mut self, upto: u64) {
        while let Some((_, owed)) = self.saving.owed.pop_front_if(|(count, _)| *count <= upto) {
            match owed {
                Owed::Answer(tap, n) => tap.answer(Answer::Command { n, outcome: Ok(()) }),
                // Whoever gave up waiting needs no answer.
                Owed::TakenIn(answer) => drop(answer.send(())),
            }
        }
    }
}

fn count_saving(outcome: &'static str) {
    metrics::counter!("kvota_session_savings_total", "outcome" => outcome).increment(1);
}
