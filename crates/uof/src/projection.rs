//! An event as a match of our offer, in one language (contract 10). Pure: it reads what is known and decides nothing
//! about the feed.

use crate::bet_stop_reason::words;
use crate::descriptions::Descriptions;
use crate::event_status::EventStatus;
use crate::fixture::{Fixture, Profiles};
use crate::ids::LineIds;
use crate::line_key::LineKey;
use crate::lines::{Line, Lines, Shown};
use crate::message::ProducerId;
use crate::names::{Namer, Subjects};
use crate::status_label::{Stage, is_break, label, stage};
use crate::urn::Urn;
use kvota_domain::Text;
use kvota_domain::feed::Time;
use kvota_domain::ids::{MatchId, OddId, SportId};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::market::{Market, Odd};
use kvota_domain::matches::{Match, Pair};
use std::sync::{Arc, OnceLock};

/// What is known of an event in one language.
#[derive(Clone, Copy, Debug)]
pub struct EventView<'a> {
    /// The event.
    pub event: &'a Urn,
    /// Its fixture in the language, or in English.
    pub fixture: &'a Fixture,
    /// Its sport.
    pub sport: SportId,
    /// Its newest status.
    pub status: &'a EventStatus,
    /// The seconds since the clock of the status was read.
    pub since_s: i64,
    /// Why betting stopped, as a number of the provider's list.
    pub bet_stop_reason: Option<i64>,
    /// Its lines.
    pub lines: &'a Lines,
    /// The language.
    pub lang: Lang,
    /// The descriptions of the language, then those of English.
    pub descriptions: [&'a Descriptions; 2],
    /// The names of players in the language, then those in English.
    pub profiles: [&'a Profiles; 2],
}

impl Subjects for EventView<'_> {
    fn competitor(&self, side: u8) -> Option<&str> {
        let place = usize::from(side).checked_sub(1)?;
        self.fixture.competitors.get(place)?.as_ref().map(|named| &*named.name)
    }

    fn profile(&self, urn: &str) -> Option<&str> {
        self.profiles.into_iter().find_map(|held| held.get(urn))
    }
}

impl EventView<'_> {
    /// The match with its time; `None` if the event has no number of ours, or is over. `is_up` says whether a producer
    /// can be trusted. `facts` has the ids of lines; a line without ids, or with those of another line, is left out.
    pub fn live_match<'b>(
        &self,
        is_up: impl Fn(ProducerId) -> bool,
        facts: impl Fn(&LineKey) -> Option<&'b LineFacts>,
    ) -> Option<(Match, Time)> {
        let stage = stage(self.status);
        let id = MatchId::new(self.event.number())?;
        if stage == Stage::Over {
            return None;
        }
        let lines = self.lines.iter().filter_map(|(key, line)| Some((key, line, line.shown()?)));
        let mut shown: Vec<(&LineKey, &Line, Shown, &LineFacts)> =
            lines.filter_map(|(key, line, shown)| Some((key, line, shown, facts(key)?))).collect();
        shown.sort_by(|(one, ..), (other, ..)| one.compare_lines(other));
        let is_trusted = shown.iter().all(|(_, line, ..)| is_up(line.owner));
        let is_any_open = shown.iter().any(|(_, _, shown, _)| *shown == Shown::Open);
        let namer = Namer { lang: self.lang, descriptions: self.descriptions, subjects: self };
        let side = |side: u8| self.competitor(side).map(Text::from);
        let text = |named: &Option<crate::fixture::Named>| named.as_ref().map(|named| Text::clone(&named.name));
        let status = self.status;
        let is_ended = matches!(status.match_status, Some(100 | 110 | 120));
        let result = status.result.or(status.score.filter(|_| is_ended));
        let (time, is_stopped) = time_of(status, self.since_s);
        let live_match = Match {
            status: Some(Text::from(&*label(status))),
            home: side(1),
            away: side(2),
            betting: stage == Stage::Open && is_trusted && is_any_open,
            markets: shown
                .iter()
                .map(|(key, line, shown, ids)| Arc::new(self.market(&namer, key, line, *shown, ids)))
                .collect(),
            score: status.score,
            scores: status.periods.iter().map(|period| period.score).collect(),
            sport_name: text(&self.fixture.sport),
            tournament: text(&self.fixture.tournament),
            tournament_description: text(&self.fixture.category),
            result: result.map(|[home, away]| Text::from(format!("{home}:{away}"))),
            red_cards: sum(status.red_cards, status.yellow_red_cards),
            yellow_cards: status.yellow_cards,
            corners: status.corners,
            clock_stopped: is_stopped,
            suspended: status.is_suspended,
            player_serving: status.server,
            tiebreak: status.tiebreak,
            game: status.game.map(|pair| pair.map(|points| points_text(points, status.tiebreak == Some(true)))),
            ..Match::empty(id, self.sport)
        };
        Some((live_match, time))
    }

    fn market(&self, namer: &Namer<'_, Self>, key: &LineKey, line: &Line, shown: Shown, facts: &LineFacts) -> Market {
        let names = facts.names(self.lang, namer, key);
        let odd = |(at, outcome): (usize, &crate::message::OutcomeOdds)| {
            let (place, id) = facts.ids.place(at, &outcome.id)?;
            let (label, name) = names.outcomes.get(place)?;
            Some(Odd {
                id,
                kind: Some(Text::clone(&outcome.id)),
                value: outcome.price,
                values: None,
                alias: Some(Text::clone(label)),
                changed: None,
                description: Some(Text::clone(name)),
            })
        };
        let is_locked = shown == Shown::Locked;
        let reason = is_locked.then(|| self.bet_stop_reason.and_then(|reason| words(reason, self.lang)));
        Market {
            id: facts.ids.market,
            name: Some(Text::clone(&names.market)),
            short: None,
            special: None,
            sbv: facts.sbv.clone(),
            kind: key.market,
            subtype: None,
            order: None,
            odds: line.outcomes.iter().enumerate().filter_map(odd).collect(),
            balanced: line.is_favourite.then_some(true),
            description: reason.flatten(),
            tags: Arc::default(),
            is_suspended: is_locked,
        }
    }
}

/// What is worked out once of a line: its ids, and its names in each language when they are first needed. To be replaced
/// when a name may have changed.
#[derive(Debug)]
pub struct LineFacts {
    /// Its ids.
    pub ids: LineIds,
    sbv: Option<Text>,
    names: PerLang<OnceLock<LineNames>>,
}

/// The names of a line in a language.
#[derive(Debug)]
struct LineNames {
    market: Text,
    /// Label and full name, in the order of the ids.
    outcomes: Vec<(Text, Text)>,
}

impl LineFacts {
    /// A line with these ids.
    pub fn new(key: &LineKey, ids: LineIds) -> LineFacts {
        LineFacts { ids, sbv: key.specifiers.sbv().map(Text::from), names: PerLang::default() }
    }

    /// The same without names.
    #[must_use]
    pub fn without_names(&self) -> LineFacts {
        LineFacts { ids: self.ids.clone(), sbv: self.sbv.clone(), names: PerLang::default() }
    }

    fn names<S: Subjects>(&self, lang: Lang, namer: &Namer<'_, S>, key: &LineKey) -> &LineNames {
        self.names[lang].get_or_init(|| {
            let outcome = |(id, _): &(Text, OddId)| {
                let name = namer.outcome(key, id);
                let label = namer.label(key, id);
                (Text::from(label.as_deref().unwrap_or(&name)), Text::from(name))
            };
            LineNames { market: Text::from(namer.market(key)), outcomes: self.ids.odds.iter().map(outcome).collect() }
        })
    }
}

/// The clock in seconds, carried on while it runs. A clock that only counts down is shown as a text, because ours count
/// up.
fn time_of(status: &EventStatus, since_s: i64) -> (Time, Option<bool>) {
    let Some(clock) = status.clock else { return (Time::None, None) };
    // A clock that does not say whether it stands is taken to stand where nothing is played.
    let is_stopped = clock.is_stopped.or_else(|| is_break(status).then_some(true));
    let since_s = if is_stopped == Some(true) { 0 } else { since_s.max(0) };
    let time = match (clock.match_s, clock.left_in_period_s) {
        (Some(seconds), _) => Time::Seconds(seconds.saturating_add(since_s)),
        (None, Some(left_s)) => {
            let left_s = left_s.saturating_sub(since_s).max(0);
            let (minutes, seconds) = (left_s.div_euclid(60), left_s.rem_euclid(60));
            Time::Text(Text::from(format!("{minutes}:{seconds:02}")))
        }
        (None, None) => Time::None,
    };
    (time, is_stopped)
}

fn sum(one: Option<Pair>, other: Option<Pair>) -> Option<Pair> {
    match (one, other) {
        (Some([home, away]), Some([more, others])) => Some([home.saturating_add(more), away.saturating_add(others)]),
        (one, other) => one.or(other),
    }
}

/// Points of a game: 50 is an advantage, except in a tie-break.
fn points_text(points: i64, is_tiebreak: bool) -> Text {
    if points == 50 && !is_tiebreak { Text::from("AD") } else { Text::from(points.to_string()) }
}
