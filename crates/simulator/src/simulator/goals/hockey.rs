//! Ice hockey: three periods of 20 minutes of a stopped clock, then five minutes in which the first goal decides, three
//! against three, and a shoot-out that is worth one goal.

use super::questions::{self as rows, Question, Row, Scope, kinds};
use super::rules::{Draws, Overtime, Rules, Stops};
use super::{GoalGame, GoalSport, NEXT, ONE_TWO, ONE_X_TWO, UNDER_OVER, place};
use crate::pricing::answers::RESULT_TWICE;
use crate::pricing::kind::{Answers, KindSpec, Line, Quad};
use crate::pricing::shoot_out::Kicks;
use crate::simulator::names::Entrants;
use crate::simulator::sport::{Column, Profile};

const RACES: &[u8] = &[2, 3, 4, 5];
const FIRST: Quad = ["1. trećina", "1st period", "1. trećina", "1. трећина"];
const SECOND: Quad = ["2. trećina", "2nd period", "2. trećina", "2. трећина"];
const THIRD: Quad = ["3. trećina", "3rd period", "3. trećina", "3. трећина"];

const fn result(period: u8, name: Quad, short: Quad) -> Row {
    let spec = KindSpec::one(72 + period as i64, name, short, Answers::OneXTwo, &[rows::PERIODS]);
    Row::new(Question::Result(Scope::Period(period)), spec)
}

const fn total(period: u8, name: Quad, short: Quad) -> Row {
    let spec = KindSpec::one(75 + period as i64, name, short, Answers::UnderOver, &[rows::GOALS, rows::PERIODS]);
    Row::new(Question::Total(Scope::Period(period)), spec).lines(Line::Half, 20)
}

const ROWS: [Row; 26] = [
    rows::RESULT,
    rows::DOUBLE_CHANCE,
    rows::DRAW_NO_BET,
    rows::NEXT_GOAL.lines(Line::Ordinal, 36),
    rows::THREE_WAY_HANDICAP.lines(Line::Text(rows::whole_handicap::<17>), 17),
    rows::HANDICAP_ROW.lines(Line::Handicap, 26),
    rows::BOTH_SCORE,
    rows::CORRECT_SCORE,
    rows::ODD_EVEN,
    rows::LAST_GOAL,
    rows::TOTAL.lines(Line::Half, 36),
    rows::HOME_TOTAL.lines(Line::Half, 24),
    rows::AWAY_TOTAL.lines(Line::Half, 24),
    rows::RESULT_AND_TOTAL.lines(Line::Half, 36),
    Row::new(Question::RaceTo(RACES), rows::RACE_TO).lines(Line::Text(|line| RACES[usize::from(line)].to_string()), 4),
    result(0, ["Ishod prve trećine", "First-period result", "Ishod prve trećine", "Исход прве трећине"], FIRST),
    result(1, ["Ishod druge trećine", "Second-period result", "Ishod druge trećine", "Исход друге трећине"], SECOND),
    result(2, ["Ishod treće trećine", "Third-period result", "Ishod treće trećine", "Исход треће трећине"], THIRD),
    total(
        0,
        ["Golovi u prvoj trećini", "First-period goals", "Golovi u prvoj trećini", "Голови у првој трећини"],
        ["Gol. 1. tr.", "P1 goals", "Gol. 1. tr.", "Гол. 1. тр."],
    ),
    total(
        1,
        ["Golovi u drugoj trećini", "Second-period goals", "Golovi u drugoj trećini", "Голови у другој трећини"],
        ["Gol. 2. tr.", "P2 goals", "Gol. 2. tr.", "Гол. 2. тр."],
    ),
    total(
        2,
        ["Golovi u trećoj trećini", "Third-period goals", "Golovi u trećoj trećini", "Голови у трећој трећини"],
        ["Gol. 3. tr.", "P3 goals", "Gol. 3. tr.", "Гол. 3. тр."],
    ),
    Row::new(
        Question::MostGoals,
        KindSpec::one(
            78,
            [
                "Trećina s najviše golova",
                "Highest-scoring period",
                "Trećina s najviše golova",
                "Трећина са највише голова",
            ],
            ["Najviše golova", "Top period", "Najviše golova", "Највише голова"],
            Answers::Words(&[
                (FIRST, "first"),
                (SECOND, "second"),
                (THIRD, "third"),
                (["Jednako", "Equal", "Jednako", "Једнако"], "equal"),
            ]),
            &[rows::PERIODS],
        ),
    )
    .margin(0.09),
    Row::new(
        Question::PeriodAndMatch,
        KindSpec::one(
            6,
            ["Prva trećina/kraj", "First period/full-time", "Prva trećina/kraj", "Прва трећина/крај"],
            ["1. tr./kraj", "P1/FT", "1. tr./kraj", "1. тр./крај"],
            RESULT_TWICE,
            &[rows::PERIODS, rows::COMBINED],
        ),
    )
    .margin(0.12),
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
        name: rows::WINNER.spec.name,
        fields: ONE_TWO,
        markets: &[(place(&ROWS, 60), "")],
        format: "",
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
        name: ["Ishod trećine", "Period result", "Ishod trećine", "Исход трећине"],
        fields: ONE_X_TWO,
        markets: &[
            (place(&ROWS, 72), "not_started"),
            (place(&ROWS, 72), "period_1"),
            (place(&ROWS, 73), "period_2"),
            (place(&ROWS, 74), ""),
        ],
        format: "",
        hidden: false,
    },
];

const PROFILE: Profile = Profile {
    id: 4,
    key: "ice-hockey",
    order: 4,
    name: ["Hokej na ledu", "Ice hockey", "Hokej na ledu", "Хокеј на леду"],
    kinds: &KINDS,
    columns: &COLUMNS,
    entrants: &[Entrants::Clubs],
    minutes: 148,
    interrupted: 0.006,
    retired: 0.0,
    corrected: 0.02,
    share: 8,
    leader_kind: Some(0),
};

/// Ice hockey.
pub static HOCKEY: GoalGame = GoalGame(&SPORT);

static SPORT: GoalSport = GoalSport {
    profile: &PROFILE,
    rows: &ROWS,
    rules: Rules {
        periods: 3,
        period_s: 1_200,
        shares: &[0.31, 0.345, 0.345],
        goals: [3.05, 2.75],
        skill: 0.11,
        pause_s: [1_000.0, 1_140.0],
        overtime: Overtime { after: Draws::Any, legs: 1, leg_s: 300, sudden_death: true, pace: 2.2 },
        kicks: Kicks { each: 5, chance: 0.33 },
        kicks_count: true,
        stops: Stops {
            chance: 0.16,
            seconds: [15.0, 45.0],
            timeout: 0.0015,
            timeouts: 1,
            timeout_s: 35.0,
            goal_s: Some([45.0, 80.0]),
        },
        statuses: &[
            ["period_1", "pause"],
            ["period_2", "pause"],
            ["period_3", "awaiting_extra_time"],
            ["overtime", "awaiting_shoot_out"],
        ],
    },
};
