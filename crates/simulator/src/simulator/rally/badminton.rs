//! Badminton: best of three sets to 21 points, two ahead, at most 30. The winner of a rally serves next, and the winner
//! of a set serves first in the next set. Read by [`super::play`]; must contain only data.

use super::super::names::Entrants;
use super::super::sets::kinds::{Shape, by_set, in_set as common};
use super::super::sets::race::{Order, Race};
use super::super::sport::{Column, Profile};
use super::kinds::{BLOCKS, columns, in_set, number, table};
use super::play::RallySport;
use super::rules::{First, Pace, Rules};
use crate::pricing::kind::KindSpec;

/// The most sets a match can have.
const SETS: usize = 3;

static RULES: Rules = Rules {
    needs: &[2],
    set: Race { to: 21, cap: Some(30), order: Order::Winner },
    last: Race { to: 21, cap: Some(30), order: Order::Winner },
    first: First::Winner,
    serve: 0.49,
    edge: 0.11,
    pace: Pace {
        between_s: (12.0, 20.0),
        rally_s: 9.0,
        break_s: 120.0,
        every: (0, 0),
        every_s: 0.0,
        rest_at: 11,
        rest_s: 60.0,
        timeout: (0.015, 20.0),
        treated: 0.0008,
    },
    shape: Shape { total: (42, 136), handicap_lines: 84, set_handicap_lines: 8, set_total: (21, 39), set_handicap: 42 },
    firsts: &[5, 7, 11, 15],
    points: 59,
};

static KINDS: [KindSpec; number(SETS)] = table(&RULES);
static WINNERS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::WINNER);
static TOTALS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::TOTAL);
static POINTS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, in_set::POINT);
static COLUMNS: [Column; 6] = columns(&WINNERS, &TOTALS, &POINTS);

static PROFILE: Profile = Profile {
    id: 31,
    key: "badminton",
    order: 110,
    name: ["Badminton", "Badminton", "Badminton", "Бадминтон"],
    kinds: &KINDS,
    columns: &COLUMNS,
    entrants: &[Entrants::Men, Entrants::Women, Entrants::Pairs],
    minutes: 42,
    interrupted: 0.002,
    retired: 0.012,
    corrected: 0.003,
    share: 3,
    leader_kind: None,
};

/// The sport.
pub static BADMINTON: RallySport = RallySport { rules: &RULES, profile: &PROFILE };
