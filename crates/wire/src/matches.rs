//! Encodes one match in a language: as the contract's array (hub, msgpack bodies) and as a JSON object (HTTP calls).
//! Called by `hub` and `offer`; must not read a clock: the date is an argument.

use super::Encoding;
use super::array::ArrayWriter;
use super::entities::{Number, Positional, side_number};
use kvota_domain::aggregate::MatchState;
use kvota_domain::clock::Clock;
use kvota_domain::facts::Fact;
use kvota_domain::incidents::{ACTIONS, History};
use kvota_domain::lang::Lang;
use kvota_domain::market::{Market, Odd};
use kvota_domain::matches::{Ball, Match, Pair};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;

/// The markets that are included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum View {
    /// All markets.
    Full,
    /// The markets that preferred columns show.
    Rows,
}

impl View {
    /// Both, in the order of their indexes.
    pub const ALL: [View; 2] = [View::Full, View::Rows];

    /// A dense index, for arrays with one element per view.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Elements of a match's array: the contract's 26, the ball, the number of odds, two revisions and the history.
const MATCH_ELEMENTS: usize = 31;

/// A match with its texts in one language.
pub(crate) struct Localised<'a> {
    state: &'a MatchState,
    lang: Lang,
    head: Cow<'a, Match>,
}

impl<'a> Localised<'a> {
    /// The match in a language; missing texts are the primary language's.
    pub(crate) fn new(state: &'a MatchState, lang: Lang) -> Localised<'a> {
        let head = match &state.texts[lang] {
            Some(texts) => texts.head(&state.live_match),
            None => Cow::Borrowed(&*state.live_match),
        };
        Localised { state, lang, head }
    }

    /// A market of this match with its texts in the language.
    pub(crate) fn market<'b>(&self, market: &'b Market) -> Cow<'b, Market> {
        match &self.state.texts[self.lang] {
            Some(texts) => texts.market(market),
            None => Cow::Borrowed(market),
        }
    }

    /// The markets of a view, in the feed's order.
    pub(crate) fn markets(&self, view: View) -> Vec<Cow<'a, Market>> {
        match view {
            View::Full => self.state.live_match.markets.iter().map(|market| self.market(market)).collect(),
            View::Rows => self.state.split().row_markets().map(|market| self.market(market)).collect(),
        }
    }

    /// The clock, with its text in the language.
    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.head.clock.as_ref()
    }

    /// Appends the match as an array and returns the byte range of its `time`: for a later date only that differs.
    pub(crate) fn write_array(
        &self,
        out: &mut Vec<u8>,
        encoding: Encoding,
        view: View,
        date_ms: i64,
    ) -> std::ops::Range<usize> {
        let own = &*self.head;
        let mut time = 0..0;
        let markets = self.markets(view);
        let ball = own.ball.as_ref().filter(|_| view == View::Full);
        let history = own.history.as_deref().filter(|_| view == View::Full);
        ArrayWriter::begin(out, encoding, MATCH_ELEMENTS)
            .item(&own.id.get())
            .item(&own.status)
            .item(&own.home)
            .item(&own.away)
            .item(&own.betting)
            .item(&0)
            .item(&Markets(&markets))
            .item(&own.order)
            .item(&own.score)
            .item(&own.scores)
            .item(&own.sport_id.get())
            .item(&own.sport_name)
            .with(|out, encoding| {
                time.start = out.len();
                encoding.write(out, &TimeAt(own.clock.as_ref(), date_ms));
                time.end = out.len();
            })
            .item(&own.tournament)
            .item(&own.tournament_description)
            .item(&own.result)
            .item(&own.perform_event_id)
            .item(&own.perform_event_type)
            .item(&own.red_cards)
            .item(&own.yellow_cards)
            .item(&own.corners)
            .item(&own.clock_stopped)
            .item(&own.suspended)
            .item(&own.player_serving)
            .item(&own.tiebreak)
            .item(&own.game)
            .item(&ball.map(Positional))
            .item(&self.state.live_match.number_of_odds())
            .item(&self.state.row_revision)
            .item(&(view == View::Full).then_some(self.state.detail_revision))
            .item(&history.map(Positional))
            .end();
        time
    }

    /// Appends the match as a JSON object without `time` and without the closing brace.
    pub(crate) fn write_open_object(&self, out: &mut Vec<u8>, view: View) {
        let markets = self.markets(view);
        Encoding::Json.write(out, &MatchObject { own: &self.head, state: self.state, markets: &markets, view });
        let brace = out.pop();
        debug_assert_eq!(brace, Some(b'}'));
    }
}

/// Markets as arrays.
struct Markets<'a>(&'a [Cow<'a, Market>]);

impl Serialize for Markets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|market| Positional(&**market)))
    }
}

/// `time` as of a date: the clock carried forward to it (CONTRACT 0).
pub(crate) struct TimeAt<'a>(pub(crate) Option<&'a Clock>, pub(crate) i64);

impl Serialize for TimeAt<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            None => serializer.serialize_none(),
            Some(Clock::Text(text)) => serializer.serialize_str(text),
            Some(clock) => clock.seconds_at(self.1).serialize(serializer),
        }
    }
}

/// A match as a JSON object with the contract's names.
struct MatchObject<'a> {
    own: &'a Match,
    state: &'a MatchState,
    markets: &'a [Cow<'a, Market>],
    view: View,
}

impl Serialize for MatchObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let own = self.own;
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("id", &own.id.get())?;
        out.serialize_entry("status", &own.status)?;
        out.serialize_entry("home", &own.home)?;
        out.serialize_entry("away", &own.away)?;
        out.serialize_entry("betting", &own.betting)?;
        out.serialize_entry("change", &0)?;
        out.serialize_entry("order", &own.order)?;
        out.serialize_entry("score", &own.score)?;
        out.serialize_entry("scores", &own.scores)?;
        out.serialize_entry("sportId", &own.sport_id.get())?;
        out.serialize_entry("sportName", &own.sport_name)?;
        out.serialize_entry("tournament", &own.tournament)?;
        entry_if_some(&mut out, "tournamentDescription", own.tournament_description.as_ref())?;
        entry_if_some(&mut out, "result", own.result.as_ref())?;
        entry_if_some(&mut out, "performEventId", own.perform_event_id.as_ref())?;
        entry_if_some(&mut out, "performEventType", own.perform_event_type.as_ref())?;
        entry_if_some(&mut out, "redCards", own.red_cards.as_ref())?;
        entry_if_some(&mut out, "yellowCards", own.yellow_cards.as_ref())?;
        entry_if_some(&mut out, "corners", own.corners.as_ref())?;
        entry_if_some(&mut out, "clockStopped", own.clock_stopped.as_ref())?;
        entry_if_some(&mut out, "suspended", own.suspended.as_ref())?;
        entry_if_some(&mut out, "playerServing", own.player_serving.as_ref())?;
        entry_if_some(&mut out, "tiebreak", own.tiebreak.as_ref())?;
        entry_if_some(&mut out, "game", own.game.as_ref())?;
        if self.view == View::Full {
            entry_if_some(&mut out, "ball", own.ball.map(BallObject::from).as_ref())?;
            entry_if_some(&mut out, "history", own.history.as_deref().map(HistoryObject::from).as_ref())?;
        }
        out.serialize_entry("numberOfOdds", &self.state.live_match.number_of_odds())?;
        out.serialize_entry("revision", &self.state.row_revision)?;
        // Left out for rows: a reader of rows has nothing to compare it with and is not notified when it changes.
        if self.view == View::Full {
            out.serialize_entry("detailRevision", &self.state.detail_revision)?;
        }
        out.serialize_entry("markets", &MarketObjects(self.markets))?;
        out.end()
    }
}

fn entry_if_some<M: SerializeMap>(
    out: &mut M,
    name: &'static str,
    value: Option<&impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| out.serialize_entry(name, value))
}

#[derive(serde::Serialize)]
struct BallObject {
    x: u8,
    y: u8,
    side: u8,
    action: u8,
}

impl From<Ball> for BallObject {
    fn from(Ball { x, y, side, action }: Ball) -> BallObject {
        BallObject { x, y, side, action }
    }
}

#[derive(serde::Serialize)]
struct HistoryObject<'a> {
    incidents: Vec<IncidentObject<'a>>,
    pressure: &'a [i8],
    counts: [[u16; 2]; ACTIONS],
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Positional<'a, [Fact]>>,
}

#[derive(serde::Serialize)]
struct IncidentObject<'a> {
    kind: u8,
    side: u8,
    seconds: Option<u32>,
    status: Option<&'a str>,
    score: Option<Pair>,
    player: Option<&'a str>,
}

impl<'a> From<&'a History> for HistoryObject<'a> {
    fn from(history: &'a History) -> HistoryObject<'a> {
        let incidents = history.incidents.iter().map(|incident| IncidentObject {
            kind: incident.kind.number(),
            side: side_number(incident.side),
            seconds: incident.seconds,
            status: incident.status.as_deref(),
            score: incident.score,
            player: incident.player.as_deref(),
        });
        let facts = (!history.facts.is_empty()).then_some(Positional(history.facts.as_slice()));
        HistoryObject { incidents: incidents.collect(), pressure: &history.pressure, counts: history.counts, facts }
    }
}

struct MarketObjects<'a>(&'a [Cow<'a, Market>]);

impl Serialize for MarketObjects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|market| MarketObject(market)))
    }
}

struct MarketObject<'a>(&'a Market);

impl Serialize for MarketObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let market = self.0;
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("id", &market.id.get())?;
        out.serialize_entry("name", &market.name)?;
        entry_if_some(&mut out, "short", market.short.as_ref())?;
        entry_if_some(&mut out, "special", market.special.as_ref())?;
        entry_if_some(&mut out, "sbv", market.sbv.as_ref())?;
        out.serialize_entry("type", &market.kind)?;
        entry_if_some(&mut out, "subtype", market.subtype.as_ref())?;
        entry_if_some(&mut out, "order", market.order.as_ref())?;
        entry_if_some(&mut out, "balanced", market.balanced.as_ref())?;
        entry_if_some(&mut out, "description", market.description.as_ref())?;
        out.serialize_entry("tags", &market.tags)?;
        entry_if_some(&mut out, "status", market.is_suspended.then_some(-1).as_ref())?;
        out.serialize_entry("odds", &OddObjects(&market.odds))?;
        out.end()
    }
}

struct OddObjects<'a>(&'a [Odd]);

impl Serialize for OddObjects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(OddObject))
    }
}

struct OddObject<'a>(&'a Odd);

impl Serialize for OddObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let odd = self.0;
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("id", &odd.id.get())?;
        out.serialize_entry("type", &odd.kind)?;
        out.serialize_entry("value", &Number(odd.value))?;
        entry_if_some(&mut out, "values", odd.values.as_ref())?;
        entry_if_some(&mut out, "alias", odd.alias.as_ref())?;
        out.serialize_entry("changed", &odd.mark())?;
        entry_if_some(&mut out, "description", odd.description.as_ref())?;
        out.end()
    }
}
