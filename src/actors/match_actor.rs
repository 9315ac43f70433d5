//! MatchActor: one match of the offer, in all languages.
//!
//! - Owns the state of the match ([`MatchState`]).
//! - Handles [`InsertMatch`], [`UpdateMatch`], [`ApplyMatchTexts`] (texts of another language), [`ResplitMarkets`] (the
//!   columns of the sport changed) and [`RemoveMatch`], all sent by its SportActor.
//! - Writes the read model before it publishes a change, so that a query after the change sees at least that change.
//! - Must not decide whether the match is in the offer: its SportActor does.
//! - Limit: the SportActor waits for the answer to each command, so the mailbox holds at most one.
//! - Failure: after a panic its SportActor starts a new MatchActor from the read model and repeats the command. An update
//!   that the former actor had taken and not applied is lost: the match takes no bets until its next update.

use super::fail_point::{Moment, Point};
use super::messages::offer::{
    ApplyMatchTexts, InsertMatch, Publish, RemoveMatch, ResplitMarkets, UpdateLost, UpdateMatch,
};
use super::messages::pending_update::Taken;
use super::offer_context::OfferContext;
use actix::{Actor, ActorContext, Context, Handler};
use kvota_domain::aggregate::MatchState;
use kvota_domain::delta::MatchDelta;
use kvota_domain::ids::MatchId;
use kvota_domain::offer_event::OfferEvent;
use std::sync::Arc;

/// One match of the offer. See the head of this file.
#[derive(Debug)]
pub struct MatchActor {
    id: MatchId,
    /// `None` before [`InsertMatch`].
    state: Option<Arc<MatchState>>,
    offer: OfferContext,
}

/// Returns the state of the match, for tests.
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "MatchObserved")]
pub struct ObserveMatch;

/// See [`ObserveMatch`].
#[derive(Clone, Debug, actix::MessageResponse)]
pub struct MatchObserved {
    /// The match; `None` before it is inserted.
    pub state: Option<Arc<MatchState>>,
}

impl MatchActor {
    /// The actor of a match that [`InsertMatch`] adds to the offer.
    pub fn new(id: MatchId, offer: OfferContext) -> MatchActor {
        MatchActor { id, state: None, offer }
    }

    /// The actor of a match of the offer after a panic of the former one, with the last published state.
    pub fn restarted(state: Arc<MatchState>, offer: OfferContext) -> MatchActor {
        MatchActor { id: state.live_match.id, state: Some(state), offer }
    }

    /// Closes a match, because its last update could not be applied: it takes no bets until an update succeeds. Returns
    /// the new actor; `None` if the read model has no such match.
    pub(super) fn suspended(offer: &OfferContext, id: MatchId) -> Option<MatchActor> {
        let before = Arc::clone(&offer.model.entry(id)?.state);
        // The actor may have died after it wrote another line and before it noted that.
        offer.model.note_moved_line(id);
        if !before.is_trusted {
            return Some(MatchActor::restarted(before, offer.clone()));
        }
        let (state, delta) = before.suspended();
        let (after, delta) = (Arc::new(state), Box::new(delta));
        offer.model.put_match(Arc::clone(&after));
        let date_ms = offer.model.feed_date_ms();
        let actor = MatchActor::restarted(Arc::clone(&after), offer.clone());
        offer.bus.publish(vec![OfferEvent::MatchChanged { before, after, delta, date_ms }]);
        Some(actor)
    }

    /// Removes a match from the offer. May be repeated.
    pub(super) fn remove(offer: &OfferContext, state: &MatchState, announce: Publish, amid: impl FnOnce()) {
        let live_match = &state.live_match;
        // Revisions keep increasing when a match with this id is inserted again.
        offer.revisions.pass(state.row_revision.max(state.detail_revision));
        offer.model.remove_match(live_match.id);
        amid();
        if announce == Publish::Each {
            offer.bus.publish(vec![OfferEvent::MatchRemoved { sport: live_match.sport_id, id: live_match.id }]);
        }
    }

    fn pass(&self, moment: Moment) {
        self.offer.fail_points.pass(Point::Match(self.id), moment);
    }

    /// Writes the new state to the read model and then publishes what changed.
    fn change_state(&mut self, before: Arc<MatchState>, state: MatchState, delta: MatchDelta, date_ms: i64) {
        let after = Arc::new(state);
        self.state = Some(Arc::clone(&after));
        self.offer.model.put_match(Arc::clone(&after));
        self.pass(Moment::Written);
        self.offer.model.record_prices(&before, &after, date_ms);
        if !delta.is_empty() {
            let delta = Box::new(delta);
            self.offer.bus.publish(vec![OfferEvent::MatchChanged { before, after, delta, date_ms }]);
        }
    }
}

impl Actor for MatchActor {
    type Context = Context<Self>;
}

impl Handler<InsertMatch> for MatchActor {
    type Result = ();

    fn handle(&mut self, command: InsertMatch, _: &mut Self::Context) {
        self.pass(Moment::Before);
        let InsertMatch { update, date_ms, preferred, texts, announce } = command;
        let revision = self.offer.revisions.first();
        // Reading leaves the update where it is, so that the command can be repeated.
        let state = update.read(|update| MatchState::inserted(update, date_ms, &preferred, texts, revision));
        let Some(state) = state.map(Arc::new) else {
            // The former actor inserted the match and died afterwards.
            self.state = self.offer.model.entry(self.id).map(|entry| Arc::clone(&entry.state));
            return;
        };
        self.state = Some(Arc::clone(&state));
        self.offer.model.put_match(Arc::clone(&state));
        self.pass(Moment::Written);
        if announce == Publish::Each {
            self.offer.bus.publish(vec![OfferEvent::MatchInserted { state, date_ms }]);
        }
        update.applied();
        self.pass(Moment::After);
    }
}

impl Handler<UpdateMatch> for MatchActor {
    type Result = Result<(), UpdateLost>;

    fn handle(&mut self, command: UpdateMatch, _: &mut Self::Context) -> Self::Result {
        self.pass(Moment::Before);
        let Some(before) = self.state.clone() else { return Err(UpdateLost) };
        let update = match command.update.take() {
            Taken::Update(update) => *update,
            Taken::Applied => return Ok(()),
            Taken::Lost => return Err(UpdateLost),
        };
        self.pass(Moment::Taken);
        let (state, delta) = before.updated(update, command.date_ms, &command.preferred);
        let moved_lines = delta.moved_lines;
        self.change_state(before, state, delta, command.date_ms);
        if moved_lines > 0 {
            metrics::counter!("kvota_feed_moved_lines_total").increment(moved_lines as u64);
            let match_id = self.id.get();
            tracing::debug!(
                match_id,
                moved_lines,
                "the producer changed the line of markets without changing their ids"
            );
            self.offer.model.note_moved_line(self.id);
        }
        command.update.applied();
        self.pass(Moment::After);
        Ok(())
    }
}

impl Handler<ResplitMarkets> for MatchActor {
    type Result = ();

    fn handle(&mut self, command: ResplitMarkets, _: &mut Self::Context) {
        self.pass(Moment::Before);
        let Some(before) = self.state.clone() else { return };
        let (state, delta) = before.resplit(&command.preferred);
        let date_ms = self.offer.model.feed_date_ms();
        self.change_state(before, state, delta, date_ms);
        self.pass(Moment::After);
    }
}

impl Handler<ApplyMatchTexts> for MatchActor {
    type Result = ();

    /// Clients of the language receive the whole match. All others receive an empty change, so that all clients have
    /// the same revision. Texts of markets that are not in the offer yet are kept and not published.
    fn handle(&mut self, command: ApplyMatchTexts, _: &mut Self::Context) {
        self.pass(Moment::Before);
        let Some(before) = self.state.clone() else { return };
        let with_texts = command.update.read(|update| before.with_texts(command.lang, update)).flatten();
        let Some(after) = with_texts.map(Arc::new) else { return };
        self.state = Some(Arc::clone(&after));
        self.offer.model.put_match(Arc::clone(&after));
        self.pass(Moment::Written);
        if after.row_revision != before.row_revision {
            let date_ms = command.date_ms.max(self.offer.model.feed_date_ms());
            let lang = command.lang;
            self.offer.bus.publish(vec![OfferEvent::MatchTextsChanged { before, after, lang, date_ms }]);
        }
        self.pass(Moment::After);
    }
}

impl Handler<RemoveMatch> for MatchActor {
    type Result = ();

    fn handle(&mut self, command: RemoveMatch, ctx: &mut Self::Context) {
        self.pass(Moment::Before);
        if let Some(state) = &self.state {
            MatchActor::remove(&self.offer, state, command.announce, || self.pass(Moment::Written));
        }
        self.pass(Moment::After);
        ctx.stop();
    }
}

impl Handler<ObserveMatch> for MatchActor {
    type Result = MatchObserved;

    fn handle(&mut self, _: ObserveMatch, _: &mut Self::Context) -> MatchObserved {
        MatchObserved { state: self.state.clone() }
    }
}
