//! The rules of a sport against a clock: tables that its module fills and [`super::game`] uses. They hold no state.

use super::overtime::OvertimeOutlook;
use super::scoring::Scoring;
use crate::catalogue::SportData;
use crate::catalogue::questions::ClockQuestion;
use crate::pricing::shoot_out::Kicks;
use std::sync::LazyLock;

/// A stretch of seconds, from and to.
pub type Seconds = (f64, f64);

/// A way to score.
#[derive(Clone, Copy, Debug)]
pub struct ScoreKind {
    /// How often it comes among the scores.
    pub weight: f64,
    /// Points at once.
    pub points: u16,
    /// The points of a conversion or of free throws a little later, with their probabilities, which sum to one. Empty
    /// if there are none.
    pub more: &'static [(u16, f64)],
    /// How the points at once, and those a little later, are called in facts (docs/protocol.md, FACT: scores).
    pub ways: [u8; 2],
}

/// A period of regular time.
#[derive(Clone, Copy, Debug)]
pub struct PeriodRules {
    /// The status while it is played.
    pub status: &'static str,
    /// The status of the break after it; after the last one before an overtime.
    pub pause: &'static str,
    /// How long that break is.
    pub pause_s: Seconds,
    /// The rate of scoring in it, in parts of that of the match. The mean of all periods is 1; less with stoppage time,
    /// which is not counted in the length of the match.
    pub pace: f64,
}

/// Periods that end with a whistle at a moment that is not known in advance, and suspensions of betting while the clock
/// runs.
#[derive(Clone, Copy, Debug)]
pub struct RunningClock {
    /// How long each period of regular time is expected to be with its stoppage time, in ms of play.
    pub expected_ms: [i64; 2],
    /// The same of a period of overtime.
    pub overtime_ms: i64,
    /// In the last so many ms of the expected length, and after it, the whistle is equally likely at any moment; the mean wait
    /// for it is as long.
    pub tail_ms: i64,
    /// For how long betting is suspended after a goal or a red card …
    pub hold_s: Seconds,
    /// … and, with this probability, for how much longer because it is reviewed.
    pub review: (f64, Seconds),
    /// The mean seconds between two appeals that are not granted, and for how long they suspend betting.
    pub appeals: (f64, Seconds),
}

/// Corners and cards, which come at random moments.
#[derive(Clone, Copy, Debug)]
pub struct CountRules {
    /// The shares of the periods of regular time in the corners of a match.
    pub corner_shares: [f64; 2],
    /// The same of cards.
    pub card_shares: [f64; 2],
    /// What a period of overtime has, in parts of a match.
    pub overtime_share: f64,
    /// What a missing player does to the corners of the own side, and of the other one.
    pub short: [f64; 2],
    /// Red cards in a match, among the cards.
    pub reds: f64,
}

impl CountRules {
    /// The share of a period, from those of regular time.
    pub fn share(&self, shares: [f64; 2], period: usize) -> f64 {
        shares.get(period).copied().unwrap_or(self.overtime_share)
    }
}

/// What leaves a side a player short: cards, penalties or suspensions.
#[derive(Clone, Copy, Debug)]
pub struct ShortRules {
    /// How often a side is short for a time in a match.
    pub timed: f64,
    /// How often it is short until the end.
    pub lasting: f64,
    /// How long the time is, in ms of play.
    pub timed_ms: i64,
    /// The factor of the side's own scoring. The other side's scoring rises by as much as this one falls, so that
    /// what is still to come does not change the expected score.
    pub own: f64,
    /// How long the clock stops.
    pub stop_s: Seconds,
    /// Whether a goal of a side with more players ends it.
    pub ends_with_goal: bool,
    /// Whether it is a yellow card for a time and a red one until the end.
    pub are_cards: bool,
}

/// Time-outs that a side takes.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// The probability of one when nothing was scored and the clock runs on.
    pub chance: f64,
    /// How many each side has.
    pub each: u8,
    /// How long one is, in seconds.
    pub length_s: f64,
}

/// A sport's rules.
#[derive(Debug)]
pub struct Rules {
    /// The file of the sport.
    pub data: &'static LazyLock<SportData<ClockQuestion>>,
    /// Ways to score.
    pub scores: &'static [ScoreKind],
    /// The periods of regular time.
    pub periods: &'static [PeriodRules],
    /// The status of the first and the second half of an overtime.
    pub overtime: [&'static str; 2],
    /// The status before a shoot-out, and of one.
    pub shoot_out: [&'static str; 2],
    /// The longest time without an event before prices are recalculated, if sides score at random moments.
    pub tick_s: Seconds,
    /// The probability that the clock stops when nothing was scored, and the duration of the stop.
    pub stop: (f64, Seconds),
    /// How long the clock stops after a score; 0 if it does not stop.
    pub after_score_s: Seconds,
    /// How long it takes until a conversion or the free throws are over.
    pub more_s: Seconds,
    /// Whether betting is suspended meanwhile.
    pub holds: bool,
    /// Whether betting is suspended after a score until the clock runs, or the next event.
    pub holds_scores: bool,
    /// The time-outs, if the sport shows them.
    pub timeouts: Option<Timeouts>,
    /// What leaves a side a player short, if the sport has that.
    pub short: Option<ShortRules>,
    /// Shots without a goal for each expected goal; 0 if shots are not counted.
    pub saves: f64,
    /// Whether its tracker has facts beyond the board.
    pub has_facts: bool,
    /// How the clock runs on, if it does.
    pub running: Option<RunningClock>,
    /// Corners and cards, if the sport has them.
    pub counts: Option<CountRules>,
}

impl Rules {
    /// What most sports have in common. Scores, periods and ticks are each sport's own.
    pub const fn of(data: &'static LazyLock<SportData<ClockQuestion>>) -> Rules {
        Rules {
            data,
            scores: &[],
            periods: &[],
            overtime: ["overtime", "overtime"],
            shoot_out: ["awaiting_shoot_out", "shoot_out"],
            tick_s: (0.0, 0.0),
            stop: (0.0, (0.0, 0.0)),
            after_score_s: (0.0, 0.0),
            more_s: (0.0, 0.0),
            holds: false,
            holds_scores: false,
            timeouts: None,
            short: None,
            saves: 0.0,
            has_facts: true,
            running: None,
            counts: None,
        }
    }

    /// The possible total points of a score, with their probabilities.
    pub fn worths(&self) -> Vec<(usize, f64)> {
        let all: f64 = self.scores.iter().map(|kind| kind.weight).sum();
        let mut worths: Vec<(usize, f64)> = Vec::new();
        let mut add = |worth: u16, chance: f64| match worths.iter_mut().find(|held| held.0 == usize::from(worth)) {
            Some(held) => held.1 += chance,
            None => worths.push((usize::from(worth), chance)),
        };
        for kind in self.scores {
            let share = kind.weight / all;
            if kind.more.is_empty() {
                add(kind.points, share);
            }
            for (more, chance) in kind.more {
                add(kind.points + more, share * chance);
            }
        }
        worths
    }

    /// The distribution of the points that a conversion or free throws add to a score of this kind.
    pub fn more(&self, kind: usize) -> Vec<f64> {
        let more = self.scores.get(kind).map_or(&[][..], |kind| kind.more);
        let most = more.iter().map(|(points, _)| usize::from(*points)).max().unwrap_or(0);
        let mut chances = vec![0.0; most + 1];
        for (points, chance) in more {
            chances[usize::from(*points)] += chance;
        }
        if more.is_empty() {
            chances[0] = 1.0;
        }
        chances
    }
}

/// What follows a draw.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Overtime {
    /// The periods of a round, and the status and the seconds of the break between two of them.
    pub periods: (usize, &'static str, f64),
    /// How long a period of it is, in ms of play.
    pub period_ms: i64,
    /// Whether the first score ends it.
    pub is_sudden: bool,
    /// The rate of scoring in it, in parts of that of the match.
    pub pace: f64,
    /// The shoot-out after a round without a winner; without one, rounds are played until one is won.
    pub shoot_out: Option<ShootOut>,
}

/// A shoot-out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShootOut {
    /// Its kicks.
    pub kicks: Kicks,
    /// Whether its winner gets a point for it.
    pub is_scored: bool,
}

/// How much scoring there is in a stretch of play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tempo {
    /// A side scores at any moment, with this rate per ms of play.
    Moments {
        /// Home and away.
        per_ms: [f64; 2],
    },
    /// Sides attack in turn. The number of attacks of each side:
    Turns {
        /// In a period.
        period: usize,
        /// In a round of overtime.
        overtime: usize,
        /// How likely an attack of home and away scores.
        scores: [f64; 2],
    },
}

/// The parameters of a match beyond its sport's rules, from its tournament and its sides. They do not change during the
/// match.
#[derive(Clone, Debug)]
pub struct Shape {
    /// How long a period is, in ms of play.
    pub period_ms: i64,
    /// What follows a draw; `None` if a draw is a final result.
    pub overtime: Option<Overtime>,
    /// How much scoring there is.
    pub tempo: Tempo,
    /// What scoring gives.
    pub scoring: Scoring,
    /// The points that overtime adds; `None` if there is no overtime.
    pub extra: Option<OvertimeOutlook>,
    /// Corners and cards in a match, by home and away.
    pub counts: [[f64; 2]; 2],
}

impl Shape {
    /// A match of these rules.
    pub fn new(rules: &Rules, period_ms: i64, overtime: Option<Overtime>, tempo: Tempo) -> Shape {
        let scoring = match tempo {
            Tempo::Moments { .. } => Scoring::at_moments(&rules.worths()),
            Tempo::Turns { scores, .. } => Scoring::in_turns(&rules.worths(), scores),
        };
        let extra = overtime.map(|overtime| OvertimeOutlook::new(rules, overtime, tempo, &scoring, [1.0; 2]));
        Shape { period_ms, overtime, tempo, scoring, extra, counts: [[0.0; 2]; 2] }
    }
}

impl Overtime {
    /// An overtime of one period.
    pub const fn of(period_ms: i64) -> Overtime {
        Overtime { periods: (1, "", 0.0), period_ms, is_sudden: false, pace: 1.0, shoot_out: None }
    }
}
