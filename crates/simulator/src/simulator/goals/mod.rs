//! Sports with single goals: futsal, ice hockey and handball. One engine plays and prices them all; the sports differ
//! only in data.
//!
//! | file | subject |
//! |---|---|
//! | `rules` | periods, rates, breaks, overtime, shoot-outs |
//! | `play` | the state machine |
//! | `model` | the probabilities of the rest of a match, and the markets |
//! | `verdicts` | the results of markets |
//! | [`futsal`], [`hockey`], [`handball`] | the sports: rules, table, columns |

pub mod futsal;
pub mod handball;
pub mod hockey;
mod model;
mod play;
mod rules;
mod verdicts;

#[cfg(test)]
mod goal_tests;

use super::names::is_cup;
use super::random::Random;
use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue::SportData;
use crate::catalogue::questions::GoalQuestion;
use play::GoalPlay;
use rules::{Draws, Rules};
use std::sync::LazyLock;

/// A sport of goals, as the table of sports holds it.
#[derive(Debug)]
pub struct GoalGame(&'static GoalSport);

/// The data of a goal sport.
#[derive(Debug)]
struct GoalSport {
    data: &'static LazyLock<SportData<GoalQuestion>>,
    rules: Rules,
}

impl Sport for GoalGame {
    fn profile(&self) -> &'static Profile {
        &self.0.data.profile
    }

    fn begin(&self, pairing: Pairing, _: &mut Random) -> Box<dyn Play> {
        let has_overtime = match self.0.rules.overtime.after {
            Draws::Any => true,
            Draws::OfCups => is_cup(self.0.data.profile.id, pairing.tournament),
        };
        Box::new(GoalPlay::new(self.0, pairing.strengths, has_overtime))
    }
}

/// For tests: the file of each sport, the statuses of its legs, and the number of regular ones.
#[cfg(test)]
pub(super) fn legs() -> [(&'static SportData<GoalQuestion>, Vec<&'static str>, usize); 3] {
    [hockey::HOCKEY.0, handball::HANDBALL.0, futsal::FUTSAL.0].map(|sport| {
        let statuses = sport.rules.statuses.iter().map(|[status, _]| *status).collect();
        (&**sport.data, statuses, sport.rules.periods.into())
    })
}
