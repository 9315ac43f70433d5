//! Beach volleyball: best of three sets to 21 points, the third to 15, two ahead. Sides change ends every seven points,
//! in the third set every five. Read by [`super::play`]; must contain only data.

use super::super::sets::race::{Order, Race};
use super::play::RallySport;
use super::rules::{First, Pace, Rules};
use crate::catalogue;

static RULES: Rules = Rules {
    data: &catalogue::BEACH_VOLLEYBALL,
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
    firsts: &[5, 10, 15],
};

/// The sport.
pub static BEACH_VOLLEYBALL: RallySport = RallySport { rules: &RULES };
