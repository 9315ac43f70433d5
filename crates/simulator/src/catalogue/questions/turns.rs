//! The questions about matches of innings and rounds: baseball, cricket and mixed martial arts.

use serde::Deserialize;

/// A question about a match of innings or rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnsQuestion {
    // Baseball, and those of several sports.
    /// The winner, with extra innings or super overs; a draw is void.
    Winner,
    /// Runs of both, extra innings included.
    Total,
    /// Handicaps, extra innings included.
    Handicap,
    /// The side that scores the next run.
    NextRun,
    /// The side that leads after nine innings.
    Nine,
    /// Runs of home.
    HomeTotal,
    /// Runs of away.
    AwayTotal,
    /// Runs odd or even.
    OddEven,
    /// The winner and the margin.
    Margin,
    /// Whether there are extra innings.
    Extra,
    /// The side that leads after five innings.
    Five,
    /// Runs in five innings.
    FiveTotal,
    /// Handicaps of five innings.
    FiveHandicap,
    /// The side that leads after five innings; a draw is void.
    FiveNoDraw,
    /// Runs in five innings odd or even.
    FiveOddEven,
    /// Runs of home in five innings.
    FiveHome,
    /// Runs of away.
    FiveAway,
    /// The winner of an inning.
    Inning,
    /// Whether there is a run in an inning.
    InningRun,
    /// Runs in a half-inning.
    HalfRuns,
    /// How the next batter fares.
    Batter,
    // Cricket.
    /// Runs of the first innings.
    FirstRuns,
    /// Runs of the second innings.
    SecondRuns,
    /// Runs of the first innings, from here to there.
    FirstRange,
    /// Runs of the first innings, odd or even.
    FirstOddEven,
    /// Runs of the over being bowled.
    OverRuns,
    /// A wicket in it.
    OverWicket,
    /// A six in it.
    OverSix,
    /// A four or a six in it.
    OverBoundary,
    /// Wickets of the first innings.
    FirstWickets,
    /// Fours of the first innings.
    FirstFours,
    /// Sixes of the first innings.
    FirstSixes,
    /// Runs of the first power play.
    PowerPlay,
    /// How the next batter is out.
    Dismissal,
    /// Whether the runs are level after both innings.
    Tie,
    // Mixed martial arts.
    /// The winner, or a draw.
    Result,
    /// How it ends.
    Method,
    /// The winner and the method.
    WinnerAndMethod,
    /// How many rounds it takes.
    Rounds,
    /// Whether the judges have to decide.
    Distance,
    /// In which round it ends.
    RoundOfEnd,
    /// The round, and the fighter who ends the bout in it.
    RoundAndWinner,
    /// Whether it ends in the round being fought.
    EndsInRound,
    /// The fighter who ends the bout in that round.
    WhoEndsInRound,
    /// Whether a later round begins.
    RoundBegins,
    /// How the judges decide.
    Decision,
    /// Whether home ends it early.
    HomeEarly,
    /// Whether away does.
    AwayEarly,
}
