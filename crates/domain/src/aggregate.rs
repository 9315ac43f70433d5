//! The state of one match in all its languages, and its transitions (CONTRACT 1). Held by the MatchActor.
//! A reader at revision n applies the change that follows n, and fetches the match again if it receives any other
//! (CONTRACT 3.1).

use super::clock::Clock;
use super::delta::{MatchDelta, PartChange, PartDelta, Split, between, movement};
use super::feed::{MatchUpdate, Time};
use super::ids::{IdMap, MarketId, OddId};
use super::incidents::History;
use super::lang::{Lang, PerLang};
use super::market::{Market, Odd};
use super::matches::Match;
use super::price::Price;
use super::rows::row_markets;
use super::sport::PreferredColumn;
use super::texts::MatchTexts;
use std::sync::Arc;

/// A match as readers see it: immutable and shared. Every change creates a new one.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchState {
    /// The match in the primary language; all numbers of the offer come from it.
    pub live_match: Arc<Match>,
    /// Indexes of the row's markets in `live_match.markets`.
    pub row: Arc<[usize]>,
    /// The texts of the other languages.
    pub texts: PerLang<Option<Arc<MatchTexts>>>,
    /// Counts the changes of the row.
    pub row_revision: u32,
    /// Counts the changes of the detail.
    pub detail_revision: u32,
    /// Whether the match agrees with the feed. False after an update that could not be applied, until the next one that
    /// can be; meanwhile no bets are accepted, and readers see the match suspended.
    pub is_trusted: bool,
}

impl MatchState {
    /// A new match. Its revisions continue from `revision`, so that a match that left and came back is not mistaken for
    /// its earlier state.
    pub fn inserted(
        update: &MatchUpdate,
        date_ms: i64,
        preferred: &[PreferredColumn],
        texts: PerLang<Option<Arc<MatchTexts>>>,
        revision: u32,
    ) -> MatchState {
        let live_match = settle(update.clone(), date_ms, None);
        let row = row_markets(preferred, &live_match).into();
        let live_match = Arc::new(live_match);
        MatchState { live_match, row, texts, row_revision: revision, detail_revision: revision, is_trusted: true }
    }

    /// The state after an UPDATE in the primary language, and what changed.
    pub fn updated(
        &self,
        update: MatchUpdate,
        date_ms: i64,
        preferred: &[PreferredColumn],
    ) -> (MatchState, MatchDelta) {
        let marked = update.live_match.markets.iter().map(is_marked).collect();
        let mut live_match = settle(update, date_ms, Some(&self.live_match));
        let row: Arc<[usize]> = row_markets(preferred, &live_match).into();
        let mut delta = between(self.split(), Split { live_match: &live_match, row: &row });
        self.keep_marks(marked, &mut live_match, &row, &mut delta);
        if !same_texts(&self.live_match, &live_match) {
            delta.row = Some(PartDelta::Replace);
        }
        if !self.is_trusted {
            // Tickets with this match must be notified, even if nothing else changed.
            delta.row.get_or_insert(PartDelta::Change(PartChange::default()));
        }
        let next = MatchState {
            row_revision: next_revision(self.row_revision, delta.row.is_some()),
            detail_revision: next_revision(self.detail_revision, delta.detail.is_some()),
            live_match: Arc::new(live_match),
            row,
            texts: self.texts.clone(),
            is_trusted: true,
        };
        (next, delta)
    }

    /// Keeps the movement marks of the part that an update did not change: marks belong to the last change of their
    /// part. Otherwise an update of the detail would also be sent to the list, only to reset its marks (CONTRACT 3.3).
    /// An update without any change resets the marks of both parts. `marked` holds for each market whether the feed
    /// sent marks.
    fn keep_marks(&self, marked: Vec<bool>, live_match: &mut Match, row: &[usize], delta: &mut MatchDelta) {
        let only_resets = |part: &Option<PartDelta>| matches!(part, Some(PartDelta::Change(change)) if *change == PartChange::default());
        let in_row = |place: usize| row.binary_search(&place).is_ok();
        let sent = |is_row: bool| marked.iter().enumerate().any(|(place, marked)| *marked && in_row(place) == is_row);
        let (row_rests, detail_rests) = (only_resets(&delta.row), only_resets(&delta.detail));
        let kept = match (row_rests, detail_rests) {
            (true, false) if delta.detail.is_some() && !sent(true) => true,
            (false, true) if delta.row.is_some() && !sent(false) => false,
            _ => return,
        };
        *(if kept { &mut delta.row } else { &mut delta.detail }) = None;
        // Its markets are the held ones, but for their marks.
        let held = &self.live_match.markets;
        let mut by_id: Option<IdMap<MarketId, &Arc<Market>>> = None;
        for (place, market) in live_match.markets.iter_mut().enumerate().filter(|(place, _)| in_row(*place) == kept) {
            let here = held.get(place).filter(|before| before.id == market.id);
            let elsewhere = || {
                let by_id = by_id.get_or_insert_with(|| held.iter().map(|market| (market.id, market)).collect());
                by_id.get(&market.id).copied()
            };
            if let Some(before) = here.or_else(elsewhere) {
                *market = Arc::clone(before);
            }
        }
    }

    /// The state after a change of the sport's columns: the same match, split again.
    pub fn resplit(&self, preferred: &[PreferredColumn]) -> (MatchState, MatchDelta) {
        let row: Arc<[usize]> = row_markets(preferred, &self.live_match).into();
        if row == self.row {
            return (self.clone(), MatchDelta::default());
        }
        let delta =
            MatchDelta { row: Some(PartDelta::Replace), detail: Some(PartDelta::Replace), ..MatchDelta::default() };
        let next = MatchState {
            row,
            row_revision: next_revision(self.row_revision, true),
            detail_revision: next_revision(self.detail_revision, true),
            ..self.clone()
        };
        (next, delta)
    }

    /// The state with new texts in another language; `None` if the texts are the same. Visible texts count as a change,
    /// so that a reader who missed it finds out by its revision (CONTRACT 3.1); all movement marks become 0. Readers of
    /// other languages get an empty change ([`PartChange::default`]). A language is often ahead of the primary one, so
    /// texts of markets that do not exist yet are kept. They are not a change.
    pub fn with_texts(&self, lang: Lang, update: &MatchUpdate) -> Option<MatchState> {
        let held = self.texts[lang].as_ref();
        let is_same = |held: &Arc<MatchTexts>| match &update.texts {
            Some(texts) => Arc::ptr_eq(held, texts) || held.need_nothing_of(texts, &self.live_match),
            None => held.equals_update(&update.live_match, update.time.text()),
        };
        if held.is_some_and(is_same) {
            return None;
        }
        let mut texts = update.texts();
        let mut is_read = true;
        if let Some(held) = held {
            if texts.lack_some_of(held, &self.live_match) {
                Arc::make_mut(&mut texts).keep(held, &self.live_match);
            }
            is_read = !texts.reads_same(held, &self.live_match);
        }
        let mut next = self.clone();
        next.texts[lang] = Some(texts);
        if !is_read {
            return Some(next);
        }
        if self.live_match.markets.iter().any(|market| market.has_moved()) {
            let markets = &mut Arc::make_mut(&mut next.live_match).markets;
            for market in markets.iter_mut().filter(|market| market.has_moved()) {
                Arc::make_mut(market).odds.iter_mut().for_each(|odd| odd.changed = Some(0));
            }
        }
        next.row_revision = next_revision(self.row_revision, true);
        next.detail_revision = next_revision(self.detail_revision, true);
        Some(next)
    }

    /// The state after an update that could not be applied, and what changed: readers see the match suspended, until the
    /// next update says otherwise.
    pub fn suspended(&self) -> (MatchState, MatchDelta) {
        let mut live_match = Match::clone(&self.live_match);
        live_match.suspended = Some(true);
        let mut delta = between(self.split(), Split { live_match: &live_match, row: &self.row });
        // Tickets with this match must be notified, even if it was suspended before.
        delta.row.get_or_insert(PartDelta::Change(PartChange::default()));
        delta.detail = None;
        delta.urgent = true;
        let next = MatchState {
            live_match: Arc::new(live_match),
            row_revision: next_revision(self.row_revision, true),
            is_trusted: false,
            ..self.clone()
        };
        (next, delta)
    }

    /// The match with its split.
    pub fn split(&self) -> Split<'_> {
        Split { live_match: &self.live_match, row: &self.row }
    }

    /// An odd of the match with its market.
    pub fn odd(&self, id: OddId) -> Option<(&Market, &Odd)> {
        let markets = self.live_match.markets.iter().map(Arc::as_ref);
        let mut odds = markets.flat_map(|market| market.odds.iter().map(move |odd| (market, odd)));
        odds.find(|(_, odd)| odd.id == id)
    }
}

fn next_revision(revision: u32, changed: bool) -> u32 {
    if changed { revision.wrapping_add(1) } else { revision }
}

/// The update as a match: its clock as of its date, and its movement marks derived if the feed sends none.
fn settle(update: MatchUpdate, date_ms: i64, held: Option<&Match>) -> Match {
    let MatchUpdate { mut live_match, time, .. } = update;
    let stopped = live_match.clock_stopped == Some(true);
    let clock = match time {
        Time::None => None,
        Time::Seconds(seconds) => Some(Clock::read(seconds, date_ms, stopped)),
        Time::Text(text) => Some(Clock::Text(text)),
    };
    live_match.clock = clock.map(|clock| clock.settled(held.and_then(|held| held.clock.as_ref())));
    mark_movements(&mut live_match, held);
    let has_past = live_match.history.as_ref().is_some_and(|history| !history.is_empty());
    if let Some(held) = held.filter(|_| !has_past) {
        live_match.history = History::followed(held, &live_match, date_ms);
    }
    live_match
}

fn is_marked(market: &Arc<Market>) -> bool {
    market.odds.iter().any(|odd| odd.changed.is_some())
}

/// Marks the prices that moved. A market in which none moved stays the shared one.
fn mark_movements(live_match: &mut Match, held: Option<&Match>) {
    let held: &[Arc<Market>] = held.map_or(&[], |held| &held.markets);
    // Built only if an odd has moved to another index, which is rare.
    let mut elsewhere: Option<IdMap<OddId, Price>> = None;
    for (place, market) in live_match.markets.iter_mut().enumerate() {
        let same_place = held.get(place);
        if same_place.is_some_and(|before| Arc::ptr_eq(before, market)) {
            continue;
        }
        let same_place: &[Odd] = same_place.map_or(&[], |market| &market.odds);
        let mut moves = Vec::new();
        for (place, odd) in market.odds.iter().enumerate().filter(|(_, odd)| odd.changed.is_none()) {
            let here = same_place.get(place).filter(|before| before.id == odd.id).map(|before| before.value);
            let before = here.or_else(|| elsewhere.get_or_insert_with(|| prices(held)).get(&odd.id).copied());
            match before.map_or(0, |before| movement(before, odd.value)) {
                0 => {}
                moved => moves.push((place, moved)),
            }
        }
        if !moves.is_empty() {
            let odds = &mut Arc::make_mut(market).odds;
            moves.into_iter().for_each(|(place, moved)| odds[place].changed = Some(moved));
        }
    }
}

fn prices(markets: &[Arc<Market>]) -> IdMap<OddId, Price> {
    markets.iter().flat_map(|market| &market.odds).map(|odd| (odd.id, odd.value)).collect()
}

fn same_texts(old: &Match, new: &Match) -> bool {
    let clock_text = |live_match: &Match| match &live_match.clock {
        Some(Clock::Text(text)) => Some(text.clone()),
        _ => None,
    };
    old.home == new.home
        && old.away == new.away
        && old.sport_id == new.sport_id
        && old.sport_name == new.sport_name
        && old.tournament == new.tournament
        && old.tournament_description == new.tournament_description
        && old.result == new.result
        && old.perform_event_type == new.perform_event_type
        && (clock_text(old) == clock_text(new) || clock_text(old).is_none() || clock_text(new).is_none())
}
