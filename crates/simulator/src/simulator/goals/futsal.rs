//! Futsal: two halves of 20 minutes of a stopped clock. A cup has extra time and a shoot-out.

use super::{Draws, GOAL, GoalSport};
use crate::catalogue;
use crate::pricing::shoot_out::Kicks;
use crate::simulator::clock::rules::{Overtime, PeriodRules, Rules, ShootOut, Timeouts};

/// Futsal.
pub static FUTSAL: GoalSport = GoalSport {
    rules: &Rules {
        scores: GOAL,
        periods: &[
            PeriodRules { status: "first_half", pause: "half_time", pause_s: (840.0, 960.0), pace: 0.92 },
            PeriodRules { status: "second_half", pause: "awaiting_extra_time", pause_s: (210.0, 240.0), pace: 1.08 },
        ],
        overtime: ["first_extra", "second_extra"],
        tick_s: (5.0, 7.0),
        stop: (0.2, (8.0, 25.0)),
        after_score_s: (25.0, 45.0),
        holds_scores: true,
        timeouts: Some(Timeouts { chance: 0.003, each: 2, length_s: 60.0 }),
        ..Rules::of(&catalogue::FUTSAL)
    },
    period_ms: 1_200_000,
    goals: [3.4, 2.9],
    skill: 0.15,
    overtime: (
        Draws::OfCups,
        Overtime {
            shoot_out: Some(ShootOut { kicks: Kicks { each: 5, chance: 0.72 }, is_scored: false }),
            ..Overtime::of(600_000)
        },
    ),
};
