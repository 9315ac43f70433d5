//! Table tennis: best of five or seven sets to 11 points, two ahead. The serve changes every two points, and after each
//! point from 10:10. Read by [`super::play`]; must contain only data.

use super::super::names::Entrants;
use super::super::sets::kinds::{Shape, by_set, in_set as common};
use super::super::sets::race::{Order, Race};
use super::super::sport::{Column, Profile};
use super::kinds::{BLOCKS, columns, in_set, number, table};
use super::play::RallySport;
use super::rules::{First, Pace, Rules};
use crate::pricing::kind::KindSpec;

/// The most sets a match can have.
const SETS: usize = 7;

static RULES: Rules = Rules {
    needs: &[3, 4, 3],
    set: Race { to: 11, cap: None, order: Order::Pairs },
    last: Race { to: 11, cap: None, order: Order::Pairs },
    first: First::InTurn,
    serve: 0.53,
    edge: 0.13,
    pace: Pace {
        between_s: (7.0, 12.0),
        rally_s: 4.5,
        break_s: 60.0,
        every: (6, 6),
        every_s: 8.0,
        rest_at: 0,
        rest_s: 0.0,
        timeout: (0.008, 60.0),
        treated: 0.0004,
    },
    shape: Shape { total: (33, 120), handicap_lines: 80, set_handicap_lines: 8, set_total: (11, 24), set_handicap: 24 },
    firsts: &[3, 5, 7, 9],
    points: 40,
};

static KINDS: [KindSpec; number(SETS)] = table(&RULES);
static WINNERS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::WINNER);
static TOTALS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::TOTAL);
static POINTS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, in_set::POINT);
static COLUMNS: [Column; 6] = columns(&WINNERS, &TOTALS, &POINTS);

static PROFILE: Profile = Profile {
    id: 20,
    key: "table-tennis",
    order: 60,
    name: ["Stolni tenis", "Table tennis", "Stoni tenis", "Стони тенис"],
    kinds: &KINDS,
    columns: &COLUMNS,
    entrants: &[Entrants::Men, Entrants::Women],
    minutes: 25,
    interrupted: 0.002,
    retired: 0.006,
    corrected: 0.001,
    share: 10,
    leader_kind: None,
};

/// The sport.
pub static TABLE_TENNIS: RallySport = RallySport { rules: &RULES, profile: &PROFILE };
