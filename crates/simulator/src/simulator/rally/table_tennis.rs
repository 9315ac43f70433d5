//! Table tennis: best of five or seven sets to 11 points, two ahead. The serve changes every two points, and after each
//! point from 10:10. Read by [`super::play`]; must contain only data.

use super::super::sets::race::{Order, Race};
use super::play::RallySport;
use super::rules::{First, Pace, Rules};
use crate::catalogue;

static RULES: Rules = Rules {
    data: &catalogue::TABLE_TENNIS,
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
    firsts: &[3, 5, 7, 9],
};

/// The sport.
pub static TABLE_TENNIS: RallySport = RallySport { rules: &RULES };
