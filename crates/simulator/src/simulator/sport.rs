//! The interface of a sport. A sport's module provides a [`Sport`], which begins [`Play`]s; [`super::course`] runs a
//! play step by step, renders its [`Board`] and asks for its markets and their results.

use super::random::Random;
pub use crate::catalogue::Profile;
use crate::pricing::book::Book;
use kvota_domain::facts::Fact;
use kvota_domain::matches::Pair;
use std::borrow::Cow;
use std::fmt::Debug;

/// A sport.
pub trait Sport: Debug + Send + Sync {
    /// The constant data of the sport.
    fn profile(&self) -> &'static Profile;

    /// A match that is about to begin.
    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play>;
}

/// The two sides of a match.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pairing {
    /// The strengths of home and away: 0 is average, 1 clearly stronger, limited to ±2.5.
    pub strengths: [f64; 2],
    /// A number of the tournament: matches of one tournament have the same rules (best of three or five, two halves or
    /// knock-out …), so derive them from this.
    pub tournament: u64,
}

/// A match being played. It has its state and its probabilities, but no clock: each step returns the time until the
/// next one. A new play has not begun; its first step begins the match.
pub trait Play: Debug + Send {
    /// Lets the next thing happen.
    fn step(&mut self, random: &mut Random) -> Step;

    /// The current board.
    fn board(&self) -> Board;

    /// What the tracker of the sport shows beyond the board.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// Its markets with their chances, decided ones left out. Called before the first step, too.
    fn price(&self, book: &mut Book);

    /// The index of a market's right answer (of a double chance, of the only wrong one) at this point of the match;
    /// `None` if it is not decided. The market is named by its index in the sport's table and its line. Called after
    /// each step. Later steps must not change a result. At the end of the match, or when a side has given up, bets on
    /// undecided markets are void.
    fn right(&self, kind: u16, line: u16) -> Option<usize>;

    /// A side gives up, if the sport allows that. The usual betting rules of the sport decide which open markets the
    /// other side wins. Afterwards the play is over.
    fn retire(&mut self, side: usize);

    /// The same play, kept to take back the score of the next step: a score that is already drawn is left out.
    fn copied(&self) -> Box<dyn Play>;
}

/// An answer of a market.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ask {
    /// The kind: an index in the sport's table.
    pub kind: u16,
    /// The line.
    pub line: u16,
    /// The index of the answer.
    pub answer: u16,
}

/// The result of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The next step follows after this time of play and pauses, at least 1 ms.
    Next {
        /// In milliseconds.
        after_ms: u32,
    },
    /// There is no further step: the match is over.
    Over,
}

impl Step {
    /// The next step follows after this many seconds.
    pub fn after_s(seconds: f64) -> Step {
        Step::Next { after_ms: (seconds.clamp(0.001, 40_000.0) * 1000.0) as u32 }
    }
}

/// What people see of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Board {
    /// Lower snake case, one of the translations: `set_2`, `half_time` …
    pub status: Cow<'static, str>,
    /// The score.
    pub score: Option<Pair>,
    /// The score by period, as far as the match has come.
    pub scores: Vec<Pair>,
    /// The points of the running game.
    pub game: Option<[Cow<'static, str>; 2]>,
    /// The side that serves or bats: 0 home, 1 away.
    pub serving: Option<usize>,
    /// Whether a tie-break is played.
    pub tiebreak: Option<bool>,
    /// The clock.
    pub clock: BoardClock,
    /// Goals of a shoot-out that does not count in the score.
    pub shoot_out: Option<Pair>,
    /// Betting is suspended for a moment: after a goal, or during a review.
    pub suspended: bool,
    /// The match is over.
    pub over: bool,
    /// Red cards.
    pub red_cards: Option<Pair>,
    /// Yellow cards.
    pub yellow_cards: Option<Pair>,
    /// Corners.
    pub corners: Option<Pair>,
}

/// The match clock.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum BoardClock {
    /// The sport has none.
    #[default]
    None,
    /// The clock runs; this is its value at the last step. If the sport's clock counts down, the play gives the time
    /// that has been played.
    Running {
        /// Milliseconds of play.
        ms: i64,
    },
    /// The clock is stopped.
    Stopped {
        /// Milliseconds of play.
        ms: i64,
    },
    /// A text that is shown unchanged: `12.4` overs.
    Words(String),
}

/// The number of a side in a fact: 1 home, 2 away.
pub fn side_number(side: usize) -> i32 {
    side as i32 + 1
}
