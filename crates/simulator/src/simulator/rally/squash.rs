//! Squash: best of five sets to 11 points, two ahead. The winner of a rally serves next, and the winner of a set serves
//! first in the next set. A sport of the default class. Read by [`super::play`]; must contain only data.

use super::super::sets::race::{Order, Race};
use super::play::RallySport;
use super::rules::{First, Pace, Rules};
use crate::catalogue;

static RULES: Rules = Rules {
    data: &catalogue::SQUASH,
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
    firsts: &[3, 5, 7, 9],
};

/// The sport.
pub static SQUASH: RallySport = RallySport { rules: &RULES };
