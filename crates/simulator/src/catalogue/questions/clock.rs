//! The questions about matches of points and of goals, which are played against a clock.

use super::{List, Part, Scope};
use serde::Deserialize;

/// A question about a match of points. The answers are in brackets, in the order of their indexes. A push is void.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointQuestion {
    /// The winner, with overtime; offered only if no match ends in a draw (home, away).
    Winner,
    /// The side that is ahead (home, draw, away).
    Result(Scope),
    /// The side that is ahead; a draw is void (home, away).
    DrawNoBet(Scope),
    /// Double chance (`1X`, `12`, `X2`).
    DoubleChance(Scope),
    /// The winner of the period of the line (home, draw, away).
    PeriodResult,
    /// Points of both (under, over).
    Total(Scope),
    /// Points of a side (under, over).
    SideTotal {
        /// Of the match or a part.
        scope: Scope,
        /// Home or away.
        side: usize,
    },
    /// The side that is ahead with the handicap of the line (home, away).
    Handicap(Scope),
    /// Points of both (odd, even).
    OddEven(Scope),
    /// The first side to reach the line's multiple of this number of points, in these periods (home, neither, away).
    Race {
        /// Which periods.
        periods: Part,
        /// The number.
        step: u16,
    },
    /// The side that makes the n-th score, where the line is n. The periods must be all of regular time (home, neither,
    /// away).
    Next(Part),
    /// Which way (the ways of the rules, none).
    NextKind(Part),
    /// The first side to score in the period of the line (home, neither, away).
    FirstOfPeriod,
    /// Whether an overtime is played after these periods (yes, no).
    Overtime(Part),
    /// Which of these parts has the most points (the parts, equal).
    Highest(List<Part>),
    /// The winning margin, in bands up to these values and one above (home's bands, a draw unless the scope is the
    /// whole match, away's bands).
    Margin {
        /// Of the match or a part.
        scope: Scope,
        /// The most points of each band but the last.
        bands: List<i64>,
    },
    /// The side that is ahead after the first part, and after both (nine answers: home home, home draw …).
    HalfFull {
        /// The first part.
        first: Part,
        /// Both parts.
        periods: Part,
    },
    /// Whether a side wins each of these periods (yes, no).
    EachPeriod {
        /// Which periods.
        periods: Part,
        /// Home or away.
        side: usize,
    },
    /// Scores of these ways, in these periods (under, over).
    Count {
        /// Which periods.
        periods: Part,
        /// Indexes of the rules.
        ways: List<usize>,
    },
    /// The side with more of these scores (home, draw, away).
    MoreOf {
        /// Which periods.
        periods: Part,
        /// Indexes of the rules.
        ways: List<usize>,
    },
    /// Cards in these periods (under, over).
    Cards(Part),
}

/// A question about a match of goals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalQuestion {
    /// The side that is ahead (home, draw, away).
    Result(Scope),
    /// Two of these.
    DoubleChance(Scope),
    /// A draw gives the stake back.
    DrawNoBet(Scope),
    /// Goals of both (under, over).
    Total(Scope),
    /// Goals of one side.
    TotalOf(usize),
    /// The side that is ahead with the handicap of the line.
    Handicap(Scope),
    /// The same with whole goals and a draw.
    ThreeWayHandicap,
    /// Goals of both, odd or even.
    OddEven(Scope),
    /// Whether both sides score.
    BothScore(Scope),
    /// Scores with up to this number of goals of each side have their own answer.
    CorrectScore(u8),
    /// Line n: the side that scores goal n + 1 of regular time.
    NextGoal,
    /// The side that scores last.
    LastGoal,
    /// Line n: the first side to reach the n-th of these numbers of goals.
    RaceTo(List<u8>),
    /// The result, with under or over.
    ResultAndTotal,
    /// The result of the first period and of the match.
    PeriodAndMatch,
    /// The period with the most goals; the last answer is that there is no such one.
    MostGoals,
    /// The winner, with overtime and shoot-out.
    Winner,
    /// Whether there is overtime.
    Overtime,
    /// Whether there is a shoot-out.
    ShootOut,
    /// The result of overtime alone.
    OvertimeResult,
    /// Goals of overtime alone.
    OvertimeTotal,
}
