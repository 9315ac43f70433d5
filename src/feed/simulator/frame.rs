//! A simulated match at one moment, ready to be written down in any language: the board, the clock and the book.

use super::sport::{Board, BoardClock};
use super::sports::Entry;
use crate::domain::Text;
use crate::domain::feed::Time;
use crate::domain::ids::{MarketId, MatchId, OddId, SportId};
use crate::domain::lang::Lang;
use crate::domain::market::{Market, Odd};
use crate::domain::matches::Match;
use crate::feed::fixture::{Fixture, FrameClock};
use crate::feed::generator::{BLOCK_MARKETS, BLOCK_ODDS, OddResult, RenderMatch};
use crate::feed::pricing::book::{Book, BookMarket, BookOdd};
use crate::feed::pricing::catalogue::KindWords;
use std::sync::Arc;

/// A match at one moment.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The sport.
    pub entry: &'static Entry,
    /// What stays the same.
    pub fixture: Arc<Fixture>,
    /// How it stands, its status being what people are told.
    pub board: Board,
    /// The clock.
    pub clock: FrameClock,
    /// Whether bets are taken at all.
    pub betting: bool,
    /// The markets.
    pub book: Arc<Book>,
    /// What became of them, once the match is over.
    pub results: Arc<[OddResult]>,
}

impl RenderMatch for Frame {
    fn id(&self) -> MatchId {
        self.fixture.id
    }

    fn sport_id(&self) -> SportId {
        self.entry.id
    }

    fn entities(&self) -> usize {
        self.book.entities()
    }

    fn results(&self) -> &[OddResult] {
        &self.results
    }

    fn render(&self, lang: Lang, date_ms: i64) -> (Match, Time) {
        let (fixture, board) = (&self.fixture, &self.board);
        let (time, stopped) = match &board.clock {
            BoardClock::Words(words) => (Time::Text(Text::from(words.as_str())), None),
            _ => self.clock.reading(date_ms),
        };
        let game = board.game.as_ref().map(|game| game.clone().map(Text::from));
        let result = board.score.filter(|_| board.over).map(|[home, away]| Text::from(format!("{home}:{away}")));
        let live_match = Match {
            status: Some(Text::from(&*board.status)),
            home: Some(fixture.home[lang].clone()),
            away: Some(fixture.away[lang].clone()),
            betting: self.betting,
            markets: self.markets(lang),
            order: fixture.order,
            score: board.score,
            scores: board.scores.clone(),
            sport_name: Some(fixture.sport[lang].clone()),
            tournament: Some(fixture.tournament[lang].clone()),
            tournament_description: Some(fixture.tournament_description[lang].clone()),
            result,
            red_cards: board.red_cards,
            yellow_cards: board.yellow_cards,
            corners: board.corners,
            clock_stopped: stopped,
            suspended: Some(board.suspended),
            player_serving: board.serving.map(|side| side as i64 + 1),
            tiebreak: board.tiebreak,
            game,
            ..Match::empty(fixture.id, self.entry.id)
        };
        (live_match, time)
    }
}

impl Frame {
    fn markets(&self, lang: Lang) -> Vec<Market> {
        let markets = self.book.markets();
        markets.filter_map(|(market, odds)| self.market(lang, market, odds)).collect()
    }

    /// A market in a language; nothing where the ids of the block are used up, after 2^41 matches.
    fn market(&self, lang: Lang, market: &BookMarket, odds: &[BookOdd]) -> Option<Market> {
        let catalogue = &self.entry.catalogue;
        let own = catalogue.words(lang, market.kind);
        let odds: Option<Vec<Odd>> = odds.iter().map(|odd| self.odd(own, market, odd)).collect();
        Some(Market {
            id: market_id(self.entry, self.fixture.block, market.kind, market.line)?,
            name: Some(own.name.clone()),
            short: Some(own.short.clone()),
            special: None,
            sbv: catalogue.sbv(market.kind, market.line).cloned(),
            kind: catalogue.specs[usize::from(market.kind)].number,
            subtype: None,
            order: Some(i64::from(market.kind) + 1),
            odds: odds?,
            balanced: market.balanced,
            description: None,
            tags: own.tags.clone(),
        })
    }

    fn odd(&self, own: &KindWords, market: &BookMarket, odd: &BookOdd) -> Option<Odd> {
        let words = own.answers.get(usize::from(odd.answer))?;
        Some(Odd {
            id: odd_id(self.entry, self.fixture.block, market.kind, market.line, odd.answer)?,
            kind: Some(words.kind.clone()),
            value: odd.price,
            values: None,
            alias: words.alias.clone(),
            changed: None,
            description: None,
        })
    }
}

/// The id of a market of the match with this block.
pub(super) fn market_id(entry: &Entry, block: u64, kind: u16, line: u16) -> Option<MarketId> {
    let place = entry.catalogue.market_place(kind, line);
    MarketId::new(block.checked_mul(BLOCK_MARKETS)?.checked_add(place)?)
}

/// The id of an odd of the match with this block.
pub(super) fn odd_id(entry: &Entry, block: u64, kind: u16, line: u16, answer: u16) -> Option<OddId> {
    let place = entry.catalogue.odd_place(kind, line, answer);
    OddId::new(block.checked_mul(BLOCK_ODDS)?.checked_add(place)?)
}
