//! Ice hockey: three periods of 20 minutes of a stopped clock, then five minutes in which the first goal decides, three
//! against three, and a shoot-out that is worth one goal.

use super::rules::{Draws, Overtime, Rules, Stops};
use super::{GoalGame, GoalSport};
use crate::catalogue;
use crate::pricing::shoot_out::Kicks;

/// Ice hockey.
pub static HOCKEY: GoalGame = GoalGame(&SPORT);

static SPORT: GoalSport = GoalSport {
    data: &catalogue::ICE_HOCKEY,
    rules: Rules {
        periods: 3,
        period_s: 1_200,
        shares: &[0.31, 0.345, 0.345],
        goals: [3.05, 2.75],
        skill: 0.11,
        pause_s: [1_000.0, 1_140.0],
        overtime: Overtime { after: Draws::Any, legs: 1, leg_s: 300, sudden_death: true, pace: 2.2 },
        kicks: Kicks { each: 5, chance: 0.33 },
        kicks_count: true,
        stops: Stops {
            chance: 0.16,
            seconds: [15.0, 45.0],
            timeout: 0.0015,
            timeouts: 1,
            timeout_s: 35.0,
            goal_s: Some([45.0, 80.0]),
        },
        statuses: &[
            ["period_1", "pause"],
            ["period_2", "pause"],
            ["period_3", "awaiting_extra_time"],
            ["overtime", "awaiting_shoot_out"],
        ],
    },
};
