//! The questions about matches that are played against a clock: of points and of goals.

use super::{List, Part, Scope, Stretch};
use serde::Deserialize;

/// A question about a match against the clock; goals are points as well. The answers are in brackets, in the order of their indexes. A push is void.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockQuestion {
    /// The winner, with overtime and shoot-out; offered only if the match cannot end in a draw (home, away).
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
    /// The side that is ahead with the whole points of the line (home, draw, away).
    ThreeWayHandicap(Part),
    /// Points of both (odd, even).
    OddEven(Scope),
    /// Whether both sides score (yes, no).
    BothScore(Part),
    /// The points of both, in bands up to these values and one above (the bands).
    TotalBands {
        /// Which periods.
        periods: Part,
        /// The most points of each band but the last, ascending.
        bands: List<u16>,
    },
    /// Whether the other side does not score (yes, no).
    CleanSheet {
        /// Which periods.
        periods: Part,
        /// Home or away.
        side: usize,
    },
    /// Whether a side wins and the other does not score (yes, no).
    WinToNil {
        /// Which periods.
        periods: Part,
        /// Home or away.
        side: usize,
    },
    /// The side that is ahead, with whether both score (home yes, home no, draw yes …).
    ResultAndBothScore(Part),
    /// Whether a side scores in each of these periods (yes, no).
    ScoresInEach {
        /// Which periods.
        periods: Part,
        /// Home or away.
        side: usize,
    },
    /// Whether there is a score in the line's stretch of a period (yes, no).
    Within(List<Stretch>),
    /// The part with more points (first, equal, second).
    MoreIn([Part; 2]),
    /// The score. Those with up to `listed` goals of each side have their own answer, any other has the last one.
    CorrectScore {
        /// Which periods.
        periods: Part,
        /// Below 10.
        listed: u8,
    },
    /// The side that is ahead, with the points of both (home under, home over, draw under …).
    ResultAndTotal(Part),
    /// The first side to reach the line's multiple of this number of points, in these periods (home, neither, away).
    Race {
        /// Which periods.
        periods: Part,
        /// The number.
        step: u16,
    },
    /// The first side to reach the line's one of these numbers of points (home, neither, away).
    RaceTo {
        /// Which periods.
        periods: Part,
        /// The numbers, ascending.
        to: List<u16>,
    },
    /// The side that makes the last score of these periods, which must be all of regular time (home, neither, away).
    /// Exact only if no player returns during a match.
    Last(Part),
    /// The side that makes the first score of these periods (home, neither, away).
    First(Part),
    /// The side that has the score, the corner or the card of the line, from 0 (home, neither, away).
    Next(Scope),
    /// Which way (the ways of the rules, none).
    NextKind(Part),
    /// The first side to score in the period of the line (home, neither, away).
    FirstOfPeriod,
    /// Whether an overtime is played after these periods (yes, no).
    Overtime(Part),
    /// Whether there is a shoot-out (yes, no).
    ShootOut,
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
    /// Whether there is a red card in these periods (yes, no).
    RedCard(Part),
}
