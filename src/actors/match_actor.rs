//! MatchActor: one match of the offer, in all languages.
//!
//! - Owns the state of the match ([`MatchState`]).
//! - Handles [`UpdateMatch`], [`ApplyMatchTexts`] (texts of another language), [`ResplitMarkets`] (the columns of the
//!   sport changed) and [`RemoveMatch`], all sent by its SportActor.
//! - Writes the read model before it publishes a change, so that a query after the change sees at least that change.
//! - Must not decide whether the match is in the offer: its SportActor does.
//! - Limit: the SportActor waits for the answer to each command, so the mailbox holds at most one.
//! - Failure: after a panic its SportActor starts a new MatchActor from the read model, which has the last published
//!   state.

use super::fail_point::Point;
use super::messages::offer::{ApplyMatchTexts, Publish, RemoveMatch, ResplitMarkets, UpdateMatch};
use super::offer::Offer;
use actix::{Actor, ActorContext, Context, Handler};
use kvota_domain::aggregate::MatchState;
use kvota_domain::delta::{MatchDelta, PartChange, PartDelta};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::offer_event::OfferEvent;
use std::sync::Arc;

/// One match of the offer. See the head of this file.
#[derive(Debug)]
pub struct MatchActor {
    state: Arc<MatchState>,
    offer: Offer,
    /// How `started` publishes a new match; `None` after a restart, because the match was published before.
    announce: Option<Publish>,
    /// The date of the feed message that inserted the match.
    date_ms: i64,
}

/// Returns the state of the match, for tests.
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "MatchObserved")]
pub struct ObserveMatch;

/// See [`ObserveMatch`].
#[derive(Clone, Debug, actix::MessageResponse)]
pub struct MatchObserved {
    /// The match.
    pub state: Arc<MatchState>,
}

impl MatchActor {
    /// A match that enters the offer. `date_ms` is the date of the feed message, ms since the epoch.
    pub fn inserted(state: MatchState, offer: Offer, date_ms: i64, announce: Publish) -> MatchActor {
        MatchActor { state: Arc::new(state), offer, announce: Some(announce), date_ms }
    }

    /// The actor of a match after a panic of the former one, with the last published state.
    pub fn restarted(state: Arc<MatchState>, offer: Offer) -> MatchActor {
        MatchActor { state, offer, announce: None, date_ms: 0 }
    }

    /// Like [`MatchActor::restarted`]. `None` if the read model has no such match.
    pub fn restarted_from(offer: &Offer, id: MatchId) -> Option<MatchActor> {
        let entry = offer.model.entry(id)?;
        Some(MatchActor::restarted(Arc::clone(&entry.state), offer.clone()))
    }

    /// Marks a match as not trusted because its last update could not be applied: it takes no bets until an update
    /// succeeds. Publishes an empty change, so that clients and sessions see the new state. Returns the new actor;
    /// `None` if the read model has no such match.
    pub(super) fn suspended(offer: &Offer, id: MatchId) -> Option<MatchActor> {
        let before = Arc::clone(&offer.model.entry(id)?.state);
        if !before.is_trusted {
            return Some(MatchActor::restarted(before, offer.clone()));
        }
        let state = Arc::new(before.suspended());
        offer.model.put_match(Arc::clone(&state));
        let actor = MatchActor::restarted(Arc::clone(&state), offer.clone());
        let row = Some(PartDelta::Change(PartChange::default()));
        let delta = Box::new(MatchDelta { row, urgent: true, ..MatchDelta::default() });
        let date_ms = offer.model.feed_date_ms();
        offer.bus.publish(vec![OfferEvent::MatchChanged { before, after: state, delta, date_ms }]);
        Some(actor)
    }

    fn id(&self) -> MatchId {
        self.state.live_match.id
    }

    fn sport(&self) -> SportId {
        self.state.live_match.sport_id
    }

    /// Writes the new state to the read model and then publishes what changed.
    fn change_state(&mut self, state: MatchState, delta: MatchDelta, date_ms: i64) {
        let before = std::mem::replace(&mut self.state, Arc::new(state));
        self.offer.model.put_match(Arc::clone(&self.state));
        self.offer.model.record_prices(&before, &self.state, date_ms);
        if !delta.is_empty() {
            let (after, delta) = (Arc::clone(&self.state), Box::new(delta));
            self.offer.bus.publish(vec![OfferEvent::MatchChanged { before, after, delta, date_ms }]);
        }
    }
}

impl Actor for MatchActor {
    type Context = Context<Self>;

    fn started(&mut self, _: &mut Self::Context) {
        let Some(announce) = self.announce.take() else { return };
        self.offer.model.put_match(Arc::clone(&self.state));
        if announce == Publish::Each {
            let event = OfferEvent::MatchInserted { state: Arc::clone(&self.state), date_ms: self.date_ms };
            self.offer.bus.publish(vec![event]);
        }
    }
}

impl Handler<UpdateMatch> for MatchActor {
    type Result = ();

    fn handle(&mut self, command: UpdateMatch, _: &mut Self::Context) {
        self.offer.fail_points.pass(Point::Match(self.id()));
        let Some(update) = command.update.take() else { return };
        let (state, delta) = self.state.updated(update, command.date_ms, &command.preferred);
        if delta.moved_lines > 0 {
            metrics::counter!("kvota_feed_moved_lines_total").increment(delta.moved_lines as u64);
            let (match_id, markets) = (self.id().get(), delta.moved_lines);
            tracing::debug!(match_id, markets, "the producer changed the line of markets without changing their ids");
        }
        let has_moved_line = delta.moved_lines > 0;
        self.change_state(state, delta, command.date_ms);
        if has_moved_line {
            self.offer.model.note_moved_line(self.id());
        }
    }
}

impl Handler<ResplitMarkets> for MatchActor {
    type Result = ();

    fn handle(&mut self, command: ResplitMarkets, _: &mut Self::Context) {
        let (state, delta) = self.state.resplit(&command.preferred);
        let date_ms = self.offer.model.feed_date_ms();
        self.change_state(state, delta, date_ms);
    }
}

impl Handler<ApplyMatchTexts> for MatchActor {
    type Result = ();

    /// Clients of the language receive the whole match. All others receive an empty change, so that all clients have
    /// the same revision. Texts of markets that are not in the offer yet are kept and not published.
    fn handle(&mut self, command: ApplyMatchTexts, _: &mut Self::Context) {
        let with_texts = command.update.read(|update| self.state.with_texts(command.lang, update)).flatten();
        let Some(state) = with_texts else { return };
        let before = std::mem::replace(&mut self.state, Arc::new(state));
        self.offer.model.put_match(Arc::clone(&self.state));
        if self.state.row_revision == before.row_revision {
            return;
        }
        let date_ms = command.date_ms.max(self.offer.model.feed_date_ms());
        let (after, lang) = (Arc::clone(&self.state), command.lang);
        self.offer.bus.publish(vec![OfferEvent::MatchTextsChanged { before, after, lang, date_ms }]);
    }
}

impl Handler<RemoveMatch> for MatchActor {
    type Result = ();

    fn handle(&mut self, command: RemoveMatch, ctx: &mut Self::Context) {
        self.offer.model.remove_match(self.id());
        // Revisions keep increasing when a match with this id is inserted again.
        self.offer.revisions.pass(self.state.row_revision.max(self.state.detail_revision));
        if command.announce == Publish::Each {
            self.offer.bus.publish(vec![OfferEvent::MatchRemoved { sport: self.sport(), id: self.id() }]);
        }
        ctx.stop();
    }
}

impl Handler<ObserveMatch> for MatchActor {
    type Result = MatchObserved;

    fn handle(&mut self, _: ObserveMatch, _: &mut Self::Context) -> MatchObserved {
        MatchObserved { state: Arc::clone(&self.state) }
    }
}
