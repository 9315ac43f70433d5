//! From a situation to a book: which markets are open and what their outcomes' chances are. Called by whoever plays a
//! match, a few times a minute each; pure, and the same situation gives the same book.

use super::book::{Book, Spread};
use super::counts::{cards, corners};
use super::full_time::full_time;
use super::halves::halves;
use super::knock_out::{extra_time, knock_out};
use super::outlook::Outlook;
use super::poisson::{BOTH_GOALS, GOALS, difference, poisson, sum};
use super::state::{Period, Phase, Situation};
use super::strengths::Rates;

/// Prices a match.
pub fn book(rates: &Rates, situation: &Situation) -> Book {
    let outlook = Outlook::new(rates, situation);
    let mut book = Book::new();
    if situation.phase.is_regular() {
        let goals = Goals::new(&outlook, situation);
        full_time(&mut book, &goals, &outlook, situation);
        halves(&mut book, &goals, rates, situation);
        corners(&mut book, &outlook, situation);
        cards(&mut book, &outlook, situation);
        if situation.knock_out {
            knock_out(&mut book, &goals, &outlook);
        }
    } else if situation.knock_out && situation.phase != Phase::Ended {
        extra_time(&mut book, &outlook, situation);
    }
    book.in_order()
}

/// How many lines of full-time totals are offered beside the balanced one.
pub(super) const WIDE: Spread = Spread { below: 2, above: 3 };
/// The same for lesser totals.
pub(super) const NARROW: Spread = Spread::both(1);

/// Distributions of goals still to come in the 90 minutes, worked out once for all builders.
pub(super) struct Goals {
    /// Goals of the 90 minutes so far.
    pub(super) score: [u8; 2],
    /// How far the home side is ahead.
    pub(super) ahead: i64,
    /// Goals of each side in the first half.
    pub(super) first: [[f64; GOALS]; 2],
    /// Goals of each side in the second half.
    pub(super) second: [[f64; GOALS]; 2],
    /// Goals of each side.
    pub(super) each: [[f64; GOALS]; 2],
    /// Goals of both sides.
    pub(super) both: [f64; BOTH_GOALS],
    /// Goals of the home side less those of the away side.
    pub(super) apart: [f64; BOTH_GOALS],
}

impl Goals {
    fn new(outlook: &Outlook, situation: &Situation) -> Goals {
        let each = outlook.regular().map(poisson);
        let score = situation.regular();
        Goals {
            score,
            ahead: i64::from(score[0]) - i64::from(score[1]),
            first: outlook.first.map(poisson),
            second: outlook.second.map(poisson),
            both: sum(&each[0], &each[1]),
            apart: difference(&each[0], &each[1]),
            each,
        }
    }

    /// The score at the end for each pair of goals still to come, with its chance.
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

/// Who is next of two Poisson processes: home, nobody, away.
pub(super) fn next(means: [f64; 2]) -> [f64; 3] {
    let both = means[0] + means[1];
    if both <= 0.0 {
        return [0.0, 1.0, 0.0];
    }
    let nobody = (-both).exp();
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
