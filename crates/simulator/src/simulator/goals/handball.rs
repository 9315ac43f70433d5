//! Handball: two halves of 30 minutes, some 28 goals a side, time-outs. A cup has extra time and a shoot-out of throws
//! from seven metres.

use super::questions::{self as rows, Question, Row, kinds};
use super::rules::{Draws, Overtime, Rules, Stops};
use super::{GoalGame, GoalSport, NEXT, ONE_TWO, ONE_X_TWO, UNDER_OVER, place};
use crate::pricing::kind::{KindSpec, Line};
use crate::pricing::shoot_out::Kicks;
use crate::simulator::names::Entrants;
use crate::simulator::sport::{Column, Profile};

const RACES: &[u8] = &[5, 10, 15, 20, 25, 30];

const ROWS: [Row; 24] = [
    rows::RESULT,
    rows::DOUBLE_CHANCE,
    rows::DRAW_NO_BET,
    rows::FIRST_HALF_RESULT,
    rows::SECOND_HALF_RESULT,
    rows::HALF_AND_FULL,
    rows::NEXT_GOAL.lines(Line::Ordinal, 130),
    rows::THREE_WAY_HANDICAP.lines(Line::Text(rows::whole_handicap::<41>), 41),
    rows::HANDICAP_ROW.lines(Line::Handicap, 70),
    rows::ODD_EVEN,
    rows::TOTAL.lines(Line::HalfFrom(15), 110),
    rows::HOME_TOTAL.lines(Line::HalfFrom(5), 70),
    rows::AWAY_TOTAL.lines(Line::HalfFrom(5), 70),
    rows::FIRST_HALF_TOTAL.lines(Line::HalfFrom(5), 70),
    rows::SECOND_HALF_TOTAL.lines(Line::HalfFrom(5), 70),
    rows::FIRST_HALF_HANDICAP.lines(Line::Handicap, 50),
    rows::FIRST_HALF_ODD_EVEN,
    rows::MOST_GOALS_HALF,
    Row::new(Question::RaceTo(RACES), rows::RACE_TO).lines(Line::Text(|line| RACES[usize::from(line)].to_string()), 6),
    rows::WINNER,
    rows::OVERTIME,
    rows::SHOOT_OUT,
    rows::OVERTIME_RESULT,
    rows::OVERTIME_TOTAL.lines(Line::Half, 40),
];
const KINDS: [KindSpec; ROWS.len()] = kinds(ROWS);

const COLUMNS: [Column; 6] = [
    Column {
        name: rows::RESULT.spec.name,
        fields: ONE_X_TWO,
        markets: &[
            (place(&ROWS, 63), "awaiting_extra_time"),
            (place(&ROWS, 63), "first_extra"),
            (place(&ROWS, 63), "extra_half_time"),
            (place(&ROWS, 63), "second_extra"),
            (place(&ROWS, 1), ""),
        ],
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
        name: ["Ishod poluvremena", "Half result", "Ishod poluvremena", "Исход полувремена"],
        fields: ONE_X_TWO,
        markets: &[(place(&ROWS, 4), "not_started"), (place(&ROWS, 4), "first_half"), (place(&ROWS, 5), "")],
        format: "",
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
        name: rows::WINNER.spec.name,
        fields: ONE_TWO,
        markets: &[(place(&ROWS, 60), "")],
        format: "",
        hidden: false,
    },
];

const PROFILE: Profile = Profile {
    id: 6,
    key: "handball",
    order: 6,
    name: ["Rukomet", "Handball", "Rukomet", "Рукомет"],
    kinds: &KINDS,
    columns: &COLUMNS,
    entrants: &[Entrants::Clubs],
    minutes: 86,
    interrupted: 0.004,
    retired: 0.0,
    corrected: 0.002,
    share: 7,
    leader_kind: Some(0),
};

/// Handball.
pub static HANDBALL: GoalGame = GoalGame(&SPORT);

static SPORT: GoalSport = GoalSport {
    profile: &PROFILE,
    rows: &ROWS,
    rules: Rules {
        periods: 2,
        period_s: 1_800,
        shares: &[0.49, 0.51],
        goals: [28.6, 27.0],
        skill: 0.045,
        pause_s: [600.0, 900.0],
        overtime: Overtime { after: Draws::OfCups, legs: 2, leg_s: 300, sudden_death: false, pace: 0.95 },
        kicks: Kicks { each: 5, chance: 0.77 },
        kicks_count: false,
        stops: Stops {
            chance: 0.04,
            seconds: [12.0, 40.0],
            timeout: 0.008,
            timeouts: 3,
            timeout_s: 60.0,
            goal_s: None,
        },
        statuses: &[
            ["first_half", "half_time"],
            ["second_half", "awaiting_extra_time"],
            ["first_extra", "extra_half_time"],
            ["second_extra", "awaiting_shoot_out"],
        ],
    },
};
