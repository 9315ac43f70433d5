//! Squash: best of five sets to 11 points, two ahead. The winner of a rally serves next, and the winner of a set serves
//! first in the next set. A sport of the default class. Read by [`super::play`]; must contain only data.

use super::super::names::Entrants;
use super::super::sets::kinds::{Shape, by_set, in_set as common};
use super::super::sets::race::{Order, Race};
use super::super::sport::{Column, Profile};
use super::kinds::{BLOCKS, columns, in_set, number, table};
use super::play::RallySport;
use super::rules::{First, Pace, Rules};
use crate::pricing::kind::KindSpec;

/// The most sets a match can have.
const SETS: usize = 5;

static RULES: Rules = Rules {
    needs: &[3],
    set: Race { to: 11, cap: None, order: Order::Winner },
    last: Race { to: 11, cap: None, order: Order::Winner },
    first: First::Winner,
    serve: 0.52,
    edge: 0.14,
    pace: Pace {
        between_s: (7.0, 12.0),
        rally_s: 14.0,
        break_s: 90.0,
        every: (0, 0),
        every_s: 0.0,
        rest_at: 0,
        rest_s: 0.0,
        timeout: (0.0, 0.0),
        treated: 0.001,
    },
    shape: Shape { total: (33, 90), handicap_lines: 60, set_handicap_lines: 8, set_total: (11, 24), set_handicap: 24 },
    firsts: &[3, 5, 7, 9],
    points: 40,
};

static KINDS: [KindSpec; number(SETS)] = table(&RULES);
static WINNERS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::WINNER);
static TOTALS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::TOTAL);
static POINTS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, in_set::POINT);
static COLUMNS: [Column; 6] = columns(&WINNERS, &TOTALS, &POINTS);

static PROFILE: Profile = Profile {
    id: 37,
    key: "squash",
    order: 180,
    name: ["Skvoš", "Squash", "Skvoš", "Сквош"],
    kinds: &KINDS,
    columns: &COLUMNS,
    entrants: &[Entrants::Men, Entrants::Women],
    minutes: 33,
    interrupted: 0.002,
    retired: 0.012,
    corrected: 0.004,
    share: 2,
    leader_kind: None,
};

/// The sport.
pub static SQUASH: RallySport = RallySport { rules: &RULES, profile: &PROFILE };
