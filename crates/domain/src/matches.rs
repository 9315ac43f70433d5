//! The current state of a match (CONTRACT 0) in one language: the primary feed's numbers and texts, or the texts of
//! another language. A bettor's own choices (favourite, hidden, chosen column) are not part of it and survive every
//! change.

use super::Text;
use super::clock::Clock;
use super::ids::{MatchId, SportId};
use super::incidents::History;
use super::market::Market;
use std::sync::Arc;

/// The `performEventType` of a match that shows the built-in video loop.
pub const DEMO_PICTURES: &str = "demo";

/// `[home, away]`.
pub type Pair = [i64; 2];

/// One of the two sides of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Named first.
    Home,
    /// Named second.
    Away,
}

/// The position of the ball and the current action. It extends the contract's elements (docs/protocol.md): recorded
/// matches carry it for the match tracker, other feeds do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ball {
    /// Per cent of the pitch's length from the home goal: 0 to 100.
    pub x: u8,
    /// Per cent of the pitch's width: 0 to 100.
    pub y: u8,
    /// The side in possession: 1 home, 2 away, 0 none.
    pub side: u8,
    /// 0 possession, 1 attack, 2 dangerous attack, 3 shot, 4 corner, 5 free kick, 6 goal kick, 7 throw-in, 8 save,
    /// 9 foul, 10 goal, 11 penalty, 12 offside.
    pub action: u8,
}

/// A match of the offer.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// Unique over the whole offer.
    pub id: MatchId,
    /// Lower snake case; new values may appear: `first_half`, `set_2`, `delayed` …
    pub status: Option<Text>,
    /// The side named first.
    pub home: Option<Text>,
    /// The side named second.
    pub away: Option<Text>,
    /// Whether the match accepts bets at all.
    pub betting: bool,
    /// In the feed's order.
    pub markets: Vec<Arc<Market>>,
    /// Matches of a sport are sorted by (`order`, `id`).
    pub order: i64,
    /// The score.
    pub score: Option<Pair>,
    /// The score by period.
    pub scores: Vec<Pair>,
    /// The sport it is played in.
    pub sport_id: SportId,
    /// The sport's name.
    pub sport_name: Option<Text>,
    /// The match clock.
    pub clock: Option<Clock>,
    /// The tournament.
    pub tournament: Option<Text>,
    /// The tournament's country, surface or round.
    pub tournament_description: Option<Text>,
    /// The result, when it is known.
    pub result: Option<Text>,
    /// The id of the match's video stream.
    pub perform_event_id: Option<u64>,
    /// The kind of that stream.
    pub perform_event_type: Option<Text>,
    /// Red cards.
    pub red_cards: Option<Pair>,
    /// Yellow cards.
    pub yellow_cards: Option<Pair>,
    /// Corners.
    pub corners: Option<Pair>,
    /// Whether the clock is stopped.
    pub clock_stopped: Option<bool>,
    /// Whether betting is suspended at the moment.
    pub suspended: Option<bool>,
    /// 1 home, 2 away.
    pub player_serving: Option<i64>,
    /// Whether a tie-break is in progress.
    pub tiebreak: Option<bool>,
    /// The points of the current game, as texts (`40`, `AD`).
    pub game: Option<[Text; 2]>,
    /// The ball, if the feed sends it.
    pub ball: Option<Ball>,
    /// The history of the match, if anything is known.
    pub history: Option<Arc<History>>,
}

impl Match {
    /// A match with only an id and a sport.
    pub fn empty(id: MatchId, sport_id: SportId) -> Match {
        Match {
            id,
            status: None,
            home: None,
            away: None,
            betting: false,
            markets: Vec::new(),
            order: 0,
            score: None,
            scores: Vec::new(),
            sport_id,
            sport_name: None,
            clock: None,
            tournament: None,
            tournament_description: None,
            result: None,
            perform_event_id: None,
            perform_event_type: None,
            red_cards: None,
            yellow_cards: None,
            corners: None,
            clock_stopped: None,
            suspended: None,
            player_serving: None,
            tiebreak: None,
            game: None,
            ball: None,
            history: None,
        }
    }

    /// Whether it can be bet on: `betting` is true and `suspended` is not (CONTRACT 0).
    pub fn is_open(&self) -> bool {
        self.betting && self.suspended != Some(true)
    }

    /// A market at a place, to be changed: a copy of its own if it is shared. Panics without one.
    pub fn market_mut(&mut self, place: usize) -> &mut Market {
        Arc::make_mut(&mut self.markets[place])
    }

    /// The number of odds in all its markets.
    pub fn number_of_odds(&self) -> usize {
        self.markets.iter().map(|market| market.odds.len()).sum()
    }

    /// The sides that scored since `before`: soccer's goal flag, empty for other sports. Empty if any score went down:
    /// a correction is not a goal.
    pub fn goals_since(&self, before: &Match) -> Vec<Side> {
        if self.sport_id != super::ids::SOCCER {
            return Vec::new();
        }
        let (Some(old), Some(new)) = (before.score, self.score) else {
            return Vec::new();
        };
        if new[0] < old[0] || new[1] < old[1] {
            return Vec::new();
        }
        let scored = [(Side::Home, new[0] > old[0]), (Side::Away, new[1] > old[1])];
        scored.into_iter().filter_map(|(side, scored)| scored.then_some(side)).collect()
    }
}
