//! Badminton: best of three sets to 21 points, two ahead, at most 30. The winner of a rally serves next, and the winner
//! of a set serves first in the next set. Read by [`super::play`]; must contain only data.

use super::super::sets::race::{Order, Race};
use super::play::RallySport;
use super::rules::{First, Pace, Rules};
use crate::catalogue;

static RULES: Rules = Rules {
    data: &catalogue::BADMINTON,
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
    firsts: &[5, 7, 11, 15],
};

/// The sport.
pub static BADMINTON: RallySport = RallySport { rules: &RULES };
