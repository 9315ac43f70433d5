//! SportActor: one sport of the offer and its matches.
//!
//! - Owns the sport's name, order and columns in all languages, and the addresses of its MatchActors.
//! - Handles [`ApplyToSport`] (the primary language), [`ApplySportTexts`] (texts of another language),
//!   [`RemoveMatches`] (matches leave) and [`SuspendMatches`]. Each is answered when all of it is applied; the
//!   FeedActor waits for that.
//! - Publishes the sport when it appears, changes or is removed. Must not publish match events: the MatchActors do.
//! - Memory: grows with the matches in the feed, and with the pending texts of matches that the primary language has
//!   not sent.
//! - Failure: after a panic `sports.rs` starts a new SportActor. It reads the sport and its matches from the read
//!   model, and the pending texts from [`PendingTexts`](super::pending_texts::PendingTexts), which survives the panic.

use super::fail_point::Point;
use super::match_actor::MatchActor;
use super::messages::offer::{
    ApplyMatchTexts, ApplySportTexts, ApplyToSport, Publish, RemoveMatch, RemoveMatches, ResplitMarkets, SportOutcome,
    SuspendMatches, UpdateMatch,
};
use super::messages::pending_update::PendingUpdate;
use super::offer::{Offer, count_unapplied};
use super::pending_texts::SharedPendingTexts;
use actix::fut::wrap_future;
use actix::{Actor, Addr, AtomicResponse, Context, Handler, MailboxError};
use kvota_domain::aggregate::MatchState;
use kvota_domain::feed::{Change, MatchUpdate};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::offer_event::OfferEvent;
use kvota_domain::sport::{PreferredColumn, SportInfo};
use kvota_read_model::MatchEntry;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// One sport of the offer. See the head of this file.
#[derive(Debug)]
pub struct SportActor(Rc<RefCell<Sport>>);

/// The state of the actor. In a `RefCell`, because one command is applied over several awaits. The actor handles one
/// command at a time, so nothing else borrows it.
#[derive(Debug)]
struct Sport {
    info: SportInfo,
    preferred: Arc<[PreferredColumn]>,
    matches: HashMap<MatchId, Addr<MatchActor>>,
    pending_texts: SharedPendingTexts,
    /// Whether the sport has a match, so that it is in the read model and clients show it.
    is_visible: bool,
    offer: Offer,
}

impl SportActor {
    /// The sport from the read model, or an empty one if the read model does not have it.
    pub fn new(id: SportId, offer: Offer) -> SportActor {
        SportActor::with(id, offer, SharedPendingTexts::default())
    }

    /// Like [`SportActor::new`], with the pending texts of the sport's former actor, if there was one.
    pub(super) fn with(id: SportId, offer: Offer, pending_texts: SharedPendingTexts) -> SportActor {
        let held = offer.model.sport(id);
        let is_visible = held.is_some();
        let info = held.map(|held| SportInfo::clone(&held)).or_else(|| pending_texts.borrow().info.clone());
        let info = info.unwrap_or_else(|| SportInfo::new(id));
        let preferred = info.primary().preferred.as_slice().into();
        let sport = Sport { info, preferred, matches: HashMap::new(), pending_texts, is_visible, offer };
        SportActor(Rc::new(RefCell::new(sport)))
    }
}

impl Actor for SportActor {
    type Context = Context<Self>;

    fn started(&mut self, _: &mut Self::Context) {
        let mut sport = self.0.borrow_mut();
        let id = sport.info.primary().id;
        for entry in sport.offer.model.entries() {
            if entry.state.live_match.sport_id == id {
                let restarted = MatchActor::restarted(Arc::clone(&entry.state), sport.offer.clone()).start();
                sport.matches.insert(entry.state.live_match.id, restarted);
            }
        }
    }
}

impl Handler<ApplyToSport> for SportActor {
    type Result = AtomicResponse<Self, SportOutcome>;

    fn handle(&mut self, command: ApplyToSport, _: &mut Context<Self>) -> Self::Result {
        let sport = Rc::clone(&self.0);
        AtomicResponse::new(Box::pin(wrap_future(async move {
            apply_sport_fields(&sport, &command).await;
            if command.is_whole {
                let named: HashSet<MatchId> = command.matches.iter().map(PendingUpdate::id).collect();
                let gone: Vec<_> = sport.borrow().matches.keys().filter(|id| !named.contains(id)).copied().collect();
                sport.borrow().keep_texts(&gone);
                remove_matches(&sport, gone, command.announce).await;
            }
            for update in command.matches {
                apply_match(&sport, update, command.date_ms, command.announce).await;
                let fail_points = sport.borrow().offer.fail_points.clone();
                fail_points.pass(Point::Sport(command.sport.id));
            }
            outcome(&sport, command.announce)
        })))
    }
}

impl Handler<ApplySportTexts> for SportActor {
    type Result = AtomicResponse<Self, SportOutcome>;

    fn handle(&mut self, command: ApplySportTexts, _: &mut Context<Self>) -> Self::Result {
        let sport = Rc::clone(&self.0);
        AtomicResponse::new(Box::pin(wrap_future(async move {
            {
                let mut sport = sport.borrow_mut();
                if sport.info.apply_texts(command.lang, &command.sport).visible && sport.is_visible {
                    sport.show(Some(command.lang));
                }
                if command.is_whole {
                    sport.pending_texts.borrow_mut().clear_lang(command.lang);
                }
            }
            for update in command.matches {
                apply_texts(&sport, command.lang, update, command.date_ms).await;
            }
            outcome(&sport, Publish::Each)
        })))
    }
}

impl Handler<RemoveMatches> for SportActor {
    type Result = AtomicResponse<Self, SportOutcome>;

    fn handle(&mut self, command: RemoveMatches, _: &mut Context<Self>) -> Self::Result {
        let sport = Rc::clone(&self.0);
        AtomicResponse::new(Box::pin(wrap_future(async move {
            let all = || sport.borrow().matches.keys().copied().collect();
            let ids: Vec<MatchId> = command.matches.unwrap_or_else(all);
            if command.keep_texts {
                sport.borrow().keep_texts(&ids);
            }
            remove_matches(&sport, ids, command.announce).await;
            outcome(&sport, command.announce)
        })))
    }
}

impl Handler<SuspendMatches> for SportActor {
    type Result = SportOutcome;

    fn handle(&mut self, command: SuspendMatches, _: &mut Context<Self>) -> Self::Result {
        for id in command.matches {
            if self.0.borrow().matches.contains_key(&id) {
                suspend(&self.0, id, "unreadable");
            }
        }
        outcome(&self.0, Publish::Each)
    }
}

impl Sport {
    /// Keeps the texts of matches that leave the offer, because they may return and a feed does not repeat its texts. A
    /// language that has already deleted the match is left out. One that has not will send its own DELETE later, which
    /// removes its texts.
    fn keep_texts(&self, ids: &[MatchId]) {
        let mut pending_texts = self.pending_texts.borrow_mut();
        for id in ids {
            let Some(entry) = self.offer.model.entry(*id) else { continue };
            let said = |lang| entry.state.texts[lang].clone().filter(|_| !pending_texts.is_deleted(*id, lang));
            let texts = PerLang::new(said);
            pending_texts.keep(*id, texts);
        }
    }

    /// Whether a language has sent texts of a match in the offer and has not deleted the match since.
    fn has_texts(&self, id: MatchId, lang: Lang) -> bool {
        let said = |entry: Arc<MatchEntry>| entry.state.texts[lang].is_some();
        !self.pending_texts.borrow().is_deleted(id, lang) && self.offer.model.entry(id).is_some_and(said)
    }

    /// Writes the sport to the read model and publishes it to one language, or to all if `lang` is `None`.
    fn show(&mut self, lang: Option<Lang>) {
        let info = Arc::new(self.info.clone());
        self.offer.model.put_sport(Arc::clone(&info));
        self.offer.bus.publish(vec![OfferEvent::SportChanged { sport: info, lang }]);
    }
}

/// Applies the fields of the sport. If its columns changed, every match first splits its markets by the new columns.
async fn apply_sport_fields(sport: &RefCell<Sport>, command: &ApplyToSport) {
    let addresses = {
        let mut sport = sport.borrow_mut();
        let change = sport.info.apply_primary(&command.sport);
        if change.columns {
            sport.preferred = sport.info.primary().preferred.as_slice().into();
        }
        if change.visible && sport.is_visible {
            sport.show(None);
        }
        if change.columns { sport.matches.values().cloned().collect() } else { Vec::new() }
    };
    for address in addresses {
        let preferred = Arc::clone(&sport.borrow().preferred);
        // If the match actor has panicked, the next update of the match restarts it.
        let _ = address.send(ResplitMarkets { preferred }).await;
    }
}

/// Applies one match change (CONTRACT 1): INSERT is ignored if the match exists, UPDATE inserts a missing match, DELETE
/// ignores a missing match.
async fn apply_match(sport: &RefCell<Sport>, update: PendingUpdate, date_ms: i64, announce: Publish) {
    let id = update.id();
    let held = sport.borrow().matches.get(&id).cloned();
    match (update.change(), held) {
        (Change::Delete, Some(_)) => {
            sport.borrow().keep_texts(&[id]);
            remove_matches(sport, vec![id], announce).await;
        }
        (Change::Delete, None) | (Change::Insert, Some(_)) => {}
        (Change::Insert | Change::Update, None) => {
            // `read` leaves the update in place: if this actor panics here, the command is repeated with it.
            update.read(|update| insert(sport, update, date_ms, announce));
        }
        (Change::Update, Some(address)) => {
            let preferred = Arc::clone(&sport.borrow().preferred);
            let command = || UpdateMatch { update: update.clone(), date_ms, preferred: Arc::clone(&preferred) };
            if address.send(command()).await.is_err() {
                let restarted = restart_match(sport, id);
                if let Some(address) = restarted
                    && address.send(command()).await.is_err()
                {
                    // The same update made the actor panic twice, so it is skipped and the match takes no bets.
                    tracing::error!(match.id = %id, "match {id}: an update killed its actor twice and is left out");
                    suspend(sport, id, "match_died");
                }
            }
        }
    }
}

/// Starts the actor of a new match. The first match makes the sport visible.
fn insert(sport: &RefCell<Sport>, update: &MatchUpdate, date_ms: i64, announce: Publish) {
    let mut sport = sport.borrow_mut();
    if !sport.is_visible {
        sport.is_visible = true;
        let info = Arc::new(sport.info.clone());
        sport.offer.model.put_sport(Arc::clone(&info));
        if announce == Publish::Each {
            sport.offer.bus.publish(vec![OfferEvent::SportChanged { sport: info, lang: None }]);
        }
    }
    let id = update.id();
    let texts = sport.pending_texts.borrow_mut().take(id);
    let revision = sport.offer.revisions.first();
    let state = MatchState::inserted(update, date_ms, &sport.preferred, texts, revision);
    let actor = MatchActor::inserted(state, sport.offer.clone(), date_ms, announce);
    sport.matches.insert(id, actor.start());
}

/// Restarts the actor of a match with its last published state. `None` if the read model has no such match.
fn restart_match(sport: &RefCell<Sport>, id: MatchId) -> Option<Addr<MatchActor>> {
    let mut sport = sport.borrow_mut();
    metrics::counter!("kvota_actor_restarts_total", "actor" => "match").increment(1);
    let Some(entry) = sport.offer.model.entry(id) else {
        sport.matches.remove(&id);
        return None;
    };
    tracing::error!(match.id = %id, "match {id}: its actor died and is started again");
    let address = MatchActor::restarted(Arc::clone(&entry.state), sport.offer.clone()).start();
    sport.matches.insert(id, address.clone());
    Some(address)
}

/// Stops betting on a match until an update or a snapshot of it can be applied.
fn suspend(sport: &RefCell<Sport>, id: MatchId, cause: &'static str) {
    let offer = sport.borrow().offer.clone();
    let Some(actor) = MatchActor::suspended(&offer, id) else { return };
    count_unapplied(cause);
    tracing::warn!(match.id = %id, cause, "match {id}: takes no bets until its next update: {cause}");
    sport.borrow_mut().matches.insert(id, actor.start());
}

/// Applies the texts of a match in another language. If the match is not in the offer, they become pending texts.
async fn apply_texts(sport: &RefCell<Sport>, lang: Lang, update: PendingUpdate, date_ms: i64) {
    let id = update.id();
    let pending_texts = Rc::clone(&sport.borrow().pending_texts);
    let held = sport.borrow().matches.get(&id).cloned();
    match (update.change(), held) {
        // An INSERT of a known match is ignored (CONTRACT 1), in this language too.
        (Change::Insert, Some(_)) if sport.borrow().has_texts(id, lang) => {}
        // The primary language decides when a match leaves. Until then its texts stay.
        (Change::Delete, Some(_)) => pending_texts.borrow_mut().mark_deleted(id, lang),
        (Change::Delete, None) => pending_texts.borrow_mut().forget(id, lang),
        (Change::Insert | Change::Update, Some(address)) => {
            pending_texts.borrow_mut().unmark_deleted(id, lang);
            let command = || ApplyMatchTexts { lang, update: update.clone(), date_ms };
            let applied: Result<(), MailboxError> = address.send(command()).await;
            if applied.is_err()
                && let Some(address) = restart_match(sport, id)
                && address.send(command()).await.is_err()
            {
                // The update is skipped; the match keeps its former texts.
                restart_match(sport, id);
            }
        }
        (Change::Insert | Change::Update, None) => {
            let texts = update.read(MatchUpdate::texts);
            pending_texts.borrow_mut().store(id, lang, texts);
        }
    }
}

/// Removes matches from the sport and stops their actors.
async fn remove_matches(sport: &RefCell<Sport>, ids: Vec<MatchId>, announce: Publish) {
    for id in ids {
        let Some(address) = sport.borrow_mut().matches.remove(&id) else { continue };
        sport.borrow().pending_texts.borrow_mut().match_left(id);
        if address.send(RemoveMatch { announce }).await.is_err() {
            // The actor had panicked earlier. A new one removes the match from the read model.
            let restarted = MatchActor::restarted_from(&sport.borrow().offer, id);
            if let Some(actor) = restarted {
                let _ = actor.start().send(RemoveMatch { announce }).await;
            }
        }
    }
}

/// Ends a command: removes the sport from the offer if it has no matches left (CONTRACT 1), and counts what it has.
fn outcome(sport: &RefCell<Sport>, announce: Publish) -> SportOutcome {
    let mut sport = sport.borrow_mut();
    if sport.is_visible && sport.matches.is_empty() {
        sport.is_visible = false;
        let id = sport.info.primary().id;
        sport.offer.model.remove_sport(id);
        if announce == Publish::Each {
            sport.offer.bus.publish(vec![OfferEvent::SportRemoved(id)]);
        }
    }
    let mut pending_texts = sport.pending_texts.borrow_mut();
    pending_texts.info = (!sport.is_visible).then(|| sport.info.clone());
    SportOutcome { matches: sport.matches.len(), matches_with_pending_texts: pending_texts.matches() }
}
