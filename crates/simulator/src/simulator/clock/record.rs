//! The scores of a match, by period and in order, with its corners and cards: the only input of results. Written by
//! [`super::game`].

use super::question::{Part, Scope, Stretch};
use kvota_domain::matches::Pair;

/// A score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scored {
    /// In which period.
    pub period: usize,
    /// Home or away.
    pub side: usize,
    /// The kind of score, as an index in the rules.
    pub kind: usize,
    /// Seconds of play since the period began.
    pub second: u32,
}

/// A corner or a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// In which period.
    pub period: usize,
    /// Home or away.
    pub side: usize,
}

/// A change of the score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreStep {
    /// In which period.
    pub period: usize,
    /// The score of the match after it.
    pub score: [u16; 2],
    /// Seconds of play since the match began.
    pub at_s: i32,
    /// Home or away.
    pub side: usize,
    /// The points.
    pub points: u16,
    /// How they were scored, as facts name it.
    pub way: u8,
}

/// The record of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Points by period, as far as the match has come; an overtime's rounds are periods, too.
    pub periods: Vec<[u16; 2]>,
    /// How many of them are over.
    pub finished: usize,
    /// The match came to its end.
    pub complete: bool,
    /// Scores in their order.
    pub scores: Vec<Scored>,
    /// The changes of the score, in their order.
    pub steps: Vec<ScoreStep>,
    /// Seconds of play since the latest period began.
    pub second: u32,
    /// Corners in their order.
    pub corners: Vec<Counted>,
    /// Cards in their order.
    pub cards: Vec<Counted>,
    /// The red ones among them.
    pub reds: Vec<Counted>,
    /// Kicks of a shoot-out taken and scored, by home and away; `None` before it.
    pub kicks: Option<[[u8; 2]; 2]>,
}

impl Record {
    /// A period begins.
    pub fn begin_period(&mut self) {
        self.periods.push([0, 0]);
        self.second = 0;
    }

    /// A side gets points after so many seconds of play, in a way of [`ScoreStep::way`].
    pub fn add(&mut self, side: usize, points: u16, at_s: i32, way: u8) {
        if points == 0 {
            return;
        }
        if let Some(period) = self.periods.last_mut() {
            period[side] += points;
        }
        let (period, score) = (self.periods.len().saturating_sub(1), self.all());
        self.steps.push(ScoreStep { period, score, at_s, side, points, way });
    }

    /// Points of the match.
    pub fn all(&self) -> [u16; 2] {
        sum(&self.periods)
    }

    /// Points of some periods, as far as they have come.
    pub fn part(&self, part: Part) -> [u16; 2] {
        sum(self.periods.get(part.from..part.to.min(self.periods.len())).unwrap_or_default())
    }

    /// The corners of the match.
    pub fn all_corners(&self) -> [u16; 2] {
        of_sides(&self.corners, Part { from: 0, to: usize::MAX })
    }

    /// How much is counted so far in the scope of a market.
    pub fn so_far(&self, scope: Scope) -> [u16; 2] {
        match scope {
            Scope::Match => self.all(),
            Scope::Part(part) => self.part(part),
            Scope::Corners(part) => of_sides(&self.corners, part),
            Scope::Cards(part) => of_sides(&self.cards, part),
        }
    }

    /// The sides of what is counted one by one in the scope of a market, in order.
    pub fn sides(&self, scope: Scope) -> Vec<usize> {
        let within = |counted: &[Counted], part: Part| {
            counted.iter().filter(|held| part.has(held.period)).map(|held| held.side).collect()
        };
        match scope {
            Scope::Match => self.scores.iter().map(|score| score.side).collect(),
            Scope::Part(part) => {
                self.scores.iter().filter(|score| part.has(score.period)).map(|score| score.side).collect()
            }
            Scope::Corners(part) => within(&self.corners, part),
            Scope::Cards(part) => within(&self.cards, part),
        }
    }

    /// Whether nothing is added any more.
    pub fn is_done(&self, scope: Scope) -> bool {
        match scope {
            Scope::Match => self.complete,
            Scope::Part(part) | Scope::Corners(part) | Scope::Cards(part) => self.finished >= part.to,
        }
    }

    /// Whether the stretch of a period is over.
    pub fn is_past(&self, stretch: Stretch) -> bool {
        let is_latest = self.periods.len() == stretch.period + 1;
        self.finished > stretch.period || (is_latest && self.second >= stretch.to_s)
    }

    /// Whether there is a score in the stretch of a period.
    pub fn is_scored_in(&self, stretch: Stretch) -> bool {
        let within = |score: &Scored| (stretch.from_s..stretch.to_s).contains(&score.second);
        self.scores.iter().any(|score| score.period == stretch.period && within(score))
    }

    /// The points in the scope of a market, once it is over.
    pub fn done(&self, scope: Scope) -> Option<[i64; 2]> {
        self.is_done(scope).then(|| self.so_far(scope).map(i64::from))
    }

    /// The kicks that were scored in a shoot-out.
    pub fn kicked(&self) -> Option<Pair> {
        self.kicks.map(|[_, scored]| scored.map(i64::from))
    }

    /// Home's lead at the end of the match, the shoot-out included. 0 after a draw.
    pub fn lead(&self) -> Option<i64> {
        let [home, away] = self.done(Scope::Match)?;
        let [kicked, answered] = self.kicked().unwrap_or_default();
        Some(if home == away { kicked - answered } else { home - away })
    }
}

/// The points of some periods.
pub(super) fn sum(periods: &[[u16; 2]]) -> [u16; 2] {
    periods.iter().fold([0, 0], |all, period| [all[0] + period[0], all[1] + period[1]])
}

fn of_sides(counted: &[Counted], part: Part) -> [u16; 2] {
    let of = |side: usize| counted.iter().filter(|held| held.side == side && part.has(held.period)).count();
    [0, 1].map(|side| of(side) as u16)
}
