//! The interface of a sport. A sport's module provides a [`Sport`], which begins [`Play`]s; [`super::course`] runs a
//! play step by step, renders its [`Board`] and asks for its markets and their results.

use super::names::Entrants;
use super::random::Random;
use crate::pricing::book::Book;
pub use crate::pricing::columns::Column;
use crate::pricing::kind::{KindSpec, Quad};
pub use crate::results::verdict::{Ask, Verdict};
use kvota_domain::matches::Pair;
use std::borrow::Cow;
use std::fmt::Debug;

/// A sport.
pub trait Sport: Debug + Send + Sync {
    /// What it is.
    fn profile(&self) -> &'static Profile;

    /// A match that is about to begin.
    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play>;
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pairing {
    /// The strengths of home and away: 0 is average, 1 clearly stronger, limited to ±2.5.
    pub strengths: [f64; 2],
    /// A number of the tournament: matches of one tournament have the same rules (best of three or five, two halves or
    /// knock-out …), so derive them from this.
    pub tournament: u64,
}

/// What a sport is.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Its number (SPECIFICATION 2).
    pub id: u64,
    /// What the command line calls it: `table-tennis`.
    pub key: &'static str,
    /// Its place in the list.
    pub order: i64,
    /// Its name.
    pub name: Quad,
    /// Its kinds of markets.
    pub kinds: &'static [KindSpec],
    /// Its preferred columns, in the order of the selector.
    pub columns: &'static [Column],
    /// Who takes part.
    pub entrants: &'static [Entrants],
    /// About how long a match takes, its breaks included, in minutes.
    pub minutes: u32,
    /// The probability that a match is interrupted (rain, light, a broken board).
    pub interrupted: f64,
    /// The probability that a side gives up in a match; only for sports of single persons.
    pub retired: f64,
    /// The probability that a score is corrected.
    pub corrected: f64,
    /// Its number of matches among 100 of all sports.
    pub share: u32,
    /// The kind that asks for the winner, first answer home and last answer away, where the score alone decides who
    /// leads and a clock runs: the chance of a leader who was no favourite never falls while only time passes. (That of
    /// a favourite does, where there is time to score more: the fewer minutes, the more it is up to luck.)
    pub leader_kind: Option<u16>,
}

/// One match being played. It knows its own state and chances, and no clock: the time between two steps is what it
/// says. Steps before the first are none: a fresh play is about to begin, and its first step begins it.
pub trait Play: Debug + Send {
    /// Lets the next thing happen.
    fn step(&mut self, random: &mut Random) -> Step;

    /// How it stands.
    fn board(&self) -> Board;

    /// Its markets with their chances, decided ones left out. Called before the first step, too.
    fn price(&self, book: &mut Book);

    /// What became of an answer of a market, as far as the match has come: void where it is not decided. Asked after
    /// each step. A market is settled as soon as none of its offered answers is void, and nothing that follows may
    /// change that. At the end, or when a side has given up, what is not decided stays void.
    fn verdict(&self, ask: Ask) -> Verdict;

    /// A side gives up, where it can: the other wins what is not decided by the rules of the sport's bookmakers. After
    /// it the play is over.
    fn retire(&mut self, side: usize);

    /// The same play, kept to take back the score of the next step: a score that is already drawn is left out.
    fn copied(&self) -> Box<dyn Play>;
}

/// What a step leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The next one comes after so much of play and pause, at least 1.
    Next {
        /// In milliseconds.
        after_ms: u32,
    },
    /// There is none: the match is over.
    Over,
}

impl Step {
    /// The next step comes after so many seconds.
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
    /// Who serves or bats: 0 home, 1 away.
    pub serving: Option<usize>,
    /// Whether a tie-break is played.
    pub tiebreak: Option<bool>,
    /// The clock.
    pub clock: BoardClock,
    /// Goals of a shoot-out that does not count in the score.
    pub shoot_out: Option<Pair>,
    /// Betting is held for the moment: after a goal, during a review.
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
    /// It runs, and showed this at the last step. Where it runs down the play gives what has been played.
    Running {
        /// Milliseconds of play.
        ms: i64,
    },
    /// It stands.
    Stopped {
        /// Milliseconds of play.
        ms: i64,
    },
    /// A text, shown as it stands: `12.4` overs.
    Words(String),
}
