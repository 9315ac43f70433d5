//! The questions about matches of sets. The markets of a file stand in the order of these questions.

use serde::Deserialize;

/// A question about a match of sets; the last ones are about tennis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetsQuestion {
    /// The winner of the match.
    Winner,
    /// The score in sets.
    SetScore,
    /// How many sets.
    Sets,
    /// The handicap in sets.
    SetHandicap,
    /// How many points or games.
    Total,
    /// The side with more of them, after a handicap.
    Handicap,
    /// Whether their number is odd.
    OddEven,
    /// Whether home wins a set.
    HomeSet,
    /// Whether away wins a set.
    AwaySet,
    /// The winners of the first set and of the match.
    FirstAndMatch,
    /// How many sets exactly.
    ExactSets,
    /// How many games home has.
    HomeGames,
    /// How many games away has.
    AwayGames,
    /// Whether there is a tie-break.
    TieBreak,
    /// How many tie-breaks there are.
    TieBreaks,
    /// Whether a set is won to nil.
    ToNil,
    /// The winner of a point, by its number in the match.
    Point,
}

/// A question about a set of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RallySetQuestion {
    /// The winner of the set.
    Winner,
    /// How many points or games it has.
    Total,
    /// The side with more of them, after a handicap.
    Handicap,
    /// Whether their number is odd.
    OddEven,
    /// The first side to reach a number of points.
    FirstTo,
    /// Whether both come within a point of the target.
    Extra,
    /// The winner of a point, by its number.
    Point,
    /// The winning margin in points.
    Margin,
}

/// A question about a set of tennis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TennisSetQuestion {
    /// The winner of the set.
    Winner,
    /// How many points or games it has.
    Total,
    /// The side with more of them, after a handicap.
    Handicap,
    /// Whether their number is odd.
    OddEven,
    /// The set's score.
    Score,
    /// Whether it has a tie-break.
    TieBreak,
    /// The winner of a game, by its number.
    Game,
    /// The winner of the game, and the loser's points.
    GameScore,
    /// Whether it comes to deuce.
    Deuce,
    /// The winner of the tie-break.
    TieBreakWinner,
    /// How many points the tie-break has.
    TieBreakPoints,
    /// How many games home has.
    HomeGames,
    /// How many games away has.
    AwayGames,
    /// The first player with a number of games.
    FirstTo,
}
