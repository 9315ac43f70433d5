//! SportActor: one sport of the offer and its matches.
//!
//! - Owns the sport's name, order and columns in all languages, and the addresses of its MatchActors.
//! - Handles [`ApplyToSport`] (the primary language), [`ApplySportTexts`] (texts of another language),
//!   [`RemoveMatches`] (matches leave) and [`SuspendMatches`]. Each is answered when all of it is applied; the
//!   FeedActor waits for that.
//! - Publishes the sport when it appears, changes or is removed. Must not publish match events: the MatchActors do.
//! - Memory: grows with the matches in the feed, and with the pending texts of matches that the primary language has
//!   not sent.
//! - Failure: after a panic `sport_router.rs` starts a new SportActor and repeats the command. The new actor reads the sport and
//!   its matches from the read model, and the pending texts from
//!   `PendingTexts` (`pending_texts.rs`), which survives the panic. It is unknown what the former actor
//!   had published, so it publishes the sport again.

use super::fail_point::{Moment, Point};
use super::match_actor::MatchActor;
use super::messages::offer::{
    ApplyMatchTexts, ApplySportTexts, ApplyToSport, InsertMatch, Publish, RemoveMatch, RemoveMatches, ResplitMarkets,
    SportOutcome, SuspendMatches, UpdateMatch,
};
use super::messages::pending_update::PendingUpdate;
use super::offer_context::{OfferContext, count_unapplied};
use super::pending_texts::SharedPendingTexts;
use actix::fut::wrap_future;
use actix::{Actor, Addr, AtomicResponse, Context, Handler, MailboxError};
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
    /// The former actor died: the first command also publishes what that may have left out.
    is_restarted: bool,
    offer: OfferContext,
}

impl SportActor {
    /// The sport from the read model, or an empty one if the read model does not have it.
    pub fn new(id: SportId, offer: OfferContext) -> SportActor {
        SportActor::with(id, offer, SharedPendingTexts::default(), false)
    }

    /// Like [`SportActor::new`], with the pending texts of the sport's former actor, if there was one. `is_restarted`: that
    /// actor died.
    pub(super) fn with(
        id: SportId,
        offer: OfferContext,
        pending_texts: SharedPendingTexts,
        is_restarted: bool,
    ) -> SportActor {
        let held = offer.model.sport(id);
        let is_visible = held.is_some();
        let info = held.map(|held| SportInfo::clone(&held)).or_else(|| pending_texts.borrow().info.clone());
        let info = info.unwrap_or_else(|| SportInfo::new(id));
        let preferred = info.primary().preferred.as_slice().into();
        let matches = HashMap::new();
        let sport = Sport { info, preferred, matches, pending_texts, is_visible, is_restarted, offer };
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
            begin(&sport).await;
            apply_sport_fields(&sport, &command).await;
            if command.is_whole {
                let named = command.matches.iter().map(PendingUpdate::id);
                let named: HashSet<MatchId> = named.chain(command.kept.iter().copied()).collect();
                let gone: Vec<_> = sport.borrow().matches.keys().filter(|id| !named.contains(id)).copied().collect();
                sport.borrow().keep_texts(&gone);
                remove_matches(&sport, gone, command.announce).await;
            }
            for update in command.matches {
                apply_match(&sport, update, command.date_ms, command.announce).await;
                pass(&sport, Moment::Written);
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
            begin(&sport).await;
            {
                let mut sport = sport.borrow_mut();
                if sport.info.apply_texts(command.lang, &command.sport).visible && sport.is_visible {
                    sport.show(Some(command.lang));
                }
                if command.is_whole {
                    sport.pending_texts.borrow_mut().clear_lang(command.lang);
                }
            }
            let mut has_lost_texts = false;
            for update in command.matches {
                has_lost_texts |= !apply_texts(&sport, command.lang, update, command.date_ms).await;
                pass(&sport, Moment::Written);
            }
            SportOutcome { has_lost_texts, ..outcome(&sport, Publish::Each) }
        })))
    }
}

impl Handler<RemoveMatches> for SportActor {
    type Result = AtomicResponse<Self, SportOutcome>;

    fn handle(&mut self, command: RemoveMatches, _: &mut Context<Self>) -> Self::Result {
        let sport = Rc::clone(&self.0);
        AtomicResponse::new(Box::pin(wrap_future(async move {
            begin(&sport).await;
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
    type Result = AtomicResponse<Self, SportOutcome>;

    fn handle(&mut self, command: SuspendMatches, _: &mut Context<Self>) -> Self::Result {
        let sport = Rc::clone(&self.0);
        AtomicResponse::new(Box::pin(wrap_future(async move {
            begin(&sport).await;
            for id in command.matches {
                if sport.borrow().matches.contains_key(&id) {
                    suspend(&sport, id, "unreadable");
                    pass(&sport, Moment::Written);
                }
            }
            outcome(&sport, Publish::Each)
        })))
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

    /// The sport gets its first match, if it has none: it is shown.
    fn appear(&mut self, announce: Publish) {
        if self.is_visible {
            return;
        }
        self.is_visible = true;
        let info = Arc::new(self.info.clone());
        self.offer.model.put_sport(Arc::clone(&info));
        if announce == Publish::Each {
            self.offer.bus.publish(vec![OfferEvent::SportChanged { sport: info, lang: None }]);
        }
    }

    /// Writes the sport to the read model and publishes it to one language, or to all if `lang` is `None`.
    fn show(&mut self, lang: Option<Lang>) {
        let info = Arc::new(self.info.clone());
        self.offer.model.put_sport(Arc::clone(&info));
        self.offer.bus.publish(vec![OfferEvent::SportChanged { sport: info, lang }]);
    }
}

fn pass(sport: &RefCell<Sport>, moment: Moment) {
    let (fail_points, id) = {
        let sport = sport.borrow();
        (sport.offer.fail_points.clone(), sport.info.primary().id)
    };
    fail_points.pass(Point::Sport(id), moment);
}

/// Applies the fields of the sport. If its columns changed, every match first splits its markets by the new columns.
async fn apply_sport_fields(sport: &RefCell<Sport>, command: &ApplyToSport) {
    let has_new_columns = {
        let mut sport = sport.borrow_mut();
        let change = sport.info.apply_primary(&command.sport);
        if change.columns {
            sport.preferred = sport.info.primary().preferred.as_slice().into();
        }
        if change.visible && sport.is_visible {
            sport.show(None);
        }
        change.columns
    };
    if has_new_columns {
        split_markets(sport).await;
    }
}

/// Begins a command. The first one after a panic publishes the sport and splits the markets again, because the former
/// actor may have written one of them and died before it published it or came to the next.
async fn begin(sport: &RefCell<Sport>) {
    pass(sport, Moment::Before);
    if !std::mem::take(&mut sport.borrow_mut().is_restarted) {
        return;
    }
    if sport.borrow().is_visible {
        sport.borrow_mut().show(None);
    } else {
        let sport = sport.borrow();
        sport.offer.bus.publish(vec![OfferEvent::SportRemoved(sport.info.primary().id)]);
    }
    split_markets(sport).await;
}

/// Splits the markets of every match by the columns of the sport. Those that are split so already do not change.
async fn split_markets(sport: &RefCell<Sport>) {
    let matches: Vec<MatchId> = sport.borrow().matches.keys().copied().collect();
    for id in matches {
        let preferred = Arc::clone(&sport.borrow().preferred);
        let command = || ResplitMarkets { preferred: Arc::clone(&preferred) };
        let Some(address) = sport.borrow().matches.get(&id).cloned() else { continue };
        if address.send(command()).await.is_err()
            && let Some(address) = restart_match(sport, id)
            && address.send(command()).await.is_err()
        {
            suspend(sport, id, "match_died");
        }
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
        (Change::Delete, None) => sport.borrow().offer.model.forget_unapplied(id),
        (Change::Insert, Some(_)) => {}
        (Change::Insert | Change::Update, None) => insert(sport, update, date_ms, announce).await,
        (Change::Update, Some(address)) => {
            let preferred = Arc::clone(&sport.borrow().preferred);
            let command = || UpdateMatch { update: update.clone(), date_ms, preferred: Arc::clone(&preferred) };
            let mut applied = address.send(command()).await;
            if applied.is_err()
                && let Some(address) = restart_match(sport, id)
            {
                applied = address.send(command()).await;
            }
            if !matches!(applied, Ok(Ok(()))) {
                tracing::error!(match.id = %id, "match {id}: an update could not be applied and is left out");
                suspend(sport, id, "match_died");
            }
        }
    }
}

/// Starts the actor of a new match. The first match makes the sport visible. A match that cannot be inserted stays out of
/// the offer until its next update.
async fn insert(sport: &RefCell<Sport>, update: PendingUpdate, date_ms: i64, announce: Publish) {
    let id = update.id();
    let (offer, preferred, texts) = {
        let mut sport = sport.borrow_mut();
        sport.appear(announce);
        let texts = sport.pending_texts.borrow().of(id);
        (sport.offer.clone(), Arc::clone(&sport.preferred), texts)
    };
    for _ in 0..2 {
        let (update, preferred, texts) = (update.clone(), Arc::clone(&preferred), texts.clone());
        let address = MatchActor::new(id, offer.clone()).start();
        if address.send(InsertMatch { update, date_ms, preferred, texts, announce }).await.is_ok() {
            let mut sport = sport.borrow_mut();
            sport.matches.insert(id, address);
            sport.pending_texts.borrow_mut().forget_all(id);
            return;
        }
        count_restart(sport, id);
    }
    tracing::error!(match.id = %id, "match {id}: could not be inserted and is left out");
    if let Some(entry) = offer.model.entry(id) {
        MatchActor::remove(&offer, &entry.state, announce, || ());
    }
    count_unapplied("match_died");
    offer.model.note_unapplied(id);
}

/// Restarts the actor of a match with its last published state. `None` if the read model has no such match.
fn restart_match(sport: &RefCell<Sport>, id: MatchId) -> Option<Addr<MatchActor>> {
    count_restart(sport, id);
    let mut sport = sport.borrow_mut();
    let Some(entry) = sport.offer.model.entry(id) else {
        sport.matches.remove(&id);
        return None;
    };
    let address = MatchActor::restarted(Arc::clone(&entry.state), sport.offer.clone()).start();
    sport.matches.insert(id, address.clone());
    Some(address)
}

fn count_restart(sport: &RefCell<Sport>, id: MatchId) {
    let sport_id = sport.borrow().info.primary().id;
    crate::panics::died("match", id, Some(sport_id), "it is started again");
}

/// Stops betting on a match until an update or a snapshot of it can be applied.
fn suspend(sport: &RefCell<Sport>, id: MatchId, cause: &'static str) {
    let offer = sport.borrow().offer.clone();
    count_unapplied(cause);
    offer.model.note_unapplied(id);
    let Some(actor) = MatchActor::suspended(&offer, id) else {
        // It is not in the offer. Its next update inserts it.
        sport.borrow_mut().matches.remove(&id);
        return;
    };
    tracing::warn!(match.id = %id, cause, "match {id}: takes no bets until its next update: {cause}");
    sport.borrow_mut().matches.insert(id, actor.start());
}

/// Applies the texts of a match in another language. If the match is not in the offer, they become pending texts. False if
/// they could not be applied: the match keeps its former texts.
async fn apply_texts(sport: &RefCell<Sport>, lang: Lang, update: PendingUpdate, date_ms: i64) -> bool {
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
                count_unapplied("texts_died");
                restart_match(sport, id);
                return false;
            }
        }
        (Change::Insert | Change::Update, None) => {
            let texts = update.read(MatchUpdate::texts);
            pending_texts.borrow_mut().store(id, lang, texts);
        }
    }
    true
}

/// Removes matches from the sport and stops their actors.
async fn remove_matches(sport: &RefCell<Sport>, ids: Vec<MatchId>, announce: Publish) {
    for id in ids {
        let Some(address) = sport.borrow_mut().matches.remove(&id) else { continue };
        let offer = sport.borrow().offer.clone();
        let entry = offer.model.entry(id);
        sport.borrow().pending_texts.borrow_mut().match_left(id);
        if address.send(RemoveMatch { announce }).await.is_err()
            && let Some(entry) = entry
        {
            // The actor died, now or earlier, and has not removed the match or not published it.
            count_restart(sport, id);
            MatchActor::remove(&offer, &entry.state, announce, || ());
        }
        pass(sport, Moment::Written);
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
    let matches_with_pending_texts = pending_texts.matches();
    sport.offer.fail_points.pass(Point::Sport(sport.info.primary().id), Moment::After);
    SportOutcome { matches: sport.matches.len(), matches_with_pending_texts, has_lost_texts: false }
}
