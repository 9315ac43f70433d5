//! A match at one moment, which can be rendered in any language: the board, the clock and the book.

use super::sport::{Board, BoardClock};
use super::sports::Entry;
use crate::fixture::{Fixture, FrameClock};
use crate::generator::RenderMatch;
use crate::pricing::book::Book;
use crate::pricing::render::markets;
use kvota_domain::Text;
use kvota_domain::feed::Time;
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::incidents::History;
use kvota_domain::lang::Lang;
use kvota_domain::matches::{Ball, DEMO_PICTURES, Match, Pair};
use std::sync::Arc;

/// A match at one moment.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The sport.
    pub entry: &'static Entry,
    /// The constant data of the match.
    pub fixture: Arc<Fixture>,
    /// The board, with the status that users see.
    pub board: Board,
    /// The facts for its tracker, as all languages share them; `None` without any.
    pub facts: Option<Arc<History>>,
    /// The clock.
    pub clock: FrameClock,
    /// Whether bets are accepted at all.
    pub betting: bool,
    /// Where the ball is, in a recorded match.
    pub ball: Option<Ball>,
    /// The event under which there are pictures of a recorded match: the loop that is built in.
    pub pictures: Option<u64>,
    /// The markets.
    pub book: Arc<Book>,
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

    fn render(&self, lang: Lang, date_ms: i64) -> (Match, Time) {
        let (fixture, board) = (&self.fixture, &self.board);
        let (time, stopped) = match &board.clock {
            BoardClock::Words(words) => (Time::Text(Text::from(words.as_str())), None),
            _ => self.clock.reading(date_ms),
        };
        let game = board.game.as_ref().map(|game| game.clone().map(Text::from));
        let result = board.score.filter(|_| board.over).map(|score| result(score, board.shoot_out));
        let live_match = Match {
            status: Some(Text::from(&*board.status)),
            home: Some(fixture.home[lang].clone()),
            away: Some(fixture.away[lang].clone()),
            betting: self.betting,
            markets: markets(&self.entry.catalogue, &self.book, fixture.block, lang),
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
            perform_event_id: self.pictures,
            perform_event_type: self.pictures.map(|_| Text::from(DEMO_PICTURES)),
            ball: self.ball,
            history: self.facts.clone(),
            ..Match::empty(fixture.id, self.entry.id)
        };
        (live_match, time)
    }
}

/// The result: the score, with a shoot-out's in brackets.
fn result([home, away]: Pair, shoot_out: Option<Pair>) -> Text {
    match shoot_out {
        None => Text::from(format!("{home}:{away}")),
        Some([kicks_home, kicks_away]) => Text::from(format!("{home}:{away} ({kicks_home}:{kicks_away})")),
    }
}
