//! Handball: two halves of 30 minutes, some 28 goals a side, time-outs. A cup has extra time and a shoot-out of throws
//! from seven metres.

use super::{Draws, GOAL, GoalSport};
use crate::catalogue;
use crate::pricing::shoot_out::Kicks;
use crate::simulator::clock::rules::{Overtime, PeriodRules, Rules, ShootOut, ShortRules, Timeouts};

/// Handball.
pub static HANDBALL: GoalSport = GoalSport {
    rules: &Rules {
        scores: GOAL,
        periods: &[
            PeriodRules { status: "first_half", pause: "half_time", pause_s: (600.0, 900.0), pace: 0.98 },
            PeriodRules { status: "second_half", pause: "awaiting_extra_time", pause_s: (150.0, 225.0), pace: 1.02 },
        ],
        overtime: ["first_extra", "second_extra"],
        tick_s: (5.0, 7.0),
        stop: (0.04, (12.0, 40.0)),
        holds_scores: true,
        timeouts: Some(Timeouts { chance: 0.008, each: 3, length_s: 60.0 }),
        // Suspensions of two minutes.
        short: Some(ShortRules {
            timed: 3.6,
            lasting: 0.0,
            timed_ms: 120_000,
            own: 0.85,
            stop_s: (15.0, 30.0),
            ends_with_goal: false,
            are_cards: false,
        }),
        ..Rules::of(&catalogue::HANDBALL)
    },
    period_ms: 1_800_000,
    goals: [28.6, 27.0],
    skill: 0.045,
    overtime: (
        Draws::OfCups,
        Overtime {
            pace: 0.95,
            shoot_out: Some(ShootOut { kicks: Kicks { each: 5, chance: 0.77 }, is_scored: false }),
            ..Overtime::of(600_000)
        },
    ),
};
