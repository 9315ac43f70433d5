//! Volleyball: best of five sets to 25 points, the fifth to 15, two ahead. The winner of a rally serves next, and
//! serving is a disadvantage. Read by [`super::play`]; must contain only data.

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
    set: Race { to: 25, cap: None, order: Order::Winner },
    last: Race { to: 15, cap: None, order: Order::Winner },
    first: First::InTurnThenCoin,
    serve: 0.37,
    edge: 0.1,
    pace: Pace {
        between_s: (13.0, 20.0),
        rally_s: 7.0,
        break_s: 180.0,
        every: (0, 8),
        every_s: 15.0,
        rest_at: 0,
        rest_s: 0.0,
        timeout: (0.06, 35.0),
        treated: 0.0005,
    },
    shape: Shape { total: (75, 120), handicap_lines: 80, set_handicap_lines: 8, set_total: (15, 40), set_handicap: 26 },
    firsts: &[5, 10, 15, 20],
    points: 54,
};

static KINDS: [KindSpec; number(SETS)] = table(&RULES);
static WINNERS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::WINNER);
static TOTALS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, common::TOTAL);
static POINTS: [(u16, &str); SETS + 1] = by_set(&BLOCKS, in_set::POINT);
static COLUMNS: [Column; 6] = columns(&WINNERS, &TOTALS, &POINTS);

static PROFILE: Profile = Profile {
    id: 23,
    key: "volleyball",
    order: 50,
    name: ["Odbojka", "Volleyball", "Odbojka", "Одбојка"],
    kinds: &KINDS,
    columns: &COLUMNS,
    entrants: &[Entrants::Clubs],
    minutes: 86,
    interrupted: 0.004,
    retired: 0.0,
    corrected: 0.004,
    share: 6,
    leader_kind: None,
};

/// The sport.
pub static VOLLEYBALL: RallySport = RallySport { rules: &RULES, profile: &PROFILE };
