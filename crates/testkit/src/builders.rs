//! Builders with short defaults: `live_match(17).score(1, 0).market(result(1).odds(["1.85", "3.2", "4"]))`. Every step
//! gives a valid entity; invalid input is a mistake of the test and panics.

use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate, SportUpdate, Time};
use kvota_domain::ids::{MarketId, MatchId, OddId, SportId};
use kvota_domain::market::{Market, Odd};
use kvota_domain::matches::Match;
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::sport::{ColumnMarket, PreferredColumn, SportPatch};
use std::sync::Arc;

/// The id of a sport.
#[track_caller]
pub fn sport_id(id: u64) -> SportId {
    SportId::new(id).expect("a sport id is at most 2^53 - 1")
}

/// The id of a match.
#[track_caller]
pub fn match_id(id: u64) -> MatchId {
    MatchId::new(id).expect("a match id is at most 2^53 - 1")
}

/// The id of a market.
#[track_caller]
pub fn market_id(id: u64) -> MarketId {
    MarketId::new(id).expect("a market id is at most 2^53 - 1")
}

/// The id of an odd.
#[track_caller]
pub fn odd_id(id: u64) -> OddId {
    OddId::new(id).expect("an odd id is at most 2^53 - 1")
}

/// An amount from its text: `"10.50"`.
#[track_caller]
pub fn money(text: &str) -> Money {
    Money::parse(text).unwrap_or_else(|| panic!("{text} is no amount"))
}

/// A price from its text: `"1.85"`.
#[track_caller]
pub fn price(text: &str) -> Price {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let thousandths = format!("{whole}{rest:0<3}").parse().ok().filter(|_| rest.len() <= 3);
    thousandths.and_then(Price::from_thousandths).unwrap_or_else(|| panic!("{text} is no price"))
}

/// An open soccer match in its first half, 0:0, without markets.
#[track_caller]
pub fn live_match(id: u64) -> MatchBuilder {
    let mut live_match = Match::empty(match_id(id), sport_id(1));
    live_match.status = Some("first_half".into());
    live_match.home = Some(format!("Home {id}").into());
    live_match.away = Some(format!("Away {id}").into());
    live_match.betting = true;
    live_match.score = Some([0, 0]);
    live_match.tournament = Some("Test league".into());
    MatchBuilder { live_match, time: Time::None }
}

/// Match n with its result in market `10 n` (odds from `1000 n` at this price, 3 and not offered) and a total with the
/// line 2.5 in market `10 n + 1`.
#[track_caller]
pub fn usual_match(id: u64, home: &str) -> MatchBuilder {
    live_match(id).market(result(id * 10, [home, "3", "0"])).market(total(id * 10 + 1, "2.5", ["1.9", "1.8"]))
}

/// See [`live_match`].
#[derive(Clone, Debug)]
pub struct MatchBuilder {
    live_match: Match,
    time: Time,
}

impl MatchBuilder {
    /// Sets a sport other than soccer.
    #[track_caller]
    pub fn sport(mut self, id: u64) -> MatchBuilder {
        self.live_match.sport_id = sport_id(id);
        self
    }

    /// Sets its status.
    pub fn status(mut self, status: &str) -> MatchBuilder {
        self.live_match.status = Some(status.into());
        self
    }

    /// Sets its score.
    pub fn score(mut self, home: i64, away: i64) -> MatchBuilder {
        self.live_match.score = Some([home, away]);
        self
    }

    /// Sets its clock, in seconds as of the date of the message.
    pub fn time(mut self, seconds: i64) -> MatchBuilder {
        self.time = Time::Seconds(seconds);
        self
    }

    /// Sets a text instead of a clock.
    pub fn time_text(mut self, text: &str) -> MatchBuilder {
        self.time = Time::Text(text.into());
        self
    }

    /// Removes its clock.
    pub fn no_time(mut self) -> MatchBuilder {
        self.time = Time::None;
        self
    }

    /// Suspends betting for the moment.
    pub fn suspended(mut self) -> MatchBuilder {
        self.live_match.suspended = Some(true);
        self
    }

    /// Stops betting.
    pub fn betting_stopped(mut self) -> MatchBuilder {
        self.live_match.betting = false;
        self
    }

    /// Sets its order among the matches of its sport.
    pub fn order(mut self, order: i64) -> MatchBuilder {
        self.live_match.order = order;
        self
    }

    /// Adds a market.
    pub fn market(mut self, market: MarketBuilder) -> MatchBuilder {
        self.live_match.markets.push(Arc::new(market.market));
        self
    }

    /// Applies any other change.
    pub fn with(mut self, change: impl FnOnce(&mut Match)) -> MatchBuilder {
        change(&mut self.live_match);
        self
    }

    /// The match.
    pub fn build(self) -> Match {
        self.live_match
    }

    /// An INSERT of it.
    pub fn insert(self) -> MatchUpdate {
        self.update_with(Change::Insert)
    }

    /// An UPDATE of it.
    pub fn update(self) -> MatchUpdate {
        self.update_with(Change::Update)
    }

    /// A DELETE of it.
    pub fn delete(self) -> MatchUpdate {
        self.update_with(Change::Delete)
    }

    fn update_with(self, change: Change) -> MatchUpdate {
        MatchUpdate { change, live_match: self.live_match, time: self.time, texts: None }
    }
}

/// A market of this kind; its odds have the ids `id * 100`, `id * 100 + 1` …
#[track_caller]
pub fn market(id: u64, kind: i64) -> MarketBuilder {
    let market = Market {
        id: market_id(id),
        name: Some(format!("Market {kind}").into()),
        short: None,
        special: None,
        sbv: None,
        kind,
        subtype: None,
        order: None,
        odds: Vec::new(),
        balanced: None,
        description: None,
        tags: [].into(),
        is_suspended: false,
    };
    MarketBuilder { market }
}

/// A full-time result: a market of kind 1 with the odds `1`, `X`, `2`.
#[track_caller]
pub fn result(id: u64, prices: [&str; 3]) -> MarketBuilder {
    let [home, draw, away] = prices;
    market(id, 1).odd("1", home).odd("X", draw).odd("2", away)
}

/// A total: a market of kind 18 with a line and the odds `Manje` and `Više`.
#[track_caller]
pub fn total(id: u64, line: &str, prices: [&str; 2]) -> MarketBuilder {
    let [under, over] = prices;
    market(id, 18).line(line).odd("Manje", under).odd("Više", over)
}

/// See [`market`].
#[derive(Clone, Debug)]
pub struct MarketBuilder {
    market: Market,
}

impl MarketBuilder {
    /// Sets its special bet value.
    pub fn line(mut self, sbv: &str) -> MarketBuilder {
        self.market.sbv = Some(sbv.into());
        self
    }

    /// Marks it as the line closest to even.
    pub fn balanced(mut self) -> MarketBuilder {
        self.market.balanced = Some(true);
        self
    }

    /// Suspends it alone.
    pub fn suspended(mut self) -> MarketBuilder {
        self.market.is_suspended = true;
        self
    }

    /// Adds an odd.
    #[track_caller]
    pub fn odd(mut self, kind: &str, value: &str) -> MarketBuilder {
        let id = self.market.id.get() * 100 + self.market.odds.len() as u64;
        self.market.odds.push(Odd {
            id: odd_id(id),
            kind: Some(kind.into()),
            value: price(value),
            values: None,
            alias: None,
            changed: None,
            description: None,
        });
        self
    }

    /// Applies any other change.
    pub fn with(mut self, change: impl FnOnce(&mut Market)) -> MarketBuilder {
        change(&mut self.market);
        self
    }
}

/// A preferred column that shows a kind of market for any status.
pub fn column(order: i64, market_kind: i64, fields: &[&str]) -> PreferredColumn {
    PreferredColumn {
        order,
        name: Some(format!("Column {order}").into()),
        fields: fields.iter().map(|field| (*field).into()).collect(),
        hidden: false,
        markets: vec![ColumnMarket { market_kind, status: None, format: None }],
    }
}

/// Soccer with two columns: the result and the total.
pub fn soccer() -> SportPatch {
    SportPatch {
        id: sport_id(1),
        name: Some("Nogomet".into()),
        order: Some(1),
        preferred: Some(vec![column(1, 1, &["1", "X", "2"]), column(2, 18, &["Manje", "Više"])]),
        selected_preferred: Some(1),
    }
}

/// Tennis with one column, the winner.
pub fn tennis() -> SportPatch {
    SportPatch {
        id: sport_id(5),
        name: Some("Tenis".into()),
        order: Some(5),
        preferred: Some(vec![column(1, 1, &["1", "2"])]),
        selected_preferred: Some(1),
    }
}

/// A message about one sport.
pub fn message(sport: SportPatch, date_ms: i64, matches: Vec<MatchUpdate>) -> FeedUpdate {
    let number_of_matches = Some(matches.len() as u64);
    FeedUpdate {
        sports: vec![SportUpdate { sport, matches }],
        number_of_matches,
        date_ms: Some(date_ms),
        ..FeedUpdate::default()
    }
}
