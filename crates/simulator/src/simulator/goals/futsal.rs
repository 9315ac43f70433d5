//! Futsal: two halves of 20 minutes of a stopped clock. A cup has extra time and a shoot-out.

use super::rules::{Draws, Overtime, Rules, Stops};
use super::{GoalGame, GoalSport};
use crate::catalogue;
use crate::pricing::shoot_out::Kicks;

/// Futsal.
pub static FUTSAL: GoalGame = GoalGame(&SPORT);

static SPORT: GoalSport = GoalSport {
    data: &catalogue::FUTSAL,
    rules: Rules {
        periods: 2,
        period_s: 1_200,
        shares: &[0.46, 0.54],
        goals: [3.4, 2.9],
        skill: 0.15,
        pause_s: [840.0, 960.0],
        overtime: Overtime { after: Draws::OfCups, legs: 2, leg_s: 300, sudden_death: false, pace: 1.0 },
        kicks: Kicks { each: 5, chance: 0.72 },
        kicks_count: false,
        stops: Stops {
            chance: 0.2,
            seconds: [8.0, 25.0],
            timeout: 0.003,
            timeouts: 2,
            timeout_s: 60.0,
            goal_s: Some([25.0, 45.0]),
        },
        statuses: &[
            ["first_half", "half_time"],
            ["second_half", "awaiting_extra_time"],
            ["first_extra", "extra_half_time"],
            ["second_extra", "awaiting_shoot_out"],
        ],
    },
};
