//! Beach volleyball: best of three sets to 21 points, the third to 15, two ahead. Sides change ends every seven points,
//! in the third set every five. Read by [`super::play`]; must contain only data.

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
    set: Race { to: 21, cap: None, order: Order::Winner },
    last: Race { to: 15, cap: None, order: Order::Winner },
    first: First::InTurnThenCoin,
    serve: 0.38,
    edge: 0.1,
    pace: Pace {
        between_s: (11.0, 16.0),
        rally_s: 7.0,
        break_s: 60.0,
        every: (7, 5),
        every_s: 12.0,
        rest_at: 0,
        rest_s: 0.0,
        timeout: (0.03, 30.0),
        treated: 0.0008,
    },
    shape: Shape { total: (42, 110), handicap_lines: 80, set_handicap_lines: 8, set_total: (15, 46), set_handicap: 40 },
    firsts: &[5, 10, 15],
    points: 60,
};

static KINDS: [KindSpec; number(SETS)] = table(&RULES);
static WINNERS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::WINNER);
static TOTALS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::TOTAL);
static POINTS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, in_set::POINT);
static COLUMNS: [Column; 6] = columns(&WINNERS, &TOTALS, &POINTS);

static PROFILE: Profile = Profile {
    id: 34,
    key: "beach-volleyball",
    order: 120,
    name: ["Odbojka na pijesku", "Beach volleyball", "Odbojka na pijesku", "Одбојка на песку"],
    kinds: &KINDS,
    columns: &COLUMNS,
    entrants: &[Entrants::Pairs],
    minutes: 37,
    interrupted: 0.01,
    retired: 0.006,
    corrected: 0.003,
    share: 3,
    leader_kind: None,
};

/// The sport.
pub static BEACH_VOLLEYBALL: RallySport = RallySport { rules: &RULES, profile: &PROFILE };
