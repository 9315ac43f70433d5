//! The questions about matches of sets. A set is played for *points*: games in tennis, legs in darts, frames in
//! snooker. A match of frames, or of legs alone, is a match of one set.

use serde::Deserialize;

/// A question about a match of sets. Those of the last group are answered by one sport alone.
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
    /// How many points.
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
    /// How many points home has.
    HomeTotal,
    /// How many points away has.
    AwayTotal,
    /// The score at the end: in sets, or in points if there is one set.
    Score,
    /// Whether the last possible set is needed, or the last possible point if there is one set.
    Decider,
    /// The first side to a number of points, if there is one set.
    FirstTo,
    /// The winner of a set, by its number.
    Set,
    /// The winner of the leg or frame being played, by its number in the match.
    Leg,
    /// The winner of the next one.
    NextLeg,
    /// The side that leads after four points, if there is one set.
    AfterFour,

    /// Tennis: whether there is a tie-break.
    TieBreak,
    /// How many tie-breaks there are.
    TieBreaks,
    /// Whether a set is won to nil.
    ToNil,
    /// The winner of a point of a game, by its number in the match.
    Point,
    /// Darts: a 180 in the leg being played.
    MaximumInLeg,
    /// The checkout of the leg being played.
    Checkout,
    /// 180s in the match.
    Maxima,
    /// The player with more 180s.
    MostMaxima,
    /// Snooker: a break of fifty in the frame being played.
    Fifty,
    /// A break of a hundred in it.
    Hundred,
    /// The first player to make a break of fifty in the frame.
    FirstFifty,
    /// A break of a hundred in the match.
    MatchHundred,
}

/// A question about one set. Those of the last group are answered by tennis alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetQuestion {
    /// The winner of the set.
    Winner,
    /// How many points it has.
    Total,
    /// The side with more of them, after a handicap.
    Handicap,
    /// Whether their number is odd.
    OddEven,
    /// How many points home has.
    HomeTotal,
    /// How many points away has.
    AwayTotal,
    /// The first side to a number of points.
    FirstTo,
    /// Whether both come within a point of the target.
    Extra,
    /// The winner of a point, by its number.
    Point,
    /// The winning margin in points.
    Margin,

    /// The set's score.
    Score,
    /// Whether it has a tie-break.
    TieBreak,
    /// The winner of the tie-break.
    TieBreakWinner,
    /// How many points the tie-break has.
    TieBreakPoints,
    /// The winner of a game, by its number.
    Game,
    /// The winner of the game, and the loser's points.
    GameScore,
    /// Whether it comes to deuce.
    Deuce,
}
