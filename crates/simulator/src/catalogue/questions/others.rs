//! The questions about sports with a model of their own. The markets of a file stand in the order of these questions.

use serde::Deserialize;

/// A question about a match of baseball.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BaseballQuestion {
    /// The winner, extra innings included.
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
}

/// A question about a match of cricket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CricketQuestion {
    /// The winner, with super overs.
    Winner,
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
}

/// A question about a match of snooker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SnookerQuestion {
    /// The winner of the match.
    Winner,
    /// Frames in the match.
    Frames,
    /// Frames with a handicap.
    Handicap,
    /// The score at the end.
    Score,
    /// The winner of the current frame.
    Frame,
    /// The winner of the next frame.
    NextFrame,
    /// A break of fifty in the frame being played.
    Fifty,
    /// A break of a hundred in it.
    Hundred,
    /// The first player to make a break of fifty in the frame.
    FirstFifty,
    /// A break of a hundred in the match.
    MatchHundred,
    /// Frames in the match, odd or even.
    OddEven,
    /// The first player to reach a number of frames.
    FirstTo,
    /// Whether the last possible frame is needed.
    Decider,
    /// The side that leads after four frames.
    AfterFour,
    /// Frames that home wins.
    HomeFrames,
    /// Frames that away wins.
    AwayFrames,
}

/// A question about a match of darts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DartsQuestion {
    /// The winner.
    Winner,
    /// Legs in the match.
    Legs,
    /// Legs with a handicap, in matches without sets.
    LegHandicap,
    /// Sets in the match.
    Sets,
    /// Sets with a handicap.
    SetHandicap,
    /// The score at the end.
    Score,
    /// The winner of the current set.
    Set,
    /// The winner of the current leg.
    Leg,
    /// The winner of the next leg.
    NextLeg,
    /// A 180 in the leg being played.
    MaximumInLeg,
    /// The checkout of the leg being played.
    Checkout,
    /// 180s in the match.
    Maxima,
    /// The player with more 180s.
    MostMaxima,
    /// Legs in the match, odd or even.
    OddEven,
    /// The first side to reach a number of legs, in matches without sets.
    FirstTo,
    /// Whether the last possible leg or set is needed.
    Decider,
}

/// A question about a match of mixed martial arts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MmaQuestion {
    /// The winner; a draw returns the stake.
    Winner,
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
