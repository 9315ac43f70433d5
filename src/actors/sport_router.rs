//! The sport actors: which of them has which match, and how a feed message is split into one command per sport. A sport
//! actor that panics is restarted once per command. Used by the FeedActor only, which waits until a message is applied.
//! Must not decide whether a message is applied.

use super::messages::offer::{ApplySportTexts, ApplyToSport, Publish, RemoveMatches, SportOutcome, SuspendMatches};
use super::messages::pending_update::PendingUpdate;
use super::offer_context::{OfferContext, count_unapplied};
use super::pending_texts::SharedPendingTexts;
use super::sport_actor::SportActor;
use actix::dev::ToEnvelope;
use actix::{Actor, Addr, Handler};
use kvota_domain::feed::Position;
use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::offer_event::{FeedState, OfferEvent};
use kvota_domain::sport::SportPatch;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The sport actors. See the head of this file.
#[derive(Debug)]
pub(super) struct Sports {
    offer: OfferContext,
    primary: Lang,
    actors: HashMap<SportId, SportEntry>,
    sport_of_match: HashMap<MatchId, SportId>,
    /// Whether a command was skipped because its sport actor panicked twice, or texts because their match actor did: then
    /// the offer is incomplete in the language of the message.
    has_failed: bool,
}

/// A sport actor, and its pending texts, which survive a panic.
#[derive(Debug)]
struct SportEntry {
    address: Addr<SportActor>,
    pending_texts: SharedPendingTexts,
}

impl Sports {
    /// Starts without sports. Clears what a former FeedActor left in the read model, and publishes that the feed is
    /// inactive.
    pub(super) fn new(offer: OfferContext) -> Sports {
        clear_offer(&offer);
        Sports {
            primary: offer.model.primary(),
            offer,
            actors: HashMap::new(),
            sport_of_match: HashMap::new(),
            has_failed: false,
        }
    }

    /// Whether clients have an offer. If so, they receive the differences; if not, they fetch the whole offer.
    pub(super) fn has_offer(&self) -> bool {
        self.offer.model.feed_state(self.primary) != FeedState::Inactive
    }

    /// Whether a command was skipped since the last call.
    pub(super) fn take_failure(&mut self) -> bool {
        std::mem::take(&mut self.has_failed)
    }

    /// Applies a live event. If it has no date, `now_ms` (ms since the epoch) is its date.
    pub(super) async fn apply(&mut self, lang: Lang, update: FeedUpdate, now_ms: i64) {
        let date_ms = update.date_ms.unwrap_or(now_ms);
        if lang != self.primary {
            return self.apply_texts(lang, update, date_ms, Completeness::Partial).await;
        }
        self.offer.model.note_date(date_ms);
        for sport in update.sports {
            let id = sport.sport.id;
            let matches = self.route_matches(id, sport.matches).await;
            self.send(id, || apply_to(&sport.sport, &matches, date_ms, Completeness::Partial, Publish::Each)).await;
        }
        self.suspend(update.unreadable).await;
        self.offer.bus.feed_message_applied();
    }

    /// Replaces the offer with a snapshot. `announce` decides whether the differences are published.
    pub(super) async fn replace(&mut self, lang: Lang, update: FeedUpdate, now_ms: i64, announce: Publish) {
        let date_ms = update.date_ms.unwrap_or(now_ms);
        if lang != self.primary {
            return self.apply_texts(lang, update, date_ms, Completeness::Whole).await;
        }
        self.offer.model.note_date(date_ms);
        let mut sport_of_match = HashMap::new();
        let mut sports: Vec<(SportPatch, Vec<PendingUpdate>)> = Vec::new();
        for sport in update.sports {
            let is_there = |update: &MatchUpdate| update.change != Change::Delete;
            let updates = sport.matches.into_iter().filter(is_there).map(as_update);
            let matches: Vec<PendingUpdate> = updates.map(PendingUpdate::new).collect();
            sport_of_match.extend(matches.iter().map(|update| (update.id(), sport.sport.id)));
            sports.push((sport.sport, matches));
        }
        // A match with an entry that cannot be read stays as it is (CONTRACT 1).
        let mut kept: HashMap<SportId, Vec<MatchId>> = HashMap::new();
        for id in &update.unreadable {
            if let (Some(home), Entry::Vacant(place)) = (self.sport_of_match.get(id), sport_of_match.entry(*id)) {
                place.insert(*home);
                kept.entry(*home).or_default().push(*id);
            }
        }
        // Removals and moves come first, because a match must not be in two sports at once.
        let named: HashSet<SportId> = sports.iter().map(|(sport, _)| sport.id).collect();
        let moved = self.sport_of_match.iter().filter(|(id, home)| sport_of_match.get(id) != Some(home));
        let mut leaving: HashMap<SportId, Vec<MatchId>> = HashMap::new();
        for (id, home) in moved {
            leaving.entry(*home).or_default().push(*id);
        }
        for (sport, ids) in leaving {
            self.send(sport, || RemoveMatches {
                matches: Some(ids.clone()),
                announce,
                keep_texts: named.contains(&sport),
            })
            .await;
        }
        self.sport_of_match = sport_of_match;
        for (sport, matches) in sports {
            let kept = kept.remove(&sport.id).unwrap_or_default();
            let whole = || apply_to(&sport, &matches, date_ms, Completeness::Whole, announce);
            self.send(sport.id, || ApplyToSport { kept: kept.clone(), ..whole() }).await;
        }
        self.suspend(update.unreadable).await;
        self.offer.bus.feed_message_applied();
    }

    /// Clears the offer. Publishes nothing for single matches: clients drop the offer when the feed becomes inactive.
    pub(super) async fn clear(&mut self) {
        self.sport_of_match.clear();
        for sport in self.actors.keys().copied().collect::<Vec<_>>() {
            let all = || RemoveMatches { matches: None, announce: Publish::Nobody, keep_texts: true };
            self.send(sport, all).await;
        }
        if self.take_failure() {
            self.clear_read_model();
        }
    }

    /// Clears the read model directly, because actors that panicked could not.
    fn clear_read_model(&mut self) {
        let model = &self.offer.model;
        for entry in model.entries() {
            self.offer.revisions.pass(entry.state.row_revision.max(entry.state.detail_revision));
            model.remove_match(entry.state.live_match.id);
        }
        model.sports().iter().for_each(|sport| model.remove_sport(sport.primary().id));
        self.actors.clear();
    }

    /// Stops betting on matches for which the feed sent data that could not be decoded.
    async fn suspend(&mut self, unreadable: Vec<MatchId>) {
        for id in unreadable {
            let Some(sport) = self.sport_of_match.get(&id).copied() else { continue };
            self.send(sport, || SuspendMatches { matches: vec![id] }).await;
        }
    }

    /// Notes up to which position the feed of the primary language is applied.
    pub(super) fn note_position(&self, position: Option<Position>) {
        self.offer.model.note_position(position);
    }

    /// Sets the feed state of a language, and publishes it for every language whose visible state changed.
    pub(super) fn set_feed(&self, lang: Lang, state: FeedState) {
        let model = &self.offer.model;
        let before = PerLang::new(|lang| model.feed_state(lang));
        model.set_feed(lang, state);
        let changed = Lang::ALL.into_iter().filter(|lang| before[*lang] != model.feed_state(*lang));
        let events = changed.map(|lang| OfferEvent::FeedStateChanged { lang, state: model.feed_state(lang) });
        self.offer.bus.publish(events.collect());
        count_state(lang, state);
    }

    /// Returns the updates for this sport. Removes their matches from other sports (CONTRACT 1): an UPDATE moves a
    /// match to this sport, and a DELETE removes it from whichever sport has it. An INSERT of a match that another
    /// sport has is ignored.
    async fn route_matches(&mut self, sport: SportId, matches: Vec<MatchUpdate>) -> Vec<PendingUpdate> {
        let mut staying = Vec::with_capacity(matches.len());
        for update in matches {
            let id = update.id();
            let elsewhere = self.sport_of_match.get(&id).copied().filter(|home| *home != sport);
            match (update.change, elsewhere) {
                (Change::Insert, Some(_)) => continue,
                (Change::Update | Change::Delete, Some(home)) => {
                    let out = || RemoveMatches { matches: Some(vec![id]), announce: Publish::Each, keep_texts: false };
                    self.send(home, out).await;
                }
                (_, None) => {}
            }
            match update.change {
                Change::Delete => self.sport_of_match.remove(&id),
                Change::Insert | Change::Update => self.sport_of_match.insert(id, sport),
            };
            staying.push(PendingUpdate::new(update));
        }
        staying
    }

    /// Applies the texts of another language than the primary.
    async fn apply_texts(&mut self, lang: Lang, update: FeedUpdate, date_ms: i64, completeness: Completeness) {
        let is_whole = completeness == Completeness::Whole;
        let named: HashSet<SportId> = update.sports.iter().map(|sport| sport.sport.id).collect();
        if is_whole {
            let others: Vec<SportId> = self.actors.keys().copied().filter(|id| !named.contains(id)).collect();
            for id in others {
                let nothing =
                    || ApplySportTexts { lang, sport: SportPatch::empty(id), matches: Vec::new(), date_ms, is_whole };
                self.send(id, nothing).await;
            }
        }
        for sport in update.sports {
            let matches: Vec<PendingUpdate> = sport.matches.into_iter().map(PendingUpdate::new).collect();
            let command =
                || ApplySportTexts { lang, sport: sport.sport.clone(), matches: matches.clone(), date_ms, is_whole };
            self.send(sport.sport.id, command).await;
        }
    }

    /// Sends a command to a sport actor and waits until it is applied. An actor that has panicked is restarted once,
    /// from the read model, and receives the command again.
    async fn send<C>(&mut self, sport: SportId, command: impl Fn() -> C)
    where
        C: actix::Message<Result = SportOutcome> + Send + 'static,
        SportActor: Handler<C>,
        <SportActor as Actor>::Context: ToEnvelope<SportActor, C>,
    {
        for _ in 0..2 {
            let start = |pending_texts: SharedPendingTexts, is_restarted| SportEntry {
                address: SportActor::with(sport, self.offer.clone(), Rc::clone(&pending_texts), is_restarted).start(),
                pending_texts,
            };
            let held = self.actors.entry(sport).or_insert_with(|| start(SharedPendingTexts::default(), false));
            match held.address.send(command()).await {
                Ok(outcome) => {
                    self.has_failed |= outcome.has_lost_texts;
                    if outcome.matches == 0 && outcome.matches_with_pending_texts == 0 {
                        self.actors.remove(&sport);
                    }
                    return;
                }
                Err(_) => {
                    crate::panics::died("sport", sport, Some(sport), "it is started again");
                    *held = start(Rc::clone(&held.pending_texts), true);
                }
            }
        }
        tracing::error!(sport.id = %sport, "sport {sport}: a command killed its actor twice and is left out");
        count_unapplied("sport_died");
        self.has_failed = true;
    }
}

/// Removes everything that a former FeedActor left in the read model, and publishes that the feed is inactive.
pub(super) fn clear_offer(offer: &OfferContext) {
    for entry in offer.model.entries() {
        offer.revisions.pass(entry.state.row_revision.max(entry.state.detail_revision));
    }
    offer.model.clear();
    for lang in Lang::ALL {
        count_state(lang, FeedState::Inactive);
    }
    let inactive = |lang| OfferEvent::FeedStateChanged { lang, state: FeedState::Inactive };
    offer.bus.publish(Lang::ALL.map(inactive).into());
}

fn count_state(lang: Lang, state: FeedState) {
    metrics::gauge!("kvota_feed_state", "lang" => lang.code()).set(f64::from(state.number()));
}

/// Whether a message is a snapshot of the whole offer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Completeness {
    Whole,
    Partial,
}

fn apply_to(
    sport: &SportPatch,
    matches: &[PendingUpdate],
    date_ms: i64,
    completeness: Completeness,
    announce: Publish,
) -> ApplyToSport {
    ApplyToSport {
        sport: sport.clone(),
        matches: matches.to_vec(),
        date_ms,
        is_whole: completeness == Completeness::Whole,
        kept: Vec::new(),
        announce,
    }
}

/// Every match in a snapshot exists, so its `change` field is ignored.
fn as_update(update: MatchUpdate) -> MatchUpdate {
    MatchUpdate { change: Change::Update, ..update }
}
