//! Builds the book of a situation: the open markets and the probabilities of their outcomes. Called by the play of a
//! match, a few times a minute. Pure: the same situation gives the same book.

use super::counts::{cards, corners};
use super::full_time::full_time;
use super::halves::halves;
use super::knock_out::{extra_time, knock_out};
use super::outlook::Outlook;
use super::state::{Period, Phase, Situation};
use super::strengths::Rates;
use crate::catalogue::SOCCER;
use crate::pricing::book::{Book, Spread};
use crate::pricing::dist::{Difference, poisson, sum};
use crate::pricing::maths::exp;

/// Entries of the distribution of one side's goals. The last one is 15 or more.
pub(super) const GOALS: usize = 16;
/// Entries of the distribution of one side's corners or cards.
pub(super) const COUNTS: usize = 32;

/// Prices a match.
pub fn book(rates: &Rates, situation: &Situation) -> Book {
    let mut book = Book::new(SOCCER.profile.kinds);
    fill(&mut book, rates, situation);
    book.in_order()
}

/// Adds the markets of a match to a book of soccer's kinds.
pub fn fill(book: &mut Book, rates: &Rates, situation: &Situation) {
    let outlook = Outlook::new(rates, situation);
    if situation.phase.is_regular() {
        let goals = Goals::new(&outlook, situation);
        full_time(book, &goals, &outlook, situation);
        halves(book, &goals, rates, situation);
        corners(book, &outlook, situation);
        cards(book, &outlook, situation);
        if situation.knock_out {
            knock_out(book, &goals, &outlook);
        }
    } else if situation.knock_out && situation.phase != Phase::Ended {
        extra_time(book, &outlook, situation);
    }
}

/// How many lines of full-time totals are offered beside the balanced one.
pub(super) const WIDE: Spread = Spread { below: 2, above: 3 };
/// The same for lesser totals.
pub(super) const NARROW: Spread = Spread::both(1);

/// Distributions of further goals in the 90 minutes, computed once for all builders.
pub(super) struct Goals {
    /// Goals of the 90 minutes so far.
    pub(super) score: [u8; 2],
    /// How far the home side is ahead.
    pub(super) ahead: i64,
    /// Goals of each side in the first half.
    pub(super) first: [Vec<f64>; 2],
    /// Goals of each side in the second half.
    pub(super) second: [Vec<f64>; 2],
    /// Goals of each side.
    pub(super) each: [Vec<f64>; 2],
    /// Goals of both sides.
    pub(super) both: Vec<f64>,
    /// Goals of the home side less those of the away side.
    pub(super) apart: Difference,
}

impl Goals {
    fn new(outlook: &Outlook, situation: &Situation) -> Goals {
        let goals = |mean| poisson(mean, GOALS);
        let each = outlook.regular().map(goals);
        let score = situation.regular();
        Goals {
            score,
            ahead: i64::from(score[0]) - i64::from(score[1]),
            first: outlook.first.map(goals),
            second: outlook.second.map(goals),
            both: sum(&each[0], &each[1]),
            apart: Difference::of(&each[0], &each[1]),
            each,
        }
    }

    /// The final score for each pair of further goals, with its probability.
    pub(super) fn ends(&self) -> impl Iterator<Item = ([usize; 2], f64)> {
        let from = self.score.map(usize::from);
        let [home, away] = &self.each;
        let pairs = home
            .iter()
            .enumerate()
            .flat_map(move |(h, p)| away.iter().enumerate().map(move |(a, q)| ([from[0] + h, from[1] + a], p * q)));
        pairs.filter(|(_, chance)| *chance > 0.0)
    }
}

/// The outcome of `1`, `X`, `2` that a score is.
pub(super) fn result(score: [usize; 2]) -> usize {
    match score[0].cmp(&score[1]) {
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 2,
    }
}

/// The probabilities that home, neither or away has the next event of two Poisson processes.
pub(super) fn next(means: [f64; 2]) -> [f64; 3] {
    let both = means[0] + means[1];
    if both <= 0.0 {
        return [0.0, 1.0, 0.0];
    }
    let nobody = exp(-both);
    let home = (1.0 - nobody) * means[0] / both;
    [home, nobody, 1.0 - nobody - home]
}

/// `1X`, `12`, `X2` of `1`, `X`, `2`.
pub(super) fn double(result: [f64; 3]) -> [f64; 3] {
    let [home, draw, away] = result;
    [home + draw, home + away, draw + away]
}

/// The half being played, or that comes next; none once there is no more of the 90 minutes.
pub(super) fn current_half(situation: &Situation) -> Option<Period> {
    match situation.phase {
        Phase::NotStarted | Phase::Playing(Period::FirstHalf) => Some(Period::FirstHalf),
        Phase::After(Period::FirstHalf) | Phase::Playing(Period::SecondHalf) => Some(Period::SecondHalf),
        _ => None,
    }
}
