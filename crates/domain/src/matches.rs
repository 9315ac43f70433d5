//! A match as it stands (CONTRACT 0), in one language: the *primary* feed's numbers and words, or the words of another.
//! What belongs to a bettor (favourite, hidden, chosen column) is not part of it and survives every change of it.

use super::Text;
use super::clock::Clock;
use super::history::History;
use super::ids::{MatchId, SportId};
use super::market::Market;
use std::sync::Arc;

/// The `performEventType` of a match whose pictures are the loop that is built in.
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

/// Where the ball is and what is done with it. An addition of ours behind the contract's elements (docs/protocol.md):
/// recorded matches carry it for the match tracker; other feeds do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ball {
    /// Per cent of the pitch's length, seen from the home goal: 0 to 100.
    pub x: u8,
    /// Per cent of the pitch's width: 0 to 100.
    pub y: u8,
    /// 1 home has it, 2 away, 0 nobody.
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
    /// Lower snake case, an open set: `first_half`, `set_2`, `delayed` …
    pub status: Option<Text>,
    /// The side named first.
    pub home: Option<Text>,
    /// The side named second.
    pub away: Option<Text>,
    /// Whether bets are taken at all.
    pub betting: bool,
    /// In the feed's order.
    pub markets: Vec<Market>,
    /// Matches of a sport are shown by (`order`, `id`).
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
    /// The result, once there is one.
    pub result: Option<Text>,
    /// The id under which a stream of the match is found.
    pub perform_event_id: Option<u64>,
    /// The kind of that stream.
    pub perform_event_type: Option<Text>,
    /// Red cards.
    pub red_cards: Option<Pair>,
    /// Yellow cards.
    pub yellow_cards: Option<Pair>,
    /// Corners.
    pub corners: Option<Pair>,
    /// Whether the clock stands.
    pub clock_stopped: Option<bool>,
    /// Whether betting is suspended for the moment.
    pub suspended: Option<bool>,
    /// 1 home, 2 away.
    pub player_serving: Option<i64>,
    /// Whether a tie-break is played.
    pub tiebreak: Option<bool>,
    /// The points of the running game, as texts (`40`, `AD`).
    pub game: Option<[Text; 2]>,
    /// Where the ball is, where the feed knows.
    pub ball: Option<Ball>,
    /// What has happened so far, where anything is known.
    pub history: Option<Arc<History>>,
}

impl Match {
    /// A match with nothing but its id and its sport.
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

    /// The number of odds in all its markets.
    pub fn number_of_odds(&self) -> usize {
        self.markets.iter().map(|market| market.odds.len()).sum()
    }

    /// The sides that scored since `before` (soccer's goal flag): none where any score went down, for a correction
    /// is not a goal.
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
