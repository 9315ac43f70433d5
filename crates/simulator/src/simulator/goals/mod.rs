//! Sports with single goals: futsal, ice hockey and handball. One engine plays and prices them all; the sports differ
//! only in data.
//!
//! | file | subject |
//! |---|---|
//! | `rules` | periods, rates, breaks, overtime, shoot-outs |
//! | `play` | the state machine |
//! | `model` | the probabilities of the rest of a match, and the markets |
//! | `questions` | the questions of markets, and the rows that several tables share |
//! | `verdicts` | the results of markets |
//! | [`futsal`], [`hockey`], [`handball`] | the sports: rules, table, columns |

pub mod futsal;
pub mod handball;
pub mod hockey;
mod model;
mod play;
mod questions;
mod rules;
mod verdicts;

#[cfg(test)]
mod goal_tests;

use super::names::is_cup;
use super::random::Random;
use super::sport::{Pairing, Play, Profile, Sport};
use crate::pricing::headings::{ONE_NONE_TWO as NEXT, ONE_TWO, ONE_X_TWO, UNDER_OVER};
use crate::pricing::kind::{KindSpec, Line};
use play::GoalPlay;
use questions::{Question, Row};
use rules::{Draws, Rules};

/// A sport of goals, as the table of sports holds it.
#[derive(Debug)]
pub struct GoalGame(&'static GoalSport);

/// The data of a goal sport.
#[derive(Debug)]
struct GoalSport {
    profile: &'static Profile,
    rules: Rules,
    /// The table: the kinds of the profile with their questions.
    rows: &'static [Row],
}

impl Sport for GoalGame {
    fn profile(&self) -> &'static Profile {
        self.0.profile
    }

    fn begin(&self, pairing: Pairing, _: &mut Random) -> Box<dyn Play> {
        let has_overtime = match self.0.rules.overtime.after {
            Draws::Any => true,
            Draws::OfCups => is_cup(self.0.profile.id, pairing.tournament),
        };
        Box::new(GoalPlay::new(self.0, pairing.strengths, has_overtime))
    }
}

impl GoalSport {
    fn questions(&self) -> impl Iterator<Item = Question> {
        self.rows.iter().map(|row| row.question)
    }

    fn question(&self, kind: u16) -> Option<Question> {
        self.rows.get(usize::from(kind)).map(|row| row.question)
    }

    fn spec(&self, kind: u16) -> &'static KindSpec {
        &self.profile.kinds[usize::from(kind)]
    }

    /// The whole part of a kind's first line: 2 for a line of 2.5.
    fn first_line(&self, kind: u16) -> usize {
        match self.spec(kind).line {
            Line::HalfFrom(first) => first.into(),
            _ => 0,
        }
    }
}

/// The index of a question in a table, for columns.
const fn place(rows: &[Row], number: i64) -> u16 {
    let mut index = 0;
    while index < rows.len() {
        if rows[index].spec.number == number {
            return index as u16;
        }
        index += 1;
    }
    panic!("no kind of that number")
}
