//! One event of the feed: its status, lines and fixture, and whether it is in the offer. It is shared with its readers,
//! so that they never delay the feed.
//!
//! Must not know other events, nor whether a producer can be trusted.

use crate::descriptions::Descriptions;
use crate::event_status::EventStatus;
use crate::fixture::{Fixture, Profiles};
use crate::line_key::LineKey;
use crate::lines::Lines;
use crate::message::ProducerId;
use crate::projection::{EventView, LineFacts};
use crate::status_label::{Stage, stage};
use crate::urn::Urn;
use kvota_domain::feed::Time;
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::matches::Match;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How long an event waits for its fixture in all languages, in ms. Then it is shown with those that are there.
const FIXTURES_WAIT_MS: i64 = 5_000;
/// How long an abandoned event stays in the offer, in ms.
pub const ABANDONED_MS: i64 = 5 * 60_000;

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    urn: Urn,
    id: MatchId,
    /// The sport of the routing key, for fixtures without one.
    sport_hint: Option<SportId>,
    status: EventStatus,
    /// The times of the newest statuses, by producer.
    status_times: Vec<(ProducerId, i64)>,
    /// When the status was read, in our time.
    status_read_ms: i64,
    /// When the event was abandoned, in our time.
    abandoned_ms: Option<i64>,
    /// The time of the message that took the fixture away.
    removed_ms: Option<i64>,
    has_odds: bool,
    bet_stop_reason: Option<i64>,
    /// Its lines.
    pub lines: Lines,
    /// Their ids and names.
    pub facts: BTreeMap<LineKey, Arc<LineFacts>>,
    seen_ms: i64,
    fixtures: PerLang<Option<Arc<Fixture>>>,
    /// Languages with an answer about the fixture, also without one.
    answered: PerLang<bool>,
    profiles: PerLang<Arc<Profiles>>,
}

impl Event {
    /// An event that was first heard of at a time; `None` if its number is no id of ours.
    pub fn new(urn: Urn, sport_hint: Option<SportId>, now_ms: i64) -> Option<Event> {
        Some(Event {
            id: MatchId::new(urn.number())?,
            urn,
            sport_hint,
            status: EventStatus::default(),
            status_times: Vec::new(),
            status_read_ms: now_ms,
            abandoned_ms: None,
            removed_ms: None,
            has_odds: false,
            bet_stop_reason: None,
            lines: Lines::default(),
            facts: BTreeMap::new(),
            seen_ms: now_ms,
            fixtures: PerLang::default(),
            answered: PerLang::default(),
            profiles: PerLang::default(),
        })
    }

    /// Its name in the feed.
    pub fn urn(&self) -> &Urn {
        &self.urn
    }

    /// Its id.
    pub fn id(&self) -> MatchId {
        self.id
    }

    /// Its sport, if it is known.
    pub fn sport(&self) -> Option<SportId> {
        let named = Lang::ALL.into_iter().find_map(|lang| self.fixtures[lang].as_ref()?.sport.as_ref());
        named.and_then(|sport| SportId::new(sport.urn.number())).or(self.sport_hint)
    }

    /// The name of its sport in a language.
    pub fn sport_name(&self, lang: Lang) -> Option<&kvota_domain::Text> {
        self.fixture(lang)?.sport.as_ref().map(|sport| &sport.name)
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        stage(&self.status) == Stage::Over
    }

    /// Odds have arrived: from now on it may be offered. They say why betting stopped before, if they say anything.
    pub fn note_odds(&mut self, bet_stop_reason: Option<i64>) {
        (self.has_odds, self.bet_stop_reason) = (true, bet_stop_reason);
    }

    /// Takes a status. An older one of the same producer does not count.
    pub fn take_status(&mut self, producer: ProducerId, timestamp_ms: i64, status: EventStatus, now_ms: i64) {
        match self.status_times.iter_mut().find(|held| held.0 == producer) {
            Some(held) if held.1 > timestamp_ms => return,
            Some(held) => held.1 = timestamp_ms,
            None => self.status_times.push((producer, timestamp_ms)),
        }
        let is_open = !matches!(stage(&status), Stage::Over);
        if is_open && self.removed_ms.is_some_and(|removed_ms| removed_ms < timestamp_ms) {
            self.removed_ms = None;
        }
        let is_abandoned = status.status == Some(9) || status.match_status == Some(90);
        self.abandoned_ms = is_abandoned.then(|| self.abandoned_ms.unwrap_or(now_ms));
        (self.status, self.status_read_ms) = (status, now_ms);
    }

    /// The fixture is cancelled, or no longer covered.
    pub fn remove(&mut self, timestamp_ms: i64) {
        self.removed_ms = Some(timestamp_ms);
    }

    /// Takes the fixture of a language, or the answer that it has no fixture.
    pub fn take_fixture(&mut self, lang: Lang, fixture: Option<Fixture>) {
        self.answered[lang] = true;
        if let Some(fixture) = fixture {
            Arc::make_mut(&mut self.profiles[lang]).add_fixture(&fixture);
            self.fixtures[lang] = Some(Arc::new(fixture));
            self.forget_names();
        }
    }

    /// The names of players in a language.
    pub fn profiles(&self, lang: Lang) -> &Profiles {
        &self.profiles[lang]
    }

    /// Names may have changed: they are worked out again when they are needed.
    pub fn forget_names(&mut self) {
        self.facts.values_mut().for_each(|facts| *facts = Arc::new(facts.without_names()));
    }

    /// The names of players, to add some.
    pub fn profiles_mut(&mut self, lang: Lang) -> &mut Profiles {
        self.forget_names();
        Arc::make_mut(&mut self.profiles[lang])
    }

    /// The fixture in the language, else in English, else in any.
    fn fixture(&self, lang: Lang) -> Option<&Fixture> {
        let order = [lang, Lang::En].into_iter().chain(Lang::ALL);
        order.filter_map(|lang| self.fixtures[lang].as_deref()).next()
    }

    /// Whether it belongs in the offer.
    pub fn is_offered(&self, now_ms: i64) -> bool {
        let is_answered = self.answered.iter().all(|(_, answered)| *answered);
        let has_waited = now_ms.saturating_sub(self.seen_ms) >= FIXTURES_WAIT_MS;
        let was_abandoned = self.abandoned_ms.is_some_and(|at_ms| now_ms.saturating_sub(at_ms) >= ABANDONED_MS);
        let is_named = self.fixture(Lang::En).is_some() && (is_answered || has_waited) && self.sport().is_some();
        self.has_odds && is_named && !self.is_over() && self.removed_ms.is_none() && !was_abandoned
    }

    /// When it may change by itself, in our time: it is shown without all fixtures, or leaves after it was abandoned.
    pub fn due_ms(&self) -> Option<i64> {
        let of_fixtures = self.seen_ms.saturating_add(FIXTURES_WAIT_MS);
        let of_fixtures = self.answered.iter().any(|(_, answered)| !answered).then_some(of_fixtures);
        of_fixtures.or(self.abandoned_ms.map(|at_ms| at_ms.saturating_add(ABANDONED_MS)))
    }

    /// The event as a match of the offer in a language. `up` are the producers that can be trusted.
    pub fn as_match(
        &self,
        lang: Lang,
        descriptions: &PerLang<Arc<Descriptions>>,
        up: &[ProducerId],
        now_ms: i64,
    ) -> Option<(Match, Time)> {
        let view = EventView {
            event: &self.urn,
            fixture: self.fixture(lang)?,
            sport: self.sport()?,
            status: &self.status,
            since_s: now_ms.saturating_sub(self.status_read_ms).div_euclid(1_000),
            bet_stop_reason: self.bet_stop_reason,
            lines: &self.lines,
            lang,
            descriptions: [&descriptions[lang], &descriptions[Lang::En]],
            profiles: [&self.profiles[lang], &self.profiles[Lang::En]],
        };
        view.live_match(
            |producer| up.contains(&producer),
            |key| self.facts.get(key).map(|facts| &**facts).filter(|facts| facts.ids.are_own),
        )
    }
}
