//! The table of market kinds the model prices, and the places their markets and odds have within a match's block of
//! ids. A kind's number (`type` of a market in CONTRACT 0) and its place never change: bets name them.
//!
//! | numbers | kinds |
//! |---|---|
//! | 1 to 6 | full-time result, double chance, draw no bet, first-half result, second-half result, half-time/full-time |
//! | 7 to 13 | next goal, European handicap, Asian handicap, both to score, correct score, odd/even, exact goals |
//! | 14 to 17 | first to score, last to score, home clean sheet, away clean sheet |
//! | 18 to 24 | total goals, home goals, away goals, first-half goals, second-half goals, both to score by half |
//! | 25 to 31 | win to nil (home, away), result and both to score, result and total, goal in an interval, to score in both halves (home, away) |
//! | 32 to 36 | half with more goals, goal range, first-half double chance, first-half correct score, first-half odd/even |
//! | 40 to 46 | total corners, most corners, next corner, corners odd/even, home corners, away corners, first-half corners |
//! | 50 to 54 | total cards, most cards, home cards, away cards, a red card |
//! | 60 to 64 | winner after all, extra time, shoot-out, extra-time result, extra-time goals |

use crate::feed::generator::{BLOCK_MARKETS, BLOCK_ODDS};

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "named as the module's table does")]
pub enum Kind {
    FullTime,
    DoubleChance,
    DrawNoBet,
    FirstHalfResult,
    SecondHalfResult,
    HalfFull,
    NextGoal,
    EuropeanHandicap,
    AsianHandicap,
    BothScore,
    CorrectScore,
    OddEven,
    ExactGoals,
    FirstToScore,
    LastToScore,
    CleanSheetHome,
    CleanSheetAway,
    Total,
    HomeTotal,
    AwayTotal,
    FirstHalfTotal,
    SecondHalfTotal,
    FirstHalfBothScore,
    SecondHalfBothScore,
    WinToNilHome,
    WinToNilAway,
    ResultAndBothScore,
    ResultAndTotal,
    GoalInInterval,
    BothHalvesHome,
    BothHalvesAway,
    MoreGoalsHalf,
    GoalRange,
    FirstHalfDoubleChance,
    FirstHalfScore,
    FirstHalfOddEven,
    Corners,
    MostCorners,
    NextCorner,
    CornersOddEven,
    HomeCorners,
    AwayCorners,
    FirstHalfCorners,
    Cards,
    MostCards,
    HomeCards,
    AwayCards,
    RedCard,
    Winner,
    ExtraTime,
    ShootOut,
    ExtraTimeResult,
    ExtraTimeTotal,
}

/// What a market's line is, and how its number reads as sbv.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// There is only one market of the kind.
    None,
    /// Line n is `n.5`: a total.
    Half,
    /// Line n is `n`: the goal or corner asked for.
    Ordinal,
    /// Line [`EUROPEAN_LEVEL`] + h gives the home side h goals (the away side where h is negative): `1:0`, `0:2`.
    European,
    /// Line [`ASIAN_LEVEL`] + h gives the home side h and a half goals: `-1.5`, `0.5`.
    Asian,
    /// Line n is the n-th stretch of [`INTERVALS`]: `31-40`.
    Interval,
}

/// The line of a European handicap of 0, which is not offered.
pub const EUROPEAN_LEVEL: i64 = 7;
/// The line of an Asian handicap that gives the home side half a goal; the line before it takes half a goal away.
pub const ASIAN_LEVEL: i64 = 7;
/// The stretches of ten minutes asked for: whole ones, clear of stoppage time. `(half, first second, last second)`
/// since that half's start.
pub const INTERVALS: [(bool, u32, u32); 8] = [
    (true, 0, 600),
    (true, 600, 1200),
    (true, 1200, 1800),
    (true, 1800, 2400),
    (false, 0, 600),
    (false, 600, 1200),
    (false, 1200, 1800),
    (false, 1800, 2400),
];

/// Which answers a market has, by their places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcomes {
    /// `1`, `X`, `2`.
    OneXTwo,
    /// `1`, `2`.
    OneTwo,
    /// `1`, nobody, `2`.
    OneNoneTwo,
    /// `1X`, `12`, `X2`.
    DoubleChance,
    /// Under, over.
    UnderOver,
    /// Yes, no.
    YesNo,
    /// Odd, even.
    OddEven,
    /// `1/1`, `1/X` … `2/2`.
    HalfFull,
    /// `h:a` at `10 h + a` up to 9 each, any other at 100.
    Score,
    /// `h:a` at `6 h + a` up to 5 each, any other at 36.
    ShortScore,
    /// `0` to `5`, `6+`.
    Exact,
    /// `0-1`, `2-3`, `4-6`, `7+`.
    Range,
    /// First half, equal, second half.
    Halves,
    /// `1`, `X`, `2`, each with yes and no.
    ResultYesNo,
    /// `1`, `X`, `2`, each with under and over.
    ResultUnderOver,
}

impl Outcomes {
    /// How many places there are.
    pub const fn places(self) -> u16 {
        match self {
            Outcomes::OneTwo | Outcomes::UnderOver | Outcomes::YesNo | Outcomes::OddEven => 2,
            Outcomes::OneXTwo | Outcomes::OneNoneTwo | Outcomes::DoubleChance | Outcomes::Halves => 3,
            Outcomes::Range => 4,
            Outcomes::ResultYesNo | Outcomes::ResultUnderOver => 6,
            Outcomes::Exact => 7,
            Outcomes::HalfFull => 9,
            Outcomes::ShortScore => 37,
            Outcomes::Score => 101,
        }
    }

    /// How many of them win: the chances of a market's outcomes sum to this.
    pub const fn winners(self) -> usize {
        match self {
            Outcomes::DoubleChance => 2,
            _ => 1,
        }
    }
}

/// A group of markets people filter by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "named as their texts")]
pub enum Tag {
    Main,
    Goals,
    Halves,
    Handicap,
    Corners,
    Cards,
    Combined,
    Winner,
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// What is asked.
    pub kind: Kind,
    /// The kind's number in the offer.
    pub number: i64,
    /// What its lines are.
    pub line: Line,
    /// How many lines there can be.
    pub lines: u16,
    /// Its answers.
    pub outcomes: Outcomes,
    /// What the prices of an evenly balanced market add up to above one.
    pub margin: f64,
    /// The groups it is shown in.
    pub tags: &'static [Tag],
}

const fn spec(
    kind: Kind,
    number: i64,
    (line, lines): (Line, u16),
    outcomes: Outcomes,
    margin: f64,
    tags: &'static [Tag],
) -> Spec {
    Spec { kind, number, line, lines, outcomes, margin, tags }
}

const ONE: (Line, u16) = (Line::None, 1);

/// Every kind, in the order in which markets are listed: the order of [`Kind`].
pub const SPECS: [Spec; 53] = {
    use Kind as K;
    use Line as L;
    use Outcomes as O;
    use Tag as T;
    [
        spec(K::FullTime, 1, ONE, O::OneXTwo, 0.05, &[T::Main]),
        spec(K::DoubleChance, 2, ONE, O::DoubleChance, 0.05, &[T::Main]),
        spec(K::DrawNoBet, 3, ONE, O::OneTwo, 0.05, &[T::Main]),
        spec(K::FirstHalfResult, 4, ONE, O::OneXTwo, 0.06, &[T::Main, T::Halves]),
        spec(K::SecondHalfResult, 5, ONE, O::OneXTwo, 0.06, &[T::Halves]),
        spec(K::HalfFull, 6, ONE, O::HalfFull, 0.12, &[T::Halves, T::Combined]),
        spec(K::NextGoal, 7, (L::Ordinal, 16), O::OneNoneTwo, 0.06, &[T::Main, T::Goals]),
        spec(K::EuropeanHandicap, 8, (L::European, 15), O::OneXTwo, 0.06, &[T::Handicap]),
        spec(K::AsianHandicap, 9, (L::Asian, 15), O::OneTwo, 0.05, &[T::Handicap]),
        spec(K::BothScore, 10, ONE, O::YesNo, 0.06, &[T::Main, T::Goals]),
        spec(K::CorrectScore, 11, ONE, O::Score, 0.16, &[T::Goals]),
        spec(K::OddEven, 12, ONE, O::OddEven, 0.06, &[T::Goals]),
        spec(K::ExactGoals, 13, ONE, O::Exact, 0.10, &[T::Goals]),
        spec(K::FirstToScore, 14, ONE, O::OneNoneTwo, 0.06, &[T::Goals]),
        spec(K::LastToScore, 15, ONE, O::OneNoneTwo, 0.07, &[T::Goals]),
        spec(K::CleanSheetHome, 16, ONE, O::YesNo, 0.07, &[T::Goals]),
        spec(K::CleanSheetAway, 17, ONE, O::YesNo, 0.07, &[T::Goals]),
        spec(K::Total, 18, (L::Half, 16), O::UnderOver, 0.05, &[T::Main, T::Goals]),
        spec(K::HomeTotal, 19, (L::Half, 12), O::UnderOver, 0.06, &[T::Goals]),
        spec(K::AwayTotal, 20, (L::Half, 12), O::UnderOver, 0.06, &[T::Goals]),
        spec(K::FirstHalfTotal, 21, (L::Half, 10), O::UnderOver, 0.06, &[T::Goals, T::Halves]),
        spec(K::SecondHalfTotal, 22, (L::Half, 10), O::UnderOver, 0.06, &[T::Goals, T::Halves]),
        spec(K::FirstHalfBothScore, 23, ONE, O::YesNo, 0.07, &[T::Halves]),
        spec(K::SecondHalfBothScore, 24, ONE, O::YesNo, 0.07, &[T::Halves]),
        spec(K::WinToNilHome, 25, ONE, O::YesNo, 0.07, &[T::Combined]),
        spec(K::WinToNilAway, 26, ONE, O::YesNo, 0.07, &[T::Combined]),
        spec(K::ResultAndBothScore, 27, ONE, O::ResultYesNo, 0.10, &[T::Combined]),
        spec(K::ResultAndTotal, 28, (L::Half, 16), O::ResultUnderOver, 0.10, &[T::Combined]),
        spec(K::GoalInInterval, 29, (L::Interval, 8), O::YesNo, 0.08, &[T::Goals]),
        spec(K::BothHalvesHome, 30, ONE, O::YesNo, 0.08, &[T::Halves]),
        spec(K::BothHalvesAway, 31, ONE, O::YesNo, 0.08, &[T::Halves]),
        spec(K::MoreGoalsHalf, 32, ONE, O::Halves, 0.08, &[T::Halves]),
        spec(K::GoalRange, 33, ONE, O::Range, 0.08, &[T::Goals]),
        spec(K::FirstHalfDoubleChance, 34, ONE, O::DoubleChance, 0.06, &[T::Halves]),
        spec(K::FirstHalfScore, 35, ONE, O::ShortScore, 0.16, &[T::Halves]),
        spec(K::FirstHalfOddEven, 36, ONE, O::OddEven, 0.07, &[T::Halves]),
        spec(K::Corners, 40, (L::Half, 32), O::UnderOver, 0.07, &[T::Corners]),
        spec(K::MostCorners, 41, ONE, O::OneXTwo, 0.08, &[T::Corners]),
        spec(K::NextCorner, 42, (L::Ordinal, 30), O::OneNoneTwo, 0.07, &[T::Corners]),
        spec(K::CornersOddEven, 43, ONE, O::OddEven, 0.07, &[T::Corners]),
        spec(K::HomeCorners, 44, (L::Half, 24), O::UnderOver, 0.08, &[T::Corners]),
        spec(K::AwayCorners, 45, (L::Half, 24), O::UnderOver, 0.08, &[T::Corners]),
        spec(K::FirstHalfCorners, 46, (L::Half, 24), O::UnderOver, 0.08, &[T::Corners, T::Halves]),
        spec(K::Cards, 50, (L::Half, 20), O::UnderOver, 0.08, &[T::Cards]),
        spec(K::MostCards, 51, ONE, O::OneXTwo, 0.08, &[T::Cards]),
        spec(K::HomeCards, 52, (L::Half, 12), O::UnderOver, 0.08, &[T::Cards]),
        spec(K::AwayCards, 53, (L::Half, 12), O::UnderOver, 0.08, &[T::Cards]),
        spec(K::RedCard, 54, ONE, O::YesNo, 0.09, &[T::Cards]),
        spec(K::Winner, 60, ONE, O::OneTwo, 0.05, &[T::Main, T::Winner]),
        spec(K::ExtraTime, 61, ONE, O::YesNo, 0.07, &[T::Winner]),
        spec(K::ShootOut, 62, ONE, O::YesNo, 0.08, &[T::Winner]),
        spec(K::ExtraTimeResult, 63, ONE, O::OneXTwo, 0.06, &[T::Main, T::Winner]),
        spec(K::ExtraTimeTotal, 64, (L::Half, 10), O::UnderOver, 0.06, &[T::Main, T::Goals]),
    ]
};

/// Where each kind's markets and odds begin within the block.
const FIRSTS: [(u64, u64); SPECS.len()] = {
    let mut firsts = [(0, 0); SPECS.len()];
    let (mut markets, mut odds) = (0, 0);
    let mut index = 0;
    while index < SPECS.len() {
        assert!(SPECS[index].kind as usize == index, "the table is in the order of Kind");
        firsts[index] = (markets, odds);
        markets += SPECS[index].lines as u64;
        odds += SPECS[index].lines as u64 * SPECS[index].outcomes.places() as u64;
        index += 1;
    }
    assert!(markets <= BLOCK_MARKETS && odds <= BLOCK_ODDS, "the block is too small");
    firsts
};

impl Kind {
    /// The kind's line of the table.
    pub const fn spec(self) -> &'static Spec {
        &SPECS[self as usize]
    }

    /// A market's place within the block of its match.
    pub const fn market_place(self, line: u16) -> u64 {
        FIRSTS[self as usize].0 + line as u64
    }

    /// An odd's place within the block of its match.
    pub const fn odd_place(self, line: u16, outcome: u16) -> u64 {
        FIRSTS[self as usize].1 + line as u64 * self.spec().outcomes.places() as u64 + outcome as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_market_and_odd_has_a_place_of_its_own() {
        let mut markets = HashSet::new();
        let mut odds = HashSet::new();
        for spec in SPECS {
            for line in 0..spec.lines {
                assert!(markets.insert(spec.kind.market_place(line)));
                for outcome in 0..spec.outcomes.places() {
                    assert!(odds.insert(spec.kind.odd_place(line, outcome)));
                }
            }
        }
        assert!(markets.iter().all(|place| *place < BLOCK_MARKETS));
        assert!(odds.iter().all(|place| *place < BLOCK_ODDS));
    }

    #[test]
    fn numbers_of_the_contract_and_no_number_twice() {
        assert_eq!(Kind::FullTime.spec().number, 1);
        assert_eq!(Kind::Total.spec().number, 18);
        let numbers: HashSet<i64> = SPECS.iter().map(|spec| spec.number).collect();
        assert_eq!(numbers.len(), SPECS.len());
    }
}
