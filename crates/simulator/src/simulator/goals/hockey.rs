//! Ice hockey: three periods of 20 minutes of a stopped clock, then five minutes in which the first goal decides, three
//! against three, and a shoot-out that is worth one goal.

use super::{Draws, GOAL, GoalSport};
use crate::catalogue;
use crate::pricing::shoot_out::Kicks;
use crate::simulator::clock::rules::{Overtime, PeriodRules, Rules, ShootOut, ShortRules, Timeouts};

/// Ice hockey.
pub static HOCKEY: GoalSport = GoalSport {
    rules: &Rules {
        scores: GOAL,
        periods: &[
            PeriodRules { status: "period_1", pause: "pause", pause_s: (1_000.0, 1_140.0), pace: 0.93 },
            PeriodRules { status: "period_2", pause: "pause", pause_s: (1_000.0, 1_140.0), pace: 1.035 },
            PeriodRules { status: "period_3", pause: "awaiting_extra_time", pause_s: (250.0, 285.0), pace: 1.035 },
        ],
        tick_s: (5.0, 7.0),
        stop: (0.16, (15.0, 45.0)),
        after_score_s: (45.0, 80.0),
        holds_scores: true,
        timeouts: Some(Timeouts { chance: 0.0015, each: 1, length_s: 35.0 }),
        // Minor penalties.
        short: Some(ShortRules {
            timed: 3.4,
            lasting: 0.0,
            timed_ms: 120_000,
            own: 0.4,
            stop_s: (20.0, 40.0),
            ends_with_goal: true,
            are_cards: false,
        }),
        // About 30 shots of a side.
        saves: 9.4,
        ..Rules::of(&catalogue::ICE_HOCKEY)
    },
    period_ms: 1_200_000,
    goals: [3.05, 2.75],
    skill: 0.11,
    overtime: (
        Draws::Any,
        Overtime {
            is_sudden: true,
            pace: 2.2,
            shoot_out: Some(ShootOut { kicks: Kicks { each: 5, chance: 0.33 }, is_scored: true }),
            ..Overtime::of(300_000)
        },
    ),
};
