//! Volleyball: best of five sets to 25 points, the fifth to 15, two ahead. The winner of a rally serves next, and
//! serving is a disadvantage. Read by [`super::play`]; must contain only data.

use super::super::sets::race::{Order, Race};
use super::play::RallySport;
use super::rules::{First, Pace, Rules};
use crate::catalogue;

static RULES: Rules = Rules {
    data: &catalogue::VOLLEYBALL,
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
    firsts: &[5, 10, 15, 20],
};

/// The sport.
pub static VOLLEYBALL: RallySport = RallySport { rules: &RULES };
