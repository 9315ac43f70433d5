//! Futsal: two halves of 20 minutes of a stopped clock. A cup has extra time and a shoot-out.

use super::questions::{self as rows, Question, Row, kinds};
use super::rules::{Draws, Overtime, Rules, Stops};
use super::{GoalGame, GoalSport, NEXT, ONE_TWO, ONE_X_TWO, UNDER_OVER, place};
use crate::pricing::kind::{KindSpec, Line};
use crate::pricing::shoot_out::Kicks;
use crate::simulator::names::Entrants;
use crate::simulator::sport::{Column, Profile};

const RACES: &[u8] = &[2, 3, 4, 5];

const ROWS: [Row; 24] = [
    rows::RESULT,
    rows::DOUBLE_CHANCE,
    rows::DRAW_NO_BET,
    rows::FIRST_HALF_RESULT,
    rows::SECOND_HALF_RESULT,
    rows::HALF_AND_FULL,
    rows::NEXT_GOAL.lines(Line::Ordinal, 40),
    rows::THREE_WAY_HANDICAP.lines(Line::Text(rows::whole_handicap::<17>), 17),
    rows::HANDICAP_ROW.lines(Line::Handicap, 26),
    rows::BOTH_SCORE,
    rows::CORRECT_SCORE,
    rows::ODD_EVEN,
    rows::LAST_GOAL,
    rows::TOTAL.lines(Line::Half, 40),
    rows::HOME_TOTAL.lines(Line::Half, 26),
    rows::AWAY_TOTAL.lines(Line::Half, 26),
    rows::FIRST_HALF_TOTAL.lines(Line::Half, 24),
    rows::SECOND_HALF_TOTAL.lines(Line::Half, 24),
    rows::RESULT_AND_TOTAL.lines(Line::Half, 40),
    rows::MOST_GOALS_HALF,
    Row::new(Question::RaceTo(RACES), rows::RACE_TO).lines(Line::Text(|line| RACES[usize::from(line)].to_string()), 4),
    rows::WINNER,
    rows::OVERTIME,
    rows::SHOOT_OUT,
];
const KINDS: [KindSpec; ROWS.len()] = kinds(ROWS);

const COLUMNS: [Column; 6] = [
    Column {
        name: rows::RESULT.spec.name,
        fields: ONE_X_TWO,
        markets: &[(place(&ROWS, 1), "")],
        format: "",
        hidden: false,
    },
    Column {
        name: rows::TOTAL.spec.name,
        fields: UNDER_OVER,
        markets: &[(place(&ROWS, 18), "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: rows::HANDICAP_ROW.spec.name,
        fields: ONE_TWO,
        markets: &[(place(&ROWS, 9), "")],
        format: "{+sbv}",
        hidden: false,
    },
    Column {
        name: rows::NEXT_GOAL.spec.name,
        fields: NEXT,
        markets: &[(place(&ROWS, 7), "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Ishod poluvremena", "Half result", "Ishod poluvremena", "Исход полувремена"],
        fields: ONE_X_TWO,
        markets: &[(place(&ROWS, 4), "not_started"), (place(&ROWS, 4), "first_half"), (place(&ROWS, 5), "")],
        format: "",
        hidden: false,
    },
    Column {
        name: rows::WINNER.spec.name,
        fields: ONE_TWO,
        markets: &[(place(&ROWS, 60), "")],
        format: "",
        hidden: false,
    },
];

const PROFILE: Profile = Profile {
    id: 29,
    key: "futsal",
    order: 7,
    name: ["Futsal", "Futsal", "Futsal", "Футсал"],
    kinds: &KINDS,
    columns: &COLUMNS,
    entrants: &[Entrants::Clubs],
    minutes: 88,
    interrupted: 0.004,
    retired: 0.0,
    corrected: 0.006,
    share: 4,
    leader_kind: Some(0),
};

/// Futsal.
pub static FUTSAL: GoalGame = GoalGame(&SPORT);

static SPORT: GoalSport = GoalSport {
    profile: &PROFILE,
    rows: &ROWS,
    rules: Rules {
        periods: 2,
        period_s: 1_200,
        shares: &[0.46, 0.54],
        goals: [3.4, 2.9],
        skill: 0.15,
        pause_s: [840.0, 960.0],
        overtime: Overtime { after: Draws::OfCups, legs: 2, leg_s: 300, sudden_death: false, pace: 1.0 },
        kicks: Kicks { each: 5, chance: 0.72 },
        kicks_count: false,
        stops: Stops {
            chance: 0.2,
            seconds: [8.0, 25.0],
            timeout: 0.003,
            timeouts: 2,
            timeout_s: 60.0,
            goal_s: Some([25.0, 45.0]),
        },
        statuses: &[
            ["first_half", "half_time"],
            ["second_half", "awaiting_extra_time"],
            ["first_extra", "extra_half_time"],
            ["second_extra", "awaiting_shoot_out"],
        ],
    },
};
