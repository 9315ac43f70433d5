//! How the [`SessionActor`] loads and saves its state.
//!
//! - Saves at once after a quiet time, else at most every `SESSION_SAVE_EVERY_MS`.
//! - A failed save is retried with backoff; until then pending acknowledgements are sent and changes stay in memory.
//! - A conflict means that another node saved first: its state is loaded and the unsaved events are replayed on it.
//!
//! Sends nothing to connections but acknowledgements and the ticket after a load or a conflict.

use super::inbox::{Answer, SessionInbox};
use super::session_actor::{SessionActor, Waiting};
use crate::actors::limits::{
    SESSION_RETRY_MS, SESSION_RETRY_MS_MAX, SESSION_SAVE_EVERY_MS, SESSION_UNSAVED_EVENTS_MAX,
};
use actix::fut::wrap_future;
use actix::{ActorFutureExt, AsyncContext, Context};
use kvota_domain::session_state::{SessionEvent, SessionState};
use kvota_store::nodes::{Change, SessionKey};
use kvota_store::{SavedSession, SessionSaved, StoreError};
use kvota_wire::session::{decode, encode};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// The progress of saving: unsaved events, and acknowledgements that wait for them.
#[derive(Default)]
pub(super) struct SaveProgress {
    /// The version of the stored state that was last seen; 0 means nothing is stored.
    pub(super) version: u64,
    /// The stored state was written by a newer version of the program. It cannot be read here and must not be
    /// overwritten, so changes on this node stay in memory only.
    pub(super) is_newer: bool,
    /// The number of events so far.
    pub(super) events: u64,
    /// Events that are not saved, each with its number.
    pub(super) unsaved: VecDeque<(u64, SessionEvent)>,
    /// Pending acknowledgements, each with the number of the event that must be saved first.
    pub(super) owed: VecDeque<(u64, PendingAck)>,
    /// A load or a save is running.
    pub(super) is_store_call_running: bool,
    /// A timer for the next save or load is running.
    pub(super) is_armed: bool,
    pub(super) last: Option<Instant>,
    /// Consecutive failures of the store.
    pub(super) failures: u32,
    /// Another node saved the session after the last load began.
    pub(super) is_stale: bool,
}

/// A pending acknowledgement.
pub(super) enum PendingAck {
    /// To a connection, with the sequence number of its command.
    Answer(Arc<SessionInbox>, u64),
    /// To the login that merged another session into this one.
    TakenIn(oneshot::Sender<()>),
}

impl SaveProgress {
    /// Adds an unsaved event. Beyond `SESSION_UNSAVED_EVENTS_MAX` the events are replaced by the whole state.
    pub(super) fn note(&mut self, event: SessionEvent, state: &SessionState) {
        self.events += 1;
        self.unsaved.push_back((self.events, event));
        if self.unsaved.len() > SESSION_UNSAVED_EVENTS_MAX {
            let whole = SessionEvent::Became(Box::new(state.clone()));
            self.unsaved = VecDeque::from([(self.events, whole)]);
        }
    }

    /// Whether everything is saved.
    pub(super) fn is_done(&self) -> bool {
        self.unsaved.is_empty() && !self.is_store_call_running
    }
}

impl SessionActor {
    pub(super) fn load(&mut self, ctx: &mut Context<Self>) {
        self.saving.is_store_call_running = true;
        self.saving.is_stale = false;
        let load = wrap_future(self.registry.store().load(self.owner));
        ctx.spawn(load.map(|answer, session: &mut SessionActor, ctx| session.loaded(answer, ctx)));
    }

    pub(super) fn refresh(&mut self, ctx: &mut Context<Self>) {
        if !self.saving.is_store_call_running && self.saving.unsaved.is_empty() && self.saving.failures == 0 {
            self.load(ctx);
        }
    }

    /// Loads what another node saved. Unsaved events are saved first: the conflict brings the same.
    pub(super) fn refresh_if_stale(&mut self, ctx: &mut Context<Self>) {
        if self.saving.is_stale && self.waiting_for_load.is_none() {
            self.refresh(ctx);
        }
    }

    pub(super) fn loaded(&mut self, answer: Result<Option<SavedSession>, StoreError>, ctx: &mut Context<Self>) {
        self.saving.is_store_call_running = false;
        match answer {
            Ok(saved) => {
                self.store_succeeded();
                self.rebase_on(saved);
            }
            Err(error) => self.failed(&error, ctx),
        }
        let waiting = self.waiting_for_load.take();
        self.remove_all_missing_matches(ctx);
        self.send_changes();
        for inbox in std::mem::take(&mut self.joined) {
            self.send_everything_to(&inbox);
        }
        for waiting in waiting.into_iter().flatten() {
            match waiting {
                Waiting::SessionRequest(request) => self.execute(request, ctx),
                // The stored state is not known, so it cannot be handed over.
                Waiting::HandOver(answer) if self.saving.failures > 0 || self.saving.is_newer => drop(answer),
                Waiting::HandOver(answer) => return self.give_up(answer, ctx),
                Waiting::MergeIn(state, answer) => self.merge_in(state, answer, ctx),
            }
        }
        self.save(ctx);
        self.refresh_if_stale(ctx);
    }

    /// Takes over the stored state and replays the unsaved events on it.
    pub(super) fn rebase_on(&mut self, saved: Option<SavedSession>) {
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
        self.registry.subscribe(self.owner, &self.state);
    }

    /// Saves unsaved events: now, or when `SESSION_SAVE_EVERY_MS` has passed since the last save.
    pub(super) fn save(&mut self, ctx: &mut Context<Self>) {
        if self.saving.is_newer {
            self.saving.unsaved.clear();
            return self.pay(self.saving.events);
        }
        let saving = &mut self.saving;
        if saving.unsaved.is_empty()
            || saving.is_store_call_running
            || saving.is_armed
            || self.waiting_for_load.is_some()
        {
            return;
        }
        let since = saving.last.map_or(Duration::MAX, |last| last.elapsed());
        let wait = Duration::from_millis(SESSION_SAVE_EVERY_MS).saturating_sub(since);
        if !wait.is_zero() {
            return self.retry_store_after(wait, ctx);
        }
        saving.is_store_call_running = true;
        saving.last = Some(Instant::now());
        let (upto, expected) = (saving.events, saving.version);
        let (bytes, now_ms) = (encode(&self.state), (self.registry.parts.now_ms)());
        let save = wrap_future(self.registry.store().save(self.owner, expected, bytes, now_ms));
        ctx.spawn(save.map(move |answer, session: &mut SessionActor, ctx| session.saved(answer, upto, ctx)));
    }

    pub(super) fn saved(&mut self, answer: Result<SessionSaved, StoreError>, upto: u64, ctx: &mut Context<Self>) {
        self.saving.is_store_call_running = false;
        match answer {
            Ok(SessionSaved::Saved(version)) => {
                count_save("saved");
                self.store_succeeded();
                self.saving.version = version;
                self.registry.parts.nodes.send(Change::Session(SessionKey::of_owner(self.owner)));
                self.saving.unsaved.retain(|(count, _)| *count > upto);
                self.pay(upto);
            }
            Ok(SessionSaved::Conflict(theirs)) => {
                count_save("conflict");
                self.store_succeeded();
                match theirs {
                    Some(theirs) => self.rebase_on(Some(theirs)),
                    // The stored session was deleted: save this state as a new one.
                    None => self.saving.version = 0,
                }
                self.remove_all_missing_matches(ctx);
                self.send_changes();
                // Save again at once, because commands are waiting for their acknowledgement.
                self.saving.last = None;
            }
            Err(error) => self.failed(&error, ctx),
        }
        if self.waiting_for_load.is_some() {
            return self.load(ctx);
        }
        self.save(ctx);
        self.refresh_if_stale(ctx);
    }

    pub(super) fn store_succeeded(&mut self) {
        self.saving.failures = 0;
        self.registry.log_store_health(None);
    }

    /// The store is unavailable: sends the pending acknowledgements, because the changes are kept in memory, and
    /// retries.
    pub(super) fn failed(&mut self, error: &StoreError, ctx: &mut Context<Self>) {
        count_save("failed");
        self.registry.log_store_health(Some(error));
        let doubled = SESSION_RETRY_MS << self.saving.failures.min(8);
        self.saving.failures = self.saving.failures.saturating_add(1);
        self.pay(self.saving.events);
        self.retry_store_after(Duration::from_millis(doubled.min(SESSION_RETRY_MS_MAX)), ctx);
    }

    pub(super) fn retry_store_after(&mut self, wait: Duration, ctx: &mut Context<Self>) {
        if std::mem::replace(&mut self.saving.is_armed, true) {
            return;
        }
        ctx.run_later(wait, |session, ctx| {
            session.saving.is_armed = false;
            if session.saving.unsaved.is_empty() && session.saving.failures > 0 && !session.saving.is_store_call_running
            {
                session.load(ctx);
            } else {
                session.save(ctx);
            }
        });
    }

    /// Adds a pending acknowledgement for the latest event. Sent at once if all is saved or the store is unavailable.
    pub(super) fn acknowledge_when_saved(&mut self, owed: PendingAck) {
        self.saving.owed.push_back((self.saving.events, owed));
        if self.saving.unsaved.is_empty() || self.saving.failures > 0 {
            self.pay(self.saving.events);
        }
    }

    pub(super) fn pay(&mut self, upto: u64) {
        while let Some((_, owed)) = self.saving.owed.pop_front_if(|(count, _)| *count <= upto) {
            match owed {
                PendingAck::Answer(inbox, n) => inbox.answer(Answer::Command { n, outcome: Ok(()) }),
                // A send fails only if the caller is gone.
                PendingAck::TakenIn(answer) => drop(answer.send(())),
            }
        }
    }
}

fn count_save(outcome: &'static str) {
    metrics::counter!("kvota_session_savings_total", "outcome" => outcome).increment(1);
}
