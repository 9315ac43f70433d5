//! Sports with single goals: futsal, ice hockey and handball. Contains only what they share as sports; [`super::clock`]
//! plays and prices a match.

pub mod futsal;
pub mod handball;
pub mod hockey;

#[cfg(test)]
mod goal_tests;

use super::clock::game::Game;
use super::clock::rules::{Overtime, Rules, ScoreKind, Shape, Tempo};
use super::names::is_cup;
use super::random::Random;
use super::sport::{Pairing, Play, Profile, Sport};
use crate::pricing::maths::exp;

/// A goal.
const GOAL: &[ScoreKind] = &[ScoreKind { weight: 1.0, points: 1, more: &[], ways: [0, 0] }];

/// Draws that are played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Draws {
    Any,
    OfCups,
}

/// A sport of goals.
#[derive(Debug)]
pub struct GoalSport {
    pub(super) rules: &'static Rules,
    /// How long a period is, in ms of play.
    period_ms: i64,
    /// Goals a match of average sides at home and away.
    goals: [f64; 2],
    /// What being clearly stronger does to one's goals, as the logarithm of a factor.
    skill: f64,
    /// Which draws are played on, and how.
    overtime: (Draws, Overtime),
}

impl GoalSport {
    fn game(&self, [home, away]: [f64; 2], has_overtime: bool) -> Game {
        let edge = exp(self.skill * (home - away));
        let all_ms = (self.period_ms * self.rules.periods.len() as i64) as f64;
        let tempo = Tempo::Moments { per_ms: [self.goals[0] * edge / all_ms, self.goals[1] / edge / all_ms] };
        let overtime = has_overtime.then_some(self.overtime.1);
        Game::new(self.rules, Shape::new(self.rules, self.period_ms, overtime, tempo))
    }
}

impl Sport for GoalSport {
    fn profile(&self) -> &'static Profile {
        &self.rules.data.profile
    }

    fn begin(&self, pairing: Pairing, _: &mut Random) -> Box<dyn Play> {
        let has_overtime = match self.overtime.0 {
            Draws::Any => true,
            Draws::OfCups => is_cup(self.profile().id, pairing.tournament),
        };
        Box::new(self.game(pairing.strengths, has_overtime))
    }
}
