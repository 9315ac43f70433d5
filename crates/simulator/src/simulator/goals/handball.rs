//! Handball: two halves of 30 minutes, some 28 goals a side, time-outs. A cup has extra time and a shoot-out of throws
//! from seven metres.

use super::rules::{Draws, Overtime, Rules, Stops};
use super::{GoalGame, GoalSport};
use crate::catalogue;
use crate::pricing::shoot_out::Kicks;

/// Handball.
pub static HANDBALL: GoalGame = GoalGame(&SPORT);

static SPORT: GoalSport = GoalSport {
    data: &catalogue::HANDBALL,
    rules: Rules {
        periods: 2,
        period_s: 1_800,
        shares: &[0.49, 0.51],
        goals: [28.6, 27.0],
        skill: 0.045,
        pause_s: [600.0, 900.0],
        overtime: Overtime { after: Draws::OfCups, legs: 2, leg_s: 300, sudden_death: false, pace: 0.95 },
        kicks: Kicks { each: 5, chance: 0.77 },
        kicks_count: false,
        stops: Stops {
            chance: 0.04,
            seconds: [12.0, 40.0],
            timeout: 0.008,
            timeouts: 3,
            timeout_s: 60.0,
            goal_s: None,
        },
        statuses: &[
            ["first_half", "half_time"],
            ["second_half", "awaiting_extra_time"],
            ["first_extra", "extra_half_time"],
            ["second_extra", "awaiting_shoot_out"],
        ],
    },
};
