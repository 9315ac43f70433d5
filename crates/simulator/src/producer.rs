//! Makes a feed from generators: merges and numbers their changes in the order of time, and keeps the current offer for
//! snapshots. Also makes the results of markets, and keeps the current ones for requests. Driven by a publisher (in
//! process or to a broker), which passes the time; must never read a clock.

use super::generator::{GeneratedChange, Generator, RenderMatch};
use super::results::ledger::{Corrections, Ledger};
use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate, Position, SportUpdate};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::matches::Match;
use kvota_domain::settlement::{MatchResults, RequestedMatch};
use kvota_domain::sport::SportPatch;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// The minimum interval between live events. One event contains all changes of an interval.
pub const STEP: Duration = Duration::from_millis(200);
/// The interval of feed-active messages (CONTRACT 1: at most 5 s).
pub const ACTIVE: Duration = Duration::from_secs(2);
/// The longest wait for something to happen: a clock that was set forward is noticed.
const IDLE_MAX: Duration = Duration::from_secs(1);

/// Markets and odds in one live event. Some 60 bytes each in the longest language: well below the 4 MiB an event may
/// take (CONTRACT 1), however many matches begin at once.
const EVENT_ENTITIES: usize = 20_000;
/// The size of a match without its markets, counted in markets or odds.
const MATCH_ENTITIES: usize = 8;

/// The producer of a feed.
pub struct Producer {
    generators: Vec<Box<dyn Generator>>,
    sports: PerLang<BTreeMap<SportId, SportPatch>>,
    primary: Lang,
    position: Position,
    offer: BTreeMap<MatchId, Arc<dyn RenderMatch>>,
    ledger: Ledger,
    /// Results of the latest step.
    results: Vec<MatchResults>,
}

/// One live event, in every language.
#[derive(Clone, PartialEq, Debug)]
pub struct LiveEvent {
    /// Its position, the same in all languages.
    pub position: Position,
    /// The updates in the order in which they must be sent. The primary language is last, so that the texts of the
    /// other languages arrive before it.
    pub updates: Vec<(Lang, FeedUpdate)>,
}

impl Producer {
    /// A producer that starts now: `epoch` must differ from that of every earlier start.
    pub fn new(epoch: i64, primary: Lang, generators: Vec<Box<dyn Generator>>) -> Producer {
        let sports_in = |lang| {
            let patches = generators.iter().flat_map(|generator| generator.sports(lang));
            patches.map(|patch| (patch.id, patch)).collect()
        };
        Producer {
            sports: PerLang::new(sports_in),
            generators,
            primary,
            position: Position { epoch, seq: 0 },
            offer: BTreeMap::new(),
            ledger: Ledger::new(Corrections::default()),
            results: Vec::new(),
        }
    }

    /// The same with deliberate mistakes: this share of markets, 0 to 1, is reported with another winner at first and
    /// corrected minutes later. The seed decides which ones. To be set before the first step.
    #[must_use]
    pub fn with_result_corrections(self, share: f64, seed: u64) -> Producer {
        Producer { ledger: Ledger::new(Corrections { share, seed }), ..self }
    }

    /// The position of the latest live event.
    pub fn position(&self) -> Position {
        self.position
    }

    /// How many matches are in the offer.
    pub fn number_of_matches(&self) -> usize {
        self.offer.len()
    }

    /// The time of the next change, in ms since the epoch; `None` if there are no more changes.
    pub fn next_due_ms(&self) -> Option<i64> {
        let due = self.generators.iter().filter_map(|generator| generator.next_due_ms());
        due.chain(self.ledger.next_due_ms()).min()
    }

    /// Whether the feed is active: all its matches can be offered.
    pub fn is_active(&self) -> bool {
        self.generators.iter().all(|generator| generator.is_active())
    }

    /// How long the publisher should wait before the next step.
    pub fn until_next(&self, now_ms: i64) -> Duration {
        let wait_ms = self.next_due_ms().map_or(u64::MAX, |due| due.saturating_sub(now_ms).max(0) as u64);
        Duration::from_millis(wait_ms).clamp(STEP, IDLE_MAX)
    }

    /// Advances to `now_ms` (ms since the epoch) and returns the live events to send, in order: none if nothing
    /// changed, one for all changes, or several if one would be too large. Afterwards take the results of the step with
    /// [`Producer::take_results`].
    pub fn step(&mut self, now_ms: i64) -> Vec<LiveEvent> {
        let generators = self.generators.iter_mut();
        let mut changes: Vec<GeneratedChange> = generators.flat_map(|generator| generator.advance(now_ms)).collect();
        changes.sort_by_key(|change| change.at_ms);
        let mut events = Vec::new();
        let mut rest = changes.as_slice();
        while !rest.is_empty() {
            let (now, later) = rest.split_at(fitting(rest));
            events.push(self.event(now, now_ms));
            rest = later;
        }
        self.results = self.results_of(&changes, now_ms);
        events
    }

    /// Takes the results of the latest step, in the order in which they must be sent. Send them after all live events
    /// of the step, which remove the decided markets. Results that are not taken before the next step are only in the
    /// answers to requests.
    pub fn take_results(&mut self) -> Vec<MatchResults> {
        std::mem::take(&mut self.results)
    }

    /// The current results of up to 1,000 matches, each with the highest version of its match: those in the offer and
    /// those that left it within a day. Markets with open bets on other matches are cancelled.
    pub fn present_results(&mut self, requested: &[RequestedMatch], now_ms: i64) -> Vec<MatchResults> {
        if let Some(kept) = self.generators.iter_mut().find_map(|generator| generator.present_results(requested)) {
            return kept;
        }
        self.ledger.present(requested, |id| self.offer.contains_key(&id), now_ms)
    }

    fn results_of(&mut self, changes: &[GeneratedChange], now_ms: i64) -> Vec<MatchResults> {
        let mut results = self.ledger.correct(now_ms);
        for generator in &mut self.generators {
            let decisions = generator.take_decisions().into_iter();
            results.extend(decisions.map(|decisions| self.ledger.record(decisions, now_ms)));
            results.extend(generator.take_results());
        }
        for gone in changes.iter().filter(|change| change.change == Change::Delete) {
            self.ledger.leave(gone.state.id(), now_ms);
        }
        results
    }

    fn event(&mut self, changes: &[GeneratedChange], now_ms: i64) -> LiveEvent {
        let known: BTreeSet<SportId> = self.offer.values().map(|held| held.sport_id()).collect();
        for change in changes {
            self.hold(change);
        }
        self.position.seq += 1;
        let secondary = Lang::ALL.into_iter().filter(|lang| *lang != self.primary);
        let updates = secondary.chain([self.primary]);
        LiveEvent {
            position: self.position,
            updates: updates.map(|lang| (lang, self.update(lang, changes, &known, now_ms))).collect(),
        }
    }

    fn hold(&mut self, change: &GeneratedChange) {
        let id = change.state.id();
        match change.change {
            Change::Insert | Change::Update => {
                self.offer.insert(id, change.state.clone());
            }
            Change::Delete => {
                self.offer.remove(&id);
            }
        }
    }

    /// The changes under their sports; a sport of which no match was in the offer comes whole.
    fn update(&self, lang: Lang, changes: &[GeneratedChange], known: &BTreeSet<SportId>, now_ms: i64) -> FeedUpdate {
        let mut sports: Vec<SportUpdate> = Vec::new();
        for change in changes {
            let update = rendered(change, lang, now_ms);
            let sport = change.state.sport_id();
            match sports.iter_mut().find(|held| held.sport.id == sport) {
                Some(held) => held.matches.push(update),
                None => sports.push(SportUpdate {
                    sport: if known.contains(&sport) { SportPatch::empty(sport) } else { self.sport(lang, sport) },
                    matches: vec![update],
                }),
            }
        }
        self.feed_update(sports, now_ms)
    }

    /// The whole offer as of the latest live event, its clocks as of `now_ms`.
    pub fn snapshot(&self, lang: Lang, now_ms: i64) -> (Position, FeedUpdate) {
        let mut sports: BTreeMap<SportId, SportUpdate> = BTreeMap::new();
        for held in self.offer.values() {
            let (live_match, time) = held.render(lang, now_ms);
            let id = held.sport_id();
            let sport =
                sports.entry(id).or_insert_with(|| SportUpdate { sport: self.sport(lang, id), matches: Vec::new() });
            sport.matches.push(MatchUpdate { change: Change::Insert, live_match, time, texts: None });
        }
        let update = self.feed_update(sports.into_values().collect(), now_ms);
        (self.position, update)
    }

    fn sport(&self, lang: Lang, id: SportId) -> SportPatch {
        let known = self.sports[lang].get(&id).cloned();
        let found = known.or_else(|| self.generators.iter().find_map(|generator| generator.sport(id, lang)));
        found.unwrap_or_else(|| SportPatch::empty(id))
    }

    fn feed_update(&self, sports: Vec<SportUpdate>, now_ms: i64) -> FeedUpdate {
        FeedUpdate {
            sports,
            number_of_matches: Some(self.offer.len() as u64),
            date_ms: Some(now_ms),
            ..FeedUpdate::default()
        }
    }
}

/// How many of the changes fit into one event; at least one.
fn fitting(changes: &[GeneratedChange]) -> usize {
    let mut entities = 0;
    let fits = changes.iter().take_while(|change| {
        entities += MATCH_ENTITIES + change.state.entities();
        entities <= EVENT_ENTITIES
    });
    fits.count().max(1)
}

fn rendered(change: &GeneratedChange, lang: Lang, now_ms: i64) -> MatchUpdate {
    let (live_match, time) = match change.change {
        Change::Insert | Change::Update => change.state.render(lang, now_ms),
        // Only its id counts.
        Change::Delete => {
            let gone = Match::empty(change.state.id(), change.state.sport_id());
            (gone, Default::default())
        }
    };
    MatchUpdate { change: change.change, live_match, time, texts: None }
}
