//! A soccer match at one moment, ready to be written down in any language: the model's book, the facts and the clock.
//! Made by whoever plays the match; a new frame with the same book costs nothing but the frame.

use super::book::{Book, BookMarket, BookOdd};
use super::state::{Count, Period, Phase, Situation};
use super::words::{KindWords, Words, words};
use crate::domain::Text;
use crate::domain::feed::Time;
use crate::domain::ids::{MarketId, MatchId, OddId, SOCCER, SportId};
use crate::domain::lang::Lang;
use crate::domain::market::{Market, Odd};
use crate::domain::matches::{Ball, Match, Pair};
use crate::feed::fixture::{Fixture, FrameClock};
use crate::feed::generator::RenderMatch;
use crate::feed::generator::{BLOCK_MARKETS, BLOCK_ODDS};
use std::sync::Arc;

/// A match at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// What stays the same.
    pub fixture: Arc<Fixture>,
    /// The facts.
    pub situation: Situation,
    /// The clock.
    pub clock: FrameClock,
    /// Whether bets are taken at all.
    pub betting: bool,
    /// Whether betting is suspended for the moment.
    pub suspended: bool,
    /// Where the ball is.
    pub ball: Option<Ball>,
    /// The markets.
    pub book: Arc<Book>,
}

impl RenderMatch for Frame {
    fn id(&self) -> MatchId {
        self.fixture.id
    }

    fn sport_id(&self) -> SportId {
        SOCCER
    }

    fn entities(&self) -> usize {
        self.book.entities()
    }

    fn render(&self, lang: Lang, date_ms: i64) -> (Match, Time) {
        let fixture = &self.fixture;
        let situation = &self.situation;
        let (time, stopped) = self.clock.reading(date_ms);
        let live_match = Match {
            status: Some(Text::from(situation.phase.status())),
            home: Some(fixture.home[lang].clone()),
            away: Some(fixture.away[lang].clone()),
            betting: self.betting,
            markets: self.markets(lang),
            order: fixture.order,
            score: Some(pair(situation.score())),
            scores: scores(situation),
            sport_name: Some(fixture.sport[lang].clone()),
            tournament: Some(fixture.tournament[lang].clone()),
            tournament_description: Some(fixture.tournament_description[lang].clone()),
            result: (situation.phase == Phase::Ended).then(|| result(situation)),
            red_cards: Some(pair(situation.red)),
            yellow_cards: Some(pair(situation.yellow)),
            corners: Some(pair(situation.corners)),
            clock_stopped: stopped,
            suspended: Some(self.suspended),
            ball: self.ball,
            ..Match::empty(fixture.id, SOCCER)
        };
        (live_match, time)
    }
}

impl Frame {
    fn markets(&self, lang: Lang) -> Vec<Market> {
        let words = words();
        let markets = self.book.markets();
        markets.filter_map(|(market, odds)| self.market(words, lang, market, odds)).collect()
    }

    /// A market in a language; nothing where the ids of the block are used up, after 2^43 matches.
    fn market(&self, words: &Words, lang: Lang, market: &BookMarket, odds: &[BookOdd]) -> Option<Market> {
        let own = words.kind(lang, market.kind);
        let spec = market.kind.spec();
        let place = market.kind.market_place(market.line);
        let odds: Option<Vec<Odd>> = odds.iter().map(|odd| self.odd(own, market, odd)).collect();
        Some(Market {
            id: MarketId::new(self.fixture.block.checked_mul(BLOCK_MARKETS)?.checked_add(place)?)?,
            name: Some(own.name.clone()),
            short: Some(own.short.clone()),
            special: None,
            sbv: words.sbv(market.kind, market.line).cloned(),
            kind: spec.number,
            subtype: None,
            order: Some(market.kind as i64 + 1),
            odds: odds?,
            balanced: market.balanced,
            description: None,
            tags: own.tags.clone(),
        })
    }

    fn odd(&self, own: &KindWords, market: &BookMarket, odd: &BookOdd) -> Option<Odd> {
        let words = own.outcomes.get(usize::from(odd.outcome))?;
        let place = market.kind.odd_place(market.line, odd.outcome);
        Some(Odd {
            id: OddId::new(self.fixture.block.checked_mul(BLOCK_ODDS)?.checked_add(place)?)?,
            kind: Some(words.kind.clone()),
            value: odd.price,
            values: None,
            alias: words.alias.clone(),
            changed: None,
            description: None,
        })
    }
}

fn pair(count: Count) -> Pair {
    count.map(i64::from)
}

/// The score by period, as far as the match has come; extra time is one, and the shoot-out stands last.
fn scores(situation: &Situation) -> Vec<Pair> {
    let reached = |period: Period| situation.phase.period().is_some_and(|now| now >= period);
    let over = situation.phase == Phase::Ended;
    let extra = reached(Period::ExtraFirst) || (over && situation.went_to_extra_time());
    let shoot_out = reached(Period::ShootOut) || (over && situation.shoot_out.taken != [0, 0]);
    let periods = [
        (reached(Period::FirstHalf) || over, situation.first),
        (reached(Period::SecondHalf) || over, situation.second),
        (extra, situation.extra),
        (shoot_out, situation.shoot_out.scored),
    ];
    let periods = periods.into_iter().filter(|(played, _)| *played);
    periods.map(|(_, count)| pair(count)).collect()
}

/// The result: the score, with the shoot-out's in brackets.
fn result(situation: &Situation) -> Text {
    let [home, away] = situation.score();
    let [kicks_home, kicks_away] = situation.shoot_out.scored;
    if situation.shoot_out.taken == [0, 0] {
        Text::from(format!("{home}:{away}"))
    } else {
        Text::from(format!("{home}:{away} ({kicks_home}:{kicks_away})"))
    }
}
